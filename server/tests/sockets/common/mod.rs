//! A real server inside the test process, on a port of its own, and a small client that waits for nothing longer than
//! [`PATIENCE`].

pub(crate) mod faulty;

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use grundy_server::app::{App, Dependencies, SolverMode};
use grundy_server::chance::SystemChance;
use grundy_server::clock::{Clock, SystemClock};
use grundy_server::config::{AddressRanges, Config};
use grundy_server::data;
use grundy_server::lifecycle::Lifecycle;
use grundy_server::metrics::Metrics;
use grundy_server::service;
use grundy_server::store::memory::MemoryStore;
use grundy_server::store::open::open;
use grundy_server::store::{NodeId, Store};
use grundy_server::transport::Doorway;
use grundy_shared::ids::Millis;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::{WebSocketStream, client_async};

/// Nothing that a test waits for takes longer, on any machine: the threads of the solver leave the cores to everybody else, and get a tenth of
/// one where something else always runs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// Waits, but not for ever.
pub(crate) async fn in_time<F: Future>(what: &str, future: F) -> F::Output {
    tokio::time::timeout(PATIENCE, future)
        .await
        .unwrap_or_else(|_| panic!("in vain: {what}"))
}

/// Waits until something holds that nobody announces.
pub(crate) async fn until(what: &str, holds: impl Fn() -> bool) {
    let wait = async {
        while !holds() {
            tokio::task::yield_now().await;
        }
    };
    in_time(what, wait).await;
}

/// How a server is to be started.
pub(crate) struct Plan {
    pub(crate) config: Config,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    /// Which of the servers that share the store.
    pub(crate) node: NodeId,
}

impl Default for Plan {
    fn default() -> Self {
        let mut config = Config {
            // Tests say in which order things reach the server.
            workers: 1,
            ..Config::default()
        };
        // One address plays everybody, and no address is trusted.
        config.trusted.addresses = AddressRanges::default();
        config.limits.connections_per_address = 10_000;
        config.limits.connections_per_second_per_address = 10_000;
        config.limits.guests_per_minute_per_address = 100_000;
        config.limits.matches_per_address = 10_000;
        config.limits.address_share = 0;
        config.limits.burst = 100_000;
        // On a busy machine a few passwords before hello take longer than the default.
        config.times.hello_ms = Millis(60_000);
        // Clocks set by hand never reach a later moment.
        config.times.away_ms = Millis(0);
        config.limits.requests_per_second = 100_000;
        // A busy machine is no reason to refuse what a test asks for.
        config.overload.target_ms = Millis(0);
        Self {
            config,
            store: Arc::new(MemoryStore::new()),
            clock: Arc::new(SystemClock::start(Millis(0))),
            node: NodeId::ONLY,
        }
    }
}

impl Plan {
    /// With the database in this directory; a new one if there is none.
    pub(crate) async fn on_disk(directory: &Path) -> Self {
        let store = open(&data::location(directory)).await.expect("a database");
        Self {
            store,
            ..Self::default()
        }
    }

    /// With the limits changed.
    pub(crate) fn with(change: impl FnOnce(&mut Config)) -> Self {
        let mut plan = Self::default();
        change(&mut plan.config);
        plan
    }

    /// Starts the server.
    pub(crate) async fn start(self) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let lifecycle = Lifecycle::new();
        let metrics = Arc::new(Metrics::new(self.clock.now(), || 0));
        let dependencies = Dependencies {
            clock: self.clock,
            chance: Arc::new(SystemChance),
            metrics,
            lifecycle: lifecycle.clone(),
            solver: SolverMode::OnThreads,
            node: self.node,
            bus: None,
        };
        let app = App::start(self.config, self.store.clone(), dependencies)
            .await
            .expect("the server starts");
        let served = lifecycle.spawn(service::serve(
            app.clone(),
            Doorway {
                listener,
                tls: None,
            },
        ));
        Server {
            address,
            app,
            store: self.store,
            lifecycle,
            served,
        }
    }
}

/// A running server.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) app: Arc<App>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) lifecycle: Lifecycle,
    pub(crate) served: JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start() -> Self {
        Plan::default().start().await
    }

    /// A connection that has said nothing yet.
    pub(crate) async fn connect(&self) -> Client {
        self.try_connect().await.expect("the handshake succeeds")
    }

    /// The same; `None` if the handshake is refused.
    pub(crate) async fn try_connect(&self) -> Option<Client> {
        self.try_connect_from(Ipv4Addr::LOCALHOST).await
    }

    /// The same from this address of the machine: all of 127.0.0.0/8 are its own.
    pub(crate) async fn try_connect_from(&self, source: Ipv4Addr) -> Option<Client> {
        let outgoing = TcpSocket::new_v4().expect("a socket");
        outgoing
            .bind(SocketAddr::from((source, 0)))
            .expect("an address of this machine");
        let stream = outgoing.connect(self.address).await.expect("it listens");
        stream.set_nodelay(true).expect("a TCP stream");
        let url = format!("ws://{}/ws", self.address);
        let request = url.into_client_request().expect("a request");
        self.shake_hands(request, stream).await
    }

    /// A connection that a page of this server has opened, whose browser sends these cookies.
    pub(crate) async fn connect_from_page(&self, cookies: &str) -> Client {
        let stream = TcpStream::connect(self.address).await.expect("it listens");
        let url = format!("ws://{}/ws", self.address);
        let mut request = url.into_client_request().expect("a request");
        let origin = format!("http://{}", self.address);
        let headers = request.headers_mut();
        headers.insert("origin", origin.parse().expect("a header"));
        headers.insert("cookie", cookies.parse().expect("a header"));
        let client = self.shake_hands(request, stream).await;
        client.expect("the handshake succeeds")
    }

    async fn shake_hands(&self, request: Request, stream: TcpStream) -> Option<Client> {
        let handshake = client_async(request, stream);
        let (socket, _) = in_time("handshake", handshake).await.ok()?;
        Some(Client {
            socket,
            next_id: 1,
            frames: VecDeque::new(),
            kept: VecDeque::new(),
            token: String::new(),
            player: String::new(),
        })
    }

    /// A new guest of this name, or of one like it if another has it.
    pub(crate) async fn guest(&self, name: &str) -> Client {
        self.guest_from(Ipv4Addr::LOCALHOST, name).await
    }

    /// The same from this address of the machine.
    pub(crate) async fn guest_from(&self, source: Ipv4Addr, name: &str) -> Client {
        let client = self.try_connect_from(source).await;
        let mut client = client.expect("the handshake succeeds");
        let welcome = client
            .introduce(json!({"type":"hello","protocol":1,"name":name}))
            .await;
        assert_eq!(welcome["type"], "welcome", "{welcome}");
        client.token = welcome["token"].as_str().expect("a new guest").to_owned();
        client.player = welcome["player"]["id"].as_str().expect("an id").to_owned();
        client
    }

    /// The same player again, on a connection of its own, and what it was welcomed with.
    pub(crate) async fn again(&self, client: &Client) -> (Client, Value) {
        let mut again = self.connect().await;
        let welcome = again
            .ask(json!({"type":"hello","protocol":1,"token":client.token}))
            .await;
        assert_eq!(welcome["type"], "welcome", "{welcome}");
        again.token.clone_from(&client.token);
        again.player.clone_from(&client.player);
        (again, welcome)
    }

    /// Two guests and a match between them from this position; the first moves first. Both have seen events 1 and 2.
    pub(crate) async fn pair(&self, position: &str) -> (Client, Client, String) {
        self.pair_with(json!({"position":position})).await
    }

    /// The same with other terms: fields of `create`.
    pub(crate) async fn pair_with(&self, terms: Value) -> (Client, Client, String) {
        let (mut first, mut second) = (self.guest("first").await, self.guest("second").await);
        let mut create = json!({"type":"create","side":"first","opponent":{"type":"invite"}});
        for (key, value) in terms.as_object().expect("fields") {
            create[key] = value.clone();
        }
        let created = first.ask(create).await;
        assert_eq!(created["type"], "created", "{created}");
        let id = created["match"].as_str().expect("an id").to_owned();
        let joined = second
            .ask(json!({"type":"join","code":created["code"]}))
            .await;
        assert_eq!(joined["type"], "joined", "{joined}");
        for client in [&mut first, &mut second] {
            assert_eq!(client.event(1).await["type"], "created");
            assert_eq!(client.event(2).await["type"], "joined");
        }
        (first, second, id)
    }

    /// Stops the server as SIGTERM would, and waits until it has.
    pub(crate) async fn stop(self) -> Arc<dyn Store> {
        self.lifecycle.drain();
        in_time("the stop", self.served).await.expect("it stops");
        self.store
    }
}

/// A client that speaks lawfully.
pub(crate) struct Client {
    pub(crate) socket: WebSocketStream<TcpStream>,
    next_id: u64,
    /// Frames that came while something else was waited for.
    frames: VecDeque<Value>,
    /// Frames that are to be given again as if they came now.
    kept: VecDeque<Value>,
    pub(crate) token: String,
    pub(crate) player: String,
}

impl Client {
    /// Sends a text as it is.
    pub(crate) async fn send_text(&mut self, text: impl Into<String>) {
        let message = Message::text(text.into());
        in_time("sending", self.socket.send(message))
            .await
            .expect("the server listens");
    }

    /// Sends a request; its id.
    pub(crate) async fn send(&mut self, body: Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send_text(json!({"id":id,"body":body}).to_string())
            .await;
        id
    }

    /// Sends a request and waits for its reply.
    pub(crate) async fn ask(&mut self, body: Value) -> Value {
        let id = self.send(body).await;
        self.reply(id).await
    }

    /// Says hello as a new guest; under a name like the wanted one if another has that.
    pub(crate) async fn introduce(&mut self, mut hello: Value) -> Value {
        loop {
            let welcome = self.ask(hello.clone()).await;
            if welcome["code"] != "name_taken" {
                return welcome;
            }
            hello["name"] = welcome["example"].clone();
        }
    }

    /// The reply to a request.
    pub(crate) async fn reply(&mut self, id: u64) -> Value {
        let mut frame = self
            .find(&format!("the reply to {id}"), |frame| frame["re"] == id)
            .await;
        frame["body"].take()
    }

    /// The event with this number.
    pub(crate) async fn event(&mut self, seq: u64) -> Value {
        let mut frame = self
            .find(&format!("event {seq}"), |frame| {
                frame["match"].is_string() && frame["seq"] == seq
            })
            .await;
        frame["body"].take()
    }

    /// The next event of this type.
    pub(crate) async fn event_of(&mut self, kind: &str) -> Value {
        let mut frame = self
            .find(kind, |frame| {
                frame["match"].is_string() && frame["body"]["type"] == kind
            })
            .await;
        frame["body"].take()
    }

    /// The next notice.
    pub(crate) async fn notice(&mut self) -> Value {
        let mut frame = self
            .find("a notice", |frame| {
                frame.get("re").is_none() && frame.get("seq").is_none()
            })
            .await;
        frame["body"].take()
    }

    /// The whole frame of the refusal of this text, which must be the answer to it.
    pub(crate) async fn refusal(&mut self, text: &str) -> Value {
        self.send_text(text).await;
        let frame = self.find(text, |frame| frame.get("re").is_some()).await;
        assert_eq!(frame["body"]["type"], "error", "{text}: {frame}");
        frame
    }

    /// The first frame, old or new, that is wanted; the others wait.
    pub(crate) async fn find(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.frames.iter().position(&wanted) {
            return self.frames.remove(at).expect("just found");
        }
        loop {
            let frame = self.frame(what).await;
            if wanted(&frame) {
                return frame;
            }
            self.frames.push_back(frame);
        }
    }

    /// Puts the frames that came while something else was waited for before those that are still to come.
    pub(crate) fn keep_what_came(&mut self) {
        self.kept.append(&mut self.frames);
    }

    /// The next frame from the socket.
    pub(crate) async fn frame(&mut self, what: &str) -> Value {
        if let Some(frame) = self.kept.pop_front() {
            return frame;
        }
        // In time as a whole: the pings of the server would prolong a wait in vain for ever.
        let frame = async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Text(text))) => {
                        return serde_json::from_str(&text).expect("the server sends JSON");
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    other => panic!("waiting for {what}: {other:?}"),
                }
            }
        };
        in_time(what, frame).await
    }

    /// Makes a move.
    pub(crate) async fn play(&mut self, id: &str, ply: u32, text: &str) -> Value {
        self.ask(json!({"type":"move","match":id,"ply":ply,"move":text}))
            .await
    }

    /// Waits for the close; its code and reason.
    pub(crate) async fn closed(&mut self) -> (u16, String) {
        loop {
            match in_time("the close", self.socket.next()).await {
                Some(Ok(Message::Close(Some(CloseFrame { code, reason })))) => {
                    return (code.into(), reason.to_string());
                }
                Some(Ok(Message::Text(text))) => {
                    let frame = serde_json::from_str(&text).expect("the server sends JSON");
                    self.frames.push_back(frame);
                }
                Some(Ok(_)) => {}
                other => panic!("no close frame: {other:?}"),
            }
        }
    }
}
