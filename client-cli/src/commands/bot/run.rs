//! `grundy bot run`: a program plays on a server.

use std::time::Duration;

use clap::Args;
use grundy_shared::bot::Bot;
use grundy_shared::event::TimeControl;
use grundy_shared::ids::{JoinCode, MatchId, Millis};
use grundy_shared::protocol::client::{Create, Join, Offer, Opponent, Side};
use grundy_shared::protocol::server::Reply;

use super::bridged::play;
use super::offering::Offering;
use crate::account::{SignedIn, sign_in_bot};
use crate::bot::bridge::Bridge;
use crate::bot::check;
use crate::bot::circuit;
use crate::bot::limits::Limits;
use crate::connection::unexpected;
use crate::context::Context;
use crate::duration::duration;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::match_source::remote::{self, Manner};

/// Arguments of `bot run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy bot run --games nim,kayles --at-once 8 --min-clock 1s -- ./mybot
  grundy bot run --position nim:3,5,7 --against perfect --matches 10 -- ./mybot
  grundy bot run --join KWQHRMTB -- python3 mybot/bot.py
  grundy bot run --tournament 7Kq2mVx9Rt -- ./mybot
  grundy bot run -- ./mybot               finish the matches that it has not finished

The program speaks on stdin and stdout as docs/BOTS.md says. If it ends, it is started again and goes on within its
clock; if the connection breaks, it is made again. Matches that the bot has not finished are played first.")]
pub(crate) struct Arguments {
    /// Take the other seat of this match
    #[arg(long, value_name = "CODE", conflicts_with = "position")]
    join: Option<JoinCode>,
    /// Enter this tournament and play all its games
    #[arg(long, value_name = "TOURNAMENT", conflicts_with_all = ["position", "join"])]
    tournament: Option<String>,
    /// Play matches from this position
    #[arg(long, value_name = "POSITION", requires = "against")]
    position: Option<String>,
    /// The built-in bot of the server to play against
    #[arg(long, value_name = "NAME", requires = "position")]
    against: Option<Bot>,
    /// How many matches, with the sides changing
    #[arg(long, value_name = "N", default_value_t = 1, requires = "position")]
    matches: u32,
    /// Take challenges to these games from anybody, until Ctrl-C; 'all' takes every game
    #[arg(long, value_name = "GAMES", value_delimiter = ',', conflicts_with_all = ["join", "position"])]
    games: Vec<String>,
    /// With --games: matches to play at once, each with a process and a connection of its own
    #[arg(long, value_name = "N", default_value_t = 1, requires = "games", value_parser = clap::value_parser!(u32).range(1..=16))]
    at_once: u32,
    /// With --games: the least starting time of a clock
    #[arg(long, value_name = "TIME", default_value = "1s", requires = "games", value_parser = duration)]
    min_clock: Duration,
    /// The clock of each player: 3m+2s, or none
    #[arg(long, value_name = "CLOCK", default_value = "none")]
    clock: TimeControl,
    #[command(flatten)]
    limits: Limits,
    /// The command of the bot with its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl Arguments {
    /// Plays.
    pub(crate) fn run(self, context: &Context) -> Result<Exit, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let launch = check::launch(self.command.clone(), self.limits);
        let mut bridge = Bridge::start(launch)?;
        if !self.games.is_empty() {
            let result = runtime.block_on(self.offering().run(context, bridge));
            runtime.shutdown_background();
            return result;
        }
        let result = runtime.block_on(self.play_all(context, &mut bridge));
        bridge.quit();
        runtime.shutdown_background();
        result
    }

    fn offering(self) -> Offering {
        let min_base = u64::try_from(self.min_clock.as_millis()).unwrap_or(u64::MAX);
        let is_all = self.games.iter().any(|game| game == "all");
        Offering {
            offer: Offer {
                games: if is_all { Vec::new() } else { self.games },
                at_once: self.at_once,
                min_base_ms: Some(Millis(min_base)),
                untimed: true,
            },
            command: self.command,
            limits: self.limits,
        }
    }

    async fn play_all(&self, context: &Context, bridge: &mut Bridge) -> Result<Exit, Failure> {
        let name = bridge.name().map(str::to_owned);
        let mut signed_in = sign_in_bot(context, name.as_deref()).await?;
        if let Some(tournament) = &self.tournament {
            let played = circuit::play(bridge, context, signed_in, tournament).await?;
            match context.output.json {
                true => context.output.object(&serde_json::json!({
                    "type": "tournament",
                    "tournament": tournament,
                    "games": played.games,
                    "wins": played.wins,
                    "losses": played.losses,
                }))?,
                false => context.output.line(&format!(
                    "{tournament}  over: {} games, {} won, {} lost   standings: grundy tournament show {tournament}",
                    played.games, played.wins, played.losses
                ))?,
            }
            return Ok(Exit::Done);
        }
        let open: Vec<MatchId> = signed_in
            .welcome
            .obligations
            .iter()
            .map(|open| open.match_id)
            .collect();
        for match_id in open {
            let server = context.config.server().clone();
            let patience = context.config.timeout();
            let us = signed_in;
            let player = us.welcome.player.id;
            let link = remote::attach(us, server, match_id, Manner::Playing, patience).await?;
            play(context, bridge, link, match_id, player).await?;
            signed_in = sign_in_bot(context, None).await?;
        }
        if let Some(code) = &self.join {
            let code = code.to_string();
            let match_id = match signed_in.connection.ask(Join { code }).await? {
                Reply::Joined { match_id, .. } => match_id,
                other => return Err(unexpected(&other)),
            };
            seat(context, bridge, signed_in, match_id).await?;
            return Ok(Exit::Done);
        }
        let (Some(position), Some(bot)) = (&self.position, &self.against) else {
            return Ok(Exit::Done);
        };
        for game in 0..self.matches {
            let request = Create {
                position: position.clone(),
                clock: self.clock,
                client_create_id: None,
                side: match game % 2 {
                    0 => Side::First,
                    _ => Side::Second,
                },
                opponent: Opponent::Bot {
                    name: bot.to_string(),
                },
            };
            let match_id = match signed_in.connection.ask(request).await? {
                Reply::Created { match_id, .. } => match_id,
                other => return Err(unexpected(&other)),
            };
            seat(context, bridge, signed_in, match_id).await?;
            // A connection is used up by its match.
            signed_in = sign_in_bot(context, None).await?;
        }
        signed_in.connection.close().await;
        Ok(Exit::Done)
    }
}

/// Plays a match that the connection follows already.
async fn seat(
    context: &Context,
    bridge: &mut Bridge,
    signed_in: SignedIn,
    match_id: MatchId,
) -> Result<(), Failure> {
    let player = signed_in.welcome.player.id;
    let server = context.config.server().clone();
    let link = remote::seated(signed_in, server, match_id, context.config.timeout());
    play(context, bridge, link, match_id, player).await
}
