//! The files for Prometheus and Grafana name metrics that the server has, and the page of operations names all of them and no others.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use grundy_server::metrics::{
    ByKind, ByOutcome, ByPurpose, ByReason, ByRole, ByRule, ByScope, BySource, Finished, Metrics,
};
use grundy_server::store::Gauges;
use serde_json::Value;
use yaml_rust2::{Yaml, YamlLoader};

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The names of the metrics as the server writes their types, with the ends that their kind adds.
fn samples() -> BTreeSet<String> {
    let metrics = Metrics::default();
    // A family has no type before it has a member: a new one is to be begun here too.
    let (rule, reason, role) = ("nim", "slow", "guest");
    let (outcome, scope, kind, termination) = ("live", "guest", "solve", "last_move");
    let finished = Finished { rule, termination };
    metrics.matches_finished.get_or_create(&finished).inc();
    metrics.moves.get_or_create(&ByRule { rule }).inc();
    metrics.connections.get_or_create(&ByRole { role }).inc();
    metrics.dropped.get_or_create(&ByReason { reason }).inc();
    metrics.resumes.get_or_create(&ByOutcome { outcome }).inc();
    metrics.rate_limited.get_or_create(&ByScope { scope }).inc();
    metrics.solver.get_or_create(&ByKind { kind }).observe(0.1);
    let source = "store";
    metrics.reviews.get_or_create(&BySource { source }).inc();
    let solved = ByOutcome { outcome: "solved" };
    metrics.puzzle_answers.get_or_create(&solved).inc();
    metrics.removed.get_or_create(&ByKind { kind }).inc();
    metrics.shed.get_or_create(&ByKind { kind }).inc();
    metrics.entering.get_or_create(&ByKind { kind }).inc();
    metrics.disk_free.set(1);
    metrics.bus.connected.set(1);
    let cluster = &metrics.cluster;
    cluster.alive.set(1);
    cluster.heartbeat.note();
    cluster.delay.observe(0.1);
    let dead = ByReason { reason: "dead" };
    cluster.takeovers.get_or_create(&dead).inc();
    let (queue, study) = (&metrics.solver_queue, ByPurpose { purpose: "study" });
    queue.waiting.get_or_create(&study).inc();
    queue.running.get_or_create(&study).inc();
    queue.refused.get_or_create(&study).inc();
    queue.dropped.get_or_create(&study).inc();
    let text = metrics.render(&Gauges {
        unsettled_bytes: Some(1),
        ..Gauges::default()
    });
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    types
        .flat_map(|line| {
            let (name, kind) = line.split_once(' ').expect("a name and a type");
            let ends: &[&str] = match kind {
                "counter" => &["_total"],
                "histogram" => &["_bucket", "_sum", "_count"],
                "info" => &["_info"],
                _ => &[""],
            };
            ends.iter().map(move |end| format!("{name}{end}"))
        })
        .collect()
}

/// The names of our metrics in an expression.
fn named(expression: &str) -> BTreeSet<String> {
    let words = expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let ours = words.filter(|word| word.starts_with("grundy_") || word.starts_with("process_"));
    ours.map(str::to_owned).collect()
}

fn check(file: &str, expressions: &[String]) {
    assert!(expressions.len() > 5, "{file}: {expressions:?}");
    let known = samples();
    for expression in expressions {
        let unknown: Vec<_> = named(expression).difference(&known).cloned().collect();
        assert!(
            unknown.is_empty(),
            "{file}: no metric is called {unknown:?}"
        );
    }
}

fn rules() -> Vec<Yaml> {
    let documents = YamlLoader::load_from_str(&read("contrib/prometheus/grundy.rules.yml"));
    let documents = documents.expect("YAML");
    let groups = documents[0]["groups"].as_vec().expect("groups");
    let rules = groups
        .iter()
        .map(|group| group["rules"].as_vec().expect("rules"));
    rules.flatten().cloned().collect()
}

#[test]
fn every_alert_names_metrics_that_exist_and_says_what_to_do() {
    let expressions: Vec<String> = rules()
        .iter()
        .map(|rule| rule["expr"].as_str().expect("an expression").to_owned())
        .collect();
    check("grundy.rules.yml", &expressions);
    let (page, tests) = (
        read("docs/OPERATIONS.md"),
        read("contrib/prometheus/grundy.test.yml"),
    );
    for rule in rules() {
        let alert = rule["alert"].as_str().expect("a name");
        for text in ["summary", "action"] {
            let said = rule["annotations"][text].as_str();
            assert!(said.is_some_and(|said| !said.is_empty()), "{alert}: {text}");
        }
        assert!(
            page.contains(&format!("`{alert}`")),
            "docs/OPERATIONS.md lacks {alert}"
        );
        assert!(tests.contains(alert), "grundy.test.yml lacks {alert}");
    }
}

#[test]
fn every_panel_names_metrics_that_exist() {
    let dashboard: Value =
        serde_json::from_str(&read("contrib/grafana/grundy.json")).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels");
    let mut expressions = Vec::new();
    for panel in panels {
        let targets = panel["targets"].as_array().expect("targets");
        for target in targets {
            expressions.push(target["expr"].as_str().expect("an expression").to_owned());
        }
        let described = panel["description"].as_str().unwrap_or_default();
        assert!(!described.is_empty(), "{}", panel["title"]);
    }
    let events = dashboard["annotations"]["list"].as_array().expect("a list");
    expressions.extend(
        events
            .iter()
            .filter_map(|event| event["expr"].as_str().map(str::to_owned)),
    );
    check("grundy.json", &expressions);
}

#[test]
fn the_page_names_no_metric_that_is_gone() {
    let page = read("docs/OPERATIONS.md");
    let known = samples();
    // Not the name of the program's library, of which log directives speak, and not the roles of a database.
    let spans = page.split('`').skip(1).step_by(2);
    let others = ["grundy_server", "grundy_owner", "grundy_scratch"];
    let names = spans
        .flat_map(named)
        .filter(|name| !others.contains(&name.as_str()));
    for name in names {
        // Or the beginning of some names, to be searched for.
        let exists = known.iter().any(|sample| sample.starts_with(&name));
        assert!(
            exists,
            "docs/OPERATIONS.md names {name}, which is not a metric"
        );
    }
}
