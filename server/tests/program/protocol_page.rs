//! The transcripts of `docs/PROTOCOL.md`, played against the real server: what the page shows is what happens.
//!
//! In a received frame `…` as the last entry of an object stands for fields that the page leaves out. Ids, codes and
//! tokens are bound to the real ones at their first sight and must then agree; moments and clocks
//! (`…_ms`) need only be numbers.

use crate::process;

mod bounds;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// Longest wait for a frame.
const PATIENCE: Duration = Duration::from_secs(60);

struct Connection {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// Frames that came before the page got to them: a reply and an event may overtake each other.
    early: VecDeque<Value>,
}

/// What the page's ids, codes and tokens are called in this run.
#[derive(Default)]
struct Names(BTreeMap<String, String>);

impl Names {
    /// Whether a text of the page stands for something that is different in every run.
    fn varies(text: &str) -> bool {
        let match_id = text.len() == 10
            && text.chars().any(|c| c.is_ascii_digit())
            && !text.contains([' ', ':']);
        let code = text.len() == 8 && text.chars().all(|c| c.is_ascii_uppercase());
        let player = text.len() == 36 && text.matches('-').count() == 4;
        match_id || code || player || text.starts_with("grg_") || text == "…"
    }

    fn agree(&mut self, page: &str, real: &str) -> bool {
        if page == real || page == "…" {
            return true;
        }
        if !Self::varies(page) {
            return false;
        }
        self.0
            .entry(page.to_owned())
            .or_insert_with(|| real.to_owned())
            == real
    }

    /// The page's text with what is known by now.
    fn filled(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (page, real)| {
            text.replace(page.as_str(), real)
        })
    }
}

/// Whether the real frame is what the page shows; binds names on the way, so it is asked on a copy first.
fn matches(page: &Value, real: &Value, key: &str, names: &mut Names) -> bool {
    match (page, real) {
        (Value::Object(page), Value::Object(real)) => {
            let open = page.contains_key("…");
            let shown = page.iter().filter(|(key, _)| *key != "…");
            let all = shown.clone().all(|(key, page)| {
                real.get(key)
                    .is_some_and(|real| matches(page, real, key, names))
            });
            all && (open || shown.count() == real.len())
        }
        (Value::Array(page), Value::Array(real)) => {
            page.len() == real.len()
                && page
                    .iter()
                    .zip(real)
                    .all(|(page, real)| matches(page, real, key, names))
        }
        (Value::Number(_), Value::Number(_)) if key.ends_with("_ms") => true,
        (Value::String(page), Value::String(real)) => names.agree(page, real),
        _ => page == real,
    }
}

/// Makes JSON of a frame of the page: a bare `…` becomes a field of that name.
fn frame(text: &str) -> Value {
    let text = text.replace(",…}", r#","…":0}"#);
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("the page's frame is not JSON ({error}): {text}"))
}

async fn receive(connection: &mut Connection) -> Value {
    loop {
        let message = tokio::time::timeout(PATIENCE, connection.socket.next()).await;
        match message
            .expect("a frame in time")
            .expect("the connection is open")
            .expect("a good frame")
        {
            Message::Text(text) => return serde_json::from_str(&text).expect("a frame is JSON"),
            Message::Ping(_) | Message::Pong(_) => {}
            other => panic!("unexpected message {other:?}"),
        }
    }
}

/// Waits for the frame that the page shows; others that come first are kept for later lines.
///
/// # Errors
/// Something else came, and what was waited for cannot come any more; or it did not come in time.
async fn expect(
    connection: &mut Connection,
    page: &Value,
    names: &mut Names,
    line: &str,
) -> Result<(), String> {
    let fits = |real: &Value, names: &mut Names| {
        let mut trial = Names(names.0.clone());
        let fits = matches(page, real, "", &mut trial);
        if fits {
            *names = trial;
        }
        fits
    };
    if let Some(at) = connection.early.iter().position(|real| fits(real, names)) {
        connection.early.remove(at);
        return Ok(());
    }
    loop {
        let real = tokio::time::timeout(PATIENCE, receive(connection)).await;
        let Ok(real) = real else {
            return Err(format!(
                "the page's frame did not come: {line}\ncame: {:#?}",
                connection.early
            ));
        };
        if fits(&real, names) {
            return Ok(());
        }
        let same_reply = page.get("re").is_some() && page.get("re") == real.get("re");
        connection.early.push_back(real);
        if same_reply {
            return Err(format!(
                "another reply than the page shows\npage: {line}\nreal: {:#?}",
                connection.early
            ));
        }
        if connection.early.iter().any(is_outage) {
            return Err(format!("the server was late before: {line}"));
        }
    }
}

/// Whether a server that was late credits the time to a clock: no page can show that, and all later numbers are others.
fn is_outage(frame: &Value) -> bool {
    frame["body"]["type"] == "outage"
}

#[tokio::test]
async fn the_page_shows_what_the_server_does() {
    let page = page();
    assert!(!page.contains(r#""type":"outage""#), "none is expected");
    // A busy machine may make the server late in a few of the runs.
    for _ in 0..20 {
        let mut connections = BTreeMap::new();
        let Err(why) = play(&page, &mut connections).await else {
            return;
        };
        let mut came = connections.values().flat_map(|one| &one.early);
        assert!(came.any(is_outage), "{why}");
    }
    panic!("the server was late in every run");
}

/// Plays the transcripts of the page against a new server.
///
/// # Errors
/// How what happened differs from the page.
async fn play(page: &str, connections: &mut BTreeMap<String, Connection>) -> Result<(), String> {
    let server = process::Server::start(&[]);
    let (mut names, mut lines, mut inside) = (Names::default(), 0, false);
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```transcript";
            continue;
        }
        if !inside {
            continue;
        }
        lines += 1;
        let (who, text) = line.split_once(' ').expect("`A> frame` or `A< frame`");
        let (name, direction) = who.split_at(1);
        if !connections.contains_key(name) {
            let (socket, _) = tokio_tungstenite::connect_async(server.websocket())
                .await
                .expect("the server accepts");
            connections.insert(
                name.to_owned(),
                Connection {
                    socket,
                    early: VecDeque::new(),
                },
            );
        }
        let connection = connections.get_mut(name).expect("just opened");
        if direction == ">" {
            let text = names.filled(text);
            connection
                .socket
                .send(Message::text(text))
                .await
                .expect("the server reads");
        } else {
            expect(connection, &frame(text), &mut names, line).await?;
        }
    }
    assert!(lines > 40, "the page's transcripts were found");
    for (name, connection) in connections {
        let presence = |frame: &&Value| frame["body"]["type"] == "presence";
        let left: Vec<_> = connection
            .early
            .iter()
            .filter(|frame| !presence(frame))
            .collect();
        if !left.is_empty() {
            return Err(format!(
                "frames to {name} that the page does not show: {left:#?}"
            ));
        }
    }
    Ok(())
}

fn page() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/PROTOCOL.md"))
        .expect("the page")
}

/// The cells of the rows of a section's table.
fn table<'p>(page: &'p str, heading: &str) -> Vec<Vec<&'p str>> {
    let (_, section) = page
        .split_once(&format!("\n## {heading}\n"))
        .expect("the section");
    let section = section.split("\n## ").next().unwrap_or(section);
    section
        .lines()
        .filter(|line| line.starts_with("| "))
        .skip(1)
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

/// Every source file of the server as one text.
fn sources(directory: &Path, all: &mut String) {
    for entry in std::fs::read_dir(directory).expect("the sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push_str(&std::fs::read_to_string(&path).expect("a source file"));
        }
    }
}

/// `Name = 1008,` and `CloseCode::Name, "reason"` in the sources give each number with its reasons.
#[test]
fn the_page_has_every_close_reason_that_the_server_can_send() {
    let mut text = String::new();
    sources(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")),
        &mut text,
    );
    let declared = text
        .split_once("pub enum CloseCode {")
        .expect("the close codes")
        .1;
    let numbers: BTreeMap<&str, &str> = declared
        .lines()
        .take_while(|line| *line != "}")
        .filter_map(|line| line.trim().trim_end_matches(',').split_once(" = "))
        .collect();
    let mut sent = BTreeSet::new();
    for use_of_one in text.split("CloseCode::").skip(1) {
        let Some((name, rest)) = use_of_one.split_once(',') else {
            continue;
        };
        if let (Some(number), Some(rest)) = (numbers.get(name), rest.trim_start().strip_prefix('"'))
        {
            let reason = rest.split('"').next().unwrap_or_default();
            sent.insert(((*number).to_owned(), format!("`{reason}`")));
        }
    }
    let page = page();
    let shown = table(&page, "Closing")
        .into_iter()
        .map(|cells| (cells[0].to_owned(), cells[1].to_owned()))
        .filter(|(code, _)| code.parse::<u16>().is_ok())
        .collect::<BTreeSet<_>>();
    assert!(
        sent.iter().filter(|(code, _)| code == "1008").count() >= 6,
        "they were found"
    );
    assert_eq!(shown, sent, "left: the page, right: the sources");
}
