//! A review as one page for a browser, which needs nothing else: no scripts, no pictures from elsewhere.

use askama::Template;
use grundy_shared::Position;
use grundy_shared::event::Outcome;
use grundy_shared::ids::Seat;
use grundy_shared::review::{Figures, Mark, PlyReview, Review, TurningPoint, span};
use grundy_words::{Catalogue, Language, Message, mark, reason};

use super::board::{Frame, Glyphs, draw};
use super::review_picture::picture;
use super::reviewed;
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
struct Page<'w> {
    words: &'w Catalogue,
    language: &'static str,
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
    heading: String,
    kept: String,
    label: String,
    board: String,
    lines: Vec<Line>,
}

/// A line of a reason, with how deep it stands.
struct Line {
    depth: usize,
    text: String,
}

/// The page of a review.
pub(crate) fn review_page(review: &Review, words: &Catalogue) -> String {
    let points = review.turning_points.iter();
    let page = Page {
        words,
        language: words.language().tag(),
        title: reviewed::title(review, words),
        about: match words.language() {
            Language::English => review.about().join(" - "),
            Language::Chinese => reviewed::about(review, words),
        },
        rows: review
            .plies
            .iter()
            .map(|ply| row(review, ply, words))
            .collect(),
        svg: picture(review, words),
        marks: Mark::ALL.map(Mark::as_str),
        players: Seat::BOTH.map(|seat| reviewed::figures(review, seat, words)),
        points: points.map(|point| turning(review, point, words)).collect(),
        none: match words.language() {
            Language::English => review.no_turning_points().into_owned(),
            Language::Chinese => reviewed::nothing(review, words),
        },
        gaps: gaps(review, words),
        signs: signs(words),
    };
    page.render().expect("writing to a String cannot fail")
}

/// What else there is to say: a win that was given away without a move, what was not found, and hints.
fn gaps(review: &Review, words: &Catalogue) -> Vec<String> {
    match words.language() {
        Language::English => {
            let conceded = review.conceded_in_words();
            let conceded = conceded.map(|words| format!("{words}."));
            let said = conceded.into_iter().chain(review.gaps());
            said.chain(review.hints_in_words()).collect()
        }
        Language::Chinese => {
            let conceded = reviewed::conceded(review, words);
            let said = conceded.into_iter().chain(reviewed::gaps(review, words));
            said.chain(reviewed::hints(review, words)).collect()
        }
    }
}

fn row(review: &Review, ply: &PlyReview, words: &Catalogue) -> Row {
    let known = |number: Option<u64>| number.map_or("?".to_owned(), |number| number.to_string());
    let name = |seat| review.name(seat, usize::MAX);
    let winning = || match ply.legal_moves {
        None => known(ply.winning_moves),
        Some(legal) => Message::new("sheet-of")
            .text("part", known(ply.winning_moves))
            .text("whole", legal)
            .said(words),
    };
    Row {
        ply: ply.ply.0,
        who: ply.seat.map_or(String::new(), name),
        mv: ply.mv.clone().unwrap_or_else(|| words.say("sheet-start")),
        mark: ply.mark.map_or("", Mark::as_str),
        wins: match ply.wins {
            None => "?".to_owned(),
            Some(Outcome::First) => name(Seat::First),
            Some(Outcome::Second) => name(Seat::Second),
            Some(Outcome::Draw | Outcome::Void) => words.say("sheet-draw"),
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
            Some(_) => winning(),
        },
        time: ply.spent_ms.map_or(String::new(), |spent| span(spent.0)),
    }
}

fn turning(review: &Review, point: &TurningPoint, words: &Catalogue) -> Point {
    let position = point.position.clone().unwrap_or_default();
    let frame = Frame {
        width: WIDTH,
        rows: ROWS,
        glyphs: Glyphs::ASCII,
        language: words.language(),
    };
    let board = Position::parse(&position).map(|position| draw(&position, frame).text());
    let label = Message::new("sheet-board")
        .text("ply", point.ply)
        .text("position", position);
    Point {
        heading: heading(review, point, words),
        kept: match words.language() {
            Language::English => sentence(&point.kept()),
            Language::Chinese => reviewed::kept(point, words).unwrap_or_default(),
        },
        label: label.said(words),
        board: board.unwrap_or_default(),
        lines: lines(point, words),
    }
}

fn heading(review: &Review, point: &TurningPoint, words: &Catalogue) -> String {
    match words.language() {
        Language::English => format!(
            "{}. {} {} ??: {}",
            point.ply,
            review.name(point.seat, usize::MAX),
            point.mv,
            review.change(point)
        ),
        Language::Chinese => reviewed::turn(review, point, words),
    }
}

/// The reasons, and what the opponent answered.
fn lines(point: &TurningPoint, words: &Catalogue) -> Vec<Line> {
    let reasons = point.why.as_ref();
    let reasons = reasons.map_or_else(Vec::new, |why| match words.language() {
        Language::English => why.lines.clone(),
        language => reason::lines(why, language),
    });
    let line = |line: &String| {
        let text = line.trim_start();
        Line {
            depth: ((line.len() - text.len()) / 2).min(3),
            text: text.to_owned(),
        }
    };
    let reasons = reasons.iter().map(line);
    let mut lines: Vec<Line> = reasons.filter(|line| !line.text.is_empty()).collect();
    let answer = reviewed::answer(point, words);
    lines.extend(answer.map(|text| Line { depth: 0, text }));
    lines
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

/// The marks and the figures, as the glossary has them. It is written in English; in other languages only the marks are explained.
fn signs(words: &Catalogue) -> Vec<(String, String)> {
    if words.language() != Language::English {
        let said = |one: Mark| (one.as_str().to_owned(), words.say(mark(one)));
        return Mark::ALL.map(said).to_vec();
    }
    let all = Mark::ALL.map(Mark::as_str).into_iter().chain(SIGNS);
    let of = |word: &'static str| {
        let is_meant = move |entry: &glossary::Entry| entry.terms.iter().any(|term| term == word);
        glossary::find(word).into_iter().filter(is_meant)
    };
    all.flat_map(of)
        .map(|entry| (entry.heading(), entry.meaning))
        .collect()
}
