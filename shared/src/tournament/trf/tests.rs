use proptest::prelude::*;

use super::*;

/// Three rounds of four players, as FIDE's example prints them; columns are counted in the test below.
const SMALL: &str = "\
012 Four friends
001    1 m  g Tal, Mikhail                      2705 LAT     1234567 1936/11/09  2.0    1     3 w 1     2 b 1
001    2 w wg Gaprindashvili, Nona              2495 GEO                         1.0    2     4 b 1     1 w 0
001    3      Bronstein, David                  2590                             1.0    3     1 b 0     4 w 1
001    4      Byrne, Robert                                                      0.0    4     2 w 0     3 b 0
XXR 3
XXC white1
";

fn error(text: &str) -> String {
    let error = text.parse::<Trf>().expect_err("it is refused");
    error.to_string()
}

/// `SMALL` with one piece of text replaced.
fn changed(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from), "{from}");
    SMALL.replace(from, to)
}

#[test]
fn a_report_is_read() {
    let trf: Trf = SMALL.parse().expect("a report");
    assert_eq!(
        trf.headers,
        [("012".to_owned(), " Four friends".to_owned())]
    );
    assert_eq!(
        (trf.total_rounds, trf.initial_colour),
        (Some(3), Some(Colour::White))
    );
    assert_eq!(trf.table.rounds(), 2);
    assert_eq!(trf.table.points(1), HalfPoints(4));
    let tal = &trf.players[0];
    assert_eq!(
        (&*tal.name, tal.rating, &*tal.title),
        ("Tal, Mikhail", 2705, "g")
    );
    assert_eq!((&*tal.federation, &*tal.fide_number), ("LAT", "1234567"));
    assert_eq!(trf.to_string(), SMALL);
}

#[test]
fn line_ends_of_all_kinds_are_read() {
    let trf: Trf = SMALL.parse().expect("a report");
    for end in ["\r\n", "\r"] {
        assert_eq!(SMALL.replace('\n', end).parse(), Ok(trf.clone()));
    }
    assert_eq!(format!("\u{feff}{SMALL}\n\n").parse(), Ok(trf));
}

#[test]
fn errors_name_their_place() {
    assert_eq!(
        error(""),
        "line 1: the file has no player (no line that begins with 001)"
    );
    let cut = SMALL.lines().nth(1).expect("a line");
    assert!(error(&cut[..60]).starts_with("line 1: a player's line needs at least 84 columns"));
    assert!(error(&cut[..95]).contains("line 1, column 92: the entry of round 1 is cut off"));
    assert!(
        error(&changed("2 b 1\n", "2 b\n")).contains("line 2, column 102: the entry of round 2")
    );
    assert!(error(&changed("2.0    1  ", " 2.0    1 ")).contains("line 2, column"));
    assert!(error(&changed(" 2.0 ", " 2.5 ")).contains("player 1 has 2.5 points here, but 2.0"));
    assert!(
        error(&changed(" 2.0 ", " 2.3 ")).contains("column 81: '2.3' is not a number of points")
    );
    assert!(error(&changed("2 b 1\n", "9 b 1\n")).contains("there is no player 9"));
    assert!(error(&changed("2 b 1\n", "1 b 1\n")).contains("a player cannot meet itself"));
    assert!(error(&changed("2 b 1\n", "2 w 1\n")).contains("does not match"));
    assert!(error(&changed("2 b 1\n", "2 x 1\n")).contains("'x' is not a colour"));
    assert!(error(&changed("2 b 1\n", "2 b ?\n")).contains("'?' is not a result"));
    assert!(error(&changed("001    4", "001    5")).contains("no player has the number 4"));
    assert!(error(&changed("001    4", "001    3")).contains("two players have the number 3"));
    assert!(error(&changed("001    4", "001   x4")).contains("'x4' is not a player's number"));
    // The line of player 10000, as a program writes it that does not count the digits.
    let long = error(&changed("001    4 ", "001 10000 "));
    assert!(
        long.contains("line 5, column 9") && long.contains("at most 9,999 players"),
        "{long}"
    );
    assert!(
        error(&changed("XXR 3", "XXR 1")).contains("2 finished rounds, but the tournament only 1")
    );
    assert!(error(&changed("XXR 3", "XXR x")).contains("'x' is not a number of rounds"));
    assert!(error(&changed("XXC white1", "XXC green")).contains("'green' is not a setting"));
    assert!(error(&changed("XXC white1", "XXS W=3")).contains("XXS lines are not supported"));
    assert!(error(&changed("XXC white1", "XXZ 5")).contains("there is no player 5"));
}

#[test]
fn lines_that_contradict_each_other_are_refused() {
    for (from, to, words) in [
        (
            "XXR 3",
            "XXR 3\nXXR 5",
            "line 7: 'XXR 5' contradicts 'XXR 3' in line 6",
        ),
        (
            "XXR 3",
            "142 5\nXXR 3",
            "line 7: 'XXR 3' contradicts '142 5' in line 6",
        ),
        (
            "XXC white1",
            "XXC white1\n\nXXC black1",
            "line 9: 'XXC black1' contradicts 'XXC white1' in line 7",
        ),
        (
            "XXC white1",
            "XXC white1 black1",
            "line 7: 'XXC black1' contradicts 'XXC white1' in line 7",
        ),
        (
            "XXC white1",
            "152 B\nXXC white1",
            "line 8: 'XXC white1' contradicts '152 B' in line 7",
        ),
    ] {
        let error = error(&changed(from, to));
        assert!(error.starts_with(words), "{error}");
    }
    // To say the same twice is no contradiction.
    let twice = format!("{SMALL}142 3\nXXR 3\n152 W\nXXC white1\n");
    assert_eq!(twice.parse::<Trf>(), SMALL.parse());
}

#[test]
fn byes_of_the_next_round_are_absences() {
    let text = changed("2 b 1\n", "2 b 1  0000 - H\n");
    let trf: Trf = text.parse().expect("a report");
    assert_eq!(trf.table.rounds(), 2);
    assert_eq!(trf.next_byes, BTreeMap::from([(1, Entry::HalfBye)]));
    assert_eq!(
        trf.swiss_rules().expect("rounds").absent,
        BTreeSet::from([1])
    );
    // The points may include the bye already.
    assert!(text.replace(" 2.0 ", " 2.5 ").parse::<Trf>().is_ok());
    assert_eq!(trf.to_string(), text);
}

#[test]
fn the_first_round_shows_the_colour_that_was_drawn() {
    let drawn = |text: &str| {
        text.parse::<Trf>()
            .expect("a report")
            .swiss_rules()
            .expect("rounds")
            .initial_colour
    };
    assert_eq!(drawn(SMALL), Colour::White);
    let without = changed("XXC white1\n", "");
    assert_eq!(drawn(&without), Colour::White);
    let swapped = without
        .replace('w', "?")
        .replace('b', "w")
        .replace('?', "b");
    assert_eq!(drawn(&swapped), Colour::Black);
}

/// Entries of a round in which neighbours of a random order meet.
fn round(order: &[u32], results: &[u8]) -> Vec<Entry> {
    let mut entries = vec![Entry::ZeroBye; order.len()];
    for (two, result) in order.chunks(2).zip(results) {
        let [one, other] = *two else {
            let lone = [
                Entry::PairingBye,
                Entry::FullBye,
                Entry::HalfBye,
                Entry::ZeroBye,
            ];
            entries[two[0] as usize - 1] = lone[usize::from(*result) % 4];
            continue;
        };
        let (mine, theirs) = match result {
            0..=2 => {
                let played = |opponent, colour, score| Entry::Played {
                    opponent,
                    colour,
                    score: HalfPoints(score),
                };
                let score = u32::from(*result);
                (
                    played(other, Colour::White, score),
                    played(one, Colour::Black, 2 - score),
                )
            }
            _ => {
                let forfeit = |opponent, colour, won| Entry::Forfeit {
                    opponent,
                    colour: Some(colour),
                    won,
                };
                (
                    forfeit(other, Colour::White, *result == 3),
                    forfeit(one, Colour::Black, false),
                )
            }
        };
        entries[one as usize - 1] = mine;
        entries[other as usize - 1] = theirs;
    }
    entries
}

proptest! {
    #[test]
    fn written_reports_read_back(
        orders in prop::collection::vec(Just((1..=7u32).collect::<Vec<_>>()).prop_shuffle(), 0..5),
        results in prop::collection::vec(0u8..5, 20),
        names in prop::collection::vec("[A-Za-zÀ-ž]{1,12}(, [A-Z][a-zé]{1,10})?", 7),
        rating in 0u32..3000,
    ) {
        let mut table = CrossTable::new(7, WIN);
        for (place, order) in orders.iter().enumerate() {
            table.push_round(&round(order, &results[place * 4..])).expect("a round");
        }
        let players = names.into_iter().map(|name| TrfPlayer { name, rating, ..TrfPlayer::default() });
        let trf = Trf {
            headers: vec![("012".to_owned(), " A name".to_owned())],
            players: players.collect(),
            table,
            next_byes: BTreeMap::new(),
            total_rounds: Some(9),
            initial_colour: Some(Colour::Black),
            absent: BTreeSet::from([3]),
            forbidden: BTreeSet::from([(1, 2), (4, 6)]),
        };
        // A round in which nobody was paired and some have no bye is a round of absences: that is not written.
        let last = trf.table.numbers().all(|number| {
            trf.table.row(number).last().is_some_and(|entry| entry.is_paired())
        });
        prop_assume!(trf.table.rounds() == 0 || last || !orders.is_empty());
        prop_assert_eq!(trf.to_string().parse::<Trf>(), Ok(trf));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(001|XXR|XXP|012)?[ 0-9a-zé.=+\n-]{0,300}") {
        let _ = text.parse::<Trf>();
    }
}
