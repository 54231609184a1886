//! An arena from its beginning to its end: greets the bots, starts the workers, and lets the director play the plan.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use grundy_words::Message;

use super::director::{Director, Ended};
use super::entrant::Kind;
use super::files::not_written;
use super::interrupt::Interrupt;
use super::journal::Journal;
use super::plan::Plan;
use super::settings::Settings;
use super::suite::Suite;
use super::worker::{Hall, work};
use crate::bot::groups::Groups;
use crate::bot::options;
use crate::bot::stderr_log::StderrLog;
use crate::bot::stdio::{Launch, Patience, StdioBot, Trouble};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::system;

/// Where the games are kept.
#[derive(Debug)]
pub(crate) enum Keep {
    Nowhere,
    /// In a directory without an arena.
    Anew(PathBuf),
    /// With the games that were played before.
    Resumed(Journal),
}

/// Plays an arena to its end. A directory holds an arena only once all bots have started: what cannot be played leaves it free.
///
/// # Errors
/// A bot cannot be started, or the journal cannot be written.
pub(crate) fn run(
    settings: Settings,
    suite: Suite,
    concurrency: usize,
    keep: Keep,
    output: &Output,
) -> Result<Ended, Failure> {
    if let Keep::Anew(directory) = &keep {
        Journal::expect_none(directory)?;
    }
    let groups = Groups::default();
    let interrupt = Interrupt::listen(groups.clone(), output.full && output.signs.is_some())?;
    let plan = Plan::new(&settings)
        .map_err(|error| Failure::told(Exit::Input, "arena", error.message()).help(error.hint()))?;
    let mut launches = launches(&settings, &groups);
    greet_all(&settings, &suite, &launches, output)?;
    let journal = match keep {
        Keep::Nowhere => None,
        Keep::Anew(directory) => Some(Journal::begin(&directory, &settings)?),
        Keep::Resumed(journal) => Some(journal),
    };
    if let Some(journal) = &journal {
        log_errors(&settings, journal.directory(), &mut launches)?;
    }
    let hall = Hall {
        settings,
        suite,
        launches,
        interrupt,
    };
    let mut director = Director::new(&hall, plan, journal, concurrency, *output)?;
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
    groups.kill_leftovers();
    director.finish()
}

/// How the programs among the bots are started.
fn launches(settings: &Settings, groups: &Groups) -> Vec<Option<Launch>> {
    let patience = Patience {
        start: Duration::from_millis(settings.start_ms),
        new_game: Duration::from_millis(settings.new_game_ms),
        ..Patience::default()
    };
    let launches = settings.bots.iter().map(|entrant| {
        let Kind::Program(program) = &entrant.kind else {
            return None;
        };
        Some(Launch {
            command: program.command.clone(),
            directory: Some(program.directory.clone()),
            variables: program.env.clone().into_iter().collect(),
            limits: program.limits(),
            options: program.options.clone().into_iter().collect(),
            log: None,
            patience,
            groups: groups.clone(),
        })
    });
    launches.collect()
}

/// Keeps what the programs write to stderr in the directory of the arena.
fn log_errors(
    settings: &Settings,
    directory: &Path,
    launches: &mut [Option<Launch>],
) -> Result<(), Failure> {
    let folder = directory.join("stderr");
    for (entrant, launch) in settings.bots.iter().zip(launches) {
        let Some(launch) = launch else {
            continue;
        };
        std::fs::create_dir_all(&folder).map_err(|error| not_written(&folder, &error))?;
        // No name has this character: two bots never share a file.
        let file = folder.join(format!("{}.log", entrant.name.replace(':', "=")));
        let log = StderrLog::open(&file).map_err(|error| not_written(&file, &error))?;
        launch.log = Some(Arc::new(log));
    }
    Ok(())
}

/// Starts every program once, so that a slip in a command is found before the first game. A bot that is not ready loses its games, and
/// the others play.
fn greet_all(
    settings: &Settings,
    suite: &Suite,
    launches: &[Option<Launch>],
    output: &Output,
) -> Result<(), Failure> {
    let mut games: Vec<&str> = Vec::new();
    for position in &suite.positions {
        for game in position.games() {
            if !games.contains(&game.name) {
                games.push(game.name);
            }
        }
    }
    let mut absent = Vec::new();
    for (entrant, launch) in settings.bots.iter().zip(launches) {
        let Some(launch) = launch else {
            continue;
        };
        let of_bot = |why: Message| {
            let message = Message::new("arena-of-bot").text("name", &entrant.name);
            message.message("why", why)
        };
        let fail = |why: Message| {
            Failure::told(Exit::Failed, "bot", of_bot(why)).help(Message::new("arena-check-how"))
        };
        let bot = match StdioBot::greeted(launch) {
            Ok(bot) => bot,
            Err(Ok(trouble)) => {
                let found = trouble.message();
                let why = match trouble {
                    Trouble::NoCommand(_) => {
                        return Err(fail(Message::new("arena-no-start").message("why", found)));
                    }
                    Trouble::Crash(_) => Message::new("arena-ended-early").message("why", found),
                    Trouble::Silent(_) | Trouble::Malformed(_) => found,
                };
                absent.push((&entrant.name, why.clone(), fail(why)));
                continue;
            }
            Err(Err(error)) => {
                let why = Message::new("arena-no-start").message("why", system::said(&error));
                return Err(fail(why));
            }
        };
        let missing = games.iter().find(|game| !bot.about().plays(game));
        if let Some(game) = missing {
            return Err(fail(Message::new("arena-does-not-play").text("game", game)));
        }
        options::check_offered(&bot.about().options, &launch.options).map_err(|refusal| {
            let why = Message::new("bot-option").text("said", refusal.why);
            let how = Message::new("bot-option-how").text("said", refusal.hint);
            Failure::told(Exit::Input, "bot_option", of_bot(why)).help(how)
        })?;
        bot.quit();
    }
    let present = settings.bots.len() - absent.len();
    for (name, why, failure) in absent {
        // Nobody would play.
        if present < 2 {
            return Err(failure);
        }
        let message = Message::new("arena-not-ready")
            .text("name", name)
            .message("why", why);
        output.remark(&message.said(output.words()));
    }
    Ok(())
}
