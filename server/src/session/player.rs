//! A connection that has said who it is.

use std::collections::VecDeque;

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::MatchId;

use super::socket::{CloseCode, Ending, Socket};
use super::{FLOOD, Line, NONSENSE, Request, SLOW};
use crate::matches::{Backlog, Follow, Frame, Order, Outgoing};

/// Items of the queue that are written before the socket is looked at again.
const AT_ONCE: usize = 64;
/// Events of a backlog that are read from the store at a time.
const BACKLOG_PAGE: usize = 50;

/// A connection after `hello`.
pub(super) struct Player<S> {
    pub(super) line: Box<Line<S>>,
    pub(super) info: PlayerInfo,
    pub(super) follows: Vec<Follow>,
    backlogs: VecDeque<(MatchId, Backlog)>,
    /// The client said `bye`.
    pub(super) leaving: bool,
}

impl<S: Socket> Player<S> {
    pub(super) fn new(line: Box<Line<S>>, info: PlayerInfo) -> Self {
        Self {
            line,
            info,
            follows: Vec::new(),
            backlogs: VecDeque::new(),
            leaving: false,
        }
    }

    /// Serves the connection to its end, and leaves every match that it followed.
    pub(super) async fn serve(mut self) -> (Box<Line<S>>, Ending) {
        let Err(mut ending) = self.converse().await;
        if matches!(ending, FLOOD | NONSENSE)
            && let Err(lost) = Box::pin(self.give_answers()).await
        {
            ending = lost;
        }
        Box::pin(self.leave_all()).await;
        (self.line, ending)
    }

    async fn converse(&mut self) -> Result<std::convert::Infallible, Ending> {
        let draining = self.line.app.lifecycle.draining();
        let mut draining = std::pin::pin!(draining.cancelled());
        let mut timer = std::pin::pin!(tokio::time::sleep_until(self.line.next_check()));
        loop {
            self.write().await?;
            let heard = tokio::select! {
                biased;
                item = self.line.queue.next() => {
                    self.deliver(item)?;
                    continue;
                }
                heard = Line::hear(&mut self.line.socket) => heard,
                () = std::future::ready(()), if !self.backlogs.is_empty() => {
                    Box::pin(self.read_backlog()).await?;
                    continue;
                }
                () = &mut timer => {
                    self.line.check_peer(timer.as_mut())?;
                    continue;
                }
                () = &mut draining => return Err(Box::pin(self.line.announce_stop()).await),
            };
            if let Some(Request { id, message }) = self.line.read(heard)? {
                self.answer(id, message).await?;
            }
            if self.leaving {
                self.line.flush().await?;
                return Err(Ending::Close(CloseCode::Normal, "bye"));
            }
        }
    }

    /// Writes what waits, and flushes once.
    async fn write(&mut self) -> Result<(), Ending> {
        for _ in 0..AT_ONCE {
            match self.line.queue.try_next() {
                Some(item) => self.deliver(item)?,
                None => break,
            }
        }
        self.line.flush().await?;
        if self.line.queue.overflowed() {
            return Err(SLOW);
        }
        if self.line.queue.take_lagging() {
            self.ask_for_snapshots();
        }
        Ok(())
    }

    fn deliver(&mut self, item: Outgoing) -> Result<(), Ending> {
        match item {
            Outgoing::Frame(frame) => self.line.feed(frame)?,
            Outgoing::Follow(follow) => {
                self.forget(follow.match_id);
                self.follows.push(*follow);
            }
            Outgoing::Backlog(id, backlog) => self.backlogs.push_back((id, backlog)),
            Outgoing::Unfollow(id) => self.forget(id),
        }
        Ok(())
    }

    pub(super) fn forget(&mut self, id: MatchId) {
        self.follows.retain(|follow| follow.match_id != id);
        self.backlogs.retain(|(match_id, _)| *match_id != id);
    }

    pub(super) fn follow(&self, id: MatchId) -> Option<&Follow> {
        self.follows.iter().find(|follow| follow.match_id == id)
    }

    /// Writes one page of the first backlog, so that live events and other matches are not kept waiting by a long one.
    async fn read_backlog(&mut self) -> Result<(), Ending> {
        let Some((id, mut backlog)) = self.backlogs.pop_front() else {
            return Ok(());
        };
        let Some(follow) = self.follow(id) else {
            return Ok(());
        };
        let mailbox = follow.mailbox.clone();
        let loaded = self
            .line
            .app
            .store
            .load(id.into(), backlog.after, BACKLOG_PAGE)
            .await;
        // Without its backlog the connection would have a gap: it comes back and asks again.
        const UNREADABLE: Ending = Ending::Close(CloseCode::Restart, "backlog unreadable");
        let page = match loaded {
            Ok(page) => page.unwrap_or_default(),
            Err(error) => {
                tracing::warn!(match_id = %id, %error, "a backlog could not be read");
                return Err(UNREADABLE);
            }
        };
        let began = backlog.after;
        for logged in page {
            if logged.seq > backlog.upto || logged.seq != backlog.after.next() {
                break;
            }
            self.line
                .feed(Frame::event(id, logged.seq, logged.text()))?;
            backlog.after = logged.seq;
        }
        if backlog.after == began {
            tracing::error!(match_id = %id, seq = %began.next(), "an event that was stored is missing");
            return Err(UNREADABLE);
        }
        if backlog.after < backlog.upto {
            self.backlogs.push_back((id, backlog));
        } else {
            let order = Order::GoLive(self.line.outbox.id(), backlog);
            // Awaited, not tried: without this order the connection would wait for ever. The actor never waits for a connection.
            let _ = mailbox.send(Box::new(order)).await;
        }
        Ok(())
    }

    /// Asks the matches that are only watched for their state, after events did not fit the queue.
    fn ask_for_snapshots(&self) {
        let id = self.line.outbox.id();
        for follow in self.follows.iter().filter(|follow| follow.seat.is_none()) {
            if follow
                .mailbox
                .try_send(Box::new(Order::CatchUp(id)))
                .is_err()
            {
                self.line.outbox.mark_lagging();
            }
        }
    }

    /// The client says `bye`: what it asked before is answered, then it leaves everything.
    pub(super) async fn finish(&mut self) -> Result<(), Ending> {
        self.give_answers().await?;
        self.leave_all().await;
        Ok(())
    }

    async fn give_answers(&mut self) -> Result<(), Ending> {
        let follows = &mut self.follows;
        let noted = |item| {
            if let Outgoing::Follow(follow) = item {
                follows.push(*follow);
            }
        };
        self.line.give_answers(noted).await
    }

    async fn leave_all(&mut self) {
        // What an actor is about to tell this connection is told no more, and matches that were joined at the last moment are left too.
        self.line.queue.close();
        while let Some(item) = self.line.queue.try_next() {
            if let Outgoing::Follow(follow) = item {
                self.follows.push(*follow);
            }
        }
        let id = self.line.outbox.id();
        for follow in self.follows.drain(..) {
            // An actor that has gone had no followers.
            let _ = follow.mailbox.send(Box::new(Order::Leave(id, None))).await;
        }
    }
}
