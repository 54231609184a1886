//! What happened in a tournament, round by round: the input of pairings, standings and the tournament file.

use std::collections::BTreeMap;
use std::fmt;

/// Points in halves, so that sums are exact: a won game is 2, a drawn one 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct HalfPoints(pub u32);

impl HalfPoints {
    /// In points.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 2.0
    }
}

impl fmt::Display for HalfPoints {
    /// With one decimal, such as `2.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{}", self.0 / 2, self.0 % 2 * 5))
    }
}

/// The side that a player had: White moves first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Colour {
    /// Moved first.
    White,
    /// Moved second.
    Black,
}

impl Colour {
    /// The opponent's.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// What one player had in one round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Entry {
    /// A game (or a pair of games) that was played.
    Played {
        /// The opponent's number.
        opponent: u32,
        /// The player's side (of a pair: in its first game).
        colour: Colour,
        /// What the player scored: from 0 to the table's value of a win.
        score: HalfPoints,
    },
    /// A pairing that was not played: one player, or both, did not appear.
    Forfeit {
        /// The scheduled opponent's number.
        opponent: u32,
        /// The side that the player would have had, if it was recorded.
        colour: Option<Colour>,
        /// Whether the player got the point.
        won: bool,
    },
    /// The pairing-allocated bye: no opponent was left. It is worth a win.
    PairingBye,
    /// A bye worth a win that the pairing did not allocate.
    FullBye,
    /// A requested bye worth a draw.
    HalfBye,
    /// A requested bye worth nothing; absence and withdrawal, too.
    ZeroBye,
}

impl Entry {
    /// The points it brought, where a win is worth `win`.
    #[must_use]
    pub fn points(self, win: HalfPoints) -> HalfPoints {
        match self {
            Self::Played { score, .. } => score,
            Self::Forfeit { won: true, .. } | Self::PairingBye | Self::FullBye => win,
            Self::HalfBye => HalfPoints(win.0 / 2),
            Self::Forfeit { won: false, .. } | Self::ZeroBye => HalfPoints(0),
        }
    }

    /// The scheduled opponent.
    #[must_use]
    pub fn opponent(self) -> Option<u32> {
        match self {
            Self::Played { opponent, .. } | Self::Forfeit { opponent, .. } => Some(opponent),
            _ => None,
        }
    }

    /// The opponent of a game that was played.
    #[must_use]
    pub fn met(self) -> Option<u32> {
        match self {
            Self::Played { opponent, .. } => Some(opponent),
            _ => None,
        }
    }

    /// The colour of a game that was played.
    #[must_use]
    pub fn played_colour(self) -> Option<Colour> {
        match self {
            Self::Played { colour, .. } => Some(colour),
            _ => None,
        }
    }

    /// Whether the player took part in the pairing of the round.
    #[must_use]
    pub fn is_paired(self) -> bool {
        matches!(
            self,
            Self::Played { .. } | Self::Forfeit { .. } | Self::PairingBye
        )
    }

    /// A half-point or zero-point bye (C.07, 16.1.1).
    #[must_use]
    pub fn is_requested_bye(self) -> bool {
        matches!(self, Self::HalfBye | Self::ZeroBye)
    }

    /// A requested bye or a lost forfeit (C.07, 16.1.2).
    #[must_use]
    pub fn is_voluntarily_unplayed(self) -> bool {
        self.is_requested_bye() || matches!(self, Self::Forfeit { won: false, .. })
    }
}

/// A contradiction in a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableError {
    /// No player of that number.
    #[error("player {player}, round {round}: there is no player {opponent}")]
    NoSuchPlayer {
        /// Whose entry it is.
        player: u32,
        /// The round, from 1.
        round: usize,
        /// The number that was named.
        opponent: u32,
    },
    /// A player against itself.
    #[error("player {player}, round {round}: a player cannot meet itself")]
    Itself {
        /// Whose entry it is.
        player: u32,
        /// The round, from 1.
        round: usize,
    },
    /// The opponent's entry says something else.
    #[error(
        "player {player}, round {round}: the entry of the opponent, player {opponent}, does not match"
    )]
    Mismatch {
        /// Whose entry it is.
        player: u32,
        /// The round, from 1.
        round: usize,
        /// The opponent.
        opponent: u32,
    },
    /// More than a win is worth.
    #[error("player {player}, round {round}: the scores of the two players are more than a win")]
    TooManyPoints {
        /// Whose entry it is.
        player: u32,
        /// The round, from 1.
        round: usize,
    },
    /// A player lacks entries, or has too many.
    #[error("player {player} has {got} rounds, the tournament {expected}")]
    Rounds {
        /// Whose row it is.
        player: u32,
        /// How many entries it has.
        got: usize,
        /// How many rounds were finished.
        expected: usize,
    },
}

/// What a player has scored against one opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Against {
    /// The points.
    pub scored: HalfPoints,
    /// The points that there were.
    pub most: HalfPoints,
}

/// The finished rounds of a tournament. Player number n is row n-1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrossTable {
    win: HalfPoints,
    rounds: usize,
    rows: Vec<Vec<Entry>>,
}

impl CrossTable {
    /// A tournament of so many players before its first round; a won round is worth `win` (2 half points for a game, 4
    /// for a pair of games).
    #[must_use]
    pub fn new(players: u32, win: HalfPoints) -> Self {
        Self {
            win,
            rounds: 0,
            rows: vec![Vec::new(); players as usize],
        }
    }

    /// A tournament with its finished rounds: one row a player, one entry a round.
    ///
    /// # Errors
    /// If the entries of two opponents contradict each other.
    pub fn from_rows(rows: Vec<Vec<Entry>>, win: HalfPoints) -> Result<Self, TableError> {
        let rounds = rows.first().map_or(0, Vec::len);
        let table = Self { win, rounds, rows };
        for (place, row) in table.rows.iter().enumerate() {
            let player = place as u32 + 1;
            if row.len() != rounds {
                return Err(TableError::Rounds {
                    player,
                    got: row.len(),
                    expected: rounds,
                });
            }
            for (round, entry) in row.iter().enumerate() {
                table.check(player, round, *entry)?;
            }
        }
        Ok(table)
    }

    /// Adds a player, who has taken no part in the rounds so far.
    pub fn add_player(&mut self) {
        self.rows.push(vec![Entry::ZeroBye; self.rounds]);
    }

    /// Adds a finished round: one entry a player, in the order of their numbers.
    ///
    /// # Errors
    /// If the entries of two opponents contradict each other; the table is then as before.
    pub fn push_round(&mut self, entries: &[Entry]) -> Result<(), TableError> {
        if entries.len() != self.rows.len() {
            return Err(TableError::Rounds {
                player: self.rows.len().min(entries.len()) as u32 + 1,
                got: entries.len(),
                expected: self.rows.len(),
            });
        }
        for (row, entry) in self.rows.iter_mut().zip(entries) {
            row.push(*entry);
        }
        let checked = entries
            .iter()
            .enumerate()
            .try_for_each(|(place, entry)| self.check(place as u32 + 1, self.rounds, *entry));
        match checked {
            Ok(()) => self.rounds += 1,
            Err(_) => self.rows.iter_mut().for_each(|row| {
                row.pop();
            }),
        }
        checked
    }

    fn check(&self, player: u32, index: usize, entry: Entry) -> Result<(), TableError> {
        let round = index + 1;
        let Some(opponent) = entry.opponent() else {
            return Ok(());
        };
        if opponent == player {
            return Err(TableError::Itself { player, round });
        }
        let row = opponent
            .checked_sub(1)
            .and_then(|place| self.rows.get(place as usize))
            .ok_or(TableError::NoSuchPlayer {
                player,
                round,
                opponent,
            })?;
        let mismatch = TableError::Mismatch {
            player,
            round,
            opponent,
        };
        let other = *row.get(index).ok_or(mismatch)?;
        if other.opponent() != Some(player) {
            return Err(mismatch);
        }
        match (entry, other) {
            (
                Entry::Played { colour, score, .. },
                Entry::Played {
                    colour: other_colour,
                    score: other_score,
                    ..
                },
            ) => {
                if colour == other_colour {
                    Err(mismatch)
                } else if score.0 + other_score.0 > self.win.0 {
                    Err(TableError::TooManyPoints { player, round })
                } else {
                    Ok(())
                }
            }
            (
                Entry::Forfeit { colour, won, .. },
                Entry::Forfeit {
                    colour: other_colour,
                    won: other_won,
                    ..
                },
            ) => {
                let same_colour = colour.is_some() && colour == other_colour;
                if same_colour || (won && other_won) {
                    Err(mismatch)
                } else {
                    Ok(())
                }
            }
            _ => Err(mismatch),
        }
    }

    /// What a won round is worth.
    #[must_use]
    pub fn win(&self) -> HalfPoints {
        self.win
    }

    /// How many players there are.
    #[must_use]
    pub fn players(&self) -> u32 {
        self.rows.len() as u32
    }

    /// How many rounds are finished.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// A player's entries; empty for a number that nobody has.
    #[must_use]
    pub fn row(&self, player: u32) -> &[Entry] {
        let place = player.checked_sub(1).map(|place| place as usize);
        place
            .and_then(|place| self.rows.get(place))
            .map_or(&[], Vec::as_slice)
    }

    /// What a player has scored against each opponent in the rounds so far, and could have scored. O(rounds).
    #[must_use]
    pub fn against(&self, player: u32) -> BTreeMap<u32, Against> {
        let mut against: BTreeMap<u32, Against> = BTreeMap::new();
        for entry in self.row(player) {
            if let Entry::Played {
                opponent, score, ..
            } = entry
            {
                let sum = against.entry(*opponent).or_default();
                sum.scored.0 += score.0;
                sum.most.0 += self.win().0;
            }
        }
        against
    }

    /// A player's points after so many rounds.
    #[must_use]
    pub fn points_after(&self, player: u32, rounds: usize) -> HalfPoints {
        let entries = self.row(player).iter().take(rounds);
        HalfPoints(entries.map(|entry| entry.points(self.win).0).sum())
    }

    /// A player's points.
    #[must_use]
    pub fn points(&self, player: u32) -> HalfPoints {
        self.points_after(player, self.rounds)
    }

    /// The numbers of all players.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        1..=self.rows.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIN: HalfPoints = HalfPoints(2);

    fn played(opponent: u32, colour: Colour, score: u32) -> Entry {
        Entry::Played {
            opponent,
            colour,
            score: HalfPoints(score),
        }
    }

    #[test]
    fn contradictions_are_found() {
        let mut table = CrossTable::new(3, WIN);
        let round = [
            played(2, Colour::White, 2),
            played(1, Colour::Black, 0),
            Entry::PairingBye,
        ];
        table.push_round(&round).expect("a round");
        assert_eq!(table.points(1), WIN);
        assert_eq!(table.points(3).to_string(), "1.0");
        let bad = |one, two| table.clone().push_round(&[one, two, Entry::ZeroBye]);
        assert!(bad(played(2, Colour::White, 2), played(1, Colour::White, 0)).is_err());
        assert!(bad(played(2, Colour::White, 2), played(1, Colour::Black, 1)).is_err());
        assert!(bad(played(2, Colour::White, 2), Entry::ZeroBye).is_err());
        assert!(bad(played(1, Colour::White, 2), Entry::ZeroBye).is_err());
        assert!(bad(played(9, Colour::White, 2), Entry::ZeroBye).is_err());
        let before = table.clone();
        assert!(table.push_round(&[Entry::ZeroBye; 2]).is_err());
        assert_eq!(table, before);
    }
}
