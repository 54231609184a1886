//! What the offer of a rematch rests on, and the match that follows on this one.

use bytes::Bytes;
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Millis, Seat, Seq};
use grundy_shared::referee::{Referee, Rematch};
use sha2::{Digest, Sha256};

use super::policy::Policy;
use crate::matches::builtin;
use crate::matches::frame::Frame;
use crate::planted;
use crate::store::{AddressDigest, Commit, MatchRow, Projection};

/// The id of the rematch of a match. It follows from the old one, so that a rematch is found again instead of being made twice.
#[must_use]
pub fn rematch_id(of: MatchId) -> MatchId {
    let hash = Sha256::new()
        .chain_update("grundy rematch ")
        .chain_update(of.to_string())
        .finalize();
    let mut bits = [0; 8];
    bits.copy_from_slice(&hash[..8]);
    MatchId::from_random(u64::from_be_bytes(bits))
}

/// What an offer of a rematch rests on.
#[derive(Debug)]
pub(super) struct Offer {
    pub(super) standing: Option<Standing>,
    /// Players who have gone by choice since they last came, or asked for something.
    pub(super) left: [bool; 2],
    /// From where a built-in bot was asked for a rematch, until the bot has seen it.
    pub(super) bot_asked: Option<AddressDigest>,
    /// The rematch exists already, although the log does not say that it was accepted.
    pub(super) exists: bool,
}

/// Why an offer stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// The player is here.
    Here,
    /// The player's connection was lost; at this moment the offer ends.
    Lost(Millis),
    /// The player has gone.
    Left,
    /// The player made it on another server, which sees whether the player stays.
    Elsewhere,
    /// It was found in the log, and the player has not come since; at this moment it ends.
    Found(Millis),
}

/// The match that follows on this one, to be stored together with what it follows on: a rematch with its acceptance, the next game of a
/// series with the end of this one.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) id: MatchId,
    /// `None` if it exists already.
    pub(super) new: Option<Box<Following>>,
}

/// A match that is made.
#[derive(Debug)]
pub(super) struct Following {
    pub(super) referee: Referee,
    pub(super) frames: Vec<Frame>,
    pub(super) bodies: Vec<Bytes>,
    /// It takes the place of a match that ends with the same commit, and so needs no room of its own.
    takes_place: bool,
    /// The place for which it counts, if that is known.
    pub(super) address: Option<AddressDigest>,
}

impl Offer {
    /// That of a match as its log shows it.
    pub(super) fn found(now: Millis, referee: &Referee, policy: &Policy) -> Self {
        let offered = matches!(referee.rematch(), Rematch::Offered(_));
        Self {
            standing: offered.then(|| Standing::Found(now.plus(policy.roll_call_ms))),
            left: [false; 2],
            bot_asked: None,
            exists: false,
        }
    }

    /// Another server stored it: if the player is not here either, that server decides how long it stands.
    pub(super) fn stands_elsewhere(&mut self) {
        if self.standing != Some(Standing::Here) {
            self.standing = Some(Standing::Elsewhere);
        }
    }

    pub(super) fn is_over(&mut self) {
        self.standing = None;
    }

    /// From where a built-in bot was asked for a rematch; once.
    pub(super) fn take_bot_asked(&mut self) -> Option<AddressDigest> {
        self.bot_asked.take()
    }

    pub(super) fn found_rematch(&mut self) {
        self.exists = true;
    }
}

impl Prepared {
    /// A match with these events.
    pub(super) fn new(
        id: MatchId,
        referee: Referee,
        events: &[Event],
        address: Option<AddressDigest>,
        takes_place: bool,
    ) -> Self {
        let numbered = (1..).zip(events);
        let (frames, bodies) = numbered
            .map(|(number, event)| Frame::of_event(id, Seq(number), event))
            .unzip();
        let new = Box::new(Following {
            referee,
            frames,
            bodies,
            takes_place,
            address,
        });
        Self { id, new: Some(new) }
    }

    /// The commit that makes it, too; both players and the server must have room for one more match, unless it takes another's place.
    pub(super) fn add_to(&self, commit: Commit, policy: &Policy) -> Commit {
        let forgotten = planted::is("rematch_without_match");
        let Some(new) = self.new.as_ref().filter(|_| !forgotten) else {
            return commit;
        };
        let row = MatchRow::of(&new.referee, None);
        let mut commit = commit
            .and(self.id, Seq(0), new.bodies.clone())
            .with_row(self.id, row);
        if let Some(address) = new.address {
            commit = commit.with(Projection::Address {
                match_id: self.id,
                address,
            });
        }
        if new.takes_place {
            return commit;
        }
        commit = commit.guarded(policy.room_on_server());
        if let Some(address) = new.address {
            let guards = [policy.room_from(address), policy.share_of(address)];
            commit.guards.extend(guards);
        }
        for seat in Seat::BOTH {
            let player = new.referee.player(seat);
            let person = player.filter(|player| builtin::bot_of(player).is_none());
            let room = person.map(|person| policy.room_of(person));
            commit.guards.extend(room);
        }
        commit
    }
}
