//! FIDE's tie-breaks, C.07: their definitions, with unplayed rounds by article 16.
//!
//! No virtual opponent: a player's own unplayed round counts as a game against a dummy with the player's own points, and
//! an opponent's byes at the end count as draws.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cross_table::{CrossTable, Entry, HalfPoints};

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

/// An exact fraction.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    numerator: i64,
    denominator: i64,
}

impl Exact {
    pub(super) fn new(numerator: i64, denominator: i64) -> Self {
        Self {
            numerator,
            denominator,
        }
    }

    /// The nearest number; halves and quarters are exact.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    fn plus(self, other: Self) -> Self {
        Self::new(
            self.numerator * other.denominator + other.numerator * self.denominator,
            self.denominator * other.denominator,
        )
        .reduced()
    }

    fn reduced(self) -> Self {
        let (mut a, mut b) = (self.numerator.abs(), self.denominator);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Self::new(self.numerator / a.max(1), self.denominator / a.max(1))
    }
}

impl Default for Exact {
    fn default() -> Self {
        Self::new(0, 1)
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Exact {}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = i128::from(self.numerator) * i128::from(other.denominator);
        left.cmp(&(i128::from(other.numerator) * i128::from(self.denominator)))
    }
}

/// Which text of C.07 holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub enum Edition {
    /// In force from 1 August 2024: the dummy has the player's own points.
    #[serde(rename = "2024")]
    August2024,
    /// In force from 1 March 2026: the dummy has at most the scheduled opponent's points, or those of a draw in every
    /// round (16.4.1, 16.4.2).
    #[default]
    #[serde(rename = "2026")]
    March2026,
}

impl Edition {
    /// The text of a tournament whose log names none: only that of 2024 was known when such logs were written.
    #[must_use]
    pub fn unnamed() -> Self {
        Self::August2024
    }

    /// Whether a log need not name it.
    #[must_use]
    pub fn is_unnamed(&self) -> bool {
        *self == Self::unnamed()
    }
}

/// How the tie-breaks read a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TieBreakRules {
    /// Which text holds.
    pub edition: Edition,
    /// Whether the pairings were known beforehand, as in a round robin: forfeits then count as games (15.2).
    pub predetermined: bool,
}

/// The value of one tie-break for one player; for [`TieBreak::DirectEncounter`], which belongs to a group, 0.
pub(super) fn value(
    table: &CrossTable,
    tie_break: TieBreak,
    player: u32,
    rules: TieBreakRules,
) -> Exact {
    let row = table.row(player);
    let count = |holds: &dyn Fn(&Entry) -> bool| {
        Exact::new(row.iter().filter(|entry| holds(entry)).count() as i64, 1)
    };
    let win = table.win();
    match tie_break {
        TieBreak::Points => exact(table.points(player)),
        TieBreak::DirectEncounter => Exact::default(),
        TieBreak::Buchholz => total(&buchholz_terms(table, player, rules), 0, 0),
        TieBreak::BuchholzCut1 => total(&buchholz_terms(table, player, rules), 1, 0),
        TieBreak::BuchholzMedian1 => total(&buchholz_terms(table, player, rules), 1, 1),
        TieBreak::SonnebornBerger => sonneborn_berger(table, player, rules),
        TieBreak::Wins => count(&|entry| entry.points(win) == win),
        TieBreak::GamesWon => {
            count(&|entry| matches!(entry, Entry::Played { score, .. } if *score == win))
        }
        TieBreak::Progressive => {
            let after = (1..=table.rounds()).map(|rounds| table.points_after(player, rounds).0);
            exact(HalfPoints(after.sum()))
        }
        TieBreak::Koya => koya(table, player),
    }
}

/// The opponent's points that one round contributes, and whether it was voluntarily unplayed.
struct Term {
    points: HalfPoints,
    voluntary: bool,
}

/// One term for each round that counts.
fn buchholz_terms(table: &CrossTable, player: u32, rules: TieBreakRules) -> Vec<Term> {
    let row = table.row(player).iter();
    row.filter(|entry| counts(**entry, rules))
        .map(|entry| Term {
            points: opponents_points(table, player, *entry, rules),
            voluntary: entry.is_voluntarily_unplayed(),
        })
        .collect()
}

/// Whether a round counts at all: where the pairings are known beforehand, a bye is no round of the player's.
fn counts(entry: Entry, rules: TieBreakRules) -> bool {
    !rules.predetermined || entry.opponent().is_some()
}

/// The points of the opponent of one round: real, or the dummy's (16.4).
fn opponents_points(
    table: &CrossTable,
    player: u32,
    entry: Entry,
    rules: TieBreakRules,
) -> HalfPoints {
    let own = table.points(player);
    match entry {
        Entry::Played { opponent, .. } => adjusted_points(table, opponent, rules),
        Entry::Forfeit { opponent, .. } if rules.predetermined => {
            adjusted_points(table, opponent, rules)
        }
        _ if rules.edition == Edition::August2024 => own,
        Entry::Forfeit { opponent, .. } => own.min(adjusted_points(table, opponent, rules)),
        _ => own.min(HalfPoints(table.win().0 / 2 * table.rounds() as u32)),
    }
}

/// A player's points as the opponents' tie-breaks see them: requested byes after which only voluntarily unplayed rounds
/// follow count as draws (16.2.5, 16.3.2).
fn adjusted_points(table: &CrossTable, player: u32, rules: TieBreakRules) -> HalfPoints {
    let row = table.row(player);
    if rules.predetermined {
        return table.points(player);
    }
    let at_the_end = row
        .iter()
        .rev()
        .take_while(|entry| entry.is_voluntarily_unplayed())
        .count();
    let win = table.win();
    let points = row.iter().enumerate().map(|(round, entry)| {
        if round >= row.len() - at_the_end && entry.is_requested_bye() {
            win.0 / 2
        } else {
            entry.points(win).0
        }
    });
    HalfPoints(points.sum())
}

/// The sum without the lowest and the highest terms, cut in that order. The lowest term of a voluntarily unplayed round is
/// cut before any other (16.5).
fn total(terms: &[Term], lowest: usize, highest: usize) -> Exact {
    let mut left: Vec<&Term> = terms.iter().collect();
    for _ in 0..lowest {
        let cut =
            (0..left.len()).min_by_key(|place| (!left[*place].voluntary, left[*place].points));
        if let Some(cut) = cut {
            left.remove(cut);
        }
    }
    for _ in 0..highest {
        if let Some(cut) = (0..left.len()).max_by_key(|place| left[*place].points) {
            left.remove(cut);
        }
    }
    exact(HalfPoints(left.iter().map(|term| term.points.0).sum()))
}

fn sonneborn_berger(table: &CrossTable, player: u32, rules: TieBreakRules) -> Exact {
    let row = table.row(player).iter();
    let products = row.filter(|entry| counts(**entry, rules)).map(|entry| {
        let scored = entry.points(table.win());
        let opponent = opponents_points(table, player, *entry, rules);
        i64::from(scored.0) * i64::from(opponent.0)
    });
    Exact::new(products.sum(), 4)
}

/// The points against players with at least half of the points that the tournament made possible (9.2). A round in which
/// a player was only absent was possible for nobody if it was so for all: a round robin of an odd number has such.
fn koya(table: &CrossTable, player: u32) -> Exact {
    let scored_rounds = |player: u32| {
        let row = table.row(player).iter();
        row.filter(|entry| **entry != Entry::ZeroBye).count() as u32
    };
    let possible = table.numbers().map(scored_rounds).max().unwrap_or(0) * table.win().0;
    let points = table
        .row(player)
        .iter()
        .map(|entry| match entry.opponent() {
            Some(opponent) if table.points(opponent).0 * 2 >= possible => {
                entry.points(table.win()).0
            }
            _ => 0,
        });
    exact(HalfPoints(points.sum()))
}

/// The group in the order of its direct encounters (article 6), and each player's points in them.
///
/// If all met, their mutual games rank them, and again those still tied. If not, a player who is alone on top whatever
/// the missing games bring is ranked first, and so on; the rule is applied again to those who remain (6.3).
pub(super) fn direct_encounter(
    table: &CrossTable,
    group: &[u32],
    rules: TieBreakRules,
) -> (Vec<Vec<u32>>, BTreeMap<u32, Exact>) {
    let encounters = Encounters::of(table, group, rules);
    let order = match encounters.order(table.win()) {
        order if order.len() > 1 => order
            .into_iter()
            .flat_map(|part| direct_encounter(table, &part, rules).0)
            .collect(),
        order => order,
    };
    (order, encounters.points)
}

/// The mutual games of a group.
struct Encounters {
    players: Vec<u32>,
    points: BTreeMap<u32, Exact>,
    /// How many of the others each player has not met.
    missing: BTreeMap<u32, i64>,
}

impl Encounters {
    fn of(table: &CrossTable, group: &[u32], rules: TieBreakRules) -> Self {
        let mut points = BTreeMap::new();
        let mut missing = BTreeMap::new();
        for player in group {
            // Against each opponent the mean of all games (6.1.2).
            let mut met: BTreeMap<u32, (i64, i64)> = BTreeMap::new();
            for entry in table.row(*player) {
                let opponent = if rules.predetermined {
                    entry.opponent()
                } else {
                    entry.met()
                };
                if let Some(opponent) = opponent.filter(|opponent| group.contains(opponent)) {
                    let games = met.entry(opponent).or_default();
                    games.0 += i64::from(entry.points(table.win()).0);
                    games.1 += 1;
                }
            }
            let means = met.values().map(|(sum, games)| Exact::new(*sum, 2 * games));
            points.insert(*player, means.fold(Exact::default(), Exact::plus));
            missing.insert(*player, group.len() as i64 - 1 - met.len() as i64);
        }
        Self {
            players: group.to_vec(),
            points,
            missing,
        }
    }

    /// The parts of the group that the encounters separate, best first.
    fn order(&self, win: HalfPoints) -> Vec<Vec<u32>> {
        if self.missing.values().all(|missing| *missing == 0) {
            return split(&self.players, &self.points);
        }
        let worst = |player: &u32| self.points[player];
        let best = |player: &u32| {
            let gain = Exact::new(self.missing[player] * i64::from(win.0), 2);
            self.points[player].plus(gain)
        };
        let mut rest = self.players.clone();
        let mut order = Vec::new();
        while let Some(place) = (0..rest.len()).find(|place| {
            let rivals = rest.iter().enumerate().filter(|(other, _)| other != place);
            rest.len() > 1
                && rivals
                    .map(|(_, rival)| best(rival))
                    .all(|best| best < worst(&rest[*place]))
        }) {
            order.push(vec![rest.remove(place)]);
        }
        order.push(rest);
        order
    }
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
fn exact(points: HalfPoints) -> Exact {
    Exact::new(i64::from(points.0), 2)
}
