//! A PostgreSQL with as many databases as a test needs.

use crate::moving::run;
use crate::postgres::{Disk, Postgres};

/// The server, and how many databases were made.
pub(super) struct Databases {
    postgres: Postgres,
    made: u32,
}

impl Databases {
    pub(super) async fn start() -> Self {
        Self {
            postgres: Postgres::start(Disk::Shared, None).await,
            made: 0,
        }
    }

    /// A database without tables; its address for the role that may make them.
    pub(super) async fn bare(&mut self) -> String {
        self.made += 1;
        let name = format!("d{}", self.made);
        let create = format!("CREATE DATABASE {name} TEMPLATE template0");
        self.postgres.run("postgres", &create).await;
        let port = self.postgres.port();
        format!("postgres://owner@127.0.0.1:{port}/{name}")
    }

    /// A database with tables and without records; its address for the role of servers.
    pub(super) async fn empty(&mut self) -> String {
        let owner = self.bare().await;
        let migrated = run(&["migrate", "--database", &owner]);
        assert!(migrated.status.success(), "{migrated:?}");
        let grants = include_str!("../../../../migrations/postgres/grants.sql");
        self.sql(&owner, grants).await;
        owner.replace("owner@", "grundy_server@")
    }

    /// Runs statements in a database as the owner.
    pub(super) async fn sql(&self, address: &str, statements: &str) {
        let (_, name) = address.rsplit_once('/').expect("it names a database");
        self.postgres.run(name, statements).await;
    }
}
