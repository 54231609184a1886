//! The program as an operator meets it: its lines, its exit codes, its signals. Every test runs the real binary.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

use grundy_server::data::location;
use grundy_server::exit::Exit;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// Nothing that a test waits for takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program with these arguments, away from this machine's own settings and data.
fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy-server"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GRUNDYD_") {
            command.env_remove(name);
        }
    }
    command.env_remove("CARGO_MANIFEST_DIR").args(arguments);
    command
}

fn directory() -> TempDir {
    tempfile::tempdir().expect("a directory")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// A server on a free port; killed when dropped.
struct Running {
    child: Child,
    stdout: BufReader<ChildStdout>,
    address: String,
}

impl Running {
    fn start(mut command: Command) -> Self {
        Self::start_with(&mut command, Stdio::piped())
    }

    fn start_with(command: &mut Command, stderr: Stdio) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .expect("the server starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let mut first = String::new();
        stdout.read_line(&mut first).expect("a first line");
        let address = first.trim_end().strip_prefix("listening on http://");
        let address = address.unwrap_or_else(|| panic!("first line {first:?}"));
        Self {
            address: address.to_owned(),
            child,
            stdout,
        }
    }

    fn on(data: &Path) -> Self {
        Self::start(program(&["--listen", "127.0.0.1:0", "--data", text(data)]))
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("the server runs");
    }

    /// What it ends with, and what it said since the first line: on standard output, and on standard error.
    fn end(mut self) -> (Option<i32>, String, String) {
        let mut said = String::new();
        self.stdout.read_to_string(&mut said).expect("UTF-8");
        let mut logged = String::new();
        let stderr = self.child.stderr.as_mut().expect("piped");
        stderr.read_to_string(&mut logged).expect("UTF-8");
        let status = self.child.wait().expect("it ends");
        (status.code(), said, logged)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn output(command: &mut Command) -> Output {
    command.output().expect("the program starts")
}

/// Checks that the program does not start: the code, one line on standard error with all these parts, nothing on standard output.
fn check_refusal(command: &mut Command, exit: Exit, parts: &[&str]) {
    let output = output(command);
    let line = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(exit.code().into()), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    assert!(line.starts_with("grundy-server: "), "{line}");
    for part in parts {
        assert!(line.contains(part), "{part} in {line}");
    }
    assert!(output.stdout.is_empty(), "{output:?}");
}

#[test]
fn it_makes_its_directory_says_where_and_what_to_type_and_stops_cleanly() {
    let home = directory();
    let data = home.path().join("share/grundy-server");
    let mut command = program(&["--listen", "127.0.0.1:0"]);
    command.env("XDG_DATA_HOME", home.path().join("share"));
    let server = Running::start(command);
    assert!(location(&data).is_file());
    let address = server.address.clone();
    server.signal(Signal::TERM);
    let (code, said, logged) = server.end();
    assert_eq!(code, Some(0), "{logged}");
    assert!(
        said.contains(&format!("{} (new)", data.display())),
        "{said}"
    );
    let next = format!("grundy play nim:3,5,7 --server http://{address}\n");
    assert!(said.contains(&next), "{said}");
    // Not on a terminal, every log line is an object.
    for line in logged.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(
            line["level"].is_string() && line["message"].is_string(),
            "{line}"
        );
    }
    assert!(logged.contains("\"signal\":\"SIGTERM\""), "{logged}");
    let last = logged.lines().last().expect("it logs");
    assert!(last.contains("\"message\":\"stopped\""), "{logged}");
}

#[test]
fn who_began_with_cargo_is_told_to_go_on_with_cargo() {
    let home = directory();
    let mut command = program(&["--listen", "127.0.0.1:0", "--data", text(home.path())]);
    command.env("CARGO_MANIFEST_DIR", env!("CARGO_MANIFEST_DIR"));
    let server = Running::start(command);
    server.signal(Signal::TERM);
    let (_, said, _) = server.end();
    let next = "cargo run --release -p grundy-cli -- play nim:3,5,7 --server http://";
    assert!(said.contains(next), "{said}");
}

#[test]
fn control_c_stops_it_too() {
    let home = directory();
    let server = Running::on(home.path());
    server.signal(Signal::INT);
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn a_write_beyond_the_file_size_limit_does_not_kill_it() {
    let home = directory();
    let server = Running::on(home.path());
    server.signal(Signal::XFSZ);
    server.signal(Signal::TERM);
    assert_eq!(server.end().0, Some(0));
}

/// Checks that the server is ready. It calls itself unready when its store answers too slowly, as it may on a busy machine: then it is
/// asked again.
fn check_ready(server: &Running) {
    let since = Instant::now();
    loop {
        let health = output(&mut program(&["health", "--listen", &server.address]));
        if health.status.code() == Some(0) {
            assert_eq!(health.stdout, b"ready\n");
            return;
        }
        assert!(since.elapsed() < PATIENCE, "{health:?}");
    }
}

#[test]
fn nobody_reading_its_lines_is_no_reason_to_stop() {
    let home = directory();
    let mut server = Running::on(home.path());
    drop(server.child.stderr.take());
    check_ready(&server);
    server.signal(Signal::TERM);
    assert_eq!(server.child.wait().expect("it ends").code(), Some(0));
}

/// What `/metrics` of this server says of one metric.
fn metric(server: &Running, name: &str) -> f64 {
    let mut stream = TcpStream::connect(&server.address).expect("it listens");
    let request = format!(
        "GET /metrics HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        server.address
    );
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("UTF-8");
    let line = answer.lines().find_map(|line| line.strip_prefix(name));
    let line = line.unwrap_or_else(|| panic!("{name} in {answer}"));
    line.trim().parse().expect("a number")
}

/// A server whose log goes there; it must be ready all the same, and stop.
fn check_play_goes_on(stderr: Stdio, data: &Path) -> Running {
    let mut command = program(&["--listen", "127.0.0.1:0", "--data", text(data)]);
    let server = Running::start_with(&mut command, stderr);
    check_ready(&server);
    server
}

#[test]
fn log_lines_for_a_full_disk_are_counted_and_play_goes_on() {
    let home = directory();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let mut server = check_play_goes_on(full.expect("Linux has it").into(), home.path());
    assert!(metric(&server, "grundy_log_lines_dropped_total ") >= 1.0);
    assert_eq!(
        metric(&server, "grundy_process_pid "),
        f64::from(server.child.id())
    );
    server.signal(Signal::TERM);
    assert_eq!(server.child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_log_that_nobody_reads_stops_nothing_not_even_the_stop() {
    let home = directory();
    let (unread, mut stderr) = std::io::pipe().expect("a pipe");
    // As much as a pipe of Linux holds: the first log line waits for ever.
    stderr.write_all(&[b'.'; 65_536]).expect("it fits");
    let mut server = check_play_goes_on(stderr.into(), home.path());
    server.signal(Signal::TERM);
    assert_eq!(server.child.wait().expect("it ends").code(), Some(0));
    drop(unread);
}

#[test]
fn health_says_no_where_nobody_answers() {
    // Bound, so that nobody else takes the port, and nobody listens.
    let held = tokio::net::TcpSocket::new_v4().expect("a socket");
    held.bind(([127, 0, 0, 1], 0).into()).expect("a free port");
    let address = held.local_addr().expect("its address").to_string();
    let mut command = program(&["health", "--listen", &address]);
    check_refusal(&mut command, Exit::NotReady, &[&address, "no answer"]);
    let mut command = program(&["health", "--listen", "127.0.0.1:0"]);
    check_refusal(&mut command, Exit::Configuration, &["--listen"]);
}

#[test]
fn a_configuration_that_is_wrong_is_refused_with_its_place() {
    let home = directory();
    let file = home.path().join("grundy.toml");
    std::fs::write(&file, "# rates\n[limits]\nbrust = 5\n").expect("a file");
    let place = format!("{}:3:1: unknown key limits.brust", file.display());
    let mut command = program(&["--config", text(&file)]);
    check_refusal(
        &mut command,
        Exit::Configuration,
        &[&place, "did you mean limits.burst?"],
    );
    let mut command = program(&["--check-config"]);
    command.env("GRUNDYD_LIMITS__BURST", "0");
    let parts = ["GRUNDYD_LIMITS__BURST", "from 1 to 1000000"];
    check_refusal(&mut command, Exit::Configuration, &parts);
    for (flag, address, part) in [
        ("--database", "postgres://ann:p@s/s3cret@db/games", "%40"),
        (
            "--database",
            "postgres://ann:s3cret@db",
            "names no database",
        ),
        ("--bus", "nats://ann:p@s/s3cret@bus:4222", "%2F for /"),
    ] {
        let mut command = program(&["--check-config", flag, address]);
        if flag == "--bus" {
            command.args(["--database", "postgres://ann@db/games"]);
        }
        check_refusal(&mut command, Exit::Configuration, &[part]);
        let said = output(&mut command).stderr;
        assert!(!String::from_utf8_lossy(&said).contains("s3cret"));
    }
    let mut command = program(&[]);
    command.env("GRUNDYD_LISTN", "127.0.0.1:1");
    let parts = ["GRUNDYD_LISTN", "did you mean GRUNDYD_LISTEN?"];
    check_refusal(&mut command, Exit::Configuration, &parts);
    let mut command = program(&["--listen", "0.0.0.0:0"]);
    check_refusal(
        &mut command,
        Exit::Configuration,
        &["--listen", "--behind-proxy"],
    );
    // 192.0.2.0/24 is nobody's address, so it is not this machine's.
    let data = home.path().join("data");
    let mut command = program(&["--listen", "192.0.2.1:7310", "--behind-proxy"]);
    command.args(["--data", text(&data)]);
    check_refusal(
        &mut command,
        Exit::Configuration,
        &["192.0.2.1:7310", "--listen"],
    );
    let usage = output(&mut program(&["--lisen", "127.0.0.1:1"]));
    assert_eq!(usage.status.code(), Some(Exit::Configuration.code().into()));
}

#[test]
fn a_good_configuration_is_called_good_and_printed_so_that_it_reads_back() {
    let good = output(&mut program(&["--check-config"]));
    assert_eq!(good.status.code(), Some(0));
    let printed = output(&mut program(&["--print-config", "--profile", "load"]));
    let home = directory();
    let file = home.path().join("grundy.toml");
    std::fs::write(&file, &printed.stdout).expect("a file");
    let again = output(&mut program(&["--print-config", "--config", text(&file)]));
    let values = |output: &Output| -> Vec<String> {
        let text = String::from_utf8_lossy(&output.stdout);
        text.lines()
            .map(|line| line.split(" # ").next().unwrap_or("").trim_end().to_owned())
            .collect()
    };
    assert_eq!(values(&again), values(&printed));
}

#[test]
fn an_address_in_use_is_named() {
    let home = directory();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("its address").to_string();
    let mut command = program(&["--listen", &address, "--data", text(home.path())]);
    check_refusal(&mut command, Exit::InUse, &[&address, "--listen"]);
}

#[test]
fn a_database_in_use_is_named_with_its_holder() {
    let home = directory();
    let server = Running::on(home.path());
    let pid = format!("process {}", server.child.id());
    let mut command = program(&["--listen", "127.0.0.1:0", "--data", text(home.path())]);
    check_refusal(&mut command, Exit::InUse, &["grundy.db", &pid]);
    let mut command = program(&["fsck", "--data", text(home.path())]);
    check_refusal(&mut command, Exit::InUse, &["grundy.db", &pid]);
}

/// Changes a stopped server's database.
fn alter(data: &Path, statement: &'static str) {
    use sqlx::{Connection, SqliteConnection};
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(async {
        let url = format!("sqlite:{}", location(data).display());
        let mut connection = SqliteConnection::connect(&url).await.expect("it opens");
        sqlx::query(statement)
            .execute(&mut connection)
            .await
            .expect("it runs");
        connection.close().await.expect("it closes");
    });
}

/// A data directory with a database that a server has made and closed.
fn used_directory() -> TempDir {
    let home = directory();
    let server = Running::on(home.path());
    server.signal(Signal::TERM);
    assert_eq!(server.end().0, Some(0));
    home
}

#[test]
fn a_database_that_cannot_be_used_is_refused_and_left_alone() {
    let refuse = |data: &Path, parts: &[&str]| {
        let mut command = program(&["--listen", "127.0.0.1:0", "--data", text(data)]);
        check_refusal(&mut command, Exit::Store, parts);
    };
    let home = directory();
    let file = home.path().join("file");
    std::fs::write(&file, "a diary").expect("a file");
    refuse(&file, &[text(&file), "not a directory", "--data"]);
    refuse(&file.join("below"), &[text(&file), "--data"]);

    let diary = location(home.path());
    std::fs::write(&diary, "Dear diary, today I lost at Nim.\n".repeat(200)).expect("a file");
    refuse(
        home.path(),
        &["grundy.db", "not a Grundy database", "--data"],
    );
    assert!(
        std::fs::read_to_string(&diary)
            .expect("still text")
            .starts_with("Dear diary")
    );

    let foreign = used_directory();
    alter(foreign.path(), "PRAGMA application_id = 42");
    refuse(foreign.path(), &["grundy.db", "not a Grundy database"]);

    let directory_as_file = directory();
    std::fs::create_dir(location(directory_as_file.path())).expect("a directory");
    refuse(
        directory_as_file.path(),
        &["grundy.db", "it is a directory"],
    );
}

#[test]
fn fsck_says_sound_or_what_it_found() {
    let home = used_directory();
    let sound = output(&mut program(&["fsck", "--data", text(home.path())]));
    assert_eq!(sound.status.code(), Some(0), "{sound:?}");
    assert!(
        String::from_utf8_lossy(&sound.stdout).ends_with("sound\n"),
        "{sound:?}"
    );
    let json = output(&mut program(&[
        "fsck",
        "--json",
        "--data",
        text(home.path()),
    ]));
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(report["problems"], 0);
    let nothing = directory();
    let mut command = program(&["fsck", "--data", text(nothing.path())]);
    check_refusal(&mut command, Exit::Store, &["no such file"]);
}

#[test]
fn fsck_of_what_cannot_be_opened_sends_to_the_backup_and_not_to_itself() {
    let home = used_directory();
    let path = location(home.path());
    let whole = std::fs::read(&path).expect("a database");
    let mut no_database = whole.clone();
    no_database[..16].fill(b'x');
    for (damaged, parts) in [
        (&whole[..whole.len() / 2], ["damaged", "restore a backup"]),
        (&no_database, ["not a database", "restore a backup"]),
    ] {
        std::fs::write(&path, damaged).expect("a file");
        let ended = output(&mut program(&["fsck", "--data", text(home.path())]));
        assert_eq!(ended.status.code(), Some(3), "{ended:?}");
        let said = [ended.stdout, ended.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
        assert!(!said.contains("see grundy-server fsck"), "{said}");
    }
}

#[test]
fn an_address_in_use_is_refused_before_anything_is_made() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let home = directory();
    let data = home.path().join("data");
    let mut command = program(&["--listen", &address, "--data", text(&data)]);
    check_refusal(&mut command, Exit::InUse, &[&address, "in use"]);
    assert!(!data.exists());
}

#[test]
fn a_database_from_a_newer_program_is_refused_with_both_versions() {
    let home = used_directory();
    alter(
        home.path(),
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (9999, 'of tomorrow', TRUE, x'00', 0)",
    );
    let mut command = program(&["--listen", "127.0.0.1:0", "--data", text(home.path())]);
    check_refusal(
        &mut command,
        Exit::Store,
        &["schema 9999", "knows up to", "newer"],
    );
}

#[test]
fn a_directory_that_may_not_be_read_is_named() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let home = directory();
    let data = home.path().join("data");
    std::fs::create_dir(&data).expect("a directory");
    let closed = std::fs::Permissions::from_mode(0o000);
    std::fs::set_permissions(&data, closed).expect("it is ours");
    let mut command = program(&["--listen", "127.0.0.1:0", "--data", text(&data)]);
    if rustix::process::geteuid().is_root() {
        // Root may read everything; nobody may not.
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(home.path(), open).expect("it is ours");
        command.uid(65_534);
    }
    check_refusal(
        &mut command,
        Exit::Store,
        &[text(&data), "ermission denied", "--data"],
    );
}

#[test]
fn what_needs_the_file_of_a_database_says_so_on_postgresql() {
    let home = directory();
    let database = "postgres://ann:s3cret@127.0.0.1:1/games";
    let data = text(home.path());
    for (command, instead) in [
        (&["fsck", "--accept"][..], "run fsck without --accept"),
        (&["backup", data], "pg_dump --format=custom"),
        (&["restore", data], "pg_restore --single-transaction"),
        (&["migrate", "--dry-run"], "pg_dump"),
    ] {
        let mut program = program(command);
        program.args(["--data", data, "--database", database]);
        let refused = output(&mut program);
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{command:?}: {error}");
        assert!(error.contains("works on an SQLite file"), "{error}");
        assert!(error.contains(instead), "{error}");
        assert!(!error.contains("s3cret"), "{error}");
    }
    for command in [
        &["--listen", "127.0.0.1:0"][..],
        &["fsck"],
        &["export", "--kind", "match", "2VRfQr6w2e"],
    ] {
        let mut unreachable = program(command);
        unreachable.args(["--data", data, "--database", database]);
        let refused = output(&mut unreachable);
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(3), "{error}");
        assert!(
            error.contains("postgres://ann@127.0.0.1:1/games"),
            "{error}"
        );
        assert!(!error.contains("s3cret"), "{error}");
    }
}
