//! Certificates of coloured and loopy positions, beside an outcome found by looking at all positions again and again.

use std::collections::BTreeMap;

use crate::certificates::{MOST, made, set, tampered};
use grundy_shared::Position;
use grundy_shared::certificate::Outcome;
use grundy_shared::ids::Seat;
use serde_json::{Value, json};

/// The outcome of a coloured or loopy position from all positions that can be reached, looked at again and again until nothing new is found; `None` if they are too many.
pub(crate) fn whole_outcome(root: &Position) -> Option<Outcome> {
    let mut numbers = BTreeMap::new();
    let mut moves: Vec<Vec<usize>> = Vec::new();
    let mut open: Vec<(Position, Seat)> = Seat::BOTH
        .map(|seat| (root.clone(), seat))
        .into_iter()
        .collect();
    for (number, (position, seat)) in open.iter().enumerate() {
        numbers.insert((position.to_string(), *seat), number);
    }
    let mut next = 0;
    while next < open.len() {
        let (position, seat) = open[next].clone();
        let mut after = Vec::new();
        for mv in position.moves(seat) {
            let (position, seat) = (position.play(&mv), seat.other());
            let number = *numbers
                .entry((position.to_string(), seat))
                .or_insert(open.len());
            if number == open.len() {
                open.push((position, seat));
            }
            after.push(number);
        }
        if open.len() > MOST {
            return None;
        }
        moves.push(after);
        next += 1;
    }
    let misere = root.end_rule().is_misere();
    // Whether the player to move wins; unknown so far, and in the end drawn.
    let mut wins: Vec<Option<bool>> = vec![None; open.len()];
    loop {
        let before = wins.clone();
        for (number, after) in moves.iter().enumerate() {
            let known = after.iter().map(|after| wins[*after]);
            wins[number] = match after.is_empty() {
                true => Some(misere),
                false if known.clone().any(|wins| wins == Some(false)) => Some(true),
                false if known.clone().all(|wins| wins == Some(true)) => Some(false),
                false => None,
            };
        }
        if before == wins {
            break;
        }
    }
    Some(match (wins[0], wins[1]) {
        (Some(true), Some(false)) => Outcome::L,
        (Some(false), Some(true)) => Outcome::R,
        (Some(true), _) => Outcome::N,
        (Some(false), _) => Outcome::P,
        (None, _) => Outcome::D,
    })
}

#[test]
fn a_draw_is_no_win_and_a_turn_is_not_the_other_one() {
    const DRAWN: &str = "loopy.0-1.1-0.1-2.2-3:0";
    const COLOURED: &str = "hack:0b1r2,0-3";
    let rows = |value: &mut Value, change: &dyn Fn(&mut Value) -> bool| {
        let rows = value["proof"]["search"].as_array_mut().expect("rows");
        assert!(rows.iter_mut().any(change), "a row to be changed");
    };
    assert_eq!(made(DRAWN).outcome, Some(Outcome::D));
    let won = |row: &mut Value| {
        let drawn = row["outcome"] == "D";
        if drawn {
            row["outcome"] = json!("P");
        }
        drawn
    };
    tampered(DRAWN, |value| rows(value, &won), "proof.search");
    tampered(DRAWN, set("/outcome", json!("P")), "outcome");
    tampered(COLOURED, set("/outcome", json!("P")), "winning_move");
    tampered(COLOURED, set("/outcome", json!("R")), "winning_move");
    let turned = |row: &mut Value| {
        let left = row["turn"] == "left";
        if left {
            row["turn"] = json!("right");
        }
        left
    };
    tampered(COLOURED, |value| rows(value, &turned), "proof.search");
    let without = |row: &mut Value| row.as_object_mut().expect("a row").remove("turn").is_some();
    tampered(COLOURED, |value| rows(value, &without), "proof.search");
    let needless = |value: &mut Value| value["proof"]["search"][0]["turn"] = json!("left");
    tampered("cram:.../...@misere", needless, "proof.search[0].turn");
}
