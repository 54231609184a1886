//! What the players have proposed to each other and not answered yet, and the pause that may have come of it.

use crate::event::Proposal;
use crate::ids::{Millis, Seat, Seq};

/// A proposal that is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Open {
    /// What is proposed.
    pub proposal: Proposal,
    /// The number of the event with which it was proposed: it is answered under this number.
    pub seq: Seq,
}

/// The proposals of both players, and the pauses that came of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Proposals {
    pub(super) open: [Option<Open>; 2],
    /// How many each player has made.
    pub(super) made: [u8; 2],
    /// Pauses and adjournments so far.
    pub(super) pauses: u8,
    /// The match is paused, at most until then.
    pub(super) paused: Option<Millis>,
    /// Whether this is an adjournment, which only both players together can end early.
    pub(super) adjourned: bool,
}

impl Proposals {
    /// A move answers what was proposed to its player, and leaves nothing to propose about the moves before it.
    pub(super) fn after_move(&mut self, mover: Seat) {
        self.open[mover.other().index()] = None;
        let own = &mut self.open[mover.index()];
        let stays = [Proposal::Draw, Proposal::Pause, Proposal::Adjourn];
        *own = own.filter(|open| stays.contains(&open.proposal));
    }

    /// Nothing is open any more, and nothing stands still.
    pub(super) fn end(&mut self) {
        self.open = [None, None];
        self.goes_on();
    }

    /// Ends the pause or adjournment.
    pub(super) fn goes_on(&mut self) {
        (self.paused, self.adjourned) = (None, false);
        for open in &mut self.open {
            *open = open.filter(|open| open.proposal != Proposal::Resume);
        }
    }
}
