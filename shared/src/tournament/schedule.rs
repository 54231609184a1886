//! Schedules that are known beforehand: round robin by the Berger tables, double round robin, gauntlet, knockout.
//!
//! Players are numbered from 1. In a game the one named first moves first; where pairs are played, the second game swaps.

/// The players of one game, the one to move first named first.
pub type Game = (u32, u32);

/// The games of one round. A player without a game has a bye.
pub type Round = Vec<Game>;

/// The most players of a schedule: FIDE's tournament file has four digits for a number.
pub const MAX_PLAYERS: u32 = 9_999;
/// The most games of a round robin or gauntlet that is written out.
pub const MAX_GAMES: u64 = 2_000_000;

/// Why there is no schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScheduleError {
    /// One player or none.
    #[error("a tournament needs at least 2 players, got {0}")]
    TooFewPlayers(u32),
    /// More than can be numbered.
    #[error("a tournament has at most {MAX_PLAYERS} players, got {0}")]
    TooManyPlayers(u32),
    /// More games than are written out.
    #[error("{0} players would play {1} games; at most {MAX_GAMES} are scheduled")]
    TooManyGames(u32, u64),
    /// No seed, or nobody left to meet the seeds.
    #[error("a gauntlet of {players} players needs 1 to {most} seeds, got {seeds}", most = players - 1)]
    BadSeeds {
        /// How many players there are.
        players: u32,
        /// How many seeds were asked for.
        seeds: u32,
    },
}

fn check(players: u32, games: u64) -> Result<(), ScheduleError> {
    if players < 2 {
        Err(ScheduleError::TooFewPlayers(players))
    } else if players > MAX_PLAYERS {
        Err(ScheduleError::TooManyPlayers(players))
    } else if games > MAX_GAMES {
        Err(ScheduleError::TooManyGames(players, games))
    } else {
        Ok(())
    }
}

/// Every player meets every other once, by the Berger tables; with an odd number of players one has a bye in each round.
///
/// Source: FIDE Handbook C.05, annex 1. Let N be the even number of places and all other numbers be taken modulo N-1. In
/// round r the last place meets the k with 2k = r+1; the others meet with a sum of r+1, and the one k+j to k-j moves
/// first. The last place moves second in odd rounds and first in even ones.
///
/// # Errors
/// Below 2 players, or beyond [`MAX_PLAYERS`] players or [`MAX_GAMES`] games.
pub fn round_robin(players: u32) -> Result<Vec<Round>, ScheduleError> {
    let count = u64::from(players);
    check(players, count * count.saturating_sub(1) / 2)?;
    let places = players + players % 2;
    let cycle = places - 1;
    let place = |number: u32| match number % cycle {
        0 => cycle,
        other => other,
    };
    let rounds = (1..=cycle).map(|round| {
        let met_by_last = if round % 2 == 1 {
            round.div_ceil(2)
        } else {
            (places + round) / 2
        };
        let last = if round % 2 == 1 {
            (met_by_last, places)
        } else {
            (places, met_by_last)
        };
        let others = (1..places / 2)
            .map(|step| (place(met_by_last + step), place(met_by_last + cycle - step)));
        let games = std::iter::once(last).chain(others);
        games
            .filter(|(one, two)| *one <= players && *two <= players)
            .collect()
    });
    Ok(rounds.collect())
}

/// Every player meets every other twice, once with each side. The second cycle repeats the first with sides swapped; the
/// last two rounds of the first are exchanged, so that nobody has the same side three times in a row.
///
/// Source: FIDE Handbook C.05, annex 1.
///
/// # Errors
/// As [`round_robin`], with twice the games.
pub fn double_round_robin(players: u32) -> Result<Vec<Round>, ScheduleError> {
    let count = u64::from(players);
    check(players, count * count.saturating_sub(1))?;
    let mut first = round_robin(players)?;
    let second: Vec<Round> = first
        .iter()
        .map(|round| round.iter().map(|(one, two)| (*two, *one)).collect())
        .collect();
    let rounds = first.len();
    if rounds >= 2 {
        first.swap(rounds - 2, rounds - 1);
    }
    first.extend(second);
    Ok(first)
}

/// Each of the first `seeds` players meets every player who is not a seed; seeds do not meet. In each round every seed
/// meets another opponent; the sides alternate.
///
/// # Errors
/// Without a seed or without an opponent, or beyond the bounds.
pub fn gauntlet(players: u32, seeds: u32) -> Result<Vec<Round>, ScheduleError> {
    let opponents = players.saturating_sub(seeds);
    check(players, u64::from(seeds) * u64::from(opponents))?;
    if seeds == 0 || opponents == 0 {
        return Err(ScheduleError::BadSeeds { players, seeds });
    }
    // One side of the table may be longer: the shorter goes along it.
    let length = seeds.max(opponents);
    let rounds = (0..length).map(|round| {
        let games = (0..seeds.min(opponents)).map(|line| {
            let other = (round + line) % length;
            let (seed, opponent) = if opponents >= seeds {
                (line, other)
            } else {
                (other, line)
            };
            let (seed, opponent) = (seed + 1, seeds + opponent + 1);
            if (round + line) % 2 == 0 {
                (seed, opponent)
            } else {
                (opponent, seed)
            }
        });
        games.collect()
    });
    Ok(rounds.collect())
}

/// The first round of a knockout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bracket {
    /// The numbers in the order of the bracket: its places 1 and 2 meet, 3 and 4, …, and the winners of neighbours next.
    /// As many as the next power of two; a number beyond the players is a bye for its neighbour.
    pub slots: Vec<u32>,
    /// The players without an opponent in the first round, ascending: the top seeds.
    pub byes: Vec<u32>,
}

/// The standard bracket: seeds 1 and 2 can meet only in the final, 1 to 4 only from the semi-finals on, and so on.
///
/// # Errors
/// Below 2 players or beyond [`MAX_PLAYERS`].
pub fn knockout_slots(players: u32) -> Result<Bracket, ScheduleError> {
    check(players, 0)?;
    let places = players.next_power_of_two();
    let mut slots = vec![1];
    let mut size = 1;
    while size < places {
        size *= 2;
        slots = slots
            .into_iter()
            .flat_map(|seed| [seed, size + 1 - seed])
            .collect();
    }
    Ok(Bracket {
        slots,
        byes: (1..=places - players).collect(),
    })
}

/// A schedule that is known before the first game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// Everybody meets everybody once.
    RoundRobin,
    /// Everybody meets everybody twice.
    DoubleRoundRobin,
    /// The first so many players meet all the others.
    Gauntlet {
        /// How many seeds there are.
        seeds: u32,
    },
}

impl Schedule {
    /// All rounds.
    ///
    /// # Errors
    /// As the schedule's own function.
    pub fn rounds(self, players: u32) -> Result<Vec<Round>, ScheduleError> {
        match self {
            Self::RoundRobin => round_robin(players),
            Self::DoubleRoundRobin => double_round_robin(players),
            Self::Gauntlet { seeds } => gauntlet(players, seeds),
        }
    }
}

#[cfg(test)]
mod tests;
