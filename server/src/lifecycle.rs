//! How the server stops: first softly, then hard, and never half.
//!
//! The token means "finish what you have begun and take nothing new". Every task of the server itself is spawned on the
//! one tracker, so that the process ends only when the last of them has ended or the time is up; who is left then ends
//! with the process, which the log survives as it survives a kill. A task without which the server would be half alive (the writer of the store)
//! reports its death by [`Lifecycle::fail`]: the server then stops by the same way and the process exits non-zero.
//! The pattern is that of the Matrix Authentication Service's `LifecycleManager`.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use grundy_shared::ids::Millis;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::spawner::Spawner;

/// After a stop no client comes back sooner.
pub const RECONNECT_LEAST: Millis = Millis(500);
/// After a stop every client comes back within this time, unless it is held up; not all at once.
pub const RECONNECT_MOST: Millis = Millis(3_000);
/// The same where other servers use the same store.
pub const RECONNECT_ELSEWHERE: Millis = Millis(1_000);

/// Why a server stops whose lease is no longer good.
pub const FENCED: &str = "another server has taken this one's place: one with the same node name was started, or this one could not reach the \
     database for too long; start it again. Each server needs a node name of its own (--node)";

/// The stopping of one server; clones speak of the same.
#[derive(Clone, Debug, Default)]
pub struct Lifecycle {
    draining: CancellationToken,
    /// The same, to be asked often.
    begun: Arc<AtomicBool>,
    /// An operator has new matches refused.
    closed: Arc<AtomicBool>,
    spawner: Spawner,
    tracker: TaskTracker,
    failure: Arc<OnceLock<String>>,
}

impl Lifecycle {
    /// A server that runs.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One whose tasks this spawner starts.
    #[must_use]
    pub fn with_spawner(spawner: Spawner) -> Self {
        Self {
            spawner,
            ..Self::default()
        }
    }

    /// Cancelled when the server begins to stop.
    #[must_use]
    pub fn draining(&self) -> CancellationToken {
        self.draining.clone()
    }

    /// Whether the server has begun to stop.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.begun.load(Ordering::Acquire)
    }

    /// Whether new matches are accepted: the server does not stop, and no operator has closed it to them.
    #[must_use]
    pub fn accepts_matches(&self) -> bool {
        self.takes_matches() && !self.is_draining()
    }

    /// Whether no operator has closed the server to new matches.
    #[must_use]
    pub fn takes_matches(&self) -> bool {
        !self.closed.load(Ordering::Acquire)
    }

    /// Closes the server to new matches, or opens it again. Matches that run are not concerned.
    pub fn take_matches(&self, takes: bool) {
        self.closed.store(!takes, Ordering::Release);
    }

    /// Runs a task that the end of the process waits for.
    pub fn spawn<F>(&self, task: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        self.spawner.spawn(&self.tracker, task)
    }

    /// Runs a task that belongs to a part of the server, which waits for it by this tracker.
    pub fn spawn_on<F>(&self, tracker: &TaskTracker, task: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        self.spawner.spawn(tracker, task)
    }

    /// Begins to stop, as a signal would.
    pub fn drain(&self) {
        self.begun.store(true, Ordering::Release);
        self.draining.cancel();
    }

    /// Begins to stop because the server can no longer do its work; the first reason is the one reported.
    pub fn fail(&self, reason: impl Into<String>) {
        let reason = reason.into();
        if self.failure.get() == Some(&reason) {
            return self.drain();
        }
        tracing::error!(reason, "the server cannot go on");
        // A second failure is most likely a consequence of the first.
        let _ = self.failure.set(reason);
        self.drain();
    }

    /// Waits for a signal (or [`Self::drain`] or [`Self::fail`]), then until every task has ended: at most `stop`, and
    /// not after a second signal.
    ///
    /// # Errors
    /// The reason given to [`Self::fail`].
    pub async fn run(&self, mut signals: Signals, stop: Millis) -> Result<(), String> {
        tokio::select! {
            biased;
            name = signals.next() => tracing::info!(signal = name, "stopping"),
            () = self.draining.cancelled() => {}
        }
        self.drain();
        self.tracker.close();
        tokio::select! {
            biased;
            () = self.tracker.wait() => {}
            name = signals.next() => tracing::warn!(signal = name, "stopping at once"),
            () = tokio::time::sleep(Duration::from_millis(stop.0)) => {
                tracing::warn!(tasks = self.tracker.len(), after_ms = stop.0, "not everything ended in time");
            }
        }
        match self.failure.get() {
            Some(reason) => Err(reason.clone()),
            None => Ok(()),
        }
    }
}

/// The signals that stop a server.
#[derive(Debug)]
pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    /// Listens to SIGTERM and SIGINT from now on.
    ///
    /// # Errors
    /// When the handlers cannot be installed.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn next(&mut self) -> &'static str {
        tokio::select! {
            biased;
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}

/// SIGHUP, from now on: it no longer ends the process.
#[derive(Debug)]
pub struct Hangups(Signal);

impl Hangups {
    /// Listens to SIGHUP.
    ///
    /// # Errors
    /// When the handler cannot be installed.
    pub fn listen() -> io::Result<Self> {
        signal(SignalKind::hangup()).map(Self)
    }

    /// Waits for the next one; `None` if none can come any more.
    pub async fn next(&mut self) -> Option<()> {
        self.0.recv().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn it_ends_as_soon_as_every_task_has_ended() {
        let lifecycle = Lifecycle::new();
        let draining = lifecycle.draining();
        lifecycle.spawn(async move { draining.cancelled().await });
        lifecycle.drain();
        let before = tokio::time::Instant::now();
        let signals = Signals::listen().expect("signal handlers");
        assert_eq!(lifecycle.run(signals, Millis(10_000)).await, Ok(()));
        assert_eq!(before.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_will_not_end_is_left_behind() {
        let lifecycle = Lifecycle::new();
        lifecycle.spawn(std::future::pending::<()>());
        lifecycle.drain();
        let before = tokio::time::Instant::now();
        let signals = Signals::listen().expect("signal handlers");
        assert_eq!(lifecycle.run(signals, Millis(10_000)).await, Ok(()));
        assert_eq!(before.elapsed(), Duration::from_secs(10));
        assert_eq!(lifecycle.tracker.len(), 1);
    }

    #[tokio::test]
    async fn the_first_failure_is_the_one_reported() {
        let lifecycle = Lifecycle::new();
        lifecycle.fail("the writer died");
        lifecycle.fail("nobody answers");
        let signals = Signals::listen().expect("signal handlers");
        let end = lifecycle.run(signals, Millis(10_000)).await;
        assert_eq!(end, Err("the writer died".to_owned()));
    }
}
