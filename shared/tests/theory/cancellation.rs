//! Long work ends when it is told to: once `stop` has said so, every method unwinds without asking much further.

use std::cell::Cell;
use std::collections::BTreeSet;

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, OutcomeClass, certify, explain, solve};

/// One position for each kind of long work.
fn long_positions() -> Vec<(&'static str, String)> {
    let chords = (0..3_001u32).flat_map(|n| [(n, (n + 1) % 3_001), (n, (n * n + 7) % 2_999)]);
    let edges = chords
        .filter(|(a, b)| a != b)
        .map(|(a, b)| (a.min(b), a.max(b)));
    let edges: BTreeSet<(u32, u32)> = edges.collect();
    let edges: Vec<String> = edges.into_iter().map(|(a, b)| format!("{a}-{b}")).collect();
    let coloured: Vec<String> = (0..300)
        .map(|v| {
            format!(
                "{v}{}{}",
                ["-", "b", "r", "b"][v * v % 4 % 3],
                (v + 1) % 300
            )
        })
        .collect();
    let coloured = format!("hack:{}", coloured.join(","));
    let arcs: Vec<String> = (0..200u32)
        .flat_map(|n| [(n, (n + 1) % 200), (n, (n * n + 7) % 199), (n, 200)])
        .map(|(a, b)| format!("{a}-{b}"))
        .collect();
    let loopy = format!("loopy.{}:0,50,100", arcs.join("."));
    vec![
        ("loopy sum in misere play", format!("{loopy}@misere")),
        ("coloured ring", coloured.clone()),
        ("coloured ring in misere play", format!("{coloured}@misere")),
        (
            "compound as one game",
            "nim:250+nim:250@selective".to_owned(),
        ),
        (
            "components of a compound",
            "wythoff:200,201+moore.3:30,30,30,30@shortsum".to_owned(),
        ),
        ("sparse-space table", "octal.0.6:20000000".to_owned()),
        ("table of unequal splits", "grundy:20000000".to_owned()),
        ("table of three heaps", "octal.0.3c:400000".to_owned()),
        (
            "subtraction table",
            "sub.1.999983.1000003:4000000".to_owned(),
        ),
        ("misere quotient", "octal.4.7:60,59@misere".to_owned()),
        ("exhaustive search", "dawsonkayles:60,59@misere".to_owned()),
        (
            "search of a board",
            format!("cram:{}", [".........."; 9].join("/")),
        ),
        (
            "values of regions",
            format!("cram:{}", [".........."; 7].join("/")),
        ),
        (
            "search of partitions",
            "chomp:40,39,38,37,36,35,34".to_owned(),
        ),
        ("table of bars", "chomp:280,280,279".to_owned()),
        ("Wythoff's table", "wythoff:900,901+nim:3".to_owned()),
        ("matching", format!("geo.{}:_", edges.join("."))),
        (
            "ways to even columns",
            format!("moore.64:{}", ["1"; 50].join(",")),
        ),
        ("a graph", format!("nodekayles:{}", edges[..300].join(","))),
    ]
}

#[test]
fn every_kind_of_long_work_ends_when_it_is_told_to() {
    let mut long = 0;
    for (kind, text) in long_positions() {
        let position = Position::parse(&text).unwrap_or_else(|error| panic!("{kind}: {error:?}"));
        for patience in [1, 40, 400] {
            let asked = Cell::new(0u32);
            let budget = Budget {
                nodes: u64::MAX,
                memory_bytes: 1 << 30,
                stop: &|| {
                    asked.set(asked.get() + 1);
                    asked.get() > patience
                },
            };
            let solution = solve(&position, Seat::First, &budget, 10);
            let was_long = asked.get() > patience;
            long += u32::from(was_long);
            // Each method that is left to be tried asks once; none goes on.
            assert!(
                asked.get() <= patience + 12,
                "{kind}: {} after {patience}",
                asked.get()
            );
            assert!(
                !was_long
                    || patience > 1
                    || solution.outcome == OutcomeClass::Unknown
                    || solution.winning_moves_total.is_none(),
                "{kind}"
            );
            asked.set(0);
            let certificate = certify(&position, &budget);
            assert_eq!(certificate.position, position.to_string());
            // The ways of proving are tried one after the other as well.
            assert!(
                asked.get() <= patience + 24,
                "{kind}: {} after {patience} in a certificate",
                asked.get()
            );
            asked.set(0);
            let told = explain(&position, Seat::First, &budget);
            assert!(!told.lines.is_empty(), "{kind}");
            assert!(
                asked.get() <= patience + 24,
                "{kind}: {} after {patience}",
                asked.get()
            );
        }
    }
    assert!(long > 22, "only {long} of the runs were long");
}
