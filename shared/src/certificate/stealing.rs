//! Proofs by strategy stealing: who wins, without a winning move.

use std::collections::BTreeSet;

use crate::certificate::refusal::{Checked, quoted, unproved};
use crate::certificate::{Stealing, normal_form};
use crate::ids::Seat;
use crate::position::Position;
use crate::theory::Meter;

impl Stealing {
    /// Checks that every position that can be reached after the move can be reached at once as well.
    pub(super) fn check_won(&self, position: &Position, meter: &mut Meter<'_>) -> Checked<()> {
        const PLACE: &str = "proof.stealing.move";
        let mv = match position.parse_move(Seat::First, &self.mv) {
            Ok(mv) => mv,
            Err(error) => return unproved(PLACE, error.message),
        };
        let after = position.play(&mv);
        if after.is_over(Seat::First) && position.end_rule().is_misere() {
            return unproved(PLACE, "it ends the game, which loses in misere play");
        }
        let mut at_once = BTreeSet::new();
        for mv in position.moves(Seat::First) {
            let text = normal_form(&position.play(&mv), Seat::First, meter)?;
            meter.hold(text.as_ref().map_or(0, |text| text.len() as u64) + 48)?;
            at_once.insert(text);
        }
        for mv in after.moves(Seat::First) {
            let text = normal_form(&after.play(&mv), Seat::First, meter)?;
            if !at_once.contains(&text) {
                let message = format!(
                    "the reply {} cannot be made at once",
                    quoted(&mv.to_string())
                );
                return unproved(PLACE, message);
            }
        }
        Ok(())
    }
}
