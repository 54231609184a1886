//! Arenas that are killed, interrupted and resumed.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::Path;

use crate::arena::{FOUR, arena, lines};
use crate::hostile::hostile;
use crate::program::Home;

const JOURNALED: [&str; 12] = [
    "--pairs",
    "40",
    "--seed",
    "11",
    "--json",
    "--concurrency",
    "3",
    "--out",
    "out",
    "--order=random",
    "--time",
    "10m",
];

#[test]
fn an_arena_that_was_killed_is_resumed_without_a_lost_or_doubled_game() {
    let whole = arena(&Home::new(), &FOUR, &JOURNALED);
    assert_eq!(whole.code, Some(0), "{whole:?}");
    for kill_after in [1, 40, 150] {
        let home = Home::new();
        let arguments: Vec<&str> = ["arena"].into_iter().chain(FOUR).chain(JOURNALED).collect();
        let mut running = home.start(&arguments);
        // The journal is ahead of what is told.
        for _ in 0..kill_after {
            running.says(r#""type":"game""#);
        }
        running.kill();
        let path = home.file("out/journal.ndjson");
        // As if the machine had stopped while a line was written.
        let mut journal = fs::read_to_string(&path).expect("a journal");
        journal.push_str(r#"{"arena":"#);
        fs::write(&path, &journal).expect("a journal");
        let resumed = home.run(&["arena", "--resume", "out", "--quiet", "--json"]);
        assert_eq!(resumed.code, Some(0), "{resumed:?}");
        assert!(resumed.stdout == whole.stdout, "killed after {kill_after}");
        let journal = fs::read_to_string(&path).expect("a journal");
        let numbers: Vec<u64> = lines(&journal)[1..]
            .iter()
            .map(|line| line["game"].as_u64().expect("a number"))
            .collect();
        let different: HashSet<u64> = numbers.iter().copied().collect();
        assert_eq!(numbers.len(), 480);
        assert_eq!(different.len(), 480);
        let table = fs::read_to_string(home.file("out/standings.csv")).expect("standings");
        assert_eq!(table.lines().count(), 5);
        let again = home.run(&["arena", "--resume", "out", "--quiet", "--json"]);
        assert!(again.stdout == whole.stdout, "nothing is missing any more");
    }
}

#[test]
fn ctrl_c_finishes_the_running_games_and_shows_how_to_go_on() {
    let home = Home::new();
    let bot = format!(
        "slow=cmd:python3 {}",
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/cli/bots/slow.py")
            .display()
    );
    let mut running = home.start(&[
        "arena",
        "--bot",
        &bot,
        "--bot",
        "random",
        "--pairs",
        "500",
        "--seed",
        "2",
        "--json",
        "--out",
        "out",
        "--concurrency",
        "1",
    ]);
    running.says(r#""type":"game""#);
    running.signal(rustix::process::Signal::INT);
    running.mutters("grundy arena --resume out");
    let ended = running.ends_by_itself();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    let journal = fs::read_to_string(home.file("out/journal.ndjson")).expect("a journal");
    assert!(journal.ends_with('\n') && journal.lines().count() > 1);
    assert!(!journal.contains(r#""cause":"crash""#));
}

#[test]
fn an_arena_has_one_runner_at_a_time() {
    let home = Home::new();
    let bot = hostile("sleep");
    let running = home.start(&[
        "arena",
        "--bot",
        &bot,
        "--bot",
        "random",
        "--start",
        "nim:30,40,50",
        "--time",
        "1h",
        "--seed",
        "2",
        "--out",
        "out",
    ]);
    let log = home.file("out/stderr/sleep.log");
    running.waits_until(|| fs::read_to_string(&log).is_ok_and(|text| text.contains("asleep")));
    let second = home.start(&["arena", "--resume", "out"]);
    let second = second.ends_by_itself();
    assert_eq!(second.code, Some(7), "{second:?}");
    assert!(second.stdout.contains("another runner"), "{second:?}");
    running.kill();
}

#[test]
fn damaged_journals_are_refused_with_place_and_remedy() {
    let home = Home::new();
    let played = arena(
        &home,
        &FOUR,
        &["--pairs", "2", "--seed", "11", "--out", "out", "--json"],
    );
    assert_eq!(played.code, Some(0), "{played:?}");
    let path = home.file("out/journal.ndjson");
    let whole = fs::read_to_string(&path).expect("a journal");
    let resume = |text: &str| {
        fs::write(&path, text).expect("a journal");
        let ran = home.run(&["arena", "--resume", "out", "--quiet", "--json"]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        let error = ran.error();
        assert!(error["hint"].is_string(), "{error}");
        error["message"].as_str().expect("words").to_owned()
    };
    let rows: Vec<&str> = whole.lines().collect();
    let torn = whole.replace(rows[4], &rows[4][..rows[4].len() / 2]);
    assert!(resume(&torn).contains("line 5"));
    let doubled = format!("{whole}{}\n", rows[3]);
    assert!(resume(&doubled).contains("twice"));
    let mark = lines(&whole)[0]["arena"]
        .as_str()
        .expect("a mark")
        .to_owned();
    let foreign = whole.replacen(rows[2], &rows[2].replace(&mark, "0123456789ab"), 1);
    assert!(resume(&foreign).contains("another arena"));
    let other_settings = whole.replacen(r#""pairs":2"#, r#""pairs":3"#, 1);
    assert!(resume(&other_settings).contains("settings"));
    let other_version = whole.replacen("grundy/arena/1", "grundy/arena/2", 1);
    let other_version = other_version.replacen(r#""margin_ms""#, r#""lag_ms""#, 1);
    assert!(resume(&other_version).contains("it is 'grundy/arena/2'"));
    let other_start = whole.replacen(rows[2], &rows[2].replace("nim:", "nim:1,"), 1);
    assert!(resume(&other_start).contains("the plan has"));
    // A line that names another pair, another round, or the players the other way round.
    let game = &lines(&whole)[2];
    let number = |name: &str| game[name].as_u64().expect("a number");
    let (first, second) = (&game["first"], &game["second"]);
    for (from, to) in [
        (
            format!(r#""pair":{}"#, number("pair")),
            format!(r#""pair":{}"#, number("pair") + 1),
        ),
        (
            format!(r#""round":{}"#, number("round")),
            format!(r#""round":{}"#, number("round") + 1),
        ),
        (
            format!(r#""first":{first},"second":{second}"#),
            format!(r#""first":{second},"second":{first}"#),
        ),
    ] {
        assert!(rows[2].contains(&from), "{from}");
        let changed = whole.replacen(rows[2], &rows[2].replacen(&from, &to, 1), 1);
        assert!(resume(&changed).contains("the plan has"), "{to}");
    }
    // A deleted line is a game to be played again.
    let without = whole.replacen(&format!("{}\n", rows[4]), "", 1);
    fs::write(&path, without).expect("a journal");
    let ran = home.run(&["arena", "--resume", "out", "--quiet", "--json"]);
    assert!(ran.stdout == played.stdout, "{ran:?}");
    // An arena is not written over.
    let again = arena(&home, &FOUR, &["--pairs", "2", "--out", "out"]);
    assert_eq!(again.code, Some(3), "{again:?}");
}

#[test]
fn an_arena_that_cannot_begin_leaves_its_directory_free() {
    let home = Home::new();
    for (bots, rest) in [
        (
            &["--bot", "cmd:./not-there", "--bot", "random"][..],
            &[][..],
        ),
        (&FOUR, &["--format", "swiss", "--rounds", "9"]),
        (&FOUR, &["--format", "gauntlet", "--seeds", "9"]),
    ] {
        let rest: Vec<&str> = ["--pairs", "1", "--out", "out"]
            .iter()
            .chain(rest)
            .copied()
            .collect();
        let ran = arena(&home, bots, &rest);
        assert!(matches!(ran.code, Some(1 | 3)), "{ran:?}");
    }
    let ran = arena(&home, &FOUR, &["--pairs", "1", "--out", "out"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn a_journal_without_its_first_line_is_no_arena() {
    let home = Home::new();
    for torn in ["", "{\"schema\":\"grundy/arena/1\",\"are"] {
        home.write("out/journal.ndjson", torn);
        let ran = home.run(&["arena", "--resume", "out", "--json"]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        let hint = ran.error()["hint"].as_str().expect("words").to_owned();
        assert!(hint.contains("--out"), "{hint}");
        let ran = arena(&home, &FOUR, &["--pairs", "1", "--out", "out"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let ran = home.run(&["verify", "arena", "out"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    // One line that says something else is not written over.
    home.write("out/journal.ndjson", "mine\n");
    let ran = arena(&home, &FOUR, &["--pairs", "1", "--out", "out"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
}

#[test]
fn a_second_ctrl_c_ends_the_running_games_without_counting_them() {
    let home = Home::new();
    let bot = hostile("sleep");
    let mut running = home.start(&[
        "arena",
        "--bot",
        &bot,
        "--bot",
        "random",
        "--start",
        "nim:30,40,50",
        "--pairs",
        "5",
        "--time",
        "1h",
        "--seed",
        "2",
        "--out",
        "out",
        "--concurrency",
        "1",
    ]);
    // It sleeps at its second move, with an hour to do so; nothing else happens then.
    let log = home.file("out/stderr/sleep.log");
    running.waits_until(|| fs::read_to_string(&log).is_ok_and(|text| text.contains("asleep")));
    running.signal(rustix::process::Signal::INT);
    running.mutters("running games");
    running.signal(rustix::process::Signal::INT);
    running.mutters("grundy arena --resume out");
    let ended = running.ends_by_itself();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    let journal = fs::read_to_string(home.file("out/journal.ndjson")).expect("a journal");
    assert_eq!(
        journal.lines().count(),
        1,
        "nothing was finished: {journal}"
    );
}

#[test]
fn a_terminal_shows_the_table_in_place_and_a_pipe_plain_lines() {
    let home = Home::new();
    let bot = format!(
        "slow=cmd:python3 {}",
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/cli/bots/slow.py")
            .display()
    );
    let rest = [
        "arena",
        "--bot",
        &bot,
        "--bot",
        "random",
        "--pairs",
        "500",
        "--seed",
        "2",
        "--concurrency",
        "1",
    ];
    let (running, screen) = home.start_on_screen(&rest, 60, 12);
    // The table was drawn at least twice since a game was counted: the cursor goes up over the lines of the first one.
    let shown = read_until(screen, " left", 2);
    assert!(shown.contains("\u{1b}[J"), "{shown:?}");
    assert!(shown.contains("slow"), "{shown:?}");
    assert!(
        shown.contains(" left"),
        "the rest of the time is estimated: {shown:?}"
    );
    assert!(shown.contains("games "), "{shown:?}");
    for line in shown.split('\n') {
        let plain = line.split("\u{1b}[J").last().unwrap_or(line).trim_end();
        assert!(plain.chars().count() <= 60, "it fits the screen: {plain:?}");
    }
    running.signal(rustix::process::Signal::INT);
    let ended = running.ends_by_itself();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    assert!(
        !ended.stdout.contains('\u{1b}'),
        "stdout is no terminal: {ended:?}"
    );
    // Into a pipe only whole lines are written.
    let quick = [
        "arena", "--bot", "perfect", "--bot", "random", "--pairs", "5", "--seed", "2",
    ];
    let ran = home.run(&quick);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        !ran.stderr.contains('\u{1b}') && !ran.stdout.contains('\u{1b}'),
        "{ran:?}"
    );
    assert!(
        ran.stderr.contains("10 games, 5 complete pairs, seed 2"),
        "{ran:?}"
    );
}

/// Reads a terminal until these words came so often, and gives all that was read.
fn read_until(mut screen: File, words: &str, times: usize) -> String {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut portion = [0; 4096];
        while let Ok(read @ 1..) = std::io::Read::read(&mut screen, &mut portion) {
            if sender.send(portion[..read].to_vec()).is_err() {
                // Nobody waits any more, but the program must not stop at a full terminal.
                let _ = std::io::Read::read_to_end(&mut screen, &mut Vec::new());
                return;
            }
        }
    });
    let mut shown = Vec::new();
    let give_up = std::time::Instant::now() + std::time::Duration::from_secs(60);
    loop {
        let text = String::from_utf8_lossy(&shown).into_owned();
        if text.matches(words).count() >= times {
            return text;
        }
        let left = give_up.saturating_duration_since(std::time::Instant::now());
        match receiver.recv_timeout(left) {
            Ok(portion) => shown.extend(portion),
            Err(why) => panic!("no '{words}' ({why}): {text:?}"),
        }
    }
}

#[test]
fn an_arena_goes_on_from_anywhere_and_without_its_suite() {
    let home = Home::new();
    home.write("suite.txt", "nim:3,5,7\nnim:1,4,6\n");
    let rest = [
        "--start",
        "suite.txt",
        "--pairs",
        "2",
        "--seed",
        "4",
        "--out",
        "out",
    ];
    let ran = arena(&home, &FOUR, &rest);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    fs::remove_file(home.file("suite.txt")).expect("the suite");
    let journal = home.file("out/journal.ndjson");
    let text = fs::read_to_string(&journal).expect("a journal");
    let kept: Vec<&str> = text.lines().take(4).collect();
    fs::write(&journal, kept.join("\n") + "\n").expect("a journal");
    let ran = home.run(&["arena", "--resume", "out", "--quiet"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let verified = home.run(&["verify", "arena", "out"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    // Nobody else reads the settings of the bots.
    let mode = fs::metadata(&journal).expect("a journal").permissions();
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&mode) & 0o777,
        0o600
    );
}
