//! Bad input to arenas, tournaments and statistics: the whole message, with the place and the remedy, and the exit code.

use std::fs;

use serde_json::Value;

use crate::program::Home;

/// Runs with `--json`, and compares exit code, message and hint.
fn assert_refused(home: &Home, words: &[&str], code: i32, message: &str, hint: &str) {
    let mut all = words.to_vec();
    all.push("--json");
    let ran = home.run(&all);
    assert_eq!(ran.code, Some(code), "{words:?}: {ran:?}");
    assert!(ran.stdout.is_empty(), "{ran:?}");
    let error = ran.error();
    assert_eq!(error["message"], message, "{words:?}");
    assert_eq!(error["hint"], hint, "{words:?}");
    assert_eq!(error["exit"], code);
}

const RECIPE: &str = "--start random:RECIPE, where a recipe looks like nim,heaps=3-5,max=15,seed=7 (also size=, count=, first=0.5, share=0.34, misere)";
const BOT_FILE: &str = r#"a bot's file needs: command = "./mybot", or builtin = "skill:0.7""#;

#[test]
fn an_arena_that_cannot_be_is_refused() {
    let home = Home::new();
    home.write("suite.txt", "nim:3,5,7\n# a comment\nchess:e4\n");
    home.write("none.txt", "# nothing\n");
    home.write("over.txt", "nim:0\n");
    home.write("typo.toml", "command = \"./x\"\ncolour = 1\n");
    home.write("broken.toml", "command = \"./x\n");
    let cases: [(&[&str], i32, &str, &str); 14] = [
        (
            &["--bot", "random"],
            3,
            "one bot cannot play alone",
            "name a second one, such as --bot random",
        ),
        (
            &["--bot", "random", "--bot", "random"],
            3,
            "two bots are called random",
            "give one of them another name: --bot other=random",
        ),
        (
            &["--bot", "random", "--bot", "perfect", "--pairs", "0"],
            3,
            "--pairs 0: nothing would be played",
            "a pair is two games from one start; write --pairs 1 or more",
        ),
        (
            &[
                "--bot",
                "random",
                "--bot",
                "perfect",
                "--start",
                "suite.txt",
            ],
            3,
            "suite.txt, line 3, column 1: 'chess' is not a known game",
            "a position looks like nim:3,5,7",
        ),
        (
            &["--bot", "random", "--bot", "perfect", "--start", "none.txt"],
            3,
            "none.txt: there is no position in it",
            "write one position a line, such as nim:3,5,7",
        ),
        (
            &["--bot", "random", "--bot", "perfect", "--start", "over.txt"],
            3,
            "over.txt, line 1: nim:0 is over before the first move",
            "remove it, or add an object, as in nim:3,5,7",
        ),
        (
            &["--bot", "random", "--bot", "perfect", "--start", "chess:3"],
            3,
            "'chess' is not a known game",
            "a position looks like nim:3,5,7   (see 'grundy rules list')",
        ),
        (
            &[
                "--bot",
                "random",
                "--bot",
                "perfect",
                "--start",
                "random:chess",
            ],
            3,
            "--start random:chess: 'chess' is not a game whose positions are lists of 3 heaps: 'chess' is not a known game",
            RECIPE,
        ),
        (
            &[
                "--bot",
                "random",
                "--bot",
                "perfect",
                "--start",
                "random:nim,heaps=9-3",
            ],
            3,
            "--start random:nim,heaps=9-3: heaps must be a range between 1 and 100",
            RECIPE,
        ),
        (
            &["--bot", "random", "--bot", "typo.toml"],
            3,
            "typo.toml, line 2: unknown field `colour`, expected one of `name`, `builtin`, `command`, `directory`, `env`, `options`, `restart`, `time`, `memory_mib`, `files`, `cpu_seconds`, `processes`",
            BOT_FILE,
        ),
        (
            &["--bot", "random", "--bot", "broken.toml"],
            3,
            "broken.toml, line 1: invalid basic string, expected `\"`",
            BOT_FILE,
        ),
        (
            &["--bot", "random", "--bot", "no.toml"],
            4,
            "no.toml: No such file or directory (os error 2)",
            "--bot takes cmd:./mybot, the name of a built-in bot, or a file such as mybot.toml",
        ),
        (
            &[
                "--bot", "random", "--bot", "perfect", "--format", "swiss", "--rounds", "5",
            ],
            3,
            "--rounds 5: 2 bots can play at most 1 round without meeting twice",
            "write --rounds 1",
        ),
        (
            &["--resume", "nowhere"],
            4,
            "nowhere/journal.ndjson: No such file or directory (os error 2)",
            "--resume takes the directory that was given to --out",
        ),
    ];
    for (arguments, code, message, hint) in cases {
        let words = [&["arena"], arguments].concat();
        assert_refused(&home, &words, code, message, hint);
    }
}

/// The lines of a journal after something has happened to it.
type Damage = fn(&mut Vec<String>, &[String]);

#[test]
fn a_journal_that_is_not_whole_is_refused_and_nothing_is_lost() {
    let home = Home::new();
    for (directory, rival) in [("one", "perfect"), ("two", "greedy")] {
        let ran = home.run(&[
            "arena",
            "--bot",
            "random",
            "--bot",
            rival,
            "--pairs",
            "5",
            "--seed",
            "1",
            "--concurrency",
            "1",
            "--out",
            directory,
            "-q",
        ]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    let read = |name: &str| -> Vec<String> {
        let text = fs::read_to_string(home.file(name)).expect("a journal");
        text.lines().map(str::to_owned).collect()
    };
    let (whole, other) = (read("one/journal.ndjson"), read("two/journal.ndjson"));
    let cases: [(Damage, &str, &str); 6] = [
        (
            |lines, other| lines[3].clone_from(&other[3]),
            "line 4: it belongs to another arena",
            "delete this line, or take the journal that belongs here",
        ),
        (
            |lines, _| lines[3].truncate(40),
            "line 4: the line is cut off",
            "delete this line, and --resume plays its game again",
        ),
        (
            |lines, _| {
                let line = lines[3].clone();
                lines.insert(4, line);
            },
            "line 5: game 3 stands in the journal twice",
            "delete one of the two lines",
        ),
        (
            |lines, _| lines[0].truncate(30),
            "line 1: this is not the journal of an arena: the line is cut off",
            "--resume takes the directory that was given to --out",
        ),
        (
            |lines, _| lines[0] = lines[0].replace("grundy/arena/1", "grundy/arena/9"),
            "line 1: it is 'grundy/arena/9', and this program reads grundy/arena/1",
            "resume it with the version of grundy that began it",
        ),
        (
            |lines, _| lines.clear(),
            "line 1: the journal has no first line",
            "nothing was played: give the same directory to --out to begin anew",
        ),
    ];
    for (damage, message, hint) in cases {
        let mut lines = whole.clone();
        damage(&mut lines, &other);
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(home.file("one/journal.ndjson"), &text).expect("it is written");
        let message = format!("one/journal.ndjson, {message}");
        assert_refused(&home, &["arena", "--resume", "one"], 3, &message, hint);
        let after = fs::read_to_string(home.file("one/journal.ndjson")).expect("a journal");
        assert_eq!(after, text, "it is left as it was");
    }
    // What the message says helps: without the damaged line its game alone is played again.
    let mut lines = whole.clone();
    lines.remove(3);
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(home.file("one/journal.ndjson"), text).expect("it is written");
    let ran = home.run(&["arena", "--resume", "one", "-q"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(read("one/journal.ndjson").len(), whole.len());
}

/// A round of four players.
const REPORT: &str = "\
012 Four friends
001    1      Ann                               2200                             1.0    1     3 w 1
001    2      Ben                               2100                             1.0    2     4 b 1
001    3      Cyd                               2000                             0.0    3     1 b 0
001    4      Dan                               1900                             0.0    4     2 w 0
XXR 3
XXC white1
";

#[test]
fn a_tournament_file_that_is_not_lawful_is_refused() {
    let player = "a player's line looks like\n  001    1      Tal, Mikhail                      2705                             1.5    1     3 w 1     2 b =";
    let cut = REPORT.replacen("3 w 1", "3 w", 1);
    let narrow: String = REPORT
        .lines()
        .map(|line| format!("{}\n", &line[..line.len().min(60)]))
        .collect();
    let cases = [
        (
            cut,
            "line 2, column 92: the entry of round 1 is cut off: it needs opponent, colour and result, such as '   4 w 1'",
            player,
        ),
        (
            narrow,
            "line 2: a player's line needs at least 84 columns, this one has 52",
            player,
        ),
        (
            REPORT.replacen("3 w 1", "9 w 1", 1),
            "line 2, column 92: player 1, round 1: there is no player 9",
            "both players' lines must show the same game, such as '2 w 1' and '1 b 0'",
        ),
        (
            REPORT.replacen("1.0", "7.0", 1),
            "line 2, column 81: player 1 has 7.0 points here, but 1.0 by the results",
            "columns 81-84 hold the points after the last finished round, such as ' 2.5'",
        ),
        (
            REPORT.replace("XXR 3", "XXR three"),
            "line 6: 'three' is not a number of rounds from 1 to 999, such as 'XXR 9'",
            player,
        ),
    ];
    let home = Home::new();
    for (text, message, hint) in cases {
        home.write("bad.trf", &text);
        let message = format!("bad.trf: {message}");
        assert_refused(&home, &["tournament", "pair", "bad.trf"], 3, &message, hint);
    }
}

/// No figure is NaN or infinite (JSON has neither), and where one is null the report says why.
fn assert_defined(report: &Value) {
    let object = report.as_object().expect("an object");
    let is_null = object.values().any(Value::is_null);
    let why = object.get("why").and_then(Value::as_str);
    assert_eq!(is_null, why.is_some_and(|why| !why.is_empty()), "{report}");
    for value in object.values().filter(|value| value.is_number()) {
        assert!(value.as_f64().is_some_and(f64::is_finite), "{report}");
    }
}

#[test]
fn odd_results_have_figures_or_reasons() {
    let home = Home::new();
    let counts = [0u64, 1, 2, 7, 1_000, 999_999_999_999, 1_000_000_000_000];
    let mut random = rand::random::<u64>();
    println!("GRUNDY_SEED={random}");
    let mut draw = || {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        counts[(random >> 33) as usize % counts.len()]
    };
    let mut all: Vec<Vec<u64>> = vec![
        vec![1, 0, 0, 0, 0],
        vec![0, 0, 0, 0, 1],
        vec![0, 0, 1, 0, 0],
        vec![1_000_000_000_000; 5],
        vec![0, 0, 1],
        vec![1, 0, 0],
        vec![0, 1, 0],
    ];
    for length in [5, 3] {
        all.extend((0..12).map(|_| (0..length).map(|_| draw()).collect::<Vec<u64>>()));
    }
    for counts in all
        .iter()
        .filter(|counts| counts.iter().any(|count| *count > 0))
    {
        let words: Vec<String> = counts.iter().map(u64::to_string).collect();
        let kind = if counts.len() == 5 {
            "--pairs"
        } else {
            "--games"
        };
        let results = format!("{kind}={}", words.join(","));
        let ran = home.run(&["stats", "match", &results, "--json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_defined(&ran.json());
        for model in ["normalized", "logistic"] {
            let test = ["--elo0", "0", "--elo1", "10", "--model", model, "--json"];
            let ran = home.run(&[&["stats", "sprt", &results], &test[..]].concat());
            assert_eq!(ran.code, Some(0), "{ran:?}");
            assert_defined(&ran.json());
        }
    }
}

#[test]
fn numbers_that_are_none_are_refused() {
    let home = Home::new();
    let count = |text: &str| format!("--pairs: '{text}' is not a count from 0 to 1000000000000");
    for bad in [
        "-1",
        "NaN",
        "1e3",
        "",
        "inf",
        "0x10",
        "18446744073709551616",
        "1.5",
    ] {
        let results = format!("--pairs={bad},0,0,0,0");
        for command in [
            vec!["stats", "match", &results],
            vec!["stats", "sprt", &results, "--elo0", "0", "--elo1", "5"],
        ] {
            let hint = "such as --pairs 13,37,50,25,3";
            assert_refused(&home, &command, 2, &count(bad), hint);
        }
    }
    let pairs = "--pairs=1,2,3,4,5";
    for (test, message) in [
        (
            ["--elo0", "NaN", "--elo1", "5"],
            "elo1 must be larger than elo0",
        ),
        (
            ["--elo0", "0", "--elo1", "inf"],
            "elo0 and elo1 must be between -1000 and 1000",
        ),
    ] {
        let words = [&["stats", "sprt", pairs], &test[..]].concat();
        assert_refused(&home, &words, 2, message, "such as --elo0 0 --elo1 5");
    }
    let words = [
        "stats", "sprt", pairs, "--elo0", "0", "--elo1", "5", "--alpha", "0",
    ];
    let message = "alpha and beta must be at least 1e-100 and below 0.5";
    assert_refused(
        &home,
        &words,
        2,
        message,
        "such as --alpha 0.05 --beta 0.05",
    );
    let rating = [
        "stats",
        "glicko2",
        "--games",
        "1400,30,1",
        "--rating",
        "NaN,200,0.06",
    ];
    let message = "--rating: 'NaN' is not a number";
    assert_refused(&home, &rating, 2, message, "such as --rating 1500,200,0.06");
}
