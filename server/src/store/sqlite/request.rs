//! What the writer is asked, and the way back to who asked.

use grundy_shared::ids::{MatchId, Millis, Seq};
use tokio::sync::oneshot;

use crate::store::{AppendError, CreateError, MatchRow, NewMatch, NewPlayer, StoreError};

/// One thing to write. Each carries the way to answer it.
#[derive(Debug)]
pub(super) enum Request {
    Create(Box<NewMatch>, Reply<CreateError>),
    Append(Append, Reply<AppendError>),
    Player(NewPlayer, Reply<CreateError>),
    Heartbeat(Millis, Reply<StoreError>),
    Ready(Reply<StoreError>),
    Close,
}

/// Events for one match.
#[derive(Debug)]
pub(super) struct Append {
    pub(super) id: MatchId,
    pub(super) expected_seq: Seq,
    pub(super) events: Vec<String>,
    pub(super) row: Option<Box<MatchRow>>,
}

/// The way back to a caller, and the refusal it will get if the transaction succeeds.
#[derive(Debug)]
pub(super) struct Reply<E> {
    sender: oneshot::Sender<Result<(), E>>,
    pub(super) refusal: Option<E>,
}

impl<E: From<StoreError>> Reply<E> {
    pub(super) fn new(sender: oneshot::Sender<Result<(), E>>) -> Self {
        Self {
            sender,
            refusal: None,
        }
    }

    fn send(self, outcome: Result<(), StoreError>) {
        let answer = match (outcome, self.refusal) {
            (Err(error), _) => Err(error.into()),
            (Ok(()), Some(refusal)) => Err(refusal),
            (Ok(()), None) => Ok(()),
        };
        // A caller that went away learns the outcome from the log.
        let _ = self.sender.send(answer);
    }
}

impl Request {
    /// Whether nothing is to be accepted any more.
    pub(super) fn closes(&self) -> bool {
        matches!(self, Self::Close)
    }

    /// Tells the caller what came of it: its refusal if the transaction succeeded, otherwise why that did not.
    pub(super) fn answer(self, outcome: Result<(), StoreError>) {
        match self {
            Self::Create(_, reply) | Self::Player(_, reply) => reply.send(outcome),
            Self::Append(_, reply) => reply.send(outcome),
            Self::Heartbeat(_, reply) | Self::Ready(reply) => reply.send(outcome),
            Self::Close => {}
        }
    }
}
