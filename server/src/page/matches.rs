//! The page of a match, for its players and for those who watch.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use grundy_shared::Position;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::MatchId;
use grundy_shared::picture::Picture;
use grundy_shared::protocol::chat::Preset;
use grundy_shared::solver::Budget;

use super::frame::{Frame, page};
use super::site::Site;
use super::visitor::Visitor;
use super::{card, plain, study, viewer};
use crate::addresses::AddressKey;
use crate::analysis::Owner;
use crate::matches::sight;
use crate::store::MatchRow;

/// A picture may have its own style, and nothing else.
const PICTURE: &str =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

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
    /// What can be said with one press, and how that reads.
    presets: Vec<(&'static str, String)>,
    first: String,
    second: String,
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
        return picture(&site, id, &headers).await;
    }
    if let Some(id) = id.strip_suffix(".png") {
        return card(&site, id, address, &headers).await;
    }
    let words = visitor.words();
    let found = match id.parse::<MatchId>() {
        Ok(id) => seen(&site, id, &headers).await.map(|found| (id, found)),
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
    let Some((id, (row, position))) = found else {
        return unknown(&site, &visitor);
    };
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
        board: Picture::of(&position).inline_svg(),
        position: position.to_string(),
        presets: PRESETS
            .map(|preset| {
                let text = words.say(&format!("said-{}", preset.as_str()));
                (preset.as_str(), text)
            })
            .into(),
        first,
        second,
    };
    page(&site, &visitor, StatusCode::OK, &shown)
}

/// The position that this reader may see, as a picture that stands alone.
async fn picture(site: &Site, id: &str, headers: &HeaderMap) -> Response {
    let Ok(id) = id.parse::<MatchId>() else {
        return plain::unknown();
    };
    match seen(site, id, headers).await {
        Some((_, position)) => {
            let headers = [
                (CONTENT_TYPE, "image/svg+xml"),
                (CONTENT_SECURITY_POLICY, PICTURE),
            ];
            (headers, Picture::of(&position).svg()).into_response()
        }
        None => plain::unknown(),
    }
}

/// The position that this reader may see, as the card of a link.
async fn card(site: &Site, id: &str, address: AddressKey, headers: &HeaderMap) -> Response {
    let Ok(id) = id.parse::<MatchId>() else {
        return plain::unknown();
    };
    let Some((_, position)) = seen(site, id, headers).await else {
        return plain::unknown();
    };
    let owner = Owner::at(address.digest(&site.app.address_secret).0, None);
    let draw = move |_: &Budget<'_>| card::png(&Picture::of(&position).svg());
    match study::work(&site.app, owner, "card", draw).await {
        Ok(Some(png)) => ([(CONTENT_TYPE, "image/png")], png).into_response(),
        Ok(None) => plain::unknown(),
        Err(refused) => refused.status().into_response(),
    }
}

/// The match and the position that this reader may see.
async fn seen(site: &Site, id: MatchId, headers: &HeaderMap) -> Option<(MatchRow, Position)> {
    let app = &site.app;
    let viewer = viewer::of(site, headers).await;
    let row = app.store.row(id).await.ok().flatten()?;
    if !row.is_seen_by(viewer) {
        return None;
    }
    let referee = app.matches.replay(id).await.ok().flatten()?;
    let behind = app.config.current().limits.rated_delay_moves;
    let (position, _) = sight::board(&referee, viewer, behind);
    Some((row, position))
}
