//! `grundy tournament export`: the log, the records of all games and the standings as one file.

use std::path::PathBuf;

use clap::Args;
use grundy_shared::event::Event;
use grundy_shared::export;
use grundy_shared::ids::{MatchId, Seq, TournamentId};
use grundy_shared::protocol::PAGE_MAX;
use grundy_shared::protocol::server::Reply;
use grundy_shared::protocol::tournament::{LoggedEvent, ShowTournament, TournamentLog};
use grundy_shared::record::Record;
use grundy_shared::tournament::{Dated, Report, Tournament, TournamentEvent};
use serde_json::json;

use super::request::state_of;
use super::tables;
use crate::account::sign_in;
use crate::connection::{Connection, unexpected};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::record;

/// Arguments of `tournament export`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy tournament export 7Kq2mVx9Rt cup.ndjson
  grundy verify tournament cup.ndjson
  grundy tournament export 7Kq2mVx9Rt cup.ndjson --csv cup.csv --trf cup.trf

The tournament has to be over: only then is its seed open.")]
pub(super) struct Arguments {
    /// The tournament
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,
    /// The file to write; '-' or nothing writes to stdout
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Also write the standings as CSV, with tie-breaks and each player's exact accuracy
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Also write the rounds as a tournament file (TRF-16)
    #[arg(long, value_name = "FILE")]
    trf: Option<PathBuf>,
}

fn not_a_log(why: impl std::fmt::Display) -> Failure {
    let words = format!("the server's log of the tournament is not valid: {why}");
    Failure::new(Exit::Protocol, "not_understood", words)
}

impl Arguments {
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let file = self.file.filter(|file| file.as_os_str() != "-");
        for file in [&file, &self.csv, &self.trf].into_iter().flatten() {
            record::check_writable(file)?;
        }
        let mut signed_in = sign_in(context, 0).await?;
        let connection = &mut signed_in.connection;
        let (id, standings) = standings(connection, &self.tournament).await?;
        let (events, records) = log(connection, &self.tournament).await?;
        signed_in.connection.close().await;
        if self.csv.is_some() || self.trf.is_some() {
            let tournament = folded(&events)?;
            if let Some(file) = &self.csv {
                let accuracies = tables::accuracies(&tournament, &records);
                record::save(file, tables::csv(&standings, &accuracies).as_bytes())?;
            }
            if let Some(file) = &self.trf {
                record::save(file, tables::trf(&tournament, &standings).as_bytes())?;
            }
        }
        let mut content = Vec::new();
        export::write(&mut content, id, &events, &records, &standings)?;
        let Some(file) = file else {
            context.output.bytes(&content)?;
            return Ok(Exit::Done);
        };
        record::save(&file, &content)?;
        match context.output.json {
            true => context.output.object(&json!({
                "schema": "grundy/export/1",
                "tournament": id,
                "games": records.len(),
                "file": file.display().to_string(),
                "bytes": content.len(),
            }))?,
            false => context.output.talk(&format!(
                "Written: {} ({} games)",
                file.display(),
                records.len()
            )),
        }
        Ok(Exit::Done)
    }
}

/// The tournament that the events make.
fn folded(events: &[String]) -> Result<Tournament, Failure> {
    let mut read = Vec::with_capacity(events.len());
    for event in events {
        let dated: Dated = serde_json::from_str(event).map_err(not_a_log)?;
        read.push(dated.event);
    }
    let folded = Tournament::replay(&read).map_err(|(_, error)| not_a_log(error))?;
    folded.ok_or_else(|| not_a_log("it is empty"))
}

/// All pages of the standings.
async fn standings(
    connection: &mut Connection,
    tournament: &str,
) -> Result<(TournamentId, Report), Failure> {
    let mut rows = Vec::new();
    loop {
        let request = ShowTournament {
            tournament: tournament.to_owned(),
            after: rows.len() as u32,
            limit: Some(100),
        };
        let state = state_of(connection, request).await?;
        if state.seed.is_none() {
            let words = "the tournament is not over, and its seed not open";
            return Err(Failure::new(Exit::Refused, "not_over", words)
                .hint("'grundy tournament watch' waits for its end"));
        }
        let page = state.standings.len();
        rows.extend(state.standings);
        if page == 0 || rows.len() as u32 >= state.players {
            let report = Report {
                rounds: state.rounds,
                games: state.games_ended,
                rows,
                elo_why: state.elo_why,
            };
            return Ok((state.tournament, report));
        }
    }
}

/// The events as they are stored, and the records of the games in the order of their ends.
async fn log(
    connection: &mut Connection,
    tournament: &str,
) -> Result<(Vec<String>, Vec<Record>), Failure> {
    let mut events = Vec::new();
    let mut records = Vec::new();
    loop {
        let request = TournamentLog {
            tournament: tournament.to_owned(),
            since_seq: Seq(events.len() as u64),
            limit: Some(PAGE_MAX),
            games: true,
        };
        let answer = loop {
            match connection.ask(request.clone()).await {
                Err(failure) => match failure.wait() {
                    // Many pages come faster than the server allows.
                    Some(wait) => tokio::time::sleep(wait).await,
                    None => return Err(failure),
                },
                answer => break answer?,
            }
        };
        let Reply::TournamentLog {
            events: page,
            complete,
            ..
        } = answer
        else {
            return Err(unexpected(&answer));
        };
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
            return Ok((events, records));
        }
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
