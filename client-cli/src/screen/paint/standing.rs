//! How things stand, in one line.

use ratatui::style::Style;

use crate::render::{count, sentences};
use crate::screen::state::State;
use crate::session::match_view::MatchView;

/// The connection if there is none, what is chosen or looked at, or whose turn it is.
pub(super) fn standing(state: &State, view: &MatchView) -> (String, Style) {
    let theme = state.theme;
    if let Some(since) = state.away {
        let away = count(since.elapsed().as_secs().max(1), "second");
        let words = format!("*** NOT CONNECTED for {away}: this may be out of date.");
        return (words, theme.alarm());
    }
    if let Some(waited) = state.waited {
        let seconds = waited.as_secs();
        let words = format!(
            "Waiting for your friend, {}:{:02}. Ctrl-C cancels the invitation.",
            seconds / 60,
            seconds % 60
        );
        return (words, theme.strong());
    }
    if let Some(ply) = state.looked_at {
        let last = view.referee().map_or(0, |referee| referee.ply().0);
        let words = format!("The board after move {ply} of {last}. Esc returns to the match.");
        return (words, theme.warning());
    }
    if let Some((mv, referee)) = state.chosen_move(view).zip(view.referee()) {
        let position = referee.position();
        let read = position.parse_move(referee.to_move(), &mv).ok();
        let left = read.map_or(String::new(), |read| position.play(&read).to_string());
        let words = format!("Enter plays {mv}, which leaves {left}");
        return (words, theme.strong());
    }
    match view.referee() {
        None => ("Connecting ...".to_owned(), theme.faint()),
        Some(_) if view.is_over() => {
            let result = sentences::result(view);
            let result = result.unwrap_or_else(|| "The match is over.".to_owned());
            (result, theme.strong())
        }
        Some(_) if view.is_paused() => ("The match is paused.".to_owned(), theme.strong()),
        Some(_) => (sentences::turn_in_full(view), theme.strong()),
    }
}
