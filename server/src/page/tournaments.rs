//! The pages of tournaments: all of them, and one with its standings, pairings and cross-table.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use bytes::Bytes;
use grundy_shared::chart::CrossChart;
use grundy_shared::event::Outcome;
use grundy_shared::ids::{MatchId, Millis, Seq, TournamentId};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::protocol::tournament::{TournamentState, TournamentStatus};
use grundy_shared::tournament::{
    Dated, Format, Next, Row, TieBreak, Tournament, TournamentEvent, match_of_game,
};
use grundy_words::{Catalogue, Value};
use serde::Deserialize;

use super::crosstable::{Grid, name};
use super::frame::{Frame, failed, note, page, painted};
use super::kept::Painted;
use super::site::Site;
use super::visitor::Visitor;
use super::{link, plain};
use crate::app::App;
use crate::store::StreamId;

/// Tournaments on a page of the list.
const LISTED: usize = 50;
/// Rows of the standings.
const ROWS: u32 = 100;
/// Boards of the running round that are shown.
const BOARDS: usize = 50;
/// The last events that are looked at for games that have ended.
const LOOKED_AT: u64 = 40;
/// How long a page is good for other readers, in milliseconds: many hear of an event at once, and read the page again.
const KEPT: Millis = Millis(1_000);
/// Games that have ended which are shown.
const ENDED: usize = 10;

/// What the address of the list names.
#[derive(Deserialize)]
pub(super) struct Asked {
    /// The number before which the page begins.
    before: Option<u32>,
}

/// All tournaments.
#[derive(Template)]
#[template(path = "tournaments.html")]
struct List {
    frame: Frame,
    rows: Vec<Listed>,
    next: Option<u32>,
}

/// A tournament in the list.
struct Listed {
    id: TournamentId,
    name: String,
    format: String,
    status: String,
}

/// One tournament.
#[derive(Template)]
#[template(path = "tournament.html")]
struct TournamentPage {
    frame: Frame,
    id: TournamentId,
    /// How far it has come.
    seq: Seq,
    /// Whether something can still happen in it.
    goes_on: bool,
    status: String,
    /// The format, the players and the organiser, in sentences.
    about: String,
    /// Games that have ended, and games in all.
    progress: Option<(u64, u64)>,
    games: String,
    standings: Vec<Standing>,
    /// FIDE's acronyms of the tie-breaks.
    breaks: Vec<&'static str>,
    round: Option<Round>,
    grid: Option<Grid>,
    ended: Vec<Ended>,
}

/// A row of the standings, as it is shown.
struct Standing {
    rank: u32,
    name: String,
    link: String,
    withdrawn: bool,
    points: String,
    wins: u64,
    draws: u64,
    losses: u64,
    /// In the order of the headings.
    tie_breaks: Vec<String>,
    elo: String,
}

/// The running round, as it is shown.
struct Round {
    title: String,
    boards: Vec<Board>,
    /// Who has a bye: the name, with what the sentence has before and after it.
    byes: Vec<(String, String, String)>,
    /// Boards that are not shown.
    more: usize,
}

/// A board of the running round.
struct Board {
    number: usize,
    first: String,
    second: String,
    /// The match that is being played.
    live: Option<MatchId>,
}

/// A game that has ended.
struct Ended {
    match_id: MatchId,
    first: String,
    second: String,
    result: &'static str,
}

/// Shows all tournaments.
pub(super) async fn list(
    State(site): State<Site>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Response {
    if !visitor.wants_html {
        return plain::text(StatusCode::OK, "grundy tournament list\n");
    }
    let words = visitor.words();
    let (found, next) = site.app.tournaments.list(asked.before, LISTED).await;
    let rows = found.into_iter().map(|one| Listed {
        id: one.tournament,
        name: one.name,
        format: format(one.format, words),
        status: words.say(status(one.status)),
    });
    let list = List {
        rows: rows.collect(),
        next,
        frame: Frame::still(&visitor, words.say("t-title")),
    };
    page(&site, &visitor, StatusCode::OK, &list)
}

/// Shows one tournament.
pub(super) async fn show(
    State(site): State<Site>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Response {
    if let Some(id) = id.strip_suffix(".svg") {
        return picture(&site, id).await;
    }
    let words = visitor.words();
    let live = match site.app.tournaments.find(&id).await {
        Ok(live) => live,
        Err(error) if error.code == ErrorCode::NoSuchTournament => {
            let (title, text) = (words.say("t-unknown"), words.say("t-unknown-how"));
            return note(&site, &visitor, StatusCode::NOT_FOUND, title, text);
        }
        Err(error) => return failed(&site, &visitor, &error),
    };
    if !visitor.wants_html {
        let text = format!("grundy tournament show {}\n", live.id());
        return plain::text(StatusCode::OK, text);
    }
    let key = (live.id(), words.language());
    // The page has its own address in it: the same for everybody, whatever else was asked for.
    let visitor = Visitor {
        path: format!("/t/{}", live.id()),
        query: String::new(),
        ..visitor
    };
    let (now, seq) = (site.app.clock.now(), live.seq());
    let kept = site
        .kept
        .tournaments
        .get(&key)
        .filter(|kept| kept.seq == seq && now.since(kept.at) < KEPT);
    if let Some(Painted { html, .. }) = kept {
        return painted(&site, &visitor, StatusCode::OK, html);
    }
    let is_played = |id: MatchId| site.app.matches.get(id).is_some();
    let (state, tournament) = live.show(ROWS);
    let order: Vec<u32> = state.standings.iter().map(|row| row.player).collect();
    let grid = Grid::of(&tournament, &order);
    let round = Round::of(state.tournament, &tournament, words);
    let round = round.map(|round| round.only_played(is_played));
    let ended = ended(&site.app, &state).await;
    let goes_on = !state.status.is_final();
    let frame = match goes_on {
        true => Frame::new(&visitor, state.name.clone(), "tournament.js"),
        false => Frame::still(&visitor, state.name.clone()),
    };
    let breaks = Row::tie_breaks_of(&state.standings);
    let shown = TournamentPage {
        frame,
        id: state.tournament,
        seq: state.seq,
        goes_on,
        status: standing(&state, words),
        about: about(&state, words),
        progress: state.games_planned.map(|all| (state.games_ended, all)),
        games: progress(&state, words),
        standings: state
            .standings
            .iter()
            .map(|row| Standing::of(row, &breaks))
            .collect(),
        breaks: breaks.iter().map(|of| of.acronym()).collect(),
        round,
        grid,
        ended,
    };
    let html = shown.render().expect("writing to a String cannot fail");
    let html = Bytes::from(html);
    let (at, seq, kept) = (now, shown.seq, html.clone());
    site.kept.tournaments.put(
        key,
        Painted {
            at,
            seq,
            html: kept,
        },
    );
    painted(&site, &visitor, StatusCode::OK, html)
}

/// The cross-table of the finished rounds as a picture that stands alone.
async fn picture(site: &Site, id: &str) -> Response {
    let Ok(live) = site.app.tournaments.find(id).await else {
        return plain::unknown();
    };
    let (state, tournament) = live.show(ROWS);
    let order = state.standings.iter();
    let order: Vec<(u32, String)> = order.map(|row| (row.player, row.name.clone())).collect();
    match CrossChart::of(tournament.table(), &order) {
        Some(chart) => plain::svg(chart.svg(&state.name)),
        None => plain::unknown(),
    }
}

impl Standing {
    fn of(row: &Row, breaks: &[TieBreak]) -> Self {
        let values = breaks.iter().map(|tie_break| row.tie_break(*tie_break));
        let elo = match (row.rating, row.elo) {
            (Some(rating), _) => format!("{rating:.0}"),
            (None, Some(elo)) => format!("{elo:+.0}"),
            (None, None) => "–".to_owned(),
        };
        Self {
            rank: row.rank,
            name: row.name.clone(),
            link: link::player(&row.name),
            withdrawn: row.withdrawn,
            points: row.points.to_string(),
            wins: row.wins,
            draws: row.draws,
            losses: row.losses,
            tie_breaks: values
                .map(|value| value.map_or(String::new(), |value| value.to_string()))
                .collect(),
            elo,
        }
    }
}

impl Round {
    fn of(id: TournamentId, tournament: &Tournament, words: &Catalogue) -> Option<Self> {
        let (number, pairs, byes) = tournament.running_round()?;
        let open = match tournament.next() {
            Ok(Next::Play(open)) => open,
            _ => Vec::new(),
        };
        let boards = (1..).zip(pairs).take(BOARDS).map(|(board, (one, two))| {
            let running = open.iter().find(|game| game.board as usize == board);
            Board {
                number: board,
                first: name(tournament, *one),
                second: name(tournament, *two),
                live: running.map(|game| match_of_game(id, game.round, game.board, game.game)),
            }
        });
        let text = number.to_string();
        Some(Self {
            title: words.with("t-round", &[("round", Value::Text(&text))]),
            boards: boards.collect(),
            byes: byes
                .iter()
                .map(|player| bye(words, name(tournament, *player)))
                .collect(),
            more: pairs.len().saturating_sub(BOARDS),
        })
    }

    /// Without the links to matches that do not run.
    fn only_played(mut self, is_played: impl Fn(MatchId) -> bool) -> Self {
        for board in &mut self.boards {
            board.live = board.live.filter(|id| is_played(*id));
        }
        self
    }
}

/// The games that have ended last, the newest first.
async fn ended(app: &App, state: &TournamentState) -> Vec<Ended> {
    let after = Seq(state.seq.0.saturating_sub(LOOKED_AT));
    let stream = StreamId::Tournament(state.tournament);
    let logged = app.store.load(stream, after, LOOKED_AT as usize).await;
    let logged = logged.ok().flatten().unwrap_or_default();
    let mut ended = Vec::new();
    for logged in logged.iter().rev() {
        let Ok(Dated {
            event: TournamentEvent::GameEnded {
                match_id, outcome, ..
            },
            ..
        }) = serde_json::from_slice(&logged.body)
        else {
            continue;
        };
        let row = app.store.row(match_id).await.ok().flatten();
        let players = row.and_then(|row| row.first.zip(row.second));
        let Some((first, second)) = players else {
            continue;
        };
        ended.push(Ended {
            match_id,
            first: first.name,
            second: second.name,
            result: result(outcome),
        });
        if ended.len() == ENDED {
            break;
        }
    }
    ended
}

/// The result of a game as players write it, the first player first.
pub(super) fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::First => "1\u{a0}–\u{a0}0",
        Outcome::Second => "0\u{a0}–\u{a0}1",
        Outcome::Draw => "½\u{a0}–\u{a0}½",
        Outcome::Void => "–",
    }
}

/// The sentence about a player who has a bye, cut around the name: a page keeps the direction of names apart.
fn bye(words: &Catalogue, player: String) -> (String, String, String) {
    const NAME: &str = "\0";
    let said = words.with("t-bye", &[("name", Value::Text(NAME))]);
    let (before, after) = said.split_once(NAME).unwrap_or(("", &said));
    (before.to_owned(), player, after.to_owned())
}

/// The message for how far a tournament has come.
fn status(status: TournamentStatus) -> &'static str {
    match status {
        TournamentStatus::Entries => "t-entries",
        TournamentStatus::Running => "t-running",
        TournamentStatus::Paused => "t-paused",
        TournamentStatus::Over => "t-over",
        TournamentStatus::Cancelled => "t-cancelled",
    }
}

/// How far it has come, and why it was cancelled, if it was.
fn standing(state: &TournamentState, words: &Catalogue) -> String {
    let said = words.say(status(state.status));
    match &state.cancelled {
        Some(reason) if !reason.is_empty() => words.sentences(&[said, reason.clone()]),
        _ => said,
    }
}

fn format(format: Format, words: &Catalogue) -> String {
    let counted = |name, count: u32| {
        let text = count.to_string();
        let values = [
            ("count", Value::Number(count.into())),
            ("n", Value::Text(&text)),
        ];
        words.with(name, &values)
    };
    match format {
        Format::RoundRobin {} => words.say("t-round-robin"),
        Format::DoubleRoundRobin {} => words.say("t-double-round-robin"),
        Format::Gauntlet { seeds } => counted("t-gauntlet", seeds),
        Format::Swiss { rounds } => counted("t-swiss", rounds),
        Format::Knockout {} => words.say("t-knockout"),
        Format::Ladder { rounds } => counted("t-ladder", rounds),
    }
}

/// What else there is to know: the format, players, games of a pairing, the organiser.
fn about(state: &TournamentState, words: &Catalogue) -> String {
    let counted = |name, count: u32| {
        let text = count.to_string();
        let values = [
            ("count", Value::Number(count.into())),
            ("n", Value::Text(&text)),
        ];
        words.with(name, &values)
    };
    let organiser = [("name", Value::Text(&state.organiser.name))];
    words.sentences(&[
        format(state.format, words),
        counted("t-players", state.players),
        counted("t-games-of-pairing", state.games_of_pairing),
        words.with("t-organiser", &organiser),
    ])
}

fn progress(state: &TournamentState, words: &Catalogue) -> String {
    let ended = state.games_ended.to_string();
    match state.games_planned {
        Some(planned) => {
            let planned = planned.to_string();
            let values = [
                ("ended", Value::Text(&ended)),
                ("planned", Value::Text(&planned)),
            ];
            words.with("t-progress", &values)
        }
        None => words.say("t-not-begun"),
    }
}
