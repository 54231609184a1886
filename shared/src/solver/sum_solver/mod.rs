//! A disjunctive sum and the methods that solve it: those of its games, then misère quotients, then search.

mod by_quotient;
mod by_search;
mod by_values;
mod duration;

use crate::erased::Component;
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::bounds::BOUNDED_NODES;
use crate::solver::misere::Quotient;
use crate::solver::part_interner::{PartInterner, copying};
use crate::solver::search::Search;
use crate::solver::tried::Tried;
use crate::theory::{Goal, Meter, MoveList, Stopped, Tally};

/// Work on the values of parts by their options, in nodes: the winner is often found with less.
const VALUED_NODES: u64 = 100_000_000;

/// Work on the theorems of the games about the moves, in nodes: little compared with a search.
const THEOREM_NODES: u64 = 50_000;

/// Work on a misère quotient, in nodes, so that time is left for a search.
const QUOTIENT_NODES: u64 = 20_000_000;

/// The name of the method that derives values from options.
const VALUES: &str = "values by exhaustive search";

/// The name of the method that uses a misère quotient.
const QUOTIENT: &str = "misere quotient";

/// The name of the method if no list of all winning moves was completed, and the games' own methods say that the player to move loses after some move.
pub(super) const AFTER_A_MOVE: &str = "a move to a position that is known to be lost";

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
    /// Winning moves that are known though not all were counted; empty if `winning` has them.
    pub(super) known: Vec<Move>,
    pub(super) remoteness: Option<u64>,
    pub(super) method: String,
}

impl Answer {
    /// The winning moves that are known, counted as if they were all.
    pub(super) fn known(self) -> Option<MoveList<Move>> {
        let first = self.known;
        let known = || {
            (!first.is_empty()).then(|| MoveList {
                total: first.len() as u128,
                first,
            })
        };
        self.winning.or_else(known)
    }
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
    /// As in [`Answer`].
    known: Vec<Move>,
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
            known: verdict.known,
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
        // First the moves that a theorem shows to win, because the search of this position may use up the budget.
        let known = match &alone {
            Some(verdict) if verdict.lost => Vec::new(),
            _ => {
                let share = (meter.left() / 4).min(THEOREM_NODES);
                meter.with_at_most(share, |meter| self.by_theorems(meter))
            }
        };
        // Where it is known who wins, only the moves are looked for.
        let most = match (&alone, known.is_empty()) {
            (None, true) => u64::MAX,
            (Some(_), false) => BOUNDED_NODES,
            _ => VALUED_NODES,
        };
        let found = meter.with_at_most(most, |meter| self.by_positions(meter));
        if found.as_ref().is_some_and(|found| found.winning.is_some()) {
            return found;
        }
        let won = || Verdict {
            lost: false,
            nim_value: None,
            winning: None,
            known: Vec::new(),
            method: AFTER_A_MOVE.to_owned(),
            way: Way::Tested,
        };
        let won = (!known.is_empty()).then(won);
        // A search that was not completed adds nothing to a known move.
        let found = found.filter(|found| known.is_empty() || found.nim_value.is_some());
        let verdict = found.or(alone).or(won)?;
        // One move is looked for even if none is to be listed, because it decides the winner.
        let known = known.into_iter().take(self.max_moves).collect();
        Some(Verdict { known, ..verdict })
    }

    /// The moves after which the games' own rules say that the player to move loses, as many as are asked for, and one at least.
    fn by_theorems(&self, meter: &mut Meter<'_>) -> Vec<Move> {
        let mut known = Vec::new();
        for (index, component) in &self.live {
            for inner in component.moves(Seat::First) {
                if meter.work(copying(component)).is_err() {
                    return known;
                }
                let mv = self.position.sum.own(*index, inner);
                let after = self.position.play(&mv);
                match SumSolver::new(&after, 0).is_lost_by_theorem(meter) {
                    Ok(Some(true)) => known.push(mv),
                    Ok(_) => {}
                    Err(Stopped) => return known,
                }
                if known.len() >= self.max_moves.max(1) {
                    return known;
                }
            }
        }
        known
    }

    /// Whether the player to move loses, by the rules of the games alone: no search, and no list of moves.
    fn is_lost_by_theorem(&self, meter: &mut Meter<'_>) -> Result<Option<bool>, Stopped> {
        meter.work(1 + self.live.len() as u64)?;
        if let [(_, component)] = self.live[..]
            && let [part] = &component.parts()[..]
            && let Some(lost) = part.is_p_position(self.position.end_rule(), meter)?
        {
            return Ok(Some(lost));
        }
        let mut tally = Tally::default();
        for (_, component) in &self.live {
            let tallies: Vec<Option<Tally>> = match self.misere {
                true => component.misere_tallies(meter)?,
                false => {
                    let values = component.values(meter)?.into_iter();
                    let alone = |value| Tally::default().with(value);
                    values.map(|value| value.map(alone)).collect()
                }
            };
            for part in tallies {
                let Some(part) = part else {
                    return Ok(None);
                };
                tally = tally.and(part);
            }
        }
        Ok(Some(tally.is_lost(self.misere)))
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
            known: Vec::new(),
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
}
