//! `grundy games list`: the matches that were asked for.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::{Args, ValueEnum};
use grundy_shared::ids::Millis;
use grundy_shared::protocol::PAGE_MAX;
use grundy_shared::protocol::client::{List, ListOnly, ListOrder, ListResult, ListStatus};
use grundy_shared::protocol::server::{MatchSummary, Reply};
use serde_json::json;

use crate::account::sign_in;
use crate::connection::{Connection, unexpected};
use crate::context::Context;
use crate::duration::duration;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{reading, render};

/// Arguments of `games list`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// List only your matches
    #[arg(long)]
    mine: bool,
    /// List only matches of this player: an id or a name
    #[arg(long, value_name = "PLAYER", conflicts_with = "mine")]
    player: Option<String>,
    /// List only matches against this player; without --player, your own
    #[arg(long, value_name = "PLAYER")]
    opponent: Option<String>,
    /// List only matches in this state
    #[arg(long, value_name = "STATE")]
    status: Option<State>,
    /// List only matches of this game; 'sum' stands for sums of several games
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// List only matches from this start position
    #[arg(long, value_name = "POSITION")]
    start: Option<String>,
    /// List only matches that ended like this; 'won' and 'lost' are those of --player, or your own
    #[arg(long, value_name = "RESULT")]
    result: Option<Ending>,
    /// List only rated matches; with --rated=false only others
    #[arg(long, value_name = "WHETHER", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    rated: Option<bool>,
    /// List only matches created at this time or later: a day such as 2026-11-30 (UTC), a time, or how long ago, such as 30d
    #[arg(long, value_name = "TIME", value_parser = moment)]
    since: Option<Millis>,
    /// List only matches created before this time
    #[arg(long, value_name = "TIME", value_parser = moment)]
    until: Option<Millis>,
    /// List only finished matches with at least so many moves
    #[arg(long, value_name = "N")]
    min_moves: Option<u32>,
    /// List only finished matches with at most so many moves
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,
    /// List the oldest first
    #[arg(long)]
    oldest: bool,
    /// The largest number of matches to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum State {
    /// Nobody has taken the other seat.
    Waiting,
    /// Being played.
    Live,
    /// Finished.
    Over,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Ending {
    /// The player won.
    Won,
    /// The player lost.
    Lost,
    /// The first player won.
    First,
    /// The second player won.
    Second,
    /// Nobody won.
    Draw,
    /// The match does not count.
    Void,
}

impl State {
    fn on_the_wire(self) -> ListStatus {
        match self {
            Self::Waiting => ListStatus::Waiting,
            Self::Live => ListStatus::Live,
            Self::Over => ListStatus::Over,
        }
    }
}

impl Ending {
    fn on_the_wire(self) -> ListResult {
        match self {
            Self::Won => ListResult::Won,
            Self::Lost => ListResult::Lost,
            Self::First => ListResult::First,
            Self::Second => ListResult::Second,
            Self::Draw => ListResult::Draw,
            Self::Void => ListResult::Void,
        }
    }
}

/// Reads a moment: a day, a time, or how long ago.
fn moment(text: &str) -> Result<Millis, String> {
    let whole = match text.len() {
        // The first moment of a day.
        10 => format!("{text} 00:00:00"),
        _ => text.to_owned(),
    };
    let at = match (humantime::parse_rfc3339_weak(&whole), duration(text)) {
        (Ok(at), _) => Some(at),
        // A bare number could be a year.
        (Err(_), Ok(ago)) if text.parse::<u64>().is_err() => SystemTime::now().checked_sub(ago),
        _ => None,
    };
    let since_1970 = at.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let millis = since_1970.and_then(|time: Duration| u64::try_from(time.as_millis()).ok());
    millis.map(Millis).ok_or_else(|| {
        "expected a day such as 2026-11-30, a time such as 2026-11-30T18:00:00Z, or how long ago, such as 30d".to_owned()
    })
}

impl Arguments {
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let start = match &self.start {
            Some(start) => Some(reading::position(start)?.to_string()),
            None => None,
        };
        let of_nobody = self.player.is_none();
        let of_somebody = matches!(self.result, Some(Ending::Won | Ending::Lost));
        let only = ListOnly {
            game: self.game.map(|game| game.to_ascii_lowercase()),
            start,
            result: self.result.map(Ending::on_the_wire),
            rated: self.rated,
            since_ms: self.since,
            until_ms: self.until,
            min_plies: self.min_moves,
            max_plies: self.max_moves,
            ..ListOnly::default()
        };
        let wanted = List {
            mine: self.mine || (of_nobody && (self.opponent.is_some() || of_somebody)),
            player: self.player,
            opponent: self.opponent,
            status: self.status.map(State::on_the_wire),
            only: (only != ListOnly::default()).then(|| Box::new(only)),
            order: self.oldest.then_some(ListOrder::Oldest),
            ..List::default()
        };
        let mut signed_in = sign_in(context, 0).await?;
        let (all, more) = matches(&mut signed_in.connection, &wanted, self.limit).await?;
        signed_in.connection.close().await;
        let output = &context.output;
        if output.json {
            output.object(&json!({
                "schema": "grundy/games/1",
                "matches": all,
                "more": more,
            }))?;
        } else if all.is_empty() {
            output.talk("No matches found. Start one: grundy play nim:3,5,7");
        } else {
            output.text(&render::matches::list(&all, output.width()))?;
            if more {
                output.talk("There are more matches; list them with --limit N");
            }
        }
        Ok(Exit::Done)
    }
}

/// The first `limit` matches of a list, and whether there may be more.
pub(super) async fn matches(
    connection: &mut Connection,
    wanted: &List,
    limit: u32,
) -> Result<(Vec<MatchSummary>, bool), Failure> {
    let mut all: Vec<MatchSummary> = Vec::new();
    let mut next = None;
    loop {
        let missing = limit - u32::try_from(all.len()).unwrap_or(limit).min(limit);
        if missing == 0 {
            return Ok((all, true));
        }
        let request = List {
            before: next,
            limit: Some(missing.min(PAGE_MAX)),
            ..wanted.clone()
        };
        let page = match connection.ask(request).await? {
            Reply::Matches {
                matches, next: at, ..
            } => {
                next = at;
                matches
            }
            other => return Err(unexpected(&other)),
        };
        all.extend(page);
        if next.is_none() {
            return Ok((all, false));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_days_times_and_ages() {
        assert_eq!(moment("1970-01-02"), Ok(Millis(86_400_000)));
        assert_eq!(moment("1970-01-01T00:00:01.5Z"), Ok(Millis(1_500)));
        assert_eq!(moment("1970-01-01 00:01:00"), Ok(Millis(60_000)));
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .expect("later")
            .as_millis();
        let week = u128::from(moment("7d").expect("a week ago").0);
        assert!((now - 7 * 86_400_000).abs_diff(week) < 60_000);
        for bad in [
            "",
            "2026",
            "yesterday",
            "2026-13-01",
            "1969-12-31",
            "0s",
            "9999999y",
        ] {
            assert!(moment(bad).is_err(), "{bad}");
        }
    }
}
