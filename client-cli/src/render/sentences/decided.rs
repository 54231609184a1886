//! Where a match was decided, and why: one sentence each.

use grundy_shared::event::EndReason;
use grundy_shared::ids::Seat;
use grundy_shared::review::{Review, TurningPoint};
use grundy_shared::solver::Assessment;

use crate::render::{count, short};
use crate::session::match_view::MatchView;
use crate::session::verdict::Verdict;

/// Where the match was decided.
pub(crate) fn decided(view: &MatchView, verdict: &Verdict) -> String {
    let review = &verdict.review;
    if let Some(point) = verdict.decisive() {
        return decisive(view, review, point);
    }
    if let Some(seat) = review.conceded() {
        let how = match review.reason {
            Some(EndReason::Time) => "ran out of time",
            _ => "gave up",
        };
        let who = who(view, seat);
        return format!("Decided at the end: {who} {how} in a won position.");
    }
    let start = review.plies.first().and_then(|start| start.wins);
    match start.and_then(|wins| wins.winner()) {
        Some(winner) if verdict.decided_at_the_start() => {
            let who = who(view, winner);
            format!("Decided at the start: {who} had a won position and never gave it away.")
        }
        _ if review.unknown_positions > 0 => {
            "What decided the match was not found in the time available.".to_owned()
        }
        _ if !review.had_a_win() => "Neither player ever had a won position.".to_owned(),
        _ if review.turning_points.is_empty() => "No move gave a win away.".to_owned(),
        _ => format!(
            "No single move decided the match; {} gave a win or a draw away.",
            count(review.turning_points.len() as u64, "move")
        ),
    }
}

/// Why: what refutes the decisive move, or what the start was.
pub(crate) fn why(verdict: &Verdict) -> Option<String> {
    let reasons = verdict.reasons.as_ref()?;
    let Some(point) = verdict.decisive() else {
        let fact = reasons.position.sentences().pop()?;
        return Some(format!("Why: {}", fact.trim_start()));
    };
    let played = reasons.moves.iter().find(|reason| reason.mv == point.mv)?;
    let (subject, left) = match &played.reply {
        Some(reply) => (format!("the reply {}", short(&reply.mv)), &reply.leaves),
        None => (short(&played.mv), &played.leaves),
    };
    Some(format!(
        "Why: {subject} leaves {}. {}",
        short(&left.position),
        conclusion(left)?
    ))
}

/// The last fact of a position is the one that decides.
fn conclusion(of: &Assessment) -> Option<String> {
    let fact = of.sentences().pop()?;
    Some(fact.trim_start().to_owned())
}

fn decisive(view: &MatchView, review: &Review, point: &TurningPoint) -> String {
    let lost = if point.drawn { "draw" } else { "win" };
    let is_complete = point.winning_moves_total == Some(point.winning_moves.len() as u64);
    let kept = match point.winning_moves.split_last() {
        Some((last, others @ [_, ..])) if is_complete => {
            format!("{} or {last}", others.join(", "))
        }
        _ => point.winning_moves.join(", "),
    };
    let only = match point.winning_moves_total {
        Some(1) => "only ",
        _ => "",
    };
    let more = if is_complete { "" } else { ", ..." };
    let of = match (point.winning_moves_total, point.legal_moves) {
        (Some(winning), Some(legal)) => format!(" ({winning} of {legal})"),
        _ => String::new(),
    };
    let better = match (point.drawn, point.best()) {
        (true, Some(best)) => format!("; {} would have kept it", short(best)),
        (true, None) => String::new(),
        (false, _) if kept.is_empty() => String::new(),
        (false, _) => format!("; {only}{kept}{more} would have kept it{of}"),
    };
    format!(
        "Decided at move {}, by {}: {} gave the {lost} away{better}.{}",
        point.ply,
        who(view, point.seat),
        short(&point.mv),
        earlier(review, point)
    )
}

/// How many moves before the decisive one gave something away, and what.
fn earlier(review: &Review, decisive: &TurningPoint) -> String {
    let before = review.turning_points.iter();
    let before: Vec<&TurningPoint> = before.filter(|point| point.ply < decisive.ply).collect();
    let drawn = before.iter().filter(|point| point.drawn).count();
    let what = match drawn {
        0 => "a win",
        all if all == before.len() => "a draw",
        _ => "a win or a draw",
    };
    match before.len() {
        0 => String::new(),
        earlier => format!(
            " {} also gave {what} away.",
            count(earlier as u64, "earlier move")
        ),
    }
}

fn who(view: &MatchView, seat: Seat) -> String {
    match view.seat() == Some(seat) {
        true => "you".to_owned(),
        false => view.name(seat),
    }
}
