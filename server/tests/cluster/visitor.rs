//! A client that does more than play: it sends one request after another, connects to another node when this one fails, and records every line of chat.

use std::sync::Arc;
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use crate::client::Socket;
use crate::facts::Line;
use crate::journal::Journal;
use crate::player::{ANSWER, PAUSE, SILENT, Table};
use crate::wire::Failed;

/// A request to a busy server is repeated after this at the latest.
const BUSY: Duration = Duration::from_millis(500);

/// A visitor.
pub(crate) struct Visitor {
    table: Arc<Table>,
    at: usize,
    socket: Option<Socket>,
    journal: Journal,
    token: Value,
    id: Value,
    requests: u64,
    /// The first request on each connection.
    habits: Vec<Value>,
}

impl Visitor {
    /// One with a journal, who begins on this node.
    pub(crate) fn new(table: &Arc<Table>, name: &str, home: usize) -> Self {
        Self {
            table: Arc::clone(table),
            at: home % table.nodes.len(),
            socket: None,
            journal: Journal::create(&table.directory.join(format!("{name}.journal"))),
            token: Value::Null,
            id: Value::Null,
            requests: 0,
            habits: Vec::new(),
        }
    }

    /// The id of the player, once there is one.
    pub(crate) fn id(&self) -> &Value {
        &self.id
    }

    /// Sends this first on each connection from now on. The answer does not matter.
    pub(crate) fn always(&mut self, habits: Vec<Value>) {
        self.habits = habits;
        self.socket = None;
    }

    /// Connects, unless that is done.
    pub(crate) async fn arrive(&mut self) {
        while self.socket.is_none() && self.greet().await.is_err() {
            self.go_on_elsewhere().await;
        }
    }

    /// Repeats a request until its answer is not a temporary refusal. Only for requests that can be repeated.
    pub(crate) async fn settle(&mut self, body: &Value) -> Value {
        loop {
            if let Ok(reply) = self.ask(body).await {
                return reply;
            }
        }
    }

    /// Sends a request once. If there is no answer, it is unknown whether it was carried out.
    ///
    /// # Errors
    /// There was none, or the server cannot do it now.
    pub(crate) async fn ask(&mut self, body: &Value) -> Result<Value, Failed> {
        self.arrive().await;
        match timeout(ANSWER, self.ask_here(body)).await {
            Ok(Ok(reply)) if !is_for_later(&reply) => Ok(reply),
            Ok(Ok(reply)) => {
                let wait = reply["retry_after_ms"].as_u64().map(Duration::from_millis);
                sleep(wait.unwrap_or(PAUSE).min(BUSY)).await;
                if reply["closes"] == true || reply["code"] == "shutting_down" {
                    self.go_on_elsewhere().await;
                }
                Err(Failed)
            }
            Ok(Err(Failed)) | Err(_) => {
                self.go_on_elsewhere().await;
                Err(Failed)
            }
        }
    }

    async fn go_on_elsewhere(&mut self) {
        self.socket = None;
        self.at = (self.at + 1) % self.table.nodes.len();
        sleep(PAUSE).await;
    }

    async fn greet(&mut self) -> Result<(), Failed> {
        let url = format!("ws://{}/ws", self.table.nodes[self.at]);
        let connected = timeout(SILENT, connect_async(url)).await;
        let (socket, _) = connected.map_err(|_| Failed)?.map_err(|_| Failed)?;
        self.socket = Some(socket);
        let mut hello = json!({"type": "hello", "protocol": 1, "bot": true});
        if !self.token.is_null() {
            hello = json!({"type": "hello", "protocol": 1, "token": self.token});
        }
        let welcome = timeout(ANSWER, self.ask_here(&hello)).await;
        let welcome = welcome.map_err(|_| Failed)??;
        if welcome["type"] != "welcome" {
            return Err(Failed);
        }
        if self.token.is_null() {
            self.token = welcome["token"].clone();
            self.id = welcome["player"]["id"].clone();
        }
        for habit in self.habits.clone() {
            let asked = timeout(ANSWER, self.ask_here(&habit)).await;
            asked.map_err(|_| Failed)??;
        }
        Ok(())
    }

    async fn ask_here(&mut self, body: &Value) -> Result<Value, Failed> {
        self.requests += 1;
        let number = self.requests;
        let text = json!({"id": number, "body": body}).to_string();
        self.journal.sent(&text);
        let socket = self.socket.as_mut().ok_or(Failed)?;
        let sent = socket.send(Message::text(text)).await;
        sent.map_err(|_| Failed)?;
        loop {
            let mut frame = self.hear().await?;
            if frame["re"] == number {
                return Ok(frame["body"].take());
            }
        }
    }

    /// Receives frames for this long.
    pub(crate) async fn listen(&mut self, time: Duration) {
        let heard = async { while self.hear().await.is_ok() {} };
        if timeout(time, heard).await.is_ok() {
            self.go_on_elsewhere().await;
        }
    }

    /// May be dropped while it waits.
    async fn hear(&mut self) -> Result<Value, Failed> {
        let socket = self.socket.as_mut().ok_or(Failed)?;
        let text = loop {
            match socket.next().await {
                Some(Ok(Message::Text(text))) => break text,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => return Err(Failed),
            }
        };
        self.journal.received(&text);
        let frame: Value = serde_json::from_str(&text).expect("the server speaks the protocol");
        if let Some(line) = Line::of_frame(&frame) {
            self.table.facts().heard(line);
        }
        Ok(frame)
    }
}

/// Whether a refusal says that the server cannot do it now.
fn is_for_later(reply: &Value) -> bool {
    const FOR_LATER: [&str; 4] = ["server_busy", "rate_limited", "read_only", "shutting_down"];
    reply["type"] == "error" && FOR_LATER.iter().any(|code| reply["code"] == *code)
}
