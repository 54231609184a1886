//! A review without a terminal.

use grundy_shared::event::Event;
use grundy_shared::referee::Referee;
use grundy_shared::review::Review;
use grundy_shared::solver::Budget;
use grundy_words::{Catalogue, Language};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use serde_json::json;

use super::walk::Walk;
use crate::render::board::Glyphs;
use crate::screen::keys::Action;
use crate::screen::paint::review::paint;
use crate::screen::theme::{Background, Theme};

const THEME: Theme = Theme {
    colour: false,
    lines: false,
    background: Background::Unknown,
};

/// A review of a match in which the win changes hands.
fn reviewed() -> Review {
    let player = |name: &str, last: u8| {
        let id = format!("00000000-0000-4000-8000-00000000000{last}");
        json!({ "id": id, "name": name, "bot": false })
    };
    let mut events = vec![
        json!({ "type": "created", "at_ms": 1, "position": "nim:3,5,7", "clock": { "type": "untimed" },
            "creator": player("Ada", 1), "seat": "first" }),
        json!({ "type": "joined", "at_ms": 1, "seat": "second", "player": player("Bo", 2) }),
    ];
    let moves = ["B-4", "B-1", "C-2", "C-2", "A-3", "C-3"];
    events.extend(moves.iter().zip(1..).map(|(mv, ply)| {
        let seat = if ply % 2 == 1 { "first" } else { "second" };
        json!({ "type": "moved", "at_ms": 1 + ply, "ply": ply, "seat": seat, "move": mv })
    }));
    events.push(json!({ "type": "ended", "at_ms": 7, "outcome": "second", "reason": "last_move" }));
    let events: Vec<Event> = events
        .into_iter()
        .map(|event| serde_json::from_value(event).expect("an event"))
        .collect();
    let referee = Referee::replay(&events).expect("the laws allow it");
    Review::of(&referee, &Budget::nodes(1_000_000))
}

fn drawn(walk: &Walk<'_>, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    terminal
        .draw(|frame| drop(paint(frame, walk)))
        .expect("it is drawn");
    terminal.backend().to_string()
}

#[test]
fn a_review_opens_at_the_last_turning_point_and_is_walked_through() {
    let review = reviewed();
    let mut walk = Walk::new(
        &review,
        THEME,
        Glyphs::ASCII,
        Catalogue::of(Language::English),
    );
    let last = review.turning_points.last().expect("a turning point");
    assert_eq!(walk.shown().expect("a move").ply, last.ply);
    let shown = drawn(&walk, 80, 24);
    assert!(shown.contains("keeps it"), "{shown}");
    walk.act(Action::NextMistake(false));
    assert!(walk.shown().expect("a move").ply < last.ply);
    walk.act(Action::ToEnd(false));
    assert_eq!(
        walk.position.as_ref().expect("the start").to_string(),
        "nim:3,5,7"
    );
    walk.act(Action::Step(true));
    assert_eq!(
        walk.position.as_ref().expect("played").to_string(),
        "nim:3,1,7"
    );
    walk.act(Action::NextMistake(true));
    assert!(walk.shown().expect("a move").mark.is_some());
}

#[test]
fn a_review_is_drawn_at_any_size() {
    let review = reviewed();
    let mut walk = Walk::new(
        &review,
        THEME,
        Glyphs::ASCII,
        Catalogue::of(Language::English),
    );
    for _ in 0..review.plies.len() {
        for width in (1..130).step_by(9) {
            for height in (1..40).step_by(4) {
                drawn(&walk, width, height);
            }
        }
        walk.act(Action::Step(true));
    }
    walk.act(Action::Scroll(-900));
    drawn(&walk, 467, 145);
}
