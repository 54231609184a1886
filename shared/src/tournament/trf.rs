//! FIDE's tournament report file, TRF-16, with the extensions `XXR`, `XXC`, `XXZ` and `XXP` of pairing programs.
//!
//! A `001` line is one player; its columns, counted from 1: 5-8 number, 10 sex, 11-13 title, 15-47 name, 49-52 rating,
//! 54-56 federation, 58-68 FIDE number, 70-79 birth, 81-84 points, 86-89 rank, and from 92 on ten columns a round:
//! opponent (four), colour, result. Other lines begin with a code of three characters and are kept as they are.

mod reading;
mod writing;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::cross_table::{Colour, CrossTable, Entry, HalfPoints, TableError};
use super::swiss::SwissRules;

/// What a game is worth in a report, in half points.
const WIN: HalfPoints = HalfPoints(2);

/// A player's line without the results.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TrfPlayer {
    /// `m`, `w` or blank.
    pub sex: String,
    /// `GM`, `IM`, …
    pub title: String,
    /// At most 33 characters.
    pub name: String,
    /// FIDE's rating, 0 if there is none.
    pub rating: u32,
    /// Three letters.
    pub federation: String,
    /// FIDE's number of the player.
    pub fide_number: String,
    /// The date of birth.
    pub birth: String,
    /// The place in the standings, if the file states it.
    pub rank: Option<u32>,
}

/// A tournament report: players, finished rounds, and what is known of the next one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trf {
    /// All other lines, in their order: code and the rest of the line.
    pub headers: Vec<(String, String)>,
    /// The players by number, from 1.
    pub players: Vec<TrfPlayer>,
    /// The finished rounds.
    pub table: CrossTable,
    /// Byes already given for the next round.
    pub next_byes: BTreeMap<u32, Entry>,
    /// `XXR`: how many rounds the tournament has.
    pub total_rounds: Option<usize>,
    /// `XXC white1` or `black1`: the first player's colour in the first round.
    pub initial_colour: Option<Colour>,
    /// `XXZ`: who does not play in the next round.
    pub absent: BTreeSet<u32>,
    /// `XXP`: who must not meet, the smaller number first.
    pub forbidden: BTreeSet<(u32, u32)>,
}

/// A line that cannot be read: where, and what is expected there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}{}: {problem}", Column(*column))]
pub struct TrfError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, if one is at fault.
    pub column: Option<usize>,
    /// What is wrong there.
    pub problem: TrfProblem,
}

struct Column(Option<usize>);

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(column) => write!(f, ", column {column}"),
            None => Ok(()),
        }
    }
}

/// What can be wrong in a report.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its variant is")]
pub enum TrfProblem {
    #[error("the file has no player (no line that begins with 001)")]
    NoPlayers,
    #[error("a player's line needs at least 84 columns, this one has {0}")]
    ShortLine(usize),
    #[error(
        "the entry of round {0} is cut off: it needs opponent, colour and result, such as '   4 w 1'"
    )]
    CutEntry(usize),
    #[error("'{found}' is not {expected}")]
    BadField {
        found: String,
        expected: &'static str,
    },
    #[error("this column must be blank: the line is out of step")]
    NotBlank,
    #[error("a player's number has at most four digits, so a file has at most 9,999 players")]
    LongNumber,
    #[error("two players have the number {0}")]
    RepeatedNumber(u32),
    #[error("no player has the number {0}; the numbers must be 1 to the number of players")]
    MissingNumber(u32),
    #[error("player {player} has {stated} points here, but {counted} by the results")]
    WrongPoints {
        player: u32,
        stated: HalfPoints,
        counted: HalfPoints,
    },
    #[error("{0}")]
    Table(TableError),
    #[error("the file has {played} finished rounds, but the tournament only {total}")]
    TooManyRounds { played: usize, total: usize },
    #[error("'{stated}' contradicts '{other}' in line {line}: keep one of the two")]
    Contradiction {
        stated: String,
        other: String,
        line: usize,
    },
    #[error("{0} lines are not supported: {1}")]
    Unsupported(String, &'static str),
    #[error("there is no player {0}")]
    NoSuchPlayer(u32),
}

impl Trf {
    /// What the Dutch system needs to pair the next round; `None` if the file does not say how many rounds there are. A
    /// colour that is neither stated nor shown by the first round is White.
    #[must_use]
    pub fn swiss_rules(&self) -> Option<SwissRules> {
        let mut rules = SwissRules::new(self.total_rounds?);
        rules.initial_colour = self
            .initial_colour
            .or_else(|| self.drawn_colour())
            .unwrap_or(Colour::White);
        rules.absent = self.absent.clone();
        rules.absent.extend(self.next_byes.keys());
        rules.forbidden = self.forbidden.clone();
        Some(rules)
    }

    /// The initial colour that the first round with a colour shows: that of its first player, or the opposite of the
    /// second's, and so on, counting those who took part by then.
    fn drawn_colour(&self) -> Option<Colour> {
        let colour = |entry: &Entry| match entry {
            Entry::Played { colour, .. } => Some(*colour),
            Entry::Forfeit { colour, .. } => *colour,
            _ => None,
        };
        let rounds = 0..self.table.rounds();
        let rows = || self.table.numbers().map(|number| self.table.row(number));
        let first = rounds
            .into_iter()
            .find(|round| rows().any(|row| row.get(*round).and_then(colour).is_some()))?;
        let took_part = rows().filter(|row| row[..=first].iter().any(|entry| entry.is_paired()));
        took_part
            .enumerate()
            .find_map(|(place, row)| Some((place, colour(&row[first])?)))
            .map(|(place, colour)| {
                if place % 2 == 0 {
                    colour
                } else {
                    colour.other()
                }
            })
    }
}

#[cfg(test)]
mod tests;
