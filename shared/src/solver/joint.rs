//! A position solved as a whole, if the Grundy values of its parts are not enough: its parts, or in a compound the states of its components, the graph of
//! reachable positions, and its moves checked against a test.

use crate::erased::Component;
use crate::game::Kind;
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::OutcomeClass;
use crate::solver::graph::{Fate, Graph, Successors};
use crate::solver::part_interner::{PartInterner, Parts, copying};
use crate::solver::sum_solver::SEARCH;
use crate::solver::together::Together;
use crate::theory::{Meter, MoveList, Stopped};

/// A sum is searched up to this many pairs of position and player to move: at least 100,000 positions.
pub(crate) const MOST_SEARCHED: usize = 240_000;

/// The name of the method that works backwards from all ends, if play can cycle.
pub(crate) const RETROGRADE: &str = "retrograde analysis";

/// What was found of a position.
pub(crate) struct Judged {
    pub(crate) outcome: OutcomeClass,
    /// The number that it is.
    pub(crate) value: Option<String>,
    /// The winning moves; `None` when the budget ended before they were counted.
    pub(crate) winning: Option<MoveList<Move>>,
    /// The moves that are best where not every winning one is, or where none wins: in loopy positions those that bring a
    /// win nearest to its end, or keep a draw.
    pub(crate) best: Option<MoveList<Move>>,
    /// Plies to the end, if the method knows them.
    pub(crate) plies: Option<u64>,
    /// Whether more than 100,000 positions were met, so that the length need not be reported.
    pub(crate) is_large: bool,
    pub(crate) method: String,
}

/// The outcome from the fates with either player to move, and with the one whose turn it is. If one of them cannot force anything, the outcome is that
/// for the player to move.
pub(crate) fn outcome_of(first: Fate, second: Fate, own: Fate) -> OutcomeClass {
    match (first, second) {
        (Fate::Won(_), Fate::Lost(_)) => OutcomeClass::L,
        (Fate::Lost(_), Fate::Won(_)) => OutcomeClass::R,
        _ => match own {
            Fate::Won(_) => OutcomeClass::N,
            Fate::Lost(_) => OutcomeClass::P,
            Fate::Drawn => OutcomeClass::D,
        },
    }
}

/// A position to be solved as a whole.
#[derive(Debug)]
pub(crate) struct Joint<'p> {
    pub(crate) position: &'p Position,
    pub(crate) to_move: Seat,
    /// The parts of a disjunctive sum.
    pub(crate) interner: PartInterner,
    /// The components of another compound.
    together: Option<Together>,
    /// Whether the players have different moves.
    sided: bool,
    /// What was explored: from the position itself, and from where its parts came in another form.
    graphs: Vec<Graph>,
}

impl<'p> Joint<'p> {
    /// A position that is not impartial.
    pub(crate) fn new(position: &'p Position, to_move: Seat) -> Self {
        Self {
            position,
            to_move,
            interner: PartInterner::default(),
            together: Together::of(position),
            sided: position.has_sides(),
            graphs: Vec::new(),
        }
    }

    /// Whether a position is a compound of coloured or loopy components, which only a search decides.
    pub(crate) fn is_searched(position: &Position) -> bool {
        position.kind() != Kind::Impartial && Together::of(position).is_some()
    }

    /// Whether its components are played together otherwise than as a disjunctive sum, so that no value decides.
    pub(crate) fn is_compound(&self) -> bool {
        self.together.is_some()
    }

    /// The unfinished parts of all components; in a compound, their states.
    pub(crate) fn parts(&mut self, meter: &mut Meter<'_>) -> Result<Parts, Stopped> {
        self.parts_of(self.position.sum.components(), meter)
    }

    /// The same of components that can be reached from them.
    pub(crate) fn parts_of(
        &mut self,
        components: &[Component],
        meter: &mut Meter<'_>,
    ) -> Result<Parts, Stopped> {
        match &mut self.together {
            Some(together) => together.states_of(components, meter),
            None => self.interner.parts_of(components, meter),
        }
    }

    /// The outcome of these parts, found by exploring all reachable positions unless that was done before.
    pub(crate) fn fate(
        &mut self,
        parts: &Parts,
        to_move: Seat,
        meter: &mut Meter<'_>,
    ) -> Result<Fate, Stopped> {
        let known = |graph: &Graph| graph.fate(parts, to_move);
        if let Some(fate) = self.graphs.iter().find_map(known) {
            return Ok(fate);
        }
        let end = self.position.end_rule();
        let most = match (&self.together, self.sided) {
            // No other method is left, so only the budget ends the search.
            (Some(_), _) => u32::MAX as usize,
            (None, true) => MOST_SEARCHED,
            (None, false) => MOST_SEARCHED / 2,
        };
        let moves: &mut dyn Successors = match &mut self.together {
            Some(together) => together,
            None => &mut self.interner,
        };
        let graph = Graph::explore(parts, self.sided, end, most, moves, meter)?;
        let fate = graph.fate(parts, to_move).ok_or(Stopped);
        self.graphs.push(graph);
        fate
    }

    /// Who wins, and with which moves, by all that can be reached.
    pub(crate) fn judge(&mut self, want: usize, meter: &mut Meter<'_>) -> Result<Judged, Stopped> {
        let outcome = self.outcome(meter)?;
        let winning = self.moves_to(want, meter, |fate| matches!(fate, Fate::Lost(_)));
        let root = self.parts(meter)?;
        let best = match self.fate(&root, self.to_move, meter)? {
            _ if self.position.kind() != Kind::Loopy => None,
            Fate::Won(plies) => self
                .moves_to(want, meter, |fate| fate == Fate::Lost(plies - 1))
                .ok(),
            Fate::Drawn => self.moves_to(want, meter, |fate| fate == Fate::Drawn).ok(),
            Fate::Lost(_) => None,
        };
        Ok(Judged {
            outcome,
            value: None,
            winning: winning.ok(),
            best,
            plies: None,
            is_large: false,
            method: self.search().to_owned(),
        })
    }

    /// The name of the method that searches all reachable positions.
    pub(crate) fn search(&self) -> &'static str {
        match self.position.kind() {
            Kind::Loopy => RETROGRADE,
            _ => SEARCH,
        }
    }

    /// The outcome, from the results with either player to move.
    pub(crate) fn outcome(&mut self, meter: &mut Meter<'_>) -> Result<OutcomeClass, Stopped> {
        let root = self.parts(meter)?;
        let first = self.fate(&root, Seat::First, meter)?;
        let second = self.fate(&root, Seat::Second, meter)?;
        let own = self.fate(&root, self.to_move, meter)?;
        Ok(outcome_of(first, second, own))
    }

    /// Plies to the end; `None` in a draw.
    pub(crate) fn remoteness(&mut self, meter: &mut Meter<'_>) -> Result<Option<u64>, Stopped> {
        let root = self.parts(meter)?;
        Ok(self.fate(&root, self.to_move, meter)?.plies())
    }

    /// The moves after which the parts pass a test: counted, and the first `want` of them.
    pub(crate) fn moves_where(
        &mut self,
        want: usize,
        meter: &mut Meter<'_>,
        mut test: impl FnMut(&mut Self, &Parts, &mut Meter<'_>) -> Result<bool, Stopped>,
    ) -> Result<MoveList<Move>, Stopped> {
        let sum = &self.position.sum;
        let count = sum.move_count(self.to_move);
        meter.work(u64::try_from(count).map_err(|_| Stopped)?)?;
        let mut all = MoveList::default();
        if self.is_compound() {
            let bytes: u64 = sum.components().iter().map(copying).sum();
            for mv in sum.moves(self.to_move) {
                meter.work(bytes)?;
                let after = self.parts_of(sum.play(&mv).components(), meter)?;
                if test(self, &after, meter)? {
                    all.push(want, || mv);
                }
            }
            return Ok(all);
        }
        let mut components: Vec<Component> = sum.components().to_vec();
        for (index, component) in sum.components().iter().enumerate() {
            for mv in component.moves(self.to_move) {
                meter.work(copying(component) + components.len() as u64 / 4)?;
                components[index] = component.play(&*mv);
                let after = self.interner.parts_of(&components, meter)?;
                meter.work(after.len() as u64 / 16)?;
                if test(self, &after, meter)? {
                    all.push(want, || sum.own(index, mv));
                }
            }
            components[index] = component.clone();
        }
        Ok(all)
    }

    /// The moves to positions with this outcome for the opponent.
    pub(crate) fn moves_to(
        &mut self,
        want: usize,
        meter: &mut Meter<'_>,
        wanted: impl Fn(Fate) -> bool,
    ) -> Result<MoveList<Move>, Stopped> {
        let next = self.to_move.other();
        self.moves_where(want, meter, |joint, after, meter| {
            joint.fate(after, next, meter).map(&wanted)
        })
    }
}
