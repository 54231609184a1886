//! One account: who follows it, and the events that it was told last.

use std::collections::{BTreeSet, VecDeque};

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, Seq};
use grundy_shared::protocol::AccountEvent;
use grundy_shared::protocol::account::OfferInfo;
use serde::{Deserialize, Serialize};

use crate::hall::Life;
use crate::matches::{Frame, Outbox, Outgoing};
use crate::planted;

/// Events that are kept for those who come back: fewer than wait for a slow reader.
pub(super) const KEPT: usize = 50;
/// Matches that are remembered as begun: more than a player may have.
const BEGUN: usize = 256;

/// An account that somebody follows, or has followed lately.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) facts: Facts,
    /// The newest events, the last one with number `facts.seq`; those from before this server heard of the account are missing.
    kept: VecDeque<Frame>,
    /// Those on this server.
    pub(super) followers: Vec<Follower>,
    /// Open challenges from this player and to it.
    pub(super) sent: usize,
    pub(super) received: usize,
}

/// What all servers know of an account.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Facts {
    pub(super) info: PlayerInfo,
    /// Names the numbering.
    stream: String,
    seq: Seq,
    /// Where somebody follows it.
    pub(super) present: BTreeSet<Life>,
    pub(super) offer: Option<Offered>,
    /// Matches that began and have not ended: none begins twice. The oldest first.
    begun: VecDeque<MatchId>,
}

/// A connection of this server that follows an account.
#[derive(Debug)]
pub(super) struct Follower {
    pub(super) place: u64,
    pub(super) outbox: Outbox,
}

/// A standing offer, and the connection that it ends with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Offered {
    pub(super) info: OfferInfo,
    pub(super) by: Life,
    pub(super) place: u64,
}

impl Account {
    pub(super) fn new(info: PlayerInfo, stream: String) -> Self {
        Self::of(Facts {
            info,
            stream,
            seq: Seq(0),
            present: BTreeSet::new(),
            offer: None,
            begun: VecDeque::new(),
        })
    }

    /// One of which nothing but this is known.
    pub(super) fn of(facts: Facts) -> Self {
        Self {
            facts,
            kept: VecDeque::new(),
            followers: Vec::new(),
            sent: 0,
            received: 0,
        }
    }

    /// Whether somebody follows it.
    pub(super) fn is_present(&self) -> bool {
        !self.facts.present.is_empty()
    }

    /// Whether it must not be forgotten.
    pub(super) fn is_needed(&self) -> bool {
        self.is_present() || self.sent + self.received > 0
    }

    /// What this server calls the connection, if it follows the account.
    pub(super) fn place_of(&self, connection: &Outbox) -> Option<u64> {
        let mut followers = self.followers.iter();
        let found = followers.find(|follower| follower.outbox == *connection);
        found.map(|follower| follower.place)
    }

    /// Whether a connection with this place follows it here.
    pub(super) fn has_place(&self, place: u64) -> bool {
        self.followers
            .iter()
            .any(|follower| follower.place == place)
    }

    /// The name of the numbering, and the number of the newest event.
    pub(super) fn newest(&self) -> (String, Seq) {
        (self.facts.stream.clone(), self.facts.seq)
    }

    /// Every event after this one, if they are all known still.
    pub(super) fn missed(&self, stream: Option<&str>, since: Seq) -> Option<Vec<Frame>> {
        let behind = self.facts.seq.0.checked_sub(since.0)?;
        let behind = usize::try_from(behind).ok()?;
        let known = stream == Some(&self.facts.stream) && behind <= self.kept.len();
        known.then(|| {
            let from = self.kept.len() - behind;
            self.kept.range(from..).cloned().collect()
        })
    }

    /// Drops the kept events if one of them contains this text. A follower that missed them gets the same reply as for events that are too old.
    /// Cost: linear in the bytes of the kept events.
    pub(super) fn drop_kept_if_any_has(&mut self, text: &[u8]) {
        let has = |frame: &Frame| {
            let bytes = frame.clone().into_bytes();
            bytes.windows(text.len()).any(|part| part == text)
        };
        if self.kept.iter().any(has) {
            self.kept.clear();
        }
    }

    /// Notes that a match began or ended; `false` if it began before.
    fn note(&mut self, event: &AccountEvent) -> bool {
        let begun = &mut self.facts.begun;
        match event {
            AccountEvent::MatchBegan { match_id, .. } => {
                if begun.contains(match_id) {
                    return false;
                }
                if begun.len() == BEGUN {
                    begun.pop_front();
                }
                begun.push_back(*match_id);
            }
            AccountEvent::MatchEnded { match_id, .. } => begun.retain(|open| open != match_id),
            _ => {}
        }
        true
    }

    /// Numbers an event and sends it to everybody who follows.
    pub(super) fn tell(&mut self, event: &AccountEvent) {
        if !self.note(event) {
            return;
        }
        self.facts.seq = self.facts.seq.next();
        let frame = Frame::account(self.facts.info.id, self.facts.seq, event);
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(frame.clone());
        if planted::shows("skip_account_event", 9) {
            return;
        }
        for follower in &self.followers {
            follower
                .outbox
                .push_or_close(Outgoing::Frame(frame.clone()));
        }
    }
}
