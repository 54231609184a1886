//! What is known of each position of a match, the most useful facts first: the winner of every position at the start, and the
//! remoteness last, when the rest of the review is done.

use crate::event::Outcome;
use crate::ids::Seat;
use crate::position::Position;
use crate::referee::Referee;
use crate::review::NAMED_MOVES;
use crate::solver::{Budget, OutcomeClass, Solution, solve};

/// Nodes for a first look at a position: enough for closed forms and tables, too few to search for its remoteness.
pub(super) const FIRST_LOOK: u64 = 50_000;
/// Text, in bytes, of the positions that are looked at a second time: the last ones of a match.
const SECOND_LOOK_BYTES: usize = 1 << 24;

/// What is known of one position of the match.
pub(super) struct Moment {
    /// Who is to move.
    pub(super) to_move: Seat,
    /// How many moves there are.
    pub(super) legal: u128,
    /// The verdict, without the text of the position.
    pub(super) solution: Solution,
}

impl Moment {
    fn new(position: &Position, to_move: Seat, budget: &Budget<'_>) -> Self {
        let mut moment = Self {
            to_move,
            legal: position.move_count(to_move),
            solution: solve(position, to_move, budget, NAMED_MOVES),
        };
        moment.forget_text();
        moment
    }

    /// Looks again.
    fn solve(&mut self, position: &Position, budget: &Budget<'_>) {
        self.solution = solve(position, self.to_move, budget, NAMED_MOVES);
        self.forget_text();
    }

    /// A long match of many heaps would hold each of its positions twice.
    fn forget_text(&mut self) {
        self.solution.position = String::new();
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

/// The positions of the match, each with the player to move: the start, and the one after each move.
pub(super) fn positions(referee: &Referee) -> impl Iterator<Item = (Position, Seat)> {
    let start = (referee.start().clone(), Seat::First);
    let mut moves = referee.moves().iter();
    std::iter::successors(Some(start), move |(position, seat)| {
        let played = moves.next()?;
        let mv = position
            .parse_move(*seat, &played.text)
            .expect("the referee has let this move pass");
        Some((position.play(&mv), seat.other()))
    })
}

/// Who wins in each position of the match, and what is found on the way to that: at first what takes no time, then the others
/// from the end of the match, where they are easiest, until one is too much.
pub(super) fn moments(referee: &Referee, budget: &Budget<'_>) -> Vec<Moment> {
    let first_look = Budget {
        nodes: budget.nodes.min(FIRST_LOOK),
        ..*budget
    };
    let mut moments: Vec<Moment> = positions(referee)
        .map(|(position, seat)| Moment::new(&position, seat, &first_look))
        .collect();
    if budget.nodes <= FIRST_LOOK || moments.iter().all(Moment::is_known) {
        return moments;
    }
    for (at, position) in last_positions(referee).iter().rev() {
        let moment = &mut moments[*at];
        if !moment.is_known() {
            moment.solve(position, budget);
            if !moment.is_known() {
                break;
            }
        }
    }
    moments
}

/// The remoteness of each position; searched for from the end of the match, where it is cheapest, until one is too much.
pub(super) fn remoteness(
    referee: &Referee,
    moments: &[Moment],
    budget: &Budget<'_>,
) -> Vec<Option<u64>> {
    let mut left: Vec<Option<u64>> = moments
        .iter()
        .map(|moment| moment.solution.remoteness)
        .collect();
    let missing =
        |left: &[Option<u64>], at: usize| left[at].is_none() && moments[at].wins().is_some();
    if !(0..left.len()).any(|at| missing(&left, at)) {
        return left;
    }
    for (at, position) in last_positions(referee).iter().rev() {
        if !missing(&left, *at) {
            continue;
        }
        left[*at] = solve(position, moments[*at].to_move, budget, 0).remoteness;
        if left[*at].is_none() {
            break;
        }
    }
    left
}

/// The positions at the end of the match, as many as may be held at once, each with its place.
fn last_positions(referee: &Referee) -> Vec<(usize, Position)> {
    let count = referee.moves().len() + 1;
    let fitting = SECOND_LOOK_BYTES / (referee.start().to_string().len() + 1);
    let places = positions(referee).map(|(position, _)| position).enumerate();
    places.skip(count.saturating_sub(fitting)).collect()
}
