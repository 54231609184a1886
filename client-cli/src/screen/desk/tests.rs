//! Desks without a terminal: any size, any contents, both languages; keys and clicks do what the tables say.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_words::Language;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::sheet::{Row, Sheet};
use super::view::View;
use super::{Outcome, Purpose, Targets, Tone, paint};
use crate::render::board::Glyphs;
use crate::screen::keys::{Action, Key};
use crate::screen::targets::Target;
use crate::screen::theme::{Background, Theme};

const PURPOSES: [Purpose; 5] = [
    Purpose::Lesson,
    Purpose::Walk,
    Purpose::Lobby,
    Purpose::Tables,
    Purpose::Menu,
];

fn view(purpose: Purpose, language: Language) -> View {
    let theme = Theme {
        colour: false,
        lines: false,
        background: Background::Unknown,
    };
    let mut view = View::new(
        (theme, Glyphs::ASCII),
        language,
        purpose.keys(),
        purpose.types(),
    );
    view.title = "Title".to_owned();
    view.about = "About".to_owned();
    view
}

fn at(position: &str) -> (Position, Seat) {
    (Position::parse(position).expect("a position"), Seat::First)
}

fn table(rows: usize) -> Vec<Sheet> {
    let row = |number: usize| Row {
        cells: vec![
            number.to_string(),
            format!("\u{738b}{number}"),
            "x".repeat(70),
        ],
        enters: (!number.is_multiple_of(5)).then(|| format!("enter {number}")),
    };
    let sheet = |name: &str, rows: usize| Sheet {
        name: name.to_owned(),
        headings: [">n", "name", "what"].map(str::to_owned).to_vec(),
        rows: (0..rows).map(row).collect(),
        none: "nothing".to_owned(),
    };
    vec![sheet("one", rows), sheet("other", 1)]
}

fn drawn(view: &View, width: u16, height: u16) -> (Vec<String>, Targets) {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    let mut targets = Targets::new();
    terminal
        .draw(|frame| targets = paint(frame, view))
        .expect("it is drawn");
    let buffer = terminal.backend().buffer();
    let line = |y| {
        let mut text = String::new();
        let mut x = 0;
        while x < width {
            let symbol = buffer[(x, y)].symbol();
            text.push_str(symbol);
            x += u16::try_from(symbol.width().max(1)).expect("few");
        }
        text.trim_end().to_owned()
    };
    ((0..height).map(line).collect(), targets)
}

const AREA: Rect = Rect::new(0, 0, 80, 24);

fn press(view: &mut View, code: KeyCode) -> Outcome {
    let key = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
    view.hear(&key, AREA, &Targets::new())
}

fn click(view: &mut View, targets: &Targets, wanted: Target) -> Outcome {
    let mut places = targets.iter().rev();
    let place = places.find(|(_, target)| *target == wanted);
    let (place, _) = place.expect("it can be clicked");
    let event = Event::Mouse(MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: place.x,
        row: place.y,
        modifiers: KeyModifiers::NONE,
    });
    view.hear(&event, AREA, targets)
}

fn line(text: &str) -> Outcome {
    Outcome::Line(text.to_owned())
}

/// Desks with contents of every kind.
fn views() -> Vec<View> {
    let long = "word ".repeat(300) + &"x".repeat(500) + "\n\u{738b}" + &"\u{738b}".repeat(200);
    let mut views = Vec::new();
    for language in Language::ALL {
        for purpose in PURPOSES {
            let bare = view(purpose, language);
            let mut board = bare.clone();
            let (position, seat) = at("nim:3,5,1000000000000000000");
            board.place(&position, seat);
            board.act(Action::NextMove(true));
            board.say(Tone::News, &long);
            let mut asked = board.clone();
            asked.question = Some((long.clone(), true));
            let mut wide = bare.clone();
            let (position, seat) = at("domineering:........../........../..........");
            wide.place(&position, seat);
            let mut tables = bare.clone();
            tables.lay_out(table(40));
            tables.note = (long.clone(), true);
            tables.across = 30;
            let mut empty = bare.clone();
            empty.lay_out(table(0));
            let mut helped = tables.clone();
            helped.act(Action::Help);
            let mut noted = board.clone();
            noted.notation.clone_from(&long);
            noted.act(Action::Help);
            noted.act(Action::NextPane);
            views.extend([bare, board, asked, wide, tables, empty, helped, noted]);
        }
    }
    views
}

#[test]
fn every_desk_is_drawn_at_any_size() {
    for (number, mut view) in views().into_iter().enumerate() {
        let sizes = [
            (1, 1),
            (2, 3),
            (19, 4),
            (39, 11),
            (40, 12),
            (79, 40),
            (80, 24),
            (100, 28),
            (200, 60),
            (1_000, 1),
            (1, 1_000),
            (1_000, 1_000),
        ];
        // The largest takes half a second: one view of each kind.
        let largest = usize::from(number % 9 == 0);
        for (width, height) in sizes.into_iter().take(sizes.len() - 1 + largest) {
            let (lines, targets) = drawn(&view, width, height);
            let widest = lines.iter().map(|line| line.width()).max();
            assert!(widest <= Some(usize::from(width)), "{width}x{height}");
            let area = Rect::new(0, 0, width, height);
            for (place, _) in &targets {
                assert_eq!(area.intersection(*place), *place, "{width}x{height}");
            }
            // A click anywhere does no harm.
            let click = Event::Mouse(MouseEvent {
                kind: MouseEventKind::Down(MouseButton::Left),
                column: width / 2,
                row: height / 2,
                modifiers: KeyModifiers::NONE,
            });
            view.hear(&click, area, &targets);
        }
    }
}

#[test]
fn no_key_stands_twice_for_a_purpose() {
    for purpose in PURPOSES {
        let mut view = view(purpose, Language::English);
        view.is_forgettable = true;
        let entries: Vec<_> = view.entries().collect();
        for (number, entry) in entries.iter().enumerate() {
            for other in &entries[number + 1..] {
                let both = entry.keys.iter().any(|key: &Key| other.keys.contains(key));
                let lines = entry.line == other.line
                    || [entry.line, other.line].contains(&crate::screen::keys::Line::Any);
                assert!(!(both && lines), "{purpose:?}: {entry:?} {other:?}");
            }
        }
    }
}

#[test]
fn arrows_choose_a_move_and_enter_plays_it() {
    let mut view = view(Purpose::Lesson, Language::English);
    let (position, seat) = at("nim:3,5");
    view.place(&position, seat);
    assert_eq!(press(&mut view, KeyCode::Enter), Outcome::Nothing);
    press(&mut view, KeyCode::Down);
    press(&mut view, KeyCode::Down);
    press(&mut view, KeyCode::Right);
    let (lines, _) = drawn(&view, 80, 24);
    let screen = lines.join("\n");
    assert!(screen.contains("move> B-2"), "{screen}");
    assert!(
        screen.contains("Enter plays B-2, which leaves nim:3,3"),
        "{screen}"
    );
    assert_eq!(press(&mut view, KeyCode::Enter), line("B-2"));
    assert_eq!(press(&mut view, KeyCode::Enter), Outcome::Nothing);
    // A choice is gone with its position, and stays with it.
    press(&mut view, KeyCode::Down);
    view.place(&position, seat);
    assert!(view.chosen_move().is_some());
    view.place(&at("nim:3,4").0, seat);
    assert!(view.chosen_move().is_none());
}

#[test]
fn what_is_typed_goes_before_what_is_chosen() {
    let mut view = view(Purpose::Walk, Language::English);
    let (position, seat) = at("nim:3,5");
    view.place(&position, seat);
    press(&mut view, KeyCode::Down);
    for letter in "why".chars() {
        press(&mut view, KeyCode::Char(letter));
    }
    assert!(view.chosen_move().is_none());
    assert_eq!(press(&mut view, KeyCode::Enter), line("why"));
    assert_eq!(press(&mut view, KeyCode::Char(']')), line("next"));
    assert_eq!(press(&mut view, KeyCode::F(10)), line("quit"));
    // Something is typed: the same keys belong to the line.
    press(&mut view, KeyCode::Char('a'));
    assert_eq!(press(&mut view, KeyCode::Char(']')), Outcome::Nothing);
    assert_eq!(view.input.text(), "a]");
}

#[test]
fn a_row_stays_chosen_while_others_come_and_go() {
    let mut view = view(Purpose::Lobby, Language::English);
    view.lay_out(table(30));
    for _ in 0..7 {
        press(&mut view, KeyCode::Down);
    }
    assert_eq!(press(&mut view, KeyCode::Enter), line("enter 7"));
    let mut fewer = table(30);
    fewer[0].rows.drain(..4);
    view.lay_out(fewer);
    assert_eq!(press(&mut view, KeyCode::Enter), line("enter 7"));
    // It has gone: what was meant for it does not go to another one.
    view.lay_out(table(2));
    assert_eq!(press(&mut view, KeyCode::Enter), Outcome::Nothing);
    assert_eq!(press(&mut view, KeyCode::Enter), line("enter 1"));
    view.lay_out(table(0));
    assert_eq!(press(&mut view, KeyCode::Enter), Outcome::Nothing);
    let (lines, _) = drawn(&view, 80, 24);
    assert!(lines.join("\n").contains("nothing"), "{lines:?}");
}

#[test]
fn clicks_choose_rows_tables_and_moves() {
    let mut rows = view(Purpose::Lobby, Language::English);
    rows.lay_out(table(9));
    let (_, targets) = drawn(&rows, 80, 24);
    assert_eq!(click(&mut rows, &targets, Target::Row(3)), Outcome::Nothing);
    assert_eq!(click(&mut rows, &targets, Target::Row(3)), line("enter 3"));
    click(&mut rows, &targets, Target::Sheet(1));
    assert_eq!((rows.sheet, rows.row), (1, 0));
    let quit = Target::Key(Action::Type("quit"));
    assert_eq!(click(&mut rows, &targets, quit), line("quit"));

    // The row that is chosen from the start is not entered by the first click, either.
    let mut first = view(Purpose::Lobby, Language::English);
    let mut tables = table(9);
    tables[0].rows.remove(0);
    first.lay_out(tables);
    let (_, targets) = drawn(&first, 80, 24);
    assert_eq!(
        click(&mut first, &targets, Target::Row(0)),
        Outcome::Nothing
    );
    assert_eq!(click(&mut first, &targets, Target::Row(0)), line("enter 1"));

    let mut board = view(Purpose::Lesson, Language::English);
    let (position, seat) = at("nim:3,7");
    board.place(&position, seat);
    let (_, targets) = drawn(&board, 80, 24);
    // The fourth stone of the second heap: it goes, and those to its right.
    let cell = Target::Cell((1, " B  7  o o o o".len() - 1));
    assert_eq!(click(&mut board, &targets, cell), Outcome::Nothing);
    assert_eq!(click(&mut board, &targets, cell), line("B-4"));
}

#[test]
fn a_question_is_answered_with_a_word_unless_enter_is_enough() {
    let mut view = view(Purpose::Lesson, Language::English);
    let (position, seat) = at("nim:3,5");
    view.place(&position, seat);
    view.question = Some(("Really? y/N".to_owned(), false));
    press(&mut view, KeyCode::Down);
    assert_eq!(press(&mut view, KeyCode::Enter), Outcome::Nothing);
    view.question = Some(("Enter goes on".to_owned(), true));
    assert_eq!(press(&mut view, KeyCode::Enter), line(""));
}

#[test]
fn the_help_of_tables_can_be_searched() {
    let mut view = view(Purpose::Tables, Language::English);
    view.lay_out(table(3));
    press(&mut view, KeyCode::Char('?'));
    for letter in "quit leaves"[..4].chars() {
        press(&mut view, KeyCode::Char(letter));
    }
    assert_eq!(view.help.as_ref().map(|help| &*help.search), Some("quit"));
    press(&mut view, KeyCode::Backspace);
    press(&mut view, KeyCode::Esc);
    for letter in "tables; lines".chars() {
        press(&mut view, KeyCode::Char(letter));
    }
    assert_eq!(press(&mut view, KeyCode::Enter), line("quit"));
    assert!(view.help.is_none());
    // Without the help a letter that is no key does nothing.
    assert_eq!(press(&mut view, KeyCode::Char('x')), Outcome::Nothing);
    assert_eq!(press(&mut view, KeyCode::Char('q')), line("quit"));
}

#[test]
fn the_help_has_no_page_that_is_empty_and_arrows_choose_in_it() {
    for purpose in PURPOSES {
        let mut view = view(purpose, Language::English);
        if purpose == Purpose::Walk {
            view.notation = "A move: A-1".to_owned();
        }
        press(&mut view, KeyCode::F(1));
        let (lines, _) = drawn(&view, 100, 40);
        let names_a_page = lines
            .iter()
            .any(|line| line.contains("Tab shows the notation"));
        assert_eq!(names_a_page, purpose == Purpose::Walk, "{lines:?}");
        press(&mut view, KeyCode::Down);
        press(&mut view, KeyCode::Down);
        press(&mut view, KeyCode::Up);
        let chosen = view.help.as_ref().map(|help| help.chosen);
        assert_eq!(chosen, Some(1), "{purpose:?}");
    }
}

#[test]
fn the_words_are_those_of_the_language() {
    for purpose in PURPOSES {
        let mut view = view(purpose, Language::Chinese);
        view.title = String::new();
        view.about = String::new();
        view.act(Action::Help);
        let (lines, _) = drawn(&view, 100, 60);
        let foreign = crate::screen::spoken::foreign(&lines);
        assert!(
            foreign.is_empty(),
            "{purpose:?}: {foreign:?}\n{}",
            lines.join("\n")
        );
    }
}
