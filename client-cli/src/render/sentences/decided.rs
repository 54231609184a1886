//! Where a match was decided, and why: one sentence each.

use grundy_shared::event::EndReason;
use grundy_shared::ids::Seat;
use grundy_shared::review::{Review, TurningPoint};
use grundy_shared::solver::Assessment;
use grundy_words::{Catalogue, Message, reason};

use crate::render::short;
use crate::session::match_view::MatchView;
use crate::session::verdict::Verdict;

/// Where the match was decided.
pub(crate) fn decided(view: &MatchView, verdict: &Verdict) -> String {
    let (review, words) = (&verdict.review, view.words());
    if let Some(point) = verdict.decisive() {
        return decisive(view, review, point);
    }
    if let Some(seat) = review.conceded() {
        let how = match review.reason {
            Some(EndReason::Time) => "time",
            _ => "other",
        };
        let message = Message::new("match-decided-conceded").text("how", how);
        return who(message, view, seat).said(words);
    }
    let start = review.plies.first().and_then(|start| start.wins);
    match start.and_then(|wins| wins.winner()) {
        Some(winner) if verdict.decided_at_the_start() => {
            who(Message::new("match-decided-start"), view, winner).said(words)
        }
        _ if review.unknown_positions > 0 => words.say("match-decided-unknown"),
        _ if !review.had_a_win() => words.say("match-decided-never"),
        _ if review.turning_points.is_empty() => words.say("match-decided-nothing"),
        _ => Message::new("match-decided-several")
            .number("count", review.turning_points.len() as u64)
            .said(words),
    }
}

/// Why: what refutes the decisive move, or what the start was.
pub(crate) fn why(verdict: &Verdict, words: &Catalogue) -> Option<String> {
    let reasons = verdict.reasons.as_ref()?;
    let Some(point) = verdict.decisive() else {
        let message = Message::new("match-why").text("reason", last(&reasons.position, words)?);
        return Some(message.said(words));
    };
    let played = reasons.moves.iter().find(|reason| reason.mv == point.mv)?;
    let (case, mv, left) = match &played.reply {
        Some(reply) => ("reply", &reply.mv, &reply.leaves),
        None => ("move", &played.mv, &played.leaves),
    };
    let message = Message::new("match-why-leaves")
        .text("case", case)
        .text("move", short(mv))
        .text("position", short(&left.position))
        .text("reason", last(left, words)?);
    Some(message.said(words))
}

/// The last fact of a position is the one that decides.
fn last(of: &Assessment, words: &Catalogue) -> Option<String> {
    let fact = reason::sentences(of, words.language()).pop()?;
    Some(fact.trim_start().to_owned())
}

fn decisive(view: &MatchView, review: &Review, point: &TurningPoint) -> String {
    let words = view.words();
    let (total, moves) = (point.winning_moves_total, &point.winning_moves);
    let is_complete = total == Some(moves.len() as u64);
    let better = match (point.drawn, point.best()) {
        (true, Some(_)) => "one",
        (true, None) => "none",
        (false, _) if moves.is_empty() => "none",
        (false, _) if total == Some(1) => "only",
        (false, _) if !is_complete => "some",
        (false, _) => "all",
    };
    let kept = match (point.drawn, point.best()) {
        (true, best) => best.map_or(String::new(), short),
        (false, _) => listed(moves, is_complete, words),
    };
    let (winning, legal) = match (total, point.legal_moves) {
        (Some(winning), Some(legal)) => (winning.to_string(), legal.to_string()),
        _ => ("none".to_owned(), String::new()),
    };
    let message = Message::new("match-decided")
        .text("ply", point.ply)
        .text("move", short(&point.mv))
        .whether("drawn", point.drawn)
        .text("better", better)
        .text("kept", kept)
        .text("winning", winning)
        .text("legal", legal);
    let said = who(message, view, point.seat).said(words);
    let said: Vec<String> = [said]
        .into_iter()
        .chain(earlier(view, review, point))
        .collect();
    words.sentences(&said)
}

/// Moves one after the other; if they are all that there are, with an "or".
fn listed(moves: &[String], is_complete: bool, words: &Catalogue) -> String {
    let comma = words.say("list-comma");
    match moves.split_last() {
        Some((last, others @ [_, ..])) if is_complete => Message::new("match-list-or")
            .text("list", others.join(&comma))
            .text("last", last)
            .said(words),
        _ => moves.join(&comma),
    }
}

/// How many moves before the decisive one gave something away, and what.
fn earlier(view: &MatchView, review: &Review, decisive: &TurningPoint) -> Option<String> {
    let before = review.turning_points.iter();
    let before: Vec<&TurningPoint> = before.filter(|point| point.ply < decisive.ply).collect();
    let drawn = before.iter().filter(|point| point.drawn).count();
    let what = match drawn {
        0 => "wins",
        all if all == before.len() => "draws",
        _ => "both",
    };
    let message = Message::new("match-earlier")
        .number("count", before.len() as u64)
        .text("what", what);
    (!before.is_empty()).then(|| message.said(view.words()))
}

fn who(message: Message, view: &MatchView, seat: Seat) -> Message {
    let who = match view.seat() == Some(seat) {
        true => "you",
        false => "name",
    };
    message.text("who", who).text("name", view.name(seat))
}
