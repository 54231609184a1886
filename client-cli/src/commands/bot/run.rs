//! `grundy bot run`: a program plays on a server.

use std::time::Duration;

use clap::Args;
use grundy_shared::bot::Bot;
use grundy_shared::event::TimeControl;
use grundy_shared::ids::{JoinCode, Millis};
use grundy_shared::protocol::client::{Create, Offer, Opponent, Side};

use crate::bot::check;
use crate::bot::limits::Limits;
use crate::bot::online_player::{OnlinePlayer, Purpose};
use crate::bot::pool::Pool;
use crate::context::Context;
use crate::duration::duration;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::reading::clock;

/// Processes of a bot, if nothing else is said.
const PROGRAMS: u32 = 16;

/// Arguments of `bot run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy bot run --games nim,kayles --at-once 8 --min-clock 1s -- ./mybot
  grundy bot run --position nim:3,5,7 --against perfect --matches 10 -- ./mybot
  grundy bot run --join KWQHRMTB -- python3 mybot/bot.py
  grundy bot run --tournament 7Kq2mVx9Rt -- ./mybot
  grundy bot run -- ./mybot               finish its unfinished matches

The program speaks on stdin and stdout as docs/BOTS.md says. If it ends, it is started again and goes on within its \
clock. If the server is not there yet, refuses for the moment or loses the connection, the bot waits and tries again, \
until Ctrl-C. Unfinished matches of the bot are continued at the same time.")]
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
    /// With --games: matches to play at once
    #[arg(long, value_name = "N", default_value_t = 1, requires = "games", value_parser = clap::value_parser!(u32).range(1..=100))]
    at_once: u32,
    /// Processes of the bot, which share its matches: each thinks about one move at a time [default: as --at-once, at most 16]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    programs: Option<u32>,
    /// With --games: the least starting time of a clock
    #[arg(long, value_name = "TIME", default_value = "1s", requires = "games", value_parser = duration)]
    min_clock: Duration,
    /// The clock of each player: 3m+2s, or none
    #[arg(long, value_name = "CLOCK", default_value = "none", value_parser = clock)]
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
        let launch = check::launch(self.command.clone(), self.limits);
        let most = self.programs.unwrap_or(self.at_once.min(PROGRAMS));
        let pool = Pool::start(launch, most as usize)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let player = OnlinePlayer::new(context, pool, self.purpose());
        let result = runtime.block_on(player.run());
        runtime.shutdown_background();
        result
    }

    fn purpose(self) -> Purpose {
        if !self.games.is_empty() {
            let min_base = u64::try_from(self.min_clock.as_millis()).unwrap_or(u64::MAX);
            let is_all = self.games.iter().any(|game| game == "all");
            return Purpose::Offer(Offer {
                games: if is_all { Vec::new() } else { self.games },
                at_once: self.at_once,
                min_base_ms: Some(Millis(min_base)),
                untimed: true,
            });
        }
        if let Some(tournament) = self.tournament {
            return Purpose::Tournament(tournament);
        }
        match (self.join, self.position, self.against) {
            (Some(code), ..) => Purpose::Join(code),
            (None, Some(position), Some(bot)) => {
                let create = Create {
                    position,
                    clock: self.clock,
                    games: 1,
                    rated: false,
                    client_create_id: None,
                    side: Side::First,
                    opponent: Opponent::Bot {
                        name: bot.to_string(),
                    },
                };
                Purpose::Create(create, self.matches)
            }
            _ => Purpose::Finish,
        }
    }
}
