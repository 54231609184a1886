//! The match in sentences, for people, screen readers and scripts.

use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use grundy_shared::event::Event;
use grundy_shared::ids::{Millis, Ply, Seq};
use grundy_shared::protocol::chat::{ChatLine, Room};
use grundy_shared::protocol::rating::RatedChange;
use grundy_shared::protocol::{ChatEvent, ErrorCode};
use grundy_shared::referee::Status;
use grundy_words::Message;
use serde_json::Value;
use tokio::time::Instant;

use super::claim_mark::claim_mark;
use super::frontend::{Before, Frontend, Opening, Question};
use super::match_view::MatchView;
use super::typed::Typed;
use super::verdict::Verdict;
use crate::failure::Failure;
use crate::match_source::remote::GIVE_UP;
use crate::output::Output;
use crate::render::board::{Glyphs, draw, draw_painted};
use crate::render::{chat, ratings, sentences};

/// Seconds left at which a clock warns, fewest first.
const CLOCK_MARKS: [u64; 2] = [10, 30];

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
    /// Since when there is no connection.
    away: Option<Instant>,
    /// The number of the move from which `more` goes on, counted from 1.
    more_from: u128,
    /// The columns of the clock on the prompt, while it is on the screen.
    clock_columns: usize,
    /// The last warning about the clock, in seconds.
    warned: Option<u64>,
    /// The last mark of this absence.
    absent: Option<u64>,
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
            away: None,
            more_from: 1,
            clock_columns: 0,
            warned: None,
            absent: None,
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
        self.state(view)
    }

    /// The position, drawn where there is a screen for it, and whose turn it is.
    fn state(&mut self, view: &MatchView) -> Result<(), Failure> {
        if !self.draw(view)? {
            return self.say(&sentences::state(view));
        }
        match view.is_over() {
            true => Ok(()),
            false => self.say(&sentences::turn_in_full(view)),
        }
    }

    /// Draws the position; whether there is a screen for it.
    fn draw(&mut self, view: &MatchView) -> Result<bool, Failure> {
        let (Some(frame), Some(position)) = (self.output.frame(), view.position()) else {
            return Ok(false);
        };
        let drawing = draw_painted(position, &view.paint(), frame);
        self.fresh_line();
        self.output.styled(&drawing.coloured())?;
        Ok(true)
    }

    /// The state drawn, in a sentence, and as it is typed.
    fn whole_state(&mut self, view: &MatchView) -> Result<(), Failure> {
        if self.draw(view)?
            && let Some(position) = view.position()
        {
            self.say(&sentences::describe(position, view.words()))?;
            self.say(&sentences::turn_in_full(view))?;
        } else {
            self.say(&sentences::state(view))?;
        }
        match view.position() {
            // To be copied: not broken into lines.
            Some(position) => self
                .output
                .line(&sentences::notation(position, view.words())),
            None => Ok(()),
        }
    }

    /// A page of the list of moves.
    fn moves(&mut self, view: &MatchView, from: u128) -> Result<(), Failure> {
        let Some(referee) = view.referee() else {
            return Ok(());
        };
        let (text, next) =
            sentences::moves(referee.position(), referee.to_move(), from, view.words());
        self.more_from = next;
        self.say(&text)
    }

    /// Warns of a clock that runs down, once at each mark.
    fn warn_of_the_clock(&mut self, view: &MatchView, left: Millis) -> Result<(), Failure> {
        if !self.output.asks {
            return Ok(());
        }
        let seconds = left.0.div_ceil(1_000);
        let mark = CLOCK_MARKS.iter().copied().find(|mark| seconds <= *mark);
        if mark.is_none() || mark == self.warned {
            return Ok(());
        }
        self.warned = mark;
        self.say(&sentences::clock_warning(left, view.words()))?;
        self.prompt(view, None)
    }

    /// The prompt: the time left, whether that is little, and whether there is a connection.
    fn prompt_text(&mut self, view: &MatchView) -> String {
        let offline = match self.away {
            Some(_) => format!("{} ", view.words().say("match-offline")),
            None => String::new(),
        };
        self.clock_columns = 0;
        // A clock that nobody has confirmed is not shown as if it ran.
        let runs = self.away.is_none() && self.output.overwrites();
        let clock = match time_left(view).filter(|_| runs) {
            None => String::new(),
            Some(left) => {
                let clock = format!("{:>7}", sentences::clock_on_prompt(left));
                self.clock_columns = clock.len();
                format!("{} ", coloured_clock(&clock, left))
            }
        };
        format!("{clock}{offline}> ")
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
            self.talk(&view.words().say("match-newer"));
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
        let words = view.words();
        let invited = Message::new("match-invited")
            .text("match", view.match_id())
            .text("code", invitation.code());
        self.say(&invited.said(words))?;
        self.say(&words.say("match-friend-types"))?;
        // To be copied: not broken into lines.
        self.output.line(&format!("  {}", invitation.command()))?;
        let draws = self.output.glyphs == Some(Glyphs::UNICODE);
        if let Some(qr) = draws.then(|| invitation.qr()).flatten() {
            self.output.text(&format!("{qr}\n"))?;
            self.say(&words.say("match-qr"))?;
            self.output.line(&format!("  {}", invitation.link()))?;
        }
        match invitation.advice() {
            Some(advice) => self.say(&advice.said(words)),
            None => Ok(()),
        }
    }

    fn waiting(&mut self, since: Duration) {
        if !std::io::stderr().is_terminal() {
            if !std::mem::replace(&mut self.waiting, true) {
                let words = self.output.words().say("match-waiting");
                self.talk(&words);
            }
            return;
        }
        let seconds = since.as_secs();
        let time = format!("{}:{:02}", seconds / 60, seconds % 60);
        let words = Message::new("match-waiting-since").text("time", time);
        let words = words.said(self.output.words());
        let mut stderr = std::io::stderr().lock();
        // A terminal that has gone is noticed elsewhere.
        let _ = write!(stderr, "\r{words} ");
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
                seat,
                move_text,
                planned,
                ..
            } => {
                let (Some(before), Some(after)) = (&before.position, view.position()) else {
                    return Ok(());
                };
                self.more_from = 1;
                self.warned = None;
                let mut words = sentences::moved(view, before, *seat, move_text, *planned);
                let goes_on = !after.is_over(seat.other());
                if self.output.frame().is_some() {
                    self.say(&words)?;
                    match goes_on {
                        true => self.state(view)?,
                        false => drop(self.draw(view)?),
                    }
                } else {
                    if goes_on {
                        words = view.words().sentences(&[words, sentences::state(view)]);
                    }
                    self.say(&words)?;
                }
                self.invite_to_type(view)
            }
            Event::Joined { seat, .. } => {
                if self.invited && view.seat() != Some(*seat) {
                    let joined = Message::new("match-joined").text("name", view.name(*seat));
                    self.say(&joined.said(view.words()))?;
                }
                self.begin(view)
            }
            other => {
                if matches!(other, Event::Presence { .. }) {
                    // Of this mark the sentence about the absence speaks.
                    self.absent = view.claim_in().map(claim_mark);
                }
                let goes_on = matches!(other, Event::TakenBack { .. } | Event::Continued { .. });
                if let Some(sentence) = sentences::happened(view, other) {
                    self.say(&sentence)?;
                }
                if goes_on {
                    (self.more_from, self.warned) = (1, None);
                    self.state(view)?;
                }
                Ok(())
            }
        }
    }

    fn unknown(&mut self, view: &MatchView, _: Seq, _: &Value) -> Result<(), Failure> {
        self.say_that_it_is_newer(view);
        Ok(())
    }

    fn caught_up(&mut self, view: &MatchView) -> Result<(), Failure> {
        self.say_that_it_is_newer(view);
        if view.status() == Status::Waiting {
            return self.say(&view.words().say("match-nobody-joined"));
        }
        self.say(&sentences::opening(view))?;
        if let Some(last) = sentences::last_move(view) {
            self.say(&last)?;
        }
        self.invite_to_type(view)?;
        self.whole_state(view)?;
        for words in sentences::open_between_players(view) {
            self.say(&words)?;
        }
        Ok(())
    }

    fn over(
        &mut self,
        view: &MatchView,
        verdict: Option<&Verdict>,
        kept: bool,
    ) -> Result<(), Failure> {
        if let Some(result) = sentences::result(view) {
            self.say(&result)?;
        }
        if let Some(verdict) = verdict {
            self.say(&sentences::decided(view, verdict))?;
            if let Some(why) = sentences::why(verdict, view.words()) {
                self.say(&why)?;
            }
        }
        if let Some(score) = sentences::score(view) {
            self.say(&score)?;
        }
        if let Some(verdict) = verdict {
            for command in sentences::next(view, verdict, kept, self.output.asks) {
                // To be copied: not broken into lines.
                self.output.line(&command)?;
            }
        }
        Ok(())
    }

    fn rated(
        &mut self,
        view: &MatchView,
        [first, second]: &[RatedChange; 2],
    ) -> Result<(), Failure> {
        self.say(&ratings::changes([first, second], view.words()))
    }

    fn said(
        &mut self,
        view: &MatchView,
        _: Room,
        _: Seq,
        event: &ChatEvent,
    ) -> Result<(), Failure> {
        let ChatEvent::Said { player, .. } = event;
        let us = view.seat().and_then(|seat| view.referee()?.player(seat));
        // Our own lines are on the screen already.
        match us.is_some_and(|us| us.id == player.id) {
            true => Ok(()),
            false => self.say(&chat::line(event, view.words())),
        }
    }

    fn lines_said(&mut self, view: &MatchView, _: Room, lines: &[ChatLine]) -> Result<(), Failure> {
        self.say(&chat::lines(lines, view.words()))
    }

    fn lost(&mut self, view: &MatchView, failure: &Failure) -> Result<(), Failure> {
        self.away = Some(Instant::now());
        self.fresh_line();
        // Even with --quiet: what is on the screen is not true any more.
        self.output.remark(&sentences::lost(
            view,
            &sentence_case(&failure.message_in(view.words())),
            failure.has_code(ErrorCode::ShuttingDown),
            GIVE_UP,
        ));
        Ok(())
    }

    fn back(&mut self, view: &MatchView, away: Duration, ply: Option<Ply>) -> Result<(), Failure> {
        self.away = None;
        self.talk(&sentences::back(view, away, ply));
        Ok(())
    }

    fn undone(&mut self, view: &MatchView) -> Result<(), Failure> {
        self.more_from = 1;
        self.say(&view.words().say("match-undone"))?;
        self.state(view)
    }

    fn meant(&self, view: &MatchView, text: &str) -> Option<String> {
        let drawing = draw(view.position()?, self.output.frame()?);
        let typed = text.trim();
        let label = drawing
            .labels()
            .iter()
            .find(|label| label.shown.eq_ignore_ascii_case(typed))?;
        Some(label.mv.clone())
    }

    fn tick(&mut self, view: &MatchView) -> Result<(), Failure> {
        let Some(left) = time_left(view) else {
            return Ok(());
        };
        if !self.output.overwrites() {
            return self.warn_of_the_clock(view, left);
        }
        if !self.dangling || self.clock_columns == 0 {
            return Ok(());
        }
        let clock = sentences::clock_on_prompt(left);
        let clock = format!("{clock:>width$}", width = self.clock_columns);
        if clock.len() > self.clock_columns {
            return Ok(());
        }
        // What is being typed stays: the cursor goes back to where it was.
        // These escapes are no colours: they stay where colours are left out.
        self.output.text("\x1b7\r")?;
        self.output.styled(&coloured_clock(&clock, left))?;
        self.output.text("\x1b8")
    }

    fn absent(&mut self, view: &MatchView, wait: Millis) -> Result<(), Failure> {
        let mark = claim_mark(wait);
        if self.absent.is_some_and(|said| said <= mark) {
            return Ok(());
        }
        self.absent = Some(mark);
        match sentences::absent(view, wait) {
            Some(words) => self.say(&words),
            None => Ok(()),
        }
    }

    fn advise(&mut self, _: &MatchView, _: &str, text: &str) -> Result<(), Failure> {
        self.say(text)
    }

    fn refused(&mut self, failure: &Failure) -> Result<(), Failure> {
        self.fresh_line();
        let remark = failure.remark_in(self.output.words());
        self.output.remark(&sentence_case(&remark));
        Ok(())
    }

    fn line_typed(&mut self, _: &str) {
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
        if let Some(since) = self.away {
            let words = sentences::stale(since.elapsed(), view.words());
            self.fresh_line();
            self.output.remark(&words);
        }
        let text = match typed {
            Typed::Help if view.is_watched() => view.words().say("match-help-watchers"),
            Typed::Help => sentences::help(view),
            Typed::Moves(from) => return self.moves(view, *from),
            Typed::More => return self.moves(view, self.more_from),
            Typed::Clock => sentences::clock(view),
            Typed::Rules => sentences::rules(referee.position(), view.words()),
            _ => return self.whole_state(view),
        };
        self.say(&text)
    }

    fn confirm(&mut self, question: Question) -> Result<(), Failure> {
        self.fresh_line();
        let words = self.output.words().say(match question {
            Question::Resign => "match-ask-resign",
            Question::Abort => "match-ask-abort",
            Question::Quit { .. } => "match-ask-quit",
            Question::Rematch => "match-ask-rematch",
            Question::Leave => "match-ask-leave",
        });
        self.output.text(&format!("{words} "))?;
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
            let prompt = self.prompt_text(view);
            self.output.styled(&prompt)?;
            self.dangling = true;
            self.said = false;
        }
        Ok(())
    }
}

/// The time that we have left, in a match with a clock.
fn time_left(view: &MatchView) -> Option<Millis> {
    let to_move = view.referee()?.to_move();
    let clock = view.clocks()?.of(to_move);
    Some(view.first_move_in().map_or(clock, |first| first.min(clock)))
}

/// The clock in the colour of its urgency; a sign says the same.
fn coloured_clock(clock: &str, left: Millis) -> String {
    let style = match left.0 {
        ..=10_000 => AnsiColor::Red.on_default().bold(),
        10_001..=30_000 => AnsiColor::Yellow.on_default(),
        _ => Style::new(),
    };
    format!("{style}{clock}{style:#}")
}

/// A message as a sentence of its own.
fn sentence_case(words: &str) -> String {
    let mut characters = words.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}
