//! `grundy challenge`: a match with a certain player.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use grundy_shared::event::TimeControl;
use grundy_shared::ids::Millis;
use grundy_shared::protocol::client::{Challenge, Side};

use crate::account::sign_in;
use crate::challenge::challenge;
use crate::confirm::may_record;
use crate::context::Context;
use crate::duration::duration;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::reading::{clock, games, games_of, position};
use crate::session::match_view::{MatchView, Ours};
use crate::session::{Opening, Session};

/// The side that the user wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum WantedSide {
    /// Make the first move.
    First,
    /// Make the second move.
    Second,
    /// Let chance decide.
    Random,
}

/// Arguments of `challenge`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy challenge Ada nim:3,5,7
  grundy challenge Ada kayles:12 --clock 3m+2s --side first --wait 5m
  grundy challenge Ada kayles:12 --games 10
  grundy challenge Ada kayles:12 --clock 3m+2s --rated

The player must be connected and wait for challenges: a person with 'grundy challenges', a bot with \
'grundy bot run --games'. A bot's standing offer is answered at once.")]
pub(crate) struct Arguments {
    /// The player: an id or a name
    player: String,
    /// The start position, such as nim:3,5,7
    position: String,
    /// Which side you play
    #[arg(long, value_name = "SIDE", default_value = "random")]
    side: WantedSide,
    /// Each player's clock: 3m+2s, 3+2 (minutes and seconds), 5m+d3s (delay), 5m+b3s (Bronstein), 30s/move, 3d/move, 10m+3x30s
    /// (byo-yomi), or none
    #[arg(long, value_name = "CLOCK", default_value = "none", value_parser = clock)]
    clock: TimeControl,
    /// Games to play one after another with sides swapped: 1, or an even number up to 1000
    #[arg(long, value_name = "N", default_value = "1", value_parser = games, conflicts_with_all = ["record"])]
    games: u32,
    /// Play a rated pair: two games, sides swapped, with a clock
    #[arg(long, conflicts_with = "games", requires = "clock")]
    rated: bool,
    /// How long the challenge stands: 1 s to 1 h
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    wait: Duration,
    /// Write the record of the match to this file at the end
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

impl Arguments {
    /// Challenges, and plays.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let start = position(&self.position)?.to_string();
        if !may_record(&context.output, self.record.as_deref()).await? {
            return Ok(Exit::Done);
        }
        let request = Challenge {
            player: self.player,
            position: start,
            clock: self.clock,
            games: games_of(self.games, self.rated),
            rated: self.rated,
            side: match self.side {
                WantedSide::First => Side::First,
                WantedSide::Second => Side::Second,
                WantedSide::Random => Side::Random,
            },
            expires_ms: Some(Millis(
                u64::try_from(self.wait.as_millis()).unwrap_or(u64::MAX),
            )),
        };
        play(context, request, self.record).await
    }
}

/// Challenges a player, and plays the match.
pub(super) async fn play(
    context: &Context,
    request: Challenge,
    record: Option<PathBuf>,
) -> Result<Exit, Failure> {
    let signed_in = sign_in(context, 0).await?;
    let now = signed_in.welcome.now;
    let ours = Ours::Player(signed_in.welcome.player.id);
    let (link, match_id) = challenge(context, signed_in, request).await?;
    Session::new(
        context,
        link,
        MatchView::new(match_id, ours),
        Opening::Joined,
    )
    .at_server_time(now)
    .recording(record)
    .run()
    .await
}
