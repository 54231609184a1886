//! A sum by exhaustive search over multisets of parts.

use crate::erased::Component;
use crate::ids::Seat;
use crate::position::Move;
use crate::solver::part_interner::{Parts, copying};
use crate::solver::search::Search;
use crate::solver::sum_solver::{QUOTIENT_NODES, SEARCH, SumSolver, Verdict, Way};
use crate::theory::{Meter, MoveList, Stopped};

/// Work on a search in misère play before a quotient of all parts that can be reached is looked for, in nodes.
const EASY_NODES: u64 = 1_000_000;

/// Moves of a part above which no quotient of what can be reached is looked for.
const FEW_MOVES: u128 = 10_000;

impl SumSolver<'_> {
    /// By exhaustive search over multisets of parts. In misère play, once this is found not to be easy, by a quotient if there is one.
    pub(super) fn by_search(&mut self, meter: &mut Meter<'_>) -> Result<Verdict, Stopped> {
        let mut search = Search::new(self.misere);
        let parts = self.parts(meter)?;
        let mut moves = parts.iter().map(|part| self.interner.move_count(*part));
        if self.misere && moves.all(|count| count <= FEW_MOVES) {
            let easy = meter.with_at_most(EASY_NODES, |meter| {
                search.is_lost(&parts, &mut self.interner, meter)
            });
            let share = (meter.left() / 4).min(QUOTIENT_NODES);
            if easy.is_err()
                && let Ok(Some(verdict)) = meter.with_at_most(share, |meter| self.by_parts(meter))
            {
                return Ok(verdict);
            }
        }
        let lost = search.is_lost(&parts, &mut self.interner, meter)?;
        let winning = match lost {
            true => Some(MoveList::default()),
            false => self.searched_replies(&mut search, meter).ok(),
        };
        Ok(Verdict {
            lost,
            nim_value: None,
            winning,
            known: Vec::new(),
            method: SEARCH.to_owned(),
            way: Way::Searched(search),
        })
    }

    /// The unfinished parts of the whole position.
    pub(super) fn parts(&mut self, meter: &mut Meter<'_>) -> Result<Parts, Stopped> {
        let components: Vec<Component> = self.live.iter().map(|(_, c)| (*c).clone()).collect();
        self.interner.parts_of(&components, meter)
    }

    /// Every move of the position, looked up in the search.
    fn searched_replies(
        &mut self,
        search: &mut Search,
        meter: &mut Meter<'_>,
    ) -> Result<MoveList<Move>, Stopped> {
        let mut all = MoveList::default();
        let mut components: Vec<Component> = self.live.iter().map(|(_, c)| (*c).clone()).collect();
        for (place, (index, component)) in self.live.iter().enumerate() {
            for mv in component.moves(Seat::First) {
                meter.work(copying(component))?;
                components[place] = component.play(&*mv);
                let after = self.interner.parts_of(&components, meter)?;
                // Each part was looked up.
                meter.work(after.len() as u64 / 16)?;
                if search.is_lost(&after, &mut self.interner, meter)? {
                    all.push(self.max_moves, || self.position.sum.own(*index, mv));
                }
            }
            components[place] = (*component).clone();
        }
        Ok(all)
    }
}
