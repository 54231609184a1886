//! The tables of an arena on the full screen, while it is played.

use std::collections::VecDeque;
use std::thread::JoinHandle;

use grundy_words::{Catalogue, Message};
use tokio::sync::watch;

use super::interrupt::Interrupt;
use super::result::GameResult;
use super::scores::Scores;
use super::settings::Settings;
use super::standings::{self, Table};
use crate::failure::Failure;
use crate::output::{Output, Signs};
use crate::render::{contest, headings};
use crate::screen::{Desk, Heard, Purpose, Row, Sheet};

/// Games that are listed, the latest first.
const LISTED: usize = 500;

/// What is shown.
#[derive(Clone, Default, Debug)]
struct Shown {
    sheets: Vec<Sheet>,
    note: String,
}

/// The full screen of an arena. A thread of its own draws it, so that keys are heard while games end.
#[derive(Debug)]
pub(crate) struct Scoreboard {
    output: Output,
    shown: watch::Sender<Shown>,
    thread: JoinHandle<()>,
    games: VecDeque<Row>,
}

impl Scoreboard {
    /// Turns the full screen on. Ctrl-C there asks the arena to stop.
    ///
    /// # Errors
    /// The terminal cannot be used.
    pub(crate) fn open(
        settings: &Settings,
        output: Output,
        signs: Signs,
        interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let words = output.words();
        let title = Message::new("tables-arena")
            .text("count", settings.bots.len())
            .text("pairs", settings.pairs);
        let about = Message::new("tables-starts")
            .text("start", &settings.start)
            .text("seed", settings.seed);
        let (shown, news) = watch::channel(Shown::default());
        let interrupt = interrupt.clone();
        let (title, about) = (title.said(words), about.said(words));
        let (opened, is_open) = std::sync::mpsc::sync_channel(1);
        let thread = std::thread::spawn(move || {
            runtime.block_on(async move {
                let desk = Desk::open(&output, signs, Purpose::Tables);
                let mut desk = match desk {
                    Ok(desk) => desk,
                    Err(failure) => return drop(opened.send(Err(failure))),
                };
                desk.title(title);
                desk.about(&about);
                // The thread that opens it waits for this.
                let _ = opened.send(Ok(()));
                attend(desk, news, &interrupt).await;
            });
        });
        match is_open.recv() {
            Ok(Ok(())) => {}
            Ok(Err(failure)) => return Err(failure),
            Err(error) => return Err(std::io::Error::other(error).into()),
        }
        Ok(Self {
            output,
            shown,
            thread,
            games: VecDeque::new(),
        })
    }

    /// Whether the user has left it.
    pub(crate) fn is_left(&self) -> bool {
        self.thread.is_finished()
    }

    /// A game has ended.
    pub(crate) fn game(&mut self, game: &GameResult) {
        if self.games.len() == LISTED {
            self.games.pop_back();
        }
        let how = Message::new("tables-how").text("cause", game.cause.word());
        self.games.push_front(Row {
            cells: vec![
                game.game.to_string(),
                game.first.clone(),
                game.second.clone(),
                contest::result(game.outcome).to_owned(),
                how.said(self.output.words()),
                game.start.clone(),
            ],
            enters: None,
        });
    }

    /// Shows where things stand.
    pub(crate) fn show(&self, settings: &Settings, scores: &Scores, table: &Table, note: String) {
        let words = self.output.words();
        let games = Sheet {
            name: words.say("t-games"),
            headings: headings(
                [
                    ">tables-game",
                    "tables-first",
                    "tables-second",
                    "tables-result",
                    "tables-cause",
                    "tables-start",
                ],
                words,
            )
            .to_vec(),
            rows: self.games.iter().cloned().collect(),
            none: words.say("tables-none"),
        };
        let sheets = vec![
            places(table, words),
            grid(settings, scores, table, words),
            games,
        ];
        self.shown.send_replace(Shown { sheets, note });
    }

    /// Gives the terminal back.
    pub(crate) fn close(self) {
        drop(self.shown);
        // What went wrong there has been said, and changes no result.
        let _ = self.thread.join();
    }
}

/// Draws what is shown until the arena is over or the user leaves.
async fn attend(mut desk: Desk, mut news: watch::Receiver<Shown>, interrupt: &Interrupt) {
    loop {
        tokio::select! {
            heard = desk.next() => match heard {
                Ok(Heard::Interrupted) => interrupt.ask(),
                // Of a signal the arena hears itself.
                Ok(Heard::Line(_) | Heard::Ended) | Err(_) => return,
            },
            changed = news.changed() => {
                if changed.is_err() {
                    return;
                }
                let shown = news.borrow_and_update().clone();
                desk.sheets(shown.sheets);
                desk.note(shown.note, false);
            }
        }
    }
}

fn places(table: &Table, words: &'static Catalogue) -> Sheet {
    let share = |share: Option<f64>| {
        share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
    };
    let rows = table.rows.iter().map(|row| Row {
        cells: vec![
            row.rank.to_string(),
            row.name.clone(),
            row.match_points
                .map_or_else(|| row.points.to_string(), |points| points.to_string()),
            row.games.to_string(),
            format!("{}-{}-{}", row.wins, row.draws, row.losses),
            format!("{}/{}", row.won_as_first, row.won_as_second),
            share(row.accuracy),
            row.elo.map_or("-".to_owned(), |elo| format!("{elo:+.0}")),
            row.faults.values().sum::<u64>().to_string(),
        ],
        enters: None,
    });
    let heads = [
        ">t-rank",
        "t-player",
        ">t-points",
        ">tables-games",
        ">tables-score",
        ">tables-as",
        ">tables-accuracy",
        ">tables-elo",
        ">tables-faults",
    ];
    Sheet {
        name: words.say("t-standings"),
        headings: headings(heads, words).to_vec(),
        rows: rows.collect(),
        none: words.say("tables-none"),
    }
}

/// The points of each bot against each other, in the order of the standings.
fn grid(settings: &Settings, scores: &Scores, table: &Table, words: &'static Catalogue) -> Sheet {
    let place = |name: &str| settings.bots.iter().position(|bot| *bot.name == *name);
    let order: Vec<(usize, &standings::Row)> = table
        .rows
        .iter()
        .filter_map(|row| Some((place(&row.name)?, row)))
        .collect();
    let points = |one: usize, other: usize| {
        if one == other {
            return "x".to_owned();
        }
        let Some(met) = scores.meetings.get(&(one.min(other), one.max(other))) else {
            return String::new();
        };
        let [won, drawn, lost] = met.games;
        let halves = if one < other { 2 * won } else { 2 * lost } + drawn;
        format!("{}", halves as f64 / 2.0)
    };
    let rows = order.iter().map(|(one, row)| {
        let cells = order.iter().map(|(other, _)| points(*one, *other));
        Row {
            cells: [row.rank.to_string(), row.name.clone()]
                .into_iter()
                .chain(cells)
                .collect(),
            enters: None,
        }
    });
    let numbers = order.iter().map(|(_, row)| format!(">{}", row.rank));
    Sheet {
        name: words.say("t-grid"),
        headings: headings([">t-rank", "t-player"], words)
            .into_iter()
            .chain(numbers)
            .collect(),
        rows: rows.collect(),
        none: words.say("tables-none"),
    }
}
