//! What a desk shows, and how keys change it.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use grundy_shared::ids::Seat;
use grundy_shared::{Move, Position};
use grundy_words::{Catalogue, Language};
use ratatui::layout::{Position as Spot, Rect};

use super::layout::{Areas, Shape};
use super::sheet::{ROWS, Row, Sheet};
use crate::render::board::{Frame, Glyphs, Paint};
use crate::screen::board::TALL;
use crate::screen::board::{Board, clicked};
use crate::screen::choice::{step, step_place};
use crate::screen::help::{Help, Helped, Page};
use crate::screen::input_line::InputLine;
use crate::screen::keys::{self, Action, Entry, When};
use crate::screen::log::{Log, Tone};
use crate::screen::state::Outcome;
use crate::screen::table::TYPING;
use crate::screen::targets::{Target, Targets};
use crate::screen::theme::Theme;

/// Rows and lines that a page key goes.
const PAGE: isize = 5;
/// Columns that an arrow moves a table.
const ACROSS: usize = 8;

/// What is shown besides what was said.
#[derive(Clone, Debug)]
pub(in crate::screen) enum Shown {
    Nothing,
    /// A position, and who moves there.
    Board(Position, Seat),
    Sheets(Vec<Sheet>),
}

/// What a desk shows.
#[derive(Clone, Debug)]
pub(in crate::screen) struct View {
    pub(in crate::screen) theme: Theme,
    pub(in crate::screen) glyphs: Glyphs,
    language: Language,
    keys: &'static [Entry],
    /// Whether lines are typed.
    pub(in crate::screen) types: bool,
    pub(in crate::screen) title: String,
    pub(in crate::screen) about: String,
    pub(in crate::screen) shown: Shown,
    /// The number of the chosen move.
    chosen: Option<u128>,
    /// The number of the table that is shown, and of the chosen row in it.
    pub(in crate::screen) sheet: usize,
    pub(in crate::screen) row: usize,
    /// Whether the chosen row was clicked: the second click enters it.
    clicked: bool,
    /// Whether the row that was chosen has gone: Enter was meant for that one.
    gone: bool,
    /// Columns of a table that are left out at the left.
    pub(in crate::screen) across: usize,
    pub(in crate::screen) log: Log,
    /// Lines from the end that the messages are scrolled.
    pub(in crate::screen) scrolled: usize,
    pub(in crate::screen) input: InputLine,
    pub(in crate::screen) help: Option<Help>,
    /// The rules and the notation, for the help.
    pub(in crate::screen) notation: String,
    pub(in crate::screen) mouse: bool,
    /// How things stand; with `true` it is to be noticed.
    pub(in crate::screen) note: (String, bool),
    /// What is asked, in place of the prompt; with `true`, Enter alone is an answer.
    pub(in crate::screen) question: Option<(String, bool)>,
    /// Whether an exercise can be taken out of the deck.
    pub(in crate::screen) is_forgettable: bool,
}

impl View {
    /// A desk with nothing on it. Where `types`, the keys of the line are heard besides those of the table.
    pub(in crate::screen) fn new(
        (theme, glyphs): (Theme, Glyphs),
        language: Language,
        keys: &'static [Entry],
        types: bool,
    ) -> Self {
        Self {
            theme,
            glyphs,
            language,
            keys,
            types,
            title: String::new(),
            about: String::new(),
            shown: Shown::Nothing,
            chosen: None,
            sheet: 0,
            row: 0,
            clicked: false,
            gone: false,
            across: 0,
            log: Log::default(),
            scrolled: 0,
            input: InputLine::default(),
            help: None,
            notation: String::new(),
            mouse: true,
            note: (String::new(), false),
            question: None,
            is_forgettable: false,
        }
    }

    /// The words of the reader's language.
    pub(in crate::screen) fn words(&self) -> &'static Catalogue {
        Catalogue::of(self.language)
    }

    /// Says something.
    pub(in crate::screen) fn say(&mut self, tone: Tone, text: &str) {
        self.log.push(tone, text);
        self.scrolled = 0;
    }

    /// Shows a position; a move that was chosen in the same one stays chosen.
    pub(in crate::screen) fn place(&mut self, position: &Position, seat: Seat) {
        let stays = matches!(&self.shown, Shown::Board(old, of) if old == position && *of == seat);
        if !stays {
            self.chosen = None;
        }
        self.shown = Shown::Board(position.clone(), seat);
    }

    /// Shows tables. The chosen row stays chosen where it is still there.
    pub(in crate::screen) fn lay_out(&mut self, mut sheets: Vec<Sheet>) {
        for sheet in &mut sheets {
            sheet.rows.truncate(ROWS);
        }
        let chosen = self.chosen_row().and_then(|row| row.enters.clone());
        self.sheet = self.sheet.min(sheets.len().saturating_sub(1));
        let rows = sheets.get(self.sheet).map_or(&[][..], |sheet| &sheet.rows);
        let had = chosen.is_some();
        let still = chosen.and_then(|chosen| {
            let mut enters = rows.iter().map(|row| row.enters.as_ref());
            enters.position(|enters| enters == Some(&chosen))
        });
        let has_gone = had && still.is_none();
        self.row = still.unwrap_or(self.row).min(rows.len().saturating_sub(1));
        (self.gone, self.clicked) = (self.gone || has_gone, self.clicked && !has_gone);
        self.shown = Shown::Sheets(sheets);
    }

    /// The table that is shown.
    pub(in crate::screen) fn sheet(&self) -> Option<&Sheet> {
        match &self.shown {
            Shown::Sheets(sheets) => sheets.get(self.sheet),
            Shown::Nothing | Shown::Board(..) => None,
        }
    }

    /// Chooses a row of the table that is shown, in place of one that was there before.
    pub(in crate::screen) fn choose_row(&mut self, row: usize) {
        self.row = row;
        self.go_row(0);
    }

    fn chosen_row(&self) -> Option<&Row> {
        self.sheet()?.rows.get(self.row)
    }

    /// What else is shown than what was said, on a screen of this size.
    fn shape(&self, area: Rect) -> Shape {
        match &self.shown {
            Shown::Nothing => Shape::Bare,
            Shown::Sheets(_) => Shape::Sheets,
            Shown::Board(position, _) => {
                let largest = Areas::of(area, Shape::Board(u16::MAX)).body;
                let rows = Board::of(position, &Paint::default(), self.frame(largest));
                let rows = rows.lines.len();
                Shape::Board(u16::try_from(rows).unwrap_or(u16::MAX))
            }
        }
    }

    /// The parts of a screen of this size.
    pub(in crate::screen) fn areas(&self, area: Rect) -> Areas {
        Areas::of(area, self.shape(area))
    }

    /// The frame of a drawing in this area.
    pub(in crate::screen) fn frame(&self, area: Rect) -> Frame {
        Frame {
            width: usize::from(area.width).saturating_sub(1),
            rows: usize::from(area.height).max(TALL),
            glyphs: self.glyphs,
            language: self.language,
        }
    }

    /// The move that a label of the drawing stands for.
    pub(in crate::screen) fn meant(&self, area: Rect, text: &str) -> Option<String> {
        let Shown::Board(position, _) = &self.shown else {
            return None;
        };
        let frame = self.frame(self.areas(area).body);
        let board = Board::of(position, &Paint::default(), frame);
        board.meant(text.trim()).map(str::to_owned)
    }

    /// The move that is chosen, if one is.
    pub(in crate::screen) fn chosen_move(&self) -> Option<Move> {
        let Shown::Board(position, seat) = &self.shown else {
            return None;
        };
        position.nth_move(*seat, self.chosen?)
    }

    /// The entries of the table that do something now.
    pub(in crate::screen) fn entries(&self) -> impl Iterator<Item = &'static Entry> {
        let typing = if self.types { TYPING } else { &[] };
        let (is_forgettable, is_asked) = (self.is_forgettable, self.question.is_some());
        let fits = move |entry: &&Entry| match entry.when {
            When::Always => true,
            When::Forgettable => is_forgettable,
            When::Unasked => !is_asked,
            When::Playing
            | When::Proposed
            | When::Hints
            | When::Online
            | When::Shared
            | When::Over => false,
        };
        self.keys.iter().chain(typing).filter(fits)
    }

    /// Something came from the terminal, which was drawn in this size with these targets.
    pub(in crate::screen) fn hear(
        &mut self,
        event: &Event,
        area: Rect,
        targets: &Targets,
    ) -> Outcome {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.press(key),
            Event::Mouse(event) => self.click(*event, area, targets),
            Event::Paste(text) => {
                self.insert(text);
                Outcome::Nothing
            }
            _ => Outcome::Nothing,
        }
    }

    fn press(&mut self, event: &KeyEvent) -> Outcome {
        let letter = match event.code {
            KeyCode::Char(letter) if !event.modifiers.contains(KeyModifiers::CONTROL) => {
                Some(letter)
            }
            _ => None,
        };
        // What is typed while the help is open is searched for.
        let searched = self.help.is_some() && letter.is_some_and(|letter| letter != '?');
        let is_empty = self.input.is_empty() && self.help.is_none();
        let entry = keys::of(self.entries(), event, is_empty).filter(|_| !searched);
        match (entry, letter) {
            (Some(entry), _) => return self.act(entry.action),
            (None, Some(letter)) => self.insert(letter.encode_utf8(&mut [0; 4])),
            // In the help of tables there is no line, but a text that is searched for.
            (None, None) if self.help.is_some() => {
                let typing = keys::of(TYPING, event, false);
                return typing.map_or(Outcome::Nothing, |entry| self.act(entry.action));
            }
            (None, None) => {}
        }
        Outcome::Nothing
    }

    /// Text was typed or pasted.
    pub(in crate::screen) fn insert(&mut self, text: &str) {
        match &mut self.help {
            Some(help) => help.search(text),
            None if self.types => {
                self.chosen = None;
                self.input.insert(text);
            }
            None => {}
        }
    }

    fn click(&mut self, event: MouseEvent, area: Rect, targets: &Targets) -> Outcome {
        match event.kind {
            MouseEventKind::ScrollUp => return self.act(Action::Scroll(1)),
            MouseEventKind::ScrollDown => return self.act(Action::Scroll(-1)),
            MouseEventKind::Down(MouseButton::Left) => {}
            _ => return Outcome::Nothing,
        }
        let spot = Spot::new(event.column, event.row);
        let hit = |(place, _): &&(Rect, Target)| place.contains(spot);
        match targets.iter().rev().find(hit).map(|(_, target)| *target) {
            Some(Target::Key(action)) => self.act(action),
            Some(Target::HelpEntry(number)) => {
                if let Some(help) = &mut self.help {
                    help.chosen = number;
                }
                self.act(Action::Enter)
            }
            Some(Target::Sheet(number)) => {
                (self.sheet, self.row, self.across) = (number, 0, 0);
                (self.clicked, self.gone) = (false, false);
                Outcome::Nothing
            }
            Some(Target::Row(number)) => {
                let again = self.clicked && self.row == number && self.input.is_empty();
                self.row = number;
                (self.clicked, self.gone) = (true, false);
                if again {
                    self.act(Action::Enter)
                } else {
                    Outcome::Nothing
                }
            }
            Some(Target::Cell(place)) => {
                let Shown::Board(position, seat) = &self.shown else {
                    return Outcome::Nothing;
                };
                let frame = self.frame(self.areas(area).body);
                let chosen = clicked(position, *seat, &Paint::default(), frame, place);
                // The second click on the same place plays.
                if chosen.is_some() && chosen == self.chosen && self.input.is_empty() {
                    return self.act(Action::Enter);
                }
                self.chosen = chosen;
                Outcome::Nothing
            }
            Some(Target::Ply(_)) | None => Outcome::Nothing,
        }
    }

    /// Does what a key stands for.
    pub(in crate::screen) fn act(&mut self, action: Action) -> Outcome {
        if let Some(outcome) = self.act_in_help(action) {
            return outcome;
        }
        match action {
            Action::Type(word) => return Outcome::Line(word.to_owned()),
            Action::Begin(word) => {
                self.input.edit(Action::DeleteAll);
                self.insert(word);
            }
            Action::Help => self.help = Some(Help::open()),
            Action::Enter => return self.enter(),
            Action::Clear => self.clear(),
            Action::Interrupt => return Outcome::Interrupt,
            Action::Suspend => return Outcome::Suspend,
            Action::Redraw => return Outcome::Redraw,
            Action::Mouse => self.mouse = !self.mouse,
            Action::Copy => {
                if let Shown::Board(position, _) = &self.shown {
                    return Outcome::Copy(position.to_string());
                }
            }
            Action::NextPane => {
                if let Shown::Sheets(sheets) = &self.shown {
                    self.sheet = (self.sheet + 1) % sheets.len().max(1);
                    (self.row, self.across) = (0, 0);
                    (self.clicked, self.gone) = (false, false);
                }
            }
            Action::Scroll(by) => match self.shown {
                Shown::Sheets(_) => self.go_row(-by * PAGE),
                Shown::Nothing | Shown::Board(..) => {
                    let scrolled = self.scrolled.saturating_add_signed(by * PAGE);
                    self.scrolled = scrolled.min(100_000);
                }
            },
            Action::NextMove(forward) => match self.shown {
                Shown::Sheets(_) if forward => self.across = (self.across + ACROSS).min(10_000),
                Shown::Sheets(_) => self.across = self.across.saturating_sub(ACROSS),
                Shown::Nothing | Shown::Board(..) => self.choose(forward, step),
            },
            Action::NextPlace(forward) => match self.shown {
                Shown::Sheets(_) => self.go_row(if forward { 1 } else { -1 }),
                Shown::Nothing | Shown::Board(..) => self.choose(forward, step_place),
            },
            // A desk has no moves to look back at: its lines go there.
            Action::Step(_) | Action::NextMistake(_) | Action::ToEnd(_) => {}
            editing => drop(self.input.edit(editing)),
        }
        Outcome::Nothing
    }

    /// What a key does while the help is open, if that is something else.
    fn act_in_help(&mut self, action: Action) -> Option<Outcome> {
        let entries = self.help_entries();
        let help = self.help.as_mut()?;
        let helped = help.act(action, &entries);
        if self.notation.is_empty() {
            help.page = Page::Keys;
        }
        if matches!(helped, Helped::Closed | Helped::Run(_)) {
            self.help = None;
        }
        match helped {
            Helped::Open | Helped::Closed => Some(Outcome::Nothing),
            Helped::Run(action) => Some(self.act(action)),
            Helped::Elsewhere => None,
        }
    }

    /// The entries that the open help lists.
    pub(in crate::screen) fn help_entries(&self) -> Vec<&'static Entry> {
        let help = self.help.as_ref();
        help.map_or(Vec::new(), |help| {
            help.entries(self.entries(), self.words())
        })
    }

    fn enter(&mut self) -> Outcome {
        if !self.input.is_empty() {
            return Outcome::Line(self.input.enter());
        }
        match &self.question {
            Some((_, true)) => return Outcome::Line(String::new()),
            // It is answered with a word: Enter may have been meant for what was there before.
            Some((_, false)) => return Outcome::Nothing,
            None => {}
        }
        if let Some(mv) = self.chosen_move() {
            self.chosen = None;
            return Outcome::Line(mv.to_string());
        }
        if std::mem::take(&mut self.gone) {
            return Outcome::Nothing;
        }
        let enters = self.chosen_row().and_then(|row| row.enters.clone());
        enters.map_or(Outcome::Nothing, Outcome::Line)
    }

    /// Undoes the last thing that is open: the line, the choice, the scrolling.
    fn clear(&mut self) {
        if !self.input.is_empty() {
            self.input.edit(Action::DeleteAll);
        } else if self.chosen.is_some() {
            self.chosen = None;
        } else {
            (self.scrolled, self.across) = (0, 0);
        }
    }

    fn choose(
        &mut self,
        forward: bool,
        next: fn(&Position, Seat, Option<u128>, bool) -> Option<u128>,
    ) {
        if let Shown::Board(position, seat) = &self.shown {
            self.chosen = next(position, *seat, self.chosen, forward);
        }
    }

    fn go_row(&mut self, by: isize) {
        let rows = self.sheet().map_or(0, |sheet| sheet.rows.len());
        let row = self.row.saturating_add_signed(by);
        self.row = row.min(rows.saturating_sub(1));
        (self.clicked, self.gone) = (false, false);
    }
}
