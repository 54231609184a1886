//! Whether a match is kept on this computer.

use grundy_words::{Catalogue, Message};

use crate::failure::Failure;
use crate::session::match_view::MatchView;

/// A match that is played here cannot be kept.
pub(crate) fn not_kept(failure: &Failure, words: &Catalogue) -> String {
    Message::new("match-not-kept")
        .text("why", failure.message_in(words))
        .said(words)
}

/// The user leaves a match that is played here and is not over.
pub(crate) fn left_unfinished(view: &MatchView, kept: bool) -> String {
    let words = view.words();
    match kept {
        true => Message::new("match-left-kept")
            .text("command", format!("grundy resume {}", view.match_id()))
            .said(words),
        false => words.say("match-left-ended"),
    }
}
