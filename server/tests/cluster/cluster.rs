//! Several servers over one PostgreSQL and one NATS, with ways between them that can be cut.

use std::path::{Path, PathBuf};

use futures::future::join_all;
use tempfile::TempDir;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::cable::Cable;
use crate::nats::Nats;
use crate::node::{Node, run_next, run_program};
use crate::postgres::{Disk, Postgres};
use crate::wiring::{Wires, Wiring};

/// Clusters at once. Servers that get no processor for two seconds are taken for dead by others, and that is not what is tried here.
static ROOM: Semaphore = Semaphore::const_new(2);

/// How servers hear of each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hints {
    /// They look at the logs several times a second.
    None,
    /// NATS tells them.
    Nats,
}

/// Settings of servers, as variables of the environment.
pub(crate) type Settings = &'static [(&'static str, &'static str)];

/// What a cluster is to be like.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'a> {
    pub(crate) hints: Hints,
    /// What the files of the database are on.
    pub(crate) disk: Disk,
    pub(crate) wires: Wires,
    pub(crate) settings: Settings,
    /// The program that makes the tables and that the servers run at first, if it is not this one.
    pub(crate) program: Option<&'a str>,
}

impl Plan<'_> {
    /// The usual one.
    pub(crate) const USUAL: Self = Self {
        hints: Hints::Nats,
        disk: Disk::Shared,
        wires: Wires::Proxies,
        settings: &[],
        program: None,
    };
}

/// A cluster. What it has made goes with it.
pub(crate) struct Cluster {
    pub(crate) nodes: Vec<Node>,
    /// From each node to the database.
    pub(crate) to_database: Vec<Cable>,
    /// From each node to the bus.
    pub(crate) to_bus: Vec<Cable>,
    /// From clients to each node. Nodes are reached without them, too, unless they have namespaces of their own.
    pub(crate) to_nodes: Vec<Cable>,
    pub(crate) nats: Option<Nats>,
    pub(crate) postgres: Postgres,
    wiring: Wiring,
    directory: TempDir,
    /// Given back last.
    _room: SemaphorePermit<'static>,
}

impl Cluster {
    /// Starts so many servers.
    pub(crate) async fn start(count: usize, hints: Hints) -> Self {
        Self::start_with(count, hints, &[]).await
    }

    /// The same with these settings, as variables of the environment.
    pub(crate) async fn start_with(count: usize, hints: Hints, settings: Settings) -> Self {
        let plan = Plan {
            hints,
            settings,
            ..Plan::USUAL
        };
        Self::start_as(count, plan).await
    }

    /// The same by a plan.
    pub(crate) async fn start_as(count: usize, plan: Plan<'_>) -> Self {
        let room = ROOM.acquire().await.expect("it is never closed");
        let directory = tempfile::Builder::new().prefix("grundy-cluster-").tempdir();
        let directory = directory.expect("a directory");
        let wiring = Wiring::new(plan.wires, count);
        let postgres = Postgres::start(plan.disk, wiring.hub()).await;
        let migrate = ["migrate", "--database", &postgres.url_of_owner()];
        let migrated = run_program(plan.program, &migrate).await;
        assert!(migrated.status.success(), "{migrated:?}");
        postgres.grant().await;
        let nats = match plan.hints {
            Hints::None => None,
            Hints::Nats => Some(Nats::start(wiring.hub().map(|(address, _)| address)).await),
        };
        let mut cluster = Self {
            nodes: Vec::new(),
            to_database: Vec::new(),
            to_bus: Vec::new(),
            to_nodes: Vec::new(),
            nats,
            postgres,
            wiring,
            directory,
            _room: room,
        };
        for number in 0..count {
            cluster.add_node(number).await;
            cluster.nodes[number].set(plan.settings);
            cluster.nodes[number].become_program(plan.program);
        }
        join_all(cluster.nodes.iter_mut().map(Node::start)).await;
        cluster
    }

    async fn add_node(&mut self, number: usize) {
        let wiring = &self.wiring;
        let to_database = wiring.cable_from(number, self.postgres.port()).await;
        let mut flags = vec![
            "--database".to_owned(),
            Postgres::url_at(to_database.address()),
        ];
        if let Some(nats) = &self.nats {
            let to_bus = wiring.cable_from(number, nats.port()).await;
            let url = format!("nats://{}", to_bus.address());
            flags.extend(["--bus".to_owned(), url]);
            self.to_bus.push(to_bus);
        }
        self.to_database.push(to_database);
        let mut node = Node::new(self.directory.path(), &format!("n{number}"), flags);
        let to_node = wiring.cable_to(number, node.port()).await;
        if let Some(entrance) = wiring.entrance(number) {
            node.place(entrance, to_node.address());
        }
        self.to_nodes.push(to_node);
        self.nodes.push(node);
    }

    /// How many transactions the database has finished, as far as it has counted them.
    pub(crate) async fn transactions(&self) -> i64 {
        let question = "SELECT ARRAY[xact_commit + xact_rollback] FROM pg_stat_database WHERE datname = 'grundy'";
        self.postgres.numbers(question).await[0]
    }

    /// Migrates the tables to those of this version of the program.
    pub(crate) async fn migrate(&self) {
        let migrate = ["migrate", "--database", &self.postgres.url_of_owner()];
        let migrated = run_program(None, &migrate).await;
        assert!(migrated.status.success(), "{migrated:?}");
        self.postgres.grant().await;
    }

    /// Migrates the tables to those of the next version of the program.
    pub(crate) async fn migrate_to_next(&self) {
        let migrated = run_next(&["migrate", "--database", &self.postgres.url_of_owner()]).await;
        assert!(migrated.status.success(), "{migrated:?}");
    }

    /// A further node, which is down.
    pub(crate) fn further(&self, name: &str) -> Node {
        let url = Postgres::url_by(self.postgres.port());
        let flags = vec!["--database".to_owned(), url];
        Node::new(self.directory.path(), name, flags)
    }

    /// A further node, which is down, with the name of another.
    pub(crate) fn twin(&self, number: usize) -> Node {
        let url = Postgres::url_by(self.postgres.port());
        let directory: PathBuf = self.directory.path().join("twin");
        std::fs::create_dir(&directory).expect("a directory");
        let flags = vec!["--database".to_owned(), url];
        Node::new(&directory, &format!("n{number}"), flags)
    }

    /// Where files of a test may be.
    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Keeps the logs of the servers, and whatever else is there, for a person to look at; says where.
    pub(crate) fn keep(&mut self) -> &Path {
        self.directory.disable_cleanup(true);
        self.directory.path()
    }
}
