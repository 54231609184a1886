//! `grundy leaderboard`: the players of a game by their ratings.

use clap::Args;
use grundy_shared::protocol::client::Leaderboard;
use grundy_shared::protocol::rating::LeaderboardEntry;
use grundy_shared::protocol::server::Reply;
use grundy_words::{Catalogue, Message};
use serde_json::json;

use crate::account::sign_in;
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{ratings, word};

/// Arguments of `leaderboard`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy leaderboard nim
  grundy leaderboard nim --bots
  grundy leaderboard sum --provisional   positions of several games; players with few rated pairs")]
pub(crate) struct Arguments {
    /// The game, such as nim, or sum: positions of several games
    #[arg(value_name = "GAME")]
    family: String,
    /// List the bots instead of the people
    #[arg(long)]
    bots: bool,
    /// List the players whose ratings are provisional
    #[arg(long)]
    provisional: bool,
    /// List the players after this place, which the page before names
    #[arg(long, value_name = "PLACE")]
    after: Option<String>,
    /// The largest number of players to list
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=200))]
    limit: u32,
}

impl Arguments {
    /// Lists a leaderboard.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let mut signed_in = sign_in(context, 0).await?;
        let ask = Leaderboard {
            family: self.family.clone(),
            bots: self.bots,
            provisional: self.provisional,
            after: self.after.clone(),
            limit: Some(self.limit),
        };
        let (family, entries, next) = match signed_in.connection.ask(ask).await? {
            Reply::Leaderboard {
                family,
                entries,
                next,
                ..
            } => (family, entries, next),
            other => return Err(unexpected(&other)),
        };
        signed_in.connection.close().await;
        let output = &context.output;
        if output.json {
            output.object(&json!({
                "schema": "grundy/leaderboard/1",
                "family": family,
                "bots": self.bots,
                "provisional": self.provisional,
                "entries": entries,
                "next": next,
            }))?;
            return Ok(Exit::Done);
        }
        if entries.is_empty() {
            output.talk(&self.nobody(&family, output.words()));
            return Ok(Exit::Done);
        }
        output.text(&self.table(&entries, output.width(), output.words()))?;
        if let Some(next) = next {
            let more = Message::new("rating-more-players").text("after", word(&next));
            output.talk(&more.said(output.words()));
        }
        Ok(Exit::Done)
    }

    /// Ranks are counted from the first page only.
    fn table(
        &self,
        entries: &[LeaderboardEntry],
        width: Option<usize>,
        words: &Catalogue,
    ) -> String {
        let first = self.after.is_none().then_some(1);
        ratings::leaderboard(entries, self.provisional, first, width, words)
    }

    fn nobody(&self, family: &str, words: &Catalogue) -> String {
        let case = match (&self.after, self.provisional) {
            (Some(_), _) => "after",
            (None, true) => "provisional",
            (None, false) => "settled",
        };
        let bots = if self.bots { "-bot" } else { "" };
        Message::new("rating-nobody")
            .text("case", format!("{case}{bots}"))
            .text("game", word(family))
            .said(words)
    }
}
