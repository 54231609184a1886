//! Answers about ratings: of a player, their history, and leaderboards.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::Seq;
use grundy_shared::protocol::client::{Leaderboard, RatingHistory, Ratings};
use grundy_shared::protocol::rating::{LeaderboardEntry, RatedEntry};
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply};
use grundy_shared::rated::{Family, Rated, RatingEvent};

use super::answers::page_limit;
use super::player::Player;
use super::socket::Socket;
use crate::matches::refusal;
use crate::ratings::{info_of, points, solver_rating};
use crate::store::{self, Cursor, Logged, StoreError, StreamId};

impl<S: Socket> Player<S> {
    pub(super) async fn ratings(&self, ask: &Ratings) -> Result<Reply, ErrorBody> {
        let player = self.rated_player(ask.player.as_deref()).await?;
        let app = &self.connection.app;
        let ratings = app.store.ratings(player.id).await;
        let ratings = ratings.map_err(|error| refusal::of_store(&error))?;
        let solving = app.store.solver(player.id).await;
        let solving = solving.map_err(|error| refusal::of_store(&error))?;
        let now = app.clock.now();
        let info = |(family, row): (Family, store::RatingRow)| info_of(family, &row.state, now);
        Ok(Reply::Ratings {
            player,
            ratings: ratings.into_iter().map(info).collect(),
            solving: solving.map(|state| solver_rating(&state, now)),
        })
    }

    pub(super) async fn rating_history(&self, ask: &RatingHistory) -> Result<Reply, ErrorBody> {
        let limit = page_limit(ask.limit, 1)?;
        let family = family_named("family", &ask.family)?;
        let player = self.rated_player(ask.player.as_deref()).await?;
        let app = &self.connection.app;
        let state = app.ratings.state(player.id, family).await;
        let state = state.map_err(|error| refusal::of_store(&error))?;
        let end = ask.before.map_or(state.pairs.0, |before| {
            before.0.saturating_sub(1).min(state.pairs.0)
        });
        let after = Seq(end.saturating_sub(limit as u64));
        let most = (end - after.0) as usize;
        let stream = StreamId::Rating(player.id, family);
        let logged = app.store.load(stream, after, most).await;
        let logged = logged.map_err(|error| refusal::of_store(&error))?;
        let mut room = self.room();
        let mut pairs: Vec<RatedEntry> = Vec::new();
        for logged in logged.unwrap_or_default().into_iter().rev() {
            let entry = entry_of(&logged)?;
            let size = serde_json::to_string(&entry).map_or(usize::MAX, |text| text.len() + 1);
            // One at least, so that the pages come to an end.
            if size > room && !pairs.is_empty() {
                break;
            }
            room = room.saturating_sub(size);
            pairs.push(entry);
        }
        let last = pairs.last().map(|last| last.seq);
        Ok(Reply::RatingHistory {
            player,
            family: family.name().to_owned(),
            pairs,
            next: last.filter(|last| last.0 > 1),
        })
    }

    pub(super) async fn leaderboard(&self, ask: &Leaderboard) -> Result<Reply, ErrorBody> {
        let limit = page_limit(ask.limit, 1)?;
        let family = family_named("family", &ask.family)?;
        let after = match &ask.after {
            None => None,
            Some(text) => Some(text.parse::<Cursor>().map_err(|_| no_page("after", text))?),
        };
        let app = &self.connection.app;
        let board = store::Leaderboard {
            family,
            bots: ask.bots,
            provisional: ask.provisional,
            now: app.clock.now(),
        };
        let ranked = app.store.leaderboard(board, after, limit).await;
        let ranked = ranked.map_err(|error| match (&error, &ask.after) {
            (StoreError::BadCursor, Some(text)) => no_page("after", text),
            _ => refusal::of_store(&error),
        })?;
        let full = ranked.len() == limit;
        let mut next = ranked.last().map(|last| last.cursor.clone());
        let mut room = self.room();
        let (mut entries, mut last, mut cut) = (Vec::new(), None, false);
        for ranked in ranked {
            let strength = ranked.state.strength_at(board.now);
            let entry = LeaderboardEntry {
                player: ranked.player,
                rating: points(strength.rating.into()),
                deviation: points(strength.deviation.into()),
                pairs: ranked.state.pairs.0,
                last_at_ms: ranked.state.last_at,
            };
            let size = serde_json::to_string(&entry).map_or(usize::MAX, |text| text.len() + 1);
            if size > room && !entries.is_empty() {
                (next, cut) = (last, true);
                break;
            }
            room = room.saturating_sub(size);
            entries.push(entry);
            last = Some(ranked.cursor);
        }
        Ok(Reply::Leaderboard {
            family: family.name().to_owned(),
            bots: ask.bots,
            provisional: ask.provisional,
            entries,
            next: next.filter(|_| full || cut).map(|next| next.to_string()),
        })
    }

    /// The player who is meant: the asker, if nobody is named.
    async fn rated_player(&self, named: Option<&str>) -> Result<PlayerInfo, ErrorBody> {
        let Some(named) = named else {
            return Ok(self.info.clone());
        };
        let id = self.player_named("player", named).await?;
        let found = self.connection.app.store.player(id).await;
        let found = found.map_err(|error| refusal::of_store(&error))?;
        found.ok_or_else(|| {
            let words = "no player has this id or name";
            ErrorBody::new(ErrorCode::NoSuchPlayer, words)
                .field("player")
                .got(named)
        })
    }
}

/// The family of this name, which the request has in this field.
pub(super) fn family_named(field: &'static str, name: &str) -> Result<Family, ErrorBody> {
    name.parse::<Family>().map_err(|unknown| {
        ErrorBody::new(ErrorCode::OutOfRange, unknown.to_string())
            .field(field)
            .got(name)
    })
}

fn entry_of(logged: &Logged) -> Result<RatedEntry, ErrorBody> {
    let event = serde_json::from_slice(&logged.body).map_err(|_| refusal::internal())?;
    let RatingEvent::Rated(Rated {
        at_ms,
        pair,
        match_id,
        opponent,
        score,
        before,
        against,
        after,
        ..
    }) = event;
    let rating = points(after.rating.into());
    Ok(RatedEntry {
        seq: logged.seq,
        at_ms,
        pair,
        match_id,
        opponent,
        opponent_rating: points(against.rating.into()),
        score,
        rating,
        change: rating - points(before.rating.into()),
        deviation: points(after.deviation.into()),
    })
}

/// A place in a list that no page named, in this field.
pub(super) fn no_page(field: &'static str, text: &str) -> ErrorBody {
    let words = format!("`{field}` is not the `next` of a page");
    ErrorBody::new(ErrorCode::OutOfRange, words)
        .field(field)
        .got(text)
}
