//! Bounds on what a match may hold.

pub use crate::bounds::{PLAN_LINES_MAX, PLAN_MOVES_MAX, SERIES_MAX, START_BYTES_MAX};
use crate::ids::Millis;

/// A position longer than so many bytes, written out, ends the match: in some games one can grow for 10^18 moves.
pub const POSITION_BYTES_MAX: usize = 32 * 1024;
/// Bytes that a move may have which is made in many components at once, so that a message of 16 KiB to the server holds it.
pub const MOVE_BYTES_MAX: usize = 15 * 1024;
/// Bytes that the moves of a match may come to, each counted as its text and [`MOVE_OVERHEAD`]: the match is kept in memory, and its
/// record read whole.
pub const MOVES_BYTES_MAX: usize = 4 << 20;
/// What is kept of a move besides its text, in bytes: more than its event has in the log.
pub const MOVE_OVERHEAD: usize = 256;
/// Offers of a rematch that one match takes: each is an event of a log that is never shortened.
pub const OFFERS_MAX: u8 = 16;
/// Proposals of each player during one match: each is an event of a log that is never shortened.
pub const PROPOSALS_MAX: u8 = 16;
/// Maximum number of proposals by each player, of any kind, after which `resume` is refused too.
pub const RESUMES_MAX: u8 = 64;
/// Maximum number of pauses and adjournments in one match.
pub const PAUSES_MAX: u8 = 3;
/// How long a pause lasts if nobody ends it.
pub const PAUSE_MS: Millis = Millis(15 * 60 * 1_000);
/// Maximum length of an adjournment.
pub const ADJOURN_MS: Millis = Millis(7 * 24 * 60 * 60 * 1_000);
/// Moves can be planned if the clock gives at least this long for the first move.
pub const PLAN_CLOCKS_FROM_MS: Millis = Millis(60 * 60 * 1_000);
/// Maximum total length of the moves of a plan, in bytes.
pub const PLAN_TEXT_MAX: usize = 4 * 1024;
/// How often each player can plan in one match. There is a limit because each plan adds an event to a log that is never shortened.
pub const PLANS_MAX: u8 = 200;
/// How long a player must be away before the other can claim the win, or call the match off, in a match with clocks.
pub const CLAIM_AFTER_MS: Millis = Millis(60 * 1_000);
/// The same in a match without clocks.
pub const CLAIM_AFTER_UNTIMED_MS: Millis = Millis(10 * 60 * 1_000);
/// Where the clock gives at least so long for the first move, being away is part of the game: nothing can be claimed.
pub const CLAIM_CLOCKS_BELOW_MS: Millis = Millis(60 * 60 * 1_000);
/// Work of the solver for one claim, in nodes. Only this and [`CLAIM_BYTES`] bound it, not time, so that anybody can compute the verdict
/// again.
pub const CLAIM_NODES: u64 = 1_000_000;
/// Memory of the solver for one claim, in bytes.
pub const CLAIM_BYTES: u64 = 64 << 20;
/// How long each player of a match between two people may take for the first move; less if the clock gives less.
pub(super) const FIRST_MOVE_MS: Millis = Millis(60 * 1_000);
/// Where the clock gives at least so long for the first move, nobody has to hurry with it.
pub(super) const FIRST_MOVE_CLOCKS_BELOW_MS: Millis = Millis(60 * 60 * 1_000);
/// The most that is given for the way through the network in one turn; of short clocks, a tenth of the time for the first move.
pub(super) const LAG_MAX: Millis = Millis(1_000);
/// What a player who has used some of that can get more of it after each move.
pub(super) const LAG_REFILL: Millis = Millis(100);
/// Moves after which no move is taken back: to do so the moves before it are played again.
pub const TAKEBACK_PLIES_MAX: u32 = 500;
