//! The moves of a position as the lab shows them: a row for each, and marks on the board.

use std::collections::BTreeMap;

use grundy_shared::Position;
use grundy_shared::picture::{Mark, Picture, Sign};
use grundy_words::Catalogue;

use super::link;
use super::study::Study;

/// Bytes of the addresses of the listed moves, and of those on the board: each holds a position, which can be long.
const LINKS_BYTES: usize = 100_000;

/// Where the list of moves is on the page.
const LIST: &str = "#moves";

/// A move, as it is shown.
pub(super) struct Row {
    pub(super) mv: String,
    pub(super) link: String,
    pub(super) leaves: String,
    pub(super) sign: Sign,
    pub(super) result: String,
    pub(super) value: String,
}

impl Row {
    /// The class of the sign, which is also its shape.
    pub(super) fn class(&self) -> &'static str {
        match self.sign {
            Sign::Wins => "wins",
            Sign::Loses => "loses",
            Sign::Draws => "draws",
            Sign::Unknown => "unknown",
        }
    }
}

/// The moves that were studied, as many as have short enough addresses together, one at least.
pub(super) fn rows(study: &Study, position: &Position, words: &Catalogue) -> Vec<Row> {
    let from = link::value(&position.to_string());
    let next = study.reasons.position.to_move.other();
    let mut bytes = 0;
    let mut rows = Vec::new();
    for one in &study.moves {
        let link = format!("{}&from={from}", link::lab(&one.leaves, next));
        bytes += link.len();
        if bytes > LINKS_BYTES && !rows.is_empty() {
            break;
        }
        rows.push(Row {
            mv: one.mv.to_string(),
            link,
            leaves: one.leaves.to_string(),
            sign: one.sign,
            result: words.say(result(one.sign)),
            value: one.value.clone().unwrap_or_else(|| "–".to_owned()),
        });
    }
    rows
}

/// The message for what a move comes to.
fn result(sign: Sign) -> &'static str {
    match sign {
        Sign::Wins => "result-wins",
        Sign::Loses => "result-loses",
        Sign::Draws => "result-draws",
        Sign::Unknown => "result-unknown",
    }
}

/// The marks on a board. A part leads to the move that touches fewest parts beside it; where there are several such moves, to the list of moves, under the mark
/// of the best of them.
pub(super) fn marks(picture: &Picture, rows: &[Row], words: &Catalogue) -> BTreeMap<String, Mark> {
    let mut nearest: BTreeMap<String, (usize, Vec<&Row>)> = BTreeMap::new();
    for row in rows {
        for way in picture.touched_by(&row.mv) {
            let size = way.len();
            for part in way {
                let (least, meant) = nearest.entry(part).or_insert((usize::MAX, Vec::new()));
                if size < *least {
                    (*least, *meant) = (size, vec![row]);
                } else if size == *least && !meant.iter().any(|known| known.mv == row.mv) {
                    meant.push(row);
                }
            }
        }
    }
    let mark = |(part, (_, meant)): (String, (usize, Vec<&Row>))| {
        let best = meant.iter().max_by_key(|row| row.sign)?;
        let (link, name) = match meant.as_slice() {
            [only] => (only.link.clone(), format!("{}: {}", only.mv, only.result)),
            _ => (LIST.to_owned(), words.say("lab-several")),
        };
        let sign = best.sign;
        Some((part, Mark { sign, link, name }))
    };
    let mut marks: BTreeMap<String, Mark> = nearest.into_iter().filter_map(mark).collect();
    let bytes: usize = marks.values().map(|mark| mark.link.len()).sum();
    if bytes > LINKS_BYTES {
        // A move of a long position may touch many parts: then the list alone has the links.
        for mark in marks.values_mut() {
            LIST.clone_into(&mut mark.link);
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use grundy_words::Language;

    use super::*;

    fn row(mv: &str, sign: Sign) -> Row {
        Row {
            mv: mv.to_owned(),
            link: format!("/{mv}"),
            leaves: String::new(),
            sign,
            result: String::new(),
            value: String::new(),
        }
    }

    #[test]
    fn a_part_leads_to_the_move_that_touches_least_beside_it() {
        let position = Position::parse("nim:3").expect("a position");
        let rows = [
            row("A-1", Sign::Loses),
            row("A-2", Sign::Loses),
            row("A-3", Sign::Wins),
        ];
        let words = Catalogue::of(Language::English);
        let marks = marks(&Picture::of(&position), &rows, words);
        let of = |part: &str| (marks[part].link.as_str(), marks[part].sign);
        assert_eq!(of("A.1"), ("/A-3", Sign::Wins));
        assert_eq!(of("A.3"), ("/A-1", Sign::Loses));
    }

    #[test]
    fn links_on_the_board_are_bounded() {
        let position = Position::parse("nim:40").expect("a position");
        let long = Row {
            link: "x".repeat(3_000),
            ..row("A-40", Sign::Wins)
        };
        let words = Catalogue::of(Language::English);
        let marks = marks(&Picture::of(&position), &[long], words);
        assert_eq!(marks.len(), 40);
        assert!(marks.values().all(|mark| mark.link == LIST));
    }

    #[test]
    fn where_several_moves_are_meant_the_list_is_shown_under_the_best_mark() {
        let position = Position::parse("cram:...").expect("a position");
        let rows = [row("1:1-1:2", Sign::Loses), row("1:2-1:3", Sign::Wins)];
        let words = Catalogue::of(Language::English);
        let marks = marks(&Picture::of(&position), &rows, words);
        let both = &marks["1:2"];
        assert_eq!((both.link.as_str(), both.sign), ("#moves", Sign::Wins));
        assert_eq!(marks["1:1"].link, "/1:1-1:2");
    }
}
