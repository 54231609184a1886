//! Bots as programs: the page, the checks, the languages, the bridge to a server.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use crate::program::{Home, PATIENCE, Ran};
use crate::server::Server;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page() -> String {
    fs::read_to_string(root().join("docs/BOTS.md")).expect("docs/BOTS.md is there")
}

/// The first block of the page in this language.
pub(crate) fn block(language: &str) -> String {
    let page = page();
    let from = page.find(&format!("```{language}\n")).expect("a block");
    let text = &page[from + language.len() + 4..];
    text[..text.find("```").expect("its end")].to_owned()
}

fn names(ran: &Ran, passed: bool) -> Vec<String> {
    let checks = ran.json()["checks"].as_array().expect("a list").clone();
    let named = checks.iter().filter(|check| check["passed"] == passed);
    named
        .map(|check| check["name"].as_str().expect("a name").to_owned())
        .collect()
}

/// The checks that a machine that stands still can fail for any bot.
const OF_TIME: [&str; 4] = ["quick", "quits", "exit-code", "end-of-input"];

/// Checks a bot with which nothing is wrong: it passes all checks. Where a busy machine fails one of time, it is checked again.
pub(crate) fn passes(home: &Home, command: &[&str]) -> Ran {
    let since = Instant::now();
    loop {
        let ran = home.run(&[&["bot", "check", "--json"], command].concat());
        if ran.code == Some(0) {
            return ran;
        }
        let failed = names(&ran, false);
        let by_time = failed.iter().all(|name| OF_TIME.contains(&name.as_str()));
        assert!(
            ran.code == Some(10) && by_time && since.elapsed() < PATIENCE,
            "{command:?}: {failed:?} {ran:?}"
        );
    }
}

#[test]
fn the_first_bot_of_the_page_passes_the_checks_and_plays() {
    let home = Home::new();
    let bot = block("python");
    assert!(bot.lines().count() <= 15, "it is to be short");
    home.write("last.py", &bot);
    let ran = passes(&home, &["python3", "last.py"]);
    assert!(names(&ran, true).len() >= 30);
    let ran = home.run(&[
        "arena",
        "--bot",
        "cmd:python3 last.py",
        "--bot",
        "perfect",
        "--pairs",
        "3",
        "--time",
        "10m",
        "--json",
        "-q",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ran.stdout.contains("fault\":{\""), "{ran:?}");
}

/// Whether a line is as the page shows it, where `…` stands for anything.
fn fits(shown: &str, line: &str) -> bool {
    let mut parts = shown.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty() || shown.ends_with('…')
}

#[test]
fn the_conversation_of_the_page_is_what_is_said() {
    let home = Home::new();
    home.write("last.py", &block("python"));
    let bot = "last=cmd:tee -a said.txt | python3 last.py | tee -a answered.txt";
    let ran = home.run(&[
        "arena",
        "--bot",
        bot,
        "--bot",
        "perfect",
        "--start",
        "nim:1,2",
        "--pairs",
        "1",
        // Its time is that of the page, and a busy machine may exceed it.
        "--margin",
        "10m",
        "--json",
        "-q",
        "--concurrency",
        "1",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let read = |name| fs::read_to_string(home.file(name)).expect("it was written");
    let (said, answered) = (read("said.txt"), read("answered.txt"));
    let shown = block("transcript");
    assert!(shown.lines().count() >= 10);
    for line in shown.lines() {
        let (heard, line) = match line.strip_prefix("> ") {
            Some(line) => (&said, line),
            None => (&answered, line.strip_prefix("< ").expect("> or <")),
        };
        assert!(
            heard.lines().any(|heard| fits(line, heard)),
            "{line}\n{heard}"
        );
    }
}

#[test]
fn the_file_of_the_page_is_read() {
    let home = Home::new();
    // The option of the file is one that the bot offers.
    let ok = "        print(\"ok\", flush=True)";
    let option = "        print(\"option name depth type int default 5 min 1 max 9\")";
    let bot = block("python").replace(ok, &format!("{option}\n{ok}"));
    assert!(bot.contains(option));
    home.write("last.py", &bot);
    let toml = block("toml").replace("./mybot --fast", "python3 last.py");
    home.write("deep.toml", &toml);
    let ran = home.run(&[
        "arena",
        "--bot",
        "deep.toml",
        "--bot",
        "random",
        "--pairs",
        "1",
        "--json",
        "-q",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains(r#""first":"deep""#), "{ran:?}");
}

#[test]
fn the_first_wrong_line_is_shown() {
    let home = Home::new();
    let good = block("python");
    for (wrong, instead, failed) in [
        ("print(\"ok\", flush=True)", "print(\"ok\")", "greets"),
        (
            "\"move\", words[0], words[-1]",
            "\"move\", words[0]",
            "answers",
        ),
        (
            "\"move\", words[0], words[-1]",
            "\"move\", words[0], \"A-99\"",
            "legal",
        ),
        (
            "\"move\", words[0], words[-1]",
            "\"move\", 1, words[-1]",
            "id",
        ),
        (
            "print(\"bot name last author me\")",
            "print(\"hello\")",
            "greeting",
        ),
        ("        break", "        pass", "end-of-input"),
    ] {
        assert!(good.contains(wrong), "{wrong}");
        // The last one ignores quit, and the end of its input too.
        let mut text = good.replace(wrong, instead);
        if failed == "end-of-input" {
            text.push_str("import time\ntime.sleep(60)\n");
        }
        home.write("bad.py", &text);
        let ran = home.run(&["bot", "check", "--json", "python3", "bad.py"]);
        assert_eq!(ran.code, Some(10), "{failed}: {ran:?}");
        assert!(
            names(&ran, false).contains(&failed.to_owned()),
            "{failed}: {:?}",
            names(&ran, false)
        );
        let checks = ran.json();
        let checks = checks["checks"].as_array().expect("a list");
        let first = checks.iter().find(|check| check["passed"] == false);
        let first = first.expect("one failed");
        assert!(
            !first["lines"].as_array().expect("lines").is_empty(),
            "{first}"
        );
        assert!(!first["detail"].as_str().expect("words").is_empty());
    }
}

#[test]
fn a_command_that_cannot_be_executed_fails_the_first_check() {
    let home = Home::new();
    let path = home.write("bad", "#!/not/there\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a file");
    home.write("plain", "no program");
    fs::create_dir(home.file("folder")).expect("a directory");
    for command in ["./not-there", "not-there", "./bad", "./plain", "./folder"] {
        let ran = home.run(&["bot", "check", "--json", command]);
        assert_eq!(ran.code, Some(10), "{ran:?}");
        let checks = ran.json()["checks"].clone();
        assert_eq!(checks.as_array().expect("a list").len(), 1, "{checks}");
        assert_eq!(checks[0]["name"], "starts", "{checks}");
        assert_eq!(checks[0]["passed"], false, "{checks}");
        let detail = checks[0]["detail"].as_str().expect("words");
        assert!(detail.contains(command), "{checks}");
    }
    // What ends at once was started all the same.
    let ran = home.run(&["bot", "check", "--json", "true"]);
    let checks = ran.json()["checks"].clone();
    assert_eq!(checks[0]["passed"], true, "{checks}");
    assert_eq!(checks[1]["passed"], false, "{checks}");
}

#[test]
fn a_bot_that_cannot_be_written_is_named_with_its_path() {
    let home = Home::new();
    let new = ["bot", "new", "--lang", "python", "--json"];
    let ran = home.run(&[&new[..], &["/proc/foo"]].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let error = ran.error();
    let message = error["message"].as_str().expect("words");
    assert!(message.contains("/proc/foo"), "{error}");
}

/// Runs a command of a language's tools.
fn tool(home: &Home, directory: &str, program: &str, arguments: &[&str]) {
    let status = Command::new(program)
        .args(arguments)
        .current_dir(home.file(directory))
        .stdout(Stdio::null())
        .status()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(status.success(), "{program}");
}

#[test]
fn new_bots_of_every_language_pass_the_checks() {
    let home = Home::new();
    for language in ["python", "javascript", "rust", "c"] {
        let ran = home.run(&["bot", "new", "--lang", language, language]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let command: Vec<&str> = match language {
            "python" => vec!["python3", "python/bot.py"],
            "javascript" => vec!["node", "javascript/bot.mjs"],
            "rust" => {
                tool(&home, "rust", "rustc", &["-O", "-o", "bot", "src/main.rs"]);
                vec!["rust/bot"]
            }
            _ => {
                tool(&home, "c", "make", &["--silent"]);
                vec!["c/bot"]
            }
        };
        passes(&home, &command);
        let again = home.run(&["bot", "new", "--lang", language, language]);
        assert_eq!(again.code, Some(1), "nothing is written over");
    }
}

#[test]
fn both_sdks_play_a_whole_tournament() {
    let home = Home::new();
    let sdk = root().join("examples/sdk");
    let python = format!(
        "python=cmd:python3 {}",
        sdk.join("python/nim_sum.py").display()
    );
    let node = format!(
        "node=cmd:node {}",
        sdk.join("javascript/nim-sum.mjs").display()
    );
    for file in ["python/grundy_bot.py", "javascript/grundy-bot.mjs"] {
        let text = fs::read_to_string(sdk.join(file)).expect("it is there");
        assert!(text.lines().count() < 300, "{file}");
    }
    for bot in [&python, &node] {
        let command = bot.split_once("cmd:").expect("a command").1;
        passes(&home, &command.split(' ').collect::<Vec<_>>());
    }
    let ran = home.run(&[
        "arena", "--bot", &python, "--bot", &node, "--bot", "random", "--bot", "greedy",
        "--format", "swiss", "--rounds", "3", "--pairs", "6", "--seed", "7", "--time", "10m",
        "--json", "-q",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let last: Value =
        serde_json::from_str(ran.stdout.lines().last().expect("lines")).expect("JSON");
    assert_eq!(last["games"], 72);
    for row in last["standings"].as_array().expect("a list") {
        assert_eq!(row["faults"], serde_json::json!({}), "{row}");
        if row["name"] == "python" || row["name"] == "node" {
            assert_eq!(row["accuracy"], 1.0, "{row}");
        }
    }
}

#[test]
fn a_program_plays_on_a_server_and_is_started_again_when_it_ends() {
    let server = Server::start();
    let home = Home::at(&server.url);
    home.write("last.py", &block("python"));
    let ran = home.run(&[
        "bot",
        "run",
        "--position",
        "nim:2,3",
        "--against",
        "random",
        "--matches",
        "2",
        "--json",
        "--",
        "python3",
        "last.py",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stdout.lines().count(), 2, "{ran:?}");
    // It ends at its first move of each process but one.
    let crashing = block("python").replace(
        "        print(\"moves\", go[\"id\"], flush=True)",
        "        import os\n        if not os.path.exists(\"failed\"):\n            open(\"failed\", \"w\").close()\n            os.abort()\n        print(\"moves\", go[\"id\"], flush=True)",
    );
    home.write("crashing.py", &crashing);
    let ran = home.run(&[
        "bot",
        "run",
        "--position",
        "nim:2,3",
        "--against",
        "random",
        "--clock",
        "1m+0s",
        "--",
        "python3",
        "crashing.py",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(home.file("failed").exists());
    assert!(ran.stderr.contains("started again"), "{ran:?}");
    let id = ran
        .stdout
        .split_whitespace()
        .next()
        .expect("a match")
        .to_owned();
    let review = home.run(&["review", &id, "--json"]);
    assert_eq!(review.code, Some(0), "{review:?}");
    assert!(
        review.stdout.contains("last_move"),
        "it was played to its end: {review:?}"
    );
}

#[test]
fn a_program_does_not_wait_for_ever_for_somebody_who_went_away() {
    let server = Server::start();
    let person = Home::at(&server.url);
    let home = Home::at(&server.url);
    home.write("last.py", &block("python"));
    let mut asking = person.start(&[
        "play",
        "nim:3,5,7",
        "--invite",
        "--side",
        "second",
        "--json",
    ]);
    let told = asking.says(r#""code""#);
    let told: Value = serde_json::from_str(&told).expect("JSON");
    let code = told["code"].as_str().or(told["body"]["code"].as_str());
    let code = code.unwrap_or_else(|| panic!("{told}")).to_owned();
    let bot = home.start(&["bot", "run", "--join", &code, "--", "python3", "last.py"]);
    asking.says(r#""moved""#);
    // Now it is the person's turn, who goes away.
    asking.kill();
    bot.kill();
    let play = [
        "bot",
        "run",
        "--position",
        "nim:2,3",
        "--against",
        "random",
        "--",
        "python3",
        "last.py",
    ];
    let ended = home.start(&play).ends_by_itself();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(
        format!("{ended:?}").contains("1 match without a clock still waits for its opponent"),
        "{ended:?}"
    );
}

#[test]
fn a_program_takes_challenges_by_its_offer_and_is_found_by_others() {
    let server = Server::start();
    let bot_home = Home::at(&server.url);
    bot_home.write("last.py", &block("python"));
    let arguments = [
        "bot",
        "run",
        "--games",
        "nim,kayles",
        "--at-once",
        "2",
        "--min-clock",
        "2s",
        "--json",
        "--",
        "python3",
        "last.py",
    ];
    let mut bot = bot_home.start(&arguments);
    bot.mutters("takes up to 2 matches at once");
    let home = Home::at(&server.url);
    let offers = home.run(&["offers", "--json"]).json();
    assert_eq!(offers["offers"][0]["player"]["name"], "last", "{offers}");
    assert_eq!(offers["offers"][0]["min_base_ms"], 2_000);
    let offers = home.run(&["offers"]);
    assert!(
        offers.stdout.contains("; clocks from 2 s, or none"),
        "{offers:?}"
    );
    let listed = home.run(&["offers", "--game", "chomp"]);
    assert_eq!((listed.code, listed.stdout.as_str()), (Some(0), ""));
    for (position, clock, reason) in [
        ("chomp:3,2", "1m+0s", "not this game"),
        ("nim:3", "1s+0s", "the clock is too fast"),
    ] {
        let refused = home.run(&["play", position, "--against", "last", "--clock", clock]);
        assert_eq!(refused.code, Some(7), "{refused:?}");
        assert!(refused.stderr.contains(reason), "{refused:?}");
    }
    // We take the first heap as a whole, and the program the other one.
    let against = ["play", "nim:1,1", "--against", "last", "--side", "first"];
    let ran = home.feed(&against, "a-1\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ended = bot.tells("match");
    assert_eq!(ended["outcome"], "second", "{ended}");
    let history = home
        .run(&["games", "list", "--opponent", "last", "--json"])
        .json();
    assert_eq!(history["matches"][0]["match"], ended["match"], "{history}");
    let nobody = home.run(&["challenge", "Nobody", "nim:1"]);
    assert_eq!(nobody.code, Some(4), "{nobody:?}");
    bot.signal(rustix::process::Signal::INT);
}

#[test]
fn a_person_waits_for_challenges_and_answers_them() {
    let server = Server::start();
    let (ann, bo) = (Home::at(&server.url), Home::at(&server.url));
    let mut waiting = ann.start(&["challenges"]);
    let line = waiting.mutters("Waiting for challenges to ");
    let id = line.split("id ").nth(1).expect("an id");
    let id = id.split('.').next().expect("an id").to_owned();
    let mut asking = bo.start(&["challenge", &id, "nim:1", "--side", "first"]);
    let shown = waiting.says("challenges guest");
    let challenge = shown.split_whitespace().next().expect("an id").to_owned();
    let declined = ann.run(&["challenges", "decline", &challenge, "--reason", "later"]);
    assert_eq!(declined.code, Some(0), "{declined:?}");
    asking.mutters("declined the challenge: not now");
    waiting.says("the challenge was declined");

    let mut asking = bo.start(&["challenge", &id, "nim:1", "--side", "first"]);
    let shown = waiting.says("challenges guest");
    assert!(shown.contains("nim:1, no clock"), "{shown}");
    let challenge = shown.split_whitespace().next().expect("an id").to_owned();
    let listed = ann.run(&["challenges", "list", "--json"]).json();
    assert_eq!(listed["challenges"][0]["challenge"], challenge.as_str());
    let mut accepting = ann.start(&["challenges", "accept", &challenge]);
    asking.says("Your move");
    asking.types("a-1");
    accepting.says("wins: ");
    waiting.says("the challenge was accepted");
    let ended = waiting.says(" ended: ");
    assert!(ended.ends_with(" won"), "{ended}");
    let again = ann.run(&["challenges", "accept", &challenge]);
    assert_eq!(again.code, Some(4), "{again:?}");
}

#[test]
fn a_bot_on_a_server_is_checked_by_playing_against_it() {
    let server = Server::start();
    let home = Home::at(&server.url);
    home.write("last.py", &block("python"));
    let grundy = env!("CARGO_BIN_EXE_grundy");
    let check = |rest: &[&str]| {
        let mut words = vec!["bot", "check", "--url", &*server.url, "--json"];
        words.extend([grundy, "bot", "run", "--server", "{url}"]);
        words.extend(rest);
        home.run(&words)
    };
    let ran = check(&["--join", "{code}", "--", "python3", "last.py"]);
    // On a machine that stands still for half a second no bot is quick, and the check says so.
    let failed = names(&ran, false);
    let is_slow = ran.code == Some(10) && failed == ["quick"];
    assert!(ran.code == Some(0) || is_slow, "{failed:?} {ran:?}");
    assert_eq!(names(&ran, true).len() + failed.len(), 19, "{ran:?}");
    // A bot that resigns loses, and the first slip is shown with what led to it.
    home.write(
        "quitter.py",
        &block("python").replace("\"moves\", go[\"id\"]", "\"resign\", go[\"id\"]"),
    );
    let ran = check(&["--join", "{code}", "--", "python3", "quitter.py"]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    let failed = names(&ran, false);
    assert!(failed.contains(&"answers".to_owned()), "{failed:?}");
    let checks = ran.json()["checks"].as_array().expect("a list").clone();
    let first = checks
        .iter()
        .find(|check| check["passed"] == false)
        .expect("one failed");
    let lines = first["lines"].to_string();
    assert!(
        lines.contains("joined: ") && lines.contains("ended: resignation"),
        "{first}"
    );
    // Nobody comes.
    let ran = home.run(&[
        "bot",
        "check",
        "--url",
        &server.url,
        "--json",
        "true",
        "{code}",
    ]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    assert_eq!(names(&ran, false), ["joins"], "the rest is left out");
    let ran = home.run(&["bot", "check", "--url", &server.url, "--json", "./bot"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.error()["hint"]
            .as_str()
            .expect("a hint")
            .contains("--join {code}"),
        "{ran:?}"
    );
    let ran = home.run(&[
        "bot",
        "check",
        "--url",
        "http://127.0.0.1:1",
        "--json",
        "./bot",
        "{code}",
    ]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
}
