//! No sentence denies a rule that decides, and the reason for a move has everything that the explanation of its position has.

use crate::component_facts::parse;
use crate::drawing::{Chance, number, random_component};
use grundy_shared::Position;
use grundy_shared::fact::Fact;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Assessment, Budget, OutcomeClass, reasons};
use grundy_shared::theory::compound::Compound;

/// The work that one explanation may take, in nodes.
const NODES: u64 = 1 << 27;

/// Methods that are tables of all positions that can be reached, and so no rules.
const TABLES: [&str; 3] = [
    "bars within the bar, two rows or strategy stealing",
    "free regions",
    "boards",
];

/// Whether a method is a rule: neither a search nor a table of all that can be reached.
pub(crate) fn is_rule(method: &str) -> bool {
    let searches = ["exhaustive search", "retrograde analysis"];
    !searches.iter().any(|search| method.contains(search)) && !TABLES.contains(&method)
}

/// A bar of Chomp for which a theorem says who wins.
fn is_known_bar(position: &str) -> bool {
    let (bar, misere) = match position.strip_suffix("@misere") {
        Some(bar) => (bar, true),
        None => (position, false),
    };
    let Some(rows) = bar.strip_prefix("chomp:").filter(|rows| *rows != "_") else {
        return false;
    };
    let rows: Option<Vec<u64>> = rows.split(',').map(|row| row.parse().ok()).collect();
    let Some(mut rows) = rows else {
        return false;
    };
    rows.retain(|row| *row > 0);
    let is_arm = rows.iter().skip(1).all(|row| *row <= 1);
    is_arm || rows.windows(2).all(|two| two[0] == two[1]) || rows.len() == 2 && !misere
}

/// The law: no sentence says that no rule is known if the method is a rule.
pub(crate) fn check_no_rule_is_denied(said: &Assessment) {
    let denies = said
        .facts
        .iter()
        .any(|fact| matches!(fact, Fact::Searched { .. }));
    let sentences = said.sentences().join(" ");
    assert_eq!(
        denies,
        sentences.contains("No rule is known"),
        "{sentences}"
    );
    let is_known = is_rule(&said.method) || is_known_bar(&said.position);
    assert!(
        !denies || !is_known,
        "{} by {}: {sentences}",
        said.position,
        said.method
    );
}

/// Random positions of every game and compound in both end rules.
#[test]
fn no_sentence_denies_a_rule_that_decides() {
    let mut chance = Chance(
        number("GRUNDY_SEED")
            .unwrap_or(0x6a09_e667_f3bc_c908)
            .max(1),
    );
    let (mut checked, mut denials, mut rules) = (0, 0, 0);
    for info in REGISTRY {
        for compound in [Compound::Sum].into_iter().chain(Compound::NAMED) {
            for round in 0..12 {
                let largest = [2, 4, 7][round % 3];
                let Some(text) = random_component(info, &mut chance, largest) else {
                    continue;
                };
                let beside = ["nim:2", "kayles:3", "hack:0b1,1r2"][round % 3];
                let misere = ["", "@misere"][round / 3 % 2];
                let text = match compound {
                    Compound::Sum if round % 4 > 0 => format!("{text}{misere}"),
                    Compound::Sum => format!("{text}+{beside}{misere}"),
                    _ => format!("{text}+{beside}@{}{misere}", compound.word()),
                };
                let Ok(position) = Position::parse(&text) else {
                    continue;
                };
                let mv = position.nth_move(Seat::First, 0);
                let found = reasons(
                    &position,
                    Seat::First,
                    mv.as_slice(),
                    &Budget::nodes(200_000),
                );
                let moves = found.moves.iter();
                let replies = moves.clone().filter_map(|reason| reason.reply.as_ref());
                let all = moves
                    .map(|reason| &reason.leaves)
                    .chain(replies.map(|reply| &reply.leaves))
                    .chain([&found.position]);
                for said in all.filter(|said| said.outcome != OutcomeClass::Unknown) {
                    check_no_rule_is_denied(said);
                    let denies = |fact: &Fact| matches!(fact, Fact::Searched { .. });
                    denials += usize::from(said.facts.iter().any(denies));
                    rules += usize::from(is_rule(&said.method));
                    checked += 1;
                }
            }
        }
    }
    assert!(
        checked > 5_000 && denials > 200 && rules > 2_000,
        "{checked} positions, {denials} without a rule, {rules} by a rule"
    );
}

/// The explanation of a move has everything that the explanation of the position has.
#[test]
fn the_rule_of_a_position_stands_in_the_reason_for_a_move() {
    for (text, mv, rule) in [
        ("geo.0-1.1-2.2-3.1-4:_0/2", "2", "Take a maximum matching."),
        (
            "chomp:3,3,3",
            "3:2",
            "In a square, biting 2:2 leaves two equal arms",
        ),
        (
            "nimstring:0-1-2-3-0,0-4-0",
            "2-3",
            "If a chain of two or more coins is open at one end",
        ),
        (
            "moore.2:1,1,2@misere",
            "A-1",
            "While a heap is above 1, the player to move loses if the number of 1s in every column is a multiple of 3; once none is,",
        ),
        (
            "cram:x..../x....",
            "1.2-1.3",
            "If half a turn does not change the free squares that a domino can cover",
        ),
        ("hack:0-1-2,0-3", "0-3", "A branch is worth one more than"),
        (
            "hack:0-1-2-3-0,0-4",
            "0-4",
            "The vertices of a cycle can be fused",
        ),
        (
            "northcott:x..o./.o.x.",
            "1.1-1.2",
            "A row is worth a Nim heap",
        ),
        (
            "fork.3-1/2.3-0.2-0/1.1-0:3,2",
            "3-0",
            "An arc leaves the xor of the nim-values of its ends",
        ),
        ("poset:0-1-2,3-4", "4", "(colon principle)"),
        (
            "moebius:TTHTHH",
            "6",
            "that can be turned with the head, may be: 0, 1, 2, 3, 4.",
        ),
        (
            "mockturtles:HTHH",
            "4",
            "the n-th number with an odd number of binary ones",
        ),
        ("turnips:HTHHTH", "6", "in base 3"),
        ("grunt:HTHHTH", "1,4,6", "a heap of n in Grundy's game"),
    ] {
        let position = parse(text);
        let mv = match position.parse_move(Seat::First, mv) {
            Ok(mv) => mv,
            Err(_) => position.nth_move(Seat::First, 0).expect("a move"),
        };
        let found = reasons(&position, Seat::First, &[mv], &Budget::nodes(NODES));
        let said = found.lines.join("\n");
        assert!(said.contains(rule), "{text}: {rule} is missing in\n{said}");
        // Of these three games some positions have no rule.
        let has_open = ["chomp", "nimstring", "cram"]
            .iter()
            .any(|game| text.starts_with(game));
        assert!(has_open || !said.contains("No rule is known"), "{said}");
    }
}

/// A component may be without a move for one player only.
#[test]
fn the_end_of_a_coloured_compound_names_the_player_without_a_move() {
    let position = parse("hack:0r1+hack:0b1@conjunctive");
    let found = reasons(&position, Seat::First, &[], &Budget::nodes(NODES));
    let said = found.lines.join("\n");
    assert!(
        said.contains("The player to move has no move in component 1, which ends the game"),
        "{said}"
    );
}

/// The stops are called a guide and nothing more.
#[test]
fn the_stops_do_not_promise_where_most_can_be_gained() {
    let position = parse("domineering:..../....+snort:0+snort:0r-1b,0-2,1-2,1-3");
    let found = reasons(&position, Seat::First, &[], &Budget::nodes(NODES));
    let said = found.lines.join("\n");
    assert!(!said.contains("most can be gained"), "{said}");
    assert!(
        said.contains("Component 3 has the stops farthest apart: often, but not always,"),
        "{said}"
    );
}
