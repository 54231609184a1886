//! A server of the cluster as a process of its own. It comes back to the same address.

use std::fs::OpenOptions;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::patience::PATIENCE;
use crate::port::free_port;

/// The program, or another one for a comparison.
fn program() -> String {
    let other = std::env::var("GRUNDY_PROGRAM");
    other.unwrap_or_else(|_| env!("CARGO_BIN_EXE_grundy-server").to_owned())
}

/// A server, which may be down.
pub(crate) struct Node {
    name: String,
    /// The program, if it is not this one.
    program: Option<String>,
    /// What runs it where it belongs.
    entrance: Vec<String>,
    listens: SocketAddr,
    /// Where it is reached.
    address: String,
    data: PathBuf,
    flags: Vec<String>,
    environment: Vec<(&'static str, String)>,
    /// What is planted in it; see `server/src/planted.rs`.
    planted: Option<&'static str>,
    /// Variables of its environment.
    settings: &'static [(&'static str, &'static str)],
    child: Option<Child>,
}

impl Node {
    /// One that is down, with its files in this directory. Without flags it shares nothing, and has no name.
    pub(crate) fn new(directory: &Path, name: &str, flags: Vec<String>) -> Self {
        let listens = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()));
        Self {
            name: name.to_owned(),
            program: None,
            entrance: Vec::new(),
            listens,
            address: listens.to_string(),
            data: directory.join(name),
            flags,
            environment: Vec::new(),
            planted: None,
            settings: &[],
            child: None,
        }
    }

    /// `HOST:PORT`.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The port of its loopback where it listens.
    pub(crate) fn port(&self) -> u16 {
        self.listens.port()
    }

    /// Puts it where this runs it and where it is reached at this address.
    pub(crate) fn place(&mut self, entrance: Vec<String>, address: SocketAddr) {
        self.entrance = entrance;
        self.address = address.to_string();
    }

    /// Makes it this program from its next start on; without one, the program that is tested.
    pub(crate) fn become_program(&mut self, program: Option<&str>) {
        self.program = program.map(str::to_owned);
    }

    /// Where its files are.
    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    /// Gives it these settings from its next start on.
    pub(crate) fn set(&mut self, settings: &'static [(&'static str, &'static str)]) {
        self.settings = settings;
    }

    fn command(&self) -> Command {
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.data.with_extension("log"));
        let program = self.program.clone().unwrap_or_else(program);
        let mut words = self.entrance.iter().cloned().chain([program]);
        let mut command = Command::new(words.next().expect("a program"));
        command
            .args(words)
            .args(["--listen", &self.listens.to_string(), "--data"])
            .arg(&self.data)
            .args(["--profile", "load"])
            .args(&self.flags)
            .args(
                self.flags
                    .first()
                    .map(|_| ["--node", &self.name])
                    .into_iter()
                    .flatten(),
            )
            // A busy machine is no reason to refuse what a test asks for.
            .env("GRUNDYD_OVERLOAD__TARGET_MS", "0")
            .env("GRUNDYD_TIMES__HELLO_MS", "60000")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log.map_or(Stdio::null(), Stdio::from))
            .kill_on_drop(true);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.envs(self.settings.iter().copied());
        if let Some(name) = self.planted {
            command.env("GRUNDY_PLANTED", name);
        }
        command
    }

    /// Gives it this flag and this variable from its next start on.
    pub(crate) fn give(&mut self, flags: [&str; 2], variable: (&'static str, String)) {
        self.flags.extend(flags.map(str::to_owned));
        self.environment.push(variable);
    }

    /// Plants this from its next start on.
    pub(crate) fn plant(&mut self, name: &'static str) {
        self.planted = Some(name);
    }

    /// Starts it, and waits until it listens.
    pub(crate) async fn start(&mut self) {
        self.start_with(&[]).await;
    }

    /// The same with variables of the environment.
    pub(crate) async fn start_with(&mut self, variables: &[(&str, &str)]) {
        if let Err(logged) = self.try_start_with(&[], variables).await {
            panic!("{} did not start: {logged}", self.name);
        }
    }

    /// The same with further flags.
    ///
    /// # Errors
    /// What it has said.
    pub(crate) async fn try_start(&mut self, flags: &[&str]) -> Result<(), String> {
        self.try_start_with(flags, &[]).await
    }

    async fn try_start_with(
        &mut self,
        flags: &[&str],
        variables: &[(&str, &str)],
    ) -> Result<(), String> {
        let before = self.logged().len();
        let mut command = self.command();
        let mut child = command
            .args(flags)
            .envs(variables.iter().copied())
            .spawn()
            .expect("the server starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let mut line = String::new();
        let read = timeout(PATIENCE, stdout.read_line(&mut line)).await;
        read.expect("a server listens or ends in time")
            .expect("its output can be read");
        self.child = Some(child);
        match line.starts_with("listening on http://") {
            true => Ok(()),
            false => Err(self.logged().split_off(before)),
        }
    }

    /// Whether it says that it can serve.
    pub(crate) async fn is_ready(&self) -> bool {
        let answer = self.page("/readyz").await;
        answer.is_ok_and(|answer| answer.starts_with("HTTP/1.1 200"))
    }

    /// The figure of a metric without labels.
    pub(crate) async fn metric(&self, name: &str) -> f64 {
        let page = self.page("/metrics").await.expect("it answers");
        let line = page.lines().find_map(|line| line.strip_prefix(name));
        let figure = line.and_then(|rest| rest.trim().parse().ok());
        figure.unwrap_or_else(|| panic!("{name} is not in {page}"))
    }

    /// Whether it shows this series now.
    pub(crate) async fn has_metric(&self, series: &str) -> bool {
        let page = self.page("/metrics").await.expect("it answers");
        page.lines().any(|line| line.starts_with(series))
    }

    async fn page(&self, path: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(&self.address).await?;
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok(answer)
    }

    /// Sends a signal. One that has ended needs none.
    pub(crate) fn signal(&self, signal: Signal) {
        let id = self.child.as_ref().and_then(Child::id);
        let id = id.and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        if let Some(id) = id {
            let _ = kill_process(id, signal);
        }
    }

    /// The processor time that it has taken.
    pub(crate) fn processor_time(&self) -> Duration {
        let id = self.child.as_ref().and_then(Child::id).expect("it runs");
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("it runs");
        let (_, fields) = stat.rsplit_once(')').expect("the name is in brackets");
        // In hundredths of a second, by user and system.
        let ticks = fields.split_whitespace().skip(11).take(2);
        let ticks: u64 = ticks
            .map(|ticks| ticks.parse::<u64>().expect("a number"))
            .sum();
        Duration::from_millis(10 * ticks)
    }

    /// Kills it, and waits for its end.
    pub(crate) async fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.ended().await;
    }

    /// Waits for its end.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        let mut child = self.child.take().expect("the server runs");
        let ended = timeout(PATIENCE, child.wait()).await;
        ended
            .unwrap_or_else(|_| panic!("{} does not end: {}", self.name, self.logged()))
            .expect("its status can be read")
    }

    /// Whether it has ended by itself, or does so within this time.
    pub(crate) async fn ends_within(&mut self, time: Duration) -> bool {
        let ended = match &mut self.child {
            Some(child) => timeout(time, child.wait()).await.is_ok(),
            None => true,
        };
        if ended {
            self.child = None;
        }
        ended
    }

    /// Whether it has said, in this life, that another one has taken its place.
    pub(crate) fn is_fenced(&self) -> bool {
        let logged = self.logged();
        let this_life = logged.rfind("\"ready\"").unwrap_or(0);
        logged[this_life..].contains("has taken this one's place")
    }

    /// What it has logged so far.
    pub(crate) fn logged(&self) -> String {
        std::fs::read_to_string(self.data.with_extension("log")).unwrap_or_default()
    }
}

/// Runs the program with these arguments, and waits for its end.
pub(crate) async fn run(arguments: &[&str]) -> Output {
    run_program(None, arguments).await
}

/// The same with another program, if there is one.
pub(crate) async fn run_program(other: Option<&str>, arguments: &[&str]) -> Output {
    let program = other.map_or_else(program, str::to_owned);
    let run = Command::new(program).args(arguments).output();
    run.await.expect("the program runs")
}

/// Starts the program with these arguments; what it says can be read. It ends with what is returned.
pub(crate) fn start_program(arguments: &[&str]) -> Child {
    let mut command = Command::new(program());
    command.args(arguments).kill_on_drop(true);
    command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Runs the program of the next version, which has a newer schema.
pub(crate) async fn run_next(arguments: &[&str]) -> Output {
    let mut next = Command::new(program());
    next.args(arguments).env("GRUNDY_PLANTED", NEXT);
    next.output().await.expect("the program runs")
}

/// What is planted to make a program of the next version.
pub(crate) const NEXT: &str = "next_schema";
