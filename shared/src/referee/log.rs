//! The laws of a match's log, and the fold of its events: [`Referee::replay`] and [`Referee::apply`].

use std::collections::BTreeMap;

use super::clock::MatchClock;
use super::limits::{MOVE_OVERHEAD, OFFERS_MAX, SERIES_MAX};
use super::plans::Plans;
use super::proposals::Proposals;
use super::repetition::Repetitions;
use super::ruling::Next;
use super::{Played, Referee, Rematch, Status};
use crate::event::{Clocks, EndReason, Event, Outcome, PlayerInfo, Proposal, TimeControl};
use crate::ids::{ClientMoveId, MatchId, Millis, Ply, Seat, Seq};
use crate::position::Position;

/// A log that cannot have come from this referee: its first wrong event, and the law it breaks.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("event {seq}: {law}")]
pub struct ReplayError {
    /// The number of the event, from 1. For a log that stops too early, the number of the event that is missing.
    pub seq: Seq,
    /// What is wrong with it.
    pub law: BrokenLaw,
}

/// What is wrong with an event.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BrokenLaw {
    /// The log is empty or begins in the middle.
    #[error("a match begins with 'created'")]
    NoBeginning,
    /// The match is created a second time.
    #[error("a match is created once")]
    CreatedTwice,
    /// The start position cannot be played from.
    #[error("the start position is not one: {0}")]
    BadStart(String),
    /// A text is not the printed form of what it means.
    #[error("'{found}' is not canonical: it is written '{canonical}'")]
    NotCanonical {
        /// As written.
        found: String,
        /// As it should be.
        canonical: String,
    },
    /// The time control is out of bounds.
    #[error("the clock cannot be played: {0}")]
    BadClock(String),
    /// It happened before the event before it.
    #[error("it is dated {found}, before the event before it, {last}")]
    TimeBackwards {
        /// As written.
        found: Millis,
        /// Of the event before.
        last: Millis,
    },
    /// The seat is taken already, or by the same player.
    #[error("the {0} seat cannot be taken by this player")]
    SeatTaken(Seat),
    /// Only possible while a match is played.
    #[error("the match is not being played")]
    NotLive,
    /// Only possible before the end.
    #[error("the match is over already")]
    Over,
    /// Only possible after the end, between two players, in the order of an offer and its acceptance or withdrawal.
    #[error("there is no such offer to make, to accept or to withdraw")]
    NoOffer,
    /// The wrong player moved.
    #[error("the {to_move} player is to move")]
    WrongTurn {
        /// Who should have moved.
        to_move: Seat,
    },
    /// A move is left out or doubled.
    #[error("this is move {expected}, not move {found}")]
    WrongPly {
        /// What it should be.
        expected: Ply,
        /// As written.
        found: Ply,
    },
    /// The rules do not allow the move.
    #[error("the move {0} is illegal: {1}")]
    IllegalMove(String, String),
    /// A player used a move id twice.
    #[error("the move id {0} was used before")]
    MoveIdTwice(ClientMoveId),
    /// The clocks do not add up.
    #[error("the clocks should be {expected:?}")]
    WrongClocks {
        /// What they should be.
        expected: Option<Clocks>,
    },
    /// The match ended before this, and that is not written down.
    #[error("the match ended before this: {} by {}", .0.as_str(), .1.as_str())]
    EndMissing(Outcome, EndReason),
    /// A clock waits for the network for longer than the player has left for that.
    #[error("the clock waits for the network for more than {allowed} ms")]
    TooMuchLag {
        /// The most that is possible.
        allowed: Millis,
    },
    /// Who won or how is not what the moves and clocks say.
    #[error("the match cannot end so here: {} by {}", .0.as_str(), .1.as_str())]
    WrongEnd(Outcome, EndReason),
    /// The place in a series is not one.
    #[error(
        "a series has an even number of games up to {}, and as many results as games before this one",
        SERIES_MAX
    )]
    BadSeries,
    /// A match that cannot be rated is.
    #[error("a rated match has a clock, and is no game of a tournament")]
    BadRated,
    /// Another game of the series follows on this end than is said, or none.
    #[error("the next game of the series should be {expected:?}")]
    WrongNext {
        /// What it should be.
        expected: Option<MatchId>,
    },
    /// A player is said to come who is there, or to go who is away, or who has no seat.
    #[error("the presence of the {0} player does not change")]
    NoChange(Seat),
    /// More time is given back than has passed in this turn, or none.
    #[error("no more than {most} ms can be given back here")]
    WrongCredit {
        /// The most that can be.
        most: Millis,
    },
    /// There is no clock to be held, or it is held already.
    #[error("no clock can be held here")]
    NothingHeld,
    /// No such proposal can be made, or answered, here.
    #[error("there is no such proposal to make, to answer or to withdraw")]
    NoProposal,
    /// No move can be made while the match is paused.
    #[error("the match is paused")]
    Paused,
    /// Only a pause can be ended.
    #[error("the match is not paused")]
    NotPaused,
    /// These replies cannot be planned here, or the move was not planned.
    #[error("these moves cannot have been planned here")]
    NoPlan,
    /// A clock that is not held cannot be started.
    #[error("the clock of the {0} player is not held")]
    NotHeld(Seat),
}

impl Referee {
    /// Rebuilds a match from its whole log, checking every law.
    ///
    /// # Errors
    /// The first event that breaks a law. A log that stops between the last move of the rules and the end it brings is
    /// refused too.
    pub fn replay<'e>(events: impl IntoIterator<Item = &'e Event>) -> Result<Self, ReplayError> {
        let mut events = events.into_iter();
        let first = events.next().ok_or(ReplayError {
            seq: Seq(1),
            law: BrokenLaw::NoBeginning,
        })?;
        let mut referee = Self::begin(first)?;
        for event in events {
            referee.apply(event)?;
        }
        match referee.due_end(referee.last_at) {
            // A flag that has just fallen is not written down before somebody looks.
            Some((
                outcome,
                reason @ (EndReason::LastMove | EndReason::Repetition | EndReason::Outgrown),
            )) => Err(ReplayError {
                seq: referee.seq.next(),
                law: BrokenLaw::EndMissing(outcome, reason),
            }),
            _ => Ok(referee),
        }
    }

    /// The state after the first event of a log.
    ///
    /// # Errors
    /// It is not a lawful `created`.
    pub fn begin(event: &Event) -> Result<Self, ReplayError> {
        Self::created(event, None).map_err(|law| ReplayError { seq: Seq(1), law })
    }

    /// Applies the next event of the log, if it is lawful; otherwise nothing changes.
    ///
    /// # Errors
    /// The law that it breaks.
    pub fn apply(&mut self, event: &Event) -> Result<(), ReplayError> {
        let seq = self.seq.next();
        self.fold(event).map_err(|law| ReplayError { seq, law })?;
        self.seq = seq;
        self.last_at = event.at();
        Ok(())
    }

    /// Whether the match can still be called off.
    pub(super) fn abortable(&self) -> bool {
        self.ended.is_none() && self.moves.len() < 2
    }

    /// Whether a cause outside the game can end the match so.
    pub(super) fn can_forfeit(&self, outcome: Outcome, reason: EndReason) -> bool {
        let possible = match reason {
            // Whoever does not come has made no move.
            EndReason::NoShow => match outcome {
                Outcome::First => self.moves.len() <= 1,
                Outcome::Second | Outcome::Void => self.moves.is_empty(),
                Outcome::Draw => false,
            },
            EndReason::Disconnected | EndReason::Withdrawn => outcome != Outcome::Draw,
            EndReason::Cancelled => outcome == Outcome::Void,
            _ => false,
        };
        possible && self.tournament.is_some() && self.status() == Status::Live
    }

    /// Whether an operator can end the match so: as void at any time, as a win once both players are seated.
    pub(super) fn can_be_ended_by_operator(&self, outcome: Outcome) -> bool {
        match self.status() {
            Status::Waiting => outcome == Outcome::Void,
            Status::Live => outcome != Outcome::Draw,
            Status::Over => false,
        }
    }

    /// Whether the match can come to nothing because nobody comes: nothing else ends it for sure.
    pub(super) fn can_expire(&self) -> bool {
        match self.status() {
            Status::Waiting => true,
            Status::Live => self.clock.is_none(),
            Status::Over => false,
        }
    }

    /// `start` is the position of the event, if it was read before.
    pub(super) fn created(event: &Event, start: Option<Position>) -> Result<Self, BrokenLaw> {
        let Event::Created {
            at_ms,
            position,
            clock,
            creator,
            seat,
            rematch_of,
            series,
            held,
            first_move_ms,
            first_move_of_both,
            tournament,
        } = event
        else {
            return Err(BrokenLaw::NoBeginning);
        };
        clock
            .check()
            .map_err(|refusal| BrokenLaw::BadClock(refusal.to_string()))?;
        if *held && *clock == (TimeControl::Untimed {}) {
            return Err(BrokenLaw::NothingHeld);
        }
        if series.is_some_and(|series| !series.is_lawful()) {
            return Err(BrokenLaw::BadSeries);
        }
        let rated = series.is_some_and(|series| series.rated);
        if rated && (tournament.is_some() || *clock == (TimeControl::Untimed {})) {
            return Err(BrokenLaw::BadRated);
        }
        let start = match start {
            Some(start) => start,
            None => {
                let read = Position::parse(position);
                let start = read.map_err(|error| BrokenLaw::BadStart(error.to_string()))?;
                canonical(position, start.to_string())?;
                start
            }
        };
        if start.is_over(Seat::First) {
            return Err(BrokenLaw::BadStart("it has no move".to_owned()));
        }
        let mut players = [None, None];
        let mut online = [false, false];
        players[seat.index()] = Some(creator.clone());
        online[seat.index()] = true;
        let mut repetitions = Repetitions::default();
        repetitions.note(&start, Seat::First);
        Ok(Self {
            control: *clock,
            position: start.clone(),
            start,
            ended_by_rule: None,
            created_at: *at_ms,
            rematch_of: *rematch_of,
            series: *series,
            first_move: *first_move_ms,
            first_moves: if *first_move_of_both { 2 } else { 1 },
            tournament: *tournament,
            creator: *seat,
            players,
            online,
            presence_since: [*at_ms; 2],
            turn_since: *at_ms,
            before_last: [None, None],
            repetitions,
            moves: Vec::new(),
            moves_bytes: 0,
            move_ids: [BTreeMap::new(), BTreeMap::new()],
            clock: MatchClock::new(*clock, *held),
            proposals: Proposals::default(),
            plans: Plans::default(),
            taken_back: Vec::new(),
            ended: None,
            rematch: Rematch::None,
            offers: 0,
            seq: Seq(1),
            last_at: *at_ms,
        })
    }

    /// Checks first and changes after, so that an unlawful event leaves no trace.
    fn fold(&mut self, event: &Event) -> Result<(), BrokenLaw> {
        let at = event.at();
        if at < self.last_at {
            return Err(BrokenLaw::TimeBackwards {
                found: at,
                last: self.last_at,
            });
        }
        match event {
            Event::Created { .. } => Err(BrokenLaw::CreatedTwice),
            Event::Joined { seat, player, .. } => self.fold_joined(at, *seat, player),
            Event::Moved {
                seat,
                ply,
                move_text,
                client_move_id,
                clocks,
                lag_ms,
                planned,
                hints,
                ..
            } => {
                let position = self.check_move(at, *seat, *ply, move_text)?;
                if *planned && !self.may_be_planned(*seat, move_text) {
                    return Err(BrokenLaw::NoPlan);
                }
                self.check_answer(at, *seat, client_move_id.as_ref(), *clocks)?;
                let allowed = self.lag_allowed(seat.other());
                if *lag_ms > allowed {
                    return Err(BrokenLaw::TooMuchLag { allowed });
                }
                let next = Next {
                    ended_by_rule: self.end_by_rule(move_text.len(), &position, seat.other()),
                    position,
                };
                let id = client_move_id.clone();
                self.record_move(at, move_text, id, *clocks, *lag_ms, next);
                self.note_hints(*hints);
                Ok(())
            }
            Event::Presence { seat, online, .. } => self.fold_presence(at, *seat, *online),
            Event::Outage {
                credited_ms, held, ..
            } => self.fold_outage(at, *credited_ms, *held),
            Event::ClockStarted { seat, .. } => self.fold_clock_started(at, *seat),
            Event::Proposed { seat, proposal, .. } => self.fold_proposed(at, *seat, *proposal),
            Event::ProposalEnded { seat, proposal, .. } => {
                self.fold_proposal_ended(at, *seat, *proposal)
            }
            Event::TakenBack { ply, clocks, .. } => self.fold_taken_back(at, *ply, *clocks),
            Event::Planned { seat, lines, .. } => {
                self.fold_planned(at, *seat, lines.as_deref(), false)
            }
            Event::Paused {
                until_ms,
                adjourned,
                ..
            } => self.fold_paused(at, *until_ms, *adjourned),
            Event::Continued { .. } => self.fold_continued(at),
            Event::Ended {
                outcome,
                reason,
                next,
                ..
            } => self.fold_ended(at, *outcome, *reason, *next),
            Event::RematchOffered { seat, .. } => {
                let can_offer = self.rematch == Rematch::None && self.offers < OFFERS_MAX;
                self.fold_rematch(can_offer, Rematch::Offered(*seat))?;
                self.offers += 1;
                Ok(())
            }
            Event::RematchWithdrawn { seat, .. } => {
                let stands = self.rematch == Rematch::Offered(*seat);
                self.fold_rematch(stands, Rematch::None)
            }
            Event::RematchDeclined { seat, .. } => {
                let stands = self.rematch == Rematch::Offered(seat.other());
                self.fold_rematch(stands, Rematch::None)
            }
            Event::RematchAccepted { rematch, .. } => {
                let stands = matches!(self.rematch, Rematch::Offered(_));
                self.fold_rematch(stands, Rematch::Accepted(*rematch))
            }
        }
    }

    fn fold_rematch(&mut self, possible: bool, then: Rematch) -> Result<(), BrokenLaw> {
        if self.ended.is_none() || !self.seated() || !possible {
            return Err(BrokenLaw::NoOffer);
        }
        self.rematch = then;
        Ok(())
    }

    fn fold_joined(
        &mut self,
        at: Millis,
        seat: Seat,
        player: &PlayerInfo,
    ) -> Result<(), BrokenLaw> {
        if self.ended.is_some() {
            return Err(BrokenLaw::Over);
        }
        if self.player(seat).is_some() || self.seat_of(player.id).is_some() {
            return Err(BrokenLaw::SeatTaken(seat));
        }
        self.players[seat.index()] = Some(player.clone());
        self.online[seat.index()] = true;
        self.presence_since[seat.index()] = at;
        self.turn_since = at;
        if let Some(clock) = &mut self.clock {
            clock.start(Seat::First, at);
        }
        Ok(())
    }

    /// The position after the move, if this is the move's turn, number and moment and the rules allow it.
    fn check_move(
        &self,
        at: Millis,
        seat: Seat,
        ply: Ply,
        move_text: &str,
    ) -> Result<Position, BrokenLaw> {
        self.check_live(at)?;
        if self.paused_until().is_some() {
            return Err(BrokenLaw::Paused);
        }
        let to_move = self.to_move();
        if seat != to_move {
            return Err(BrokenLaw::WrongTurn { to_move });
        }
        let expected = self.ply().next();
        if ply != expected {
            return Err(BrokenLaw::WrongPly {
                expected,
                found: ply,
            });
        }
        let mv = self
            .position
            .parse_move(seat, move_text)
            .map_err(|error| BrokenLaw::IllegalMove(move_text.to_owned(), error.message))?;
        canonical(move_text, mv.to_string())?;
        Ok(self.position.play(&mv))
    }

    /// Checks what the mover was told: the name of the move is new, and the clocks add up.
    fn check_answer(
        &self,
        at: Millis,
        seat: Seat,
        client_move_id: Option<&ClientMoveId>,
        clocks: Option<Clocks>,
    ) -> Result<(), BrokenLaw> {
        if let Some(id) = client_move_id
            && self.move_ids[seat.index()].contains_key(id)
        {
            return Err(BrokenLaw::MoveIdTwice(id.clone()));
        }
        let expected = self.clocks_after_move(at);
        if clocks != expected {
            return Err(BrokenLaw::WrongClocks { expected });
        }
        Ok(())
    }

    /// Takes over a move that was checked.
    /// Notes how often the mover of the last move had asked for hints.
    pub(super) fn note_hints(&mut self, hints: u32) {
        if let Some(played) = self.moves.last_mut() {
            played.hints = hints;
        }
    }

    pub(super) fn record_move(
        &mut self,
        at: Millis,
        move_text: &str,
        client_move_id: Option<ClientMoveId>,
        clocks: Option<Clocks>,
        lag: Millis,
        next: Next,
    ) {
        let Next {
            position,
            ended_by_rule,
        } = next;
        let mover = self.to_move().index();
        if let Some(id) = &client_move_id {
            let ply = self.ply().next();
            self.move_ids[mover].insert(id.clone(), ply);
        }
        self.turn_since = at;
        if let Some(clock) = &mut self.clock {
            clock.press(at, lag);
        }
        self.moves.push(Played {
            seq: self.seq.next(),
            at,
            text: move_text.to_owned(),
            client_move_id,
            clocks,
            hints: 0,
        });
        let to_move = self.to_move();
        self.ended_by_rule = ended_by_rule;
        self.moves_bytes += MOVE_OVERHEAD + move_text.len();
        self.repetitions.note(&position, to_move);
        self.before_last[mover] = Some(std::mem::replace(&mut self.position, position));
        self.proposals.after_move(to_move.other());
        self.plans.after_move(move_text);
    }

    fn fold_presence(&mut self, at: Millis, seat: Seat, online: bool) -> Result<(), BrokenLaw> {
        if self.ended.is_some() {
            return Err(BrokenLaw::Over);
        }
        if self.player(seat).is_none() || self.online(seat) == online {
            return Err(BrokenLaw::NoChange(seat));
        }
        self.online[seat.index()] = online;
        self.presence_since[seat.index()] = at;
        Ok(())
    }

    fn fold_outage(&mut self, at: Millis, credited: Millis, held: bool) -> Result<(), BrokenLaw> {
        let clock = self.clock.as_mut().ok_or(BrokenLaw::NotLive)?;
        if held && !clock.can_hold() {
            return Err(BrokenLaw::NothingHeld);
        }
        let most = clock.creditable(Millis(u64::MAX), at);
        if credited > most || (credited == Millis(0) && !held) {
            return Err(BrokenLaw::WrongCredit { most });
        }
        clock.credit(credited);
        if held {
            clock.hold(at);
        }
        Ok(())
    }

    fn fold_clock_started(&mut self, at: Millis, seat: Seat) -> Result<(), BrokenLaw> {
        let paused = self.paused_until().is_some();
        let clock = self.clock.as_mut().ok_or(BrokenLaw::NotLive)?;
        if paused || !clock.can_release(seat) {
            return Err(BrokenLaw::NotHeld(seat));
        }
        clock.release(seat, at);
        Ok(())
    }

    fn fold_ended(
        &mut self,
        at: Millis,
        outcome: Outcome,
        reason: EndReason,
        next: Option<MatchId>,
    ) -> Result<(), BrokenLaw> {
        if self.ended.is_some() {
            return Err(BrokenLaw::Over);
        }
        let lawful = match self.due_end(at) {
            Some(due) => due == (outcome, reason),
            None => match reason {
                EndReason::LastMove
                | EndReason::Repetition
                | EndReason::Time
                | EndReason::NoStart
                | EndReason::Outgrown => false,
                EndReason::Resignation => {
                    self.status() == Status::Live && outcome.winner().is_some()
                }
                EndReason::Agreement => {
                    let agreed = Seat::BOTH
                        .into_iter()
                        .any(|seat| self.is_open(seat, Proposal::Draw));
                    agreed && outcome == Outcome::Draw
                }
                EndReason::Aborted => {
                    self.tournament.is_none() && self.abortable() && outcome == Outcome::Void
                }
                EndReason::Abandoned => self.can_be_claimed(at, outcome),
                EndReason::NoShow
                | EndReason::Disconnected
                | EndReason::Withdrawn
                | EndReason::Cancelled => self.can_forfeit(outcome, reason),
                EndReason::Expired => self.can_expire() && outcome == Outcome::Void,
                EndReason::Operator => self.can_be_ended_by_operator(outcome),
            },
        };
        if !lawful {
            return Err(BrokenLaw::WrongEnd(outcome, reason));
        }
        let follows = self.next_in_series(outcome, reason);
        let expected = follows.map(|series| series.match_id());
        if next != expected {
            return Err(BrokenLaw::WrongNext { expected });
        }
        if let Some(clock) = &mut self.clock {
            clock.stop(at);
        }
        self.proposals.end();
        self.plans.clear();
        self.ended = Some((outcome, reason));
        Ok(())
    }

    /// A move can be made at this moment.
    pub(super) fn check_live(&self, at: Millis) -> Result<(), BrokenLaw> {
        if self.status() != Status::Live {
            return Err(BrokenLaw::NotLive);
        }
        match self.due_end(at) {
            Some((outcome, reason)) => Err(BrokenLaw::EndMissing(outcome, reason)),
            None => Ok(()),
        }
    }
}

fn canonical(found: &str, canonical: String) -> Result<(), BrokenLaw> {
    if found == canonical {
        return Ok(());
    }
    Err(BrokenLaw::NotCanonical {
        found: found.to_owned(),
        canonical,
    })
}
