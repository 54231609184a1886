//! Lists of matches, statistics, challenges and tournaments in Chinese: nothing in them is English but names, notation and what is typed.

use serde_json::Value;

use crate::language_match::{command, foreign, guest, is_chinese, run, start};
use crate::online::word_after;
use crate::program::{Home, Ran, Running};
use crate::server::Server;

/// Commands, flags and what stands for their values.
const TYPED: &str = "grundy games import list mine show limit tournament create Nim Cup format swiss rounds play bot run mybot watch \
                     export challenges offers password login logout forget resume whoami token revoke rotate recover identity file profile \
                     path config server same name family vs since until online from local rows budget table to last period octal \
                     verify arena resume out confirm trf csv cancel scope show to sum BH DE SB";

/// It ends with this code, and what it says is Chinese; `names` are those of this run.
pub(crate) fn says(ran: &Ran, code: i32, names: &[&str]) {
    assert_eq!(ran.code, Some(code), "{ran:?}");
    is_chinese(ran, &[names, &[TYPED]].concat());
}

fn text<'v>(value: &'v Value, path: &str) -> &'v str {
    value.pointer(path).and_then(Value::as_str).expect(path)
}

#[test]
fn matches_on_this_computer_and_statistics() {
    let home = Home::new();
    let none = run(&home, &["games", "list", "--local"]);
    says(&none, 0, &[]);
    let nobody = run(&home, &["stats", "player"]);
    says(&nobody, 4, &[]);
    let filtered = ["stats", "player", "Bo", "--game", "nim", "--local"];
    says(&run(&home, &filtered), 4, &[]);
    for (position, typed) in [
        ("nim:1,2", "b-2\nresign\n"),
        ("nim:1,2", "b-1\nresign\n"),
        ("kayles:7", "a-1\nresign\n"),
        ("nim:1,2", "b-1\n"),
    ] {
        let play = [
            "play", position, "--local", "--bot", "random", "--side", "first",
        ];
        home.feed(&play, typed);
    }
    let listed = home.run(&["games", "list", "--local", "--json"]).json();
    let matches = listed["matches"].as_array().expect("matches");
    let ids: Vec<&str> = matches.iter().map(|one| text(one, "/match")).collect();
    let me = text(&matches[0], "/first/name").to_owned();
    let mut names = ids.clone();
    names.push(&me);
    for (asked, code) in [
        (&["games", "list", "--local"][..], 0),
        (&["games", "list", "--local", "--with-mistakes"], 0),
        (&["games", "list", "--local", "--limit", "1"], 0),
        (&["games", "list", "--local", "--min-mistakes", "9"], 0),
        (&["games", "list", "--local", "--game", "zzz"], 4),
        (&["games", "show", ids[0], "--local"], 0),
        (&["games", "show", ids[1], "--local"], 0),
        (&["stats", "player"], 0),
        (&["stats", "player", "--by", "month", "--rows", "1"], 0),
    ] {
        says(&run(&home, asked), code, &names);
    }
    let table = run(&home, &["games", "list", "--local"]).stdout;
    assert!(table.starts_with("  \u{5bf9}\u{5c40}  "), "{table}");
    // JSON is the same in every language.
    let json = ["stats", "player", "--json"];
    assert_eq!(home.run(&json).stdout, run(&home, &json).stdout);
}

#[test]
fn matches_and_challenges_on_a_server() {
    let server = Server::start();
    let homes = [Home::at(&server.url), Home::at(&server.url)];
    let [ann, bo] = &homes;
    says(&run(ann, &["games", "list"]), 0, &[]);
    says(&run(ann, &["offers"]), 0, &[]);
    says(&run(ann, &["challenges", "list"]), 0, &[]);
    let before = guest(ann);
    says(&run(ann, &["name", "Ada"]), 0, &["Ada", &before]);
    bo.run(&["name", "Bo"]);
    let mut waiting = start(ann, "Ada", &["challenges"]);
    let line = waiting.mutters("Ctrl-C");
    let me = ann.run(&["whoami", "--json"]).json();
    let id = text(&me, "/player/id").to_owned();
    assert!(line.contains(&id), "{line}");
    let asked = [
        "challenge",
        &id,
        "nim:1",
        "--side",
        "first",
        "--games",
        "2",
        "--clock",
        "3+2",
    ];
    let mut asking = start(bo, "Bo", &asked);
    let shown = waiting.says("nim:1");
    let first = shown.split_whitespace().next().expect("an id").to_owned();
    let declined = run(ann, &["challenges", "decline", &first, "--reason", "later"]);
    says(&declined, 0, &[]);
    // A reason that the English has in the words of the protocol.
    asking.mutters("\u{73b0}\u{5728}\u{4e0d}\u{4e0b}");
    waiting.says(&first);
    let mut asking = start(bo, "Bo", &["challenge", &id, "nim:1", "--side", "first"]);
    let shown = waiting.says("nim:1");
    let second = shown.split_whitespace().next().expect("an id").to_owned();
    let open = run(ann, &["challenges", "list"]);
    says(&open, 0, &[&second, "Ada", "Bo"]);
    let mut accepting = start(ann, "Ada", &["challenges", "accept", &second]);
    asking.says("\u{8f6e}\u{5230}\u{60a8}\u{8d70}");
    asking.types("a-1");
    accepting.says("\u{83b7}\u{80dc}");
    let ended = waiting.says("Bo \u{83b7}\u{80dc}");
    let played = word_after(&ended, "\u{5bf9}\u{5c40} ").to_owned();
    let names = ["Ada", "Bo", &*played, &*first, &*second, &*id];
    nothing_foreign(&[&waiting, &asking, &accepting], &names);
    for asked in [
        &["games", "list"][..],
        &["games", "list", "--with-mistakes"],
        &["games", "list", "--mine", "--status", "live"],
        &["games", "show", &played],
        &["stats", "player", "--online"],
    ] {
        says(&run(ann, asked), 0, &names);
    }
}

fn nothing_foreign(all: &[&Running], names: &[&str]) {
    for running in all {
        for line in &running.seen {
            let words = foreign(line, &[names, &[TYPED]].concat());
            assert!(words.is_empty(), "{words:?} in {line}");
        }
    }
}

#[test]
fn tournaments_on_a_server_and_without_one() {
    let server = Server::start();
    let home = Home::at(&server.url);
    says(&run(&home, &["tournament", "list"]), 0, &[]);
    let create = [
        "tournament",
        "create",
        "Open",
        "--format",
        "swiss",
        "--rounds",
        "2",
        "--bot",
        "perfect",
        "--bot",
        "random",
        "--bot",
        "greedy",
        "--bot",
        "skill:0.5",
        "--players",
        "5",
        "--start",
        "nim:1,2",
    ];
    let json = [&create[..], &["--json"]].concat();
    let made = home.run(&json).json();
    let id = text(&made, "/state/tournament").to_owned();
    let export = ["tournament", "export", &id, "cup.ndjson"];
    let mut names = vec![
        "Open",
        "perfect",
        "random",
        "greedy",
        "skill",
        "Elo",
        "cup ndjson",
        &*id,
    ];
    let shown = |home: &Home| home.run(&["tournament", "show", &id, "--json"]).json();
    let state = shown(&home)["state"].clone();
    let proof = [text(&state, "/commitment"), text(&state, "/head")].map(str::to_owned);
    let with = |names: &[&str], more: &[String]| -> Vec<String> {
        let more = more.iter().map(String::as_str);
        names
            .iter()
            .copied()
            .chain(more)
            .map(str::to_owned)
            .collect()
    };
    let open = with(&names, &proof);
    let open: Vec<&str> = open.iter().map(String::as_str).collect();
    says(&run(&home, &["tournament", "show", &id]), 0, &open);
    says(&run(&home, &["tournament", "list"]), 0, &open);
    says(&run(&home, &export), 7, &open);
    let wrong = ["tournament", "cancel", &id, "--confirm", "other"];
    says(&run(&home, &wrong), 2, &[&open[..], &["other"]].concat());
    let started = command(&home, "Ada", &["tournament", "start", &id]).output();
    assert!(started.expect("it runs").status.success());
    let watched = run(&home, &["tournament", "watch", &id]);
    let state = shown(&home)["state"].clone();
    let proof = [text(&state, "/commitment"), text(&state, "/head")].map(str::to_owned);
    let games = home
        .run(&["games", "list", "--limit", "100", "--json"])
        .json();
    let ids = games["matches"].as_array().expect("matches").iter();
    let ids: Vec<String> = ids.map(|one| text(one, "/match").to_owned()).collect();
    let over = with(&names, &[&proof[..], &ids].concat());
    let over: Vec<&str> = over.iter().map(String::as_str).collect();
    says(&watched, 0, &over);
    says(
        &run(&home, &["tournament", "show", &id, "--accuracy"]),
        0,
        &over,
    );
    says(&run(&home, &export), 0, &over);
    // Without a server.
    home.write(
        "open.trf",
        "012 Club Open\n\
         001    1      Ann                               2200                             1.0    1     3 w 1\n\
         001    2      Ben                               2100                             1.0    2     4 b 1\n\
         001    3      Cyd                               2000                             0.0    3     1 b 0\n\
         001    4      Dan                               1900                             0.0    4     2 w 0\n\
         XXR 3\n",
    );
    names.extend(["Ann Ben Cyd Dan PTS DE BH SB players seeds gauntlet"]);
    for (asked, code) in [
        (&["tournament", "schedule", "--players", "5"][..], 0),
        (
            &[
                "tournament",
                "schedule",
                "--players",
                "5",
                "--format",
                "knockout",
            ],
            0,
        ),
        (&["tournament", "schedule", "--players", "1"], 3),
        (
            &[
                "tournament",
                "schedule",
                "--players",
                "3",
                "--format",
                "gauntlet",
                "--seeds",
                "3",
            ],
            3,
        ),
        (&["tournament", "pair", "open.trf"], 0),
        (&["tournament", "standings", "open.trf"], 0),
    ] {
        says(&run(&home, asked), code, &names);
    }
}
