//! Puzzles: one for the player, and the first answer to it, which counts.

use grundy_shared::Position;
use grundy_shared::ids::{Millis, PuzzleId, Seat};
use grundy_shared::notation::MoveError;
use grundy_shared::protocol::client::{Puzzle, SolvePuzzle};
use grundy_shared::protocol::puzzle::SolvingChange;
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply};
use grundy_shared::puzzle::Given;
use grundy_shared::rated::{RatingState, Strength};
use grundy_shared::solver::{Budget, MoveResult, reasons, solve};
use grundy_words::Language;
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use super::answers::Question;
use super::player::Player;
use super::ratings::family_named;
use super::socket::Socket;
use super::spoken;
use crate::matches::{ReplyTo, refusal};
use crate::metrics::ByOutcome;
use crate::puzzles::{Answered, Outcome};
use crate::ratings::{points, solver_rating};
use crate::store::PuzzleRow;

/// Winning moves that a reply names.
const NAMED: usize = 8;

/// What the solver says of an answer.
struct Judged {
    right: bool,
    winning_moves: Vec<String>,
    winning_moves_total: Option<u64>,
    reasons: Box<RawValue>,
}

impl<S: Socket> Player<S> {
    pub(super) async fn puzzle(&self, ask: &Puzzle) -> Result<Reply, ErrorBody> {
        self.check_may_solve_puzzles()?;
        let app = &self.connection.app;
        let row = match &ask.puzzle {
            Some(named) => self.puzzle_named(named).await?,
            None => {
                let family = ask.family.as_deref();
                let family = family
                    .map(|name| family_named("family", name))
                    .transpose()?;
                let next = app.puzzles.next(self.info.id, family).await;
                let next = next.map_err(|error| refusal::of_commit(&error))?;
                next.ok_or_else(|| {
                    let words = "you have answered every puzzle that this server has for you";
                    ErrorBody::new(ErrorCode::NoSuchPuzzle, words)
                })?
            }
        };
        let id = row.puzzle.id();
        let solver = app.puzzles.solver(self.info.id).await;
        let solver = solver.map_err(|error| refusal::of_store(&error))?;
        let tried = app.store.attempt(self.info.id, id).await;
        let tried = tried.map_err(|error| refusal::of_store(&error))?;
        let (position, to_move) = row.puzzle.position();
        Ok(Reply::Puzzle {
            puzzle: id,
            position: position.to_string(),
            to_move,
            family: row.puzzle.family().name().to_owned(),
            rating: points(row.state.strength.rating.into()),
            deviation: points(row.state.strength.deviation.into()),
            attempts: row.state.pairs.0,
            tried: tried.is_some(),
            you: solver_rating(&solver, app.clock.now()),
        })
    }

    /// Judges an answer, counts it if it is the player's first to this puzzle, and only then tells it.
    pub(super) async fn solve_puzzle(
        &self,
        id: u64,
        ask: &SolvePuzzle,
    ) -> Result<Option<Reply>, ErrorBody> {
        self.check_may_solve_puzzles()?;
        let app = self.connection.app.clone();
        let row = self.puzzle_named(&ask.puzzle).await?;
        let (position, to_move) = row.puzzle.position();
        let read = |text: &str| position.parse_move(to_move, text);
        let mut mv = ask.move_text.as_deref().map(read).transpose();
        let puzzle = row.puzzle.id();
        // The first answer stays the answer, whatever is sent later.
        let answered = app.puzzles.answered(self.info.id, puzzle).await;
        if let Some(first) = answered.map_err(|error| refusal::of_store(&error))? {
            mv = first.attempt.mv.as_deref().map(read).transpose();
        }
        let mv = mv.map_err(illegal)?.map(|mv| mv.to_string());
        let (room, language, player) = (self.room(), self.language, self.info.id);
        let (sender, judged) = oneshot::channel();
        let question = Question {
            kind: "solve_puzzle",
            heeds_time: true,
            shown: None,
        };
        let text = mv.clone();
        let work = move |budget: &Budget<'_>| {
            judge(&position, to_move, text.as_deref(), language, room, budget)
        };
        let waits = self.work_out(id, question, work, move |reply, judged| {
            // The task is gone only if the server is stopping: then the reply is refused when it is dropped.
            let _ = sender.send((reply, judged));
        })?;
        let lifecycle = app.lifecycle.clone();
        let counting = async move {
            let Ok((reply, judged)) = judged.await else {
                return;
            };
            let judged: Judged = match judged {
                Ok(judged) => judged,
                Err(error) => return reply.refuse(error),
            };
            let given = Given {
                puzzle,
                at_ms: app.clock.now(),
                mv,
                solved: judged.right,
            };
            let outcome = app.puzzles.rate(player, &given).await;
            let outcome = outcome.map_err(|error| refusal::of_commit(&error));
            if let Ok(Outcome::Counted(answered)) = &outcome {
                let outcome = match answered.attempt.solved {
                    true => "solved",
                    false => "failed",
                };
                let counted = app
                    .metrics
                    .puzzle_answers
                    .get_or_create(&ByOutcome { outcome });
                counted.inc();
            }
            tell(reply, &given, outcome, judged);
        };
        drop(lifecycle.spawn(counting));
        Ok(waits)
    }

    /// Only people are rated on puzzles.
    fn check_may_solve_puzzles(&self) -> Result<(), ErrorBody> {
        if self.info.bot {
            let words = "bots are not rated on puzzles: `solve` answers any position";
            return Err(ErrorBody::new(ErrorCode::NotAllowed, words));
        }
        Ok(())
    }

    async fn puzzle_named(&self, text: &str) -> Result<PuzzleRow, ErrorBody> {
        let none = || {
            ErrorBody::new(
                ErrorCode::NoSuchPuzzle,
                "the server has no puzzle with this id",
            )
            .field("puzzle")
            .got(text)
        };
        let id: PuzzleId = text.parse().map_err(|_| none())?;
        let found = self.connection.app.puzzles.get(id).await;
        found
            .map_err(|error| refusal::of_commit(&error))?
            .ok_or_else(none)
    }
}

/// What the solver says of a move, or of giving up.
///
/// # Errors
/// The budget does not suffice to say so, or what it says does not fit one message.
fn judge(
    position: &Position,
    to_move: Seat,
    mv: Option<&str>,
    language: Language,
    room: usize,
    budget: &Budget<'_>,
) -> Result<Judged, ErrorBody> {
    let read = mv.map(|text| position.parse_move(to_move, text));
    let moves: Vec<_> = read.transpose().map_err(illegal)?.into_iter().collect();
    let why = reasons(position, to_move, &moves, budget);
    let results = || why.moves.iter().map(|reason| reason.result);
    // The move is the first of them. A puzzle is won: without a winning move the search was not finished.
    let of_move = mv.and_then(|_| results().next());
    let is_known =
        of_move != Some(MoveResult::Unknown) && results().any(|result| result == MoveResult::Wins);
    if !is_known {
        let words = "the solver's budget did not suffice to judge this; it does not count";
        return Err(ErrorBody::new(ErrorCode::AnalysisTooLarge, words));
    }
    let right = of_move == Some(MoveResult::Wins);
    let solution = solve(position, to_move, budget, NAMED);
    let winning = solution.winning_moves.into_iter().map(|winning| winning.mv);
    let winning_moves: Vec<String> = winning.collect();
    let room = room.saturating_sub(winning_moves.iter().map(|mv| mv.len() + 3).sum());
    Ok(Judged {
        right,
        winning_moves,
        winning_moves_total: solution.winning_moves_total,
        reasons: spoken::reasons(why, language, room)?,
    })
}

/// Answers the player, once the answer is stored.
fn tell(reply: ReplyTo, given: &Given, outcome: Result<Outcome, ErrorBody>, judged: Judged) {
    let (answered, repeated) = match outcome {
        Ok(Outcome::Counted(answered)) => (answered, false),
        Ok(Outcome::Repeated(answered)) => (answered, true),
        Err(error) => return reply.refuse(error),
    };
    let Answered { seq, attempt } = answered;
    if attempt.mv != given.mv {
        // What was judged is not what counts.
        let words = "another answer of yours was counted at the same moment";
        return reply.refuse(refusal::busy(words));
    }
    let tried = attempt.twin();
    reply.send(&Reply::PuzzleSolved {
        puzzle: attempt.puzzle,
        right: attempt.solved,
        move_text: attempt.mv,
        repeated,
        winning_moves: judged.winning_moves,
        winning_moves_total: judged.winning_moves_total,
        reasons: judged.reasons,
        you: change(attempt.before, attempt.after, seq.0, attempt.at_ms),
        rated: change(tried.before, tried.after, attempt.puzzle_seq.0, tried.at_ms),
    });
}

/// What an answer of this moment has made of a rating.
fn change(before: Strength, after: Strength, attempts: u64, at: Millis) -> SolvingChange {
    let mut state = RatingState::default();
    state.advance(at, after);
    let rating = points(after.rating.into());
    SolvingChange {
        rating,
        change: rating - points(before.rating.into()),
        deviation: points(after.deviation.into()),
        provisional: state.is_provisional(at),
        attempts,
    }
}

fn illegal(error: MoveError) -> ErrorBody {
    ErrorBody {
        column: error.column.and_then(|column| u32::try_from(column).ok()),
        example: error.example,
        ..ErrorBody::new(ErrorCode::IllegalMove, error.message)
    }
    .field("move")
}
