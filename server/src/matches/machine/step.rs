//! What the match does with each thing that it is told, and when it has to be woken.

use grundy_shared::ids::{Millis, PlayerId, Seq};
use grundy_shared::referee::{Command, Status};

use super::clocks::seen_at;
use super::effect::Effect;
use super::flight::Cause;
use super::input::{Act, Input};
use super::late::Late;
use super::queue::Request;
use super::state::Machine;
use crate::matches::sight::Announcement;

impl<C: Clone + Eq, R> Machine<C, R> {
    /// Takes in what the match is told, and puts what follows at the end of `effects`. `now` never goes back from one step to the
    /// next.
    ///
    /// Cost: linear in the players' connections and in one portion of watchers, apart from the rules of the game; a
    /// connection that comes or goes is looked up among all followers.
    pub fn step(&mut self, now: Millis, input: Input<C, R>, effects: &mut Vec<Effect<C, R>>) {
        match input {
            Input::Act {
                reply,
                connection,
                received,
                player,
                act,
            } => self.act(reply, connection, received, player, act, effects),
            Input::Join {
                reply,
                connection,
                received,
                player,
            } => self.ask_to_join(reply, connection, received, player, effects),
            Input::Seat {
                reply,
                answer,
                connection,
                player,
            } => {
                effects.push(Effect::Reply(reply, *answer));
                self.attach(now, connection, None, player, true, Seq(0), effects);
            }
            Input::Attach {
                reply,
                connection,
                player,
                seated,
                invites,
                since,
            } => {
                let late = Late {
                    connection,
                    reply: reply.map(|reply| (reply, invites)),
                    player,
                    seated,
                    since,
                    asked: false,
                };
                self.attach_late(now, late, effects);
            }
            Input::Leave {
                reply,
                connection,
                player,
            } => {
                self.forget_late(&connection);
                self.leave(now, reply, connection, player, effects);
            }
            Input::Gone {
                connection,
                said_bye,
            } => {
                self.forget_late(&connection);
                self.lose(now, &connection, said_bye);
            }
            Input::GoLive(connection, read) => self.go_live(&connection, read, effects),
            Input::CatchUp(connection) => self.catch_up(now, connection, effects),
            Input::Lagging(connection) => self.lag(&connection),
            Input::Committed(result) => self.committed(now, result, effects),
            Input::Tail(read) => self.read_tail(now, read, effects),
            Input::Thought {
                after,
                thought,
                took,
            } => self.thought(now, after, thought, took),
            Input::Hint(last) => self.hint(now, last),
            Input::Elsewhere(seats) => self.seats_elsewhere(now, seats, effects),
            Input::FoundBack { seat, since } => self.found_back(now, seat, since),
            Input::Time => self.say_who_left(now, effects),
            Input::Announce(frame) => {
                let announcement = Announcement::same_for_all(Seq(0), frame);
                self.followers.tell_players(&announcement, effects);
                self.followers
                    .tell_watchers(announcement.into_open(), effects);
            }
            Input::Forfeit(loser, reason) => self.attendance.order(loser, reason),
            Input::Continue => {
                self.continuing = false;
                self.followers.tell_some(effects);
            }
            Input::Drain => self.drain(),
            Input::Stop => {
                self.drain();
                self.stopping = true;
            }
        }
        self.go_on(now, effects);
        if self.draining || self.damaged {
            self.refuse_all_late(now, effects);
        }
        self.see_to_watchers(effects);
        self.see_whether_done(effects);
    }

    /// When the match wants to be told [`Input::Time`]; `None` if nothing will be due by itself.
    #[must_use]
    pub fn wake_at(&self) -> Option<Millis> {
        // A server that stops decides nothing by itself: what is due stays due. And what is being stored comes first.
        if self.draining || self.damaged || self.flight.is_some() {
            return None;
        }
        let due = match self.referee.status() {
            Status::Waiting => Some(self.expires_at()),
            // The clock of a bot that waits for its turn to think does not run.
            Status::Live if self.bot_time.waits() => None,
            Status::Live => self.flag_falls_at().or_else(|| self.abandoned_at()),
            Status::Over => self.offer_ends_at(),
        };
        let due = [
            due,
            self.absences.next(),
            self.clocks_start_at(),
            self.pause_ends_at(),
            self.forfeits_at(),
            self.thinking.again_at(),
            // Also what was put off for what is due no more: something else may wait for it.
            self.retry_at,
            self.look_at.filter(|_| self.may_go_on()),
        ];
        let due = due.into_iter().flatten().min()?;
        // What could not be stored is not tried again before its time.
        Some(due.max(self.retry_at.unwrap_or_default()))
    }

    /// Decides one thing after another until something has to be stored, or nothing is left.
    fn go_on(&mut self, now: Millis, effects: &mut Vec<Effect<C, R>>) {
        while self.flight.is_none() && !self.damaged {
            let Some((cause, at)) = self.next_cause(now) else {
                break;
            };
            match cause {
                Cause::Look => self.read_on(cause, at, 0, effects),
                cause => self.decide(now, cause, at, 0, effects),
            }
        }
        if self.flight.is_none() {
            self.consider_bot(now, effects);
        }
    }

    /// What is to be decided next, and for which moment.
    fn next_cause(&mut self, now: Millis) -> Option<(Cause<C, R>, Millis)> {
        if let Some(command) = self.late_announcement(now) {
            return Some((Cause::Alone(command), now));
        }
        if self.retry_at.is_some_and(|at| at <= now) {
            self.retry_at = None;
        }
        // Connections wait for this look, which works even if something could not be stored. Requests go first, because strangers may connect all the time.
        let is_first = self.queue.is_empty() || self.retry_at.is_some();
        if is_first && !self.late.is_empty() && !self.draining && self.is_look_due(now) {
            return Some((Cause::Look, now));
        }
        let alone = self.retry_at.is_none() && !self.draining;
        // In the moment in which it began there is nothing to give back.
        let stalled = self.stalled_since.is_some_and(|since| since < now);
        if stalled && (alone || !self.queue.is_empty()) {
            return Some((Cause::Credit, now));
        }
        if alone
            && !stalled
            && let Some(credit) = self.credit_before_request(now)
        {
            return Some((Cause::Alone(credit), now));
        }
        if let Some(request) = self.queue.pop() {
            return Some(self.before_request(now, request));
        }
        if let Some(hold) = self.hold_before_stop() {
            return Some((Cause::Alone(hold), now));
        }
        if !alone {
            return None;
        }
        let cause = self.next_by_itself(now)?;
        let at = match cause {
            Cause::Alone(Command::ClockCheck) => seen_at(now),
            _ => now,
        };
        Some((cause, at))
    }

    /// Mostly the request itself; what has to come before it otherwise.
    fn before_request(&mut self, now: Millis, request: Request<C, R>) -> (Cause<C, R>, Millis) {
        if let Some(command) = self.offer_ends_before(&request) {
            self.queue.put_back(request);
            return (Cause::Alone(command), now);
        }
        let received = request.received;
        (Cause::Request(request), received)
    }

    /// What the match does unasked, in this order.
    fn next_by_itself(&mut self, now: Millis) -> Option<Cause<C, R>> {
        if let Some(address) = self.offer.take_bot_asked() {
            return Some(Cause::BotAccepts(address));
        }
        // First of all: what another server stored can make the rest needless.
        if self.is_look_due(now) {
            return Some(Cause::Look);
        }
        let command = self
            .presence_to_note(now)
            .or_else(|| self.forfeit_that_is_due(now))
            .or_else(|| self.way_to_give_back())
            .or_else(|| self.clock_to_start(now))
            .or_else(|| self.pause_that_ends(now))
            .or_else(|| self.answer_of_bot())
            .or_else(|| self.move_that_was_planned())
            .or_else(|| self.credit_of_bot(now))
            .or_else(|| self.move_of_bot())
            .or_else(|| self.end_that_is_due(now))
            .or_else(|| self.offer_that_ends(now));
        command.map(Cause::Alone)
    }

    /// Whether it is time to look at the log.
    fn is_look_due(&self, now: Millis) -> bool {
        self.look_at.is_some_and(|at| at <= now) && self.may_go_on()
    }

    /// Whether other servers use the same store.
    pub(super) fn is_shared(&self) -> bool {
        self.policy.shared
    }

    /// Whether another server can have something to store that matters here.
    fn may_go_on(&self) -> bool {
        self.referee.status() != Status::Over || !self.followers.is_empty() || !self.late.is_empty()
    }

    /// Refuses what cannot wait, and lets the rest wait for its turn.
    fn act(
        &mut self,
        reply: R,
        connection: C,
        received: Millis,
        player: PlayerId,
        act: Act,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        let (command, room) = self.command_of(player, act);
        let request = Request {
            reply,
            connection,
            received,
            player,
            command,
            room,
        };
        self.note_request(&request);
        self.enqueue(request, effects);
    }

    /// Asks the driver for another turn while watchers have not been told everything.
    fn see_to_watchers(&mut self, effects: &mut Vec<Effect<C, R>>) {
        if self.stopping {
            self.followers.tell_all(effects);
        } else if self.followers.is_behind() && !self.continuing {
            self.continuing = true;
            effects.push(Effect::Continue);
        }
    }

    /// A match that is over is needed only while somebody follows it, or until an offer in it has ended; a server that stops needs none.
    fn see_whether_done(&mut self, effects: &mut Vec<Effect<C, R>>) {
        let over = self.referee.status() == Status::Over
            && self.followers.is_empty()
            && self.offer_ends_at().is_none();
        let idle = self.flight.is_none() && self.queue.is_empty() && self.late.is_empty();
        let done = (over || self.stopping) && idle && !self.damaged;
        if done && !self.done {
            effects.push(Effect::Done);
        }
        self.done = done;
    }
}
