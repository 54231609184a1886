//! What a match uses of the quotas of its players and of the address at which it was created.

use bytes::Bytes;
use grundy_shared::event::Event;
use grundy_shared::ids::{PlayerId, Seat, Seq};
use grundy_shared::referee::Referee;

use super::builtin;
use crate::quotas::{ROW_BYTES, Resource};
use crate::store::{Commit, MatchRow, Projection, StreamId};

/// Bytes of one ply of a review beside the positions, about.
const PLY_BYTES: u64 = 400;
/// Longer matches are not reviewed unless the operator says otherwise.
const REVIEWED_PLIES: u32 = 500;

/// The approximate bytes of a commit: the events, the summary of a new match (which repeats its start), and the review that a match gets when it is over.
/// The review is counted here because the address at which a match was created is forgotten with its end.
pub(super) fn used_by(commit: &Commit) -> [(Resource, u64); 2] {
    let events = commit.appends.iter().flat_map(|append| &append.events);
    let mut bytes = events.map(Bytes::len).sum::<usize>() as u64;
    let mut matches = 0;
    for projection in &commit.projections {
        let Projection::Match { id, row } = projection else {
            continue;
        };
        let of = StreamId::Match(*id);
        let Some(append) = commit.appends.iter().find(|append| append.stream == of) else {
            continue;
        };
        if append.expected == Seq(0) {
            matches += 1;
            bytes += ROW_BYTES + row.start.len() as u64;
        }
        if append.events.iter().any(|body| ends(body)) {
            bytes += review_bytes(row);
        }
    }
    // Rows do not fill the pages of the file.
    let bytes = bytes + bytes / 8;
    [(Resource::Bytes, bytes), (Resource::Matches, matches)]
}

fn ends(body: &[u8]) -> bool {
    matches!(serde_json::from_slice(body), Ok(Event::Ended { .. }))
}

/// About the bytes of the review of a match: each ply has the position before it and the best moves.
fn review_bytes(row: &MatchRow) -> u64 {
    let plies = u64::from(row.plies.0.min(REVIEWED_PLIES));
    plies * (2 * row.start.len() as u64 + PLY_BYTES)
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
