//! A review as one page for a browser, which needs nothing else: no scripts, no pictures from elsewhere.

use askama::Template;
use grundy_shared::Position;
use grundy_shared::event::Outcome;
use grundy_shared::ids::Seat;
use grundy_shared::review::{Figures, Mark, PlyReview, Review, TurningPoint, span};

use super::board::{Frame, Glyphs, draw};
use crate::glossary;

/// The size of a board.
const WIDTH: usize = 100;
const ROWS: usize = 24;
/// What is explained at the end of the page, beside the marks.
const SIGNS: [&str; 9] = [
    "turning point",
    "chance",
    "bits",
    "skill",
    "resistance",
    "left",
    "val",
    "nim-value",
    "?",
];

/// What the template shows.
#[derive(Template)]
#[template(path = "review.html")]
struct Page {
    title: String,
    about: String,
    rows: Vec<Row>,
    svg: String,
    marks: [&'static str; 6],
    players: [Figures; 2],
    points: Vec<Point>,
    none: String,
    gaps: Vec<String>,
    signs: Vec<(String, String)>,
}

/// One ply.
struct Row {
    ply: u32,
    who: String,
    mv: String,
    mark: &'static str,
    wins: String,
    left: String,
    value: String,
    winning: String,
    time: String,
}

/// One turning point.
struct Point {
    ply: u32,
    heading: String,
    kept: String,
    position: String,
    board: String,
    lines: Vec<Line>,
}

/// A line of a reason, with how deep it stands.
struct Line {
    depth: usize,
    text: String,
}

/// The page of a review.
pub(crate) fn review_page(review: &Review) -> String {
    let points = review.turning_points.iter();
    let mut gaps = review.gaps();
    gaps.splice(
        0..0,
        review.conceded_in_words().map(|words| format!("{words}.")),
    );
    gaps.extend(review.hints_in_words());
    let page = Page {
        title: review.title(),
        about: review.about().join(" - "),
        rows: review.plies.iter().map(|ply| row(review, ply)).collect(),
        svg: review.svg(),
        marks: Mark::ALL.map(Mark::as_str),
        players: Seat::BOTH.map(|seat| Figures::new(review, seat)),
        points: points.map(|point| turning(review, point)).collect(),
        none: review.no_turning_points().into_owned(),
        gaps,
        signs: signs(),
    };
    page.render().expect("writing to a String cannot fail")
}

fn row(review: &Review, ply: &PlyReview) -> Row {
    let known = |number: Option<u64>| number.map_or("?".to_owned(), |number| number.to_string());
    let name = |seat| review.name(seat, usize::MAX);
    let legal = ply.legal_moves.map(|legal| format!(" of {legal}"));
    Row {
        ply: ply.ply.0,
        who: ply.seat.map_or(String::new(), name),
        mv: ply.mv.clone().unwrap_or_else(|| "start".to_owned()),
        mark: ply.mark.map_or("", Mark::as_str),
        wins: match ply.wins {
            None => "?".to_owned(),
            Some(Outcome::First) => name(Seat::First),
            Some(Outcome::Second) => name(Seat::Second),
            Some(Outcome::Draw | Outcome::Void) => "draw".to_owned(),
        },
        left: match ply.wins {
            Some(Outcome::Draw) => "-".to_owned(),
            _ => known(ply.left),
        },
        value: match (&ply.value, review.misere) {
            (_, true) => "-".to_owned(),
            (Some(value), false) => value.clone(),
            (None, false) => known(ply.nim_value),
        },
        winning: match ply.seat {
            None => String::new(),
            Some(_) => known(ply.winning_moves) + &legal.unwrap_or_default(),
        },
        time: ply.spent_ms.map_or(String::new(), |spent| span(spent.0)),
    }
}

fn turning(review: &Review, point: &TurningPoint) -> Point {
    let position = point.position.clone().unwrap_or_default();
    let frame = Frame {
        width: WIDTH,
        rows: ROWS,
        glyphs: Glyphs::ASCII,
    };
    let board = Position::parse(&position).map(|position| draw(&position, frame).text());
    let mut lines: Vec<Line> = Vec::new();
    for line in point.why.iter().flat_map(|why| &why.lines) {
        let text = line.trim_start();
        if !text.is_empty() {
            lines.push(Line {
                depth: ((line.len() - text.len()) / 2).min(3),
                text: text.to_owned(),
            });
        }
    }
    lines.extend(point.answer.as_ref().map(|answer| Line {
        depth: 0,
        text: format!("{} was answered by {answer}.", point.mv),
    }));
    Point {
        ply: point.ply.0,
        heading: format!(
            "{}. {} {} ??: {}",
            point.ply,
            review.name(point.seat, usize::MAX),
            point.mv,
            review.change(point)
        ),
        kept: sentence(&point.kept()),
        position,
        board: board.unwrap_or_default(),
        lines,
    }
}

/// With a capital letter and a full stop. A move at the beginning is left as it is.
fn sentence(words: &str) -> String {
    match words.strip_prefix("only ") {
        Some(rest) => format!("Only {rest}."),
        None => match words.strip_prefix("there ") {
            Some(rest) => format!("There {rest}."),
            None => format!("{words}."),
        },
    }
}

/// The marks and the figures, as the glossary has them.
fn signs() -> Vec<(String, String)> {
    let words = Mark::ALL.map(Mark::as_str).into_iter().chain(SIGNS);
    let of = |word: &'static str| {
        let is_meant = move |entry: &glossary::Entry| entry.terms.iter().any(|term| term == word);
        glossary::find(word).into_iter().filter(is_meant)
    };
    words
        .flat_map(of)
        .map(|entry| (entry.heading(), entry.meaning))
        .collect()
}
