//! The page on which a player finds the wins that were given away in a match. It names the positions and the moves that were made, and no solution.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::review::Review;
use grundy_words::Value;
use serde::{Deserialize, Serialize};

use super::shown::{Found, found, not_to_be_had};
use crate::page::frame::{Frame, failed, page};
use crate::page::matches::unknown;
use crate::page::plain;
use crate::page::site::Site;
use crate::page::viewer;
use crate::page::visitor::Visitor;

/// What the address asks for. What cannot be read is passed over.
#[derive(Deserialize)]
pub(crate) struct Asked {
    /// The seat whose mistakes are put: the reader's if absent, or those of both if the reader did not play.
    side: Option<String>,
}

/// The page.
#[derive(Template)]
#[template(path = "learn.html")]
struct Learn {
    frame: Frame,
    id: String,
    /// The side whose mistakes are not here.
    other: Option<&'static str>,
    /// The exercises as JSON.
    exercises: String,
}

/// A position in which a win was given away.
#[derive(Serialize)]
struct Exercise<'r> {
    ply: u32,
    position: &'r str,
    to_move: Seat,
    #[serde(rename = "move")]
    mv: &'r str,
    drawn: bool,
}

/// Shows the exercises of a match.
pub(crate) async fn show(
    State(site): State<Site>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let Ok(id) = id.parse::<MatchId>() else {
        return unknown(&site, &visitor);
    };
    if !visitor.wants_html {
        let url = site.url.print(&headers);
        let command = format!("grundy learn {id} --server {url}\n");
        return plain::text(StatusCode::OK, command);
    }
    let reader = match viewer::of(&site, &headers).await {
        Ok(reader) => reader,
        Err(error) => return failed(&site, &visitor, &error),
    };
    let Found { row, review } = match found(&site, id, reader).await {
        Ok(found) => found,
        Err(error) => return not_to_be_had(&site, &visitor, id, &error),
    };
    if row.plies.0 == 0 {
        return super::shown::without_moves(&site, &visitor, id);
    }
    let Some(review) = review else {
        return super::shown::wanted(&site, &visitor, id);
    };
    let players = [&row.first, &row.second];
    let mine = Seat::BOTH.into_iter().find(|seat| {
        let player = players[seat.index()].as_ref();
        player.is_some_and(|player| player.id == reader)
    });
    let named = match asked.side.as_deref() {
        Some("first") => Some(Seat::First),
        Some("second") => Some(Seat::Second),
        _ => None,
    };
    let side = named.or(mine);
    let words = visitor.words();
    let title = match side.and_then(|side| players[side.index()].as_ref()) {
        Some(player) => words.with("learn-title-of", &[("name", Value::Text(&player.name))]),
        None => words.say("learn-title"),
    };
    let learn = Learn {
        frame: Frame::new(&visitor, title, "learn.js"),
        id: id.to_string(),
        other: side.map(|side| match side.other() {
            Seat::First => "first",
            Seat::Second => "second",
        }),
        exercises: exercises(&review, side),
    };
    page(&site, &visitor, StatusCode::OK, &learn)
}

/// The mistakes of a side, or of both, as JSON that can stand in a page.
fn exercises(review: &Review, side: Option<Seat>) -> String {
    let points = review.turning_points.iter();
    let of_side = points.filter(|point| side.is_none_or(|side| side == point.seat));
    let exercises: Vec<Exercise<'_>> = of_side
        .filter_map(|point| {
            Some(Exercise {
                ply: point.ply.0,
                position: point.position.as_deref()?,
                to_move: point.seat,
                mv: &point.mv,
                drawn: point.drawn,
            })
        })
        .collect();
    let json = serde_json::to_string(&exercises).unwrap_or_default();
    // What could end the element that holds it is written otherwise.
    json.replace('<', "\\u003c")
}
