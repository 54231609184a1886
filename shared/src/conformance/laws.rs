//! Laws 5 to 10 of [`Game`](crate::game::Game), each by itself: what a game claims of one component against plain recursion.

use rustc_hash::FxHashMap;

use super::PlainRecursion;
use crate::erased::{Component, ComponentMove};
use crate::game::{EndRule, Kind};
use crate::ids::Seat;
use crate::position::Position;
use crate::theory::{Goal, Meter, Tally};

/// Nodes that one claim of a game may cost: a small position that needs more is at fault.
const NODES: u64 = 1 << 26;

/// Heaps of Nim that stand beside a state and beside its parts when they are compared as sums.
const BESIDE: [&[u64]; 4] = [&[], &[1], &[2], &[2, 2]];

/// A law that is checked on the claims of a game rather than on its notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Law {
    /// 5: every line of play is finite, unless the position says that it is loopy.
    Ending,
    /// 6: the parts are equivalent to the whole, and a move changes one of them.
    Parts,
    /// 7: no value is wrong.
    Values,
    /// 8: the parts of a tame state keep the conditions of [`Tally`].
    Tameness,
    /// 9: replies are the moves that reach the goal.
    Replies,
    /// 10: closed forms agree with plain recursion.
    ClosedForms,
}

impl Law {
    /// Its number.
    #[must_use]
    pub fn number(self) -> usize {
        self as usize + 5
    }

    /// Compares what the game of this position of one component claims with plain recursion; gives the number of claims that
    /// were compared, 0 where the game claims nothing, more than `most` positions would have to be met, or the law is for
    /// positions of another kind: of partizan ones, endings and parts are checked, of loopy ones nothing.
    ///
    /// # Errors
    /// The number of the law, and the witness.
    pub fn check(
        self,
        position: &Position,
        judge: &mut PlainRecursion,
        most: usize,
    ) -> Result<usize, String> {
        let [component] = position.sum.components() else {
            return Ok(0);
        };
        let is_about = match position.kind() {
            Kind::Impartial => true,
            Kind::Partizan => matches!(self, Self::Ending | Self::Parts),
            Kind::Loopy => false,
        };
        if !is_about {
            return Ok(0);
        }
        let mut bench = Bench {
            component,
            parts: component.parts(),
            judge,
            most,
        };
        let compared = match self {
            Self::Ending => comes_to_an_end(position, most),
            Self::Parts => bench.parts(),
            Self::Values => bench.values(),
            Self::Tameness => bench.tameness(),
            Self::Replies => bench.replies(),
            Self::ClosedForms => bench.closed_forms(),
        };
        match compared {
            Ok(compared) => Ok(compared),
            Err(Fault::TooLarge) => Ok(0),
            Err(Fault::Broken(witness)) => {
                Err(format!("law {}, {component}: {witness}", self.number()))
            }
        }
    }
}

/// Moves after which it is checked that values are kept.
const KEPT: usize = 200;

/// Why a comparison ended early.
enum Fault {
    /// Plain recursion would have to meet too many positions.
    TooLarge,
    /// The law is broken; this is the witness.
    Broken(String),
}

fn broken(witness: String) -> Fault {
    Fault::Broken(witness)
}

fn meter() -> Meter<'static> {
    Meter::new(NODES, 1 << 30, &|| false)
}

/// Whether no position comes again, by a walk through all that can be reached, whoever moves. Gives their number.
fn comes_to_an_end(start: &Position, most: usize) -> Result<usize, Fault> {
    let seats = seats(start.kind());
    let after = |position: &Position| -> Vec<Position> {
        let moves = seats.iter().flat_map(|seat| position.moves(*seat));
        moves.map(|mv| position.play(&mv)).collect()
    };
    // Whether all that comes after a position has been walked through.
    let mut done: FxHashMap<Position, bool> = FxHashMap::default();
    done.insert(start.clone(), false);
    let mut path = vec![(start.clone(), after(start))];
    while let Some((position, rest)) = path.last_mut() {
        let Some(next) = rest.pop() else {
            done.insert(position.clone(), true);
            path.pop();
            continue;
        };
        match done.get(&next) {
            Some(true) => {}
            Some(false) => return Err(broken(format!("play can come back to {next}"))),
            None if done.len() >= most => return Err(Fault::TooLarge),
            None => {
                done.insert(next.clone(), false);
                let after = after(&next);
                path.push((next, after));
            }
        }
    }
    Ok(done.len())
}

/// The players whose moves are looked at: where both have the same, those of one.
fn seats(kind: Kind) -> &'static [Seat] {
    match kind {
        Kind::Impartial => &Seat::BOTH[..1],
        Kind::Partizan | Kind::Loopy => &Seat::BOTH,
    }
}

/// A component under examination.
struct Bench<'b> {
    component: &'b Component,
    parts: Vec<Component>,
    judge: &'b mut PlainRecursion,
    most: usize,
}

/// A move, seen from the parts.
struct Change {
    mv: ComponentMove,
    /// The part that it was made in.
    gone: Component,
    /// The unfinished parts that it made of it.
    made: Vec<Component>,
}

impl Bench<'_> {
    /// The truth about these components side by side.
    fn truth(&mut self, components: &[Component], end: EndRule) -> Result<super::Truth, Fault> {
        self.truth_for(components, end, Seat::First)
    }

    fn truth_for(
        &mut self,
        components: &[Component],
        end: EndRule,
        to_move: Seat,
    ) -> Result<super::Truth, Fault> {
        let components = match components.is_empty() {
            true => vec![heap(0)],
            false => components.to_vec(),
        };
        let position = Position::of(components, end);
        let truth = self.judge.truth_for(&position, to_move, self.most);
        truth.ok_or(Fault::TooLarge)
    }

    fn value(&mut self, part: &Component) -> Result<u64, Fault> {
        let truth = self.truth(std::slice::from_ref(part), EndRule::Normal);
        truth.map(|truth| truth.value)
    }

    /// Every move of a player with the one part that it changes.
    fn changes(&self, seat: Seat) -> Result<Vec<Change>, Fault> {
        let before = live(&self.parts);
        let mut changes = Vec::new();
        for mv in self.component.moves(seat) {
            let mut made = live(&self.component.play(&*mv).parts());
            let mut gone = before.clone();
            gone.retain(|part| {
                let same = made.iter().position(|other| other == part);
                same.map(|place| made.swap_remove(place)).is_none()
            });
            match <[Component; 1]>::try_from(gone) {
                Ok([gone]) => changes.push(Change { mv, gone, made }),
                Err(gone) => {
                    return Err(broken(format!("{mv} changes {} parts", gone.len())));
                }
            }
        }
        Ok(changes)
    }

    fn parts(&mut self) -> Result<usize, Fault> {
        for part in &self.parts {
            if part.parts() != std::slice::from_ref(part) {
                return Err(broken(format!("its part {part} has parts of its own")));
            }
        }
        let seats = seats(self.component.kind());
        let mut compared = 0;
        for seat in seats {
            compared += self.changes(*seat)?.len();
        }
        if self.parts == std::slice::from_ref(self.component) {
            return Ok(0);
        }
        for beside in BESIDE {
            let beside = || beside.iter().map(|stones| heap(*stones));
            let whole: Vec<Component> = beside().chain([self.component.clone()]).collect();
            let apart: Vec<Component> = beside().chain(self.parts.clone()).collect();
            for (end, seat) in EndRule::BOTH
                .into_iter()
                .flat_map(|end| seats.iter().map(move |seat| (end, *seat)))
            {
                if self.truth_for(&whole, end, seat)?.lost
                    != self.truth_for(&apart, end, seat)?.lost
                {
                    return Err(broken(format!(
                        "beside {:?} its parts are worth something else in {end:?} play",
                        beside().collect::<Vec<_>>()
                    )));
                }
                compared += 1;
            }
        }
        Ok(compared)
    }

    fn values(&mut self) -> Result<usize, Fault> {
        let claimed = self.component.values(&mut meter());
        let claimed = claimed.map_err(|_| broken("its values cost too much".to_owned()))?;
        if claimed.len() != self.parts.len() {
            let (values, parts) = (claimed.len(), self.parts.len());
            return Err(broken(format!("{values} values of {parts} parts")));
        }
        if self.component.keeps_values() {
            if claimed.contains(&None) {
                return Err(broken(
                    "it keeps its values, and one is not known".to_owned(),
                ));
            }
            for mv in self.component.moves(Seat::First).take(KEPT) {
                let option = self.component.play(&*mv);
                if !option.keeps_values() {
                    return Err(broken(format!("keeps its values, and {option} does not")));
                }
            }
        }
        let mut compared = 0;
        for (part, claimed) in self.parts.clone().iter().zip(claimed) {
            let Some(claimed) = claimed else { continue };
            let truth = self.value(part)?;
            if claimed != truth {
                return Err(broken(format!("{part} is worth {truth}, not {claimed}")));
            }
            compared += 1;
        }
        Ok(compared)
    }

    /// Of the states after a tame one, too: the rule is proved by induction over them.
    fn tameness(&mut self) -> Result<usize, Fault> {
        if !self.component.is_tame() {
            return Ok(0);
        }
        for part in self.parts.clone() {
            let value = self.value(&part)?;
            let mut after: Vec<Vec<u64>> = Vec::new();
            for mv in part.moves(Seat::First) {
                let option = part.play(&*mv);
                if !option.is_tame() {
                    return Err(broken(format!("tame, and {option} after {mv} is not")));
                }
                let values = live(&option.parts());
                let values = values.iter().map(|part| self.value(part));
                after.push(values.collect::<Result<_, _>>()?);
            }
            let small = |values: &[u64]| values.iter().all(|value| *value <= 1);
            let reaches = |wanted: u64| {
                after.iter().any(|values| {
                    let tally: Tally = values.iter().copied().collect();
                    small(values) && tally.xor == wanted
                })
            };
            let condition = match value {
                0 if !after.is_empty() && !reaches(1) => Some('a'),
                0 | 1 if after.iter().any(|all| all.len() > 1 && !small(all)) => Some('b'),
                2.. if !reaches(0) || !reaches(1) => Some('c'),
                _ => None,
            };
            if let Some(condition) = condition {
                return Err(broken(format!("tame, and {part} breaks ({condition})")));
            }
        }
        Ok(self.parts.len())
    }

    /// Parts that are equal are looked at together, since a game may list a move that is possible in both only once.
    fn replies(&mut self) -> Result<usize, Fault> {
        let changes = self.changes(Seat::First)?;
        let mut goals: Vec<Goal> = vec![Goal::MisereLoss(0)];
        if self.component.is_tame() {
            goals.push(Goal::MisereLoss(1));
        }
        let mut compared = 0;
        for (index, part) in self.parts.clone().iter().enumerate() {
            if self.parts[..index].contains(part) {
                continue;
            }
            let largest = self.value(part)?;
            let all = goals.iter().copied();
            for goal in all.chain((0..=largest + 1).map(Goal::Value)) {
                let mut reaching = Vec::new();
                for change in changes.iter().filter(|change| &change.gone == part) {
                    if self.reaches(&change.made, goal)? {
                        reaching.push(change.mv.to_string());
                    }
                }
                let Some(told) = self.told(part, goal, changes.len())? else {
                    continue;
                };
                if told != reaching {
                    return Err(broken(format!(
                        "{goal:?} in {part}: {told:?}, by recursion {reaching:?}"
                    )));
                }
                compared += 1;
            }
        }
        Ok(compared)
    }

    /// The replies in all parts equal to this one, as they are told; checks that fewer are told when fewer are wanted.
    fn told(&self, part: &Component, goal: Goal, all: usize) -> Result<Option<Vec<String>>, Fault> {
        let mut told = Vec::new();
        for (index, other) in self.parts.iter().enumerate() {
            if other != part {
                continue;
            }
            let mut lists = Vec::new();
            for want in [all, 0, 1] {
                let replies = self.component.replies(index, goal, want, &mut meter());
                let replies = replies.map_err(|_| broken(format!("{goal:?} costs too much")))?;
                let Some(replies) = replies else {
                    return Ok(None);
                };
                let listed = replies.first.iter().map(ToString::to_string);
                lists.push((listed.collect::<Vec<String>>(), replies.total, want));
            }
            let (whole, ..) = lists[0].clone();
            for (listed, total, want) in lists {
                if total != whole.len() as u128 || listed[..] != whole[..want.min(whole.len())] {
                    return Err(broken(format!(
                        "{goal:?} in {part}, {want} wanted: {total} moves, {listed:?}"
                    )));
                }
            }
            told.extend(whole);
        }
        Ok(Some(told))
    }

    /// Whether what a move made of a part is what the mover aimed at.
    fn reaches(&mut self, made: &[Component], goal: Goal) -> Result<bool, Fault> {
        match goal {
            Goal::Value(value) => Ok(self.truth(made, EndRule::Normal)?.value == value),
            Goal::MisereLoss(beside) => {
                let all: Vec<Component> = made.iter().cloned().chain([heap(beside)]).collect();
                Ok(self.truth(&all, EndRule::Misere)?.lost)
            }
        }
    }

    fn closed_forms(&mut self) -> Result<usize, Fault> {
        let mut compared = 0;
        for end in EndRule::BOTH {
            let truth = self.truth(std::slice::from_ref(self.component), end)?;
            let lost = self.component.is_p_position(end, &mut meter());
            let lost = lost.map_err(|_| broken("its closed form costs too much".to_owned()))?;
            if let Some(lost) = lost {
                if lost != truth.lost {
                    return Err(broken(format!("{end:?} play: lost is {}", truth.lost)));
                }
                compared += 1;
            }
            let plies = self.component.remoteness(end, &mut meter());
            let plies = plies.map_err(|_| broken("its remoteness costs too much".to_owned()))?;
            if let Some(plies) = plies {
                if plies != truth.remoteness {
                    let left = truth.remoteness;
                    return Err(broken(format!("{end:?} play: {left} plies, not {plies}")));
                }
                compared += 1;
            }
        }
        Ok(compared)
    }
}

/// The parts in which there is a move.
fn live(parts: &[Component]) -> Vec<Component> {
    let can_move = |part: &&Component| Seat::BOTH.iter().any(|seat| part.move_count(*seat) > 0);
    let live = parts.iter().filter(can_move);
    live.cloned().collect()
}

/// A heap of Nim, to stand beside others.
fn heap(stones: u64) -> Component {
    let position = Position::parse(&format!("nim:{stones}"));
    let position = position.expect("a small heap of Nim is a position");
    position.sum.components()[0].clone()
}
