//! `grundy games list`: the matches that were asked for.

use clap::{Args, ValueEnum};
use grundy_shared::ids::Millis;
use grundy_shared::protocol::PAGE_MAX;
use grundy_shared::protocol::client::{
    List, ListOnly, ListOrder, ListResult, ListStatus, MistakesBy,
};
use grundy_shared::protocol::server::Reply;
use grundy_words::Message;
use serde_json::json;

use super::fetch::warning;
use super::found::Found;
use super::local;
use crate::account::{has_identity, sign_in};
use crate::connection::{Connection, unexpected};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::moment::moment;
use crate::render::matches::Listed;
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
    /// Show how many wins each player gave away, the first player's count first
    #[arg(long)]
    with_mistakes: bool,
    /// List only finished matches with at least this many mistakes
    #[arg(long, value_name = "N")]
    min_mistakes: Option<u32>,
    /// List only finished matches with at most this many mistakes
    #[arg(long, value_name = "N")]
    max_mistakes: Option<u32>,
    /// Whose mistakes count: those of --player (or yours with --mine), of the opponent, or of either [default: player; without --player or --mine, either]
    #[arg(long, value_name = "WHO")]
    mistakes_by: Option<Whose>,
    /// List only the matches of the library on this computer, without a server
    #[arg(long)]
    local: bool,
    /// List only the matches of the server
    #[arg(long, conflicts_with = "local")]
    online: bool,
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

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Whose {
    /// The player whose matches are listed.
    Player,
    /// That player's opponent.
    Opponent,
    /// At least one of the two.
    Either,
}

impl Whose {
    fn on_the_wire(self) -> MistakesBy {
        match self {
            Self::Player => MistakesBy::Player,
            Self::Opponent => MistakesBy::Opponent,
            Self::Either => MistakesBy::Either,
        }
    }
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

impl Arguments {
    pub(super) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let start = match &self.start {
            Some(start) => Some(reading::stored_start(start)?.to_string()),
            None => None,
        };
        let of_nobody = self.player.is_none();
        let of_somebody = matches!(self.result, Some(Ending::Won | Ending::Lost))
            || matches!(self.mistakes_by, Some(Whose::Player | Whose::Opponent));
        let only = ListOnly {
            game: self.game.map(|game| game.to_ascii_lowercase()),
            start,
            result: self.result.map(Ending::on_the_wire),
            rated: self.rated,
            since_ms: self.since,
            until_ms: self.until,
            min_plies: self.min_moves,
            max_plies: self.max_moves,
            min_mistakes: self.min_mistakes,
            max_mistakes: self.max_mistakes,
            mistakes_by: self.mistakes_by.map(Whose::on_the_wire),
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
        let asks_for_mistakes = self.min_mistakes.is_some() || self.max_mistakes.is_some();
        let here = || local::matches(context, &wanted, self.limit, self.with_mistakes);
        let (found, exit) = match (self.local, self.online) {
            (true, _) => (here()?, Exit::Done),
            (false, true) => (of_server(context, &wanted, self.limit).await?, Exit::Done),
            (false, false) => {
                let there = of_server(context, &wanted, self.limit).await;
                both(context, &wanted, self.limit, there, here)?
            }
        };
        let (output, words) = (&context.output, context.output.words());
        if output.json {
            let mut list = json!({
                "schema": "grundy/games/1",
                "matches": found.matches,
                "more": found.more,
            });
            if asks_for_mistakes {
                list["uncounted"] = json!(found.uncounted);
                list["unknown"] = json!(found.unknown);
            }
            if found.unverified > 0 {
                list["unverified"] = json!(found.unverified);
            }
            output.object(&list)?;
            return Ok(exit);
        }
        if found.matches.is_empty() {
            let none = Message::new("matches-none").whether("local", self.local);
            output.talk(&none.said(words));
        } else {
            let with_mistakes = self.with_mistakes || asks_for_mistakes;
            output.text(&render::matches::list(
                &found.matches,
                with_mistakes,
                output.width(),
                words,
            ))?;
            if found.more {
                output.talk(&words.say("matches-more"));
            }
        }
        // If a search left matches out, say so.
        for (left_out, why) in [
            (found.uncounted, "uncounted"),
            (found.unknown, "unknown"),
            (found.unverified, "unverified"),
        ] {
            if left_out > 0 {
                let left_out = Message::new("matches-left-out")
                    .number("count", left_out.into())
                    .text("why", why);
                output.talk(&left_out.said(words));
            }
        }
        Ok(exit)
    }
}

/// The matches of the server.
async fn of_server(context: &Context, wanted: &List, limit: u32) -> Result<Found, Failure> {
    let mut signed_in = sign_in(context, 0).await?;
    let found = matches(&mut signed_in.connection, wanted, limit).await?;
    signed_in.connection.close().await;
    Ok(found)
}

/// The matches of the server and those of the library. If one of the two cannot be read, a warning says so; without the server, the
/// list is not complete, and the exit code says that, too.
fn both(
    context: &Context,
    wanted: &List,
    limit: u32,
    there: Result<Found, Failure>,
    here: impl FnOnce() -> Result<Found, Failure>,
) -> Result<(Found, Exit), Failure> {
    let here = here().unwrap_or_else(|failure| {
        context
            .output
            .warn(&failure.shown_in(context.output.words()));
        Found::default()
    });
    match there {
        Ok(there) => {
            let all = there.with_local(here, wanted.order, limit as usize);
            Ok((all, Exit::Done))
        }
        Err(failure) if !here.matches.is_empty() => {
            let is_usual = context.config.named_server().is_none();
            let is_absent = failure.exit() == Exit::Unreachable;
            // Users without a server play on this computer only.
            if is_absent && is_usual && !has_identity(context)? {
                return Ok((here, Exit::Done));
            }
            let warning = warning(&failure, "matches-only-here", context.output.words());
            context.output.warn(&warning);
            Ok((here, failure.exit()))
        }
        Err(failure) => Err(failure),
    }
}

/// The first `limit` matches of a list.
pub(crate) async fn matches(
    connection: &mut Connection,
    wanted: &List,
    limit: u32,
) -> Result<Found, Failure> {
    let mut all = Found::default();
    let mut next = None;
    loop {
        let missing = limit - u32::try_from(all.matches.len()).unwrap_or(limit).min(limit);
        if missing == 0 {
            all.more = true;
            return Ok(all);
        }
        let request = List {
            before: next,
            limit: Some(missing.min(PAGE_MAX)),
            ..wanted.clone()
        };
        match connection.ask(request).await? {
            Reply::Matches {
                matches,
                next: at,
                uncounted,
                unknown,
                unverified,
            } => {
                next = at;
                all.matches
                    .extend(matches.into_iter().map(|summary| Listed {
                        summary,
                        local: false,
                    }));
                all.uncounted = all.uncounted.saturating_add(uncounted);
                all.unknown = all.unknown.saturating_add(unknown);
                all.unverified = all.unverified.saturating_add(unverified);
            }
            other => return Err(unexpected(&other)),
        }
        if next.is_none() {
            return Ok(all);
        }
    }
}
