//! Pictures: each move can be pointed at, in a way of its own, and no picture is larger than a page can bear.

use std::collections::{BTreeMap, BTreeSet};

use grundy_shared::Position;
use grundy_shared::games::{BoardKind, REGISTRY};
use grundy_shared::ids::Seat;
use grundy_shared::picture::Picture;

use crate::drawing::{Chance, random_component};
use crate::laws::any_seed;

/// Bytes of the largest picture.
const LARGEST: usize = 90_000;
/// Moves of a position that are looked at.
const MOVES: usize = 300;

/// The parts of a picture, as its SVG names them.
fn parts_of(svg: &str) -> BTreeSet<String> {
    let document = roxmltree::Document::parse(svg).expect("a picture is XML");
    let parts = document.descendants();
    let parts = parts.filter_map(|node| node.attribute("data-part"));
    parts.map(str::to_owned).collect()
}

/// All shapes lie within the picture.
fn nothing_is_cut_off(position: &str, svg: &str) {
    let document = roxmltree::Document::parse(svg).expect("a picture is XML");
    let root = document.root_element();
    let number = |node: &roxmltree::Node<'_, '_>, name: &str| -> f64 {
        let text = node.attribute(name).unwrap_or("0");
        text.parse().expect("a number")
    };
    let (width, height) = (number(&root, "width"), number(&root, "height"));
    for node in root.descendants() {
        let (right, bottom) = match node.tag_name().name() {
            "circle" => {
                let radius = number(&node, "r");
                (number(&node, "cx") + radius, number(&node, "cy") + radius)
            }
            "rect" if node.attribute("class") != Some("back") => (
                number(&node, "x") + number(&node, "width"),
                number(&node, "y") + number(&node, "height"),
            ),
            "line" => (number(&node, "x2"), number(&node, "y2")),
            "text" => (number(&node, "x"), number(&node, "y")),
            _ => continue,
        };
        assert!(right <= width && bottom <= height, "{position}: {node:?}");
    }
}

/// Checks the picture of a position and its moves. Returns how many moves there are and how many can be pointed at.
fn check(position: &Position, all_can_be: bool) -> (usize, usize) {
    let picture = Picture::of(position);
    let svg = picture.svg();
    assert!(svg.len() < LARGEST, "{position}: {} bytes", svg.len());
    nothing_is_cut_off(&position.to_string(), &svg);
    let parts = parts_of(&svg);
    assert!(picture.parts().eq(&parts), "{position}");
    let (mut moves, mut pointed) = (0, 0);
    for seat in Seat::BOTH {
        let mut taken: BTreeMap<Vec<String>, String> = BTreeMap::new();
        for mv in position.moves(seat).take(MOVES) {
            let mv = mv.to_string();
            if mv == "pass" {
                continue;
            }
            let ways = picture.touched_by(&mv);
            moves += 1;
            pointed += usize::from(!ways.is_empty());
            assert!(
                !all_can_be || !ways.is_empty(),
                "{position}: {mv} cannot be pointed at"
            );
            for mut way in ways {
                for part in &way {
                    assert!(
                        parts.contains(part),
                        "{position}: {mv} touches {part}, of {parts:?}"
                    );
                }
                way.sort_unstable();
                if let Some(other) = taken.insert(way.clone(), mv.clone()) {
                    // A choice is offered then; it must not be the same move.
                    assert_ne!(other, mv, "{position}: {way:?}");
                }
            }
        }
    }
    (moves, pointed)
}

/// Whether the moves on this kind of board are pointed at.
fn is_a_board(kind: BoardKind) -> bool {
    !matches!(kind, BoardKind::Options | BoardKind::Strings)
}

#[test]
fn every_move_of_every_game_can_be_pointed_at() {
    let mut chance = Chance(any_seed());
    for info in REGISTRY {
        let board = is_a_board(info.board);
        for example in info.examples {
            let position = Position::parse(example).expect("an example");
            let (moves, pointed) = check(&position, false);
            assert!(!board || pointed > 0 || moves == 0, "{example}");
        }
        for _ in 0..20 {
            if let Some(text) = random_component(info, &mut chance, 7) {
                let position = Position::parse(&text).expect("drawn by the rules");
                check(&position, board);
            }
        }
    }
}

#[test]
fn moves_of_compounds_are_pointed_at_in_their_components() {
    for text in [
        "nim:3,5+wythoff:1,2+kayles:7",
        "nim:2,2+cram:../..@selective",
        "hack:0b1r2,0-3+toads:TT.F",
        "moore.2:3,3+ruler:THTH@every",
        "turtles:HTH+nimstring:0-1-0+race.3.9:2@conjunctive",
    ] {
        check(&Position::parse(text).expect(text), true);
    }
    let picture = Picture::of(&Position::parse("nim:3,5+kayles:7").expect("a position"));
    assert_eq!(picture.touched_by("1.B-2"), [["1.B.4", "1.B.5"]]);
    assert_eq!(picture.touched_by("2.A-1"), [["2.A.1"], ["2.A.7"]]);
    assert_eq!(
        picture.touched_by("2.A-2/1,4"),
        [["2.A.2", "2.A.3"], ["2.A.5", "2.A.6"]]
    );
}

#[test]
fn what_is_too_large_to_draw_is_written() {
    let stalk: Vec<String> = (0..900).map(|vertex| vertex.to_string()).collect();
    let path: Vec<String> = (0..300)
        .map(|vertex| format!("{}-{}", vertex, vertex + 1))
        .collect();
    let long = [
        "nim:1000000000000000000,999999999999999999,3".to_owned(),
        format!("nim:{}", vec!["1000"; 64].join(",")),
        format!("kayles:{}", vec!["60"; 64].join(",")),
        format!("cram:{}", vec![".".repeat(60); 20].join("/")),
        "chomp:600,600,3".to_owned(),
        format!("turtles:{}H", "T".repeat(5_000)),
        format!("treblecross:{}", ".".repeat(2_000)),
        "nimble:3,1000000000000000000".to_owned(),
        "wythoff:1000000000000000000,3".to_owned(),
        "stairs:1000000000000000000,3,0,9".to_owned(),
        "race.1000000000000000000.1000000000000000000:7".to_owned(),
        format!("hack:{}", stalk.join("-")),
        format!("nodekayles:{}", path.join(",")),
        vec!["nim:9,9,9"; 60].join("+"),
    ];
    for text in long {
        let Ok(position) = Position::parse(&text) else {
            // Some of these are beyond what a game allows, and no picture is asked for then.
            continue;
        };
        check(&position, false);
    }
}

#[test]
fn a_stone_names_itself_and_what_is_missing_is_counted() {
    let position = Position::parse("nim:1000000000000000000").expect("a position");
    let picture = Picture::of(&position);
    let svg = picture.svg();
    assert!(svg.contains("1000000000000000000: …"), "{svg}");
    assert_eq!(picture.touched_by("A-1"), [["A.1000000000000000000"]]);
    assert!(picture.touched_by("A-1000000000000000000").is_empty());
}

#[test]
fn a_picture_without_its_own_style_has_no_style() {
    let position = Position::parse("hack:0b1r2,0-3").expect("a position");
    let picture = Picture::of(&position);
    assert!(picture.svg().contains("<style>"));
    let inline = picture.inline_svg();
    assert!(!inline.contains("style"), "{inline}");
    assert_eq!(parts_of(&inline), parts_of(&picture.svg()));
}
