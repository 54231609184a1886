//! When the rules end a game: it is the same while it is played and when it is verified.

use std::collections::HashMap;

use grundy_shared::Position;
use grundy_shared::event::Outcome;
use grundy_shared::game::Kind;
use grundy_shared::ids::Seat;

use super::cause::Cause;

/// How often a position comes for a draw, in games in which play can cycle.
const REPEATS: u8 = 3;

/// The end of one game by its rules.
#[derive(Debug)]
pub(crate) struct Ending {
    max_plies: u32,
    came: HashMap<(Position, Seat), u8>,
}

impl Ending {
    /// For a game that is a draw after so many moves.
    pub(crate) fn new(max_plies: u32) -> Self {
        Self {
            max_plies,
            came: HashMap::new(),
        }
    }

    /// Whether the game is over in this position, before this ply, and why. To be asked once for each position, in their order.
    pub(crate) fn of(
        &mut self,
        position: &Position,
        seat: Seat,
        ply: u32,
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
        (ply >= self.max_plies).then_some((Outcome::Draw, Cause::Adjudicated))
    }
}
