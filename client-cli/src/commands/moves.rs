//! `grundy moves`: the legal moves of a position, or of a match on a server.

use clap::{ArgGroup, Args, ValueEnum};
use grundy_shared::ids::Seat;
use grundy_shared::protocol::client::Moves;
use grundy_shared::protocol::server::Reply;
use grundy_words::Message;
use serde::Serialize;

use crate::account::sign_in;
use crate::connection::unexpected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::reading::{match_id, position};

/// A player of a partizan game.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Side {
    /// Owns blue.
    Left,
    /// Owns red.
    Right,
}

/// Arguments of `moves`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("of").required(true).args(["position", "match_id"])))]
#[command(after_help = "\
Examples:
  grundy moves nim:3,5
  grundy moves kayles:1000 --from 500 --limit 10
  grundy moves --match 7Kq2mVx9Rt")]
pub(crate) struct Arguments {
    /// The position, such as nim:3,5
    position: Option<String>,
    /// List the moves of this match on the server instead
    #[arg(long = "match", value_name = "MATCH")]
    match_id: Option<String>,
    /// Who is to move (matters in partizan games only)
    #[arg(
        long,
        value_name = "SIDE",
        default_value = "left",
        conflicts_with = "match_id"
    )]
    side: Side,
    /// The number of the first move to list, counted from 0
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    from: u64,
    /// The largest number of moves to list
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=200))]
    limit: u32,
}

/// A page of moves.
#[derive(Debug, Serialize)]
struct Listed {
    schema: &'static str,
    position: String,
    to_move: Seat,
    /// Absent if there are more than 2^64-1; as text above 2^53-1.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<serde_json::Value>,
    from: u64,
    moves: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
}

impl Arguments {
    /// Lists one page.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let listed = match (&self.position, &self.match_id) {
            (_, Some(of)) => self.of_match(context, of).await?,
            (text, None) => self.of_position(text.as_deref().unwrap_or_default())?,
        };
        if context.output.json {
            context.output.object(&listed)?;
            return Ok(Exit::Done);
        }
        for mv in &listed.moves {
            context.output.line(mv)?;
        }
        let words = context.output.words();
        if listed.moves.is_empty() && self.from == 0 {
            context.output.talk(&words.say("moves-none"));
        } else if let Some(next) = listed.next {
            let more = Message::new("moves-more").text("next", next);
            context.output.talk(&more.said(words));
        }
        Ok(Exit::Done)
    }

    fn of_position(&self, text: &str) -> Result<Listed, Failure> {
        let position = position(text)?;
        let to_move = match self.side {
            Side::Left => Seat::First,
            Side::Right => Seat::Second,
        };
        let total = position.move_count(to_move);
        let page = position
            .moves_from(to_move, self.from.into())
            .take(self.limit as usize);
        let moves: Vec<String> = page.map(|mv| mv.to_string()).collect();
        let next = self.from + moves.len() as u64;
        let more = !moves.is_empty() && u128::from(next) < total;
        Ok(Listed {
            schema: "grundy/moves/1",
            position: position.to_string(),
            to_move,
            total: u64::try_from(total).ok().map(wide),
            from: self.from,
            moves,
            next: more.then_some(next),
        })
    }

    async fn of_match(&self, context: &Context, of: &str) -> Result<Listed, Failure> {
        let of = match_id(of)?;
        let mut signed_in = sign_in(context, 0).await?;
        let ask = Moves {
            match_id: Some(of.to_string()),
            from: self.from,
            limit: Some(self.limit),
            ..Moves::default()
        };
        let reply = signed_in.connection.ask(ask).await?;
        signed_in.connection.close().await;
        match reply {
            Reply::Moves {
                position,
                to_move,
                total,
                moves,
                next,
                ..
            } => Ok(Listed {
                schema: "grundy/moves/1",
                position,
                to_move,
                total: total.map(wide),
                from: self.from,
                moves,
                next,
            }),
            other => Err(unexpected(&other)),
        }
    }
}

/// Integers above 2^53-1 are written as text.
fn wide(number: u64) -> serde_json::Value {
    match number < 1 << 53 {
        true => number.into(),
        false => number.to_string().into(),
    }
}
