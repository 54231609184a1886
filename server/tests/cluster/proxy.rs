//! A way over TCP that can be cut.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::sleep;
use tokio_util::task::TaskTracker;

/// How long a slow way takes in each direction.
const SLOWLY: Duration = Duration::from_millis(40);

/// What happens on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// Everything passes.
    Open,
    /// Connections are closed, and new ones as soon as they come.
    Cut,
    /// Everything passes, and takes its time.
    Slow,
    /// Nothing reaches the server, and nobody notices.
    NothingUp,
    /// Nothing comes back from the server, and nobody notices.
    NothingDown,
}

/// A proxy before a server.
pub(crate) struct Proxy {
    port: u16,
    way: watch::Sender<Way>,
}

impl Proxy {
    /// Before the server at this port of 127.0.0.1.
    pub(crate) async fn before(server: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let (way, ways) = watch::channel(Way::Open);
        let tasks = TaskTracker::new();
        tasks.clone().spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let ways = ways.clone();
                tasks.spawn(pass(client, server, ways));
            }
        });
        Self { port, way }
    }

    /// The port of 127.0.0.1 where it listens.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// From now on this happens.
    pub(crate) fn set(&self, way: Way) {
        self.way.send_replace(way);
    }
}

async fn pass(client: TcpStream, server: u16, mut ways: watch::Receiver<Way>) {
    let server = SocketAddr::from((Ipv4Addr::LOCALHOST, server));
    let Ok(server) = TcpStream::connect(server).await else {
        return;
    };
    // Small messages are not to wait for others.
    let (_, _) = (client.set_nodelay(true), server.set_nodelay(true));
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let (up, down) = (ways.clone(), ways.clone());
    tokio::select! {
        () = carry(from_client, to_server, up, Way::NothingUp) => {}
        () = carry(from_server, to_client, down, Way::NothingDown) => {}
        _ = ways.wait_for(|way| *way == Way::Cut) => {}
    }
}

/// Passes bytes on until one side closes, except while `held` holds them up.
async fn carry(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut ways: watch::Receiver<Way>,
    held: Way,
) {
    let mut bytes = [0; 16_384];
    loop {
        let Ok(length) = from.read(&mut bytes).await else {
            return;
        };
        if length == 0 || ways.wait_for(|way| *way != held).await.is_err() {
            return;
        }
        if *ways.borrow() == Way::Slow {
            sleep(SLOWLY).await;
        }
        if to.write_all(&bytes[..length]).await.is_err() {
            return;
        }
    }
}
