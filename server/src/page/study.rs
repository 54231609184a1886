//! What the solver finds of a position for a page: on its own threads, within its bounds, and only for those to whom the server says it.

use std::time::Duration;

use axum::http::StatusCode;
use grundy_shared::bounds::EXPLAINED_MOVES_MAX;
use grundy_shared::ids::Seat;
use grundy_shared::picture::Sign;
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use grundy_shared::solver::{Budget, MoveResult, OutcomeClass, Reasons, Solution, reasons, solve};
use grundy_shared::{Move, Position};
use tokio::time::timeout;

use crate::analysis::{Length, Owner};
use crate::app::App;
use crate::metrics::ByKind;

/// How long a reader waits for the solver at most.
const PATIENCE: Duration = Duration::from_secs(10);
/// Moves whose results are worked out, and winning moves besides.
pub(super) const MOVES: usize = 60;
/// Work for the length of the game and the number of winning moves: some milliseconds.
const LENGTH_NODES: u64 = 30_000;

/// What was found of a position.
pub(super) struct Study {
    /// Who wins, and why.
    pub(super) reasons: Reasons,
    /// The first moves in order, then winning moves that are not among them.
    pub(super) moves: Vec<Considered>,
    /// How many moves win and how long the game lasts, if the rest of the budget sufficed for that.
    pub(super) solution: Solution,
}

/// What was found of a move.
pub(super) struct Considered {
    /// The move.
    pub(super) mv: Move,
    /// The position that it leaves.
    pub(super) leaves: Position,
    /// What it comes to for the player who makes it.
    pub(super) sign: Sign,
    /// The value of what it leaves, if the method gives one.
    pub(super) value: Option<String>,
}

/// Why a job has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoStudy {
    /// The reader is in a rated pair.
    Rated,
    /// Too much waits, the server is overloaded, or the store does not answer.
    Busy,
}

impl NoStudy {
    /// The message that says so.
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::Rated => "lab-rated",
            Self::Busy => "lab-busy",
        }
    }

    /// The status of the answer.
    pub(super) fn status(self) -> StatusCode {
        match self {
            Self::Rated => StatusCode::FORBIDDEN,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl From<ErrorBody> for NoStudy {
    fn from(error: ErrorBody) -> Self {
        match error.code {
            ErrorCode::RatedMatch => Self::Rated,
            _ => Self::Busy,
        }
    }
}

/// Has the solver's threads work. They stop when nobody waits any more.
///
/// # Errors
/// [`NoStudy::Busy`].
pub(super) async fn work<T: Send + 'static>(
    app: &App,
    owner: Owner,
    kind: &'static str,
    length: Length,
    compute: impl FnMut(&Budget<'_>) -> T + Send + 'static,
) -> Result<T, NoStudy> {
    // A request is cut off after a time, and then its reader would get no answer.
    let answer = Duration::from_millis(app.config.current().times.answer_ms.0);
    let worked = app.matches.work_out(owner, length, compute);
    let Ok(Ok(found)) = timeout(PATIENCE.min(answer / 2), worked).await else {
        return Err(NoStudy::Busy);
    };
    let timed = app.metrics.solver.get_or_create(&ByKind { kind }).clone();
    timed.observe(found.took.as_secs_f64());
    Ok(found.value)
}

impl Study {
    /// Whether it says of the position and of each of its moves who wins.
    pub(super) fn is_complete(&self) -> bool {
        self.reasons.position.outcome != OutcomeClass::Unknown
            && self.moves.iter().all(|one| one.sign != Sign::Unknown)
    }

    pub(super) fn find(position: &Position, to_move: Seat, budget: &Budget<'_>) -> Self {
        let reasons = reasons(position, to_move, &[], budget);
        let mut listed: Vec<Move> = position.moves(to_move).take(MOVES).collect();
        let named = |text: &str| position.parse_move(to_move, text).ok();
        let best = reasons.best.as_deref().and_then(named);
        listed.extend(best.filter(|best| !listed.contains(best)));
        let mut moves = considered(position, to_move, &listed, budget);
        // How long the game lasts can take longer than all the rest, so it comes last and has little.
        let rest = Budget {
            nodes: budget.nodes.min(LENGTH_NODES),
            ..*budget
        };
        let solution = solve(position, to_move, &rest, MOVES);
        let winning = solution.winning_moves.iter();
        let unlisted: Vec<Move> = winning
            .filter_map(|won| named(&won.mv))
            .filter(|mv| !listed.contains(mv))
            .collect();
        moves.extend(considered(position, to_move, &unlisted, budget));
        for one in &mut moves {
            let text = one.mv.to_string();
            // Known, even if the budget ended before what it leaves was looked at.
            if solution.winning_moves.iter().any(|won| won.mv == text) {
                one.sign = Sign::Wins;
            }
        }
        Self {
            reasons,
            moves,
            solution,
        }
    }
}

/// What the budget allows to find of these moves.
fn considered(
    position: &Position,
    to_move: Seat,
    moves: &[Move],
    budget: &Budget<'_>,
) -> Vec<Considered> {
    let mut all = Vec::with_capacity(moves.len());
    for some in moves.chunks(EXPLAINED_MOVES_MAX) {
        let found = match (budget.stop)() {
            true => Vec::new(),
            false => reasons(position, to_move, some, budget).moves,
        };
        let mut found = found.into_iter();
        for mv in some {
            // The moves that were asked for come first, in this order.
            let found = found.next();
            let result = found.as_ref().map(|found| found.result);
            let leaves = found.map(|found| found.leaves);
            all.push(Considered {
                leaves: position.play(mv),
                mv: mv.clone(),
                sign: result.map_or(Sign::Unknown, sign),
                value: leaves.and_then(|leaves| value(leaves.nim_value, leaves.value)),
            });
        }
    }
    all
}

fn sign(result: MoveResult) -> Sign {
    match result {
        MoveResult::Wins => Sign::Wins,
        MoveResult::Draws => Sign::Draws,
        MoveResult::Loses => Sign::Loses,
        MoveResult::Unknown => Sign::Unknown,
    }
}

/// The value of a position in letters: its Grundy value, or its number.
pub(super) fn value(nimber: Option<u64>, number: Option<String>) -> Option<String> {
    nimber.map(|value| value.to_string()).or(number)
}

/// The message for an outcome.
pub(super) fn outcome(outcome: OutcomeClass) -> &'static str {
    match outcome {
        OutcomeClass::N => "outcome-n",
        OutcomeClass::P => "outcome-p",
        OutcomeClass::L => "outcome-l",
        OutcomeClass::R => "outcome-r",
        OutcomeClass::D => "outcome-d",
        OutcomeClass::Unknown => "outcome-unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study(text: &str) -> Study {
        let position = Position::parse(text).expect(text);
        Study::find(&position, Seat::First, &Budget::nodes(1_000_000))
    }

    #[test]
    fn every_move_is_judged_and_a_winning_one_far_down_the_list_is_there() {
        let small = study("nim:3,5,7");
        assert_eq!(small.moves.len(), 15);
        let wins = small.moves.iter().filter(|one| one.sign == Sign::Wins);
        let wins: Vec<_> = wins.map(|one| one.mv.to_string()).collect();
        assert_eq!(wins, ["A-1", "B-1", "C-1"]);
        let large = study("nim:100,1000000");
        let last = large.moves.last().expect("moves");
        assert_eq!((large.moves.len(), last.sign), (MOVES + 1, Sign::Wins));
        assert_eq!(last.mv.to_string(), "B-999900");
    }

    #[test]
    fn draws_and_what_the_budget_does_not_reach_are_no_losses() {
        let drawn = study("loopy.0-1.1-0:0");
        assert_eq!(drawn.moves[0].sign, Sign::Draws);
        let text = "cram:......./......./......./......./.......";
        let position = Position::parse(text).expect(text);
        let tried = Study::find(&position, Seat::First, &Budget::nodes(10));
        assert!(tried.moves.iter().all(|one| one.sign == Sign::Unknown));
    }
}
