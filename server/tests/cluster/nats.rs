//! A NATS of the tests.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tokio::net::TcpStream;

use crate::patience::until;
use crate::port::free_port;

/// A running `nats-server`, which keeps nothing.
pub(crate) struct Nats {
    port: u16,
    flags: Vec<String>,
    child: Child,
}

fn spawn(port: u16, flags: &[String]) -> Child {
    let spawned = Command::new("nats-server")
        .args(["--addr", "127.0.0.1", "--port", &port.to_string()])
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
    /// Starts one.
    pub(crate) async fn start() -> Self {
        Self::start_with(Vec::new()).await
    }

    /// Starts one that lets in who encrypts and knows this password of the user `grundy`.
    pub(crate) async fn start_secured(certificate: &Path, key: &Path, password: &str) -> Self {
        let (certificate, key) = (certificate.display(), key.display());
        let flags =
            format!("--tls --tlscert {certificate} --tlskey {key} --user grundy --pass {password}");
        Self::start_with(flags.split(' ').map(str::to_owned).collect()).await
    }

    async fn start_with(flags: Vec<String>) -> Self {
        let port = free_port();
        let child = spawn(port, &flags);
        let nats = Self { port, flags, child };
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
        self.child = spawn(self.port, &self.flags);
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
