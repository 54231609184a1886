//! The page of a player: ratings with their history, and the last matches.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use grundy_shared::bot::Bot;
use grundy_shared::chart::{HistoryPoint, RatingHistory};
use grundy_shared::event::{Outcome, PairScore, PlayerInfo};
use grundy_shared::games::find;
use grundy_shared::ids::{MatchId, PlayerId, Seat, Seq};
use grundy_shared::protocol::rating::RatingInfo;
use grundy_shared::rated::{Family, RatingEvent};
use grundy_words::{Catalogue, Value};

use super::frame::{Frame, failed, note, page};
use super::site::Site;
use super::tournaments::result;
use super::visitor::Visitor;
use super::{plain, viewer};
use crate::app::App;
use crate::matches::{builtin, refusal};
use crate::names;
use crate::ratings::{info_of, points, solver_rating};
use crate::store::{ListFilter, Listed, MatchRow, MatchStatus, Order, Page, StoreError, StreamId};

/// Pairs in a history.
const PAIRS: u64 = 100;
/// Families with a picture of their history.
const CHARTS: usize = 6;
/// Matches that are listed.
const MATCHES: usize = 20;
/// Bytes of a name that is looked for.
const NAME_BYTES: usize = 256;

/// The page of a player.
#[derive(Template)]
#[template(path = "player.html")]
struct PlayerPage {
    frame: Frame,
    name: String,
    bot: bool,
    ratings: Vec<Rating>,
    solving: Option<String>,
    matches: Vec<Played>,
    command: String,
}

/// A rating, as it is shown.
struct Rating {
    game: String,
    /// The page of the rules; empty for positions of several games.
    rules: String,
    rating: String,
    /// How many pairs were rated, and what became of the latest, in sentences.
    pairs: String,
    chart: Option<String>,
}

/// A match, as it is shown.
struct Played {
    id: MatchId,
    position: String,
    first: String,
    second: String,
    result: String,
    /// For the player.
    own: String,
}

/// Shows a player.
pub(super) async fn show(
    State(site): State<Site>,
    visitor: Visitor,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    let words = visitor.words();
    let player = match named(&site.app, &name).await {
        Ok(Some(player)) => player,
        Ok(None) => {
            let (title, text) = (words.say("u-unknown"), words.say("u-unknown-how"));
            return note(&site, &visitor, StatusCode::NOT_FOUND, title, text);
        }
        Err(error) => return failed(&site, &visitor, &refusal::of_store(&error)),
    };
    if !visitor.wants_html {
        return plain::text(StatusCode::OK, format!("grundy rating {}\n", player.id));
    }
    let reader = match viewer::of(&site, &headers).await {
        Ok(reader) => reader,
        Err(error) => return failed(&site, &visitor, &error),
    };
    let found = async {
        let ratings = ratings(&site.app, player.id, words).await?;
        let solving = site.app.store.solver(player.id).await?;
        let matches = matches(&site.app, player.id, reader).await?;
        Ok::<_, StoreError>((ratings, solving, matches))
    };
    let (ratings, solving, matches) = match found.await {
        Ok(found) => found,
        Err(error) => return failed(&site, &visitor, &refusal::of_store(&error)),
    };
    let now = site.app.clock.now();
    let solving = solving.map(|state| {
        let solver = solver_rating(&state, now);
        let text = spread(solver.rating, solver.deviation, solver.provisional);
        words.with("u-solving", &[("rating", Value::Text(&text))])
    });
    let shown = PlayerPage {
        frame: Frame::still(&visitor, player.name.clone()),
        bot: player.bot,
        ratings,
        solving,
        matches: matches
            .into_iter()
            .map(|listed| Played::of(listed, player.id, words))
            .collect(),
        // By the id: a name can be anything, and a command is copied into a terminal.
        command: format!("grundy games list --player {}", player.id),
        name: player.name,
    };
    page(&site, &visitor, StatusCode::OK, &shown)
}

/// The player of this name: a built-in bot, or one who has an account and was not erased.
async fn named(app: &App, name: &str) -> Result<Option<PlayerInfo>, StoreError> {
    if name.len() > NAME_BYTES {
        return Ok(None);
    }
    if let Ok(bot) = name.parse::<Bot>() {
        return Ok(Some(builtin::player(&bot)));
    }
    let found = app.store.player_by_name(&names::name_key(name)).await?;
    let Some(found) = found else {
        return Ok(None);
    };
    let account = app.store.account(found.id).await?;
    Ok((!account.is_some_and(|account| account.erased)).then_some(found))
}

/// The ratings of a player, the one with most pairs first.
async fn ratings(
    app: &App,
    player: PlayerId,
    words: &Catalogue,
) -> Result<Vec<Rating>, StoreError> {
    let now = app.clock.now();
    let mut found = app.store.ratings(player).await?;
    found.sort_by_key(|(_, row)| std::cmp::Reverse(row.state.pairs));
    let mut shown = Vec::with_capacity(found.len());
    for (place, (family, row)) in found.into_iter().enumerate() {
        let history = match place < CHARTS {
            true => history(app, player, family, row.state.pairs).await?,
            false => Vec::new(),
        };
        shown.push(Rating::of(
            &info_of(family, &row.state, now),
            &history,
            words,
        ));
    }
    Ok(shown)
}

/// The last pairs of a rating, the oldest first: what became of each, and the rating after it.
async fn history(
    app: &App,
    player: PlayerId,
    family: Family,
    pairs: Seq,
) -> Result<Vec<(PairScore, HistoryPoint)>, StoreError> {
    let after = Seq(pairs.0.saturating_sub(PAIRS));
    let stream = StreamId::Rating(player, family);
    let logged = app.store.load(stream, after, PAIRS as usize).await?;
    let read = logged.unwrap_or_default().into_iter().filter_map(|logged| {
        let RatingEvent::Rated(rated) = serde_json::from_slice(&logged.body).ok()?;
        let point = HistoryPoint {
            rating: points(rated.after.rating.into()),
            deviation: points(rated.after.deviation.into()),
        };
        Some((rated.score, point))
    });
    Ok(read.collect())
}

/// The last matches of a player that the reader may see.
async fn matches(app: &App, player: PlayerId, reader: PlayerId) -> Result<Vec<Listed>, StoreError> {
    let filter = ListFilter {
        player: Some(player),
        viewer: Some(reader),
        ..ListFilter::default()
    };
    let newest = Page {
        order: Order::Newest,
        from: None,
        limit: MATCHES,
    };
    Ok(app.store.list(filter, newest).await?.found)
}

impl Rating {
    fn of(info: &RatingInfo, history: &[(PairScore, HistoryPoint)], words: &Catalogue) -> Self {
        let is_game = find(&info.family).is_some();
        let game = match is_game {
            true => words.say(&format!("game-{}", info.family)),
            false => words.say("u-sum"),
        };
        let count = |score| {
            let of = history.iter().filter(|(own, _)| *own == score);
            of.count().to_string()
        };
        let [won, drawn, lost] = [PairScore::Won, PairScore::Drawn, PairScore::Lost].map(count);
        let values = [
            ("won", Value::Text(&won)),
            ("drawn", Value::Text(&drawn)),
            ("lost", Value::Text(&lost)),
        ];
        let pairs = info.pairs.to_string();
        let counted = [
            ("count", Value::Number(info.pairs)),
            ("n", Value::Text(&pairs)),
        ];
        let mut said = vec![words.with("u-pairs", &counted)];
        if !history.is_empty() {
            said.push(words.with("u-score", &values));
        }
        let curve: Vec<HistoryPoint> = history.iter().map(|(_, point)| *point).collect();
        let label = words.with("u-history-of", &[("game", Value::Text(&game))]);
        Self {
            rules: match is_game {
                true => format!("/rules/{}", info.family),
                false => String::new(),
            },
            rating: spread(info.rating, info.deviation, info.provisional),
            pairs: words.sentences(&said),
            chart: RatingHistory::of(&curve).map(|curve| curve.inline_svg(&label)),
            game,
        }
    }
}

/// A rating with two deviations; a question mark while it is provisional.
fn spread(rating: i64, deviation: i64, provisional: bool) -> String {
    let unsure = if provisional { "?" } else { "" };
    format!("{rating}{unsure} ± {}", 2 * deviation)
}

impl Played {
    fn of(listed: Listed, player: PlayerId, words: &Catalogue) -> Self {
        let row = listed.row;
        let name = |of: &Option<PlayerInfo>| {
            of.as_ref()
                .map_or_else(|| words.say("live-free-seat"), |one| one.name.clone())
        };
        Self {
            id: listed.id,
            first: name(&row.first),
            second: name(&row.second),
            result: row
                .outcome
                .map_or_else(String::new, |one| result(one).to_owned()),
            own: words.say(own(&row, player)),
            position: row.start,
        }
    }
}

/// The message for what a match came to for a player.
fn own(row: &MatchRow, player: PlayerId) -> &'static str {
    let seat = row.first.as_ref().is_some_and(|first| first.id == player);
    let seat = if seat { Seat::First } else { Seat::Second };
    match (row.status, row.outcome) {
        (MatchStatus::Waiting, _) => "u-waiting",
        (MatchStatus::Live, _) => "u-live",
        (MatchStatus::Over, Some(Outcome::Draw)) => "u-drawn",
        (MatchStatus::Over, Some(Outcome::Void) | None) => "u-void",
        (MatchStatus::Over, Some(outcome)) => match outcome.winner() == Some(seat) {
            true => "u-won",
            false => "u-lost",
        },
    }
}
