//! Secrets of the real process: what was acknowledged survives `kill -9`, and no secret is in its log, its files or what it prints.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Longest wait for a frame.
const PATIENCE: Duration = Duration::from_secs(60);
const PASSWORD: &str = "correct horse";
const LATER: &str = "battery staple";

/// Everything that clients have sent and received, as a server that logs its frames would show it.
type Spoken = Arc<Mutex<String>>;

/// A server that logs all it can; killed when dropped.
struct Server {
    child: Child,
    address: String,
    spoken: Spoken,
}

impl Server {
    fn on(data: &Path, log: &Path) -> Self {
        Self::with(data, log, &["--log", "trace"])
    }

    fn with(data: &Path, log: &Path, arguments: &[&str]) -> Self {
        let log = File::options().create(true).append(true).open(log);
        let mut child = program(data)
            .args(["--listen", "127.0.0.1:0", "--profile", "load"])
            .args(arguments)
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
            spoken: Spoken::default(),
        }
    }

    async fn connect(&self) -> Client {
        let url = format!("ws://{}/ws", self.address);
        let (socket, _) = connect_async(url).await.expect("the server accepts");
        Client {
            socket,
            spoken: self.spoken.clone(),
        }
    }

    /// Sends bytes that are no WebSocket, and waits for the end.
    async fn send_bytes(&self, bytes: &str) {
        note(&self.spoken, bytes);
        let mut http = TcpStream::connect(&self.address).await.expect("it listens");
        http.write_all(bytes.as_bytes()).await.expect("sent");
        http.read_to_end(&mut Vec::new()).await.expect("an answer");
    }

    /// What was said to it, and what it said, so far.
    fn spoken(&self) -> String {
        self.spoken.lock().expect("no panic").clone()
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

fn note(spoken: &Spoken, text: &str) {
    let mut spoken = spoken.lock().expect("no panic");
    spoken.push_str(text);
    spoken.push('\n');
}

struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    spoken: Spoken,
}

impl Client {
    async fn send(&mut self, frame: Message) {
        note(
            &self.spoken,
            &String::from_utf8_lossy(&frame.clone().into_data()),
        );
        self.socket.send(frame).await.expect("it listens");
    }

    async fn ask(&mut self, body: Value) -> Value {
        let text = json!({"id":1,"body":body}).to_string();
        self.send(Message::text(text)).await;
        let reply = async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Text(text))) => {
                        note(&self.spoken, &text);
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
    let has = |bytes: &[u8], text: &str| {
        bytes
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    };
    for secret in texts.into_iter().chain([PASSWORD, LATER]) {
        for (place, bytes) in &places {
            assert!(!has(bytes, secret), "{secret} is in {place}");
        }
    }
    // And no hash of a password beyond the database, where there is one: a search that finds it there would find it elsewhere.
    let (stored, others): (Vec<_>, Vec<_>) = places
        .iter()
        .partition(|(place, _)| place.contains("grundy.db"));
    assert!(stored.iter().any(|(_, bytes)| has(bytes, "argon2id")));
    for (place, bytes) in others {
        assert!(!has(bytes, "argon2id"), "a hash is in {place}");
    }
}

/// Filters of the log: every level, and libraries by their names.
const FILTERS: [&str; 7] = [
    "error",
    "warn",
    "info",
    "debug",
    "trace",
    "info,tungstenite=trace,tokio_tungstenite=trace,hyper=trace,hyper_util=trace,axum=trace,tower=trace,sqlx=trace,rustls=trace,log=trace",
    "off,tungstenite::protocol=trace,tungstenite::protocol::frame=trace,hyper::proto::h1=trace,grundy_server=trace,sqlx::query=trace",
];

/// The secrets that a session sees, and what it says of them.
#[derive(Default)]
struct Seen(Vec<String>);

impl Seen {
    /// Remembers every secret of a reply.
    fn reply(&mut self, reply: Value) -> Value {
        for key in ["token", "secret", "code"] {
            // The token of a list is an object, and a refusal has a code as well.
            if let Some(text) = reply[key].as_str().filter(|_| reply["type"] != "error") {
                self.0.push(text.to_owned());
            }
        }
        for code in reply["codes"].as_array().into_iter().flatten() {
            self.0.push(code.as_str().expect("a text").to_owned());
        }
        reply
    }

    /// Those that a text shows.
    fn shown_in(&self, text: &str) -> Vec<&str> {
        let is_shown = |secret: &&String| {
            // Recovery codes are good without their hyphens as well.
            text.contains(&***secret) || text.contains(&secret.replace('-', ""))
        };
        self.0.iter().filter(is_shown).map(String::as_str).collect()
    }

    /// A secret that a client makes up.
    fn own(&mut self, secret: &str) -> String {
        self.0.push(secret.to_owned());
        secret.to_owned()
    }
}

/// A session that uses every kind of secret, well and badly.
async fn use_every_secret(server: &Server, operator: &Value, seen: &mut Seen) {
    let mut ann = server.connect().await;
    let hello = json!({"type":"hello","protocol":1,"name":"Ann"});
    let ann_token = seen.reply(ann.ask(hello).await)["token"].clone();
    let invite =
        json!({"type":"create","position":"nim:1,2","side":"first","opponent":{"type":"invite"}});
    let code = seen.reply(ann.ask(invite).await)["code"].clone();
    let mut ben = server.connect().await;
    seen.reply(
        ben.ask(json!({"type":"hello","protocol":1,"name":"Ben"}))
            .await,
    );
    let wrong = seen.own("BCDFGHJK");
    ben.ask(json!({"type":"join","code":wrong})).await;
    let joined = ben.ask(json!({"type":"join","code":code})).await;
    assert_eq!(joined["type"], "joined", "{joined}");
    let page = format!(
        "GET /j/{} HTTP/1.1\r\nHost: localhost\r\n\r\n",
        code.as_str().expect("a text")
    );
    server.send_bytes(&page).await;

    let password = seen.own("correct horse of a trace");
    let guess = seen.own("a wrong battery");
    ann.ask(json!({"type":"set_password","password":password}))
        .await;
    let codes = json!({"type":"new_recovery_codes","password":password});
    let codes = seen.reply(ann.ask(codes).await)["codes"].clone();
    let create = json!({"type":"create_token","name":"t","scopes":["play"]});
    let made = seen.reply(ann.ask(create).await);
    seen.reply(
        ann.ask(json!({"type":"rotate_token","token":made["token"]["prefix"]}))
            .await,
    );
    // The whole token where its prefix belongs.
    ann.ask(json!({"type":"revoke_token","token":made["secret"]}))
        .await;
    server
        .answer(json!({"type":"login","name":"Ann","password":guess}))
        .await;
    let login = json!({"type":"login","name":"Ann","password":password});
    seen.reply(server.answer(login).await);
    let later = seen.own("another staple");
    let recover = json!({"type":"recover","name":"Ann","code":codes[3],"password":later});
    assert_eq!(
        seen.reply(server.answer(recover).await)["type"],
        "logged_in"
    );
    assert_eq!(
        server.answer(self::hello(&ann_token)).await["code"],
        "bad_token"
    );

    let mut chief = server.connect().await;
    assert_eq!(chief.ask(self::hello(operator)).await["type"], "welcome");
    let help = chief
        .ask(json!({"type":"help_player","player":"Ann"}))
        .await;
    assert_eq!(seen.reply(help)["type"], "recovery_codes");
    chief
        .ask(json!({"type":"sign_out_player","player":"Ann"}))
        .await;

    // Secrets in frames that are refused or cut off.
    let lost = seen.own("grg_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    let whole = json!({"id":1,"body":self::hello(&json!(lost))}).to_string();
    for frame in [
        Message::text(whole.clone()),
        Message::text(whole.trim_end_matches('}')),
        Message::text(whole.replace("hello", "hallo")),
        Message::text(whole.replace("protocol", "protokoll")),
        Message::text(format!("{whole}{}", " ".repeat(20_000))),
        Message::text(format!("{}{whole}", "[".repeat(200))),
        Message::binary(whole.clone()),
    ] {
        let mut odd = server.connect().await;
        odd.send(frame).await;
        odd.socket.send(Message::Close(None)).await.ok();
        while let Some(Ok(_)) = odd.socket.next().await {}
    }
    let header =
        format!("GET /ws HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {lost}\r\n\r\n");
    server.send_bytes(&header).await;
}

#[tokio::test]
async fn no_level_and_no_target_of_the_log_shows_a_secret() {
    for filter in FILTERS {
        let home = TempDir::new().expect("a directory");
        let (data, log) = (home.path().join("data"), home.path().join("log"));
        let mut seen = Seen::default();
        let first = Server::on(&data, &log);
        let hello = json!({"type":"hello","protocol":1,"name":"Chief"});
        let welcome = seen.reply(first.answer(hello).await);
        drop(first);
        let config = home.path().join("grundy.toml");
        let operators = format!("operators = {}\n", welcome["player"]["id"]);
        std::fs::write(&config, operators).expect("written");
        let config = config.to_str().expect("UTF-8");
        let server = Server::with(&data, &log, &["--log", filter, "--config", config]);
        use_every_secret(&server, &welcome["token"], &mut seen).await;
        let spoken = server.spoken();
        drop(server);
        assert!(seen.0.len() >= 30, "{:?}", seen.0);
        // A log with the frames in it would show each of them.
        assert_eq!(seen.shown_in(&spoken).len(), seen.0.len());
        let log = std::fs::read_to_string(&log).expect("UTF-8");
        assert_eq!(seen.shown_in(&log), [""; 0], "{filter}: in the log");
        if filter.contains("trace") {
            let capped = log.contains("libraries log info and above only");
            assert!(capped, "{filter}: the log says what it leaves out");
        }
    }
}

#[test]
fn a_secret_in_a_log_is_found() {
    let secrets = ["grg_p0Rb", "ABCD-EFGH", "correct horse"].map(str::to_owned);
    let seen = Seen(secrets.to_vec());
    for (line, expected) in [
        ("DEBUG frame={\"token\":\"grg_p0Rb\"}", &["grg_p0Rb"][..]),
        ("TRACE Hello { token: Some(\"grg_p0Rb\") }", &["grg_p0Rb"]),
        ("INFO code=ABCD-EFGH", &["ABCD-EFGH"]),
        ("INFO code=ABCDEFGH", &["ABCD-EFGH"]),
        (
            "password=correct horse token=grg_p0Rb",
            &["grg_p0Rb", "correct horse"],
        ),
        ("INFO token=grg_… code=ABCD-…", &[]),
        ("", &[]),
    ] {
        assert_eq!(seen.shown_in(line), expected, "{line}");
    }
}

/// Ports that a process listens on, as the kernel lists them.
fn listening(process: u32) -> Vec<String> {
    let of = |path: &str| format!("/proc/{process}/{path}");
    let sockets: Vec<String> = std::fs::read_dir(of("fd"))
        .expect("descriptors")
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok())
        .filter_map(|target| {
            let target = target.to_str()?.strip_prefix("socket:[")?;
            target.strip_suffix(']').map(str::to_owned)
        })
        .collect();
    let tables = ["net/tcp", "net/tcp6", "net/udp", "net/udp6"];
    let tables = tables.map(|table| std::fs::read_to_string(of(table)).unwrap_or_default());
    let lines = tables.iter().flat_map(|table| table.lines().skip(1));
    // Local address, remote address, state, …, inode: 0A listens, 07 is a socket of UDP.
    let columns = lines.map(|line| line.split_whitespace().collect::<Vec<_>>());
    columns
        .filter(|line| ["0A", "07"].contains(&line[3]))
        .filter(|line| sockets.iter().any(|socket| socket == line[9]))
        .map(|line| line[1].to_owned())
        .collect()
}

#[test]
fn the_server_listens_on_one_port_only() {
    let home = TempDir::new().expect("a directory");
    let (data, log) = (home.path().join("data"), home.path().join("log"));
    let server = Server::on(&data, &log);
    let (_, port) = server.address.rsplit_once(':').expect("a port");
    let port: u16 = port.parse().expect("a number");
    let ports = listening(server.child.id());
    assert_eq!(ports, [format!("0100007F:{port:04X}")]);
}
