//! A NATS of the tests.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tokio::net::TcpStream;

use crate::patience::until;
use crate::port::free_port;

/// A running `nats-server`, which keeps nothing.
pub(crate) struct Nats {
    address: SocketAddr,
    flags: Vec<String>,
    child: Child,
}

fn spawn(address: SocketAddr, flags: &[String]) -> Child {
    let (host, port) = (address.ip().to_string(), address.port().to_string());
    let spawned = Command::new("nats-server")
        .args(["--addr", &host, "--port", &port])
        .args(flags)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    spawned.expect(
        "nats-server could not be started: these tests need it; install Debian's package nats-server",
    )
}

impl Nats {
    /// Starts one that listens on this address of the machine, or on loopback.
    pub(crate) async fn start(address: Option<Ipv4Addr>) -> Self {
        Self::start_with(address.unwrap_or(Ipv4Addr::LOCALHOST), Vec::new()).await
    }

    /// Starts one that lets in who encrypts and knows this password of the user `grundy`.
    pub(crate) async fn start_secured(certificate: &Path, key: &Path, password: &str) -> Self {
        let (certificate, key) = (certificate.display(), key.display());
        let flags =
            format!("--tls --tlscert {certificate} --tlskey {key} --user grundy --pass {password}");
        let flags = flags.split(' ').map(str::to_owned);
        Self::start_with(Ipv4Addr::LOCALHOST, flags.collect()).await
    }

    async fn start_with(address: Ipv4Addr, flags: Vec<String>) -> Self {
        let address = SocketAddr::from((address, free_port()));
        let child = spawn(address, &flags);
        let nats = Self {
            address,
            flags,
            child,
        };
        nats.listens().await;
        nats
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The port of it.
    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    async fn listens(&self) {
        until("NATS listens", async || {
            TcpStream::connect(self.address).await.is_ok()
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
        self.child = spawn(self.address, &self.flags);
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
