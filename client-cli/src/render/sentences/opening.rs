//! How a match begins: who plays whom, under which rules, and the place in its series.

use grundy_shared::event::{Series, TimeControl};
use grundy_shared::ids::Seat;
use grundy_shared::referee::Referee;
use grundy_words::{Catalogue, Message};

use super::position::{end_rule, games};
use crate::render::{points, short};
use crate::session::match_view::MatchView;

/// What can be typed, and whose moves are whose.
pub(crate) fn help(view: &MatchView) -> String {
    let words = view.words();
    let mut help = words.say("match-help");
    if !view.is_local() {
        help = format!("{help}\n{}", words.say("match-help-chat"));
    }
    match (view.referee(), view.seat()) {
        (Some(referee), Some(seat)) if is_coloured(referee) => {
            let role = Message::new("match-you-are").text("role", role(referee, seat));
            format!("{help}\n{}", role.said(words))
        }
        _ => help,
    }
}

/// Whether some moves are one player's alone.
fn is_coloured(referee: &Referee) -> bool {
    referee.start().has_sides()
}

/// A seat as the messages name it: in partizan games Left or Right, as the rules call the players.
fn role(referee: &Referee, seat: Seat) -> &'static str {
    match (is_coloured(referee), seat) {
        (false, Seat::First) => "first",
        (false, Seat::Second) => "second",
        (true, Seat::First) => "left",
        (true, Seat::Second) => "right",
    }
}

/// A clock for people.
pub(crate) fn terms(clock: TimeControl, words: &Catalogue) -> String {
    match clock {
        TimeControl::Untimed {} => words.say("match-untimed"),
        timed => timed.to_string(),
    }
}

/// The start: who plays whom, under which rules, and how it ends.
pub(crate) fn opening(view: &MatchView) -> String {
    let Some(referee) = view.referee() else {
        return String::new();
    };
    let words = view.words();
    let position = referee.position();
    let coloured = is_coloured(referee);
    let (case, seat) = match (view.seat(), view.is_local()) {
        (Some(seat), true) => ("local", seat),
        (Some(seat), false) => ("own", seat),
        (None, true) if coloured => ("shared-sides", Seat::First),
        (None, true) => ("shared", Seat::First),
        (None, false) if coloured => ("watched-sides", Seat::First),
        (None, false) => ("watched", Seat::First),
    };
    let who = Message::new("match-opening")
        .text("case", case)
        .text("match", view.match_id())
        .text("name", view.name(seat))
        .text("role", role(referee, seat))
        .text("other", view.name(seat.other()))
        .text("start", short(&referee.start().to_string()))
        .text("clock", terms(referee.clock_control(), words))
        .said(words);
    let mut lines = vec![who];
    lines.extend(score(view));
    lines.extend(games(position, words));
    lines.push(end_rule(position, words));
    lines.join("\n")
}

/// The place of the match in its series and the score: before the match, or after it once it is over.
pub(crate) fn score(view: &MatchView) -> Option<String> {
    let referee = view.referee()?;
    let series = referee.series()?;
    let words = view.words();
    let players = |series: Series| {
        let scored = Seat::BOTH.map(|seat| {
            Message::new("match-score")
                .text(
                    "who",
                    if view.seat() == Some(seat) {
                        "you"
                    } else {
                        "name"
                    },
                )
                .text("name", view.name(seat))
                .text("points", points(series.half_points(seat)))
                .said(words)
        });
        scored.join(&words.say("list-comma"))
    };
    let message = match referee.outcome() {
        None if series.game == 1 => Message::new("match-series-first"),
        None => Message::new("match-series-next").text("score", players(series)),
        Some((outcome, _)) => {
            let end = match (referee.next_match(), series.game == series.games) {
                (Some(_), _) => "goes-on",
                (None, true) => "over",
                (None, false) => "ends",
            };
            Message::new("match-series-over")
                .text("score", players(series.after(outcome)))
                .text("end", end)
        }
    };
    let message = message
        .whether("rated", series.rated)
        .text("game", series.game)
        .text("games", series.games);
    Some(message.said(words))
}
