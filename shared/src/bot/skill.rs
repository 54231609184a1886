//! A bot whose accuracy is known beforehand.

use std::collections::HashSet;

use super::chance::{Bits, below, fraction};
use super::perfect::{best, one_of};
use super::some_moves::any_move;
use super::strategy::{LISTED_WINS, Strategy};
use crate::game::Kind;
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::{Budget, winning_moves_within};
use crate::theory::{Meter, MoveList};

/// Moves that are listed one by one to find those that lose a win; of more, some are drawn.
const LISTED_MOVES: u128 = 4_096;
/// Draws for a move that loses the win, where there are more than [`LISTED_MOVES`].
const DRAWS: usize = 100;

/// Keeps a win with this probability, and otherwise plays a move that gives it away, all such moves equally likely. So its
/// accuracy, the share of the wins kept where a win could be lost, is this number.
///
/// Of more than 4,096 moves a losing one is drawn; if 100 draws find only winning moves, one of those is played.
#[derive(Debug)]
pub(super) struct Skill(pub(super) f64);

impl Strategy for Skill {
    fn name(&self) -> String {
        format!("skill:{}", self.0)
    }

    fn choose(
        &self,
        position: &Position,
        to_move: Seat,
        budget: &Budget<'_>,
        random: Bits<'_>,
    ) -> Option<Move> {
        // Drawn first, and in every position, so that the draws of a game do not depend on the budget.
        let keeps = fraction(random()) < self.0;
        let meter = &mut budget.meter();
        let chosen = match (keeps, best(position, to_move, meter)) {
            (_, None) => None,
            (true, Some(best)) => one_of(best, random),
            (false, Some(best)) => blunder(position, to_move, best, meter, random),
        };
        chosen.or_else(|| any_move(position, to_move, random))
    }
}

/// A move that is none of the winning ones, or in a draw none of those that keep it.
fn blunder(
    position: &Position,
    to_move: Seat,
    best: MoveList<Move>,
    meter: &mut Meter<'_>,
    random: Bits<'_>,
) -> Option<Move> {
    let mut kept = best;
    let count = position.move_count(to_move);
    // Of the best moves some may be missing: those that win later, and those behind the first thousand.
    let is_partial = kept.total > kept.first.len() as u128 && count <= LISTED_MOVES;
    if is_partial || (position.kind() != Kind::Impartial && kept.total > 0) {
        let want = usize::try_from(count.min(LISTED_MOVES)).unwrap_or(LISTED_WINS);
        let wins = winning_moves_within(position, to_move, meter, want)?;
        if wins.total > 0 {
            kept = wins;
        }
    }
    if kept.total == 0 || kept.total >= count {
        return None;
    }
    let texts: HashSet<String> = kept.first.iter().map(ToString::to_string).collect();
    let loses = |mv: &Move| !texts.contains(&mv.to_string());
    if count <= LISTED_MOVES {
        let mut losing: Vec<Move> = position.moves(to_move).filter(loses).collect();
        let chosen = below((losing.len() as u128).max(1), random) as usize;
        return (chosen < losing.len()).then(|| losing.swap_remove(chosen));
    }
    for _ in 0..DRAWS {
        let mv = any_move(position, to_move, random)?;
        let listed = kept.first.len() as u128 == kept.total;
        if loses(&mv) && (listed || gives_away(position, to_move, &mv, meter)?) {
            return Some(mv);
        }
    }
    None
}

/// Whether the opponent wins after this move; `None` when the budget does not suffice.
fn gives_away(
    position: &Position,
    to_move: Seat,
    mv: &Move,
    meter: &mut Meter<'_>,
) -> Option<bool> {
    let after = position.play(mv);
    let replies = winning_moves_within(&after, to_move.other(), meter, 0)?;
    Some(replies.total > 0)
}
