//! Bounds on the fields of requests. The schema states them and the reader, the referee and the server check them, all from here.
//!
//! A length in bytes bounds the characters of a text as well, which is what a schema counts.

use std::ops::RangeInclusive;

use crate::ids::Millis;

/// Bytes that a start position may have, as it is sent and written out.
pub const START_BYTES_MAX: usize = 16 * 1024;
/// The same for a seek: many seeks are on one page.
pub const SEEK_START_BYTES_MAX: usize = 1_024;
/// Games of the longest series.
pub const SERIES_MAX: u32 = 1_000;

/// Time at the start that a player may have, in milliseconds: 1 s to 24 h.
pub const BASE_MS: RangeInclusive<u64> = 1_000..=86_400_000;
/// Time a move may add, in milliseconds: none to 1 h.
pub const INCREMENT_MS: RangeInclusive<u64> = 0..=3_600_000;
/// How long a clock may wait in each turn, or what a move may get back, in milliseconds: up to 1 h.
pub const DELAY_MS: RangeInclusive<u64> = 1..=3_600_000;
/// Time for each move, in milliseconds: 100 ms to 14 days.
pub const MOVE_MS: RangeInclusive<u64> = 100..=1_209_600_000;
/// Time before the periods of byo-yomi, in milliseconds: none to 24 h.
pub const MAIN_MS: RangeInclusive<u64> = 0..=86_400_000;
/// Length of a period of byo-yomi, in milliseconds: 1 s to 1 h.
pub const PERIOD_MS: RangeInclusive<u64> = 1_000..=3_600_000;
/// Periods of byo-yomi.
pub const PERIODS: RangeInclusive<u64> = 1..=100;

/// Lines of a plan.
pub const PLAN_LINES_MAX: usize = 16;
/// Moves in one line of a plan: half of them the opponent's.
pub const PLAN_MOVES_MAX: usize = 8;

/// Bytes of a client's name and version.
pub const CLIENT_BYTES_MAX: usize = 64;
/// Characters of a player's name, and of what a player calls a token.
pub const NAME_MAX: usize = 32;
/// Characters that a password has at least.
pub const PASSWORD_MIN: usize = 8;
/// Bytes that it has at most.
pub const PASSWORD_BYTES_MAX: usize = 1_024;
/// How long a token may be valid: one minute to ten years.
pub const TOKEN_LIFE: RangeInclusive<Millis> = Millis(60_000)..=Millis(315_360_000_000);

/// How long a challenge may stand: 1 s to 1 h.
pub const CHALLENGE_STANDS: RangeInclusive<Millis> = Millis(1_000)..=Millis(3_600_000);
/// Games that an offer may name.
pub const OFFER_GAMES_MAX: usize = 64;
/// The most unfinished matches that a server can be configured to allow one player.
pub const MATCHES_PER_PLAYER_MAX: u64 = 100_000;

/// Characters of a tournament's name.
pub const TOURNAMENT_NAME_MAX: usize = 64;
/// Characters of the reason for which a tournament is cancelled.
pub const REASON_MAX: usize = 200;
/// The latest start of a tournament, counted from its creation: 30 days.
pub const START_DELAY_MAX: Millis = Millis(30 * 86_400_000);
/// Games of one pairing of a tournament.
pub const GAMES_OF_PAIRING_MAX: u32 = 1_000;
/// Rounds of a Swiss tournament.
pub const SWISS_ROUNDS_MAX: u32 = 99;
/// Rounds of a ladder.
pub const LADDER_ROUNDS_MAX: u32 = 1_000;
/// Entrants that an organiser may allow.
pub const ENTRANTS: RangeInclusive<u32> = 2..=1_000;
/// How long an organiser may let players stay away from a game, in milliseconds: a second to a day.
pub const ABSENCE_MS: RangeInclusive<u64> = 1_000..=86_400_000;
