//! The page of a review.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, PlayerId, Seat};
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use grundy_shared::review::{Curve, Mark, PlyReview, Review};
use serde::Deserialize;

use super::ending;
use super::place::{self, Place};
use super::row::{self, Row};
use super::totals::Totals;
use crate::help;
use crate::matches::refusal;
use crate::page::frame::{Frame, failed, page};
use crate::page::matches::unknown;
use crate::page::plain;
use crate::page::site::Site;
use crate::page::viewer;
use crate::page::visitor::Visitor;
use crate::reviewed;
use crate::store::MatchRow;

/// Plies that one page lists.
const LISTED: usize = 200;

/// What the address asks for. What cannot be read is passed over.
#[derive(Deserialize)]
pub(crate) struct Asked {
    /// The number of the move after which the board is shown.
    ply: Option<String>,
}

/// The page of a review that is known.
#[derive(Template)]
#[template(path = "review.html")]
struct Shown {
    frame: Frame,
    id: String,
    names: [String; 2],
    /// The same, as short as there is room above the graph.
    short: [String; 2],
    start: String,
    /// How the match ended.
    ended: Option<String>,
    place: Place,
    rows: Vec<Row>,
    /// The first listed plies of the parts before and after this one.
    parts: [Option<u32>; 2],
    curve: Curve,
    turns: Vec<(u32, String)>,
    nothing: Option<String>,
    totals: [Totals; 2],
    marks: Vec<(Mark, String)>,
}

/// The page of a review that is not made yet, or that this reader may not have now.
#[derive(Template)]
#[template(path = "no_review.html")]
struct NotShown {
    frame: Frame,
    id: String,
    /// Why not; without a reason the script of the page asks for it.
    why: Option<String>,
}

/// Shows a review.
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
        let command = format!("grundy review {id} --server {url}\n");
        return plain::text(StatusCode::OK, command);
    }
    let reader = match viewer::of(&site, &headers).await {
        Ok(reader) => reader,
        Err(error) => return failed(&site, &visitor, &error),
    };
    match found(&site, id, reader).await {
        Ok(Found { row, .. }) if row.plies.0 == 0 => without_moves(&site, &visitor, id),
        Ok(Found { row, review }) => match review {
            Some(review) => shown(
                &site,
                &visitor,
                id,
                &row,
                &review,
                asked.ply.and_then(|ply| ply.parse().ok()),
            ),
            None => wanted(&site, &visitor, id),
        },
        Err(error) => not_to_be_had(&site, &visitor, id, &error),
    }
}

/// A match, and its review if that is known.
pub(super) struct Found {
    pub(super) row: MatchRow,
    pub(super) review: Option<Review>,
}

/// The match and its review, if that is known and this reader may have it: by the same rules as in the protocol.
pub(super) async fn found(site: &Site, id: MatchId, reader: PlayerId) -> Result<Found, ErrorBody> {
    let app = &site.app;
    let row = reviewed::reviewable(app, reader, id).await?;
    help::check(&*app.store, reader).await?;
    let Some(stored) = reviewed::known(app, id).await? else {
        return Ok(Found { row, review: None });
    };
    let review = serde_json::from_str(stored.as_str()).map_err(|error| {
        tracing::error!(%error, %id, "a review cannot be read");
        refusal::internal()
    })?;
    Ok(Found {
        row,
        review: Some(review),
    })
}

/// The page of a review that is not made yet: its script asks for it.
pub(super) fn wanted(site: &Site, visitor: &Visitor, id: MatchId) -> Response {
    not_shown(site, visitor, id, StatusCode::OK, None)
}

/// The page of a match that ended before its first move.
pub(super) fn without_moves(site: &Site, visitor: &Visitor, id: MatchId) -> Response {
    not_shown(site, visitor, id, StatusCode::OK, Some("review-no-moves"))
}

/// The answer where the reader may not have the review.
pub(super) fn not_to_be_had(
    site: &Site,
    visitor: &Visitor,
    id: MatchId,
    error: &ErrorBody,
) -> Response {
    let (status, why) = match error.code {
        ErrorCode::NoSuchMatch => return unknown(site, visitor),
        ErrorCode::NotOver => (StatusCode::CONFLICT, "review-not-over"),
        ErrorCode::AnalysisTooLarge => (StatusCode::CONFLICT, "review-too-long"),
        ErrorCode::RatedMatch => (StatusCode::FORBIDDEN, "review-rated"),
        _ => return failed(site, visitor, error),
    };
    not_shown(site, visitor, id, status, Some(why))
}

fn not_shown(
    site: &Site,
    visitor: &Visitor,
    id: MatchId,
    status: StatusCode,
    why: Option<&str>,
) -> Response {
    let words = visitor.words();
    let shown = NotShown {
        frame: Frame::new(visitor, words.say("review-title"), "review.js"),
        id: id.to_string(),
        why: why.map(|why| words.say(why)),
    };
    page(site, visitor, status, &shown)
}

fn shown(
    site: &Site,
    visitor: &Visitor,
    id: MatchId,
    row: &MatchRow,
    review: &Review,
    ply: Option<u32>,
) -> Response {
    let words = visitor.words();
    let names = names(visitor, row);
    let first_turn = review.turning_points.first();
    // The first thing to see is where the match turned, as it stood before that move.
    let first = first_turn.map_or(0, |point| point.ply.0.saturating_sub(1));
    let at = ply.unwrap_or(first).min(review.plies_total);
    let from = at as usize / LISTED * LISTED;
    let listed: Vec<PlyReview> = review
        .plies
        .iter()
        .skip(from)
        .take(LISTED)
        .cloned()
        .collect();
    let next = from + LISTED;
    let Some(place) = Place::of(site.leave, words, review, &names, at) else {
        tracing::error!(%id, "a review does not fit its match");
        return failed(site, visitor, &refusal::internal());
    };
    let number = |ply: usize| u32::try_from(ply).ok();
    let shown = Shown {
        frame: Frame::new(visitor, title(visitor, &names), "review.js"),
        id: id.to_string(),
        start: review.start.clone(),
        ended: ending::ended(words, review, &names),
        place,
        rows: listed
            .iter()
            .map(|ply| Row::of(words, review, ply))
            .collect(),
        parts: [
            from.checked_sub(LISTED).and_then(number),
            number(next).filter(|next| *next <= review.plies_total),
        ],
        curve: Curve::of(&listed),
        turns: place::turns(words, review, &names)
            .into_iter()
            .chain(ending::conceded(words, review, &names))
            .collect(),
        nothing: place::nothing(words, review),
        totals: Seat::BOTH.map(|seat| Totals::of(words, review, seat, &names[seat.index()])),
        marks: Mark::ALL
            .map(|mark| (mark, row::meaning(words, mark)))
            .to_vec(),
        short: [&names[0], &names[1]].map(|name| Curve::half(name)),
        names,
    };
    page(site, visitor, StatusCode::OK, &shown)
}

/// The players' names as the match has them.
fn names(visitor: &Visitor, row: &MatchRow) -> [String; 2] {
    let words = visitor.words();
    [&row.first, &row.second].map(|player: &Option<PlayerInfo>| {
        player
            .as_ref()
            .map_or_else(|| words.say("live-free-seat"), |player| player.name.clone())
    })
}

fn title(visitor: &Visitor, [first, second]: &[String; 2]) -> String {
    format!(
        "{} – {first} – {second}",
        visitor.words().say("review-title")
    )
}
