//! Running matches side by side, as watchers may see them.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::referee::Status;

use super::frame::{Frame, failed, page};
use super::site::Site;
use super::visitor::Visitor;
use super::{plain, viewer};
use crate::costly;
use crate::matches::refusal;
use crate::store::{ListFilter, Listed, MatchStatus, Order, Page};

/// Matches that are shown.
const SHOWN: usize = 6;
/// Matches that are looked at: some may have ended, or are not in the memory of this server.
const LOOKED_AT: usize = 24;

/// The page.
#[derive(Template)]
#[template(path = "tv.html")]
struct Tv {
    frame: Frame,
    boards: Vec<Board>,
}

/// A running match, as it is shown.
struct Board {
    id: MatchId,
    first: String,
    second: String,
    /// The start, which says which game it is.
    start: String,
    picture: String,
    first_to_move: bool,
    delayed: bool,
}

/// Shows the page.
pub(super) async fn show(State(site): State<Site>, visitor: Visitor) -> Response {
    let words = visitor.words();
    if !visitor.wants_html {
        return plain::text(StatusCode::OK, "grundy games list --status live\n");
    }
    let filter = ListFilter {
        status: Some(MatchStatus::Live),
        viewer: Some(viewer::nobody()),
        ..ListFilter::default()
    };
    let newest = Page {
        order: Order::Newest,
        from: None,
        limit: LOOKED_AT,
    };
    let listing = match site.app.store.list(filter, newest).await {
        Ok(listing) => listing,
        Err(error) => return failed(&site, &visitor, &refusal::of_store(&error)),
    };
    let boards = listing.found.into_iter();
    let boards = boards.filter_map(|listed| Board::of(&site, listed));
    let tv = Tv {
        boards: boards.take(SHOWN).collect(),
        frame: Frame::new(&visitor, words.say("tv-title"), "tv.js"),
    };
    page(&site, &visitor, StatusCode::OK, &tv)
}

impl Board {
    /// A match as somebody sees it who plays no part in it; `None` if it does not run any more.
    fn of(site: &Site, listed: Listed) -> Option<Self> {
        let live = site.app.matches.get(listed.id)?;
        let (position, to_move, status) = live.board(viewer::nobody())?;
        let name = |player: Option<PlayerInfo>| player.map(|player| player.name);
        (status == Status::Live).then_some(())?;
        Some(Self {
            id: listed.id,
            first: name(listed.row.first)?,
            second: name(listed.row.second)?,
            start: listed.row.start,
            picture: costly::draw(site.leave, &position).inline_svg(),
            first_to_move: to_move == Seat::First,
            delayed: listed.row.series.is_some_and(|series| series.rated),
        })
    }
}
