//! The director: hands out pairs to the workers, writes down what comes back, and counts it in the order of the plan.

use std::collections::{BTreeMap, HashMap};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::time::{Duration, Instant};

use grundy_shared::event::Outcome;
use grundy_shared::ids::Seat;
use grundy_shared::oracle::Deeds;

use super::announcer::{Announcer, Finish};
use super::cause::Cause;
use super::encounter::Encounter;
use super::journal::Journal;
use super::pace::Pace;
use super::plan::Plan;
use super::result::GameResult;
use super::scores::Scores;
use super::seed::Chance;
use super::settings::Order;
use super::standings;
use super::trf;
use super::worker::{Hall, Report, Task};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;

/// Games that may be finished before one that comes earlier in the plan.
const AHEAD: u64 = 4_096;
/// Bytes that they may hold.
const AHEAD_BYTES: usize = 16 << 20;
/// Pairs that are handed out at once, at most. Where games take long it is one pair, so that all workers are busy to the end.
const BATCH: usize = 16;
/// How long a batch of pairs should take at most, in seconds.
const BATCH_SECONDS: f64 = 0.002;

/// How an arena ended.
#[derive(Debug)]
pub(crate) enum Ended {
    /// Everything was played, or the test was decided.
    Done,
    /// A bot failed, and --strict was given.
    Fault,
    /// By Ctrl-C.
    Interrupted,
}

/// A wave that is being handed out.
#[derive(Default)]
struct Wave {
    encounters: Vec<Encounter>,
    /// Which encounter comes next, and which pair of it.
    encounter: usize,
    pair: u32,
    /// Where its scores begin.
    from: usize,
    /// The number of its first game.
    first_game: u64,
}

/// The one who has the plan.
pub(crate) struct Director<'h> {
    hall: &'h Hall,
    plan: Plan,
    scores: Scores,
    journal: Option<Journal>,
    announcer: Announcer,
    names: HashMap<&'h str, usize>,
    /// The places in the suite, in the order of their use.
    order: Vec<usize>,
    wave: Wave,
    /// Pairs that wait for a worker.
    batch: Vec<Task>,
    /// The next pair to be handed out, and the next game to be counted.
    next_pair: u64,
    next_game: u64,
    ahead: BTreeMap<u64, GameResult>,
    ahead_bytes: usize,
    /// Batches that workers have.
    in_flight: usize,
    begun: Instant,
    pace: Pace,
    /// Nothing more is counted: the test is decided, or a fault ends everything.
    closed: bool,
    fault: bool,
}

impl<'h> Director<'h> {
    /// Nothing is played yet.
    ///
    /// # Errors
    /// The files of the arena cannot be written.
    pub(crate) fn new(
        hall: &'h Hall,
        plan: Plan,
        journal: Option<Journal>,
        workers: usize,
        output: Output,
    ) -> Result<Self, Failure> {
        let settings = &hall.settings;
        let mut order: Vec<usize> = (0..hall.suite.positions.len()).collect();
        if settings.order == Order::Random {
            Chance::new(settings.seed).shuffle(&mut order);
        }
        let directory = journal.as_ref().map(Journal::directory);
        let announcer = Announcer::begin(settings, directory, output)?;
        let names = settings.bots.iter().enumerate();
        Ok(Self {
            hall,
            plan,
            scores: Scores::new(settings.bots.len(), settings.faults),
            journal,
            announcer,
            names: names.map(|(at, bot)| (&*bot.name, at)).collect(),
            order,
            wave: Wave::default(),
            next_pair: 1,
            next_game: 1,
            ahead: BTreeMap::new(),
            ahead_bytes: 0,
            in_flight: 0,
            batch: Vec::new(),
            begun: Instant::now(),
            pace: Pace::new(settings.bots.len(), workers),
            closed: false,
            fault: false,
        })
    }

    fn is_stopping(&self) -> bool {
        self.closed || self.hall.interrupt.is_stopping()
    }

    /// Plays the plan to its end, or until it is to stop.
    pub(crate) fn direct(
        &mut self,
        tasks: &SyncSender<Vec<Task>>,
        reports: &Receiver<Report>,
    ) -> Result<(), Failure> {
        loop {
            self.hand_out(tasks)?;
            if self.in_flight == 0 {
                if self.is_stopping() {
                    return Ok(());
                }
                if self.wave.encounter < self.wave.encounters.len() {
                    continue;
                }
                let last = &self.scores.encounters[self.wave.from..];
                let bots = self.scores.bots.iter().enumerate();
                let withdrawn = bots.filter(|(_, bot)| bot.withdrawn);
                let withdrawn: Vec<usize> = withdrawn.map(|(place, _)| place).collect();
                let Some(encounters) = self.plan.next(last, &withdrawn) else {
                    return Ok(());
                };
                self.wave = Wave {
                    from: self.scores.encounters.len(),
                    first_game: 2 * self.next_pair - 1,
                    ..Wave::default()
                };
                self.scores.begin(&encounters);
                self.wave.encounters = encounters;
                continue;
            }
            if self.hall.interrupt.is_stopping() {
                self.announcer.stopping();
            }
            match reports.recv_timeout(Duration::from_millis(100)) {
                Ok(report) => self.take(report)?,
                Err(RecvTimeoutError::Timeout) => self.announcer.flush()?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::new(
                        Exit::Failed,
                        "arena",
                        "all workers have ended",
                    ));
                }
            }
            while let Ok(report) = reports.try_recv() {
                self.take(report)?;
            }
            self.show()?;
        }
    }

    /// Hands out as many pairs as there is room for. What was played before is taken from the journal.
    fn hand_out(&mut self, tasks: &SyncSender<Vec<Task>>) -> Result<(), Failure> {
        let size = self.batch_size();
        loop {
            if self.is_stopping() {
                self.batch.clear();
                return Ok(());
            }
            if self.batch.len() >= size && !self.send(tasks)? {
                return Ok(());
            }
            let Some(task) = self.due() else {
                break;
            };
            if task.missing != [false, false] {
                self.batch.push(task);
            }
            for number in (0..2).filter(|number| !task.missing[*number]) {
                let result = self.known(&task, number)?;
                self.line_up(result)?;
            }
        }
        if !self.batch.is_empty() {
            self.send(tasks)?;
        }
        Ok(())
    }

    /// How many pairs are handed out at once: about as many as are played in two milliseconds.
    fn batch_size(&self) -> usize {
        let seconds = self.begun.elapsed().as_secs_f64().max(1e-9);
        let pairs = self.scores.pairs as f64 / seconds * BATCH_SECONDS;
        (pairs as usize).clamp(1, BATCH)
    }

    /// Hands the batch to a worker; false if all have enough to do.
    fn send(&mut self, tasks: &SyncSender<Vec<Task>>) -> Result<bool, Failure> {
        match tasks.try_send(std::mem::take(&mut self.batch)) {
            Ok(()) => {
                self.in_flight += 1;
                Ok(true)
            }
            Err(TrySendError::Full(batch)) => {
                self.batch = batch;
                Ok(false)
            }
            Err(TrySendError::Disconnected(_)) => Err(Failure::new(
                Exit::Failed,
                "arena",
                "all workers have ended",
            )),
        }
    }

    /// The next pair of the wave, if there is one and the games before it are not too far behind.
    fn due(&mut self) -> Option<Task> {
        let encounter = self.wave.encounters.get(self.wave.encounter).copied()?;
        let ahead = (2 * self.next_pair).saturating_sub(self.next_game);
        if ahead > AHEAD || self.ahead_bytes > AHEAD_BYTES {
            return None;
        }
        let start = (encounter.from_start + self.wave.pair) as usize % self.order.len();
        let mut task = Task {
            pair: self.next_pair,
            round: encounter.round,
            bots: encounter.bots,
            start: self.order[start],
            missing: [true, true],
        };
        let out = encounter.bots.map(|bot| self.scores.bots[bot].withdrawn);
        for number in 0..2 {
            let game = 2 * task.pair - 1 + number as u64;
            let played = self
                .journal
                .as_ref()
                .is_some_and(|journal| journal.has(game));
            task.missing[number] = !played && !out.contains(&true);
        }
        self.next_pair += 1;
        self.wave.pair += 1;
        if self.wave.pair == encounter.pairs {
            self.wave.pair = 0;
            self.wave.encounter += 1;
        }
        Some(task)
    }

    /// A game that is not played now: it stands in the journal, or one of its bots plays no more.
    fn known(&self, task: &Task, number: usize) -> Result<GameResult, Failure> {
        let game = 2 * task.pair - 1 + number as u64;
        let due = self.empty(task, number);
        let Some(journal) = self.journal.as_ref().filter(|journal| journal.has(game)) else {
            return Ok(due);
        };
        let mut result = journal.game(game)?;
        result.timing = None;
        let what = |game: &GameResult| {
            let GameResult {
                pair,
                round,
                first,
                second,
                start,
                ..
            } = game;
            format!("{first} against {second} from {start} in pair {pair} of round {round}")
        };
        let fits = result.pair == due.pair
            && result.round == due.round
            && result.start == due.start
            && result.first == due.first
            && result.second == due.second;
        match fits {
            true => Ok(result),
            false => Err(Failure::new(
                Exit::Input,
                "journal",
                format!(
                    "{}: game {game} is {}, and the plan has {}",
                    journal.directory().display(),
                    what(&result),
                    what(&due)
                ),
            )
            .hint("the journal was changed, or its lines are those of another arena")),
        }
    }

    /// The game without anything played.
    fn empty(&self, task: &Task, number: usize) -> GameResult {
        let settings = &self.hall.settings;
        let [first, second] = match number {
            0 => task.bots,
            _ => [task.bots[1], task.bots[0]],
        };
        GameResult {
            game: 2 * task.pair - 1 + number as u64,
            pair: task.pair,
            round: task.round,
            start: self.hall.suite.positions[task.start].to_string(),
            first: settings.bots[first].name.clone(),
            second: settings.bots[second].name.clone(),
            outcome: Outcome::Void,
            cause: Cause::Withdrawn,
            detail: String::new(),
            moves: String::new(),
            favoured: None,
            deeds: [Deeds::default(); 2],
            timing: None,
        }
    }

    fn take(&mut self, report: Report) -> Result<(), Failure> {
        match report {
            Report::Games { results, is_last } => {
                self.in_flight -= usize::from(is_last);
                for mut result in results {
                    if let Some(journal) = &mut self.journal {
                        journal.append(&result)?;
                    }
                    self.pace.note(&result, self.places_of(&result));
                    result.timing = None;
                    self.line_up(result)?;
                }
                Ok(())
            }
            Report::Broken(why) => Err(Failure::new(Exit::Failed, "bot", why)),
        }
    }

    /// Counts this game, and those behind it that waited for it, once all before it are counted.
    fn line_up(&mut self, result: GameResult) -> Result<(), Failure> {
        let mut next = match result.game == self.next_game {
            true => Some(result),
            false => {
                self.ahead_bytes += result.bytes();
                self.ahead.insert(result.game, result);
                None
            }
        };
        while let Some(result) = next {
            self.next_game += 1;
            if !self.closed {
                self.count(result)?;
            }
            next = self.ahead.remove(&self.next_game);
            if let Some(next) = &next {
                self.ahead_bytes -= next.bytes();
            }
        }
        Ok(())
    }

    fn places_of(&self, result: &GameResult) -> [usize; 2] {
        let place = |name: &str| self.names.get(name).copied().unwrap_or_default();
        [place(&result.first), place(&result.second)]
    }

    fn count(&mut self, mut result: GameResult) -> Result<(), Failure> {
        let bots = self.places_of(&result);
        match bots.map(|bot| self.scores.bots[bot].withdrawn) {
            [false, false] => {}
            [first, second] => {
                result.outcome = match (first, second) {
                    (true, true) => Outcome::Void,
                    (true, false) => Outcome::win_of(Seat::Second),
                    _ => Outcome::win_of(Seat::First),
                };
                result.cause = Cause::Withdrawn;
                result.detail.clear();
                result.moves.clear();
                result.favoured = None;
                result.deeds = [Deeds::default(); 2];
            }
        }
        self.announcer.game(&result)?;
        let completed = self.scores.count(&result, bots);
        if self.hall.settings.strict && result.cause.is_fault() {
            self.closed = true;
            self.fault = true;
        }
        if completed.is_some()
            && let Some(sprt) = self.hall.settings.sprt
            && let Some(test) = standings::test(sprt, &self.scores)
            && test.verdict != "continue"
        {
            self.closed = true;
        }
        Ok(())
    }

    /// Shows progress, if it is time.
    fn show(&mut self) -> Result<(), Failure> {
        if !self.announcer.is_due() {
            return Ok(());
        }
        let settings = &self.hall.settings;
        let begun = self.scores.encounters.len();
        let expected = 2 * self.plan.expected_pairs(settings, begun);
        let left = self.left(expected);
        let (plan, scores) = (&self.plan, &self.scores);
        self.announcer.show(settings, scores, (expected, left), || {
            standings::table(settings, scores, plan)
        })
    }

    /// How long it goes on, with so many games in all.
    fn left(&self, expected: u64) -> Option<Duration> {
        let mut counted = self.next_game.saturating_sub(self.wave.first_game);
        let mut in_wave = 0;
        let mut known = Vec::with_capacity(self.wave.encounters.len());
        for encounter in &self.wave.encounters {
            let games = 2 * u64::from(encounter.pairs);
            let done = counted.min(games);
            counted -= done;
            in_wave += games;
            let withdrawn = encounter.bots.map(|bot| self.scores.bots[bot].withdrawn);
            if withdrawn == [false, false] {
                known.push((encounter.bots, games - done));
            }
        }
        let begun = self.wave.first_game.saturating_sub(1) + in_wave;
        let others = expected.saturating_sub(begun);
        self.pace.left(self.begun.elapsed(), known, others)
    }

    /// Writes what is left to write.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn finish(mut self) -> Result<Ended, Failure> {
        let complete = self.closed || !self.hall.interrupt.is_stopping();
        let settings = &self.hall.settings;
        let table = standings::table(settings, &self.scores, &self.plan);
        let trf = trf::text(settings, &self.scores, &self.plan, &table.rows);
        let cut_short = self.plan.cut_short();
        self.announcer.finish(&Finish {
            settings,
            scores: &self.scores,
            table: &table,
            trf: &trf,
            journal: self.journal.as_ref(),
            cut_short: cut_short.as_deref(),
            complete,
        })?;
        Ok(match complete {
            true if self.fault => Ended::Fault,
            true => Ended::Done,
            false => Ended::Interrupted,
        })
    }
}
