//! What the pairing rules know of a player: score, colours, floats, and whether the bye is possible.

use super::super::cross_table::{Colour, CrossTable, Entry, HalfPoints};

/// How much a player should have a colour (C.04.3, 1.7).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Strength {
    /// No game was played.
    None,
    /// As many games with each colour: alternate.
    Mild,
    /// One game more with the other colour.
    Strong,
    /// Two games more with the other colour, or it in the last two games.
    Absolute,
}

/// The direction in which a player floated in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Float {
    /// Met somebody with fewer points, or got points without playing.
    Down,
    /// Met somebody with more points.
    Up,
    /// Neither.
    None,
}

/// A player of the round to pair.
#[derive(Clone, Debug)]
pub(super) struct Player {
    /// The number in the cross table.
    pub(super) number: u32,
    /// The pairing number that counts: players who never took part have none.
    pub(super) place: u32,
    pub(super) score: HalfPoints,
    /// Colours of the games played, in order.
    pub(super) colours: Vec<Colour>,
    /// Games with White minus games with Black.
    pub(super) difference: i32,
    pub(super) preference: Option<Colour>,
    pub(super) strength: Strength,
    /// The floats one and two rounds ago.
    pub(super) floats: [Float; 2],
    pub(super) may_have_bye: bool,
    pub(super) games: u32,
    /// The opponents of the games played, and those forbidden.
    pub(super) barred: Vec<u32>,
}

impl Player {
    /// The player of that number; with `colours_count` off no colour is ever preferred.
    pub(super) fn of(table: &CrossTable, number: u32, place: u32, colours_count: bool) -> Self {
        let row = table.row(number);
        let colours: Vec<Colour> = row
            .iter()
            .filter(|_| colours_count)
            .filter_map(|entry| entry.played_colour())
            .collect();
        let balance = |colour: &Colour| match colour {
            Colour::White => 1,
            Colour::Black => -1,
        };
        let difference: i32 = colours.iter().map(balance).sum();
        let (preference, strength) = preferred(&colours, difference);
        let unplayed_win = |entry: &Entry| {
            *entry == Entry::PairingBye
                || (entry.met().is_none() && entry.points(table.win()) >= table.win())
        };
        Self {
            number,
            place,
            score: table.points(number),
            difference,
            preference,
            strength,
            floats: [1, 2].map(|ago| float(table, number, ago)),
            may_have_bye: !row.iter().any(unplayed_win),
            games: row.iter().filter(|entry| entry.met().is_some()).count() as u32,
            barred: row.iter().filter_map(|entry| entry.met()).collect(),
            colours,
        }
    }

    /// The colour of the last two games, if they had the same.
    pub(super) fn repeated(&self) -> Option<Colour> {
        match self.colours.as_slice() {
            [.., before, last] if before == last => Some(*last),
            _ => None,
        }
    }

    /// Whether the colour difference alone makes the preference absolute.
    pub(super) fn is_unbalanced(&self) -> bool {
        self.difference.abs() > 1
    }

    pub(super) fn is_absolute(&self) -> bool {
        self.strength == Strength::Absolute
    }
}

fn preferred(colours: &[Colour], difference: i32) -> (Option<Colour>, Strength) {
    let Some(last) = colours.last() else {
        return (None, Strength::None);
    };
    let rarer = if difference > 0 {
        Colour::Black
    } else {
        Colour::White
    };
    let twice = colours.len() > 1 && colours[colours.len() - 2] == *last;
    if difference.abs() > 1 {
        (Some(rarer), Strength::Absolute)
    } else if twice {
        (Some(last.other()), Strength::Absolute)
    } else if difference != 0 {
        (Some(rarer), Strength::Strong)
    } else {
        (Some(last.other()), Strength::Mild)
    }
}

/// The float so many rounds ago (C.04.3, 1.4).
fn float(table: &CrossTable, number: u32, ago: usize) -> Float {
    let Some(round) = table.rounds().checked_sub(ago) else {
        return Float::None;
    };
    let Some(entry) = table.row(number).get(round) else {
        return Float::None;
    };
    match entry.met() {
        Some(opponent) => {
            let (own, other) = (
                table.points_after(number, round),
                table.points_after(opponent, round),
            );
            match own.cmp(&other) {
                std::cmp::Ordering::Greater => Float::Down,
                std::cmp::Ordering::Less => Float::Up,
                std::cmp::Ordering::Equal => Float::None,
            }
        }
        None if entry.points(table.win()) > HalfPoints(0) => Float::Down,
        None => Float::None,
    }
}
