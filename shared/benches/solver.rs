//! The goals of the solver, each at three sizes: `cargo bench -p grundy-shared --bench solver`.
//!
//! Tables are computed without the cache that positions share, so that every sample begins with nothing known.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use divan::Bencher;
use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, OutcomeClass, Solution, solve};
use grundy_shared::theory::take_and_break::{Rule, Table};
use grundy_shared::theory::{Meter, misere_heaps};

fn main() {
    divan::main();
}

fn meter() -> Meter<'static> {
    Meter::new(1 << 50, 1 << 40, &|| false)
}

fn table(rule: &Rule, heap: u64) -> Table {
    Table::reaching(rule, heap, &mut meter())
}

fn solved(text: &str) -> Solution {
    solved_position(&Position::parse(text).expect("a position of the benches"))
}

fn solved_position(position: &Position) -> Solution {
    let solution = solve(position, Seat::First, &Budget::nodes(1 << 40), 10);
    assert!(solution.exact);
    solution
}

mod take_and_break {
    use super::*;

    /// Kayles: the table until its period is proved, and so many values read from it.
    #[divan::bench(args = [100_000, 1_000_000, 10_000_000], sample_count = 5)]
    fn kayles(heaps: u64) -> u64 {
        let table = table(&Rule::code(&[0, 7, 7]), heaps);
        (0..heaps).filter_map(|heap| table.value(heap)).sum()
    }

    /// Grundy's game, of which no period is known.
    #[divan::bench(args = [10_000, 100_000, 1_000_000], sample_count = 1)]
    fn grundy(heaps: u64) -> Table {
        table(&Rule::unequal_split(), heaps)
    }

    /// Octal 0.6, of which none is known either.
    #[divan::bench(args = [10_000, 100_000, 1_000_000], sample_count = 1)]
    fn octal_6(heaps: u64) -> Table {
        table(&Rule::code(&[0, 6]), heaps)
    }

    /// Octal 0.007, whose rare values are many: the worst case.
    #[divan::bench(args = [10_000, 30_000, 100_000], sample_count = 1)]
    fn octal_007(heaps: u64) -> Table {
        table(&Rule::code(&[0, 0, 0, 7]), heaps)
    }

    /// All codes of up to so many digits behind 0 or 4: a period proved within 1,500 values, or none.
    #[divan::bench(args = [1, 2, 3], sample_count = 3)]
    fn classified(digits: u32) -> usize {
        let codes = (0..2 << (3 * digits)).map(|number: u32| {
            let digit = |place: u32| (number >> (3 * (digits - place)) & 7) as u8;
            let head = if number >> (3 * digits) == 0 { 0 } else { 4 };
            let digits = (1..=digits).map(digit);
            [head].into_iter().chain(digits).collect::<Vec<u8>>()
        });
        let tables = codes.map(|digits| table(&Rule::code(&digits), 1_499));
        tables.filter(|table| table.period().is_some()).count()
    }

    /// Period and last exception of the games whose period is long, and is proved.
    const SOLVED: [(&[u8], u64, u64); 10] = [
        (&[0, 0, 5, 5], 148, 258),
        (&[0, 1, 5, 6], 349, 3_478),
        (&[0, 6, 4, 4], 442, 3_255),
        (&[0, 1, 6, 5], 1_550, 5_180),
        (&[0, 3, 5, 6], 142, 7_314),
        (&[0, 1, 2, 7], 4, 46_577),
        (&[0, 1, 6], 149_459, 105_350),
        (&[0, 5, 6], 144, 326_639),
        (&[0, 3, 7, 6], 4, 2_268_247),
        (&[0, 3, 5, 4], 1_180, 10_061_915),
    ];

    /// The proof of the first so many of the ten.
    #[divan::bench(args = [6, 8, 10], sample_count = 1)]
    fn proved(games: usize) {
        for (digits, length, exception) in &SOLVED[..games] {
            let table = table(&Rule::code(digits), 1 << 40);
            let period = table.period().expect("a known period");
            assert_eq!((period.length, period.start), (*length, exception + 1));
        }
    }

    /// One heap of a game whose period is proved, the table being there.
    #[divan::bench(args = [1_000_000, 1_000_000_000, 1_000_000_000_000_000_000])]
    fn look_up(bencher: Bencher, heap: u64) {
        let mut meter = meter();
        let rule = Rule::code(&[0, 7, 7]);
        let table = || grundy_shared::theory::take_and_break::table(&rule, heap, &mut meter);
        bencher.bench_local({
            let mut table = table;
            move || table().value(heap)
        });
    }
}

mod misere {
    use super::*;

    /// The quotient of Kayles: of some heaps, and of all with its period proved.
    #[divan::bench(args = [12, 27, 1_000_000_000_000_000_000])]
    fn kayles(heap: u64) -> misere_heaps::Table {
        let table = misere_heaps::Table::reaching(&Rule::code(&[0, 7, 7]), heap, &mut meter());
        assert!(table.class(heap).is_some());
        table
    }

    /// A sum of heaps of up to 10^18 with all its winning moves.
    #[divan::bench(args = [1, 100, 10_000])]
    fn sum(bencher: Bencher, heaps: usize) {
        let text = format!(
            "kayles:{}@misere",
            vec!["999999999999999999"; heaps].join(",")
        );
        bencher.bench(|| solved(&text));
    }
}

mod boards {
    use super::*;

    #[divan::bench(args = [(3, 7), (4, 6), (5, 7)], sample_count = 1)]
    fn cram((rows, columns): (usize, usize)) -> Solution {
        solved(&format!(
            "cram:{}",
            vec![".".repeat(columns); rows].join("/")
        ))
    }

    /// Each from an empty table: the smaller ones do not hold the larger.
    #[divan::bench(args = [8, 10, 12], sample_count = 1, sample_size = 1)]
    fn chomp(side: usize) -> Solution {
        solved(&format!("chomp:{}", vec![side.to_string(); side].join(",")))
    }

    #[divan::bench(args = ["nim:3,4,5,6", "nim:5,6,7,8", "nim:7,8,9,10"], sample_count = 3)]
    fn nim(text: &str) -> Solution {
        solved(text)
    }
}

mod graphs {
    use super::*;

    /// A pseudo-random sequence (D. Knuth's MMIX generator), the same in every run.
    fn numbers(below: u64) -> impl Iterator<Item = u64> {
        let step = |seed: &u64| {
            Some(
                seed.wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407),
            )
        };
        std::iter::successors(Some(1u64), step).map(move |seed| (seed >> 33) % below)
    }

    fn text(edges: impl IntoIterator<Item = (u64, u64)>, separator: &str) -> String {
        let edges = edges.into_iter().map(|(a, b)| format!("{a}-{b}"));
        edges.collect::<Vec<String>>().join(separator)
    }

    /// A tree with as many chords: rings of all lengths.
    fn chords(edges: u64) -> Vec<(u64, u64)> {
        let nodes = edges / 2;
        let tree = numbers(u64::MAX)
            .skip(1)
            .zip(1..=nodes)
            .map(|(number, node)| (number % node, node));
        let chords = numbers(nodes)
            .skip(1_000)
            .zip(numbers(nodes).skip(2_000))
            .take(nodes as usize);
        tree.chain(chords).collect()
    }

    /// Necklaces of two edges, side by side.
    fn ladder(edges: u64) -> Vec<(u64, u64)> {
        let rungs = (0..edges / 3).map(|at| (2 * at, 2 * at + 1));
        let rails = (0..edges * 2 / 3 - 2).map(|at| (at, at + 2));
        rungs.chain(rails).collect()
    }

    fn ring(edges: u64) -> Vec<(u64, u64)> {
        (0..edges).map(|at| (at, (at + 1) % edges)).collect()
    }

    /// A ring with a chord at each vertex.
    fn cubic(edges: u64) -> Vec<(u64, u64)> {
        let nodes = edges * 2 / 3 / 2 * 2;
        let mut chords: Vec<u64> = (0..nodes).collect();
        for (place, number) in (1..nodes).rev().zip(numbers(u64::MAX)) {
            chords.swap(place as usize, (number % (place + 1)) as usize);
        }
        let chords = chords.chunks_exact(2).map(|ends| (ends[0], ends[1]));
        ring(nodes).into_iter().chain(chords).collect()
    }

    /// A ring with stalks on it, here one, there several.
    fn crown(edges: u64) -> Vec<(u64, u64)> {
        let nodes = edges / 2;
        let stalks = numbers(nodes).zip(nodes..2 * nodes);
        ring(nodes).into_iter().chain(stalks).collect()
    }

    /// Rings of a hundred edges on the vertices of others.
    fn rings(edges: u64) -> Vec<(u64, u64)> {
        const LENGTH: u64 = 100;
        let feet = numbers(u64::MAX).zip((0..edges / LENGTH).map(|ring| ring * (LENGTH - 1)));
        feet.flat_map(|(number, vertices)| {
            let foot = number % (vertices + 1);
            let name = move |at: u64| {
                if at.is_multiple_of(LENGTH) {
                    foot
                } else {
                    vertices + at
                }
            };
            (0..LENGTH).map(move |at| (name(at), name(at + 1)))
        })
        .collect()
    }

    /// Edges of a graph with about so many.
    type Shape = fn(u64) -> Vec<(u64, u64)>;

    const BLOCKS: [(&str, Shape); 6] = [
        ("chords", chords),
        ("ladder", ladder),
        ("ring", ring),
        ("cubic", cubic),
        ("crown", crown),
        ("rings", rings),
    ];

    /// A large block and a stalk beside it, which has another value.
    fn bush(block: &str, edges: u64) -> Position {
        const STALK: [(u64, u64); 3] = [(0, 900_000), (900_000, 900_001), (900_001, 900_002)];
        let shape = BLOCKS.iter().find(|(name, _)| *name == block);
        let (_, shape) = shape.expect("a block of the benches");
        let edges = shape(edges - STALK.len() as u64).into_iter().chain(STALK);
        Position::parse(&format!("hack:{}", text(edges, ","))).expect("a bush")
    }

    /// The value and all winning cuts, counted.
    #[divan::bench(args = BLOCKS.map(|(name, _)| name), consts = [1_000, 10_000, 100_000], sample_count = 5)]
    fn hackenbush<const EDGES: u64>(bencher: Bencher, block: &str) {
        let position = bush(block, EDGES);
        bencher.bench(|| {
            let solution = solve(&position, Seat::First, &Budget::nodes(1 << 40), 0);
            assert_eq!((solution.exact, solution.outcome), (true, OutcomeClass::N));
            solution
        });
    }

    /// The same, and the positions after ten of the cuts written out.
    #[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 5)]
    fn hackenbush_with_ten_cuts(bencher: Bencher, edges: u64) {
        let position = bush("chords", edges);
        bencher.bench(|| solved_position(&position));
    }

    /// A grid, which is bipartite.
    #[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 3)]
    fn geography_of_a_grid(bencher: Bencher, edges: u64) {
        let side = (edges / 2).isqrt();
        let squares = (0..side * side).flat_map(|at| {
            let right = ((at + 1) % side != 0).then_some((at, at + 1));
            let below = (at + side < side * side).then_some((at, at + side));
            [right, below].into_iter().flatten()
        });
        let position = Position::parse(&format!("geo.{}:_", text(squares, "."))).expect("a grid");
        bencher.bench(|| solved_position(&position));
    }

    /// Three times as many edges as vertices, at random.
    #[divan::bench(args = [200, 650, 2_000], sample_count = 3)]
    fn geography(bencher: Bencher, vertices: u64) {
        let pairs = numbers(vertices).zip(numbers(vertices).skip(777));
        let pairs = pairs
            .filter(|(a, b)| a != b)
            .map(|(a, b)| (a.min(b), a.max(b)));
        let edges: BTreeSet<(u64, u64)> = pairs.take(3 * vertices as usize).collect();
        let position = Position::parse(&format!("geo.{}:_", text(edges, "."))).expect("a graph");
        bencher.bench(|| solved_position(&position));
    }
}

/// How long a solution takes that is told to stop after ten milliseconds: what is above them is the delay.
#[divan::bench(
    args = ["octal.0.6:20000000", "grundy:20000000", "octal.0.3c:400000", "octal.4.7:60,59@misere", "dawsonkayles:60,59@misere", "cram:........./........./........./........./........./........./.........", "chomp:40,39,38,37,36,35,34"],
    sample_count = 10
)]
#[expect(
    clippy::disallowed_methods,
    reason = "a bench measures time; the solver still does not"
)]
fn stopped_after_10_ms(text: &str) -> Solution {
    let position = Position::parse(text).expect("a position of the benches");
    let begun = Instant::now();
    let budget = Budget {
        nodes: u64::MAX,
        memory_bytes: 1 << 30,
        stop: &|| begun.elapsed() >= Duration::from_millis(10),
    };
    solve(&position, Seat::First, &budget, 10)
}
