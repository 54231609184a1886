//! `grundy rating`: the ratings of a player, and their history.

use std::path::PathBuf;

use clap::Args;
use grundy_shared::chart::{HistoryPoint, RatingHistory as RatingCurve};
use grundy_shared::ids::Seq;
use grundy_shared::protocol::client::{RatingHistory, Ratings};
use grundy_shared::protocol::server::Reply;
use grundy_words::Message;
use serde_json::json;

use crate::account::{SignedIn, sign_in};
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::record::save;
use crate::render::{clean, ratings};
use crate::written::{self, Kind};

/// Arguments of `rating`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy rating                        your ratings, one for each game
  grundy rating Ada
  grundy rating Ada --history nim      Ada's rated pairs of Nim, newest first
  grundy rating Ada --history nim --svg ada.svg

Rated pairs are played with --rated: two games from one start, sides swapped. A rating with a question \
mark is provisional: it rests on too few pairs, or the last one was too long ago.")]
pub(crate) struct Arguments {
    /// The player, by id or name [default: you]
    player: Option<String>,
    /// List the rated pairs of this game, or of sum: positions of several games
    #[arg(long, value_name = "GAME")]
    history: Option<String>,
    /// With --history: only pairs before the one of this number
    #[arg(long, value_name = "N", requires = "history")]
    before: Option<u64>,
    /// With --history: the largest number of pairs to list
    #[arg(long, value_name = "N", requires = "history", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=200))]
    limit: u32,
    /// With --history: also write the curve of the listed pairs to this file, as a picture
    #[arg(long, value_name = "FILE", requires = "history")]
    svg: Option<PathBuf>,
}

impl Arguments {
    /// Shows ratings, or the history of one.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        if let Some(file) = &self.svg {
            written::check(file, Kind::Svg, &[])?;
        }
        let mut signed_in = sign_in(context, 0).await?;
        match self.history.clone() {
            None => self.now(context, &mut signed_in).await?,
            Some(family) => self.past(context, &mut signed_in, family).await?,
        }
        signed_in.connection.close().await;
        Ok(Exit::Done)
    }

    async fn now(self, context: &Context, signed_in: &mut SignedIn) -> Result<(), Failure> {
        let asked_for_other = self.player.is_some();
        let ask = Ratings {
            player: self.player,
        };
        let (player, ratings, solving) = match signed_in.connection.ask(ask).await? {
            Reply::Ratings {
                player,
                ratings,
                solving,
            } => (player, ratings, solving),
            other => return Err(unexpected(&other)),
        };
        let output = &context.output;
        if output.json {
            let mut shown = json!({
                "schema": "grundy/ratings/1",
                "player": player,
                "ratings": ratings,
            });
            if let Some(solving) = solving {
                shown["solving"] = json!(solving);
            }
            return output.object(&shown);
        }
        if let Some(solving) = &solving {
            output.sentences(&ratings::in_puzzles(solving, output.words()))?;
        }
        if ratings.is_empty() {
            let none = Message::new(match asked_for_other {
                true => "rating-none",
                false => "rating-none-how",
            });
            let none = none.text("name", clean(&player.name));
            output.talk(&none.said(output.words()));
            return Ok(());
        }
        output.text(&ratings::of_player(
            &ratings,
            output.width(),
            output.words(),
        ))
    }

    async fn past(
        self,
        context: &Context,
        signed_in: &mut SignedIn,
        family: String,
    ) -> Result<(), Failure> {
        let ask = RatingHistory {
            player: self.player,
            family,
            before: self.before.map(Seq),
            limit: Some(self.limit),
        };
        let (player, family, pairs, next) = match signed_in.connection.ask(ask).await? {
            Reply::RatingHistory {
                player,
                family,
                pairs,
                next,
            } => (player, family, pairs, next),
            other => return Err(unexpected(&other)),
        };
        if let Some(file) = &self.svg {
            let points = pairs.iter().rev().map(|pair| HistoryPoint {
                rating: pair.rating,
                deviation: pair.deviation,
            });
            let points: Vec<HistoryPoint> = points.collect();
            let label = format!("{}, {}", clean(&player.name), clean(&family));
            if let Some(curve) = RatingCurve::of(&points) {
                save(file, curve.svg(&label).as_bytes())?;
            }
        }
        let output = &context.output;
        if output.json {
            return output.object(&json!({
                "schema": "grundy/rating-history/1",
                "player": player,
                "family": family,
                "pairs": pairs,
                "next": next,
            }));
        }
        if pairs.is_empty() {
            let before = self.before.map(|before| before.to_string());
            let none = Message::new("rating-no-pairs")
                .text("before", before.as_deref().unwrap_or("none"))
                .text("name", clean(&player.name))
                .text("game", clean(&family));
            output.talk(&none.said(output.words()));
            return Ok(());
        }
        output.text(&ratings::history(&pairs, output.width(), output.words()))?;
        if let Some(next) = next {
            let older = Message::new("rating-older").text("next", next);
            output.talk(&older.said(output.words()));
        }
        Ok(())
    }
}
