//! Partizan games on boards and strips: published values, what is refused, and boards too large to be solved.

use crate::notation::refused;
use crate::values::stated_value;
use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, OutcomeClass, Solution, explain, solve};

fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

pub(crate) fn solved(text: &str) -> Solution {
    solve(&parse(text), Seat::First, &Budget::nodes(1 << 26), 10)
}

/// The value as explained to a player who has a move.
pub(crate) fn value(text: &str) -> String {
    let told = Seat::BOTH.into_iter().find_map(|seat| {
        let explanation = explain(&parse(text), seat, &Budget::nodes(1 << 26));
        explanation.lines.iter().find_map(|line| stated_value(line))
    });
    told.unwrap_or_else(|| panic!("{text} is not given a value"))
}

fn rectangle(rows: usize, columns: usize) -> String {
    format!("domineering:{}", vec![".".repeat(columns); rows].join("/"))
}

/// Checks that a move is refused with a legal one.
pub(crate) fn no_move(position: &str, seat: Seat, typed: &str, column: usize) {
    let place = parse(position);
    let error = place.parse_move(seat, typed).expect_err(typed);
    assert_eq!(
        error.column,
        Some(column),
        "{typed} in {position}: {error:?}"
    );
    let example = error.example.expect("a legal move");
    assert!(place.parse_move(seat, &example).is_ok(), "{example}");
}

/// Checks that a small budget ends in `unknown`, in both end rules, and that something is still explained.
pub(crate) fn ends_in_unknown(text: &str) {
    for end in ["", "@misere"] {
        let position = parse(&format!("{text}{end}"));
        let solution = solve(&position, Seat::First, &Budget::nodes(1 << 17), 10);
        assert_eq!(solution.outcome, OutcomeClass::Unknown, "{text:.60}{end}");
        assert!(!solution.exact && solution.legal_moves.is_some());
        let told = explain(&position, Seat::First, &Budget::nodes(1 << 17));
        assert!((2..=40).contains(&told.lines.len()), "{told}");
        let poor = Budget {
            nodes: 1 << 22,
            memory_bytes: 20_000,
            stop: &|| false,
        };
        let solution = solve(&position, Seat::First, &poor, 10);
        assert_eq!(solution.outcome, OutcomeClass::Unknown, "{text:.60}{end}");
    }
}

/// *Winning Ways* (1982), chapter 5, and for boards of two rows E. R. Berlekamp, *Blockbusting and Domineering* (1988).
#[test]
fn rectangles_of_domineering_have_the_published_values() {
    for (rows, columns, published) in [
        (2, 2, "{1|-1}"),
        (2, 3, "{2|-1/2}"),
        (3, 2, "{1/2|-2}"),
        (3, 3, "{1|-1}"),
        (2, 5, "1/2"),
        (3, 4, "-3/2"),
        (4, 5, "1"),
        (5, 4, "-1"),
    ] {
        let text = rectangle(rows, columns);
        assert_eq!(value(&text), published, "{rows}x{columns}");
    }
    // Two squares of the corner of a square of four.
    assert_eq!(value("domineering:../.x"), "*");
    for length in [1, 2, 7, 1_000] {
        let dominoes = length as i64 / 2;
        let (row, column) = (rectangle(1, length), rectangle(length, 1));
        assert_eq!(solved(&row).value, Some((-dominoes).to_string()));
        assert_eq!(solved(&column).value, Some(dominoes.to_string()));
    }
}

/// The winner on two rows, as E. R. Berlekamp (1988) has it up to thirteen columns, and on squares, of which that of five is lost
/// (D. Breuker, J. Uiterwijk, J. van den Herik, *Solving 8x8 Domineering*, 2000).
#[test]
fn rectangles_of_domineering_have_the_published_winners() {
    use OutcomeClass::{L, N, P, R};
    let two_rows = [L, N, N, R, L, N, N, R, L, N, N, R, P];
    for (columns, published) in (1..).zip(two_rows) {
        assert_eq!(
            solved(&rectangle(2, columns)).outcome,
            published,
            "{columns}"
        );
    }
    for (side, published) in (2..).zip([N, N, N, P]) {
        assert_eq!(solved(&rectangle(side, side)).outcome, published, "{side}");
    }
    // M. Lachmann, C. Moore, I. Rapaport, *Who wins Domineering on rectangular boards?* (2002): Right wins three rows of four columns or more.
    let three_rows = [L, N, N, R, R, R];
    let four_rows = [L, L, L, N, L];
    for (rows, published) in [(3, &three_rows[..]), (4, &four_rows)] {
        for (columns, published) in (1..).zip(published) {
            let board = rectangle(rows, columns);
            assert_eq!(solved(&board).outcome, *published, "{rows}x{columns}");
            let turned = match published {
                L => R,
                R => L,
                same => *same,
            };
            assert_eq!(solved(&rectangle(columns, rows)).outcome, turned);
        }
    }
}

#[test]
fn boards_of_domineering_are_refused_at_the_place() {
    let (bad, code) = ("bad_position", "bad_game_code");
    refused("domineering:../.", bad, 16, 1);
    refused("domineering:.o", bad, 14, 1);
    refused("domineering:", bad, 13, 1);
    refused("domineering:../", bad, 16, 1);
    refused("domineering:_", bad, 13, 1);
    refused("domineering.2:..", code, 13, 1);
    refused("domineering:..@zero", bad, 1, 14);
    let large = format!("domineering:{}", vec![".".repeat(317); 316].join("/"));
    refused(&large, "out_of_range", 13, 317 * 316 + 315);
    let board = "domineering:..x/...";
    no_move(board, Seat::First, "1:1-1:2", 1);
    no_move(board, Seat::Second, "1:1-2:1", 1);
    no_move(board, Seat::First, "1:3-2:3", 1);
    no_move(board, Seat::First, "1:1-2:2", 1);
    no_move(board, Seat::First, "1:1-3:1", 5);
    no_move(board, Seat::First, "1", 2);
    no_move(board, Seat::First, "1:1-2:1x", 8);
}

#[test]
fn large_boards_of_domineering_end_in_unknown() {
    ends_in_unknown(&rectangle(8, 8));
    ends_in_unknown(&rectangle(60, 60));
}

/// Albert, Grossman, Nowakowski, Wolfe (2005): one stone at the end of a row of the others is a sum of ups, and rows of stones in turn are won by who begins, except the one of six.
#[test]
fn rows_of_clobber_have_the_published_values() {
    for (row, published) in [
        ("xo", "*"),
        ("xxo", "^"),
        ("xxxo", "^2*"),
        ("xxxxo", "^3"),
        ("xoo", "v"),
        ("xxoo", "0"),
    ] {
        assert_eq!(value(&format!("clobber:{row}")), published, "{row}");
    }
    // So many stones and one of the other player: one up less, and a star if they are odd in number. Two or more of each are nothing.
    for stones in 3..=12 {
        let star = if stones % 2 == 1 { "*" } else { "" };
        let row = "x".repeat(stones);
        let ups = format!("^{}{star}", stones - 1);
        assert_eq!(value(&format!("clobber:{row}o")), ups);
        let row = "o".repeat(stones);
        let downs = format!("v{}{star}", stones - 1);
        assert_eq!(value(&format!("clobber:x{row}")), downs);
    }
    for (left, right) in [(2, 2), (2, 5), (3, 3), (4, 2), (5, 5)] {
        let row = format!("clobber:{}{}", "x".repeat(left), "o".repeat(right));
        assert_eq!(value(&row), "0", "{row}");
    }
    for pairs in 1..=9 {
        let row = solved(&format!("clobber:{}", "xo".repeat(pairs)));
        let published = match pairs {
            3 => OutcomeClass::P,
            _ => OutcomeClass::N,
        };
        assert_eq!(row.outcome, published, "{pairs}");
    }
}

#[test]
fn boards_of_clobber_are_refused_at_the_place() {
    let (bad, code) = ("bad_position", "bad_game_code");
    refused("clobber:xo/x", bad, 12, 1);
    refused("clobber:xO", bad, 10, 1);
    refused("clobber:xo//xo", bad, 12, 1);
    refused("clobber:_", bad, 9, 1);
    refused("clobber.2:xo", code, 9, 1);
    refused("clobber:xo@zero", bad, 1, 10);
    let board = "clobber:xo./oxo";
    no_move(board, Seat::First, "1:2-1:1", 1);
    no_move(board, Seat::Second, "1:1-1:2", 1);
    no_move(board, Seat::First, "1:1-2:2", 1);
    no_move(board, Seat::Second, "1:2-1:3", 1);
    no_move(board, Seat::First, "1:1-1:4", 5);
}

#[test]
fn large_boards_of_clobber_end_in_unknown() {
    for (rows, columns) in [(8, 8), (60, 60)] {
        let pair = "xo".repeat(columns / 2);
        let other = "ox".repeat(columns / 2);
        let board: Vec<&str> = [&*pair, &*other].into_iter().cycle().take(rows).collect();
        ends_in_unknown(&format!("clobber:{}", board.join("/")));
    }
}

/// *Winning Ways* (1982), chapter 1, and J. Erickson, *New Toads and Frogs results* (1996): toads and as many frogs with one place between them are a star.
#[test]
fn strips_of_toads_and_frogs_have_the_published_values() {
    for (strip, published) in [
        ("T.F", "*"),
        ("T..F", "0"),
        ("TT.FF", "*"),
        ("TTT.FFF", "*"),
        ("TTTT.FFFF", "*"),
        ("TT..FF", "*"),
        ("TTT..FFF", "{1/8|-1/8}"),
        ("TT.F", "{1/2|0}"),
    ] {
        assert_eq!(value(&format!("toads:{strip}")), published, "{strip}");
    }
    // Where only one kind can ever move, its steps are counted.
    for (strip, steps) in [
        ("F.T", "0"),
        ("T..T.", "4"),
        (".F.FT...", "0"),
        ("..TTFF.F.", "-1"),
    ] {
        let solution = solved(&format!("toads:{strip}"));
        assert_eq!(solution.value.as_deref(), Some(steps), "{strip}");
    }
    let long = format!("toads:{}", "T.TTFF.F..".repeat(1_000));
    assert_eq!(solved(&long).outcome, OutcomeClass::P);
}

#[test]
fn strips_are_refused_at_the_place() {
    let (bad, range, code) = ("bad_position", "out_of_range", "bad_game_code");
    refused("toads:", bad, 7, 1);
    refused("toads:T.f", bad, 9, 1);
    refused("toads:T /F", bad, 8, 1);
    refused("toads:T/F", bad, 8, 1);
    refused("toads.2:T.F", code, 7, 1);
    refused("toads:T.F+nim:3@zero", bad, 1, 9);
    refused(&format!("toads:{}", ".".repeat(100_001)), range, 7, 100_001);
    let strip = "toads:TT..FTF";
    no_move(strip, Seat::First, "1-2", 1);
    no_move(strip, Seat::First, "5-4", 1);
    no_move(strip, Seat::Second, "2-3", 1);
    no_move(strip, Seat::Second, "5-3", 1);
    no_move(strip, Seat::First, "0-1", 1);
    no_move(strip, Seat::First, "2", 2);
}

#[test]
fn long_strips_of_toads_and_frogs_end_in_unknown() {
    ends_in_unknown(&format!("toads:{}....{}", "T".repeat(30), "F".repeat(30)));
    ends_in_unknown(&format!("toads:{}", "T..F".repeat(2_000)));
}

/// A grid of vertices as rows and columns of a graph.
fn lattice(game: &str, rows: usize, columns: usize) -> String {
    let path = |vertices: &mut dyn Iterator<Item = usize>| {
        let vertices: Vec<String> = vertices.map(|vertex| vertex.to_string()).collect();
        vertices.join("-")
    };
    let across = (0..rows).map(|row| path(&mut (row * columns..(row + 1) * columns)));
    let down = (0..columns).map(|column| path(&mut (0..rows).map(|row| row * columns + column)));
    format!(
        "{game}:{}",
        across.chain(down).collect::<Vec<String>>().join(",")
    )
}

/// Boards whose values take too much work. Domineering: D. M. Breuker, J. W. H. M. Uiterwijk, H. J. van den Herik, *Solving 8x8 Domineering* (2000), whose
/// first player is Left here.
#[test]
fn larger_boards_are_decided_by_a_search() {
    for (text, outcome) in [
        (rectangle(5, 6), OutcomeClass::R),
        (rectangle(4, 8), OutcomeClass::R),
        (lattice("col", 4, 5), OutcomeClass::P),
        (lattice("snort", 4, 5), OutcomeClass::N),
    ] {
        let position = parse(&text);
        for seat in Seat::BOTH {
            let solution = solve(&position, seat, &Budget::nodes(1 << 22), 10);
            assert_eq!(solution.outcome, outcome, "{text} {seat}");
            assert_eq!(solution.method, "exhaustive search", "{text}");
            assert!(solution.exact && solution.value.is_none(), "{text}");
        }
    }
}

/// Every winning move is listed, and no other.
#[test]
fn winning_moves_of_a_searched_board_are_complete() {
    let position =
        parse("snort:0-1-2-3-4,5-6-7-8-9,10-11-12-13-14,0-5-10,1-6-11,2-7-12,3-8-13,4-9-14");
    let budget = Budget::nodes(1 << 22);
    let solution = solve(&position, Seat::First, &budget, 100);
    assert_eq!(solution.outcome, OutcomeClass::N);
    let winning: Vec<&str> = solution
        .winning_moves
        .iter()
        .map(|one| one.mv.as_str())
        .collect();
    for mv in position.moves(Seat::First) {
        let after = solve(&position.play(&mv), Seat::Second, &budget, 0).outcome;
        let wins = after.winner(Seat::Second) == Some(Seat::First);
        assert_eq!(winning.contains(&mv.to_string().as_str()), wins, "{mv}");
    }
}
