//! The page of a match, for its players and for those who watch.

use askama::Template;
use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use grundy_shared::Position;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::practice::no_hints;
use grundy_shared::protocol::ErrorBody;
use grundy_shared::protocol::chat::Preset;
use grundy_shared::solver::Budget;
use grundy_words::Rule;

use super::frame::{Frame, failed, page};
use super::kept::{End, POSITION_MAX};
use super::rules::{of_the_whole, rules_of};
use super::site::Site;
use super::visitor::Visitor;
use super::{card, plain, study, viewer};
use crate::addresses::AddressKey;
use crate::analysis::{Length, Owner};
use crate::costly::{self, OffServing};
use crate::matches::sight;
use crate::store::{MatchRow, MatchStatus};

/// The type of a record.
pub(super) const RECORD: &str = "application/x-ndjson";

/// What can be said with one press.
const PRESETS: [Preset; 6] = [
    Preset::Hello,
    Preset::GoodLuck,
    Preset::NiceMove,
    Preset::GoodGame,
    Preset::Thanks,
    Preset::Goodbye,
];

/// The page of a match.
#[derive(Template)]
#[template(path = "match.html")]
struct MatchPage {
    frame: Frame,
    id: String,
    /// The picture of the position, which needs no scripts to be seen.
    board: String,
    position: String,
    /// The rules of the position's games, and those that hold for the whole position.
    rules: Vec<Rule>,
    whole: String,
    /// What can be said with one press, and how that reads.
    presets: Vec<(&'static str, String)>,
    first: String,
    second: String,
    /// Whether the reader plays, and the solver may help.
    hints: bool,
}

/// A page for a match that does not exist, or that this reader may not see: the same for both.
#[derive(Template)]
#[template(path = "no_match.html")]
struct NoMatch {
    frame: Frame,
}

/// The answer where there is no such match.
pub(super) fn unknown(site: &Site, visitor: &Visitor) -> Response {
    let frame = Frame::new(visitor, visitor.words().say("match-unknown"), "lobby.js");
    page(site, visitor, StatusCode::NOT_FOUND, &NoMatch { frame })
}

/// Shows a match.
pub(super) async fn show(
    State(site): State<Site>,
    visitor: Visitor,
    Extension(address): Extension<AddressKey>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    if let Some(id) = id.strip_suffix(".svg") {
        return picture(&site, id, address, &headers).await;
    }
    if let Some(id) = id.strip_suffix(".png") {
        return card(&site, id, address, &headers).await;
    }
    if let Some(id) = id.strip_suffix(".ndjson") {
        return record(&site, id, &headers).await;
    }
    let words = visitor.words();
    let found = match id.parse::<MatchId>() {
        Ok(id) => match seen(&site, id, address, &headers).await {
            Ok(found) => found.map(|found| (id, found)),
            Err(error) => return failed(&site, &visitor, &error),
        },
        Err(_) => None,
    };
    if !visitor.wants_html {
        return match found {
            Some((id, _)) => {
                let url = site.url.print(&headers);
                plain::text(
                    StatusCode::OK,
                    format!("grundy watch {id} --server {url}\n"),
                )
            }
            None => plain::unknown(),
        };
    }
    let Some((id, seen)) = found else {
        return unknown(&site, &visitor);
    };
    let Seen {
        row,
        position,
        hints,
    } = seen;
    let name = |player: &Option<PlayerInfo>| {
        player
            .as_ref()
            .map_or_else(|| words.say("live-free-seat"), |player| player.name.clone())
    };
    let (first, second) = (name(&row.first), name(&row.second));
    let shown = MatchPage {
        frame: Frame {
            card: Some(format!("{}/g/{id}.png", site.url.print(&headers))),
            ..Frame::new(&visitor, format!("{first} – {second}"), "match.js")
        },
        id: id.to_string(),
        board: costly::draw(site.leave, &position).inline_svg(),
        position: position.to_string(),
        rules: rules_of(&position, words),
        whole: of_the_whole(&position, words),
        presets: PRESETS
            .map(|preset| {
                let text = words.say(&format!("said-{}", preset.as_str()));
                (preset.as_str(), text)
            })
            .into(),
        first,
        second,
        hints,
    };
    page(&site, &visitor, StatusCode::OK, &shown)
}

/// The position that this reader may see, as a picture that stands alone.
async fn picture(site: &Site, id: &str, address: AddressKey, headers: &HeaderMap) -> Response {
    let Ok(id) = id.parse::<MatchId>() else {
        return plain::unknown();
    };
    match seen(site, id, address, headers).await {
        Ok(Some(Seen { position, .. })) => plain::svg(costly::draw(site.leave, &position).svg()),
        Ok(None) => plain::unknown(),
        Err(error) => plain::failed(&error),
    }
}

/// The position that this reader may see, as the card of a link.
async fn card(site: &Site, id: &str, address: AddressKey, headers: &HeaderMap) -> Response {
    let Ok(id) = id.parse::<MatchId>() else {
        return plain::unknown();
    };
    let position = match seen(site, id, address, headers).await {
        Ok(Some(Seen { position, .. })) => position,
        Ok(None) => return plain::unknown(),
        Err(error) => return plain::failed(&error),
    };
    let kind = [(CONTENT_TYPE, "image/png")];
    let key = position.to_string();
    if let Some(png) = site.kept.cards.get(&key) {
        return (kind, png).into_response();
    }
    let owner = Owner::at(address.digest(&site.app.address_secret).0, None);
    let draw = move |budget: &Budget<'_>| {
        let picture = costly::draw(OffServing::with(budget), &position);
        card::png(&picture.svg())
    };
    match study::work(&site.app, owner, "card", Length::Long, draw).await {
        Ok(Some(png)) => {
            let png = Bytes::from(png);
            if key.len() <= POSITION_MAX {
                site.kept.cards.put(key, png.clone());
            }
            (kind, png).into_response()
        }
        Ok(None) => plain::unknown(),
        Err(refused) => refused.status().into_response(),
    }
}

/// The record of a match that is over.
async fn record(site: &Site, id: &str, headers: &HeaderMap) -> Response {
    let app = &site.app;
    let Ok(id) = id.parse::<MatchId>() else {
        return plain::unknown();
    };
    let viewer = match viewer::of(site, headers).await {
        Ok(viewer) => viewer,
        Err(error) => return plain::failed(&error),
    };
    let row = match app.store.row(id).await {
        Ok(row) => row.filter(|row| row.is_seen_by(viewer)),
        Err(error) => return plain::failed(&app.matches.unreadable(id, &error)),
    };
    let Some(row) = row else {
        return plain::unknown();
    };
    if row.status != MatchStatus::Over {
        let words = format!(
            "the match is not over, so its record is not complete; 'grundy games export {id}' gives what there is\n"
        );
        return plain::text(StatusCode::CONFLICT, words);
    }
    match crate::record::stream(app.clone(), id).await {
        Ok(lines) => {
            let file = format!("attachment; filename=\"{id}.ndjson\"");
            let about = [
                (CONTENT_TYPE, RECORD.to_owned()),
                (CONTENT_DISPOSITION, file),
            ];
            (about, Body::from_stream(lines)).into_response()
        }
        Err(error) => plain::failed(&error),
    }
}

/// What a reader may see of a match.
struct Seen {
    row: MatchRow,
    position: Position,
    /// Whether the reader plays, and the solver may help.
    hints: bool,
}

/// The match and the position that this reader may see. A match that is being played is in the memory of the server; the log of another one is read once.
///
/// # Errors
/// Who reads, or the match, cannot be read now.
async fn seen(
    site: &Site,
    id: MatchId,
    address: AddressKey,
    headers: &HeaderMap,
) -> Result<Option<Seen>, ErrorBody> {
    let app = &site.app;
    let viewer = viewer::of(site, headers).await?;
    let row = app.store.row(id).await;
    let row = row.map_err(|error| app.matches.unreadable(id, &error))?;
    let Some(row) = row.filter(|row| row.is_seen_by(viewer)) else {
        return Ok(None);
    };
    let live = app.matches.get(id);
    let played = live.and_then(|live| Some((live.board(viewer)?.0, live.helps(viewer)?)));
    if let Some((position, hints)) = played {
        return Ok(Some(Seen {
            row,
            position,
            hints,
        }));
    }
    let is_over = row.status == MatchStatus::Over;
    let seat = Seat::BOTH.into_iter().find(|seat| {
        let player = match seat {
            Seat::First => &row.first,
            Seat::Second => &row.second,
        };
        player.as_ref().is_some_and(|player| player.id == viewer)
    });
    if let Some(End { position, helps }) = site.kept.ends.get(&id).filter(|_| is_over) {
        let hints = seat.is_some_and(|seat| helps[seat.index()]);
        return Ok(Some(Seen {
            row,
            position,
            hints,
        }));
    }
    let owner = Owner::at(address.digest(&app.address_secret).0, None);
    let Some(referee) = app.matches.replay(owner, id).await? else {
        return Ok(None);
    };
    let behind = app.config.current().limits.rated_delay_moves;
    let (position, _) = sight::board(&referee, viewer, behind);
    let helps = Seat::BOTH.map(|seat| no_hints(&referee, seat).is_none());
    if is_over && position.to_string().len() <= POSITION_MAX {
        let position = position.clone();
        site.kept.ends.put(id, End { position, helps });
    }
    Ok(Some(Seen {
        row,
        position,
        hints: seat.is_some_and(|seat| helps[seat.index()]),
    }))
}
