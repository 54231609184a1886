//! The match in sentences, for people, screen readers and scripts.

use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

use grundy_shared::event::Event;
use grundy_shared::ids::{Ply, Seq};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::referee::Status;
use grundy_shared::review::Review;
use serde_json::Value;

use super::frontend::{Before, Frontend, Opening, Question};
use super::match_view::MatchView;
use super::typed::Typed;
use crate::failure::Failure;
use crate::match_source::remote::GIVE_UP;
use crate::output::Output;
use crate::render::sentences;

/// Line mode.
#[derive(Debug)]
pub(super) struct PlainFrontend {
    output: Output,
    /// The cursor stands behind a prompt or a line that is not ended.
    dangling: bool,
    /// The prompt is due: something was said since the last one.
    said: bool,
    /// The line about waiting was written.
    waiting: bool,
    invited: bool,
    /// The list of what can be typed has been shown in this match.
    invited_to_type: bool,
    /// The note that the server is newer has been shown.
    said_newer: bool,
}

impl PlainFrontend {
    pub(super) fn new(output: Output) -> Self {
        Self {
            output,
            dangling: false,
            said: true,
            waiting: false,
            invited: false,
            invited_to_type: false,
            said_newer: false,
        }
    }

    /// Starts a new line unless the cursor is at the beginning of one.
    fn fresh_line(&mut self) {
        self.said = true;
        if std::mem::take(&mut self.dangling) {
            self.output.warn("");
        }
    }

    fn say(&mut self, sentence: &str) -> Result<(), Failure> {
        self.fresh_line();
        self.output.sentences(sentence)
    }

    fn begin(&mut self, view: &MatchView) -> Result<(), Failure> {
        self.invited_to_type = false;
        self.say(&sentences::opening(view))?;
        self.invite_to_type(view)?;
        self.say(&sentences::state(view))
    }

    /// The state in a sentence, and as it is typed.
    fn whole_state(&mut self, view: &MatchView) -> Result<(), Failure> {
        self.say(&sentences::state(view))?;
        match view.position() {
            // To be copied: not broken into lines.
            Some(position) => self.output.line(&sentences::notation(position)),
            None => Ok(()),
        }
    }

    /// At the first turn of a match, says what can be typed.
    fn invite_to_type(&mut self, view: &MatchView) -> Result<(), Failure> {
        if view.is_our_turn() && self.output.asks && !self.invited_to_type {
            self.invited_to_type = true;
            self.say(&sentences::invitation_to_move(view))?;
        }
        Ok(())
    }

    /// Reports once that some events are not shown.
    fn say_that_it_is_newer(&mut self, view: &MatchView) {
        if view.has_skipped() && !std::mem::replace(&mut self.said_newer, true) {
            self.talk(
                "The server is newer than this client, so some events are not shown. Update the client to see them.",
            );
        }
    }
}

impl Frontend for PlainFrontend {
    fn seated(&mut self, view: &MatchView, opening: &Opening) -> Result<(), Failure> {
        let Opening::Created {
            invitation: Some(invitation),
        } = opening
        else {
            return Ok(());
        };
        self.invited = true;
        self.say(&format!(
            "Match {}. Join code: {}",
            view.match_id(),
            invitation.code()
        ))?;
        self.say("Your friend types:")?;
        // To be copied: not broken into lines.
        self.output.line(&format!("  {}", invitation.command()))?;
        if let Some(qr) = self.output.draws.then(|| invitation.qr()).flatten() {
            self.output.text(&format!("{qr}\n"))?;
            self.say("The QR code leads to a page that says the same:")?;
            self.output.line(&format!("  {}", invitation.link()))?;
        }
        match invitation.advice() {
            Some(advice) => self.say(&advice),
            None => Ok(()),
        }
    }

    fn waiting(&mut self, since: Duration) {
        if !std::io::stderr().is_terminal() {
            if !std::mem::replace(&mut self.waiting, true) {
                self.talk("Waiting for your friend. Ctrl-C cancels the invitation.");
            }
            return;
        }
        let seconds = since.as_secs();
        let mut stderr = std::io::stderr().lock();
        // A terminal that has gone is noticed elsewhere.
        let _ = write!(
            stderr,
            "\rWaiting for your friend, {}:{:02}. Ctrl-C cancels the invitation. ",
            seconds / 60,
            seconds % 60
        );
        let _ = stderr.flush();
        self.dangling = true;
    }

    fn event(
        &mut self,
        view: &MatchView,
        before: &Before,
        _: Seq,
        event: &Event,
    ) -> Result<(), Failure> {
        match event {
            Event::Moved {
                seat, move_text, ..
            } => {
                let (Some(before), Some(after)) = (&before.position, view.position()) else {
                    return Ok(());
                };
                let mut words = sentences::moved(view, before, *seat, move_text);
                if !after.is_over(seat.other()) {
                    words = format!("{words} {}", sentences::state(view));
                }
                self.say(&words)?;
                self.invite_to_type(view)
            }
            Event::Joined { seat, .. } => {
                if self.invited && view.seat() != Some(*seat) {
                    self.say(&format!("{} has joined.", view.name(*seat)))?;
                }
                self.begin(view)
            }
            other => match sentences::happened(view, other) {
                Some(sentence) => self.say(&sentence),
                None => Ok(()),
            },
        }
    }

    fn unknown(&mut self, view: &MatchView, _: Seq, _: &Value) -> Result<(), Failure> {
        self.say_that_it_is_newer(view);
        Ok(())
    }

    fn caught_up(&mut self, view: &MatchView) -> Result<(), Failure> {
        self.say_that_it_is_newer(view);
        if view.status() == Status::Waiting {
            return self.say("Nobody has joined yet.");
        }
        self.say(&sentences::opening(view))?;
        if let Some(last) = sentences::last_move(view) {
            self.say(&last)?;
        }
        self.invite_to_type(view)?;
        self.whole_state(view)
    }

    fn over(&mut self, view: &MatchView, review: Option<&Review>) -> Result<(), Failure> {
        if let Some(result) = sentences::result(view) {
            self.say(&result)?;
        }
        if let Some(review) = review {
            self.say(&sentences::turning_points(view, review))?;
        }
        if let Some(score) = sentences::score(view) {
            self.say(&score)?;
        }
        let played = view.referee().is_some_and(|referee| referee.ply().0 > 0);
        if played && !view.is_local() {
            self.say(&format!("Full review: grundy review {}", view.match_id()))?;
        }
        Ok(())
    }

    fn lost(&mut self, view: &MatchView, failure: &Failure) -> Result<(), Failure> {
        let pending = view.pending.as_ref().map_or(String::new(), |text| {
            format!(" Your {text} is pending; it will be made only once.")
        });
        let command = if view.is_watched() { "watch" } else { "resume" };
        let later = match failure.has_code(ErrorCode::ShuttingDown) {
            true => format!(
                " The client keeps trying for {} minutes; after that, return with: grundy {command} {}",
                GIVE_UP.as_secs() / 60,
                view.match_id()
            ),
            false => String::new(),
        };
        self.talk(&format!(
            "{}. What you see may be out of date; reconnecting ...{pending}{later}",
            sentence_case(failure.message())
        ));
        Ok(())
    }

    fn back(&mut self, view: &MatchView, away: Duration, ply: Ply) -> Result<(), Failure> {
        self.talk(&sentences::back(view, away, ply));
        Ok(())
    }

    fn refused(&mut self, failure: &Failure) -> Result<(), Failure> {
        let hint = failure
            .remedy()
            .map_or(String::new(), |hint| format!(" ({hint})"));
        self.fresh_line();
        self.output
            .remark(&format!("{}{hint}", sentence_case(failure.message())));
        Ok(())
    }

    fn line_typed(&mut self) {
        // A terminal shows what is typed, the end of the line too.
        if self.output.asks {
            self.dangling = false;
            self.said = true;
        }
    }

    fn answer(&mut self, view: &MatchView, typed: &Typed) -> Result<(), Failure> {
        let Some(referee) = view.referee() else {
            return Ok(());
        };
        let text = match typed {
            Typed::Help => sentences::help(view),
            Typed::Moves => sentences::moves(referee.position(), referee.to_move()),
            Typed::Clock => sentences::clock(view),
            _ => return self.whole_state(view),
        };
        self.say(&text)
    }

    fn confirm(&mut self, question: Question) -> Result<(), Failure> {
        self.fresh_line();
        let words = match question {
            Question::Resign => "Resign? y/N ",
            Question::Rematch => "Rematch, sides swapped? y/N ",
        };
        self.output.text(words)?;
        self.dangling = true;
        self.said = false;
        Ok(())
    }

    fn talk(&mut self, words: &str) {
        self.fresh_line();
        self.output.talk(words);
    }

    fn leave(&mut self) {
        self.fresh_line();
    }

    fn prompt(&mut self, view: &MatchView, asked: Option<Question>) -> Result<(), Failure> {
        if !self.output.asks || !self.said {
            return Ok(());
        }
        if let Some(question) = asked {
            return self.confirm(question);
        }
        if view.is_our_turn() {
            self.output.text("> ")?;
            self.dangling = true;
            self.said = false;
        }
        Ok(())
    }
}

/// A message as a sentence of its own.
fn sentence_case(words: &str) -> String {
    let mut characters = words.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}
