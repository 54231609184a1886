//! A thread that plays pairs: keeps its bots running from game to game, and starts them anew when they have failed.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use grundy_shared::bot::Bot;
use grundy_shared::oracle::Oracle;

use super::builtin::Builtin;
use super::cause::Cause;
use super::entrant::Kind;
use super::game::{Terms, play};
use super::interrupt::Interrupt;
use super::player::{Fault, Player};
use super::program::Program;
use super::result::GameResult;
use super::settings::Settings;
use super::suite::Suite;
use super::task::Task;
use crate::bot::options;
use crate::bot::stdio::{Launch, StdioBot, Trouble};

/// Bots that a worker keeps running.
const KEPT: usize = 4;
/// Results wait at most so long for others, and at most so many are reported at once: quick games would otherwise cost more to report
/// than to play.
const REPORT_EVERY: Duration = Duration::from_millis(2);
const REPORTED_AT_ONCE: usize = 64;

/// What all workers share.
#[derive(Debug)]
pub(crate) struct Hall {
    pub(crate) settings: Settings,
    pub(crate) suite: Suite,
    /// How the programs among the bots are started; `None` for a built-in bot.
    pub(crate) launches: Vec<Option<Launch>>,
    pub(crate) interrupt: Interrupt,
}

/// What a worker has to say.
#[derive(Debug)]
pub(crate) enum Report {
    /// Finished games, in the order of the plan.
    Games {
        results: Vec<GameResult>,
        /// The tasks that were handed out together are done, as far as they are played.
        is_last: bool,
    },
    /// No bot can be started, and that is not the bot's fault.
    Broken(String),
}

/// Plays what comes until nothing comes any more. A panic is reported, because the director would wait for ever for the tasks of this worker.
pub(crate) fn work(hall: &Hall, tasks: &Mutex<Receiver<Vec<Task>>>, reports: &SyncSender<Report>) {
    let played = catch_unwind(AssertUnwindSafe(|| play_all(hall, tasks, reports)));
    if played.is_err() {
        let why = "an error in this program ended a game; please report it with the lines above";
        let _ = reports.send(Report::Broken(why.to_owned()));
    }
}

fn play_all(hall: &Hall, tasks: &Mutex<Receiver<Vec<Task>>>, reports: &SyncSender<Report>) {
    let mut worker = Worker {
        hall,
        reports,
        oracle: Oracle::new(hall.settings.solver_nodes()),
        kept: Vec::new(),
        results: Vec::new(),
        reported: Instant::now(),
    };
    loop {
        let batch = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(batch) = batch else {
            break;
        };
        let played = batch.iter().try_for_each(|task| worker.pair(task));
        if played.and_then(|()| worker.report(true)).is_err() {
            break;
        }
    }
    for (_, player) in worker.kept {
        player.quit();
    }
}

struct Worker<'h> {
    hall: &'h Hall,
    reports: &'h SyncSender<Report>,
    oracle: Oracle,
    kept: Vec<(usize, Box<dyn Player>)>,
    /// Games that are not reported yet.
    results: Vec<GameResult>,
    reported: Instant,
}

/// Nobody listens any more, or nothing can be played.
struct Over;

impl Worker<'_> {
    fn pair(&mut self, task: &Task) -> Result<(), Over> {
        for (number, missing) in task.missing.into_iter().enumerate() {
            if !missing || self.hall.interrupt.is_stopping() {
                continue;
            }
            let result = match self.game(task, number) {
                Ok(result) => result,
                Err(why) => {
                    let _ = self.reports.send(Report::Broken(why));
                    return Err(Over);
                }
            };
            // What was cut off by the second Ctrl-C is nobody's fault.
            if self.hall.interrupt.is_aborting() {
                continue;
            }
            self.results.push(result);
            if self.results.len() >= REPORTED_AT_ONCE || self.reported.elapsed() >= REPORT_EVERY {
                self.report(false)?;
            }
        }
        Ok(())
    }

    fn report(&mut self, is_last: bool) -> Result<(), Over> {
        self.reported = Instant::now();
        let results = std::mem::take(&mut self.results);
        self.reports
            .send(Report::Games { results, is_last })
            .map_err(|_| Over)
    }

    fn game(&mut self, task: &Task, number: usize) -> Result<GameResult, String> {
        let settings = &self.hall.settings;
        let bots = task.players(number);
        let entrants = bots.map(|bot| &settings.bots[bot]);
        let terms = Terms {
            game: task.game(number),
            pair: task.pair,
            round: task.round,
            start: &self.hall.suite.positions[task.start],
            names: entrants.map(|entrant| &*entrant.name),
            paces: entrants.map(|entrant| entrant.time.unwrap_or(settings.time).pace()),
            margin: Duration::from_millis(settings.margin_ms),
            max_plies: settings.max_plies,
            adjudicate: settings.adjudicate.map(|adjudicate| adjudicate.plies),
            is_judged: settings.oracle_nodes > 0,
            seed: settings.seed,
        };
        let mut first = self.player(bots[0])?;
        let mut second = self.player(bots[1])?;
        let present = [&mut first, &mut second].map(|player| match player {
            Ok(player) => Ok(&mut **player as &mut dyn Player),
            Err(fault) => Err(fault.clone()),
        });
        let result = play(&terms, present, &mut self.oracle);
        for (bot, player) in bots.into_iter().zip([first, second]) {
            if let Ok(mut player) = player {
                match player.is_usable() {
                    true => self.keep(bot, player),
                    false => player.quit(),
                }
            }
        }
        Ok(result)
    }

    fn keep(&mut self, bot: usize, player: Box<dyn Player>) {
        self.kept.push((bot, player));
        if self.kept.len() > KEPT {
            let (_, oldest) = self.kept.remove(0);
            oldest.quit();
        }
    }

    /// A bot that can play: one that runs, or a new one.
    fn player(&mut self, bot: usize) -> Result<Result<Box<dyn Player>, Fault>, String> {
        if let Some(at) = self.kept.iter().position(|(kept, _)| *kept == bot) {
            let (_, mut player) = self.kept.remove(at);
            if player.is_usable() {
                return Ok(Ok(player));
            }
            player.quit();
        }
        let entrant = &self.hall.settings.bots[bot];
        match (&entrant.kind, &self.hall.launches[bot]) {
            (Kind::Builtin(name), _) => {
                let bot: Bot = name
                    .parse()
                    .map_err(|_| format!("there is no bot {name}"))?;
                Ok(Ok(Box::new(Builtin::new(bot))))
            }
            (Kind::Program(program), Some(launch)) => match StdioBot::greeted(launch) {
                Ok(greeted) => Ok(set_up(greeted, launch).map(|bot| {
                    let player: Box<dyn Player> = Box::new(Program::new(bot, program.restart));
                    player
                })),
                Err(Ok(trouble)) => Ok(Err(not_started(&trouble))),
                Err(Err(error)) if is_own_doing(&error) => {
                    let why = format!("it could not be started again: {error}");
                    Ok(Err(Fault::new(Cause::Crash, why)))
                }
                Err(Err(error)) => Err(format!(
                    "{}: no process can be started: {error}",
                    entrant.name
                )),
            },
            (Kind::Program(_), None) => Err(format!("{} was not prepared", entrant.name)),
        }
    }
}

/// Whether a bot, which has been started before, has itself to blame that it cannot be started any more: its directory is gone. Where the
/// machine has no more processes or files, nobody can play.
fn is_own_doing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::PermissionDenied
    )
}

/// Sets the options of a bot that has just greeted. The bot may not have been ready before the first game, when the options of the others
/// were checked, or it may offer different options now. Without its options it would be a different player.
fn set_up(mut bot: StdioBot, launch: &Launch) -> Result<StdioBot, Fault> {
    match options::check_offered(&bot.about().options, &launch.options) {
        Ok(()) => {
            bot.set_options(launch);
            Ok(bot)
        }
        Err(refusal) => {
            bot.quit();
            let words = format!("{}; {}", refusal.why, refusal.hint);
            Err(Fault::new(Cause::NotReady, words))
        }
    }
}

fn not_started(trouble: &Trouble) -> Fault {
    let cause = match trouble {
        Trouble::NoCommand(_) | Trouble::Crash(_) => Cause::Crash,
        Trouble::Malformed(_) => Cause::Malformed,
        Trouble::Silent(_) => Cause::NotReady,
    };
    Fault::new(cause, trouble.words())
}
