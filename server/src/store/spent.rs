//! What is used of limits that hold over all servers on one store, and what each server has now.

use std::time::Duration;

/// Rows of one kind that one [`Store::settle`](super::Store::settle) takes at most.
pub const SETTLED_AT_ONCE: usize = 1_000;
/// Levels that one [`Store::settle`](super::Store::settle) returns at most: those that changed last.
pub const LEVELS_MAX: usize = 20_000;

/// Whose use of which limit. The store knows neither: they are numbers of the caller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spender {
    /// Which limit.
    pub kind: i16,
    /// Who, as a digest.
    pub who: i64,
}

/// What a server has to say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Spendings {
    /// What was used since the last report, in microseconds that it takes to refill it; less than nothing if some was given back. One for each spender.
    pub spent: Vec<(Spender, i64)>,
    /// How many of something a server has now, by whose they are.
    pub held: Vec<(i64, u32)>,
    /// Asks for levels that changed within this time; `None`: for all.
    pub within: Option<Duration>,
}

/// What the store says to it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Levels {
    /// In how many microseconds all that was used will be refilled, whoever has used it.
    pub spent: Vec<(Spender, i64)>,
    /// How many the other servers have that reported within the last seconds. One entry for each server and owner.
    pub held: Vec<(i64, u32)>,
}
