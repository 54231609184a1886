//! A cross-table: what each player has scored against each other.

use std::fmt::{self, Write as _};

use super::frame::{Chart, file, inline};
use crate::review::cut;
use crate::tournament::{Against, CrossTable};
use crate::xml::Escaped;

/// Players up to whom a table is readable.
const PLAYERS: usize = 50;
/// Columns of a name.
const NAME: usize = 20;
/// The size of a cell, of a number of a row and of a name.
const WIDTH: i64 = 44;
const HEIGHT: i64 = 28;
const NUMBER: i64 = 36;
const NAMED: i64 = 190;

/// A cross-table as a picture: rows and columns are players in the order of the standings, and the darker a cell, the larger the share of
/// the points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrossChart {
    names: Vec<String>,
    /// By rows; `None` where two have not met.
    cells: Vec<Vec<Option<Against>>>,
}

impl CrossChart {
    /// Of these players, by their numbers and names in the order of the standings; `None` if nothing was played, or if there are more than 50.
    /// O(players² + players · rounds).
    #[must_use]
    pub fn of(table: &CrossTable, order: &[(u32, String)]) -> Option<Self> {
        if table.rounds() == 0 || order.is_empty() || order.len() > PLAYERS {
            return None;
        }
        let row = |(player, _): &(u32, String)| {
            let against = table.against(*player);
            let cells = order.iter().map(|(other, _)| against.get(other).copied());
            cells.collect()
        };
        Some(Self {
            names: order.iter().map(|(_, name)| cut(name, NAME)).collect(),
            cells: order.iter().map(row).collect(),
        })
    }

    /// As one file.
    #[must_use]
    pub fn svg(&self, label: &str) -> String {
        file(self, label)
    }

    /// As part of a page.
    #[must_use]
    pub fn inline_svg(&self, label: &str) -> String {
        inline(self, label)
    }
}

/// How dark a cell is: from no point to all points.
fn shade(sum: Against) -> &'static str {
    match (sum.scored.0 * 4).checked_div(sum.most.0).unwrap_or(0) {
        0 => "s1",
        1 => "s2",
        2 | 3 => "s3",
        _ => "s4",
    }
}

impl Chart for CrossChart {
    const CLASS: &'static str = "cross";

    fn size(&self) -> (i64, i64) {
        let players = self.names.len() as i64;
        (
            NUMBER + NAMED + WIDTH * players + 8,
            HEIGHT * (players + 1) + 16,
        )
    }

    fn draw(&self, text: &mut String) -> fmt::Result {
        let left = NUMBER + NAMED;
        for (number, (name, cells)) in (1..).zip(self.names.iter().zip(&self.cells)) {
            let (middle, line) = (
                left + (number - 1) * WIDTH + WIDTH / 2,
                HEIGHT * number + 27,
            );
            write!(
                text,
                r#"<text class="head" x="{middle}" y="27" text-anchor="middle">{number}</text><text class="head" x="{}" y="{line}" text-anchor="end">{number}</text><text x="{}" y="{line}">{}</text>"#,
                NUMBER - 8,
                NUMBER,
                Escaped(name)
            )?;
            for (column, cell) in (1..).zip(cells) {
                let (x, y) = (left + (column - 1) * WIDTH, HEIGHT * number + 8);
                let (class, shown) = match cell {
                    Some(sum) => (shade(*sum), sum.scored.to_f64().to_string()),
                    None if column == number => ("cell", "×".to_owned()),
                    None => ("cell", String::new()),
                };
                write!(
                    text,
                    r#"<rect class="{class}" x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}"/><text x="{}" y="{}" text-anchor="middle">{shown}</text>"#,
                    x + WIDTH / 2,
                    y + 19
                )?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::{Colour, Entry, HalfPoints};

    #[test]
    fn a_table_has_its_points_its_shades_and_no_markup_of_names() {
        let played = |opponent, colour, score| Entry::Played {
            opponent,
            colour,
            score: HalfPoints(score),
        };
        let rows = vec![
            vec![played(2, Colour::White, 3)],
            vec![played(1, Colour::Black, 1)],
            vec![Entry::PairingBye],
        ];
        let table = CrossTable::from_rows(rows, HalfPoints(4)).expect("a table");
        let order = [
            (1, "<b>Ann\u{202e}".to_owned()),
            (2, "x".repeat(40)),
            (3, "Bo".to_owned()),
        ];
        let svg = CrossChart::of(&table, &order).expect("a chart").svg("Cup");
        assert!(svg.contains(">1.5<") && svg.contains(">0.5<"), "{svg}");
        assert_eq!(svg.matches(">×<").count(), 3);
        assert_eq!(svg.matches(r#"class="s3""#).count(), 1);
        assert!(!svg.contains("<b>") && !svg.contains('\u{202e}'), "{svg}");
        assert!(svg.contains(&format!("{}~", "x".repeat(NAME - 1))), "{svg}");
        assert_eq!(
            CrossChart::of(&CrossTable::new(3, HalfPoints(4)), &order),
            None
        );
    }
}
