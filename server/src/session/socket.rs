//! What a session needs of a connection: text in, text out, and a way to part. [`crate::transport`] has the real one.

use std::ops::Deref;
use std::task::{Context, Poll};

use crate::matches::Frame;

/// What a connection brought.
#[derive(Debug)]
pub enum Heard<T> {
    /// A text message.
    Text(T),
    /// A binary message.
    Binary,
    /// An answer to a ping, or one that nobody asked for.
    Pong,
    /// A ping, or nothing at all.
    Control,
    /// The peer said goodbye or is gone.
    Gone,
    /// The peer broke the rules: to be closed with this code.
    Unlawful(CloseCode, &'static str),
}

/// The connection is gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lost;

/// Why a connection is closed, as the WebSocket protocol numbers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CloseCode {
    /// The client said `bye`.
    Normal = 1000,
    /// A frame that no WebSocket peer may send.
    Protocol = 1002,
    /// A binary message.
    Unsupported = 1003,
    /// Text that is not UTF-8.
    BadText = 1007,
    /// Against the rules of this server.
    Policy = 1008,
    /// A message beyond the limit.
    TooLarge = 1009,
    /// The server stops.
    Restart = 1012,
}

/// How a session ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The peer is gone.
    Gone,
    /// The server closes, with a word for the peer's log.
    Close(CloseCode, &'static str),
}

impl From<Lost> for Ending {
    fn from(_: Lost) -> Self {
        Self::Gone
    }
}

/// One connection. Nothing here waits: what is fed is buffered until it is flushed.
pub trait Socket: Send {
    /// A text message as received.
    type Text: Deref<Target = str> + Send;

    /// The next message. Cancel-safe.
    fn poll_hear(&mut self, context: &mut Context<'_>) -> Poll<Heard<Self::Text>>;

    /// Buffers a text message.
    ///
    /// # Errors
    /// [`Lost`].
    fn feed(&mut self, frame: Frame) -> Result<(), Lost>;

    /// Buffers a ping.
    ///
    /// # Errors
    /// [`Lost`].
    fn feed_ping(&mut self) -> Result<(), Lost>;

    /// Hands everything that is buffered to the network. Cancel-safe.
    ///
    /// # Errors
    /// [`Lost`].
    fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Lost>>;

    /// Says why, and parts. Takes a bounded time.
    fn close(self, code: CloseCode, reason: &'static str) -> impl Future<Output = ()> + Send;
}
