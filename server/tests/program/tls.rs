//! TLS that the server ends itself: the real binary, and peers that encrypt, do not, or should not be believed.

use std::fs;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rcgen::{CertifiedKey, KeyPair};
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

/// Nothing that a test waits for takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

type Secure = StreamOwned<ClientConnection, TcpStream>;

/// A certificate for this machine, with its key.
fn certificate() -> CertifiedKey<KeyPair> {
    rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a certificate")
}

/// A directory with a certificate and its key.
struct Home {
    directory: TempDir,
}

impl Home {
    fn with(certificate: &CertifiedKey<KeyPair>) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let home = Self { directory };
        home.write(certificate);
        home
    }

    /// Puts other files in the place of those that are there, as a tool that renews certificates does.
    fn write(&self, certificate: &CertifiedKey<KeyPair>) {
        let files = [
            ("cert.pem", certificate.cert.pem()),
            ("key.pem", certificate.signing_key.serialize_pem()),
        ];
        for (name, text) in files {
            let new = self.file("new");
            fs::write(&new, text).expect("a file");
            fs::set_permissions(&new, fs::Permissions::from_mode(0o600)).expect("our file");
            fs::rename(new, self.file(name)).expect("our file");
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The program with these arguments, and the certificate.
    fn program(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grundy-server"));
        command
            .env_clear()
            .env("GRUNDYD_OVERLOAD__TARGET_MS", "0")
            .args(arguments)
            .arg("--tls-cert")
            .arg(self.file("cert.pem"))
            .arg("--tls-key")
            .arg(self.file("key.pem"))
            .arg("--data")
            .arg(self.file("data"));
        command
    }

    fn refusal(&self) -> String {
        let output = self.program(&["--listen", "127.0.0.1:0"]).output();
        let output: Output = output.expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(!self.file("data").exists(), "nothing is made before");
        let check = self.program(&["--check-config"]).output();
        assert_eq!(check.expect("the program starts").status.code(), Some(2));
        String::from_utf8(output.stderr).expect("text")
    }
}

/// A running server; killed when dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(home: &Home) -> Self {
        let mut child = home
            .program(&["--listen", "127.0.0.1:0", "--log", "off"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        // From here on it is killed, whatever it prints.
        let mut server = Self {
            child,
            address: String::new(),
        };
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("it speaks");
        let address = line.trim().strip_prefix("listening on https://");
        server.address = address.unwrap_or_else(|| panic!("{line:?}")).to_owned();
        server
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        stream
    }

    /// An encrypted connection, if the server shows this certificate.
    fn encrypted(&self, certificate: &CertificateDer<'static>) -> std::io::Result<Secure> {
        let mut roots = RootCertStore::empty();
        roots.add(certificate.clone()).expect("a certificate");
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from("127.0.0.1").expect("a name");
        let tls = ClientConnection::new(Arc::new(config), name).expect("a client");
        let mut stream = StreamOwned::new(tls, self.connect());
        stream.conn.complete_io(&mut stream.sock)?;
        Ok(stream)
    }

    fn player(&self, certificate: &CertificateDer<'static>) -> WebSocket<Secure> {
        let stream = self.encrypted(certificate).expect("it is the one");
        let url = format!("wss://{}/ws", self.address);
        let (mut socket, _) = tungstenite::client(url, stream).expect("a handshake");
        let welcome = ask(&mut socket, json!({"type":"hello","protocol":1}));
        assert_eq!(welcome["type"], "welcome", "{welcome}");
        socket
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be dead already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ask(socket: &mut WebSocket<Secure>, body: Value) -> Value {
    let text = json!({"id":1,"body":body}).to_string();
    socket.send(Message::text(text)).expect("it listens");
    loop {
        let message = socket.read().expect("it answers");
        let Ok(text) = message.to_text() else {
            continue;
        };
        let Ok(mut frame) = serde_json::from_str::<Value>(text) else {
            continue;
        };
        if frame.get("re").is_some() {
            return frame["body"].take();
        }
    }
}

fn with_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("our file");
}

#[test]
fn a_match_is_played_over_an_encrypted_connection() {
    let certificate = certificate();
    let home = Home::with(&certificate);
    let server = Server::start(&home);
    let mut player = server.player(certificate.cert.der());
    let create = json!({"type":"create","position":"nim:1","clock":{"type":"untimed"},"side":"first",
        "opponent":{"type":"bot","name":"perfect"}});
    let created = ask(&mut player, create);
    assert_eq!(created["type"], "created", "{created}");
    let moved = ask(
        &mut player,
        json!({"type":"move","match":created["match"],"ply":1,"move":"A-1"}),
    );
    assert_eq!(moved["type"], "accepted", "{moved}");
    // A store that a busy machine keeps waiting is not ready for the moment: then we ask again.
    let since = Instant::now();
    loop {
        let mut health = home.program(&["health", "--listen", &server.address]);
        let health = health.output().expect("the program starts");
        if health.status.code() == Some(0) {
            assert_eq!(health.stdout, b"ready\n");
            break;
        }
        assert!(since.elapsed() < PATIENCE, "{health:?}");
    }
}

#[test]
fn who_does_not_encrypt_is_told_to() {
    let home = Home::with(&certificate());
    let server = Server::start(&home);
    let mut stream = server.connect();
    stream
        .write_all(b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\r\n")
        .expect("it listens");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("text");
    assert!(answer.starts_with("HTTP/1.1 426 "), "{answer}");
    assert!(answer.contains("https://"), "{answer}");
    // One who encrypts, but something else: nothing to understand, and nothing to wait for.
    let mut stream = server.connect();
    stream
        .write_all(&[22, 3, 1, 0, 2, 9, 9])
        .expect("it listens");
    stream.read_to_end(&mut Vec::new()).expect("it hangs up");
}

#[test]
fn a_new_certificate_is_shown_as_soon_as_it_is_there_and_a_bad_one_never() {
    let (old, new) = (certificate(), certificate());
    let home = Home::with(&old);
    let server = Server::start(&home);
    let mut playing = server.player(old.cert.der());
    assert!(server.encrypted(new.cert.der()).is_err());

    // A certificate with the key of another: the old one stays.
    fs::write(home.file("cert.pem"), new.cert.pem()).expect("a file");
    assert!(server.encrypted(old.cert.der()).is_ok());

    home.write(&new);
    let since = Instant::now();
    while server.encrypted(new.cert.der()).is_err() {
        assert!(since.elapsed() < PATIENCE, "it shows the old certificate");
        std::thread::yield_now();
    }
    assert!(server.encrypted(old.cert.der()).is_err());
    let pong = ask(&mut playing, json!({"type":"ping"}));
    assert_eq!(pong["type"], "pong", "who was connected stays: {pong}");
}

/// Asks the server for a reload over its socket: the exit code, and the reply.
fn reload(home: &Home) -> (Option<i32>, Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_grundy-server"))
        .arg("--data")
        .arg(home.file("data"))
        .args(["admin", "--json", "reload"])
        .output()
        .expect("the program starts");
    let reply = serde_json::from_slice(&output.stdout);
    (output.status.code(), reply.expect("JSON"))
}

#[test]
fn a_reload_is_refused_for_as_long_as_the_certificate_cannot_be_used() {
    let (old, new) = (certificate(), certificate());
    let home = Home::with(&old);
    let server = Server::start(&home);
    let (code, before) = reload(&home);
    assert_eq!((code, &before["type"]), (Some(0), &json!("reloaded")));
    let refuse = |what: &str, words: &str| {
        // The second time nothing has changed since the first, and it is refused all the same.
        for time in 1..=2 {
            let (code, reply) = reload(&home);
            assert_eq!(code, Some(6), "{what}, time {time}: {reply}");
            assert_eq!(reply["code"], "bad_configuration", "{what}: {reply}");
            let message = reply["message"].as_str().expect("words");
            assert!(message.contains(words), "{what}: {message}");
            assert!(
                message.contains("the old certificate stays in use"),
                "{what}: {message}"
            );
            assert!(server.encrypted(old.cert.der()).is_ok(), "{what}");
        }
    };
    fs::write(home.file("cert.pem"), new.cert.pem()).expect("a file");
    refuse("another key", "is not the key of the certificate");
    let pem = new.signing_key.serialize_pem();
    fs::write(home.file("key.pem"), &pem[..pem.len() / 2]).expect("a file");
    refuse("half of a key", "tls_key");
    fs::remove_file(home.file("key.pem")).expect("our file");
    refuse("no key", "No such file");
    home.write(&new);
    with_mode(&home.file("key.pem"), 0o644);
    refuse("a key for everybody", "chmod 600");

    with_mode(&home.file("key.pem"), 0o600);
    let (code, after) = reload(&home);
    assert_eq!(code, Some(0), "{after}");
    assert_ne!(after["certificate_sha256"], before["certificate_sha256"]);
    assert!(server.encrypted(new.cert.der()).is_ok());
    assert!(server.encrypted(old.cert.der()).is_err());
}

#[test]
fn files_that_do_not_fit_are_refused_by_name() {
    let home = Home::with(&certificate());
    let other = certificate();
    fs::write(home.file("key.pem"), other.signing_key.serialize_pem()).expect("a file");
    let line = home.refusal();
    assert!(line.contains("tls_key"), "{line}");
    assert!(line.contains("is not the key of the certificate"), "{line}");

    with_mode(&home.file("key.pem"), 0o644);
    let line = home.refusal();
    assert!(line.contains("chmod 600"), "{line}");
    with_mode(&home.file("key.pem"), 0o600);

    fs::write(home.file("key.pem"), "no key").expect("a file");
    let line = home.refusal();
    assert!(line.contains("BEGIN PRIVATE KEY"), "{line}");

    fs::write(home.file("cert.pem"), "").expect("a file");
    let line = home.refusal();
    assert!(line.contains("tls_cert"), "{line}");
    assert!(line.contains("BEGIN CERTIFICATE"), "{line}");

    fs::remove_file(home.file("cert.pem")).expect("our file");
    let line = home.refusal();
    assert!(line.contains("No such file"), "{line}");
}
