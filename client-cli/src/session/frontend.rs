//! A frontend to a match: it shows what happens, and prompts the user.

use std::time::Duration;

pub(super) use crossterm::event::Event as TerminalEvent;
use crossterm::event::{KeyCode, KeyModifiers};
use grundy_shared::event::Event;
use grundy_shared::ids::{Millis, Ply, Seq};
use grundy_shared::protocol::ChatEvent;
use grundy_shared::protocol::chat::{ChatLine, Room};
use grundy_shared::protocol::rating::RatedChange;
use serde_json::Value;

use super::match_view::MatchView;
use super::typed::Typed;
use super::verdict::Verdict;
use crate::failure::Failure;
use crate::invitation::Invitation;

/// How what is heard is shown.
pub(crate) trait Frontend {
    /// We have taken our place in the match.
    fn seated(&mut self, view: &MatchView, opening: &Opening) -> Result<(), Failure>;
    /// Time passes while nobody has taken the other seat.
    fn waiting(&mut self, since: Duration);
    /// Something happened. `view` has it already; `before` is the state without it.
    fn event(
        &mut self,
        view: &MatchView,
        before: &Before,
        seq: Seq,
        event: &Event,
    ) -> Result<(), Failure>;
    /// Something happened that only a newer client understands.
    fn unknown(&mut self, view: &MatchView, seq: Seq, body: &Value) -> Result<(), Failure>;
    /// All events that happened before we came have been received.
    fn caught_up(&mut self, view: &MatchView) -> Result<(), Failure>;
    /// The match is over, and this is what decided it; if it was played in this process, whether it is kept on this computer.
    fn over(
        &mut self,
        view: &MatchView,
        verdict: Option<&Verdict>,
        kept: bool,
    ) -> Result<(), Failure>;
    /// A rated pair is over with this match, and these are the ratings of its first and second player.
    fn rated(&mut self, view: &MatchView, changes: &[RatedChange; 2]) -> Result<(), Failure>;
    /// A chat line arrived.
    fn said(
        &mut self,
        view: &MatchView,
        room: Room,
        seq: Seq,
        event: &ChatEvent,
    ) -> Result<(), Failure>;
    /// The last chat lines, the oldest first.
    fn lines_said(
        &mut self,
        view: &MatchView,
        room: Room,
        lines: &[ChatLine],
    ) -> Result<(), Failure>;
    /// The connection is gone.
    fn lost(&mut self, view: &MatchView, failure: &Failure) -> Result<(), Failure>;
    /// The connection is back, and the match is at this ply, if that is known.
    fn back(&mut self, view: &MatchView, away: Duration, ply: Option<Ply>) -> Result<(), Failure>;
    /// Moves were taken back; `view` is as before them.
    fn undone(&mut self, view: &MatchView) -> Result<(), Failure>;
    /// The move that a typed label of the drawing stands for.
    fn meant(&self, _view: &MatchView, _text: &str) -> Option<String> {
        None
    }
    /// A second has passed while it may be our turn, with a clock.
    fn tick(&mut self, _view: &MatchView) -> Result<(), Failure> {
        Ok(())
    }
    /// The other player is away, and after this time we can claim something.
    fn absent(&mut self, _view: &MatchView, _wait: Millis) -> Result<(), Failure> {
        Ok(())
    }
    /// A key, the mouse, pasted text, or a new size of the terminal. Only the full screen hears of it.
    fn event_of_terminal(
        &mut self,
        _view: &MatchView,
        _event: &TerminalEvent,
    ) -> Result<Pressed, Failure> {
        Ok(Pressed::Nothing)
    }
    /// The keys that were typed while the full screen was turned on. They are returned once.
    fn typed_before(&mut self) -> Vec<TerminalEvent> {
        Vec::new()
    }
    /// The program goes on after it stood still.
    fn continued(&mut self) -> Result<(), Failure> {
        Ok(())
    }
    /// The solver has worked for a moment and is still at it, or is done.
    fn thinks(&mut self, _thinks: bool) {}
    /// Whether the user leaves a match that is over: what is shown is gone after that.
    fn stays(&self) -> bool {
        false
    }
    /// An answer that took work: a hint, a reason.
    fn advise(&mut self, view: &MatchView, kind: &str, text: &str) -> Result<(), Failure>;
    /// Something that was typed cannot be.
    fn refused(&mut self, failure: &Failure) -> Result<(), Failure>;
    /// This line, which the user has typed, is looked at now; the cursor stands at the beginning of the next one.
    fn line_typed(&mut self, line: &str);
    /// Answers what was typed, if it was a question.
    fn answer(&mut self, view: &MatchView, typed: &Typed) -> Result<(), Failure>;
    /// Asks the user to confirm.
    fn confirm(&mut self, question: Question) -> Result<(), Failure>;
    /// Says something besides.
    fn talk(&mut self, words: &str);
    /// We leave: later output starts on a new line.
    fn leave(&mut self);
    /// Invites to type if it is our turn to.
    fn prompt(&mut self, view: &MatchView, asked: Option<Question>) -> Result<(), Failure>;
}

/// How we came to the match.
#[derive(Debug)]
pub(crate) enum Opening {
    /// By making the match; with a join code when somebody else is awaited.
    Created {
        /// What the other player needs in order to join.
        invitation: Option<Invitation>,
    },
    /// By joining.
    Joined,
    /// By returning, or to watch; what happened before is shown first.
    Attached,
}

/// What was known before an event.
#[derive(Debug)]
pub(crate) struct Before {
    pub(crate) position: Option<grundy_shared::Position>,
}

/// What the user is asked to confirm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Question {
    /// Really give up?
    Resign,
    /// Really call it off?
    Abort,
    /// Really leave a match of this computer?
    Quit {
        /// It can be resumed; otherwise leaving ends it.
        kept: bool,
    },
    /// Another one?
    Rematch,
    /// The match is over: leave?
    Leave,
}

/// What follows from a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pressed {
    /// Nothing for the match.
    Nothing,
    /// This line was typed.
    Line(String),
    /// The user wants to leave at once.
    Interrupt,
}

/// Whether this is Ctrl-C.
pub(super) fn interrupts(event: &TerminalEvent) -> bool {
    let TerminalEvent::Key(key) = event else {
        return false;
    };
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}
