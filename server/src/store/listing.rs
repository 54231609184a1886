//! Lists of matches: which, in which order, and by which pages.

use grundy_shared::event::Outcome;
use grundy_shared::ids::{JoinCode, MatchId, Millis, PlayerId, Seat};
use grundy_shared::rated::Family;

use super::cursor::Cursor;
use super::error::StoreError;
use super::mistakes::{Mistakes, MistakesWanted};
use super::summary::{MatchRow, MatchStatus};

/// The most matches that one [`Store::list`](super::Store::list) or [`Store::open_matches`](super::Store::open_matches) returns.
pub const LIST_PAGE: usize = 200;
/// The most matches that one [`Store::list`](super::Store::list) looks at, whatever it is asked to find.
pub const LIST_SCAN: usize = 1_000;
/// It ends with the match that brings the start positions to so many bytes.
const LIST_SCAN_BYTES: usize = 1 << 20;

/// Bytes of rows that are read in one turn of the thread: some 0.2 ms.
const BYTES_OF_A_TURN: usize = 16 << 10;
/// Bytes counted for a row besides its start position.
const ROW_BYTES: usize = 500;

/// Gives other connections of the thread turns while a store reads rows, which may come without a wait in between.
#[derive(Default)]
pub(super) struct Turns {
    read: usize,
}

impl Turns {
    /// Counts a row with a start position of this length, and yields if the turn is over.
    pub(super) async fn read(&mut self, start: usize) {
        self.read += start + ROW_BYTES;
        if self.read > BYTES_OF_A_TURN {
            self.read = 0;
            tokio::task::yield_now().await;
        }
    }
}

/// Which matches to list: those for which all of this holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ListFilter {
    /// This player sits in it.
    pub player: Option<PlayerId>,
    /// With `player`: this player has the other seat.
    pub opponent: Option<PlayerId>,
    /// It is in this state.
    pub status: Option<MatchStatus>,
    /// This player may know of it: see [`MatchRow::is_seen_by`]. What is hidden is passed over before pages are made, so that no page, cursor or
    /// count shows that it is there.
    pub viewer: Option<PlayerId>,
    /// What else must be true of it.
    pub traits: Traits,
}

/// What can be true of a match beside its players and its state. No index finds it: matches are looked at one by one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Traits {
    /// It is of this family of games.
    pub family: Option<Family>,
    /// It began with this position, in canonical form.
    pub start: Option<String>,
    /// It ended like this.
    pub ending: Option<Ending>,
    /// Whether it is rated.
    pub rated: Option<bool>,
    /// It was created at this moment or later.
    pub since: Option<Millis>,
    /// It was created before this moment.
    pub until: Option<Millis>,
    /// It is over, after at least so many moves.
    pub min_plies: Option<u32>,
    /// It is over, after at most so many moves.
    pub max_plies: Option<u32>,
    /// Filters by the wins that the players gave away. A match without a known count does not pass.
    pub mistakes: Option<MistakesWanted>,
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// With this outcome.
    Outcome(Outcome),
    /// This player won.
    WonBy(PlayerId),
    /// This player lost.
    LostBy(PlayerId),
}

impl ListFilter {
    /// How many matches have to be looked at for a page of this length.
    pub(super) fn scan(&self, limit: usize) -> usize {
        if self.traits == Traits::default() {
            return limit.min(LIST_PAGE);
        }
        LIST_SCAN
    }

    /// Whether players and state are those that are asked for, and the viewer may know of it.
    pub(super) fn seats_pass(&self, row: &MatchRow) -> bool {
        let of = |player: PlayerId| match self.opponent {
            None => row.seats(player),
            Some(other) => {
                let sits = |seat: Seat, id| row.player(seat).is_some_and(|seated| seated.id == id);
                Seat::BOTH
                    .into_iter()
                    .any(|seat| sits(seat, player) && sits(seat.other(), other))
            }
        };
        self.status.is_none_or(|status| row.status == status)
            && self.player.is_none_or(of)
            && self.viewer.is_none_or(|viewer| row.is_seen_by(viewer))
    }
}

impl Traits {
    /// Whether this match passes the filter, apart from the mistakes.
    fn are_of(&self, row: &MatchRow) -> bool {
        let plies = (row.status == MatchStatus::Over).then_some(row.plies.0);
        let rated = row.series.is_some_and(|series| series.rated);
        self.start.as_ref().is_none_or(|start| *start == row.start)
            && self.rated.is_none_or(|wanted| wanted == rated)
            && self.since.is_none_or(|since| row.created_at >= since)
            && self.until.is_none_or(|until| row.created_at < until)
            && self
                .min_plies
                .is_none_or(|least| plies.is_some_and(|plies| plies >= least))
            && self
                .max_plies
                .is_none_or(|most| plies.is_some_and(|plies| plies <= most))
            && self.ending.is_none_or(|ending| ending.is_of(row))
            // Read from the names alone: to read an `@zero` position takes a search, and this is one of many rows.
            && self
                .family
                .is_none_or(|family| Family::of_text(&row.start) == Some(family))
    }
}

impl Ending {
    fn is_of(self, row: &MatchRow) -> bool {
        let winner = row.outcome.and_then(Outcome::winner);
        let wins = |seat: Seat, id| row.player(seat).is_some_and(|player| player.id == id);
        match self {
            Self::Outcome(outcome) => row.outcome == Some(outcome),
            Self::WonBy(id) => winner.is_some_and(|seat| wins(seat, id)),
            Self::LostBy(id) => winner.is_some_and(|seat| wins(seat.other(), id)),
        }
    }
}

/// In which order matches are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// In order of creation, the newest first.
    #[default]
    Newest,
    /// In order of creation, the oldest first.
    Oldest,
    /// Only finished matches, in the order in which the commits that ended them became visible.
    Ended,
}

/// Which part of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// In which order.
    pub order: Order,
    /// Only what comes behind this place in that order.
    pub from: Option<Cursor>,
    /// At most so many; cut to [`LIST_PAGE`].
    pub limit: usize,
}

impl Page {
    /// The number behind which the page begins.
    pub(super) fn number(&self) -> Result<i64, StoreError> {
        match (&self.from, self.order) {
            (Some(from), Order::Ended) => from.to_ended(),
            (Some(from), Order::Newest | Order::Oldest) => from.to_number(),
            (None, Order::Newest) => Ok(i64::MAX),
            (None, Order::Oldest | Order::Ended) => Ok(i64::MIN),
        }
    }

    /// The number after which the page begins in the order of ends, in either direction.
    pub(super) fn ended_number(&self) -> Result<i64, StoreError> {
        match (&self.from, self.order) {
            (Some(from), _) => from.to_ended(),
            (None, Order::Newest) => Ok(i64::MAX),
            (None, Order::Oldest | Order::Ended) => Ok(i64::MIN),
        }
    }
}

/// A page of a list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing {
    /// What was found. It can be less than was asked for, also nothing, and still not all: see `next`.
    pub found: Vec<Listed>,
    /// Where the next page begins; `None` if there is nothing behind.
    pub next: Option<Cursor>,
    /// What was passed over on the whole page.
    pub left_out: LeftOut,
}

/// Matches that a search has passed over, because it is not known whether they belong to what was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LeftOut {
    /// Number of matches whose mistakes are not counted yet. A later search may find them.
    pub uncounted: u32,
    /// Number of matches whose mistakes the solver could not count.
    pub unknown: u32,
    /// Number of matches, in any search, whose summaries are not as the server wrote them.
    pub unverified: u32,
}

/// A match in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Its place, to go on from.
    pub cursor: Cursor,
    /// Its id.
    pub id: MatchId,
    /// Its summary.
    pub row: MatchRow,
    /// The wins that its players gave away, once they are counted.
    pub mistakes: Option<Mistakes>,
    /// What was passed over on the page before this match.
    pub left_out: LeftOut,
}

/// A page of a list while it is made: matches are looked at one after the other, from its beginning, in its order.
#[derive(Debug)]
pub(super) struct Search<'f> {
    traits: &'f Traits,
    limit: usize,
    /// How many matches may still be looked at, and how many bytes of start positions.
    left: usize,
    bytes_left: usize,
    listing: Listing,
}

impl<'f> Search<'f> {
    pub(super) fn new(filter: &'f ListFilter, limit: usize) -> Self {
        Self {
            traits: &filter.traits,
            limit: limit.min(LIST_PAGE),
            left: filter.scan(limit),
            bytes_left: LIST_SCAN_BYTES,
            listing: Listing::default(),
        }
    }

    /// Looks at the next match, which has the right players and state. The page, if it ends with it.
    pub(super) fn look_at(&mut self, mut listed: Listed) -> Option<Listing> {
        let cursor = listed.cursor.clone();
        self.left = self.left.saturating_sub(1);
        self.bytes_left = self.bytes_left.saturating_sub(listed.row.start.len());
        if self.traits.are_of(&listed.row) && self.mistakes_pass(&listed) {
            listed.left_out = self.listing.left_out;
            self.listing.found.push(listed);
        }
        let full = self.listing.found.len() == self.limit;
        (self.left == 0 || self.bytes_left == 0 || full).then(|| Listing {
            next: Some(cursor),
            ..std::mem::take(&mut self.listing)
        })
    }

    /// Leaves out the match at this place. The page, if it ends with it.
    pub(super) fn leave_out(&mut self, cursor: Cursor) -> Option<Listing> {
        self.left = self.left.saturating_sub(1);
        self.listing.left_out.unverified += 1;
        (self.left == 0).then(|| Listing {
            next: Some(cursor),
            ..std::mem::take(&mut self.listing)
        })
    }

    /// Whether the mistakes of a match pass the filter. If they are not known, adds the match to those left out.
    fn mistakes_pass(&mut self, listed: &Listed) -> bool {
        let Some(wanted) = &self.traits.mistakes else {
            return true;
        };
        // An invitation that ended before anybody joined is hidden from most players: a search that counted it would reveal it.
        let is_invitation = listed.row.first.is_none() || listed.row.second.is_none();
        if listed.row.status != MatchStatus::Over || is_invitation {
            return false;
        }
        let left_out = &mut self.listing.left_out;
        match listed.mistakes {
            None => left_out.uncounted += 1,
            Some(Mistakes::Unknown) => left_out.unknown += 1,
            Some(Mistakes::Known(counts)) => return wanted.are(counts, &listed.row),
        }
        false
    }

    /// The page, if there are no more matches.
    pub(super) fn end(self) -> Listing {
        self.listing
    }
}

/// A match of a player that is not over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenMatch {
    /// Its id.
    pub id: MatchId,
    /// Its summary.
    pub row: MatchRow,
    /// The code by which somebody may join, and when it expires.
    pub code: Option<(JoinCode, Millis)>,
}
