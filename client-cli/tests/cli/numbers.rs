//! `grundy stats` and `grundy tournament`: published answers, shapes, and bad input.

use serde_json::{Value, json};

use crate::program::Home;

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

fn near(value: &Value, expected: f64, tolerance: f64) {
    let number = value.as_f64().unwrap_or(f64::NAN);
    assert!(
        (number - expected).abs() <= tolerance,
        "{value} is not {expected}"
    );
}

#[test]
fn a_match_has_the_published_figures() {
    let home = Home::new();
    let ran = home.run(&["stats", "match", "--pairs", "13,37,50,25,3", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report = ran.json();
    assert_eq!(report["n"], json!(128));
    near(&report["score"], 0.4375, 1e-12);
    near(&report["variance"], 0.057_62, 5e-6);
    near(&report["elo"], -43.66, 0.005);
    near(&report["nelo"], -63.97, 0.005);
    assert!(report.get("why").is_none());
    let ran = home.run(&["stats", "match", "--games", "89,123,76", "--json"]);
    near(&ran.json()["los"], 0.1553, 5e-5);
    let text = home.run(&["stats", "match", "--pairs", "13,37,50,25,3"]);
    assert!(text.stdout.contains("elo   -43.66   95 %:"), "{text:?}");
}

#[test]
fn what_is_not_determined_is_null_with_a_reason() {
    let home = Home::new();
    let level = home
        .run(&["stats", "match", "--pairs", "0,0,9,0,0", "--json"])
        .json();
    assert_eq!(
        (&level["elo"], &level["nelo"], &level["los"]),
        (&json!(0.0), &Value::Null, &Value::Null)
    );
    assert!(
        level["why"]
            .as_str()
            .is_some_and(|why| why.contains("variance is zero"))
    );
    let won = home
        .run(&["stats", "match", "--games", "0,0,9", "--json"])
        .json();
    assert_eq!((&won["elo"], &won["elo_hi"]), (&Value::Null, &Value::Null));
    assert!(won["elo_lo"].as_f64().is_some_and(f64::is_finite));
    let apart = home.write("apart.csv", "a,b,3\n");
    let ran = home.run(&["stats", "ratings", apart.to_str().expect("UTF-8"), "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.json()["rows"][0], json!({"name": "a", "elo": null}));
    assert!(
        ran.json()["why"]
            .as_str()
            .is_some_and(|why| why.contains("no chain of wins"))
    );
}

#[test]
fn names_in_quotes_may_hold_commas_and_quotes() {
    let home = Home::new();
    let quoted = "\u{feff}Winner, loser ,count\r\n\
        \"Lee, Ann\",\"Bo \"\"the bot\"\"\",2\r\n\
        # comments and empty lines are skipped\r\n\
        \r\n\
        \"Bo \"\"the bot\"\"\",\"Lee, Ann\", 4\r\n";
    let file = home.write("quoted.csv", quoted);
    let json = home
        .run(&["stats", "ratings", file.to_str().expect("UTF-8"), "--json"])
        .json();
    let names = [&json["rows"][0]["name"], &json["rows"][1]["name"]];
    assert_eq!(names, [&json!("Bo \"the bot\""), &json!("Lee, Ann")]);

    let bad = home.write("later.csv", &format!("{quoted}Lee, Ann,Bo,2\n"));
    let refused = home.run(&["stats", "ratings", bad.to_str().expect("UTF-8")]);
    assert_eq!(refused.code, Some(3), "{refused:?}");
    assert!(
        refused
            .stderr
            .contains("line 6: 3 fields are expected, got 4")
    );
}

#[test]
fn before_the_first_game_nothing_is_determined() {
    let home = Home::new();
    for (option, counts, unit) in [
        ("--pairs", "0,0,0,0,0", "pair"),
        ("--games", "0,0,0", "game"),
    ] {
        let ran = home.run(&["stats", "match", option, counts, "--json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let figures = ran.json();
        assert_eq!(figures["n"], 0);
        for name in [
            "score", "variance", "elo", "elo_lo", "elo_hi", "nelo", "nelo_err", "los",
        ] {
            assert_eq!(figures.get(name), Some(&Value::Null), "{name}: {figures}");
        }
        assert_eq!(figures["why"], format!("there is no {unit}"));
        let text = home.run(&["stats", "match", option, counts]).stdout;
        assert!(text.contains(&format!("there is no {unit}")), "{text}");
        let test = [
            "stats", "sprt", option, counts, "--elo0", "0", "--elo1", "5",
        ];
        let ran = home.run(&[&test[..], &["--json"]].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let report = ran.json();
        assert_eq!(report["llr"], 0.0, "{report}");
        assert_eq!(report["verdict"], "continue", "{report}");
        near(&report["upper"], 2.944, 0.001);
        let text = home.run(&test).stdout;
        assert!(text.contains(&format!("play more {unit}s")), "{text}");
    }
    let bad = [
        "stats",
        "sprt",
        "--pairs",
        "0,0,0,0,0",
        "--elo0",
        "5",
        "--elo1",
        "0",
    ];
    assert_eq!(home.run(&bad).code, Some(2));
}

#[test]
fn a_test_reaches_a_verdict() {
    let home = Home::new();
    let pairs = ["stats", "sprt", "--pairs", "13,37,50,25,3", "--json"];
    let report = home
        .run(&[&pairs[..], &["--elo0", "0", "--elo1", "4"]].concat())
        .json();
    near(&report["llr"], -0.549_12, 5e-6);
    near(&report["upper"], 2.944_44, 1e-5);
    assert_eq!(report["verdict"], "continue");
    let far = [
        &pairs[..],
        &["--elo0", "-5", "--elo1", "90", "--model", "logistic"],
    ]
    .concat();
    assert_eq!(home.run(&far).json()["verdict"], "H0");
}

#[test]
fn ratings_are_those_of_agresti() {
    let names = [
        "Milwaukee",
        "Detroit",
        "Toronto",
        "New York",
        "Boston",
        "Cleveland",
        "Baltimore",
    ];
    let wins = [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ];
    let mut lines = String::from("winner,loser,count\n");
    for (winner, row) in names.iter().zip(wins) {
        for (loser, count) in names.iter().zip(row).filter(|(loser, _)| *loser != winner) {
            lines.push_str(&format!("{winner},{loser},{count}\n"));
        }
    }
    let home = Home::new();
    let ran = home.feed(&["stats", "ratings", "-", "--json"], &lines);
    let report = ran.json();
    assert_eq!(report["rows"][0]["name"], "Milwaukee");
    near(&report["rows"][0]["elo"], 92.27, 0.005);
    let rows = report["rows"].as_array().expect("rows");
    let sum: f64 = rows.iter().filter_map(|row| row["elo"].as_f64()).sum();
    assert!(sum.abs() < 1e-9, "{sum}");
}

#[test]
fn glicko2_is_the_published_example() {
    let games = "1400,30,1;1550,100,0;1700,300,0";
    let arguments = [
        "stats",
        "glicko2",
        "--rating",
        "1500,200,0.06",
        "--tau",
        "0.5",
    ];
    let ran = Home::new().run(&[&arguments[..], &["--games", games, "--json"]].concat());
    let report = ran.json();
    near(&report["rating"], 1464.0507, 5e-4);
    near(&report["rd"], 151.5165, 5e-4);
    near(&report["vol"], 0.059_996_0, 5e-8);
}

#[test]
fn schedules_have_their_shapes() {
    let home = Home::new();
    let schedule = |arguments: &[&str]| {
        let ran = home.run(&[&["tournament", "schedule", "--json"], arguments].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.json()
    };
    assert_eq!(
        schedule(&["--players", "4", "--format", "berger"]),
        json!({"rounds": [[[1, 4], [2, 3]], [[4, 3], [1, 2]], [[2, 4], [3, 1]]]})
    );
    assert_eq!(
        schedule(&["--players", "5", "--format", "knockout"]),
        json!({"slots": [1, 8, 4, 5, 2, 7, 3, 6], "byes": [1, 2, 3]})
    );
    assert_eq!(
        schedule(&["--players", "3", "--format", "gauntlet", "--seeds", "1"]),
        json!({"rounds": [[[1, 2]], [[3, 1]]]})
    );
}

#[test]
fn a_round_is_paired_and_ranked() {
    let home = Home::new();
    let file = home.write("four.trf", REPORT);
    let file = file.to_str().expect("UTF-8");
    let pair = home.run(&["tournament", "pair", file, "--json"]);
    assert_eq!(
        pair.json(),
        json!({"round": 2, "pairs": [[2, 1], [3, 4]], "bye": null})
    );
    let ran = home.run(&[
        "tournament",
        "standings",
        file,
        "--tie-breaks",
        "PTS,BH,DE",
        "--json",
    ]);
    assert_eq!(
        ran.json()["rows"][0],
        json!({"id": 1, "rank": 1, "PTS": 1.0, "BH": 0.0, "DE": 0.0})
    );
    assert!(
        ran.stdout
            .starts_with(r#"{"rows":[{"id":1,"rank":1,"PTS":1.0,"BH":0.0,"#)
    );
    assert_eq!(ran.json()["rows"][3]["rank"], 3);
    let again = home.run(&[
        "tournament",
        "standings",
        file,
        "--trf",
        "--tie-breaks",
        "PTS",
    ]);
    let second = home.feed(&["tournament", "pair", "-", "--json"], &again.stdout);
    assert_eq!(second.json(), pair.json());
}

#[test]
fn bad_input_names_its_place_and_an_example() {
    let home = Home::new();
    let cut = home.write("cut.trf", &REPORT[..80]);
    let no_rounds = home.write("rounds.trf", &REPORT.replace("XXR 3\n", ""));
    let over = home.write("over.trf", &REPORT.replace("XXR 3", "XXR 1"));
    let good = home.write("good.trf", REPORT);
    let bad_csv = home.write("bad.csv", "a,b,3\na,b\n");
    let path = |path: &std::path::PathBuf| path.to_str().expect("UTF-8").to_owned();
    let tiny_csv = home.write("tiny.csv", "a,b,1e-310\nb,a,1\n");
    let cases: [(&[&str], i32, &str); 17] = [
        (
            &["stats", "match", "--pairs", "-1,0,0,0,0"],
            2,
            "--pairs: '-1' is not a count",
        ),
        (
            &[
                "stats",
                "sprt",
                "--pairs",
                "1,2,3,4,5",
                "--elo0",
                "0",
                "--elo1",
                "5",
                "--alpha",
                "4e-324",
            ],
            2,
            "alpha and beta must be at least 1e-100",
        ),
        (
            &[
                "stats",
                "glicko2",
                "--rating",
                "1500,50,0.06",
                "--games",
                "",
                "--tau",
                "-1",
            ],
            2,
            "tau must be between 0.1 and 2",
        ),
        (
            &["stats", "ratings", &path(&tiny_csv)],
            3,
            "line 1: '1e-310' is not a count of games",
        ),
        (
            &["stats", "match", "--pairs", "1,2,3"],
            2,
            "--pairs takes 5 numbers, got 3",
        ),
        (
            &["stats", "match", "--pairs", "1,2,x,4,5"],
            2,
            "--pairs: 'x' is not a count",
        ),
        (
            &["stats", "match", "--games", "1,-2,3"],
            2,
            "--games: '-2' is not a count",
        ),
        (
            &[
                "stats",
                "sprt",
                "--pairs",
                "1,2,3,4,5",
                "--elo0",
                "5",
                "--elo1",
                "5",
            ],
            2,
            "elo1 must be larger",
        ),
        (
            &["stats", "ratings", &path(&bad_csv)],
            3,
            "line 2: 3 fields are expected, got 2",
        ),
        (&["stats", "ratings", "nowhere.csv"], 4, "nowhere.csv"),
        (
            &["stats", "glicko2", "--rating", "1500,0,0.06", "--games", ""],
            2,
            "deviation must be above 0",
        ),
        (
            &["tournament", "schedule", "--players", "1"],
            3,
            "at least 2 players, got 1",
        ),
        (
            &["tournament", "schedule", "--players", "10000"],
            3,
            "at most 9999 players, got 10000",
        ),
        (
            &["tournament", "pair", &path(&cut)],
            3,
            "line 2: a player's line needs at least 84 columns",
        ),
        (
            &["tournament", "pair", &path(&no_rounds)],
            3,
            "the number of rounds is missing",
        ),
        (
            &["tournament", "pair", &path(&over)],
            3,
            "round 1 was the last, and it is finished",
        ),
        (
            &[
                "tournament",
                "standings",
                &path(&good),
                "--tie-breaks",
                "PTS,XY",
            ],
            2,
            "'XY' is not a tie-break",
        ),
    ];
    for (arguments, code, words) in cases {
        let ran = home.run(arguments);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.stderr.contains(words), "{words}: {ran:?}");
        assert!(ran.stdout.is_empty(), "{ran:?}");
    }
}
