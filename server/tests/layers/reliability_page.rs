//! The tables of faults and threats in docs/RELIABILITY.md: each has its row, and each row a test that there is, or a reason.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Faults F1 to F89 and threats T1 to T27.
const FAULTS: usize = 91;
const THREATS: usize = 27;
/// What a row without a test begins its last cell with.
const REASONS: [&str; 2] = ["Not tested:", "Not offered:"];

/// Every source file of the repository, by its path from the root.
fn sources() -> BTreeMap<String, String> {
    fn collect(directory: &Path, root: &Path, found: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, root, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root).expect("below the root");
                let text = fs::read_to_string(&path).expect("source text");
                found.insert(name.to_str().expect("UTF-8").to_owned(), text);
            }
        }
    }
    let root = root();
    let mut found = BTreeMap::new();
    for directory in ["shared", "server", "client-cli"] {
        collect(&root.join(directory), &root, &mut found);
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What is wrong with a row, given as the cell of its tests: ``file.rs` `name`, …`.
fn faults_of(tests: &str, sources: &BTreeMap<String, String>) -> Vec<String> {
    if REASONS.iter().any(|reason| tests.starts_with(reason)) {
        return Vec::new();
    }
    let words: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
    let mut file: Option<Vec<&String>> = None;
    let (mut faults, mut named) = (Vec::new(), 0);
    for word in words {
        if word.ends_with(".rs") {
            let ending = format!("/{word}");
            let texts = sources.iter().filter(|(path, _)| path.ends_with(&ending));
            file = Some(texts.map(|(_, text)| text).collect());
            continue;
        }
        named += 1;
        let there = file.as_ref().is_some_and(|texts| {
            texts
                .iter()
                .any(|text| text.contains(&format!("fn {word}(")))
        });
        if !there {
            faults.push(format!("there is no test {word}"));
        }
    }
    if named == 0 {
        faults.push("neither a test nor a reason".to_owned());
    }
    faults
}

/// Rows of the tables, by their numbers: `F7`, and the last cell.
fn rows(page: &str) -> Vec<(&str, &str)> {
    let rows = page.lines().filter_map(|line| {
        let cells: Vec<&str> = line
            .strip_prefix('|')?
            .strip_suffix('|')?
            .split('|')
            .map(str::trim)
            .collect();
        let number = cells[0].strip_prefix(['F', 'T'])?;
        let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        is_number.then(|| (cells[0], cells[cells.len() - 1]))
    });
    rows.collect()
}

#[test]
fn every_fault_and_threat_has_a_test_or_a_reason() {
    let page = fs::read_to_string(root().join("docs/RELIABILITY.md")).expect("the page");
    let rows = rows(&page);
    let found: Vec<&str> = rows.iter().map(|(number, _)| *number).collect();
    let faults = (1..=FAULTS).map(|number| format!("F{number}"));
    let threats = (1..=THREATS).map(|number| format!("T{number}"));
    let expected: Vec<String> = faults.chain(threats).collect();
    assert_eq!(found, expected, "each number once, in order");
    let sources = sources();
    let wrong: Vec<String> = rows
        .iter()
        .flat_map(|(number, tests)| {
            faults_of(tests, &sources)
                .into_iter()
                .map(move |fault| format!("{number}: {fault}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_row_without_a_test_or_with_a_wrong_one_is_found() {
    let text = "async fn a_full_disk(server: &Server) {}".to_owned();
    let sources = BTreeMap::from([("server/tests/faults/disk.rs".to_owned(), text)]);
    for (tests, expected) in [
        ("`disk.rs` `a_full_disk`", 0),
        ("`faults/disk.rs` `a_full_disk`; see above", 0),
        ("`isk.rs` `a_full_disk`", 1),
        ("`disk.rs` `a_full_disc`", 1),
        ("`disk.rs` `a_full_disk`, `other`", 1),
        ("`a_full_disk`", 1),
        ("`disk.rs`", 1),
        ("by hand", 1),
        ("", 1),
        ("Not tested: no such machine is at hand.", 0),
    ] {
        assert_eq!(faults_of(tests, &sources).len(), expected, "{tests}");
    }
    let page =
        "| fault | test |\n|---|---|\n| F1 | kill | `a` |\n| F12 | x | y | `b` |\n| Fast | z |\n";
    assert_eq!(rows(page), [("F1", "`a`"), ("F12", "`b`")]);
}
