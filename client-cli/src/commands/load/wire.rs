//! One connection to a server, read and written as cheaply as the library allows: the load client must not be
//! what is measured.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::net::SocketAddr;

use futures::{SinkExt as _, StreamExt as _};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

/// 4 KiB buffers: tungstenite fills the whole read buffer with zeros at each read, so that a large one costs time.
pub(super) fn socket_config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(4096)
        .write_buffer_size(4096)
}

/// A frame of the server in one flat shape: every field that the load client looks at, whatever the type.
#[derive(Deserialize, Debug)]
pub(super) struct Frame<'a> {
    /// The request that is answered; `None` in events, notices and refusals of what had no id.
    #[serde(default)]
    pub(super) re: Option<u64>,
    /// The match of an event.
    #[serde(default, rename = "match")]
    pub(super) match_id: Option<&'a str>,
    /// The number of an event in its match; `None` in replies and notices.
    #[serde(default)]
    pub(super) seq: Option<u64>,
    /// What is said.
    #[serde(borrow)]
    pub(super) body: Body<'a>,
}

/// See [`Frame`].
#[derive(Deserialize, Debug)]
pub(super) struct Body<'a> {
    /// The type of the reply, event or notice.
    #[serde(rename = "type")]
    pub(super) kind: &'a str,
    /// The match of a reply.
    #[serde(default, rename = "match")]
    pub(super) match_id: Option<&'a str>,
    /// `accepted`: the number of the event; `snapshot`: the newest one contained.
    #[serde(default)]
    pub(super) seq: Option<u64>,
    /// `accepted` and `moved`: the number of the move.
    #[serde(default)]
    pub(super) ply: Option<u32>,
    /// `moved`: the move.
    #[serde(default, rename = "move")]
    pub(super) move_text: Option<&'a str>,
    /// `created`: the join code; `error`: the cause.
    #[serde(default)]
    pub(super) code: Option<&'a str>,
    /// `error`: the cause in words.
    #[serde(default, borrow)]
    pub(super) message: Option<Cow<'a, str>>,
    /// `error`: when to try again.
    #[serde(default)]
    pub(super) retry_after_ms: Option<u64>,
    /// `welcome`: every bound.
    #[serde(default, borrow)]
    pub(super) limits: Option<&'a RawValue>,
    /// `welcome`: the server's name and version.
    #[serde(default, borrow)]
    pub(super) server: Option<&'a RawValue>,
    /// `record`: the page.
    #[serde(default, borrow)]
    pub(super) events: Option<&'a RawValue>,
}

/// Why a connection came to an end before its time.
#[derive(Debug, thiserror::Error)]
pub(super) enum LinkError {
    /// The other side closed, or the network failed.
    #[error("connection lost: {0}")]
    Lost(String),
    /// The server said no.
    #[error("refused: {message} ({code})")]
    Refused {
        /// The code of the refusal.
        code: String,
        /// In words.
        message: String,
        /// When to try again, if it said so.
        retry_after_ms: Option<u64>,
    },
    /// The server said something that breaks its promises.
    #[error("wrong answer: {0}")]
    Wrong(String),
}

impl From<Error> for LinkError {
    fn from(error: Error) -> Self {
        Self::Lost(error.to_string())
    }
}

/// A WebSocket connection with a counter of requests.
pub(super) struct Link {
    socket: WebSocketStream<TcpStream>,
    asked: u64,
}

impl Link {
    /// Connects and upgrades.
    ///
    /// # Errors
    /// The server does not take the connection.
    pub(super) async fn connect(address: SocketAddr) -> Result<Self, LinkError> {
        let stream = TcpStream::connect(address)
            .await
            .map_err(|error| LinkError::Lost(error.to_string()))?;
        stream.set_nodelay(true).map_err(Error::from)?;
        let (socket, _) = tokio_tungstenite::client_async_with_config(
            format!("ws://{address}/ws"),
            stream,
            Some(socket_config()),
        )
        .await?;
        Ok(Self { socket, asked: 0 })
    }

    /// Sends a request with this body (JSON) and returns its id.
    ///
    /// # Errors
    /// The connection is gone.
    pub(super) async fn ask(&mut self, body: std::fmt::Arguments<'_>) -> Result<u64, LinkError> {
        self.asked += 1;
        let mut frame = String::with_capacity(160);
        write!(frame, r#"{{"id":{},"body":{body}}}"#, self.asked)
            .expect("writing to a string does not fail");
        self.socket.send(Message::Text(frame.into())).await?;
        Ok(self.asked)
    }

    /// The next text message. Pings are answered on the way. Safe to drop half way.
    ///
    /// # Errors
    /// The connection is gone.
    pub(super) async fn next(&mut self) -> Result<Utf8Bytes, LinkError> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => return Ok(text),
                Some(Ok(Message::Close(Some(why)))) => {
                    return Err(LinkError::Lost(format!(
                        "closed with {}: {}",
                        why.code, why.reason
                    )));
                }
                Some(Ok(Message::Close(None))) | None => {
                    return Err(LinkError::Lost("closed without a reason".into()));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error.into()),
            }
        }
    }

    /// Asks and waits for the reply; anything that comes before it goes to `other`.
    ///
    /// # Errors
    /// A refusal, a lost connection, or something unreadable.
    pub(super) async fn request(
        &mut self,
        body: std::fmt::Arguments<'_>,
        mut other: impl FnMut(&Frame<'_>) -> Result<(), LinkError>,
    ) -> Result<Utf8Bytes, LinkError> {
        let id = self.ask(body).await?;
        loop {
            let text = self.next().await?;
            let frame = read(&text)?;
            if frame.re == Some(id) {
                return Ok(text);
            }
            other(&frame)?;
        }
    }
}

/// Reads a frame; a refusal is an error.
///
/// # Errors
/// Not a frame, or a refusal.
pub(super) fn read(text: &str) -> Result<Frame<'_>, LinkError> {
    let frame: Frame<'_> = serde_json::from_str(text)
        .map_err(|error| LinkError::Wrong(format!("{error} in {text}")))?;
    if frame.body.kind == "error" {
        let wait = frame.body.retry_after_ms;
        let wait = wait.map_or(String::new(), |ms| format!(", retry after {ms} ms"));
        return Err(LinkError::Refused {
            code: frame.body.code.unwrap_or("?").to_owned(),
            message: format!("{}{wait}", frame.body.message.as_deref().unwrap_or("?")),
            retry_after_ms: frame.body.retry_after_ms,
        });
    }
    Ok(frame)
}
