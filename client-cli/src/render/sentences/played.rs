//! Moves that were made.

use grundy_shared::ids::{Ply, Seat};
use grundy_shared::{Move, Position};

use super::position::short_words;
use crate::render::count;
use crate::session::match_view::MatchView;

/// A move that was made from `before`.
pub(crate) fn moved(view: &MatchView, before: &Position, seat: Seat, text: &str) -> String {
    let who = match view.seat() == Some(seat) {
        true => "You".to_owned(),
        false => view.name(seat),
    };
    let what = match before.parse_move(seat, text) {
        Ok(mv) => described_move(before, &mv),
        Err(_) => format!("played {text}"),
    };
    format!("{who} {what}.")
}

/// How far the match has come, and the last move.
pub(crate) fn last_move(view: &MatchView) -> Option<String> {
    let referee = view.referee()?;
    let moves = referee.moves();
    let (last, earlier) = moves.split_last()?;
    let mut position = referee.start().clone();
    for (played, ply) in earlier.iter().zip(0..) {
        let mv = position
            .parse_move(Seat::to_move_at(Ply(ply)), &played.text)
            .ok()?;
        position = position.play(&mv);
    }
    let seat = referee.to_move().other();
    let so_far = count(moves.len() as u64, "move");
    Some(format!(
        "{so_far} so far. {}",
        moved(view, &position, seat, &last.text)
    ))
}

fn described_move(before: &Position, mv: &Move) -> String {
    short_words(&before.describe_move(mv))
}
