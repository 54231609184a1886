//! A disjunctive sum and the methods that solve it: those of its games, then misère quotients, then search.

use rustc_hash::FxHashMap;

use crate::erased::{Component, ComponentMove};
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::bounds::{BOUNDED_NODES, MANY_PARTS, reaches_many};
use crate::solver::misere::Quotient;
use crate::solver::part_interner::{PartInterner, Parts, copying};
use crate::solver::remoteness::{Knowledge, remotenesses};
use crate::solver::search::Search;
use crate::solver::tried::Tried;
use crate::theory::{Goal, Meter, MoveList, Stopped, Tally};

/// Work on the values of parts by their options, in nodes: the winner is often found with less.
const VALUED_NODES: u64 = 100_000_000;

/// Work on a misère quotient, in nodes, so that time is left for a search.
const QUOTIENT_NODES: u64 = 20_000_000;

/// Work on a search in misère play before a quotient of all parts that can be reached is looked for, in nodes.
const EASY_NODES: u64 = 1_000_000;

/// Moves of a part above which no quotient of what can be reached is looked for.
const FEW_MOVES: u128 = 10_000;

/// The name of the method that derives values from options.
const VALUES: &str = "values by exhaustive search";

/// The name of the method that uses a misère quotient.
const QUOTIENT: &str = "misere quotient";

/// The name of the method that searches all reachable positions.
pub(super) const SEARCH: &str = "exhaustive search";

/// Where the values of parts come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The methods of the games.
    Methods,
    /// These, and where there is none the options of the part.
    Options,
}

/// What is known of a position.
pub(super) struct Answer {
    pub(super) lost: bool,
    pub(super) nim_value: Option<u64>,
    /// `None` when the budget ended before they were counted.
    pub(super) winning: Option<MoveList<Move>>,
    pub(super) remoteness: Option<u64>,
    pub(super) method: String,
}

/// How a verdict was found, which determines how its remoteness is found.
enum Way {
    Values,
    Alone,
    Quotient(Quotient),
    /// By asking one part whether it has the value of all others. Nothing more is known of it.
    Tested,
    Searched(Search),
}

/// What a method found.
pub(super) struct Verdict {
    pub(super) lost: bool,
    nim_value: Option<u64>,
    /// `None` when the budget ended before they were counted.
    pub(super) winning: Option<MoveList<Move>>,
    method: String,
    way: Way,
}

/// A disjunctive sum to be solved, and what the methods share.
pub(super) struct SumSolver<'p> {
    position: &'p Position,
    misere: bool,
    /// The components that have a move, by index: the others count for nothing.
    live: Vec<(usize, &'p Component)>,
    max_moves: usize,
    interner: PartInterner,
    tried: Tried,
}

impl<'p> SumSolver<'p> {
    pub(super) fn new(position: &'p Position, max_moves: usize) -> Self {
        let components = position.sum.components().iter().enumerate();
        let live = components.filter(|(_, component)| component.move_count(Seat::First) > 0);
        Self {
            position,
            misere: position.end_rule().is_misere(),
            live: live.collect(),
            max_moves,
            interner: PartInterner::default(),
            tried: Tried::default(),
        }
    }

    /// What is known of it; everything only if `whole`.
    pub(super) fn answer(&mut self, whole: bool, meter: &mut Meter<'_>) -> Result<Answer, Tried> {
        let verdict = self.verdict(meter);
        let mut verdict = verdict.ok_or_else(|| std::mem::take(&mut self.tried))?;
        // A closed form before the search for a value, which may use up the budget.
        let plies = match whole {
            true => self.remoteness_by_form(meter),
            false => None,
        };
        let nim_value = match verdict.way {
            Way::Alone | Way::Searched(_) if whole => {
                verdict.nim_value.or_else(|| self.value_alone(meter))
            }
            _ => verdict.nim_value,
        };
        let remoteness = match whole {
            true => plies.or_else(|| self.remoteness_by_search(&mut verdict, meter)),
            false => None,
        };
        Ok(Answer {
            lost: verdict.lost,
            nim_value,
            winning: verdict.winning,
            remoteness,
            method: verdict.method,
        })
    }

    /// Closed forms and tables first, then the values of all parts by their options, exhaustive search last.
    pub(super) fn verdict(&mut self, meter: &mut Meter<'_>) -> Option<Verdict> {
        let half = meter.left() / 2;
        let by_methods = meter.with_at_most(half, |meter| self.by_values(Source::Methods, meter));
        if let Ok(Some(verdict)) = by_methods {
            return Some(verdict);
        }
        let half = meter.left() / 2;
        if !self.misere
            && let Ok(Some(verdict)) = meter.with_at_most(half, |meter| self.by_test(meter))
        {
            return Some(verdict);
        }
        self.tried.push(self.methods());
        if self.misere {
            let before = meter.left();
            let share = (before / 2).min(QUOTIENT_NODES);
            let by_quotient = meter.with_at_most(share, |meter| self.by_quotient(meter));
            if let Ok(Some(verdict)) = by_quotient {
                return Some(verdict);
            }
            if meter.left() < before {
                self.tried.push(QUOTIENT);
            }
        }
        let alone = self.alone(meter);
        if alone
            .as_ref()
            .is_some_and(|verdict| verdict.winning.is_some())
        {
            return alone;
        }
        // Where it is known who wins, only the moves are looked for.
        let most = match alone {
            Some(_) => VALUED_NODES,
            None => u64::MAX,
        };
        let found = meter.with_at_most(most, |meter| self.by_positions(meter));
        found.or(alone)
    }

    /// By what can be reached: the values of all parts by their options, exhaustive search last.
    fn by_positions(&mut self, meter: &mut Meter<'_>) -> Option<Verdict> {
        if !self.misere {
            let share = (meter.left() / 2).min(VALUED_NODES);
            let by_options =
                meter.with_at_most(share, |meter| self.by_values(Source::Options, meter));
            if let Ok(Some(verdict)) = by_options {
                return Some(verdict);
            }
            self.tried.push(VALUES);
            self.interner = PartInterner::default();
        }
        self.tried.push(SEARCH);
        self.by_search(meter).ok()
    }

    /// By the Grundy values of all parts: in normal play always right, in misère play where every part is tame.
    fn by_values(
        &mut self,
        source: Source,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Verdict>, Stopped> {
        let mut values = Vec::with_capacity(self.live.len());
        for place in 0..self.live.len() {
            meter.work(1)?;
            let component = self.live[place].1;
            let known = match self.misere {
                true => component.misere_tallies(meter)?.into_iter().collect(),
                false => self.values_of(component, source, meter)?,
            };
            let Some(known) = known else {
                return Ok(None);
            };
            values.push(known);
        }
        let all = values.iter().flatten();
        let tally = all.fold(Tally::default(), |all, part| all.and(*part));
        let lost = tally.is_lost(self.misere);
        let winning = match lost {
            true => Some(MoveList::default()),
            false => self.replies_to(&values, tally, meter).ok(),
        };
        let suffix = match source {
            Source::Options => format!(", {VALUES}"),
            Source::Methods if self.misere => ", misere rule of tame sums".to_owned(),
            Source::Methods => String::new(),
        };
        Ok(Some(Verdict {
            lost,
            nim_value: (!self.misere).then_some(tally.xor),
            winning,
            method: format!("{}{suffix}", self.methods()),
            way: Way::Values,
        }))
    }

    /// In normal play, if the value of one part only is not known, by asking whether it is that of all others together.
    fn by_test(&mut self, meter: &mut Meter<'_>) -> Result<Option<Verdict>, Stopped> {
        let mut others = 0;
        let mut open = None;
        for (place, (_, component)) in self.live.iter().enumerate() {
            for (part, value) in component.values(meter)?.into_iter().enumerate() {
                meter.work(1)?;
                match value {
                    Some(value) => others ^= value,
                    None if open.is_none() => open = Some((place, part)),
                    None => return Ok(None),
                }
            }
        }
        let Some((place, part)) = open.filter(|_| self.live.len() > 1) else {
            return Ok(None);
        };
        let tested = &self.live[place].1.parts()[part];
        let Some(lost) = tested.has_value(others, meter)? else {
            return Ok(None);
        };
        let winning = match lost {
            true => Some(MoveList::default()),
            false => self.tested_replies(place, tested, others, meter).ok(),
        };
        Ok(Some(Verdict {
            lost,
            nim_value: lost.then_some(0),
            winning,
            method: self.methods(),
            way: Way::Tested,
        }))
    }

    /// The moves that make one component of a single part equal to all others, of value `others` together.
    fn tested_replies(
        &mut self,
        place: usize,
        tested: &Component,
        others: u64,
        meter: &mut Meter<'_>,
    ) -> Result<MoveList<Move>, Stopped> {
        let mut all = MoveList::default();
        for (number, (index, component)) in self.live.iter().enumerate() {
            let room = self.max_moves - all.first.len();
            if number == place {
                let found = component.replies(0, Goal::Value(others), room, meter)?;
                let found = found.filter(|_| component.parts().len() == 1);
                all.append(
                    found
                        .ok_or(Stopped)?
                        .map(|mv| self.position.sum.own(*index, mv)),
                );
                continue;
            }
            let xor = |values: Vec<Option<u64>>| {
                let mut values = values.into_iter();
                values.try_fold(0, |xor, value| Some(xor ^ value?))
            };
            let rest = others ^ xor(component.values(meter)?).ok_or(Stopped)?;
            for mv in component.moves(Seat::First) {
                meter.work(copying(component))?;
                let after = component.play(&*mv).values(meter)?;
                let value = rest ^ xor(after).ok_or(Stopped)?;
                if tested.has_value(value, meter)?.ok_or(Stopped)? {
                    all.push(self.max_moves, || self.position.sum.own(*index, mv));
                }
            }
        }
        Ok(all)
    }

    /// The values of the parts of a component in normal play, `None` if the source does not know one of them.
    fn values_of(
        &mut self,
        component: &Component,
        source: Source,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Tally>>, Stopped> {
        let alone = |value| Tally::default().with(value);
        let by_method = component.values(meter)?;
        let known: Option<Vec<Tally>> = by_method.iter().map(|value| value.map(alone)).collect();
        if known.is_some() || source == Source::Methods {
            return Ok(known);
        }
        let mut values = Vec::with_capacity(by_method.len());
        for (part, value) in component.parts().into_iter().zip(by_method) {
            values.push(alone(match value {
                Some(value) => value,
                None => {
                    let part = self.interner.number(part, meter)?;
                    self.interner.value(part, meter)?
                }
            }));
        }
        Ok(Some(values))
    }

    /// The methods of the games in it, each once.
    fn methods(&self) -> String {
        let mut methods: Vec<&str> = Vec::new();
        for (_, component) in &self.live {
            if !methods.contains(&component.method()) {
                methods.push(component.method());
            }
        }
        match methods.is_empty() {
            true => "no move left".to_owned(),
            false => methods.join(", "),
        }
    }

    /// All moves that bring the sum to a lost position, counted; the first are kept.
    fn replies_to(
        &mut self,
        values: &[Vec<Tally>],
        tally: Tally,
        meter: &mut Meter<'_>,
    ) -> Result<MoveList<Move>, Stopped> {
        let mut all = MoveList::default();
        for (place, values) in values.iter().enumerate() {
            let (index, component) = self.live[place];
            let mut of_component = MoveList::default();
            for (part, value) in values.iter().enumerate() {
                meter.work(1)?;
                let goal = Goal::beside(tally.less(*value), self.misere);
                let room = self.max_moves - all.first.len() - of_component.first.len();
                let Some(found) = component.replies(part, goal, room, meter)? else {
                    let others = values.iter().fold(tally, |rest, value| rest.less(*value));
                    let room = self.max_moves - all.first.len();
                    of_component = self.listed_replies(component, others, room, meter)?;
                    break;
                };
                of_component.append(found);
            }
            all.append(of_component.map(|mv| self.position.sum.own(index, mv)));
        }
        Ok(all)
    }

    /// Every move of a component, looked up by the values of what it leaves beside the others.
    fn listed_replies(
        &mut self,
        component: &Component,
        others: Tally,
        want: usize,
        meter: &mut Meter<'_>,
    ) -> Result<MoveList<ComponentMove>, Stopped> {
        let count = component.move_count(Seat::First);
        meter.work(u64::try_from(count).map_err(|_| Stopped)?)?;
        let mut replies = MoveList::default();
        for mv in component.moves(Seat::First) {
            meter.work(copying(component))?;
            let after = self.interner.parts_of(&[component.play(&*mv)], meter)?;
            let mut tally = others;
            for part in &after {
                tally = tally.and(match self.misere {
                    true => self.interner.misere_tally(*part, meter)?.ok_or(Stopped)?,
                    false => Tally::default().with(self.interner.value(*part, meter)?),
                });
            }
            if tally.is_lost(self.misere) {
                replies.push(want, || mv);
            }
        }
        Ok(replies)
    }

    /// By a misère quotient, if all components have the same one.
    fn by_quotient(&mut self, meter: &mut Meter<'_>) -> Result<Option<Verdict>, Stopped> {
        let components = self.live.iter().map(|(_, component)| *component);
        let Some(quotient) = Quotient::of(components, meter)? else {
            return Ok(None);
        };
        Ok(Some(self.judged_by(quotient, meter)))
    }

    /// By the misère quotient of all parts that can be reached.
    fn by_parts(&mut self, meter: &mut Meter<'_>) -> Result<Option<Verdict>, Stopped> {
        let components = self.live.iter().map(|(_, component)| *component);
        let found = Quotient::of_reached(components, &mut self.interner, meter)?;
        Ok(found.map(|quotient| self.judged_by(quotient, meter)))
    }

    fn judged_by(&mut self, mut quotient: Quotient, meter: &mut Meter<'_>) -> Verdict {
        let lost = quotient.is_root_lost();
        let winning = match (lost, quotient.table().is_some()) {
            (true, _) => Some(MoveList::default()),
            (false, true) => self.quotient_replies(&quotient, meter).ok(),
            (false, false) => self.listed_quotient_replies(&mut quotient, meter).ok(),
        };
        Verdict {
            lost,
            nim_value: None,
            winning,
            method: QUOTIENT.to_owned(),
            way: Way::Quotient(quotient),
        }
    }

    /// All moves to a lost class, counted; the first are kept.
    fn quotient_replies(
        &self,
        quotient: &Quotient,
        meter: &mut Meter<'_>,
    ) -> Result<MoveList<Move>, Stopped> {
        let table = quotient.table().ok_or(Stopped)?;
        let mut replies = MoveList::default();
        for ((index, component), beside) in self.live.iter().zip(quotient.beside()) {
            for (part, beside) in beside.into_iter().enumerate() {
                meter.work(1)?;
                let room = self.max_moves - replies.first.len();
                let found = component.misere_replies(part, beside, table, room, meter)?;
                let found = found.ok_or(Stopped)?;
                replies.append(found.map(|mv| self.position.sum.own(*index, mv)));
            }
        }
        Ok(replies)
    }

    /// Every move, looked up by the class of what it leaves.
    fn listed_quotient_replies(
        &mut self,
        quotient: &mut Quotient,
        meter: &mut Meter<'_>,
    ) -> Result<MoveList<Move>, Stopped> {
        let mut replies = MoveList::default();
        for (place, beside) in quotient.beside_components().into_iter().enumerate() {
            let (index, component) = self.live[place];
            for mv in component.moves(Seat::First) {
                meter.work(copying(component))?;
                let after = self.interner.parts_of(&[component.play(&*mv)], meter)?;
                // Each part was looked up.
                meter.work(after.len() as u64 / 16)?;
                if quotient.is_lost_beside(beside, &after, &self.interner, meter)? {
                    replies.push(self.max_moves, || self.position.sum.own(index, mv));
                }
            }
        }
        Ok(replies)
    }

    /// By a closed form of the only part that has a move.
    fn alone(&self, meter: &mut Meter<'_>) -> Option<Verdict> {
        let [(index, component)] = self.live[..] else {
            return None;
        };
        let [part] = &component.parts()[..] else {
            return None;
        };
        let found = part.is_p_position(self.position.end_rule(), meter);
        let lost = found.ok().flatten()?;
        let goal = match self.misere {
            true => Goal::MisereLoss(0),
            false => Goal::Value(0),
        };
        let winning = match component.replies(0, goal, self.max_moves, meter) {
            Ok(Some(found)) => Some(found.map(|mv| self.position.sum.own(index, mv))),
            _ => None,
        };
        Some(Verdict {
            lost,
            nim_value: (lost && !self.misere).then_some(0),
            winning,
            method: component.method().to_owned(),
            way: Way::Alone,
        })
    }

    /// The Grundy value of the only component, if a bounded number of positions determines it.
    fn value_alone(&mut self, meter: &mut Meter<'_>) -> Option<u64> {
        let [(_, component)] = self.live[..] else {
            return None;
        };
        if self.misere {
            return None;
        }
        let interner = &mut self.interner;
        meter
            .with_at_most(BOUNDED_NODES, |meter| interner.value_of(component, meter))
            .ok()
    }

    /// By exhaustive search over multisets of parts. In misère play, once this is found not to be easy, by a quotient if there is one.
    fn by_search(&mut self, meter: &mut Meter<'_>) -> Result<Verdict, Stopped> {
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
            method: SEARCH.to_owned(),
            way: Way::Searched(search),
        })
    }

    /// The unfinished parts of the whole position.
    fn parts(&mut self, meter: &mut Meter<'_>) -> Result<Parts, Stopped> {
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

    /// By a closed form if there is one, otherwise by a search that the verdict guides.
    pub(super) fn remoteness(
        &mut self,
        verdict: &mut Verdict,
        meter: &mut Meter<'_>,
    ) -> Option<u64> {
        self.remoteness_by_form(meter)
            .or_else(|| self.remoteness_by_search(verdict, meter))
    }

    /// The remoteness of the only component that has a move, by its closed form.
    fn remoteness_by_form(&self, meter: &mut Meter<'_>) -> Option<u64> {
        let end = self.position.end_rule();
        match self.live[..] {
            [] => Some(0),
            [(_, component)] => {
                let found =
                    meter.with_at_most(BOUNDED_NODES, |meter| component.remoteness(end, meter));
                found.ok().flatten()
            }
            _ => None,
        }
    }

    fn remoteness_by_search(
        &mut self,
        verdict: &mut Verdict,
        meter: &mut Meter<'_>,
    ) -> Option<u64> {
        let all = self.remotenesses(verdict, meter).ok()?;
        self.plies_by(&all, self.position, meter).ok()
    }

    /// The remoteness of the position and of all that best play can reach, found by a search that the verdict guides.
    pub(super) fn remotenesses(
        &mut self,
        verdict: &mut Verdict,
        meter: &mut Meter<'_>,
    ) -> Result<FxHashMap<Parts, u64>, Stopped> {
        if reaches_many(self.live.iter().map(|(_, component)| *component)) {
            return Err(Stopped);
        }
        let end = self.position.end_rule();
        meter.with_at_most(BOUNDED_NODES, |meter| {
            if matches!(verdict.way, Way::Tested) {
                return Err(Stopped);
            }
            let parts = self.parts(meter)?;
            if parts.len() >= MANY_PARTS {
                return Err(Stopped);
            }
            let mut knowledge = match &mut verdict.way {
                Way::Values => Knowledge::Values,
                Way::Alone => Knowledge::Alone,
                Way::Quotient(quotient) => Knowledge::Quotient(quotient),
                Way::Searched(search) => Knowledge::Searched(search),
                Way::Tested => return Err(Stopped),
            };
            remotenesses(parts, end, &mut knowledge, &mut self.interner, meter)
        })
    }

    /// What [`remotenesses`](Self::remotenesses) found of a position that best play can reach.
    pub(super) fn plies_by(
        &mut self,
        all: &FxHashMap<Parts, u64>,
        position: &Position,
        meter: &mut Meter<'_>,
    ) -> Result<u64, Stopped> {
        let parts = self.interner.parts_of(position.sum.components(), meter)?;
        all.get(&parts).copied().ok_or(Stopped)
    }
}
