//! A PostgreSQL of the tests that can be restarted and killed: in a temporary directory that goes with it, also when the tests are killed.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection};
use tempfile::TempDir;

use crate::port::free_port;

/// Makes a cluster, says where, and obeys orders until its input ends. Flushes stay on: what is tried is what servers ask for.
const SCRIPT: &str = r#"
trap '' INT TERM
umask 077
dir=${DISK:-$(mktemp -d)} && cd "$dir" || exit 1
initdb --pgdata=data --username=owner --auth=trust --encoding=UTF8 --locale=C --no-sync >initdb.log 2>&1 || { cat initdb.log >&2; exit 1; }
cat >>data/postgresql.conf <<END
listen_addresses = '127.0.0.1${HUB:+,$HUB}'
port = $PORT
unix_socket_directories = '$dir'
max_connections = 100
shared_buffers = 64MB
log_statement = 'none'
$SETTINGS
END
[ -z "$RANGE" ] || echo "host all all $RANGE trust" >>data/pg_hba.conf
data=data
start() { pg_ctl --pgdata=$data --log=server.log --wait start >start.log 2>&1; }
# It may take a while until those that were killed are gone.
start_at_last() { for _ in $(seq 200); do start && return; sleep 0.1; done; cat start.log; }
# Its children end when they see it, and hold its memory until then.
kill_it() { kill -9 "$(head -n 1 $data/postmaster.pid)"; }
start || { cat start.log server.log >&2; exit 1; }
echo "$dir"
while read -r order; do
    case $order in
        fast | immediate) pg_ctl --pgdata=$data --log=server.log --mode="$order" --wait restart >restart.log 2>&1 ;;
        kill)
            kill_it
            start_at_last
            ;;
        copy) pg_basebackup --pgdata=standby --host=127.0.0.1 --port="$PORT" --username=owner --write-recovery-conf --checkpoint=fast >copy.log 2>&1 || cat copy.log >&2 ;;
        fail_over)
            kill_it
            data=standby
            : >standby/postgresql.auto.conf
            start_at_last
            pg_ctl --pgdata=standby --wait promote >promote.log 2>&1 || cat promote.log >&2
            ;;
        # All that is left of its disk.
        fill) dd if=/dev/zero of=filler bs=64k >/dev/null 2>&1 ;;
        free)
            rm -f filler
            # Without room for its log it stops.
            pg_ctl --pgdata=$data status >/dev/null 2>&1 || start_at_last
            ;;
    esac
    echo done
done
pg_ctl --pgdata=$data --mode=immediate stop >stop.log 2>&1
cd / && [ -n "$DISK" ] || rm -rf "$dir"
"#;

/// Where Debian has the programs of PostgreSQL 15; elsewhere they have to be found by PATH.
const PROGRAMS: &str = "/usr/lib/postgresql/15/bin";
/// The role of servers, with the least rights.
pub(crate) const ROLE: &str = "grundy_server";
/// The database of servers.
pub(crate) const DATABASE: &str = "grundy";

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
    /// A disk of its own.
    disk: Option<TempDir>,
}

/// What its files are on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Disk {
    /// The disk of the machine.
    Shared,
    /// One of its own with so many MiB, which can be filled.
    Own(usize),
}

impl Postgres {
    /// Starts one, with the role and the empty database of servers. On the disk of the machine, where nobody may mount another one. It can be given one more
    /// address to listen on, with the range of those who may come there.
    pub(crate) async fn start(disk: Disk, hub: Option<(Ipv4Addr, String)>) -> Self {
        let port = free_port();
        let (hub, range) =
            hub.map_or_else(Default::default, |(hub, range)| (hub.to_string(), range));
        let path = std::env::var("PATH").unwrap_or_default();
        let disk = match disk {
            Disk::Own(mib) if may_mount() => Some((TempDir::new().expect("a directory"), mib)),
            _ => None,
        };
        let (mut script, settings) = match &disk {
            Some((disk, mib)) => (
                on_a_disk_at(disk.path(), *mib),
                "max_wal_size = 48MB\nmin_wal_size = 32MB",
            ),
            None => (as_somebody(), ""),
        };
        let mut script = script
            .args(["-c", SCRIPT])
            .env("PATH", format!("{PROGRAMS}:{path}"))
            .env("HOME", "/nonexistent")
            .env("PORT", port.to_string())
            .env("SETTINGS", settings)
            .env("HUB", hub)
            .env("RANGE", range)
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
            disk: disk.map(|(disk, _)| disk),
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
        Self::url_at((Ipv4Addr::LOCALHOST, port).into())
    }

    /// The address for a server that connects to this place.
    pub(crate) fn url_at(place: SocketAddr) -> String {
        format!("postgres://{ROLE}@{place}/{DATABASE}?sslmode=disable")
    }

    /// Gives the role of servers its rights.
    pub(crate) async fn grant(&self) {
        let grants = include_str!("../../../migrations/postgres/grants.sql");
        self.run(DATABASE, grants).await;
    }

    /// The numbers in the one array that this finds, of the database of servers.
    pub(crate) async fn numbers(&self, query: &str) -> Vec<i64> {
        let mut connection = self.connect(DATABASE).await;
        let found: Option<Vec<i64>> = sqlx::query_scalar(AssertSqlSafe(query.to_owned()))
            .fetch_one(&mut connection)
            .await
            .expect("the query is good");
        // Nothing was changed.
        let _ = connection.close().await;
        found.unwrap_or_default()
    }

    /// A connection of the owner.
    pub(crate) async fn connect(&self, database: &str) -> PgConnection {
        let url = format!("postgres://owner@127.0.0.1:{}/{database}", self.port);
        let connected = PgConnection::connect(&url).await;
        connected.expect("the owner may connect")
    }

    /// Does this as the owner.
    pub(crate) async fn run(&self, database: &str, statements: &str) {
        let mut connection = self.connect(database).await;
        let statements = AssertSqlSafe(statements.to_owned());
        let done = sqlx::raw_sql(statements).execute(&mut connection).await;
        done.expect("the statements are good");
        // What it has done is committed.
        let _ = connection.close().await;
    }

    /// Restarts it, and waits until it answers again.
    pub(crate) fn restart(&mut self, how: Restart) {
        self.order(match how {
            Restart::Fast => "fast",
            Restart::Immediate => "immediate",
            Restart::Kill => "kill",
        });
    }

    /// Copies it as it is now.
    pub(crate) fn copy(&mut self) {
        self.order("copy");
    }

    /// Kills it, and promotes the copy, which has heard of nothing since it was made, to take its place.
    pub(crate) fn fail_over(&mut self) {
        self.order("fail_over");
    }

    /// Takes all connections, also those of this role, until what is returned is dropped.
    pub(crate) async fn take_all_connections(&self, role: &str) -> Vec<PgConnection> {
        let url = format!("postgres://owner@127.0.0.1:{}/{DATABASE}", self.port);
        let mut taken = vec![self.connect(DATABASE).await];
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1";
        let ended = sqlx::query(end).bind(role).execute(&mut taken[0]).await;
        ended.expect("the owner may end sessions");
        while let Ok(connection) = PgConnection::connect(&url).await {
            taken.push(connection);
        }
        taken
    }

    /// Locks rows that every commit needs, until what is returned is dropped.
    pub(crate) async fn hold_rows(&self) -> PgConnection {
        self.hold(
            "SELECT one FROM grundy.tally FOR UPDATE; SELECT number FROM grundy.stream FOR UPDATE",
        )
        .await
    }

    /// Does this in a transaction that does not end until what is returned is dropped.
    pub(crate) async fn hold(&self, statements: &str) -> PgConnection {
        let mut holder = self.connect(DATABASE).await;
        let statements = AssertSqlSafe(format!("BEGIN; {statements}"));
        let held = sqlx::raw_sql(statements).execute(&mut holder).await;
        held.expect("the owner may lock what is there");
        holder
    }

    /// Whether it has a disk of its own.
    pub(crate) fn can_be_filled(&self) -> bool {
        self.disk.is_some()
    }

    /// Fills its disk.
    pub(crate) fn fill(&mut self) {
        assert!(self.disk.is_some(), "its disk is that of the machine");
        self.order("fill");
    }

    /// Makes room on its disk again.
    pub(crate) fn free(&mut self) {
        self.order("free");
    }

    fn order(&mut self, order: &str) {
        let orders = self.orders.as_mut().expect("it takes orders to its end");
        writeln!(orders, "{order}").expect("it takes orders");
        let mut answer = String::new();
        let read = self.answers.read_line(&mut answer);
        assert!(
            read.is_ok() && answer == "done\n",
            "PostgreSQL did not do it: {order}: {answer}"
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
    if !is_root() {
        return Command::new("sh");
    }
    let mut command = Command::new("setpriv");
    command.args(SOMEBODY);
    command.arg("sh");
    command
}

/// Another user than root.
const SOMEBODY: [&str; 3] = ["--reuid=postgres", "--regid=postgres", "--clear-groups"];

fn is_root() -> bool {
    let user = Command::new("id").arg("-u").output();
    user.is_ok_and(|user| user.stdout == b"0\n")
}

/// Whether disks can be mounted that nobody else sees.
fn may_mount() -> bool {
    let mounted = Command::new("unshare")
        .args(["--mount", "mount", "-t", "tmpfs", "none", "/mnt"])
        .output();
    is_root() && mounted.is_ok_and(|mounted| mounted.status.success())
}

/// A shell with a disk of its own at this place.
fn on_a_disk_at(place: &Path, mib: usize) -> Command {
    const MOUNT: &str =
        "mount -t tmpfs -o size=${MIB}m,mode=0777 none \"$DISK\" && exec setpriv \"$@\"";
    let mut command = Command::new("unshare");
    command.env("DISK", place).env("MIB", mib.to_string());
    command.args(["--mount", "sh", "-c", MOUNT, "sh"]);
    command.args(SOMEBODY);
    command.arg("sh");
    command
}
