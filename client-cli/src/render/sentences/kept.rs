//! Whether a match is kept on this computer.

use crate::failure::Failure;
use crate::session::match_view::MatchView;

/// A match that is played here cannot be kept.
pub(crate) fn not_kept(failure: &Failure) -> String {
    format!(
        "This match is not kept on this computer: {}",
        failure.message()
    )
}

/// The user leaves a match that is played here and is not over.
pub(crate) fn left_unfinished(view: &MatchView, kept: bool) -> String {
    match kept {
        true => format!(
            "You have left; the match is unfinished. Return with: grundy resume {}",
            view.match_id()
        ),
        false => "The match was local and has ended.".to_owned(),
    }
}
