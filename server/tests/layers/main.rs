//! Who may know whom: the tables below are the rule book, and every source file is held to them.
//!
//! A module that no table names fails too: whoever adds one says where it stands. Tests are free.

mod chance;
mod circles;
mod costly;
mod names;
mod reliability_page;
mod secrets;

use std::fs;
use std::path::Path;

/// A module of a crate, and what it may know of the others in it. Its own inside is always allowed.
type Layer = (&'static str, &'static [&'static str]);

/// Where the parts meet: such a module may know everything in its crate.
const ALL: &[&str] = &["*"];

/// From the ground up. The rules of games do not know who asks, the referee does not know the solver, the protocol
/// knows ids and events only.
const SHARED: &[Layer] = &[
    ("lib", ALL),
    ("ids", &[]),
    // Numbers as JSON holds them.
    ("json", &[]),
    // The bounds of requests: the schema states them; the reader, the referee and the server check them.
    ("xml", &[]),
    ("bounds", &["ids"]),
    ("event", &["bounds", "ids"]),
    ("chain", &["ids"]),
    ("notation", &[]),
    ("theory", &[]),
    // What is true of a position, without words.
    ("fact", &["ids", "json"]),
    ("game", &["fact", "ids", "notation", "theory"]),
    // A component without its type, and what the registry says about its game.
    ("erased", &["fact", "game", "ids", "notation", "theory"]),
    (
        "games",
        &["erased", "fact", "game", "ids", "notation", "theory"],
    ),
    // Positions are read through the registry, so they stand above the games.
    (
        "position",
        &[
            "erased", "fact", "game", "games", "ids", "notation", "theory",
        ],
    ),
    (
        "conformance",
        &["erased", "game", "ids", "position", "theory"],
    ),
    // What checks a proof does not know how it was found.
    (
        "certificate",
        &["erased", "game", "games", "ids", "position", "theory"],
    ),
    (
        "solver",
        &[
            "certificate",
            "erased",
            "fact",
            "game",
            "ids",
            "json",
            "position",
            "theory",
        ],
    ),
    ("graph", &["game", "ids", "position", "theory", "xml"]),
    // What a picture is drawn from is notation, as everywhere outside the games.
    ("picture", &["games", "notation", "position", "xml"]),
    ("bot", &["game", "ids", "position", "solver", "theory"]),
    // Players are read as bots are.
    ("odds", &["bot", "game", "ids", "position"]),
    (
        "referee",
        &["bounds", "event", "game", "ids", "notation", "position"],
    ),
    ("record", &["chain", "event", "game", "ids", "referee"]),
    // Numbers know neither games nor matches.
    ("statistics", &["json"]),
    (
        "review",
        &[
            "event",
            "ids",
            "json",
            "position",
            "record",
            "referee",
            "solver",
            "statistics",
            "xml",
        ],
    ),
    // A tournament knows how games end and who plays.
    ("rating", &[]),
    (
        "rated",
        &[
            "event", "game", "games", "ids", "position", "rating", "referee",
        ],
    ),
    // What was thrown away is learnt: exercises from reviews.
    (
        "practice",
        &[
            "bot", "event", "fact", "game", "games", "ids", "notation", "position", "rated",
            "referee", "review", "solver",
        ],
    ),
    // What others threw away, in a form that can be put to anybody.
    (
        "puzzle",
        &["ids", "position", "practice", "rated", "solver"],
    ),
    // The reviews of many matches together.
    (
        "career",
        &[
            "event",
            "game",
            "ids",
            "position",
            "practice",
            "rated",
            "record",
            "referee",
            "review",
            "solver",
            "statistics",
            "xml",
        ],
    ),
    (
        "tournament",
        &["bounds", "event", "ids", "rating", "statistics"],
    ),
    // Pictures of what others have found: ratings, values, results.
    ("chart", &["review", "theory", "tournament", "xml"]),
    // Who threw a win away: games that are over, judged by the solver.
    (
        "oracle",
        &[
            "event",
            "game",
            "ids",
            "position",
            "record",
            "solver",
            "statistics",
        ],
    ),
    ("protocol", &["bounds", "event", "ids", "tournament"]),
    (
        "suite",
        &[
            "games",
            "ids",
            "notation",
            "position",
            "solver",
            "tournament",
        ],
    ),
    (
        "export",
        &[
            "chain",
            "event",
            "ids",
            "oracle",
            "position",
            "record",
            "suite",
            "tournament",
        ],
    ),
];

/// The service over transport over session over matches over the store; what they share is handed to them by `app`.
const SERVER: &[Layer] = &[
    ("lib", ALL),
    ("main", ALL),
    ("service", ALL),
    ("chance", &[]),
    ("latest", &[]),
    ("glances", &["latest"]),
    // Work that must not run on a thread that serves connections.
    ("costly", &[]),
    ("clock", &["planted"]),
    ("failpoint", &[]),
    ("spawner", &[]),
    ("lifecycle", &["spawner"]),
    // The command line reads the requests of operators.
    ("address_range", &[]),
    ("counted", &[]),
    ("operator", &["address_range", "counted"]),
    ("config", &["address_range", "failpoint", "operator"]),
    ("names", &[]),
    // A backup as files; the store keeps one before it upgrades a database.
    ("archive", &[]),
    (
        "store",
        &[
            "address_range",
            "archive",
            "clock",
            "failpoint",
            "names",
            "planted",
        ],
    ),
    ("bans", &["store"]),
    // What operators do, over the socket or the protocol.
    ("audit", &["clock", "store"]),
    ("fsck", &["audit", "counted", "names", "store"]),
    ("export", &["store"]),
    ("data", &["config", "store"]),
    ("node", &["config", "peers", "store"]),
    ("exit", &["config", "store"]),
    // Copies the file of the database and checks the copy.
    (
        "backup",
        &["archive", "counted", "data", "exit", "fsck", "store"],
    ),
    ("tls", &["config", "exit"]),
    ("health", &["exit", "tls"]),
    ("logging", &["config"]),
    ("metrics", &["shard", "store"]),
    ("host", &["config"]),
    ("own_url", &["config"]),
    ("origin", &["own_url"]),
    ("planted", &[]),
    // The use of limits that hold across all servers on one store.
    ("ledger", &["store"]),
    ("rate", &["ledger"]),
    ("places", &[]),
    (
        "addresses",
        &["config", "ledger", "places", "rate", "store"],
    ),
    ("bookkeeper", &["addresses", "ledger", "lifecycle", "store"]),
    // Every look asks how long commits take; every session asks whether new work may begin.
    (
        "admission",
        &["addresses", "chance", "config", "metrics", "shard", "store"],
    ),
    (
        "http",
        &[
            "admission",
            "bus",
            "config",
            "host",
            "lifecycle",
            "metrics",
            "peers",
            "reserve",
            "store",
        ],
    ),
    // Counted by players and digests of addresses, and noted in the store.
    ("quotas", &["config", "ledger", "store"]),
    // Which of the servers on one store seem dead.
    ("peers", &["store"]),
    // Hints between servers on one store.
    ("bus", &["config", "lifecycle", "metrics", "store"]),
    // Draws what all servers on one store have in common.
    ("founding", &["chance", "store"]),
    // Signs of life of a server that starts.
    ("first_signs", &["lifecycle", "peers", "store"]),
    // How much of the disk is free; shown as a metric.
    ("reserve", &["metrics", "store"]),
    ("shard", &[]),
    // What other servers on one store have changed that is kept in memory.
    (
        "hearing",
        &[
            "accounts",
            "bans",
            "clock",
            "connections",
            "lobby",
            "matches",
            "store",
            "tournaments",
        ],
    ),
    // Moves a store to another backend, and checks both.
    (
        "migration",
        &["config", "data", "exit", "failpoint", "fsck", "store"],
    ),
    // Knows who is connected and which matches are followed.
    ("sweep", &["app", "metrics", "store"]),
    ("workers", &["shard"]),
    ("ratings", &["planted", "store"]),
    ("puzzles", &["store"]),
    // Shares its threads among addresses, and counts what waits.
    ("analysis", &["lifecycle", "metrics"]),
    (
        "matches",
        &[
            "addresses",
            "analysis",
            "chance",
            "clock",
            "config",
            "costly",
            "failpoint",
            "lifecycle",
            "metrics",
            "planted",
            "quotas",
            "rate",
            "ratings",
            "reserve",
            "store",
        ],
    ),
    ("connections", &["addresses", "matches", "planted", "store"]),
    // Tries passwords where the solver works, and closes the connections of tokens that are revoked.
    (
        "identity",
        &[
            "addresses",
            "analysis",
            "bans",
            "chance",
            "clock",
            "config",
            "connections",
            "ledger",
            "matches",
            "metrics",
            "names",
            "rate",
            "store",
        ],
    ),
    // Whether a player may be helped now.
    ("help", &["matches", "store"]),
    // Asks the matches for their followers, and the store for the players.
    (
        "chat",
        &[
            "clock",
            "config",
            "help",
            "identity",
            "ledger",
            "lifecycle",
            "matches",
            "metrics",
            "names",
            "rate",
            "store",
        ],
    ),
    // What servers on one store say to each other. It does not know what about.
    ("hall", &["bus", "lifecycle", "store"]),
    // Told of matches through a trait of theirs; speaks to connections by their outboxes.
    (
        "accounts",
        &[
            "chance",
            "clock",
            "hall",
            "lifecycle",
            "matches",
            "names",
            "planted",
            "store",
        ],
    ),
    // Takes up the matches of servers that are dead.
    (
        "succession",
        &[
            "bus",
            "clock",
            "hall",
            "lifecycle",
            "matches",
            "metrics",
            "peers",
            "planted",
            "store",
        ],
    ),
    // Players who come from servers that may be dead.
    ("arrivals", &["peers", "store"]),
    // Sees what other servers on the same store have appended.
    (
        "looks",
        &[
            "arrivals",
            "bus",
            "chat",
            "lifecycle",
            "matches",
            "store",
            "tournaments",
        ],
    ),
    // The same as the accounts; makes its matches itself.
    (
        "lobby",
        &[
            "chance",
            "clock",
            "config",
            "hall",
            "lifecycle",
            "matches",
            "store",
        ],
    ),
    // Reviews finished matches when the solver has nothing else to do.
    (
        "reviewer",
        &[
            "admission",
            "analysis",
            "hall",
            "lifecycle",
            "matches",
            "metrics",
            "puzzles",
            "store",
        ],
    ),
    (
        "tournaments",
        &[
            "accounts",
            "analysis",
            "chance",
            "clock",
            "config",
            "failpoint",
            "lifecycle",
            "matches",
            "metrics",
            "store",
        ],
    ),
    (
        "app",
        &[
            "accounts",
            "addresses",
            "admission",
            "analysis",
            "audit",
            "bans",
            "bookkeeper",
            "bus",
            "chance",
            "chat",
            "clock",
            "config",
            "connections",
            "first_signs",
            "founding",
            "glances",
            "hall",
            "hearing",
            "identity",
            "ledger",
            "lifecycle",
            "lobby",
            "looks",
            "matches",
            "metrics",
            "puzzles",
            "quotas",
            "ratings",
            "reserve",
            "reviewer",
            "store",
            "tournaments",
        ],
    ),
    // What runs beside the sessions.
    (
        "upkeep",
        &[
            "app",
            "bus",
            "lifecycle",
            "peers",
            "planted",
            "store",
            "succession",
        ],
    ),
    // The record of a match, for requests and for pages.
    ("record", &["app", "matches", "store"]),
    // The code of an invitation, for requests and for pages.
    ("invitation", &["addresses", "app", "matches", "store"]),
    // What the solver says, for requests and for pages.
    (
        "reviewed",
        &["analysis", "app", "matches", "metrics", "store"],
    ),
    (
        "session",
        &[
            "accounts",
            "addresses",
            "admission",
            "analysis",
            "app",
            "audit",
            "bans",
            "chat",
            "clock",
            "config",
            "connections",
            "costly",
            "glances",
            "help",
            "identity",
            "invitation",
            "lifecycle",
            "lobby",
            "matches",
            "metrics",
            "names",
            "planted",
            "puzzles",
            "quotas",
            "rate",
            "ratings",
            "record",
            "reviewed",
            "store",
            "tournaments",
        ],
    ),
    (
        "transport",
        &[
            "addresses",
            "app",
            "config",
            "host",
            "lifecycle",
            "matches",
            "metrics",
            "origin",
            "own_url",
            "page",
            "session",
            "workers",
        ],
    ),
    // A page reads the matches that it paints, and whose cookie it is sent; whoever plays by it is a session like every other.
    (
        "page",
        &[
            "addresses",
            "admission",
            "analysis",
            "app",
            "config",
            "costly",
            "help",
            "identity",
            "invitation",
            "latest",
            "matches",
            "metrics",
            "names",
            "origin",
            "own_url",
            "ratings",
            "record",
            "reviewed",
            "store",
            "tournaments",
        ],
    ),
    // Takes a player out of the logs, and out of the memory of all others.
    (
        "erasure",
        &[
            "analysis",
            "app",
            "audit",
            "counted",
            "failpoint",
            "matches",
            "names",
            "store",
            "tournaments",
        ],
    ),
    // Stands where the session stands, on another socket.
    (
        "admin",
        &[
            "addresses",
            "app",
            "audit",
            "config",
            "data",
            "erasure",
            "exit",
            "failpoint",
            "identity",
            "lifecycle",
            "logging",
            "matches",
            "names",
            "operator",
            "planted",
            "store",
            "tls",
            "tournaments",
        ],
    ),
];

/// A crate or module of which only a few places may speak.
type Owned = (&'static str, &'static [&'static str]);

const OWNED: &[Owned] = &[
    // The two programs know only the protocol of each other.
    ("server", &["server"]),
    ("client", &["client"]),
    // Backends: who holds a `dyn Store` does not know which.
    (
        "server::store::sqlite",
        &[
            "server::store",
            "server::fsck",
            "server::export",
            "server::backup",
        ],
    ),
    ("server::store::memory", &["server::store"]),
    ("server::store::postgres", &["server::store"]),
    (
        "sqlx",
        &[
            "server::store::sqlite",
            "server::store::postgres",
            "server::fsck",
            "server::export",
        ],
    ),
    ("deadpool", &["server::store::postgres"]),
    ("async_nats", &["server::bus"]),
    (
        "tokio_tungstenite",
        &[
            "server::transport::ws",
            "client::address",
            "client::connection",
            "client::commands::load",
        ],
    ),
    (
        "rustls",
        &[
            "server::tls",
            "server::health",
            "server::transport",
            "client::trust",
            "client::connection",
        ],
    ),
    ("tokio_rustls", &["server::transport", "client::connection"]),
    // Only the full screen draws; what comes from the keyboard passes through the frontend's trait.
    ("ratatui", &["client::screen"]),
    (
        "crossterm",
        &["client::screen", "client::session::frontend"],
    ),
    ("hyper", &["server::transport"]),
    ("hyper_util", &["server::transport"]),
    (
        "axum",
        &[
            "server::host",
            "server::http",
            "server::origin",
            "server::own_url",
            "server::page",
            "server::transport",
        ],
    ),
    (
        "prometheus_client",
        &[
            "server::analysis",
            "server::identity",
            "server::matches",
            "server::metrics",
            "server::session",
        ],
    ),
    (
        "clap",
        &[
            "server::config",
            "server::main",
            "server::operator",
            "client",
        ],
    ),
    ("toml", &["server::config", "client"]),
    ("tracing_subscriber", &["server::logging", "server::config"]),
    // The store takes from SIGXFSZ its power to kill.
    (
        "tokio::signal",
        &["server::lifecycle", "server::store::sqlite", "client"],
    ),
    // `shared` is handed time, chance, files and everything else of the outside.
    ("tokio", &["server", "client"]),
    ("governor", &["server::rate"]),
    ("rand", &["server::chance", "server::failpoint", "client"]),
    ("std::env", &["server", "client"]),
    ("std::fs", &["server", "client"]),
    ("std::net", &["server", "client"]),
    ("std::os", &["server", "client"]),
    ("std::process", &["server", "client"]),
    ("std::thread", &["server", "client"]),
    ("std::time", &["server", "client"]),
];

/// Modules that are handed everything of the outside, and what they may not know of it.
const PURE: &[(&str, &[&str])] = &[(
    "server::matches::machine",
    &[
        "futures",
        "prometheus_client",
        "server::analysis",
        "server::chance",
        "server::clock",
        "server::failpoint",
        "server::lifecycle",
        "server::metrics",
        "server::spawner",
        "server::store::committer",
        "server::store::memory",
        "server::store::open",
        "server::store::Store",
        "std::fs",
        "std::net",
        "std::sync::Mutex",
        "std::sync::atomic",
        "std::thread",
        "std::time",
        "tokio",
        "tokio_util",
        "tracing",
    ],
)];

/// The crates: name in the tables, directory, and its layers where it has a table. The client has none: it is held to
/// [`OWNED`].
const CRATES: &[(&str, &str, Option<&[Layer]>)] = &[
    ("shared", "shared", Some(SHARED)),
    ("server", "server", Some(SERVER)),
    ("client", "client-cli", None),
];

/// Whether `name` is `module` or something in it.
fn is_in(name: &str, module: &str) -> bool {
    name.strip_prefix(module)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Every way in which one file breaks the tables.
fn violations(home: &str, source: &str) -> Vec<String> {
    let mut path = home.split("::");
    let (own_crate, own_module) = (path.next().unwrap_or(""), path.next().unwrap_or("lib"));
    let layers = CRATES
        .iter()
        .find(|(name, ..)| *name == own_crate)
        .and_then(|(_, _, layers)| *layers);
    let allowed = match layers {
        None => ALL,
        Some(layers) => match layers.iter().find(|(module, _)| *module == own_module) {
            Some((_, allowed)) => allowed,
            None => {
                return vec![format!(
                    "{home}: the tables of server/tests/layers/ do not name it"
                )];
            }
        },
    };
    let is_module =
        |name: &str| layers.is_some_and(|layers| layers.iter().any(|(module, _)| *module == name));
    let mut found = Vec::new();
    for name in names::named(home, source) {
        let module = name
            .strip_prefix(own_crate)
            .and_then(|rest| rest.strip_prefix("::"));
        let module = module
            .and_then(|rest| rest.split("::").next())
            .unwrap_or("");
        let foreign = is_module(module) && module != own_module;
        if foreign && allowed != ALL && !allowed.contains(&module) {
            found.push(format!(
                "{home} names {name}: {own_module} may not know {module}"
            ));
        }
        for (pure, outside) in PURE {
            if is_in(home, pure) && outside.iter().any(|outside| is_in(&name, outside)) {
                found.push(format!("{home} names {name}: {pure} is pure"));
            }
        }
        for (owned, owners) in OWNED {
            if is_in(&name, owned) && !owners.iter().any(|owner| is_in(home, owner)) {
                let owners = owners.join(", ");
                found.push(format!(
                    "{home} names {name}: only {owners} may know {owned}"
                ));
            }
        }
    }
    found
}

/// Every source file below a directory: its module and its text.
fn collect(module: &str, directory: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(directory).expect("a source directory") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let stem = stem.expect("source files have names in UTF-8");
        if path.is_dir() {
            collect(&format!("{module}::{stem}"), &path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && stem != "tests" {
            let home = match stem {
                "mod" => module.to_owned(),
                _ => format!("{module}::{stem}"),
            };
            found.push((home, fs::read_to_string(&path).expect("source text")));
        }
    }
}

/// Every source file of a crate.
fn files_of(name: &str, directory: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(directory);
    let mut files = Vec::new();
    collect(name, &root.join("src"), &mut files);
    files
}

#[test]
fn nobody_knows_more_than_the_tables_allow() {
    let files: Vec<_> = CRATES
        .iter()
        .flat_map(|(name, directory, _)| files_of(name, directory))
        .collect();
    assert!(files.len() > 30, "only {} files were found", files.len());
    let mut found: Vec<_> = files
        .iter()
        .flat_map(|(home, source)| violations(home, source))
        .collect();
    found.sort();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn no_files_know_each_other_in_a_circle() {
    // A game and its helpers may know each other: the games are one node.
    let merge = |home: &str| match is_in(home, "shared::games") {
        true => "shared::games".to_owned(),
        false => home.to_owned(),
    };
    for (name, directory) in [
        ("shared", "shared"),
        ("server", "server"),
        ("client", "client-cli"),
    ] {
        let arrows = circles::arrows(&files_of(name, directory), merge);
        let uses: usize = arrows.values().map(|uses| uses.len()).sum();
        assert!(uses > 100, "only {uses} uses were found in {name}");
        let found = circles::circles(&arrows);
        let found: Vec<String> = found.iter().map(|circle| circle.join(" -> ")).collect();
        assert!(found.is_empty(), "\n{}", found.join("\n"));
    }
}

#[test]
fn no_modules_of_the_server_know_each_other_in_a_circle() {
    let mut left: Vec<&Layer> = SERVER.iter().filter(|(_, known)| *known != ALL).collect();
    // Takes away who knows nobody that is left, until that is nobody any more.
    loop {
        let names: Vec<&str> = left.iter().map(|(module, _)| *module).collect();
        left.retain(|(_, known)| known.iter().any(|module| names.contains(module)));
        if left.len() == names.len() {
            break;
        }
    }
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_planted_violation_is_found() {
    let planted = [
        (
            "shared::games::nim",
            "use crate::solver::solve;",
            "games may not know solver",
        ),
        (
            "shared::protocol::client",
            "use super::super::{ids::Ply, game::Game};",
            "may not know game",
        ),
        (
            "shared::referee",
            "fn f() { let _ = std::time::Instant::now(); }",
            "std::time",
        ),
        (
            "shared::theory::mex",
            "fn f() { crate::ids::x(); }",
            "theory may not know ids",
        ),
        (
            "server::session::player",
            "use tokio_tungstenite::tungstenite::Message;",
            "only server::transport::ws",
        ),
        (
            "server::matches::actor",
            "use sqlx::Row;",
            "server::store::sqlite",
        ),
        (
            "server::matches::actor",
            "use crate::{clock::Clock, store::sqlite::SqliteStore};",
            "only server::store",
        ),
        (
            "server::matches::actor",
            "use crate::session::Session;",
            "matches may not know session",
        ),
        (
            "client::commands::play",
            "use grundy_server::config::Config;",
            "only server may know server",
        ),
        (
            "server::matches::machine::clocks",
            "use tokio::time::Instant;",
            "is pure",
        ),
        (
            "server::matches::machine::deciding",
            "use crate::store::{Commit, Store};",
            "is pure",
        ),
        ("server::novelty", "", "do not name it"),
    ];
    for (home, source, expected) in planted {
        let found = violations(home, source).join("\n");
        assert!(found.contains(expected), "{home}, {source}: {found:?}");
    }
}

#[test]
fn what_the_tables_allow_passes() {
    let allowed = [
        (
            "shared::games::nim",
            "use crate::game::Game; // crate::solver::solve\n",
        ),
        (
            "server::transport::ws",
            "use tokio_tungstenite::tungstenite::Message;",
        ),
        (
            "server::matches::actor",
            "use crate::store::Store;\n#[cfg(test)]\nmod tests { use sqlx::Row; }",
        ),
        ("server::store::open", "use super::sqlite::SqliteStore;"),
        (
            "client::connection",
            "use tokio_tungstenite::connect_async;",
        ),
    ];
    for (home, source) in allowed {
        assert_eq!(violations(home, source), Vec::<String>::new());
    }
}
