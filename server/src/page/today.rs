//! The puzzle of the day: the same for everybody, on pages and in terminals.

use std::sync::OnceLock;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use grundy_shared::career::Day;
use grundy_shared::ids::Seat;
use grundy_shared::puzzle::{Collection, Puzzle};
use grundy_words::Value;
use serde::Serialize;

use super::frame::{Frame, page};
use super::plain;
use super::site::Site;
use super::visitor::Visitor;
use crate::app::App;

/// The page.
#[derive(Template)]
#[template(path = "today.html")]
struct Today {
    frame: Frame,
    date: String,
    /// The exercise as JSON.
    exercises: String,
}

/// The position in which a winning move is to be found.
#[derive(Serialize)]
struct Exercise {
    position: String,
    to_move: Seat,
    drawn: bool,
}

/// Shows the page. It has no solution: the solver judges each answer.
pub(super) async fn show(State(site): State<Site>, visitor: Visitor) -> Response {
    if !visitor.wants_html {
        return plain::text(StatusCode::OK, "grundy puzzle\n");
    }
    let words = visitor.words();
    let (position, to_move) = puzzle(&site.app)
        .key
        .position()
        .expect("every puzzle of the edition has a position");
    let exercise = Exercise {
        position: position.to_string(),
        to_move,
        drawn: false,
    };
    let today = Today {
        frame: Frame::new(&visitor, words.say("today-title"), "learn.js"),
        date: Day::of(site.app.clock.now()).date(),
        exercises: serde_json::to_string(&[exercise]).unwrap_or_default(),
    };
    page(&site, &visitor, StatusCode::OK, &today)
}

/// What there is to do today, in a sentence.
pub(super) fn task(app: &App, visitor: &Visitor) -> String {
    let key = &puzzle(app).key;
    let position = [("position", Value::Text(key.as_str()))];
    visitor.words().with("today-is", &position)
}

fn puzzle(app: &App) -> &'static Puzzle {
    static EDITION: OnceLock<Collection> = OnceLock::new();
    let edition = EDITION.get_or_init(Collection::edition);
    let day = i64::try_from(Day::of(app.clock.now()).0).unwrap_or(i64::MAX);
    let (_, puzzle) = edition.of_day(day).expect("the edition has puzzles");
    puzzle
}
