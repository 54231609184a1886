//! Ratings in solving: an attempt at a puzzle is a game of Glicko-2 between the player and the puzzle.
//!
//! Each attempt is one event in the log of the player and one in the log of the puzzle. They are stored together, and each says enough to compute
//! it again. The log of a puzzle names nobody.

use serde::{Deserialize, Serialize};

use super::made::Puzzle;
use crate::ids::{Millis, PuzzleId, Seq};
use crate::rated::{PairScore, RatingFault, RatingState, Strength};

/// The first rating of a puzzle without bits and with one move, in points.
const BASE: f64 = 1_000.0;
/// Points for each bit of difficulty.
const PER_BIT: f64 = 200.0;
/// Points for each doubling of the number of moves: more moves take longer to look through.
const PER_DOUBLING: f64 = 50.0;
/// The bounds of a first rating, in points.
const FIRST: (f64, f64) = (800.0, 2_600.0);

/// What a player answers to a puzzle, and when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// The puzzle.
    pub puzzle: PuzzleId,
    /// When the answer was judged.
    pub at_ms: Millis,
    /// The move, canonical; `None` if the player gave up.
    pub mv: Option<String>,
    /// Whether the move wins.
    pub solved: bool,
}

/// One entry in the log of the puzzles that a player has tried.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SolvingEvent {
    /// The player has answered a puzzle for the first time.
    Attempted(Attempted),
}

/// A first answer, in the log of the player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Attempted {
    /// When the answer was judged.
    pub at_ms: Millis,
    /// The puzzle.
    pub puzzle: PuzzleId,
    /// The number of the same attempt in the log of the puzzle.
    pub puzzle_seq: Seq,
    /// The move, canonical; absent if the player gave up.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// Whether the move wins.
    pub solved: bool,
    /// The player's strength before it.
    pub before: Strength,
    /// The strength of the puzzle before it.
    pub against: Strength,
    /// The player's strength after it.
    pub after: Strength,
}

/// One entry in the log of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum PuzzleEvent {
    /// Somebody has answered it for the first time.
    Tried(Tried),
}

/// A first answer, in the log of the puzzle. It does not say whose.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Tried {
    /// When the answer was judged.
    pub at_ms: Millis,
    /// Whether it was solved.
    pub solved: bool,
    /// The strength of the puzzle before it.
    pub before: Strength,
    /// The player's strength before it.
    pub against: Strength,
    /// The strength of the puzzle after it.
    pub after: Strength,
}

/// The rating of a puzzle that nobody has tried: 1000 + 200 for each bit of difficulty + 50 for each doubling of its legal moves, at least 800 and at
/// most 2600, with the deviation of a newcomer.
#[must_use]
pub fn first_rating(puzzle: &Puzzle) -> RatingState {
    #[expect(clippy::cast_precision_loss, reason = "no list of moves is that long")]
    let doublings = (puzzle.legal.max(1) as f64).log2();
    let rating = BASE + PER_BIT * puzzle.bits() + PER_DOUBLING * doublings;
    let mut figures = Strength::default().to_rating();
    figures.rating = rating.clamp(FIRST.0, FIRST.1);
    RatingState {
        strength: Strength::of(&figures),
        ..RatingState::default()
    }
}

/// What a first answer makes of the ratings of a player and of a puzzle: an event for the log of each. Without play the deviation of a player
/// grows; that of a puzzle does not, because a puzzle does not change.
#[must_use]
pub fn rate(given: Given, player: &RatingState, puzzle: &RatingState) -> (Attempted, Tried) {
    let (mine, its) = (player.strength_at(given.at_ms), puzzle.strength);
    let score = score_of_player(given.solved);
    let attempted = Attempted {
        at_ms: given.at_ms,
        puzzle: given.puzzle,
        puzzle_seq: puzzle.pairs.next(),
        mv: given.mv,
        solved: given.solved,
        before: mine,
        against: its,
        after: mine.after_pair(its, score),
    };
    let tried = attempted.twin();
    (attempted, tried)
}

fn score_of_player(solved: bool) -> PairScore {
    match solved {
        true => PairScore::Won,
        false => PairScore::Lost,
    }
}

impl Attempted {
    /// Adds this attempt to the rating of its player, and computes its figures again.
    ///
    /// # Errors
    /// They are others; the state is then as the event says.
    pub fn check(&self, state: &mut RatingState) -> Result<(), RatingFault> {
        let before = state.strength_at(self.at_ms);
        let after = self
            .before
            .after_pair(self.against, score_of_player(self.solved));
        state.follow(self.at_ms, [self.before, self.after], [before, after])
    }

    /// The same attempt in the log of its puzzle.
    #[must_use]
    pub fn twin(&self) -> Tried {
        let score = score_of_player(self.solved).of_opponent();
        Tried {
            at_ms: self.at_ms,
            solved: self.solved,
            before: self.against,
            against: self.before,
            after: self.against.after_pair(self.before, score),
        }
    }
}

impl Tried {
    /// Adds this attempt to the rating of its puzzle, and computes its figures again.
    ///
    /// # Errors
    /// They are others; the state is then as the event says.
    pub fn check(&self, state: &mut RatingState) -> Result<(), RatingFault> {
        let before = state.strength;
        let score = score_of_player(self.solved).of_opponent();
        let after = self.before.after_pair(self.against, score);
        state.follow(self.at_ms, [self.before, self.after], [before, after])
    }
}

impl SolvingEvent {
    /// The one form in which it is stored and hashed: compact JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an event has only string keys and plain values")
    }
}

impl PuzzleEvent {
    /// The one form in which it is stored and hashed: compact JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an event has only string keys and plain values")
    }
}
