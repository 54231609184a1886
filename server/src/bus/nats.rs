//! Hints over NATS: plain subjects, nothing that NATS would have to keep.
//!
//! The subject has the id of the server in it, which all servers on one store share: others on the same NATS are not heard. One task sends what waits, and one takes what
//! comes; between them and the rest of the server are bounded queues that are never waited for.

use std::sync::Arc;
use std::time::Duration;

use async_nats::{Client, ConnectOptions, Event, ServerAddr};
use async_trait::async_trait;
use futures::StreamExt;
use grundy_shared::ids::ServerId;
use percent_encoding::percent_decode_str;
use tokio::sync::{Mutex, mpsc};
use tokio::time::Instant;

use super::Bus;
use super::hint::{HINTS_MAX, Hint, Packet};
use super::signs::Signs;
use crate::config::BusUrl;
use crate::lifecycle::Lifecycle;
use crate::metrics::BusMetrics;
use crate::store::NodeId;

/// Hints that may wait to be sent, and received ones that may wait to be heeded. What does not fit is dropped.
const WAITING: usize = 4_096;
/// Messages that the client of NATS holds in each direction.
const MESSAGES: usize = 256;
/// The longest that a connection to NATS may take.
const CONNECTING: Duration = Duration::from_secs(2);
/// The longest between two attempts to connect.
const RETRY_MAX: Duration = Duration::from_secs(1);
/// Time between two log lines about messages that other programs publish.
const STRANGER_EVERY: Duration = Duration::from_secs(60);
/// NATS that says nothing to this for twice as long is taken for gone.
const PING_EVERY: Duration = Duration::from_secs(2);

/// Why NATS cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NatsError {
    /// The address is not one of NATS. It is not repeated, since it can have a password.
    #[error(
        "the address of the bus is not valid: expected nats://USER:PASSWORD@HOST:4222 or tls://HOST:4222, with special characters of the password escaped (%40 for @, %2F for /)"
    )]
    Address,
}

/// A message to the other servers.
enum Sign {
    /// A log has grown.
    Hint(Hint),
    /// This server lives, and is overloaded or not.
    Life { overloaded: bool },
}

/// A connection to NATS, which comes back by itself.
pub struct Nats {
    outgoing: mpsc::Sender<Sign>,
    incoming: Mutex<mpsc::Receiver<Hint>>,
    metrics: BusMetrics,
    signs: Arc<Signs>,
}

impl Nats {
    /// Begins to connect, as this node of the servers with this id.
    ///
    /// # Errors
    /// The address is not valid.
    pub fn open(
        url: &BusUrl,
        server: ServerId,
        node: NodeId,
        metrics: &BusMetrics,
        signs: &Arc<Signs>,
        lifecycle: &Lifecycle,
    ) -> Result<Self, NatsError> {
        let (address, options) = options(url, metrics)?;
        metrics.connected.set(0);
        let (outgoing, to_send) = mpsc::channel(WAITING);
        let (received, incoming) = mpsc::channel(WAITING);
        let traffic = Traffic {
            subject: format!("grundy.{server}.hints"),
            node,
            metrics: metrics.clone(),
            signs: signs.clone(),
        };
        tracing::info!(subject = traffic.subject, "the bus");
        let draining = lifecycle.draining();
        lifecycle.spawn(async move {
            let carrying = traffic.carry(address, options, to_send, received);
            draining.run_until_cancelled(carrying).await;
        });
        Ok(Self {
            outgoing,
            incoming: Mutex::new(incoming),
            metrics: metrics.clone(),
            signs: signs.clone(),
        })
    }
}

#[async_trait]
impl Bus for Nats {
    fn publish(&self, hint: Hint) {
        if self.outgoing.try_send(Sign::Hint(hint)).is_err() {
            self.metrics.dropped.inc();
        }
    }

    fn beat(&self, overloaded: bool) {
        // Pending hints are a sign of life, too.
        let _ = self.outgoing.try_send(Sign::Life { overloaded });
    }

    fn is_connected(&self) -> bool {
        self.metrics.connected.get() == Some(1) && self.signs.come_from_all()
    }

    async fn next(&self) -> Hint {
        match self.incoming.lock().await.recv().await {
            Some(hint) => hint,
            None => std::future::pending().await,
        }
    }
}

/// Whether an address can be one of NATS.
///
/// # Errors
/// `Address`, if it cannot.
pub fn check(url: &BusUrl) -> Result<(), NatsError> {
    read(url).map(drop)
}

fn read(url: &BusUrl) -> Result<ServerAddr, NatsError> {
    let text = url.expose();
    let place = text.split_once("://").map_or(text, |(_, place)| place);
    let place = place.strip_suffix('/').unwrap_or(place);
    // Of a password that is not escaped, the rest would be taken for the host or a path.
    if place.contains(['/', '?', '#']) || place.matches('@').count() > 1 {
        return Err(NatsError::Address);
    }
    text.parse().map_err(|_| NatsError::Address)
}

/// The address without credentials, and how to connect with them.
fn options(url: &BusUrl, metrics: &BusMetrics) -> Result<(ServerAddr, ConnectOptions), NatsError> {
    let address = read(url)?;
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let (user, password) = (
        address.username().map(decoded),
        address.password().map(decoded),
    );
    let (connected, dropped) = (metrics.connected.clone(), metrics.dropped.clone());
    let troubles = Troubles::default();
    let mut options = ConnectOptions::new()
        .name("grundy-server")
        .no_echo()
        .retry_on_initial_connect()
        .max_reconnects(None)
        .connection_timeout(CONNECTING)
        .ping_interval(PING_EVERY)
        .reconnect_delay_callback(|attempts| {
            RETRY_MAX.min(
                Duration::from_millis(50) * u32::try_from(attempts).unwrap_or(u32::MAX).min(20),
            )
        })
        .client_capacity(MESSAGES)
        .subscription_capacity(MESSAGES)
        .event_callback(move |event| {
            let trouble = match &event {
                Event::ServerError(error) => Some(error.to_string()),
                Event::ClientError(error) => Some(error.to_string()),
                _ => None,
            };
            // Each attempt fails for the same reason: it is said once.
            let is_news = matches!(event, Event::Connected) || trouble.is_some();
            let is_news = is_news && troubles.replace(trouble.clone());
            let change = match &event {
                Event::Connected => Some(1),
                Event::Disconnected | Event::Closed => Some(0),
                _ => None,
            };
            if let Some(change) = change {
                connected.set(change);
            }
            if let Event::SlowConsumer(_) = event {
                dropped.inc();
            }
            async move {
                match (trouble, change) {
                    (Some(error), _) if is_news => {
                        tracing::warn!(
                            error,
                            "the bus cannot be used: check its address, the password, and with tls:// the certificate (SSL_CERT_FILE names the authorities); \
                             servers look at the logs by themselves meanwhile"
                        );
                    }
                    (_, Some(_)) => tracing::info!(%event, "the bus"),
                    _ => tracing::debug!(%event, "the bus"),
                }
            }
        });
    options = match (user, password) {
        (Some(user), Some(password)) => options.user_and_password(user, password),
        (Some(token), None) => options.token(token),
        (None, _) => options,
    };
    let mut bare = address.into_inner();
    // Both are known to be there.
    let _ = bare.set_password(None);
    let _ = bare.set_username("");
    let address = ServerAddr::from_url(bare).map_err(|_| NatsError::Address)?;
    Ok((address, options))
}

/// Why the bus cannot be used, as it was said last.
#[derive(Default)]
struct Troubles(std::sync::Mutex<Option<String>>);

impl Troubles {
    /// Takes note of a trouble, or that there is none; whether that is news.
    fn replace(&self, trouble: Option<String>) -> bool {
        let mut last = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let is_news = *last != trouble;
        *last = trouble;
        is_news
    }
}

/// What goes over the bus.
struct Traffic {
    subject: String,
    node: NodeId,
    metrics: BusMetrics,
    signs: Arc<Signs>,
}

impl Traffic {
    /// Sends and receives until it is dropped.
    async fn carry(
        &self,
        address: ServerAddr,
        options: ConnectOptions,
        to_send: mpsc::Receiver<Sign>,
        received: mpsc::Sender<Hint>,
    ) {
        // It connects in the background, so that it fails only for what no second attempt would change.
        let client = match options.connect(address).await {
            Ok(client) => client,
            Err(error) => {
                return tracing::error!(%error, "the bus cannot be used; servers look at the logs by themselves");
            }
        };
        tokio::join!(self.send(&client, to_send), self.receive(&client, received));
    }

    async fn send(&self, client: &Client, mut to_send: mpsc::Receiver<Sign>) {
        let mut taken = Vec::with_capacity(HINTS_MAX);
        let mut hints = Vec::with_capacity(HINTS_MAX);
        let mut is_overloaded = false;
        while to_send.recv_many(&mut taken, HINTS_MAX).await > 0 {
            hints.clear();
            for sign in taken.drain(..) {
                match sign {
                    Sign::Hint(hint) => hints.push(hint),
                    Sign::Life { overloaded } => is_overloaded = overloaded,
                }
            }
            let count = hints.len() as u64;
            let packet = Packet::write(self.node, is_overloaded, &hints);
            // It waits while NATS cannot be reached; what is published meanwhile is dropped.
            let sent = client.publish(self.subject.clone(), packet.into()).await;
            match sent {
                Ok(()) => self.metrics.published.inc_by(count),
                Err(_) => self.metrics.dropped.inc_by(count),
            };
            self.metrics
                .waiting
                .set(i64::try_from(to_send.len()).unwrap_or(i64::MAX));
        }
    }

    async fn receive(&self, client: &Client, received: mpsc::Sender<Hint>) {
        let mut told = None;
        let mut messages = match client.subscribe(self.subject.clone()).await {
            Ok(messages) => messages,
            Err(error) => return tracing::error!(%error, "the bus is not heard"),
        };
        while let Some(message) = messages.next().await {
            let packet = Packet::read(&message.payload);
            let refused = packet.as_ref().map_or(1, |packet| packet.unread);
            self.metrics.refused.inc_by(refused);
            if refused > 0 && told.is_none_or(|told: Instant| told.elapsed() > STRANGER_EVERY) {
                told = Some(Instant::now());
                tracing::warn!(
                    subject = self.subject,
                    refused = self.metrics.refused.get(),
                    "another program published a message on the servers' subject; only servers should have the right to publish there"
                );
            }
            let Some(packet) = packet else {
                continue;
            };
            if packet.from == self.node {
                continue;
            }
            self.signs.hear(packet.from, packet.overloaded);
            for hint in packet.hints {
                match received.try_send(hint) {
                    Ok(()) => self.metrics.received.inc(),
                    Err(_) => self.metrics.dropped.inc(),
                };
            }
        }
    }
}
