//! Bots, records, certificates, odds, settings and reviews in Chinese: nothing in them is English but names, notation and what is typed.

use std::fs;

use crate::language_lists::says;
use crate::language_match::run;
use crate::program::{Home, Ran};

const NAMES: &[&str] = &[
    "perfect",
    "random",
    "greedy",
    "club",
    "beginner",
    "casual",
    "strong",
    "skill",
    "teacher",
    "trickster",
];

/// The program in a Chinese locale: in `bot new` the flag means something else.
fn in_locale(home: &Home, arguments: &[&str]) -> Ran {
    let mut command = home.command(arguments);
    command.env("LANG", "zh_CN.UTF-8");
    command.output().expect("the program runs").into()
}

#[test]
fn bots_are_written_checked_and_listed() {
    let home = Home::new();
    says(&run(&home, &["bot", "list"]), 0, NAMES);
    let new = ["bot", "new", "--lang", "python", "mybot"];
    let typed = [
        "cd", "check", "python", "py", "cmd", "random", "pairs", "bot", "new", "lang",
    ];
    says(&in_locale(&home, &new), 0, &typed);
    says(&in_locale(&home, &new), 1, &typed);
    says(
        &in_locale(&home, &["bot", "new", "--lang", "c", "9"]),
        3,
        &typed,
    );
    // The names of the checks, and what bots say.
    let checks = "starts greets greeting name games features options set quiet new answers id legal once second forced whole game \
                  stateless two misere large long every sums unknown verb key any order result stock quick quits exit code end of input \
                  ok bot option protocol move resign go ready KiB depth max moves all ms";
    let names = [checks, "mybot", "python", "bot", "py"];
    let check = |command: &[&str]| in_locale(&home, &[&["bot", "check"], command].concat());
    says(&check(&["python3", "mybot/bot.py"]), 0, &names);
    let broken = home.write(
        "broken.py",
        "import sys\nfor line in sys.stdin:\n    print('ok' if line.startswith('grundy') else 'move 0 Z-9', flush=True)\n",
    );
    let broken = broken.to_str().expect("UTF-8");
    let ran = check(&["python3", broken]);
    let said = "grundy protocol author me start opponent side checker seed movetime latency us position first bot nim";
    says(&ran, 10, &[&names[..], &[said]].concat());
    says(
        &check(&["./none"]),
        10,
        &[&names[..], &["exit code", "none"]].concat(),
    );
}

#[test]
fn records_certificates_and_odds() {
    let home = Home::new();
    let play = [
        "play", "nim:1,2", "--local", "--bot", "random", "--side", "first",
    ];
    home.feed(&play, "b-2\nresign\n");
    let listed = home.run(&["games", "list", "--local", "--json"]).json();
    let id = listed["matches"][0]["match"]
        .as_str()
        .expect("an id")
        .to_owned();
    let directory = home.directory().to_str().expect("UTF-8").to_owned();
    let own = [&*id, &*directory, "one ndjson matches share local mine"];
    for (arguments, code) in [
        (&["games", "export", &id, "one.ndjson", "--local"][..], 0),
        (&["games", "export", "--mine", "mine", "--local"], 0),
        (&["games", "import", "one.ndjson"], 0),
        (&["config", "path"], 0),
        (&["config", "show"], 0),
    ] {
        let keys = "server ca profile name timeout screen lang http auto default zh CN config toml credentials grundy";
        says(&run(&home, arguments), code, &[&own[..], &[keys]].concat());
    }
    run(
        &home,
        &["solve", "kayles:7,5", "--certificate", "kayles.json"],
    );
    let proof = ["kayles", "json", "Guy Smith Sprague periodicity"];
    let verified = run(&home, &["verify", "kayles.json"]);
    assert!(
        verified.stdout.contains("\u{5df2}\u{5f97}\u{8bc1}"),
        "{verified:?}"
    );
    assert_eq!(verified.code, Some(0), "{verified:?} {proof:?}");
    let text = fs::read_to_string(home.file("kayles.json")).expect("the proof");
    home.write("wrong.json", &text.replacen("kayles:7,5", "kayles:7,7", 2));
    let refused = run(&home, &["verify", "wrong.json"]);
    assert_eq!(refused.code, Some(10), "{refused:?}");
    assert!(refused.stdout.contains("\u{672a}"), "{refused:?}");
    for (arguments, code) in [
        (&["odds", "nim:3,5,7", "--skills", "best,random"][..], 0),
        (
            &[
                "fair",
                "--skills",
                "perfect,random",
                "--max",
                "3",
                "--heaps",
                "2",
            ],
            0,
        ),
        (&["fair", "--family", "zzz", "--skills", "0.5,0.5"], 3),
    ] {
        says(
            &run(&home, arguments),
            code,
            &[arguments, NAMES, &["sub"]].concat(),
        );
    }
}

#[test]
fn statistics_say_what_is_not_determined() {
    let home = Home::new();
    for arguments in [
        &["stats", "match", "--games", "0,0,5"][..],
        &["stats", "match", "--games", "0,0,0"],
        &["stats", "match", "--pairs", "13,37,50,25,3"],
        &[
            "stats",
            "sprt",
            "--pairs",
            "0,0,9,0,0",
            "--elo0",
            "0",
            "--elo1",
            "4",
        ],
        &[
            "stats",
            "glicko2",
            "--rating",
            "1500,200,0.06",
            "--games",
            "1400,30,1",
        ],
    ] {
        says(&run(&home, arguments), 0, &["elo nelo los llr"]);
    }
    home.write("results.csv", "ann,bob,3\ncyd,dan,2\n");
    let ratings = run(&home, &["stats", "ratings", "results.csv"]);
    says(&ratings, 0, &["elo ann bob cyd dan"]);
}

/// The letters of a text, two columns for the wide ones.
fn columns(line: &str) -> usize {
    line.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
}

#[test]
fn a_review_has_its_graph_its_page_and_its_picture() {
    let home = Home::new();
    let review = [
        "review",
        "nim:1,4,6,7",
        "D-4",
        "C-1",
        "B-4",
        "C-3",
        "D-1",
        "C-2",
        "D-1",
        "A-1",
        "D-1",
    ];
    let files = ["--html", "r.html", "--svg", "r.svg"];
    let ran = run(&home, &[&review[..], &files].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // A rope a ply, in columns of the same width.
    let ropes: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| line.matches('|').count() == 2)
        .collect();
    assert_eq!(ropes.len(), 10, "{}", ran.stdout);
    let ends = |line: &str| columns(&line[..line.rfind('|').expect("an end")]);
    assert!(
        ropes.iter().all(|line| ends(line) == ends(ropes[0])),
        "{ropes:#?}"
    );
    let english = home.run(&review);
    let rope = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.matches('|').count() == 2);
        lines
            .map(|line| line.split('|').nth(1).unwrap_or("").trim().to_owned())
            .collect()
    };
    assert_eq!(rope(&english.stdout), rope(&ran.stdout));
    let page = fs::read_to_string(home.file("r.html")).expect("the page");
    assert!(page.contains("<html lang=\"zh-CN\">"), "{page}");
    let body = page.split_once("<body>").expect("a body").1;
    for word in [
        "turning", "wins", "against", "player", "Moves", "left", "start", "chances",
    ] {
        let words = body.split(|c: char| !c.is_ascii_alphabetic());
        let tags = ["player", "start"];
        let found = words.filter(|one| *one == word).count();
        assert!(found == 0 || tags.contains(&word), "{word}: {page}");
    }
    let picture = fs::read_to_string(home.file("r.svg")).expect("the picture");
    assert!(picture.contains("\u{5fc5}\u{80dc}"), "{picture}");
    assert!(!picture.contains(" wins"), "{picture}");
}

#[test]
fn a_tournament_file_is_ranked() {
    let home = Home::new();
    home.write(
        "open.trf",
        "012 Club Open\n\
         001    1      Ann                               2200                             1.0    1     2 w 1\n\
         001    2      Ben                               2100                             0.0    2     1 b 0\n\
         XXR 3\n",
    );
    let standings = run(&home, &["tournament", "standings", "open.trf"]);
    says(&standings, 0, &["Ann Ben PTS DE BH SB"]);
}
