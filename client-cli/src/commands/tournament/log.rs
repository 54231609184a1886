//! The log of a tournament with the records of its games, as the server has them.

use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Seq};
use grundy_shared::oracle::{PlayerAccuracy, accuracies};
use grundy_shared::protocol::PAGE_MAX;
use grundy_shared::protocol::server::Reply;
use grundy_shared::protocol::tournament::{LoggedEvent, TournamentLog};
use grundy_shared::record::Record;
use grundy_shared::tournament::{Dated, Tournament, TournamentEvent};
use grundy_words::Message;

use crate::connection::{Connection, unexpected};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::record;

/// What the server has of a tournament.
pub(super) struct Log {
    /// The events as they are stored.
    pub(super) events: Vec<String>,
    /// The games that are over, in the order of their ends.
    pub(super) records: Vec<Record>,
}

fn not_a_log(why: impl std::fmt::Display) -> Failure {
    let message = Message::new("tournament-bad-log").text("why", why);
    Failure::told(Exit::Protocol, "not_understood", message)
}

/// A page of the log, and whether it is the last one.
pub(super) async fn page(
    connection: &mut Connection,
    request: TournamentLog,
) -> Result<(Vec<LoggedEvent>, bool), Failure> {
    match connection.ask(request).await? {
        Reply::TournamentLog {
            events, complete, ..
        } => Ok((events, complete)),
        other => Err(unexpected(&other)),
    }
}

/// The events after this one, without the records of games: as many as there are on a page.
pub(super) async fn events_after(
    connection: &mut Connection,
    tournament: &str,
    seq: Seq,
) -> Result<Vec<LoggedEvent>, Failure> {
    let request = TournamentLog {
        tournament: tournament.to_owned(),
        since_seq: seq,
        limit: Some(PAGE_MAX),
        games: false,
    };
    Ok(page(connection, request).await?.0)
}

/// The tournament that the server's events make, without the records of its games.
pub(super) async fn tournament_so_far(
    connection: &mut Connection,
    tournament: &str,
) -> Result<Tournament, Failure> {
    let mut events = Vec::new();
    loop {
        let page = events_after(connection, tournament, Seq(events.len() as u64)).await?;
        if page.is_empty() {
            let folded = Tournament::replay(&events).map_err(|(_, error)| not_a_log(error))?;
            return folded.ok_or_else(|| not_a_log("it is empty"));
        }
        events.extend(page.into_iter().map(|logged| logged.body.event));
    }
}

impl Log {
    /// Reads all of it, page by page.
    pub(super) async fn fetch(
        connection: &mut Connection,
        tournament: &str,
    ) -> Result<Self, Failure> {
        let mut events = Vec::new();
        let mut records = Vec::new();
        loop {
            let request = TournamentLog {
                tournament: tournament.to_owned(),
                since_seq: Seq(events.len() as u64),
                limit: Some(PAGE_MAX),
                games: true,
            };
            let (page, complete) = page(connection, request).await?;
            if page.is_empty() && !complete {
                return Err(not_a_log("a page was empty"));
            }
            for LoggedEvent { seq, body, game } in page {
                if seq.0 != events.len() as u64 + 1 {
                    return Err(not_a_log("events are missing"));
                }
                if let TournamentEvent::GameEnded { match_id, .. } = body.event {
                    records.push(record_of(connection, match_id, game).await?);
                }
                events.push(body.to_json());
            }
            if complete {
                return Ok(Self { events, records });
            }
        }
    }

    /// The tournament that the events make.
    pub(super) fn tournament(&self) -> Result<Tournament, Failure> {
        let mut read = Vec::with_capacity(self.events.len());
        for event in &self.events {
            let dated: Dated = serde_json::from_str(event).map_err(not_a_log)?;
            read.push(dated.event);
        }
        let folded = Tournament::replay(&read).map_err(|(_, error)| not_a_log(error))?;
        folded.ok_or_else(|| not_a_log("it is empty"))
    }

    /// The accuracy of each player so far, in the order of their numbers.
    pub(super) fn accuracies(&self, tournament: &Tournament) -> Vec<PlayerAccuracy> {
        accuracies(tournament.players(), &self.records)
    }
}

/// The record of a game: as it came, or fetched by itself where it was too long.
async fn record_of(
    connection: &mut Connection,
    match_id: MatchId,
    game: Option<Vec<Event>>,
) -> Result<Record, Failure> {
    let Some(game) = game else {
        return record::fetch(connection, match_id).await;
    };
    Record::new(match_id, game).map_err(not_a_log)
}
