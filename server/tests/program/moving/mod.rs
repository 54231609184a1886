//! Moving a store from SQLite to PostgreSQL and back, by the program.

mod bed;
mod copies;
mod databases;
mod left;
mod refusals;
mod tools;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// The program with these arguments, away from any configuration.
fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy-server"));
    command.args(arguments);
    command
}

/// Runs it to its end.
fn run(arguments: &[&str]) -> Output {
    program(arguments).output().expect("it runs")
}

/// A store on the command line.
fn sqlite(directory: &Path) -> String {
    format!("sqlite:{}", directory.display())
}

/// Moves a store; what it said of it.
fn moved(from: &str, to: &str) -> Value {
    told(&move_to(from, to))
}

fn move_to(from: &str, to: &str) -> Output {
    run(&["migrate-store", from, to, "--json"])
}

/// What the program said of a store that it has moved.
fn told(output: &Output) -> Value {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(errors.contains("comparing"), "{errors}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Lets servers use a store again that was moved.
fn undo(place: &str) {
    let output = run(&["migrate-store", "--undo", place]);
    assert!(output.status.success(), "{output:?}");
}

/// Refuses with this code, and says this.
fn refuses(arguments: &[&str], code: i32, parts: &[&str]) {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
    let last = errors.lines().last().unwrap_or_default();
    for part in parts {
        assert!(last.contains(part), "{part:?} is missing: {errors}");
    }
}

/// The program is killed after so many lines of its progress; whether it ended before by itself, with success.
fn killed_after(lines: usize, from: &str, to: &str) -> bool {
    let mut child: Child = program(&["migrate-store", from, to])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let errors = BufReader::new(child.stderr.take().expect("it is piped"));
    let said = errors.lines().take(lines).count();
    if said < lines {
        let status = child.wait().expect("it ends");
        assert!(status.success(), "{status}");
        return true;
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    false
}
