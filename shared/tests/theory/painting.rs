//! Col and Snort: published values and theorems, what is refused, and graphs too large to be solved.

use crate::board_games::{ends_in_unknown, no_move, solved, value};
use crate::drawing::{Chance, drawn};
use crate::graph_games::{grid, path, ring};
use crate::notation::refused;
use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::solver::OutcomeClass;

/// J. H. Conway, *On Numbers and Games* (1976), chapter 8: each position of Col is worth a number, or a number and a star.
#[test]
fn positions_of_col_are_numbers_with_or_without_a_star() {
    let mut chance = Chance(0x00c0_1000_5407_0001);
    for _ in 0..150 {
        let text = drawn("col", &mut chance).expect("it is drawn");
        let value = value(&text);
        let number = value.strip_suffix('*').unwrap_or(&value);
        let is_number = |part: &str| part.parse::<i64>().is_ok();
        assert!(
            number.is_empty() || number.split('/').all(is_number),
            "{text}: {value}"
        );
    }
}

/// Whoever is second in Col answers each stroke with the opposite colour at the vertex that mirrors it, which is never the same vertex
/// (*Winning Ways*, 1982, chapter 2).
#[test]
fn the_second_player_wins_col_by_mirroring() {
    let mut texts: Vec<String> = (1..=9).step_by(2).map(|edges| path("col", edges)).collect();
    texts.extend([4, 6, 8].map(|edges| ring("col", edges)));
    texts.push(grid("col", 3, 4));
    for text in texts {
        assert_eq!(solved(&text).outcome, OutcomeClass::P, "{text}");
    }
}

/// The centre of a star, and any vertex of a complete graph, secures all others in Snort: the values are switches.
#[test]
fn stars_and_complete_graphs_of_snort_are_switches() {
    for leaves in 1..=6 {
        let star: Vec<String> = (1..=leaves).map(|leaf| format!("0-{leaf}")).collect();
        let switch = format!("{{{leaves}|-{leaves}}}");
        assert_eq!(value(&format!("snort:{}", star.join(","))), switch);
        let pairs = (0..=leaves).flat_map(|a| (0..a).map(move |b| format!("{a}-{b}")));
        let complete: Vec<String> = pairs.collect();
        assert_eq!(value(&format!("snort:{}", complete.join(","))), switch);
    }
}

#[test]
fn small_graphs_have_the_values_of_their_moves() {
    for (text, expected) in [
        ("col:0", "*"),
        ("col:0b", "1"),
        ("col:0r", "-1"),
        ("col:0b-1r", "0"),
        ("col:0b-1b-2b", "2"),
        ("col:0r-1r-2r-3r-0", "-2"),
        ("col:0b-1", "1/2"),
        ("snort:0", "*"),
        ("snort:0b-1b-2b", "3"),
        ("snort:0b-1r", "*"),
        ("snort:0-1r", "{0|-1}"),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
    // Edges without effect connect nothing: a long path is a sum of single vertices.
    let edges: Vec<String> = (0..50_000).map(|v| format!("{v}b-{}b", v + 1)).collect();
    let long = solved(&format!("snort:{}", edges.join(",")));
    assert_eq!(long.value.as_deref(), Some("50001"));
}

#[test]
fn graphs_to_be_painted_are_printed_in_one_form() {
    for (typed, printed) in [
        ("col:0-1-2", "col:0-1,1-2"),
        ("col:0-1,1b-2,0r", "col:0r-1b,1-2"),
        ("snort:3b,0-1,1-0,3", "snort:3b,0-1"),
        ("col:007r", "col:7r"),
    ] {
        let read = Position::parse(typed).unwrap_or_else(|error| panic!("{typed}: {error:?}"));
        assert_eq!(read.to_string(), printed);
    }
}

#[test]
fn graphs_to_be_painted_are_refused_at_the_place() {
    let (bad, range, code) = ("bad_position", "out_of_range", "bad_game_code");
    refused("col:", bad, 5, 1);
    refused("col:0-0", bad, 7, 1);
    refused("col:0-1-1b", bad, 9, 2);
    refused("snort:0-1g", bad, 9, 2);
    refused("snort:0-1B", bad, 9, 2);
    refused("col:0b-1,0r", bad, 10, 2);
    refused("col:0--1", bad, 7, 1);
    refused("col:b", bad, 5, 1);
    refused("col:0,", bad, 7, 1);
    refused("col:1000000000b", range, 5, 10);
    refused("snort.2:0", code, 7, 1);
    refused("col:0@zero", bad, 1, 5);
    let large = format!("col:{}", ["0-1"; 100_001].join("-"));
    refused(&large, range, 5, 400_003);
    let graph = "col:0-1,1b-2,3r";
    no_move(graph, Seat::First, "3", 1);
    no_move(graph, Seat::Second, "1r", 1);
    no_move(graph, Seat::First, "0r", 2);
    no_move(graph, Seat::Second, "0b", 2);
    no_move(graph, Seat::First, "4b", 1);
    no_move(graph, Seat::First, "0b1", 3);
    no_move(graph, Seat::First, "b", 1);
}

#[test]
fn large_graphs_to_be_painted_end_in_unknown() {
    for game in ["col", "snort"] {
        ends_in_unknown(&grid(game, 7, 7));
        ends_in_unknown(&grid(game, 60, 60));
    }
}
