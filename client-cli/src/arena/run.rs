//! The director: hands out pairs to the workers, writes down what comes back, and counts it in the order of the plan.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufWriter, IsTerminal as _, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use grundy_shared::event::Outcome;
use grundy_shared::ids::Seat;

use super::cause::Cause;
use super::entrant::Kind;
use super::interrupt::Interrupt;
use super::journal::Journal;
use super::plan::{Encounter, Plan};
use super::report::{self, Begun, Final, Played, Rest};
use super::result::{Deeds, GameResult};
use super::scores::Scores;
use super::seed::Chance;
use super::settings::{Order, Settings};
use super::standings::{self, Table};
use super::suite::Suite;
use super::worker::{Hall, Report, Task, work};
use crate::bot::process::Groups;
use crate::bot::stderr_log::StderrLog;
use crate::bot::stdio::{Launch, Patience, StdioBot};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Output, to_json};

/// Games that may be finished before one that comes earlier in the plan.
const AHEAD: u64 = 4_096;
/// Bytes that they may hold.
const AHEAD_BYTES: usize = 16 << 20;
/// How often progress is shown on a terminal, and elsewhere.
const LIVE: Duration = Duration::from_millis(500);
const PLAIN: Duration = Duration::from_secs(10);
/// Output that is gathered before it is written, in bytes.
const GATHERED: usize = 64 << 10;

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

/// Plays an arena to its end.
///
/// # Errors
/// A bot cannot be started, or the journal cannot be written.
pub(crate) fn run(
    settings: Settings,
    suite: Suite,
    concurrency: usize,
    journal: Option<Journal>,
    output: &Output,
) -> Result<Ended, Failure> {
    let groups = Groups::default();
    let interrupt = Interrupt::listen(groups.clone())?;
    let plan = Plan::new(&settings)
        .map_err(|error| Failure::new(Exit::Input, "arena", error.to_string()))?;
    let directory = journal.as_ref().map(Journal::directory);
    let launches = launches(&settings, directory, &groups)?;
    greet_all(&settings, &suite, &launches)?;
    let hall = Hall {
        settings,
        suite,
        launches,
        interrupt,
    };
    let mut director = Director::new(&hall, plan, journal, *output)?;
    std::thread::scope(|scope| {
        let (sender, tasks) = sync_channel(concurrency);
        let tasks = Arc::new(Mutex::new(tasks));
        let (reports, receiver) = sync_channel(4 * concurrency + 64);
        for _ in 0..concurrency {
            let (hall, tasks, reports) = (&hall, Arc::clone(&tasks), reports.clone());
            scope.spawn(move || work(hall, &tasks, &reports));
        }
        drop((tasks, reports));
        let ended = director.direct(&sender, &receiver);
        if ended.is_err() {
            hall.interrupt.stop();
            groups.kill_all();
        }
        // Without a director the workers end.
        drop((sender, receiver));
        ended
    })?;
    director.finish()
}

/// How the programs among the bots are started.
fn launches(
    settings: &Settings,
    directory: Option<&Path>,
    groups: &Groups,
) -> Result<Vec<Option<Launch>>, Failure> {
    let patience = Patience {
        start: Duration::from_millis(settings.start_ms),
        new_game: Duration::from_millis(settings.new_game_ms),
        ..Patience::default()
    };
    let launches = settings.bots.iter().map(|entrant| {
        let Kind::Program(program) = &entrant.kind else {
            return Ok(None);
        };
        let log = match directory {
            None => None,
            Some(directory) => {
                let folder = directory.join("stderr");
                std::fs::create_dir_all(&folder)?;
                let file = folder.join(format!("{}.log", entrant.name.replace(':', "_")));
                Some(Arc::new(StderrLog::open(&file)?))
            }
        };
        Ok(Some(Launch {
            command: program.command.clone(),
            directory: Some(program.directory.clone()),
            variables: program.env.clone().into_iter().collect(),
            limits: program.limits(),
            options: program.options.clone().into_iter().collect(),
            log,
            patience,
            groups: groups.clone(),
        }))
    });
    launches.collect()
}

/// Starts every program once, so that a slip in a command is found before the first game.
fn greet_all(
    settings: &Settings,
    suite: &Suite,
    launches: &[Option<Launch>],
) -> Result<(), Failure> {
    let mut games: Vec<&str> = Vec::new();
    for position in &suite.positions {
        for game in position.games() {
            if !games.contains(&game.name) {
                games.push(game.name);
            }
        }
    }
    for (entrant, launch) in settings.bots.iter().zip(launches) {
        let Some(launch) = launch else {
            continue;
        };
        let fail = |why: String| {
            Failure::new(
                Exit::Failed,
                "bot",
                format!("the bot {}: {why}", entrant.name),
            )
            .hint("'grundy bot check COMMAND' shows what a bot says and what is wrong")
        };
        let bot = StdioBot::start(launch).map_err(|trouble| match trouble {
            Ok(trouble) => fail(trouble.words().to_owned()),
            Err(error) => fail(format!("it cannot be started: {error}")),
        })?;
        let missing = games.iter().find(|game| !bot.about().plays(game));
        if let Some(game) = missing {
            return Err(fail(format!(
                "it does not play {game}, and the suite has it"
            )));
        }
        bot.quit();
    }
    Ok(())
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
}

struct Director<'h> {
    hall: &'h Hall,
    plan: Plan,
    scores: Scores,
    journal: Option<Journal>,
    output: Output,
    names: HashMap<&'h str, usize>,
    /// The places in the suite, in the order of their use.
    order: Vec<usize>,
    wave: Wave,
    /// The next pair to be handed out, and the next game to be counted.
    next_pair: u64,
    next_game: u64,
    ahead: BTreeMap<u64, Box<GameResult>>,
    ahead_bytes: usize,
    in_flight: usize,
    /// Nothing more is counted: the test is decided, or a fault ends everything.
    closed: bool,
    fault: bool,
    gathered: String,
    games_file: Option<BufWriter<File>>,
    begun: Instant,
    shown: Instant,
    /// Games counted since the start of this process.
    now: u64,
    live_lines: usize,
    live: bool,
}

impl<'h> Director<'h> {
    fn new(
        hall: &'h Hall,
        plan: Plan,
        journal: Option<Journal>,
        output: Output,
    ) -> Result<Self, Failure> {
        let settings = &hall.settings;
        let mut order: Vec<usize> = (0..hall.suite.positions.len()).collect();
        if settings.order == Order::Random {
            Chance::new(settings.seed).shuffle(&mut order);
        }
        let games_file = match &journal {
            None => None,
            Some(journal) => {
                let file = File::create(journal.directory().join("games.ndjson"))?;
                Some(BufWriter::with_capacity(GATHERED, file))
            }
        };
        let names = settings.bots.iter().enumerate();
        let mut director = Self {
            hall,
            plan,
            scores: Scores::new(settings.bots.len(), settings.faults),
            journal,
            output,
            names: names.map(|(at, bot)| (&*bot.name, at)).collect(),
            order,
            wave: Wave::default(),
            next_pair: 1,
            next_game: 1,
            ahead: BTreeMap::new(),
            ahead_bytes: 0,
            in_flight: 0,
            closed: false,
            fault: false,
            gathered: String::new(),
            games_file,
            begun: Instant::now(),
            shown: Instant::now(),
            now: 0,
            live_lines: 0,
            live: !output.quiet && !output.json && std::io::stderr().is_terminal(),
        };
        director.tell(&Begun {
            kind: "arena",
            schema: "grundy/arena/1",
            seed: settings.seed,
            format: settings.format,
            start: &settings.start,
            suite: &settings.suite,
            bots: settings.bots.iter().map(|bot| &*bot.name).collect(),
            pairs: settings.pairs,
        })?;
        Ok(director)
    }

    /// A line for programs.
    fn tell(&mut self, value: &impl serde::Serialize) -> Result<(), Failure> {
        if self.output.json {
            self.gathered.push_str(&to_json(value)?);
            self.gathered.push('\n');
            if self.gathered.len() > GATHERED {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failure> {
        if !self.gathered.is_empty() {
            self.output.text(&self.gathered)?;
            self.gathered.clear();
        }
        Ok(())
    }

    fn is_stopping(&self) -> bool {
        self.closed || self.hall.interrupt.is_stopping()
    }

    fn direct(
        &mut self,
        tasks: &SyncSender<Task>,
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
                let Some(encounters) = self.plan.next(last) else {
                    return Ok(());
                };
                self.wave = Wave {
                    from: self.scores.encounters.len(),
                    ..Wave::default()
                };
                self.scores.begin(&encounters);
                self.wave.encounters = encounters;
                continue;
            }
            match reports.recv_timeout(Duration::from_millis(100)) {
                Ok(report) => self.take(report)?,
                Err(RecvTimeoutError::Timeout) => self.flush()?,
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
    fn hand_out(&mut self, tasks: &SyncSender<Task>) -> Result<(), Failure> {
        while !self.is_stopping() {
            let Some(encounter) = self.wave.encounters.get(self.wave.encounter).copied() else {
                return Ok(());
            };
            let ahead = (2 * self.next_pair).saturating_sub(self.next_game);
            if ahead > AHEAD || self.ahead_bytes > AHEAD_BYTES {
                return Ok(());
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
            if task.missing != [false, false] {
                match tasks.try_send(task) {
                    Ok(()) => self.in_flight += 1,
                    Err(TrySendError::Full(_)) => return Ok(()),
                    Err(TrySendError::Disconnected(_)) => {
                        return Err(Failure::new(
                            Exit::Failed,
                            "arena",
                            "all workers have ended",
                        ));
                    }
                }
            }
            for number in (0..2).filter(|number| !task.missing[*number]) {
                let result = self.known(&task, number)?;
                self.line_up(Box::new(result))?;
            }
            self.next_pair += 1;
            self.wave.pair += 1;
            if self.wave.pair == encounter.pairs {
                self.wave.pair = 0;
                self.wave.encounter += 1;
            }
        }
        Ok(())
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
                    "{}: game {game} is {} against {} from {}, and the plan has {} against {} from {}",
                    journal.directory().display(),
                    result.first,
                    result.second,
                    result.start,
                    due.first,
                    due.second,
                    due.start
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
            Report::Game(mut result) => {
                if let Some(journal) = &mut self.journal {
                    journal.append(&result)?;
                }
                result.timing = None;
                self.line_up(result)
            }
            Report::Done => {
                self.in_flight -= 1;
                Ok(())
            }
            Report::Broken(why) => Err(Failure::new(Exit::Failed, "bot", why)),
        }
    }

    /// Counts this game, and those behind it that waited for it, once all before it are counted.
    fn line_up(&mut self, result: Box<GameResult>) -> Result<(), Failure> {
        self.ahead_bytes += result.bytes();
        self.ahead.insert(result.game, result);
        while let Some(result) = self.ahead.remove(&self.next_game) {
            self.ahead_bytes -= result.bytes();
            self.next_game += 1;
            if !self.closed {
                self.count(*result)?;
            }
        }
        Ok(())
    }

    fn count(&mut self, mut result: GameResult) -> Result<(), Failure> {
        let place = |name: &str| self.names.get(name).copied().unwrap_or_default();
        let bots = [place(&result.first), place(&result.second)];
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
        self.tell(&Played {
            kind: "game",
            result: &result,
        })?;
        if let Some(file) = &mut self.games_file {
            serde_json::to_writer(&mut *file, &result)
                .map_err(|error| Failure::from(std::io::Error::from(error)))?;
            file.write_all(b"\n")?;
        }
        self.now += 1;
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

    /// Games that will be played, where that is known.
    fn expected(&self) -> Option<u64> {
        let settings = &self.hall.settings;
        match &self.plan {
            Plan::Fixed(_) => {
                let encounters = self.scores.encounters.len() as u64;
                Some(2 * encounters * u64::from(settings.pairs))
            }
            Plan::Swiss(_) => {
                let tables = settings.bots.len() as u64 / 2;
                Some(2 * tables * u64::from(settings.rounds) * u64::from(settings.pairs))
            }
            Plan::Knockout(_) => None,
        }
    }

    fn faults(&self) -> u64 {
        let bots = self.scores.bots.iter();
        bots.map(|bot| bot.faults.values().sum::<u64>()).sum()
    }

    /// Shows progress, if it is time.
    fn show(&mut self) -> Result<(), Failure> {
        let every = if self.live { LIVE } else { PLAIN };
        if self.shown.elapsed() < every {
            return Ok(());
        }
        self.flush()?;
        self.shown = Instant::now();
        let line = report::progress(
            self.scores.games,
            self.expected(),
            self.now,
            self.begun.elapsed(),
            self.faults(),
        );
        if !self.live {
            self.output.talk(&line);
            return Ok(());
        }
        self.clear_live();
        let table = standings::table(&self.hall.settings, &self.scores, &self.plan);
        let text = format!("{}{line}", report::text(&self.hall.settings, &table));
        self.live_lines = text.lines().count();
        self.output.warn(&text);
        Ok(())
    }

    fn clear_live(&mut self) {
        if self.live_lines > 0 {
            let _ = write!(std::io::stderr(), "\x1b[{}A\x1b[J", self.live_lines);
            self.live_lines = 0;
        }
    }

    /// Writes what is left to write.
    fn finish(mut self) -> Result<Ended, Failure> {
        self.clear_live();
        let complete = self.closed || !self.hall.interrupt.is_stopping();
        let table = standings::table(&self.hall.settings, &self.scores, &self.plan);
        if let Some(file) = &mut self.games_file {
            file.flush()?;
        }
        if let Some(journal) = &self.journal {
            journal.sync()?;
            let directory = journal.directory();
            std::fs::write(directory.join("standings.csv"), report::csv(&table))?;
        }
        if complete {
            self.tell_final(&table)?;
        }
        self.flush()?;
        if !self.output.json {
            let text = report::text(&self.hall.settings, &table);
            self.output.text(&text)?;
        }
        let seconds = self.begun.elapsed().as_secs_f64();
        self.output.talk(&format!(
            "{} games, {} complete pairs, seed {}, {seconds:.1} s, {:.0} games/s",
            self.scores.games,
            self.scores.pairs,
            self.hall.settings.seed,
            self.now as f64 / seconds.max(1e-9)
        ));
        match complete {
            true if self.fault => Ok(Ended::Fault),
            true => Ok(Ended::Done),
            false => {
                self.say_how_to_resume();
                Ok(Ended::Interrupted)
            }
        }
    }

    fn tell_final(&mut self, table: &Table) -> Result<(), Failure> {
        let (games, pairs) = (self.scores.games, self.scores.pairs);
        self.tell(&Final {
            kind: "final",
            games,
            pairs,
            seed: self.hall.settings.seed,
            standings: &table.rows,
            rest: Rest {
                elo_why: table.elo_why.as_deref(),
                duel: table.duel.as_ref(),
                sprt: table.sprt.as_ref(),
            },
        })
    }

    fn say_how_to_resume(&self) {
        match &self.journal {
            Some(journal) => self.output.remark(&format!(
                "Interrupted. Play the rest with: grundy arena --resume {}",
                journal.directory().display()
            )),
            None => self
                .output
                .remark("Interrupted. Without --out nothing was kept that could be resumed."),
        }
    }
}
