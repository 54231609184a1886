//! A PostgreSQL of the tests that can be restarted and killed: in a temporary directory that goes with it, also when the tests are killed.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection};

use crate::port::free_port;

/// Makes a cluster, says where, and obeys orders until its input ends. Flushes stay on: what is tried is what servers ask for.
const SCRIPT: &str = r#"
trap '' INT TERM
umask 077
dir=$(mktemp -d) && cd "$dir" || exit 1
initdb --pgdata=data --username=owner --auth=trust --encoding=UTF8 --locale=C --no-sync >initdb.log 2>&1 || { cat initdb.log >&2; exit 1; }
cat >>data/postgresql.conf <<END
listen_addresses = '127.0.0.1'
port = $PORT
unix_socket_directories = '$dir'
max_connections = 100
shared_buffers = 64MB
log_statement = 'none'
END
start() { pg_ctl --pgdata=data --log=server.log --wait start >start.log 2>&1; }
start || { cat start.log server.log >&2; exit 1; }
echo "$dir"
while read -r order; do
    case $order in
        fast | immediate) pg_ctl --pgdata=data --log=server.log --mode="$order" --wait restart >restart.log 2>&1 ;;
        kill)
            kill -9 "$(head -n 1 data/postmaster.pid)"
            # Its children end when they see it, and hold its memory until then.
            until start; do sleep 0.1; done
            ;;
    esac
    echo done
done
pg_ctl --pgdata=data --mode=immediate stop >stop.log 2>&1
cd / && rm -rf "$dir"
"#;

/// Where Debian has the programs of PostgreSQL 15; elsewhere they have to be found by PATH.
const PROGRAMS: &str = "/usr/lib/postgresql/15/bin";
/// The role of servers, with the least rights.
const ROLE: &str = "grundy_server";
/// The database of servers.
const DATABASE: &str = "grundy";

/// How PostgreSQL is restarted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Restart {
    /// It ends its connections and writes everything where it stays.
    Fast,
    /// It stops without that.
    Immediate,
    /// It is killed.
    Kill,
}

/// A running PostgreSQL.
pub(crate) struct Postgres {
    port: u16,
    script: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Postgres {
    /// Starts one, with the role and the empty database of servers.
    pub(crate) async fn start() -> Self {
        let port = free_port();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut script = as_somebody()
            .args(["-c", SCRIPT])
            .env("PATH", format!("{PROGRAMS}:{path}"))
            .env("HOME", "/nonexistent")
            .env("PORT", port.to_string())
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("sh and setpriv can be started");
        let orders = script.stdin.take();
        let mut answers = BufReader::new(script.stdout.take().expect("it is piped"));
        let mut directory = String::new();
        answers.read_line(&mut directory).expect("it is UTF-8");
        assert!(
            !directory.trim().is_empty(),
            "PostgreSQL 15 could not be started: these tests need initdb and pg_ctl; install Debian's package postgresql"
        );
        let postgres = Self {
            port,
            script,
            orders,
            answers,
        };
        for statement in [
            format!("CREATE ROLE {ROLE} LOGIN"),
            format!("CREATE DATABASE {DATABASE} TEMPLATE template0"),
        ] {
            postgres.run("postgres", &statement).await;
        }
        postgres
    }

    /// The port of 127.0.0.1 where it listens.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The address for the owner of the tables.
    pub(crate) fn url_of_owner(&self) -> String {
        format!("postgres://owner@127.0.0.1:{}/{DATABASE}", self.port)
    }

    /// The address for a server that connects to this port.
    pub(crate) fn url_by(port: u16) -> String {
        format!("postgres://{ROLE}@127.0.0.1:{port}/{DATABASE}?sslmode=disable")
    }

    /// Gives the role of servers its rights.
    pub(crate) async fn grant(&self) {
        let grants = include_str!("../../../migrations/postgres/grants.sql");
        self.run(DATABASE, grants).await;
    }

    async fn run(&self, database: &str, statements: &str) {
        let url = format!("postgres://owner@127.0.0.1:{}/{database}", self.port);
        let connected = PgConnection::connect(&url).await;
        let mut connection = connected.expect("the owner may connect");
        let statements = AssertSqlSafe(statements.to_owned());
        let done = sqlx::raw_sql(statements).execute(&mut connection).await;
        done.expect("the statements are good");
        // What it has done is committed.
        let _ = connection.close().await;
    }

    /// Restarts it, and waits until it answers again.
    pub(crate) fn restart(&mut self, how: Restart) {
        let order = match how {
            Restart::Fast => "fast",
            Restart::Immediate => "immediate",
            Restart::Kill => "kill",
        };
        let orders = self.orders.as_mut().expect("it takes orders to its end");
        writeln!(orders, "{order}").expect("it takes orders");
        let mut answer = String::new();
        let read = self.answers.read_line(&mut answer);
        assert!(
            read.is_ok() && answer == "done\n",
            "PostgreSQL was not restarted: {answer}"
        );
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        drop(self.orders.take());
        // It has removed its directory then.
        let _ = self.script.wait();
    }
}

/// A shell. PostgreSQL refuses to run as root.
fn as_somebody() -> Command {
    let user = Command::new("id").arg("-u").output();
    if !user.is_ok_and(|user| user.stdout == b"0\n") {
        return Command::new("sh");
    }
    let mut command = Command::new("setpriv");
    command.args([
        "--reuid=postgres",
        "--regid=postgres",
        "--clear-groups",
        "sh",
    ]);
    command
}
