//! A match walked through once: what is known of each position, the most useful facts first.

use std::collections::VecDeque;

use super::beginner;
use crate::event::Outcome;
use crate::ids::Seat;
use crate::position::Position;
use crate::referee::Referee;
use crate::solver::{Budget, Lengths, Numbers, OutcomeClass, Solution, solve, solve_winner};

/// Nodes for a first look at a position: enough for closed forms and tables, too few to search for its remoteness.
pub(super) const FIRST_LOOK: u64 = 50_000;
/// Winning moves that are named at a turning point.
pub const NAMED_MOVES: usize = 4;
/// Nodes for a second look at the numbers that are dearer than the winner: as much as a server gives a position unless told otherwise.
const NUMBERS_LOOK: u64 = 2_000_000;
/// Nodes for these numbers in one review: as much as the solver spends on the length of one position.
const NUMBERS_NODES: u64 = 40_000_000;
/// Positions in a row whose numbers are looked for in vain, until the earlier ones, which are harder, are given up.
const IN_VAIN: usize = 4;
/// Text, in bytes, of the positions that are held to be looked at again: the last ones of a match.
const HELD_BYTES: usize = 1 << 24;
/// Bytes of a position's text that a review shows.
const SHOWN_POSITION: usize = 256;

/// What is known of one position of the match.
pub(super) struct Moment {
    /// Who is to move.
    pub(super) to_move: Seat,
    /// How many moves there are.
    pub(super) legal: u128,
    /// The verdict, without the text of the position.
    pub(super) solution: Solution,
    /// The position, canonical; `None` when that is longer than [`SHOWN_POSITION`].
    pub(super) shown: Option<String>,
    /// Whether a beginner finds the move that was made here: looked at only where it may be the one winning move of several.
    pub(super) obvious: Option<bool>,
    /// Whether the whole budget was spent on it.
    looked_twice: bool,
}

impl Moment {
    fn new(position: &Position, to_move: Seat, solution: Solution) -> Self {
        let mut moment = Self {
            to_move,
            legal: position.move_count(to_move),
            solution,
            shown: None,
            obvious: None,
            looked_twice: false,
        };
        // A long match of many heaps would hold the text of each.
        let text = std::mem::take(&mut moment.solution.position);
        moment.shown = (text.len() <= SHOWN_POSITION).then_some(text);
        moment
    }

    /// Looks again, with more to spend. What was known stays known, also when the time is over.
    fn solve(&mut self, position: &Position, budget: &Budget<'_>) {
        let solution = solve(position, self.to_move, budget, NAMED_MOVES);
        let again = Self::new(position, self.to_move, solution);
        self.looked_twice = true;
        let loses_count = self.is_known() && !again.is_known();
        let loses_winner = self.wins().is_some() && again.wins().is_none();
        if !loses_count && !loses_winner {
            let left = self.solution.remoteness;
            self.solution = again.solution;
            self.solution.remoteness = self.solution.remoteness.or(left);
        }
    }

    /// The numbers that are dearer than the winner, as far as they are known.
    fn numbers(&self) -> Numbers {
        Numbers {
            remoteness: self.solution.remoteness,
            nim_value: self.solution.nim_value,
        }
    }

    /// Whether there may be such a number that was not looked for with all that there is.
    fn lacks_numbers(&self, position: &Position) -> bool {
        let is_won = self.wins().and_then(Outcome::winner).is_some();
        is_won && !self.looked_twice && Lengths::lacks(position, self.numbers())
    }

    /// Looks for these numbers, for at most so many nodes. Returns whether one was found.
    fn find_numbers(&mut self, position: &Position, lengths: &mut Lengths<'_>, nodes: u64) -> bool {
        let known = self.numbers();
        let found = lengths.numbers(position, self.to_move, known, nodes);
        self.solution.remoteness = known.remoteness.or(found.remoteness);
        self.solution.nim_value = known.nim_value.or(found.nim_value);
        self.numbers() != known
    }

    /// Whether the winner and the number of winning moves are known.
    fn is_known(&self) -> bool {
        match self.solution.outcome {
            OutcomeClass::Unknown => false,
            OutcomeClass::N => self.solution.winning_moves_total.is_some(),
            _ => true,
        }
    }

    /// Who wins with best play; `None` when unknown.
    pub(super) fn wins(&self) -> Option<Outcome> {
        match self.solution.outcome {
            OutcomeClass::Unknown => None,
            class => Some(
                class
                    .winner(self.to_move)
                    .map_or(Outcome::Draw, Outcome::win_of),
            ),
        }
    }

    /// Whether it is known that the player to move wins.
    pub(super) fn is_won(&self) -> bool {
        self.wins() == Some(Outcome::win_of(self.to_move))
    }

    /// Whether it is known that the player to move loses.
    pub(super) fn is_lost(&self) -> bool {
        self.wins() == Some(Outcome::win_of(self.to_move.other()))
    }

    /// Whether it is known that neither wins.
    pub(super) fn is_drawn(&self) -> bool {
        self.wins() == Some(Outcome::Draw)
    }

    /// How many moves keep a win of the player to move; `None` when unknown.
    pub(super) fn winning_moves(&self) -> Option<u64> {
        self.wins()?;
        match self.is_won() {
            true => self.solution.winning_moves_total,
            false => Some(0),
        }
    }

    /// The bits that finding a win here is worth; `None` if the number of winning moves is unknown.
    pub(super) fn bits(&self) -> Option<f64> {
        let winning = self.winning_moves().filter(|winning| *winning > 0)?;
        Some((self.legal as f64 / winning as f64).log2())
    }
}

/// The positions of a match: the start, and the one after each move.
pub(super) struct Timeline {
    /// What is known of each.
    pub(super) moments: Vec<Moment>,
    /// The last of them, as many as may be held at once.
    held: VecDeque<Position>,
}

impl Timeline {
    /// Walks through the match and finds who wins in each position: at first what takes no time, then the others from the
    /// end of the match, where they are easiest, until one is too much. Tells meanwhile how many it is done with.
    pub(super) fn of(referee: &Referee, budget: &Budget<'_>, tell: &dyn Fn(u32)) -> Self {
        let first_look = Budget {
            nodes: budget.nodes.min(FIRST_LOOK),
            ..*budget
        };
        let most = HELD_BYTES / (referee.start().to_string().len() + 1);
        let mut timeline = Self {
            moments: Vec::with_capacity(referee.moves().len() + 1),
            held: VecDeque::new(),
        };
        let (mut position, mut seat) = (referee.start().clone(), Seat::First);
        let mut last = None;
        let mut done = 0;
        let mut moves = referee.moves().iter();
        loop {
            let solution = solve_winner(&position, seat, &first_look, NAMED_MOVES);
            let mut moment = Moment::new(&position, seat, solution);
            let played = moves.next().map(|played| &*played.text);
            let next = played.map(|played| {
                let only = moment.winning_moves().is_none_or(|winning| winning == 1);
                if moment.legal >= 3 && only {
                    moment.obvious = beginner::finds(&position, last, played);
                }
                let mv = position
                    .parse_move(seat, played)
                    .expect("the referee has let this move pass");
                position.play(&mv)
            });
            if moment.is_known() {
                done += 1;
                tell(done);
            }
            timeline.moments.push(moment);
            if timeline.held.len() >= most {
                timeline.held.pop_front();
            }
            let Some(next) = next else {
                timeline.held.push_back(position);
                break;
            };
            timeline
                .held
                .push_back(std::mem::replace(&mut position, next));
            (seat, last) = (seat.other(), played);
        }
        if budget.nodes > FIRST_LOOK {
            timeline.look_again(budget, || {
                done += 1;
                tell(done);
            });
        }
        timeline
    }

    /// Looks for the numbers that are dearer than the winner: from the end of the match, where they are cheapest, with a little for each
    /// position and then with more, until it has been in vain. What was found of one position serves all.
    pub(super) fn find_numbers(&mut self, budget: &Budget<'_>) {
        let all = Budget {
            nodes: NUMBERS_NODES,
            ..*budget
        };
        let mut lengths = Lengths::new(&all);
        let first = self.moments.len() - self.held.len();
        for (nodes, most_in_vain) in [(FIRST_LOOK, IN_VAIN), (NUMBERS_LOOK, 1)] {
            let mut in_vain = 0;
            let moments = self.moments[first..].iter_mut().zip(&self.held).rev();
            for (moment, position) in moments.filter(|(moment, at)| moment.lacks_numbers(at)) {
                let found = moment.find_numbers(position, &mut lengths, nodes.min(budget.nodes));
                in_vain = if found { 0 } else { in_vain + 1 };
                if in_vain == most_in_vain {
                    break;
                }
            }
        }
    }

    /// Spends the whole budget on each position that is held and not known, the last one first, until it has been in vain for one.
    fn look_again(&mut self, budget: &Budget<'_>, mut looked: impl FnMut()) {
        let first = self.moments.len() - self.held.len();
        let moments = self.moments[first..].iter_mut().zip(&self.held);
        for (moment, position) in moments.rev().filter(|(moment, _)| !moment.is_known()) {
            moment.solve(position, budget);
            looked();
            if !moment.is_known() {
                break;
            }
        }
    }

    /// The position at this place, if it is held.
    pub(super) fn position(&self, at: usize) -> Option<&Position> {
        let first = self.moments.len() - self.held.len();
        self.held.get(at.checked_sub(first)?)
    }
}
