//! Bounds on the fields of requests: the only source for the schema, which states them, and for the reader, the referee and the server, which check them.
//!
//! A length in bytes also bounds the number of characters, which is what a schema counts.

use std::ops::RangeInclusive;

use crate::ids::Millis;

/// Maximum length of a start position in bytes, as sent and as written out.
pub const START_BYTES_MAX: usize = 16 * 1024;
/// The same for a seek, which is smaller because one page has many seeks.
pub const SEEK_START_BYTES_MAX: usize = 1_024;
/// Maximum number of games in a series.
pub const SERIES_MAX: u32 = 1_000;

/// A player's time at the start, in milliseconds: 1 s to 24 h.
pub const BASE_MS: RangeInclusive<u64> = 1_000..=86_400_000;
/// Time that a move adds, in milliseconds: 0 to 1 h.
pub const INCREMENT_MS: RangeInclusive<u64> = 0..=3_600_000;
/// Delay of the clock in each turn, or the most time that a move gets back, in milliseconds: up to 1 h.
pub const DELAY_MS: RangeInclusive<u64> = 1..=3_600_000;
/// Time for each move, in milliseconds: 100 ms to 14 days.
pub const MOVE_MS: RangeInclusive<u64> = 100..=1_209_600_000;
/// Time before the periods of byo-yomi, in milliseconds: 0 to 24 h.
pub const MAIN_MS: RangeInclusive<u64> = 0..=86_400_000;
/// Length of a period of byo-yomi, in milliseconds: 1 s to 1 h.
pub const PERIOD_MS: RangeInclusive<u64> = 1_000..=3_600_000;
/// Number of byo-yomi periods.
pub const PERIODS: RangeInclusive<u64> = 1..=100;

/// Moves that one request for reasons names.
pub const EXPLAINED_MOVES_MAX: usize = 16;

/// Hints before one move that a client can report.
pub const HINTS_MAX: u32 = 1_000;

/// Lines of a plan.
pub const PLAN_LINES_MAX: usize = 16;
/// Moves in one line of a plan: half of them the opponent's.
pub const PLAN_MOVES_MAX: usize = 8;

/// Bytes of a client's name and version.
pub const CLIENT_BYTES_MAX: usize = 64;
/// Bytes of the tag of a language (RFC 5646, section 4.4.1).
pub const LANGUAGE_BYTES_MAX: usize = 35;
/// Maximum length in characters of a player's name, and of the name of a token.
pub const NAME_MAX: usize = 32;
/// Minimum length of a password, in characters.
pub const PASSWORD_MIN: usize = 8;
/// Maximum length of a password, in bytes.
pub const PASSWORD_BYTES_MAX: usize = 1_024;
/// Lifetime of a token: one minute to ten years.
pub const TOKEN_LIFE: RangeInclusive<Millis> = Millis(60_000)..=Millis(315_360_000_000);

/// Lifetime of a challenge: 1 s to 1 h.
pub const CHALLENGE_STANDS: RangeInclusive<Millis> = Millis(1_000)..=Millis(3_600_000);
/// Maximum number of games that an offer may name.
pub const OFFER_GAMES_MAX: usize = 64;
/// The most unfinished matches that a server can be configured to allow one player.
pub const MATCHES_PER_PLAYER_MAX: u64 = 100_000;

/// Maximum length of a tournament's name, in characters.
pub const TOURNAMENT_NAME_MAX: usize = 64;
/// Maximum length of the reason for cancelling a tournament, in characters.
pub const REASON_MAX: usize = 200;
/// The latest start of a tournament, counted from its creation: 30 days.
pub const START_DELAY_MAX: Millis = Millis(30 * 86_400_000);
/// A tournament that has no time to start and is not started within this time, or that is paused for so long, is cancelled.
pub const TOURNAMENT_IDLE: Millis = Millis(48 * 3_600_000);
/// Maximum number of games in one pairing of a tournament.
pub const GAMES_OF_PAIRING_MAX: u32 = 1_000;
/// Rounds of a Swiss tournament.
pub const SWISS_ROUNDS_MAX: u32 = 99;
/// Rounds of a ladder.
pub const LADDER_ROUNDS_MAX: u32 = 1_000;
/// Number of entrants that an organiser may allow.
pub const ENTRANTS: RangeInclusive<u32> = 2..=1_000;
/// How long an organiser may allow players to be absent from a game, in milliseconds: a second to a day.
pub const ABSENCE_MS: RangeInclusive<u64> = 1_000..=86_400_000;
