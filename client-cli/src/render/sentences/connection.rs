//! The connection to the server: how long it was lost, and what was missed.

use std::time::Duration;

use grundy_shared::ids::Ply;
use grundy_words::{Catalogue, Message};

use crate::session::match_view::MatchView;

/// What is shown may not be true any more.
pub(crate) fn stale(since: Duration, words: &Catalogue) -> String {
    Message::new("match-stale")
        .number("count", since.as_secs().max(1))
        .said(words)
}

/// The connection is back.
pub(crate) fn back(view: &MatchView, away: Duration, ply: Option<Ply>) -> String {
    let before = view.referee().map_or(0, |referee| referee.ply().0);
    let away = away.as_secs().max(1);
    let message = match ply {
        None => Message::new("match-back"),
        Some(ply) => {
            let missed = ply.0.saturating_sub(before);
            Message::new("match-back-missed").number("moves", missed.into())
        }
    };
    message.number("count", away).said(view.words())
}

/// The connection is lost, for this reason; `stops` if the server said that it stops. The client tries for so long to come back.
pub(crate) fn lost(view: &MatchView, why: &str, stops: bool, tries: Duration) -> String {
    let words = view.words();
    let lost = Message::new("match-not-connected").text("why", why);
    let pending = view
        .pending
        .as_ref()
        .map(|what| Message::new("match-pending").text("what", what).said(words));
    let command = if view.is_watched() { "watch" } else { "resume" };
    let later = stops.then(|| {
        Message::new("match-keeps-trying")
            .text("n", tries.as_secs() / 60)
            .text("command", format!("grundy {command} {}", view.match_id()))
            .said(words)
    });
    let said: Vec<String> = [lost.said(words)]
        .into_iter()
        .chain(pending)
        .chain(later)
        .collect();
    words.sentences(&said)
}
