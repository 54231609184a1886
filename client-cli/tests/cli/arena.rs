//! Arenas: pairs, formats, figures, bad input.

use std::fs;

use serde_json::Value;

use crate::program::{Home, Ran};

/// The lines of `--json`.
pub(crate) fn lines(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

pub(crate) fn games(ran: &Ran) -> Vec<Value> {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let games = lines(&ran.stdout).into_iter();
    games.filter(|line| line["type"] == "game").collect()
}

pub(crate) const FOUR: [&str; 8] = [
    "--bot",
    "perfect",
    "--bot",
    "skill:0.6",
    "--bot",
    "greedy",
    "--bot",
    "random",
];

/// Time for each move that nobody exceeds, on any machine: for arenas in which time is not what is tested.
pub(crate) const UNHURRIED: [&str; 2] = ["--time", "10m"];

/// Plays an arena; unhurried, if nothing is said of time.
pub(crate) fn arena<'a>(home: &Home, bots: &[&'a str], rest: &[&'a str]) -> Ran {
    let mut arguments = [&["arena", "--quiet"], bots, rest].concat();
    let is_settled = |word: &&str| ["--time", "--resume"].contains(word);
    if !arguments.iter().any(is_settled) {
        arguments.extend(UNHURRIED);
    }
    home.run(&arguments)
}

#[test]
fn the_same_seed_gives_the_same_bytes_at_any_concurrency() {
    let home = Home::new();
    let run = |concurrency| {
        let rest = [
            "--pairs",
            "12",
            "--seed",
            "7",
            "--json",
            "--concurrency",
            concurrency,
        ];
        arena(&home, &FOUR, &rest)
    };
    let one = run("1");
    assert_eq!(one.code, Some(0), "{one:?}");
    for concurrency in ["2", "9"] {
        assert!(run(concurrency).stdout == one.stdout, "{concurrency}");
    }
    let all = lines(&one.stdout);
    let last = all.last().expect("lines");
    assert_eq!(last["type"], "final");
    assert_eq!(last["games"], 144);
    assert_eq!(last["pairs"], 72);
    let standings = last["standings"].as_array().expect("a list");
    assert_eq!(standings.len(), 4);
    assert_eq!(standings[0]["name"], "perfect");
    assert_eq!(standings[0]["accuracy"], 1.0);
    let points: f64 = standings
        .iter()
        .map(|row| row["points"].as_f64().expect("a number"))
        .sum();
    assert!((points - 144.0).abs() < 1e-9, "{points}");
    assert!(!one.stdout.contains("NaN") && !one.stdout.contains("inf"));
}

#[test]
fn every_pair_swaps_sides_from_one_start() {
    let home = Home::new();
    let played = games(&arena(
        &home,
        &FOUR,
        &["--pairs", "3", "--json", "--seed", "1"],
    ));
    for pair in played.chunks(2) {
        assert_eq!(pair[0]["start"], pair[1]["start"]);
        assert_eq!(pair[0]["first"], pair[1]["second"]);
        assert_eq!(pair[0]["second"], pair[1]["first"]);
        assert_eq!(pair[0]["pair"], pair[1]["pair"]);
    }
}

const SUITE: [&str; 7] = [
    "nim:3,5,7",
    "nim:1,4,6",
    "nim:2,3,9",
    "nim:4,5,8",
    "nim:1,2,5",
    "nim:6,7,9",
    "nim:2,8,9",
];

/// A word of a game as text.
fn word(game: &Value, name: &str) -> String {
    game[name].as_str().expect("a word").to_owned()
}

#[test]
fn two_bots_that_meet_again_use_the_next_starts_of_the_suite() {
    let home = Home::new();
    let suite = written(&home, "suite.txt", &SUITE.join("\n"));
    let bots = ["one", "two", "three", "four"].map(|name| format!("{name}=perfect"));
    for (format, players, due) in [
        ("round-robin", 2, vec![(1, &SUITE[..2])]),
        (
            "double-round-robin",
            2,
            vec![(1, &SUITE[..2]), (2, &SUITE[2..4])],
        ),
        (
            "swiss",
            4,
            vec![
                (1, &SUITE[..2]),
                (1, &SUITE[..2]),
                (2, &SUITE[2..4]),
                (2, &SUITE[2..4]),
            ],
        ),
        // Two pairs, and five extra ones of a level match.
        ("knockout", 2, vec![(1, &SUITE[..])]),
    ] {
        let bots: Vec<&str> = bots[..players]
            .iter()
            .flat_map(|bot| ["--bot", &**bot])
            .collect();
        let rest = [
            "--start", &suite, "--pairs", "2", "--rounds", "2", "--json", "--format", format,
        ];
        let played = games(&arena(&home, &bots, &rest));
        let meetings = played.chunk_by(|a, b| {
            let names = |game: &Value| {
                let mut names = [word(game, "first"), word(game, "second")];
                names.sort_unstable();
                (game["round"].as_u64(), names)
            };
            names(a) == names(b)
        });
        let used: Vec<(u64, Vec<String>)> = meetings
            .map(|games| {
                let starts = games.chunks(2).map(|pair| word(&pair[0], "start"));
                let round = games[0]["round"].as_u64().expect("a number");
                (round, starts.collect())
            })
            .collect();
        let due: Vec<(u64, Vec<String>)> = due
            .into_iter()
            .map(|(round, starts)| (round, starts.iter().map(|&start| start.into()).collect()))
            .collect();
        assert_eq!(used, due, "{format}");
    }
}

#[test]
fn the_seed_decides_the_order_of_the_starts_and_every_random_move() {
    let home = Home::new();
    let suite = written(&home, "suite.txt", &SUITE.join("\n"));
    let bots = ["--bot", "one=random", "--bot", "two=random"];
    let run = |start: &str, seed: &str| {
        let rest = [
            "--start", start, "--order", "random", "--pairs", "7", "--seed", seed, "--json",
        ];
        games(&arena(&home, &bots, &rest))
    };
    let starts = |seed: &str| -> Vec<String> {
        let games = run(&suite, seed);
        games
            .chunks(2)
            .map(|pair| word(&pair[0], "start"))
            .collect()
    };
    let (mut one, mut two) = (starts("1"), starts("2"));
    assert_ne!(one, two);
    one.sort_unstable();
    two.sort_unstable();
    assert_eq!(one, two, "every start is used before one comes again");
    // No game repeats another, of the same arena or of another seed.
    let mut moves: Vec<String> = ["1", "2"]
        .into_iter()
        .flat_map(|seed| run("nim:30,40,50", seed))
        .map(|game| word(&game, "moves"))
        .collect();
    assert_eq!(moves.len(), 28);
    moves.sort_unstable();
    moves.dedup();
    assert_eq!(moves.len(), 28);
}

#[test]
fn each_format_plays_to_its_end() {
    let home = Home::new();
    for (format, games) in [
        ("round-robin", Some(24)),
        ("double-round-robin", Some(48)),
        ("gauntlet", Some(12)),
        ("swiss", Some(24)),
        ("knockout", None),
    ] {
        let rest = [
            "--pairs", "2", "--rounds", "3", "--json", "--seed", "3", "--format", format,
        ];
        let ran = arena(&home, &FOUR, &rest);
        assert_eq!(ran.code, Some(0), "{format}: {ran:?}");
        let all = lines(&ran.stdout);
        let last = all.last().expect("lines");
        assert_eq!(last["standings"][0]["name"], "perfect", "{format}");
        if let Some(games) = games {
            assert_eq!(last["games"], games, "{format}");
        }
    }
}

#[test]
fn a_level_match_has_figures_or_says_why_not() {
    let home = Home::new();
    let bots = ["--bot", "one=perfect", "--bot", "two=perfect"];
    let ran = arena(&home, &bots, &["--pairs", "10", "--json"]);
    let last = lines(&ran.stdout).pop().expect("lines");
    let duel = &last["duel"];
    assert_eq!(duel["sound"], 10);
    assert_eq!(duel["elo"], 0.0);
    assert!(duel["nelo"].is_null(), "{duel}");
    assert!(!duel["why"].as_array().expect("a list").is_empty());
    let text = arena(&home, &bots, &["--pairs", "10"]);
    assert!(text.stdout.contains("no errors seen"), "{text:?}");
}

#[test]
fn a_sequential_test_stops_when_it_is_decided() {
    let home = Home::new();
    let bots = ["--bot", "perfect", "--bot", "skill:0.5"];
    let run = |concurrency| {
        let rest = [
            "--pairs",
            "2000",
            "--seed",
            "5",
            "--json",
            "--sprt",
            "elo0=0,elo1=20",
            "--concurrency",
            concurrency,
        ];
        arena(&home, &bots, &rest)
    };
    let ran = run("4");
    let last = lines(&ran.stdout).pop().expect("lines");
    assert_eq!(last["sprt"]["verdict"], "H1", "{last}");
    assert!(last["pairs"].as_u64().expect("a number") < 500, "{last}");
    assert!(run("1").stdout == ran.stdout);
}

#[test]
fn a_level_knockout_match_gets_five_extra_pairs_and_then_the_better_seed_goes_on() {
    let home = Home::new();
    let bots = [
        "--bot",
        "one=perfect",
        "--bot",
        "two=perfect",
        "--bot",
        "three=random",
    ];
    let rest = [
        "--pairs", "2", "--seed", "3", "--format", "knockout", "--json", "--out", "out",
    ];
    let ran = arena(&home, &bots, &rest);
    let all = games(&ran);
    // The first round is two against three, the second one against two: two pairs and five extra ones.
    let final_match = all.iter().filter(|game| game["round"] == 2);
    assert_eq!(final_match.count(), 2 * (2 + 5), "{ran:?}");
    let last = lines(&ran.stdout).pop().expect("lines");
    assert_eq!(last["standings"][0]["name"], "one", "{last}");
    assert_eq!(last["standings"][1]["name"], "two", "{last}");
    let trf = fs::read_to_string(home.file("out/tournament.trf")).expect("a file");
    assert!(
        trf.contains("   2 w ="),
        "a level match is a draw in the file: {trf}"
    );
}

#[test]
fn a_swiss_arena_can_be_paired_anew_from_its_tournament_file() {
    let home = Home::new();
    let bots: Vec<String> = (1..=7).map(|n| format!("b{n}=skill:0.{n}")).collect();
    let bots: Vec<&str> = bots.iter().flat_map(|bot| ["--bot", bot]).collect();
    let rest = [
        "--pairs", "2", "--seed", "5", "--format", "swiss", "--json", "--out", "out",
    ];
    let ran = arena(&home, &bots, &rest);
    let played = games(&ran);
    let path = home.file("out/tournament.trf").display().to_string();
    let trf = fs::read_to_string(&path).expect("a file");
    assert!(trf.contains("XXR 5"), "{trf}");
    // The final order of the file is that of the arena.
    let standings = home
        .run(&["tournament", "standings", &path, "--json"])
        .json();
    let last = lines(&ran.stdout).pop().expect("lines");
    for row in standings["rows"].as_array().expect("rows") {
        let name = format!("b{}", row["id"]);
        let mine = last["standings"].as_array().expect("rows").iter();
        let mine = mine
            .clone()
            .find(|row| row["name"] == *name)
            .expect("a row");
        assert_eq!(mine["match_points"], row["PTS"], "{name}");
        assert!(mine["rank"].as_u64() >= row["rank"].as_u64(), "{name}");
    }
    for round in 1..=5usize {
        let before: Vec<String> = trf.lines().map(|line| cut(line, round - 1)).collect();
        home.write("before.trf", &before.join("\n"));
        let paired = home.run(&["tournament", "pair", "before.trf", "--no-colours", "--json"]);
        assert_eq!(paired.code, Some(0), "{paired:?} {before:#?}");
        let pairs = paired.json()["pairs"].as_array().expect("pairs").clone();
        let due: Vec<String> = pairs
            .iter()
            .map(|pair| format!("b{} b{}", pair[0], pair[1]))
            .collect();
        let was = played.iter().filter(|game| game["round"] == round);
        let was = was.map(|game| {
            let name = |seat: &str| game[seat].as_str().expect("a name").to_owned();
            match game["game"].as_u64().expect("a number") % 2 {
                1 => format!("{} {}", name("first"), name("second")),
                _ => format!("{} {}", name("second"), name("first")),
            }
        });
        let mut was: Vec<String> = was.collect();
        was.dedup();
        assert_eq!(was, due, "round {round}");
    }
}

/// A line of a tournament file as it was after so many rounds.
fn cut(line: &str, rounds: usize) -> String {
    if !line.starts_with("001") {
        return line.to_owned();
    }
    let entries = &line.as_bytes()[91.min(line.len())..];
    let mut half_points = 0;
    for round in 0..rounds {
        half_points += match entries[10 * round + 7] {
            b'1' | b'U' => 2,
            b'=' => 1,
            _ => 0,
        };
    }
    let points = format!("{}.{}", half_points / 2, half_points % 2 * 5);
    let kept: String = line.chars().take(91 + 10 * rounds).collect();
    format!("{}{points:>4}{}", &kept[..80], &kept[84..])
}

/// The file of a bot in a home, as an argument.
fn written(home: &Home, name: &str, text: &str) -> String {
    home.write(name, text).display().to_string()
}

#[test]
fn bad_arenas_are_refused_with_place_and_remedy() {
    let home = Home::new();
    let suite = written(&home, "suite.txt", "nim:3,5,7\n# a comment\nchess:e4\n");
    let typo = written(&home, "typo.toml", "command = \"./x\"\ncolour = 1\n");
    let empty = written(&home, "empty.toml", "name = \"x\"\n");
    let low = written(
        &home,
        "low.toml",
        "command = \"./x\"\nmemory_mib = 1048577\n",
    );
    let nothing = written(&home, "nothing.toml", "command = []\n");
    let nowhere = written(
        &home,
        "nowhere.toml",
        "command = \"./x\"\ndirectory = \"/nope\"\n",
    );
    for (arguments, code, words) in [
        (vec!["--bot", "random"], 3, "alone"),
        (vec!["--bot", "random", "--bot", "random"], 3, "two bots"),
        (
            vec!["--bot", "x=perfect", "--bot", "x=random"],
            3,
            "--bot other=random",
        ),
        (
            vec![
                "--bot",
                "x=perfect",
                "--bot",
                "x=cmd:A=B ./x",
                "--bot",
                "random",
            ],
            3,
            "--bot other=cmd:A=B ./x",
        ),
        (
            vec!["--bot", "random", "--bot", "perfect", "--max-plies", "0"],
            3,
            "--max-plies 0",
        ),
        (vec!["--bot", "random", "--bot", "perfekt"], 3, "perfekt"),
        (
            vec!["--bot", "random", "--bot", "perfect", "--pairs", "0"],
            3,
            "--pairs 0",
        ),
        (
            vec!["--bot", "random", "--bot", "perfect", "--start", &suite],
            3,
            "line 3",
        ),
        (vec!["--bot", "random", "--bot", &typo], 3, "line 2"),
        (vec!["--bot", "random", "--bot", &empty], 3, "command"),
        (vec!["--bot", "random", "--bot", "no.toml"], 4, "no.toml"),
        (
            vec!["--bot", "random", "--bot", "cmd:./not-there"],
            1,
            "not-there",
        ),
        (
            vec!["--bot", "random", "--bot", "perfect", "--time", "0"],
            2,
            "100ms",
        ),
        (
            vec![
                "--bot",
                "random",
                "--bot",
                "perfect",
                "--sprt",
                "elo0=5,elo1=0",
            ],
            2,
            "elo1",
        ),
        (
            vec!["--bot", "a b=random", "--bot", "perfect"],
            3,
            "'a b' is not a name",
        ),
        (
            vec!["--bot", "../x=random", "--bot", "perfect"],
            3,
            "'../x' is not a name",
        ),
        (
            vec!["--bot", "cmd:echo hi", "--bot", "perfect"],
            1,
            "it ended before it said ok",
        ),
        (vec!["--resume", "nowhere"], 4, "nowhere"),
        (
            vec!["--resume", "nowhere", "--pairs", "10"],
            2,
            "cannot be used with",
        ),
        (
            vec!["--bot", "random", "--bot", "perfect", "--pairs", "-1"],
            2,
            "invalid value '-1' for '--pairs",
        ),
        (
            vec![
                "--bot",
                "random",
                "--bot",
                "perfect",
                "--pairs",
                "1073741824",
            ],
            3,
            "write --pairs with a number from 1 to 5000000",
        ),
        (
            vec!["--bot", "random", "--bot", "perfect", "--time", "1s+8d"],
            2,
            "the longest time is 7 days",
        ),
        (
            vec!["--bot", "random", "--bot", "perfect", "--out", "/proc/nope"],
            1,
            "--out: /proc/nope cannot be written",
        ),
        (
            vec!["--bot", "random", "--bot", &low],
            3,
            "memory_mib = 1048577",
        ),
        (
            vec!["--bot", "random", "--bot", &nothing],
            3,
            "command is empty",
        ),
        (vec!["--bot", "random", "--bot", &nowhere], 3, "directory"),
    ] {
        let ran = arena(&home, &arguments, &["--json"]);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        let error = ran.error();
        let told = format!("{} {}", error["message"], error["hint"]);
        assert!(told.contains(words), "{arguments:?}: {told}");
    }
    let many: Vec<String> = (0..10_000).map(|bot| format!("b{bot}=random")).collect();
    let many: Vec<&str> = many.iter().flat_map(|bot| ["--bot", bot]).collect();
    let ran = arena(&home, &many, &["--json"]);
    assert_eq!(ran.code, Some(3), "{:?}", ran.error());
    let many = &many[..4_200];
    let ran = arena(&home, many, &["--json", "--pairs", "1"]);
    assert_eq!(
        ran.code,
        Some(3),
        "a round robin of 2,100 has too many games"
    );
}
