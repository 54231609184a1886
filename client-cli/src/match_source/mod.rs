//! A match that we play or watch: what we ask of it, and what we hear from it.
//!
//! A task keeps the match, over the network ([`remote`]) or in this process ([`local`]); a [`Link`] is the pair of bounded
//! queues between it and the session that shows the match.

mod chatting;
pub(crate) mod local;
pub(crate) mod remote;

use std::collections::VecDeque;
use std::time::Duration;

use grundy_shared::event::{Claim, Event, Proposal};
use grundy_shared::ids::{MatchId, Millis, Ply, Seq};
use grundy_shared::protocol::ChatEvent;
use grundy_shared::protocol::chat::{ChatLine, Preset, Room};
use grundy_shared::protocol::rating::RatedChange;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::failure::Failure;

/// Things asked that may wait.
const ASKS: usize = 16;
/// News that may wait; if they are shown slowly, their source is slowed down.
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
        /// How often we asked for a hint or a reason before it.
        hints: u32,
    },
    /// Give up.
    Resign,
    /// Call it off, or propose to.
    Abort,
    /// Propose something to the other player.
    Propose(Proposal),
    /// Answer what the other player has proposed with this event.
    Answer {
        /// The number of the event.
        proposed: Seq,
        /// Whether we agree.
        agree: bool,
    },
    /// Take our proposal back.
    WithdrawProposal,
    /// End the match, because the other player stays away.
    Claim(Claim),
    /// Plan replies to the other player's next move, the one with this number.
    Plan {
        /// Its number.
        ply: Ply,
        /// Lines of play.
        lines: Vec<Vec<String>>,
    },
    /// End the pause, or ask to.
    Continue,
    /// Offer a rematch, or accept one.
    Rematch,
    /// Decline the rematch that the other player offers.
    DeclineRematch,
    /// Take the last move back: only in a match of this process.
    Undo,
    /// Say something to the other player, or to the other watchers if we watch.
    Say(Speech),
    /// Request the last chat lines.
    Lines,
    /// Mute or unmute a player.
    Mute {
        /// The id or the name.
        player: String,
        /// Whether the player is to be muted.
        muted: bool,
    },
}

/// The content of a chat line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Speech {
    /// Free text.
    Text(String),
    /// A preset.
    Preset(Preset),
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
    /// From here on the news are of the next game of the series.
    NextGame(MatchId),
    /// Moves were taken back: these are all events that remain.
    Undone(Vec<Event>),
    /// What is heard next is in the library on this computer already.
    Kept,
    /// The match cannot be kept in the library on this computer.
    NotKept(Failure),
    /// A chat line arrived.
    Said(Room, Seq, Box<ChatEvent>),
    /// The last chat lines, the oldest first.
    Lines(Room, Vec<ChatLine>),
    /// A player was muted or unmuted.
    Muted(bool),
    /// What was asked last was refused.
    Refused(Failure),
    /// A proposal, the answer to one, the end of a pause, or a line was refused; a move that was sent is still under way.
    NotAgreed(Failure),
    /// The server's time, now.
    Time(Millis),
    /// The connection is gone; it is being made again.
    Lost(Failure),
    /// The connection is back.
    Back {
        /// How long it was gone.
        away: Duration,
        /// Moves made by now; `None` where the connection was silent and not lost.
        ply: Option<Ply>,
    },
    /// The other player, to whom we have offered a rematch, is not there any more.
    OpponentLeft,
    /// The rated pair is over with this match, and has changed the ratings of its first and second player.
    Rated(Box<[RatedChange; 2]>),
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
    /// News that came while something was being asked: a few, for the task looks at what is asked as readily as at what it hears.
    heard: VecDeque<News>,
    task: JoinHandle<()>,
}

/// The other ends, held by the task that keeps the match.
#[derive(Debug)]
struct Ends {
    asks: mpsc::Receiver<Ask>,
    news: mpsc::Sender<News>,
}

impl Ask {
    /// Whether it can be asked again when a connection broke over it: the events tell whether it was heard.
    fn may_repeat(&self) -> bool {
        matches!(
            self,
            Self::Move { .. } | Self::Resign | Self::Abort | Self::Rematch | Self::Undo
        )
    }

    /// Whether it is a move before which we asked for hints.
    fn has_hints(&self) -> bool {
        matches!(self, Self::Move { hints, .. } if *hints > 0)
    }

    /// The same; if it is a move, without hints.
    fn without_hints(mut self) -> Self {
        if let Self::Move { hints, .. } = &mut self {
            *hints = 0;
        }
        self
    }

    /// The news that it is refused.
    fn refused(&self, failure: Failure) -> News {
        match self {
            Self::Propose(_)
            | Self::Answer { .. }
            | Self::WithdrawProposal
            | Self::Plan { .. }
            | Self::Claim(_)
            | Self::Say(_)
            | Self::Lines
            | Self::Mute { .. }
            | Self::DeclineRematch
            | Self::Continue => News::NotAgreed(failure),
            _ => News::Refused(failure),
        }
    }
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
        Self {
            asks,
            news,
            heard: VecDeque::new(),
            task,
        }
    }

    /// Asks for something; what comes of it is heard. Goes on listening meanwhile: the task may have news to get rid of before it takes
    /// what is asked.
    pub(crate) async fn ask(&mut self, ask: Ask) {
        loop {
            tokio::select! {
                place = self.asks.reserve() => {
                    // A task that is gone has said so in its last news.
                    if let Ok(place) = place {
                        place.send(ask);
                    }
                    return;
                }
                Some(news) = self.news.recv() => self.heard.push_back(news),
            }
        }
    }

    /// What is heard next; `None` after the last news. May be dropped while waiting without losing anything.
    pub(crate) async fn hear(&mut self) -> Option<News> {
        match self.heard.pop_front() {
            Some(news) => Some(news),
            None => self.news.recv().await,
        }
    }

    /// Leaves the match politely.
    pub(crate) async fn leave(self) {
        drop((self.asks, self.news));
        // A goodbye that takes too long is not waited for: the server notices that we are gone.
        let _ = tokio::time::timeout(GOODBYE, self.task).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A task that has more news than may wait, and more is asked than may wait, before either side reads: no wait but for a failure.
    #[tokio::test]
    async fn much_news_and_many_questions_do_not_wait_for_each_other() {
        let mut link = Link::start(|mut ends| async move {
            for at in 0..2 * NEWS as u64 {
                let told = ends.news.send(News::Time(Millis(at))).await;
                told.expect("somebody listens");
            }
            while ends.asks.recv().await.is_some() {}
        });
        let asked = async {
            for _ in 0..2 * ASKS {
                link.ask(Ask::Resign).await;
            }
        };
        let asked = tokio::time::timeout(Duration::from_secs(10), asked).await;
        assert!(asked.is_ok(), "both sides wait");
        for at in 0..2 * NEWS as u64 {
            let news = link.hear().await;
            assert!(matches!(news, Some(News::Time(Millis(time))) if time == at));
        }
        link.leave().await;
    }
}
