//! What the referee rules: events, together with the state that they lead to, so that the rules of the game are played once
//! for each move.

use crate::event::{EndReason, Event, Outcome};
use crate::ids::Seq;
use crate::position::Position;

/// Events that follow from a command, to be stored together and then given to `Referee::accept`. Reads like a slice of events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ruling {
    /// The newest event of the match when this was ruled.
    pub(super) base: Seq,
    pub(super) events: Vec<Event>,
    /// What the move among the events leads to.
    pub(super) next: Option<Next>,
}

/// The state after a move, as far as the rules of the game say it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Next {
    pub(super) position: Position,
    /// The end that the move brings.
    pub(super) ended_by_rule: Option<(Outcome, EndReason)>,
}

/// The match has gone on since the ruling: ask again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the ruling follows event {base}, but the match is at event {actual}")]
pub struct StaleRuling {
    /// The event that the ruling follows.
    pub base: Seq,
    /// The newest event of the match.
    pub actual: Seq,
}

impl Ruling {
    /// Events without a move.
    pub(super) fn of(base: Seq, events: Vec<Event>) -> Self {
        Self {
            base,
            events,
            next: None,
        }
    }

    /// Events that begin with a move, which leads to `next`.
    pub(super) fn of_move(base: Seq, events: Vec<Event>, next: Next) -> Self {
        Self {
            base,
            events,
            next: Some(next),
        }
    }

    /// The events alone.
    #[must_use]
    pub fn into_events(self) -> Vec<Event> {
        self.events
    }
}

impl std::ops::Deref for Ruling {
    type Target = [Event];

    fn deref(&self) -> &[Event] {
        &self.events
    }
}

impl<'r> IntoIterator for &'r Ruling {
    type Item = &'r Event;
    type IntoIter = std::slice::Iter<'r, Event>;

    fn into_iter(self) -> Self::IntoIter {
        self.events.iter()
    }
}
