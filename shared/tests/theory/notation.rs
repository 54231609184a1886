//! Texts that are not positions or moves: the code, the place and a legal example, and no panic whatever is typed.

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use proptest::prelude::*;

/// Checks a refusal: its code, its column and length; its example must be accepted.
pub(crate) fn refused(text: &str, code: &str, column: usize, length: usize) {
    let error = Position::parse(text).expect_err(text);
    assert_eq!(
        (error.code.as_str(), error.column, error.length),
        (code, column, length),
        "{text}: {error:?}"
    );
    assert!(
        Position::parse(&error.help).is_ok(),
        "{text}: help {}",
        error.help
    );
    assert!(
        !error.message.is_empty() && !error.expected.is_empty(),
        "{text}"
    );
}

#[test]
fn refusals_point_at_the_place() {
    let bad = "bad_position";
    refused("", bad, 1, 1);
    refused("nim", bad, 4, 1);
    refused("nim:", bad, 5, 1);
    refused("nim:1,4,x", bad, 9, 1);
    refused("nim:1,,4", bad, 7, 1);
    refused("nim:1,", bad, 7, 1);
    refused("nim:-3", bad, 5, 2);
    refused("nim:3, 4", bad, 7, 1);
    refused("nim:3\u{a0}", bad, 6, 1);
    refused("nim:\u{4e09}", bad, 5, 1);
    refused("nimm:3", bad, 1, 4);
    refused("nim:3+", bad, 7, 1);
    refused("nim:3++nim:4", bad, 7, 1);
    refused("nim:3+chess:4", bad, 7, 5);
    refused("nim:3@misere@misere", bad, 14, 6);
    refused("nim:3@", bad, 7, 1);
    refused("nim:3@evry", bad, 7, 4);
    refused("nim:3@every@selective", bad, 13, 9);
    refused("nim:3@every@every", bad, 13, 5);
    refused("nim:3@misere@every", bad, 14, 5);
    refused("nim:3@every@misere@misere", bad, 20, 6);
    refused("nim:3@every@", bad, 13, 1);
    refused("nim:3@every+nim:4", bad, 7, 11);
    refused("nim:3+hack:0b1@zero", bad, 7, 8);
    refused("hack:0b1,1-2@zero@misere", bad, 1, 12);
    refused("nim:3,_", bad, 7, 1);
    refused("wythoff:5", bad, 9, 1);
    refused("wythoff:5,6,7", bad, 9, 5);
    refused("wythoff:_", bad, 9, 1);
    let range = "out_of_range";
    refused("nim:1000000000000000001", range, 5, 19);
    refused("nim:10000000000000000000", range, 5, 20);
    refused("bash.0:5", range, 6, 1);
    refused("bash.1000000000000000001:5", range, 6, 19);
    refused("sub.1.1000000000000000001:5", range, 7, 19);
    let code = "bad_game_code";
    refused("nim.3:4", code, 5, 1);
    refused("bash:5", code, 5, 1);
    refused("bash.x:5", code, 6, 1);
    refused("bash.3.4:5", code, 6, 3);
    refused("sub:5", code, 4, 1);
    refused("sub.0:5", code, 5, 1);
    refused("sub.1..3:5", code, 7, 1);
    refused("octal:5", code, 6, 1);
    refused("octal.0.78g:5", code, 11, 1);
    refused("octal.0.7F:5", code, 10, 1);
    refused("octal.1.7:5", code, 7, 1);
    refused("octal.0.770:5", code, 11, 1);
    refused("octal.0.:5", code, 9, 1);
    refused("octal.0.7.7:5", code, 10, 1);
    refused("kayles.2:5", code, 8, 1);
}

#[test]
fn refusals_of_rows_and_graphs_point_at_the_place() {
    let (bad, range, code) = ("bad_position", "out_of_range", "bad_game_code");
    refused("flip:HT", code, 5, 1);
    refused("flip.0:HT", range, 6, 1);
    refused("flip.1.65:HT", range, 8, 2);
    refused("flip.1:HxT", bad, 9, 1);
    refused("flip.1:", bad, 8, 1);
    refused("turtles.2:HT", code, 9, 1);
    refused("mockturtles:HxT", bad, 14, 1);
    refused("mogul:", bad, 7, 1);
    refused("turnips.3:HT", code, 9, 1);
    refused("grunt:H0", bad, 8, 1);
    refused("ruler.x:HT", code, 7, 1);
    refused("dag:1", code, 4, 1);
    refused("dag.1-2.2-1:1", code, 9, 3);
    refused("dag.1-1:1", code, 5, 3);
    refused("fork:1", code, 5, 1);
    refused("fork.3-3:3", code, 6, 3);
    refused("fork.3-1/2.2-0/3:3", code, 6, 5);
    refused("fork.3-1/:3", code, 10, 1);
    refused("fork.3-1/x:3", code, 10, 1);
    refused("fork.3-1/2:4", bad, 12, 1);
    refused("fork.1-0/0:1000000000", range, 12, 10);
    refused(
        "fork.6-5/5/5/5/5/5/5/5/5/5.5-4/4/4/4/4/4/4/4/4/4.4-3/3/3/3/3/3/3/3/3/3.3-2/2/2/2/2/2/2/2/2/2.2-1/1/1/1/1/1/1/1/1/1.1-0/0:6",
        range,
        122,
        1,
    );
    refused("dag.1-0:2", bad, 9, 1);
    refused("dag.1-0:", bad, 9, 1);
    refused("dag.1-1000000000:1", range, 7, 10);
    refused("prefix:0", code, 7, 1);
    refused("prefix.2:012", bad, 10, 3);
    refused("prefix.2:011", range, 10, 3);
    refused("prefix.3:0,1,10", bad, 14, 2);
    refused("prefix.3:0,0", bad, 12, 1);
    refused("nodekayles:0-0", bad, 12, 3);
    refused("nodekayles:0-1,", bad, 16, 1);
    refused("cram:../.", bad, 9, 1);
    refused("cram:.y", bad, 7, 1);
    refused("chomp:3,4", bad, 9, 1);
    refused("chomp.3:4", code, 7, 1);
    refused("notakto:x..", bad, 9, 3);
    refused("notakto:x...x..../", bad, 19, 1);
    refused("treblecross:", bad, 13, 1);
    refused("treblecross:..o", bad, 15, 1);
    refused("hack:", bad, 6, 1);
    refused("geo:0", code, 4, 1);
    refused("geo.0-0:0", code, 5, 3);
    refused("geo.0-1.1-2:0,2", bad, 15, 1);
    refused("geo.0-1.1-2:0,1,0", bad, 17, 1);
    refused("geo.0-1.1-2:3", bad, 13, 1);
    refused("hack:0", bad, 6, 1);
    refused("hack:0-1,2-3", bad, 10, 3);
    refused("hack:0-1,2", bad, 10, 1);
    refused("hack:0-x", bad, 8, 1);
    refused("hack:0g1", bad, 7, 1);
    refused("hack:0-1-2B3", bad, 11, 1);
    refused("hack:0b", bad, 8, 1);
    refused("hack:b1", bad, 6, 1);
    refused("hack:0br1", bad, 8, 1);
    refused("hack:0b1,2r3", bad, 10, 3);
    refused("hack:0-1000000000", range, 8, 10);
    refused("ruler:1", bad, 7, 1);
    refused("value.2:0", code, 7, 1);
    refused("value:", bad, 7, 1);
    refused("value:x", bad, 7, 1);
    refused("value:1/3", bad, 9, 1);
    refused("value:1/2u", bad, 7, 4);
    refused("value:0,1", bad, 8, 1);
    refused("value:0:1:2", bad, 10, 1);
    refused("value:0::,1::2", bad, 12, 2);
    refused("value:0,,1:2", bad, 8, 2);
    refused("value:0,:2", bad, 9, 1);
    refused("value:{0|1", bad, 7, 1);
    refused("value:{{0|1}", bad, 7, 1);
    refused("value:{0|1}}", bad, 12, 1);
    refused("value:{0}", bad, 9, 1);
    refused("value:{0|1|2}", bad, 11, 1);
    refused("value:{0,|1}", bad, 10, 1);
    refused("value:{0|1}2", bad, 12, 1);
    refused("value:{0{1|}|}", bad, 9, 1);
    refused("value:{|}*", bad, 10, 1);
    refused("nim:{3}", bad, 5, 1);
    refused("value:s1001", range, 8, 4);
    refused("value:u101", range, 8, 3);
    refused(&format!("value:0{}1", ":".repeat(21)), range, 7, 23);
    refused(
        &format!("value:{}{}", "{|".repeat(21), "}".repeat(21)),
        range,
        47,
        1,
    );
    refused(
        &format!("value:{{{}|}}", vec!["{|}"; 1_000].join(",")),
        range,
        7,
        4_002,
    );
    refused(
        &format!("ruler:{}", "H".repeat(1_000_001)),
        range,
        7,
        1_000_001,
    );
}

#[test]
fn giants_are_refused_at_once() {
    let heaps = vec!["1"; 1_000_000].join(",");
    refused(&format!("nim:{heaps}"), "out_of_range", 1, 2_000_003);
    let digits = "7".repeat(10_000);
    refused(
        &format!("octal.0.{digits}:5"),
        "bad_game_code",
        1_009,
        9_000,
    );
    let members = vec!["1"; 20_000].join(".");
    refused(&format!("sub.{members}:5"), "out_of_range", 5, 39_999);
    refused(
        &format!("nim:{}", "9".repeat(1_000_000)),
        "out_of_range",
        5,
        1_000_000,
    );
}

#[test]
fn what_is_read_is_printed_in_one_form() {
    for (typed, printed) in [
        ("nim:007,0", "nim:7,0"),
        ("sub.4.1.3.3.0:9", "sub.1.3.4:9"),
        ("sub.02:9", "sub.2:9"),
        ("kayles:7@misere", "kayles:7@misere"),
        ("nim:03+kayles:7@every", "nim:3+kayles:7@every"),
        ("nim:3,5@shortsum@misere", "nim:3,5@shortsum@misere"),
        ("nim:_+octal.4:3", "nim:_+octal.4:3"),
        ("octal.c.05f:3", "octal.c.05f:3"),
        ("nim:1000000000000000000", "nim:1000000000000000000"),
    ] {
        let position = Position::parse(typed).unwrap_or_else(|error| panic!("{typed}: {error:?}"));
        assert_eq!(position.to_string(), printed);
    }
}

#[test]
fn every_position_in_the_documentation_is_accepted() {
    let page = include_str!("../../../docs/NOTATION.md");
    let code = page.split('`').skip(1).step_by(2);
    let positions = code.filter(|text| !text.starts_with(|c: char| c.is_ascii_digit()));
    let positions =
        positions.filter(|text| text.contains(':') && !text.contains(['{', '\n', '"', ' ']));
    let mut checked = 0;
    for text in positions {
        Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        checked += 1;
    }
    assert!(checked >= 10, "{checked} positions found");
}

/// Plays a move as typed; gives the move as printed and the position after it.
fn played(position: &str, typed: &str) -> (String, String) {
    let position = Position::parse(position).expect(position);
    let mv = position.parse_move(Seat::First, typed);
    let mv = mv.unwrap_or_else(|error| panic!("{typed} in {position}: {error:?}"));
    (mv.to_string(), position.play(&mv).to_string())
}

#[test]
fn moves_are_read_as_people_type_them() {
    let is = |mv: &str, to: &str| (mv.to_owned(), to.to_owned());
    for typed in ["d4", "D 4", "D-4", "D - 4", " d - 04", "D=3", "1.D-4"] {
        assert_eq!(played("nim:1,4,6,7", typed), is("D-4", "nim:1,4,6,3"));
    }
    assert_eq!(
        played("kayles:7,1", "a-2/4,1"),
        is("A-2/1,4", "kayles:1,1,4")
    );
    assert_eq!(played("octal.4:5", "a/3,2"), is("A-0/2,3", "octal.4:2,3"));
    assert_eq!(
        played("octal.0.f:7", "A1/3,1,2"),
        is("A-1/1,2,3", "octal.0.f:1,2,3")
    );
    assert_eq!(played("wythoff:5,8", "ba 3"), is("AB-3", "wythoff:2,5"));
    assert_eq!(
        played("nim:3+nim:4,5", "2 . b5"),
        is("2.B-5", "nim:3+nim:4,0")
    );
}

#[test]
fn moves_of_several_components_are_read_as_people_type_them() {
    let is = |mv: &str, to: &str| (mv.to_owned(), to.to_owned());
    let both = "moore.2:3,4+flip.1.2:HTH@every";
    for typed in [
        "1.A-1,B-2,2.1,3",
        "1.a1,b2,2.1,3",
        " 1 . A - 1 , B - 2 , 2 . 1 , 3 ",
        "2.1,3,1.A-1,B-2",
    ] {
        assert_eq!(
            played(both, typed),
            is("1.A-1,B-2,2.1,3", "moore.2:2,2+flip.1.2:TTT@every")
        );
    }
    // A run of coins is no number of a component.
    assert_eq!(
        played("ruler:THH+ruler:HHH@conjunctive@misere", "2.1..3,1.2..3"),
        is("1.2..3,2.1..3", "ruler:TTT+ruler:TTT@conjunctive@misere")
    );
    let three = "race.10.100:0+octal.0.77:7+notakto:........./.........@selective";
    for typed in ["3.2:5,1.+7", "1.+7,3.2:5", "1.7,3.2:5"] {
        assert_eq!(played(three, typed).0, "1.+7,3.2:5", "{typed}");
    }
    assert_eq!(played(three, "2.a-2/4,1,1.+7").0, "1.+7,2.A-2/1,4");
    assert_eq!(played(three, "2.A-1").0, "2.A-1");
    // Finished components need no move, and one component needs no number.
    assert_eq!(
        played("nim:0+nim:3+nim:2@every", "2.A=1,3.A-2"),
        is("2.A-2,3.A-2", "nim:0+nim:1+nim:0@every")
    );
    assert_eq!(played("nim:3,5@every", "B-5"), is("B-5", "nim:3,0@every"));
}

#[test]
fn wrong_moves_of_several_components_point_at_the_place() {
    for (position, typed, column) in [
        ("nim:3+nim:5@every", "1.A-1", 6),
        ("nim:3+nim:5@every", "2.A-1 ", 6),
        ("nim:3+nim:5@every", "A-1,2.A-1", 1),
        ("nim:3+nim:5@every", "1.A-1,3.A-1", 7),
        ("nim:3+nim:5@every", "1.A-1, 1.A-2", 8),
        ("nim:3+nim:5@every", "1.A-1,2.B-2", 9),
        ("nim:3+nim:5@selective", "1.A-9,2.A-1", 3),
        ("nim:3+nim:5@selective", "2.A-1, 1.A-9", 10),
        ("nim:3+nim:5", "1.A-1,2.A-1", 7),
        ("nim:3+nim:5@shortsum", "1.A-1,2.A-1", 7),
        ("nim:3+nim:5@shortselective", "", 1),
    ] {
        let place = Position::parse(position).expect(position);
        let error = place.parse_move(Seat::First, typed).expect_err(typed);
        assert_eq!(
            error.column,
            Some(column),
            "{typed} in {position}: {error:?}"
        );
        let example = error.example.expect("there is a legal move");
        assert!(
            place.parse_move(Seat::First, &example).is_ok(),
            "{example} in {position}"
        );
    }
    for over in [
        "nim:3+nim:0@conjunctive",
        "nim:0+nim:3@shortsum",
        "nim:3+nim:0@shortselective@misere",
    ] {
        let place = Position::parse(over).expect(over);
        assert!(place.is_over(Seat::First), "{over}");
        assert!(place.parse_move(Seat::First, "1.A-1").is_err());
    }
}

#[test]
fn wrong_moves_are_explained_with_a_legal_example() {
    for (position, typed) in [
        ("nim:1,4", ""),
        ("nim:1,4", "C-1"),
        ("nim:1,4", "B-5"),
        ("nim:1,4", "B-0"),
        ("nim:1,4", "B=4"),
        ("nim:1,4", "B-2/1,1"),
        ("nim:1,4", "B-99999999999999999999999"),
        ("nim:1,4", "2.A-1"),
        ("nim:0,4", "A-1"),
        ("bash.3:9", "A-4"),
        ("sub.2.5:9", "A-3"),
        ("kayles:7", "A-3"),
        ("kayles:7", "A-2/1,3"),
        ("kayles:7", "A-2/0,5"),
        ("kayles:7", "A-1/1,2,3"),
        ("octal.0.5:3", "A-1"),
        ("octal.4:3", "A-0"),
        ("wythoff:2,5", "AB-3"),
        ("wythoff:2,5", "C-1"),
        ("nim:3+nim:4", "A-1"),
        ("nim:3+nim:4", "3.A-1"),
        ("nim:3+nim:4", "2.A-5"),
    ] {
        let place = Position::parse(position).expect(position);
        let error = place.parse_move(Seat::First, typed).expect_err(typed);
        let example = error
            .example
            .unwrap_or_else(|| panic!("{typed} in {position} has no example"));
        assert!(
            place.parse_move(Seat::First, &example).is_ok(),
            "{example} in {position}"
        );
    }
    let over = Position::parse("nim:0").expect("a finished position");
    let error = over.parse_move(Seat::First, "A-1").expect_err("it is over");
    assert_eq!(error.example, None);
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,60}") {
        let _ = Position::parse(&text);
    }

    #[test]
    fn nothing_that_looks_like_a_position_makes_the_reader_panic(
        text in "(nim|bash|sub|octal|wythoff|kayles|flip|ruler|dag|prefix|hack|geo|nodekayles|cram|chomp|notakto|treblecross)[.:0-9a-fHTx/,_-]{0,20}(\\+(nim|sub)[.:0-9,_]{0,9})?(@(every|selective|conjunctive|shortsum|shortselective|misere|[a-z]{0,7})){0,2}",
        typed in "[ A-Ca-c0-9./,=-]{0,16}",
    ) {
        if let Ok(position) = Position::parse(&text) {
            let printed = position.to_string();
            prop_assert_eq!(Position::parse(&printed), Ok(position.clone()));
            if let Ok(mv) = position.parse_move(Seat::First, &typed) {
                let again = position.parse_move(Seat::First, &mv.to_string());
                prop_assert_eq!(again, Ok(mv.clone()));
                let after = position.play(&mv).to_string();
                prop_assert!(Position::parse(&after).is_ok(), "{}", after);
            }
        }
    }

    #[test]
    fn no_text_makes_the_reader_of_moves_panic(typed in ".{0,40}") {
        for text in ["nim:3,5", "flip.1.2:HTH", "ruler.3:HTH", "wythoff:3,4", "kayles:7+nim:2", "octal.8.f:9"] {
            let position = Position::parse(text).expect(text);
            let _ = position.parse_move(Seat::First, &typed);
        }
    }
}
