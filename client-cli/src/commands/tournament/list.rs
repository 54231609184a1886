//! `grundy tournament list`.

use clap::Args;
use grundy_shared::protocol::server::Reply;
use grundy_shared::protocol::tournament::ListTournaments;
use grundy_words::Message;
use serde_json::json;

use super::show;
use crate::account::sign_in;
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render;

/// The width of the longest status.
const STATUS_COLUMNS: usize = 16;

/// Arguments of `tournament list`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Print at most this many
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=200))]
    limit: u32,
}

impl Arguments {
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let mut signed_in = sign_in(context, 0).await?;
        let request = ListTournaments {
            before: None,
            limit: Some(self.limit),
        };
        let (tournaments, next) = match signed_in.connection.ask(request).await? {
            Reply::Tournaments { tournaments, next } => (tournaments, next),
            other => return Err(unexpected(&other)),
        };
        signed_in.connection.close().await;
        let words = context.output.words();
        if context.output.json {
            context.output.object(&json!({
                "schema": "grundy/tournaments/1",
                "tournaments": tournaments,
                "more": next.is_some(),
            }))?;
        } else if tournaments.is_empty() {
            context.output.talk(&words.say("tournament-none"));
        } else {
            for summary in &tournaments {
                let status = show::status(summary.status).said(words);
                let line = Message::new("tournament-listed")
                    .text("tournament", summary.tournament)
                    .text("status", render::padded(&status, STATUS_COLUMNS))
                    .text("name", render::clean(&summary.name))
                    .messages("format", vec![show::format(summary.format)]);
                context.output.line(&line.said(words))?;
            }
        }
        Ok(Exit::Done)
    }
}
