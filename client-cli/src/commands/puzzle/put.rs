//! Puts puzzles, one after the other.

use std::time::Duration;

use clap::Args;
use grundy_shared::practice::Performance;
use grundy_shared::puzzle::Puzzle;
use grundy_shared::solver::standing;

use super::calendar::date;
use grundy_words::{Catalogue, Message};

use crate::commands::lesson::{Task, announce, hold};
use crate::context::Context;
use crate::duration::duration;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::local::now;
use crate::practice::deck::Deck;
use crate::practice::event::{Event, Next, SCHEMA};
use crate::practice::schedule::Day;
use crate::practice::store::Store;
use crate::render::practice as speech;
use crate::thinking::{Limits, think};

/// What the solver may use for each answer.
#[derive(Clone, Debug, Args)]
pub(super) struct Solving {
    /// Time limit for each answer of the solver
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    budget: Duration,
    /// Memory limit, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

impl Solving {
    pub(super) fn limits(&self) -> Limits {
        Limits {
            time: self.budget,
            memory_bytes: self.memory << 20,
        }
    }
}

/// Puts these puzzles with their numbers.
pub(super) async fn put(
    context: &Context,
    solving: &Solving,
    puzzles: Vec<(usize, Puzzle)>,
    day: Option<Day>,
) -> Result<(), Failure> {
    for (number, puzzle) in &puzzles {
        // A file may say what is not so.
        check(*number, puzzle, solving)?;
    }
    let store = Store::open()?;
    // A damaged deck is found before the work begins.
    let deck = store.read()?;
    let of = puzzles.len();
    if context.output.json {
        let begin = Event::Begin {
            schema: SCHEMA,
            exercises: of,
        };
        announce(&context.output, &begin)?;
    }
    let tasks = puzzles.into_iter().map(|(number, puzzle)| Task {
        attempt: puzzle.attempt(),
        put: asked(number, &puzzle, day, &deck),
        of: (number, puzzle),
    });
    let mut share = None;
    let keep = |(number, puzzle): &(usize, Puzzle), performance| {
        store.update(|deck| {
            deck.solve_puzzle(&puzzle.key, performance, Day::of(now()));
            Ok(())
        })?;
        share = day.map(|_| shared(*number, puzzle, day, performance, context.output.words()));
        Ok(None)
    };
    let title = "screen-puzzles";
    let results = hold(context, title, solving.limits(), tasks.collect(), keep).await?;
    // It is to be copied, so it stays when the full screen is left.
    if let Some(text) = share {
        announce(&context.output, &Event::Text { of: "share", text })?;
    }
    let left = of - usize::try_from(results.total()).unwrap_or(of);
    let next = Next::Puzzle;
    announce(
        &context.output,
        &Event::End {
            results,
            left,
            next,
        },
    )
}

/// Whether the player to move wins, which a puzzle promises.
fn check(number: usize, puzzle: &Puzzle, solving: &Solving) -> Result<(), Failure> {
    let (position, to_move) = puzzle.position();
    let limits = solving.limits();
    let standing = think(limits.time, limits.memory_bytes, |budget| {
        standing(&position, to_move, budget)
    });
    let problem = match standing {
        Some(standing) if standing.winner == Some(to_move) => return Ok(()),
        Some(_) => "not-won",
        None => "unsolved",
    };
    let message = Message::new("puzzle-bad")
        .text("number", number)
        .text("key", &puzzle.key)
        .text("problem", problem);
    Err(Failure::told(Exit::Input, "bad_puzzles", message).help(Message::new("puzzle-bad-how")))
}

/// How a puzzle is put.
fn asked(number: usize, puzzle: &Puzzle, day: Option<Day>, deck: &Deck) -> Event<'static> {
    let (position, to_move) = puzzle.position();
    Event::Puzzle {
        number,
        day: day.map(date),
        position: position.to_string(),
        to_move,
        family: puzzle.family().name(),
        difficulty: puzzle.difficulty(),
        solved: deck.puzzle(&puzzle.key).map(|solved| solved.performance),
    }
}

/// The result of a puzzle of the day in three lines, which tell nothing of the solution.
fn shared(
    number: usize,
    puzzle: &Puzzle,
    day: Option<Day>,
    performance: Performance,
    words: &Catalogue,
) -> String {
    let day = day.map(date).unwrap_or_default();
    Message::new("puzzle-share")
        .text("number", number)
        .text("day", day)
        .text("family", puzzle.family())
        .text("level", puzzle.difficulty())
        .text("performance", speech::performance(performance, words))
        .said(words)
}
