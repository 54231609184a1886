//! Lists of matches: what is asked for, and a page that fits one message.

use grundy_shared::event::Outcome;
use grundy_shared::ids::PlayerId;
use grundy_shared::protocol::client::{
    List, ListOnly, ListOrder, ListResult, ListStatus, MistakesBy,
};
use grundy_shared::protocol::server::{MatchSummary, MistakeCounts};
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply};

use super::answers::page_limit;
use super::guest::may_invite;
use super::player::Player;
use super::ratings::{family_named, no_page};
use super::socket::Socket;
use crate::costly;
use crate::help;
use crate::matches::refusal;
use crate::store::{
    self, Ending, LeftOut, ListFilter, Listed, Listing, MatchStatus, Mistakes, MistakesWanted,
    Order, Page, StoreError, Traits,
};

impl<S: Socket> Player<S> {
    pub(super) async fn list(&self, ask: &List) -> Result<Reply, ErrorBody> {
        let limit = page_limit(ask.limit, 1)?;
        let from = match &ask.before {
            None => None,
            Some(text) => Some(text.parse().map_err(|_| no_page("before", text))?),
        };
        let filter = self.filter_of(ask).await?;
        let order = match ask.order {
            None | Some(ListOrder::Newest) => Order::Newest,
            Some(ListOrder::Oldest) => Order::Oldest,
            Some(ListOrder::Ended) => Order::Ended,
        };
        if order == Order::Ended && ask.status.is_some_and(|status| status != ListStatus::Over) {
            let words = "the order `ended` lists only matches that are over";
            return Err(ErrorBody::new(ErrorCode::OutOfRange, words).field("status"));
        }
        let page = Page { order, from, limit };
        let listing = self.connection.app.store.list(filter, page).await;
        let Listing {
            mut found,
            mut next,
            mut left_out,
        } = listing.map_err(|error| match (&error, &ask.before) {
            (StoreError::BadCursor, Some(text)) => no_page("before", text),
            _ => refusal::of_store(&error),
        })?;
        self.hide_mistakes(&mut found).await?;
        let mut room = self.room();
        let (mut last, mut left_out_before) = (None, LeftOut::default());
        let mut matches = Vec::with_capacity(found.len());
        for entry in found {
            let (cursor, passed_over) = (entry.cursor.clone(), entry.left_out);
            let mut summary = summary(entry, order);
            if summary.status == ListStatus::Waiting && may_invite(self.token.scopes) {
                let live = self.connection.app.matches.get(summary.match_id);
                let invitation = live.and_then(|live| live.invitation());
                (summary.code, summary.expires_at_ms) = invitation.unzip();
            }
            if summary.status == ListStatus::Live {
                // The row was written when the match began.
                let plies = self.connection.app.matches.plies(summary.match_id);
                summary.plies = plies.map_or(summary.plies, |plies| plies.0);
                summary.adjourned = self.connection.app.matches.is_adjourned(summary.match_id);
            }
            let size = json_size(&summary);
            // One entry at least, so that the pages come to an end.
            if size > room && !matches.is_empty() {
                // The next page begins behind the last entry that fits, and counts what comes after it.
                (next, left_out) = (last, left_out_before);
                break;
            }
            room = room.saturating_sub(size);
            matches.push(summary);
            (last, left_out_before) = (Some(cursor), passed_over);
        }
        Ok(Reply::Matches {
            matches,
            next: next.map(|cursor| cursor.to_string()),
            uncounted: left_out.uncounted,
            unknown: left_out.unknown,
            unverified: left_out.unverified,
        })
    }

    /// Removes the solver's findings if the player is in a rated match.
    async fn hide_mistakes(&self, found: &mut [Listed]) -> Result<(), ErrorBody> {
        let counted = found.iter().any(|listed| listed.mistakes.is_some());
        let store = &*self.connection.app.store;
        let allowed = || help::is_allowed(store, self.info.id);
        let of_store = |error| refusal::of_store(&error);
        if counted && !allowed().await.map_err(of_store)? {
            found.iter_mut().for_each(|listed| listed.mistakes = None);
        }
        Ok(())
    }

    async fn filter_of(&self, ask: &List) -> Result<ListFilter, ErrorBody> {
        let (player, opponent) = self.players_of(ask).await?;
        let traits = match &ask.only {
            Some(only) => Traits {
                start: self.start_of(only).await?,
                ..traits_of(only, player)?
            },
            None => Traits::default(),
        };
        let status = ask.status.map(|status| match status {
            ListStatus::Waiting => MatchStatus::Waiting,
            ListStatus::Live => MatchStatus::Live,
            ListStatus::Over => MatchStatus::Over,
        });
        Ok(ListFilter {
            player,
            opponent,
            status,
            viewer: Some(self.info.id),
            traits,
        })
    }

    /// The start that is asked for, in canonical form.
    async fn start_of(&self, only: &ListOnly) -> Result<Option<String>, ErrorBody> {
        let Some(text) = &only.start else {
            return Ok(None);
        };
        let typed = text.clone();
        let read = move |leave| {
            let start = costly::read_stored(leave, &typed);
            let start = start.map_err(|error| refusal::of_notation(&error).field("only.start"))?;
            Ok::<_, ErrorBody>(start.to_string())
        };
        let matches = &self.connection.app.matches;
        matches
            .about(self.owner(), text, false, read)
            .await?
            .map(Some)
    }

    /// Whose matches are listed: those of a player, or of two against each other. Invitations are listed for their creator only.
    async fn players_of(
        &self,
        ask: &List,
    ) -> Result<(Option<PlayerId>, Option<PlayerId>), ErrorBody> {
        let player = match &ask.player {
            Some(_) if ask.mine => {
                let words = "give either `mine` or `player`, not both";
                return Err(ErrorBody::new(ErrorCode::UnknownField, words).field("player"));
            }
            Some(named) => Some(self.player_named("player", named).await?),
            None => {
                let mine = ask.mine || ask.status == Some(ListStatus::Waiting);
                mine.then_some(self.info.id)
            }
        };
        let opponent = match &ask.opponent {
            Some(_) if player.is_none() => {
                let words = "`opponent` needs `mine` or `player` beside it";
                return Err(ErrorBody::new(ErrorCode::MissingField, words).field("player"));
            }
            Some(named) => Some(self.player_named("opponent", named).await?),
            None => None,
        };
        Ok((player, opponent))
    }
}

/// What has to be true of the matches that are asked for, apart from the start, which takes work to read; `player` is whose matches they are.
fn traits_of(only: &ListOnly, player: Option<PlayerId>) -> Result<Traits, ErrorBody> {
    let family = only.game.as_deref();
    let family = family.map(|name| family_named("only.game", name));
    let ending = only.result.map(|result| ending_of(result, player));
    Ok(Traits {
        family: family.transpose()?,
        start: None,
        ending: ending.transpose()?,
        rated: only.rated,
        since: only.since_ms,
        until: only.until_ms,
        min_plies: only.min_plies,
        max_plies: only.max_plies,
        mistakes: mistakes_of(only, player)?,
    })
}

/// The filter for mistakes. `player` is the player whose matches are listed.
fn mistakes_of(
    only: &ListOnly,
    player: Option<PlayerId>,
) -> Result<Option<MistakesWanted>, ErrorBody> {
    let by = match (only.mistakes_by, player) {
        (Some(MistakesBy::Either), _) | (None, None) => store::MistakesBy::Either,
        (Some(MistakesBy::Player) | None, Some(id)) => store::MistakesBy::Player(id),
        (Some(MistakesBy::Opponent), Some(id)) => store::MistakesBy::OpponentOf(id),
        (Some(MistakesBy::Player | MistakesBy::Opponent), None) => {
            let words = "`mistakes_by` `player` or `opponent` also needs `mine` or `player`";
            return Err(ErrorBody::new(ErrorCode::MissingField, words).field("player"));
        }
    };
    let asked = only.min_mistakes.is_some() || only.max_mistakes.is_some();
    Ok(asked.then_some(MistakesWanted {
        by,
        least: only.min_mistakes.unwrap_or(0),
        most: only.max_mistakes.unwrap_or(u32::MAX),
    }))
}

/// How the matches that are asked for ended; `player` is whose matches they are.
fn ending_of(result: ListResult, player: Option<PlayerId>) -> Result<Ending, ErrorBody> {
    let of = |ending: fn(PlayerId) -> Ending| {
        player.map(ending).ok_or_else(|| {
            let words = "`won` and `lost` need `mine` or `player` beside them";
            ErrorBody::new(ErrorCode::MissingField, words).field("player")
        })
    };
    match result {
        ListResult::First => Ok(Ending::Outcome(Outcome::First)),
        ListResult::Second => Ok(Ending::Outcome(Outcome::Second)),
        ListResult::Draw => Ok(Ending::Outcome(Outcome::Draw)),
        ListResult::Void => Ok(Ending::Outcome(Outcome::Void)),
        ListResult::Won => of(Ending::WonBy),
        ListResult::Lost => of(Ending::LostBy),
    }
}

fn json_size(summary: &MatchSummary) -> usize {
    serde_json::to_string(summary).map_or(usize::MAX, |text| text.len() + 1)
}

fn summary(listed: Listed, order: Order) -> MatchSummary {
    let Listed {
        cursor,
        id,
        row,
        mistakes,
        left_out: _,
    } = listed;
    MatchSummary {
        match_id: id,
        position: row.start,
        clock: row.clock,
        series: row.series,
        first: row.first,
        second: row.second,
        status: match row.status {
            MatchStatus::Waiting => ListStatus::Waiting,
            MatchStatus::Live => ListStatus::Live,
            MatchStatus::Over => ListStatus::Over,
        },
        outcome: row.outcome,
        reason: row.reason,
        adjourned: false,
        plies: row.plies.0,
        created_at_ms: row.created_at,
        ended_at_ms: row.ended_at,
        code: None,
        expires_at_ms: None,
        place: (order == Order::Ended).then(|| cursor.to_string()),
        mistakes: match mistakes {
            Some(Mistakes::Known([first, second])) => Some(MistakeCounts { first, second }),
            Some(Mistakes::Unknown) | None => None,
        },
        mistakes_unknown: mistakes == Some(Mistakes::Unknown),
    }
}
