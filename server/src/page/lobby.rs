//! The first page.

use askama::Template;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use grundy_shared::games::find;
use grundy_words::Catalogue;
use serde::Deserialize;

use super::frame::{Frame, page};
use super::site::Site;
use super::visitor::Visitor;
use super::{plain, today};

/// Positions that the first page offers, each of another kind.
const STARTS: [&str; 14] = [
    "nim:3,5,7",
    "nim:3,5,7@misere",
    "wythoff:5,8",
    "kayles:9",
    "stairs:2,3,1,0,4",
    "chomp:6,5,5,3",
    "cram:..../..../....",
    "domineering:..../..../..../....",
    "hack:0-1-2,0-3-4-5,0-6",
    "nodekayles:0-1,0-4,1-2,2-3,2-5,3-4",
    "turtles:HTHHTTH",
    "northcott:x....o/.x..o./x...o.",
    "notakto:........./.........@misere",
    "nim:3,4+kayles:6+wythoff:2,5",
];

/// Built-in bots that the first page offers, with the message that describes each.
const BOTS: [(&str, &str); 5] = [
    ("skill:0.3", "page-bot-easy"),
    ("skill:0.7", "page-bot-medium"),
    ("skill:0.9", "page-bot-hard"),
    ("teacher", "page-bot-teacher"),
    ("perfect", "page-bot-perfect"),
];

/// The first page.
#[derive(Template)]
#[template(path = "lobby.html")]
struct Lobby {
    frame: Frame,
    starts: Vec<(&'static str, String)>,
    /// The position that the address names.
    own: String,
    bots: Vec<(&'static str, String)>,
    /// What the puzzle of the day asks for.
    today: String,
}

/// What the address of the first page may name.
#[derive(Deserialize)]
pub(super) struct Asked {
    /// A position to begin from.
    #[serde(default)]
    position: String,
}

/// Shows the first page.
pub(super) async fn show(
    State(site): State<Site>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    if !visitor.wants_html {
        return plain::about(&site.url.print(&headers));
    }
    let words = visitor.words();
    let starts = STARTS
        .into_iter()
        .map(|start| (start, named(start, words)))
        .collect();
    let bots = BOTS
        .into_iter()
        .map(|(bot, name)| (bot, words.say(name)))
        .collect();
    let lobby = Lobby {
        frame: Frame::new(&visitor, words.say("page-title"), "lobby.js"),
        starts,
        own: asked.position,
        bots,
        today: today::task(&site.app, &visitor),
    };
    page(&site, &visitor, StatusCode::OK, &lobby)
}

/// A position with the title of its game in front, if it has one game.
fn named(start: &str, words: &Catalogue) -> String {
    let name = start.split([':', '.']).next().unwrap_or(start);
    match (find(name), start.contains('+')) {
        (Some(info), false) => format!("{} – {start}", words.say(&format!("game-{}", info.name))),
        _ => start.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use grundy_shared::Position;
    use grundy_shared::bot::Bot;
    use grundy_shared::ids::Seat;
    use grundy_words::Language;

    use super::*;

    #[test]
    fn what_is_offered_can_be_played() {
        for start in STARTS {
            let position = Position::parse(start).expect(start);
            assert_eq!(position.to_string(), start);
            assert!(!position.is_over(Seat::First), "{start}");
        }
        for (bot, name) in BOTS {
            assert!(bot.parse::<Bot>().is_ok(), "{bot}");
            for language in Language::ALL {
                assert!(
                    !Catalogue::of(language).say(name).starts_with('['),
                    "{name}"
                );
            }
        }
    }
}
