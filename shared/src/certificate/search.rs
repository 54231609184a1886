//! Proofs by a finished search: positions in an order in which each follows from those before, and the drawn ones from one another.
//!
//! A position is drawn if no move leads to a lost one and some move leads to a drawn one. A set of positions of which this holds is drawn although each refers to
//! others of the set: the player to move can stay in it, and cannot win by leaving it (C. A. B. Smith 1966).

use std::collections::BTreeMap;

use crate::certificate::refusal::{Checked, quoted, unproved};
use crate::certificate::{Outcome, SearchRow, Turn, normal_form};
use crate::game::Kind;
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::theory::Meter;

/// What happens with best play, for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Won,
    Lost,
    Drawn,
}

/// The rows of a search that were checked: the fate of each position, for the player whose turn it is where that matters.
pub(super) struct Found<'c> {
    fates: BTreeMap<(&'c str, Option<Turn>), Fate>,
}

impl<'c> Found<'c> {
    /// Checks every row: those that are won or lost in their order, then those that are drawn.
    pub(super) fn check(rows: &'c [SearchRow], meter: &mut Meter<'_>) -> Checked<Self> {
        let mut found = Self {
            fates: BTreeMap::new(),
        };
        let mut drawn = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let place = format!("proof.search[{index}]");
            let position = match Position::parse(&row.position) {
                Ok(position) => position,
                Err(error) => return unproved(format!("{place}.position"), error.message),
            };
            if position.has_sides() != row.turn.is_some() {
                let message = "coloured positions, and no others, have a turn";
                return unproved(format!("{place}.turn"), message);
            }
            let fate = match row.outcome {
                Outcome::N => found.check_won(&position, row, &place, meter)?,
                Outcome::P => found.check_lost(&position, row, &place, meter)?,
                Outcome::D if position.kind() == Kind::Loopy && row.mv.is_none() => Fate::Drawn,
                _ => {
                    return unproved(
                        format!("{place}.outcome"),
                        "it is not one of a row of this kind",
                    );
                }
            };
            let key = (row.position.as_str(), row.turn);
            if found.fates.insert(key, fate).is_some() {
                return unproved(format!("{place}.position"), "it is listed twice");
            }
            if fate == Fate::Drawn {
                drawn.push((place, position, row));
            }
        }
        for (place, position, row) in drawn {
            found.check_drawn(&position, row, &place, meter)?;
        }
        Ok(found)
    }

    /// The outcome of a position; the winning move, if there is one, must lead to a lost one.
    pub(super) fn outcome(
        &self,
        position: &Position,
        winning: Option<&Move>,
        meter: &mut Meter<'_>,
    ) -> Checked<Outcome> {
        const PLACE: &str = "proof.search";
        let first = match winning {
            None => self.listed(position, Seat::First, PLACE, meter)?,
            Some(mv) => {
                let after = position.play(mv);
                match self.listed(&after, Seat::Second, "winning_move", meter)? {
                    Fate::Lost => Fate::Won,
                    _ => {
                        return unproved("winning_move", "it leads to a position that is not lost");
                    }
                }
            }
        };
        let second = match position.has_sides() {
            true => self.listed(position, Seat::Second, PLACE, meter)?,
            false => first,
        };
        Ok(match (first, second) {
            (Fate::Won, Fate::Lost) => Outcome::L,
            (Fate::Lost, Fate::Won) => Outcome::R,
            (Fate::Won, _) => Outcome::N,
            (Fate::Lost, _) => Outcome::P,
            (Fate::Drawn, _) => Outcome::D,
        })
    }

    /// The fate of a position that must be over or in a row.
    fn listed(
        &self,
        position: &Position,
        to_move: Seat,
        place: &str,
        meter: &mut Meter<'_>,
    ) -> Checked<Fate> {
        self.fate(position, to_move, meter)?
            .or_else(|missing| unproved(place, format!("{} is in no row", quoted(&missing))))
    }

    /// The fate of a position for the player to move. The error has the position that no row is about.
    fn fate(
        &self,
        position: &Position,
        to_move: Seat,
        meter: &mut Meter<'_>,
    ) -> Checked<Result<Fate, String>> {
        Ok(match normal_form(position, to_move, meter)? {
            None if position.end_rule().is_misere() => Ok(Fate::Won),
            None => Ok(Fate::Lost),
            Some(text) => {
                // What is left of a coloured position may be plain.
                let known = |turn| self.fates.get(&(text.as_str(), turn)).copied();
                let fate = known(Some(Turn::of(to_move))).or_else(|| known(None));
                fate.ok_or(text)
            }
        })
    }

    fn check_won(
        &self,
        position: &Position,
        row: &SearchRow,
        place: &str,
        meter: &mut Meter<'_>,
    ) -> Checked<Fate> {
        let place = format!("{place}.move");
        let Some(text) = &row.mv else {
            return unproved(place, "a won position needs a move");
        };
        let seat = seat_of(row);
        let mv = match position.parse_move(seat, text) {
            Ok(mv) => mv,
            Err(error) => return unproved(place, error.message),
        };
        match self.fate(&position.play(&mv), seat.other(), meter)? {
            Ok(Fate::Lost) => Ok(Fate::Won),
            Ok(_) => unproved(place, "it leads to a position that is not lost"),
            Err(missing) => unproved(place, not_before(&missing)),
        }
    }

    fn check_lost(
        &self,
        position: &Position,
        row: &SearchRow,
        place: &str,
        meter: &mut Meter<'_>,
    ) -> Checked<Fate> {
        if row.mv.is_some() {
            let place = format!("{place}.move");
            return unproved(place, "a lost position has no winning move");
        }
        let seat = seat_of(row);
        for mv in position.moves(seat) {
            match self.fate(&position.play(&mv), seat.other(), meter)? {
                Ok(Fate::Won) => {}
                Ok(Fate::Lost) => return unproved(place, format!("its move {mv} wins")),
                Ok(Fate::Drawn) => return unproved(place, format!("its move {mv} draws")),
                Err(missing) => {
                    let message = format!("after {mv}, {}", not_before(&missing));
                    return unproved(place, message);
                }
            }
        }
        match position.is_over(seat) && position.end_rule().is_misere() {
            false => Ok(Fate::Lost),
            true => unproved(place, "it is finished, which wins in misere play"),
        }
    }

    /// No move wins, and one leads to a drawn position.
    fn check_drawn(
        &self,
        position: &Position,
        row: &SearchRow,
        place: &str,
        meter: &mut Meter<'_>,
    ) -> Checked<()> {
        let seat = seat_of(row);
        let mut stays = false;
        for mv in position.moves(seat) {
            match self.listed(&position.play(&mv), seat.other(), place, meter)? {
                Fate::Won => {}
                Fate::Drawn => stays = true,
                Fate::Lost => return unproved(place, format!("its move {mv} wins")),
            }
        }
        match stays {
            true => Ok(()),
            false => unproved(place, "no move of it leads to a drawn position"),
        }
    }
}

/// Whose turn it is. Where both players have the same moves it may be either's.
fn seat_of(row: &SearchRow) -> Seat {
    row.turn.map_or(Seat::First, Turn::seat)
}

fn not_before(missing: &str) -> String {
    format!("{} is not in an earlier row", quoted(missing))
}
