//! The screen without a terminal: any size, any game and any state is drawn; keys do what the table says.

use std::time::Duration;

use crossterm::event::{
    Event as TerminalEvent, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent,
    MouseEventKind,
};
use grundy_shared::Position;
use grundy_shared::event::Event;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::{Millis, Seat};
use grundy_words::{Catalogue, Language};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::help::{Help, Page};
use super::keys::{Action, Entry, Key, Line};
use super::layout::Room;
use super::log::Tone;
use super::paint::paint;
use super::state::{Outcome, Pane, State, fits};
use super::table::{MATCH, REVIEW};
use super::targets::{Target, Targets};
use super::theme::{Background, Theme};
use crate::render::board::Glyphs;
use crate::session::frontend::Question;
use crate::session::match_view::{MatchView, Ours};

const NAMES: [(&str, &str); 3] = [
    ("Ada", "Bo"),
    ("\u{738b}\u{5c0f}\u{660e}", "\u{674e}\u{96f7}"),
    (
        "A very long name that nobody would choose but somebody does",
        "\u{202e}\u{738b}\u{738b}\u{738b}\u{738b}\u{738b}\u{738b}\u{738b}\u{738b}\u{738b}\u{738b}\u{738b}\u{738b}",
    ),
];

fn apply(view: &mut MatchView, event: Value) {
    let event: Event = serde_json::from_value(event).expect("an event");
    view.apply(&event).expect("the laws allow it");
}

/// A match in which we are first, with so many moves made, each the first legal one.
pub(super) fn begun(
    position: &str,
    (first, second): (&str, &str),
    clock: Value,
    moves: u64,
) -> MatchView {
    let player = |name: &str, last: u8| {
        let id = format!("00000000-0000-4000-8000-00000000000{last}");
        json!({ "id": id, "name": name, "bot": false })
    };
    let id = "7Kq2mVx9Rt".parse().expect("an id");
    let mut view = MatchView::new(id, Ours::Seat(Seat::First));
    let created = json!({ "type": "created", "at_ms": 1, "position": position, "clock": clock,
        "creator": player(first, 1), "seat": "first" });
    let joined =
        json!({ "type": "joined", "at_ms": 1, "seat": "second", "player": player(second, 2) });
    apply(&mut view, created);
    apply(&mut view, joined);
    for ply in 1..=moves {
        let referee = view.referee().expect("created");
        let Some(mv) = referee.position().nth_move(referee.to_move(), 0) else {
            break;
        };
        let seat = referee.to_move();
        let clocks = referee.clocks_at(Millis(1 + ply));
        apply(
            &mut view,
            json!({ "type": "moved", "at_ms": 1 + ply, "ply": ply, "seat": seat, "move": mv.to_string(),
                "clocks": clocks }),
        );
    }
    view.set_time(Millis(1 + moves));
    view
}

pub(super) fn untimed() -> Value {
    json!({ "type": "untimed" })
}

fn nim() -> MatchView {
    begun("nim:3,5,7", NAMES[0], untimed(), 0)
}

pub(super) fn state() -> State {
    let theme = Theme {
        colour: false,
        lines: false,
        background: Background::Unknown,
    };
    State::new(theme, Glyphs::ASCII)
}

/// What is shown at this size, in lines, and what can be clicked.
pub(super) fn drawn(
    state: &State,
    view: &MatchView,
    width: u16,
    height: u16,
) -> (Vec<String>, Targets) {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    let mut targets = Targets::new();
    terminal
        .draw(|frame| targets = paint(frame, state, view))
        .expect("it is drawn");
    let buffer = terminal.backend().buffer();
    let line = |y| {
        let mut text = String::new();
        let mut x = 0;
        while x < width {
            let symbol = buffer[(x, y)].symbol();
            text.push_str(symbol);
            x += u16::try_from(unicode_width::UnicodeWidthStr::width(symbol).max(1)).expect("few");
        }
        text.trim_end().to_owned()
    };
    ((0..height).map(line).collect(), targets)
}

fn key(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

fn typed(state: &mut State, view: &MatchView, text: &str) {
    for c in text.chars() {
        assert_eq!(state.press(view, &key(KeyCode::Char(c))), Outcome::Nothing);
    }
}

/// States of every kind.
fn states(view: &MatchView) -> Vec<State> {
    let with = |change: &dyn Fn(&mut State)| {
        let mut state = state();
        change(&mut state);
        state
    };
    let long = "word ".repeat(300) + &"x".repeat(500) + "\n\u{738b}" + &"\u{738b}".repeat(200);
    vec![
        state(),
        with(&|state| state.away = Some(Instant::now())),
        with(&|state| {
            state.waited = Some(Duration::from_secs(4_000));
            state.invitation = vec!["x".repeat(300); 40];
        }),
        with(&|state| state.help = Some(Help::open())),
        with(&|state| {
            let mut help = Help::open();
            (help.page, help.scrolled) = (Page::Notation, 400);
            state.help = Some(help);
        }),
        with(&|state| {
            for tone in [Tone::News, Tone::Answer, Tone::Refusal, Tone::Chat] {
                state.say(tone, &long);
            }
            (state.pane, state.scrolled) = (Pane::Messages, [100_000; 2]);
        }),
        with(&|state| {
            state.act(view, Action::NextMove(false));
            state.pane = Pane::Moves;
        }),
        with(&|state| state.input.insert(&long)),
        with(&|state| {
            state.question = Some(Question::Rematch);
            state.look(view, |_, _| 0);
        }),
    ]
}

#[test]
fn every_game_is_drawn_at_any_size() {
    let sizes = [
        (1, 1),
        (2, 1),
        (1, 2),
        (39, 11),
        (40, 12),
        (41, 3),
        (79, 24),
        (80, 24),
        (99, 28),
        (100, 28),
        (120, 40),
        (7, 200),
        (250, 2),
    ];
    for game in REGISTRY {
        let position = Position::parse(game.examples[0]).expect("a position");
        let position = &position.to_string();
        let view = begun(position, NAMES[2], untimed(), 3);
        for state in states(&view) {
            for (width, height) in sizes {
                drawn(&state, &view, width, height);
            }
        }
    }
}

#[test]
fn every_size_is_drawn() {
    let clock = json!({ "type": "fischer", "base_ms": 600_000, "increment_ms": 0 });
    for names in NAMES {
        let view = begun("nim:3,5,7+hack:0-1-2,0b3", names, clock.clone(), 9);
        let nothing = MatchView::new("7Kq2mVx9Rt".parse().expect("an id"), Ours::Neither);
        for (at, state) in states(&view).iter().enumerate() {
            for width in (1..=8).chain((9..130).step_by(7 + at)) {
                for height in (1..=4).chain((5..50).step_by(5 + at)) {
                    drawn(state, &view, width, height);
                    drawn(state, &nothing, width, height);
                }
            }
        }
    }
    let states = states(&nim());
    for (width, height) in [(1_000, 1), (1, 1_000), (467, 145)] {
        for state in &states {
            drawn(state, &nim(), width, height);
        }
    }
    for state in [&states[0], &states[3], &states[5]] {
        drawn(state, &nim(), 1_000, 1_000);
    }
}

#[test]
fn the_usual_screen() {
    let mut view = nim();
    let mut state = state();
    state.say(Tone::News, "Welcome.");
    state.say(Tone::Chat, "Bo: good luck");
    apply(
        &mut view,
        json!({ "type": "moved", "at_ms": 2, "ply": 1, "seat": "first", "move": "A-3" }),
    );
    apply(
        &mut view,
        json!({ "type": "moved", "at_ms": 3, "ply": 2, "seat": "second", "move": "B-5" }),
    );
    state.act(&view, Action::NextMove(true));
    state.act(&view, Action::NextMove(true));
    let (lines, _) = drawn(&state, &view, 80, 24);
    let expected = [
        (
            0,
            " Nim  nim:3,5,7                                              the last move wins",
        ),
        (1, " > Ada (you)                               Bo"),
        (2, &*"-".repeat(80)),
        (
            3,
            " A  0  -                                               | Moves",
        ),
        (
            4,
            " B  0  -                                               | 1. A-3       B-5",
        ),
        (
            5,
            " C  7  o o o o o o o                                   |",
        ),
        (
            7,
            " C-2                                                   |",
        ),
        (19, " Welcome."),
        (20, "\"Bo: good luck"),
        (21, "Enter plays C-2, which leaves nim:0,0,5"),
        (22, "move> C-2"),
        (
            23,
            "? keys  Enter play  Tab panes  F10 leave  Esc clear  F2 mouse on",
        ),
    ];
    for (row, line) in expected {
        assert_eq!(lines[row], line, "line {row} of\n{}", lines.join("\n"));
    }
}

#[test]
fn the_last_line_shows_the_keys_that_are_needed_now() {
    let last_line = |state: &State, view: &MatchView, width, height: u16| {
        let (lines, _) = drawn(state, view, width, height);
        lines[usize::from(height) - 1].clone()
    };
    let mut view = begun("nim:3,5,7", NAMES[0], untimed(), 2);
    let mut asked = state();
    asked.help = Some(Help::open());
    assert_eq!(
        last_line(&asked, &view, 80, 24),
        "Enter run  Tab notation  Esc close"
    );
    // If only one pane is shown, the next one is named.
    let mut small = state();
    small.room = Room::of(Rect::new(0, 0, 40, 12));
    assert_eq!(
        last_line(&small, &view, 40, 12),
        "? keys  Enter play  Tab moves  F10 leave"
    );
    let proposed =
        json!({ "type": "proposed", "at_ms": 3, "seat": "second", "proposal": "takeback" });
    apply(&mut view, proposed);
    let (lines, _) = drawn(&state(), &view, 80, 24);
    let standing = "Your move. Bo proposes to take the last move back: y accepts, n declines.";
    assert_eq!(lines[21], standing);
    let line = last_line(&state(), &view, 80, 24);
    assert!(line.contains("F6 accept  F7 decline"), "{line}");
    let ended =
        json!({ "type": "ended", "at_ms": 4, "outcome": "second", "reason": "resignation" });
    apply(&mut view, ended);
    let line = last_line(&state(), &view, 80, 24);
    assert!(line.contains("F11 review  F12 learn"), "{line}");
    assert!(!line.contains("F6") && !line.contains("F3"), "{line}");
}

#[test]
fn how_things_stand_is_not_cut_where_there_is_room() {
    let names = ("Ada", "Wolfgang Amadeus Theophilus");
    let mut view = begun("nim:3,5,7", names, untimed(), 2);
    let proposed =
        json!({ "type": "proposed", "at_ms": 3, "seat": "second", "proposal": "takeback" });
    apply(&mut view, proposed);
    let (lines, _) = drawn(&state(), &view, 80, 24);
    let said = format!("{} {}", lines[20], lines[21]);
    let standing = "Your move. Wolfgang Amadeus Theophilus proposes to take the last move back: y accepts, n declines.";
    assert_eq!(said, standing);
    // A name that is cut has a mark.
    let named = ("Wilhelmina", "Bo");
    let view = begun("northcott:x..o./.o.x.", named, untimed(), 0);
    let (lines, _) = drawn(&state(), &view, 40, 12);
    assert!(
        lines[1].starts_with(" > Wil") && lines[1].contains("~ (Left, you)"),
        "{}",
        lines[1]
    );
}

#[test]
fn the_last_move_is_marked() {
    let view = begun("cram:.../...", NAMES[0], untimed(), 1);
    let mut state = state();
    state.recall_last(&view);
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).expect("a terminal");
    let drawn = terminal.draw(|frame| drop(paint(frame, &state, &view)));
    let buffer = drawn.expect("it is drawn").buffer;
    let mut marked = String::new();
    for y in 3..8 {
        for x in 0..40 {
            let cell = &buffer[(x, y)];
            if cell.modifier.contains(Modifier::UNDERLINED) {
                marked.push_str(cell.symbol());
            }
        }
    }
    assert_eq!(marked, "##");
}

#[test]
fn who_plays_whom_and_how_it_ends_is_always_shown() {
    for (width, height) in [(40, 12), (80, 24), (100, 28), (200, 60)] {
        for (position, rule) in [
            ("nim:3,5,7", "the last move wins"),
            ("nim:3,5,7@misere", "misere: the last move loses"),
        ] {
            for names in NAMES {
                let view = begun(position, names, untimed(), 1);
                let (lines, _) = drawn(&state(), &view, width, height);
                assert!(lines[0].ends_with(rule), "{}", lines[0]);
                let first: String = names.0.chars().take(2).collect();
                assert!(lines[1].contains(&first), "{}", lines[1]);
            }
        }
    }
    let (lines, _) = drawn(&state(), &nim(), 60, 1);
    assert_eq!(lines[0], "nim:3,5,7 Your move. move>");
    // The hint at the help is the last thing to go.
    for width in 40..200 {
        let (lines, _) = drawn(&state(), &nim(), width, 12);
        assert!(lines[11].starts_with("? keys"), "{}", lines[11]);
    }
}

#[test]
fn clocks_run_and_say_when_they_are_short() {
    let clock = json!({ "type": "fischer", "base_ms": 300_000, "increment_ms": 0 });
    let view = begun("nim:3,5,7", NAMES[0], clock, 2);
    let (lines, _) = drawn(&state(), &view, 80, 24);
    assert!(lines[1].contains("5:00"), "{}", lines[1]);
}

#[test]
fn no_key_is_bound_twice() {
    let overlaps = |one: Line, other: Line| one == other || one == Line::Any || other == Line::Any;
    for table in [MATCH, REVIEW] {
        for (at, one) in table.iter().enumerate() {
            for other in &table[at + 1..] {
                let shared = one.keys.iter().find(|key| other.keys.contains(key));
                assert!(
                    shared.is_none() || !overlaps(one.line, other.line),
                    "{one:?} and {other:?}"
                );
            }
        }
    }
}

#[test]
fn no_key_of_an_empty_line_begins_a_move() {
    let letters = MATCH.iter().flat_map(|entry| entry.keys);
    let letters = letters.filter_map(|Key(code, held)| match code {
        KeyCode::Char(c) if held.is_empty() => Some(*c),
        _ => None,
    });
    let letters: Vec<char> = letters.collect();
    for game in REGISTRY {
        for example in game.examples {
            let position = Position::parse(example).expect("a position");
            for seat in Seat::BOTH {
                for mv in position.moves(seat).take(500) {
                    let text = mv.to_string();
                    let taken = text.chars().next().filter(|c| letters.contains(c));
                    assert_eq!(taken, None, "{example}: {text}");
                }
            }
        }
    }
}

/// Does what an entry says, in a state in which it should do something; whether it did.
fn does_something(entry: &Entry, view: &MatchView, from_help: bool) -> bool {
    let mut state = state();
    for _ in 0..3 {
        state.say(Tone::News, "text");
    }
    if entry.line != Line::Empty {
        state.input.insert("A-1");
        state.input.enter();
        state.input.insert("B-1 C-1");
        state.input.edit(Action::Go(-3));
    }
    if entry.action == Action::Recall(false) {
        state.act(view, Action::Recall(true));
        state.act(view, Action::Recall(true));
    }
    if matches!(entry.action, Action::Step(true) | Action::ToEnd(true)) {
        state.look(view, |_, _| 0);
    }
    if entry.action == Action::Scroll(-1) {
        state.scrolled = [20; 2];
    }
    let before = format!("{state:?}");
    if from_help {
        state.help = Some(Help::open());
        let entries = Some(state.help_entries(view));
        let number = entries.and_then(|all| all.iter().position(|other| *other == entry));
        let help = state.help.as_mut().expect("it is open");
        help.chosen = number.expect("the entry is listed");
        let outcome = state.act(view, Action::Enter);
        return outcome != Outcome::Nothing || format!("{state:?}") != before;
    }
    let outcome = match entry.keys.first() {
        Some(Key(code, held)) => state.press(view, &KeyEvent::new(*code, *held)),
        None => state.act(view, entry.action),
    };
    outcome != Outcome::Nothing || format!("{state:?}") != before
}

#[test]
fn every_entry_of_the_help_does_something() {
    let view = begun("nim:3,5,7", NAMES[0], untimed(), 2);
    for entry in MATCH.iter().filter(|entry| fits(entry.when, &view)) {
        assert!(does_something(entry, &view, false), "{entry:?}");
        // From the list it does the same; what closes or enters has nothing to do there.
        let closes = matches!(entry.action, Action::Enter | Action::Clear | Action::Help);
        assert!(closes || does_something(entry, &view, true), "{entry:?}");
    }
}

#[test]
fn every_word_of_the_help_is_understood() {
    for entry in MATCH {
        if let Action::Type(word) | Action::Begin(word) = entry.action {
            let read = crate::session::typed::Typed::read(word);
            let is_move = matches!(read, crate::session::typed::Typed::Move(_));
            assert!(!is_move, "{word}");
        }
    }
}

#[test]
fn the_help_is_searched_and_runs_what_is_found() {
    let view = nim();
    let mut state = state();
    typed(&mut state, &view, "?");
    typed(&mut state, &view, "resign");
    let (lines, _) = drawn(&state, &view, 80, 24);
    assert!(lines[3].contains("F8"), "{}", lines.join("\n"));
    assert_eq!(lines[4], "");
    let outcome = state.press(&view, &key(KeyCode::Enter));
    assert_eq!(outcome, Outcome::Line("resign".to_owned()));
    assert!(state.help.is_none());
    // The second page has the notation of this game.
    typed(&mut state, &view, "?");
    state.press(&view, &key(KeyCode::Tab));
    let (lines, _) = drawn(&state, &view, 80, 24);
    assert!(
        lines.iter().any(|line| line.contains("A move:")),
        "{lines:?}"
    );
    assert!(
        lines.iter().any(|line| line.contains("A-1 A-2 A-3")),
        "{lines:?}"
    );
    state.press(&view, &key(KeyCode::Esc));
    assert!(state.help.is_none());
}

#[test]
fn there_is_nobody_to_talk_to_in_a_local_match() {
    let talks = |view: &MatchView| {
        let entries = MATCH.iter().filter(|entry| fits(entry.when, view));
        entries
            .filter(|entry| matches!(entry.message, "key-say" | "key-chat" | "key-mute"))
            .count()
    };
    let id = "7Kq2mVx9Rt".parse().expect("an id");
    assert_eq!(talks(&MatchView::local(id, Ours::Both)), 0);
    assert_eq!(talks(&MatchView::new(id, Ours::Neither)), 3);
}

#[test]
fn few_lines_and_one_are_enough_for_the_help() {
    let view = nim();
    let mut state = state();
    typed(&mut state, &view, "?");
    typed(&mut state, &view, "resign");
    for (height, row) in [(8, 1), (3, 0), (2, 0), (1, 0)] {
        let (lines, _) = drawn(&state, &view, 80, height);
        assert!(lines[row].contains("F8"), "{height}: {lines:?}");
        let typed = &lines[usize::from(height) - 1];
        assert!(typed.starts_with("search> resign"), "{height}: {lines:?}");
    }
}

#[test]
fn a_lost_connection_is_seen_on_every_size() {
    let view = nim();
    let mut state = state();
    state.away = Some(Instant::now());
    for (width, height) in [(120, 30), (80, 24), (40, 12), (60, 5), (60, 1)] {
        let (lines, _) = drawn(&state, &view, width, height);
        let is_said = lines.iter().any(|line| line.starts_with("*** "));
        assert!(is_said, "{width}x{height}: {lines:?}");
    }
}

#[test]
fn letters_are_never_lost() {
    let view = begun("nim:3,5,7", NAMES[0], untimed(), 1);
    assert!(!view.is_our_turn());
    let mut state = state();
    typed(&mut state, &view, "b 2");
    assert_eq!(state.input.text(), "b 2");
    // An event of the match changes nothing of it.
    state.moved();
    assert_eq!(state.input.text(), "b 2");
    let outcome = state.press(&view, &key(KeyCode::Enter));
    assert_eq!(outcome, Outcome::Line("b 2".to_owned()));
    // An empty line answers no question: Enter may have been meant for the move before it.
    state.question = Some(Question::Rematch);
    assert_eq!(state.press(&view, &key(KeyCode::Enter)), Outcome::Nothing);
}

#[test]
fn the_board_can_be_looked_at_as_it_was() {
    let view = begun("nim:3,5,7", NAMES[0], untimed(), 4);
    let mut state = state();
    let shown = |state: &State| state.shown(&view).expect("a match").0.to_string();
    assert_eq!(shown(&state), "nim:0,4,7");
    typed(&mut state, &view, "[");
    assert_eq!(shown(&state), "nim:0,5,7");
    typed(&mut state, &view, "{");
    assert_eq!(shown(&state), "nim:3,5,7");
    assert!(!state.can_choose(&view));
    let (lines, _) = drawn(&state, &view, 80, 24);
    assert!(lines[21].contains("after move 0 of 4"), "{}", lines[21]);
    typed(&mut state, &view, "]");
    assert_eq!(shown(&state), "nim:2,5,7");
    state.press(&view, &key(KeyCode::Esc));
    assert_eq!(state.looked_at, None);
}

#[test]
fn clicks_choose_moves_and_run_the_footer() {
    let view = begun("nim:3,5,7", NAMES[0], untimed(), 2);
    let (_, targets) = drawn(&state(), &view, 80, 24);
    let has = |wanted: Target| targets.iter().any(|(_, target)| *target == wanted);
    assert!(has(Target::Key(Action::Help)));
    assert!(has(Target::Ply(2)));
    assert!(has(Target::Cell((1, 7))));
    for (place, target) in &targets {
        assert_eq!(
            Rect::new(0, 0, 80, 24).intersection(*place),
            *place,
            "{target:?}"
        );
    }
}

#[test]
fn a_click_and_a_second_one_play_a_move() {
    use crate::global::{Color, Global};
    use crate::output::{Output, Signs};
    use crate::session::frontend::{Frontend as _, Pressed};

    let flags = Global {
        lang: None,
        server: None,
        ca: None,
        profile: None,
        token_file: None,
        json: false,
        plain: false,
        glyphs: None,
        screen: None,
        color: Color::Auto,
        quiet: false,
        verbose: 0,
        no_input: false,
        config: None,
        timeout: None,
    };
    let view = nim();
    let mut screen = super::FullScreen::new(Output::new(&flags), Signs::Safe);
    let (lines, targets) = drawn(&screen.state, &view, 80, 24);
    (screen.targets, screen.area) = (targets, Rect::new(0, 0, 80, 24));
    let glyph = screen.state.glyphs;
    assert_eq!(glyph, Glyphs::ASCII);
    // The second stone of heap B, in the fifth line.
    let column = lines[4].find("o o").expect("stones") + 2;
    let click = TerminalEvent::Mouse(MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: u16::try_from(column).expect("few"),
        row: 4,
        modifiers: KeyModifiers::NONE,
    });
    let first = screen
        .event_of_terminal(&view, &click)
        .expect("no terminal");
    assert_eq!(first, Pressed::Nothing);
    assert_eq!(screen.state.chosen_move(&view), Some("B-4".to_owned()));
    let second = screen
        .event_of_terminal(&view, &click)
        .expect("no terminal");
    assert_eq!(second, Pressed::Line("B-4".to_owned()));
}

#[test]
fn a_board_that_is_higher_than_its_place_follows_the_chosen_move() {
    let heaps: Vec<String> = (1..=20).map(|size| size.to_string()).collect();
    let view = begun(&format!("nim:{}", heaps.join(",")), NAMES[0], untimed(), 0);
    let mut state = state();
    let shows = |state: &State, words: &str| {
        let (lines, _) = drawn(state, &view, 80, 24);
        lines.iter().any(|line| line.contains(words))
    };
    assert!(shows(&state, " A   1"));
    assert!(shows(&state, "more lines below"));
    assert!(!shows(&state, " T  20"));
    state.act(&view, Action::NextPlace(false));
    assert!(
        shows(&state, " T  20"),
        "{:?}",
        drawn(&state, &view, 80, 24).0
    );
    assert!(shows(&state, "more lines above"));
    assert!(!shows(&state, "more lines below"));
}

#[test]
fn a_line_that_is_given_back_is_changed_or_typed_over() {
    let mut state = state();
    state.input.give_back("banana");
    state.insert("h");
    state.insert("i");
    assert_eq!(state.input.text(), "hi");
    state.input.give_back("banana");
    state.input.edit(Action::DeleteBack);
    state.insert("h");
    assert_eq!(state.input.text(), "bananh");
}

#[test]
fn the_help_finds_what_can_be_typed_in_every_language() {
    for language in Language::ALL {
        let words = Catalogue::of(language);
        for entry in MATCH {
            let (Action::Type(word) | Action::Begin(word)) = entry.action else {
                continue;
            };
            let mut help = Help::open();
            help.search(word.trim_end());
            assert!(help.entries(MATCH.iter(), words).contains(&entry), "{word}");
        }
    }
}
