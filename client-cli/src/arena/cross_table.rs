//! Who met whom with which result, round by round: the input of the tie-breaks and of the tournament file.

use std::collections::BTreeMap;

use grundy_shared::tournament::{Colour, CrossTable, Entry, HalfPoints};

use super::plan::Plan;
use super::scores::Scores;
use super::settings::Settings;
use super::swiss;

/// What a meeting counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Worth {
    /// The points of its games.
    Games,
    /// 1 to the bot with more of them, 1/2 to each if both have as many.
    Matches,
}

/// The rounds that have begun, and of those, from the first on, in which every meeting is complete. If nothing more is counted, each
/// meeting is as complete as it will be.
fn rounds_of(scores: &Scores) -> (usize, usize) {
    let rounds = scores.encounters.iter();
    let begun = rounds.map(|met| met.encounter.round).max();
    if scores.closed {
        let met = scores.encounters.iter().filter(|met| met.pairs > 0);
        let last = met.map(|met| met.encounter.round).max();
        return (begun.unwrap_or(0) as usize, last.unwrap_or(0) as usize);
    }
    let open = scores.encounters.iter().filter(|met| !met.is_complete());
    let first_open = open.map(|met| met.encounter.round).min();
    let begun = begun.unwrap_or(0) as usize;
    (begun, first_open.map_or(begun, |round| round as usize - 1))
}

/// The cross table by meetings. Points of games count as they come, matches once the round is complete, or as they stand when a test or a
/// fault has ended the arena.
pub(crate) fn of(settings: &Settings, scores: &Scores, plan: &Plan, worth: Worth) -> CrossTable {
    let bots = settings.bots.len();
    let win = match worth {
        Worth::Games => HalfPoints(4 * settings.pairs),
        Worth::Matches => swiss::WIN,
    };
    let (begun, complete) = rounds_of(scores);
    let rounds = match worth {
        Worth::Games => begun,
        Worth::Matches => complete,
    };
    let mut rows = vec![vec![Entry::ZeroBye; rounds]; bots];
    // Extra pairs of a knockout come after the match and belong to it.
    let mut halves_of = BTreeMap::new();
    let met = scores.encounters.iter();
    for met in met.filter(|met| worth == Worth::Games || met.pairs > 0) {
        let sum = halves_of
            .entry((met.encounter.round, met.encounter.bots))
            .or_insert([0; 2]);
        for (sum, halves) in sum.iter_mut().zip(&met.halves) {
            *sum += halves;
        }
    }
    for ((round, bots), halves) in halves_of {
        let Some(round) = (round as usize).checked_sub(1).filter(|at| *at < rounds) else {
            continue;
        };
        let points = match worth {
            Worth::Games => halves.map(|half| HalfPoints(half.min(win.0))),
            Worth::Matches => swiss::match_points(halves),
        };
        for (side, colour) in [(0, Colour::White), (1, Colour::Black)] {
            rows[bots[side]][round] = Entry::Played {
                opponent: bots[1 - side] as u32 + 1,
                colour,
                score: points[side],
            };
        }
    }
    for (round, bye) in plan.byes().iter().enumerate().take(rounds) {
        if let Some(bye) = bye {
            rows[*bye][round] = Entry::PairingBye;
        }
    }
    CrossTable::from_rows(rows, win)
        .expect("a plan lets two bots meet once a round, for no more than a win is worth")
}
