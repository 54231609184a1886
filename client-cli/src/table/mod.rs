//! A match that we sit at or look at: what we ask of it, and what we hear from it.
//!
//! A task of its own keeps the match, over the network ([`remote`]) or in this process ([`local`]); a [`Link`] is
//! the two bounded queues between it and whoever shows the match.

pub(crate) mod local;
pub(crate) mod remote;

use std::time::Duration;

use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Millis, Ply, Seq};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::failure::Failure;

/// Things asked that may wait.
const ASKS: usize = 16;
/// News that may wait; who shows them slowly slows their source down.
const NEWS: usize = 64;
/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_secs(3);

/// What is asked of a match.
#[derive(Clone, Debug)]
pub(crate) enum Ask {
    /// Make the move with this number.
    Move {
        /// 1 for the first of the match.
        ply: Ply,
        /// The move.
        text: String,
    },
    /// Give up.
    Resign,
    /// Call it off.
    Abort,
    /// Offer a rematch, or accept one.
    Rematch,
}

/// What is heard of a match.
#[derive(Debug)]
pub(crate) enum News {
    /// Something happened; numbers come without gaps.
    Event(Seq, Event),
    /// Something happened that only a newer client understands; its number is counted like the others.
    Unknown(Seq, Value),
    /// We sit at a match that was going on; events up to this one are the past.
    Attached {
        /// The last event of the past.
        seq: Seq,
    },
    /// From here on the news are of the rematch.
    Rematch(MatchId),
    /// What was asked last was refused.
    Refused(Failure),
    /// The server's time, now.
    Time(Millis),
    /// The connection is gone; it is being made again.
    Lost(Failure),
    /// The connection is back.
    Back {
        /// How long it was gone.
        away: Duration,
        /// Moves made by now.
        ply: Ply,
    },
    /// The other player, to whom we have offered a rematch, is not there any more.
    OpponentLeft,
    /// Another terminal of ours has taken the match over.
    Superseded,
    /// There will be no more news.
    Gone(Failure),
}

/// Both ends of what is said about a match.
#[derive(Debug)]
pub(crate) struct Link {
    asks: mpsc::Sender<Ask>,
    news: mpsc::Receiver<News>,
    task: JoinHandle<()>,
}

/// The other ends, held by the task that keeps the match.
#[derive(Debug)]
struct Ends {
    asks: mpsc::Receiver<Ask>,
    news: mpsc::Sender<News>,
}

impl Link {
    /// Starts the task that keeps a match.
    fn start<F>(keep: impl FnOnce(Ends) -> F) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (asks, to_match) = mpsc::channel(ASKS);
        let (from_match, news) = mpsc::channel(NEWS);
        let task = tokio::spawn(keep(Ends {
            asks: to_match,
            news: from_match,
        }));
        Self { asks, news, task }
    }

    /// Asks for something; what comes of it is heard.
    pub(crate) async fn ask(&self, ask: Ask) {
        // A task that is gone has said so in its last news.
        let _ = self.asks.send(ask).await;
    }

    /// What is heard next; `None` after the last news. May be dropped while waiting without losing anything.
    pub(crate) async fn hear(&mut self) -> Option<News> {
        self.news.recv().await
    }

    /// Leaves the match politely.
    pub(crate) async fn leave(self) {
        drop((self.asks, self.news));
        // A goodbye that takes too long is not waited for: the server notices that we are gone.
        let _ = tokio::time::timeout(GOODBYE, self.task).await;
    }
}
