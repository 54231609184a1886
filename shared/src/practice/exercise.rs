//! An exercise: a position that was won, and the mistake that threw it away.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::theme::Theme;
use crate::ids::{MatchId, Ply, Seat};
use crate::notation::NotationError;
use crate::position::Position;
use crate::rated::Family;
use crate::review::{Review, TurningPoint};
use crate::solver::{Budget, reasons};

/// What one has to know to solve an exercise: a position and who is to move. Exercises with one key are the same exercise, from
/// whichever matches they come. Written as the position, with ` right` after it if the second player is to move and that matters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key(String);

/// The ending of a key in which the second player is to move.
const RIGHT: &str = " right";

impl Key {
    /// The key of this position.
    #[must_use]
    pub fn of(position: &Position, to_move: Seat) -> Self {
        let text = position.to_string();
        match (position.has_sides(), to_move) {
            (true, Seat::Second) => Self(text + RIGHT),
            _ => Self(text),
        }
    }

    /// The position, and who is to move in it: the first player where that does not matter.
    ///
    /// # Errors
    /// It is no position.
    pub fn position(&self) -> Result<(Position, Seat), NotationError> {
        match self.0.strip_suffix(RIGHT) {
            Some(text) => Ok((Position::parse(text)?, Seat::Second)),
            None => Ok((Position::parse(&self.0)?, Seat::First)),
        }
    }

    /// As text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Key {
    type Err = NotationError;

    /// Reads a key in its canonical form.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let (position, to_move) = Self(text.to_owned()).position()?;
        Ok(Self::of(&position, to_move))
    }
}

/// Where an exercise comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// The number of the move that threw the win away.
    pub ply: Ply,
    /// Who made it; `None` if the seat had no player.
    pub player: Option<String>,
    /// The move, canonical.
    pub played: String,
}

/// A won position that was thrown away. It names no winning move.
#[derive(Clone, PartialEq, Debug)]
pub struct Exercise {
    /// The position.
    pub position: Position,
    /// Who is to move, and wins.
    pub to_move: Seat,
    /// The game family.
    pub family: Family,
    /// The idea that wins.
    pub theme: Theme,
    /// How hard it is to find a winning move by chance: log2(legal moves / winning moves), above 0.
    pub bits: f64,
    /// How many moves there are.
    pub legal_moves: u64,
    /// Where it comes from.
    pub origin: Origin,
}

impl Exercise {
    /// The key.
    #[must_use]
    pub fn key(&self) -> Key {
        Key::of(&self.position, self.to_move)
    }

    /// The exercises in the mistakes of a match, in the order of its moves: each win that was given away by a human player. Left out are a draw
    /// that was given away, and a position of more than 256 bytes, which a review does not hold. The budget holds for each
    /// exercise that the review does not explain.
    #[must_use]
    pub fn all_of(review: &Review, match_id: MatchId, budget: &Budget<'_>) -> Vec<Self> {
        let points = review.turning_points.iter();
        points
            .filter_map(|point| Self::of(review, point, match_id, budget))
            .collect()
    }

    fn of(
        review: &Review,
        point: &TurningPoint,
        match_id: MatchId,
        budget: &Budget<'_>,
    ) -> Option<Self> {
        let player = review.player(point.seat);
        if point.drawn || player.is_some_and(|player| player.bot) {
            return None;
        }
        let winning = point.winning_moves_total.filter(|winning| *winning > 0)?;
        let legal_moves = point.legal_moves.filter(|legal| *legal > winning)?;
        let position = Position::parse(point.position.as_ref()?).ok()?;
        let found;
        let why = match &point.why {
            Some(why) => why,
            None => {
                found = reasons(&position, point.seat, &[], budget);
                &found
            }
        };
        Some(Self {
            family: Family::of(&position),
            theme: Theme::of(&position, why),
            bits: (legal_moves as f64 / winning as f64).log2(),
            legal_moves,
            origin: Origin {
                match_id,
                ply: point.ply,
                player: player.map(|player| player.name.to_string()),
                played: point.mv.clone(),
            },
            to_move: point.seat,
            position,
        })
    }
}
