//! The verdict on compounds other than `+`: a number for each component, and the law that combines them.

use crate::erased::{Component, ComponentMove};
use crate::game::{EndRule, Kind};
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::choices::{Choices, winning};
use crate::solver::component_value::value_of;
use crate::solver::dense;
use crate::solver::part_interner::copying;
use crate::solver::state_interner::StateInterner;
use crate::solver::sum_solver::{Answer, SumSolver, Verdict};
use crate::solver::tried::Tried;
use crate::solver::whole::{Known, Whole};
use crate::theory::compound::{Breadth, Compound};
use crate::theory::standing::Law;
use crate::theory::{Meter, MoveList, Stopped};

/// Work on a compound as one game, in nodes.
const SEARCHED_NODES: u64 = 300_000_000;

/// A compound to be solved.
pub(super) struct Compounded<'p> {
    pub(super) position: &'p Position,
    pub(super) compound: Compound,
    pub(super) misere: bool,
    pub(super) law: Law,
    pub(super) components: &'p [Component],
    pub(super) max_moves: usize,
    interner: StateInterner,
}

impl<'p> Compounded<'p> {
    /// `None` for `+`, for a single component, which is the same game in every compound but `@zero`, and for coloured and loopy components, which have no law.
    pub(super) fn new(position: &'p Position, max_moves: usize) -> Option<Self> {
        let compound = position.compound();
        let misere = position.end_rule().is_misere();
        let law = Law::of(compound, misere)?;
        let components = position.sum.components();
        let joins = components.len() > 1 || compound == Compound::UntilZero;
        (joins && position.kind() == Kind::Impartial).then(|| Self {
            position,
            compound,
            misere,
            law,
            components,
            max_moves,
            interner: StateInterner::new(law),
        })
    }

    /// The winner and the winning moves; the other facts only if `whole`.
    pub(super) fn answer(&mut self, whole: bool, meter: &mut Meter<'_>) -> Result<Answer, Tried> {
        if self.position.is_over(Seat::First) {
            return Ok(Answer {
                lost: !self.misere,
                nim_value: (!self.misere).then_some(0),
                winning: Some(MoveList::default()),
                known: Vec::new(),
                remoteness: Some(0),
                method: "no move left".to_owned(),
            });
        }
        if let Some(answer) = self.last_alive(whole, meter) {
            return answer;
        }
        let half = meter.left() / 2;
        let mut answer = meter
            .with_at_most(half, |meter| self.by_methods(whole, meter))
            .filter(|answer| answer.winning.is_some());
        if answer.is_none() {
            let half = meter.left() / 2;
            answer = meter
                .with_at_most(half, |meter| self.by_boards(meter))
                .ok()
                .or_else(|| self.by_methods(whole, meter));
        }
        let mut answer = answer.ok_or_else(|| self.tried())?;
        let lacks = answer.remoteness.is_none() || !self.misere && answer.nim_value.is_none();
        if whole
            && lacks
            && let Ok(known) = meter.with_at_most(SEARCHED_NODES, |meter| self.search(meter))
        {
            answer.remoteness = Some(known.remoteness);
            answer.nim_value = (!self.misere).then_some(known.value);
        }
        Ok(answer)
    }

    /// If finished components do not count and one component is left: that one alone.
    fn last_alive(&self, whole: bool, meter: &mut Meter<'_>) -> Option<Result<Answer, Tried>> {
        let index = last_alive(self.position)?;
        let component = &self.components[index];
        let alone = Position::of(vec![component.clone()], self.position.end_rule());
        let answer = SumSolver::new(&alone, self.max_moves).answer(whole, meter);
        Some(answer.map(|answer| {
            Answer {
                winning: answer
                    .winning
                    .map(|replies| replies.map(|mv| self.position.sum.own(index, only_step(mv)))),
                known: answer
                    .known
                    .into_iter()
                    .map(|mv| self.position.sum.own(index, only_step(mv)))
                    .collect(),
                ..answer
            }
        }))
    }

    /// By the methods of the games, if the law needs only the winner of each component, or its remoteness.
    fn by_methods(&self, whole: bool, meter: &mut Meter<'_>) -> Option<Answer> {
        // By which end rule components are asked, and whether it tells the winning moves, too.
        let (end, complete) = match self.compound {
            // Two have a move at least.
            Compound::Selective => (EndRule::Normal, !self.misere),
            Compound::ShortSelective => (self.position.end_rule(), self.misere),
            Compound::Conjunctive => (self.position.end_rule(), false),
            Compound::UntilZero => return self.by_nim_values(meter).ok()?,
            Compound::Sum | Compound::Every | Compound::ShortSum => return None,
        };
        let want = if complete { self.max_moves } else { 0 };
        let alone = self.components.iter().cloned();
        let alone: Vec<Position> = alone.map(|part| Position::of(vec![part], end)).collect();
        let mut asked = Vec::with_capacity(alone.len());
        for component in &alone {
            meter.work(1).ok()?;
            let mut solver = SumSolver::new(component, want);
            let verdict = solver.verdict(meter)?;
            asked.push((solver, verdict));
        }
        if self.compound == Compound::Conjunctive {
            let numbers = remoteness_of_each(&mut asked, meter)?;
            let lost = self.is_lost(&numbers);
            return Some(Answer {
                lost,
                nim_value: (lost && !self.misere).then_some(0),
                winning: lost.then(MoveList::default),
                known: Vec::new(),
                remoteness: self.law.remoteness(&numbers),
                method: self.own_methods(),
            });
        }
        let lost = asked.iter().all(|(_, verdict)| verdict.lost);
        let winning = match lost {
            true => Some(MoveList::default()),
            false if complete => {
                let choices = self.known_wins(asked.iter_mut().map(|(_, verdict)| verdict));
                choices.and_then(|choices| self.winning(&choices, meter).ok())
            }
            false => None,
        };
        // Found last: it may take what is left.
        let numbers = match whole {
            true => remoteness_of_each(&mut asked, meter),
            false => None,
        };
        Some(Answer {
            lost,
            nim_value: (lost && !self.misere).then_some(0),
            winning,
            known: Vec::new(),
            remoteness: numbers.and_then(|numbers| self.law.remoteness(&numbers)),
            method: self.own_methods(),
        })
    }

    fn tried(&self) -> Tried {
        let mut tried = Tried::default();
        if !matches!(self.compound, Compound::Every | Compound::ShortSum) {
            tried.push(self.own_methods());
        }
        tried.and(self.method())
    }

    fn own_methods(&self) -> String {
        format!("{}, components by their own methods", self.method())
    }

    /// The moves that win components. If nothing else counts, winning moves consist of these.
    fn known_wins<'v>(
        &self,
        verdicts: impl Iterator<Item = &'v mut Verdict>,
    ) -> Option<Vec<Choices>> {
        // Any numbers that stand for lost and won.
        let lost = u64::from(self.misere);
        let choices = verdicts.enumerate().map(|(index, verdict)| {
            let still = lost + u64::from(!verdict.lost);
            let mut choices = Choices::new(index, Some(still));
            choices.extend(lost, verdict.winning.take()?.map(only_step));
            Some(choices)
        });
        choices.collect()
    }

    /// By searching every component for its number.
    fn by_boards(&mut self, meter: &mut Meter<'_>) -> Result<Answer, Stopped> {
        let mut numbers = Vec::with_capacity(self.components.len());
        for component in self.components {
            meter.work(1)?;
            let board = self.interner.of(component, meter)?;
            numbers.push(self.interner.number(board, meter)?);
        }
        let lost = self.is_lost(&numbers);
        let winning = match lost {
            true => Some(MoveList::default()),
            false => self.listed(&numbers, meter).ok(),
        };
        Ok(Answer {
            lost,
            nim_value: self.value_by(&numbers, lost),
            winning,
            known: Vec::new(),
            remoteness: self.law.remoteness(&numbers),
            method: self.method().to_owned(),
        })
    }

    /// The Grundy value of the whole that these numbers show.
    fn value_by(&self, numbers: &[u64], lost: bool) -> Option<u64> {
        match self.compound {
            _ if self.misere => None,
            // What ends early has the value 0, and so has its xor: the value is that of a sum.
            Compound::UntilZero => Some(numbers.iter().fold(0, |xor, number| xor ^ number)),
            _ => lost.then_some(0),
        }
    }

    /// The number that the law asks of a component; `None` when it is not found within the budget.
    pub(super) fn number(&mut self, component: &Component, meter: &mut Meter<'_>) -> Option<u64> {
        if self.compound == Compound::UntilZero
            && let Ok(Some(value)) = value_of(component, meter)
        {
            return Some(value);
        }
        let half = meter.left() / 2;
        let searched = meter.with_at_most(half, |meter| {
            let board = self.interner.of(component, meter)?;
            self.interner.number(board, meter)
        });
        searched.ok()
    }

    pub(super) fn is_lost(&self, numbers: &[u64]) -> bool {
        let numbers = numbers.iter();
        let standing = numbers.fold(self.law.start(), |standing, number| {
            self.law.with(standing, *number)
        });
        self.law.is_lost(standing)
    }

    /// Every move of every component by the number that it leaves, and the winning moves that these make.
    fn listed(
        &mut self,
        numbers: &[u64],
        meter: &mut Meter<'_>,
    ) -> Result<MoveList<Move>, Stopped> {
        let mut all = Vec::with_capacity(self.components.len());
        for (index, (component, number)) in self.components.iter().zip(numbers).enumerate() {
            let count = component.move_count(Seat::First);
            meter.work(u64::try_from(count).map_err(|_| Stopped)?)?;
            let may_stay = count == 0 || self.compound.breadth() != Breadth::Each;
            let mut choices = Choices::new(index, may_stay.then_some(*number));
            for mv in component.moves(Seat::First) {
                meter.work(copying(component))?;
                let board = self.interner.of(&component.play(&*mv), meter)?;
                let number = self.interner.number(board, meter)?;
                choices.push(number, self.max_moves, mv);
            }
            all.push(choices);
        }
        self.winning(&all, meter)
    }

    fn winning(
        &self,
        choices: &[Choices],
        meter: &mut Meter<'_>,
    ) -> Result<MoveList<Move>, Stopped> {
        let breadth = self.compound.breadth();
        let found = winning(self.law, breadth, choices, self.max_moves, meter)?;
        Ok(found.map(|steps| self.position.sum.join(steps)))
    }

    /// The whole position as one game.
    fn search(&mut self, meter: &mut Meter<'_>) -> Result<Known, Stopped> {
        let mut boards = Vec::with_capacity(self.components.len());
        for component in self.components {
            boards.push(self.interner.of(component, meter)?);
        }
        if self.compound == Compound::UntilZero {
            // Where it ends depends on the numbers.
            for board in &boards {
                self.interner.number(*board, meter)?;
            }
            return Whole::new(self.compound, self.misere, &mut self.interner)
                .search(boards, meter);
        }
        let dense = meter.with_at_most(u64::MAX, |meter| {
            dense::search(
                self.compound,
                self.misere,
                &boards,
                &mut self.interner,
                meter,
            )
        });
        dense.or_else(|_| {
            Whole::new(self.compound, self.misere, &mut self.interner).search(boards, meter)
        })
    }

    /// The name of the law.
    pub(super) fn method(&self) -> &'static str {
        match self.compound {
            Compound::Sum => "nim-values",
            Compound::Every => "greatest suspense",
            Compound::Conjunctive => "least remoteness",
            Compound::Selective => "outcomes of components, selective",
            Compound::ShortSum => "foreclosed nim-values",
            Compound::ShortSelective => "outcomes of components, short selective",
            Compound::UntilZero => "nim-values until all are 0",
        }
    }
}

/// The remoteness of each component alone; `None` if one is not found.
fn remoteness_of_each(
    asked: &mut [(SumSolver<'_>, Verdict)],
    meter: &mut Meter<'_>,
) -> Option<Vec<u64>> {
    let asked = asked.iter_mut();
    let each = asked.map(|(solver, verdict)| solver.remoteness(verdict, meter));
    each.collect()
}

/// The only component with a move, in a compound in which the others then count for nothing.
pub(super) fn last_alive(position: &Position) -> Option<usize> {
    let compound = position.compound();
    if compound.is_short() || compound == Compound::UntilZero {
        return None;
    }
    let components = position.sum.components().iter().enumerate();
    let mut alive = components.filter(|(_, component)| component.move_count(Seat::First) > 0);
    let (index, _) = alive.next()?;
    alive.next().is_none().then_some(index)
}

/// The move of the only component.
fn only_step(mut mv: Move) -> ComponentMove {
    let step = mv.steps.pop();
    step.expect("a move is made in one component at least")
        .inner
}
