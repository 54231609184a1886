//! Several servers over one PostgreSQL and one NATS, with ways between them that can be cut.

use std::path::{Path, PathBuf};

use futures::future::join_all;
use tempfile::TempDir;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::nats::Nats;
use crate::node::{Node, run, run_next};
use crate::postgres::{Disk, Postgres};
use crate::proxy::Proxy;

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

/// A cluster. What it has made goes with it.
pub(crate) struct Cluster {
    pub(crate) nodes: Vec<Node>,
    /// From each node to the database.
    pub(crate) to_database: Vec<Proxy>,
    /// From each node to the bus.
    pub(crate) to_bus: Vec<Proxy>,
    pub(crate) nats: Option<Nats>,
    pub(crate) postgres: Postgres,
    directory: TempDir,
    /// Given back last.
    _room: SemaphorePermit<'static>,
}

impl Cluster {
    /// Starts so many servers.
    pub(crate) async fn start(count: usize, hints: Hints) -> Self {
        Self::start_as(count, hints, Disk::Shared, &[]).await
    }

    /// The same with these settings, as variables of the environment.
    pub(crate) async fn start_with(count: usize, hints: Hints, settings: Settings) -> Self {
        Self::start_as(count, hints, Disk::Shared, settings).await
    }

    /// The same, with the files of the database on this disk.
    pub(crate) async fn start_on(count: usize, hints: Hints, disk: Disk) -> Self {
        Self::start_as(count, hints, disk, &[]).await
    }

    async fn start_as(count: usize, hints: Hints, disk: Disk, settings: Settings) -> Self {
        let room = ROOM.acquire().await.expect("it is never closed");
        let directory = tempfile::Builder::new().prefix("grundy-cluster-").tempdir();
        let directory = directory.expect("a directory");
        let postgres = Postgres::start(disk).await;
        let migrated = run(&["migrate", "--database", &postgres.url_of_owner()]).await;
        assert!(migrated.status.success(), "{migrated:?}");
        postgres.grant().await;
        let nats = match hints {
            Hints::None => None,
            Hints::Nats => Some(Nats::start().await),
        };
        let mut cluster = Self {
            nodes: Vec::new(),
            to_database: Vec::new(),
            to_bus: Vec::new(),
            nats,
            postgres,
            directory,
            _room: room,
        };
        for number in 0..count {
            cluster.add_node(&format!("n{number}")).await;
            cluster.nodes[number].set(settings);
        }
        join_all(cluster.nodes.iter_mut().map(Node::start)).await;
        cluster
    }

    async fn add_node(&mut self, name: &str) {
        let to_database = Proxy::before(self.postgres.port()).await;
        let mut flags = vec![
            "--database".to_owned(),
            Postgres::url_by(to_database.port()),
        ];
        if let Some(nats) = &self.nats {
            let to_bus = Proxy::before(nats.port()).await;
            let url = format!("nats://127.0.0.1:{}", to_bus.port());
            flags.extend(["--bus".to_owned(), url]);
            self.to_bus.push(to_bus);
        }
        self.to_database.push(to_database);
        self.nodes
            .push(Node::new(self.directory.path(), name, flags));
    }

    /// How many transactions the database has finished, as far as it has counted them.
    pub(crate) async fn transactions(&self) -> i64 {
        let question = "SELECT ARRAY[xact_commit + xact_rollback] FROM pg_stat_database WHERE datname = 'grundy'";
        self.postgres.numbers(question).await[0]
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
