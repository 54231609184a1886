//! How things stand, in one line.

use grundy_words::Message;
use ratatui::style::Style;

use crate::render::sentences;
use crate::screen::state::State;
use crate::session::match_view::MatchView;

/// The connection if there is none, that the solver works, what is chosen or looked at, or whose turn it is.
pub(super) fn standing(state: &State, view: &MatchView) -> (String, Style) {
    let (theme, words) = (state.theme, view.words());
    if let Some(since) = state.away {
        let lost = Message::new("screen-lost").number("count", since.elapsed().as_secs().max(1));
        return (lost.said(words), theme.alarm());
    }
    if state.thinks {
        // What decided a match that is over is looked for; who has won is known.
        let result = sentences::result(view).filter(|_| view.is_over());
        let said: Vec<String> = result
            .into_iter()
            .chain([words.say("screen-thinks")])
            .collect();
        return (words.sentences(&said), theme.strong());
    }
    if let Some(waited) = state.waited {
        let seconds = waited.as_secs();
        let time = format!("{}:{:02}", seconds / 60, seconds % 60);
        let waiting = Message::new("match-waiting-since").text("time", time);
        return (waiting.said(words), theme.strong());
    }
    if let Some(ply) = state.looked_at {
        let last = view.referee().map_or(0, |referee| referee.ply().0);
        let earlier = Message::new("screen-earlier")
            .text("ply", ply)
            .text("last", last);
        return (earlier.said(words), theme.warning());
    }
    if let Some((mv, referee)) = state.chosen_move(view).zip(view.referee()) {
        let position = referee.position();
        let read = position.parse_move(referee.to_move(), &mv).ok();
        let left = read.map_or(String::new(), |read| position.play(&read).to_string());
        let chosen = Message::new("screen-chosen")
            .text("move", mv)
            .text("left", left);
        return (chosen.said(words), theme.strong());
    }
    match view.referee() {
        None => (words.say("screen-connecting"), theme.faint()),
        Some(_) if view.is_over() => {
            let result = sentences::result(view);
            let result = result.unwrap_or_else(|| words.say("screen-over"));
            (result, theme.strong())
        }
        Some(_) if view.to_answer().is_some() => {
            let open = sentences::to_answer(view).into_iter();
            let said: Vec<String> = [sentences::turn(view)].into_iter().chain(open).collect();
            (words.sentences(&said), theme.warning())
        }
        Some(_) => (sentences::turn_in_full(view), theme.strong()),
    }
}
