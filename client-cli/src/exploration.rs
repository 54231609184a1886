//! A walk through the positions of a match, or from any position: its moves, and variations from them.

use grundy_shared::ids::Seat;
use grundy_shared::notation::MoveError;
use grundy_shared::record::Record;
use grundy_shared::solver::{OutcomeClass, Solution};
use grundy_shared::{Move, Position};
use serde::Serialize;

use crate::failure::Failure;

/// Where the walk stands. The line begins with moves of the match; after the first other move it is a variation.
#[derive(Debug)]
pub(crate) struct Exploration {
    start: Position,
    /// Who makes the first move.
    first: Seat,
    /// The moves of the match; none if the walk began at a position.
    played: Vec<Move>,
    line: Vec<Move>,
    position: Position,
}

/// What is known at a place of the walk.
#[derive(Debug, Serialize)]
pub(crate) struct Place {
    /// Always `grundy/explore/1`.
    pub(crate) schema: &'static str,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    /// The moves made so far.
    pub(crate) ply: usize,
    /// The moves of the match.
    pub(crate) plies: usize,
    /// The last of the moves so far that are not those of the match.
    pub(crate) variation: Vec<String>,
    pub(crate) to_move: Seat,
    pub(crate) solution: Solution,
    /// The next move of the match.
    pub(crate) next: Option<Next>,
}

/// The next move of the match.
#[derive(Debug, Serialize)]
pub(crate) struct Next {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// The outcome after it, for the other player to move.
    pub(crate) outcome: OutcomeClass,
    /// Who wins after it; `null` in a draw and when unknown.
    pub(crate) winner: Option<Seat>,
}

/// A ply to which there is no way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NoSuchPly {
    /// The last ply that can be reached.
    pub(crate) last: usize,
}

impl Exploration {
    /// A walk from a position with this player to move.
    pub(crate) fn from(start: Position, first: Seat) -> Self {
        Self {
            position: start.clone(),
            start,
            first,
            played: Vec::new(),
            line: Vec::new(),
        }
    }

    /// A walk through a match, at its start.
    ///
    /// # Errors
    /// A move is not legal, which a record does not allow.
    pub(crate) fn of(record: &Record) -> Result<Self, Failure> {
        let referee = record.referee();
        let mut walk = Self::from(referee.start().clone(), Seat::First);
        for played in referee.moves() {
            walk.play(&played.text)
                .map_err(|error| Failure::illegal_move(&played.text, &error))?;
        }
        walk.played = std::mem::take(&mut walk.line);
        walk.position = walk.start.clone();
        Ok(walk)
    }

    /// The position.
    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    /// Who is to move.
    pub(crate) fn to_move(&self) -> Seat {
        match self.line.len().is_multiple_of(2) {
            true => self.first,
            false => self.first.other(),
        }
    }

    /// The moves made so far.
    pub(crate) fn ply(&self) -> usize {
        self.line.len()
    }

    /// The moves of the match.
    pub(crate) fn plies(&self) -> usize {
        self.played.len()
    }

    /// The moves that are not those of the match: the variation, which begins after the others.
    pub(crate) fn variation(&self) -> &[Move] {
        let both = self.line.iter().zip(&self.played);
        let common = both.take_while(|(ours, played)| ours == played).count();
        &self.line[common..]
    }

    /// The next move of the match, unless this is a variation or the end.
    pub(crate) fn next_played(&self) -> Option<&Move> {
        let next = self.played.get(self.line.len())?;
        self.variation().is_empty().then_some(next)
    }

    /// Makes a move, whether or not the match has it.
    ///
    /// # Errors
    /// It is not legal.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), MoveError> {
        let mv = self.position.parse_move(self.to_move(), text)?;
        self.position = self.position.play(&mv);
        self.line.push(mv);
        Ok(())
    }

    /// Takes moves back, at most those that were made. O(moves that remain).
    pub(crate) fn back(&mut self, moves: usize) {
        self.line.truncate(self.line.len().saturating_sub(moves));
        self.position = self
            .line
            .iter()
            .fold(self.start.clone(), |position, mv| position.play(mv));
    }

    /// Goes to a ply: back along the line, or on along the match.
    ///
    /// # Errors
    /// The line ends before it.
    pub(crate) fn go(&mut self, ply: usize) -> Result<(), NoSuchPly> {
        let last = match self.variation() {
            [] => self.plies(),
            _ => self.ply(),
        };
        if ply > last {
            return Err(NoSuchPly { last });
        }
        self.back(self.ply().saturating_sub(ply));
        while self.ply() < ply {
            let next = self.played[self.ply()].clone();
            self.position = self.position.play(&next);
            self.line.push(next);
        }
        Ok(())
    }

    /// Leaves a variation, to where it began.
    pub(crate) fn leave_variation(&mut self) {
        self.back(self.variation().len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A match in which 3 moves were made.
    fn walk() -> Exploration {
        let start = "nim:3,5".parse::<Position>().expect("a position");
        let mut walk = Exploration::from(start, Seat::First);
        for mv in ["b2", "a1", "b1"] {
            walk.play(mv).expect("legal");
        }
        walk.played = std::mem::take(&mut walk.line);
        walk.back(0);
        walk
    }

    fn at(walk: &Exploration) -> (String, usize, usize, Option<String>) {
        (
            walk.position().to_string(),
            walk.ply(),
            walk.variation().len(),
            walk.next_played().map(ToString::to_string),
        )
    }

    fn state(
        position: &str,
        ply: usize,
        variation: usize,
        next: &str,
    ) -> (String, usize, usize, Option<String>) {
        let next = (!next.is_empty()).then(|| next.to_owned());
        (position.to_owned(), ply, variation, next)
    }

    #[test]
    fn moves_of_the_match_stay_on_it_and_others_leave_it() {
        let mut walk = walk();
        assert_eq!(at(&walk), state("nim:3,5", 0, 0, "B-2"));
        walk.play("B-2").expect("legal");
        assert_eq!(at(&walk), state("nim:3,3", 1, 0, "A-1"));
        assert_eq!(walk.to_move(), Seat::Second);
        walk.play("A-3").expect("legal");
        walk.play("B-1").expect("legal");
        // The move of the match at this ply, but from another position.
        assert_eq!(at(&walk), state("nim:0,2", 3, 2, ""));
        assert_eq!(walk.go(4), Err(NoSuchPly { last: 3 }));
        walk.leave_variation();
        assert_eq!(at(&walk), state("nim:3,3", 1, 0, "A-1"));
        assert!(walk.play("A-9").is_err());
        assert_eq!(at(&walk), state("nim:3,3", 1, 0, "A-1"));
    }

    #[test]
    fn any_ply_is_reached_from_any_other() {
        let mut walk = walk();
        let positions = ["nim:3,5", "nim:3,3", "nim:2,3", "nim:2,2"];
        for from in 0..positions.len() {
            for (to, position) in positions.iter().enumerate() {
                walk.go(from).expect("a ply");
                walk.go(to).expect("a ply");
                assert_eq!(walk.position().to_string(), **position);
                assert_eq!(walk.ply(), to);
            }
        }
        assert_eq!(walk.go(4), Err(NoSuchPly { last: 3 }));
        walk.back(99);
        assert_eq!(walk.ply(), 0);
    }
}
