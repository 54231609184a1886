//! Proofs by a finished search: positions in an order in which each follows from those before.

use std::collections::BTreeMap;

use crate::certificate::refusal::{Checked, quoted, unproved};
use crate::certificate::{Outcome, SearchRow, normal_form};
use crate::ids::Seat;
use crate::position::Position;
use crate::theory::Meter;

/// The rows of a search that were checked: whether the player to move loses, by position.
pub(super) struct Found<'c> {
    lost: BTreeMap<&'c str, bool>,
}

impl<'c> Found<'c> {
    /// Checks every row.
    pub(super) fn check(rows: &'c [SearchRow], meter: &mut Meter<'_>) -> Checked<Self> {
        let mut found = Self {
            lost: BTreeMap::new(),
        };
        for (index, row) in rows.iter().enumerate() {
            let place = format!("proof.search[{index}]");
            let position = match Position::parse(&row.position) {
                Ok(position) => position,
                Err(error) => return unproved(format!("{place}.position"), error.message),
            };
            match row.outcome {
                Outcome::N => found.check_won(&position, row, &place, meter)?,
                Outcome::P => found.check_lost(&position, row, &place, meter)?,
            }
            let lost = row.outcome == Outcome::P;
            if found.lost.insert(&row.position, lost).is_some() {
                return unproved(format!("{place}.position"), "it is listed twice");
            }
        }
        Ok(found)
    }

    /// Whether the player to move loses here. The error has the position that no row is about.
    pub(super) fn is_lost(
        &self,
        position: &Position,
        meter: &mut Meter<'_>,
    ) -> Checked<Result<bool, String>> {
        Ok(match normal_form(position, meter)? {
            None => Ok(!position.end_rule().is_misere()),
            Some(text) => self.lost.get(text.as_str()).copied().ok_or(text),
        })
    }

    fn check_won(
        &self,
        position: &Position,
        row: &SearchRow,
        place: &str,
        meter: &mut Meter<'_>,
    ) -> Checked<()> {
        let place = format!("{place}.move");
        let Some(text) = &row.mv else {
            return unproved(place, "a won position needs a move");
        };
        let mv = match position.parse_move(Seat::First, text) {
            Ok(mv) => mv,
            Err(error) => return unproved(place, error.message),
        };
        match self.is_lost(&position.play(&mv), meter)? {
            Ok(true) => Ok(()),
            Ok(false) => unproved(place, "it leads to a won position"),
            Err(missing) => unproved(place, not_before(&missing)),
        }
    }

    fn check_lost(
        &self,
        position: &Position,
        row: &SearchRow,
        place: &str,
        meter: &mut Meter<'_>,
    ) -> Checked<()> {
        if row.mv.is_some() {
            let place = format!("{place}.move");
            return unproved(place, "a lost position has no winning move");
        }
        for mv in position.moves(Seat::First) {
            match self.is_lost(&position.play(&mv), meter)? {
                Ok(false) => {}
                Ok(true) => return unproved(place, format!("its move {mv} wins")),
                Err(missing) => {
                    let message = format!("after {mv}, {}", not_before(&missing));
                    return unproved(place, message);
                }
            }
        }
        match position.is_over(Seat::First) && position.end_rule().is_misere() {
            false => Ok(()),
            true => unproved(place, "it is finished, which wins in misere play"),
        }
    }
}

fn not_before(missing: &str) -> String {
    format!("{} is not in an earlier row", quoted(missing))
}
