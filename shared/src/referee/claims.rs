//! What a player may do when the other stays away: claim the win, or call the match off.

use super::limits::{CLAIM_AFTER_MS, CLAIM_AFTER_UNTIMED_MS, CLAIM_CLOCKS_BELOW_MS};
use super::{Decision, Judged, Referee, Refusal, Status};
use crate::event::{Claim, EndReason, Outcome};
use crate::ids::{Millis, PlayerId, Seat};

impl Referee {
    /// From when on this player can claim something, as things stand; `None` where that is not possible.
    #[must_use]
    pub fn claimable_from(&self, seat: Seat) -> Option<Millis> {
        self.claimable(seat).ok()
    }

    /// The time runs while the other player is to move and away, and the claimant is here: whoever is away in the other's turn keeps nobody
    /// waiting, and whoever was away does not know whether the other was there.
    fn claimable(&self, seat: Seat) -> Result<Millis, Refusal> {
        if let Some(until) = self.paused_until() {
            return Err(Refusal::Paused { until });
        }
        if self.is_rated() {
            return Err(Refusal::RatedNoClaims);
        }
        let patience = self.claim_after().ok_or(Refusal::NoClaims)?;
        let is_played = self.status() == Status::Live && self.tournament.is_none();
        if !is_played || self.online(seat.other()) {
            return Err(Refusal::NotAway);
        }
        if !self.online(seat) {
            return Err(Refusal::ClaimantAway);
        }
        if self.to_move() == seat {
            return Err(Refusal::OwnTurn);
        }
        let [first, second] = self.presence_since;
        Ok(first.max(second).max(self.turn_since).plus(patience))
    }

    /// How long a player must have been away for the other to claim; `None` in a rated match, and with clocks under which nobody can.
    #[must_use]
    pub fn claim_after(&self) -> Option<Millis> {
        if self.is_rated() {
            return None;
        }
        match self.control.for_first_move() {
            None => Some(CLAIM_AFTER_UNTIMED_MS),
            Some(first) => (first < CLAIM_CLOCKS_BELOW_MS).then_some(CLAIM_AFTER_MS),
        }
    }

    /// Whether this claim would be possible if the absent player had no proven win.
    ///
    /// # Errors
    /// As the claim itself.
    pub fn may_claim(&self, now: Millis, seat: Seat) -> Result<(), Refusal> {
        match self.claimable(seat)?.since(now) {
            Millis(0) => Ok(()),
            wait => Err(Refusal::ClaimTooEarly { wait }),
        }
    }

    pub(super) fn claim(
        &self,
        now: Millis,
        player: PlayerId,
        claim: Claim,
        judged: Option<Judged>,
    ) -> Result<Decision, Refusal> {
        self.unless_ended(now, player, |seat| {
            self.may_claim(now, seat)?;
            let judged = judged.filter(|judged| judged.ply == self.ply());
            match judged {
                // A move came between, or the absence has lasted just long enough by now.
                None => Err(Refusal::ClaimOvertaken),
                Some(judged) if judged.absent_wins => Err(Refusal::AbsentPlayerWins),
                Some(_) => {
                    let outcome = match claim {
                        Claim::Win => Outcome::win_of(seat),
                        Claim::Void => Outcome::Void,
                    };
                    Ok(self.ending(now, (outcome, EndReason::Abandoned)))
                }
            }
        })
    }

    /// Whether the match can end so because somebody has been away for long enough.
    pub(super) fn can_be_claimed(&self, at: Millis, outcome: Outcome) -> bool {
        let may = |seat: Seat| self.may_claim(at, seat).is_ok();
        match (outcome, outcome.winner()) {
            (_, Some(winner)) => may(winner),
            (Outcome::Void, None) => Seat::BOTH.into_iter().any(may),
            (_, None) => false,
        }
    }
}
