//! The goals of the solver, each at three sizes: `cargo bench -p grundy-shared --bench solver`.
//!
//! Every sample begins with nothing known: tables are computed without the cache that positions share.

use divan::Bencher;
use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, Solution, solve};
use grundy_shared::theory::Meter;
use grundy_shared::theory::take_and_break::{Rule, Table};

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
    let position = Position::parse(text).expect("a position of the benches");
    let solution = solve(&position, Seat::First, &Budget::nodes(1 << 40), 10);
    assert!(solution.exact, "{text}");
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

mod boards {
    use super::*;

    #[divan::bench(args = ["cram:3x7", "cram:4x6", "cram:5x7"], sample_count = 1)]
    fn cram(text: &str) -> Solution {
        solved(text)
    }

    #[divan::bench(args = ["chomp:8x8", "chomp:10x10", "chomp:12x12"], sample_count = 1)]
    fn chomp(text: &str) -> Solution {
        solved(text)
    }

    #[divan::bench(args = ["nim:3,4,5,6", "nim:5,6,7,8", "nim:7,8,9,10"], sample_count = 3)]
    fn nim(text: &str) -> Solution {
        solved(text)
    }
}
