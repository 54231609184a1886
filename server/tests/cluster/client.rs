//! A client that asks one thing after the other, on any node.

use std::time::Duration;

use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::node::Node;
use crate::patience::PATIENCE;

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A connection of a player.
pub(crate) struct Client {
    socket: Socket,
    token: Value,
    player: Value,
    /// Every frame that has come.
    heard: Vec<Value>,
}

impl Client {
    /// A new guest on this node.
    pub(crate) async fn come(node: &Node) -> Self {
        Self::greet(node, Value::Null, false).await
    }

    /// A new bot on this node.
    pub(crate) async fn come_as_bot(node: &Node) -> Self {
        Self::greet(node, Value::Null, true).await
    }

    /// The same with a name.
    pub(crate) async fn come_as(node: &Node, name: &str) -> Self {
        let mut hello = hello(&Value::Null);
        hello["name"] = json!(name);
        Self::greet_with(node, hello).await
    }

    /// How a node refuses the same player.
    pub(crate) async fn refused_by(&self, node: &Node) -> Value {
        let mut client = Self::connect(node).await;
        let refused = client.ask(hello(&self.token)).await;
        assert_eq!(refused["type"], "error", "{refused}");
        refused
    }

    /// Waits until the connection is closed. What comes before is passed over.
    pub(crate) async fn hears_the_end(&mut self) {
        let ended = async { while let Some(Ok(_)) = self.socket.next().await {} };
        timeout(PATIENCE, ended).await.expect("in time");
    }

    /// Asks, and waits for the reply; `None` if the connection is closed before it comes.
    pub(crate) async fn try_to_ask(&mut self, body: &Value) -> Option<Value> {
        let text = json!({"id": 1, "body": body}).to_string();
        let reply = async {
            self.socket.send(Message::text(text)).await.ok()?;
            loop {
                if let Message::Text(text) = self.socket.next().await?.ok()? {
                    let mut frame: Value = serde_json::from_str(&text).expect("JSON");
                    if frame.get("re").is_some() {
                        return Some(frame["body"].take());
                    }
                }
            }
        };
        timeout(PATIENCE, reply).await.expect("in time")
    }

    /// Asks these in turn, again and again, until the connection is closed; how many were answered without an error.
    pub(crate) async fn asks_to_the_end(&mut self, bodies: &[Value]) -> usize {
        let mut answered = 0;
        for body in bodies.iter().cycle() {
            let Some(reply) = self.try_to_ask(body).await else {
                break;
            };
            answered += usize::from(reply["type"] != "error");
        }
        answered
    }

    /// The same player on another node.
    pub(crate) async fn go_to(&self, node: &Node) -> Self {
        Self::greet(node, self.token.clone(), false).await
    }

    /// The id of the player.
    pub(crate) fn player(&self) -> &Value {
        &self.player
    }

    /// A new guest on this node, or why not.
    pub(crate) async fn try_to_come(node: &Node) -> Result<Self, Value> {
        Self::try_to_greet(node, hello(&Value::Null)).await
    }

    /// A connection on which nothing was said; `None` if the node takes none.
    pub(crate) async fn open(node: &Node) -> Option<Socket> {
        let url = format!("ws://{}/ws", node.address());
        let connected = connect_async(url).await;
        connected.ok().map(|(socket, _)| socket)
    }

    async fn connect(node: &Node) -> Self {
        Self {
            socket: Self::open(node).await.expect("it accepts"),
            token: Value::Null,
            player: Value::Null,
            heard: Vec::new(),
        }
    }

    async fn greet(node: &Node, token: Value, bot: bool) -> Self {
        let mut hello = hello(&token);
        if bot {
            hello["bot"] = json!(true);
        }
        Self::greet_with(node, hello).await
    }

    async fn greet_with(node: &Node, hello: Value) -> Self {
        let greeted = Self::try_to_greet(node, hello).await;
        greeted.unwrap_or_else(|reply| panic!("{reply}"))
    }

    async fn try_to_greet(node: &Node, hello: Value) -> Result<Self, Value> {
        let mut client = Self::connect(node).await;
        client.token = hello["token"].clone();
        let welcome = client.ask(hello).await;
        if welcome["type"] != "welcome" {
            return Err(welcome);
        }
        client.player = welcome["player"]["id"].clone();
        if client.token.is_null() {
            client.token = welcome["token"].clone();
        }
        Ok(client)
    }

    /// Asks without waiting for the reply.
    pub(crate) async fn send(&mut self, body: Value) {
        let text = json!({"id": 1, "body": body}).to_string();
        let sent = self.socket.send(Message::text(text)).await;
        sent.expect("it listens");
    }

    /// Asks, and waits for the reply. What comes before it is passed over.
    pub(crate) async fn ask(&mut self, body: Value) -> Value {
        self.send(body).await;
        let mut reply = self
            .frame_with(|frame| frame.get("re").is_some(), PATIENCE)
            .await;
        reply["body"].take()
    }

    /// The same; the reply must be of this type.
    pub(crate) async fn get(&mut self, body: Value, kind: &str) -> Value {
        let reply = self.ask(body).await;
        assert_eq!(reply["type"], kind, "{reply}");
        reply
    }

    /// Waits for the first frame that has all of this in its text.
    pub(crate) async fn hears(&mut self, parts: &[&str]) -> Value {
        let has_all = |frame: &Value| {
            let text = frame.to_string();
            parts.iter().all(|part| text.contains(part))
        };
        self.frame_with(has_all, PATIENCE).await
    }

    /// The first frame of all that has all of this in its text; waits for it if it has not come.
    pub(crate) async fn finds(&mut self, parts: &[&str]) -> Value {
        let has_all = |frame: &Value| {
            let text = frame.to_string();
            parts.iter().all(|part| text.contains(part))
        };
        let found = self.heard.iter().find(|frame| has_all(frame));
        match found {
            Some(found) => found.clone(),
            None => self.frame_with(has_all, PATIENCE).await,
        }
    }

    /// So many first events of the account of this player, as they came; waits for them.
    pub(crate) async fn account_events(&mut self, player: &str, count: usize) -> Vec<Value> {
        loop {
            let events = self.heard.iter().filter(|frame| frame["account"] == player);
            let events: Vec<Value> = events.cloned().collect();
            if events.len() >= count {
                return events;
            }
            self.frame_with(|frame| frame["account"] == player, PATIENCE)
                .await;
        }
    }

    /// Whether nothing with this in its text comes for so long.
    pub(crate) async fn hears_nothing_of(&mut self, part: &str, time: Duration) -> bool {
        let has = |frame: &Value| frame.to_string().contains(part);
        timeout(time, self.frame_with(has, PATIENCE)).await.is_err()
    }

    async fn frame_with(&mut self, wanted: impl Fn(&Value) -> bool, patience: Duration) -> Value {
        let heard = async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Text(text))) => {
                        let frame: Value = serde_json::from_str(&text).expect("JSON");
                        self.heard.push(frame.clone());
                        if wanted(&frame) {
                            return frame;
                        }
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    other => panic!("{other:?}"),
                }
            }
        };
        timeout(patience, heard).await.expect("in time")
    }
}

/// The first request, with this token if there is one.
fn hello(token: &Value) -> Value {
    let mut hello = json!({"type": "hello", "protocol": 1});
    if !token.is_null() {
        hello["token"] = token.clone();
    }
    hello
}
