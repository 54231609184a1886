//! The lab: who wins a position and why, and what each of its moves comes to. Every position has an address.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use grundy_shared::Position;
use grundy_shared::games::{GameInfo, REGISTRY};
use grundy_shared::ids::Seat;
use grundy_shared::protocol::ErrorBody;
use grundy_words::{Catalogue, Value, reason};
use serde::Deserialize;

use super::frame::{Frame, page};
use super::moves::{self, Row};
use super::site::Site;
use super::studied::{self, Reader};
use super::study::{self, NoStudy, Study};
use super::visitor::Visitor;
use super::{link, live_words, plain, viewer};
use crate::addresses::AddressKey;
use crate::analysis::Owner;
use crate::costly::{self, OffServing};

/// Positions to begin with.
const STARTS: [&str; 8] = [
    "nim:3,5,7",
    "nim:1,4,6,7@misere",
    "kayles:7,4",
    "wythoff:5,8",
    "chomp:5,4,2",
    "hack:0b1r2-3,0-4",
    "nodekayles:0-1,1-2,3",
    "nim:3,4+kayles:6+wythoff:2,5",
];

/// What the address of the lab names.
#[derive(Deserialize)]
pub(super) struct Asked {
    /// The position as it was typed.
    #[serde(default)]
    position: String,
    /// `second` if the second player is to move.
    #[serde(default)]
    to_move: String,
    /// The position before the last move.
    #[serde(default)]
    from: String,
}

/// The lab.
#[derive(Template)]
#[template(path = "lab.html")]
struct Lab {
    frame: Frame,
    typed: String,
    second: bool,
    /// What is wrong with what was typed.
    trouble: Option<Trouble>,
    starts: Vec<(&'static str, String)>,
    /// An example of each game with its title, which the browser offers while the reader types.
    known: Vec<(&'static str, String)>,
    shown: Option<Shown>,
}

/// What is wrong with a position.
struct Trouble {
    why: String,
    place: String,
    example: String,
}

/// A position, as it is shown.
struct Shown {
    position: String,
    board: String,
    /// Whether the player to move has no move.
    over: bool,
    sides: bool,
    /// The address of the position before the last move.
    back: Option<String>,
    play: String,
    /// What to type in a terminal for more.
    solve: String,
    explain: String,
    /// The solver's answer, or why there is none.
    found: Result<Answer, String>,
}

/// What the solver found, as it is shown.
struct Answer {
    verdict: String,
    /// Whether the limits sufficed for everything.
    is_complete: bool,
    facts: Vec<String>,
    /// Why, in sentences.
    lines: Vec<String>,
    rows: Vec<Row>,
    /// How many moves are not listed.
    more: Option<String>,
}

/// Shows the lab.
pub(super) async fn show(
    State(site): State<Site>,
    visitor: Visitor,
    Extension(address): Extension<AddressKey>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let words = visitor.words();
    let (mut status, mut trouble, mut shown) = (StatusCode::OK, None, None);
    let typed = asked.position.trim();
    let owner = Owner::at(address.digest(&site.app.address_secret).0, None);
    let read = match typed {
        "" => None,
        // A plus that somebody has typed into the address comes as a space.
        typed => Some(match site.app.matches.read_position(owner, typed).await {
            Err(error) if typed.contains(' ') => {
                let typed = typed.replace(' ', "+");
                let read = site.app.matches.read_position(owner, &typed).await;
                read.map_err(|_| error)
            }
            read => read,
        }),
    };
    match read {
        None => {}
        Some(Err(error)) => {
            (status, trouble) = (StatusCode::BAD_REQUEST, Some(wrong(error, words)))
        }
        Some(Ok(position)) => {
            let to_move = match asked.to_move.as_str() {
                "second" if position.has_sides() => Seat::Second,
                _ => Seat::First,
            };
            let found = match viewer::of(&site, &headers).await {
                Ok(player) => {
                    let reader = Reader { address, player };
                    studied::of(&site, reader, position.clone(), to_move).await
                }
                Err(error) => Err(error.into()),
            };
            if let Err(refused) = &found {
                status = refused.status();
            }
            let before = match asked.from.as_str() {
                "" => None,
                from => site.app.matches.read_position(owner, from).await.ok(),
            };
            let back = before.map(|before| link::lab(&before, to_move.other()));
            shown = Some(Shown::of(
                site.leave, &position, to_move, found, back, words,
            ));
        }
    }
    if !visitor.wants_html {
        let said = match (&trouble, &shown) {
            (Some(trouble), _) => trouble.why.clone(),
            (None, Some(shown)) => shown.in_words(),
            (None, None) => format!("/lab?position={}", STARTS[0]),
        };
        return plain::text(status, format!("{said}\n"));
    }
    let title = match &shown {
        Some(shown) => format!("{} – {}", words.say("lab-title"), shown.position),
        None => words.say("lab-title"),
    };
    let starts = STARTS.into_iter().map(|start| {
        let link = format!("/lab?position={}", link::value(start));
        (start, link)
    });
    let lab = Lab {
        frame: Frame::new(&visitor, title, "try.js"),
        second: asked.to_move == "second",
        typed: typed.to_owned(),
        trouble,
        starts: starts.collect(),
        known: REGISTRY
            .iter()
            .filter_map(|info| example(info, words))
            .collect(),
        shown,
    };
    page(&site, &visitor, status, &lab)
}

/// An example of a game, with its title.
fn example(info: &GameInfo, words: &Catalogue) -> Option<(&'static str, String)> {
    let first = info.examples.first()?;
    Some((first, words.say(&format!("game-{}", info.name))))
}

fn wrong(error: ErrorBody, words: &Catalogue) -> Trouble {
    let place = error.column.map(|column| {
        let text = column.to_string();
        words.with("lab-column", &[("n", Value::Text(&text))])
    });
    Trouble {
        why: live_words::refused(words, error.code.as_str(), &error.message),
        place: place.unwrap_or_default(),
        example: error.example.unwrap_or_else(|| STARTS[0].to_owned()),
    }
}

impl Shown {
    fn of(
        leave: OffServing,
        position: &Position,
        to_move: Seat,
        found: Result<Arc<Study>, NoStudy>,
        back: Option<String>,
        words: &Catalogue,
    ) -> Self {
        let text = position.to_string();
        let picture = costly::draw(leave, position);
        let side = match to_move {
            Seat::First => "",
            Seat::Second => " --side right",
        };
        let found = found.map(|found| Answer::of(&found, position, words));
        let marks = match &found {
            Ok(answer) => moves::marks(&picture, &answer.rows, words),
            Err(_) => BTreeMap::new(),
        };
        Self {
            board: picture.marked_svg(&marks),
            over: position.is_over(to_move),
            sides: position.has_sides(),
            back,
            play: link::play(&text),
            solve: format!("grundy solve {text}{side} --budget 60s"),
            explain: format!("grundy explain {text}{side}"),
            found: found.map_err(|refused| words.say(refused.message())),
            position: text,
        }
    }
}

impl Shown {
    /// The answer for a program: a line or two.
    fn in_words(&self) -> String {
        match &self.found {
            Ok(answer) => format!(
                "{}  {} {}",
                self.position,
                answer.verdict,
                answer.facts.join(" ")
            ),
            Err(refused) => format!("{refused} {}", self.solve),
        }
    }
}

impl Answer {
    fn of(study: &Study, position: &Position, words: &Catalogue) -> Self {
        let (solution, outcome) = (&study.solution, study.reasons.position.outcome);
        let rows = moves::rows(study, position, words);
        let listed = rows.len() as u64;
        let more = match solution.legal_moves {
            Some(all) => counted(words, "lab-more", all.saturating_sub(listed)),
            None => Some(words.say("lab-many-more")),
        };
        Self {
            verdict: words.say(study::outcome(outcome)),
            is_complete: study.is_complete(),
            facts: facts(study, words),
            lines: reason::lines(&study.reasons, words.language()),
            rows,
            more,
        }
    }
}

/// What else is known of a position, each in a sentence.
fn facts(study: &Study, words: &Catalogue) -> Vec<String> {
    let (known, solution) = (&study.reasons.position, &study.solution);
    let named = |name, value: &str| words.with(name, &[("value", Value::Text(value))]);
    let nimber = known.nim_value.map(|value| value.to_string());
    let nimber = nimber.map(|value| named("lab-nim-value", &value));
    let number = known.value.as_deref();
    let number = number.map(|value| named("lab-number", value));
    let winning = solution.winning_moves_total;
    let winning = winning.and_then(|total| counted(words, "lab-winning", total));
    let length = solution.remoteness;
    let length = length.and_then(|plies| counted(words, "lab-length", plies));
    let over = (solution.legal_moves == Some(0)).then(|| words.say("lab-over"));
    let facts = [over, nimber, number, winning, length];
    facts.into_iter().flatten().collect()
}

/// A message about a number; none about 0.
fn counted(words: &Catalogue, name: &str, count: u64) -> Option<String> {
    let text = count.to_string();
    let values = [("count", Value::Number(count)), ("n", Value::Text(&text))];
    (count > 0).then(|| words.with(name, &values))
}
