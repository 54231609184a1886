//! Compares the search with the values of positions and with the exploration of all reachable positions.

use super::{Beside, Search, judge};
use crate::erased::Component;
use crate::game::Kind;
use crate::games::REGISTRY;
use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::joint::Joint;
use crate::solver::{Budget, OutcomeClass, partizan};
use crate::suite::{Chance, Recipe};
use crate::theory::{BitBoard, BitMove};

/// Random positions of each kind in each end rule.
const POSITIONS: usize = 60;

/// The kinds of random positions; `+` joins two of them.
const KINDS: &[&str] = &[
    "domineering,size=2-4",
    "clobber,size=2-3",
    "col,size=3-6",
    "snort,size=3-6",
    "toads",
    "domineering,size=2-3+clobber,size=2-3",
    "col,size=2-4+snort,size=2-4",
    "toads+domineering,size=2-3",
    "clobber,size=2-3+nim,heaps=2,max=3",
    "snort,size=2-4+kayles,heaps=1-2,max=3",
    "col,size=3-4+hack",
    "hack+hack",
    "hack+domineering,size=2-3",
];

fn drawn(kind: &str, chance: &mut Chance) -> Position {
    let parts = kind.split('+').map(|recipe| match recipe {
        "hack" => bush(chance),
        "toads" => strip(chance),
        _ => {
            let recipe = Recipe::read(recipe).expect("a recipe");
            let made = recipe.make_with(chance.bits(), 1).expect("a position");
            made[0].to_string()
        }
    });
    let text = parts.collect::<Vec<String>>().join("+");
    Position::parse(&text).expect("positions side by side")
}

/// A tree of Hackenbush with edges of all colours.
fn bush(chance: &mut Chance) -> String {
    let edges = (1..=2 + chance.below(4)).map(|to| {
        let colour = ["b", "r", "-"][chance.below(3) as usize];
        format!("{}{colour}{to}", chance.below(to))
    });
    format!("hack:{}", edges.collect::<Vec<String>>().join(","))
}

/// A strip of Toads and Frogs.
fn strip(chance: &mut Chance) -> String {
    let letters = (0..4 + chance.below(5)).map(|_| ["T", "F", "."][chance.below(3) as usize]);
    format!("toads:{}", letters.collect::<String>())
}

/// The outcome and the winning moves, once by the search and once by another method.
fn agree(position: &Position, to_move: Seat) {
    let budget = Budget::nodes(u64::MAX);
    let searched = judge(
        &mut Joint::new(position, to_move),
        usize::MAX,
        &mut budget.meter(),
    );
    let searched = searched.expect("no bound");
    let mut other = Joint::new(position, to_move);
    let other = match position.end_rule().is_misere() {
        true => other.judge(usize::MAX, &mut budget.meter()),
        false => partizan::by_values(&mut other, usize::MAX, &mut budget.meter()),
    };
    let other = other.expect("a small position");
    assert_eq!(searched.outcome, other.outcome, "{position} {to_move}");
    let moves = |judged: crate::solver::joint::Judged| -> Vec<String> {
        let winning = judged.winning.expect("no bound");
        assert_eq!(winning.total, winning.first.len() as u128);
        winning.first.iter().map(Move::to_string).collect()
    };
    assert_eq!(moves(searched), moves(other), "{position} {to_move}");
}

#[test]
fn the_search_agrees_with_values_and_with_all_reachable_positions() {
    let mut chance = Chance::new(20_261_129);
    for kind in KINDS {
        for end in ["", "@misere"] {
            for _ in 0..POSITIONS {
                // Some moves into a match, so that boards fall apart.
                let mut position = Position::parse(&format!("{}{end}", drawn(kind, &mut chance)));
                let mut to_move = Seat::First;
                for _ in 0..chance.below(4) {
                    let Ok(before) = &position else { break };
                    let moves: Vec<Move> = before.moves(to_move).collect();
                    if moves.is_empty() {
                        break;
                    }
                    let mv = &moves[chance.below(moves.len() as u64) as usize];
                    position = Ok(before.play(mv));
                    to_move = to_move.other();
                }
                let position = position.expect("a position");
                if position.kind() == Kind::Partizan {
                    Seat::BOTH
                        .into_iter()
                        .for_each(|seat| agree(&position, seat));
                }
            }
        }
    }
}

/// A number beyond the moves that are left decides without a search; one within them does not.
#[test]
fn numbers_beside_boards_count() {
    let board = "domineering:...../...../...../...../.....";
    for (beside, outcome) in [
        ("value:1000", OutcomeClass::L),
        ("value:-1000", OutcomeClass::R),
        ("value:1", OutcomeClass::L),
        ("value:-1/2", OutcomeClass::R),
        ("nim:1", OutcomeClass::N),
        ("nim:0", OutcomeClass::P),
    ] {
        let position = Position::parse(&format!("{board}+{beside}")).expect("a position");
        let mut joint = Joint::new(&position, Seat::First);
        let judged = judge(&mut joint, 0, &mut Budget::nodes(1 << 22).meter());
        assert_eq!(judged.expect("quick").outcome, outcome, "{position}");
    }
}

/// A graph of Hackenbush has no board. If its value takes too much work, it is searched by its parts, and nothing is spent on the value again.
#[test]
fn a_component_without_a_board_leaves_work_for_the_search() {
    let position =
        Position::parse("hack:0b1,1r2,2-3,3b4,4r1,2b5,5-6,6r7,7b3,0-8,8r9+domineering:../..");
    let position = position.expect("a position");
    let budget = Budget::nodes(1 << 20);
    let mut meter = budget.meter();
    let components = position.sum.components();
    let by_value = Beside::by_value();
    let split = Search::split(components, |at| at == 0, false, by_value, &mut meter);
    assert!(split.is_err(), "the graph is on no board");
    assert!(meter.left() > (1 << 20) - 1000, "{} left", meter.left());
}

/// A table that cannot grow forgets, and the answer stays right.
#[test]
fn little_memory_makes_it_slower_and_not_wrong() {
    let position =
        Position::parse("domineering:...../...../...../...../.....").expect("a position");
    let budget = Budget {
        nodes: 1 << 28,
        memory_bytes: 100_000,
        stop: &|| false,
    };
    let mut joint = Joint::new(&position, Seat::First);
    let judged = judge(&mut joint, 0, &mut budget.meter()).expect("enough");
    assert_eq!(judged.outcome, OutcomeClass::P);
}

/// How many moves each seat has on a board.
fn counts(board: &BitBoard, bits: u64) -> [u128; 2] {
    let legal = |moves: &Vec<BitMove>| moves.iter().filter(|mv| mv.is_legal(bits)).count();
    [0, 1].map(|seat| legal(&board.moves[seat]) as u128)
}

fn moves_of(component: &Component) -> [u128; 2] {
    Seat::BOTH.map(|seat| component.move_count(seat))
}

/// Law 12 of games: bits change as the state does, and the legal moves come first in the order of the game.
#[test]
fn bits_change_as_the_state_does() {
    let mut chance = Chance::new(12);
    let kinds = KINDS.iter().filter(|kind| !kind.contains('+'));
    let drawn = kinds.flat_map(|kind| {
        (0..40)
            .map(|_| drawn(kind, &mut chance))
            .collect::<Vec<_>>()
    });
    let examples = REGISTRY.iter().flat_map(|game| game.examples);
    let examples = examples.map(|text| Position::parse(text).expect("an example"));
    let mut boards = 0;
    for position in drawn.collect::<Vec<_>>().into_iter().chain(examples) {
        let component = &position.sum.components()[0];
        let Some(board) = component.bit_board() else {
            continue;
        };
        boards += 1;
        assert_eq!(
            counts(&board, board.bits),
            moves_of(component),
            "{position}"
        );
        for seat in Seat::BOTH {
            let moves = &board.moves[seat.index()];
            for (mv, bit_move) in component.moves(seat).zip(moves) {
                assert!(bit_move.is_legal(board.bits), "{position} {mv}");
                let (after, bits) = (component.play(&*mv), bit_move.play(board.bits));
                assert_eq!(counts(&board, bits), moves_of(&after), "{position} {mv}");
                let mut next: Vec<_> = Seat::BOTH
                    .into_iter()
                    .flat_map(|seat| after.moves(seat))
                    .map(|mv| moves_of(&after.play(&*mv)))
                    .collect();
                let all = board.moves.iter().flatten().filter(|mv| mv.is_legal(bits));
                let mut of_bits: Vec<_> = all.map(|mv| counts(&board, mv.play(bits))).collect();
                next.sort_unstable();
                of_bits.sort_unstable();
                assert_eq!(of_bits, next, "{position} {mv}");
            }
        }
    }
    assert!(boards > 200, "{boards}");
}
