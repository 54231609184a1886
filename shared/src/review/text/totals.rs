//! What each player made of the match, in numbers.

use std::fmt;

use unicode_width::UnicodeWidthStr as _;

use super::super::column::padded;
use super::cells::{NAME, span};
use crate::ids::Seat;
use crate::review::{Mark, Review};

/// Columns that the tables take beside the names.
const BESIDE: usize = 64;

/// Where all signs and figures are explained.
const HELP: &str =
    "\nWhat a sign or a figure means: grundy explain '??' (or left, val, bits, skill, resistance).";

/// The figures of one player, as tables show them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figures {
    /// The name, cut to the width of a table.
    pub name: String,
    /// Chances kept: `3 of 4`.
    pub kept: String,
    /// Bits found: `4.2 of 7.9`.
    pub bits: String,
    /// The same as a share: `53%`; `-` where none were offered.
    pub share: String,
    /// The skill with its interval; `-` without a chance that says something.
    pub skill: String,
    /// The resistance, with its share; `-` without a try.
    pub resistance: String,
    /// The time of all moves; `-` if none is known.
    pub time: String,
    /// How often each mark was given, in the order of [`Mark::ALL`].
    pub marks: [u32; 6],
}

/// `1.2 of 1.7` and `71%`.
fn of(part: f64, whole: f64) -> (String, String) {
    let share = match whole > 0.0 {
        true => format!("{:.0}%", 100.0 * part / whole),
        false => "-".to_owned(),
    };
    (format!("{part:.1} of {whole:.1}"), share)
}

impl Figures {
    /// Of this player. O(plies).
    #[must_use]
    pub fn new(review: &Review, seat: Seat) -> Self {
        let summary = review.summary.of(seat);
        let (bits, share) = of(summary.bits_found, summary.bits_offered);
        let resistance = summary.resistance;
        let (made, best) = of(resistance.made, resistance.best);
        let own = review.plies.iter().filter(|ply| ply.seat == Some(seat));
        let spent: Vec<u64> = own.filter_map(|ply| Some(ply.spent_ms?.0)).collect();
        Self {
            name: review.name(seat, NAME),
            kept: format!("{} of {}", summary.kept, summary.chances),
            bits,
            share,
            skill: summary.skill.map_or("-".to_owned(), |skill| {
                format!("{:.2} ({:.2} to {:.2})", skill.skill, skill.low, skill.high)
            }),
            resistance: match resistance.best > 0.0 {
                true => format!("{made}  {best}"),
                false => "-".to_owned(),
            },
            time: match spent.is_empty() {
                true => "-".to_owned(),
                false => span(spent.iter().sum()),
            },
            marks: Mark::ALL.map(|mark| summary.marks.of(mark)),
        }
    }

    /// One line where there is no room for tables.
    fn sentence(&self) -> String {
        let mut parts = vec![
            format!("{} chances kept", self.kept),
            format!("{} bits found ({})", self.bits, self.share),
            format!("skill {}", self.skill),
            format!("resistance {}", self.resistance),
            format!("time {}", self.time),
        ];
        let marks = Mark::ALL.iter().zip(self.marks);
        let marks = marks.filter(|(_, count)| *count > 0);
        parts.extend(marks.map(|(mark, count)| format!("{mark} {count}")));
        format!("{}: {}", self.name, parts.join("; "))
    }
}

/// Writes them within so many columns.
pub(super) fn write(review: &Review, width: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let players = Seat::BOTH.map(|seat| Figures::new(review, seat));
    let who = players[0].name.width().max(players[1].name.width());
    writeln!(f)?;
    if who + BESIDE > width {
        for player in &players {
            writeln!(f, "{}", player.sentence())?;
        }
        return writeln!(f, "{HELP}");
    }
    write!(f, "{:who$}  chances kept   bits found         ", "")?;
    for mark in Mark::ALL {
        write!(f, "{mark:>4}")?;
    }
    writeln!(f)?;
    for player in &players {
        write!(
            f,
            "{}  {:<12}   {:<13} {:>4}",
            padded(&player.name, who),
            player.kept,
            player.bits,
            player.share
        )?;
        for count in player.marks {
            write!(f, "{count:>4}")?;
        }
        writeln!(f)?;
    }
    writeln!(
        f,
        "\n{:who$}  skill (95% interval)   resistance         time",
        ""
    )?;
    for player in &players {
        writeln!(
            f,
            "{}  {:<20}   {:<16}   {}",
            padded(&player.name, who),
            player.skill,
            player.resistance,
            player.time
        )?;
    }
    writeln!(f, "{HELP}")
}
