//! The game graph, against plain recursion; and that its pictures are what their readers take.

use grundy_shared::Position;
use grundy_shared::conformance::PlainRecursion;
use grundy_shared::games::REGISTRY;
use grundy_shared::graph::{GameGraph, MAX_POSITIONS, NotDrawn};
use grundy_shared::ids::Seat;

fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn drawn(text: &str) -> GameGraph {
    GameGraph::of(&parse(text)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn every_game_is_drawn_as_plain_recursion_sees_it() {
    let mut graphs = 0;
    for info in REGISTRY {
        for ending in ["", "@misere"] {
            for example in info.examples {
                let text = format!("{example}{ending}");
                let Ok(graph) = GameGraph::of(&parse(&text)) else {
                    continue;
                };
                graphs += 1;
                if graph.nodes.len() > 300 {
                    continue;
                }
                check(&graph);
                check_dot(&graph);
                check_svg(&graph);
                assert!(graph.text().starts_with(&graph.position), "{text}");
                assert_eq!(graph, drawn(&text));
            }
        }
    }
    assert!(graphs > 150, "{graphs} graphs");
}

fn check(graph: &GameGraph) {
    let mut judge = PlainRecursion::new();
    assert_eq!(graph.nodes[0].position, graph.position);
    for (number, node) in graph.nodes.iter().enumerate() {
        let position = parse(&node.position);
        let truth = judge.truth(&position, usize::MAX).expect("no bound");
        assert_eq!(node.lost, truth.lost, "{}", node.position);
        let value = (!position.end_rule().is_misere()).then_some(truth.value);
        assert_eq!(node.nim_value, value, "{}", node.position);
        let moves: Vec<String> = position
            .moves(Seat::First)
            .map(|mv| mv.to_string())
            .collect();
        let edges = graph.moves.iter().filter(|edge| edge.from == number);
        let mut told = Vec::new();
        let mut longest = 0;
        for edge in edges {
            let to = &graph.nodes[edge.to];
            longest = longest.max(to.longest + 1);
            assert_eq!(edge.wins, to.lost);
            for mv in &edge.moves {
                let mv = position.parse_move(Seat::First, mv).expect("a legal move");
                assert_eq!(position.play(&mv).to_string(), to.position);
                told.push(mv.to_string());
            }
        }
        assert_eq!(node.longest, longest, "{}", node.position);
        told.sort_unstable();
        let mut moves = moves;
        moves.sort_unstable();
        assert_eq!(told, moves, "{}", node.position);
    }
}

/// As far as it can be checked without Graphviz: every line is one statement, quotes are closed, and every node and move is there.
fn check_dot(graph: &GameGraph) {
    let dot = graph.dot();
    let lines: Vec<&str> = dot.lines().collect();
    assert!(
        lines[0].starts_with("digraph \"") && lines[0].ends_with("\" {"),
        "{dot}"
    );
    assert_eq!(lines.last(), Some(&"}"));
    for line in &lines[1..lines.len() - 1] {
        assert!(line.ends_with(';') || line.ends_with('}'), "{line}");
        let plain = line.replace("\\\\", "").replace("\\\"", "");
        assert_eq!(plain.matches('"').count() % 2, 0, "{line}");
    }
    let arrows = lines.iter().filter(|line| line.contains(" -> ")).count();
    assert_eq!(arrows, graph.moves.len());
    let bold = lines
        .iter()
        .filter(|line| line.contains("penwidth"))
        .count();
    assert_eq!(bold, graph.moves.iter().filter(|edge| edge.wins).count());
}

fn check_svg(graph: &GameGraph) {
    let svg = graph.svg();
    let document =
        roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
    let count = |tag: &str| {
        document
            .descendants()
            .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", tag)))
            .count()
    };
    assert_eq!(count("g"), graph.nodes.len());
    assert_eq!(count("path"), graph.moves.len() + 1);
    assert_eq!(
        count("script") + count("image") + count("a") + count("use"),
        0
    );
    let [width, height] = ["width", "height"].map(|name| {
        let number = document.root_element().attribute(name);
        number
            .and_then(|number| number.parse::<i64>().ok())
            .expect("a number")
    });
    let mut rows: Vec<(i64, i64, i64)> = Vec::new();
    for rect in document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "rect")))
    {
        let number = |name| {
            rect.attribute(name)
                .and_then(|number| number.parse::<i64>().ok())
        };
        let (Some(x), Some(y), Some(wide)) = (number("x"), number("y"), number("width")) else {
            continue;
        };
        assert!(
            x >= 0 && x + wide <= width && y >= 0 && y + 40 <= height,
            "{x} {y} {wide}"
        );
        rows.push((y, x, x + wide));
    }
    rows.sort_unstable();
    for pair in rows.windows(2) {
        assert!(
            pair[0].0 != pair[1].0 || pair[0].2 < pair[1].1,
            "boxes overlap: {pair:?}"
        );
    }
}

#[test]
fn a_small_graph_looks_like_this() {
    let graph = drawn("nim:1,1");
    assert_eq!(
        graph.text(),
        "\
nim:1,1   4 positions, 4 moves   (* wins)

longest play 2
  nim:1,1   value 0
      A-1 to nim:0,1   1
      B-1 to nim:1,0   1

longest play 1
  nim:0,1   value 1
    * B-1 to nim:0,0   0
  nim:1,0   value 1
    * A-1 to nim:0,0   0

longest play 0
  nim:0,0   value 0
"
    );
    assert!(
        drawn("nim:2@misere")
            .text()
            .contains("nim:1@misere   outcome P")
    );
}

#[test]
fn what_is_too_large_is_refused_with_the_count() {
    assert_eq!(drawn("nim:9,9,9").nodes.len(), 1_000);
    let refused = |text: &str| GameGraph::of(&parse(text)).expect_err("too large");
    let exact = NotDrawn::TooLarge {
        counted: 14 * 14 * 14,
        complete: true,
    };
    assert_eq!(refused("nim:13,13,13"), exact);
    assert_eq!(MAX_POSITIONS, 2_000);
    for text in [
        "nim:1000000000000000000",
        "kayles:1000000000,5",
        "cram:......./......./.......",
        "nim:40,40,40",
    ] {
        let refusal = refused(text);
        assert!(
            matches!(
                refusal,
                NotDrawn::TooLarge {
                    complete: false,
                    ..
                }
            ),
            "{text}: {refusal}"
        );
        assert!(
            refusal.to_string().starts_with("more than 20000 positions"),
            "{refusal}"
        );
    }
}
