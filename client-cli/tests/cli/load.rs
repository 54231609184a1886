//! The load generator with a real server and the relay, each a process of its own.

use serde_json::Value;

use super::program::Home;
use super::server::{self, Server};

/// The figures that a program may count on.
const FIGURES: [&str; 11] = [
    "matches",
    "moves_per_s",
    "ack_ms_p50",
    "ack_ms_p99",
    "opponent_ms_p99",
    "server_cpu_us_per_move",
    "server_rss_mib",
    "baseline_moves_per_s",
    "baseline_cpu_us_per_move",
    "ratio",
    "cpu_ratio",
];

fn figure(report: &Value, name: &str) -> f64 {
    report[name]
        .as_f64()
        .unwrap_or_else(|| panic!("{name} of {report}"))
}

#[test]
fn two_seconds_with_everything_give_every_figure_and_leave_nothing_behind() {
    let home = Home::new();
    let data = tempfile::tempdir().expect("a directory");
    let spawn = server::program().to_str().expect("a path in UTF-8");
    let parent = data.path().to_str().expect("a path in UTF-8");
    let ran = home.run(&[
        "load",
        "--json",
        "--spawn",
        spawn,
        "--data-parent",
        parent,
        "--matches",
        "6",
        "--plies",
        "9",
        "--seconds",
        "2",
        "--baseline",
        "--idle",
        "5",
        "--watchers",
        "3",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report = ran.json();
    assert_eq!(report["schema"], "grundy/load/1");
    for name in FIGURES {
        assert!(figure(&report, name) > 0.0, "{name} of {report}");
    }
    for name in ["lost_moves", "gaps", "refusals", "disconnects"] {
        assert_eq!(figure(&report, name), 0.0, "{name} of {report}");
    }
    assert!(figure(&report, "finished_matches") > 0.0, "{report}");
    assert!(figure(&report, "watched_events") > 0.0, "{report}");
    assert!(report["idle_connection_rss_kib"].is_number(), "{report}");
    let left: Vec<_> = data.path().read_dir().expect("it is there").collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_paced_run_keeps_its_pace() {
    let home = Home::new();
    let spawn = server::program().to_str().expect("a path in UTF-8");
    let ran = home.run(&[
        "load",
        "--json",
        "--spawn",
        spawn,
        "--matches",
        "10",
        "--seconds",
        "1",
        "--rate",
        "100",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report = ran.json();
    let moves = figure(&report, "moves_per_s");
    assert!(moves <= 110.0, "{report}");
    // A machine that is too busy for the pace is no fault, but the report must say so.
    assert!(
        moves >= 50.0 || figure(&report, "late_moves") > 0.0,
        "{report}"
    );
    assert!(report["ratio"].is_null(), "{report}");
}

#[test]
fn a_server_with_everyday_limits_is_left_alone() {
    let home = Home::new();
    let server = Server::start();
    let ran = home.run(&["load", "--json", "--server", &server.url, "--seconds", "1"]);
    assert_eq!(ran.code, Some(7), "{ran:?}");
    let message = ran.error()["message"].to_string();
    assert!(
        message.contains("grundy-server --profile load"),
        "{message}"
    );
}
