//! `grundy games`: the matches of the server.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use grundy_shared::protocol::PAGE_MAX;
use grundy_shared::protocol::client::{List, ListStatus};
use grundy_shared::protocol::server::{MatchSummary, Reply};
use grundy_shared::record::Record;
use serde_json::json;

use crate::account::sign_in;
use crate::confirm::may_write;
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::reading::match_id;
use crate::{record, render};

/// Arguments of `games`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy games list --mine --status live
  grundy games list --player Ada --opponent perfect
  grundy games show 7Kq2mVx9Rt
  grundy games export 7Kq2mVx9Rt match.ndjson
  grundy games export 7Kq2mVx9Rt --text")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List matches, newest first
    List {
        /// List only your matches
        #[arg(long)]
        mine: bool,
        /// List only matches of this player: an id or a name
        #[arg(long, value_name = "PLAYER", conflicts_with = "mine")]
        player: Option<String>,
        /// List only matches against this player; without --player, your own
        #[arg(long, value_name = "PLAYER")]
        opponent: Option<String>,
        /// List only matches in this state
        #[arg(long, value_name = "STATE")]
        status: Option<State>,
        /// The largest number of matches to list
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        limit: u32,
    },
    /// Show a match: players, moves, result
    Show {
        /// The match
        #[arg(value_name = "MATCH")]
        match_id: String,
    },
    /// Write the record of a match as NDJSON; once the match is over, its bytes never change
    Export {
        /// The match
        #[arg(value_name = "MATCH")]
        match_id: String,
        /// The file to write [default: stdout]
        file: Option<PathBuf>,
        /// Write readable text instead
        #[arg(long)]
        text: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum State {
    /// Nobody has taken the other seat.
    Waiting,
    /// Being played.
    Live,
    /// Finished.
    Over,
}

impl State {
    fn on_the_wire(self) -> ListStatus {
        match self {
            Self::Waiting => ListStatus::Waiting,
            Self::Live => ListStatus::Live,
            Self::Over => ListStatus::Over,
        }
    }
}

impl Arguments {
    /// Lists, shows or exports.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self.what {
            What::List {
                mine,
                player,
                opponent,
                status,
                limit,
            } => {
                let wanted = List {
                    mine: mine || (opponent.is_some() && player.is_none()),
                    player,
                    opponent,
                    status: status.map(State::on_the_wire),
                    ..List::default()
                };
                list(context, wanted, limit).await
            }
            What::Show { match_id } => {
                let record = fetch(context, &match_id).await?;
                if context.output.json {
                    context.output.object(&render::matches::to_json(&record))?;
                } else {
                    let width = context.output.width();
                    context
                        .output
                        .prose(&render::matches::show(&record, width))?;
                }
                Ok(Exit::Done)
            }
            What::Export {
                match_id,
                file,
                text,
            } => {
                let record = fetch(context, &match_id).await?;
                let content = match text {
                    true => record.to_text(&[]).into_bytes(),
                    false => record.to_bytes(),
                };
                let Some(path) = file.filter(|path| path.as_os_str() != "-") else {
                    context.output.bytes(&content)?;
                    return Ok(Exit::Done);
                };
                if !may_write(&context.output, &path).await? {
                    return Ok(Exit::Done);
                }
                record::save(&path, &content)?;
                if context.output.json {
                    context.output.object(&json!({
                        "schema": "grundy/export/1",
                        "match": record.match_id(),
                        "file": path.display().to_string(),
                        "bytes": content.len(),
                    }))?;
                } else {
                    context.output.talk(&format!("Written: {}", path.display()));
                }
                Ok(Exit::Done)
            }
        }
    }
}

/// Fetches the record of a match.
pub(super) async fn fetch(context: &Context, match_id_text: &str) -> Result<Record, Failure> {
    let match_id = match_id(match_id_text)?;
    let mut signed_in = sign_in(context, 0).await?;
    let record = record::fetch(&mut signed_in.connection, match_id).await;
    signed_in.connection.close().await;
    record
}

async fn list(context: &Context, filter: List, limit: u32) -> Result<Exit, Failure> {
    let mut signed_in = sign_in(context, 0).await?;
    let mut all: Vec<MatchSummary> = Vec::new();
    let mut before = None;
    loop {
        let wanted = limit - u32::try_from(all.len()).unwrap_or(limit).min(limit);
        if wanted == 0 {
            break;
        }
        let request = List {
            before: before.take(),
            limit: Some(wanted.min(PAGE_MAX)),
            ..filter.clone()
        };
        let (page, next) = match signed_in.connection.ask(request).await? {
            Reply::Matches { matches, next } => (matches, next),
            other => return Err(unexpected(&other)),
        };
        all.extend(page);
        before = next;
        if before.is_none() {
            break;
        }
    }
    signed_in.connection.close().await;
    if context.output.json {
        context.output.object(&json!({
            "schema": "grundy/games/1",
            "matches": all,
            "more": before.is_some(),
        }))?;
    } else if all.is_empty() {
        context
            .output
            .talk("No matches found. Start one: grundy play nim:3,5,7");
    } else {
        let width = context.output.width();
        context.output.text(&render::matches::list(&all, width))?;
        if before.is_some() {
            context
                .output
                .talk("There are more matches; list them with --limit N");
        }
    }
    Ok(Exit::Done)
}
