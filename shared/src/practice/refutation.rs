//! What happens after a wrong move: the line of play that refutes it.

use serde::Serialize;

use crate::ids::Seat;
use crate::position::Position;
use crate::solver::{Budget, MoveReason, MoveResult, best_moves, shortest_line};

/// Moves of a line that are played out, the wrong move and the reply left out.
pub const LINE: usize = 24;

/// Why a move does not win.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refutation {
    /// What the move leaves, and the reply that punishes it.
    pub reason: MoveReason,
    /// How play goes on after the reply, at most [`LINE`] moves; the winner of a position that was searched hurries and its loser
    /// delays. Empty if the move keeps a draw, or no reply was found within the budget.
    pub line: Vec<String>,
    /// Whether the match is over after the line, which the player of the reply has then won.
    pub ends: bool,
}

impl Refutation {
    /// The refutation of a move that this player made with this reason.
    pub(super) fn of(
        position: &Position,
        to_move: Seat,
        reason: MoveReason,
        budget: &Budget<'_>,
    ) -> Self {
        let mut refutation = Self {
            reason,
            line: Vec::new(),
            ends: false,
        };
        if refutation.reason.result == MoveResult::Loses {
            refutation.play_out(position, to_move, budget);
        }
        refutation
    }

    /// Plays on after the move and its reply.
    fn play_out(&mut self, position: &Position, to_move: Seat, budget: &Budget<'_>) -> Option<()> {
        let play = |position: &Position, seat: Seat, text: &str| {
            let mv = position.parse_move(seat, text).ok()?;
            Some(position.play(&mv))
        };
        let mut position = play(position, to_move, &self.reason.mv)?;
        let mut seat = to_move.other();
        if let Some(reply) = &self.reason.reply {
            position = play(&position, seat, &reply.mv)?;
            seat = to_move;
        } else if !position.is_over(seat) {
            return None;
        }
        let winner = to_move.other();
        let line = shortest_line(&position, seat, LINE, budget);
        let mut known = line.into_iter().flatten();
        while self.line.len() < LINE && !position.is_over(seat) {
            let mv = match known.next() {
                Some(text) => position.parse_move(seat, &text).ok()?,
                None if seat == winner => {
                    let best = best_moves(&position, seat, &mut budget.meter(), 1)?;
                    best.first.into_iter().next()?
                }
                None => position.nth_move(seat, 0)?,
            };
            self.line.push(mv.to_string());
            position = position.play(&mv);
            seat = seat.other();
        }
        self.ends = position.is_over(seat);
        Some(())
    }
}
