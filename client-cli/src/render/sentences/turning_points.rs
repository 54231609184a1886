//! Where the win changed hands.

use grundy_shared::event::EndReason;
use grundy_shared::review::Review;

use crate::render::{count, short};
use crate::session::match_view::MatchView;

/// Turning points shown at the end of a match; `grundy review` shows all.
const TURNING_POINTS: usize = 3;

/// The player who gave a win away without a move, and how.
fn conceded(view: &MatchView, review: &Review) -> Option<String> {
    let seat = review.conceded()?;
    let who = match view.seat() == Some(seat) {
        true => "you".to_owned(),
        false => view.name(seat),
    };
    let how = match review.reason {
        Some(EndReason::Time) => "ran out of time",
        _ => "gave up",
    };
    Some(format!(
        "{who} {how} in a won position, which decided the match"
    ))
}

/// The last moves at which the win changed hands.
pub(crate) fn turning_points(view: &MatchView, review: &Review) -> String {
    let points = &review.turning_points;
    if points.is_empty() {
        return match (conceded(view, review), review.unknown_positions) {
            (Some(words), _) => format!("No move gave a win away; {words}."),
            (None, 0) if !review.had_a_win() => {
                "No turning points: neither player ever had a won position.".to_owned()
            }
            (None, 0) => {
                "No turning points: the player with the win never gave it away.".to_owned()
            }
            _ => "No turning points were found in the time available.".to_owned(),
        };
    }
    let mut lines = vec!["Turning points:".to_owned()];
    let left_out = points.len().saturating_sub(TURNING_POINTS);
    if left_out > 0 {
        lines.push(format!(
            "  {} before these",
            count(left_out as u64, "turning point")
        ));
    }
    for point in &points[left_out..] {
        let who = if view.seat() == Some(point.seat) {
            "you".to_owned()
        } else {
            view.name(point.seat)
        };
        let kept = point.winning_moves.join(", ");
        let of = match (point.winning_moves_total, point.legal_moves) {
            (Some(winning), Some(legal)) => format!(" ({winning} of {legal})"),
            _ => String::new(),
        };
        let only = if point.winning_moves_total == Some(1) {
            "only "
        } else {
            ""
        };
        let more = match point.winning_moves_total {
            Some(total) if total > point.winning_moves.len() as u64 => ", ...",
            _ => "",
        };
        let decisive = if review.decisive_ply == Some(point.ply) {
            " This decided the match."
        } else {
            ""
        };
        lines.push(format!(
            "  Move {}, {who}: {} gave the win away; {only}{kept}{more} would have kept it{of}.{decisive}",
            point.ply,
            short(&point.mv)
        ));
    }
    let end = conceded(view, review);
    lines.extend(end.map(|words| format!("  At the end {words}.")));
    lines.join("\n")
}
