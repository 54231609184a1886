//! The tables of docs/OPERATIONS.md are made from the program. `GRUNDY_REGENERATE=1` writes them anew.

use std::fs;
use std::path::{Path, PathBuf};

use grundy_server::config::{Config, InForce};
use grundy_server::exit::Exit;
use grundy_server::metrics::Metrics;
use grundy_server::store::Gauges;

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/OPERATIONS.md")
}

fn settings_table() -> String {
    let mut table =
        "| key | default | bounds | in force after | what |\n|---|---|---|---|---|\n".to_owned();
    for (key, value) in Config::default().values() {
        // Defaults that depend on the machine are told in words.
        let value = match key.about.contains("Default: ") {
            true => String::new(),
            false => format!("`{value}`"),
        };
        let bounds = key
            .bounds
            .map_or_else(String::new, |(low, high)| format!("{low} to {high}"));
        let after = match key.in_force() {
            InForce::AtOnce => "reload",
            InForce::ForNewConnections => "reload, new connections",
            InForce::AfterRestart => "restart",
        };
        table.push_str(&format!(
            "| `{}` | {value} | {bounds} | {after} | {} |\n",
            key.path,
            key.about.trim()
        ));
    }
    table
}

fn exits_table() -> String {
    let mut table = "| code | meaning |\n|---|---|\n".to_owned();
    for exit in Exit::ALL {
        table.push_str(&format!("| {} | {} |\n", exit.code(), exit.meaning()));
    }
    table
}

/// Compares the part of the page between the marks of this name with what it should be.
fn check(name: &str, table: &str) {
    let text = fs::read_to_string(page()).expect("docs/OPERATIONS.md");
    let (begin, end) = (
        format!("<!-- begin {name} -->\n"),
        format!("<!-- end {name} -->\n"),
    );
    let from = text.find(&begin).expect("the begin mark") + begin.len();
    let to = text.find(&end).expect("the end mark");
    if std::env::var_os("GRUNDY_REGENERATE").is_some() {
        let whole = format!("{}{table}{}", &text[..from], &text[to..]);
        fs::write(page(), whole).expect("docs/ can be written");
        return;
    }
    assert_eq!(
        &text[from..to],
        table,
        "run this test with GRUNDY_REGENERATE=1"
    );
}

#[test]
fn the_tables_are_what_the_program_says() {
    check("settings", &settings_table());
    check("exits", &exits_table());
}

#[test]
fn every_metric_is_on_the_page() {
    let text = fs::read_to_string(page()).expect("docs/OPERATIONS.md");
    let metrics = Metrics::default().render(&Gauges::default());
    let names = metrics
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "));
    for name in names.filter_map(|line| line.split(' ').next()) {
        assert!(
            text.contains(&format!("`{name}")),
            "docs/OPERATIONS.md lacks {name}"
        );
    }
}
