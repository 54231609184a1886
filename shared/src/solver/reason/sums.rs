//! The facts that decide a disjunctive sum.

use super::partizan_sum::partizan_sum;
use super::summands::summand_kind;
use crate::erased::Component;
use crate::fact::{Fact, GameFact, MAX_TERMS, Terms};
use crate::game::Kind;
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::bounds::BOUNDED_NODES;
use crate::solver::joint::RETROGRADE;
use crate::solver::line::Line;
use crate::solver::misere::Quotient;
use crate::solver::part_interner::PartInterner;
use crate::solver::sum_solver::{AFTER_A_MOVE, SEARCH};
use crate::theory::compound::Compound;
use crate::theory::quotient::{ONE, Quotient as Monoid};
use crate::theory::{LoopyValue, Meter, Stopped, Tally};

/// Moves of the shortest win that are named.
const LINE: usize = 24;

/// How the winner of a position was found.
#[derive(Clone, Copy)]
pub(in crate::solver) struct Found<'a> {
    /// The method.
    pub(in crate::solver) method: &'a str,
    /// The best move, canonical, if one is known.
    pub(in crate::solver) best: Option<&'a str>,
}

/// The facts that decide a disjunctive sum, or a single component, whose winner was found in this way.
pub(super) fn facts(
    position: &Position,
    to_move: Seat,
    found: Found<'_>,
    meter: &mut Meter<'_>,
) -> Vec<Fact> {
    let sum = Summands::of(position);
    let theory = meter.with_at_most(BOUNDED_NODES, |meter| {
        match (position.kind(), position.end_rule().is_misere()) {
            (Kind::Impartial, false) => sum.nim_sum(meter).map(Some),
            (Kind::Impartial, true) => match sum.tame_sum(meter)? {
                Some(fact) => Ok(Some(fact)),
                None => sum.quotient(meter),
            },
            (Kind::Partizan, false) => partizan_sum(position, to_move, meter).map(Some),
            (Kind::Loopy, false) => loopy_sum(position, meter),
            _ => Ok(None),
        }
    });
    let theory = theory.ok().flatten();
    let mut facts = sum.game_facts(meter);
    let decision = facts.iter().filter_map(|fact| match fact {
        Fact::Game { of, .. } => Some(decision(of)),
        _ => None,
    });
    let decision = decision.max().unwrap_or(Decision::None);
    let is_explained = theory.is_some() && !sum.is_one_without_method(meter);
    facts.extend(theory.filter(|fact| !(decision == Decision::Whole && says_no_more(fact))));
    match decision {
        Decision::Whole => {}
        Decision::Winner => facts.push(shortest_win(position, to_move, meter)),
        Decision::None if is_explained => {}
        Decision::None => facts.push(decided(position, to_move, found, meter)),
    }
    facts
}

/// How a position without another deciding fact was decided: by a search, with the shortest win, or by another method.
pub(super) fn decided(
    position: &Position,
    to_move: Seat,
    Found { method, best }: Found<'_>,
    meter: &mut Meter<'_>,
) -> Fact {
    if method == AFTER_A_MOVE {
        return Fact::KnownAfterMove {
            mv: best.map(str::to_owned),
        };
    }
    if !is_search(method) && !Summands::of(position).is_tabled() {
        return Fact::ByMethod {
            method: method.to_owned(),
        };
    }
    let (plies, line) = line(position, to_move, meter);
    Fact::Searched { plies, line }
}

/// Whether the name of a method says that lines of play were searched.
pub(super) fn is_search(method: &str) -> bool {
    method.contains(SEARCH) || method.contains(RETROGRADE)
}

/// The shortest win, if a rule says only who wins.
fn shortest_win(position: &Position, to_move: Seat, meter: &mut Meter<'_>) -> Fact {
    let (plies, line) = line(position, to_move, meter);
    Fact::ShortestWin { plies, line }
}

/// Plies to the end and the first moves of the shortest win.
fn line(position: &Position, to_move: Seat, meter: &mut Meter<'_>) -> (Option<u64>, Vec<String>) {
    let line = meter.with_at_most(BOUNDED_NODES, |meter| {
        Line::of(position, to_move, LINE, meter)
    });
    line.map_or((None, Vec::new()), |line| (line.plies, line.moves))
}

/// The winning move that the facts of the only component with a move name, if the player to move wins.
pub(in crate::solver) fn advised(position: &Position, meter: &mut Meter<'_>) -> Option<Move> {
    let sum = Summands::of(position);
    match sum.live[..] {
        [(index, component)] if position.compound() == Compound::Sum => {
            let mv = component.advised(position.end_rule(), meter)?;
            Some(position.sum.own(index, mv))
        }
        _ => None,
    }
}

/// What a fact of the game decides by itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Decision {
    /// Nothing: it leads to a value.
    None,
    /// Who wins, but not by which move.
    Winner,
    /// Who wins, and how.
    Whole,
}

/// What a fact of the game decides.
pub(super) fn decision(fact: &GameFact) -> Decision {
    match fact {
        GameFact::HeapValue { .. }
        | GameFact::Vertex { .. }
        | GameFact::Fused { .. }
        | GameFact::PathPiece { .. }
        | GameFact::Node { .. }
        | GameFact::Arcs { .. }
        | GameFact::Element { .. }
        | GameFact::HeadValues { .. }
        | GameFact::FreeBranch { .. } => Decision::None,
        GameFact::Rectangle { .. }
        | GameFact::Extreme { greatest: true, .. }
        | GameFact::OpenChain { .. } => Decision::Winner,
        _ => Decision::Whole,
    }
}

/// Whether a fact adds nothing to the value of a single summand, or to the facts of a game without endless parts.
fn says_no_more(fact: &Fact) -> bool {
    match fact {
        Fact::NimSum { terms, .. } | Fact::TameSum { terms, .. } => terms.total <= 1,
        Fact::LoopySum { endless, .. } => *endless == 0,
        _ => false,
    }
}

/// The components of a disjunctive sum that have a move.
struct Summands<'p> {
    position: &'p Position,
    live: Vec<(usize, &'p Component)>,
}

impl<'p> Summands<'p> {
    fn of(position: &'p Position) -> Self {
        let components = position.sum.components().iter().enumerate();
        let has_move = |component: &Component| {
            let mut seats = Seat::BOTH.into_iter();
            seats.any(|seat| component.move_count(seat) > 0)
        };
        Self {
            position,
            live: components
                .filter(|(_, component)| has_move(component))
                .collect(),
        }
    }

    /// The facts of the game of the only component that has a move.
    fn game_facts(&self, meter: &mut Meter<'_>) -> Vec<Fact> {
        let [(index, component)] = self.live[..] else {
            return Vec::new();
        };
        let several = self.position.component_count() > 1;
        let facts = component.facts(self.position.end_rule(), meter).into_iter();
        facts
            .map(|of| Fact::Game {
                component: several.then_some(index as u64 + 1),
                of,
            })
            .collect()
    }

    /// No terms yet.
    fn no_terms(&self) -> Terms {
        Terms::of(summand_kind(self.position))
    }

    /// Adds the summands of a component: itself if there are several, otherwise its parts that have a move.
    fn push(
        &self,
        terms: &mut Terms,
        (index, component): (usize, &Component),
        values: &[u64],
        combined: u64,
    ) {
        if self.position.component_count() > 1 {
            return terms.push(|| (index + 1).to_string(), combined);
        }
        for (part, (state, value)) in component.parts().iter().zip(values).enumerate() {
            if state.move_count(Seat::First) > 0 {
                terms.push(|| component.part_name(part), *value);
            }
        }
    }

    /// The nim-values, by the methods of the games or by search.
    fn nim_sum(&self, meter: &mut Meter<'_>) -> Result<Fact, Stopped> {
        let mut interner = PartInterner::default();
        let (mut terms, mut all) = (self.no_terms(), 0);
        for (index, component) in &self.live {
            let mut values = Vec::new();
            for part in component.parts() {
                values.push(interner.value_of(&part, meter)?);
            }
            let xor = values.iter().fold(0, |xor, value| xor ^ value);
            self.push(&mut terms, (*index, component), &values, xor);
            all ^= xor;
        }
        Ok(Fact::NimSum { terms, xor: all })
    }

    /// The values of tame parts in misère play; `None` if one is not tame.
    fn tame_sum(&self, meter: &mut Meter<'_>) -> Result<Option<Fact>, Stopped> {
        let (mut terms, mut all) = (self.no_terms(), Tally::default());
        for (index, component) in &self.live {
            let tallies: Option<Vec<Tally>> =
                component.misere_tallies(meter)?.into_iter().collect();
            let Some(tallies) = tallies else {
                return Ok(None);
            };
            let own = tallies
                .iter()
                .fold(Tally::default(), |own, part| own.and(*part));
            let values: Vec<u64> = tallies.iter().map(|part| part.xor).collect();
            self.push(&mut terms, (*index, component), &values, own.xor);
            all = all.and(own);
        }
        Ok(Some(Fact::TameSum {
            terms,
            xor: all.xor,
            large: all.large,
        }))
    }

    /// The classes in the misère quotient that the components have in common, if there is one.
    fn quotient(&self, meter: &mut Meter<'_>) -> Result<Option<Fact>, Stopped> {
        let components = self.live.iter().map(|(_, component)| *component);
        let Some(found) = Quotient::of(components, meter)? else {
            return Ok(None);
        };
        let quotient = found.monoid();
        let product = |classes: &[u16]| {
            let classes = classes.iter();
            classes.fold(ONE, |sum, class| quotient.product(sum, *class))
        };
        let mut terms = self.no_terms();
        for (place, classes) in self.live.iter().zip(found.classes()) {
            let values: Vec<u64> = classes.iter().copied().map(u64::from).collect();
            self.push(&mut terms, *place, &values, u64::from(product(classes)));
        }
        let all = product(&found.classes().concat());
        Ok(Some(Fact::MisereQuotient {
            terms,
            product: all,
            lost: quotient.is_lost(all),
            lost_classes: lost_classes(quotient),
            order: quotient.order() as u64,
            lost_order: quotient.lost_order() as u64,
        }))
    }

    /// Whether there is one component only, and no theory explains its value.
    fn is_one_without_method(&self, meter: &mut Meter<'_>) -> bool {
        let [(_, component)] = self.live[..] else {
            return false;
        };
        let impartial = self.position.kind() == Kind::Impartial;
        let unexplained = |meter: &mut Meter<'_>| {
            let values = component.values(meter);
            component.explained_by_options() || values.is_ok_and(|values| values.contains(&None))
        };
        impartial && !self.position.end_rule().is_misere() && unexplained(meter)
    }

    /// Whether there is only one component and its game has no theory for it: its method is a table of all reachable positions.
    fn is_tabled(&self) -> bool {
        let is_sum = self.position.compound() == Compound::Sum;
        matches!(self.live[..], [(_, component)] if is_sum && component.explained_by_options())
    }
}

/// The first classes that the player to move loses.
fn lost_classes(quotient: &Monoid) -> Vec<u16> {
    let classes = (0..=u16::MAX).take(quotient.order());
    let lost = classes.filter(|class| quotient.is_lost(*class));
    lost.take(MAX_TERMS).collect()
}

/// The class of a whole sum of heaps in the misere quotient, and whether the player to move loses it; `None` if there is no quotient.
pub(super) fn class_of_sum(
    position: &Position,
    meter: &mut Meter<'_>,
) -> Result<Option<(Quotient, u16)>, Stopped> {
    let sum = Summands::of(position);
    let Some(found) = Quotient::of(sum.live.iter().map(|(_, component)| *component), meter)? else {
        return Ok(None);
    };
    let quotient = found.monoid();
    let classes = found.classes().iter().flatten();
    let class = classes.fold(ONE, |sum, class| quotient.product(sum, *class));
    Ok(Some((found, class)))
}

/// The loopy nim-values of the parts; `None` if the game of one has no method.
fn loopy_sum(position: &Position, meter: &mut Meter<'_>) -> Result<Option<Fact>, Stopped> {
    let components = position.sum.components();
    let several = components.len() > 1;
    let (mut terms, mut all) = (Terms::of(summand_kind(position)), 0);
    let (mut endless, mut exits) = (0, Box::default());
    for (index, component) in components.iter().enumerate() {
        let values = component.loopy_values(meter)?.into_iter();
        let Some(values) = values.collect::<Option<Vec<LoopyValue>>>() else {
            return Ok(None);
        };
        let mut own = None;
        for (part, value) in values.into_iter().enumerate() {
            match value {
                LoopyValue::Nimber(value) => {
                    own = Some(own.unwrap_or(0) ^ value);
                    if !several {
                        terms.push(|| component.part_name(part), value);
                    }
                }
                LoopyValue::Endless(leads) => {
                    endless += 1;
                    exits = leads;
                }
            }
        }
        if let Some(xor) = own.filter(|_| several) {
            terms.push(|| (index + 1).to_string(), xor);
        }
        all ^= own.unwrap_or(0);
    }
    Ok(Some(Fact::LoopySum {
        terms,
        xor: all,
        endless,
        can_exit: endless == 1 && exits.contains(&all),
    }))
}
