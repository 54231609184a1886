//! Removing what nobody needs any more.

use grundy_shared::event::{Event, Outcome};
use grundy_shared::ids::{MatchId, PlayerId};
use grundy_shared::protocol::chat::Room;
use rustc_hash::FxHashSet;

use super::{Kept, State};
use crate::store::{MatchRow, MatchStatus, REMOVED_AT_ONCE, Removal, StreamId, Unneeded};

impl State {
    /// What may be removed. Cost: linear in the matches and guests.
    pub(super) fn removable(&self, unneeded: Unneeded) -> Removal {
        let origins = self.origins();
        let void = |kept: &&Kept| self.is_void(kept, &origins, unneeded);
        let matches = self.matches.values().filter(void).map(|kept| kept.id);
        let mut came: Vec<_> = self.came_at.iter().map(|(id, at)| (*at, *id)).collect();
        came.sort_unstable();
        let seated = self.seated();
        let unused = |player: &PlayerId| self.is_unused(*player, &seated, unneeded);
        let guests = came.into_iter().map(|(_, player)| player).filter(unused);
        Removal {
            matches: matches.take(REMOVED_AT_ONCE).collect(),
            guests: guests.take(REMOVED_AT_ONCE).collect(),
        }
    }

    /// Removes those of these that may still be removed.
    pub(super) fn remove(&mut self, wanted: Removal, unneeded: Unneeded) -> Removal {
        let mut removed = Removal::default();
        let origins = self.origins();
        for id in wanted.matches {
            let found = self.find(id);
            if found.is_some_and(|kept| self.is_void(kept, &origins, unneeded)) {
                self.remove_match(id);
                removed.matches.push(id);
            }
        }
        let seated = self.seated();
        for player in wanted.guests {
            if self.is_unused(player, &seated, unneeded) {
                self.remove_guest(player);
                removed.guests.push(player);
            }
        }
        removed
    }

    /// The matches of which there are rematches.
    fn origins(&self) -> FxHashSet<MatchId> {
        let rows = self.matches.values().map(|kept| &kept.row);
        rows.filter_map(|row| row.rematch_of).collect()
    }

    /// Everybody who sits in a match.
    fn seated(&self) -> FxHashSet<PlayerId> {
        let rows = self.matches.values().map(|kept| &kept.row);
        let seats = rows.flat_map(|row| [&row.first, &row.second]);
        seats.flatten().map(|player| player.id).collect()
    }

    fn is_void(&self, kept: &Kept, origins: &FxHashSet<MatchId>, unneeded: Unneeded) -> bool {
        let last_end = self.ended.last_key_value().map(|(place, _)| *place);
        came_to_nothing(&kept.row, unneeded)
            && kept.ended_order != last_end
            && !origins.contains(&kept.id)
            && !self.is_of_tournament(kept.id)
            && !self.has_newest_log(kept.id)
    }

    fn is_of_tournament(&self, id: MatchId) -> bool {
        let stream = self.streams.get(&StreamId::Match(id));
        let first = stream.and_then(|stream| stream.events.first());
        let created = first.and_then(|body| serde_json::from_slice(body).ok());
        !matches!(
            created,
            Some(Event::Created {
                tournament: None,
                ..
            })
        )
    }

    fn has_newest_log(&self, id: MatchId) -> bool {
        let mut streams = logs_of(id).filter_map(|stream| self.streams.get(&stream));
        streams.any(|stream| stream.number == self.last_stream)
    }

    fn is_unused(
        &self,
        player: PlayerId,
        seated: &FxHashSet<PlayerId>,
        unneeded: Unneeded,
    ) -> bool {
        let came = self.came_at.get(&player);
        let account = self.accounts.get(&player);
        came.is_some_and(|at| *at < unneeded.guests_before)
            && account.is_some_and(|account| account.password.is_none())
            && !self.kept.contains(&player)
            && !seated.contains(&player)
    }

    fn remove_match(&mut self, id: MatchId) {
        for stream in logs_of(id) {
            self.streams.remove(&stream);
        }
        if let Some(number) = self.by_id.remove(&id)
            && let Some(kept) = self.matches.remove(&number)
        {
            kept.ended_order.map(|place| self.ended.remove(&place));
        }
        self.reviews.remove(id);
        self.codes.retain(|_, (of, _)| *of != id);
        self.create_ids.retain(|_, of| *of != id);
    }

    fn remove_guest(&mut self, player: PlayerId) {
        self.players.remove(&player);
        self.accounts.remove(&player);
        self.came_at.remove(&player);
        self.names.retain(|_, of| *of != player);
        self.tokens.retain(|_, of| *of != player);
    }
}

/// Whether a match ended long ago without a move, counts for nothing, and neither follows on another nor is followed by one.
fn came_to_nothing(row: &MatchRow, unneeded: Unneeded) -> bool {
    row.status == MatchStatus::Over
        && row.outcome == Some(Outcome::Void)
        && row.plies.0 == 0
        && row.series.is_none()
        && row.rematch_of.is_none()
        && row.ended_at.is_some_and(|at| at < unneeded.matches_before)
}

/// The logs of a match: its own, and those of its rooms.
fn logs_of(id: MatchId) -> impl Iterator<Item = StreamId> {
    let rooms = Room::ALL
        .into_iter()
        .map(move |room| StreamId::Chat(id, room));
    rooms.chain([StreamId::Match(id)])
}
