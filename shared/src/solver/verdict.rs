//! From a position to its solution.

use crate::erased::{Component, Move, Position};
use crate::game::Goal;
use crate::ids::Seat;
use crate::solver::atoms::{Atoms, Parts};
use crate::solver::remoteness::{Knowledge, remoteness};
use crate::solver::search::Search;
use crate::solver::solution::count;
use crate::solver::{Budget, OutcomeClass, Solution, WinningMove};
use crate::theory::{Meter, Replies, Stopped, Tally};

/// Text of winning moves in one solution: the list is cut there, the total stays exact.
const MAX_LISTED_BYTES: usize = 1 << 24;

/// Unfinished parts from which on more than 100,000 positions can be reached: each is moved in once or not.
const MANY_PARTS: usize = 17;

/// Work on remoteness, in nodes: enough for 100,000 positions of the games that exist.
const REMOTENESS_NODES: u64 = 40_000_000;

/// What is known of a position: exact, or `unknown` once the budget is used up. Lists the first `max_moves` winning
/// moves, and fewer when their positions together would take more than 16 MiB of text.
#[must_use]
pub fn solve(
    position: &Position,
    to_move: Seat,
    budget: &Budget<'_>,
    max_moves: usize,
) -> Solution {
    let mut meter = budget.meter();
    let mut question = Question::new(position, max_moves);
    let verdict = question.verdict(&mut meter);
    let mut solution = Solution {
        schema: "grundy/solve/1",
        position: position.to_string(),
        outcome: OutcomeClass::Unknown,
        nim_value: None,
        value: None,
        legal_moves: count(position.move_count(to_move)),
        winning_moves: Vec::new(),
        winning_moves_total: None,
        remoteness: None,
        method: "nothing found within the budget".to_owned(),
        exact: false,
    };
    let Some(mut verdict) = verdict else {
        return solution;
    };
    solution.outcome = match verdict.lost {
        true => OutcomeClass::P,
        false => OutcomeClass::N,
    };
    solution.exact = true;
    solution.nim_value = verdict.nim_value;
    if let Some(replies) = &verdict.winning {
        solution.winning_moves_total = count(replies.total);
        solution.winning_moves = listed(position, &replies.first);
    }
    solution.remoteness = question.remoteness(&mut verdict, &mut meter);
    solution.method = verdict.method;
    solution
}

/// How many moves keep a win of the player to move, 0 when there is none: what [`solve`] says of it, without the cost of the
/// rest. `None` when the budget does not suffice.
pub(crate) fn winning_total(position: &Position, budget: &Budget<'_>) -> Option<u128> {
    let verdict = Question::new(position, 0).verdict(&mut budget.meter())?;
    verdict.winning.map(|replies| replies.total)
}

/// How a verdict was found, which says how its remoteness can be.
enum Way {
    Values,
    Alone,
    Searched(Search),
}

/// What a method found.
struct Verdict {
    lost: bool,
    nim_value: Option<u64>,
    /// `None` when the budget ended before they were counted.
    winning: Option<Replies<Move>>,
    method: String,
    way: Way,
}

/// A position to be solved, and what the methods share.
struct Question<'p> {
    position: &'p Position,
    misere: bool,
    /// The components that have a move, by index: the others count for nothing.
    live: Vec<(usize, &'p Component)>,
    max_moves: usize,
    atoms: Atoms,
}

impl<'p> Question<'p> {
    fn new(position: &'p Position, max_moves: usize) -> Self {
        let components = position.sum.components().iter().enumerate();
        let live = components.filter(|(_, component)| component.move_count(Seat::First) > 0);
        Self {
            position,
            misere: position.end_rule().is_misere(),
            live: live.collect(),
            max_moves,
            atoms: Atoms::default(),
        }
    }

    /// Closed forms and tables first, exhaustive search last.
    fn verdict(&mut self, meter: &mut Meter<'_>) -> Option<Verdict> {
        let half = meter.left() / 2;
        let by_values = meter.with_at_most(half, |meter| self.by_values(meter));
        if let Ok(Some(verdict)) = by_values {
            return Some(verdict);
        }
        if let Some(verdict) = self.alone(meter) {
            return Some(verdict);
        }
        self.by_search(meter).ok()
    }

    /// By the Grundy values of all parts: in normal play always right, in misère play where every part is tame.
    fn by_values(&self, meter: &mut Meter<'_>) -> Result<Option<Verdict>, Stopped> {
        if self.misere && !self.live.iter().all(|(_, component)| component.is_tame()) {
            return Ok(None);
        }
        let mut values = Vec::with_capacity(self.live.len());
        for (_, component) in &self.live {
            meter.work(1)?;
            let known: Option<Vec<u64>> = component.values(meter)?.into_iter().collect();
            let Some(known) = known else {
                return Ok(None);
            };
            values.push(known);
        }
        let tally: Tally = values.iter().flatten().copied().collect();
        let lost = tally.is_lost(self.misere);
        let winning = match lost {
            true => Some(Replies::default()),
            false => self.replies_to(&values, tally, meter).ok(),
        };
        let suffix = if self.misere {
            ", misere rule of tame sums"
        } else {
            ""
        };
        Ok(Some(Verdict {
            lost,
            nim_value: (!self.misere).then_some(tally.xor),
            winning,
            method: format!("{}{suffix}", self.methods()),
            way: Way::Values,
        }))
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
        &self,
        values: &[Vec<u64>],
        tally: Tally,
        meter: &mut Meter<'_>,
    ) -> Result<Replies<Move>, Stopped> {
        let mut all = Replies::default();
        for ((index, component), values) in self.live.iter().zip(values) {
            for (part, value) in values.iter().enumerate() {
                meter.work(1)?;
                let goal = Goal::beside(tally.without(*value), self.misere);
                let room = self.max_moves - all.first.len();
                let found = component.replies(part, goal, room, meter)?.ok_or(Stopped)?;
                all.append(found.map(|mv| self.position.sum.own(*index, mv)));
            }
        }
        Ok(all)
    }

    /// By a closed form of the only part that has a move.
    fn alone(&self, meter: &mut Meter<'_>) -> Option<Verdict> {
        let [(index, component)] = self.live[..] else {
            return None;
        };
        let [part] = &component.parts()[..] else {
            return None;
        };
        let lost = part.is_lost_alone(self.position.end_rule())?;
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

    /// By exhaustive search over multisets of parts.
    fn by_search(&mut self, meter: &mut Meter<'_>) -> Result<Verdict, Stopped> {
        let mut search = Search::new(self.misere);
        let parts = self.parts(meter)?;
        let lost = search.is_lost(&parts, &mut self.atoms, meter)?;
        let winning = match lost {
            true => Some(Replies::default()),
            false => self.searched_replies(&mut search, meter).ok(),
        };
        Ok(Verdict {
            lost,
            nim_value: None,
            winning,
            method: "exhaustive search".to_owned(),
            way: Way::Searched(search),
        })
    }

    /// The unfinished parts of the whole position.
    fn parts(&mut self, meter: &mut Meter<'_>) -> Result<Parts, Stopped> {
        let components: Vec<Component> = self.live.iter().map(|(_, c)| (*c).clone()).collect();
        self.atoms.parts_of(&components, meter)
    }

    /// Every move of the position, looked up in the search.
    fn searched_replies(
        &mut self,
        search: &mut Search,
        meter: &mut Meter<'_>,
    ) -> Result<Replies<Move>, Stopped> {
        let mut all = Replies::default();
        let mut components: Vec<Component> = self.live.iter().map(|(_, c)| (*c).clone()).collect();
        for (place, (index, component)) in self.live.iter().enumerate() {
            for mv in component.moves(Seat::First) {
                meter.work(1)?;
                components[place] = component.play(&*mv);
                let after = self.atoms.parts_of(&components, meter)?;
                if search.is_lost(&after, &mut self.atoms, meter)? {
                    all.push(self.max_moves, || self.position.sum.own(*index, mv));
                }
            }
            components[place] = (*component).clone();
        }
        Ok(all)
    }

    /// By a closed form where there is one, else by a search that the verdict guides.
    fn remoteness(&mut self, verdict: &mut Verdict, meter: &mut Meter<'_>) -> Option<u64> {
        let end = self.position.end_rule();
        match self.live[..] {
            [] => return Some(0),
            [(_, component)] => {
                if let Some(plies) = component.remoteness(end) {
                    return Some(plies);
                }
            }
            _ => {}
        }
        meter.with_at_most(REMOTENESS_NODES, |meter| {
            let parts = self.parts(meter).ok()?;
            if parts.len() >= MANY_PARTS {
                return None;
            }
            let mut knowledge = match &mut verdict.way {
                Way::Values => Knowledge::Values,
                Way::Alone => Knowledge::Alone,
                Way::Searched(search) => Knowledge::Searched(search),
            };
            remoteness(parts, end, &mut knowledge, &mut self.atoms, meter).ok()
        })
    }
}

/// The moves with the positions that they lead to, as many as fit.
fn listed(position: &Position, moves: &[Move]) -> Vec<WinningMove> {
    let mut bytes = 0;
    let mut list = Vec::new();
    for mv in moves {
        let to = position.play(mv).to_string();
        bytes += to.len();
        if bytes > MAX_LISTED_BYTES && !list.is_empty() {
            break;
        }
        list.push(WinningMove {
            mv: mv.to_string(),
            to,
        });
    }
    list
}
