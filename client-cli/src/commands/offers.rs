//! `grundy offers`: who plays at once.

use std::time::Duration;

use clap::Args;
use grundy_shared::protocol::account::OfferInfo;
use grundy_shared::protocol::client::Offers;
use grundy_shared::protocol::server::Reply;
use grundy_words::{Catalogue, Message};
use serde_json::json;

use crate::account::sign_in;
use crate::challenge::shown;
use crate::connection::unexpected;
use crate::context::Context;
use crate::duration;
use crate::exit::Exit;
use crate::failure::Failure;

/// Arguments of `offers`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy offers
  grundy offers --game kayles
  grundy play kayles:12 --against NAME")]
pub(crate) struct Arguments {
    /// List only players of this game
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The largest number of offers to list
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=200))]
    limit: u32,
}

impl Arguments {
    /// Lists standing offers.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let mut signed_in = sign_in(context, 0).await?;
        let ask = Offers {
            game: self.game,
            limit: Some(self.limit),
            after: None,
        };
        let (offers, next) = match signed_in.connection.ask(ask).await? {
            Reply::Offers { offers, next } => (offers, next),
            other => return Err(unexpected(&other)),
        };
        signed_in.connection.close().await;
        let words = context.output.words();
        if context.output.json {
            context.output.object(&json!({
                "schema": "grundy/offers/1",
                "offers": offers,
                "more": next.is_some(),
            }))?;
            return Ok(Exit::Done);
        }
        if offers.is_empty() {
            context.output.talk(&words.say("offers-none"));
        }
        for offer in &offers {
            context.output.line(&line(offer, words))?;
        }
        if next.is_some() {
            context.output.talk(&words.say("offers-more"));
        }
        Ok(Exit::Done)
    }
}

fn line(offer: &OfferInfo, words: &Catalogue) -> String {
    let games = if offer.games.is_empty() {
        words.say("offers-all")
    } else {
        offer.games.join(&words.say("list-comma"))
    };
    Message::new("offers-line")
        .whether("untimed", offer.untimed)
        .text("player", offer.player.id)
        .text("name", shown(&offer.player, words))
        .text("games", games)
        .text("most", offer.at_once)
        .messages(
            "time",
            duration::said(Duration::from_millis(offer.min_base_ms.0)),
        )
        .said(words)
}
