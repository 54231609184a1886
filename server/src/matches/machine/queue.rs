//! Requests that wait while the match stores something. Bounded for each player, so that nobody's requests cost another a move.

use std::collections::VecDeque;

use grundy_shared::ids::{Millis, PlayerId};
use grundy_shared::protocol::ErrorBody;
use grundy_shared::referee::Command;

use crate::store::AddressDigest;

/// Requests of one player that may wait.
pub const QUEUE_PER_PLAYER: usize = 32;
/// Players without a seat who may wait to join, each once.
pub const QUEUE_TO_JOIN: usize = 16;

/// A request that the referee decides.
#[derive(Debug)]
pub(super) struct Request<C, R> {
    pub(super) reply: R,
    pub(super) connection: C,
    pub(super) received: Millis,
    pub(super) player: PlayerId,
    pub(super) command: Command,
    /// Of a rematch: where it is asked for, or why it cannot be made now.
    pub(super) room: Option<Result<AddressDigest, Box<ErrorBody>>>,
}

impl<C, R> Request<C, R> {
    /// Whether it wants the free seat.
    pub(super) fn joins(&self) -> bool {
        matches!(self.command, Command::Join { .. })
    }

    /// Whether an operator asks, who has no seat.
    pub(super) fn is_of_operator(&self) -> bool {
        matches!(self.command, Command::EndByOperator { .. })
    }
}

/// Requests in the order of their receipt.
#[derive(Debug)]
pub(super) struct Queue<C, R>(VecDeque<Request<C, R>>);

impl<C, R> Default for Queue<C, R> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<C, R> Queue<C, R> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn pop(&mut self) -> Option<Request<C, R>> {
        self.0.pop_front()
    }

    /// When the first of those that wait was received.
    pub(super) fn oldest(&self) -> Option<Millis> {
        self.0.front().map(|request| request.received)
    }

    /// Takes one back that was popped.
    pub(super) fn put_back(&mut self, request: Request<C, R>) {
        self.0.push_front(request);
    }

    /// Whether one more request of this player, who has a seat, may wait.
    pub(super) fn takes(&self, player: PlayerId) -> bool {
        let waiting = self.0.iter().filter(|other| other.player == player);
        waiting.count() < QUEUE_PER_PLAYER
    }

    /// Whether one more request to join may wait, of a player who has no seat.
    pub(super) fn takes_join(&self, player: PlayerId) -> bool {
        let waiting = self.0.iter().filter(|other| other.joins());
        waiting.count() < QUEUE_TO_JOIN && !self.joins(player)
    }

    /// Lets a request wait.
    pub(super) fn push(&mut self, request: Request<C, R>) {
        self.0.push_back(request);
    }

    /// Whether a request of this player to join waits.
    pub(super) fn joins(&self, player: PlayerId) -> bool {
        self.0
            .iter()
            .any(|other| other.player == player && other.joins())
    }
}
