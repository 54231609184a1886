//! `grundy tournament list`.

use clap::Args;
use grundy_shared::protocol::server::Reply;
use grundy_shared::protocol::tournament::ListTournaments;
use serde_json::json;

use super::show;
use crate::account::sign_in;
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render;

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
        if context.output.json {
            context.output.object(&json!({
                "schema": "grundy/tournaments/1",
                "tournaments": tournaments,
                "more": next.is_some(),
            }))?;
        } else if tournaments.is_empty() {
            let words = "No tournaments yet. Create one: grundy tournament create 'Nim Cup' --format swiss --rounds 5";
            context.output.talk(words);
        } else {
            for summary in &tournaments {
                context.output.line(&format!(
                    "{}  {:<16}  {}  ({})",
                    summary.tournament,
                    show::status(summary.status),
                    render::clean(&summary.name),
                    show::format(summary.format)
                ))?;
            }
        }
        Ok(Exit::Done)
    }
}
