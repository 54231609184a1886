//! Which files may call costly functions: `server/src/costly.rs`, which requires a proof that the thread serves no connection, and work with a budget of the
//! solver.

use std::fs;
use std::path::{Path, PathBuf};

/// A call, and the files of `server/src` that may make it.
type Call = (&'static str, &'static [&'static str]);

const CALLS: &[Call] = &[
    ("Position::parse_typed(", &["costly.rs"]),
    // Two short numbers behind the name of a game.
    ("Position::parse(", &["costly.rs", "page/values.rs"]),
    ("ReadPlan::of(", &["costly.rs"]),
    // Within work that was given to `Matches::about`, or to the solver's threads.
    (
        "Referee::create",
        &[
            "matches/creation.rs",
            "session/account.rs",
            "tournaments/creation.rs",
        ],
    ),
    // Recipes and listed starts: on the solver's threads, or at a start.
    ("read_list(", &["tournaments/creation.rs"]),
    (
        "starts_of(",
        &["tournaments/creation.rs", "tournaments/registry.rs"],
    ),
    // In work about a typed position, on the painter's thread and on the solver's. A bot's own move, and an answer to a puzzle, are read in a position that
    // no client typed.
    (
        ".parse_move(",
        &[
            "matches/machine/bot.rs",
            "page/review/place.rs",
            "page/study.rs",
            "session/explaining.rs",
            "session/puzzles.rs",
        ],
    ),
    ("Picture::of(", &["costly.rs"]),
    ("rated::is_forced(", &["costly.rs"]),
    // Readings, and work that heeds its budget. What is drawn, judged or played out holds up first attempts of others.
    (
        "Length::Short",
        &[
            "analysis/mod.rs",
            "matches/registry.rs",
            "page/studied.rs",
            "page/values.rs",
        ],
    ),
    // Lists of moves: pages of them, and the first ones beside a study.
    (".moves_from(", &["session/moves.rs"]),
    (".moves(to_move)", &["page/study.rs"]),
    // `fsck` serves nobody; the store replays the first event alone.
    (
        "Referee::replay(",
        &["costly.rs", "fsck/log.rs", "store/sqlite/closed.rs"],
    ),
    // The solver requires a budget. Its threads hand it out, and a budget can be divided.
    ("Budget::", &["fsck/log.rs"]),
    (
        "Budget {",
        &[
            "analysis/mod.rs",
            "page/study.rs",
            "session/claims.rs",
            "session/reviewing.rs",
        ],
    ),
    // Threads that serve nobody: the painter's; a start, and a take-over. Small logs are replayed anywhere, and a log is read for the reviewer.
    (
        "OffServing::by_design(",
        &["matches/rebuild.rs", "matches/recovery.rs", "page/mod.rs"],
    ),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push(path);
        }
    }
}

/// A source without its modules of tests. What stands behind them, and a single item for tests, is code.
fn without_tests(source: &str) -> String {
    let mut pieces = source.split("#[cfg(test)]");
    let mut code = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let opened = piece.lines().find(|line| !line.trim().is_empty());
        let is_module = opened.is_some_and(|line| line.starts_with("mod ") && line.ends_with('{'));
        code.push_str(match is_module {
            // Its end is the first brace that is not indented.
            true => piece.split_once("\n}\n").map_or("", |(_, behind)| behind),
            false => piece,
        });
    }
    code
}

/// A source without its comments and its tests.
fn code(path: &Path) -> String {
    let source = without_tests(&fs::read_to_string(path).expect("a source file"));
    let lines = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn only_threads_that_serve_nobody_do_costly_work() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut wrong = Vec::new();
    let mut used = vec![Vec::new(); CALLS.len()];
    for path in files {
        let name = path
            .strip_prefix(&root)
            .expect("below it")
            .display()
            .to_string();
        if name.ends_with("tests.rs") || name.contains("/tests/") {
            continue;
        }
        let code = code(&path);
        for ((call, allowed), used) in CALLS.iter().zip(&mut used) {
            if !code.contains(call) {
                continue;
            }
            if !allowed.contains(&name.as_str()) {
                wrong.push(format!("{name} calls {call}…)"));
            }
            used.push(name.clone());
        }
    }
    for ((call, allowed), used) in CALLS.iter().zip(&used) {
        for name in allowed
            .iter()
            .filter(|name| !used.iter().any(|used| used == *name))
        {
            wrong.push(format!("{name} may call {call}…), and does not"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "see docs/decisions/0070");
}

#[test]
fn what_stands_behind_a_test_is_code() {
    let source = "one\n\n#[cfg(test)]\nfn two() {\n}\n\nthree\n\n#[cfg(test)]\nmod tests {\n    four\n}\n\nfive\n#[cfg(test)]\nmod others;\nsix\n";
    let code = without_tests(source);
    for word in ["one", "two", "three", "five", "six"] {
        assert!(code.contains(word), "{word}: {code}");
    }
    assert!(!code.contains("four"), "{code}");
}
