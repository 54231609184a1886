//! How many matches are not over, while a batch is decided: of all, and of the players and addresses that it asks for.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, PlayerId};
use rustc_hash::FxHashMap;

use crate::store::{AddressDigest, Commit, MatchRow, MatchStatus, NodeId, Projection, Taken};

/// What is known of a match.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// The number of its stream.
    pub(super) number: i64,
    /// Which node plays it.
    pub(super) owner: NodeId,
    /// How far it has come.
    pub(super) status: MatchStatus,
    /// Who has the seats.
    pub(super) seats: [Option<PlayerId>; 2],
    /// Where it was created, while it is not over.
    pub(super) address: Option<AddressDigest>,
    /// Its place in the order of ends.
    pub(super) ended_order: Option<i64>,
}

impl Known {
    fn is_open(&self) -> bool {
        self.status != MatchStatus::Over
    }

    fn waits(&self) -> bool {
        self.status == MatchStatus::Waiting
    }
}

/// The seats of a summary.
pub(super) fn seats(row: &MatchRow) -> [Option<PlayerId>; 2] {
    let id = |seat: &Option<PlayerInfo>| seat.as_ref().map(|player| player.id);
    [id(&row.first), id(&row.second)]
}

/// Matches of an address.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Here {
    /// Those that are not over.
    pub(super) open: i64,
    /// Those that wait for a player.
    pub(super) waiting: i64,
}

/// The matches that a batch concerns, and the counts that it asks for.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) matches: FxHashMap<MatchId, Known>,
    /// All that are not over.
    pub(super) open: i64,
    /// Those that wait for a player.
    pub(super) waiting: i64,
    /// Of the players that are asked for, and of no other.
    pub(super) open_of: FxHashMap<PlayerId, i64>,
    /// Of the addresses that are asked for, and of no other.
    pub(super) open_from: FxHashMap<AddressDigest, Here>,
}

impl Places {
    /// Takes in what is known of a match from now on; what was known before.
    pub(super) fn set(&mut self, id: MatchId, known: Known) -> Option<Known> {
        self.count(&known, 1);
        let before = self.matches.insert(id, known);
        if let Some(before) = &before {
            self.count(before, -1);
        }
        before
    }

    fn count(&mut self, known: &Known, by: i64) {
        if !known.is_open() {
            return;
        }
        let waiting = if known.waits() { by } else { 0 };
        self.open += by;
        self.waiting += waiting;
        let [first, second] = known.seats;
        for player in [first, second.filter(|_| second != first)]
            .into_iter()
            .flatten()
        {
            if let Some(count) = self.open_of.get_mut(&player) {
                *count += by;
            }
        }
        if let Some(here) = known.address.and_then(|at| self.open_from.get_mut(&at)) {
            here.open += by;
            here.waiting += waiting;
        }
    }

    /// How many there are once a commit is made: of this player, or all.
    pub(super) fn after(&self, commit: &Commit, of: Option<PlayerId>) -> i64 {
        let now = match of {
            None => self.open,
            Some(player) => self.open_of.get(&player).copied().unwrap_or(0),
        };
        let counted = |id: &MatchId| {
            let known = self.matches.get(id).filter(|known| known.is_open());
            known.is_some_and(|known| of.is_none() || known.seats.contains(&of))
        };
        let changes = commit
            .projections
            .iter()
            .map(|projection| match projection {
                Projection::Match { id, row } => {
                    i64::from(row.is_open(of)) - i64::from(counted(id))
                }
                _ => 0,
            });
        now + changes.sum::<i64>()
    }

    /// How many there are from this address once a commit is made.
    pub(super) fn after_from(&self, commit: &Commit, address: AddressDigest) -> i64 {
        let now = self.open_from.get(&address).map_or(0, |here| here.open);
        let changes = commit
            .projections
            .iter()
            .map(|projection| match projection {
                Projection::Address { address: new, .. } => i64::from(*new == address),
                Projection::Match { id, row } if row.status == MatchStatus::Over => {
                    let known = self.matches.get(id);
                    -i64::from(known.is_some_and(|known| known.address == Some(address)))
                }
                _ => 0,
            });
        now + changes.sum::<i64>()
    }

    /// The places that are taken once a commit is made that creates a match there.
    pub(super) fn taken_after(&self, commit: &Commit, address: AddressDigest) -> Taken {
        let new = i64::from(commit.waits_at(address));
        let here = self.open_from.get(&address).map_or(0, |here| here.waiting);
        let count = |count: i64| u64::try_from(count).unwrap_or(0);
        Taken {
            all: count(self.after(commit, None)),
            here: count(self.after_from(commit, address)),
            waiting: count(self.waiting + new),
            waiting_here: count(here + new),
        }
    }
}
