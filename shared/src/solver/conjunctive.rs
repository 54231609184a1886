//! `@conjunctive` with coloured or loopy components: the component that ends first decides, so each is searched alone.
//!
//! J. H. Conway, *On Numbers and Games* (1976), chapter 14. In every component one player wins, after so many plies if the winner hurries and the loser delays, or neither can
//! force an end. All components are moved in at once, so that the one with the least number ends first if both play so, and nobody can do better: the winner of that
//! component only has to delay the others, which last as long at least. A drawn component never has to end.

use crate::ids::Seat;
use crate::position::{Move, Position, Step};
use crate::solver::choices::{Choices, winning};
use crate::solver::graph::Fate;
use crate::solver::joint::{Joint, Judged, outcome_of};
use crate::solver::part_interner::copying;
use crate::theory::compound::{Breadth, Compound};
use crate::theory::standing::Law;
use crate::theory::suspense::is_lost;
use crate::theory::{Meter, MoveList, Stopped};

/// The name of the law.
const LEAST_REMOTENESS: &str = "least remoteness";

/// Each component alone, under the end rule of the whole.
pub(super) fn alone(position: &Position) -> Vec<Position> {
    let components = position.sum.components().iter().cloned();
    let alone = components.map(|part| Position::of(vec![part], position.end_rule()));
    alone.collect()
}

/// How long a component lasts before a move, and after it with the opponent to move; `None` if neither player can force its end.
pub(super) struct Change {
    /// Its place among the components.
    pub(super) component: usize,
    pub(super) before: Option<u64>,
    pub(super) after: Option<u64>,
}

/// Components that are searched one by one.
pub(super) struct Conjunctive<'p> {
    position: &'p Position,
    to_move: Seat,
    law: Law,
    misere: bool,
    components: Vec<Joint<'p>>,
}

impl<'p> Conjunctive<'p> {
    /// `None` for another compound. Takes what [`alone`] makes of the position.
    pub(super) fn new(
        position: &'p Position,
        alone: &'p [Position],
        to_move: Seat,
    ) -> Option<Self> {
        let misere = position.end_rule().is_misere();
        let law = Law::of(Compound::Conjunctive, misere)?;
        (position.compound() == Compound::Conjunctive).then(|| Self {
            position,
            to_move,
            law,
            misere,
            components: alone.iter().map(|part| Joint::new(part, to_move)).collect(),
        })
    }

    /// Who wins, and with which moves.
    pub(super) fn judge(&mut self, want: usize, meter: &mut Meter<'_>) -> Result<Judged, Stopped> {
        let first = self.fate(Seat::First, meter)?;
        let second = self.fate(Seat::Second, meter)?;
        let own = match self.to_move {
            Seat::First => first,
            Seat::Second => second,
        };
        let winning = match own {
            Fate::Won(plies) if plies > 0 => self.winning(want, meter).ok(),
            _ => Some(MoveList::default()),
        };
        let best = match own {
            Fate::Lost(_) | Fate::Won(0) => None,
            _ => self.best(meter).ok(),
        };
        Ok(Judged {
            outcome: outcome_of(first, second, own),
            value: None,
            winning,
            best: best.map(|mv| MoveList {
                first: vec![mv],
                total: 1,
            }),
            plies: own.plies(),
            is_large: false,
            method: LEAST_REMOTENESS.to_owned(),
        })
    }

    /// How long each component lasts alone, with this player to move; `None` if neither can force its end.
    pub(super) fn numbers(
        &mut self,
        to_move: Seat,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Option<u64>>, Stopped> {
        let mut numbers = Vec::with_capacity(self.components.len());
        for component in &mut self.components {
            let root = component.parts(meter)?;
            numbers.push(component.fate(&root, to_move, meter)?.plies());
        }
        Ok(numbers)
    }

    /// What a move changes in each component in which it is made.
    pub(super) fn changes(
        &mut self,
        mv: &Move,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Change>, Stopped> {
        let mut changes = Vec::with_capacity(mv.steps.len());
        for step in &mv.steps {
            let joint = &mut self.components[step.component];
            let component = &self.position.sum.components()[step.component];
            let root = joint.parts(meter)?;
            let before = joint.fate(&root, self.to_move, meter)?.plies();
            meter.work(copying(component))?;
            let after = joint.parts_of(&[component.play(&*step.inner)], meter)?;
            let after = joint.fate(&after, self.to_move.other(), meter)?.plies();
            changes.push(Change {
                component: step.component,
                before,
                after,
            });
        }
        Ok(changes)
    }

    /// The fate of the component that ends first.
    fn fate(&mut self, to_move: Seat, meter: &mut Meter<'_>) -> Result<Fate, Stopped> {
        let numbers = self.numbers(to_move, meter)?;
        let least = numbers.into_iter().flatten().min();
        Ok(match least {
            None => Fate::Drawn,
            Some(plies) if is_lost(plies, self.misere) => Fate::Lost(plies),
            Some(plies) => Fate::Won(plies),
        })
    }

    /// The number of a component that never has to end: the largest that does not count as lost.
    fn endless(&self) -> u64 {
        u64::MAX - u64::from(is_lost(u64::MAX, self.misere))
    }

    /// The moves after which the opponent loses.
    fn winning(&mut self, want: usize, meter: &mut Meter<'_>) -> Result<MoveList<Move>, Stopped> {
        let endless = self.endless();
        let next = self.to_move.other();
        let mut all = Vec::with_capacity(self.components.len());
        for (index, joint) in self.components.iter_mut().enumerate() {
            let component = &self.position.sum.components()[index];
            let count = component.move_count(self.to_move);
            meter.work(u64::try_from(count).map_err(|_| Stopped)?)?;
            let mut choices = Choices::new(index, None);
            for mv in component.moves(self.to_move) {
                meter.work(copying(component))?;
                let after = joint.parts_of(&[component.play(&*mv)], meter)?;
                let plies = joint.fate(&after, next, meter)?.plies();
                choices.push(plies.unwrap_or(endless), want, mv);
            }
            all.push(choices);
        }
        let found = winning(self.law, Breadth::Each, &all, want, meter)?;
        Ok(found.map(|steps| self.position.sum.join(steps)))
    }

    /// In every component the move that is best there: its winner hurries, its loser delays, and a draw is kept.
    fn best(&mut self, meter: &mut Meter<'_>) -> Result<Move, Stopped> {
        let next = self.to_move.other();
        let mut steps = Vec::with_capacity(self.components.len());
        for (index, joint) in self.components.iter_mut().enumerate() {
            let component = &self.position.sum.components()[index];
            let root = joint.parts(meter)?;
            let wanted = joint.fate(&root, self.to_move, meter)?.plies();
            let wanted = wanted.map(|plies| plies.saturating_sub(1));
            let mut step = None;
            for inner in component.moves(self.to_move) {
                meter.work(copying(component))?;
                let after = joint.parts_of(&[component.play(&*inner)], meter)?;
                if joint.fate(&after, next, meter)?.plies() == wanted {
                    step = Some(Step {
                        component: index,
                        inner,
                    });
                    break;
                }
            }
            steps.push(step.ok_or(Stopped)?);
        }
        Ok(self.position.sum.join(steps))
    }
}
