//! One WebSocket to a server: requests and their replies, events and notices.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::time::Duration;

use futures::{SinkExt as _, StreamExt as _};
use grundy_shared::event::{Event, PlayerInfo};
use grundy_shared::ids::{MatchId, Millis, Seq, ServerId};
use grundy_shared::protocol::chat::Room;
use grundy_shared::protocol::client::{ClientFrame, ClientMessage, Hello};
use grundy_shared::protocol::server::{Limits, Notice, Obligation, Reply, ServerFrame};
use grundy_shared::protocol::{AccountEvent, ChatEvent, ErrorCode, Scopes, Secret, VERSION};
use grundy_shared::tournament::Dated;
use grundy_words::Message;
use rustls::pki_types::ServerName;
use rustls::{AlertDescription, CertificateError, InvalidMessage};
use serde::Deserialize;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::client_async_with_config;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::http::header::RETRY_AFTER;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message as SocketMessage};
use tokio_util::either::Either;

use crate::address::Address;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::system;
use crate::trust::Trust;

/// The largest message that is read: the server's own bound is 64 KiB, a newer one may have a larger.
const MESSAGE_BYTES: usize = 1 << 20;
/// The header in which a server says who it is.
const SERVER_ID: &str = "grundy-server";
/// Events and notices that may wait while a reply is awaited.
const WAITING: usize = 4_096;

/// The way to a server, encrypted or not.
pub(crate) type Stream = Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// Something the server said.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// The answer to the request of this number.
    Reply(u64, Box<Answer>),
    /// Something happened in a match.
    Event(MatchId, Seq, Event),
    /// Something happened in a match that only a newer client understands in full: the body as it came.
    Unknown(MatchId, Seq, Value),
    /// Something happened in a tournament.
    Tournament(Seq, Box<Dated>),
    /// A chat line in a room of a match.
    Chat(MatchId, Room, Seq, ChatEvent),
    /// Something happened to our account.
    Account(AccountEvent),
    /// The server says something of itself.
    Notice(Notice),
}

/// The answer to a request: a refusal is `Err`.
pub(crate) type Answer = Result<Reply, Failure>;

/// What the server says first.
#[derive(Debug)]
pub(crate) struct Welcome {
    /// The server's name and version.
    pub(crate) server: String,
    /// The server's id.
    pub(crate) server_id: Option<ServerId>,
    /// The address that it gives for itself.
    pub(crate) url: Option<String>,
    /// The server's time.
    pub(crate) now: Millis,
    /// Who we are.
    pub(crate) player: PlayerInfo,
    /// The secret of a new guest.
    pub(crate) token: Option<Secret>,
    /// What our token is good for there; none if the server is older than scopes.
    pub(crate) scopes: Scopes,
    /// When our token expires.
    pub(crate) token_expires_at: Option<Millis>,
    /// Whether the account has a password.
    pub(crate) claimed: bool,
    /// The server's bounds.
    pub(crate) limits: Limits,
    /// Matches that are not over.
    pub(crate) obligations: Vec<Obligation>,
}

/// An open connection. Nothing but `hello` can be asked before the server has said `welcome`.
#[derive(Debug)]
pub(crate) struct Connection {
    socket: WebSocketStream<Stream>,
    server_id: Option<ServerId>,
    next_id: u64,
    waiting: VecDeque<Incoming>,
    patience: Duration,
}

impl Connection {
    /// Connects and says hello; `patience` is how long to wait for each answer.
    ///
    /// # Errors
    /// The server is not there (exit 5), is none of ours or another version (8), or refuses us.
    pub(crate) async fn open(
        address: &Address,
        hello: Hello,
        patience: Duration,
    ) -> Result<(Self, Welcome), Failure> {
        let mut connection = Self::reach(address, patience).await?;
        let welcome = connection.greet(hello).await?;
        Ok((connection, welcome))
    }

    /// Connects, and says nothing yet.
    ///
    /// # Errors
    /// The server is not there (exit 5), or is none of ours (8).
    pub(crate) async fn reach(address: &Address, patience: Duration) -> Result<Self, Failure> {
        let (socket, server_id) = connect_in_turn(address, patience).await?;
        Ok(Self {
            socket,
            server_id,
            next_id: 0,
            waiting: VecDeque::new(),
            patience,
        })
    }

    /// Who the server says that it is, before we have said who we are. `None` if it is older than that, or if a proxy has removed it.
    pub(crate) fn server_id(&self) -> Option<ServerId> {
        self.server_id
    }

    /// How long each answer is waited for.
    pub(crate) fn patience(&self) -> Duration {
        self.patience
    }

    /// Says hello.
    ///
    /// # Errors
    /// The server speaks another version (8), or refuses us.
    pub(crate) async fn greet(&mut self, hello: Hello) -> Result<Welcome, Failure> {
        match self.ask(hello).await? {
            Reply::Welcome { protocol, .. } if protocol != VERSION => Err(other_version(protocol)),
            Reply::Welcome {
                server,
                server_id,
                url,
                now_ms,
                player,
                token,
                scopes,
                token_expires_at_ms,
                claimed,
                limits,
                obligations,
                ..
            } => Ok(Welcome {
                server,
                server_id,
                url,
                now: now_ms,
                player,
                token,
                scopes,
                token_expires_at: token_expires_at_ms,
                claimed,
                limits,
                obligations,
            }),
            other => Err(unexpected(&other)),
        }
    }

    /// Sends a request; its number comes back with the reply.
    pub(crate) async fn send(&mut self, body: impl Into<ClientMessage>) -> Result<u64, Failure> {
        let id = self.next_id;
        self.next_id += 1;
        let frame = ClientFrame {
            id,
            body: body.into(),
        };
        let sending = self.socket.send(SocketMessage::text(frame.to_json()));
        match timeout(self.patience, sending).await {
            Ok(Ok(())) => Ok(id),
            Ok(Err(error)) => Err(lost(&error.to_string())),
            Err(_) => Err(lost("it accepts no more messages")),
        }
    }

    /// Sends a request and waits for its reply; events and notices that come before it wait for [`Self::receive`]. Where the server wants
    /// it asked more slowly, or is busy, asks again when it may, as long as that begins within the patience for an answer.
    pub(crate) async fn ask(&mut self, body: impl Into<ClientMessage>) -> Answer {
        let body = body.into();
        let give_up = Instant::now() + self.patience;
        loop {
            let answer = self.ask_once(body.clone()).await;
            let patience = give_up.saturating_duration_since(Instant::now());
            let wait = match &answer {
                Ok(_) => None,
                Err(failure) => failure
                    .slow_down(patience)
                    .or_else(|| failure.come_back(patience)),
            };
            let Some(wait) = wait else {
                return answer;
            };
            sleep(wait).await;
        }
    }

    async fn ask_once(&mut self, body: ClientMessage) -> Answer {
        let id = self.send(body).await?;
        let patience = self.patience;
        let answer = async {
            loop {
                match self.read().await? {
                    Incoming::Reply(re, answer) if re == id => return *answer,
                    other if self.waiting.len() < WAITING => self.waiting.push_back(other),
                    _ => return Err(lost("it sends messages but no answer")),
                }
            }
        };
        timeout(patience, answer)
            .await
            .unwrap_or_else(|_| Err(lost("it does not answer")))
    }

    /// The next thing the server says. May be dropped while waiting without losing anything.
    pub(crate) async fn receive(&mut self) -> Result<Incoming, Failure> {
        match self.waiting.pop_front() {
            Some(incoming) => Ok(incoming),
            None => self.read().await,
        }
    }

    async fn read(&mut self) -> Result<Incoming, Failure> {
        loop {
            let message = match self.socket.next().await {
                Some(Ok(message)) => message,
                Some(Err(
                    SocketError::Protocol(ProtocolError::ResetWithoutClosingHandshake)
                    | SocketError::ConnectionClosed,
                ))
                | None => return Err(lost("it disconnected")),
                Some(Err(error)) => return Err(lost(&error.to_string())),
            };
            match message {
                SocketMessage::Text(text) => {
                    if let Some(incoming) = understand(&text)? {
                        return Ok(incoming);
                    }
                }
                SocketMessage::Close(frame) => {
                    let why = frame.map(|frame| frame.reason.to_string());
                    let why = why.filter(|why| !why.is_empty());
                    return Err(lost(&why.map_or_else(
                        || "it closed the connection".to_owned(),
                        |why| format!("it closed the connection: {why}"),
                    )));
                }
                SocketMessage::Ping(_)
                | SocketMessage::Pong(_)
                | SocketMessage::Binary(_)
                | SocketMessage::Frame(_) => {}
            }
        }
    }

    /// Says goodbye; what the server answers does not matter any more.
    pub(crate) async fn close(mut self) {
        let bye = grundy_shared::protocol::client::Bye {};
        self.patience = self.patience.min(Duration::from_secs(2));
        let _ = self.ask(bye).await;
        let _ = timeout(self.patience, self.socket.close(None)).await;
    }
}

/// Opens the socket. If the server accepts no more connections at the moment, waits as long as it asks, unless that is too long.
async fn connect_in_turn(
    address: &Address,
    patience: Duration,
) -> Result<(WebSocketStream<Stream>, Option<ServerId>), Failure> {
    let give_up = Instant::now() + patience;
    loop {
        let opened = timeout(patience, connect(address))
            .await
            .map_err(|_| unreachable(address, Message::new("unreachable-silent")))?;
        let failure = match opened {
            Ok(socket) => return Ok(socket),
            Err(failure) => failure,
        };
        match failure.wait() {
            Some(wait) if Instant::now() + wait < give_up => sleep(wait).await,
            _ => return Err(failure),
        }
    }
}

/// Connects to a server, and encrypts the connection if its address asks for that.
///
/// # Errors
/// The server is not there (exit 5), or its certificate is not trusted.
pub(crate) async fn reach(address: &Address) -> Result<Stream, Failure> {
    let stream = TcpStream::connect(address.socket())
        .await
        .map_err(|error| unreachable(address, system::said(&error)))?;
    stream.set_nodelay(true)?;
    encrypted(address, stream).await
}

/// Opens the socket; with it, who the server says that it is.
async fn connect(
    address: &Address,
) -> Result<(WebSocketStream<Stream>, Option<ServerId>), Failure> {
    let stream = reach(address).await?;
    let config = WebSocketConfig::default()
        .read_buffer_size(16 << 10)
        .max_message_size(Some(MESSAGE_BYTES))
        .max_frame_size(Some(MESSAGE_BYTES));
    match client_async_with_config(address.websocket(), stream, Some(config)).await {
        Ok((socket, response)) => {
            let id = response.headers().get(SERVER_ID);
            let id = id.and_then(|id| id.to_str().ok()?.parse().ok());
            Ok((socket, id))
        }
        Err(SocketError::Http(response)) => {
            let status = response.status();
            let wait = response.headers().get(RETRY_AFTER);
            let wait: Option<u64> = wait.and_then(|wait| wait.to_str().ok()?.parse().ok());
            Err(match status.as_u16() {
                429 | 503 => {
                    let message = Message::new("failure-full")
                        .text("address", address)
                        .text("status", status);
                    Failure::told(Exit::Refused, ErrorCode::ServerBusy.as_str(), message)
                        .help(Message::new("failure-full-how"))
                        .retry_after(wait.map(Duration::from_secs))
                }
                426 => {
                    let message = Message::new("failure-encrypted").text("address", address);
                    Failure::told(Exit::Unreachable, "unreachable", message)
                        .help(Message::new("failure-encrypted-how"))
                        .for_good()
                }
                403 => {
                    let message = Message::new("failure-banned").text("address", address);
                    Failure::told(Exit::Refused, ErrorCode::Banned.as_str(), message)
                        .help(Message::new("failure-banned-how"))
                }
                421 => unreachable(address, Message::new("unreachable-name"))
                    .help(Message::new("unreachable-name-how"))
                    .for_good(),
                _ => {
                    let why = Message::new("unreachable-other").text("status", status);
                    let failure = unreachable(address, why);
                    // A proxy answers for a server that is down.
                    match status.is_server_error() {
                        true => failure,
                        false => failure.for_good(),
                    }
                }
            })
        }
        Err(error) => {
            let no_websocket_server = answers_otherwise(&error);
            let why = Message::new("unreachable-handshake").text("said", error);
            let failure = unreachable(address, why);
            Err(match no_websocket_server {
                true => failure.for_good(),
                false => failure,
            })
        }
    }
}

/// Whether what answered the handshake is no WebSocket server: it stays so however long we wait. A connection that ends meanwhile says nothing of the kind.
fn answers_otherwise(error: &SocketError) -> bool {
    match error {
        SocketError::HttpFormat(_) | SocketError::Capacity(_) => true,
        SocketError::Protocol(fault) => !matches!(
            fault,
            ProtocolError::HandshakeIncomplete | ProtocolError::ResetWithoutClosingHandshake
        ),
        _ => false,
    }
}

/// Encrypts the way to a server whose address asks for that.
async fn encrypted(address: &Address, stream: TcpStream) -> Result<Stream, Failure> {
    if !address.is_encrypted() {
        return Ok(Either::Left(stream));
    }
    let tls = TlsConnector::from(address.trust().tls()?);
    let (host, _) = address.socket();
    let name = ServerName::try_from(host.to_owned())
        .map_err(|_| unreachable(address, Message::new("unreachable-no-name")).for_good())?;
    match tls.connect(name, stream).await {
        Ok(stream) => Ok(Either::Right(Box::new(stream))),
        Err(error) => Err(not_secure(address, &error)),
    }
}

/// Why a connection could not be encrypted, and what to do.
fn not_secure(address: &Address, error: &std::io::Error) -> Failure {
    use rustls::Error;
    let fault = error
        .get_ref()
        .and_then(|error| error.downcast_ref::<Error>());
    let (fault, said) = match fault {
        Some(Error::InvalidMessage(InvalidMessage::InvalidContentType)) => ("plain", String::new()),
        Some(Error::AlertReceived(AlertDescription::UnrecognisedName)) => ("name", String::new()),
        Some(Error::InvalidCertificate(
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
        )) => ("other-name", String::new()),
        Some(Error::InvalidCertificate(
            CertificateError::Expired | CertificateError::ExpiredContext { .. },
        )) => ("expired", String::new()),
        Some(Error::InvalidCertificate(CertificateError::Other(error)))
            if error.to_string().contains("CaUsedAsEndEntity") =>
        {
            ("authority", String::new())
        }
        Some(Error::InvalidCertificate(
            CertificateError::UnknownIssuer | CertificateError::BadSignature,
        )) => match address.trust() {
            Trust::Only(file) => ("other-certificate", file.display().to_string()),
            Trust::System => ("unknown-issuer", String::new()),
        },
        Some(Error::InvalidCertificate(error)) => ("untrusted", error.to_string()),
        _ => return unreachable(address, system::said(error)),
    };
    let why = Message::new("unreachable-secure").text("fault", fault);
    let (host, _) = address.socket();
    let kind = match host.parse::<IpAddr>() {
        Ok(_) => "IP",
        Err(_) => "DNS",
    };
    let how = Message::new("unreachable-secure-how")
        .text("fault", fault)
        .text("name", format_args!("{kind}:{host}"));
    unreachable(address, why.text("said", said))
        .help(how)
        .for_good()
}

/// Reads a frame; `None` for what a newer server may say and we need not know.
fn understand(text: &str) -> Result<Option<Incoming>, Failure> {
    let frame: ServerFrame =
        serde_json::from_str(text).map_err(|error| not_ours(&error.to_string()))?;
    let body = frame.body.get();
    match (frame.re, frame.match_id, frame.seq) {
        (Some(Some(id)), ..) => Ok(Some(Incoming::Reply(id, Box::new(answer(body))))),
        (Some(None), ..) => match answer(body) {
            Err(failure) => Err(failure),
            Ok(other) => Err(unexpected(&other)),
        },
        (None, Some(match_id), Some(seq)) => match serde_json::from_str(body) {
            Ok(event) => Ok(Some(Incoming::Event(match_id, seq, event))),
            // An unknown kind, or one with more in it than we know: the view of the match decides whether it can be skipped.
            Err(error) => match serde_json::from_str::<Value>(body) {
                Ok(body) if body["type"].is_string() => {
                    Ok(Some(Incoming::Unknown(match_id, seq, body)))
                }
                _ => Err(not_ours(&error.to_string())),
            },
        },
        // An event that only a newer client understands still has a number, so the next line shows the gap.
        _ if let (Some(id), Some(room), Some(seq)) = (frame.chat, frame.room, frame.seq) => {
            let said = serde_json::from_str(body).ok();
            Ok(said.map(|said| Incoming::Chat(id, room, seq, said)))
        }
        _ if frame.account.is_some() => Ok(serde_json::from_str(body).ok().map(Incoming::Account)),
        _ => match (frame.tournament, frame.seq) {
            (Some(_), Some(seq)) => {
                let dated = serde_json::from_str(body);
                let dated = dated.map_err(|error| not_ours(&error.to_string()))?;
                Ok(Some(Incoming::Tournament(seq, dated)))
            }
            _ => Ok(serde_json::from_str(body).ok().map(Incoming::Notice)),
        },
    }
}

/// Reads a reply; refusals with a code that we do not know are refusals still.
fn answer(body: &str) -> Answer {
    #[derive(Deserialize)]
    struct Unknown {
        #[serde(rename = "type")]
        kind: String,
        #[serde(default)]
        code: String,
        #[serde(default)]
        message: String,
    }
    match serde_json::from_str(body) {
        Ok(Reply::Error(error)) if error.code == ErrorCode::UnsupportedVersion => {
            let spoken = error.limit.unwrap_or_else(|| "another version".to_owned());
            Err(other_version(spoken))
        }
        Ok(Reply::Error(error)) => Err(Failure::refused(error)),
        Ok(reply) => Ok(reply),
        Err(error) => match serde_json::from_str::<Unknown>(body) {
            Ok(unknown) if unknown.kind == "error" => {
                let code = crate::render::clean(&unknown.code);
                let message = Message::new("refused")
                    .text("code", &code)
                    .text("said", unknown.message);
                Err(Failure::told(Exit::Failed, code, message))
            }
            _ => Err(not_ours(&error.to_string())),
        },
    }
}

/// A server that is not there.
fn unreachable(address: &Address, why: Message) -> Failure {
    let message = Message::new("failure-unreachable")
        .text("address", address)
        .message("why", why);
    let hint = Message::new(match address.is_loopback() {
        true => "failure-unreachable-here",
        false => "failure-unreachable-there",
    });
    Failure::told(Exit::Unreachable, "unreachable", message).help(hint)
}

/// A connection that broke.
pub(crate) fn lost(why: &str) -> Failure {
    let message = Message::new("failure-lost").text("why", why);
    Failure::told(Exit::Unreachable, "connection_lost", message)
        .help(Message::new("failure-lost-how"))
}

fn other_version(theirs: impl std::fmt::Display) -> Failure {
    let message = Message::new("failure-version")
        .text("theirs", theirs)
        .text("ours", VERSION);
    Failure::told(
        Exit::Protocol,
        ErrorCode::UnsupportedVersion.as_str(),
        message,
    )
    .help(Message::new("failure-version-how"))
}

/// A frame that this client cannot read.
fn not_ours(why: &str) -> Failure {
    Failure::not_understood(Message::new("not-understood").text("said", why))
        .help(Message::new("update-older"))
}

/// A reply of another type than asked for.
pub(crate) fn unexpected(reply: &Reply) -> Failure {
    let kind: String = format!("{reply:?}")
        .chars()
        .take_while(|c| c.is_alphanumeric())
        .collect();
    not_ours(&format!("an unexpected answer of type {kind}"))
}

#[cfg(test)]
mod tests {
    use grundy_words::{Catalogue, Language};

    use super::*;

    #[test]
    fn a_server_elsewhere_is_not_started_here() {
        let hint = |address: &str| {
            let address = Address::parse(address).expect("an address");
            let failure = unreachable(&address, Message::new("unreachable-silent"));
            failure
                .remedy_in(Catalogue::of(Language::English))
                .expect("a hint")
        };
        assert!(hint("http://127.0.0.1:7310").contains("grundy-server"));
        assert!(hint("https://192.168.0.7:7310").contains("firewall"));
    }

    /// The error if a service answers the handshake with this and then hangs up.
    async fn handshake_answered_by(answer: &'static [u8]) -> Failure {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a port");
        let at = listener.local_addr().expect("an address");
        let server = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a client");
            let mut asked = [0; 64];
            stream.read_exact(&mut asked).await.expect("a request");
            stream.write_all(answer).await.expect("it is there");
            stream.shutdown().await.expect("it is there");
            // Unread bytes would reset the connection before the answer is read.
            let _ = stream.read_to_end(&mut Vec::new()).await;
        });
        let address = Address::parse(&format!("http://{at}")).expect("an address");
        let failure = connect(&address).await.expect_err("no server");
        server.await.expect("it ends");
        failure
    }

    #[tokio::test]
    async fn waiting_does_not_make_another_service_a_server() {
        let mail = handshake_answered_by(b"220 mail.example ESMTP\r\n\r\n").await;
        assert!(!mail.is_away(), "{mail:?}");
        let hangs_up = handshake_answered_by(b"").await;
        assert!(hangs_up.is_away(), "{hangs_up:?}");
    }
}
