//! A PostgreSQL of the tests: one cluster for all tests of a process, in a temporary directory that goes with it, and a database for each test.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
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
if [ "$1" = encrypted ]; then
    printf '%s' "$CERTIFICATE" >server.crt
    printf '%s' "$KEY" >server.key
    cat >>data/postgresql.conf <<END
listen_addresses = 'localhost'
port = $PORT
ssl = on
ssl_cert_file = '$dir/server.crt'
ssl_key_file = '$dir/server.key'
END
    printf 'local all all trust\nhostssl all all localhost scram-sha-256\n' >data/pg_hba.conf
fi
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
    port: u16,
    script: Child,
}

impl Cluster {
    /// Starts one.
    pub(crate) fn start() -> Self {
        Self::start_as("primary", 5432, &[])
    }

    /// Starts one that waits for a primary, and lets clients read meanwhile.
    pub(crate) fn start_standby() -> Self {
        Self::start_as("standby", 5432, &[])
    }

    /// Starts one that listens on a port of localhost, and lets clients in there with encryption and a password only.
    pub(crate) fn start_encrypted(certificate: &str, key: &str) -> Self {
        let free = TcpListener::bind("localhost:0").and_then(|free| free.local_addr());
        let port = free.expect("a free port").port();
        let environment = [("CERTIFICATE", certificate), ("KEY", key)];
        Self::start_as("encrypted", port, &environment)
    }

    fn start_as(kind: &str, port: u16, environment: &[(&str, &str)]) -> Self {
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
            .env("PORT", port.to_string())
            .envs(environment.iter().copied())
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
        Self {
            directory,
            port,
            script,
        }
    }

    /// The directory with the socket.
    pub(crate) fn directory(&self) -> &str {
        &self.directory
    }

    /// The port where it listens on localhost, if it is encrypted.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The address of a database for a role.
    pub(crate) fn address(&self, role: &str, database: &str) -> Address {
        Address::read(&self.url(role, database)).unwrap()
    }

    fn url(&self, role: &str, database: &str) -> String {
        let Self {
            directory, port, ..
        } = self;
        format!("postgres://{role}@localhost:{port}/{database}?host={directory}")
    }

    /// A connection as the owner of the cluster.
    pub(crate) async fn connect(&self, database: &str) -> PgConnection {
        PgConnection::connect(&self.url("owner", database))
            .await
            .unwrap()
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

    /// Makes the role of servers, and the database `grundy_template` with the tables of the store.
    pub(crate) async fn make_template(&self) {
        for statement in [
            "CREATE ROLE grundy_server LOGIN PASSWORD 's3cret'",
            "CREATE DATABASE grundy_template TEMPLATE template0",
        ] {
            self.run("postgres", statement).await;
        }
        let address = self.address("owner", "grundy_template");
        PostgresStore::migrate(&address, None, &mut |_| ())
            .await
            .unwrap();
        let grants = include_str!("../../../migrations/postgres/grants.sql");
        self.run("grundy_template", grants).await;
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
            cluster.make_template().await;
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
