//! Hostile bots over stdio: each costs its own games only, with the cause in the record and a bounded time.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::arena::{arena, games, lines};
use crate::program::Home;

/// A bot of the tests that behaves until its second move.
pub(crate) fn hostile(mode: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/bots/hostile.py");
    format!("{mode}=cmd:python3 {} {mode}", path.display())
}

/// What a hostile bot must cost: its own games with this cause, and in each no more than the time left, the margin and one second. The times
/// are those of the record: a busy machine delays the start of a process, but that is nobody's game.
fn assert_costs_its_games(mode: &str, cause: &str, seconds: u64) -> Home {
    let home = Home::new();
    let bot = hostile(mode);
    let bots = ["--bot", &bot, "--bot", "one=random", "--bot", "two=perfect"];
    let time = format!("{seconds}s");
    let rest = [
        "--start",
        "nim:3,4,5",
        "--pairs",
        "1",
        "--seed",
        "3",
        "--time",
        &time,
        "--json",
        "--new-game-limit",
        "500ms",
        "--concurrency",
        "1",
        "--out",
        "out",
    ];
    let ran = arena(&home, &bots, &rest);
    let all = games(&ran);
    assert_eq!(all.len(), 6, "{mode}: {ran:?}");
    let verified = home.run(&["verify", "arena", "out"]);
    assert_eq!(verified.code, Some(0), "{mode}: {verified:?}");
    let mut faults = 0;
    for game in &all {
        let place = ["first", "second"]
            .into_iter()
            .find(|seat| game[*seat] == mode);
        match place {
            None => assert_eq!(game["cause"], "normal", "{mode}: {game}"),
            Some(seat) if game["cause"] == cause => {
                faults += 1;
                assert_ne!(game["outcome"], seat, "{mode}: {game}");
            }
            // A machine that is busy makes any of its moves late.
            Some(_) if cause == "stall" && game["cause"] == "time" => {}
            Some(_) if cause == "time" && game["cause"] == "stall" => {}
            // A game may end before the second move.
            Some(_) => assert_eq!(game["cause"], "normal", "{mode}: {game}"),
        }
    }
    assert!(faults > 0, "{mode}: {all:#?}");
    let journal = fs::read_to_string(home.file("out/journal.ndjson")).expect("a journal");
    assert!(journal.is_ascii(), "{mode}: what a bot wrote is escaped");
    let played = lines(&journal).into_iter().skip(1);
    for game in played.filter(|game| game["cause"] == cause) {
        let timing = &game["timing"];
        let moves = timing["moves_us"].as_array().expect("a list");
        let moves: Vec<u64> = moves.iter().filter_map(Value::as_u64).collect();
        let (last, before) = match moves.split_last() {
            Some((last, before)) => (*last, before.iter().sum()),
            None => (0, 0),
        };
        let whole = 1_000 * timing["ms"].as_u64().expect("a number");
        // What the fault cost: the move that did not come, and the end of the process.
        let cost = last.max(whole.saturating_sub(before));
        // One second is promised; a busy machine may need a few to end a process.
        let most = 1_000 * (1_000 * seconds + 50 + 5_000);
        assert!(cost <= most, "{mode} cost {cost} us: {game}");
    }
    home
}

#[test]
fn a_bot_that_gives_no_answer_loses_its_games_only() {
    for mode in ["sleep", "spin", "old-id", "stderr-flood"] {
        assert_costs_its_games(mode, "stall", 1);
    }
}

#[test]
fn a_bot_that_answers_late_loses_on_time() {
    assert_costs_its_games("late", "time", 1);
}

/// The bot gets its answer late, so that it is not stuck, and loses on time. A hint to flush its output would mislead its author.
#[test]
fn a_bot_that_asks_for_the_moves_late_loses_on_time() {
    for mode in ["late-question", "late-question-only"] {
        let home = assert_costs_its_games(mode, "time", 1);
        let journal = fs::read_to_string(home.file("out/journal.ndjson")).expect("a journal");
        assert!(!journal.contains("flush"), "{journal}");
        let by_time = lines(&journal).into_iter().skip(1);
        let by_time = by_time.filter(|game| game["cause"] == "time").count();
        assert!(by_time > 0, "{mode}: {journal}");
    }
}

#[test]
fn a_bot_that_ends_loses_its_games_only() {
    for (mode, how) in [
        ("crash", "signal 6"),
        ("exit", "exit code 3"),
        ("closed", "it closed its stdout, and was killed"),
    ] {
        let home = assert_costs_its_games(mode, "crash", 10);
        let journal = home.file("out/journal.ndjson");
        let journal = std::fs::read_to_string(journal).expect("a journal");
        let detail = format!(r#""detail":"{how}"#);
        assert!(journal.contains(&detail), "{mode}: {journal}");
    }
}

#[test]
fn a_bot_that_writes_rubbish_loses_its_games_only() {
    for mode in ["rubbish", "long-line", "many-lines"] {
        assert_costs_its_games(mode, "malformed", 10);
    }
    assert_costs_its_games("illegal", "illegal", 10);
}

#[test]
fn a_bot_that_does_not_get_ready_loses_its_games_only() {
    assert_costs_its_games("never-ready", "not_ready", 10);
}

/// The processes whose command line has these words.
fn processes_with(words: &str) -> Vec<String> {
    let all = fs::read_dir("/proc").expect("processes");
    let lines = all.filter_map(|entry| fs::read(entry.ok()?.path().join("cmdline")).ok());
    lines
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(words))
        .collect()
}

#[test]
fn nothing_that_a_bot_started_is_left_behind() {
    for mode in ["children", "session", "daemon"] {
        let home = assert_costs_its_games(mode, "stall", 1);
        // The bot writes down who it has started: their command line has the process id of the bot.
        let log = home.file(&format!("out/stderr/{mode}.log"));
        let log = fs::read_to_string(log).expect("a log");
        let started: Vec<&str> = log
            .lines()
            .filter(|line| line.starts_with("left-"))
            .collect();
        assert!(!started.is_empty(), "{mode}: {log}");
        for mark in started {
            let left = processes_with(mark);
            assert!(left.is_empty(), "{mode}: {left:?}");
        }
    }
}

#[test]
fn the_runner_stays_small_whatever_bots_write() {
    let home = Home::new();
    let bots: Vec<String> = ["long-line", "many-lines", "stderr-flood", "rubbish"]
        .map(hostile)
        .into();
    let mut arguments = vec![
        "arena",
        "--pairs",
        "2",
        "--seed",
        "3",
        "--time",
        "200ms",
        "--start",
        "nim:3,4,5",
        "--quiet",
        "--json",
        "--out",
        "out",
    ];
    arguments.extend(bots.iter().flat_map(|bot| ["--bot", &**bot]));
    let grundy = home.command(&arguments);
    // The greatest memory that the runner and any of its bots had, in KiB.
    let measure = "import resource, subprocess, sys\n\
         subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n\
         print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)";
    let mut python = std::process::Command::new("python3");
    python
        .args(["-c", measure])
        .arg(grundy.get_program())
        .args(grundy.get_args());
    if let Some(directory) = grundy.get_current_dir() {
        python.current_dir(directory);
    }
    for (name, value) in grundy.get_envs() {
        match value {
            Some(value) => python.env(name, value),
            None => python.env_remove(name),
        };
    }
    let ran = python.output().expect("python3 is there");
    assert!(ran.status.success(), "{ran:?}");
    let most: u64 = String::from_utf8_lossy(&ran.stdout)
        .trim()
        .parse()
        .expect("a number");
    assert!(most < 64 << 10, "{most} KiB");
}

/// A bot that answers with a line of 64 MiB or with 200,000 lines, in turn, game after game; in the last game it says so and waits.
const LOUD: &str = r#"
import sys, time
last, mark = int(sys.argv[1]), sys.argv[2]
many = (b"info thinking about it" + b" and again" * 8 + b"\n") * 200
for line in sys.stdin:
    verb, *words = line.split()
    if verb == "grundy":
        print("ok", flush=True)
    elif verb == "new":
        game = int(words[1])
    elif verb == "go":
        if game == last:
            open(mark, "w").close()
            time.sleep(3600)
        out = sys.stdout.buffer
        try:
            for _ in range(1024):
                out.write(b"x" * 65536 if game % 2 else many)
            out.write(b"\n")
            out.flush()
        except BrokenPipeError:
            pass
    elif verb == "quit":
        break
"#;

#[test]
fn the_memory_of_the_runner_does_not_grow_with_what_bots_write() {
    let home = Home::new();
    let path = home.write("loud.py", LOUD);
    let mark = home.file("last");
    let bot = format!("loud=cmd:python3 {} 40 {}", path.display(), mark.display());
    let runner = home.start(&[
        "arena",
        "--bot",
        &bot,
        "--bot",
        "random",
        "--start",
        "nim:30,40,50",
        "--pairs",
        "20",
        "--faults",
        "0",
        "--seed",
        "3",
        "--time",
        "1h",
        "--concurrency",
        "1",
        "--out",
        "out",
    ]);
    let journal = home.file("out/journal.ndjson");
    let is_malformed = |journal: &str| journal.matches(r#""cause":"malformed""#).count();
    runner.waits_until(|| {
        mark.exists() && fs::read_to_string(&journal).is_ok_and(|text| is_malformed(&text) == 39)
    });
    let status = fs::read_to_string(format!("/proc/{}/status", runner.id())).expect("it runs");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.trim().strip_suffix(" kB"));
    let peak: u64 = peak.expect("a peak").parse().expect("a number");
    // One long line that is kept would be 64 MiB; what is allowed of the many lines, kept in each of their games, 20 MiB.
    assert!(peak < 32 << 10, "{peak} KiB");
    runner.kill();
}

#[test]
fn a_bot_that_ignores_quit_is_not_waited_for() {
    let home = Home::new();
    // Other runs of this test have bots of their own.
    let own = format!("deaf-to-quit of {}", std::process::id());
    let bot = hostile("deaf-to-quit").replace(" deaf-to-quit", &format!(" {own}"));
    let rest = [
        "--start",
        "nim:3,4,5",
        "--pairs",
        "1",
        "--json",
        "--concurrency",
        "1",
    ];
    let ran = arena(&home, &["--bot", &bot, "--bot", "random"], &rest);
    assert_eq!(games(&ran).len(), 2);
    assert!(processes_with(&own).is_empty());
}

#[test]
fn a_bot_that_never_greets_is_found_before_the_first_game() {
    let home = Home::new();
    let bot = hostile("never-greets");
    let rest = ["--pairs", "1", "--start-limit", "500ms", "--json"];
    let ran = arena(&home, &["--bot", &bot, "--bot", "random"], &rest);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.error()["message"]
            .as_str()
            .expect("words")
            .contains("flush"),
        "{ran:?}"
    );
}

#[test]
fn a_bot_that_is_not_ready_at_the_start_loses_its_games_and_the_others_play() {
    let home = Home::new();
    for (bot, cause, limit) in [
        (hostile("never-greets"), "not_ready", "300ms"),
        ("never-greets=cmd:echo hi".to_owned(), "crash", "10m"),
    ] {
        let bots = ["--bot", &bot, "--bot", "one=random", "--bot", "two=greedy"];
        let run = |concurrency| {
            let rest = [
                "--pairs",
                "3",
                "--seed",
                "3",
                "--faults",
                "3",
                "--start-limit",
                limit,
                "--json",
                "--concurrency",
                concurrency,
            ];
            arena(&home, &bots, &rest)
        };
        let ran = run("1");
        let all = games(&ran);
        assert_eq!(all.len(), 18, "{ran:?}");
        let lost = |game: &&Value| {
            let winner = if game["outcome"] == "first" {
                "first"
            } else {
                "second"
            };
            game["cause"] == cause && game[winner] != "never-greets"
        };
        assert_eq!(all.iter().filter(lost).count(), 3, "{ran:?}");
        let normal = all.iter().filter(|game| game["cause"] == "normal");
        assert_eq!(normal.count(), 6, "{ran:?}");
        let last = lines(&ran.stdout).pop().expect("lines");
        let row = &last["standings"][2];
        assert_eq!(row["name"], "never-greets", "{last}");
        assert_eq!(row["withdrawn"], true, "{last}");
        assert_eq!(row["faults"][cause], 3, "{last}");
        assert!(ran.stderr.contains("never-greets is not ready"), "{ran:?}");
        // How a program ended that crashes is seen a moment earlier or later; that nothing came is always the same.
        if cause == "not_ready" {
            assert!(run("2").stdout == ran.stdout);
        }
    }
    // A command that is not there is a slip of whoever typed it.
    home.write("words.toml", "command = [\"./not-there\"]\n");
    for bot in ["cmd:./not-there", "words.toml"] {
        let bots = ["--bot", bot, "--bot", "one=random", "--bot", "two=greedy"];
        let ran = arena(&home, &bots, &["--pairs", "1", "--json"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let message = ran.error()["message"].to_string();
        assert!(message.contains("cannot be started"), "{message}");
        assert!(message.contains("not-there"), "{message}");
    }
}

#[test]
fn a_bot_that_fails_ten_times_in_a_row_plays_no_more() {
    let home = Home::new();
    let bot = hostile("illegal");
    let run = |concurrency| {
        let rest = [
            "--start",
            "nim:30,40,50",
            "--pairs",
            "10",
            "--seed",
            "3",
            "--faults",
            "3",
            "--json",
            "--concurrency",
            concurrency,
        ];
        arena(&home, &["--bot", &bot, "--bot", "random"], &rest)
    };
    let ran = run("1");
    let all = games(&ran);
    assert_eq!(all.len(), 20);
    let causes: Vec<&str> = all
        .iter()
        .map(|game| game["cause"].as_str().expect("a word"))
        .collect();
    assert_eq!(causes[..3], ["illegal"; 3]);
    assert_eq!(causes[3..], ["withdrawn"; 17]);
    assert!(run("4").stdout == ran.stdout);
    let strict = arena(
        &home,
        &["--bot", &bot, "--bot", "random"],
        &["--start", "nim:30,40,50", "--pairs", "10", "--strict"],
    );
    assert_eq!(strict.code, Some(1), "{strict:?}");
}

/// A bot that fails in every other game only.
const UNSTEADY: &str = r#"
import sys
for line in sys.stdin:
    verb, *words = line.split()
    if verb == "grundy":
        print("ok", flush=True)
    elif verb == "new":
        fails = int(words[1]) % 2 == 0
    elif verb == "go":
        go = dict(zip(words[::2], words[1::2]))
        if fails:
            print("move", go["id"], "A-1000", flush=True)
        else:
            print("moves", go["id"], flush=True)
    elif verb == "moves":
        print("move", words[0], words[-1], flush=True)
    elif verb == "quit":
        break
"#;

#[test]
fn a_game_without_a_fault_ends_a_row_of_faults() {
    let home = Home::new();
    let path = home.write("unsteady.py", UNSTEADY);
    let bot = format!("unsteady=cmd:python3 {}", path.display());
    let rest = ["--pairs", "5", "--faults", "2", "--seed", "3", "--json"];
    let all = games(&arena(&home, &["--bot", &bot, "--bot", "random"], &rest));
    let causes: Vec<&str> = all
        .iter()
        .map(|game| game["cause"].as_str().expect("a word"))
        .collect();
    assert_eq!(causes, ["normal", "illegal"].repeat(5));
}

/// A bot that greets once; when it is started again, it ends or says nothing.
const ABSENT: &str = r#"
import os, sys, time
path = os.path.abspath(sys.argv[1])
for line in sys.stdin:
    verb = line.split()[0]
    if verb == "grundy":
        if os.path.exists(path):
            if path.endswith("silent"):
                time.sleep(3600)
            sys.exit(1)
        open(path, "w").close()
        print("ok", flush=True)
    elif verb == "quit":
        break
"#;

#[test]
fn a_bot_that_cannot_be_started_again_loses_in_both_seats() {
    for (how, cause) in [("ended", "crash"), ("silent", "not_ready")] {
        let home = Home::new();
        let path = home.write("absent.py", ABSENT);
        let mark = home.file(how);
        let bot = format!("absent=cmd:python3 {} {}", path.display(), mark.display());
        let rest = ["--pairs", "1", "--start-limit", "8s", "--json"];
        let all = games(&arena(&home, &["--bot", &bot, "--bot", "random"], &rest));
        assert_eq!(all.len(), 2);
        for (game, winner) in all.iter().zip(["second", "first"]) {
            assert_eq!(game[winner], "random", "{game}");
            assert_eq!(game["outcome"], winner, "{game}");
            assert_eq!(game["cause"], cause, "{game}");
            assert_eq!(game["moves"], "", "{game}");
        }
    }
}

/// A bot that never looks at its stdin again once it has been asked for a move, and that starts another process in a session of its own.
const DEAF: &str = r#"
import os, subprocess, sys, time
for line in sys.stdin:
    if line.startswith("grundy"):
        print("ok", flush=True)
    elif line.startswith("go"):
        subprocess.Popen(["/bin/sh", "-c", "sleep 1000; : " + os.getcwd()], start_new_session=True)
        open("asked", "w").close()
        while True:
            time.sleep(1000)
"#;

#[test]
fn nothing_is_left_of_a_bot_when_the_runner_is_killed() {
    let home = Home::new();
    home.write("deaf.py", DEAF);
    let path = home.file("deaf.py").display().to_string();
    let bot = format!("deaf=cmd:python3 {path}");
    let words = [
        "arena", "--bot", &bot, "--bot", "random", "--time", "10m", "--pairs", "1",
    ];
    let runner = home.start(&words);
    runner.waits_until(|| home.file("asked").exists());
    let directory = home.file("").display().to_string();
    let left = || {
        let all = processes_with(directory.trim_end_matches('/'));
        // The runner names the bot, too.
        let bots = all.into_iter().filter(|line| !line.contains("arena"));
        bots.count()
    };
    assert!(left() >= 2, "the bot and what it has started");
    // No chance to end anything by itself.
    runner.signal(rustix::process::Signal::KILL);
    runner.waits_until(|| left() == 0);
}

/// A bot that removes the directory in which it runs when it is first asked for a move, and ends.
const HOMELESS: &str = r#"
import os, shutil, sys
for line in sys.stdin:
    if line.startswith("grundy"):
        print("ok", flush=True)
    elif line.startswith("go"):
        shutil.rmtree(os.getcwd())
        break
"#;

#[test]
fn a_bot_that_removes_its_own_directory_loses_its_games_only() {
    let home = Home::new();
    let program = home.write("homeless.py", HOMELESS);
    fs::create_dir(home.file("own")).expect("a directory");
    let file = format!(
        "command = [\"python3\", \"{}\"]\ndirectory = \"own\"\n",
        program.display()
    );
    home.write("homeless.toml", &file);
    let bots = [
        "--bot",
        "homeless.toml",
        "--bot",
        "random",
        "--bot",
        "perfect",
    ];
    let rest = [
        "--pairs",
        "2",
        "--seed",
        "5",
        "--json",
        "--concurrency",
        "1",
        "--out",
        "out",
    ];
    let all = games(&arena(&home, &bots, &rest));
    assert_eq!(all.len(), 12);
    for game in all {
        let is_in = ["first", "second"]
            .into_iter()
            .find(|seat| game[*seat] == "homeless");
        match is_in {
            Some(seat) => assert!(
                game["cause"] == "crash" && game["outcome"] != seat,
                "{game}"
            ),
            None => assert_eq!(game["cause"], "normal", "{game}"),
        }
    }
    let verified = home.run(&["verify", "arena", "out"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
}

/// A bot that asks for the legal moves thousands of times at once, and for nothing else.
const ASKING: &str = r#"
import sys, time
for line in sys.stdin:
    words = line.split()
    if words[0] == "grundy":
        print("ok", flush=True)
    elif words[0] == "go":
        number = dict(zip(words[1::2], words[2::2]))["id"]
        sys.stdout.write(f"moves {number}\n" * 5000)
        sys.stdout.flush()
        time.sleep(3600)
"#;

#[test]
fn questions_for_the_legal_moves_cost_no_more_than_the_time_of_the_game() {
    let home = Home::new();
    let program = home.write("asking.py", ASKING);
    let bot = format!("asking=cmd:python3 {}", program.display());
    // Each page of moves is costly here.
    let start = "moore.4:31,17,22,9,14,15,16,18,19,20,21,23";
    let rest = [
        "--start",
        start,
        "--pairs",
        "1",
        "--time",
        "100ms",
        "--json",
        "--no-accuracy",
        "--out",
        "out",
    ];
    let ran = arena(&home, &["--bot", &bot, "--bot", "random"], &rest);
    assert_eq!(games(&ran).len(), 2);
    let journal = fs::read_to_string(home.file("out/journal.ndjson")).expect("a journal");
    for game in lines(&journal).into_iter().skip(1) {
        assert_eq!(game["cause"], "time", "{game}");
        let moves = game["timing"]["moves_us"].as_array().expect("a list");
        let longest = moves.iter().filter_map(Value::as_u64).max();
        // The time, the margin, and a second, and some more on a busy machine: all the answers would take half a minute.
        let most = 1_000 * (100 + 50 + 1_000 + 5_000);
        assert!(longest.is_some_and(|longest| longest <= most), "{game}");
    }
}

#[test]
fn a_game_between_two_bots_that_are_out_is_lost_for_both() {
    let home = Home::new();
    let bot = hostile("illegal");
    let other = bot.replacen("illegal=", "other=", 1);
    // The two meet last.
    let bots = ["--bot", &bot, "--bot", "random", "--bot", &other];
    let rest = [
        "--start",
        "nim:30,40,50",
        "--pairs",
        "4",
        "--faults",
        "1",
        "--seed",
        "3",
        "--json",
    ];
    let ran = arena(&home, &bots, &rest);
    let all = games(&ran);
    let unplayed = all.iter().filter(|game| game["outcome"] == "void").count();
    assert!(unplayed > 0, "{all:#?}");
    let last = lines(&ran.stdout).pop().expect("lines");
    let row = |name: &str| {
        let rows = last["standings"].as_array().expect("a list");
        let row = rows.iter().find(|row| row["name"] == name);
        row.expect("a row").clone()
    };
    let won: u64 = ["illegal", "other", "random"]
        .map(|name| row(name)["wins"].as_u64().expect("a number"))
        .iter()
        .sum();
    assert_eq!(won as usize, all.len() - unplayed, "{last}");
    for name in ["illegal", "other"] {
        let row = row(name);
        assert_eq!(row["draws"], 0, "{row}");
        assert_eq!(row["wins"].as_f64(), row["points"].as_f64(), "{row}");
        let losses = 16 - row["wins"].as_u64().expect("a number");
        assert_eq!(row["losses"], losses, "{row}");
    }
}
