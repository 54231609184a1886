//! Agreements between the players during a match: a move taken back, a draw, the match called off, a pause, an adjournment.
//!
//! Each player has at most one proposal open. It ends when it is answered, withdrawn or replaced, and when the other player moves;
//! one that is about the last moves ends with any move.

use super::limits::{
    ADJOURN_MS, PAUSE_MS, PAUSES_MAX, PROPOSALS_MAX, RESUMES_MAX, TAKEBACK_PLIES_MAX,
};
use super::log::BrokenLaw;
use super::proposals::Open;
use super::repetition::Repetitions;
use super::{Decision, Referee, Refusal, Status};
use crate::event::{Clocks, EndReason, Event, Outcome, Proposal};
use crate::game::Kind;
use crate::ids::{Millis, PlayerId, Ply, Seat, Seq};

impl Referee {
    /// What this player has proposed and the other has not answered.
    #[must_use]
    pub fn proposal(&self, seat: Seat) -> Option<Open> {
        self.proposals.open[seat.index()]
    }

    /// When the pause or adjournment ends by itself; `None` if the match is neither paused nor adjourned.
    #[must_use]
    pub fn paused_until(&self) -> Option<Millis> {
        self.proposals.paused
    }

    /// Whether the match is adjourned: it resumes when both players agree, or at [`Self::paused_until`].
    #[must_use]
    pub fn is_adjourned(&self) -> bool {
        self.proposals.adjourned
    }

    pub(super) fn propose(
        &self,
        now: Millis,
        player: PlayerId,
        proposal: Proposal,
    ) -> Result<Decision, Refusal> {
        self.unless_ended(now, player, |seat| {
            if self.has_come_about(proposal) {
                return Ok(Decision::Nothing);
            }
            self.may_propose(seat, proposal)?;
            if self.is_open(seat, proposal) {
                return Ok(Decision::Nothing);
            }
            // Who proposes what the other has proposed agrees; but each player's last moves are others.
            if self.is_open(seat.other(), proposal) && proposal != Proposal::Takeback {
                return self.agree(now, seat.other(), proposal);
            }
            if self.proposals.made[seat.index()] >= most(proposal) {
                return Err(Refusal::TooManyProposals);
            }
            Ok(self.one(Event::Proposed {
                at_ms: now,
                seat,
                proposal,
            }))
        })
    }

    pub(super) fn answer(
        &self,
        now: Millis,
        player: PlayerId,
        proposed: Seq,
        agrees: bool,
    ) -> Result<Decision, Refusal> {
        self.unless_ended(now, player, |seat| {
            let by = seat.other();
            let open = self.proposal(by).filter(|open| open.seq == proposed);
            let proposal = open.ok_or(Refusal::NoProposal)?.proposal;
            if agrees {
                return self.agree(now, by, proposal);
            }
            Ok(self.one(Event::ProposalEnded {
                at_ms: now,
                seat: by,
                proposal,
                by: seat,
            }))
        })
    }

    pub(super) fn withdraw_proposal(
        &self,
        now: Millis,
        player: PlayerId,
    ) -> Result<Decision, Refusal> {
        self.unless_ended(now, player, |seat| {
            Ok(match self.proposal(seat) {
                Some(Open { proposal, .. }) => self.one(Event::ProposalEnded {
                    at_ms: now,
                    seat,
                    proposal,
                    by: seat,
                }),
                None => Decision::Nothing,
            })
        })
    }

    pub(super) fn continue_play(
        &self,
        now: Millis,
        player: Option<PlayerId>,
    ) -> Result<Decision, Refusal> {
        if let Some(player) = player {
            self.seat_of(player).ok_or(Refusal::NotAPlayer)?;
            self.not_over()?;
            let early = |until: Millis| now < until;
            if self.is_adjourned() && self.paused_until().is_some_and(early) {
                return self.propose(now, player, Proposal::Resume);
            }
        }
        let ends = self
            .paused_until()
            .is_some_and(|until| player.is_some() || now >= until);
        Ok(match ends {
            true => self.one(Event::Continued { at_ms: now }),
            false => Decision::Nothing,
        })
    }

    /// What is decided for this player, unless the match has not begun, is over, is a tournament's, or ends by itself at this moment.
    pub(super) fn unless_ended(
        &self,
        now: Millis,
        player: PlayerId,
        decide: impl FnOnce(Seat) -> Result<Decision, Refusal>,
    ) -> Result<Decision, Refusal> {
        let seat = self.seat_of(player).ok_or(Refusal::NotAPlayer)?;
        self.not_over()?;
        if self.status() == Status::Waiting {
            return Err(Refusal::NotStarted);
        }
        if let Some(end) = self.due_end(now) {
            return Ok(self.ending(now, end));
        }
        match self.tournament.is_some() {
            true => Err(Refusal::InTournament),
            false => decide(seat),
        }
    }

    /// Whether the match is already in the state that this proposal asks for: paused, adjourned or resumed.
    fn has_come_about(&self, proposal: Proposal) -> bool {
        match proposal {
            Proposal::Pause => self.paused_until().is_some(),
            Proposal::Adjourn => self.is_adjourned(),
            Proposal::Resume => self.paused_until().is_none(),
            Proposal::Takeback | Proposal::Draw | Proposal::Abort => false,
        }
    }

    /// Whether this can be proposed, and carried out, as things stand.
    fn may_propose(&self, seat: Seat, proposal: Proposal) -> Result<(), Refusal> {
        match proposal {
            Proposal::Takeback if self.is_rated() => Err(Refusal::RatedMovesStand),
            Proposal::Takeback => self.takeback_to(seat).map(drop),
            Proposal::Draw if self.position.kind() == Kind::Loopy => Ok(()),
            Proposal::Draw => Err(Refusal::NoDraws),
            Proposal::Abort if self.abortable() => Ok(()),
            Proposal::Abort => Err(Refusal::TooLate { ply: self.ply() }),
            Proposal::Pause | Proposal::Adjourn if self.clock.is_none() => {
                Err(Refusal::NothingToPause)
            }
            Proposal::Adjourn if self.is_rated() => Err(Refusal::RatedInOneSitting),
            Proposal::Pause | Proposal::Adjourn if self.proposals.pauses >= PAUSES_MAX => {
                Err(Refusal::TooManyPauses)
            }
            Proposal::Resume if !self.is_adjourned() => Err(Refusal::NotAdjourned),
            Proposal::Pause | Proposal::Adjourn | Proposal::Resume => Ok(()),
        }
    }

    /// How many moves remain when this player's last one is taken back.
    fn takeback_to(&self, seat: Seat) -> Result<Ply, Refusal> {
        let plies = self.ply().0;
        if plies > TAKEBACK_PLIES_MAX {
            return Err(Refusal::TooLongToTakeBack);
        }
        let back = if self.to_move() == seat { 2 } else { 1 };
        plies
            .checked_sub(back)
            .map(Ply)
            .ok_or(Refusal::NothingToTakeBack)
    }

    /// What follows when both players want it; `by` has proposed it.
    fn agree(&self, now: Millis, by: Seat, proposal: Proposal) -> Result<Decision, Refusal> {
        self.may_propose(by, proposal)?;
        Ok(match proposal {
            Proposal::Takeback => self.one(Event::TakenBack {
                at_ms: now,
                ply: self.takeback_to(by)?,
                clocks: self.clocks_before_turn(),
            }),
            Proposal::Draw => self.ending(now, (Outcome::Draw, EndReason::Agreement)),
            Proposal::Abort => self.ending(now, (Outcome::Void, EndReason::Aborted)),
            Proposal::Pause => self.one(Event::Paused {
                at_ms: now,
                until_ms: now.plus(PAUSE_MS),
                adjourned: false,
            }),
            Proposal::Adjourn => self.one(Event::Paused {
                at_ms: now,
                until_ms: now.plus(ADJOURN_MS),
                adjourned: true,
            }),
            Proposal::Resume => self.one(Event::Continued { at_ms: now }),
        })
    }

    fn clocks_before_turn(&self) -> Option<Clocks> {
        self.clock
            .as_ref()
            .map(super::clock::MatchClock::before_turn)
    }

    pub(super) fn fold_proposed(
        &mut self,
        at: Millis,
        seat: Seat,
        proposal: Proposal,
    ) -> Result<(), BrokenLaw> {
        self.check_agreeing(at)?;
        let made = self.proposals.made[seat.index()];
        let needless = self.has_come_about(proposal);
        if made >= most(proposal) || needless || self.may_propose(seat, proposal).is_err() {
            return Err(BrokenLaw::NoProposal);
        }
        self.proposals.made[seat.index()] += 1;
        let seq = self.seq.next();
        self.proposals.open[seat.index()] = Some(Open { proposal, seq });
        Ok(())
    }

    pub(super) fn fold_proposal_ended(
        &mut self,
        at: Millis,
        seat: Seat,
        proposal: Proposal,
    ) -> Result<(), BrokenLaw> {
        self.check_agreeing(at)?;
        if self
            .proposal(seat)
            .is_none_or(|open| open.proposal != proposal)
        {
            return Err(BrokenLaw::NoProposal);
        }
        self.proposals.open[seat.index()] = None;
        Ok(())
    }

    pub(super) fn fold_taken_back(
        &mut self,
        at: Millis,
        ply: Ply,
        clocks: Option<Clocks>,
    ) -> Result<(), BrokenLaw> {
        self.check_agreeing(at)?;
        let leads_there = |seat: &Seat| {
            self.is_open(*seat, Proposal::Takeback) && self.takeback_to(*seat) == Ok(ply)
        };
        if !Seat::BOTH.iter().any(leads_there) {
            return Err(BrokenLaw::NoProposal);
        }
        let expected = self.clocks_before_turn();
        if clocks != expected {
            return Err(BrokenLaw::WrongClocks { expected });
        }
        self.take_back(ply);
        self.plans.clear();
        self.turn_since = at;
        let to_move = self.to_move();
        if let Some(clock) = &mut self.clock {
            clock.take_back(to_move, at);
        }
        self.proposals.open = [None, None];
        Ok(())
    }

    pub(super) fn fold_paused(
        &mut self,
        at: Millis,
        until: Millis,
        adjourned: bool,
    ) -> Result<(), BrokenLaw> {
        self.check_agreeing(at)?;
        let (proposal, lasts) = match adjourned {
            true => (Proposal::Adjourn, ADJOURN_MS),
            false => (Proposal::Pause, PAUSE_MS),
        };
        let agreed = Seat::BOTH
            .into_iter()
            .any(|seat| self.is_open(seat, proposal));
        let possible = agreed && !self.has_come_about(proposal) && until == at.plus(lasts);
        let Some(clock) = self.clock.as_mut().filter(|_| possible) else {
            return Err(BrokenLaw::NoProposal);
        };
        clock.hold(at);
        self.proposals.pauses += 1;
        self.proposals.paused = Some(until);
        self.proposals.adjourned = adjourned;
        self.proposals.open = [None, None];
        Ok(())
    }

    pub(super) fn fold_continued(&mut self, at: Millis) -> Result<(), BrokenLaw> {
        let agreed = Seat::BOTH
            .into_iter()
            .any(|seat| self.is_open(seat, Proposal::Resume));
        let ends = |until: &Millis| !self.proposals.adjourned || agreed || at >= *until;
        let ends = self.proposals.paused.as_ref().is_some_and(ends);
        let Some(clock) = self.clock.as_mut().filter(|_| ends) else {
            return Err(BrokenLaw::NotPaused);
        };
        for seat in Seat::BOTH {
            clock.release(seat, at);
        }
        self.proposals.goes_on();
        self.turn_since = at;
        Ok(())
    }

    pub(super) fn is_open(&self, seat: Seat, proposal: Proposal) -> bool {
        self.proposal(seat)
            .is_some_and(|open| open.proposal == proposal)
    }

    fn check_agreeing(&self, at: Millis) -> Result<(), BrokenLaw> {
        self.check_live(at)?;
        match self.tournament.is_some() {
            true => Err(BrokenLaw::NoProposal),
            false => Ok(()),
        }
    }

    /// Goes back to the state after so many moves, which are played again: O(moves).
    fn take_back(&mut self, ply: Ply) {
        let kept = ply.0 as usize;
        let numbers = (kept as u32 + 1..).map(Ply);
        self.taken_back
            .extend(numbers.zip(self.moves.drain(kept..)));
        self.position = self.start.clone();
        self.before_last = [None, None];
        self.repetitions = Repetitions::default();
        self.repetitions.note(&self.position, Seat::First);
        for (number, played) in (0..).zip(&self.moves) {
            let mover = Seat::to_move_at(Ply(number));
            let mv = self.position.parse_move(mover, &played.text);
            let next = self.position.play(&mv.expect("the move was made here"));
            self.repetitions.note(&next, mover.other());
            self.before_last[mover.index()] = Some(std::mem::replace(&mut self.position, next));
        }
    }
}

/// After how many proposals a player can make no more of this kind: nobody who has used them up is to be stuck in an adjournment.
fn most(proposal: Proposal) -> u8 {
    match proposal {
        Proposal::Resume => RESUMES_MAX,
        _ => PROPOSALS_MAX,
    }
}
