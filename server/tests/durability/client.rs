//! One connection of a client: requests out, replies and events in, everything in its journal.

use std::borrow::BorrowMut;

use futures::{SinkExt, StreamExt};
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Seq};
use grundy_shared::protocol::{ClientFrame, ClientMessage, ErrorCode, Reply, ServerFrame};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::journal::Journal;
use crate::process::PATIENCE;

/// The server is gone.
#[derive(Debug)]
pub(crate) struct Gone;

/// What the server said.
pub(crate) enum Heard {
    /// The answer to the request with this id.
    Reply(u64, Reply),
    /// An event of a match.
    Event(MatchId, Seq, Event),
    /// Anything else.
    Other,
}

/// A connection.
pub(crate) struct Client<J> {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    journal: J,
}

impl<J: BorrowMut<Journal>> Client<J> {
    /// Connects to `HOST:PORT`.
    pub(crate) async fn connect(address: &str, journal: J) -> Result<Self, Gone> {
        let connecting = connect_async(format!("ws://{address}/ws"));
        let (socket, _) = tokio::time::timeout(PATIENCE, connecting)
            .await
            .expect("a server accepts or refuses a connection in time")
            .map_err(|_| Gone)?;
        Ok(Self { socket, journal })
    }

    /// Sends a request under an id of the caller's choice.
    pub(crate) async fn send(
        &mut self,
        id: u64,
        body: impl Into<ClientMessage>,
    ) -> Result<(), Gone> {
        let frame = ClientFrame {
            id,
            body: body.into(),
        }
        .to_json();
        self.journal.borrow_mut().sent(&frame);
        self.socket
            .send(Message::text(frame))
            .await
            .map_err(|_| Gone)
    }

    /// The next thing that the server says. May be dropped while it waits.
    pub(crate) async fn hear(&mut self) -> Result<Heard, Gone> {
        let text = loop {
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => break text,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                // Whether it should have stopped, its exit status shows.
                Some(Ok(Message::Close(Some(why)))) if why.code == CloseCode::Restart => {
                    return Err(Gone);
                }
                Some(Ok(Message::Close(why))) => {
                    panic!("a server that lives closes the connection: {why:?}")
                }
                Some(Ok(_) | Err(_)) | None => return Err(Gone),
            }
        };
        self.journal.borrow_mut().received(&text);
        let frame: ServerFrame =
            serde_json::from_str(&text).expect("the server speaks the protocol");
        Ok(match (frame.re, frame.match_id, frame.seq) {
            (Some(Some(id)), ..) => match read(frame.body.get()) {
                Reply::Error(refusal) if refusal.code == ErrorCode::ShuttingDown => {
                    return Err(Gone);
                }
                reply => Heard::Reply(id, reply),
            },
            (None, Some(match_id), Some(seq)) => {
                Heard::Event(match_id, seq, read(frame.body.get()))
            }
            _ => Heard::Other,
        })
    }
}

fn read<T: serde::de::DeserializeOwned>(body: &str) -> T {
    serde_json::from_str(body)
        .unwrap_or_else(|error| panic!("the server speaks the protocol: {error}: {body}"))
}
