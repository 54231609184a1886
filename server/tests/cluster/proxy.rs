//! A proxy that can hold up what passes.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::sleep;
use tokio_util::task::TaskTracker;

use crate::cable::Way;

/// How long a slow way takes in each direction.
const SLOWLY: Duration = Duration::from_millis(40);

/// A proxy before a server.
pub(crate) struct Proxy {
    address: SocketAddr,
    way: watch::Sender<State>,
}

/// What happens in a proxy.
#[derive(Clone, Copy)]
struct State {
    way: Way,
    /// How often connections were forgotten.
    forgotten: u64,
}

impl Proxy {
    /// Before the server at this port of 127.0.0.1.
    pub(crate) async fn before(server: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let (way, ways) = watch::channel(State {
            way: Way::Open,
            forgotten: 0,
        });
        let tasks = TaskTracker::new();
        tasks.clone().spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let ways = ways.clone();
                tasks.spawn(pass(client, server, ways));
            }
        });
        Self { address, way }
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// From now on this happens.
    pub(crate) fn set(&self, way: Way) {
        self.way.send_modify(|state| {
            state.way = way;
            state.forgotten += u64::from(way == Way::Forgotten);
        });
    }
}

async fn pass(client: TcpStream, server: u16, mut ways: watch::Receiver<State>) {
    let born = ways.borrow().forgotten;
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
        () = carry(from_client, to_server, (up, born), Way::NothingUp) => {}
        () = carry(from_server, to_client, (down, born), Way::NothingDown) => {}
        _ = ways.wait_for(|state| state.way == Way::Cut) => {}
    }
}

/// Passes bytes on until one side closes, except while `held` holds them up.
async fn carry(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    (mut ways, born): (watch::Receiver<State>, u64),
    held: Way,
) {
    let mut bytes = [0; 16_384];
    loop {
        let Ok(length) = from.read(&mut bytes).await else {
            return;
        };
        let passes = |state: &State| state.way != held && state.forgotten == born;
        if length == 0 || ways.wait_for(passes).await.is_err() {
            return;
        }
        if ways.borrow().way == Way::Slow {
            sleep(SLOWLY).await;
        }
        if to.write_all(&bytes[..length]).await.is_err() {
            return;
        }
    }
}
