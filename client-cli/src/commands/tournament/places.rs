//! The standings of a tournament on a server as a table.

use std::fmt::Write as _;

use grundy_shared::oracle::PlayerAccuracy;
use grundy_shared::tournament::{Row, TieBreak};
use grundy_words::{Catalogue, Language};

use unicode_width::UnicodeWidthChar as _;

use crate::render;

/// A ladder's rating with a larger deviation is provisional.
const PROVISIONAL: f64 = 110.0;
/// Columns of a name that are shown.
const NAME: usize = 32;
/// The width of the table without tie-breaks, and of each tie-break, in columns.
const PLAIN: usize = 74;
const TIE_BREAK: usize = 7;

/// The players in their order.
pub(super) fn standings(
    standings: &[Row],
    accuracies: Option<&[PlayerAccuracy]>,
    width: Option<usize>,
    words: &Catalogue,
) -> String {
    let breaks = Row::tie_breaks_of(standings);
    // If they do not fit, lines would wrap.
    let fits = |width| width >= PLAIN + TIE_BREAK * breaks.len();
    let breaks = match width.is_none_or(fits) {
        true => breaks,
        false => Vec::new(),
    };
    let mut headings = render::headings(
        [
            ">tournament-rank",
            "tournament-player",
            ">tournament-points",
            ">tournament-played",
            ">tournament-won",
            ">tournament-drawn",
            ">tournament-lost",
            ">tournament-elo",
        ],
        words,
    )
    .to_vec();
    let named = breaks.iter();
    headings.extend(named.map(|tie_break| format!(">{}", tie_break.acronym())));
    if accuracies.is_some() {
        headings.push(words.say("tournament-accuracy"));
    }
    let is_withdrawn = standings.iter().any(|row| row.withdrawn);
    let rows = standings
        .iter()
        .map(|row| cells(row, &breaks, accuracies, is_withdrawn, words));
    let rows: Vec<Vec<String>> = rows.collect();
    if words.language() == Language::English {
        let headings = headings
            .iter()
            .map(|heading| heading.trim_start_matches('>'));
        let headings: Vec<String> = headings.map(str::to_owned).collect();
        let lines = std::iter::once(&headings).chain(&rows);
        return lines.map(|cells| line(cells, breaks.len())).collect();
    }
    if is_withdrawn {
        headings.push(words.say("tournament-note"));
    }
    render::table(&headings, &rows, width)
}

/// The cells of a player.
fn cells(
    row: &Row,
    breaks: &[TieBreak],
    accuracies: Option<&[PlayerAccuracy]>,
    is_withdrawn: bool,
    words: &Catalogue,
) -> Vec<String> {
    let elo = match (row.rating, row.elo) {
        // Two deviations; a question mark while that is much.
        (Some(rating), _) => {
            let deviation = row.rating_deviation.unwrap_or(0.0);
            let unsure = if deviation > PROVISIONAL { "?" } else { "" };
            format!("{rating:.0}{unsure} \u{b1}{:.0}", 2.0 * deviation)
        }
        (None, Some(elo)) => format!("{elo:+.0}"),
        (None, None) => String::new(),
    };
    let mut cells = vec![
        row.rank.to_string(),
        fitting(&row.name),
        format!("{:.1}", row.points),
        row.games.to_string(),
        row.wins.to_string(),
        row.draws.to_string(),
        row.losses.to_string(),
        elo,
    ];
    let values = breaks.iter().map(|tie_break| row.tie_break(*tie_break));
    cells.extend(values.map(|value| value.map_or(String::new(), |value| value.to_string())));
    cells.extend(accuracies.map(|accuracies| accuracy(row.player, accuracies)));
    if row.withdrawn {
        cells.push(words.say("tournament-withdrawn"));
    } else if is_withdrawn && words.language() != Language::English {
        cells.push(String::new());
    }
    cells
}

/// A line of the English table with this many tie-breaks. Its columns have the same width in every tournament.
fn line(cells: &[String], breaks: usize) -> String {
    let [
        rank,
        name,
        points,
        games,
        wins,
        draws,
        losses,
        elo,
        more @ ..,
    ] = cells
    else {
        return String::new();
    };
    let name = render::padded(name, NAME);
    let mut line = format!(
        "{rank:>4}  {name} {points:>7} {games:>6} {wins:>4} {draws:>4} {losses:>4} {elo:>5}"
    );
    let (breaks, more) = more.split_at(breaks.min(more.len()));
    for cell in breaks {
        let width = TIE_BREAK - 1;
        write!(line, " {cell:>width$}").expect("writing to a String cannot fail");
    }
    for cell in more {
        write!(line, "  {cell}").expect("writing to a String cannot fail");
    }
    line.push('\n');
    line
}

/// As much of a name as fits into its columns.
fn fitting(name: &str) -> String {
    let mut room = NAME;
    let name = render::clean(name);
    let shown = name.chars().take_while(|letter| {
        let left = room.checked_sub(letter.width().unwrap_or(0));
        room = left.unwrap_or(0);
        left.is_some()
    });
    shown.collect()
}

/// The share of won positions kept, and its 95 % interval.
fn accuracy(player: u32, accuracies: &[PlayerAccuracy]) -> String {
    let row = accuracies.iter().find(|row| row.player == player);
    let shares = row.and_then(|row| Some((row.accuracy?, row.accuracy_lo?, row.accuracy_hi?)));
    shares.map_or("-".to_owned(), |(share, low, high)| {
        let [share, low, high] = [share, low, high].map(|share| 100.0 * share);
        format!("{share:.1} % ({low:.1}-{high:.1})")
    })
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr as _;

    use super::*;

    #[test]
    fn columns_line_up_for_names_in_wide_letters() {
        let long = "\u{738b}".repeat(40);
        for name in ["Ada", "\u{738b}\u{5c0f}\u{660e}", &*long] {
            let mut cells = vec![String::from("1"), fitting(name)];
            cells.resize(8, "0".to_owned());
            let line = line(&cells, 0);
            assert!(fitting(name).width() <= NAME, "{name}");
            assert_eq!(line.trim_end().width(), 6 + NAME + 36, "{line}");
        }
    }
}
