//! Two bots that judge their moves by the answers they leave: one helps the opponent to learn, the other sets traps.

use super::chance::{Bits, Pick};
use super::perfect::{best, one_of};
use super::some_moves::{any_move, spread_moves};
use super::strategy::Strategy;
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::{Budget, winning_moves_within};
use crate::theory::Meter;

/// Moves whose answers are counted; of more, so many spread evenly over the list.
const JUDGED: u128 = 256;

/// Leaves exactly one winning reply if it can, among other replies if it can: a problem to solve at every turn. Otherwise
/// it leaves as few winning replies as possible, and wins only if every move does.
#[derive(Debug)]
pub(super) struct Teacher;

impl Strategy for Teacher {
    fn name(&self) -> String {
        "teacher".to_owned()
    }

    fn choose(
        &self,
        position: &Position,
        to_move: Seat,
        budget: &Budget<'_>,
        random: Bits<'_>,
    ) -> Option<Move> {
        let mut pick = Pick::new();
        for judged in judged_moves(position, to_move, &mut budget.meter()) {
            let key = (
                judged.winning == 0,
                judged.winning,
                judged.winning == judged.replies,
            );
            pick.offer(key, judged.mv, random);
        }
        let best = pick.into_best();
        best.or_else(|| any_move(position, to_move, random))
    }
}

/// Plays as the perfect bot where it wins. From a lost position it plays the move that leaves the smallest share of winning
/// replies: the one after which a random opponent errs most often.
#[derive(Debug)]
pub(super) struct Trickster;

impl Strategy for Trickster {
    fn name(&self) -> String {
        "trickster".to_owned()
    }

    fn choose(
        &self,
        position: &Position,
        to_move: Seat,
        budget: &Budget<'_>,
        random: Bits<'_>,
    ) -> Option<Move> {
        let meter = &mut budget.meter();
        let chosen = match best(position, to_move, meter) {
            Some(best) if best.total > 0 => one_of(best, random),
            Some(_) => {
                let mut pick = Pick::new();
                for judged in judged_moves(position, to_move, meter) {
                    pick.offer(Share::of(&judged), judged.mv, random);
                }
                pick.into_best()
            }
            None => None,
        };
        chosen.or_else(|| any_move(position, to_move, random))
    }
}

/// A move, and the answers that it leaves.
struct Judged {
    mv: Move,
    replies: u128,
    winning: u128,
}

/// The moves whose answers could be counted within the budget, each with an equal part of what is left.
fn judged_moves(position: &Position, to_move: Seat, meter: &mut Meter<'_>) -> Vec<Judged> {
    let moves = spread_moves(position, to_move, JUDGED);
    let mut left = moves.len() as u64;
    let mut judged = Vec::with_capacity(moves.len());
    for mv in moves {
        if meter.work(1).is_err() {
            break;
        }
        let after = position.play(&mv);
        let part = meter.left() / left.max(1);
        left -= 1;
        let found = meter.with_at_most(part, |meter| {
            winning_moves_within(&after, to_move.other(), meter, 0)
        });
        if let Some(found) = found {
            judged.push(Judged {
                mv,
                replies: after.move_count(to_move.other()),
                winning: found.total,
            });
        }
    }
    judged
}

/// A share of replies, compared exactly while the counts fit into 64 bits.
struct Share {
    winning: u128,
    replies: u128,
}

impl Share {
    fn of(judged: &Judged) -> Self {
        // More than 2^64 replies are beyond what can be told apart; shifting both keeps their share.
        let shift = 64u32.saturating_sub(judged.replies.leading_zeros());
        Self {
            winning: judged.winning >> shift,
            replies: (judged.replies >> shift).max(1),
        }
    }
}

impl PartialEq for Share {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Share {}

impl Ord for Share {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.winning * other.replies).cmp(&(other.winning * self.replies))
    }
}

impl PartialOrd for Share {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
