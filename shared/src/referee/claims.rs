//! What a player may do when the other stays away: claim the win, or call the match off.

use super::limits::{CLAIM_AFTER_MS, CLAIM_AFTER_UNTIMED_MS, CLAIM_CLOCKS_BELOW_MS};
use super::{Decision, Judged, Referee, Refusal, Status};
use crate::event::{Claim, EndReason, Outcome};
use crate::ids::{Millis, PlayerId, Seat};

impl Referee {
    /// From when on this player can claim, if the other stays away; `None` while the other is here, and where no claim is possible: in a
    /// tournament, during a pause, and with clocks that give an hour or more for the first move, which decide by themselves.
    #[must_use]
    pub fn claimable_from(&self, seat: Seat) -> Option<Millis> {
        let possible = self.status() == Status::Live
            && self.tournament.is_none()
            && self.paused_until().is_none();
        let since = self.away_since[seat.other().index()].filter(|_| possible)?;
        Some(since.plus(self.claim_after()?))
    }

    /// How long a player must have been away for the other to claim; `None` with clocks under which nobody can.
    #[must_use]
    pub fn claim_after(&self) -> Option<Millis> {
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
        if let Some(until) = self.paused_until() {
            return Err(Refusal::Paused { until });
        }
        if self.claim_after().is_none() {
            return Err(Refusal::NoClaims);
        }
        let from = self.claimable_from(seat).ok_or(Refusal::NotAway)?;
        match from.since(now) {
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
                None => Err(Refusal::ClaimTooEarly { wait: Millis(0) }),
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
