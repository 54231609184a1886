//! A way to a PostgreSQL server that breaks at the worst moment.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio_util::task::TaskTracker;

/// The name of a socket for the port that libpq uses.
const SOCKET: &str = ".s.PGSQL.5432";
/// How sqlx sends COMMIT: a simple query.
const COMMIT: &[u8] = b"COMMIT\0";

/// What happens to the next COMMIT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Next {
    /// It passes.
    Pass,
    /// The server gets it, and its answer is lost with the connection.
    LoseAnswer,
    /// The connection breaks before the server gets it.
    LoseCommit,
}

/// A proxy between a store and the server of the tests.
pub(crate) struct Proxy {
    directory: TempDir,
    next: Arc<AtomicU8>,
}

impl Proxy {
    /// Listens in a directory of its own, and passes on to the server in the other.
    pub(crate) fn new(server: &str) -> Self {
        let directory = TempDir::new().unwrap();
        let next = Arc::new(AtomicU8::new(Next::Pass as u8));
        let listener = UnixListener::bind(directory.path().join(SOCKET)).unwrap();
        let server = PathBuf::from(server).join(SOCKET);
        let proxy = Self {
            directory,
            next: Arc::clone(&next),
        };
        let tasks = TaskTracker::new();
        tasks.clone().spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = UnixStream::connect(&server).await.unwrap();
                tasks.spawn(pass(client, server, Arc::clone(&next)));
            }
        });
        proxy
    }

    /// Where it listens.
    pub(crate) fn directory(&self) -> &str {
        self.directory.path().to_str().unwrap()
    }

    /// Decides about the next COMMIT.
    pub(crate) fn set_next(&self, next: Next) {
        self.next.store(next as u8, Ordering::SeqCst);
    }

    /// Whether what was decided has happened.
    pub(crate) fn has_happened(&self) -> bool {
        self.next.load(Ordering::SeqCst) == Next::Pass as u8
    }
}

/// Passes bytes on in both directions until one side closes, or a COMMIT meets its fate.
async fn pass(mut client: UnixStream, mut server: UnixStream, next: Arc<AtomicU8>) {
    let (mut said, mut answered) = ([0; 65_536], [0; 65_536]);
    loop {
        tokio::select! {
            read = client.read(&mut said) => {
                let said = match read {
                    Ok(length) if length > 0 => &said[..length],
                    _ => return,
                };
                let commits = said.windows(COMMIT.len()).any(|part| part == COMMIT);
                let fate = match commits {
                    true => next.swap(Next::Pass as u8, Ordering::SeqCst),
                    false => Next::Pass as u8,
                };
                if fate == Next::LoseCommit as u8 || server.write_all(said).await.is_err() {
                    return;
                }
                if fate == Next::LoseAnswer as u8 {
                    // The server has done it once it answers.
                    let _ = server.read(&mut answered).await;
                    return;
                }
            }
            read = server.read(&mut answered) => match read {
                Ok(length) if length > 0 => {
                    if client.write_all(&answered[..length]).await.is_err() {
                        return;
                    }
                }
                _ => return,
            },
        }
    }
}
