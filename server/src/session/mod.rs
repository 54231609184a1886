//! One connection: who it is, what it asks, what it is told.
//!
//! A session begins as a [`guest::Guest`], who can do nothing but say `hello`; that consumes the guest and gives a
//! [`player::Player`]. Its task waits for the socket and for its queue at the same time, writes everything that waits
//! and flushes once. It ends in one order: it leaves its matches, then closes.

mod account;
mod answers;
mod chat;
mod claims;
mod connection;
mod entering;
mod explaining;
mod guest;
mod help;
mod identity;
mod lag;
mod limits;
mod listing;
mod lists;
mod load;
mod lobby;
mod moves;
mod naming;
mod player;
mod puzzles;
mod ratings;
mod requests;
mod reviewing;
mod running;
pub mod socket;
mod spoken;
mod tournaments;
mod waiting;

use std::sync::Arc;

use grundy_shared::protocol::Secret;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;

use self::connection::Connection;
use self::guest::Guest;
use self::socket::Socket;
use crate::addresses::{AddressKey, ConnectionPermit};
use crate::app::App;
use crate::metrics::ByRole;

/// Serves one connection from its handshake to its end; `cookie` is the secret with which a page of this server opened it. Each phase is boxed, so that a connection keeps room for one alone.
pub async fn serve<S: Socket + Sync + 'static>(
    app: Arc<App>,
    socket: S,
    address: AddressKey,
    cookie: Option<Secret>,
    permit: ConnectionPermit,
) {
    let connection = Box::new(Connection::new(app, socket, address, cookie, permit));
    let connections = connection.app.metrics.connections.clone();
    let guests = Counted::new(&connections, "guest");
    let greeted = Box::pin(Guest::new(connection).greet()).await;
    drop(guests);
    let (connection, ending) = match greeted {
        Ok(player) => {
            let _players = Counted::new(&connections, "player");
            Box::pin(player.serve()).await
        }
        Err(ended) => ended,
    };
    // A peer that is slow to close holds up nothing that a stop waits for before.
    let (lifecycle, partings) = (
        connection.app.lifecycle.clone(),
        connection.app.partings.clone(),
    );
    drop(lifecycle.spawn_on(&partings, async move {
        connection.part(ending).await;
    }));
}

/// One connection in the gauge of its role.
struct Counted(Gauge);

impl Counted {
    fn new(connections: &Family<ByRole, Gauge>, role: &'static str) -> Self {
        let gauge = connections.get_or_create(&ByRole { role }).clone();
        gauge.inc();
        Self(gauge)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}
