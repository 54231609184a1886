//! What is wrong with files, flags, settings and servers, in Chinese: nothing in it is English but names, notation and what is typed.

use crate::language_lists::says;
use crate::language_match::{fed, run};
use crate::program::Home;

/// What may stand in Latin letters: files and flags of these runs, keys, and what may be typed instead.
const NAMES: &[&str] = &[
    "ndjson toml json trf csv UTF SVG XDG HOME CONFIG DATA perfect random skill greedy club beginner casual strong teacher trickster",
    "stats solve explain graph options fair skills heaps max play people anyone open opponents import certificate server ms matches \
     share tmp local make puzzle side first second force spawn remote allow pairs start random cmd mybot Kq Rt Tal Mikhail alice bob lang mVx sub seed journal check bot export heaps",
];

fn fails(home: &Home, arguments: &[&str], code: i32) {
    let directory = home.directory().to_str().expect("UTF-8");
    let own = [
        directory,
        "Player First Second seq schema event type at created",
    ];
    says(
        &run(home, arguments),
        code,
        &[arguments, NAMES, &own].concat(),
    );
}

#[test]
fn files_that_are_missing_or_of_another_kind() {
    let home = Home::new();
    home.write("bad.ndjson", "{}\n");
    home.write("empty.ndjson", "");
    home.write("other.svg", "not a picture");
    for (arguments, code) in [
        (&["games", "import", "none.ndjson"][..], 4),
        (&["games", "import", "empty.ndjson"], 3),
        (&["games", "import", "."], 3),
        (&["games", "show", "7Kq2mVx9Rt", "--local"], 4),
        (&["games", "show", "zzz", "--local"], 3),
        (&["review", "nim:1", "A-1", "--svg", "other.svg"], 7),
        (&["review", "nim:1", "A-1", "A-1"], 3),
        (&["review", "nim:1", "A-1", "--ply", "9"], 3),
        (&["review", "nim:1", "A-1", "--player", "Zed"], 3),
        (&["verify", "bad.ndjson"], 3),
        (&["verify", "tournament", "bad.ndjson"], 3),
        (&["verify", "arena", "nowhere"], 4),
        (&["tournament", "pair", "bad.ndjson"], 3),
        (&["puzzle", "next", "--from", "bad.ndjson"], 3),
        (&["puzzle", "9999999"], 4),
        (&["stats", "ratings", "bad.ndjson"], 3),
        (&["solve", "nim:1", "--certificate", "nowhere/x.json"], 4),
    ] {
        fails(&home, arguments, code);
    }
    // An example of a record is one.
    let bad = run(&home, &["games", "import", "bad.ndjson"]);
    assert_eq!(bad.code, Some(3), "{bad:?}");
    assert!(!bad.stderr.contains("missing field"), "{bad:?}");
    assert!(bad.stderr.contains("\u{7b2c} 1 \u{884c}"), "{bad:?}");
}

#[test]
fn flags_that_do_not_go_together_and_settings_that_cannot_be_read() {
    let home = Home::new();
    home.write("bad.toml", "servr = 1\n");
    home.write("lang.toml", "lang = \"zh-CN\"\nservr = 1\n");
    for (arguments, code) in [
        (&["solve", "nim:1", "--server", "nowhere"][..], 2),
        (&["whoami", "--server", "ftp://x"], 2),
        (&["whoami", "--timeout", "x"], 2),
        (&["whoami", "--profile", "a b"], 2),
        (&["whoami", "--config", "bad.toml"], 2),
        (&["whoami", "--config", "none.toml"], 2),
        (&["whoami", "--server", "http://127.0.0.1:1"], 5),
        (&["whoami", "--token-file", "none.token"], 6),
        (&["play", "nim:1", "--opponents", "people"], 2),
        (&["play", "nim:1", "--rated", "--clock", "3+2"], 2),
        (&["play", "nim:1", "--local", "--bot", "nobody"], 3),
        (&["play", "nim:1", "--fair", "0.5"], 2),
        (&["explain", "nim"], 3),
        (&["games", "export", "--mine", "-", "--local"], 2),
        (
            &[
                "stats",
                "sprt",
                "--pairs",
                "1,2,x,4,5",
                "--elo0",
                "0",
                "--elo1",
                "1",
            ],
            2,
        ),
        (
            &[
                "stats", "sprt", "--pairs", "1,2", "--elo0", "0", "--elo1", "1",
            ],
            2,
        ),
        (
            &[
                "stats",
                "sprt",
                "--pairs",
                "1,2,3,4,5",
                "--elo0",
                "2",
                "--elo1",
                "1",
            ],
            2,
        ),
        (
            &["stats", "glicko2", "--rating", "1500,0,0.06", "--games", ""],
            2,
        ),
        (&["tournament", "create", "Cup", "--start", "nim:x"], 3),
        (&["arena", "--bot", "perfect"], 3),
        (&["arena", "--bot", "perfect", "--bot", "nobody"], 3),
        (
            &[
                "arena", "--bot", "perfect", "--bot", "random", "--pairs", "0",
            ],
            3,
        ),
        (
            &[
                "arena", "--bot", "perfect", "--bot", "random", "--start", "none.txt",
            ],
            4,
        ),
        (
            &[
                "arena", "--bot", "perfect", "--bot", "random", "--start", "nim:0",
            ],
            3,
        ),
        (&["arena", "--bot", "perfect", "--bot", "cmd:./none"], 1),
        (&["load", "--server", "http://192.0.2.1:1"], 2),
    ] {
        fails(&home, arguments, code);
    }
    // The language may stand in the very file that is wrong.
    let lang = home.run(&["whoami", "--config", "lang.toml", "--lang", "zh"]);
    says(&lang, 2, NAMES);
}

#[test]
fn what_the_parser_does_not_understand() {
    let home = Home::new();
    for arguments in [
        &["solve"][..],
        &["slove", "nim:1"],
        &["solve", "nim:1", "--bugdet", "1s"],
        &["solve", "nim:1", "--budget", "x"],
        &["solve", "nim:1", "--budget"],
        &["solve", "nim:1", "--memory", "x"],
        &["solve", "nim:1", "--budget", "1s", "--budget", "2s"],
        &["play", "nim:1", "--side", "left"],
        &["play", "nim:1", "--games", "3"],
        &["play", "nim:1", "--local", "--invite"],
        &["lobby", "--limit", "0"],
        &["tournament"],
        &["odds", "nim:1", "--skills", "2,3"],
        &["odds", "nim:1", "--skills", "1"],
    ] {
        let ran = run(&home, arguments);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let text = format!("{}{}", ran.stdout, ran.stderr);
        for word in text.split_whitespace() {
            let is_english = [
                "the", "is", "for", "value", "required", "Usage:", "error:", "try",
            ];
            assert!(!is_english.contains(&word), "{word} in {text}");
        }
        assert!(!text.is_ascii(), "{text}");
    }
    // Programs get the words that they know.
    let json = fed(&home, &["solve", "--json"], "");
    assert_eq!(json.code, Some(2), "{json:?}");
    assert!(json.stderr.contains("required arguments"), "{json:?}");
}
