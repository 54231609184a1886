//! The odds of a position and of all positions that can be reached from it.

use std::collections::hash_map::Entry;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::chance::Chance;
use super::player::{Player, Way};
use crate::game::Kind;
use crate::ids::Seat;
use crate::position::Position;

/// The most positions of a table, each once for each player to move.
pub const MAX_POSITIONS: usize = 500_000;
/// The most moves of all positions of a table together.
pub const MAX_MOVES: usize = 20_000_000;

/// Why there are no odds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotComputed {
    /// Too many positions or moves.
    #[error(
        "more positions or moves can be reached than odds are computed for ({MAX_POSITIONS} and {MAX_MOVES})"
    )]
    TooLarge,
    /// Play may go on for ever.
    #[error("odds are computed only where every line of play ends")]
    Endless,
}

/// The odds of positions between two players, the first of whom plays the seat `First`. It remembers what it has computed, so
/// that positions with common successors cost little.
#[derive(Debug)]
pub struct Table {
    players: [Player; 2],
    /// The number of each position with the player to move.
    numbers: FxHashMap<(Position, Seat), u32>,
    states: Vec<State>,
    /// Where the moves lead, one entry a move; those of a state side by side.
    moves: Vec<u32>,
}

/// A position with a player to move.
#[derive(Debug)]
struct State {
    position: Position,
    seat: Seat,
    /// Where its moves begin and end; empty until it is explored.
    moves: Range<usize>,
    odds: Option<Odds>,
}

/// What is known of a position with a player to move.
#[derive(Clone, Copy, Debug)]
struct Odds {
    /// Whether the player to move can force a win.
    is_won: bool,
    /// That the seat `First` wins.
    first_wins: Chance,
}

impl Table {
    /// Nothing computed yet.
    #[must_use]
    pub fn new(first: Player, second: Player) -> Self {
        Self {
            players: [first, second],
            numbers: FxHashMap::default(),
            states: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// How many positions were computed, each once for each player to move.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.states.len()
    }

    /// The chance of the seat `First` to win from here if it moves first. O(positions + moves) that were not computed before.
    ///
    /// # Errors
    /// The position cannot be computed within [`MAX_POSITIONS`] and [`MAX_MOVES`], which hold for the whole table, or play may
    /// go on for ever. After an error nothing more can be computed.
    pub fn first_wins(&mut self, start: &Position) -> Result<Chance, NotComputed> {
        if start.kind() == Kind::Loopy {
            return Err(NotComputed::Endless);
        }
        let mut explored = self.states.len();
        let root = self.number(start.clone(), Seat::First)?;
        while explored < self.states.len() {
            self.explore(explored)?;
            explored += 1;
        }
        Ok(self.evaluate(root).first_wins)
    }

    /// The number of a position, a new one where it was not met before.
    fn number(&mut self, position: Position, seat: Seat) -> Result<u32, NotComputed> {
        let next = self.states.len();
        let entry = self.numbers.entry((position, seat));
        if let Entry::Occupied(known) = &entry {
            return Ok(*known.get());
        }
        if next == MAX_POSITIONS {
            return Err(NotComputed::TooLarge);
        }
        self.states.push(State {
            position: entry.key().0.clone(),
            seat,
            moves: 0..0,
            odds: None,
        });
        Ok(*entry.or_insert(next as u32))
    }

    fn explore(&mut self, state: usize) -> Result<(), NotComputed> {
        let State { position, seat, .. } = &self.states[state];
        let (position, seat) = (position.clone(), *seat);
        let from = self.moves.len();
        for mv in position.moves(seat) {
            if self.moves.len() == MAX_MOVES {
                return Err(NotComputed::TooLarge);
            }
            let after = self.number(position.play(&mv), seat.other())?;
            self.moves.push(after);
        }
        self.states[state].moves = from..self.moves.len();
        Ok(())
    }

    /// The odds of a state, after those of all that can be reached from it: depth first, with a stack of its own, as plays can be long.
    fn evaluate(&mut self, root: u32) -> Odds {
        // A state, and how many of its moves were followed.
        let mut open = vec![(root as usize, 0)];
        while let Some((state, followed)) = open.last_mut() {
            let moves = &self.moves[self.states[*state].moves.clone()];
            if self.states[*state].odds.is_none()
                && let Some(next) = moves.get(*followed)
            {
                *followed += 1;
                open.push((*next as usize, 0));
                continue;
            }
            let state = *state;
            open.pop();
            if self.states[state].odds.is_none() {
                let options: Vec<Odds> = moves
                    .iter()
                    .filter_map(|option| self.states[*option as usize].odds)
                    .collect();
                let State { position, seat, .. } = &self.states[state];
                self.states[state].odds = Some(self.combine(position, *seat, &options));
            }
        }
        self.states[root as usize]
            .odds
            .expect("the last that is evaluated")
    }

    /// The odds of a position from those of its options.
    fn combine(&self, position: &Position, seat: Seat, options: &[Odds]) -> Odds {
        if options.is_empty() {
            let winner = position.end_rule().winner(seat);
            return Odds {
                is_won: winner == seat,
                first_wins: match winner {
                    Seat::First => Chance::ALWAYS,
                    Seat::Second => Chance::NEVER,
                },
            };
        }
        let player = match seat {
            Seat::First => self.players[0],
            Seat::Second => self.players[1],
        };
        // A move wins that leaves the other player a lost position.
        let (winning, losing): (Vec<Odds>, Vec<Odds>) =
            options.iter().copied().partition(|option| !option.is_won);
        let first_wins = match player.0 {
            Way::Best if seat == Seat::First => Chance::greatest(&chances(options)),
            Way::Best => {
                let mine: Vec<Chance> = chances(options).into_iter().map(Chance::rest).collect();
                Chance::greatest(&mine).rest()
            }
            _ if winning.is_empty() || losing.is_empty() => Chance::mean(&chances(options)),
            Way::Finds(skill) => skill.choose(
                Chance::mean(&chances(&winning)),
                Chance::mean(&chances(options)),
            ),
            Way::Keeps(skill) => skill.choose(
                Chance::mean(&chances(&winning)),
                Chance::mean(&chances(&losing)),
            ),
        };
        Odds {
            is_won: !winning.is_empty(),
            first_wins,
        }
    }
}

fn chances(options: &[Odds]) -> Vec<Chance> {
    options.iter().map(|odds| odds.first_wins).collect()
}
