//! The connection to the server: how long it was lost, and what was missed.

use grundy_shared::ids::Ply;

use crate::render::count;
use crate::session::match_view::MatchView;

/// What is shown may not be true any more.
pub(crate) fn stale(since: std::time::Duration) -> String {
    format!(
        "Not connected for {}: this may be out of date.",
        count(since.as_secs().max(1), "second")
    )
}

/// The connection is back.
pub(crate) fn back(view: &MatchView, away: std::time::Duration, ply: Option<Ply>) -> String {
    let before = view.referee().map_or(0, |referee| referee.ply().0);
    let Some(ply) = ply else {
        let away = count(away.as_secs().max(1), "second");
        return format!("Back after {away}.");
    };
    let missed = ply.0.saturating_sub(before);
    format!(
        "Back after {}: {} happened meanwhile.",
        count(away.as_secs().max(1), "second"),
        match missed {
            0 => "nothing".to_owned(),
            missed => count(missed, "move"),
        }
    )
}
