//! A way to a PostgreSQL server that breaks at the worst moment.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;
use tokio_util::task::TaskTracker;

/// The name of a socket for the port that libpq uses.
const SOCKET: &str = ".s.PGSQL.5432";
/// How sqlx sends COMMIT and ROLLBACK: as simple queries.
const COMMIT: &[u8] = b"COMMIT\0";
const ROLLBACK: &[u8] = b"ROLLBACK\0";

/// What happens to the next COMMIT, or to the next ROLLBACK.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Next {
    /// It passes.
    Pass,
    /// The server gets it, and its answer is lost with the connection.
    LoseAnswer,
    /// The connection breaks before the server gets it.
    LoseCommit,
    /// The server never gets it, and the connection stays as if it would.
    Swallow,
    /// The connection breaks at the next ROLLBACK, and no other leads anywhere from then on.
    GoAtRollback,
}

/// What all connections of a proxy have in common.
#[derive(Debug)]
struct Fate {
    next: AtomicU8,
    /// Whether the server cannot be reached any more.
    gone: AtomicBool,
    /// What clients have said: about as many messages as round trips.
    said: AtomicU64,
    /// Connections that are older than this number have been forgotten.
    forgotten: watch::Sender<u64>,
    /// What clients say under this number is not passed on, and all connections are forgotten with it.
    last_word: AtomicU64,
}

/// A proxy between a store and the server of the tests.
pub(crate) struct Proxy {
    directory: TempDir,
    fate: Arc<Fate>,
}

impl Proxy {
    /// Listens in a directory of its own, and passes on to the server in the other.
    pub(crate) fn new(server: &str) -> Self {
        let directory = TempDir::new().unwrap();
        let fate = Arc::new(Fate {
            next: AtomicU8::new(Next::Pass as u8),
            gone: AtomicBool::new(false),
            said: AtomicU64::new(0),
            forgotten: watch::Sender::new(0),
            last_word: AtomicU64::new(u64::MAX),
        });
        let listener = UnixListener::bind(directory.path().join(SOCKET)).unwrap();
        let server = PathBuf::from(server).join(SOCKET);
        let proxy = Self {
            directory,
            fate: Arc::clone(&fate),
        };
        let tasks = TaskTracker::new();
        tasks.clone().spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                if fate.gone.load(Ordering::SeqCst) {
                    continue;
                }
                let server = UnixStream::connect(&server).await.unwrap();
                tasks.spawn(pass(client, server, Arc::clone(&fate)));
            }
        });
        proxy
    }

    /// Where it listens.
    pub(crate) fn directory(&self) -> &str {
        self.directory.path().to_str().unwrap()
    }

    /// Forgets the connections that are there, as a firewall does: they stay open, and nothing passes any more. New ones pass.
    pub(crate) fn forget_connections(&self) {
        self.fate.forgotten.send_modify(|count| *count += 1);
    }

    /// Forgets the connections at the next message, or so many messages later: it is not passed on.
    pub(crate) fn forget_connections_after(&self, messages: u64) {
        self.fate
            .last_word
            .store(self.said() + messages, Ordering::SeqCst);
    }

    /// How often clients have said something.
    pub(crate) fn said(&self) -> u64 {
        self.fate.said.load(Ordering::SeqCst)
    }

    /// Decides about the next COMMIT or ROLLBACK.
    pub(crate) fn set_next(&self, next: Next) {
        self.fate.next.store(next as u8, Ordering::SeqCst);
    }

    /// Whether what was decided has happened.
    pub(crate) fn has_happened(&self) -> bool {
        self.fate.next.load(Ordering::SeqCst) == Next::Pass as u8
    }
}

/// Passes bytes on in both directions until one side closes, or what it says meets its fate.
async fn pass(mut client: UnixStream, mut server: UnixStream, fate: Arc<Fate>) {
    let (mut said, mut answered) = ([0; 65_536], [0; 65_536]);
    let mut forgotten = fate.forgotten.subscribe();
    loop {
        tokio::select! {
            _ = forgotten.changed() => return swallow(client, server).await,
            read = client.read(&mut said) => {
                let said = match read {
                    Ok(length) if length > 0 => &said[..length],
                    _ => return,
                };
                let before = fate.said.fetch_add(1, Ordering::SeqCst);
                if before == fate.last_word.load(Ordering::SeqCst) {
                    fate.forgotten.send_modify(|count| *count += 1);
                    return swallow(client, server).await;
                }
                let has = |word: &[u8]| said.windows(word.len()).any(|part| part == word);
                let wanted = fate.next.load(Ordering::SeqCst);
                let meets = match wanted == Next::GoAtRollback as u8 {
                    true => has(ROLLBACK),
                    false => has(COMMIT),
                };
                let next = match meets {
                    true => fate.next.swap(Next::Pass as u8, Ordering::SeqCst),
                    false => Next::Pass as u8,
                };
                if next == Next::GoAtRollback as u8 {
                    fate.gone.store(true, Ordering::SeqCst);
                    return;
                }
                if next == Next::Swallow as u8 {
                    return swallow(client, server).await;
                }
                if next == Next::LoseCommit as u8 || server.write_all(said).await.is_err() {
                    return;
                }
                if next == Next::LoseAnswer as u8 {
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

/// Takes what both sides say and passes nothing on.
async fn swallow(mut client: UnixStream, mut server: UnixStream) {
    let (mut one, mut other) = (tokio::io::sink(), tokio::io::sink());
    let _ = tokio::join!(
        tokio::io::copy(&mut client, &mut one),
        tokio::io::copy(&mut server, &mut other)
    );
}
