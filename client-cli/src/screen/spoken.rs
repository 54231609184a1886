//! The screen in Chinese: no English in it but names, notation, keys and the words that are typed; nothing is cut within a sign.

use std::collections::BTreeSet;

use grundy_words::{Catalogue, Language};
use serde_json::json;
use unicode_width::UnicodeWidthStr as _;

use super::help::{Help, Page};
use super::keys::Action;
use super::state::{Pane, State};
use super::table::{LESSON, LOBBY, MATCH, MENU, REVIEW, TABLES, TYPING, WALK};
use super::tests::{begun, drawn, state, untimed};
use crate::session::frontend::Question;
use crate::session::match_view::MatchView;

const SIZES: [(u16, u16); 9] = [
    (20, 1),
    (30, 5),
    (40, 12),
    (41, 13),
    (60, 20),
    (80, 24),
    (99, 27),
    (100, 28),
    (181, 50),
];

const NAMES: (&str, &str) = ("Ada", "Bo");

/// What may be in Latin letters besides the names of keys and the words that are typed.
const FOREIGN: [&str; 13] = [
    "Ada", "Ad", "Bo", "misere", "nim", "kayles", "wythoff", "Enter", "Esc", "Tab", "MOVE", "Ctrl",
    "Nim",
];

/// Words that are typed.
const KNOWN: [&str; 4] = ["more", "unmute", "NAME", "fg"];

/// The words of Latin letters that are no name, key, or word that is typed. What was cut is not looked at.
pub(super) fn foreign(lines: &[String]) -> BTreeSet<String> {
    let typed: String = [MATCH, TYPING, REVIEW, LESSON, WALK, LOBBY, TABLES, MENU]
        .into_iter()
        .flatten()
        .map(|entry| match entry.action {
            Action::Type(word) | Action::Begin(word) => format!("{} {word} ", entry.names()),
            _ => format!("{} ", entry.names()),
        })
        .collect();
    let known: BTreeSet<&str> = typed
        .split(|c: char| !c.is_ascii_alphabetic())
        .chain(FOREIGN)
        .collect();
    let words = lines.iter().flat_map(|line| {
        let parts: Vec<&str> = line.split("...").collect();
        let last = parts.len() - 1;
        let whole = parts
            .into_iter()
            .enumerate()
            .map(move |(number, part)| match number == last {
                true => part,
                false => part.trim_end_matches(|c: char| c.is_ascii_alphabetic()),
            });
        whole.flat_map(|part| part.split(|c: char| !c.is_ascii_alphabetic()))
    });
    // Capital letters are moves, such as AB-1.
    let is_move = |word: &&str| word.bytes().all(|byte| byte.is_ascii_uppercase());
    let words = words.filter(|word| word.len() > 1 && !is_move(word));
    words
        .filter(|word| !known.contains(word) && !KNOWN.contains(word))
        .map(str::to_owned)
        .collect()
}

/// A match that is told in Chinese.
fn chinese(position: &str, moves: u64, clocked: bool) -> MatchView {
    let clock = match clocked {
        true => json!({ "type": "fischer", "base_ms": 600_000, "increment_ms": 0 }),
        false => untimed(),
    };
    let mut view = begun(position, NAMES, clock, moves);
    view.tell_in(Language::Chinese);
    view
}

/// States of every kind.
fn states() -> Vec<State> {
    let with = |change: &dyn Fn(&mut State)| {
        let mut state = state();
        change(&mut state);
        state
    };
    let page = |page: Page| {
        let mut help = Help::open();
        help.page = page;
        Some(help)
    };
    let asked = [
        Question::Resign,
        Question::Abort,
        Question::Quit { kept: false },
        Question::Quit { kept: true },
        Question::Rematch,
        Question::Leave,
    ];
    let mut states = vec![
        state(),
        with(&|state| state.away = Some(tokio::time::Instant::now())),
        with(&|state| state.help = page(Page::Keys)),
        with(&|state| state.help = page(Page::Notation)),
        with(&|state| state.pane = Pane::Moves),
    ];
    for question in asked {
        states.push(with(&|state| state.question = Some(question)));
    }
    states
}

#[test]
fn there_is_no_english_at_any_size() {
    for view in [
        chinese("nim:3,5,7", 0, false),
        chinese("nim:3,5,7@misere", 3, true),
        chinese("kayles:7+nim:2,3", 2, false),
        chinese("wythoff:5,8", 1, true),
    ] {
        for (number, mut state) in states().into_iter().enumerate() {
            if number % 2 == 1 {
                state.look(&view, |_, _| 0);
            }
            for (width, height) in SIZES {
                let (lines, _) = drawn(&state, &view, width, height);
                let foreign = foreign(&lines);
                assert!(
                    foreign.is_empty(),
                    "{foreign:?} at {width}x{height}:\n{}",
                    lines.join("\n")
                );
                let widest = lines.iter().map(|line| line.width()).max();
                assert!(
                    widest <= Some(usize::from(width)),
                    "{width}x{height}:\n{}",
                    lines.join("\n")
                );
            }
        }
    }
}

#[test]
fn the_game_its_end_the_players_and_the_turn_are_said() {
    let (lines, _) = drawn(&state(), &chinese("nim:3,5,7@misere", 0, false), 80, 24);
    let screen = lines.join("\n");
    let words = Catalogue::of(Language::Chinese);
    for message in ["game-nim", "screen-moves", "screen-you", "foot-keys"] {
        assert!(screen.contains(&words.say(message)), "{message}:\n{screen}");
    }
    assert!(
        lines[0].ends_with(&words.with(
            "screen-ends",
            &[("end", grundy_words::Value::Text("misere"))]
        )),
        "{screen}"
    );
}
