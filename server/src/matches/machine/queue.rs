//! Requests that wait while the match stores something. Bounded for each player, so that nobody's requests cost another a move.

use std::collections::VecDeque;

use grundy_shared::ids::{Millis, PlayerId};
use grundy_shared::protocol::ErrorBody;
use grundy_shared::referee::Command;

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
    /// Why a rematch cannot be made now.
    pub(super) no_room: Option<ErrorBody>,
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

    /// Takes one back that was popped.
    pub(super) fn put_back(&mut self, request: Request<C, R>) {
        self.0.push_front(request);
    }

    /// Lets a request of a player with a seat wait; gives it back if too many of that player do.
    pub(super) fn push(&mut self, request: Request<C, R>) -> Result<(), Request<C, R>> {
        let player = request.player;
        let waiting = self.0.iter().filter(|other| other.player == player).count();
        self.push_if(waiting < QUEUE_PER_PLAYER, request)
    }

    /// Lets a request to join wait; gives it back if too many do, or one of the same player does.
    pub(super) fn push_join(&mut self, request: Request<C, R>) -> Result<(), Request<C, R>> {
        let joins = |other: &&Request<C, R>| matches!(other.command, Command::Join { .. });
        let mut waiting = self.0.iter().filter(joins);
        let fits = waiting.by_ref().count() < QUEUE_TO_JOIN && !self.joins(request.player);
        self.push_if(fits, request)
    }

    /// Whether a request of this player to join waits.
    pub(super) fn joins(&self, player: PlayerId) -> bool {
        let joins = |other: &Request<C, R>| matches!(other.command, Command::Join { .. });
        self.0
            .iter()
            .any(|other| other.player == player && joins(other))
    }

    fn push_if(&mut self, fits: bool, request: Request<C, R>) -> Result<(), Request<C, R>> {
        if !fits {
            return Err(request);
        }
        self.0.push_back(request);
        Ok(())
    }
}
