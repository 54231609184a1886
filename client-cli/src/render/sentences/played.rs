//! Moves that were made.

use grundy_shared::ids::{Ply, Seat};
use grundy_shared::{Move, Position};
use grundy_words::{Language, Message};

use super::position::short_words;
use crate::session::match_view::MatchView;

/// A move that was made from `before`; `planned` if it is one that we had planned.
pub(crate) fn moved(
    view: &MatchView,
    before: &Position,
    seat: Seat,
    text: &str,
    planned: bool,
) -> String {
    let who = match (view.seat() == Some(seat), planned) {
        (true, false) => "you",
        (true, true) => "you-planned",
        (false, _) => "name",
    };
    let words = view.words();
    let message = match (before.parse_move(seat, text), words.language()) {
        // What a move does is described in English only.
        (Ok(mv), Language::English) => {
            Message::new("match-moved").text("what", described_move(before, &mv))
        }
        (Ok(_), _) => Message::new("match-moved").text("what", text),
        (Err(_), _) => Message::new("match-moved-text"),
    };
    message
        .text("who", who)
        .text("name", view.name(seat))
        .text("move", text)
        .said(words)
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
    let words = view.words();
    let so_far = Message::new("match-so-far")
        .number("count", moves.len() as u64)
        .said(words);
    let last = moved(view, &position, seat, &last.text, false);
    Some(words.sentences(&[so_far, last]))
}

fn described_move(before: &Position, mv: &Move) -> String {
    short_words(&before.describe_move(mv))
}
