//! The order of players: points, then tie-breaks of FIDE's C.07 in the order that the organiser states.

use std::collections::BTreeMap;

use super::cross_table::CrossTable;
use super::tie_break::{self, Exact, TieBreak, TieBreakRules, split};

/// One player in the standings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The player's number.
    pub player: u32,
    /// The place, from 1; players whom no tie-break separates share one.
    pub rank: u32,
    /// The value of each tie-break, in the order stated. Points among the players still tied for direct encounter, 0 for
    /// a player who is not tied.
    pub values: Vec<Exact>,
}

/// The standings by these tie-breaks, best first; players who share a rank are in the order of their numbers.
///
/// Cost: the number of players times rounds, and its square for direct encounters.
#[must_use]
pub fn standings(
    table: &CrossTable,
    tie_breaks: &[TieBreak],
    rules: TieBreakRules,
) -> Vec<Standing> {
    let mut groups: Vec<Vec<u32>> = vec![table.numbers().collect()];
    groups.retain(|group| !group.is_empty());
    let mut values: BTreeMap<u32, Vec<Exact>> = BTreeMap::new();
    for tie_break in tie_breaks {
        let mut refined = Vec::new();
        for group in &groups {
            let scores: BTreeMap<u32, Exact> = match tie_break {
                TieBreak::DirectEncounter => {
                    let (order, scores) = tie_break::direct_encounter(table, group, rules);
                    refined.extend(order);
                    scores
                }
                _ => {
                    let scores: BTreeMap<u32, Exact> = group
                        .iter()
                        .map(|player| {
                            (*player, tie_break::value(table, *tie_break, *player, rules))
                        })
                        .collect();
                    refined.extend(split(group, &scores));
                    scores
                }
            };
            for (player, score) in scores {
                values.entry(player).or_default().push(score);
            }
        }
        groups = refined;
    }
    let mut rank = 1;
    let mut rows = Vec::new();
    for group in groups {
        let size = group.len() as u32;
        rows.extend(group.into_iter().map(|player| Standing {
            player,
            rank,
            values: values.remove(&player).unwrap_or_default(),
        }));
        rank += size;
    }
    rows
}

#[cfg(test)]
mod published;
#[cfg(test)]
mod tests;
