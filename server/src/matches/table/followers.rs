//! Those who follow a match: how they begin, catch up, and what they are shown.

use grundy_shared::ids::{PlayerId, Seat, Seq};
use grundy_shared::protocol::client::ListStatus;
use grundy_shared::protocol::server::Snapshot;
use grundy_shared::protocol::{ErrorBody, Notice, Reply};
use grundy_shared::referee::{Refusal, Status};

use super::Table;
use crate::matches::outbox::{Backlog, ConnectionId, Follow, Frame, Outbox, Outgoing, ReplyTo};
use crate::matches::refusal;
use crate::matches::viewers::Pace;
use crate::metrics::ByOutcome;

/// Events that are remembered: as many as a short absence misses.
pub(super) const RECENT_MAX: usize = 8;

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
        let resumed = reply.is_some() && seat.is_some();
        if let Some(reply) = reply {
            reply.send(&Reply::Attached {
                seat,
                snapshot: self.snapshot(),
                code: None,
                expires_at_ms: None,
            });
        }
        let follow = Outgoing::Follow(Box::new(Follow {
            match_id: self.id(),
            seat,
            mailbox: self.actor.mailbox.clone(),
        }));
        if outbox.push(follow).is_err() {
            // It left while this waited, or has to: who does not know that it follows will not say that it leaves.
            outbox.overflow();
            if let Some(seat) = seat {
                self.note_presence(seat).await;
            }
            return;
        }
        let pace = self.bring_up(&outbox, since);
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
        let left = self.actor.viewers.add(id, outbox, seat, pace);
        for seat in [left, seat].into_iter().flatten() {
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
            return Err(refusal::not_so_far(since).limit(self.referee.seq()));
        }
        Ok(seat.filter(|_| seated))
    }

    /// Keeps an event for those who come soon.
    pub(super) fn remember(&mut self, frame: Frame) {
        if self.recent.len() == RECENT_MAX {
            self.recent.pop_front();
        }
        self.recent.push_back(frame);
    }

    /// Sends a connection what it misses after `since`, or the duty to read it from the log first.
    fn bring_up(&mut self, outbox: &Outbox, since: Seq) -> Pace {
        let upto = self.referee.seq();
        let missing = upto.0.saturating_sub(since.0);
        let remembered = self.recent.len() as u64;
        if missing <= remembered {
            // At most RECENT_MAX, so the number fits.
            for frame in self.recent.iter().skip((remembered - missing) as usize) {
                outbox.push_or_close(Outgoing::Frame(frame.clone()));
            }
            return Pace::Live;
        }
        self.backlogs += 1;
        let backlog = Backlog {
            number: self.backlogs,
            after: since,
            upto,
        };
        outbox.push_or_close(Outgoing::Backlog(self.id(), backlog));
        Pace::Reading(backlog.number)
    }

    /// A reader has come to the end of what it was told to read: it gets the rest, or more to read.
    pub(super) fn go_live(&mut self, connection: ConnectionId, read: Backlog) {
        if let Some((pace, outbox)) = self.actor.viewers.get(connection)
            && pace == Pace::Reading(read.number)
        {
            let outbox = outbox.clone();
            let pace = self.bring_up(&outbox, read.after);
            self.actor.viewers.set_pace(connection, pace);
        }
    }

    /// A watcher that missed events has room again.
    pub(super) fn catch_up(&mut self, connection: ConnectionId) {
        if let Some((Pace::Lagging, outbox)) = self.actor.viewers.get(connection) {
            let notice = Frame::notice(&Notice::Snapshot(Box::new(self.snapshot())));
            match outbox.push(Outgoing::Frame(notice)) {
                Ok(()) => self.actor.viewers.set_pace(connection, Pace::Live),
                Err(_) => outbox.mark_lagging(),
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
            held: referee.is_held(referee.to_move()),
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
