//! What the solver finds of a position for a page: on its own threads, within its bounds, and only for those to whom the server says it.

use std::time::Duration;

use axum::http::StatusCode;
use grundy_shared::ids::{PlayerId, Seat};
use grundy_shared::picture::Sign;
use grundy_shared::protocol::ErrorBody;
use grundy_shared::solver::{Budget, OutcomeClass, Reasons, Solution, reasons, solve};
use grundy_shared::{Move, Position};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::viewer;
use crate::addresses::AddressKey;
use crate::admission::Work;
use crate::analysis::{Found, Job, Owner, QueueFull};
use crate::app::App;
use crate::metrics::ByKind;

/// Moves whose results are worked out, and winning moves besides.
pub(super) const MOVES: usize = 60;

/// What was found of a position.
pub(super) struct Study {
    /// Who wins.
    pub(super) solution: Solution,
    /// The first moves in order, then winning moves that are not among them.
    pub(super) moves: Vec<Considered>,
    /// Why.
    pub(super) reasons: Reasons,
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

/// Why nothing was worked out.
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
    fn from(_: ErrorBody) -> Self {
        Self::Busy
    }
}

/// Who wants to know.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader {
    /// Where the reader is.
    pub(super) address: AddressKey,
    /// The player of the reader's cookie, or nobody.
    pub(super) player: PlayerId,
}

/// Studies a position for a reader.
///
/// # Errors
/// [`NoStudy`].
pub(super) async fn of(
    app: &App,
    reader: Reader,
    position: Position,
    to_move: Seat,
) -> Result<Study, NoStudy> {
    check_may_ask(app, reader.player).await?;
    app.admission.admit(Work::Analysis)?;
    let player = Some(reader.player).filter(|player| *player != viewer::nobody());
    let digest = reader.address.digest(&app.address_secret).0;
    let study = move |budget: &Budget<'_>| Study::find(&position, to_move, budget);
    work(app, Owner::at(digest, player), "page", study).await
}

/// Refuses what the solver finds to a player who is in a rated pair.
///
/// # Errors
/// [`NoStudy`].
pub(super) async fn check_may_ask(app: &App, player: PlayerId) -> Result<(), NoStudy> {
    match app.store.plays_rated(player).await {
        Ok(false) => Ok(()),
        Ok(true) => Err(NoStudy::Rated),
        Err(_) => Err(NoStudy::Busy),
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
    compute: impl FnMut(&Budget<'_>) -> T + Send + 'static,
) -> Result<T, NoStudy> {
    let gone = CancellationToken::new();
    let _waits = gone.clone().drop_guard();
    let (answer, answered) = oneshot::channel();
    let then = move |found: Result<Found<T>, QueueFull>| {
        // Who does not wait any more hears nothing.
        drop(answer.send(found));
    };
    let job = || Job::new(move || gone.is_cancelled(), compute, then);
    let queued = app.matches.analyse(owner, job);
    queued.map_err(|QueueFull| NoStudy::Busy)?;
    // A request is cut off after that time, and then its reader would hear nothing.
    let patience = app.config.current().times.handshake_ms.0 / 2;
    let answered = timeout(Duration::from_millis(patience), answered).await;
    // A job that fails is dropped, and the sender with it.
    let Ok(Ok(Ok(found))) = answered else {
        return Err(NoStudy::Busy);
    };
    let timed = app.metrics.solver.get_or_create(&ByKind { kind }).clone();
    timed.observe(found.took.as_secs_f64());
    Ok(found.value)
}

impl Study {
    fn find(position: &Position, to_move: Seat, budget: &Budget<'_>) -> Self {
        let solution = solve(position, to_move, budget, MOVES);
        let mut listed: Vec<Move> = position.moves(to_move).take(MOVES).collect();
        for won in &solution.winning_moves {
            let mv = position.parse_move(to_move, &won.mv);
            listed.extend(mv.ok().filter(|mv| !listed.contains(mv)));
        }
        let considered = listed.into_iter().map(|mv| {
            let leaves = position.play(&mv);
            let after = solve(&leaves, to_move.other(), budget, 0);
            let text = mv.to_string();
            let wins = solution.winning_moves.iter().any(|won| won.mv == text);
            Considered {
                sign: match wins {
                    // Known, even if the budget ended before what it leaves was looked at.
                    true => Sign::Wins,
                    false => sign(after.outcome, to_move),
                },
                value: value(&after),
                mv,
                leaves,
            }
        });
        let moves = considered.collect();
        Self {
            moves,
            reasons: reasons(position, to_move, &[], budget),
            solution,
        }
    }
}

/// What a move comes to that leaves this outcome to the other player.
fn sign(outcome: OutcomeClass, mover: Seat) -> Sign {
    match outcome.winner(mover.other()) {
        _ if outcome == OutcomeClass::Unknown => Sign::Unknown,
        None => Sign::Draws,
        Some(winner) if winner == mover => Sign::Wins,
        Some(_) => Sign::Loses,
    }
}

/// The value of a position in letters, if it has one.
pub(super) fn value(solution: &Solution) -> Option<String> {
    let nimber = solution.nim_value.map(|value| value.to_string());
    nimber.or_else(|| solution.value.clone())
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
