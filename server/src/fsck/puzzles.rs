//! Puzzles: each rating is computed again from its log, and each attempt is looked for in the log of its player, in that of its puzzle and in the
//! table of attempts.

use std::collections::{BTreeMap, BTreeSet};

use futures::TryStreamExt;
use grundy_shared::ids::{PlayerId, PuzzleId, Seq};
use grundy_shared::puzzle::{Attempted, PuzzleEvent, SolvingEvent, Tried, first_rating};
use grundy_shared::rated::RatingState;
use sqlx::Row;
use sqlx::sqlite::SqliteConnection;

use super::report::{Problem, Report};
use super::value::value;
use crate::store::sqlite::puzzle_rows::{
    puzzle_columns, read_player, read_puzzle, read_state, state_columns,
};
use crate::store::sqlite::rows::unsigned;
use crate::store::sqlite::seal::{Seal, of_puzzle, of_solver};
use crate::store::{PuzzleRow, StoreError, StreamId};

/// A log of solving on its way through the checks.
pub(super) enum Fold {
    /// Of a player.
    Player(RatingState, Vec<Attempted>),
    /// Of a puzzle: its first rating is not in the log.
    Puzzle(Vec<Tried>),
}

impl Fold {
    /// For the log of this stream; `None` if it is another kind.
    pub(super) fn of(stream: StreamId) -> Option<Self> {
        match stream {
            StreamId::Solving(_) => Some(Self::Player(RatingState::default(), Vec::new())),
            StreamId::Puzzle(_) => Some(Self::Puzzle(Vec::new())),
            _ => None,
        }
    }

    /// Takes in the next event. The figures of a player are computed again.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn take(&mut self, body: &[u8]) -> Result<(), Problem> {
        let unreadable = |error: serde_json::Error| {
            let why = error.to_string();
            Problem::NotAnEvent { why }
        };
        match self {
            Self::Player(state, attempts) => {
                let SolvingEvent::Attempted(attempt) =
                    serde_json::from_slice(body).map_err(unreadable)?;
                let checked = attempt.check(state);
                attempts.push(attempt);
                checked.map_err(|fault| wrong(&fault))
            }
            Self::Puzzle(tries) => {
                let PuzzleEvent::Tried(tried) = serde_json::from_slice(body).map_err(unreadable)?;
                tries.push(tried);
                Ok(())
            }
        }
    }
}

fn wrong(fault: &dyn ToString) -> Problem {
    let why = fault.to_string();
    Problem::WrongRating { why }
}

/// Everything that is known of puzzles. About half a kilobyte an attempt.
#[derive(Default)]
pub(super) struct Puzzles {
    /// `None`: the log is broken, and nothing is concluded from it.
    players: BTreeMap<PlayerId, Option<(RatingState, Vec<Attempted>)>>,
    puzzles: BTreeMap<PuzzleId, Option<Vec<Tried>>>,
}

impl Puzzles {
    /// Takes in a log; `None` if it is broken.
    pub(super) fn take_log(&mut self, stream: StreamId, fold: Option<Fold>) {
        match (stream, fold) {
            (StreamId::Solving(player), Some(Fold::Player(state, attempts))) => {
                self.players.insert(player, Some((state, attempts)));
            }
            (StreamId::Puzzle(puzzle), Some(Fold::Puzzle(tries))) => {
                self.puzzles.insert(puzzle, Some(tries));
            }
            (StreamId::Solving(player), _) => {
                self.players.insert(player, None);
            }
            (StreamId::Puzzle(puzzle), _) => {
                self.puzzles.insert(puzzle, None);
            }
            _ => {}
        }
    }

    /// Compares the logs with each other, and with the tables that are kept beside them.
    pub(super) async fn check(
        &self,
        connection: &mut SqliteConnection,
        report: &mut Report,
    ) -> Result<(), StoreError> {
        self.check_twins(report);
        self.check_puzzles(connection, report).await?;
        self.check_solvers(connection, report).await?;
        self.check_attempts(connection, report).await
    }

    /// Every attempt in the log of a player has one in the log of its puzzle, and no other player has the same.
    fn check_twins(&self, report: &mut Report) {
        let mut claimed = BTreeSet::new();
        for (player, log) in &self.players {
            let attempts = log.iter().flat_map(|(_, attempts)| attempts);
            for (seq, attempt) in (1..).zip(attempts) {
                let place = (attempt.puzzle, attempt.puzzle_seq);
                let fits = match self.puzzles.get(&attempt.puzzle) {
                    // A broken log gives nothing to compare.
                    Some(None) => true,
                    Some(Some(tries)) => {
                        nth(tries, attempt.puzzle_seq)
                            .is_some_and(|tried| is_twin(&attempt.twin(), tried))
                            && claimed.insert(place)
                    }
                    None => false,
                };
                if !fits {
                    let (what, other) = ("puzzle".to_owned(), attempt.puzzle.to_string());
                    let problem = Problem::Dangling { what, other };
                    let stream = StreamId::Solving(*player);
                    report.find_in(Some(stream), Some(Seq(seq)), problem);
                }
            }
        }
        // An attempt may be in a log that is broken.
        if self.players.values().any(Option::is_none) {
            return;
        }
        for (puzzle, tries) in &self.puzzles {
            for (seq, _) in (1..).zip(tries.iter().flatten()) {
                if !claimed.contains(&(*puzzle, Seq(seq))) {
                    let [what, other] = ["attempt", "in the log of a player"].map(str::to_owned);
                    let problem = Problem::Dangling { what, other };
                    report.find_in(Some(StreamId::Puzzle(*puzzle)), Some(Seq(seq)), problem);
                }
            }
        }
    }

    async fn check_puzzles(
        &self,
        connection: &mut SqliteConnection,
        report: &mut Report,
    ) -> Result<(), StoreError> {
        let mut seen = BTreeSet::new();
        let mut rows =
            sqlx::query(concat!("SELECT ", puzzle_columns!(), " FROM puzzle")).fetch(connection);
        while let Some(row) = rows.try_next().await? {
            let note = |problem| report.find(None, None, problem);
            let place = ["puzzle", "id, family, body, rating"];
            let Some((id, stored)) = value(read_puzzle(&row), note, place) else {
                continue;
            };
            seen.insert(id);
            let stream = StreamId::Puzzle(id);
            check_seal(&row, &of_puzzle(id, &stored), stream, report);
            let Some(state) = self.replayed(id, &stored, report) else {
                continue;
            };
            compare(&stored.state, &state, stream, report);
        }
        for id in self.puzzles.keys().filter(|id| !seen.contains(*id)) {
            let what = "puzzle".to_owned();
            report.find_in(
                Some(StreamId::Puzzle(*id)),
                None,
                Problem::HalfGone { what },
            );
        }
        Ok(())
    }

    /// What the log of a puzzle comes to, each event computed again; `None` if it is broken.
    fn replayed(&self, id: PuzzleId, row: &PuzzleRow, report: &mut Report) -> Option<RatingState> {
        let mut state = first_rating(&row.puzzle);
        let tries = match self.puzzles.get(&id) {
            None => return Some(state),
            Some(tries) => tries.as_ref()?,
        };
        for (seq, tried) in (1..).zip(tries) {
            if let Err(fault) = tried.check(&mut state) {
                let stream = StreamId::Puzzle(id);
                report.find_in(Some(stream), Some(Seq(seq)), wrong(&fault));
            }
        }
        Some(state)
    }

    async fn check_solvers(
        &self,
        connection: &mut SqliteConnection,
        report: &mut Report,
    ) -> Result<(), StoreError> {
        let mut seen = BTreeSet::new();
        let mut rows = sqlx::query(concat!(
            "SELECT player, ",
            state_columns!(),
            ", EXISTS (SELECT 1 FROM player AS known WHERE known.id = solver.player) AS is_known FROM solver"
        ))
        .fetch(connection);
        while let Some(row) = rows.try_next().await? {
            let note = |problem| report.find(None, None, problem);
            let read = read_player(&row).and_then(|player| Ok((player, read_state(&row)?)));
            let Some((player, stored)) = value(read, note, ["solver", "player, rating"]) else {
                continue;
            };
            seen.insert(player);
            let stream = StreamId::Solving(player);
            if !row.try_get::<bool, _>("is_known").unwrap_or_default() {
                let table = "solver".to_owned();
                report.find_in(Some(stream), None, Problem::Orphan { table });
            }
            check_seal(&row, &of_solver(player, &stored), stream, report);
            match self.players.get(&player) {
                None => {
                    let what = "log".to_owned();
                    report.find_in(Some(stream), None, Problem::HalfGone { what });
                }
                Some(None) => {}
                Some(Some((state, _))) => compare(&stored, state, stream, report),
            }
        }
        for player in self.players.keys().filter(|player| !seen.contains(*player)) {
            let what = "summary".to_owned();
            let stream = StreamId::Solving(*player);
            report.find_in(Some(stream), None, Problem::HalfGone { what });
        }
        Ok(())
    }

    /// The table of attempts says what the logs say.
    async fn check_attempts(
        &self,
        connection: &mut SqliteConnection,
        report: &mut Report,
    ) -> Result<(), StoreError> {
        let mut known = BTreeMap::new();
        let place = ["puzzle_attempt", "player, puzzle, seq"];
        let mut rows =
            sqlx::query("SELECT player, puzzle, seq FROM puzzle_attempt").fetch(connection);
        while let Some(row) = rows.try_next().await? {
            let read = read_player(&row).and_then(|player| {
                let id = PuzzleId::from_bytes(row.try_get("puzzle")?);
                let id = id.ok_or_else(|| corrupt("a puzzle id is not 16 bytes".to_owned()))?;
                let seq = Seq(unsigned(row.try_get("seq")?)?);
                let attempt = match self.players.get(&player) {
                    Some(None) => return Ok((player, id, seq)),
                    log => log
                        .and_then(Option::as_ref)
                        .and_then(|(_, log)| nth(log, seq)),
                };
                match attempt.is_some_and(|attempt| attempt.puzzle == id) {
                    true => Ok((player, id, seq)),
                    false => Err(corrupt(format!(
                        "attempt {seq} of player {player} is not at puzzle {id}"
                    ))),
                }
            });
            let note = |problem| report.find(None, None, problem);
            if let Some((player, id, seq)) = value(read, note, place) {
                known.insert((player, id), seq);
            }
        }
        for (player, log) in &self.players {
            let attempts = log.iter().flat_map(|(_, attempts)| attempts);
            for (seq, attempt) in (1..).zip(attempts) {
                if known.get(&(*player, attempt.puzzle)) != Some(&Seq(seq)) {
                    let [what, other] = ["row", "in the table of attempts"].map(str::to_owned);
                    let problem = Problem::Dangling { what, other };
                    let stream = StreamId::Solving(*player);
                    report.find_in(Some(stream), Some(Seq(seq)), problem);
                }
            }
        }
        Ok(())
    }
}

/// Whether two events of a puzzle are the same attempt. The strength after it is computed again where the log is followed.
fn is_twin(one: &Tried, other: &Tried) -> bool {
    let after = other.after;
    Tried {
        after,
        ..one.clone()
    } == *other
}

/// The event of this number.
fn nth<T>(events: &[T], seq: Seq) -> Option<&T> {
    events.get(usize::try_from(seq.0.checked_sub(1)?).ok()?)
}

fn corrupt(why: String) -> StoreError {
    StoreError::Corrupt { why }
}

fn check_seal(row: &sqlx::sqlite::SqliteRow, seal: &Seal, stream: StreamId, report: &mut Report) {
    let stored = row.try_get::<Option<&[u8]>, _>("seal").ok().flatten();
    if stored != Some(seal.as_slice()) {
        let what = "rating".to_owned();
        report.find_in(Some(stream), None, Problem::WrongSeal { what });
    }
}

/// Compares a rating that is kept beside its log with what the log comes to.
fn compare(stored: &RatingState, state: &RatingState, stream: StreamId, report: &mut Report) {
    if stored == state {
        return;
    }
    let field = "rating".to_owned();
    let (stored, replayed) = (words(stored), words(state));
    let problem = Problem::WrongSummary {
        field,
        stored,
        replayed,
    };
    report.find_in(Some(stream), None, problem);
}

/// A rating as a person reads it.
fn words(state: &RatingState) -> String {
    let rating = state.strength.to_rating();
    format!(
        "{:.2} ± {:.2} (volatility {:.9}) after {} attempts, at {}",
        rating.rating,
        2.0 * rating.deviation,
        rating.volatility,
        state.pairs,
        state.last_at.0
    )
}
