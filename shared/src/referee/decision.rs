//! What follows from a command: [`Referee::handle`].

use super::limits::OFFERS_MAX;
use super::ruling::{Next, Ruling};
use super::{Command, Decision, Played, Referee, Refusal, Rematch, Status};
use crate::event::{EndReason, Event, Outcome, PlayerInfo, Proposal};
use crate::ids::{ClientMoveId, MatchId, Millis, PlayerId, Ply, Seat};

impl Referee {
    /// Decides what follows from this command, which was received `now`, and changes nothing. A `now` before the last
    /// event counts as the moment of that event. Between commands with the same `now` the order of calls is the order
    /// of receipt, so a move, a resignation and a flag that race have one order and one result.
    ///
    /// # Errors
    /// The [`Refusal`] says why the command is not possible and what would be.
    pub fn handle(&self, now: Millis, command: &Command) -> Result<Decision, Refusal> {
        let now = now.max(self.last_at);
        match command {
            Command::Join { player } => self.join(now, player),
            Command::Move {
                player,
                ply,
                client_move_id,
                text,
                opponent_lag,
                hints,
            } => {
                let name = client_move_id.as_ref();
                let decision = self.make_move(now, *player, *ply, name, text, *opponent_lag)?;
                self.noting_hints(decision, *hints)
            }
            Command::Resign { player } => self.resign(now, *player),
            Command::Abort { player } => self.abort(now, *player),
            Command::Propose { player, proposal } => self.propose(now, *player, *proposal),
            Command::Answer {
                player,
                proposed,
                agree,
            } => self.answer(now, *player, *proposed, *agree),
            Command::WithdrawProposal { player } => self.withdraw_proposal(now, *player),
            Command::Claim {
                player,
                claim,
                judged,
            } => self.claim(now, *player, *claim, *judged),
            Command::Plan {
                player,
                ply,
                lines,
                read,
            } => self.make_plan(now, *player, *ply, lines, read.as_deref()),
            Command::PlayPlanned { opponent_lag } => self.play_planned(now, *opponent_lag),
            Command::Continue { player } => self.continue_play(now, *player),
            Command::Rematch { player, new_match } => self.offer(now, *player, *new_match),
            Command::WithdrawRematch { player } => self.withdraw(now, *player),
            Command::DeclineRematch { player } => self.decline_rematch(now, *player),
            Command::Presence { seat, online } => Ok(self.presence(now, *seat, *online)),
            Command::ClockCheck => Ok(self
                .due_end(now)
                .map_or(Decision::Nothing, |end| self.ending(now, end))),
            Command::Outage { away_ms, hold } => Ok(self.outage(now, *away_ms, *hold)),
            Command::StartClock { seat } => Ok(self.start_clock(now, *seat)),
            Command::Forfeit { loser, reason } => {
                let outcome = loser.map_or(Outcome::Void, |loser| Outcome::win_of(loser.other()));
                Ok(match self.can_forfeit(outcome, *reason) {
                    true => self.ending(now, self.due_end(now).unwrap_or((outcome, *reason))),
                    false => Decision::Nothing,
                })
            }
            Command::EndByOperator { outcome } => self.end_by_operator(now, *outcome),
            Command::Expire if self.can_expire() => {
                Ok(self.ending(now, (Outcome::Void, EndReason::Expired)))
            }
            Command::Expire => Ok(Decision::Nothing),
        }
    }

    fn join(&self, now: Millis, player: &PlayerInfo) -> Result<Decision, Refusal> {
        let free = Seat::BOTH
            .into_iter()
            .find(|seat| self.player(*seat).is_none());
        match (self.seat_of(player.id), free) {
            (Some(seat), None) if seat == self.creator => Err(Refusal::OwnMatch),
            // The repeat of a join that succeeded.
            (Some(_), None) => Ok(Decision::Nothing),
            (None, None) => Err(Refusal::SeatTaken),
            (seated, Some(seat)) => match (self.ended, seated) {
                (Some((outcome, reason)), _) => Err(Refusal::MatchOver { outcome, reason }),
                (None, Some(_)) => Err(Refusal::OwnMatch),
                (None, None) => Ok(self.one(Event::Joined {
                    at_ms: now,
                    seat,
                    player: player.clone(),
                })),
            },
        }
    }

    fn make_move(
        &self,
        now: Millis,
        player: PlayerId,
        ply: Ply,
        client_move_id: Option<&ClientMoveId>,
        text: &str,
        opponent_lag: Millis,
    ) -> Result<Decision, Refusal> {
        let seat = self.seat_of(player).ok_or(Refusal::NotAPlayer)?;
        if let Some(id) = client_move_id
            && let Some((first, played)) = self.named_move(seat, id)
        {
            return self.repeat(seat, first, played, ply, id, text);
        }
        if self.status() == Status::Waiting {
            return Err(Refusal::NotStarted);
        }
        self.not_over()?;
        if let Some(end) = self.due_end(now) {
            return Ok(self.ending(now, end));
        }
        if let Some(until) = self.paused_until() {
            return Err(Refusal::Paused { until });
        }
        self.check_ply(ply)?;
        let to_move = self.to_move();
        if seat != to_move {
            return Err(Refusal::NotYourTurn { to_move });
        }
        let mv = self.position.parse_move(seat, text)?;
        let move_text = mv.to_string();
        let position = self.position.play(&mv);
        let end = self.end_by_rule(move_text.len(), &position, seat.other());
        let mut events = vec![Event::Moved {
            at_ms: now,
            seat,
            ply,
            move_text,
            client_move_id: client_move_id.cloned(),
            clocks: self.clocks_after_move(now),
            // Nobody moves after the end.
            lag_ms: opponent_lag.min(match end {
                Some(_) => Millis(0),
                None => self.lag_allowed(seat.other()),
            }),
            planned: false,
            hints: 0,
        }];
        if let Some((outcome, reason)) = end {
            events.push(self.end(now, (outcome, reason)));
        }
        let next = Next {
            position,
            ended_by_rule: end,
        };
        Ok(Decision::Events(Ruling::of_move(self.seq, events, next)))
    }

    /// The decision about a move before which its player asked for so many hints. What happens without a move notes none.
    fn noting_hints(&self, decision: Decision, used: u32) -> Result<Decision, Refusal> {
        match decision {
            Decision::Events(mut ruling) if used > 0 => {
                if let Some(Event::Moved { hints, .. }) = ruling.events.first_mut() {
                    if self.is_rated() || self.tournament.is_some() {
                        return Err(Refusal::NoHints);
                    }
                    *hints = used;
                }
                Ok(Decision::Events(ruling))
            }
            other => Ok(other),
        }
    }

    /// Checks that the player sees the current state of the match: this must be the number of the next move.
    pub(super) fn check_ply(&self, got: Ply) -> Result<(), Refusal> {
        let expected = self.ply().next();
        if got == expected {
            return Ok(());
        }
        Err(Refusal::StalePly {
            expected,
            got,
            seq: self.seq,
        })
    }

    /// The move that this player made under this name, and its number; also one that was taken back.
    fn named_move(&self, seat: Seat, id: &ClientMoveId) -> Option<(Ply, &Played)> {
        let ply = *self.move_ids[seat.index()].get(id)?;
        let is_named = |played: &&Played| played.client_move_id.as_ref() == Some(id);
        let stands = self.moves.get(ply.0 as usize - 1).filter(is_named);
        let taken_back = || {
            let here = |(number, played): &&(Ply, Played)| *number == ply && is_named(&played);
            self.taken_back.iter().find(here).map(|(_, played)| played)
        };
        Some((ply, stands.or_else(taken_back)?))
    }

    /// A name that was used before: the first answer again if all the rest is the same too. O(size of the position).
    ///
    /// What a text means depends on the position then, which is known before the last move of each player. Of a move before
    /// that, only another case and other spaces are seen through, as in every game they do not matter.
    fn repeat(
        &self,
        seat: Seat,
        first: Ply,
        played: &Played,
        ply: Ply,
        id: &ClientMoveId,
        text: &str,
    ) -> Result<Decision, Refusal> {
        let stands = self.moves.get(first.0 as usize - 1) == Some(played);
        let is_last = stands && first.0 + 1 >= self.ply().0;
        let position = self.before_last[seat.index()].as_ref().filter(|_| is_last);
        let same_move = || {
            spelled_alike(text, &played.text)
                || position.is_some_and(|position| {
                    let read = position.parse_move(seat, text);
                    read.is_ok_and(|mv| mv.to_string() == played.text)
                })
        };
        if ply == first && same_move() {
            Ok(Decision::Repeat {
                seq: played.seq,
                ply,
                move_text: played.text.clone(),
                clocks: played.clocks,
            })
        } else {
            Err(Refusal::IdempotencyConflict {
                client_move_id: id.clone(),
                ply: first,
                move_text: played.text.clone(),
            })
        }
    }

    fn resign(&self, now: Millis, player: PlayerId) -> Result<Decision, Refusal> {
        let seat = self.seat_of(player).ok_or(Refusal::NotAPlayer)?;
        if self.status() == Status::Waiting {
            return Err(Refusal::NotStarted);
        }
        self.not_over()?;
        let resigned = (Outcome::win_of(seat.other()), EndReason::Resignation);
        Ok(self.ending(now, self.due_end(now).unwrap_or(resigned)))
    }

    fn end_by_operator(&self, now: Millis, outcome: Outcome) -> Result<Decision, Refusal> {
        self.not_over()?;
        match self.can_be_ended_by_operator(outcome) {
            true => {
                let ordered = (outcome, EndReason::Operator);
                Ok(self.ending(now, self.due_end(now).unwrap_or(ordered)))
            }
            false => Err(Refusal::NotStarted),
        }
    }

    fn abort(&self, now: Millis, player: PlayerId) -> Result<Decision, Refusal> {
        self.seat_of(player).ok_or(Refusal::NotAPlayer)?;
        match self.status() {
            Status::Waiting => Ok(self.ending(now, (Outcome::Void, EndReason::Aborted))),
            Status::Live | Status::Over => self.propose(now, player, Proposal::Abort),
        }
    }

    fn offer(
        &self,
        now: Millis,
        player: PlayerId,
        new_match: MatchId,
    ) -> Result<Decision, Refusal> {
        let seat = self.seat_of(player).ok_or(Refusal::NotAPlayer)?;
        if !self.seated() {
            return Err(Refusal::NotStarted);
        }
        if self.ended.is_none() {
            return Err(Refusal::NotOver);
        }
        if self.tournament.is_some() {
            return Err(Refusal::InTournament);
        }
        if let Some(next) = self.next_match()
            && !matches!(self.rematch, Rematch::Accepted(_))
        {
            return Err(Refusal::SeriesGoesOn { next });
        }
        Ok(match self.rematch {
            Rematch::None if self.offers == OFFERS_MAX => {
                return Err(Refusal::TooManyOffers);
            }
            Rematch::None => self.one(Event::RematchOffered { at_ms: now, seat }),
            Rematch::Offered(by) if by != seat => self.one(Event::RematchAccepted {
                at_ms: now,
                rematch: new_match,
            }),
            Rematch::Offered(_) | Rematch::Accepted(_) => Decision::Nothing,
        })
    }

    fn withdraw(&self, now: Millis, player: PlayerId) -> Result<Decision, Refusal> {
        let seat = self.seat_of(player).ok_or(Refusal::NotAPlayer)?;
        if self.ended.is_none() {
            return Err(Refusal::NotOver);
        }
        if self.rematch != Rematch::Offered(seat) {
            return Ok(Decision::Nothing);
        }
        Ok(self.one(Event::RematchWithdrawn { at_ms: now, seat }))
    }

    fn decline_rematch(&self, now: Millis, player: PlayerId) -> Result<Decision, Refusal> {
        let seat = self.seat_of(player).ok_or(Refusal::NotAPlayer)?;
        if self.ended.is_none() {
            return Err(Refusal::NotOver);
        }
        if self.rematch != Rematch::Offered(seat.other()) {
            return Ok(Decision::Nothing);
        }
        Ok(self.one(Event::RematchDeclined { at_ms: now, seat }))
    }

    fn presence(&self, now: Millis, seat: Seat, online: bool) -> Decision {
        let changes = self.player(seat).is_some() && self.online(seat) != online;
        if changes && self.ended.is_none() {
            self.one(Event::Presence {
                at_ms: now,
                seat,
                online,
            })
        } else {
            Decision::Nothing
        }
    }

    fn outage(&self, now: Millis, away: Millis, hold: bool) -> Decision {
        let Some(clock) = &self.clock else {
            return Decision::Nothing;
        };
        let credited_ms = clock.creditable(away, now);
        let held = hold && clock.can_hold();
        if credited_ms == Millis(0) && !held {
            return Decision::Nothing;
        }
        self.one(Event::Outage {
            at_ms: now,
            credited_ms,
            held,
        })
    }

    fn start_clock(&self, now: Millis, seat: Option<Seat>) -> Decision {
        if self.paused_until().is_some() {
            return Decision::Nothing;
        }
        let held = Seat::BOTH.into_iter().filter(|of| {
            let clock = self.clock.as_ref();
            seat.is_none_or(|seat| seat == *of) && clock.is_some_and(|clock| clock.can_release(*of))
        });
        let started: Vec<_> = held
            .map(|seat| Event::ClockStarted { at_ms: now, seat })
            .collect();
        if started.is_empty() {
            return Decision::Nothing;
        }
        Decision::Events(Ruling::of(self.seq, started))
    }

    /// One event without a move.
    pub(super) fn one(&self, event: Event) -> Decision {
        Decision::Events(Ruling::of(self.seq, vec![event]))
    }

    pub(super) fn ending(&self, now: Millis, (outcome, reason): (Outcome, EndReason)) -> Decision {
        self.one(self.end(now, (outcome, reason)))
    }

    fn end(&self, now: Millis, (outcome, reason): (Outcome, EndReason)) -> Event {
        let next = self.next_in_series(outcome, reason);
        Event::Ended {
            at_ms: now,
            outcome,
            reason,
            next: next.map(|next| next.match_id()),
        }
    }

    pub(super) fn not_over(&self) -> Result<(), Refusal> {
        self.ended.map_or(Ok(()), |(outcome, reason)| {
            Err(Refusal::MatchOver { outcome, reason })
        })
    }
}

/// Whether two texts differ in case and spaces only.
fn spelled_alike(one: &str, other: &str) -> bool {
    fn letters(text: &str) -> impl Iterator<Item = char> {
        let letters = text.chars().filter(|c| !c.is_whitespace());
        letters.map(|c| c.to_ascii_lowercase())
    }
    letters(one).eq(letters(other))
}
