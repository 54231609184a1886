//! One process of a bot: its pipes with a deadline on every wait, and its end together with everything that it started.

use std::io::{self, Read as _, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid,
};

use super::family::{Family, MARK};
use super::groups::Groups;
use super::limits::{NOT_EXECUTABLE, NOT_FOUND};
use super::line::LINE_BYTES;
use super::stderr_log::StderrLog;

/// Read at one time, in bytes.
const CHUNK: usize = 16 << 10;
/// What is remembered of stderr, in bytes, to explain a crash.
const TAIL: usize = 512;
/// Variables of ours that a bot inherits.
const INHERITED: [&str; 8] = [
    "PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "USER", "LOGNAME",
];

/// What was heard before a deadline.
#[derive(Debug)]
pub(crate) enum Heard<'b> {
    /// A line, without its end.
    Line(&'b [u8]),
    /// Nothing in time.
    Late,
    /// The bot has closed its stdout: it has ended, or is as good as ended.
    Closed,
    /// More than 64 KiB without a line feed.
    TooLong,
}

/// A process that speaks lines. Dropped, it is killed with its group.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    group: Pid,
    groups: Groups,
    /// What its environment is marked with, and so that of everything that it starts.
    mark: String,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    log: Option<Arc<StderrLog>>,
    tail: Vec<u8>,
    /// What was read: handed out up to `taken`, searched for a line feed up to `searched`.
    buffer: Vec<u8>,
    taken: usize,
    searched: usize,
    ended: Option<ExitStatus>,
    /// Whether everything that it started was killed.
    is_swept: bool,
}

impl Process {
    /// Starts the command in a process group of its own, with pipes on all sides and a short list of variables.
    ///
    /// # Errors
    /// It cannot be started.
    pub(crate) fn start(
        mut command: Command,
        directory: Option<&Path>,
        variables: &[(String, String)],
        log: Option<Arc<StderrLog>>,
        groups: &Groups,
    ) -> io::Result<Self> {
        command.env_clear();
        for name in INHERITED {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        let mark = groups.new_mark();
        command.env(MARK, &mark);
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = directory {
            command.current_dir(directory);
        }
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let mut child = groups.spawn(&mut command)?;
        let missing = || io::Error::other("a pipe is missing");
        let stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take();
        // A bot that does not read must not hold us up, and neither must its stderr.
        fcntl_setfl(&stdin, fcntl_getfl(&stdin)? | OFlags::NONBLOCK)?;
        fcntl_setfl(&stdout, fcntl_getfl(&stdout)? | OFlags::NONBLOCK)?;
        if let Some(stderr) = &stderr {
            fcntl_setfl(stderr, fcntl_getfl(stderr)? | OFlags::NONBLOCK)?;
        }
        let raw = i32::try_from(child.id()).unwrap_or_default();
        let group = Pid::from_raw(raw).ok_or_else(|| io::Error::other("no process id"))?;
        Ok(Self {
            child,
            group,
            groups: groups.clone(),
            mark,
            stdin: Some(stdin),
            stdout,
            stderr,
            log,
            tail: Vec::new(),
            buffer: Vec::new(),
            taken: 0,
            searched: 0,
            ended: None,
            is_swept: false,
        })
    }

    /// Waits until it has become its command, or for so long. Where there is no `/proc`, nobody can see that, and nothing is waited for.
    ///
    /// # Errors
    /// It could not; with the reason that it gave.
    pub(crate) fn become_command(&mut self, patience: Duration) -> Result<(), String> {
        let deadline = Instant::now() + patience;
        let arguments = format!("/proc/{}/cmdline", self.child.id());
        loop {
            if self.has_ended() {
                if !self.is_no_command() {
                    return Ok(());
                }
                let words = self.last_words();
                return Err(words.unwrap_or_else(|| "the command cannot be executed".to_owned()));
            }
            let Ok(words) = std::fs::read(&arguments) else {
                return Ok(());
            };
            let mut words = words.split(|byte| *byte == 0).skip(1);
            let is_itself = words.next() == Some(b"bot") && words.next() == Some(b"launch");
            // A process that ends has no arguments any more, and can be waited for a moment later.
            let is_ending = words.next().is_none();
            if (!is_itself && !is_ending) || Instant::now() >= deadline {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Its process group.
    pub(crate) fn group(&self) -> i32 {
        self.group.as_raw_nonzero().get()
    }

    /// Writes lines. A bot that has ended, or that does not read until the deadline, is found out when it is listened to.
    pub(crate) fn write(&mut self, text: &str, deadline: Instant) {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let Some(stdin) = &mut self.stdin else {
                return;
            };
            match stdin.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let Some(timeout) = until(deadline) else {
                        return;
                    };
                    let mut wait = [PollFd::new(stdin, PollFlags::OUT)];
                    let _ = poll(&mut wait, Some(&timeout));
                }
                Err(_) => return,
            }
        }
    }

    /// The next line.
    pub(crate) fn read_line(&mut self, deadline: Instant) -> Heard<'_> {
        loop {
            let found = self.buffer[self.searched..]
                .iter()
                .position(|byte| *byte == b'\n');
            if let Some(at) = found {
                let line = self.taken..self.searched + at;
                self.taken = line.end + 1;
                self.searched = self.taken;
                if line.len() > LINE_BYTES {
                    return Heard::TooLong;
                }
                return Heard::Line(&self.buffer[line]);
            }
            self.searched = self.buffer.len();
            if self.searched - self.taken > LINE_BYTES {
                return Heard::TooLong;
            }
            self.buffer.drain(..self.taken);
            self.searched -= self.taken;
            self.taken = 0;
            match self.fill(deadline) {
                Filled::More => {}
                Filled::Late => return Heard::Late,
                Filled::Closed => return Heard::Closed,
            }
        }
    }

    /// Waits for output, and reads a portion of it.
    fn fill(&mut self, deadline: Instant) -> Filled {
        loop {
            let Some(timeout) = until(deadline) else {
                return Filled::Late;
            };
            let stdout = PollFd::new(&self.stdout, PollFlags::IN);
            let (has_output, has_errors) = match &self.stderr {
                Some(stderr) => {
                    let mut wait = [stdout, PollFd::new(stderr, PollFlags::IN)];
                    let _ = poll(&mut wait, Some(&timeout));
                    (!wait[0].revents().is_empty(), !wait[1].revents().is_empty())
                }
                None => {
                    let mut wait = [stdout];
                    let _ = poll(&mut wait, Some(&timeout));
                    (!wait[0].revents().is_empty(), false)
                }
            };
            if has_errors {
                self.drain_errors();
            }
            if !has_output {
                continue;
            }
            let before = self.buffer.len();
            self.buffer.resize(before + CHUNK, 0);
            let read = self.stdout.read(&mut self.buffer[before..]);
            self.buffer.truncate(before + *read.as_ref().unwrap_or(&0));
            return match read {
                Ok(0) => Filled::Closed,
                Ok(_) => Filled::More,
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                    ) =>
                {
                    continue;
                }
                Err(_) => Filled::Closed,
            };
        }
    }

    /// Keeps a portion of what is on stderr: a bot that floods it gets no more attention than its pipe is wide.
    fn drain_errors(&mut self) {
        let Some(stderr) = &mut self.stderr else {
            return;
        };
        let mut portion = [0; CHUNK];
        match stderr.read(&mut portion) {
            Ok(0) => self.stderr = None,
            Ok(read) => {
                let portion = &portion[..read];
                if let Some(log) = &self.log {
                    log.keep(portion);
                }
                self.tail.extend_from_slice(portion);
                let surplus = self.tail.len().saturating_sub(TAIL);
                self.tail.drain(..surplus);
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => self.stderr = None,
        }
    }

    /// The last line that it wrote to stderr, if any.
    pub(crate) fn last_words(&mut self) -> Option<String> {
        self.drain_errors();
        let mut lines = self.tail.split(|byte| *byte == b'\n');
        let last = lines.rfind(|line| !line.trim_ascii().is_empty());
        last.map(super::escape::quoted)
    }

    /// Ends it: closes its stdin, waits until it closes its stdout or so long, then kills its whole group. Reports how it ended.
    pub(crate) fn end(&mut self, patience: Duration) -> String {
        self.stdin = None;
        let deadline = Instant::now() + patience;
        while matches!(self.fill(deadline), Filled::More) {
            self.buffer.clear();
            (self.taken, self.searched) = (0, 0);
        }
        self.kill()
    }

    /// Waits until it closes its stdout, which it does at its end at the latest; false if it does not so long.
    pub(crate) fn ends_by_itself(&mut self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        loop {
            self.buffer.clear();
            (self.taken, self.searched) = (0, 0);
            match self.fill(deadline) {
                Filled::More => {}
                Filled::Late => return false,
                Filled::Closed => return true,
            }
        }
    }

    /// Kills it with everything that it started, and reports how it ended.
    pub(crate) fn kill(&mut self) -> String {
        if !self.is_swept {
            self.is_swept = true;
            let family = Family::of(self.group, &self.mark);
            let _ = kill_process_group(self.group, Signal::KILL);
            if self.ended.is_none() {
                self.ended = self.child.wait().ok();
            }
            self.groups.sweep(self.group, family);
        }
        match self.ended {
            Some(status) => describe(status),
            None => "it ended".to_owned(),
        }
    }

    /// Whether it ended as what could not become its command: that is not there, or cannot be executed.
    pub(crate) fn is_no_command(&self) -> bool {
        let code = match self.ended {
            Some(status) => status.code(),
            None => self.end_to_come().and_then(|status| status.exit_status()),
        };
        [NOT_FOUND, NOT_EXECUTABLE]
            .map(i32::from)
            .iter()
            .any(|none| code == Some(*none))
    }

    /// Whether it has ended already.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended.is_some() || self.end_to_come().is_some()
    }

    /// How it ended, without waiting for it: until its group is killed, no other process may get its number.
    fn end_to_come(&self) -> Option<WaitIdStatus> {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(self.group), look).ok().flatten()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

enum Filled {
    More,
    Late,
    Closed,
}

/// The time until then; `None` when it has passed.
fn until(deadline: Instant) -> Option<Timespec> {
    let left = deadline.checked_duration_since(Instant::now())?;
    Timespec::try_from(left).ok()
}

/// How a process ended: `exit code 3` or `signal 6`.
fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (_, Some(signal)) => format!("signal {signal}"),
        _ => "it ended".to_owned(),
    }
}
