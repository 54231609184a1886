//! Arenas that are computed again from what they wrote, and what was changed in it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::arena::{FOUR, arena, lines};
use crate::hostile::hostile;
use crate::program::Home;

fn verify(home: &Home) -> Value {
    let ran = home.run(&["verify", "arena", "out", "--json"]);
    let report: Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    let code = if report["accepted"] == true { 0 } else { 10 };
    assert_eq!(ran.code, Some(code), "{ran:?}");
    report
}

/// Plays an arena into `out`; its first and its last line for programs.
fn played(home: &Home, bots: &[&str], rest: &[&str]) -> (Value, Value) {
    let rest: Vec<&str> = ["--out", "out", "--json"]
        .iter()
        .chain(rest)
        .copied()
        .collect();
    let ran = arena(home, bots, &rest);
    assert!(ran.code == Some(0) || ran.code == Some(1), "{ran:?}");
    let lines = lines(&ran.stdout);
    (lines[0].clone(), lines[lines.len() - 1].clone())
}

#[test]
fn an_arena_of_each_kind_is_verified_from_its_files_alone() {
    let crashes = hostile("crash");
    let late = hostile("late");
    let two = ["--bot", "skill:0.9", "--bot", "random"];
    let faulty = ["--bot", &*crashes, "--bot", &*late, "--bot", "greedy"];
    for (bots, rest) in [
        (&FOUR[..], &["--pairs", "3", "--order", "random"][..]),
        (
            &FOUR,
            &[
                "--pairs",
                "2",
                "--format",
                "double-round-robin",
                "--no-accuracy",
            ],
        ),
        (
            &FOUR,
            &["--pairs", "2", "--format", "gauntlet", "--time", "1s+10ms"],
        ),
        (&FOUR, &["--pairs", "2", "--format", "swiss"]),
        (&FOUR, &["--pairs", "1", "--format", "knockout"]),
        (&FOUR, &["--pairs", "2", "--start", "kayles:3,4,5"]),
        (&FOUR, &["--pairs", "2", "--max-plies", "3"]),
        (&two, &["--pairs", "2000", "--sprt", "elo0=0,elo1=20"]),
        // Bots that fail, and bots that play no more.
        (
            &faulty,
            &["--pairs", "4", "--faults", "3", "--time", "100ms"],
        ),
        (&faulty, &["--pairs", "4", "--strict", "--time", "1s"]),
    ] {
        let home = Home::new();
        let rest: Vec<&str> = ["--seed", "3"].iter().chain(rest).copied().collect();
        let (first, last) = played(&home, bots, &rest);
        let report = verify(&home);
        assert_eq!(report["accepted"], true, "{rest:?}: {report}");
        for (name, due) in [
            ("commitment", &first["commitment"]),
            ("head", &last["head"]),
            ("games", &last["games"]),
            ("pairs", &last["pairs"]),
            ("standings", &last["standings"]),
        ] {
            assert!(!due.is_null(), "{name}");
            assert_eq!(&report[name], due, "{rest:?}: {name}");
        }
    }
}

#[test]
fn the_commitment_does_not_depend_on_the_machine_but_on_all_that_is_settled() {
    let commitment = |rest: &[&str]| played(&Home::new(), &FOUR, rest).0["commitment"].clone();
    let one = commitment(&["--pairs", "1", "--seed", "1"]);
    assert_eq!(
        one,
        commitment(&["--pairs", "1", "--seed", "1", "--concurrency", "2"])
    );
    for other in [
        &["--pairs", "1", "--seed", "2"][..],
        &["--pairs", "2", "--seed", "1"],
        &["--pairs", "1", "--seed", "1", "--bot", "teacher"],
        &["--pairs", "1", "--seed", "1", "--start", "nim:3,5,7"],
    ] {
        assert_ne!(one, commitment(other), "{other:?}");
    }
}

/// An arena that was played, to be changed.
struct Files {
    home: Home,
    whole: PathBuf,
}

impl Files {
    fn play() -> Self {
        let home = Home::new();
        played(
            &home,
            &FOUR,
            &["--pairs", "2", "--seed", "11", "--concurrency", "1"],
        );
        let whole = home.file("whole");
        fs::rename(home.file("out"), &whole).expect("renamed");
        Self { home, whole }
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.whole.join(name)).expect("a file")
    }

    /// What is found if these files have this text, or are not there.
    fn found(&self, changed: &[(&str, Option<String>)]) -> Value {
        let out = self.home.file("out");
        let _ = fs::remove_dir_all(&out);
        fs::create_dir(&out).expect("a directory");
        for entry in fs::read_dir(&self.whole).expect("a directory") {
            let entry = entry.expect("an entry").path();
            if entry.is_file() {
                let name = entry.file_name().expect("a name");
                fs::copy(&entry, Path::new(&out).join(name)).expect("copied");
            }
        }
        for (name, text) in changed {
            match text {
                Some(text) => fs::write(out.join(name), text).expect("written"),
                None => fs::remove_file(out.join(name)).expect("removed"),
            }
        }
        verify(&self.home)
    }

    /// The journal with one of its lines changed.
    fn journal(&self, line: usize, change: impl Fn(&mut Value)) -> (&'static str, Option<String>) {
        let journal = self.read("journal.ndjson");
        let mut rows: Vec<String> = journal.lines().map(str::to_owned).collect();
        let mut value: Value = serde_json::from_str(&rows[line - 1]).expect("JSON");
        change(&mut value);
        rows[line - 1] = value.to_string();
        ("journal.ndjson", Some(rows.join("\n") + "\n"))
    }

    /// A file with some text in place of another.
    fn with(&self, name: &'static str, from: &str, to: &str) -> (&'static str, Option<String>) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} has no {from}");
        (name, Some(text.replacen(from, to, 1)))
    }
}

/// The settings as they were changed, with the mark that belongs to them, in every line.
fn forged(journal: &str, from: &str, to: &str) -> String {
    let (first, _) = journal.split_once('\n').expect("lines");
    let mark = lines(journal)[0]["arena"]
        .as_str()
        .expect("a mark")
        .to_owned();
    let settings = &first[first.find(r#""settings":"#).expect("settings") + 11..first.len() - 1];
    assert!(settings.contains(from), "{settings}");
    let changed = settings.replacen(from, to, 1);
    let hash = Sha256::digest(format!("grundy arena {changed}"));
    let new: String = hash[..6].iter().map(|byte| format!("{byte:02x}")).collect();
    journal.replacen(settings, &changed, 1).replace(&mark, &new)
}

#[test]
fn what_was_changed_is_named_with_its_file_and_line() {
    let files = Files::play();
    assert_eq!(files.found(&[])["accepted"], true);
    let mut wrong = Vec::new();
    let mut check = |name: &str,
                     changed: &[(&str, Option<String>)],
                     file: &str,
                     line: Option<u64>,
                     words: &str| {
        let report = files.found(changed);
        let message = report["message"].as_str().unwrap_or_default();
        let fits = report["accepted"] == false
            && report["file"] == file
            && line.is_none_or(|line| report["line"] == line)
            && message.contains(words);
        if !fits {
            wrong.push(format!("{name}: {report}"));
        }
    };
    let journal = files.read("journal.ndjson");
    let rows: Vec<&str> = journal.lines().collect();
    let games = lines(&journal);
    let suite = games[0]["settings"]["suite"]
        .as_str()
        .expect("a hash")
        .to_owned();
    // A game that the rules ended, in which the first player had to choose.
    let line = (2..=games.len())
        .find(|line| {
            let game = &games[line - 1];
            game["cause"] == "normal" && game["deeds"][0]["won"].as_u64() > Some(0)
        })
        .expect("a game");
    let game = &games[line - 1];
    let at = Some(line as u64);
    let j = "journal.ndjson";
    let moves = game["moves"].as_str().expect("moves").to_owned();
    let (shorter, _) = moves.rsplit_once(' ').expect("moves");
    let longer = format!("{moves} A-1");
    let illegal = format!("A-99 {moves}");
    let other = if game["outcome"] == "first" {
        "second"
    } else {
        "first"
    };

    // What was settled.
    check(
        "settings",
        &[files.with(j, r#""margin_ms":50"#, r#""margin_ms":60"#)],
        j,
        Some(1),
        "settings were changed",
    );
    let forge = |from: &str, to: &str| (j, Some(forged(&journal, from, to)));
    let seed = forge(r#""seed":11,"time""#, r#""seed":12,"time""#);
    check(
        "another seed",
        std::slice::from_ref(&seed),
        "tournament.trf",
        Some(1),
        "seed 12",
    );
    let named = files.with("tournament.trf", "seed 11", "seed 12");
    check(
        "another seed, twice",
        &[seed, named],
        "final.json",
        Some(1),
        "head",
    );
    check(
        "a bot replaced",
        &[forge(r#""builtin":"random""#, r#""builtin":"teacher""#)],
        "final.json",
        Some(1),
        "head",
    );
    check(
        "fewer pairs",
        &[forge(r#""pairs":2"#, r#""pairs":1"#)],
        "starts.txt",
        Some(2),
        "should have ended",
    );
    check(
        "another format",
        &[forge(r#""format":"round-robin""#, r#""format":"gauntlet""#)],
        j,
        None,
        "the plan has",
    );
    check(
        "another version",
        &[files.with(j, "grundy/arena/1", "grundy/arena/7")],
        j,
        Some(1),
        "this program reads",
    );

    // The starts.
    let starts = files.read("starts.txt");
    let first_start = starts.lines().next().expect("a start");
    check(
        "a start",
        &[files.with("starts.txt", first_start, "nim:1,2,3")],
        "starts.txt",
        Some(1),
        "should be",
    );
    let swapped: Vec<&str> = starts.lines().rev().collect();
    let swapped = swapped.join("\n") + "\n";
    check(
        "starts swapped",
        &[("starts.txt", Some(swapped.clone()))],
        "starts.txt",
        Some(1),
        "should be",
    );
    check(
        "no start",
        &[("starts.txt", Some("chess\n".to_owned()))],
        "starts.txt",
        Some(1),
        "",
    );
    let hash: String = Sha256::digest(&swapped)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    check(
        "starts that the recipe does not make",
        &[forge(&suite, &hash), ("starts.txt", Some(swapped))],
        "starts.txt",
        Some(1),
        "should be",
    );
    check(
        "a hash of other starts",
        &[forge(&suite, &hash)],
        "starts.txt",
        Some(1),
        "hash",
    );

    // The games.
    let set = |member: &str, value: Value| {
        let member = member.to_owned();
        files.journal(line, move |game| game[&*member] = value.clone())
    };
    check(
        "an illegal move",
        &[set("moves", illegal.into())],
        j,
        at,
        "move 1, 'A-99', is not legal",
    );
    check(
        "a game cut short",
        &[set("moves", shorter.into())],
        j,
        at,
        "do not end the game",
    );
    check(
        "a game that goes on",
        &[set("moves", longer.into())],
        j,
        at,
        "and it has more",
    );
    check(
        "an outcome",
        &[set("outcome", other.into())],
        j,
        at,
        "its moves end with",
    );
    check(
        "a cause",
        &[set("cause", "resign".into())],
        j,
        at,
        "its moves end with",
    );
    check(
        "a loss by a fault",
        &[set("cause", "crash".into())],
        j,
        at,
        "its moves end with",
    );
    check(
        "accuracy",
        &[files.journal(line, |game| {
            game["deeds"][0]["kept"] =
                (game["deeds"][0]["kept"].as_u64().expect("a number") + 1).into();
        })],
        j,
        at,
        "won positions",
    );
    check(
        "a favourite",
        &[files.journal(line, |game| {
            let other = if game["favoured"] == "first" {
                "second"
            } else {
                "first"
            };
            game["favoured"] = other.into();
        })],
        j,
        at,
        "who wins the start",
    );
    check(
        "a late answer",
        &[files.journal(line, |game| {
            game["timing"]["moves_us"][0] = 700_000_000.into();
        })],
        j,
        at,
        "answer 1 took 700000 ms",
    );
    check(
        "a time left out",
        &[files.journal(line, |game| {
            game["timing"]["moves_us"]
                .as_array_mut()
                .expect("times")
                .pop();
        })],
        j,
        at,
        "one time for each move",
    );
    check(
        "no times",
        &[files.journal(line, |game| {
            game.as_object_mut().expect("a game").remove("timing");
        })],
        j,
        at,
        "times of its moves are missing",
    );
    check(
        "sides swapped",
        &[files.journal(line, |game| {
            let (first, second) = (game["first"].clone(), game["second"].clone());
            (game["first"], game["second"]) = (second, first);
        })],
        j,
        at,
        "the plan has",
    );
    check(
        "another start",
        &[set("start", "nim:1,2,3".into())],
        j,
        at,
        "the plan has",
    );
    check(
        "another round",
        &[set("round", 9.into())],
        j,
        at,
        "the plan has",
    );
    check(
        "a game of another arena",
        &[set("arena", "0123456789ab".into())],
        j,
        at,
        "another arena",
    );
    let without = rows
        .iter()
        .enumerate()
        .filter(|(at, _)| at + 1 != line)
        .map(|(_, row)| *row);
    let without = without.collect::<Vec<_>>().join("\n") + "\n";
    check(
        "a game left out",
        &[(j, Some(without))],
        j,
        None,
        "is missing",
    );
    let twice = format!("{journal}{}\n", rows[line - 1]);
    check(
        "a game twice",
        &[(j, Some(twice))],
        j,
        Some(rows.len() as u64 + 1),
        "twice",
    );
    let number = game["game"].as_u64().expect("a number");
    let extra = rows[line - 1].replace(&format!(r#""game":{number},"#), r#""game":999,"#);
    check(
        "a game too many",
        &[(j, Some(format!("{journal}{extra}\n")))],
        j,
        Some(rows.len() as u64 + 1),
        "game 999 is not in the plan",
    );
    let torn = journal[..journal.len() - 9].to_owned();
    check(
        "a line cut off",
        &[(j, Some(torn))],
        j,
        Some(rows.len() as u64),
        "cut off",
    );
    let damaged = journal.replacen(rows[2], &rows[2][..rows[2].len() / 2], 1);
    check(
        "a damaged line",
        &[(j, Some(damaged))],
        j,
        Some(3),
        "the line is",
    );
    // What nobody can compute again is in the hash chain.
    let detail = |text: &str| text.replacen(r#""moves":"#, r#""detail":"slow","moves":"#, 1);
    let note = detail(rows[1]);
    check(
        "a note in both files",
        &[
            (j, Some(journal.replacen(rows[1], &note, 1))),
            ("games.ndjson", Some(detail(&files.read("games.ndjson")))),
        ],
        "final.json",
        Some(1),
        "head",
    );

    // The files that follow from the games.
    let counted = files.read("games.ndjson");
    let counted: Vec<&str> = counted.lines().collect();
    let text = |lines: &[&str]| Some(lines.join("\n") + "\n");
    check(
        "a counted game changed",
        &[files.with("games.ndjson", r#""round":2"#, r#""round":3"#)],
        "games.ndjson",
        None,
        "not as in the journal",
    );
    check(
        "a counted game left out",
        &[("games.ndjson", text(&counted[1..]))],
        "games.ndjson",
        Some(1),
        "not as in the journal",
    );
    check(
        "the last game left out",
        &[("games.ndjson", text(&counted[..counted.len() - 1]))],
        "games.ndjson",
        Some(counted.len() as u64),
        "is due",
    );
    let more: Vec<&str> = counted.iter().chain(&counted[..1]).copied().collect();
    check(
        "a game counted twice",
        &[("games.ndjson", text(&more))],
        "games.ndjson",
        Some(counted.len() as u64 + 1),
        "more games",
    );
    let table = files.read("standings.csv");
    let rows: Vec<Vec<&str>> = table.lines().map(|row| row.split(',').collect()).collect();
    let points = rows[0]
        .iter()
        .position(|name| *name == "points")
        .expect("a column");
    let elo = rows[0]
        .iter()
        .position(|name| *name == "elo")
        .expect("a column");
    let cell = |row: usize, column: usize, value: &str| {
        let mut rows = rows.clone();
        rows[row][column] = value;
        let lines: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
        ("standings.csv", Some(lines.join("\n") + "\n"))
    };
    check(
        "points",
        &[cell(2, points, "99")],
        "standings.csv",
        Some(3),
        "points is '99'",
    );
    check(
        "a rank",
        &[cell(1, 0, "2")],
        "standings.csv",
        Some(2),
        "rank is '2'",
    );
    let accuracy = rows[0].iter().position(|name| *name == "accuracy_lo");
    let accuracy = accuracy.expect("a column");
    let lower = rows[2][accuracy].parse::<f64>().expect("a number") - 0.001;
    check(
        "an accuracy that is almost right",
        &[cell(2, accuracy, &format!("{lower:.4}"))],
        "standings.csv",
        Some(3),
        "accuracy_lo is",
    );
    check(
        "a rating",
        &[cell(1, elo, "2800.0")],
        "standings.csv",
        Some(2),
        "elo is '2800.0'",
    );
    check(
        "a row left out",
        &[(
            "standings.csv",
            Some(table.lines().next().expect("a line").to_owned() + "\n"),
        )],
        "standings.csv",
        Some(1),
        "lines",
    );
    check(
        "a round",
        &[files.with("tournament.trf", " w 1", " w 0")],
        "tournament.trf",
        None,
        "should be",
    );
    check(
        "the head",
        &[files.journal_of("final.json", |last| last["head"] = "00".into())],
        "final.json",
        Some(1),
        "head",
    );
    check(
        "a tie-break",
        &[files.journal_of("final.json", |last| {
            last["standings"][0]["tie_breaks"][0][1] = 77.5.into();
        })],
        "final.json",
        Some(1),
        "standings.1.tie_breaks.1.2 is 77.5",
    );
    check(
        "an accuracy in the end",
        &[files.journal_of("final.json", |last| {
            last["standings"][1]["accuracy"] = 0.123.into();
        })],
        "final.json",
        Some(1),
        "standings.2.accuracy",
    );
    check(
        "a figure too many",
        &[files.journal_of("final.json", |last| last["winner"] = "random".into())],
        "final.json",
        Some(1),
        "winner should not be there",
    );
    for name in [
        "starts.txt",
        "games.ndjson",
        "standings.csv",
        "tournament.trf",
        "final.json",
    ] {
        check("no file", &[(name, None)], name, Some(1), "missing");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

impl Files {
    /// A file of one line, changed.
    fn journal_of(
        &self,
        name: &'static str,
        change: impl Fn(&mut Value),
    ) -> (&'static str, Option<String>) {
        let mut value: Value = serde_json::from_str(&self.read(name)).expect("JSON");
        change(&mut value);
        (name, Some(format!("{value}\n")))
    }
}

#[test]
fn an_arena_that_is_not_over_is_verified_after_its_resume() {
    let home = Home::new();
    let arguments: Vec<&str> = ["arena"]
        .into_iter()
        .chain(FOUR)
        .chain(["--pairs", "40", "--seed", "11", "--json", "--out", "out"])
        .collect();
    let mut running = home.start(&arguments);
    running.says(r#""type":"game""#);
    running.kill();
    let report = verify(&home);
    assert_eq!(report["accepted"], false, "{report}");
    let resumed = home.run(&["arena", "--resume", "out", "--quiet", "--json"]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert_eq!(verify(&home)["accepted"], true);
}

#[test]
fn a_directory_without_an_arena_is_refused() {
    let home = Home::new();
    let ran = home.run(&["verify", "arena", "nowhere", "--json"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert!(
        ran.error()["hint"]
            .as_str()
            .is_some_and(|hint| hint.contains("--out")),
        "{ran:?}"
    );
    played(&home, &FOUR, &["--pairs", "1"]);
    for (command, hint) in [
        ("arena", "--out"),
        ("tournament", "grundy verify arena DIR"),
    ] {
        let ran = home.run(&["verify", command, "out/journal.ndjson", "--json"]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        let error = ran.error();
        let found = error["hint"].as_str().unwrap_or_default();
        assert!(found.contains(hint), "{error}");
    }
}
