//! A line between a bot and its server that can be cut.

use std::io;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

use crate::address::Address;
use crate::connection;

/// Listens on this machine and passes everything on to the server, encrypted if the server wants that.
#[derive(Debug)]
pub(super) struct Relay {
    url: String,
    /// Told each time that the lines are cut.
    cuts: watch::Sender<()>,
    listening: JoinHandle<()>,
}

impl Relay {
    /// A line to this server.
    ///
    /// # Errors
    /// There is no free port.
    pub(super) async fn to(server: &Address) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let (cuts, _) = watch::channel(());
        let (server, at_once) = (server.clone(), cuts.clone());
        let listening = tokio::spawn(async move {
            // The lines end with the task that has laid them.
            let mut lines = JoinSet::new();
            loop {
                tokio::select! {
                    accepted = listener.accept() => if let Ok((bot, _)) = accepted {
                        lines.spawn(lay(bot, server.clone(), at_once.subscribe()));
                    },
                    Some(_) = lines.join_next() => {}
                }
            }
        });
        Ok(Self {
            url,
            cuts,
            listening,
        })
    }

    /// Where the bot finds the server.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Cuts all lines; new ones can be laid.
    pub(super) fn cut(&self) {
        self.cuts.send_replace(());
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// Passes on what both sides say until one of them ends or the line is cut. A line that cannot be laid is one that is cut.
async fn lay(mut bot: TcpStream, server: Address, mut cut: watch::Receiver<()>) {
    let passing = async {
        if let Ok(mut server) = connection::reach(&server).await {
            // An error means that one side has gone, which ends the line anyway.
            let _ = copy_bidirectional(&mut bot, &mut server).await;
        }
    };
    tokio::select! {
        () = passing => {}
        _ = cut.changed() => {}
    }
}
