//! Starts from which both players are about equally likely to win.

use super::chance::Chance;
use super::player::Player;
use super::table::{NotComputed, Table};
use crate::position::Position;

/// The most starts that are compared.
pub const MAX_STARTS: usize = 20_000;
/// The most heaps of a start.
const MAX_HEAPS: usize = 8;

/// Starts of one game whose positions are lists of heaps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Family {
    /// The name of the game with its parameters, such as `nim` or `sub.1.3.4`.
    pub game: String,
    /// The fewest and the most heaps.
    pub heaps: [usize; 2],
    /// The size of the largest heap.
    pub max: u64,
    /// Whether the last move loses.
    pub misere: bool,
}

/// Why a family has no starts: what is wrong, and what is right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct BadFamily {
    /// What is wrong.
    pub why: String,
    /// What to do.
    pub hint: String,
}

impl Family {
    /// Every start: the heaps in ascending order, fewer heaps first. O(starts).
    ///
    /// # Errors
    /// The bounds are not in order or too wide, or the game's positions are not lists of heaps.
    pub fn starts(&self) -> Result<Vec<Position>, BadFamily> {
        let refuse = |why: String, hint: &str| BadFamily {
            why,
            hint: hint.to_owned(),
        };
        let [fewest, most] = self.heaps;
        if fewest == 0 || fewest > most || most > MAX_HEAPS || self.max == 0 {
            let why = format!(
                "{fewest} to {most} heaps of at most {} are not possible",
                self.max
            );
            let hint = format!("such as --heaps 2-4 --max 7; at most {MAX_HEAPS} heaps");
            return Err(refuse(why, &hint));
        }
        let mut starts = Vec::new();
        for count in fewest..=most {
            let mut heaps = vec![1; count];
            loop {
                if starts.len() == MAX_STARTS {
                    let why = format!("these are more than {MAX_STARTS} starts");
                    return Err(refuse(why, "ask for fewer or smaller heaps"));
                }
                starts.push(self.start(&heaps)?);
                if !self.next(&mut heaps) {
                    break;
                }
            }
        }
        Ok(starts)
    }

    /// The next list of the same length in ascending order; `false` after the last.
    fn next(&self, heaps: &mut [u64]) -> bool {
        let Some(place) = heaps.iter().rposition(|heap| *heap < self.max) else {
            return false;
        };
        let size = heaps[place] + 1;
        heaps[place..].fill(size);
        true
    }

    fn start(&self, heaps: &[u64]) -> Result<Position, BadFamily> {
        let list: Vec<String> = heaps.iter().map(ToString::to_string).collect();
        let end = if self.misere { "@misere" } else { "" };
        let text = format!("{}:{}{end}", self.game, list.join(","));
        Position::parse(&text).map_err(|error| BadFamily {
            why: format!("'{text}' is not a position: {}", error.message),
            hint: "a family is a game whose positions are lists of heaps, such as nim, kayles or sub.1.3.4".to_owned(),
        })
    }
}

/// A start with its odds.
#[derive(Clone, PartialEq, Debug)]
pub struct Even {
    /// The start.
    pub start: Position,
    /// Which of the two players moves first: 0 or 1.
    pub first: usize,
    /// That the one who moves first wins.
    pub first_wins: Chance,
}

impl Even {
    /// How far from even it is: 0 to 0.5.
    #[must_use]
    pub fn distance(&self) -> f64 {
        (self.first_wins.value - 0.5).abs()
    }
}

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Fair {
    /// How many starts were compared, each with either player to move first.
    pub compared: usize,
    /// All of them, the most even first, then in the order of [`Family::starts`].
    pub starts: Vec<Even>,
}

impl Fair {
    /// The odds of every start, with either player to move first. O(positions + moves) of all of them together.
    ///
    /// # Errors
    /// As [`Table::first_wins`].
    pub fn of(starts: Vec<Position>, players: [Player; 2]) -> Result<Self, NotComputed> {
        let [one, two] = players;
        let mut tables = vec![Table::new(one, two)];
        // Equal players make no difference.
        if one != two {
            tables.push(Table::new(two, one));
        }
        let compared = starts.len();
        let mut even = Vec::with_capacity(compared * tables.len());
        for start in starts {
            for (first, table) in tables.iter_mut().enumerate() {
                let first_wins = table.first_wins(&start)?;
                let start = start.clone();
                even.push(Even {
                    start,
                    first,
                    first_wins,
                });
            }
        }
        // The sort is stable.
        even.sort_by(|one, two| one.distance().total_cmp(&two.distance()));
        Ok(Self {
            compared,
            starts: even,
        })
    }
}
