//! `grundy` without a command, on a terminal: a menu that runs the other commands and returns to itself.

use grundy_shared::bot::Bot;
use grundy_shared::games::REGISTRY;
use grundy_words::{Catalogue, Language, Message};

use super::online;
use super::play::USUAL_START;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Signs;
use crate::render::bot_name;
use crate::screen::{Desk, Heard, Purpose, Row, Sheet, Signals, menu_rows};
use crate::session::lines::Lines;

/// How a command is run: its name and its arguments.
type Run = fn(Vec<String>, &mut Context) -> Result<Exit, Failure>;

/// What the menu lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Root,
    Games,
    Friend,
    Bots,
    Settings,
    /// A line is typed: the code of a friend.
    Code,
}

/// What the user chooses.
enum Choice {
    Command(String),
    Language(Language),
    Leave(Exit),
}

/// Where the user is in the menu.
struct Place {
    level: Level,
    row: usize,
}

/// Shows the menu until the user leaves it.
///
/// # Errors
/// The terminal cannot be used. A command that fails is reported, and the menu goes on.
pub(crate) fn show(signs: Signs, context: &mut Context, run: Run) -> Result<Exit, Failure> {
    let mut place = Place {
        level: Level::Root,
        row: 0,
    };
    loop {
        let line = match online(choose(context, signs, &mut place))? {
            Choice::Leave(exit) => return Ok(exit),
            Choice::Language(language) => {
                context.output = context.output.in_language(language);
                continue;
            }
            Choice::Command(line) => line,
        };
        let output = context.output;
        let done = run_or_stay(&line, context, run);
        // A command that follows another one changes how it is shown.
        context.output = output;
        match done {
            Ok(Exit::Interrupted) => return Ok(Exit::Interrupted),
            Ok(_) => {}
            Err(failure) => output.failure(&failure),
        }
        if let Some(exit) = online(pause(context))? {
            return Ok(exit);
        }
    }
}

/// Runs a command. If a bot is to be played and no server answers, the match is played without one.
fn run_or_stay(line: &str, context: &mut Context, run: Run) -> Result<Exit, Failure> {
    let command = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    let is_without_bot = ["--local", "--invite"]
        .iter()
        .any(|flag| line.contains(flag));
    let has_bot = line.starts_with("play ") && !is_without_bot;
    match run(command(line), context) {
        Err(failure) if has_bot && failure.exit() == Exit::Unreachable => {
            context
                .output
                .talk(&context.output.words().say("menu-without-server"));
            run(command(&format!("{line} --local")), context)
        }
        done => done,
    }
}

/// Waits until what a command printed was read; `Some` if the user leaves.
async fn pause(context: &Context) -> Result<Option<Exit>, Failure> {
    let mut signals = Signals::hear()?;
    let question = context.output.words().say("menu-pause");
    context.output.text(&format!("\n{question} "))?;
    tokio::select! {
        line = async { Lines::of_stdin().next().await } => Ok(match line.as_deref() {
            Some("q" | "quit") | None => Some(Exit::Done),
            Some(_) => None,
        }),
        () = signals.end() => Ok(Some(Exit::Interrupted)),
    }
}

/// Shows the menu on the full screen until something is chosen.
async fn choose(context: &Context, signs: Signs, place: &mut Place) -> Result<Choice, Failure> {
    let words = context.output.words();
    let mut desk = Desk::open(&context.output, signs, Purpose::Menu)?;
    desk.title(words.say("menu-title"));
    let mut row = place.row;
    loop {
        lay_out(&mut desk, place.level, row, words);
        let line = match desk.next().await? {
            Heard::Interrupted | Heard::Ended => return Ok(Choice::Leave(Exit::Interrupted)),
            Heard::Line(line) => line,
        };
        row = 0;
        let line = line.trim();
        place.level = match (place.level, line) {
            (_, "quit") | (Level::Root, "back") => return Ok(Choice::Leave(Exit::Done)),
            (Level::Code, "back") | (_, "friend") => Level::Friend,
            (_, "back") => Level::Root,
            (Level::Code, "") => continue,
            (Level::Code, code) => {
                // What is typed is no option.
                place.level = Level::Friend;
                return Ok(Choice::Command(format!("join -- {code}")));
            }
            (_, "play") => Level::Games,
            (_, "join") => Level::Code,
            (_, "bots") => Level::Bots,
            (_, "settings") => Level::Settings,
            (_, line) => {
                place.row = desk.row();
                return Ok(match line.strip_prefix("lang ").map(str::parse) {
                    Some(Ok(language)) => Choice::Language(language),
                    _ => Choice::Command(line.to_owned()),
                });
            }
        };
    }
}

/// Shows a level with this row chosen.
fn lay_out(desk: &mut Desk, level: Level, row: usize, words: &Catalogue) {
    let asks = level == Level::Code;
    desk.about(&about_start(
        match level {
            Level::Root => "menu-about",
            Level::Games => "menu-about-games",
            Level::Friend | Level::Code => "menu-about-friend",
            Level::Bots => "menu-about-bots",
            Level::Settings => "menu-about-settings",
        },
        words,
    ));
    desk.ask_for_line(asks.then(|| words.say("menu-ask-code")));
    if asks {
        return;
    }
    let rows = rows(level, words);
    desk.sheets(vec![Sheet {
        headings: vec![String::new(); rows.first().map_or(0, |row| row.cells.len())],
        rows,
        ..Sheet::default()
    }]);
    desk.choose(row);
}

/// The rows of a level.
fn rows(level: Level, words: &Catalogue) -> Vec<Row> {
    let said = |(message, enters): (&'static str, &str)| {
        row([about_start(message, words)], enters.to_owned())
    };
    match level {
        Level::Root => menu_rows(words),
        Level::Games => {
            let games = REGISTRY.iter().filter_map(|game| {
                let start = game.examples.first()?;
                let title = words.say(&format!("game-{}", game.name));
                Some(row([title, (*start).to_owned()], format!("play {start}")))
            });
            games.collect()
        }
        Level::Friend | Level::Code => [
            ("menu-invite", &*format!("play {USUAL_START} --invite")),
            ("menu-join", "join"),
            ("menu-two", &*format!("play {USUAL_START} --local --two")),
        ]
        .map(said)
        .into(),
        Level::Bots => {
            let bots = Bot::strengths().chain([("perfect", Bot::perfect())]);
            let bots = bots.map(|(name, bot)| {
                let enters = format!("play {USUAL_START} --bot {name}");
                row([bot_name(&bot, words)], enters)
            });
            bots.chain([said(("menu-bots-list", "bot list"))]).collect()
        }
        Level::Settings => {
            let languages = Language::ALL.map(|language| {
                let enters = format!("lang {}", language.tag());
                row([language.own_name().to_owned()], enters)
            });
            let shown = [
                ("menu-settings-show", "config show"),
                ("menu-settings-path", "config path"),
            ];
            languages.into_iter().chain(shown.map(said)).collect()
        }
    }
}

/// A sentence that may name the start position of matches for which no game is chosen.
fn about_start(message: &'static str, words: &Catalogue) -> String {
    Message::new(message).text("start", USUAL_START).said(words)
}

fn row<const N: usize>(cells: [String; N], enters: String) -> Row {
    Row {
        cells: cells.into(),
        enters: Some(enters),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use unicode_width::UnicodeWidthStr as _;

    use super::*;
    use crate::arguments::Cli;

    const LEVELS: [Level; 5] = [
        Level::Root,
        Level::Games,
        Level::Friend,
        Level::Bots,
        Level::Settings,
    ];

    #[test]
    fn every_row_leads_to_a_table_or_runs_a_command() {
        let words = Catalogue::of(Language::English);
        let tables = ["play", "friend", "join", "bots", "settings"];
        for row in LEVELS.into_iter().flat_map(|level| rows(level, words)) {
            let line = row.enters.expect("a row of a menu does something");
            if tables.contains(&&*line) || line.starts_with("lang ") {
                continue;
            }
            let words = std::iter::once("grundy").chain(line.split_whitespace());
            let read = Cli::try_parse_from(words);
            assert!(read.is_ok_and(|cli| cli.command.is_some()), "{line}");
        }
    }

    #[test]
    fn rows_fit_40_columns_in_every_language() {
        for language in Language::ALL {
            let words = Catalogue::of(language);
            for level in LEVELS.into_iter().filter(|level| *level != Level::Games) {
                for row in rows(level, words) {
                    let width: usize = row.cells.iter().map(|cell| cell.width() + 2).sum();
                    assert!(width <= 40, "{:?}", row.cells);
                }
            }
        }
    }
}
