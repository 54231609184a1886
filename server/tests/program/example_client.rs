//! `examples/client.py`, in the environment that `scripts/test` makes, plays whole matches against the real server.

use crate::process;

use std::path::{Path, PathBuf};
use std::process::Command;

fn python() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.venv/bin/python");
    assert!(
        path.exists(),
        "no .venv: `scripts/test` makes it, or: python3 -m venv .venv && .venv/bin/pip install -r examples/requirements.txt"
    );
    path
}

fn play(arguments: &[&str]) -> String {
    let server = process::Server::start(&[]);
    let address = server.websocket();
    let output = Command::new(python())
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../examples/client.py"
        ))
        .args(["--server", address.trim_end_matches("/ws")])
        .args(arguments)
        .output()
        .expect("Python runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

#[test]
fn a_stranger_s_client_plays_a_whole_match() {
    let text = play(&["--bot", "random", "nim:3,5,7"]);
    assert!(text.contains("by last_move"), "{text}");
}

#[test]
fn it_beats_nobody_who_is_perfect_from_a_lost_start() {
    // Whoever is second wins nim:2,2 by copying; the sides are drawn, so both ends are legal: the match must end.
    let text = play(&["--bot", "perfect", "nim:2,2"]);
    assert!(text.starts_with("playing as guest-"), "{text}");
    assert!(text.contains("by last_move"), "{text}");
}
