//! The order of players: points, then tie-breaks of FIDE's C.07 in the order that the organiser states.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::cross_table::{CrossTable, HalfPoints};
use super::tie_break::{self, Exact, TieBreakRules};

/// A tie-break, by FIDE's acronym.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TieBreak {
    /// Points.
    Points,
    /// Direct encounter.
    DirectEncounter,
    /// Buchholz: the points of all opponents.
    Buchholz,
    /// Buchholz without the lowest opponent.
    BuchholzCut1,
    /// Buchholz without the lowest and the highest opponent.
    BuchholzMedian1,
    /// Sonneborn-Berger: each opponent's points times the points scored against that opponent.
    SonnebornBerger,
    /// Rounds that brought a win's points, played or not.
    Wins,
    /// Games won over the board.
    GamesWon,
    /// The sum of the points after each round.
    Progressive,
    /// Koya: points against players with at least half of the possible points.
    Koya,
}

impl TieBreak {
    /// Every one, with its acronym.
    pub const ALL: [(Self, &'static str); 10] = [
        (Self::Points, "PTS"),
        (Self::DirectEncounter, "DE"),
        (Self::Buchholz, "BH"),
        (Self::BuchholzCut1, "BH-C1"),
        (Self::BuchholzMedian1, "BH-M1"),
        (Self::SonnebornBerger, "SB"),
        (Self::Wins, "WIN"),
        (Self::GamesWon, "WON"),
        (Self::Progressive, "PS"),
        (Self::Koya, "KS"),
    ];

    /// The order that serves a round robin best.
    pub const ROUND_ROBIN: [Self; 4] = [
        Self::Points,
        Self::DirectEncounter,
        Self::SonnebornBerger,
        Self::Wins,
    ];

    /// The order that serves a Swiss tournament best.
    pub const SWISS: [Self; 5] = [
        Self::Points,
        Self::DirectEncounter,
        Self::BuchholzCut1,
        Self::Buchholz,
        Self::SonnebornBerger,
    ];

    /// FIDE's acronym.
    #[must_use]
    pub fn acronym(self) -> &'static str {
        let found = Self::ALL.iter().find(|(tie_break, _)| *tie_break == self);
        found.map_or("", |(_, acronym)| acronym)
    }
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.acronym())
    }
}

/// An acronym that names no tie-break known here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a tie-break; known are PTS, DE, BH, BH-C1, BH-M1, SB, WIN, WON, PS, KS")]
pub struct UnknownTieBreak(pub String);

impl FromStr for TieBreak {
    type Err = UnknownTieBreak;

    /// Reads an acronym in either case; `BH/C1` is `BH-C1`.
    fn from_str(text: &str) -> Result<Self, UnknownTieBreak> {
        let plain = text.trim().to_ascii_uppercase().replace('/', "-");
        Self::ALL
            .iter()
            .find(|(_, acronym)| *acronym == plain)
            .map(|(tie_break, _)| *tie_break)
            .ok_or_else(|| UnknownTieBreak(text.trim().to_owned()))
    }
}

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

/// The players of a group by their values, highest first; equal ones stay together in the order of their numbers.
pub(super) fn split(group: &[u32], values: &BTreeMap<u32, Exact>) -> Vec<Vec<u32>> {
    let value = |player: &u32| values.get(player).copied().unwrap_or_default();
    let mut sorted = group.to_vec();
    sorted.sort_by(|one, two| value(two).cmp(&value(one)).then(one.cmp(two)));
    sorted
        .chunk_by(|one, two| value(one) == value(two))
        .map(<[u32]>::to_vec)
        .collect()
}

/// The points as an exact value.
pub(super) fn exact(points: HalfPoints) -> Exact {
    Exact::new(i64::from(points.0), 2)
}

#[cfg(test)]
mod tests;
