//! One match being played: what its actor does with each order.

mod acts;
mod bots;
mod followers;
mod log;
mod presence;

use std::collections::VecDeque;
use std::time::Duration;

use grundy_shared::event::TimeControl;
use grundy_shared::ids::{MatchId, Millis, Ply, Seat};
use grundy_shared::protocol::Reply;
use grundy_shared::referee::{Command, Referee, Status};
use tokio::sync::oneshot;
use tokio::time::Instant;

use self::bots::thought;
use self::presence::Absences;
use super::actor::{Actor, Beginning};
use super::outbox::{Frame, Outgoing};
use super::{Act, Order};
use crate::metrics::ByRule;
use crate::metrics::sharded::Counter;

/// The state of one match and what it waits for.
pub(super) struct Table<'a> {
    actor: &'a mut Actor,
    referee: Referee,
    /// The move that a built-in bot is thinking about.
    thought: Option<oneshot::Receiver<Option<String>>>,
    /// Since when the store has refused to write: this time is given back to the players.
    stalled_since: Option<Millis>,
    /// When to look again at what could not be done.
    retry_at: Option<Millis>,
    /// Players who are gone, and of whom the log does not say so yet.
    absences: Absences,
    /// The last events, up to [`followers::RECENT_MAX`]: most who come or come back need no more.
    recent: VecDeque<Frame>,
    /// Numbers the backlogs given out, so that an old one's end is not taken for a new one's.
    backlogs: u64,
    /// Counts the moves of matches of this game.
    moves: Counter,
}

impl<'a> Table<'a> {
    pub(super) fn new(actor: &'a mut Actor, beginning: Beginning) -> Self {
        let Beginning { referee, recent } = beginning;
        actor.announced = referee.seq();
        let by_rule = ByRule {
            rule: log::rule(&referee),
        };
        let moves = actor
            .directory
            .metrics
            .moves
            .get_or_create(&by_rule)
            .clone();
        actor.pulse.set(referee.seq(), referee.ply());
        Self {
            actor,
            referee,
            thought: None,
            stalled_since: None,
            retry_at: None,
            absences: Absences::default(),
            recent: recent.into(),
            backlogs: 0,
            moves,
        }
    }

    /// Plays until the match is over and nobody follows it any more, or the server stops.
    pub(super) async fn run(mut self) {
        let mut sleep = std::pin::pin!(tokio::time::sleep(Duration::ZERO));
        let mut armed: Option<Millis> = None;
        self.call_the_roll();
        self.consider_bot();
        loop {
            // The timer is only ever set earlier: one that fires too soon is set again then.
            if let Some(wake) = self.wake_at()
                && armed.is_none_or(|armed| wake < armed)
            {
                let ahead = wake.since(self.now()).0 + 1;
                sleep
                    .as_mut()
                    .reset(Instant::now() + Duration::from_millis(ahead));
                armed = Some(wake);
            }
            tokio::select! {
                biased;
                order = self.actor.orders.recv() => match order.map(|order| *order) {
                    None | Some(Order::Stop) => return self.actor.viewers.tell_all(),
                    Some(order) => self.carry_out(order).await,
                },
                // Everybody else has a turn between two portions.
                () = tokio::task::yield_now(), if self.actor.viewers.is_behind() => {
                    self.actor.viewers.tell_some();
                }
                text = thought(&mut self.thought) => Box::pin(self.move_of_bot(text)).await,
                () = &mut sleep, if armed.is_some() => {
                    armed = None;
                    Box::pin(self.on_time()).await;
                }
            }
            if self.is_needless() {
                return self.actor.hand_over().await;
            }
        }
    }

    fn now(&self) -> Millis {
        self.actor.directory.clock.now()
    }

    fn id(&self) -> MatchId {
        self.actor.id
    }

    /// A match that is over needs an actor only while somebody follows it.
    fn is_needless(&self) -> bool {
        self.referee.status() == Status::Over
            && self.actor.viewers.is_empty()
            && self.actor.orders.is_empty()
    }

    fn wake_at(&self) -> Option<Millis> {
        // A server that stops decides nothing by itself: what is due stays due, and would wake it again and again.
        if self.actor.directory.lifecycle.is_draining() {
            return None;
        }
        let due = match self.referee.status() {
            Status::Waiting => Some(self.expires_at()),
            Status::Live => self.referee.deadline().or_else(|| self.abandoned_at()),
            Status::Over => None,
        };
        // What could not be stored is not tried again before its time.
        let due = due.into_iter().chain(self.absences.next()).min();
        let due = due.map(|due| due.max(self.retry_at.unwrap_or_default()));
        due.into_iter().chain(self.retry_at).min()
    }

    fn expires_at(&self) -> Millis {
        let valid = self.actor.directory.config.times.join_code_ms;
        self.referee.created_at().plus(valid)
    }

    /// When a match without clocks that both players have left comes to its end; the log alone decides it, so a restart
    /// changes nothing.
    fn abandoned_at(&self) -> Option<Millis> {
        let untimed = self.referee.clock_control() == TimeControl::Untimed {};
        let here = |seat| self.is_person(seat) && self.referee.online(seat);
        let patience = self.actor.directory.config.times.abandoned_ms;
        (untimed && !Seat::BOTH.into_iter().any(here))
            .then(|| self.referee.last_at().plus(patience))
    }

    async fn on_time(&mut self) {
        let now = self.now();
        if self.retry_at.is_some_and(|at| at <= now) {
            self.retry_at = None;
        }
        if self.retry_at.is_none() && !self.actor.directory.lifecycle.is_draining() {
            if self
                .referee
                .deadline()
                .is_some_and(|deadline| deadline <= now)
            {
                self.decide_alone(now, Command::ClockCheck).await;
            }
            let expires_at = match self.referee.status() {
                Status::Waiting => Some(self.expires_at()),
                Status::Live => self.abandoned_at(),
                Status::Over => None,
            };
            if expires_at.is_some_and(|at| at <= now) {
                self.decide_alone(now, Command::Expire).await;
            }
            self.note_absences(now).await;
        }
        self.consider_bot();
    }

    /// Moves are carried out in place; everything else is rare, and boxed, so that an idle match keeps no room for it.
    async fn carry_out(&mut self, order: Order) {
        match order {
            Order::Act {
                reply,
                received,
                heard,
                player,
                act,
            } => match act {
                Act::Move {
                    ply,
                    text,
                    client_move_id,
                } => {
                    let command = Command::Move {
                        player,
                        ply,
                        client_move_id,
                        text,
                    };
                    self.make_move(reply, received, heard, &command).await;
                }
                Act::Resign => {
                    Box::pin(self.end(reply, received, &Command::Resign { player })).await;
                }
                Act::Abort => {
                    Box::pin(self.end(reply, received, &Command::Abort { player })).await;
                }
                Act::WithdrawRematch => Box::pin(self.withdraw(reply, received, player)).await,
                Act::Rematch(address) => {
                    Box::pin(self.rematch(reply, received, player, address)).await;
                }
            },
            Order::Join {
                reply,
                received,
                player,
            } => Box::pin(self.join(reply, received, player)).await,
            Order::Attach {
                outbox,
                reply,
                player,
                seated,
                since,
            } => Box::pin(self.attach(outbox, reply, player, seated, since)).await,
            Order::GoLive(connection, read) => self.go_live(connection, read),
            Order::CatchUp(connection) => self.catch_up(connection),
            Order::Leave(connection, reply) => {
                if let Some(seat) = self.actor.viewers.remove(connection) {
                    Box::pin(self.note_presence(seat)).await;
                }
                if let Some(reply) = reply {
                    let outbox = reply.outbox();
                    outbox.push_or_close(Outgoing::Unfollow(self.id()));
                    reply.send(&self.done());
                }
            }
            Order::Announced => {
                if self.referee.ply() == Ply(0) {
                    Box::pin(self.give_back(self.referee.last_at())).await;
                }
            }
            Order::Stop => {}
        }
    }

    fn done(&self) -> Reply {
        Reply::Done {
            match_id: Some(self.id()),
            seq: Some(self.referee.seq()),
        }
    }
}
