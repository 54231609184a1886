//! What the screen shows besides the match itself, and how keys change it.

use std::time::Duration;

use crossterm::event::KeyEvent;
use grundy_shared::Position;
use grundy_shared::ids::{Ply, Seat};
use grundy_shared::referee::Referee;
use ratatui::layout::Rect;
use tokio::time::Instant;

use super::board::Board;
use super::board::TALL;
use super::choice::{step, step_place};
use super::help::{Help, Helped};
use super::input_line::InputLine;
use super::keys::{self, Action, Entry, When};
use super::layout::{Areas, Room};
use super::log::{Log, Tone};
use super::table::{MATCH, TYPING};
use super::theme::Theme;
use crate::render::board::{Frame, Glyphs, Paint};
use crate::session::frontend::Question;
use crate::session::match_view::MatchView;

/// Lines that a page key scrolls.
const PAGE: isize = 5;

/// A part of the screen that can be scrolled; where there is little room, the one that is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pane {
    Board,
    Moves,
    Messages,
}

/// What follows from a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    Nothing,
    /// This line was entered.
    Line(String),
    Interrupt,
    Suspend,
    Redraw,
    /// The terminal is to keep this text, to be pasted elsewhere.
    Copy(String),
}

/// What the screen shows besides the match.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) theme: Theme,
    pub(super) glyphs: Glyphs,
    pub(super) input: InputLine,
    pub(super) log: Log,
    /// The number of the chosen move.
    pub(super) chosen: Option<u128>,
    /// After how many moves the board is shown; `None` for now.
    pub(super) looked_at: Option<u32>,
    pub(super) pane: Pane,
    /// The position before the last move, if one was made.
    pub(super) last: Option<Position>,
    /// Lines from the end that the moves and the messages are scrolled.
    pub(super) scrolled: [usize; 2],
    pub(super) help: Option<Help>,
    pub(super) mouse: bool,
    pub(super) question: Option<Question>,
    /// Since when there is no connection.
    pub(super) away: Option<Instant>,
    /// The solver has worked for a moment and is still at it.
    pub(super) thinks: bool,
    /// How long nobody has taken the other seat.
    pub(super) waited: Option<Duration>,
    /// What the other player needs in order to join, to be shown in place of the board.
    pub(super) invitation: Vec<String>,
    /// The link that the other player needs.
    pub(super) link: Option<String>,
    /// How much room there was when the screen was drawn last.
    pub(super) room: Room,
}

impl State {
    /// Of a match of which nothing is known yet.
    pub(super) fn new(theme: Theme, glyphs: Glyphs) -> Self {
        Self {
            theme,
            glyphs,
            input: InputLine::default(),
            log: Log::default(),
            chosen: None,
            looked_at: None,
            pane: Pane::Board,
            last: None,
            scrolled: [0; 2],
            help: None,
            mouse: false,
            question: None,
            away: None,
            thinks: false,
            waited: None,
            invitation: Vec::new(),
            link: None,
            room: Room::Usual,
        }
    }

    /// Says something. An answer of several lines is shown at once where there is little room.
    pub(super) fn say(&mut self, tone: Tone, text: &str) {
        self.log.push(tone, text);
        self.scrolled[1] = 0;
        let long = text.contains('\n') || text.chars().count() > 80;
        if tone == Tone::Answer && long && self.room == Room::Small {
            self.pane = Pane::Messages;
        }
    }

    /// The position has changed: what was chosen was chosen in another one.
    pub(super) fn moved(&mut self) {
        (self.chosen, self.looked_at, self.scrolled[0]) = (None, None, 0);
    }

    /// The position on the board, and who moves there: now, or earlier if the user looks back.
    pub(super) fn shown(&self, view: &MatchView) -> Option<(Position, Seat)> {
        let referee = view.referee()?;
        Some(match self.looked_at {
            None => (referee.position().clone(), referee.to_move()),
            Some(ply) => (referee.position_after(Ply(ply)), Seat::to_move_at(Ply(ply))),
        })
    }

    /// Moves made in the position on the board.
    fn ply(&self, view: &MatchView) -> Ply {
        let now = view.referee().map_or(Ply(0), |referee| referee.ply());
        self.looked_at.map_or(now, Ply)
    }

    /// What was painted up to the position on the board.
    pub(super) fn paint(&self, view: &MatchView) -> Paint {
        view.paint_after(self.ply(view))
    }

    /// The position before that on the board, and what was painted then.
    pub(super) fn before(&self, view: &MatchView) -> Option<(Position, Paint)> {
        let ply = Ply(self.ply(view).0.checked_sub(1)?);
        let position = match self.looked_at {
            None => self.last.clone()?,
            Some(_) => view.referee()?.position_after(ply),
        };
        Some((position, view.paint_after(ply)))
    }

    /// Takes the last move of a match from its record. O(moves).
    pub(super) fn recall_last(&mut self, view: &MatchView) {
        let before = |referee: &Referee| {
            let ply = referee.ply().0.checked_sub(1)?;
            Some(referee.position_after(Ply(ply)))
        };
        self.last = view.referee().and_then(before);
    }

    /// The parts of a screen on which this match is shown, with this many status lines. They stay where they are unless the board becomes higher than
    /// that of the start.
    pub(super) fn areas(&self, area: Rect, view: &MatchView, standing: u16) -> Areas {
        let largest = Areas::of(area, u16::MAX, standing);
        let Some(referee) = view.referee() else {
            return largest;
        };
        let paint = view.paint_after(referee.ply());
        let rows = |position| {
            let frame = self.frame(largest.board, view);
            Board::of(position, &paint, frame).lines.len()
        };
        let rows = rows(referee.start()).max(rows(referee.position()));
        Areas::of(area, u16::try_from(rows).unwrap_or(u16::MAX), standing)
    }

    /// The frame of a drawing in this area.
    pub(super) fn frame(&self, area: Rect, view: &MatchView) -> Frame {
        Frame {
            width: usize::from(area.width).saturating_sub(1),
            rows: usize::from(area.height).max(TALL),
            glyphs: self.glyphs,
            language: view.words().language(),
        }
    }

    /// The chosen move's text, if one is chosen and can be played now.
    pub(super) fn chosen_move(&self, view: &MatchView) -> Option<String> {
        let referee = view.referee().filter(|_| self.can_choose(view))?;
        let mv = referee
            .position()
            .nth_move(referee.to_move(), self.chosen?)?;
        Some(mv.to_string())
    }

    /// Whether a move can be chosen: it is our turn, and the board shows it.
    pub(super) fn can_choose(&self, view: &MatchView) -> bool {
        view.is_our_turn() && self.looked_at.is_none() && self.question.is_none()
    }

    /// A key was pressed.
    pub(super) fn press(&mut self, view: &MatchView, event: &KeyEvent) -> Outcome {
        let entry = keys::of(
            MATCH.iter().chain(TYPING),
            event,
            self.input.is_empty() && self.help.is_none(),
        );
        let action = entry.filter(|entry| fits(entry.when, view));
        match (action, event.code) {
            (Some(entry), _) => self.act(view, entry.action),
            (None, crossterm::event::KeyCode::Char(c))
                if !event
                    .modifiers
                    .contains(crossterm::event::KeyModifiers::CONTROL) =>
            {
                self.insert(c.encode_utf8(&mut [0; 4]));
                Outcome::Nothing
            }
            (None, _) => Outcome::Nothing,
        }
    }

    /// Text was typed or pasted.
    pub(super) fn insert(&mut self, text: &str) {
        match &mut self.help {
            Some(help) => help.search(text),
            None => {
                self.chosen = None;
                self.input.insert(text);
            }
        }
    }

    /// Does what a key stands for.
    pub(super) fn act(&mut self, view: &MatchView, action: Action) -> Outcome {
        if let Some(outcome) = self.act_in_help(view, action) {
            return outcome;
        }
        match action {
            Action::Type(word) => return Outcome::Line(word.to_owned()),
            Action::Begin(word) => {
                self.input.clear();
                self.insert(word);
            }
            Action::Help => self.help = Some(Help::open()),
            Action::Enter => return self.enter(view),
            Action::Clear => self.clear(),
            Action::Interrupt => return Outcome::Interrupt,
            Action::Suspend => return Outcome::Suspend,
            Action::Redraw => return Outcome::Redraw,
            Action::Mouse => self.mouse = !self.mouse,
            Action::Copy => {
                let shown = || self.shown(view).map(|(position, _)| position.to_string());
                return match self.link.clone().or_else(shown) {
                    Some(text) => Outcome::Copy(text),
                    None => Outcome::Nothing,
                };
            }
            Action::NextPane => {
                self.pane = match self.pane {
                    Pane::Board => Pane::Moves,
                    Pane::Moves => Pane::Messages,
                    Pane::Messages => Pane::Board,
                }
            }
            Action::Scroll(by) => self.scroll(by),
            Action::NextMove(forward) => self.choose(view, forward, step),
            Action::NextPlace(forward) => self.choose(view, forward, step_place),
            Action::Step(forward) => self.look(view, |at, last| match forward {
                true => (at + 1).min(last),
                false => at.saturating_sub(1),
            }),
            Action::ToEnd(forward) => self.look(view, |_, last| if forward { last } else { 0 }),
            // Only a review has turning points.
            Action::NextMistake(_) => {}
            editing => drop(self.input.edit(editing)),
        }
        Outcome::Nothing
    }

    /// What a key does while the help is open, if that is something else.
    fn act_in_help(&mut self, view: &MatchView, action: Action) -> Option<Outcome> {
        let entries = self.help_entries(view);
        let helped = self.help.as_mut()?.act(action, &entries);
        if matches!(helped, Helped::Closed | Helped::Run(_)) {
            self.help = None;
        }
        match helped {
            Helped::Open | Helped::Closed => Some(Outcome::Nothing),
            Helped::Run(action) => Some(self.act(view, action)),
            Helped::Elsewhere => None,
        }
    }

    /// The entries that the open help lists.
    pub(super) fn help_entries(&self, view: &MatchView) -> Vec<&'static Entry> {
        let all = MATCH
            .iter()
            .chain(TYPING)
            .filter(|entry| fits(entry.when, view));
        let help = self.help.as_ref();
        help.map_or(Vec::new(), |help| help.entries(all, view.words()))
    }

    fn enter(&mut self, view: &MatchView) -> Outcome {
        if !self.input.is_empty() {
            return Outcome::Line(self.input.enter());
        }
        match (self.chosen_move(view), self.question) {
            (Some(mv), _) => {
                self.chosen = None;
                Outcome::Line(mv)
            }
            (None, Some(Question::Leave)) => Outcome::Line(String::new()),
            // A question is answered with a word: Enter may have been meant for what was there before.
            _ => Outcome::Nothing,
        }
    }

    /// Undoes the last thing that is open: the line, the choice, the look back, the pane.
    fn clear(&mut self) {
        if !self.input.is_empty() {
            self.input.clear();
        } else if self.chosen.is_some() {
            self.chosen = None;
        } else if self.looked_at.is_some() {
            self.looked_at = None;
        } else {
            (self.pane, self.scrolled) = (Pane::Board, [0; 2]);
        }
    }

    fn scroll(&mut self, by: isize) {
        let scrolled = match self.pane {
            Pane::Moves => &mut self.scrolled[0],
            Pane::Board | Pane::Messages => &mut self.scrolled[1],
        };
        *scrolled = scrolled.saturating_add_signed(by * PAGE).min(100_000);
    }

    fn choose(
        &mut self,
        view: &MatchView,
        forward: bool,
        next: fn(&Position, Seat, Option<u128>, bool) -> Option<u128>,
    ) {
        if let Some(referee) = view.referee().filter(|_| self.can_choose(view)) {
            let (position, seat) = (referee.position(), referee.to_move());
            self.chosen = next(position, seat, self.chosen, forward);
        }
    }

    /// Looks at the board after another number of moves.
    pub(super) fn look(&mut self, view: &MatchView, to: impl Fn(u32, u32) -> u32) {
        let Some(referee) = view.referee() else {
            return;
        };
        let last = referee.ply().0;
        let at = to(self.looked_at.unwrap_or(last).min(last), last).min(last);
        self.looked_at = (at < last).then_some(at);
        (self.chosen, self.pane) = (None, Pane::Board);
    }
}

/// Whether an entry does something in this match.
pub(super) fn fits(when: When, view: &MatchView) -> bool {
    match when {
        When::Always => true,
        When::Playing => !view.is_watched() && !view.is_over(),
        When::Proposed => !view.is_over() && view.to_answer().is_some(),
        When::Hints => !view.is_watched() && !view.is_over() && view.no_hints().is_none(),
        When::Online => !view.is_watched() && !view.is_over() && !view.is_local(),
        When::Shared => !view.is_local(),
        When::Over => view.is_over(),
        // A match has no exercises.
        When::Forgettable | When::Unasked => false,
    }
}
