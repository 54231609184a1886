//! A NATS of the tests.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};

use tokio::net::TcpStream;

use crate::patience::until;
use crate::port::free_port;

/// A running `nats-server`, which keeps nothing.
pub(crate) struct Nats {
    port: u16,
    child: Child,
}

fn spawn(port: u16) -> Child {
    let spawned = Command::new("nats-server")
        .args(["--addr", "127.0.0.1", "--port", &port.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    spawned.expect(
        "nats-server could not be started: these tests need it; install Debian's package nats-server",
    )
}

impl Nats {
    /// Starts one.
    pub(crate) async fn start() -> Self {
        let port = free_port();
        let nats = Self {
            port,
            child: spawn(port),
        };
        nats.listens().await;
        nats
    }

    /// The port of 127.0.0.1 where it listens.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    async fn listens(&self) {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        until("NATS listens", async || {
            TcpStream::connect(address).await.is_ok()
        })
        .await;
    }

    /// Kills it.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("NATS runs");
        self.child.wait().expect("NATS ends");
    }

    /// Starts it again.
    pub(crate) async fn start_again(&mut self) {
        self.child = spawn(self.port);
        self.listens().await;
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        // One that was killed is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
