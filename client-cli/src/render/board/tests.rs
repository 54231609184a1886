//! Every kind of board as exact text, and laws that hold for any position and frame.

use std::fmt::Write as _;
use std::{env, fs};

use grundy_shared::Position;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::Seat;
use grundy_words::Language;
use unicode_width::UnicodeWidthStr as _;

use super::{Frame, Glyphs, draw};

/// What the page shows: a heading, a position, and the frame.
const SHOWN: &[(&str, &str, usize, usize)] = &[
    ("Heaps", "nim:3,0,12", 60, 18),
    (
        "Heaps, 40 columns",
        "nim:3,5,137,1000000000000000000",
        40,
        18,
    ),
    ("More heaps than lines", "nim:1,2,0,3,4,5,6,7,8,9", 40, 6),
    ("No heaps", "nim:_", 60, 18),
    ("A heap with a quota", "fib:10/4", 60, 18),
    ("Pins", "kayles:12,3", 60, 18),
    ("A number", "race.10.100:80", 40, 18),
    ("A queen", "wythoff:5,8", 60, 18),
    ("A queen too far away", "wythoff:50,80", 40, 18),
    ("A staircase", "stairs:2,3,1,0,4,5", 60, 18),
    ("Coins", "ruler:TTHTTHTHTTTH", 40, 18),
    (
        "More coins than lines",
        "ruler:TTHTTHTHTTTHTTTTTTTTTTTTTTHHTTTTTTHTTTTTTTH",
        40,
        4,
    ),
    ("A strip", "silver:2,3,7", 60, 18),
    ("Several coins on a square", "nimble:0,5,5,5,12", 60, 18),
    ("Coins far apart", "nimble:0,5,1000000", 60, 18),
    ("Cells", "treblecross:..x.....", 60, 18),
    ("A grid", "cram:...../..x../.....", 60, 18),
    ("Toads and frogs", "toads:TT.T..FF.F", 60, 18),
    ("Stones", "clobber:xoxo/ox.o/xoxx", 60, 18),
    ("A bar", "chomp:5,4,2", 60, 18),
    ("A long bar", "chomp:1000,40,2", 40, 18),
    ("Boards", "notakto:x...x..../xxx....../.........", 60, 18),
    ("Arcs with tokens", "dag.3-1.3-2.2-0:3,2", 60, 18),
    (
        "Graphs with cycles",
        "loopy.0-1.1-2.2-0.2-3.3-3:0,1,1",
        60,
        18,
    ),
    (
        "Arcs with several ends",
        "fork.4-2/2/1.4-3.3-1/1.2-0/0.1-0:4,1,1",
        40,
        18,
    ),
    ("A walk", "geo.0-1.1-2.2-3.3-4.4-0.0-2:0,1", 60, 18),
    ("Vertices", "nodekayles:0-1,1-2,2-0,2-3,4", 60, 18),
    ("Vertices to be painted", "col:0-1,1b-2,2-3r,4", 60, 18),
    ("A partial order", "poset:0-1-3,0-2-3,4", 60, 18),
    ("Strings and coins", "nimstring:0-1-2-3-0,0-4-0", 60, 18),
    ("Edges", "arckayles:0-1,1-2,2-3,1-4", 40, 18),
    (
        "A graph with too many edges for the width",
        "nodekayles:0-1,0-2,0-3,0-4,0-5,0-6,0-7,1-2,1-3,1-4,1-5,1-6,1-7,2-3,2-4,2-5,2-6,2-7,3-4,3-5,3-6,3-7",
        40,
        18,
    ),
    ("Hackenbush", "hack:0-1-2-3,0-4-5,4-6-7,0-8-9-10-8", 60, 18),
    ("Coloured edges", "hack:0b1r2-3,1b4,0r5,0r5", 60, 18),
    (
        "A stalk too long",
        "hack:0-1-2-3-4-5-6-7-8-9-10-11-12-13-14-15",
        40,
        18,
    ),
    ("Strings", "prefix.4:0,10,110", 60, 18),
    ("No strings", "prefix.3:_", 60, 18),
    ("Options", "value:2,,1:0::-1,,s", 40, 18),
    ("More options than lines", "value:s9", 40, 6),
    (
        "Several components",
        "nim:3,5+treblecross:..x..+hack:0-1-2,0-3@selective",
        60,
        20,
    ),
    (
        "More components than lines",
        "nim:3,5+nim:1+nim:2+nim:3+nim:4",
        40,
        10,
    ),
];

fn frame(width: usize, rows: usize, glyphs: Glyphs) -> Frame {
    Frame {
        width,
        rows,
        glyphs,
        language: Language::English,
    }
}

/// `docs/BOARDS.md`.
fn page() -> String {
    let mut page = String::from(
        "# Boards\n\nWhat `grundy play`, `watch` and `resume` draw on a terminal, here in ASCII (`--glyphs ascii`), \
         in as many columns and lines as stand beside the position. `--plain` replaces drawings by sentences. \
         Made from the program itself by `GRUNDY_REGENERATE=1 cargo test -p grundy-cli the_boards`.\n",
    );
    for (heading, text, width, rows) in SHOWN {
        let position = Position::parse(text).expect("a position");
        let drawing = draw(&position, frame(*width, *rows, Glyphs::ASCII));
        write!(
            page,
            "\n## {heading}\n\n`{text}`, {width} x {rows}\n\n```text\n{}```\n",
            drawing.text()
        )
        .expect("writing to a String cannot fail");
        if !drawing.labels().is_empty() {
            let labels: Vec<String> = drawing
                .labels()
                .iter()
                .filter(|label| label.shown != label.mv)
                .map(|label| format!("`{}` is `{}`", label.shown, label.mv))
                .collect();
            if !labels.is_empty() {
                writeln!(page, "\n{}.", labels.join(", ")).expect("writing cannot fail");
            }
        }
    }
    page
}

#[test]
fn the_boards_are_those_of_the_page() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/BOARDS.md");
    let page = page();
    if env::var_os("GRUNDY_REGENERATE").is_some() {
        fs::write(path, &page).expect("the page can be written");
    }
    let kept = fs::read_to_string(path).expect("docs/BOARDS.md is there");
    assert!(
        kept == page,
        "docs/BOARDS.md is not what the program draws: run GRUNDY_REGENERATE=1 cargo test -p grundy-cli the_boards\n{page}"
    );
}

#[test]
fn the_page_has_every_kind_of_board() {
    let shown: Vec<_> = SHOWN
        .iter()
        .flat_map(|(_, text, ..)| Position::parse(text).expect("a position").games())
        .map(|game| game.board)
        .collect();
    for game in REGISTRY {
        assert!(shown.contains(&game.board), "{}", game.name);
    }
}

#[test]
fn a_drawing_in_chinese_has_no_words_of_another_language() {
    for (heading, text, width, rows) in SHOWN {
        let position = Position::parse(text).expect("a position");
        for rows in [6, *rows] {
            let frame = Frame {
                language: Language::Chinese,
                ..frame(*width, rows, Glyphs::ASCII)
            };
            let drawing = draw(&position, frame).text();
            let words = drawing.split(|sign: char| !sign.is_ascii_alphabetic());
            // Rows of stones are no words.
            let varied = |word: &&str| word.bytes().any(|byte| byte != word.as_bytes()[0]);
            for word in words.filter(|word| word.len() > 2).filter(varied) {
                let is_name = word == "Hackenbush" || text.contains(word);
                assert!(is_name, "{heading}: {word:?}\n{drawing}");
            }
        }
    }
}

/// Checks the laws of one drawing.
fn check(position: &Position) {
    for (width, rows) in [(40, 6), (40, 18), (100, 40)] {
        for (glyphs, language) in [
            (Glyphs::ASCII, Language::English),
            (Glyphs::UNICODE, Language::English),
            (Glyphs::UNICODE, Language::Chinese),
        ] {
            let frame = Frame {
                language,
                ..frame(width, rows, glyphs)
            };
            let drawing = draw(position, frame);
            let text = drawing.text();
            let lines: Vec<&str> = text.lines().collect();
            assert!(!lines.is_empty(), "{position}");
            assert!(lines.len() <= rows, "{position} {width}x{rows}\n{text}");
            for line in lines {
                // The width of those who show ambiguous signs in two columns, too.
                assert!(line.width() <= width, "{position} {width}x{rows}\n{text}");
                assert_eq!(line.width(), line.width_cjk(), "{line}");
            }
            if glyphs == Glyphs::ASCII {
                assert!(text.is_ascii(), "{position}\n{text}");
            }
            for label in drawing.labels() {
                let is_read = Seat::BOTH
                    .iter()
                    .any(|seat| position.parse_move(*seat, &label.mv).is_ok());
                let over = Seat::BOTH.iter().all(|seat| position.is_over(*seat));
                assert!(
                    is_read || over && position.compound().is_short(),
                    "{position}: {} for {}\n{text}",
                    label.mv,
                    label.shown
                );
            }
        }
    }
}

/// A generator of no quality (Knuth's constants), so that the test always checks the same positions.
fn next(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

#[test]
fn drawings_fit_their_frames_and_their_labels_are_moves() {
    let mut state = 1;
    let compounds = ["", "+kayles:7+hack:0-1,0b2"];
    for game in REGISTRY {
        for (example, compound) in game
            .examples
            .iter()
            .flat_map(|example| compounds.map(|compound| (example, compound)))
        {
            let mut position =
                Position::parse(&format!("{example}{compound}")).expect("a position");
            let mut seat = Seat::First;
            for _ in 0..8 {
                check(&position);
                let count = position.move_count(seat);
                if count == 0 {
                    break;
                }
                let number = u128::from(next(&mut state)) % count;
                let mv = position.nth_move(seat, number).expect("a move");
                position = position.play(&mv);
                seat = seat.other();
            }
        }
    }
}

#[test]
fn nothing_is_too_large_to_draw() {
    let list = |item: &str, times: usize| vec![item; times].join(",");
    let path: Vec<String> = (0..5_000).map(|vertex: u32| vertex.to_string()).collect();
    let pairs: Vec<String> = path.windows(2).map(|pair| pair.join("-")).collect();
    for text in [
        format!("nim:{}", list("1000000000000000000", 1000)),
        format!("stairs:{}", list("3", 10_000)),
        format!("ruler:{}", "HT".repeat(5_000)),
        format!("treblecross:{}", ".x..".repeat(2_000)),
        format!("cram:{}", vec![".".repeat(200); 100].join("/")),
        format!("domineering:{}", vec![".".repeat(200); 100].join("/")),
        format!("clobber:{}", vec!["xo".repeat(100); 100].join("/")),
        format!("toads:{}", "TT..FF".repeat(2_000)),
        format!(
            "northcott:{}",
            vec![format!("x{}o", ".".repeat(200)); 100].join("/")
        ),
        format!("chomp:{}", list("1000000000000000000", 1000)),
        format!("notakto:{}", vec!["x...x...."; 500].join("/")),
        format!("hack:{}", path.join("-")),
        format!(
            "hack:{}",
            (1..500)
                .map(|end: u32| format!("0-{end}"))
                .collect::<Vec<_>>()
                .join(",")
        ),
        format!("nodekayles:{}", pairs.join(",")),
        format!("snort:{}", path.join("-")),
        format!("poset:{}", path.join("-")),
        format!("geo.{}:0", pairs.join(".")),
        format!("prefix.100000:{}", "10".repeat(5_000)),
        "nimble:0,1000000000000000000".to_owned(),
        "value:s1000".to_owned(),
        format!(
            "value:{}:0",
            (0..500)
                .map(|n| n.to_string())
                .collect::<Vec<_>>()
                .join(",")
        ),
        "race.1000000000000000000.1000000000000000000:0".to_owned(),
        "wythoff:1000000000000000000,1000000000000000000".to_owned(),
        vec!["nim:3,5"; 500].join("+"),
    ] {
        check(&Position::parse(&text).expect("a position"));
    }
}

#[test]
fn colours_say_nothing_that_the_signs_do_not() {
    let position = Position::parse("hack:0b1r2-3,0r4").expect("a position");
    let drawing = draw(&position, frame(60, 18, Glyphs::ASCII));
    let plain = anstream::adapter::strip_str(&drawing.coloured()).to_string();
    assert_eq!(plain, drawing.text());
    assert_eq!(
        plain,
        " =0=a=1~b~2-c-3\n  +~d~4\n - both  = Left  ~ Right\n"
    );
}
