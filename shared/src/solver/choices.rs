//! The winning moves of a compound, counted and picked without going through all moves.
//!
//! Only the number that a move leaves in each component matters. So the ways to complete a move are counted from the last component
//! to the first, for every state that the components before can have; winning move number n is found by walking forward.

use rustc_hash::FxHashMap;

use crate::erased::ComponentMove;
use crate::position::Step;
use crate::theory::compound::Breadth;
use crate::theory::standing::{Law, Standing};
use crate::theory::{Meter, MoveList, Stopped};

/// Moves of components that the listed winning moves may have together.
const MAX_STEPS: usize = 1_000_000;

/// What can be done in one component.
#[derive(Debug)]
pub(crate) struct Choices {
    /// Its index.
    pub(crate) component: usize,
    /// Its number when it is left as it is; `None` where a move must be made.
    pub(crate) still: Option<u64>,
    /// How many moves leave each number.
    totals: Vec<(u64, u128)>,
    /// The first moves that leave each number, in the order of the list of moves.
    first: Vec<(u64, ComponentMove)>,
}

impl Choices {
    pub(crate) fn new(component: usize, still: Option<u64>) -> Self {
        Self {
            component,
            still,
            totals: Vec::new(),
            first: Vec::new(),
        }
    }

    /// Adds a move that leaves this number. It is kept if fewer than `want` moves that leave the same number are kept.
    pub(crate) fn push(&mut self, number: u64, want: usize, mv: ComponentMove) {
        let place = match self.totals.binary_search_by_key(&number, |(n, _)| *n) {
            Ok(place) => place,
            Err(place) => {
                self.totals.insert(place, (number, 0));
                place
            }
        };
        let total = &mut self.totals[place].1;
        *total += 1;
        if *total <= want as u128 {
            self.first.push((number, mv));
        }
    }

    /// Adds all moves that leave this number, none of which was added before.
    pub(crate) fn extend(&mut self, number: u64, replies: MoveList<ComponentMove>) {
        self.totals.push((number, replies.total));
        let moves = replies.first.into_iter();
        self.first.extend(moves.map(|mv| (number, mv)));
    }
}

/// The state of a move after some components: their combined state, and whether one of them was moved in.
type Place = (Standing, bool);

/// The number of ways to complete a move so that it wins, and whether moving nowhere else is one of them.
#[derive(Clone, Copy, Default)]
struct Ways {
    all: u128,
    still: bool,
}

/// The winning moves of a compound.
struct Winning<'c> {
    law: Law,
    breadth: Breadth,
    choices: &'c [Choices],
    /// Before each component, and after the last.
    ways: Vec<FxHashMap<Place, Ways>>,
}

/// The winning moves, counted, and the first `want` of them as moves of components.
pub(crate) fn winning(
    law: Law,
    breadth: Breadth,
    choices: &[Choices],
    want: usize,
    meter: &mut Meter<'_>,
) -> Result<MoveList<Vec<Step>>, Stopped> {
    let mut winning = Winning {
        law,
        breadth,
        choices,
        ways: Vec::with_capacity(choices.len() + 1),
    };
    winning.count(meter)?;
    let start = (law.start(), false);
    let total = winning.ways[0].get(&start).map_or(0, |ways| ways.all);
    let listed = total
        .min(want as u128)
        .min((MAX_STEPS / choices.len().max(1)).max(1) as u128);
    let mut first = Vec::new();
    for n in 0..listed {
        first.push(winning.nth(n, meter)?);
    }
    Ok(MoveList { first, total })
}

impl Winning<'_> {
    /// Where a move can go from a place in a component: the number that is left, in how many ways, and the place after it.
    fn onward(&self, choices: &Choices, place: Place) -> impl Iterator<Item = (u64, u128, Place)> {
        let (law, (standing, moved)) = (self.law, place);
        let may_move = !(moved && self.breadth == Breadth::One);
        let moves = choices.totals.iter().copied().filter(move |_| may_move);
        moves.map(move |(number, total)| (number, total, (law.with(standing, number), true)))
    }

    fn left_still(&self, choices: &Choices, (standing, moved): Place) -> Option<Place> {
        let number = choices.still?;
        Some((self.law.with(standing, number), moved))
    }

    /// Forward through all places that can be reached, then backward.
    fn count(&mut self, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        let start = FxHashMap::from_iter([((self.law.start(), false), Ways::default())]);
        self.ways.push(start);
        for choices in self.choices {
            let mut after = FxHashMap::default();
            let places = self.ways.last().expect("the start was pushed").keys();
            for place in places {
                meter.work(1 + choices.totals.len() as u64)?;
                let moved = self.onward(choices, *place).map(|(_, _, place)| place);
                let places = moved.chain(self.left_still(choices, *place));
                after.extend(places.map(|place| (place, Ways::default())));
            }
            meter.hold(after.len() as u64 * 64)?;
            self.ways.push(after);
        }
        if let Some(last) = self.ways.last_mut() {
            for ((standing, moved), ways) in last {
                let wins = *moved && self.law.is_lost(*standing);
                ways.all = u128::from(wins);
                ways.still = wins;
            }
        }
        for (index, choices) in self.choices.iter().enumerate().rev() {
            let mut counted = std::mem::take(&mut self.ways[index]);
            for (place, ways) in &mut counted {
                meter.work(1 + choices.totals.len() as u64)?;
                if let Some(still) = self.left_still(choices, *place) {
                    *ways = self.ways_at(index + 1, &still);
                }
                for (_, total, after) in self.onward(choices, *place) {
                    let later = self.ways_at(index + 1, &after).all;
                    ways.all = ways.all.saturating_add(total.saturating_mul(later));
                }
            }
            self.ways[index] = counted;
        }
        Ok(())
    }

    fn ways_at(&self, index: usize, place: &Place) -> Ways {
        self.ways[index].get(place).copied().unwrap_or_default()
    }

    /// Winning move number `n`, in the order of [`Turns`](crate::theory::turns::Turns).
    fn nth(&self, mut n: u128, meter: &mut Meter<'_>) -> Result<Vec<Step>, Stopped> {
        let mut steps = Vec::new();
        let mut place = (self.law.start(), false);
        // Whether it may end here: it was just moved, and moving nowhere else was not passed over yet.
        let mut fresh = false;
        for (index, choices) in self.choices.iter().enumerate() {
            if fresh && self.ways_at(index, &place).still {
                if n == 0 {
                    break;
                }
                n -= 1;
            }
            fresh = false;
            meter.work(1 + choices.first.len() as u64 / 16)?;
            let onward: Vec<(u64, u128, Place)> = self
                .onward(choices, place)
                .map(|(number, _, after)| (number, self.ways_at(index + 1, &after).all, after))
                .filter(|(_, later, _)| *later > 0)
                .collect();
            for (number, mv) in choices.first.iter().filter(|_| !onward.is_empty()) {
                let found = onward.iter().find(|(left, ..)| left == number);
                let Some((_, later, after)) = found else {
                    continue;
                };
                if n < *later {
                    place = *after;
                    fresh = true;
                    steps.push(Step {
                        component: choices.component,
                        inner: mv.clone(),
                    });
                    break;
                }
                n -= later;
            }
            if !fresh {
                place = self.left_still(choices, place).ok_or(Stopped)?;
            }
        }
        Ok(steps)
    }
}
