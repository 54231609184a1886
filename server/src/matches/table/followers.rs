//! Those who follow a match: how they begin, catch up, and what they are shown.

use grundy_shared::ids::{PlayerId, Seat, Seq};
use grundy_shared::protocol::client::ListStatus;
use grundy_shared::protocol::server::Snapshot;
use grundy_shared::protocol::{ErrorBody, ErrorCode, Notice, Reply};
use grundy_shared::referee::{Refusal, Status};

use super::Table;
use crate::matches::outbox::{
    Backlog, ConnectionId, Follow, Frame, Outbox, Outgoing, PushError, ReplyTo,
};
use crate::matches::refusal;
use crate::matches::viewers::{Pace, Viewer};
use crate::metrics::ByOutcome;
use crate::store::LOAD_PAGE;

/// The longest gap that is closed from the actor when a reader says that it is done.
const GAP_MAX: u64 = 16;

impl Table<'_> {
    pub(super) async fn attach(
        &mut self,
        outbox: Outbox,
        reply: Option<ReplyTo>,
        player: PlayerId,
        seated: bool,
        since: Seq,
    ) {
        let seat = match self.may_attach(player, seated, since) {
            Ok(seat) => seat,
            Err(error) => {
                if let Some(reply) = reply {
                    reply.refuse(error);
                }
                return;
            }
        };
        let upto = self.referee.seq();
        let resumed = reply.is_some() && seat.is_some();
        if let Some(reply) = reply {
            reply.send(&Reply::Attached {
                seat,
                snapshot: self.snapshot(),
            });
        }
        let follow = Outgoing::Follow(Box::new(Follow {
            match_id: self.id(),
            seat,
            mailbox: self.actor.mailbox.clone(),
        }));
        if outbox.push(follow) == Err(PushError::Gone) {
            // It left while this waited, and will not say so again.
            if let Some(seat) = seat {
                self.note_presence(seat).await;
            }
            return;
        }
        let pace = if since == upto {
            Pace::Live
        } else {
            let backlog = Backlog { after: since, upto };
            outbox.push_or_close(Outgoing::Backlog(self.id(), backlog));
            Pace::Reading
        };
        if resumed {
            let outcome = if pace == Pace::Live {
                "current"
            } else {
                "replayed"
            };
            let resumes = &self.actor.directory.metrics.resumes;
            resumes.get_or_create(&ByOutcome { outcome }).inc();
        }
        let id = self.id();
        self.actor.viewers.add(id, Viewer { outbox, seat, pace });
        if let Some(seat) = seat {
            self.note_presence(seat).await;
        }
    }

    pub(super) fn may_attach(
        &self,
        player: PlayerId,
        seated: bool,
        since: Seq,
    ) -> Result<Option<Seat>, ErrorBody> {
        let seat = self.referee.seat_of(player);
        if self.referee.status() == Status::Waiting && seat.is_none() {
            return Err(refusal::no_such_match(&self.id().to_string()));
        }
        if seated && seat.is_none() {
            return Err(refusal::of_referee(&Refusal::NotAPlayer));
        }
        if since > self.referee.seq() {
            return Err(
                ErrorBody::new(ErrorCode::OutOfRange, "the match has not come so far yet")
                    .field("since_seq")
                    .limit(self.referee.seq())
                    .got(&since.to_string()),
            );
        }
        Ok(seat.filter(|_| seated))
    }

    /// A reader has come to the end of what it was told to read: it gets the rest, or more to read.
    pub(super) async fn go_live(&mut self, connection: ConnectionId, after: Seq) {
        let upto = self.referee.seq();
        let id = self.id();
        let Some(viewer) = self.actor.viewers.get_mut(connection) else {
            return;
        };
        if viewer.pace != Pace::Reading {
            return;
        }
        if after < upto && upto.0 - after.0 <= GAP_MAX {
            let page = self.actor.directory.store.load(id, after, LOAD_PAGE).await;
            if let Ok(Some(page)) = page {
                for logged in page {
                    let frame = Frame::event(id, logged.seq, &logged.body);
                    viewer.outbox.push_or_close(Outgoing::Frame(frame));
                }
                viewer.pace = Pace::Live;
                return;
            }
        }
        if after < upto {
            let backlog = Backlog { after, upto };
            viewer.outbox.push_or_close(Outgoing::Backlog(id, backlog));
        } else {
            viewer.pace = Pace::Live;
        }
    }

    /// A watcher that missed events has room again.
    pub(super) fn catch_up(&mut self, connection: ConnectionId) {
        let snapshot = self.snapshot();
        let Some(viewer) = self.actor.viewers.get_mut(connection) else {
            return;
        };
        if viewer.pace == Pace::Lagging {
            let notice = Frame::notice(&Notice::Snapshot(Box::new(snapshot)));
            match viewer.outbox.push(Outgoing::Frame(notice)) {
                Ok(()) => viewer.pace = Pace::Live,
                Err(_) => viewer.outbox.mark_lagging(),
            }
        }
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        let referee = &self.referee;
        let now = self.now().max(referee.last_at());
        let (outcome, reason) = referee.outcome().unzip();
        Snapshot {
            match_id: self.id(),
            seq: referee.seq(),
            start: referee.start().to_string(),
            position: referee.position().to_string(),
            ply: referee.ply(),
            to_move: referee.to_move(),
            clock: referee.clock_control(),
            clocks: match referee.status() {
                Status::Waiting => None,
                Status::Live | Status::Over => referee.clocks_at(now),
            },
            at_ms: now,
            first: referee.player(Seat::First).cloned(),
            second: referee.player(Seat::Second).cloned(),
            status: match referee.status() {
                Status::Waiting => ListStatus::Waiting,
                Status::Live => ListStatus::Live,
                Status::Over => ListStatus::Over,
            },
            outcome,
            reason,
        }
    }
}
