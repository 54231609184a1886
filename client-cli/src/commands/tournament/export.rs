//! `grundy tournament export`: the log, the records of all games and the standings as one file.

use std::path::PathBuf;

use clap::Args;
use grundy_shared::export;
use grundy_shared::ids::TournamentId;
use grundy_shared::tournament::Report;
use grundy_words::Message;
use serde_json::json;

use super::log::Log;
use super::state::whole_state;
use super::tables;
use crate::account::sign_in;
use crate::connection::Connection;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::record;
use crate::written::{self, Kind};

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
    /// Also write the standings as CSV, with tie-breaks and each player's accuracy
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Leave out the accuracy of the players: the solver is not asked
    #[arg(long)]
    no_accuracy: bool,
    /// Also write the rounds as a tournament file (TRF-16)
    #[arg(long, value_name = "FILE")]
    trf: Option<PathBuf>,
}

impl Arguments {
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let file = self.file.filter(|file| file.as_os_str() != "-");
        for (file, kind) in [
            (&file, Kind::Tournament),
            (&self.csv, Kind::StandingsTable),
            (&self.trf, Kind::TournamentFile),
        ] {
            if let Some(file) = file {
                written::check(file, kind, &[])?;
            }
        }
        let mut signed_in = sign_in(context, 0).await?;
        let connection = &mut signed_in.connection;
        let (id, standings) = standings(connection, &self.tournament).await?;
        let log = Log::fetch(connection, &self.tournament).await?;
        signed_in.connection.close().await;
        let tournament = log.tournament()?;
        let accuracies = (!self.no_accuracy).then(|| log.accuracies(&tournament));
        let accuracies = accuracies.as_deref();
        if let Some(file) = &self.csv {
            record::save(file, tables::csv(&standings, accuracies).as_bytes())?;
        }
        if let Some(file) = &self.trf {
            record::save(file, tables::trf(&tournament, &standings).as_bytes())?;
        }
        let Log { events, records } = log;
        let mut content = Vec::new();
        export::write(&mut content, id, &events, &records, &standings, accuracies)?;
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
            false => {
                let exported = Message::new("tournament-exported")
                    .text("file", file.display())
                    .text("n", records.len());
                context.output.talk(&exported.said(context.output.words()));
            }
        }
        Ok(Exit::Done)
    }
}

/// The final standings.
async fn standings(
    connection: &mut Connection,
    tournament: &str,
) -> Result<(TournamentId, Report), Failure> {
    let state = whole_state(connection, tournament).await?;
    if state.seed.is_none() {
        let message = Message::new("tournament-not-over");
        return Err(Failure::told(Exit::Refused, "not_over", message)
            .help(Message::new("tournament-not-over-how")));
    }
    let report = Report {
        rounds: state.rounds,
        games: state.games_ended,
        rows: state.standings,
        elo_why: state.elo_why,
    };
    Ok((state.tournament, report))
}
