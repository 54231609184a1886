//! The cross-table of a tournament: what each player has scored against each other in the finished rounds.

use grundy_shared::tournament::{Against, HalfPoints, Tournament};

/// Players up to whom a table is readable.
const PLAYERS: usize = 24;

/// A cross-table, as it is shown.
pub(super) struct Grid {
    /// The players in the order of the standings.
    pub(super) rows: Vec<GridRow>,
}

/// The row of a player.
pub(super) struct GridRow {
    /// The place in the table, from 1, which also names the column.
    pub(super) place: usize,
    pub(super) name: String,
    pub(super) cells: Vec<GridCell>,
}

/// What a player has scored against another.
pub(super) struct GridCell {
    /// The points; empty where the two have not met, a cross on the player's own place.
    pub(super) text: String,
    /// How dark: `s1` for no point to `s4` for all points.
    pub(super) shade: &'static str,
}

impl Grid {
    /// The table of these players, by their numbers in the order of the standings. `None` if nothing has been played, or if there are too many players.
    pub(super) fn of(tournament: &Tournament, order: &[u32]) -> Option<Self> {
        let table = tournament.table();
        if table.rounds() == 0 || order.len() > PLAYERS {
            return None;
        }
        let row = |(place, player): (usize, &u32)| {
            let against = table.against(*player);
            GridRow {
                place: place + 1,
                name: name(tournament, *player),
                cells: order
                    .iter()
                    .map(|other| cell(against.get(other), other == player))
                    .collect(),
            }
        };
        Some(Self {
            rows: order.iter().enumerate().map(row).collect(),
        })
    }
}

/// The name of a player.
pub(super) fn name(tournament: &Tournament, number: u32) -> String {
    let player = tournament.player(number);
    player.map_or_else(String::new, |player| player.name.clone())
}

fn cell(against: Option<&Against>, own: bool) -> GridCell {
    let Some(Against {
        scored: HalfPoints(scored),
        most: HalfPoints(most),
    }) = against.copied()
    else {
        return GridCell {
            text: if own { "×" } else { "" }.to_owned(),
            shade: "",
        };
    };
    let shade = match (scored * 4).checked_div(most.max(1)).unwrap_or(0) {
        0 => "s1",
        1 => "s2",
        2 | 3 => "s3",
        _ => "s4",
    };
    let half = if scored % 2 == 1 { ".5" } else { "" };
    GridCell {
        text: format!("{}{half}", scored / 2),
        shade,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_numbers_and_shades() {
        let of = |scored, most| {
            let [scored, most] = [scored, most].map(HalfPoints);
            let cell = cell(Some(&Against { scored, most }), false);
            (cell.text, cell.shade)
        };
        assert_eq!(of(0, 4), ("0".to_owned(), "s1"));
        assert_eq!(of(3, 4), ("1.5".to_owned(), "s3"));
        assert_eq!(of(4, 4), ("2".to_owned(), "s4"));
        assert_eq!(cell(None, true).text, "×");
        assert_eq!(cell(None, false).text, "");
    }
}
