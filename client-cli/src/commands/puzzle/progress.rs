//! `grundy puzzle progress`.

use std::collections::BTreeMap;

use clap::Args;
use grundy_shared::protocol::client::Ratings;
use grundy_shared::protocol::puzzle::SolverRating;
use grundy_shared::protocol::server::Reply;
use grundy_words::Message;
use serde::Serialize;

use super::file::collection;
use crate::account::sign_in;
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::local::now;
use crate::practice::deck::Tries;
use crate::practice::schedule::Day;
use crate::practice::store::Store;
use crate::render::{headings, ratings, table};

/// Arguments of `puzzle progress`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Also ask the server for your rating in puzzles
    #[arg(long)]
    online: bool,
}

/// How the puzzles that come with the program went.
#[derive(Serialize)]
struct Progress {
    schema: &'static str,
    families: Vec<OfFamily>,
    total: Figures,
    /// Puzzles of the day that were solved on days in a row, up to today or yesterday.
    days_in_a_row: u32,
    /// The rating on the server, with --online; absent if no puzzle was answered there.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<SolverRating>,
}

#[derive(Serialize)]
struct OfFamily {
    family: &'static str,
    #[serde(flatten)]
    figures: Figures,
}

#[derive(Clone, Copy, Default, Serialize)]
struct Figures {
    puzzles: u64,
    solved: u64,
    /// How they went when they were solved for the first time, or that the solution was shown and they are not solved.
    first: Tries,
}

impl Arguments {
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let collection = collection(None)?;
        let deck = Store::open()?.read()?;
        let mut families: BTreeMap<&'static str, Figures> = BTreeMap::new();
        let mut total = Figures::default();
        for (_, puzzle) in collection.numbered() {
            let own = families.entry(puzzle.family().name()).or_default();
            for figures in [own, &mut total] {
                figures.puzzles += 1;
                if let Some(tried) = deck.puzzle(&puzzle.key) {
                    figures.first.add(tried.performance);
                }
                figures.solved += u64::from(deck.solved(&puzzle.key).is_some());
            }
        }
        let solved_on = |day: u32| {
            let puzzle = collection.of_day(i64::from(day));
            let solved = puzzle.and_then(|(_, puzzle)| deck.solved(&puzzle.key));
            solved.is_some_and(|solved| solved.day == Day(day))
        };
        let today = Day::of(now()).0;
        let last = if solved_on(today) {
            today
        } else {
            today.saturating_sub(1)
        };
        let days = (0..=last).rev().take_while(|day| solved_on(*day)).count();
        let families = families.into_iter();
        let progress = Progress {
            schema: "grundy/puzzle-progress/1",
            families: families
                .map(|(family, figures)| OfFamily { family, figures })
                .collect(),
            total,
            days_in_a_row: u32::try_from(days).unwrap_or(u32::MAX),
            rating: match self.online {
                true => rating(context).await?,
                false => None,
            },
        };
        show(context, &progress)?;
        Ok(Exit::Done)
    }
}

/// The rating of the user on the server.
async fn rating(context: &Context) -> Result<Option<SolverRating>, Failure> {
    let mut signed_in = sign_in(context, 0).await?;
    let reply = signed_in.connection.ask(Ratings::default()).await?;
    let Reply::Ratings { solving, .. } = reply else {
        return Err(unexpected(&reply));
    };
    signed_in.connection.close().await;
    Ok(solving)
}

fn show(context: &Context, progress: &Progress) -> Result<(), Failure> {
    let output = &context.output;
    if output.json {
        return output.object(progress);
    }
    let row = |name: &str, figures: &Figures| {
        let first = figures.first;
        let numbers = [
            figures.puzzles,
            figures.solved,
            u64::from(first.at_once),
            u64::from(first.after_hints),
            u64::from(first.after_wrong),
            u64::from(first.shown),
        ];
        let numbers = numbers.iter().map(u64::to_string);
        std::iter::once(name.to_owned()).chain(numbers).collect()
    };
    let mut rows: Vec<Vec<String>> = progress
        .families
        .iter()
        .map(|one| row(one.family, &one.figures))
        .collect();
    let words = output.words();
    rows.push(row(&words.say("puzzle-all"), &progress.total));
    let names = [
        "puzzle-family",
        ">puzzle-puzzles",
        ">puzzle-solved",
        ">puzzle-at-once",
        ">puzzle-hints",
        ">puzzle-wrong",
        ">puzzle-shown",
    ];
    output.text(&table(&headings(names, words), &rows, output.width()))?;
    if let Some(rating) = &progress.rating {
        output.sentences(&format!(
            "\n{}",
            ratings::in_puzzles(rating, output.words())
        ))?;
    }
    let days = Message::new("puzzle-days").number("n", progress.days_in_a_row.into());
    output.sentences(&format!("\n{}", days.said(words)))
}
