//! The quality criteria of C.04.3 (C6 to C21) as fields of an edge's weight in one bracket.
//!
//! Each criterion that minimises something over the players left alone or badly paired is stated as what the pairs that
//! are made gain.

use std::cmp::Ordering;

use super::super::cross_table::HalfPoints;
use super::player::{Float, Player, Strength};
use super::weight::{Field, Scale, Values};

/// Where a vertex stands in the bracket that is being paired.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Part {
    /// Moved down into the bracket.
    MovedDown,
    /// Of the bracket's own score group.
    Resident,
    /// Of the following score group.
    Next,
    /// Further below.
    Below,
    /// Not a player: who is matched with it has the bye.
    Bye,
}

/// The fields of all criteria that hold in one bracket.
#[derive(Debug)]
pub(super) struct Criteria {
    used: Field,
    /// C6.
    pairs: Field,
    /// C7, and C18 to C21: one field for each score of players moved down, highest first.
    scores: Vec<HalfPoints>,
    moved_down_paired: Vec<Field>,
    /// C8: pairs of the following bracket, then the scores paired there, highest first.
    next_pairs: Field,
    next_scores: Vec<(HalfPoints, Field)>,
    /// C9, if the one player left over has the bye.
    bye_games: Option<Field>,
    /// C10 to C13.
    colours: [Field; 4],
    /// C14 to C17: for one and for two rounds ago, downfloats and upfloats.
    floats: [[Field; 2]; 2],
    /// C18 to C21: for one and for two rounds ago, downfloats and upfloats by score.
    float_scores: [[Vec<Field>; 2]; 2],
}

impl Criteria {
    /// The fields for a bracket with players moved down from these scores (highest first) and residents of this score.
    pub(super) fn new(
        vertices: usize,
        scores: &[HalfPoints],
        resident: Option<HalfPoints>,
        rounds: usize,
        bye_decides: bool,
    ) -> (Scale, Self) {
        let (mut scale, used) = Scale::new(vertices);
        let count = vertices as u64;
        let pairs = scale.field(count);
        let by_score = |scale: &mut Scale| -> Vec<Field> {
            scores.iter().map(|_| scale.field(count)).collect()
        };
        let moved_down_paired = by_score(&mut scale);
        let next_pairs = scale.field(count);
        let next_scores = scores
            .iter()
            .copied()
            .chain(resident)
            .map(|score| (score, scale.field(count)))
            .collect();
        let bye_games = bye_decides.then(|| scale.field(rounds as u64));
        let colours = [(); 4].map(|()| scale.field(count));
        let floats = [(); 2].map(|()| [(); 2].map(|()| scale.field(count)));
        let float_scores = [(); 2].map(|()| [(); 2].map(|()| by_score(&mut scale)));
        let criteria = Self {
            used,
            pairs,
            scores: scores.to_vec(),
            moved_down_paired,
            next_pairs,
            next_scores,
            bye_games,
            colours,
            floats,
            float_scores,
        };
        (scale, criteria)
    }

    /// The values of an edge between two players of whom the first is ranked higher; C3 and rematches are the caller's.
    pub(super) fn of_pair(
        &self,
        (higher, higher_part): (&Player, Part),
        (lower, lower_part): (&Player, Part),
    ) -> Values {
        let mut values = vec![(self.used, 1)];
        match lower_part {
            Part::Resident => {
                self.in_bracket(&mut values, higher, lower, higher_part == Part::MovedDown);
            }
            Part::Next => {
                values.push((self.next_pairs, 1));
                let place = self.next_scores.iter();
                let mut same = place.filter(|(score, _)| *score == higher.score);
                if let Some((_, field)) = same.next().filter(|_| higher_part < Part::Next) {
                    values.push((*field, 1));
                }
            }
            Part::MovedDown | Part::Below | Part::Bye => {}
        }
        values
    }

    /// The values of the bye for this player.
    pub(super) fn of_bye(&self, player: &Player) -> Values {
        let games = self.bye_games.map(|field| (field, i64::from(player.games)));
        std::iter::once((self.used, 1)).chain(games).collect()
    }

    fn in_bracket(&self, values: &mut Values, higher: &Player, lower: &Player, moved_down: bool) {
        let score = self.scores.iter().position(|score| *score == higher.score);
        let score = score.filter(|_| moved_down);
        values.push((self.pairs, 1));
        if let Some(place) = score {
            values.push((self.moved_down_paired[place], 1));
        }
        for (field, holds) in self.colours.iter().zip(colours_hold(higher, lower)) {
            values.push((*field, i64::from(holds)));
        }
        for (ago, (fields, by_score)) in self.floats.iter().zip(&self.float_scores).enumerate() {
            let went_down = |player: &Player| player.floats[ago] == Float::Down;
            // Residents who went down are not left over again.
            let kept = i64::from(went_down(lower)) + i64::from(!moved_down && went_down(higher));
            values.push((fields[0], kept));
            let goes_up_again = moved_down && lower.floats[ago] == Float::Up;
            values.push((fields[1], i64::from(!goes_up_again)));
            if let Some(place) = score {
                values.push((by_score[0][place], i64::from(went_down(higher))));
                values.push((by_score[1][place], -i64::from(goes_up_again)));
            }
        }
    }
}

/// Whether a pair complies with C10, C11, C12 and C13. The first two can fail only for topscorers and their opponents:
/// C3 forbids such pairs to others.
fn colours_hold(one: &Player, two: &Player) -> [bool; 4] {
    let clash = one.preference.is_some() && one.preference == two.preference;
    if !clash {
        return [true; 4];
    }
    let unbalanced = one.is_unbalanced() && two.is_unbalanced();
    let both_absolute = one.is_absolute() && two.is_absolute();
    // The one with the narrower difference gives way; of two with the same one who did not have the colour twice can.
    let twice = |player: &Player| {
        player
            .repeated()
            .is_some_and(|colour| Some(colour) != player.preference)
    };
    let gives_way_again = match one.difference.abs().cmp(&two.difference.abs()) {
        Ordering::Greater => twice(two),
        Ordering::Less => twice(one),
        Ordering::Equal => twice(one) && twice(two),
    };
    let strong = one.strength >= Strength::Strong && two.strength >= Strength::Strong;
    [
        !unbalanced,
        !(both_absolute && gives_way_again),
        false,
        !strong || both_absolute,
    ]
}
