//! A connection as guests and players have it: its limits, its queue, and whether its peer is still there.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use grundy_shared::protocol::{
    ClientMessage, ErrorBody, ErrorCode, Notice, Refused, Reply, Secret, frame_id,
    read_client_frame,
};
use tokio::time::{Instant, Sleep};

use super::lag::Lag;
use super::limits::{Allowance, RateState, TooFast};
use super::socket::{CloseCode, Ending, Heard, Socket};
use crate::addresses::{AddressKey, ConnectionPermit};
use crate::app::App;
use crate::matches::outbox::{OutboxReader, outbox};
use crate::matches::refusal::rate_limited;
use crate::matches::{Frame, Outbox, Outgoing};
use crate::metrics::ByReason;
use crate::quotas::Source;
use crate::store::AddressDigest;

/// How long a server that stops, or whose client says `bye`, waits for the answers that the client still waits for.
const LAST_ANSWERS: Duration = Duration::from_secs(3);

pub(super) const SLOW: Ending = Ending::Close(CloseCode::Policy, "slow_consumer");
pub(super) const SIGNED_OUT: Ending = Ending::Close(CloseCode::Policy, "signed_out");
pub(super) const BANNED: Ending = Ending::Close(CloseCode::Policy, "banned");
pub(super) const CUT_OFF: Ending = Ending::Close(CloseCode::Restart, "cut_off");
pub(super) const FLOOD: Ending = Ending::Close(CloseCode::Policy, "rate_limited");
pub(super) const NONSENSE: Ending = Ending::Close(CloseCode::Policy, "bad_json");

/// One connection, of a guest or of a player.
pub(super) struct Connection<S> {
    pub(super) app: Arc<App>,
    pub(super) socket: S,
    pub(super) address: AddressKey,
    /// The place that the connection takes.
    pub(super) permit: ConnectionPermit,
    /// The secret in the cookie of the handshake, if a page of this server opened the connection.
    pub(super) cookie: Option<Secret>,
    pub(super) outbox: Outbox,
    pub(super) queue: OutboxReader,
    pub(super) allowance: Allowance,
    pub(super) rate: RateState,
    pub(super) last_heard: Instant,
    last_pinged: Instant,
    /// The first ping since the peer was last heard.
    unanswered: Option<Instant>,
    pub(super) lag: Lag,
    /// Something is buffered that was not flushed.
    unflushed: bool,
}

/// A request that passed the limits and could be read.
pub(super) struct Request {
    pub(super) id: u64,
    pub(super) message: ClientMessage,
}

impl<S: Socket> Connection<S> {
    pub(super) fn new(
        app: Arc<App>,
        socket: S,
        address: AddressKey,
        cookie: Option<Secret>,
        permit: ConnectionPermit,
    ) -> Self {
        if app.addresses.trusts(address) {
            app.quotas.trust(address.digest(&app.address_secret));
        }
        let config = app.config.current();
        let limits = &config.limits;
        let (outbox, queue) = outbox(
            address,
            limits.queue_messages as usize,
            limits.queue_bytes as usize,
            app.metrics.refusals.clone(),
        );
        let now = Instant::now();
        Self {
            allowance: Allowance::of(limits, false),
            rate: RateState::new(now),
            app,
            socket,
            address,
            permit,
            cookie,
            outbox,
            queue,
            last_heard: now,
            last_pinged: now,
            unanswered: None,
            lag: Lag::default(),
            unflushed: false,
        }
    }

    /// What is stored and counted of the address. Cost: one hash.
    pub(super) fn address_digest(&self) -> AddressDigest {
        self.address.digest(&self.app.address_secret)
    }

    /// Buffers a reply.
    pub(super) fn reply(&mut self, re: Option<u64>, reply: &Reply) -> Result<(), Ending> {
        self.feed(Frame::reply(re, reply))
    }

    /// Where something is made by this client. Cost: one hash.
    pub(super) fn source(&self) -> Source {
        Source {
            address: self.address_digest(),
            is_trusted: self.app.addresses.trusts(self.address),
        }
    }

    pub(super) fn refuse(&mut self, re: Option<u64>, error: ErrorBody) -> Result<(), Ending> {
        self.feed(self.outbox.refusal(re, error))
    }

    pub(super) fn feed(&mut self, frame: Frame) -> Result<(), Ending> {
        self.unflushed = true;
        Ok(self.socket.feed(frame)?)
    }

    /// Hands what is buffered to the network. A peer that does not take it is too slow once what it must not miss no longer
    /// fits its queue, or when nothing moves for longer than `times.send_ms`.
    pub(super) async fn flush(&mut self) -> Result<(), Ending> {
        if !self.unflushed {
            return Ok(());
        }
        let first = poll_fn(|context| match self.socket.poll_flush(context) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending => Poll::Ready(None),
        });
        let done = match first.await {
            Some(done) => done,
            None => {
                let patience = Duration::from_millis(self.app.config.current().times.send_ms.0);
                tokio::select! {
                    biased;
                    done = poll_fn(|context| self.socket.poll_flush(context)) => done,
                    () = self.queue.alarm() => return Err(SLOW),
                    () = tokio::time::sleep(patience) => return Err(SLOW),
                }
            }
        };
        self.unflushed = false;
        Ok(done?)
    }

    fn dead_after(&self) -> Duration {
        Duration::from_millis(self.app.config.current().times.dead_after_ms.0)
    }

    fn ping_every(&self) -> Duration {
        Duration::from_millis(self.app.config.current().times.ping_ms.0)
    }

    pub(super) async fn hear(socket: &mut S) -> Heard<S::Text> {
        poll_fn(|context| socket.poll_hear(context)).await
    }

    /// Counts what was heard; a request, if it was one. Refusals are answered here.
    pub(super) fn read(&mut self, heard: Heard<S::Text>) -> Result<Option<Request>, Ending> {
        let now = Instant::now();
        self.last_heard = now;
        self.unanswered = None;
        let text = match heard {
            Heard::Text(text) => text,
            Heard::Pong if self.lag.ponged(self.app.clock.now()) => return Ok(None),
            Heard::Control | Heard::Pong => {
                return match self.rate.message(now, self.allowance.requests) {
                    Err(too_fast) if too_fast.closes => Err(FLOOD),
                    _ => Ok(None),
                };
            }
            Heard::Binary => {
                let error = ErrorBody::new(
                    ErrorCode::BinaryUnsupported,
                    "binary messages are not part of this protocol: send text",
                );
                self.refuse(None, error.closing())?;
                return Err(Ending::Close(CloseCode::Unsupported, "binary_unsupported"));
            }
            Heard::Gone => return Err(Ending::Gone),
            Heard::Unlawful(code, reason) => return Err(Ending::Close(code, reason)),
        };
        // What a bot says is counted once it is read: moves count by their matches.
        let counted = match self.allowance.moves {
            None => self.rate.message(now, self.allowance.requests),
            Some(_) => Ok(()),
        };
        if let Err(too_fast) = counted {
            let re = frame_id(&text);
            return self.slow_down(re, too_fast).map(|()| None);
        }
        let refused = match read_client_frame(&text) {
            Ok((id, message)) => return Ok(Some(Request { id, message })),
            Err(refused) => refused,
        };
        if self.allowance.moves.is_some()
            && let Err(too_fast) = self.rate.message(now, self.allowance.requests)
        {
            return self.slow_down(refused.id, too_fast).map(|()| None);
        }
        self.misread(refused).map(|()| None)
    }

    pub(super) fn slow_down(&mut self, re: Option<u64>, too_fast: TooFast) -> Result<(), Ending> {
        let Allowance {
            requests, waiting, ..
        } = self.allowance;
        let mut limit = format!(
            "{} at once, {} a second",
            requests.burst, requests.per_second
        );
        if waiting > 0 {
            limit.push_str(&format!(", {waiting} waiting"));
        }
        let metrics = &self.app.metrics;
        let mut error =
            rate_limited(metrics, "connection", "too many messages", too_fast.wait).limit(limit);
        error.closes = too_fast.closes;
        self.refuse(re, error)?;
        if too_fast.closes { Err(FLOOD) } else { Ok(()) }
    }

    fn misread(&mut self, refused: Refused) -> Result<(), Ending> {
        let mut error = *refused.error;
        error.closes = error.code == ErrorCode::BadJson && self.rate.nonsense(self.last_heard);
        let closes = error.closes;
        self.refuse(refused.id, error)?;
        if closes {
            return Err(NONSENSE);
        }
        Ok(())
    }

    /// When the peer is next to be pinged, or counts as dead.
    pub(super) fn next_check(&self) -> Instant {
        let ping_at = self.last_pinged + self.ping_every();
        self.dead_at()
            .map_or(ping_at, |dead_at| dead_at.min(ping_at))
    }

    /// When the peer counts as dead. It must have been silent for long enough, and have had the time for an answer to a ping: if this
    /// process stood still, nobody was pinged meanwhile.
    fn dead_at(&self) -> Option<Instant> {
        let answer_by = self.unanswered? + (self.dead_after() - self.ping_every());
        Some(answer_by.max(self.last_heard + self.dead_after()))
    }

    /// Pings the peer if it is time, and gives up one that has said nothing for too long. Sets the timer anew.
    pub(super) fn check_peer(
        &mut self,
        mut timer: std::pin::Pin<&mut Sleep>,
    ) -> Result<(), Ending> {
        let now = Instant::now();
        if self.dead_at().is_some_and(|at| at <= now) {
            return Err(Ending::Close(CloseCode::Policy, "silent"));
        }
        if now >= self.last_pinged + self.ping_every() {
            self.ping()?;
        }
        timer.as_mut().reset(self.next_check());
        Ok(())
    }

    /// Asks the peer whether it is there.
    fn ping(&mut self) -> Result<(), Ending> {
        let now = Instant::now();
        self.last_pinged = now;
        self.unanswered.get_or_insert(now);
        self.measure()
    }

    /// Asks the peer how far away it is. Nobody who does not answer is given up for it.
    pub(super) fn measure(&mut self) -> Result<(), Ending> {
        self.lag.pinged(self.app.clock.now());
        self.unflushed = true;
        Ok(self.socket.feed_ping()?)
    }

    /// Tells the peer that the server stops, and waits a bounded time for the answers that it still waits for.
    pub(super) async fn announce_stop(&mut self) -> Ending {
        match self.say_last_words().await {
            Ok(()) => Ending::Close(CloseCode::Restart, "shutting_down"),
            Err(ending) => ending,
        }
    }

    async fn say_last_words(&mut self) -> Result<(), Ending> {
        let reconnect_after_ms = self.app.reconnect_after();
        self.feed(Frame::notice(&Notice::ShuttingDown { reconnect_after_ms }))?;
        self.give_answers(drop).await
    }

    /// Sends the answers that the peer still waits for, for a bounded time; what else is in the queue is `noted`. A peer that
    /// was too slow for one of them is closed for that.
    pub(super) async fn give_answers(
        &mut self,
        mut noted: impl FnMut(Outgoing),
    ) -> Result<(), Ending> {
        self.flush().await?;
        let until = Instant::now() + LAST_ANSWERS;
        loop {
            // Asked before the queue is emptied: an answer is in the queue before it counts as given.
            let more = self.outbox.has_unanswered() && Instant::now() < until;
            while let Some(item) = self.queue.try_next() {
                match item {
                    Outgoing::Frame(frame) => self.feed(frame)?,
                    other => noted(other),
                }
            }
            self.flush().await?;
            if self.queue.overflowed() {
                return Err(SLOW);
            }
            if !more {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    pub(super) async fn part(self, ending: Ending) {
        if let Ending::Close(code, reason) = ending {
            tracing::debug!(?code, reason, "closing");
            let dropped = &self.app.metrics.dropped;
            dropped.get_or_create(&ByReason { reason }).inc();
            self.socket.close(code, reason).await;
        }
    }
}
