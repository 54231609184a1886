//! A line between a bot and its server that can be cut.

use std::io;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::address::Address;

/// Listens on this machine and passes everything on to the server.
#[derive(Debug)]
pub(super) struct Relay {
    url: String,
    wire: Arc<Wire>,
}

#[derive(Default, Debug)]
struct Wire {
    open: Mutex<Vec<TcpStream>>,
    is_gone: AtomicBool,
}

impl Relay {
    /// A line to this server.
    ///
    /// # Errors
    /// There is no free port.
    pub(super) fn to(server: &Address) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}", listener.local_addr()?);
        let wire = Arc::new(Wire::default());
        let (host, port) = server.socket();
        let target = (host.to_owned(), port);
        let shared = Arc::clone(&wire);
        // The thread ends with the relay.
        std::thread::spawn(move || {
            for client in listener.incoming() {
                if shared.is_gone.load(Ordering::SeqCst) {
                    return;
                }
                if let Ok(client) = client
                    && let Ok(server) = TcpStream::connect((target.0.as_str(), target.1))
                {
                    // A line that cannot be laid is one that is cut.
                    let _ = shared.lay(&client, &server);
                }
            }
        });
        Ok(Self { url, wire })
    }

    /// Where the bot finds the server.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Cuts all lines; new ones can be laid.
    pub(super) fn cut(&self) {
        for stream in self.wire.open().drain(..) {
            // It may be closed already.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.wire.is_gone.store(true, Ordering::SeqCst);
        self.cut();
        // Wakes the thread that listens.
        let _ = TcpStream::connect(self.url.trim_start_matches("http://"));
    }
}

impl Wire {
    fn open(&self) -> std::sync::MutexGuard<'_, Vec<TcpStream>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lay(&self, client: &TcpStream, server: &TcpStream) -> io::Result<()> {
        for (from, to) in [(client, server), (server, client)] {
            let (mut from, mut to) = (from.try_clone()?, to.try_clone()?);
            self.open().push(from.try_clone()?);
            std::thread::spawn(move || {
                let _ = io::copy(&mut from, &mut to);
                let _ = to.shutdown(Shutdown::Write);
            });
        }
        Ok(())
    }
}
