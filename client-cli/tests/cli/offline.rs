//! What the program does without a server.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::Stdio;

use serde_json::json;

use crate::program::{Home, Ran};

#[test]
fn alone_it_says_what_to_type() {
    let ran = Home::new().run(&[]);
    assert_eq!(ran.code, Some(0));
    for line in ["grundy play nim:3,5,7 --local", "grundy solve", "--invite"] {
        assert!(ran.stdout.contains(line), "{ran:?}");
    }
}

#[test]
fn colours_are_used_where_they_are_wanted() {
    const ESCAPE: char = '\u{1b}';
    let home = Home::new();
    // An error of ours, and one of the arguments.
    for wrong in [&["solve", "nimm:3"][..], &["solve", "--no-such-flag"]] {
        let with = |when: &[&'static str]| [wrong, when].concat();
        let piped = home.run(wrong);
        assert!(piped.stderr.starts_with("error:"), "{piped:?}");
        assert!(!piped.stderr.contains(ESCAPE), "{piped:?}");
        let always = home.run(&with(&["--color", "always"]));
        assert!(always.stderr.starts_with(ESCAPE), "{always:?}");
        let mut plain = String::new();
        for (number, part) in always.stderr.split(ESCAPE).enumerate() {
            plain.push_str(match number {
                0 => part,
                _ => part.split_once('m').expect("a colour").1,
            });
        }
        assert_eq!(plain, piped.stderr, "the words are the same");
        let shown = home.stderr_at_terminal(home.command(wrong));
        assert!(shown.contains(ESCAPE), "{shown:?}");
        let shown = home.stderr_at_terminal(home.command(&with(&["--color=never"])));
        assert!(
            shown.contains("error:") && !shown.contains(ESCAPE),
            "{shown:?}"
        );
        let mut no_color = home.command(wrong);
        no_color.env("NO_COLOR", "1");
        let shown = home.stderr_at_terminal(no_color);
        assert!(
            shown.contains("error:") && !shown.contains(ESCAPE),
            "{shown:?}"
        );
        let json = home.run(&with(&["--json", "--color", "always"]));
        assert!(!json.stderr.contains(ESCAPE), "{json:?}");
    }
    let help = home.run(&["--help", "--color", "always"]);
    let bare = home.run(&["--help"]);
    assert!(
        help.stdout.contains(ESCAPE) && !bare.stdout.contains(ESCAPE),
        "{help:?}"
    );
}

#[test]
fn long_work_shows_on_the_screen_what_it_does_and_for_how_long() {
    let home = Home::new();
    let hard = format!("cram:{}", ["........."; 7].join("/"));
    let period = ["rules", "period", "octal.0.6", "--to", "100000000"];
    for (work, words) in [
        (&["solve", &hard][..], "Solving: 1 s of at most 2 s."),
        (&period, "Computing values: 1 s, heaps up to"),
    ] {
        let with = |more: &[&str]| home.command(&[work, &["--budget", "2s"], more].concat());
        let shown = home.stderr_at_terminal(with(&[]));
        assert!(shown.contains(words), "{shown:?}");
        // The line is gone at the end.
        assert!(shown.ends_with("\r\x1b[K"), "{shown:?}");
        for silent in ["--json", "--quiet"] {
            assert_eq!(home.stderr_at_terminal(with(&[silent])), "", "{silent}");
        }
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    let home = Home::new();
    let help = home.run(&["--help"]);
    assert!(help.stdout.contains("Exit codes:"), "{help:?}");
    for command in [
        "play",
        "join",
        "resume",
        "watch",
        "review",
        "solve",
        "explain",
        "graph",
        "odds",
        "fair",
        "verify",
        "rules",
        "games",
        "stats",
        "tournament",
        "login",
        "logout",
        "password",
        "recover",
        "token",
        "identity",
        "admin",
        "whoami",
        "completions",
        "man",
    ] {
        assert!(help.stdout.contains(&format!("  {command} ")), "{command}");
        let own = home.run(&[command, "--help"]);
        assert_eq!(own.code, Some(0));
        assert!(own.stdout.contains("Example"), "{command}: {own:?}");
    }
}

#[test]
fn solve_gives_the_object_of_the_notation() {
    let ran = Home::new().run(&["solve", "nim:1,4,6,7", "--json"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(
        ran.json(),
        json!({
            "schema": "grundy/solve/1", "position": "nim:1,4,6,7", "outcome": "N", "nim_value": 4, "value": null,
            "legal_moves": 18,
            "winning_moves": [
                {"move": "B-4", "to": "nim:1,0,6,7"},
                {"move": "C-4", "to": "nim:1,4,2,7"},
                {"move": "D-4", "to": "nim:1,4,6,3"},
            ],
            "winning_moves_total": 3, "remoteness": 15, "method": "nim-sum", "exact": true,
        })
    );
}

#[test]
fn solve_says_it_for_people() {
    let ran = Home::new().run(&["solve", "nim:1,4,6,7"]);
    assert_eq!(
        ran.stdout,
        "\
nim:1,4,6,7   the player to move wins   nim-value 4   shortest win 15 moves

  move  leaves       value  result  moves left after
  B-4   nim:1,0,6,7      0  wins                  14
  C-4   nim:1,4,2,7      0  wins                  14
  D-4   nim:1,4,6,3      0  wins                  14
  15 other moves lose the win; show with --all
Why: grundy explain nim:1,4,6,7
"
    );
}

#[test]
fn explain_gives_the_reason_for_a_move() {
    let home = Home::new();
    let ran = home.run(&["explain", "nim:3,5,7", "--move", "a-2"]);
    assert_eq!(
        ran.stdout,
        "\
nim:3,5,7: the player to move wins.
  The nim-values are A 3, B 5, C 7; their xor is 1, not 0, so the player to move wins.

A-2 loses: it gives the win away.
  It makes heap A smaller, from 3 to 1.
  It leaves nim:1,5,7, where the opponent is to move and wins.
    The nim-values are A 1, B 5, C 7; their xor is 3, not 0, so the player to move wins.
  The winning reply is C-3.
    It makes heap C smaller, from 7 to 4.
    It leaves nim:1,5,4, where you are to move and lose.
      The nim-values are A 1, B 5, C 4; their xor is 0, so the player to move loses.

A-1 is the best move: it wins.
  It makes heap A smaller, from 3 to 2.
  It leaves nim:2,5,7, where the opponent is to move and loses.
    The nim-values are A 2, B 5, C 7; their xor is 0, so the player to move loses.

To look up a word, grundy explain WORD: nim-value, xor.
"
    );
    let twice = [
        "explain",
        "nim:3,5,7",
        "--move",
        "A-1",
        "--move",
        "A=2",
        "--json",
    ];
    let reasons = home.run(&twice).json();
    assert_eq!(reasons["schema"], "grundy/reasons/1");
    assert_eq!(reasons["moves"].as_array().map(Vec::len), Some(1));
    let leaves = &reasons["moves"][0]["leaves"];
    assert_eq!(leaves["facts"][0]["fact"], "nim_sum");
    assert_eq!(
        (&leaves["outcome"], &leaves["nim_value"]),
        (&json!("P"), &json!(0))
    );
}

#[test]
fn every_term_of_an_explanation_can_be_looked_up() {
    let home = Home::new();
    let ran = home.run(&["explain", "mex"]);
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.stdout
            .starts_with("mex: the least non-negative integer that is not in a set"),
        "{ran:?}"
    );
    let terms = home.run(&["explain", "Nim-Values", "--json"]).json();
    assert_eq!(terms["schema"], "grundy/term/1");
    assert_eq!(
        terms["meanings"][0]["terms"],
        json!(["nim-value", "Grundy value"])
    );
    let ran = home.run(&["explain", "suspence"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.stderr.contains("grundy explain 'suspense'"), "{ran:?}");
    // A position without a state is one that does not parse.
    let ran = home.run(&["explain", "nim"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.stderr.contains("grundy rules show nim"), "{ran:?}");
    assert_eq!(home.run(&["explain", "mex", "--move", "A-1"]).code, Some(3));
}

#[test]
fn a_move_that_cannot_be_made_is_pointed_at() {
    let home = Home::new();
    let ran = home.run(&["explain", "kayles:7+nim:3", "--move", "1.A-2/9,9"]);
    assert_eq!(ran.code, Some(3));
    assert!(
        ran.stderr.contains("help: a legal move is 1.A-1"),
        "{ran:?}"
    );
    let error = home
        .run(&["explain", "wythoff:3,5", "--move", "3:2", "--json"])
        .error();
    assert_eq!(error["code"], "illegal_move");
    assert_eq!(error["span"], json!([1, 2]));
    let many: Vec<String> = (1..18).map(|n| format!("A-{n}")).collect();
    let mut arguments = vec!["explain", "nim:20"];
    for mv in &many {
        arguments.extend(["--move", mv]);
    }
    assert_eq!(home.run(&arguments).code, Some(2));
}

#[test]
fn a_fault_in_a_position_is_pointed_at() {
    let home = Home::new();
    let ran = home.run(&["solve", "nim:1,4,x"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""));
    assert!(
        ran.stderr
            .starts_with("error: 'x' is not a heap size\n  nim:1,4,x\n          ^ expected "),
        "{ran:?}"
    );
    let error = home.run(&["solve", "nim:1,4,x", "--json"]).error();
    assert_eq!(error["code"], "bad_position");
    assert_eq!(error["exit"], 3);
    assert_eq!(error["span"], json!([9, 10]));
}

#[test]
fn a_batch_answers_each_line_as_it_comes() {
    let home = Home::new();
    let mut running = home.start(&["solve", "-", "--json"]);
    running.types("nim:1,2,3");
    assert!(running.says("nim:1,2,3").contains(r#""outcome":"P""#));
    running.types("nonsense");
    let line: serde_json::Value =
        serde_json::from_str(&running.says(r#""line":2"#)).expect("a line of JSON");
    assert_eq!(line["schema"], "grundy/solve/1");
    assert_eq!(line["error"]["code"], "bad_position");
    assert_eq!(line["error"]["column"], 1);
    running.types("nim:9");
    running.says(r#""outcome":"N""#);
    assert_eq!(running.ends().code, Some(3));
}

#[test]
fn a_batch_takes_the_largest_position_and_skips_what_is_larger() {
    let heaps = vec!["1000000000000000000"; 100_000].join(",");
    let too_long = "1".repeat(5 << 20);
    let input = format!("nim:{heaps}\nnim:{too_long}\nnim:3\n");
    let ran = Home::new().feed(&["solve", "-", "--json", "--max-moves", "0"], &input);
    let lines: Vec<serde_json::Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["outcome"], "P");
    assert_eq!(lines[1]["error"]["code"], "out_of_range");
    assert_eq!(lines[2]["outcome"], "N");
    assert_eq!(ran.code, Some(3));
}

#[test]
fn a_reader_that_goes_is_no_error() {
    let home = Home::new();
    let mut child = home
        .command(&["solve", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    stdin.write_all(b"nim:1\n").expect("it reads");
    stdout.read_line(&mut String::new()).expect("a line");
    drop(stdout);
    // It ends as soon as it has something to say and nobody to say it to.
    while stdin.write_all(b"nim:1\n").is_ok() {}
    let status = child.wait().expect("it ends");
    let mut words = String::new();
    let mut stderr = child.stderr.take().expect("a pipe");
    stderr.read_to_string(&mut words).expect("UTF-8");
    assert_eq!((status.code(), words.as_str()), (Some(0), ""));
}

#[test]
fn periods_are_told_where_they_are_proved() {
    let home = Home::new();
    let drawn = home.run(&["rules", "period", "octal.0.77", "--svg", "kayles.svg"]);
    assert_eq!(drawn.code, Some(0), "{drawn:?}");
    let svg = std::fs::read_to_string(home.file("kayles.svg")).expect("a picture");
    assert!(svg.contains("class=\"s3\""), "{svg}");
    // What is no picture is not replaced by one.
    let notes = home.write("notes.txt", "mine");
    let ran = home.run(&["rules", "period", "kayles", "--svg", "notes.txt"]);
    assert_eq!(ran.code, Some(7), "{ran:?}");
    assert_eq!(std::fs::read_to_string(notes).expect("notes"), "mine");
    let kayles = home.run(&["rules", "period", "octal.0.77", "--json"]);
    assert_eq!(kayles.code, Some(0));
    let kayles = kayles.json();
    assert_eq!(kayles["schema"], "grundy/period/1");
    assert_eq!(
        (kayles["preperiod"].as_u64(), kayles["period"].as_u64()),
        (Some(71), Some(12))
    );
    assert_eq!(
        (kayles["proved"].as_bool(), kayles["max_value"].as_u64()),
        (Some(true), Some(8))
    );
    assert!(kayles["checked_to"].as_u64() >= Some(2 * 71 + 12 + 2));
    let open = home
        .run(&["rules", "period", "octal.0.6", "--to", "2000", "--json"])
        .json();
    assert_eq!(open["proved"], false);
    assert_eq!(
        (&open["period"], &open["preperiod"]),
        (&json!(null), &json!(null))
    );
    assert_eq!(open["checked_to"], 2_000);
    assert_eq!(open["limit_reached"], false);
    // A code of 60 digits: each value takes 60 times the work of one of Kayles.
    let wide = format!("octal.0.1{}", "7".repeat(59));
    let ran = home.run(&["rules", "period", &wide, "--budget", "1s"]);
    assert!(ran.stdout.contains("stopped at the time limit"), "{ran:?}");
    for (game, words) in [
        ("octal.0.77", "period 12 from heap 71, proved"),
        ("kayles", "period 12 from heap 71, proved"),
        ("sub.1.3.4", "period 7 from heap 0, proved"),
        ("bash.3", "period 4 from heap 0, proved"),
        ("grundy", "no period is proved"),
    ] {
        let ran = home.run(&["rules", "period", game, "--to", "5000"]);
        assert!(ran.stdout.contains(words), "{ran:?}");
    }
}

#[test]
fn tables_are_listed_as_far_as_wanted() {
    let home = Home::new();
    let ran = home.run(&["rules", "table", "kayles", "--to", "11"]);
    let values: Vec<&str> = ran
        .stdout
        .lines()
        .filter_map(|line| line.split('\t').nth(1))
        .collect();
    assert_eq!(
        values,
        ["0", "1", "2", "3", "1", "4", "3", "2", "1", "4", "2", "6"]
    );
    let last = home.run(&[
        "rules",
        "table",
        "kayles",
        "--to",
        "1000000000000000000",
        "--last",
        "2",
    ]);
    assert_eq!(
        last.stdout,
        "999999999999999999\t8\n1000000000000000000\t1\n"
    );
    let json = home
        .run(&[
            "rules",
            "table",
            "octal.0.6",
            "--to",
            "20000",
            "--last",
            "3",
            "--json",
        ])
        .json();
    assert_eq!(
        (&json["schema"], &json["from"]),
        (&json!("grundy/table/1"), &json!(19_998))
    );
    assert_eq!(json["values"].as_array().map(Vec::len), Some(3));
    for (arguments, words) in [
        (
            &["rules", "table", "octal.0.79g"][..],
            "'g' is not a digit of a code",
        ),
        (&["rules", "period", "octal.0.70"], "must not end with 0"),
        (&["rules", "period", "kayls"], "did you mean 'kayles'"),
        (&["rules", "period", "wythoff"], "no values of their own"),
        (&["rules", "period", "cram"], "no values of their own"),
        (
            &["rules", "table", "kayles", "--to", "1000000000000000000"],
            "--last 5",
        ),
    ] {
        let ran = home.run(arguments);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(ran.stderr.contains(words), "{ran:?}");
    }
    assert_eq!(
        home.run(&["rules", "table", "kayles", "--last", "0"]).code,
        Some(2)
    );
}

#[test]
fn rules_are_listed_and_shown() {
    let home = Home::new();
    let list = home.run(&["rules", "list", "--json"]).json();
    let games = list["games"].as_array().expect("a list");
    let text = home.run(&["rules", "list"]).stdout;
    for game in games {
        let name = game["name"].as_str().expect("a name");
        assert!(text.contains(name), "{name}");
        let rule = game["rule"].as_str().expect("words");
        let sentence = rule.split_inclusive('.').next().expect("a sentence");
        assert!(
            text.contains(sentence),
            "nothing is cut in a pipe: {sentence}"
        );
        let shown = home.run(&["rules", "show", name]);
        for field in [
            "rule",
            "notation",
            "move_notation",
            "method",
            "limits",
            "source",
        ] {
            let words = game[field].as_str().expect("words");
            assert!(shown.stdout.contains(words), "{name} {field}: {shown:?}");
        }
        for example in game["examples"].as_array().expect("a list") {
            let example = example.as_str().expect("a position");
            assert_eq!(home.run(&["solve", example]).code, Some(0), "{example}");
        }
    }
    assert_eq!(home.run(&["rules", "show", "nom"]).code, Some(4));
}

#[test]
fn the_rules_of_every_game_show_its_first_board() {
    let home = Home::new();
    let games = home.run(&["rules", "list", "--json"]).json();
    for game in games["games"].as_array().expect("a list") {
        let name = game["name"].as_str().expect("a name");
        let example = game["examples"][0].as_str().expect("a position");
        let shown = home.run(&["rules", "show", name]);
        let after = shown.stdout.split_once(&format!("\n\n{example}\n\n"));
        let board = after.and_then(|(_, rest)| rest.split_once("\n\nPosition  "));
        let (board, _) = board.expect("a board between the rule and the notation");
        assert!(!board.trim().is_empty() && board.is_ascii(), "{shown:?}");
        let plain = home.run(&["rules", "show", name, "--plain"]);
        assert!(!plain.stdout.contains(board), "{plain:?}");
    }
    let stairs = home.run(&["rules", "show", "stairs"]);
    assert!(
        stairs.stdout.contains("____1  2  o o\n ground\n"),
        "{stairs:?}"
    );
    let unicode = home.run(&["rules", "show", "nim", "--glyphs", "unicode"]);
    assert!(
        unicode
            .stdout
            .contains(" A  3  \u{25c9} \u{25c9} \u{25c9}\n"),
        "{unicode:?}"
    );
}

#[test]
fn garbage_is_refused_and_nothing_breaks() {
    let home = Home::new();
    for (arguments, code) in [
        (&["nonsense"] as &[&str], 2),
        (&["solve"], 2),
        (&["solve", "nim:1", "--budget", "0"], 2),
        (&["solve", "nim:1", "--max-moves", "-1"], 2),
        (&["solve", "nim:1", "--side", "up"], 2),
        (&["solve", "nim:1", "--unknown"], 2),
        (&["solve", "nim:1", "nim:2"], 2),
        (&["solve", ""], 3),
        (&["solve", "\u{1b}[2J"], 3),
        (&["solve", "nim:18446744073709551616"], 3),
        (&["solve", "nim:-1"], 3),
        (&["solve", "\u{202e}nim:1"], 3),
        (&["explain", "nim:"], 3),
        (&["explain", "nim:3", "--move"], 2),
        (&["explain", "nim:3", "--move", ""], 3),
        (&["explain", "nim:3", "--move", "A-4"], 3),
        (&["explain", "nim:3", "--move", "A-1", "--move", "2:1"], 3),
        (&["explain", "nim:0", "--move", "A-1"], 3),
        (&["play", "nim:0", "--local"], 3),
        (&["play", "nim:1", "--local", "--bot", "nobody"], 3),
        (&["play", "nim:1", "--local", "--clock", "0+0"], 2),
        (&["play", "nim:1", "--local", "--clock", "-1"], 2),
        (&["play", "nim:1", "--local", "--invite"], 2),
        (&["play", "nim:1", "--two"], 2),
        (&["join", "I"], 3),
        (&["watch", "../../etc/passwd"], 3),
        (&["review", "no/such/file"], 4),
        (&["--server", "https://", "whoami"], 2),
        (&["--server", "ftp://example.org", "whoami"], 2),
        (&["--profile", "a/b", "whoami"], 2),
        (&["--timeout", "x", "whoami"], 2),
    ] {
        let ran = home.run(arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        assert_eq!(ran.stdout, "", "{arguments:?}");
        assert!(
            !ran.stderr.contains(['\u{1b}', '\u{202e}']),
            "{arguments:?}: {ran:?}"
        );
        let with_json: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
        assert_eq!(home.run(&with_json).error()["exit"], code, "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_text_are_refused() {
    use std::os::unix::ffi::OsStrExt as _;
    let garbage = std::ffi::OsStr::from_bytes(b"nim:\xff\xfe");
    let home = Home::new();
    let run = |arguments: &[&str]| -> Ran {
        let mut command = home.command(arguments);
        command.arg(garbage).output().expect("it runs").into()
    };
    assert_eq!(run(&["solve"]).code, Some(2));
    assert_eq!(run(&["solve", "--json"]).error()["exit"], 2);
}

#[test]
fn an_argument_that_is_no_text_is_a_usage_error() {
    use std::os::unix::ffi::OsStrExt as _;
    let home = Home::new();
    for flags in [&[] as &[&str], &["--json"]] {
        let mut command = home.command(flags);
        command.arg(std::ffi::OsStr::from_bytes(b"nim:\xff"));
        let ran: Ran = command.output().expect("the program ends").into();
        assert_eq!(ran.code, Some(2), "{ran:?}");
    }
}

#[test]
fn a_record_from_others_does_not_command_the_terminal() {
    let home = Home::new();
    for record in [
        "{\"\\u001b]0;title\\u0007\":1}\n",
        "{\"schema\":\"grundy/record/1\", \"match\":\"7Kq2mVx9Rt\",\"events\":0,\"head\":\"\u{9b}31m\u{202e}\"}\n",
    ] {
        home.write("match.ndjson", record);
        let ran = home.run(&["review", "match.ndjson"]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(
            !ran.stderr
                .contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
            "{ran:?}"
        );
    }
}

#[test]
fn what_is_left_of_a_line_that_is_too_long_is_no_line_of_its_own() {
    let home = Home::new();
    let input = format!("{}resign\n", "x".repeat(16 << 10));
    let ran = home.feed(&["play", "nim:3,5", "--local", "--two"], &input);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ran.stdout.contains("resigned"), "{ran:?}");
}

#[test]
fn the_answer_no_is_exit_10() {
    let home = Home::new();
    assert_eq!(
        home.run(&["solve", "nim:1,2,3", "--expect", "P"]).code,
        Some(0)
    );
    assert_eq!(
        home.run(&["solve", "nim:1,2,3", "--expect", "N"]).code,
        Some(10)
    );
}

#[test]
fn a_typo_in_the_settings_is_told_with_its_place_and_left_alone() {
    let home = Home::new();
    let text = "server = \"http://127.0.0.1:1\"\n\nserwer = \"http://a\"\n";
    let path = home.write(".config/grundy/config.toml", text);
    let ran = home.run(&["config", "show"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("config.toml, line 3, column 1"),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("serwer"), "{ran:?}");
    assert_eq!(fs::read_to_string(path).expect("the file"), text);
}

#[test]
fn a_flag_is_above_the_environment_and_the_environment_above_the_file() {
    let home = Home::new();
    home.write(
        ".config/grundy/config.toml",
        "server = \"http://file\"\nprofile = \"p\"\n",
    );
    let server = |arguments: &[&str], variable: Option<&str>| {
        let mut command = home.command(&["config", "show", "--json"]);
        command
            .args(arguments)
            .envs(variable.map(|value| ("GRUNDY_SERVER", value)));
        let shown: serde_json::Value =
            serde_json::from_slice(&command.output().expect("it runs").stdout).expect("JSON");
        shown["settings"][0]["value"]
            .as_str()
            .expect("a server")
            .to_owned()
    };
    assert_eq!(server(&[], None), "http://file:80");
    assert_eq!(server(&[], Some("http://variable")), "http://variable:80");
    assert_eq!(
        server(&["-s", "http://flag"], Some("http://variable")),
        "http://flag:80"
    );
    assert_eq!(
        home.run(&["--config", "none.toml", "config", "show"]).code,
        Some(2)
    );
}

#[test]
fn the_help_of_the_settings_names_every_key() {
    let home = Home::new();
    let shown = home.run(&["config", "show", "--json"]).json();
    let help = home.run(&["config", "--help"]).stdout;
    for setting in shown["settings"].as_array().expect("the settings") {
        let key = setting["key"].as_str().expect("a key");
        assert!(help.contains(&format!("\n  {key} = ")), "{key}: {help}");
    }
}

#[test]
fn a_position_that_is_not_solved_comes_with_a_larger_budget_to_try() {
    let empty = ["........."; 9].join("/");
    let ran = Home::new().run(&["solve", &format!("cram:{empty}"), "--budget", "1s"]);
    assert!(
        ran.stdout.contains("not solved within the budget"),
        "{ran:?}"
    );
    assert!(ran.stdout.contains("Try --budget 6s."), "{ran:?}");
}

/// Its length is searched and takes all of the budget; who wins is known by the values.
#[test]
fn a_winning_move_is_shown_as_one_when_the_budget_has_run_out() {
    let row = "H".repeat(30);
    let ran = Home::new().run(&["solve", &format!("turtles:{row}"), "--budget", "1s"]);
    assert!(ran.stdout.contains("\n  1,30   turtles:"), "{ran:?}");
    assert!(!ran.stdout.contains("not solved"), "{ran:?}");
}

#[test]
fn the_record_of_a_match_is_reviewed_offline() {
    let home = Home::new();
    let ran = home.feed(
        &[
            "play",
            "nim:3,5,7",
            "--local",
            "--two",
            "--record",
            "match.ndjson",
        ],
        "a1\nc7\nb5\na2\n",
    );
    assert!(
        ran.stdout
            .contains("B-5 gave the win away; only B-3 would have kept it (1 of 7)"),
        "{ran:?}"
    );
    let text = home.run(&["review", "match.ndjson"]);
    assert!(
        text.stdout
            .contains("only B-3 would have kept the win (1 of 7)"),
        "{text:?}"
    );
    let review = home.run(&["review", "match.ndjson", "--json"]).json();
    assert_eq!(review["schema"], "grundy/review/2");
    assert_eq!(review["turning_points"][0]["ply"], 3);
    let record = fs::read_to_string(home.file("match.ndjson")).expect("the record");
    assert_eq!(
        home.feed(&["review", "-", "--json"], &record).json(),
        review
    );
    for (arguments, code) in [
        (&["--fail-on", "??"] as &[&str], 10),
        (&["--fail-on", "??", "--side", "second"], 0),
        (&["--fail-on", "?"], 2),
    ] {
        let all: Vec<&str> = ["review", "match.ndjson"]
            .iter()
            .chain(arguments)
            .copied()
            .collect();
        assert_eq!(home.run(&all).code, Some(code), "{arguments:?}");
    }
    let cut = &record[..record.len() / 2];
    assert_eq!(home.feed(&["review", "-"], cut).code, Some(3));
}

#[test]
fn nobody_there_is_exit_5_with_what_to_do() {
    let home = Home::at("http://127.0.0.1:1");
    for command in [
        &["play", "nim:3"] as &[&str],
        &["join", "KWQHRMTB"],
        &["games", "list"],
        &["whoami"],
    ] {
        let ran = home.run(command);
        assert_eq!(ran.code, Some(5), "{command:?}: {ran:?}");
        assert!(ran.stderr.contains("--local"), "{ran:?}");
    }
}

#[test]
fn secrets_that_others_can_read_are_not_used() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = Home::at("http://127.0.0.1:1");
    let path = home.write(".config/grundy/credentials.toml", "");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("ours");
    let ran = home.run(&["whoami"]);
    assert_eq!(ran.code, Some(6), "{ran:?}");
    assert!(ran.stderr.contains("chmod 600"), "{ran:?}");
}

#[test]
fn completions_and_the_manual_come_from_the_same_tree() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish"] {
        assert!(
            home.run(&["completions", shell]).stdout.contains("resume"),
            "{shell}"
        );
    }
    assert!(home.run(&["man"]).stdout.contains("grundy\\-resume"));
}

#[test]
fn a_directory_is_not_a_record() {
    let home = Home::new();
    fs::create_dir(home.file("d")).expect("a directory");
    let ran = home.run(&["review", "./d"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("./d is a directory"), "{ran:?}");
}

#[test]
fn the_game_graph_is_drawn() {
    let home = Home::new();
    let ran = home.run(&["graph", "nim:1,2"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("* B-1 to nim:1,1   0"), "{ran:?}");
    let dot = home.run(&["graph", "nim:1,2", "--format", "dot"]).stdout;
    assert!(dot.starts_with("digraph \"nim:1,2\" {\n"), "{dot}");
    let svg = home.run(&["graph", "nim:1,2", "--format", "svg"]).stdout;
    assert!(
        svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
    let shown = home.run(&["graph", "nim:1,2", "--json"]).json();
    assert_eq!(
        shown["nodes"][0],
        json!({"position": "nim:1,2", "lost": false, "nim_value": 3, "longest": 3})
    );
    let ran = home.run(&["graph", "nim:50,50"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(
        ran.stderr.contains("2601 positions are reachable"),
        "{ran:?}"
    );
}
