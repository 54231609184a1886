//! Secrets of the real process: what was acknowledged survives `kill -9`, and no secret is in its log, its files or what it prints.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Longest wait for a frame.
const PATIENCE: Duration = Duration::from_secs(60);
const PASSWORD: &str = "correct horse";
const LATER: &str = "battery staple";

/// A server that logs all it can; killed when dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn on(data: &Path, log: &Path) -> Self {
        let log = File::options().create(true).append(true).open(log);
        let mut child = program(data)
            .args(["--listen", "127.0.0.1:0", "--profile", "load"])
            .args(["--log", "trace"])
            .stdout(Stdio::piped())
            .stderr(log.expect("a file"))
            .spawn()
            .expect("the server starts");
        let mut first = String::new();
        BufReader::new(child.stdout.take().expect("piped"))
            .read_line(&mut first)
            .expect("a first line");
        let address = first.trim().strip_prefix("listening on http://");
        let address = address.unwrap_or_else(|| panic!("first line {first:?}"));
        Self {
            address: address.to_owned(),
            child,
        }
    }

    async fn connect(&self) -> Client {
        let url = format!("ws://{}/ws", self.address);
        let (socket, _) = connect_async(url).await.expect("the server accepts");
        Client(socket)
    }

    async fn answer(&self, body: Value) -> Value {
        self.connect().await.ask(body).await
    }
}

impl Drop for Server {
    /// As `kill -9` does.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Client(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Client {
    async fn ask(&mut self, body: Value) -> Value {
        let text = json!({"id":1,"body":body}).to_string();
        self.0.send(Message::text(text)).await.expect("it listens");
        let reply = async {
            loop {
                match self.0.next().await {
                    Some(Ok(Message::Text(text))) => {
                        let mut frame: Value = serde_json::from_str(&text).expect("JSON");
                        if frame.get("re").is_some() {
                            return frame["body"].take();
                        }
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    other => panic!("{other:?}"),
                }
            }
        };
        tokio::time::timeout(PATIENCE, reply)
            .await
            .expect("in time")
    }
}

fn program(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy-server"));
    command
        .env_clear()
        .env("HOME", data)
        .arg("--data")
        .arg(data);
    command
}

fn hello(token: &Value) -> Value {
    json!({"type":"hello","protocol":1,"token":token})
}

fn login(password: &str) -> Value {
    json!({"type":"login","name":"Ann","password":password})
}

#[tokio::test]
async fn what_was_acknowledged_survives_a_kill_and_no_secret_is_anywhere() {
    let home = TempDir::new().expect("a directory");
    let (data, log) = (home.path().join("data"), home.path().join("log"));
    let server = Server::on(&data, &log);
    let mut ann = server.connect().await;
    let welcome = ann
        .ask(json!({"type":"hello","protocol":1,"name":"Ann"}))
        .await;
    let (first, player) = (welcome["token"].clone(), welcome["player"]["id"].clone());
    let create = json!({"type":"create_token","name":"t","scopes":["play"]});
    let (kept, gone) = (ann.ask(create.clone()).await, ann.ask(create).await);
    let revoke = json!({"type":"revoke_token","token":gone["token"]["prefix"]});
    assert_eq!(ann.ask(revoke).await["type"], "done");
    let set = json!({"type":"set_password","password":PASSWORD});
    assert_eq!(ann.ask(set).await["type"], "done");
    drop(server);

    let server = Server::on(&data, &log);
    assert_eq!(
        server.answer(hello(&kept["secret"])).await["type"],
        "welcome"
    );
    assert_eq!(
        server.answer(hello(&gone["secret"])).await["code"],
        "bad_token"
    );
    let proved = server.answer(login(PASSWORD)).await;
    assert_eq!(proved["type"], "logged_in");
    let mut ann = server.connect().await;
    assert_eq!(ann.ask(hello(&proved["token"])).await["type"], "welcome");
    let codes = json!({"type":"new_recovery_codes","password":PASSWORD});
    let code = ann.ask(codes).await["codes"][4].clone();
    let recover = json!({"type":"recover","name":"Ann","code":code,"password":LATER});
    let recovered = server.answer(recover.clone()).await;
    assert_eq!(recovered["type"], "logged_in");
    drop(server);

    let server = Server::on(&data, &log);
    assert_eq!(
        server.answer(hello(&recovered["token"])).await["type"],
        "welcome"
    );
    for old in [&first, &kept["secret"], &proved["token"]] {
        assert_eq!(server.answer(hello(old)).await["code"], "bad_token");
    }
    assert_eq!(
        server.answer(recover).await["code"],
        "bad_credentials",
        "spent"
    );
    assert_eq!(
        server.answer(login(PASSWORD)).await["code"],
        "bad_credentials"
    );
    assert_eq!(server.answer(login(LATER)).await["type"], "logged_in");
    // Where a password is not a text, and where a request is cut off.
    let mut odd = server.connect().await;
    for body in [
        json!({"type":"login","name":"Ann","password":[PASSWORD]}),
        json!(PASSWORD),
    ] {
        let refused = odd.ask(body).await;
        assert!(!refused.to_string().contains(PASSWORD), "{refused}");
    }
    drop(server);

    let mut said = Vec::new();
    for arguments in [&["fsck"][..], &["fsck", "--json"], &["--print-config"]] {
        let output = program(&data).args(arguments).output().expect("it runs");
        said.extend([output.stdout, output.stderr].concat());
    }
    let player = player.as_str().expect("an id");
    let export = ["export", "--kind", "account", player];
    let output = program(&data).args(export).output().expect("it runs");
    said.extend([output.stdout, output.stderr].concat());
    let mut places = vec![("what it prints".to_owned(), said)];
    for directory in [home.path(), &data] {
        for entry in std::fs::read_dir(directory).expect("files") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                places.push((
                    path.display().to_string(),
                    std::fs::read(&path).expect("readable"),
                ));
            }
        }
    }
    assert!(places.len() >= 4, "log and data were found");
    let texts = [
        &first,
        &kept["secret"],
        &gone["secret"],
        &code,
        &proved["token"],
    ];
    let texts = texts.map(|secret| secret.as_str().expect("a text"));
    for secret in texts.into_iter().chain([PASSWORD, LATER]) {
        for (place, bytes) in &places {
            let found = bytes
                .windows(secret.len())
                .any(|part| part == secret.as_bytes());
            assert!(!found, "{secret} is in {place}");
        }
    }
    // And no hash of a password beyond the database.
    for (place, bytes) in places
        .iter()
        .filter(|(place, _)| !place.contains("grundy.db"))
    {
        let found = bytes.windows(8).any(|part| part == b"argon2id");
        assert!(!found, "a hash is in {place}");
    }
}
