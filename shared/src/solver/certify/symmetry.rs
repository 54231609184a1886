//! Proofs by symmetry and by strategy stealing.

use super::obstacle::Obstacle;
use super::{Claim, Proved};
use crate::certificate::{Mirror, Proof, Square, Squares, Stealing, square_name};
use crate::ids::Seat;
use crate::position::Move;
use crate::theory::Meter;

impl Claim<'_> {
    /// By a half-turn or a reflection of the squares that moves can cover, where the position is lost or after the winning move.
    pub(super) fn by_mirror(&self, meter: &mut Meter<'_>) -> Proved {
        let text = self.alone_after()?;
        let board = Squares::read(&text).filter(|_| !self.position.end_rule().is_misere());
        let board = board.ok_or(Obstacle::OtherWay)?;
        meter.work(text.len() as u64)?;
        let mut squares: Vec<Square> = board.moves().flatten().collect();
        squares.sort_unstable();
        squares.dedup();
        let columns = || squares.iter().map(|(_, column)| *column);
        let (Some(left), Some(right)) = (columns().min(), columns().max()) else {
            return Ok((
                Proof::Mirror(Mirror { pairs: Vec::new() }),
                self.zero_if_lost(),
            ));
        };
        let (top, bottom) = (squares[0].0, squares[squares.len() - 1].0);
        let turned = |(row, column): Square, upright: bool, sideways: bool| {
            let row = if upright { top + bottom - row } else { row };
            let column = if sideways {
                left + right - column
            } else {
                column
            };
            (row, column)
        };
        for (upright, sideways) in [(true, true), (true, false), (false, true)] {
            let image = |square| Some(turned(square, upright, sideways));
            if board.unmirrored(image).is_none() {
                let pairs = squares
                    .iter()
                    .map(|square| (*square, turned(*square, upright, sideways)));
                let pairs = pairs.filter(|(one, other)| one < other);
                let names = pairs.map(|(one, other)| (square_name(one), square_name(other)));
                let pairs = names.collect();
                return Ok((Proof::Mirror(Mirror { pairs }), self.zero_if_lost()));
            }
        }
        Err(Obstacle::OtherWay)
    }

    /// A move of Cram after which the board is its own mirror image, with the proof.
    pub(super) fn to_symmetry(
        &self,
        meter: &mut Meter<'_>,
    ) -> Result<(Move, (Proof, Option<u64>)), Obstacle> {
        Squares::read(&self.alone()?.to_string()).ok_or(Obstacle::OtherWay)?;
        let proved = self.position.moves(Seat::First).find_map(|mv| {
            let claim = Claim {
                position: self.position,
                winning: Some(&mv),
            };
            let proved = claim.by_mirror(meter).ok()?;
            Some((mv, proved))
        });
        proved.ok_or(Obstacle::OtherWay)
    }

    /// By the last move of the list: on a rectangle of Chomp it takes the far corner.
    pub(super) fn by_stealing(&self) -> Proved {
        let count = self.position.move_count(Seat::First);
        let last = count
            .checked_sub(1)
            .and_then(|n| self.position.nth_move(Seat::First, n));
        let mv = last.ok_or(Obstacle::OtherWay)?.to_string();
        Ok((Proof::Stealing(Stealing { mv }), None))
    }
}
