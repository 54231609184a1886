//! What a match uses of the quotas of its players and of the address at which it was created.

use bytes::Bytes;
use grundy_shared::ids::{PlayerId, Seat, Seq};
use grundy_shared::referee::Referee;

use super::builtin;
use crate::quotas::{ROW_BYTES, Resource};
use crate::store::{Append, Commit, StreamId};

/// What a commit stores, about.
pub(super) fn used_by(commit: &Commit) -> [(Resource, u64); 2] {
    let events = commit.appends.iter().flat_map(|append| &append.events);
    let bytes: usize = events.map(Bytes::len).sum();
    let makes =
        |append: &&Append| append.expected == Seq(0) && matches!(append.stream, StreamId::Match(_));
    let matches = commit.appends.iter().filter(makes).count() as u64;
    let bytes = bytes as u64 + matches * ROW_BYTES;
    [(Resource::Bytes, bytes), (Resource::Matches, matches)]
}

/// Who plays and is no built-in bot.
pub(super) fn persons(referee: &Referee) -> impl Iterator<Item = PlayerId> {
    let seated = Seat::BOTH
        .into_iter()
        .filter_map(|seat| referee.player(seat));
    seated
        .filter(|player| builtin::bot_of(player).is_none())
        .map(|player| player.id)
}
