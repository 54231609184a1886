//! The full screen as a frontend: keeps what is shown, and draws it after each event.

use std::time::Duration;

use crossterm::event::{
    Event as TerminalEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind,
};
use grundy_shared::event::Event;
use grundy_shared::ids::{Millis, Ply, Seq};
use grundy_shared::protocol::ChatEvent;
use grundy_shared::protocol::chat::{ChatLine, Room as ChatRoom};
use grundy_shared::protocol::rating::RatedChange;
use grundy_shared::referee::Status;
use grundy_words::Message;
use ratatui::layout::{Position as Spot, Rect};
use serde_json::Value;
use tokio::time::Instant;

use super::board::{Board, clicked};
use super::keys::Action;
use super::layout::Room;
use super::log::Tone;
use super::opening::{open, theme};
use super::paint::{areas, paint};
use super::planted::plant_a_panic;
use super::state::{Outcome, Pane, State};
use super::targets::{Target, Targets};
use super::terminal::Terminal;
use crate::failure::Failure;
use crate::output::{Output, Signs};
use crate::render::board::Glyphs;
use crate::render::{chat, ratings, sentences, short};
use crate::session::claim_mark::claim_mark;
use crate::session::frontend::{Before, Frontend, Opening, Pressed, Question};
use crate::session::match_view::MatchView;
use crate::session::typed::Typed;
use crate::session::verdict::Verdict;

/// The number of the move from which `more` goes on, at first.
const FIRST: u128 = 1;

/// The full screen of a match.
#[derive(Debug)]
pub(crate) struct FullScreen {
    output: Output,
    signs: Signs,
    /// `None` before the first match and after the screen was left.
    terminal: Option<Terminal>,
    pub(super) state: State,
    pub(super) targets: Targets,
    /// The size at which the screen was drawn last.
    pub(super) area: Rect,
    more_from: u128,
    /// The line that is looked at, if it is to come back when it is refused: it was typed before our turn.
    early: Option<String>,
    /// What stays on the screen of the shell after the match.
    afterwards: Vec<String>,
    /// The last mark of an absence of the other player.
    absent: Option<u64>,
    said_newer: bool,
    /// Whether this match has shown how to type a move.
    invited_to_type: bool,
    /// Keys that were pressed while the screen was turned on.
    typed_before: Vec<TerminalEvent>,
}

impl FullScreen {
    /// A screen that is off until a match is shown.
    pub(crate) fn new(output: Output, signs: Signs) -> Self {
        Self {
            output,
            signs,
            terminal: None,
            state: State::new(theme(signs), output.glyphs.unwrap_or(Glyphs::ASCII)),
            targets: Targets::new(),
            area: Rect::new(0, 0, 80, 24),
            more_from: FIRST,
            early: None,
            afterwards: Vec::new(),
            absent: None,
            said_newer: false,
            invited_to_type: false,
            typed_before: Vec::new(),
        }
    }

    /// Turns the screen on. Keys that are pressed while the terminal is asked for its widths are kept for the session.
    fn enter(&mut self, mouse: bool) -> Result<(), Failure> {
        self.state.mouse = mouse;
        let (terminal, typed) = open(self.signs, mouse, &mut self.state.theme)?;
        self.terminal = Some(terminal);
        self.typed_before = typed;
        Ok(())
    }

    fn draw(&mut self, view: &MatchView) -> Result<(), Failure> {
        let Some(terminal) = &mut self.terminal else {
            return Ok(());
        };
        let (state, targets, area) = (&self.state, &mut self.targets, &mut self.area);
        terminal.draw(|frame| {
            *area = frame.area();
            *targets = paint(frame, state, view);
        })?;
        self.state.room = Room::of(self.area);
        self.state.log.seen();
        Ok(())
    }

    fn say(&mut self, text: &str) {
        self.state.say(Tone::News, text);
    }

    /// What follows from a key for the terminal, and for the match.
    fn carry_out(&mut self, outcome: Outcome) -> Result<Pressed, Failure> {
        match (outcome, &mut self.terminal) {
            (Outcome::Line(line), _) => {
                plant_a_panic(&line);
                return Ok(Pressed::Line(line));
            }
            (Outcome::Interrupt, _) => return Ok(Pressed::Interrupt),
            (Outcome::Suspend, Some(terminal)) => terminal.suspend()?,
            (Outcome::Redraw, Some(terminal)) => terminal.forget()?,
            (Outcome::Copy(text), Some(terminal)) => {
                let copied = terminal.copy(&text)?;
                self.say(&copied.said(self.output.words()));
            }
            (Outcome::Nothing | Outcome::Suspend | Outcome::Redraw | Outcome::Copy(_), _) => {}
        }
        Ok(Pressed::Nothing)
    }

    fn click(&mut self, view: &MatchView, event: MouseEvent) -> Outcome {
        let spot = Spot::new(event.column, event.row);
        match event.kind {
            MouseEventKind::ScrollUp => return self.state.act(view, Action::Scroll(1)),
            MouseEventKind::ScrollDown => return self.state.act(view, Action::Scroll(-1)),
            MouseEventKind::Down(MouseButton::Left) => {}
            _ => return Outcome::Nothing,
        }
        let hit = self
            .targets
            .iter()
            .rev()
            .find(|(place, _)| place.contains(spot));
        match hit.map(|(_, target)| *target) {
            // A match has no tables.
            None | Some(Target::Row(_) | Target::Sheet(_)) => Outcome::Nothing,
            Some(Target::Key(action)) => self.state.act(view, action),
            Some(Target::Ply(ply)) => {
                self.state.look(view, |_, _| ply);
                Outcome::Nothing
            }
            Some(Target::HelpEntry(number)) => {
                if let Some(help) = &mut self.state.help {
                    help.chosen = number;
                }
                self.state.act(view, Action::Enter)
            }
            Some(Target::Cell(place)) => {
                let Some(referee) = view.referee().filter(|_| self.state.can_choose(view)) else {
                    return Outcome::Nothing;
                };
                let (position, seat) = (referee.position(), referee.to_move());
                let frame = self
                    .state
                    .frame(areas(&self.state, self.area, view).board, view);
                let chosen = clicked(position, seat, &view.paint(), frame, place);
                let again = chosen.is_some() && chosen == self.state.chosen;
                // The second click on the same place plays.
                if again && self.state.input.is_empty() {
                    return self.state.act(view, Action::Enter);
                }
                self.state.chosen = chosen;
                Outcome::Nothing
            }
        }
    }

    /// Says once that some events are not shown.
    fn say_that_it_is_newer(&mut self, view: &MatchView) {
        if view.has_skipped() && !std::mem::replace(&mut self.said_newer, true) {
            self.say(&view.words().say("match-newer"));
        }
    }

    /// Shows at our first turn of a match how to make a move.
    fn invite_to_type(&mut self, view: &MatchView) {
        let Some(referee) = view.referee().filter(|_| view.is_our_turn()) else {
            return;
        };
        if std::mem::replace(&mut self.invited_to_type, true) {
            return;
        }
        if let Some(mv) = referee.position().nth_move(referee.to_move(), 0) {
            let how = Message::new("screen-type").text("move", short(&mv.to_string()));
            self.say(&how.said(view.words()));
        }
    }

    fn moves(&mut self, view: &MatchView, from: u128) -> String {
        let Some(referee) = view.referee() else {
            return String::new();
        };
        let (text, next) =
            sentences::moves(referee.position(), referee.to_move(), from, view.words());
        self.more_from = next;
        text
    }
}

impl Frontend for FullScreen {
    fn seated(&mut self, view: &MatchView, opening: &Opening) -> Result<(), Failure> {
        if self.terminal.is_none() {
            // A watcher has nothing to click on the board, and may want to copy from it.
            self.enter(!view.is_watched())?;
        }
        self.state.moved();
        self.state.pane = Pane::Board;
        (self.state.question, self.state.waited, self.absent) = (None, None, None);
        self.invited_to_type = false;
        self.state.last = None;
        self.afterwards.clear();
        self.state.invitation.clear();
        self.state.link = None;
        if let Opening::Created {
            invitation: Some(invitation),
        } = opening
        {
            let words = view.words();
            let invited = Message::new("match-invited")
                .text("match", view.match_id())
                .text("code", invitation.code());
            let mut lines = vec![
                invited.said(words),
                words.say("match-friend-types"),
                format!("  {}", invitation.command()),
                words.say("screen-or-opens"),
                format!("  {}", invitation.link()),
            ];
            lines.extend(invitation.advice().map(|advice| advice.said(words)));
            // Dark and light halves of a cell are as wide as the terminal's other ambiguous signs.
            if let Some(qr) = invitation.qr().filter(|_| self.state.theme.lines) {
                lines.extend(qr.lines().map(str::to_owned));
            }
            // The command and the link stay behind when the screen is left.
            self.afterwards = lines[..5].to_vec();
            self.state.invitation = lines;
            self.state.link = Some(invitation.link());
        }
        self.draw(view)
    }

    fn waiting(&mut self, since: Duration) {
        self.state.waited = Some(since);
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
                self.state.moved();
                (self.more_from, self.early) = (FIRST, None);
                self.state.last.clone_from(&before.position);
                if let Some(before) = &before.position {
                    let words = sentences::moved(view, before, *seat, move_text, *planned);
                    self.say(&words);
                }
            }
            Event::Joined { .. } => {
                self.state.waited = None;
                self.state.invitation.clear();
                self.state.link = None;
                self.afterwards.clear();
                self.say(&sentences::opening(view));
            }
            other => {
                if matches!(other, Event::Presence { .. }) {
                    // Of this mark the sentence about the absence speaks.
                    self.absent = view.claim_in().map(claim_mark);
                }
                if matches!(other, Event::TakenBack { .. }) {
                    self.state.recall_last(view);
                }
                if matches!(other, Event::TakenBack { .. } | Event::Ended { .. }) {
                    self.state.moved();
                    (self.state.waited, self.more_from) = (None, FIRST);
                }
                if let Some(sentence) = sentences::happened(view, other) {
                    self.say(&sentence);
                }
            }
        }
        self.invite_to_type(view);
        // What follows the end of a match takes a moment.
        match view.is_over() {
            true => self.draw(view),
            false => Ok(()),
        }
    }

    fn unknown(&mut self, view: &MatchView, _: Seq, _: &Value) -> Result<(), Failure> {
        self.say_that_it_is_newer(view);
        Ok(())
    }

    fn caught_up(&mut self, view: &MatchView) -> Result<(), Failure> {
        self.state.recall_last(view);
        self.say_that_it_is_newer(view);
        if view.status() == Status::Waiting {
            self.say(&view.words().say("match-nobody-joined"));
            return Ok(());
        }
        self.say(&sentences::opening(view));
        if let Some(last) = sentences::last_move(view) {
            self.say(&last);
        }
        self.invite_to_type(view);
        for words in sentences::open_between_players(view) {
            self.say(&words);
        }
        Ok(())
    }

    fn over(
        &mut self,
        view: &MatchView,
        verdict: Option<&Verdict>,
        kept: bool,
    ) -> Result<(), Failure> {
        let mut texts: Vec<String> = sentences::result(view).into_iter().collect();
        if let Some(verdict) = verdict {
            texts.push(sentences::decided(view, verdict));
            texts.extend(sentences::why(verdict, view.words()));
        }
        texts.extend(sentences::score(view));
        if let Some(verdict) = verdict {
            texts.extend(sentences::next(view, verdict, kept, self.output.asks));
        }
        for text in &texts {
            self.say(text);
        }
        if self.state.room == Room::Small {
            self.state.pane = Pane::Messages;
        }
        self.afterwards = texts;
        Ok(())
    }

    fn rated(
        &mut self,
        view: &MatchView,
        [first, second]: &[RatedChange; 2],
    ) -> Result<(), Failure> {
        let words = ratings::changes([first, second], view.words());
        self.say(&words);
        self.afterwards.push(words);
        Ok(())
    }

    fn said(
        &mut self,
        view: &MatchView,
        _: ChatRoom,
        _: Seq,
        event: &ChatEvent,
    ) -> Result<(), Failure> {
        // Our own lines, too: the line that was typed has gone.
        self.state.say(Tone::Chat, &chat::line(event, view.words()));
        Ok(())
    }

    fn lines_said(
        &mut self,
        view: &MatchView,
        _: ChatRoom,
        lines: &[ChatLine],
    ) -> Result<(), Failure> {
        self.state
            .say(Tone::Answer, &chat::lines(lines, view.words()));
        Ok(())
    }

    fn lost(&mut self, view: &MatchView, failure: &Failure) -> Result<(), Failure> {
        self.state.away = Some(Instant::now());
        let words = view.words();
        let lost = Message::new("screen-reconnecting").text("why", failure.message_in(words));
        let pending = view
            .pending
            .as_ref()
            .map(|what| Message::new("match-pending").text("what", what).said(words));
        let said: Vec<String> = [lost.said(words)].into_iter().chain(pending).collect();
        self.state.say(Tone::Refusal, &words.sentences(&said));
        Ok(())
    }

    fn back(&mut self, view: &MatchView, away: Duration, ply: Option<Ply>) -> Result<(), Failure> {
        self.state.away = None;
        self.say(&sentences::back(view, away, ply));
        Ok(())
    }

    fn undone(&mut self, view: &MatchView) -> Result<(), Failure> {
        self.state.moved();
        self.state.recall_last(view);
        self.more_from = FIRST;
        self.say(&view.words().say("match-undone"));
        Ok(())
    }

    fn meant(&self, view: &MatchView, text: &str) -> Option<String> {
        let frame = self
            .state
            .frame(areas(&self.state, self.area, view).board, view);
        let board = Board::of(view.position()?, &view.paint(), frame);
        board.meant(text.trim()).map(str::to_owned)
    }

    fn absent(&mut self, view: &MatchView, wait: Millis) -> Result<(), Failure> {
        let mark = claim_mark(wait);
        if self.absent.is_none_or(|said| said > mark) {
            self.absent = Some(mark);
            if let Some(words) = sentences::absent(view, wait) {
                self.say(&words);
            }
        }
        Ok(())
    }

    fn event_of_terminal(
        &mut self,
        view: &MatchView,
        event: &TerminalEvent,
    ) -> Result<Pressed, Failure> {
        let mouse = self.state.mouse;
        let outcome = match event {
            TerminalEvent::Key(key) if key.kind != KeyEventKind::Release => {
                self.state.press(view, key)
            }
            TerminalEvent::Mouse(event) => self.click(view, *event),
            TerminalEvent::Paste(text) => {
                self.state.insert(text);
                Outcome::Nothing
            }
            _ => Outcome::Nothing,
        };
        if self.state.mouse != mouse
            && let Some(terminal) = &mut self.terminal
        {
            terminal.hear_mouse(self.state.mouse)?;
        }
        self.carry_out(outcome)
    }

    fn typed_before(&mut self) -> Vec<TerminalEvent> {
        std::mem::take(&mut self.typed_before)
    }

    fn continued(&mut self) -> Result<(), Failure> {
        match &mut self.terminal {
            Some(terminal) => Ok(terminal.enter_again()?),
            None => Ok(()),
        }
    }

    fn thinks(&mut self, thinks: bool) {
        self.state.thinks = thinks;
    }

    fn stays(&self) -> bool {
        true
    }

    fn advise(&mut self, _: &MatchView, _: &str, text: &str) -> Result<(), Failure> {
        self.state.say(Tone::Answer, text);
        Ok(())
    }

    fn refused(&mut self, failure: &Failure) -> Result<(), Failure> {
        let words = failure.remark_in(self.output.words());
        self.state.say(Tone::Refusal, &words);
        // A move that was typed too early, or wrong, can be changed and entered again.
        if let Some(line) = self.early.take().filter(|_| self.state.input.is_empty()) {
            self.state.input.give_back(&line);
        }
        Ok(())
    }

    fn line_typed(&mut self, line: &str) {
        let is_move = matches!(Typed::read(line), Typed::Move(_));
        self.early = is_move.then(|| line.to_owned());
    }

    fn answer(&mut self, view: &MatchView, typed: &Typed) -> Result<(), Failure> {
        let Some(referee) = view.referee() else {
            return Ok(());
        };
        let text = match typed {
            Typed::Help => {
                self.state.act(view, Action::Help);
                return Ok(());
            }
            Typed::Moves(from) => self.moves(view, *from),
            Typed::More => self.moves(view, self.more_from),
            Typed::Clock => sentences::clock(view),
            Typed::Rules => sentences::rules(referee.position(), view.words()),
            _ => format!(
                "{}\n{}",
                sentences::state(view),
                sentences::notation(referee.position(), view.words())
            ),
        };
        self.state.say(Tone::Answer, &text);
        Ok(())
    }

    fn confirm(&mut self, question: Question) -> Result<(), Failure> {
        self.state.question = Some(question);
        // What was being typed is no answer. It can be recalled.
        self.state.input.enter();
        Ok(())
    }

    fn talk(&mut self, words: &str) {
        match self.terminal {
            Some(_) => self.say(words),
            None => self.output.talk(words),
        }
    }

    fn leave(&mut self) {
        if self.terminal.take().is_none() {
            return;
        }
        let mut texts = std::mem::take(&mut self.afterwards);
        for unseen in self.state.log.take_unseen() {
            if !texts.contains(&unseen) {
                texts.push(unseen);
            }
        }
        for text in texts {
            // If stdout is closed, there is nobody left to inform.
            let _ = self.output.sentences(&text);
        }
    }

    fn prompt(&mut self, view: &MatchView, asked: Option<Question>) -> Result<(), Failure> {
        self.state.question = asked;
        self.draw(view)
    }
}
