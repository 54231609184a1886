//! Who wins a coloured sum, and with which moves, by exhaustive search: for positions whose values take too much work, and for misère play.
//!
//! The search asks only who wins (alpha-beta with two results), and remembers what it found. Games on boards give their states as bits, which makes it quick. A
//! game without a board is searched by its parts or, in normal play, counts with its value.

mod beside;
mod engine;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use crate::erased::Component;
use crate::game::EndRule;
use crate::ids::Seat;
use crate::position::Move;
use crate::solver::OutcomeClass;
use crate::solver::joint::{Joint, Judged};
use crate::solver::part_interner::copying;
use crate::solver::sum_solver::SEARCH;
use crate::theory::transpositions::Place;
use crate::theory::{BitBoard, BitMove, Meter, MoveList, Stopped};

use beside::Beside;
use engine::Engine;

/// Work on the values of all components but one, in nodes.
const VALUES_NODES: u64 = 1 << 22;

/// The length need not be reported if more positions than this can be reached.
const MANY: usize = 100_000;

/// A position that is searched.
struct Search<'p> {
    components: &'p [Component],
    /// Where the bits and the moves of each component begin; `None` if it is not searched as a board.
    boards: Vec<Option<Start>>,
    root: Place,
    engine: Engine,
}

/// Where a board begins among all boards.
#[derive(Clone, Copy)]
struct Start {
    moves: [usize; 2],
}

/// Who wins, and with which moves.
pub(super) fn judge(
    joint: &mut Joint<'_>,
    want: usize,
    meter: &mut Meter<'_>,
) -> Result<Judged, Stopped> {
    let mut search = Search::new(joint, meter)?;
    let [first, second] = [
        search.is_won(Seat::First, meter)?,
        search.is_won(Seat::Second, meter)?,
    ];
    let outcome = match (first, second) {
        (true, true) => OutcomeClass::N,
        (true, false) => OutcomeClass::L,
        (false, true) => OutcomeClass::R,
        (false, false) => OutcomeClass::P,
    };
    let winning = match outcome.winner(joint.to_move) == Some(joint.to_move) {
        true => search.winning(joint, want, meter),
        false => Ok(MoveList::default()),
    };
    Ok(Judged {
        outcome,
        value: None,
        winning: winning.ok(),
        best: None,
        plies: None,
        is_large: search.is_large(),
        method: SEARCH.to_owned(),
    })
}

impl<'p> Search<'p> {
    fn new(joint: &Joint<'p>, meter: &mut Meter<'_>) -> Result<Self, Stopped> {
        let position = joint.position;
        let components = position.sum.components();
        let misere = position.end_rule() == EndRule::Misere;
        if !misere && components.len() > 1 {
            // Only components without a value within the budget become boards.
            let held_by_others = meter.bytes_left();
            let mut beside = Beside::by_value();
            let is_solved = |component: &Component| {
                let share = VALUES_NODES.min(meter.left() / 4) / components.len() as u64;
                let alone = std::slice::from_ref(component);
                let known = meter.with_at_most_held(share, |meter| beside.number(alone, meter));
                known.is_ok()
            };
            let solved: Vec<bool> = components.iter().map(is_solved).collect();
            let with_values = Self::split(components, |at| !solved[at], misere, beside, meter);
            if with_values.is_ok() {
                return with_values;
            }
            // Nothing of this attempt is kept.
            meter.release(held_by_others - meter.bytes_left());
        }
        Self::split(components, |_| true, misere, Beside::by_parts(), meter)
    }

    /// Puts these components on boards, as far as they have boards and all of them fit. The others are beside the boards: if they count by value, a component
    /// that should have become a board and cannot ends the attempt, because its value takes too much work.
    fn split(
        components: &'p [Component],
        is_board: impl Fn(usize) -> bool,
        misere: bool,
        mut beside: Beside,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stopped> {
        let mut boards = Vec::new();
        let mut moves: [Vec<BitMove>; 2] = Default::default();
        let (mut bits, mut width, mut most_moves) = (0, 0, 0);
        for (at, component) in components.iter().enumerate() {
            meter.work(copying(component))?;
            let board = Some(component).filter(|_| is_board(at));
            let board = board.and_then(|component| component.bit_board());
            let fits = |board: &BitBoard| {
                board.width > 0 && (width + board.width) as usize <= BitBoard::BITS
            };
            let Some(board) = board.filter(fits) else {
                if is_board(at) && beside.is_by_value() {
                    return Err(Stopped);
                }
                boards.push(None);
                continue;
            };
            boards.push(Some(Start {
                moves: [0, 1].map(|seat| moves[seat].len()),
            }));
            for (all, own) in moves.iter_mut().zip(&board.moves) {
                all.extend(own.iter().map(|mv| mv.shifted(width)));
            }
            bits |= board.bits << width;
            width += board.width;
            most_moves += board.most_moves;
        }
        let others = components.iter().zip(&boards);
        let others = others.filter(|(_, start)| start.is_none());
        let others: Vec<Component> = others.map(|(component, _)| component.clone()).collect();
        let share = match beside.is_by_value() {
            true => VALUES_NODES.min(meter.left() / 4),
            false => meter.left(),
        };
        let beside_root = meter.with_at_most_held(share, |meter| beside.number(&others, meter))?;
        let root = Place {
            bits,
            beside: beside_root,
            seat: 0,
        };
        Ok(Self {
            components,
            boards,
            root,
            engine: Engine::new(misere, moves, most_moves, beside, meter)?,
        })
    }

    /// Whether more than 100,000 positions were met, each perhaps with either player to move. With values that stand for components the positions met are not those of
    /// the game.
    fn is_large(&self) -> bool {
        !self.engine.beside.is_by_value() && self.engine.met() > 2 * MANY
    }

    fn is_won(&mut self, seat: Seat, meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        let root = Place {
            seat: seat.index() as u8,
            ..self.root
        };
        self.engine.is_won(root, meter)
    }

    /// The winning moves, counted, and the first `want` of them. Moves to equal positions, such as reflected ones, are searched once.
    fn winning(
        &mut self,
        joint: &mut Joint<'p>,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<MoveList<Move>, Stopped> {
        let (sum, seat) = (&joint.position.sum, joint.to_move);
        let count = u64::try_from(sum.move_count(seat)).map_err(|_| Stopped)?;
        meter.work(count)?;
        let mut known: FxHashMap<_, bool> = FxHashMap::default();
        let mut all = MoveList::default();
        let mut components: Vec<Component> = self.components.to_vec();
        for (index, component) in self.components.iter().enumerate() {
            for (number, mv) in component.moves(seat).enumerate() {
                meter.work(copying(component) + components.len() as u64 / 4)?;
                components[index] = component.play(&*mv);
                let after = joint.interner.parts_of(&components, meter)?;
                meter.work(after.len() as u64 / 16)?;
                let wins = match known.get(&after) {
                    Some(wins) => *wins,
                    None => {
                        let place = self.after(index, number, &components, seat, meter)?;
                        let wins = !self.engine.is_won(place, meter)?;
                        meter.hold(after.len() as u64 * 4 + 32)?;
                        known.insert(after, wins);
                        wins
                    }
                };
                if wins {
                    all.push(want, || sum.own(index, mv));
                }
            }
            components[index] = component.clone();
        }
        Ok(all)
    }

    /// Where move `number` of a component leads; `components` are those after it.
    fn after(
        &mut self,
        index: usize,
        number: usize,
        components: &[Component],
        seat: Seat,
        meter: &mut Meter<'_>,
    ) -> Result<Place, Stopped> {
        let mut place = Place {
            seat: seat.other().index() as u8,
            ..self.root
        };
        match self.boards[index] {
            Some(start) => {
                let side = seat.index();
                let mv = self.engine.moves[side][start.moves[side] + number];
                place.bits = mv.play(place.bits);
            }
            None => {
                let others = components.iter().zip(&self.boards);
                let others = others.filter(|(_, start)| start.is_none());
                let others: Vec<Component> = others.map(|(one, _)| one.clone()).collect();
                place.beside = self.engine.beside.number(&others, meter)?;
            }
        }
        Ok(place)
    }
}
