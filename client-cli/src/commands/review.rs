//! `grundy review`: who threw the win away, where, and what would have kept it.

use std::time::Duration;

use clap::{Args, ValueEnum};
use grundy_shared::ids::Seat;
use grundy_shared::review::{Mark, Review};

use super::games::finished;
use crate::context::Context;
use crate::duration::duration;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::thinking::think;

/// A side that the user names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    /// The first player.
    First,
    /// The second player.
    Second,
}

/// A mark that the user names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Named(Mark);

impl std::str::FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mark = Mark::ALL.into_iter().find(|mark| mark.as_str() == text);
        mark.map(Self).ok_or_else(|| {
            let all = Mark::ALL.map(Mark::as_str).join(" ");
            format!("'{text}' is not a mark; the marks are {all}")
        })
    }
}

/// Arguments of `review`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy review                        the last match that you finished
  grundy review 7Kq2mVx9Rt
  grundy review match.ndjson --json
  grundy review 7Kq2mVx9Rt --local
  grundy review nim:3,5,7 A-1 C-7 B-5 A-2
  grundy review match.ndjson --side first --fail-on '??'

Marks: ?? gave the win away; ! the only winning move out of three or more; !! the same, and hard \
to see; !? the best and ?! a bad try in a lost position; [] forced.

A match on a server can be reviewed when it is over; until then the exit code is 7.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    named: finished::Named,
    /// Show only this player's turning points
    #[arg(long, value_name = "SIDE")]
    side: Option<Side>,
    /// Exit with 10 if any move (of --side, if given) has this mark
    #[arg(long, value_name = "MARK")]
    fail_on: Option<Named>,
    /// Time limit for the whole match
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    budget: Duration,
    /// Memory limit, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

impl Arguments {
    /// Reviews.
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let record = finished::record(context, &self.named).await?;
        let mut review = think(self.budget, self.memory << 20, |budget| {
            Review::of(record.referee(), budget)
        });
        let seat = self.side.map(|side| match side {
            Side::First => Seat::First,
            Side::Second => Seat::Second,
        });
        if let Some(seat) = seat {
            review.turning_points.retain(|point| point.seat == seat);
        }
        if context.output.json {
            context.output.object(&review)?;
        } else {
            context.output.prose(&review.to_string())?;
        }
        let ours = |other: Seat| seat.is_none_or(|seat| seat == other);
        let found = self.fail_on.is_some_and(|Named(mark)| {
            Seat::BOTH
                .into_iter()
                .any(|seat| ours(seat) && review.summary.of(seat).marks.of(mark) > 0)
        });
        Ok(if found { Exit::No } else { Exit::Done })
    }
}
