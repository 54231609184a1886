//! Replies that a player plans: kept from everybody else, and made by the match.

use grundy_shared::event::Event;
use grundy_shared::ids::{Millis, Ply};
use grundy_shared::protocol::ErrorCode;
use serde_json::Value;

use super::rig::*;
use crate::matches::machine::{Act, Input, Origin};

fn plan(rig: &mut Rig, connection: C, who: u128, ply: u32, lines: &[&str]) -> R {
    let line = |text: &&str| text.split(' ').map(str::to_owned).collect();
    let lines = lines.iter().map(line).collect();
    let ply = Ply(ply);
    rig.act(
        connection,
        who,
        Act::Plan {
            ply,
            lines,
            read: None,
        },
    )
}

/// The newest frame that a connection was sent.
fn newest(rig: &Rig, connection: C) -> &Value {
    let heard = rig.heard.get(&connection).and_then(|heard| heard.last());
    &heard.expect("something was sent")["body"]
}

#[test]
fn only_its_player_sees_what_is_planned() {
    let mut rig = Rig::begun("nim:3,4,5", "3d/move");
    rig.attach(9, EVE, false, 2);
    let planned = plan(&mut rig, 2, BEA, 1, &["A-1 B-1"]);
    rig.tell(Input::Continue);
    assert_eq!(rig.code(planned), None);
    assert_eq!(newest(&rig, 2)["lines"][0][1], "B-1");
    for other in [1, 9] {
        let told = newest(&rig, other);
        assert_eq!(
            (&told["type"], &told["lines"]),
            (&"planned".into(), &Value::Null)
        );
    }
    // Also those who come later, from the last events.
    rig.attach(10, EVE, false, 2);
    rig.attach(11, BEA, true, 2);
    assert_eq!(newest(&rig, 10)["lines"], Value::Null);
    assert_eq!(newest(&rig, 11)["lines"][0][1], "B-1");
    // The log has all of it.
    let stored = rig.last().to_json();
    assert!(stored.contains("B-1"), "{stored}");
}

#[test]
fn a_planned_reply_is_made_at_once_also_while_its_player_is_away() {
    let mut rig = Rig::begun("nim:3,4,5", "3d/move");
    plan(&mut rig, 2, BEA, 1, &["A-1 B-1 A-1 A-1"]);
    rig.lose(2);
    rig.wait(20_000);
    for ply in [1, 3] {
        let moved = rig.moves(ADA, ply, "A-1");
        assert_eq!(rig.code(moved), None);
        assert!(
            matches!(rig.last(), Event::Moved { planned: true, ply: made, .. } if made == Ply(ply + 1))
        );
    }
    // Nothing more is planned.
    let moved = rig.moves(ADA, 5, "C-1");
    assert_eq!(rig.code(moved), None);
    assert!(matches!(rig.last(), Event::Moved { planned: false, .. }));
}

#[test]
fn a_planned_reply_that_could_not_be_stored_is_made_later_and_after_a_restart() {
    let mut rig = Rig::begun("nim:3,4,5", "3d/move");
    plan(&mut rig, 2, BEA, 1, &["A-1 B-1"]);
    rig.stores_at_once = false;
    rig.moves(ADA, 1, "A-1");
    rig.store();
    rig.store_fails(read_only());
    assert!(matches!(rig.last(), Event::Moved { ply: Ply(1), .. }));
    let now = rig.now + 60_000;
    let clocks_at = Millis(now + 30_000);
    let restarted = rig.restarted(now, Origin::Recovered { clocks_at });
    assert!(matches!(
        restarted.last(),
        Event::Moved {
            planned: true,
            ply: Ply(2),
            ..
        }
    ));
}

#[test]
fn a_plan_is_refused_with_its_code() {
    let mut rig = Rig::begun("nim:3,4,5", "3+2");
    let fast = plan(&mut rig, 2, BEA, 1, &["A-1 B-1"]);
    assert_eq!(rig.code(fast), Some(ErrorCode::NotPossible));
    let mut rig = Rig::begun("nim:3,4,5", "none");
    let cases: [(u128, u32, &[&str], ErrorCode); 6] = [
        (BEA, 2, &["A-1 B-1"], ErrorCode::StalePly),
        (ADA, 1, &["A-1 B-1"], ErrorCode::NotPossible),
        (EVE, 1, &["A-1 B-1"], ErrorCode::NotAPlayer),
        (BEA, 1, &["A-1 B-9"], ErrorCode::IllegalMove),
        (BEA, 1, &["A-1"], ErrorCode::OutOfRange),
        (BEA, 1, &["A-1 B-1", "A-1 C-1"], ErrorCode::OutOfRange),
    ];
    for (who, ply, lines, code) in cases {
        let refused = plan(&mut rig, who as C, who, ply, lines);
        assert_eq!(rig.code(refused), Some(code), "{lines:?}");
    }
    assert!(!rig.kinds().contains(&"planned".to_owned()));
}

#[test]
fn a_conflict_tells_everybody_as_much_as_the_first_announcement_would() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    let elsewhere = grundy_shared::referee::Command::Plan {
        player: id(BEA),
        ply: Ply(1),
        lines: vec![vec!["A-1".to_owned(), "B-1".to_owned()]],
        read: None,
    };
    rig.write_elsewhere(&elsewhere);
    // The move conflicts, the tail is read, and then it is made; and answered as planned.
    let moved = rig.moves(ADA, 1, "A-1");
    assert_eq!(rig.code(moved), None);
    let planned = |connection| {
        let mut heard = rig.heard[&connection].iter();
        let frame = heard.find(|frame| frame["body"]["type"] == "planned");
        frame.expect("it was announced")["body"]["lines"].clone()
    };
    assert_eq!(planned(1), Value::Null);
    assert_eq!(planned(2)[0][1], "B-1");
    assert!(matches!(rig.last(), Event::Moved { planned: true, .. }));
}
