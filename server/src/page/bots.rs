//! The page for programs: tokens of the visitor, and how to run a bot.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use grundy_shared::protocol::Scope;

use super::frame::{Frame, page};
use super::plain;
use super::site::Site;
use super::visitor::Visitor;

/// The scopes that the page offers, with the message that describes each. An operator's scope is for the terminal.
const SCOPES: [(Scope, &str); 4] = [
    (Scope::Watch, "bots-scope-watch"),
    (Scope::Play, "bots-scope-play"),
    (Scope::Bot, "bots-scope-bot"),
    (Scope::Tournament, "bots-scope-tournament"),
];
/// How long a token may be valid: days, and the message. 0 means until it is revoked.
const LIVES: [(u32, &str); 4] = [
    (7, "bots-week"),
    (90, "bots-quarter"),
    (365, "bots-year"),
    (0, "bots-forever"),
];

/// The page.
#[derive(Template)]
#[template(path = "bots.html")]
struct Bots {
    frame: Frame,
    lines: [String; 3],
    token: String,
    scopes: Vec<(&'static str, String)>,
    lives: Vec<(u32, String)>,
}

/// Shows the page.
pub(super) async fn show(
    State(site): State<Site>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Response {
    let words = visitor.words();
    let url = site.url.print(&headers);
    let lines = [
        "grundy bot new --lang python mybot".to_owned(),
        "grundy bot check python3 mybot/bot.py".to_owned(),
        format!("grundy --server {url} bot run --games nim,kayles -- python3 mybot/bot.py"),
    ];
    if !visitor.wants_html {
        return plain::text(StatusCode::OK, format!("{}\n", lines.join("\n")));
    }
    let scopes = SCOPES.into_iter();
    let lives = LIVES.into_iter();
    let bots = Bots {
        lines,
        token: format!("grundy --server {url} --token-file my.token games list --mine"),
        scopes: scopes
            .map(|(scope, name)| (scope.as_str(), words.say(name)))
            .collect(),
        lives: lives.map(|(days, name)| (days, words.say(name))).collect(),
        frame: Frame::new(&visitor, words.say("bots-title"), "bots.js"),
    };
    page(&site, &visitor, StatusCode::OK, &bots)
}
