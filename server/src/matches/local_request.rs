//! A request without a connection: what an operator asks of a match or a tournament, and the one answer to it.

use std::net::IpAddr;
use std::time::Duration;

use grundy_shared::protocol::{ErrorBody, Reply};
use tokio::time::Instant;

use super::outbox::{Outbox, OutboxReader, Outgoing, ReplyTo, outbox};
use super::refusal;
use crate::addresses::AddressKey;
use crate::metrics::Refusals;

/// Room for the one reply.
const REPLY_BYTES: usize = 64 * 1024;
/// How long the answer may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The queue for the one answer.
pub struct LocalRequest {
    outbox: Outbox,
    reader: OutboxReader,
}

impl LocalRequest {
    /// Refusals are counted here.
    #[must_use]
    pub fn new(refusals: Refusals) -> Self {
        let here = AddressKey::from(IpAddr::from([127, 0, 0, 1]));
        let (outbox, reader) = outbox(here, 8, REPLY_BYTES, refusals);
        Self { outbox, reader }
    }

    /// Stands in for the connection that asks.
    #[must_use]
    pub fn connection(&self) -> Outbox {
        self.outbox.clone()
    }

    /// The duty to answer.
    #[must_use]
    pub fn reply_to(&self) -> ReplyTo {
        ReplyTo::new(&self.outbox, 1, Instant::now())
    }

    /// Waits at most 10 s for the answer; when it is there, the change is stored.
    ///
    /// # Errors
    /// The refusal, or `server_busy` if no answer came in time.
    pub async fn done(mut self) -> Result<(), ErrorBody> {
        let frame = async {
            loop {
                if let Outgoing::Frame(frame) = self.reader.next().await {
                    return frame;
                }
            }
        };
        let frame = tokio::time::timeout(PATIENCE, frame).await;
        let frame = frame.map_err(|_| refusal::busy("it was not done within 10 s"))?;
        let mut reply: serde_json::Value =
            serde_json::from_slice(&frame.into_bytes()).map_err(|_| refusal::internal())?;
        match serde_json::from_value(reply["body"].take()) {
            Ok(Reply::Error(error)) => Err(error),
            Ok(_) => Ok(()),
            Err(_) => Err(refusal::internal()),
        }
    }
}
