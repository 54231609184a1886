//! WebSocket frames by tungstenite; nothing else of the program knows it.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures::{Sink, Stream as _};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::{Error, ProtocolError};
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::frame::coding;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use super::heads::{BadHead, Heads};
use super::stream::Stream;
use crate::config::Limits;
use crate::matches::Frame;
use crate::session::socket::{CloseCode, Heard, Lost, Socket};

/// Bytes read at a time: several moves. Larger buffers cost memory for each connection, and time, since they are cleared at
/// each read.
const READ_BUFFER: usize = 1024;
/// Bytes written before a flush is asked for.
const WRITE_BUFFER: usize = 8 * 1024;
/// A message may take this many times its limit in fragments and their heads.
const FRAGMENTS: usize = 8;
/// How long a peer has to take what waits for it and our close frame: who is closed as too slow is slow in this as well.
const LAST_FRAMES: Duration = Duration::from_secs(5);
/// How long it then has to hang up. Closing earlier would reset the connection if the peer says one more thing, and on some systems a
/// reset discards what the peer has not read; whether it has read everything cannot be known.
const PARTING: Duration = Duration::from_secs(2);
/// Bytes of a peer that are read and thrown away after our close frame, lest they reset the connection before it is read.
const PARTING_BYTES: usize = 1 << 20;

/// What `Sec-WebSocket-Accept` answers to a key.
#[must_use]
pub(super) fn accept_key(key: &[u8]) -> String {
    derive_accept_key(key)
}

/// One WebSocket connection.
#[derive(Debug)]
pub struct WsSocket(WebSocketStream<Metered>);

impl WsSocket {
    /// Takes over a connection after its handshake; `read` is what the peer has sent since.
    pub(super) async fn new(stream: Stream, read: &Bytes, limits: &Limits) -> Self {
        let message = limits.message_bytes as usize;
        let waiting = limits.queue_bytes as usize + 4 * limits.reply_bytes as usize;
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(WRITE_BUFFER)
            .max_write_buffer_size(waiting)
            .max_message_size(Some(message))
            .max_frame_size(Some(message))
            .accept_unmasked_frames(false);
        let mut stream = Metered {
            stream,
            since_message: 0,
            allowed: FRAGMENTS * message,
            heads: Heads::default(),
            bad: None,
        };
        let mut read = read.to_vec();
        let good = stream.follow(&read);
        read.truncate(good);
        Self(WebSocketStream::from_partially_read(stream, read, Role::Server, Some(config)).await)
    }

    fn feed_message(&mut self, message: Message) -> Result<(), Lost> {
        Pin::new(&mut self.0).start_send(message).map_err(|_| Lost)
    }
}

impl Socket for WsSocket {
    type Text = Utf8Bytes;

    fn poll_hear(&mut self, context: &mut Context<'_>) -> Poll<Heard<Utf8Bytes>> {
        loop {
            let next = std::task::ready!(Pin::new(&mut self.0).poll_next(context));
            self.0.get_mut().since_message = 0;
            return Poll::Ready(match next {
                None => Heard::Gone,
                Some(Ok(Message::Text(text))) => Heard::Text(text),
                Some(Ok(Message::Binary(_))) => Heard::Binary,
                Some(Ok(Message::Pong(_))) => Heard::Pong,
                Some(Ok(Message::Ping(_) | Message::Frame(_))) => Heard::Control,
                // Read on: that sends our answer, and ends the stream.
                Some(Ok(Message::Close(_))) => continue,
                Some(Err(error)) => match self.0.get_ref().bad {
                    Some(bad) if matches!(error, Error::Io(_)) => of_head(bad),
                    _ => of_error(&error),
                },
            });
        }
    }

    fn feed(&mut self, frame: Frame) -> Result<(), Lost> {
        let text = Utf8Bytes::try_from(frame.into_bytes()).map_err(|_| Lost)?;
        self.feed_message(Message::Text(text))
    }

    fn feed_ping(&mut self) -> Result<(), Lost> {
        self.feed_message(Message::Ping(Bytes::new()))
    }

    fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Lost>> {
        Pin::new(&mut self.0).poll_flush(context).map_err(|_| Lost)
    }

    async fn close(mut self, code: CloseCode, reason: &'static str) {
        let frame = CloseFrame {
            code: coding::CloseCode::from(code as u16),
            reason: Utf8Bytes::from_static(reason),
        };
        let said = async {
            self.feed_message(Message::Close(Some(frame)))?;
            poll_fn(|context| self.poll_flush(context)).await
        };
        if let Ok(Ok(())) = tokio::time::timeout(LAST_FRAMES, said).await {
            let mut stream = self.0.into_inner().stream;
            // Whether the peer reads it is its own affair.
            let _ = tokio::time::timeout(PARTING, see_off(&mut stream)).await;
        }
    }
}

/// Waits until the peer hangs up, reading what it still sends.
async fn see_off(stream: &mut Stream) -> io::Result<()> {
    stream.shutdown().await?;
    let mut rest = stream.take(PARTING_BYTES as u64);
    let mut waste = [0; 1024];
    while rest.read(&mut waste).await? > 0 {}
    Ok(())
}

fn of_error<T>(error: &Error) -> Heard<T> {
    match error {
        Error::Capacity(_) => Heard::Unlawful(CloseCode::TooLarge, "message too large"),
        Error::Utf8(_) => Heard::Unlawful(CloseCode::BadText, "text is not UTF-8"),
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => Heard::Gone,
        Error::Protocol(_) => Heard::Unlawful(CloseCode::Protocol, "bad frame"),
        Error::Io(error) if error.kind() == io::ErrorKind::QuotaExceeded => {
            Heard::Unlawful(CloseCode::TooLarge, "endless fragments")
        }
        _ => Heard::Gone,
    }
}

fn of_head<T>(bad: BadHead) -> Heard<T> {
    match bad {
        BadHead::Length => Heard::Unlawful(CloseCode::Protocol, "bad frame"),
        BadHead::Binary => Heard::Binary,
    }
}

/// A stream that counts what was read since the last whole message: fragments without end or content are a message too
/// large, which tungstenite alone would go on reading. It ends before a frame whose head is refused.
#[derive(Debug)]
struct Metered {
    stream: Stream,
    since_message: usize,
    allowed: usize,
    heads: Heads,
    bad: Option<BadHead>,
}

impl Metered {
    /// Follows the bytes that were read; how many of them are good.
    fn follow(&mut self, bytes: &[u8]) -> usize {
        match self.heads.follow(bytes) {
            Ok(()) => bytes.len(),
            Err((good, bad)) => {
                self.bad = Some(bad);
                good
            }
        }
    }
}

impl AsyncRead for Metered {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.since_message > self.allowed {
            return Poll::Ready(Err(io::ErrorKind::QuotaExceeded.into()));
        }
        if self.bad.is_some() {
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        let good = self.follow(&buffer.filled()[before..]);
        self.since_message += good;
        buffer.set_filled(before + good);
        if good == 0 && self.bad.is_some() {
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        polled
    }
}

impl AsyncWrite for Metered {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::{TcpListener, TcpStream};
    use tokio::time::Instant;

    use super::*;
    use crate::config::Config;

    /// A connection and its peer, after the handshake.
    async fn pair() -> (WsSocket, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let peer = TcpStream::connect(address).await.expect("it listens");
        let (stream, _) = listener.accept().await.expect("a connection");
        let limits = Config::default().limits;
        (
            WsSocket::new(Stream::Left(stream), &Bytes::new(), &limits).await,
            peer,
        )
    }

    /// How long the close of a connection takes; time passes only where nothing else can happen.
    async fn time_to_close(socket: WsSocket) -> Duration {
        let began = Instant::now();
        socket.close(CloseCode::Restart, "shutting_down").await;
        began.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_hangs_up_is_not_waited_for() {
        let (socket, mut peer) = pair().await;
        // It may still say something, and hears everything.
        peer.write_all(b"\x81\x80abcd").await.expect("sent");
        peer.shutdown().await.expect("hung up");
        assert_eq!(time_to_close(socket).await, Duration::ZERO);
        let mut heard = Vec::new();
        peer.read_to_end(&mut heard).await.expect("no reset");
        assert!(heard.ends_with(b"shutting_down"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_does_not_hang_up_is_waited_for_in_vain() {
        let (socket, peer) = pair().await;
        assert_eq!(time_to_close(socket).await, PARTING);
        drop(peer);
    }
}
