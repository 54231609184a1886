//! One connection of a player: requests out, replies and events in, everything in the journal.

use futures::{SinkExt, StreamExt};
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Seq};
use grundy_shared::protocol::{ClientFrame, ClientMessage, Notice, Reply, ServerFrame};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::journal::Journal;

/// The server is gone, says nothing, or refuses: the player tries another one.
#[derive(Debug)]
pub(crate) struct Failed;

/// What a server said.
pub(crate) enum Heard {
    /// The answer to the request with this id.
    Reply(u64, Reply),
    /// An event of a match.
    Event(MatchId, Seq, Event),
    /// Something about the connection or the server.
    Notice(Notice),
}

/// A connection.
pub(crate) struct Wire(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Wire {
    /// Connects to `HOST:PORT`.
    pub(crate) async fn connect(address: &str) -> Result<Self, Failed> {
        let connected = connect_async(format!("ws://{address}/ws")).await;
        let (socket, _) = connected.map_err(|_| Failed)?;
        Ok(Self(socket))
    }

    /// Sends a request under an id of the caller's choice.
    pub(crate) async fn send(
        &mut self,
        journal: &mut Journal,
        id: u64,
        body: ClientMessage,
    ) -> Result<(), Failed> {
        let frame = ClientFrame { id, body }.to_json();
        journal.sent(&frame);
        let sent = self.0.send(Message::text(frame)).await;
        sent.map_err(|_| Failed)
    }

    /// The next thing that the server says. May be dropped while it waits.
    pub(crate) async fn hear(&mut self, journal: &mut Journal) -> Result<Heard, Failed> {
        let text = loop {
            match self.0.next().await {
                Some(Ok(Message::Text(text))) => break text,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => return Err(Failed),
            }
        };
        journal.received(&text);
        let frame: ServerFrame =
            serde_json::from_str(&text).expect("the server speaks the protocol");
        Ok(match (frame.re, frame.match_id, frame.seq) {
            (Some(Some(id)), ..) => Heard::Reply(id, read(frame.body.get())),
            (None, Some(id), Some(seq)) => Heard::Event(id, seq, read(frame.body.get())),
            _ => Heard::Notice(read(frame.body.get())),
        })
    }
}

fn read<T: serde::de::DeserializeOwned>(body: &str) -> T {
    serde_json::from_str(body)
        .unwrap_or_else(|error| panic!("the server speaks the protocol: {error}: {body}"))
}
