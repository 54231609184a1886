//! Games written by their options: two spellings, the names of values, and the published values.

use std::collections::BTreeSet;

use crate::drawing::{Chance, value};
use crate::partizan::{agrees, coloured};
use grundy_shared::Position;
use grundy_shared::conformance::PlainRecursion;
use grundy_shared::games::value::INFO;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, OutcomeClass, explain, solve};

fn parse(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn printed(form: &str) -> String {
    parse(&format!("value:{form}")).to_string()
}

#[test]
fn both_spellings_are_the_same_and_one_is_printed() {
    for (braces, plain) in [
        ("{|}", "0"),
        ("{0|}", "1"),
        ("{|0}", "-1"),
        ("{0|1}", "1/2"),
        ("{1/2|1}", "3/4"),
        ("{0|0}", "s"),
        ("{*,0|0,*,*}", "s2"),
        ("{0|*}", "u"),
        ("{0,*|0}", "us"),
        ("{*|0}", "d"),
        ("{^*|0}", "us:0"),
        ("{0|^*}", "u2"),
        ("{0|^}", "u2s"),
        ("{v2|0}", "d3s"),
        ("{0|*3}", "us2"),
        ("{3|3}", "3s"),
        ("{2|{1|0}}", "2::1:0"),
        ("{{2|1},3|{1|0},-1}", "3,,2:1::-1,,1:0"),
        ("{0,1|}", "0,1:_"),
        ("{|{1|0}}", "_::1:0"),
    ] {
        let canonical = format!("value:{plain}");
        assert_eq!(printed(braces), canonical, "{braces}");
        assert_eq!(printed(plain), canonical, "{plain}");
        assert!(!canonical.contains(['{', '|', '}', '*', '^', ' ']));
    }
    assert_eq!(printed("-4/8"), "value:-1/2");
    assert_eq!(printed("0s3"), "value:s3");
}

/// The value of a whole in a line that states it.
pub(crate) fn stated_value(line: &str) -> Option<String> {
    let total = line.split_once("the total ").map(|(_, told)| told);
    let told = total.or_else(|| line.trim().strip_prefix("The value "))?;
    let (value, _) = told.split_once(" is ")?;
    // Otherwise it is the value of something that is named.
    (!value.contains(' ')).then(|| value.to_owned())
}

/// What `explain` says all components come to.
fn sum(text: &str) -> String {
    let explanation = explain(&parse(text), Seat::First, &Budget::nodes(1 << 28));
    let lines = explanation.lines.iter();
    let mut told = lines.filter_map(|line| stated_value(line));
    told.next().unwrap_or_else(|| panic!("{explanation}"))
}

#[test]
fn sums_are_those_of_the_books() {
    for (text, value) in [
        ("value:1/2+value:1/2", "1"),
        ("value:u+value:u+value:s", "^2*"),
        ("value:u+value:us", "^2*"),
        ("value:u+value:d", "0"),
        ("value:1:-1+value:1:-1", "0"),
        ("value:2:0", "{2|0}"),
        ("value:1:-1+value:1", "{2|0}"),
        ("value:us:ds", "0"),
        ("value:u:d", "*"),
        ("value:0:u", "^2*"),
        ("value:u2s+value:us", "^3"),
        ("value:1::0:-1", "{1|{0|-1}}"),
        ("value:s:u", "0"),
    ] {
        assert_eq!(sum(text), value, "{text}");
    }
}

/// A number as numerator and denominator.
fn fraction(text: &str) -> (i64, i64) {
    let (over, under) = text.split_once('/').unwrap_or((text, "1"));
    let read = |digits: &str| digits.parse().expect("few digits");
    (read(over), read(under))
}

/// The number that a position is, by `solve`.
fn number(text: &str) -> Option<String> {
    solve(&parse(text), Seat::First, &Budget::nodes(1 << 28), 0).value
}

#[test]
fn values_beside_coloured_bushes_add_up_and_agree_with_plain_recursion() {
    let mut chance = Chance(0x5eed_0f2a_11ce_b0b7);
    let mut judge = PlainRecursion::new();
    let (mut compared, mut numbers) = (0, 0);
    while compared < 1_000 {
        let misere = ["", "@misere"][usize::from(compared % 4 == 3)];
        let (bush, other) = (
            coloured(&mut chance, 5),
            format!("value:{}", value(&mut chance, 2)),
        );
        let whole = format!("{bush}+{other}");
        if !agrees(&parse(&format!("{whole}{misere}")), &mut judge, 1_000) {
            continue;
        }
        compared += 1;
        let total = number(&whole);
        if let (Some(bush), Some(other)) = (number(&bush), number(&other)) {
            let ((a, b), (c, d)) = (fraction(&bush), fraction(&other));
            let (over, under) = fraction(&total.expect("two numbers add up to one"));
            assert_eq!((a * d + c * b) * under, over * b * d, "{whole}");
            numbers += 1;
        }
    }
    assert!(numbers > 100, "{numbers}");
}

#[test]
fn a_bush_and_the_value_of_its_mirror_image_cancel_out() {
    let mut chance = Chance(0x5eed_0f2a_11ce_b0b9);
    let mut cancelled = 0;
    while cancelled < 400 {
        let bush = coloured(&mut chance, 5);
        let mirrored: String = bush
            .chars()
            .zip("hack:".chars().map(Some).chain(std::iter::repeat(None)))
            .map(|(c, head)| match (c, head) {
                ('b', None) => 'r',
                ('r', None) => 'b',
                _ => c,
            })
            .collect();
        let shown = sum(&format!("{bush}+value:1+value:-1"));
        // Forms that are long are shown in part.
        if shown.contains("...") {
            continue;
        }
        cancelled += 1;
        let back = format!("{mirrored}+value:{shown}+value:1+value:-1");
        assert_eq!(sum(&back), "0", "{bush} is worth {shown}");
    }
}

#[test]
fn ups_are_added_one_by_one() {
    for ups in 1..=6 {
        for star in 0..4 {
            let one_by_one = vec!["value:u"; ups].join("+");
            let back = format!("value:d{ups}s{star}+{one_by_one}+value:s{star}");
            assert_eq!(sum(&back), "0", "{back}");
            let back = format!("value:u{ups}s{star}+value:d{ups}s{star}");
            assert_eq!(sum(&back), "0", "{back}");
        }
    }
    assert_eq!(sum("value:u100+value:d100s+value:s"), "0");
}

/// J. H. Conway, *On Numbers and Games*, 1976: 4 values are born by day 1 and 22 by day 2.
#[test]
fn as_many_values_are_born_by_day_two_as_conway_counted() {
    let born = |before: &[&str]| {
        let mut values = BTreeSet::new();
        for left in 0..1 << before.len() {
            for right in 0..1 << before.len() {
                let side = |chosen: u32| {
                    let options = before.iter().enumerate();
                    let taken = options.filter(|(place, _)| chosen >> place & 1 == 1);
                    taken
                        .map(|(_, option)| *option)
                        .collect::<Vec<_>>()
                        .join(",")
                };
                // Beside a number, so that the value is always told as one of a sum of coloured games.
                let text = format!("value:{{{}|{}}}+value:1+value:-1", side(left), side(right));
                values.insert(sum(&text));
            }
        }
        values
    };
    assert_eq!(born(&["0"]).len(), 4);
    let second = born(&["0", "1", "-1", "s"]);
    assert_eq!(second.len(), 22, "{second:?}");
}

#[test]
fn the_working_names_the_simplest_number_and_what_is_left_out() {
    for (text, line) in [
        (
            "value:{0|{0|1},1}",
            "{0|1/2,1} = 1/4: the simplest number above 0 and below 1/2",
        ),
        ("value:{{0|*}|1,{1|0}}", "{^|1,{1|0}} = "),
        (
            "value:{0,1|1/2,3}",
            "{0,1|1/2,3} = {1|1/2}: Left's 0 is dominated by 1; Right's 3 is dominated by 1/2",
        ),
        (
            "value:{^|v}",
            "{^|v} = *: Left's ^ is reversible; Right's v is reversible",
        ),
        (
            "value:{1|-1}",
            "{1|-1} = {1|-1}: no option is dominated or reversible, so this is its canonical form",
        ),
        (
            "value:{*|1}",
            "{*|1} = 0: the simplest number that is not at or below an option of Left, nor at or above an option of Right",
        ),
    ] {
        let explanation = explain(&parse(text), Seat::First, &Budget::nodes(1 << 28));
        let found = explanation
            .lines
            .iter()
            .any(|told| told.trim().starts_with(line));
        assert!(found, "{line}\n{explanation}");
    }
}

#[test]
fn large_values_are_solved_at_once() {
    for (text, outcome) in [
        (
            "value:1000000000000000000+value:-999999999999999999",
            OutcomeClass::L,
        ),
        ("value:1/576460752303423488+value:-1", OutcomeClass::R),
        ("value:s1000+value:s999", OutcomeClass::N),
    ] {
        let solution = solve(&parse(text), Seat::First, &Budget::nodes(1 << 24), 10);
        assert_eq!(solution.outcome, outcome, "{text}");
        assert!(solution.exact, "{text}");
    }
}

#[test]
fn a_move_is_read_in_both_spellings_and_refused_with_its_place() {
    let position = parse("value:2,,1:0::-1,,s");
    let read = |seat, text: &str| {
        position
            .parse_move(seat, text)
            .map(|mv| position.play(&mv).to_string())
            .map_err(|error| (error.column, error.message, error.example))
    };
    assert_eq!(read(Seat::First, " { 1 | 0 } "), Ok("value:1:0".to_owned()));
    assert_eq!(read(Seat::First, "1:0"), Ok("value:1:0".to_owned()));
    assert_eq!(read(Seat::Second, "S"), Ok("value:s".to_owned()));
    let (column, message, example) = read(Seat::First, " -1").expect_err("Right's");
    assert_eq!(column, Some(2));
    assert_eq!(message, "-1 is not one of Left's options");
    assert_eq!(example.as_deref(), Some("2"));
    let (column, ..) = read(Seat::First, "{ 1 | 0").expect_err("not closed");
    assert_eq!(column, Some(1));
    assert_eq!(INFO.name, "value");
}
