//! The director: hands out pairs to the workers, writes down what comes back, and counts it in the order of the plan.

use std::collections::{BTreeMap, HashMap};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::time::{Duration, Instant};

use grundy_words::Message;

use super::announcer::{Announcer, Finish};
use super::encounter::Encounter;
use super::journal::Journal;
use super::pace::Pace;
use super::plan::Plan;
use super::result::GameResult;
use super::standings;
use super::tally::Tally;
use super::task::{Task, differs};
use super::trf;
use super::worker::{Hall, Report};
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
    tally: Tally<'h>,
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
        let directory = journal.as_ref().map(Journal::directory);
        let announcer =
            Announcer::begin(settings, &hall.suite, directory, output, &hall.interrupt)?;
        let names = settings.bots.iter().enumerate();
        Ok(Self {
            hall,
            plan,
            tally: Tally::new(settings),
            journal,
            announcer,
            names: names.map(|(at, bot)| (&*bot.name, at)).collect(),
            order: settings.order_of(hall.suite.positions.len()),
            wave: Wave::default(),
            next_pair: 1,
            next_game: 1,
            ahead: BTreeMap::new(),
            ahead_bytes: 0,
            in_flight: 0,
            batch: Vec::new(),
            begun: Instant::now(),
            pace: Pace::new(settings.bots.len(), workers),
        })
    }

    fn is_stopping(&self) -> bool {
        self.tally.scores.closed || self.hall.interrupt.is_stopping()
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
                let last = &self.tally.scores.encounters[self.wave.from..];
                let Some(encounters) = self.plan.next(last, &self.tally.withdrawn()) else {
                    return Ok(());
                };
                self.wave = Wave {
                    from: self.tally.scores.encounters.len(),
                    first_game: 2 * self.next_pair - 1,
                    ..Wave::default()
                };
                self.tally.scores.begin(&encounters);
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
                    return Err(no_workers());
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
        let pairs = self.tally.scores.pairs as f64 / seconds * BATCH_SECONDS;
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
            Err(TrySendError::Disconnected(_)) => Err(no_workers()),
        }
    }

    /// The next pair of the wave, if there is one and the games before it are not too far behind.
    fn due(&mut self) -> Option<Task> {
        let encounter = self.wave.encounters.get(self.wave.encounter).copied()?;
        let ahead = (2 * self.next_pair).saturating_sub(self.next_game);
        if ahead > AHEAD || self.ahead_bytes > AHEAD_BYTES {
            return None;
        }
        let mut task = Task::of(&encounter, self.next_pair, self.wave.pair, &self.order);
        let out = self.tally.is_out(encounter.bots);
        for number in 0..2 {
            let game = task.game(number);
            let journal = self.journal.as_ref();
            let played = journal.is_some_and(|journal| journal.has(game));
            task.missing[number] = !played && !out;
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
        let game = task.game(number);
        let due = task.empty(number, &self.hall.settings, &self.hall.suite);
        let Some(journal) = self.journal.as_ref().filter(|journal| journal.has(game)) else {
            return Ok(due);
        };
        let mut result = journal.game(game)?;
        result.timing = None;
        match differs(&result, &due) {
            None => Ok(result),
            Some(why) => {
                let message = Message::new("journal-other")
                    .text("directory", journal.directory().display())
                    .text("said", why);
                Err(Failure::told(Exit::Input, "journal", message)
                    .help(Message::new("journal-other-how")))
            }
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
            Report::Broken(why) => {
                let message = Message::new("arena-broken").text("said", why);
                Err(Failure::told(Exit::Failed, "bot", message))
            }
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
            if !self.tally.scores.closed {
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

    fn count(&mut self, result: GameResult) -> Result<(), Failure> {
        let bots = self.places_of(&result);
        let result = self.tally.as_counted(result, bots);
        self.announcer.game(&result)?;
        self.tally.count(&result, bots);
        Ok(())
    }

    /// Shows progress, if it is time.
    fn show(&mut self) -> Result<(), Failure> {
        if !self.announcer.is_due() {
            return Ok(());
        }
        let settings = &self.hall.settings;
        let expected = 2 * self.plan.expected_pairs(settings, &self.tally.scores);
        let left = self.left(expected);
        let (plan, scores) = (&self.plan, &self.tally.scores);
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
            let withdrawn = encounter
                .bots
                .map(|bot| self.tally.scores.bots[bot].withdrawn);
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
        let complete = self.tally.scores.closed || !self.hall.interrupt.is_stopping();
        let settings = &self.hall.settings;
        let table = standings::table(settings, &self.tally.scores, &self.plan);
        let trf = trf::text(settings, &self.tally.scores, &self.plan, &table.rows);
        let cut_short = self.plan.cut_short();
        self.announcer.finish(&Finish {
            settings,
            scores: &self.tally.scores,
            table: &table,
            trf: &trf,
            journal: self.journal.as_ref(),
            cut_short: cut_short.as_deref(),
            complete,
        })?;
        Ok(match complete {
            true if self.tally.fault => Ended::Fault,
            true => Ended::Done,
            false => Ended::Interrupted,
        })
    }
}

/// The workers ended before the games did.
fn no_workers() -> Failure {
    let message = Message::new("failure-internal").text("said", "all workers have ended");
    Failure::told(Exit::Failed, "arena", message)
}
