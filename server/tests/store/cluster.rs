//! A PostgreSQL of the tests: one cluster for all tests of a process, in a temporary directory that goes with it, and a database for each test.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use grundy_server::store::postgres::{Address, PostgresStore};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection};

/// Makes a cluster, says where, and removes it when its input ends: also when the tests are killed. Flushes stay on: what is tried is what servers ask for.
const SCRIPT: &str = r#"
trap '' INT TERM
umask 077
dir=$(mktemp -d) && cd "$dir" || exit 1
initdb --pgdata=data --username=owner --auth=trust --encoding=UTF8 --locale=C --no-sync >initdb.log 2>&1 || { cat initdb.log >&2; exit 1; }
cat >>data/postgresql.conf <<END
listen_addresses = ''
unix_socket_directories = '$dir'
max_connections = 400
shared_buffers = 64MB
log_statement = 'none'
END
[ "$1" = standby ] && touch data/standby.signal
pg_ctl --pgdata=data --log=server.log --wait start >start.log 2>&1 || { cat start.log server.log >&2; exit 1; }
echo "$dir"
cat >/dev/null
pg_ctl --pgdata=data --mode=immediate stop >stop.log 2>&1
cd / && rm -rf "$dir"
"#;

/// Where Debian has the programs of PostgreSQL 15; elsewhere they have to be found by PATH.
const PROGRAMS: &str = "/usr/lib/postgresql/15/bin";

/// A running cluster. Its script ends when this process does.
#[derive(Debug)]
pub(crate) struct Cluster {
    directory: String,
    script: Child,
}

impl Cluster {
    /// Starts one.
    pub(crate) fn start() -> Self {
        Self::start_as("primary")
    }

    /// Starts one that waits for a primary, and lets clients read meanwhile.
    pub(crate) fn start_standby() -> Self {
        Self::start_as("standby")
    }

    fn start_as(kind: &str) -> Self {
        let is_root = std::env::var("USER").as_deref() == Ok("root")
            || Command::new("id")
                .arg("-u")
                .output()
                .is_ok_and(|id| id.stdout == b"0\n");
        // PostgreSQL refuses to run as root.
        let mut command = match is_root {
            true => {
                let mut command = Command::new("setpriv");
                command.args([
                    "--reuid=postgres",
                    "--regid=postgres",
                    "--clear-groups",
                    "sh",
                ]);
                command
            }
            false => Command::new("sh"),
        };
        let path = std::env::var("PATH").unwrap_or_default();
        let mut script = command
            .args(["-c", SCRIPT, "cluster", kind])
            .env("PATH", format!("{PROGRAMS}:{path}"))
            .env("HOME", "/nonexistent")
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("sh and setpriv can be started");
        let mut directory = String::new();
        let output = script.stdout.take().expect("it is piped");
        BufReader::new(output)
            .read_line(&mut directory)
            .expect("it is UTF-8");
        let directory = directory.trim().to_owned();
        assert!(
            !directory.is_empty(),
            "PostgreSQL 15 could not be started: these tests need initdb and pg_ctl; install Debian's package postgresql"
        );
        Self { directory, script }
    }

    /// The directory with the socket.
    pub(crate) fn directory(&self) -> &str {
        &self.directory
    }

    /// The address of a database for a role.
    pub(crate) fn address(&self, role: &str, database: &str) -> Address {
        let directory = &self.directory;
        Address::read(&format!(
            "postgres://{role}@localhost/{database}?host={directory}"
        ))
        .unwrap()
    }

    /// A connection as the owner of the cluster.
    pub(crate) async fn connect(&self, database: &str) -> PgConnection {
        let directory = &self.directory;
        let url = format!("postgres://owner@localhost/{database}?host={directory}");
        PgConnection::connect(&url).await.unwrap()
    }

    /// Runs statements as the owner of the cluster.
    pub(crate) async fn run(&self, database: &str, statements: &str) {
        let mut connection = self.connect(database).await;
        let statements = AssertSqlSafe(statements.to_owned());
        sqlx::raw_sql(statements)
            .execute(&mut connection)
            .await
            .unwrap();
        connection.close().await.unwrap();
    }

    /// Makes a database by copying another; its name.
    pub(crate) async fn make_database(&self, template: &str) -> String {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}", MADE.fetch_add(1, Ordering::Relaxed));
        self.run(
            "postgres",
            &format!("CREATE DATABASE {name} TEMPLATE {template}"),
        )
        .await;
        name
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.script.stdin.take());
        // It has removed its directory then.
        let _ = self.script.wait();
    }
}

/// The cluster of this process, with the role of servers.
pub(crate) async fn shared() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    static READY: tokio::sync::OnceCell<()> = tokio::sync::OnceCell::const_new();
    let cluster = CLUSTER.get_or_init(Cluster::start);
    READY
        .get_or_init(|| async {
            for statement in [
                "CREATE ROLE grundy_server LOGIN",
                "CREATE DATABASE grundy_template TEMPLATE template0",
            ] {
                cluster.run("postgres", statement).await;
            }
            let address = cluster.address("owner", "grundy_template");
            PostgresStore::migrate(&address).await.unwrap();
            let grants = include_str!("../../../migrations/postgres/grants.sql");
            cluster.run("grundy_template", grants).await;
        })
        .await;
    cluster
}

/// A database of a test with the tables of the store.
#[derive(Clone, Debug)]
pub(crate) struct Database {
    pub(crate) cluster: &'static Cluster,
    pub(crate) name: String,
}

impl Database {
    /// An empty store.
    pub(crate) async fn new() -> Self {
        let cluster = shared().await;
        let name = cluster.make_database("grundy_template").await;
        Self { cluster, name }
    }

    /// Where servers find it, with least rights.
    pub(crate) fn address(&self) -> Address {
        self.cluster.address("grundy_server", &self.name)
    }

    /// Removes it, when many are made.
    pub(crate) async fn remove(self) {
        let statement = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        self.cluster.run("postgres", &statement).await;
    }

    /// A store on it.
    pub(crate) async fn store(&self) -> PostgresStore {
        PostgresStore::open(self.address()).await.unwrap()
    }

    /// A connection as the owner.
    pub(crate) async fn connect(&self) -> PgConnection {
        self.cluster.connect(&self.name).await
    }
}

/// An empty store with a database of its own.
pub(crate) async fn new_store() -> PostgresStore {
    Database::new().await.store().await
}
