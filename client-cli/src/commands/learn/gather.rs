//! Finds exercises in the records of matches.

use std::time::{Duration, Instant};

use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::practice::Exercise;
use grundy_shared::protocol::client::ListOnly;
use grundy_shared::record::Record;
use grundy_shared::referee::Status;
use grundy_shared::review::Review;
use grundy_words::Message;
use tokio::task::spawn_blocking;

use crate::commands::games::of_server::OfServer;
use crate::commands::games::who::{Who, not_a_player};
use crate::context::Context;
use crate::failure::Failure;
use crate::library::Library;
use crate::practice::store::Store;
use crate::progress_line::ProgressLine;
use crate::render::clean;
use crate::thinking::{not_judged, think};

/// No further match is reviewed after this time; the rest is left for the next lesson.
const PATIENCE: Duration = Duration::from_secs(30);
/// Matches whose exercises are written at once.
const BATCH: usize = 50;

/// What matches have for a lesson.
#[derive(Default)]
pub(super) struct Found {
    /// Its exercises, in the order of its moves.
    pub(super) exercises: Vec<Exercise>,
    /// How many moves of people were not judged in the time available.
    pub(super) not_judged: u64,
    /// How many draws people gave away. These are not practised.
    pub(super) draws: u64,
}

impl Found {
    /// Adds what another match has.
    pub(super) fn add(&mut self, other: Self) {
        self.exercises.extend(other.exercises);
        self.not_judged += other.not_judged;
        self.draws += other.draws;
    }
}

/// The exercises of one match. The line says how far its review has come.
pub(super) fn exercises(
    record: &Record,
    time: Duration,
    memory_bytes: u64,
    line: &ProgressLine,
) -> Found {
    let positions = record.referee().moves().len() + 1;
    let id = record.match_id();
    think(time, memory_bytes, |budget| {
        let review = Review::with_progress(record.referee(), budget, &|done| {
            line.show(&format!("Match {id}: {done} of {positions} positions"));
        });
        let is_person = |seat| review.player(seat).is_none_or(|player| !player.bot);
        let draws = review.turning_points.iter();
        let draws = draws.filter(|point| point.drawn && is_person(point.seat));
        Found {
            not_judged: not_judged(&review, is_person),
            draws: draws.count() as u64,
            exercises: Exercise::all_of(&review, id, budget),
        }
    })
}

/// Adds the exercises of the matches on this computer that have not been gone through to the deck. Damaged records are named and left
/// out.
pub(super) fn new_matches(
    context: &Context,
    store: &Store,
    time: Duration,
    memory_bytes: u64,
) -> Result<(), Failure> {
    let begun = Instant::now();
    let known = store.read()?.matches;
    let mut left = 0;
    let mut batch: Vec<(Record, Vec<Exercise>)> = Vec::new();
    let write = |batch: &mut Vec<(Record, Vec<Exercise>)>| -> Result<(), Failure> {
        if batch.is_empty() {
            return Ok(());
        }
        let taken = store.update(|deck| {
            let taken = batch.drain(..).map(|(record, exercises)| {
                let id = record.match_id();
                (id, deck.add_match(id, &exercises))
            });
            Ok(taken.collect::<Vec<_>>())
        })?;
        for (id, more) in taken {
            tell_more(context, id, more);
        }
        Ok(())
    };
    for record in Library::open()?.records(false)? {
        let record = match record {
            Ok(record) => record,
            Err(failure) => {
                context
                    .output
                    .warn(&failure.as_warning(context.output.words()));
                continue;
            }
        };
        let is_over = record.referee().status() == Status::Over;
        if !is_over || known.contains(&record.match_id()) {
            continue;
        }
        if begun.elapsed() >= PATIENCE {
            left += 1;
            continue;
        }
        let line = context.output.progress_line();
        let found = exercises(&record, time, memory_bytes, &line).exercises;
        batch.push((record, found));
        if batch.len() >= BATCH {
            write(&mut batch)?;
        }
    }
    write(&mut batch)?;
    tell_left(context, left);
    Ok(())
}

/// Adds the exercises of the user's finished matches on the server that have not been gone through to the deck. Matches that cannot be studied are
/// named and left out.
///
/// # Errors
/// The server cannot be reached, or refuses.
pub(super) async fn new_matches_of_server(
    context: &Context,
    store: &Store,
    time: Duration,
    memory_bytes: u64,
) -> Result<(), Failure> {
    let begun = Instant::now();
    let mut who = Who::mine(context)?;
    let mut server = OfServer::listed(context, &mut who, ListOnly::default()).await?;
    let known = store.read()?.matches;
    let mut left = 0;
    for summary in server.take_matches() {
        let match_id = summary.match_id;
        if known.contains(&match_id) {
            continue;
        }
        if begun.elapsed() >= PATIENCE {
            left += 1;
            continue;
        }
        let Some(record) = server.record(context.output, match_id).await? else {
            continue;
        };
        // The connection is served meanwhile.
        let line = context.output.progress_line();
        let finding =
            spawn_blocking(move || exercises(&record, time, memory_bytes, &line).exercises);
        let found = finding.await.map_err(std::io::Error::from)?;
        let more = store.update(|deck| Ok(deck.add_match(match_id, &found)))?;
        tell_more(context, match_id, more);
    }
    server.close().await;
    tell_left(context, left);
    Ok(())
}

/// Says how many exercises of a match are left out for now.
fn tell_more(context: &Context, id: MatchId, more: u64) {
    if more > 0 {
        let message = Message::new("learn-more-of")
            .number("count", more)
            .text("match", id);
        context.output.talk(&message.said(context.output.words()));
    }
}

/// Says how many matches are left for the next lesson.
fn tell_left(context: &Context, left: u64) {
    if left > 0 {
        let message = Message::new("learn-left").number("count", left);
        context.output.talk(&message.said(context.output.words()));
    }
}

/// Checks that a player of this name played in the match.
///
/// # Errors
/// Nobody did.
pub(super) fn played_in(record: &Record, name: &str) -> Result<(), Failure> {
    let seats = Seat::BOTH.into_iter();
    let players: Vec<&str> = seats
        .filter_map(|seat| record.referee().player(seat))
        .map(|player| &*player.name)
        .collect();
    let is_named = |player: &&str| player.to_lowercase() == name.to_lowercase();
    if players.iter().any(is_named) {
        return Ok(());
    }
    let players: Vec<String> = players.into_iter().map(clean).collect();
    Err(not_a_player(name, &players))
}
