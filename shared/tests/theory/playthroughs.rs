//! One match of every game, ply by ply, with all that is said on the way: `GRUNDY_REGENERATE=1` rewrites the pages, and the
//! difference shows what a change of the code means to those who play.

use std::fmt::Write as _;
use std::path::PathBuf;

use grundy_shared::Position;
use grundy_shared::games::{GameInfo, REGISTRY};
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, solve};

/// Games that need not end are left here.
const MOST_PLIES: u128 = 30;

/// The moves are chosen by a rule that is easy to follow by hand: number `ply * 7` of the list, counted round.
fn playthrough(info: &GameInfo) -> String {
    let mut text = String::new();
    let mut position = Position::parse(info.examples[0]).expect("an example is a position");
    let mut to_move = Seat::First;
    writeln!(text, "{}: {}", info.title, info.rule).expect("a String takes all");
    for ply in 1..=MOST_PLIES {
        say(&mut text, &position, to_move);
        let Some(choice) = (ply * 7).checked_rem(position.move_count(to_move)) else {
            break;
        };
        let mv = position
            .nth_move(to_move, choice)
            .expect("the number is below the count");
        writeln!(text, "{ply}. {mv} ({})", position.describe_move(&mv))
            .expect("a String takes all");
        position = position.play(&mv);
        to_move = to_move.other();
    }
    text
}

/// What is known of a position.
fn say(text: &mut String, position: &Position, to_move: Seat) {
    let solution = solve(position, to_move, &Budget::nodes(1 << 26), 3);
    let solution = serde_json::to_value(&solution).expect("a solution is JSON");
    write!(
        text,
        "\n{position}\n  {}\n  {} moves, outcome {}",
        position.describe(),
        position.move_count(to_move),
        solution["outcome"].as_str().unwrap_or_default(),
    )
    .expect("a String takes all");
    for field in ["nim_value", "value", "remoteness", "winning_moves_total"] {
        if !solution[field].is_null() {
            write!(text, ", {field} {}", solution[field]).expect("a String takes all");
        }
    }
    let winning = solution["winning_moves"].as_array();
    for (index, winning) in winning.into_iter().flatten().enumerate() {
        let before = if index == 0 { ": " } else { ", " };
        write!(
            text,
            "{before}{}",
            winning["move"].as_str().unwrap_or_default()
        )
        .expect("a String takes all");
    }
    writeln!(text).expect("a String takes all");
}

#[test]
fn every_game_is_played_as_written_down() {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/playthroughs");
    for info in REGISTRY {
        let path = directory.join(format!("{}.txt", info.name));
        let played = playthrough(info);
        if std::env::var_os("GRUNDY_REGENERATE").is_some() {
            std::fs::write(&path, &played).expect("the page can be written");
        }
        let kept = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(
            kept == played,
            "{} is not what is played now:\n{played}",
            path.display()
        );
    }
}
