//! `grundy tournament create`.

use std::time::Duration;

use clap::{Args, ValueEnum};
use grundy_shared::bot::Bot;
use grundy_shared::event::TimeControl;
use grundy_shared::ids::Millis;
use grundy_shared::protocol::tournament::CreateTournament;
use grundy_shared::suite::check_starts;
use grundy_shared::tournament::{Admission, Format, Rules, Starts, Who};
use grundy_words::Message;

use super::{show, state};
use crate::account::sign_in;
use crate::context::Context;
use crate::duration::duration;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::reading::clock;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum System {
    RoundRobin,
    DoubleRoundRobin,
    Gauntlet,
    Swiss,
    Knockout,
    Ladder,
}

/// Which players may enter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Kind {
    Both,
    People,
    Bots,
}

/// Arguments of `tournament create`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy tournament create 'Nim Cup' --format swiss --rounds 5 --bot perfect --bot skill:0.8
  grundy tournament create Open --format round-robin --games 4 --players 8 --start nim:3,5,7 --start kayles:9
  grundy tournament create League --format ladder --rounds 100 --start random:nim,heaps=3-5,max=15 --start-in 10m

A pairing is --games games: two by two from one start with sides swapped. Starts are drawn from a seed to which the server \
commits before anybody enters. The tournament begins when its last place is taken, after --start-in, or with \
'grundy tournament start'.")]
pub(super) struct Arguments {
    /// The name of the tournament
    #[arg(value_name = "NAME")]
    name: String,
    /// Who meets whom
    #[arg(long, value_enum, default_value = "round-robin")]
    format: System,
    /// Rounds of a Swiss tournament or ladder
    #[arg(long, value_name = "N", default_value_t = 5)]
    rounds: u32,
    /// Players who meet all others in a gauntlet: the first who enter
    #[arg(long, value_name = "N", default_value_t = 1)]
    seeds: u32,
    /// Games of a pairing: 1, or an even number
    #[arg(long, value_name = "N", default_value_t = 2)]
    games: u32,
    /// The clock of each player: 1m+1s, 5m+d3s (delay), 5m+b3s (Bronstein), 10s/move, 10m+3x30s (byo-yomi)
    #[arg(long, value_name = "CLOCK", default_value = "1m+1s", value_parser = clock)]
    clock: TimeControl,
    /// Where games begin: a position (repeat the option for more), or random:nim,heaps=3-5,max=15,count=32
    #[arg(
        long,
        value_name = "START",
        default_value = "random:nim,heaps=3-5,max=15"
    )]
    start: Vec<String>,
    /// The largest number of players
    #[arg(long, value_name = "N", default_value_t = 32)]
    players: u32,
    /// Which players may enter
    #[arg(long, value_enum, default_value = "both")]
    who: Kind,
    /// Admit only a player of this name; repeat the option for more
    #[arg(long, value_name = "NAME")]
    admit: Vec<String>,
    /// A built-in bot of the server that plays along; repeat the option for more
    #[arg(long, value_name = "NAME")]
    bot: Vec<Bot>,
    /// Start after this time, such as 10m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    start_in: Option<Duration>,
    /// A player who does not come to a game for this long loses it
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    start_within: Duration,
    /// A player who is away from a game for this long loses it
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    away: Duration,
}

fn millis(time: Duration) -> Millis {
    Millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

impl Arguments {
    fn request(self) -> Result<CreateTournament, Failure> {
        let starts = match &self.start[..] {
            [only] if only.starts_with("random:") => Starts::Random {
                recipe: only.trim_start_matches("random:").to_owned(),
            },
            positions => Starts::List {
                positions: positions.to_vec(),
            },
        };
        // Checked here too, so that the fault is shown without a server.
        check_starts(&starts).map_err(|bad| {
            let message = Message::new("start-bad").text("said", bad.why);
            let how = Message::new("start-bad-how").text("said", bad.hint);
            Failure::told(Exit::Input, "suite", message).help(how)
        })?;
        Ok(CreateTournament {
            name: self.name,
            format: match self.format {
                System::RoundRobin => Format::RoundRobin {},
                System::DoubleRoundRobin => Format::DoubleRoundRobin {},
                System::Gauntlet => Format::Gauntlet { seeds: self.seeds },
                System::Swiss => Format::Swiss {
                    rounds: self.rounds,
                },
                System::Knockout => Format::Knockout {},
                System::Ladder => Format::Ladder {
                    rounds: self.rounds,
                },
            },
            rules: Box::new(Rules {
                games: self.games,
                clock: self.clock,
                starts,
                start_ms: millis(self.start_within),
                away_ms: millis(self.away),
            }),
            admission: Admission {
                who: match self.who {
                    Kind::Both => Who::Both,
                    Kind::People => Who::People,
                    Kind::Bots => Who::Bots,
                },
                most: self.players,
                names: self.admit,
            },
            start_in_ms: self.start_in.map(millis),
            bots: self.bot.iter().map(ToString::to_string).collect(),
        })
    }

    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let request = self.request()?;
        let mut signed_in = sign_in(context, 0).await?;
        let state = state::state_of(&mut signed_in.connection, request).await?;
        signed_in.connection.close().await;
        show::print(context, &state, None)?;
        let next = Message::new("tournament-next").text("tournament", state.tournament);
        context.output.talk(&next.said(context.output.words()));
        Ok(Exit::Done)
    }
}
