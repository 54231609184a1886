//! When the rules or an adjudication end a game: it is the same while it is played and when it is verified.

use std::collections::HashMap;

use grundy_shared::Position;
use grundy_shared::event::Outcome;
use grundy_shared::game::Kind;
use grundy_shared::ids::Seat;
use grundy_shared::oracle::Oracle;

use super::cause::Cause;

/// How often a position comes for a draw, in games in which play can cycle.
const REPEATS: u8 = 3;

/// The end of one game by its rules, or by adjudication.
#[derive(Debug)]
pub(crate) struct Ending {
    max_plies: u32,
    /// Moves after which the game ends as soon as the solver proves how; `None` if it is played out.
    adjudicate: Option<u32>,
    came: HashMap<(Position, Seat), u8>,
}

impl Ending {
    /// For a game that is a draw after so many moves, and is adjudicated after so many.
    pub(crate) fn new(max_plies: u32, adjudicate: Option<u32>) -> Self {
        Self {
            max_plies,
            adjudicate,
            came: HashMap::new(),
        }
    }

    /// Whether the game is over in this position, before this ply, and why. To be asked once for each position, in their order.
    pub(crate) fn of(
        &mut self,
        position: &Position,
        seat: Seat,
        ply: u32,
        oracle: &mut Oracle,
    ) -> Option<(Outcome, Cause)> {
        if let Some(winner) = position.winner_if_over(seat) {
            return Some((Outcome::win_of(winner), Cause::Normal));
        }
        if position.kind() == Kind::Loopy {
            let times = self.came.entry((position.clone(), seat)).or_insert(0);
            *times += 1;
            if *times >= REPEATS {
                return Some((Outcome::Draw, Cause::Normal));
            }
        }
        if ply >= self.max_plies {
            return Some((Outcome::Draw, Cause::Adjudicated));
        }
        if self.adjudicate.is_none_or(|plies| ply < plies) {
            return None;
        }
        let outcome = oracle.outcome(position, seat)?;
        Some((outcome, Cause::Decided))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board that no formula decides.
    const LARGE: &str = "cram:......./......./......./......./......./......./.......";

    /// How a game ends in this position, after so many moves.
    fn end(
        position: &str,
        ply: u32,
        adjudicate: Option<u32>,
        nodes: u64,
    ) -> Option<(Outcome, Cause)> {
        let position = Position::parse(position).expect("a position");
        let mut oracle = Oracle::new(nodes);
        Ending::new(9, adjudicate).of(&position, Seat::Second, ply, &mut oracle)
    }

    #[test]
    fn a_game_is_adjudicated_once_it_is_long_enough_and_decided() {
        let decided = |winner| Some((Outcome::win_of(winner), Cause::Decided));
        assert_eq!(end("nim:1,2", 3, Some(4), 1_000), None);
        assert_eq!(end("nim:1,2", 4, Some(4), 1_000), decided(Seat::Second));
        assert_eq!(end("nim:1,1", 5, Some(4), 1_000), decided(Seat::First));
        assert_eq!(end("nim:1,2", 4, None, 1_000), None);
        assert_eq!(end(LARGE, 4, Some(4), 1), None, "it is not proved");
        // The rules come first.
        let over = end("nim:0", 5, Some(4), 1_000);
        assert_eq!(over, Some((Outcome::win_of(Seat::First), Cause::Normal)));
        let long = end("nim:1,2", 9, Some(4), 1_000);
        assert_eq!(long, Some((Outcome::Draw, Cause::Adjudicated)));
    }
}
