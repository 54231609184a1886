//! The real program, run in a home of its own.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Long enough for a busy machine; nothing waits for it when all is well.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A home directory, and the server that its programs talk to.
pub(crate) struct Home {
    directory: TempDir,
    server: Option<String>,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// The one object on stdout.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The one object on stderr, under `error`.
    pub(crate) fn error(&self) -> Value {
        assert_eq!(self.stderr.lines().count(), 1, "{self:?}");
        let line: Value = serde_json::from_str(&self.stderr).expect("a line of JSON");
        line["error"].clone()
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let ran = Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
        };
        assert!(!ran.stderr.contains("panicked"), "{ran:?}");
        ran
    }
}

impl Home {
    /// A home whose programs know of no server that exists.
    pub(crate) fn new() -> Self {
        Self {
            directory: TempDir::new().expect("a directory"),
            server: None,
        }
    }

    /// A home whose programs talk to this server.
    pub(crate) fn at(server: &str) -> Self {
        Self {
            server: Some(server.to_owned()),
            ..Self::new()
        }
    }

    /// Where its files are.
    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// A file in this home.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a file in this home.
    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.file(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(&path, content).expect("a file");
        path
    }

    /// The program with these arguments.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.directory.path())
            .current_dir(self.directory.path());
        if let Some(server) = &self.server {
            command.env("GRUNDY_SERVER", server);
        }
        command
    }

    /// Runs it to its end without input.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.feed(arguments, "")
    }

    /// Runs it to its end with this input.
    pub(crate) fn feed(&self, arguments: &[&str], input: &str) -> Ran {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let input = input.to_owned();
        let writer = std::thread::spawn(move || {
            // The program may end before it has read all.
            let _ = stdin.write_all(input.as_bytes());
        });
        let ran = child.wait_with_output().expect("the program ends").into();
        writer.join().expect("the writer ends");
        ran
    }

    /// Runs it to its end with stderr on a terminal; what is shown there.
    pub(crate) fn stderr_at_terminal(&self, mut command: Command) -> String {
        let (screen, terminal) = terminal();
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(terminal)
            .env("TERM", "xterm");
        let mut child = command.spawn().expect("the program starts");
        // Nobody but the program holds the terminal: its end is the end of what is shown.
        drop(command);
        let mut shown = Vec::new();
        let mut part = [0; 4_096];
        while let Ok(read @ 1..) = rustix::io::read(&screen, &mut part[..]) {
            shown.extend_from_slice(&part[..read]);
        }
        child.wait().expect("the program ends");
        String::from_utf8(shown).expect("UTF-8")
    }

    /// Starts it at a terminal: stdin is one, and what is typed there is a person's.
    pub(crate) fn start_at_terminal(&self, arguments: &[&str]) -> (Running, File) {
        let (keyboard, terminal) = terminal();
        let mut command = self.command(arguments);
        let running = Running::start_with_stdin(command.stdin(terminal));
        (running, keyboard)
    }

    /// Starts it with a screen of so many columns and rows for stderr, and what appears there.
    pub(crate) fn start_on_screen(
        &self,
        arguments: &[&str],
        columns: u16,
        rows: u16,
    ) -> (Running, File) {
        let (screen, terminal) = terminal();
        let size = rustix::termios::Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        rustix::termios::tcsetwinsize(&terminal, size).expect("a size");
        let mut command = self.command(arguments);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(terminal);
        (
            Running::of(command.spawn().expect("the program starts")),
            screen,
        )
    }

    /// Starts it with pipes on all sides.
    pub(crate) fn start(&self, arguments: &[&str]) -> Running {
        Running::start(&mut self.command(arguments))
    }
}

/// A terminal: the side of the person, and that of the program.
pub(crate) fn terminal() -> (File, File) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&person).expect("ours");
    unlockpt(&person).expect("ours");
    let name = ptsname(&person, Vec::new()).expect("a name");
    let name = name.into_string().expect("UTF-8");
    let terminal = File::options()
        .read(true)
        .write(true)
        .open(name)
        .expect("it is there");
    (File::from(person), terminal)
}

/// A program that runs; killed when dropped.
pub(crate) struct Running {
    child: Child,
    pub(crate) stdin: Option<ChildStdin>,
    stdout: Receiver<String>,
    stderr: Receiver<String>,
    /// What was read of stdout.
    pub(crate) seen: Vec<String>,
}

impl Running {
    /// Starts a program with pipes on all sides, unless stdin is set already.
    pub(crate) fn start(command: &mut Command) -> Self {
        command.stdin(Stdio::piped());
        Self::start_with_stdin(command)
    }

    /// Starts a program whose stdin was chosen.
    pub(crate) fn start_with_stdin(command: &mut Command) -> Self {
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        Self::of(child)
    }

    fn of(mut child: Child) -> Self {
        let stdin = child.stdin.take();
        let stdout = lines(child.stdout.take().expect("a pipe"));
        let stderr = match child.stderr.take() {
            Some(stderr) => lines(stderr),
            None => channel().1,
        };
        Self {
            child,
            stdin,
            stdout,
            stderr,
            seen: Vec::new(),
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Types a line.
    pub(crate) fn types(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        writeln!(stdin, "{line}").expect("the program reads");
        stdin.flush().expect("the program reads");
    }

    /// Reads stdout up to a line with these words, and gives it.
    pub(crate) fn says(&mut self, words: &str) -> String {
        let give_up = Instant::now() + PATIENCE;
        loop {
            match self
                .stdout
                .recv_timeout(give_up.saturating_duration_since(Instant::now()))
            {
                Ok(line) => {
                    self.seen.push(line.clone());
                    if line.contains(words) {
                        return line;
                    }
                }
                Err(why) => panic!("no '{words}' ({why}); {}", self.story()),
            }
        }
    }

    /// Reads stdout up to an object of this type, and gives it.
    pub(crate) fn tells(&mut self, kind: &str) -> Value {
        let line = self.says(&format!(r#""type":"{kind}""#));
        serde_json::from_str(&line).expect("a line of JSON")
    }

    /// Reads stderr up to a line with these words, and gives it.
    pub(crate) fn mutters(&mut self, words: &str) -> String {
        let give_up = Instant::now() + PATIENCE;
        let mut heard = Vec::new();
        loop {
            match self
                .stderr
                .recv_timeout(give_up.saturating_duration_since(Instant::now()))
            {
                Ok(line) if line.contains(words) => return line,
                Ok(line) => heard.push(line),
                Err(why) => panic!(
                    "no '{words}' on stderr ({why}): {heard:?}; {}",
                    self.story()
                ),
            }
        }
    }

    /// Waits for something that the program does besides its output.
    pub(crate) fn waits_until(&self, is_done: impl Fn() -> bool) {
        let give_up = Instant::now() + PATIENCE;
        while !is_done() {
            assert!(
                Instant::now() < give_up,
                "it does not happen; {}",
                self.story()
            );
            std::thread::park_timeout(Duration::from_millis(10));
        }
    }

    fn story(&self) -> String {
        let muttered: Vec<String> = self.stderr.try_iter().collect();
        format!("stdout {:#?}, rest of stderr {muttered:#?}", self.seen)
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let pid = i32::try_from(self.id()).expect("a process id");
        let pid = rustix::process::Pid::from_raw(pid).expect("a process id");
        rustix::process::kill_process(pid, signal).expect("the process is there");
    }

    /// Kills it as a power cut would.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("the process is there");
        self.child.wait().expect("the process ends");
    }

    /// Closes stdin and waits for the end.
    pub(crate) fn ends(mut self) -> Ran {
        drop(self.stdin.take());
        self.ends_by_itself()
    }

    /// Waits for the end with stdin open.
    pub(crate) fn ends_by_itself(mut self) -> Ran {
        let give_up = Instant::now() + PATIENCE;
        // Both streams end when the program does.
        for stream in [&self.stdout, &self.stderr] {
            let mut rest = Vec::new();
            loop {
                match stream.recv_timeout(give_up.saturating_duration_since(Instant::now())) {
                    Ok(line) => rest.push(line),
                    Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) => panic!("it does not end: {rest:?}"),
                }
            }
            self.seen.extend(rest);
        }
        let status = self.child.wait().expect("the process ends");
        Ran {
            code: status.code(),
            stdout: self.seen.join("\n"),
            stderr: String::new(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of a stream, read by a thread so that a test can stop waiting.
fn lines(stream: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        loop {
            let mut line = Vec::new();
            match reader.read_until(b'\n', &mut line) {
                Ok(1..) => {}
                Ok(0) | Err(_) => return,
            }
            let line = String::from_utf8_lossy(&line);
            if sender.send(line.trim_end_matches('\n').to_owned()).is_err() {
                // Nobody reads any more, but the program must not stop at a full pipe.
                let _ = reader.read_to_end(&mut Vec::new());
                return;
            }
        }
    });
    receiver
}
