//! The staircase: stones are moved one step down; only those on steps 1, 3, 5, … count.
//!
//! A move from an even step can be answered by moving the same stones on (R. Sprague, *Unterhaltsame Mathematik*, 1961), so the odd
//! steps are heaps of Nim, with moves that can be undone. Their xor is the Grundy value: a move from an odd step makes a heap smaller, and one from an even
//! step makes the heap below larger, by an amount that the opponent can take away at once.
//!
//! *Misère play* of a staircase, alone or beside tame parts: its odd steps count as so many heaps, see [`Tally`]. From a lost position a move from an odd step is a move of misère Nim;
//! one from an even step makes one heap larger, which leaves an xor that is not 0 and a heap above 1, or turns a heap of 0 into 1 and with it the xor from 1 to 0:
//! not lost. From a position that is not lost a move of misère Nim leads to a lost one; where the odd steps are empty and an even one is not, one
//! stone from there does; and where all are empty, the player to move has won.

use crate::theory::{Goal, Tally};

/// The odd steps: numbers 1, 3, 5, …, which have even indices.
#[must_use]
pub fn odd(steps: &[u64]) -> Tally {
    steps.iter().step_by(2).copied().collect()
}

/// The Grundy value in normal play. O(steps).
#[must_use]
pub fn value(steps: &[u64]) -> u64 {
    odd(steps).xor
}

/// Whether the player to move loses, nothing else being on the board. O(steps).
#[must_use]
pub fn is_lost(steps: &[u64], misere: bool) -> bool {
    odd(steps).is_lost(misere)
}

/// The moves that reach a goal, as index of the step and number of stones: one from each step at most. O(steps).
pub fn replies(steps: &[u64], goal: Goal) -> impl Iterator<Item = (usize, u64)> {
    let tally = odd(steps);
    let wanted = move |heap: u64| match goal {
        Goal::Value(value) => tally.xor ^ heap ^ value,
        Goal::MisereLoss(beside) => tally.without(heap).with(beside).wanted(true),
    };
    steps.iter().enumerate().filter_map(move |(index, stones)| {
        let moved = match index % 2 {
            0 => stones.checked_sub(wanted(*stones))?,
            _ => wanted(steps[index - 1]).checked_sub(steps[index - 1])?,
        };
        (1..=*stones).contains(&moved).then_some((index, moved))
    })
}
