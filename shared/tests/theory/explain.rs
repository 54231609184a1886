//! Explanations that a reader acts on name moves that win.

use std::cell::Cell;

use grundy_shared::games::{BoardKind, REGISTRY};
use grundy_shared::ids::Seat;
use grundy_shared::solver::{
    Budget, Explanation, MoveResult, OutcomeClass, explain, reasons, solve,
};
use grundy_shared::{Position, conformance::PlainRecursion};

fn lines(position: &str) -> Vec<String> {
    let position: Position = position.parse().expect("a position");
    explain(&position, Seat::First, &Budget::nodes(100_000)).lines
}

/// The heaps that a line such as `  B 4 -> 0    C 6 -> 2` promises to win by.
fn promises(line: &str) -> Vec<(String, u64)> {
    line.split("    ")
        .filter_map(|part| {
            let (from, to) = part.trim().split_once(" -> ")?;
            let to: String = to.chars().take_while(char::is_ascii_digit).collect();
            let from = from.rsplit(": ").next()?;
            Some((from.split(' ').next()?.to_owned(), to.parse().ok()?))
        })
        .collect()
}

#[test]
fn every_repair_that_is_shown_for_nim_wins_in_both_end_rules() {
    let mut recursion = PlainRecursion::new();
    let mut promised = 0;
    for a in 0..5u64 {
        for b in 0..5u64 {
            for c in 0..5u64 {
                for end in ["", "@misere"] {
                    let text = format!("nim:{a},{b},{c}{end}");
                    for (heap, rest) in lines(&text).iter().flat_map(|line| promises(line)) {
                        let position: Position = text.parse().expect("a position");
                        let mv = position.parse_move(Seat::First, &format!("{heap}={rest}"));
                        let after = position.play(&mv.expect("the promise is a legal move"));
                        let truth = recursion.truth(&after, 10_000).expect("small");
                        assert!(truth.lost, "{text}: {heap} -> {rest}");
                        promised += 1;
                    }
                }
            }
        }
    }
    assert!(promised > 100, "repairs were found in the text: {promised}");
}

/// What a move of a position leads to.
fn after(position: &Position, mv: &str) -> Position {
    let read = position.parse_move(Seat::First, mv);
    position.play(&read.unwrap_or_else(|error| panic!("{mv} of {position}: {error:?}")))
}

#[test]
fn every_answer_that_is_shown_wins_and_every_value_is_left() {
    let mut recursion = PlainRecursion::new();
    let mut truth = |position: &Position| recursion.truth(position, 200_000).expect("small");
    let (mut answers, mut ends, mut left) = (0, 0, 0);
    for game in [
        "chomp:5,4,2",
        "chomp:3,2",
        "cram:..x/...",
        "cram:.../...+nim:2",
        "notakto:x........",
        "nodekayles:0-1,1-2,2-3,3-0,4",
        "treblecross:.......",
        "flip.1.2:TTHTHH",
        "octal.0.15:7,6",
    ] {
        for end in ["", "@misere"] {
            let position: Position = format!("{game}{end}").parse().expect("a position");
            let mut lost = position.clone();
            for line in lines(&position.to_string()) {
                let line = line.trim();
                if let Some((mv, _)) = line
                    .strip_prefix("After ")
                    .and_then(|rest| rest.split_once(", half a turn"))
                {
                    // It is said of a component alone.
                    let text = position.to_string();
                    let component = text.split(['+', '@']).next().expect("one at least");
                    let component: Position = component.parse().expect("a position");
                    assert!(truth(&after(&component, mv)).lost, "{position}: {line}");
                } else if let Some((mv, _)) = line
                    .strip_prefix("After ")
                    .and_then(|rest| rest.split_once(" every move"))
                {
                    lost = after(&position, mv);
                    assert!(truth(&lost).lost, "{position}: {line}");
                } else if let Some((mv, reply)) = line.split_once(" is answered by ") {
                    assert!(
                        truth(&after(&after(&lost, mv), reply)).lost,
                        "{position}: {line}"
                    );
                    answers += 1;
                } else if let Some(mv) = line.strip_suffix(" makes the last move, which loses") {
                    assert!(after(&lost, mv).is_over(Seat::First), "{position}: {line}");
                    assert!(!truth(&after(&lost, mv)).lost);
                    ends += 1;
                } else if line.starts_with("value ") && line.contains("no move leaves") {
                    let component = position.to_string();
                    let component = component.split('+').next().expect("one at least");
                    let component: Position = component.parse().expect("a position");
                    let (value, moves) = line["value ".len()..].split_once(": ").expect("a colon");
                    assert_eq!(value.parse(), Ok(truth(&component).value), "{line}");
                    for (mv, value) in moves.split(", ").filter_map(|by| by.split_once(" leaves "))
                    {
                        if mv != "no move" {
                            let value: u64 = value.parse().expect("a value");
                            assert_eq!(truth(&after(&component, mv)).value, value, "{line}");
                            left += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(
        answers > 60 && ends > 3 && left > 4,
        "{answers} {ends} {left}"
    );
}

/// A clock that counts how often it is asked, and says that time is up from then on.
fn explained_within(position: &Position, nodes: u64) -> (Explanation, u64) {
    let asked = Cell::new(0);
    let explanation = explain(
        position,
        Seat::First,
        &Budget {
            nodes,
            memory_bytes: 1 << 30,
            stop: &|| {
                asked.set(asked.get() + 1);
                false
            },
        },
    );
    (explanation, asked.get())
}

#[test]
fn no_explanation_claims_a_search_that_was_not_finished() {
    let mut unknown = 0;
    for info in REGISTRY {
        for example in info.examples {
            for end in ["", "@misere"] {
                let position: Position = format!("{example}{end}").parse().expect("a position");
                let (explanation, _) = explained_within(&position, 3);
                // Where the player to move has no move, that is told, also if it is not known what the other one could do.
                if explanation.outcome != OutcomeClass::Unknown || position.is_over(Seat::First) {
                    continue;
                }
                unknown += 1;
                let text = explanation.to_string().to_lowercase();
                assert!(!text.contains("searched"), "{position}: {text}");
                assert!(text.ends_with("before the winner was known."), "{text}");
            }
        }
    }
    assert!(
        unknown > 50,
        "{unknown} positions that three nodes do not solve"
    );
}

#[test]
fn what_was_tried_is_told_of_what_is_not_solved() {
    for (text, nodes, tried) in [
        (
            "kayles:5+nodekayles:0-1,1-2,2-3,3-0,2-4",
            6,
            "tried take-and-break table, connected pieces, values by exhaustive search, exhaustive search",
        ),
        (
            "octal.4.7:60,59@misere",
            2_000,
            "tried take-and-break table, misere quotient, exhaustive search",
        ),
        ("nim:9+cram:...../.....@every", 6, "tried greatest suspense"),
        (
            "cram:...../.....+nim:5@selective@misere",
            6,
            "tried outcomes of components, selective, components by their own methods, outcomes of components, selective",
        ),
        (
            "hack:0-1,1b2,2r0,1-0,2b3,3r1",
            6,
            "tried sum of canonical forms, exhaustive search",
        ),
        ("hack:0b1,1r2@misere", 6, "tried exhaustive search"),
        (
            "loopy.0-1.1-0.1-2:0,1",
            6,
            "tried retrograde analysis, loopy values",
        ),
    ] {
        let position: Position = text.parse().expect("a position");
        let solution = solve(&position, Seat::First, &Budget::nodes(nodes), 3);
        assert_eq!(solution.outcome, OutcomeClass::Unknown, "{text}");
        assert!(!solution.exact);
        assert_eq!(solution.method, tried, "{text}");
        let (explanation, _) = explained_within(&position, nodes);
        assert!(explanation.to_string().contains(tried), "{explanation}");
    }
}

#[test]
fn the_verdict_and_its_reasons_share_one_budget() {
    const NODES: u64 = 1 << 18;
    let mut used_up = 0;
    for text in [
        "wythoff:900,1000+nim:3",
        "cram:......../......../......../......../......../......../........+nim:3",
        "grundy:100000000000",
        "fib:5000+nim:3",
    ] {
        let position: Position = text.parse().expect("a position");
        let (explanation, asked) = explained_within(&position, NODES);
        used_up += u32::from(explanation.outcome == OutcomeClass::Unknown);
        // The clock is asked at the first node of each part of the work, and once in 1,024 after that.
        assert!(asked <= NODES / 1_024 + 64, "{text}: asked {asked} times");
    }
    assert!(used_up > 0, "no position used the budget up");
}

#[test]
fn the_values_of_components_are_added_up() {
    let text = "nim:3,5+wythoff:1,3+kayles:4";
    let together = lines(text)
        .into_iter()
        .find(|line| line.contains("their xor is"));
    assert_eq!(
        together.as_deref(),
        Some(
            "  The nim-values are component 1: 6, component 2: 4, component 3: 1; their xor is 3, not 0, so the player to move wins."
        )
    );
    let solution = solve(
        &text.parse().expect("a position"),
        Seat::First,
        &Budget::nodes(100_000),
        0,
    );
    assert_eq!(solution.nim_value, Some(3));
}

/// Which branches meet at a vertex, and what they come to.
#[test]
fn a_tree_is_explained_vertex_by_vertex() {
    let lines = lines("hack:0-1-2,1-3,0-4");
    let expected = "On vertex 1: branch to 2: 1, branch to 3: 1; their xor is 0.";
    assert!(
        lines.iter().any(|line| line.trim() == expected),
        "{lines:?}"
    );
}

/// Of games with rows of pins each has its own moves: no text may give one that another game has.
#[test]
fn the_moves_that_the_rules_of_pins_show_are_legal() {
    let mut shown = 0;
    for info in REGISTRY.iter().filter(|info| info.board == BoardKind::Pins) {
        let text = info.move_notation.replace("; ", " ");
        for mv in text.split(' ').filter(|word| word.starts_with("A-")) {
            let (taken, left) = mv["A-".len()..].split_once('/').unwrap_or((&mv[2..], ""));
            let left: u64 = left
                .split(',')
                .filter_map(|part| part.parse::<u64>().ok())
                .sum();
            let taken: u64 = taken.parse().expect("a number");
            let position = format!("{}:{}", info.name, taken + left);
            let position: Position = position.parse().expect("a position");
            let legal = position.parse_move(Seat::First, mv);
            assert!(legal.is_ok(), "{position} {mv}");
            shown += 1;
        }
    }
    assert!(shown >= 6, "{shown}");
}

/// The last line of a sum states a total also where a component has no table of values.
#[test]
fn every_sum_shows_the_value_of_each_component() {
    for (text, expected) in [
        ("geo.0-1.1-2:0+nim:3", "component 1: 0, component 2: 3"),
        ("merge:1,2+nim:2", "component 1: 3, component 2: 2"),
        (
            "treblecross:.......+nim:2",
            "component 1: 2, component 2: 2",
        ),
    ] {
        let lines = lines(text);
        let total = lines.iter().find(|line| line.contains("their xor is"));
        assert!(
            total.is_some_and(|line| line.contains(expected)),
            "{lines:#?}"
        );
    }
}

/// A graph that a search cannot finish, with a vertex whose choice leaves nothing.
fn hub(around: u32) -> String {
    let spokes = (1..=around).map(|vertex| format!("0-{vertex}"));
    let chords = (1..=around).map(|vertex| format!("{vertex}-{}", 1 + vertex * 7 % around));
    let chords = chords.filter(|chord| chord.split_once('-').is_some_and(|(a, b)| a != b));
    let edges: Vec<String> = spokes.chain(chords).collect();
    format!("nodekayles:{}", edges.join(","))
}

/// Theorems about a move are used before a search of the position, which may use up the budget.
#[test]
fn a_move_that_a_theorem_shows_to_win_is_found_before_the_search() {
    let budget = Budget::nodes(1 << 20);
    let bar = |rows: usize, last: u64| {
        let mut rows = vec![rows as u64; rows];
        rows.extend([last].iter().filter(|last| **last > 0));
        let rows: Vec<String> = rows.iter().map(u64::to_string).collect();
        format!("chomp:{}", rows.join(","))
    };
    for (text, moves) in [
        (bar(13, 0), "2:2"),
        (bar(14, 0), "2:2"),
        (bar(20, 0), "2:2"),
        // No theorem is known for these positions, but one decides the position after the move.
        (bar(13, 1).replacen("13,", "14,", 1), "1:3, 2:2, 3:1"),
        (hub(40), "0"),
    ] {
        let position: Position = text.parse().expect("a position");
        let solution = solve(&position, Seat::First, &budget, 5);
        assert_eq!(solution.outcome, OutcomeClass::N, "{text}");
        let known: Vec<&str> = solution.winning_moves.iter().map(|won| &*won.mv).collect();
        assert_eq!(known.join(", "), moves, "{text}");
        let total = solution.winning_moves_total;
        assert!(
            total.is_none_or(|total| total == known.len() as u64),
            "{text}"
        );
        let explained = explain(&position, Seat::First, &budget).to_string();
        let open = match total {
            Some(_) => "",
            None => "; others may win as well",
        };
        let conclusion = format!("The player to move wins with {moves}{open}.");
        let none = solve(&position, Seat::First, &budget, 0);
        assert_eq!(none.outcome, OutcomeClass::N, "{text}");
        assert_eq!(none.winning_moves, [], "{text}");
        let mv = known[0];
        assert!(explained.contains(&conclusion), "{explained}");
        // The best move beside another one, whose verdict is not known.
        let other = position.moves(Seat::First).last().expect("a move");
        let found = reasons(&position, Seat::First, &[other], &budget);
        assert_eq!(found.best.as_deref(), Some(mv), "{text}");
        let best = found.moves.last().expect("the best one");
        assert_eq!((&*best.mv, best.result), (mv, MoveResult::Wins), "{text}");
    }
}

/// The search runs out of its budget, and one of the moves is known to win: no sentence says that only a search decides.
#[test]
fn a_known_move_that_decides_is_not_denied() {
    let bar = format!("chomp:14,{}1", "13,".repeat(12));
    for (text, nodes, mv) in [(bar, 1 << 18, "1:3"), (hub(40), 1 << 12, "0")] {
        let position: Position = text.parse().expect("a position");
        let found = reasons(&position, Seat::First, &[], &Budget::nodes(nodes));
        crate::denials::check_no_rule_is_denied(&found.position);
        assert_eq!(found.position.outcome, OutcomeClass::N, "{text}");
        let said =
            format!("{mv} leaves a position that is known to be lost: the player to move wins.");
        assert_eq!(found.position.sentences(), [said], "{text}");
    }
}

/// The pieces beside the hub are lost by their options, so no theorem decides the position, but a small search decides it after the move to the hub.
#[test]
fn a_position_with_a_move_that_wins_is_not_called_undecided() {
    let four = |from: u32| {
        let pairs = (from..from + 4).flat_map(|a| (a + 1..from + 4).map(move |b| (a, b)));
        let pairs: Vec<String> = pairs.map(|(a, b)| format!("{a}-{b}")).collect();
        pairs.join(",")
    };
    let position: Position = format!("{},{},{}", hub(150), four(151), four(155))
        .parse()
        .expect("a position");
    let mv = position.parse_move(Seat::First, "0").expect("a move");
    let found = reasons(&position, Seat::First, &[mv], &Budget::nodes(1 << 16));
    let said = found.lines.join("\n");
    assert_eq!(found.moves[0].result, MoveResult::Wins, "{said}");
    assert_eq!(found.position.outcome, OutcomeClass::N, "{said}");
    assert_eq!(found.best.as_deref(), Some("0"), "{said}");
    assert!(!said.contains("not decided"), "{said}");
}

/// What is true of a component alone, and false of the whole, is said of the component alone.
#[test]
fn a_rule_for_one_component_is_not_stated_of_the_sum() {
    let lines = lines("wythoff:1,2+nim:3@misere");
    assert_eq!(lines[0], "Component 1, alone: Wythoff's game");
    let text = lines.join("\n");
    assert!(text.contains("All together:"), "{text}");
}

/// The pairs of a lost position leave out the token: they are how the opponent answers.
#[test]
fn the_pairs_of_a_lost_geography_leave_out_the_token() {
    for text in [
        "geo.0-1.1-2.2-3.3-4:0",
        "geo.0-1.1-2:0",
        "geo.0-1.0-2.1-2.2-3.3-4:0",
    ] {
        let position: Position = text.parse().expect("a position");
        let solution = solve(&position, Seat::First, &Budget::nodes(100_000), 1);
        let lines = lines(text);
        let pairs = lines.iter().find(|line| line.contains(" pair"));
        let pairs = lines
            .iter()
            .find_map(|line| {
                line.trim()
                    .split_once(": ")
                    .filter(|_| line.contains(" pair"))
            })
            .unwrap_or_else(|| panic!("{pairs:?}"));
        assert!(!pairs.0.starts_with("1 pairs"), "{pairs:?}");
        let has_token = pairs.1.split([' ', '-']).any(|vertex| vertex == "0");
        assert_eq!(has_token, solution.outcome == OutcomeClass::N, "{lines:#?}");
    }
}

/// The move that the words of Cram teach comes first, and the answers shown are to it.
#[test]
fn cram_answers_the_move_that_it_teaches() {
    let lines = lines("cram:.../...");
    let taught = lines
        .iter()
        .find_map(|line| line.strip_prefix("After ")?.split_once(", half a turn"))
        .map(|(mv, _)| mv)
        .expect("the board has one even side");
    let after = format!("After {taught} every move has an answer, such as:");
    assert!(lines.contains(&after), "{lines:#?}");
    let last = lines.last().expect("a conclusion");
    assert!(
        last.starts_with(&format!("The player to move wins with {taught}")),
        "{last}"
    );
}

/// The working of a heap names the split for each smaller value.
#[test]
fn an_octal_heap_names_the_split_that_leaves_each_value() {
    let mut recursion = PlainRecursion::new();
    for game in ["kayles:9", "dawsonchess:8", "octal.0.f:7", "grundy:14"] {
        let line = lines(game);
        let line = line.iter().find(|line| line.contains("no move leaves"));
        let line = line.unwrap_or_else(|| panic!("{game} is explained by its moves"));
        let position: Position = game.parse().expect("a position");
        let (_, moves) = line.split_once("value ").expect("the value first");
        let (value, moves) = moves.split_once(' ').expect("and the moves");
        let value: u64 = value.parse().expect("a value");
        let mut left = Vec::new();
        for by in moves.trim().split(", ") {
            if let Some((mv, value)) = by.split_once(" leaves ")
                && !mv.contains("no move")
            {
                let value: u64 = value.parse().expect("a value");
                let after = after(&position, &format!("A{mv}"));
                let truth = recursion.truth(&after, 100_000).expect("small");
                assert_eq!(truth.value, value, "{line}");
                left.push(value);
            }
        }
        assert_eq!(left, (0..value).collect::<Vec<_>>(), "{line}");
    }
}

/// A class is defined where it is named.
#[test]
fn a_misere_quotient_says_what_a_class_is() {
    let text = lines("kayles:5,6@misere").join("\n");
    for words in [
        "Two sums of heaps are in one class if exchanging one for the other never changes the winner.",
        "numbered from 0, the class of no heaps",
        "Together they are in class",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

/// In a draw, a move that keeps it is named.
#[test]
fn a_draw_names_a_move_that_keeps_it() {
    let lines = lines("loopy.0-1.1-0.0-2.2-3:0");
    assert_eq!(
        lines.last().map(String::as_str),
        Some("A move that keeps the draw is 0-1.")
    );
}

#[test]
fn compounds_are_explained_by_their_components() {
    for (position, expected) in [
        (
            "nim:3,5+kayles:4@every",
            "The suspense is component 1: 3, component 2: 3. Component 1 decides: it lasts 3 moves, and no other lasts longer; 3 is odd: the player to move wins.",
        ),
        (
            "nim:3,3+kayles:4@conjunctive@misere",
            "The remoteness is component 1: 5, component 2: 3. Component 2 decides: it is over after 3 moves, and the others last 5 at least; 3 is odd: the player to move loses.",
        ),
        (
            "nim:5+nim:3@shortsum@misere",
            "The foreclosed values are component 1: 4, component 2: 2; their xor is 6, not 0, so the player to move wins.",
        ),
    ] {
        let lines = lines(position);
        assert!(lines.iter().any(|line| line == expected), "{lines:#?}");
        assert!(lines.iter().all(|line| line.is_ascii()), "{lines:#?}");
    }
}
