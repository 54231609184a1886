//! A client that speaks the protocol frame by frame.

use std::time::Duration;

use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::process::Server;

/// Longest wait for a frame.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A client that asks one thing after the other.
pub(crate) struct Client(pub(crate) WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Client {
    /// Comes as this player, who must be welcome.
    pub(crate) async fn come(server: &Server, hello: Value) -> (Self, Value) {
        let (client, welcome) = Self::greet(server, hello).await;
        assert_eq!(welcome["type"], "welcome", "{welcome}");
        (client, welcome["token"].clone())
    }

    /// Says hello; the reply may be a refusal.
    pub(crate) async fn greet(server: &Server, mut hello: Value) -> (Self, Value) {
        let (socket, _) = connect_async(server.websocket()).await.expect("it accepts");
        let mut client = Self(socket);
        (hello["type"], hello["protocol"]) = (json!("hello"), json!(1));
        let reply = client.ask(hello).await;
        (client, reply)
    }

    /// Waits until the server closes the connection, and says why.
    pub(crate) async fn closed(&mut self) -> String {
        let closed = async {
            loop {
                match self.0.next().await {
                    Some(Ok(Message::Close(Some(frame)))) => return frame.reason.to_string(),
                    Some(Ok(_)) => {}
                    other => panic!("{other:?}"),
                }
            }
        };
        tokio::time::timeout(PATIENCE, closed)
            .await
            .expect("in time")
    }

    /// Waits for the first frame that has all of this in its text.
    pub(crate) async fn hears(&mut self, parts: &[&str]) -> Value {
        let heard = async {
            loop {
                match self.0.next().await {
                    Some(Ok(Message::Text(text)))
                        if parts.iter().all(|part| text.contains(part)) =>
                    {
                        return serde_json::from_str(&text).expect("JSON");
                    }
                    Some(Ok(message)) if !message.is_close() => {}
                    // A connection that has ended says so at once, again and again.
                    other => panic!("{other:?} before {parts:?}"),
                }
            }
        };
        tokio::time::timeout(PATIENCE, heard)
            .await
            .expect("in time")
    }

    /// Asks, and waits for the reply. What comes before it is passed over.
    pub(crate) async fn ask(&mut self, body: Value) -> Value {
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
        let replied = tokio::time::timeout(PATIENCE, reply).await;
        replied.expect("in time")
    }
}
