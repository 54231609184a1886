//! Ports for servers of the tests.

use std::net::TcpListener;

/// A port of 127.0.0.1 that was free just now: for a program that has to find it again after a restart.
pub(crate) fn free_port() -> u16 {
    let bound = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
    bound.expect("a free port").port()
}
