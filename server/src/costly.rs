//! Work whose cost depends on what a client typed: reading a long position, drawing it, listing its moves, replaying a long match.
//!
//! The threads that serve connections never do it, because every other connection of the thread would wait. It runs on the solver's threads, under their
//! shares, budgets and bounds (see [`crate::analysis`]), or on the painter's. Small work takes at most 0.3 ms and runs on the thread that needs it.
//!
//! The compiler enforces the rule: each function here takes an [`OffServing`], and a test of the layers checks that no other file calls costly functions. See
//! docs/decisions/0070.

use grundy_shared::Position;
use grundy_shared::event::Event;
use grundy_shared::ids::Seat;
use grundy_shared::notation::NotationError;
use grundy_shared::picture::Picture;
use grundy_shared::rated;
use grundy_shared::referee::{ReadPlan, Referee, ReplayError};
use grundy_shared::solver::Budget;

/// Bytes of a position that any thread may read and play.
const SMALL_POSITION: usize = 256;
/// Moves of a plan that any thread may read, each counted with the bytes of the position.
const SMALL_PLAN: usize = 2 << 10;
/// Events of a log that any thread may replay, if its start is small, and their bytes.
const SMALL_LOG: (usize, usize) = (100, 24 << 10);

/// Proof that the calling thread serves no connection.
#[derive(Clone, Copy, Debug)]
pub struct OffServing(());

impl OffServing {
    /// For a thread of the solver: only there does work have a budget.
    #[must_use]
    pub fn with(_: &Budget<'_>) -> Self {
        Self(())
    }

    /// For a thread that serves no connection for another reason, which the caller names. A test of the layers lists the callers.
    #[must_use]
    pub fn by_design() -> Self {
        Self(())
    }
}

/// Whether the cost of a position is not bounded by some milliseconds: in a compound a move is made in many components at once, and in `@zero` each move asks for nim-values.
#[must_use]
pub fn is_long(text: &str) -> bool {
    text.replace("@misere", "").contains('@')
}

/// Whether a position is so small that reading it, playing a move and listing a page of moves take at most 0.3 ms.
#[must_use]
pub fn is_small(text: &str) -> bool {
    text.len() <= SMALL_POSITION && !is_long(text)
}

/// Whether so few moves are planned in so small a position that reading them takes at most 0.3 ms.
#[must_use]
pub fn is_small_plan(position: &str, moves: usize) -> bool {
    is_small(position) && position.len().saturating_mul(moves) <= SMALL_PLAN
}

/// Whether a log with these bodies is so small that replaying it takes at most 0.3 ms.
#[must_use]
pub fn is_small_log<'b>(bodies: impl ExactSizeIterator<Item = &'b [u8]>) -> bool {
    let (events, bytes) = SMALL_LOG;
    if bodies.len() > events {
        return false;
    }
    let mut total = 0;
    for (number, body) in bodies.enumerate() {
        total += body.len();
        // The first event has the start position. The name of a player in it may also look like a compound.
        let is_costly = || {
            let text = String::from_utf8_lossy(body);
            text.len() > 4 * SMALL_POSITION || is_long(&text)
        };
        if number == 0 && is_costly() {
            return false;
        }
    }
    total <= bytes
}

/// Reads a position that a client typed. O(length), with a search of at most 50,000 moves for `@zero`.
///
/// # Errors
/// It is not a position.
pub fn read(leave: Option<OffServing>, text: &str) -> Result<Position, NotationError> {
    debug_assert!(
        leave.is_some() || is_small(text),
        "read while serving: {text}"
    );
    Position::parse_typed(text)
}

/// Reads a position as a log may have it: the same, except that a compound of one component is read.
///
/// # Errors
/// It is not a position.
pub fn read_stored(leave: Option<OffServing>, text: &str) -> Result<Position, NotationError> {
    debug_assert!(
        leave.is_some() || is_small(text),
        "read while serving: {text}"
    );
    Position::parse(text)
}

/// Reads a plan in a position in which the other seat is to move. O(moves of the plan), each played in the position: up to some 100 ms.
#[must_use]
pub fn read_plan(_: OffServing, position: Position, seat: Seat, lines: &[Vec<String>]) -> ReadPlan {
    ReadPlan::of(position, seat, lines)
}

/// Draws a position: up to some 10 ms, for graphs.
#[must_use]
pub fn draw(_: OffServing, position: &Position) -> Picture {
    Picture::of(position)
}

/// Whether every line of play from this start has the same winner: see [`rated::is_forced`]. Up to some 10 ms.
#[must_use]
pub fn is_forced(_: OffServing, start: &Position) -> bool {
    rated::is_forced(start)
}

/// The state of a match after these events. O(events), each with a move of its position.
///
/// # Errors
/// The events break a law.
pub fn replay(_: OffServing, events: &[Event]) -> Result<Referee, ReplayError> {
    Referee::replay(events)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_small_is_short_and_without_a_compound() {
        for text in ["nim:3,5,7", "nim:3,5+kayles:7@misere"] {
            assert!(is_small(text), "{text}");
        }
        let long = format!("nim:{}1", "1,".repeat(SMALL_POSITION));
        for text in [
            "nim:3+nim:5@every",
            "kayles:9@zero",
            "nim:3+nim:5@every@misere",
            &long,
        ] {
            assert!(!is_small(text), "{text}");
        }
    }

    #[test]
    fn a_log_is_small_if_its_start_is_and_its_events_are_few() {
        let created = |position: &str| format!(r#"{{"type":"created","position":"{position}"}}"#);
        let is_small = |start: &str, moves: usize| {
            let (start, moved) = (created(start), br#"{"type":"moved"}"#);
            let bodies: Vec<&[u8]> = std::iter::once(start.as_bytes())
                .chain(std::iter::repeat_n(&moved[..], moves))
                .collect();
            is_small_log(bodies.into_iter())
        };
        assert!(is_small("nim:3,5,7@misere", 99));
        assert!(!is_small("nim:3,5,7@misere", 100));
        assert!(!is_small("kayles:9@zero", 1));
        assert!(!is_small(&"1,".repeat(1_000), 1));
    }
}
