//! Stored reviews are good as long as [`VERSION`] stays, so it is raised with every change of what reviews say.

use std::fmt::Write as _;
use std::path::PathBuf;

use grundy_shared::Position;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::Seat;
use grundy_shared::review::Review;
use grundy_shared::solver::{Budget, VERSION};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::contest::contest;

/// Longest match whose review is compared.
const MOST_PLIES: u128 = 12;
/// Starts that are no game of the registry alone.
const COMPOUNDS: [&str; 12] = [
    "nim:3,4+kayles:5",
    "nim:2,3+nim:3,4@every",
    "nim:3+kayles:4@conjunctive",
    "hack:0-1,0r2,0b3+domineering:../..",
    "nim:1,3,5,7@misere",
    "kayles:6,3@misere",
    "nim:4,2+kayles:5@selective",
    "nim:3+kayles:6@shortsum",
    "nim:5,3+kayles:4@zero",
    "clobber:xo/ox+toads:TT.F@selective",
    "col:0-1-2+snort:0-1-2@every",
    "kayles:5+nim:2,3@conjunctive@misere",
];

/// The review of a match in which move number `ply * step` of the list is made, counted round.
fn review(start: &str, step: u128) -> Value {
    let mut position = Position::parse(start).unwrap_or_else(|error| panic!("{start}: {error:?}"));
    let start = position.to_string();
    let (mut moves, mut seat, mut seen) = (Vec::new(), Seat::First, Vec::new());
    for ply in 1..=MOST_PLIES {
        let Some(choice) = (ply * step).checked_rem(position.move_count(seat)) else {
            break;
        };
        // A repetition ends the match.
        if seen.contains(&(position.clone(), seat)) {
            break;
        }
        seen.push((position.clone(), seat));
        let mv = position.nth_move(seat, choice).expect("below the count");
        moves.push(mv.to_string());
        position = position.play(&mv);
        seat = seat.other();
    }
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let referee = contest(&start, "none", &moves);
    let review = Review::of(&referee, &Budget::nodes(20_000));
    let mut json = serde_json::to_value(&review).expect("a review is JSON");
    round(&mut json);
    json
}

/// Rounds fractions: the last digit of a logarithm differs from one machine to another.
fn round(json: &mut Value) {
    match json {
        Value::Number(number) if number.is_f64() => {
            *json = format!("{:.6}", number.as_f64().unwrap_or_default()).into();
        }
        Value::Array(values) => values.iter_mut().for_each(round),
        Value::Object(fields) => fields.values_mut().for_each(round),
        _ => {}
    }
}

#[test]
fn reviews_do_not_change_without_a_new_version() {
    let games = REGISTRY.iter().map(|info| info.examples[0]);
    let mut reviews = String::new();
    for start in games.chain(COMPOUNDS) {
        for step in [5, 3] {
            writeln!(reviews, "{}", review(start, step)).expect("a String takes all");
        }
    }
    // Most of them give reasons.
    assert!(reviews.matches("\"why\":{").count() > 60);
    let digest = Sha256::digest(reviews.as_bytes());
    let mut found = format!("{VERSION} ");
    for byte in digest {
        write!(found, "{byte:02x}").expect("a String takes all");
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/review_version.txt");
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let kept = kept.trim_end();
    let raised = kept.split(' ').next() != found.split(' ').next();
    if raised && std::env::var_os("GRUNDY_REGENERATE").is_some() {
        std::fs::write(&path, format!("{found}\n")).expect("the file can be written");
        return;
    }
    assert!(
        kept == found,
        "reviews have changed: `{kept}` is now `{found}`. Raise `solver::VERSION`, then run this test with GRUNDY_REGENERATE=1"
    );
}
