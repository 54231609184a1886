//! Deciding, storing, announcing: in this order.

use grundy_shared::event::{EndReason, Event, Outcome};
use grundy_shared::ids::{Millis, PlayerId, Seq};
use grundy_shared::protocol::{ErrorBody, Reply};
use grundy_shared::rated::RatedPair;
use grundy_shared::referee::{Command, Decision, Referee, Refusal, Ruling};

use super::effect::{Counted, Effect, Note};
use super::flight::{Cause, Flight, Stage, Storing};
use super::input::CommitRefusal;
use super::offer::Prepared;
use super::state::Machine;
use super::thinking::Thinking;
use crate::matches::frame::Frame;
use crate::matches::refusal;
use crate::matches::sight::Announcement;
use crate::planted;
use crate::store::{Commit, Guard, Logged, MatchRow};

/// Conflicts in a row after which a request is refused.
const CONFLICTS_MAX: u8 = 5;
/// When the match tries again by itself what the store refused.
pub(super) const RETRY_MS: Millis = Millis(1_000);

impl<C: Clone + Eq, R> Machine<C, R> {
    /// Asks the referee; has the store keep what follows, or answers at once.
    pub(super) fn decide(
        &mut self,
        now: Millis,
        cause: Cause<C, R>,
        at: Millis,
        conflicts: u8,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        match self.ruled(&cause, at) {
            Ok(Decision::Events(ruling)) => match self.prepare_following(&cause, &ruling, at) {
                Ok(following) => self.store(cause, at, conflicts, ruling, following, effects),
                Err(error) => self.fail(now, at, cause, error, effects),
            },
            Ok(Decision::Repeat {
                seq,
                ply,
                move_text,
                clocks,
            }) => {
                let accepted = Reply::Accepted {
                    match_id: self.id,
                    seq,
                    ply,
                    move_text,
                    clocks,
                };
                if let Cause::Request(request) = cause {
                    effects.push(Effect::Reply(request.reply, accepted));
                }
            }
            Ok(Decision::Nothing) => self.unchanged(now, cause, effects),
            // Perhaps another server has stored what makes it lawful.
            Err(_) if self.is_shared() && conflicts == 0 => self.read_on(cause, at, 1, effects),
            Err(refused) => {
                let error = match &cause {
                    Cause::Request(request) if !request.joins() && !request.is_of_operator() => {
                        self.refused(request.player, &refused)
                    }
                    _ => refusal::of_referee(&refused),
                };
                self.fail(now, at, cause, error, effects);
            }
        }
    }

    /// What the referee says to it.
    fn ruled(&self, cause: &Cause<C, R>, at: Millis) -> Result<Decision, Refusal> {
        match cause {
            Cause::Request(request) => {
                let decided = self.referee.handle(at, &request.command)?;
                if is_claim(&decided) {
                    self.may_claim(request.player, at)?;
                }
                Ok(decided)
            }
            Cause::Alone(command) => self.referee.handle(at, command),
            Cause::Credit => {
                let since = self.stalled_since.unwrap_or(at);
                let credit = Command::Outage {
                    away_ms: at.since(since),
                    hold: false,
                };
                self.referee.handle(at, &credit)
            }
            Cause::Look => Ok(Decision::Nothing),
            Cause::BotAccepts(_) => match self.acceptance_of_bot() {
                Some(command) => self.referee.handle(at, &command),
                None => Ok(Decision::Nothing),
            },
        }
    }

    /// What the log does not show of a claim: a return that is not stored yet, and that players have to find back.
    fn may_claim(&self, player: PlayerId, at: Millis) -> Result<(), Refusal> {
        let seat = self.referee.seat_of(player).ok_or(Refusal::NotAPlayer)?;
        if self.is_here(seat.other()) {
            return Err(Refusal::NotAway);
        }
        match self.claims_from.since(at) {
            Millis(0) => Ok(()),
            wait => Err(Refusal::ClaimTooEarly { wait }),
        }
    }

    /// Things are as they should be.
    fn unchanged(&mut self, now: Millis, cause: Cause<C, R>, effects: &mut Vec<Effect<C, R>>) {
        match cause {
            Cause::Request(request) => self.answer_unchanged(now, request, effects),
            Cause::Credit => self.stalled_since = None,
            // It was decided because it seemed to be due: not again at once.
            Cause::Alone(_) => self.put_off(now),
            Cause::Look | Cause::BotAccepts(_) => {}
        }
    }

    /// Has events stored. Nothing is announced, and the state is as before, until they are.
    fn store(
        &mut self,
        cause: Cause<C, R>,
        at: Millis,
        conflicts: u8,
        ruling: Ruling,
        following: Option<Prepared>,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        let expected = self.referee.seq();
        let mut announcements = Vec::with_capacity(ruling.len());
        let mut events = Vec::with_capacity(ruling.len());
        for (number, event) in (expected.0 + 1..).zip(&ruling) {
            let seq = Seq(number);
            let (frame, body) = Frame::of_event(self.id, seq, event);
            announcements.push(Announcement::of(self.id, seq, event, frame));
            events.push(body);
        }
        let mut commit = Commit::append(self.id, expected, events);
        if let Some(row) = row_after(&self.referee, &ruling) {
            commit = commit.with_row(self.id, row);
        }
        if let Some(following) = &following {
            commit = following.add_to(commit, &self.policy);
        }
        commit.guards.extend(self.room_to_join(&ruling));
        let commit = Box::new(commit);
        effects.push(match counted(&self.referee, &ruling) {
            Some(counted) => Effect::CommitEnd { commit, counted },
            None => Effect::Commit(commit),
        });
        let storing = Storing {
            ruling,
            announcements,
            following: following.map(Box::new),
        };
        self.flight = Some(Flight {
            cause,
            at,
            conflicts,
            stage: Stage::Storing(storing),
        });
    }

    /// A player who joins must have room for one more match.
    fn room_to_join(&self, events: &[Event]) -> Option<Guard> {
        events.iter().find_map(|event| match event {
            Event::Joined { player, .. } => Some(self.policy.room_of(player)),
            _ => None,
        })
    }

    /// What became of the commit in flight.
    pub(super) fn committed(
        &mut self,
        now: Millis,
        result: Result<(), CommitRefusal>,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        let Some(Flight {
            cause,
            at,
            conflicts,
            stage: Stage::Storing(storing),
        }) = self.flight.take()
        else {
            return;
        };
        match result {
            Ok(()) => self.stored(now, cause, at, storing, effects),
            Err(CommitRefusal::Conflict) => {
                effects.push(Effect::Note(Note::Conflict));
                self.read_after_conflict(now, cause, at, conflicts, effects);
            }
            Err(CommitRefusal::RematchExists) => {
                self.offer.found_rematch();
                if conflicts < CONFLICTS_MAX {
                    self.decide(now, cause, at, conflicts + 1, effects);
                } else {
                    self.fail(now, at, cause, changed_elsewhere(), effects);
                }
            }
            Err(CommitRefusal::Stalled(error)) => {
                if !planted::is("forget_the_stall") {
                    self.stalled_since.get_or_insert(cause.since(at));
                }
                // What is lost meanwhile is given back once there is something to give back.
                self.put_off(now);
                self.fail(now, at, cause, error, effects);
            }
            Err(CommitRefusal::Full(error) | CommitRefusal::Failed(error)) => {
                self.fail(now, at, cause, error, effects);
            }
        }
    }

    /// Events are durable: the state is theirs, and everybody may hear of them.
    fn stored(
        &mut self,
        now: Millis,
        cause: Cause<C, R>,
        at: Millis,
        storing: Storing,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        let Storing {
            ruling,
            announcements,
            following,
        } = storing;
        let first = self.referee.seq().next();
        let Ok(events) = self.referee.accept(ruling) else {
            // Nothing comes between a ruling and its commit: there is one decision at a time.
            self.break_down(Some(cause), effects);
            return;
        };
        match cause {
            Cause::Request(request) => {
                let connection = request.connection.clone();
                let player = request.player;
                let address = request.room.clone().and_then(Result::ok);
                self.answer_stored(request, first, &events, effects);
                self.publish(now, announcements, &events, effects);
                if let (Event::RematchOffered { .. }, Some(address)) = (&events[0], address) {
                    self.ask_bot_for_rematch(address);
                }
                self.follow_up(now, at, connection, player, &events, effects);
            }
            Cause::Credit => {
                self.stalled_since = None;
                // It may have waited long for the store itself.
                self.owed_since = Some(at);
                self.publish(now, announcements, &events, effects);
            }
            // Nothing follows from it.
            Cause::Look => {}
            Cause::Alone(_) => {
                self.publish(now, announcements, &events, effects);
                let starts_clock = matches!(
                    events[0],
                    Event::Moved { .. }
                        | Event::ClockStarted { .. }
                        | Event::TakenBack { .. }
                        | Event::Continued { .. }
                );
                if starts_clock {
                    self.owed_since = Some(at);
                }
            }
            Cause::BotAccepts(_) => {
                self.publish(now, announcements, &events, effects);
            }
        }
        self.open_following(following, effects);
    }

    /// What else follows from a request that was carried out.
    fn follow_up(
        &mut self,
        now: Millis,
        at: Millis,
        connection: C,
        player: PlayerId,
        events: &[Event],
        effects: &mut Vec<Effect<C, R>>,
    ) {
        match &events[0] {
            Event::Moved { .. } | Event::TakenBack { .. } | Event::Continued { .. } => {
                self.owed_since = Some(at);
            }
            Event::Joined { .. } => {
                self.owed_since = Some(at);
                self.attach(now, connection, None, player, true, Seq(0), effects);
            }
            _ => {}
        }
    }

    /// Tells the followers, and keeps the state beside the log up to date.
    pub(super) fn publish(
        &mut self,
        now: Millis,
        announcements: Vec<Announcement>,
        events: &[Event],
        effects: &mut Vec<Effect<C, R>>,
    ) {
        for announcement in announcements {
            self.tell(&announcement, effects);
            self.remember(announcement);
        }
        self.tell_what_was_kept(effects);
        for event in events {
            match event {
                Event::Joined { .. } => self.invitation = None,
                Event::Moved { seat, .. } => {
                    effects.push(Effect::Note(Note::Moved));
                    self.absences.forgive(*seat);
                    self.bot_time.stop();
                    if !planted::is("bot_moves_for_the_player") {
                        self.thinking.stop();
                    }
                }
                Event::Ended { reason, .. } => {
                    effects.push(Effect::Note(Note::Ended(*reason)));
                    self.invitation = None;
                    self.thinking.stop();
                    self.bot_time.stop();
                    self.absences.clear();
                }
                Event::RematchOffered { seat, .. } => self.offer_is_made(now, *seat),
                Event::RematchWithdrawn { .. }
                | Event::RematchDeclined { .. }
                | Event::RematchAccepted { .. } => {
                    self.offer.is_over();
                }
                Event::Presence { seat, online, .. } => self.absences.was_noted(*seat, *online),
                Event::TakenBack { .. } => {
                    self.thinking.stop();
                    self.bot_time.stop();
                }
                // What a bot has chosen stays chosen. One that waits is owed nothing while the clocks stand still, and is asked again afterwards.
                Event::Paused { .. } => {
                    if !matches!(self.thinking, Thinking::Chosen(..)) {
                        self.thinking.stop();
                    }
                    self.bot_time.stop();
                }
                Event::Outage { credited_ms, .. } if self.thinking != Thinking::Not => {
                    self.bot_time.credited(now, *credited_ms);
                }
                Event::Created { .. }
                | Event::Outage { .. }
                | Event::ClockStarted { .. }
                | Event::Proposed { .. }
                | Event::ProposalEnded { .. }
                | Event::Planned { .. }
                | Event::Continued { .. } => {}
            }
        }
    }

    /// Somebody else has written: what the log says now comes first.
    fn read_after_conflict(
        &mut self,
        now: Millis,
        cause: Cause<C, R>,
        at: Millis,
        conflicts: u8,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        if conflicts >= CONFLICTS_MAX {
            self.fail(now, at, cause, changed_elsewhere(), effects);
            return;
        }
        self.read_on(cause, at, conflicts + 1, effects);
    }

    /// Reads the events after the newest that is known here.
    pub(super) fn read_on(
        &mut self,
        cause: Cause<C, R>,
        at: Millis,
        conflicts: u8,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        self.asks_log();
        let after = self.referee.seq();
        effects.push(Effect::ReadTail {
            after,
            hinted: self.hints.newest > after,
        });
        self.flight = Some(Flight {
            cause,
            at,
            conflicts,
            stage: Stage::Reading,
        });
    }

    /// Takes over what the log says, and decides again.
    pub(super) fn read_tail(
        &mut self,
        now: Millis,
        read: Result<Vec<Logged>, ErrorBody>,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        let Some(Flight {
            mut cause,
            at,
            conflicts,
            stage: Stage::Reading,
        }) = self.flight.take()
        else {
            return;
        };
        let stored = match read {
            Ok(stored) => stored,
            Err(error) => {
                self.fail(now, at, cause, error, effects);
                return self.refuse_all_late(now, effects);
            }
        };
        self.look_at = None;
        for Logged { seq, body } in stored {
            let event = serde_json::from_slice::<Event>(&body);
            let lawful = seq == self.referee.seq().next()
                && event
                    .as_ref()
                    .is_ok_and(|event| self.referee.apply(event).is_ok());
            let (Ok(event), true) = (event, lawful) else {
                return self.break_down(Some(cause), effects);
            };
            let frame = Frame::event(self.id, seq, &body);
            let announcement = Announcement::of(self.id, seq, &event, frame);
            if !planted::is("stale_after_conflict") {
                let event = std::slice::from_ref(&event);
                self.publish(now, vec![announcement], event, effects);
            }
            self.follow_elsewhere(now, &event, effects);
            if let Event::Outage { credited_ms, .. } = event {
                self.was_given_back(credited_ms, &mut cause);
            }
        }
        self.has_looked(now);
        self.admit_late(now, effects);
        self.decide(now, cause, at, conflicts, effects);
    }

    /// Another server has given this time back: it was the same stall, and is not given back twice.
    fn was_given_back(&mut self, credited: Millis, cause: &mut Cause<C, R>) {
        for since in [&mut self.stalled_since, &mut self.owed_since] {
            *since = since.map(|since| since.plus(credited));
        }
        if let Cause::Alone(Command::Outage { away_ms, .. }) = cause {
            *away_ms = away_ms.since(credited);
        }
    }

    /// What else follows from an event that another server stored.
    fn follow_elsewhere(&mut self, now: Millis, event: &Event, effects: &mut Vec<Effect<C, R>>) {
        match event {
            // Players here learn of it only now.
            Event::Joined { at_ms, .. }
            | Event::Moved { at_ms, .. }
            | Event::TakenBack { at_ms, .. }
            | Event::Continued { at_ms }
                if self.followers.holds(self.referee.to_move()) =>
            {
                self.owed_since = Some(*at_ms);
            }
            Event::Outage { held: true, .. } => self.players_find_back(now),
            Event::RematchOffered { .. } => self.offer.stands_elsewhere(),
            Event::RematchAccepted { rematch, .. } => self.lead_into(*rematch, effects),
            Event::Ended {
                next: Some(next), ..
            } => self.lead_into(*next, effects),
            _ => {}
        }
    }

    /// What was decided could not be stored, or must not be.
    fn fail(
        &mut self,
        now: Millis,
        at: Millis,
        cause: Cause<C, R>,
        error: ErrorBody,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        if matches!(cause, Cause::Alone(Command::Outage { .. })) {
            // What is not given back is still owed, whatever the reason.
            self.stalled_since.get_or_insert(cause.since(at));
        }
        match cause {
            Cause::Request(request) => Self::refuse(request, error, effects),
            // The request that would have come next has waited for it.
            Cause::Credit => match self.queue.pop() {
                Some(request) => Self::refuse(request, error, effects),
                None => self.put_off(now),
            },
            Cause::Alone(command) => {
                self.put_off(now);
                // It was to come before a request, which would have it decided again at once.
                if matches!(command, Command::WithdrawRematch { .. })
                    && let Some(request) = self.queue.pop()
                {
                    Self::refuse(request, error, effects);
                }
            }
            Cause::Look => self.look_at = Some(now.plus(RETRY_MS)),
            // The offer stands: the player may ask again.
            Cause::BotAccepts(_) => {}
        }
    }

    fn put_off(&mut self, now: Millis) {
        self.retry_at = Some(now.plus(RETRY_MS));
    }

    /// The log contradicts the rules: nothing can be decided any more.
    fn break_down(&mut self, cause: Option<Cause<C, R>>, effects: &mut Vec<Effect<C, R>>) {
        self.damaged = true;
        if let Some(Cause::Request(request)) = cause {
            Self::refuse(request, refusal::internal(), effects);
        }
        while let Some(request) = self.queue.pop() {
            Self::refuse(request, refusal::internal(), effects);
        }
        self.followers.dismiss(effects);
        effects.push(Effect::Note(Note::Damaged));
    }
}

fn changed_elsewhere() -> ErrorBody {
    refusal::busy("the match is being changed elsewhere")
}

/// Whether the match would end because somebody stays away.
fn is_claim(decided: &Decision) -> bool {
    let Decision::Events(ruling) = decided else {
        return false;
    };
    end_among(ruling).is_some_and(|(_, reason)| reason == EndReason::Abandoned)
}

/// Where the match counts with these events.
fn counted(referee: &Referee, events: &[Event]) -> Option<Counted> {
    let end = end_among(events)?;
    if let Some(game) = referee.tournament() {
        return Some(Counted::Game { game, end });
    }
    let ended = |event| RatedPair::ended(referee, event);
    let pair = events.iter().find_map(ended);
    pair.map(|pair| Counted::Pair(Box::new(pair)))
}

/// The end of the match among these events.
fn end_among(events: &[Event]) -> Option<(Outcome, EndReason)> {
    events.iter().find_map(|event| match event {
        Event::Ended {
            outcome, reason, ..
        } => Some((*outcome, *reason)),
        _ => None,
    })
}

/// The summary of the match after these events, if they change it.
fn row_after(referee: &Referee, events: &[Event]) -> Option<MatchRow> {
    let changes = |event: &Event| matches!(event, Event::Joined { .. } | Event::Ended { .. });
    if !events.iter().any(changes) {
        return None;
    }
    let mut row = MatchRow::of(referee, None);
    for event in events {
        row.follow(event);
    }
    Some(row)
}
