//! The real server as a process of its own, a network that can be cut, and a server that says what it is told to.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::time::Instant;

use tempfile::TempDir;
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

use crate::program::PATIENCE;

/// How a server ends whose address or database is in use.
const IN_USE: i32 = 4;

/// The server's program, built from what the source is now. `GRUNDY_SERVER_BUILT` names one that is: the test command has built it with
/// the tests, and with the same features of its dependencies, which would be built again here.
pub(crate) fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        if let Some(built) = std::env::var_os("GRUNDY_SERVER_BUILT") {
            return PathBuf::from(built);
        }
        let mut build = Command::new(env!("CARGO"));
        build.args([
            "build",
            "--quiet",
            "--package",
            "grundy-server",
            "--bin",
            "grundy-server",
        ]);
        build
            .arg("--message-format=json")
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        if !cfg!(debug_assertions) {
            build.arg("--release");
        }
        let built = build.stderr(Stdio::inherit()).output().expect("cargo runs");
        assert!(
            built.status.success(),
            "the server does not build: {}",
            built.status
        );
        let lines = String::from_utf8(built.stdout).expect("UTF-8");
        let executable = lines.lines().find_map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).ok()?;
            let path = message["executable"].as_str()?;
            path.ends_with("grundy-server").then(|| PathBuf::from(path))
        });
        executable.expect("cargo says where the server is")
    })
}

/// A server with its data; killed when dropped.
pub(crate) struct Server {
    data: TempDir,
    child: Child,
    pub(crate) url: String,
    /// Its arguments besides its address and its directory.
    more: Vec<String>,
}

impl Server {
    /// A server without any data, on a free port.
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// The same with these arguments.
    pub(crate) fn start_with(more: &[&str]) -> Self {
        let data = TempDir::new().expect("a directory");
        let more: Vec<_> = more.iter().map(ToString::to_string).collect();
        let (child, url) = launch(&data, "127.0.0.1:0", &more).expect("a free port");
        Self {
            data,
            child,
            url,
            more,
        }
    }

    /// What a socket connects to.
    pub(crate) fn address(&self) -> &str {
        self.url.split_once("://").expect("a URL").1
    }

    /// Kills it as a power cut would.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it is there");
        self.child.wait().expect("it ends");
    }

    /// Stops it as an operator would, and waits for its end.
    pub(crate) fn stop(&mut self) {
        let pid = i32::try_from(self.child.id()).expect("a process id");
        let pid = rustix::process::Pid::from_raw(pid).expect("a process id");
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it is there");
        self.child.wait().expect("it ends");
    }

    /// Starts it again where it was, with its data.
    pub(crate) fn start_again(&mut self) {
        let address = self.address().to_owned();
        let since = Instant::now();
        // Meanwhile any other process may have been given the port; a connection that was holds it for a moment only.
        (self.child, self.url) = loop {
            match launch(&self.data, &address, &self.more) {
                Some(started) => break started,
                None => assert!(since.elapsed() < PATIENCE, "{address} stays taken"),
            }
        };
    }

    /// Kills it and starts it again where it was, without data; what it had before.
    pub(crate) fn start_empty(&mut self) -> TempDir {
        self.start_with_data(TempDir::new().expect("a directory"))
    }

    /// Kills it and starts it again where it was, with these data; what it had before.
    pub(crate) fn start_with_data(&mut self, data: TempDir) -> TempDir {
        self.kill();
        let before = std::mem::replace(&mut self.data, data);
        self.start_again();
        before
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be dead already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a server; `None` if its address is taken.
fn launch(data: &TempDir, listen: &str, more: &[String]) -> Option<(Child, String)> {
    let mut child = Command::new(program())
        .args(["--listen", listen, "--data"])
        .arg(data.path())
        .args(more)
        .env_clear()
        // Nobody waits here to hear that a player has gone.
        .env("GRUNDYD_TIMES__AWAY_MS", "0")
        // A busy machine is no reason to refuse what a test asks for.
        .env("GRUNDYD_OVERLOAD__TARGET_MS", "0")
        .env("GRUNDYD_TIMES__HELLO_MS", "60000")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the server starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    stdout.read_line(&mut line).expect("it speaks");
    if line.is_empty() {
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(IN_USE), "it ended");
        return None;
    }
    let url = line
        .trim()
        .strip_prefix("listening on ")
        .unwrap_or_else(|| panic!("{line:?}"));
    let url = url.to_owned();
    std::thread::spawn(move || stdout.read_to_end(&mut Vec::new()));
    Some((child, url))
}

/// A network between a client and a server that can be cut: nothing passes, and nothing says so.
pub(crate) struct Network {
    pub(crate) url: String,
    wire: Arc<Wire>,
}

#[derive(Default)]
struct Wire {
    cut: Mutex<bool>,
    mended: Condvar,
    gone: AtomicBool,
}

impl Network {
    /// A network to this server.
    pub(crate) fn to(server: &Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let wire = Arc::new(Wire::default());
        let target = server.address().to_owned();
        let shared = wire.clone();
        std::thread::spawn(move || {
            for client in listener.incoming() {
                if shared.gone.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(client) = client else { return };
                let Ok(server) = TcpStream::connect(&target) else {
                    continue;
                };
                let copy = |from: &TcpStream, to: &TcpStream| {
                    let (from, to) = (
                        from.try_clone().expect("a socket"),
                        to.try_clone().expect("a socket"),
                    );
                    let wire = shared.clone();
                    std::thread::spawn(move || wire.carry(from, to));
                };
                copy(&client, &server);
                copy(&server, &client);
            }
        });
        Self { url, wire }
    }

    /// From now on nothing passes.
    pub(crate) fn cut(&self) {
        *self.wire.cut.lock().expect("no panic") = true;
    }

    /// Everything passes again, what was held too.
    pub(crate) fn mend(&self) {
        *self.wire.cut.lock().expect("no panic") = false;
        self.wire.mended.notify_all();
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        self.wire.gone.store(true, Ordering::Relaxed);
        self.mend();
    }
}

impl Wire {
    fn carry(&self, mut from: TcpStream, mut to: TcpStream) {
        let mut bytes = [0u8; 4096];
        while let Ok(read @ 1..) = from.read(&mut bytes) {
            let mut cut = self.cut.lock().expect("no panic");
            while *cut {
                cut = self.mended.wait(cut).expect("no panic");
            }
            drop(cut);
            if to.write_all(&bytes[..read]).is_err() {
                break;
            }
        }
        // The other side may be gone already.
        let _ = to.shutdown(std::net::Shutdown::Both);
    }
}

/// A server that answers each request of a connection with the next of these frames, `$id` being the request's number, and
/// those after the last not at all. Returns its URL.
pub(crate) fn that_says(script: &'static [&'static [&'static str]]) -> String {
    that_says_and_then(script, |socket| while socket.read().is_ok() {})
}

/// The same, but it drops the connection at the request after the last.
pub(crate) fn that_says_and_drops(script: &'static [&'static [&'static str]]) -> String {
    that_says_and_then(script, |socket| {
        // Whatever it is.
        let _ = socket.read();
    })
}

fn that_says_and_then(
    script: &'static [&'static [&'static str]],
    then: fn(&mut WebSocket<TcpStream>),
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let Ok(mut socket) = tungstenite::accept(stream) else {
                continue;
            };
            for (id, frames) in script.iter().enumerate() {
                if socket.read().is_err() {
                    break;
                }
                for frame in *frames {
                    // A client that has gone needs no answer.
                    let _ = socket.send(Message::text(frame.replace("$id", &id.to_string())));
                }
            }
            then(&mut socket);
        }
    });
    url
}

/// A server that answers the requests of its first connection with the first of these scripts, those of the next one with the next, and
/// drops each connection at the request after the last. Returns its URL.
pub(crate) fn that_says_in_turn(scripts: &'static [&'static [&'static str]]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        let mut scripts = scripts.iter();
        for stream in listener.incoming().flatten() {
            let Ok(mut socket) = tungstenite::accept(stream) else {
                continue;
            };
            let Some(script) = scripts.next() else {
                return;
            };
            for (id, frame) in script.iter().enumerate() {
                if socket.read().is_err() {
                    break;
                }
                // A client that has gone needs no answer.
                let _ = socket.send(Message::text(frame.replace("$id", &id.to_string())));
            }
            // Whatever it is.
            let _ = socket.read();
        }
    });
    url
}

/// A server that answers the first requests of each connection with these bodies, and then nothing more. Returns its URL.
pub(crate) fn that_answers(bodies: Vec<&'static str>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let Ok(mut socket) = tungstenite::accept(stream) else {
                continue;
            };
            // Requests are numbered from 0.
            for (id, body) in bodies.iter().enumerate() {
                if socket.read().is_err() {
                    break;
                }
                // A client that has gone needs no answer.
                let _ = socket.send(Message::text(format!(r#"{{"re":{id},"body":{body}}}"#)));
            }
            while socket.read().is_ok() {}
        }
    });
    url
}
