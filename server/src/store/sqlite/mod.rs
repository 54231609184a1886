//! The store in an SQLite file: one task writes, a few connections read.
//!
//! A write is a message to the writer and a wait for its answer, so no caller can tear a transaction by going away. Each batch
//! of commits is one transaction.

pub(crate) mod accept;
pub(crate) mod accounts;
mod admission;
mod attempt;
pub(crate) mod bans;
mod changes;
mod checks;
mod closed;
pub(crate) mod copy;
pub(crate) mod copying;
pub(crate) mod covered;
pub(crate) mod cut_log;
pub(crate) mod entries;
pub(crate) mod erasing;
mod fault;
mod files;
mod heads;
mod journal;
pub mod keeping;
pub(crate) mod left;
mod lists;
pub(crate) mod lock;
mod log_tail;
pub(crate) mod logs;
mod make;
mod names;
mod nodes;
mod note;
mod open_matches;
pub(crate) mod opening;
pub(crate) mod puzzle_rows;
mod puzzles;
pub(crate) mod rating_rows;
mod ratings;
mod readers;
mod recovery;
mod refusal;
pub(crate) mod removal;
mod request;
pub(crate) mod reviews;
pub(crate) mod rows;
pub(crate) mod run;
pub(crate) mod schema;
mod scrub;
mod scrubbing;
pub(crate) mod seal;
pub mod snapshot;
pub(crate) mod sum;
pub(crate) mod sums;
mod unfinished;
mod unverified;
mod usage;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{
    ClientCreateId, JoinCode, MatchId, Millis, PlayerId, PuzzleId, Seq, ServerId,
};
use grundy_shared::rated::{Family, RatingState};
use sqlx::sqlite::SqliteConnection;
use tokio::signal::unix::SignalKind;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::task::TaskTracker;

pub use schema::Durability;

use self::admission::{admit, admit_without_log};
use self::attempt::Attempt;
use self::checks::open_count_statement;
use self::closed::Sound;
use self::files::Files;
use self::journal::Journal;
use self::lock::FileLock;
use self::logs::{SettledEvents, read_journal, settled};
use self::nodes::read_nodes;
use self::note::Note;
use self::opening::{disconnect, resolve};
use self::readers::{LONGEST_READ, Readers};
use self::removal::removable;
use self::request::Request;
use self::rows::{address_secret, match_id, read_player, server_id, unsigned};
use self::schema::Upgrade;
use self::seal::{read_sealed, sealed_columns};
use self::sums::Sums;
use self::unverified::Unverified;
use self::usage::read_usage;
use self::writer::{Counters, End, Held, Writer};
use super::{
    AccountRow, AddressDigest, AddressSecret, Allowances, BanRow, Bearer, Commit, CommitError,
    Cursor, Erasure, Gauges, LOAD_PAGE, Leaderboard, Lease, ListFilter, Listing, Logged, MatchRow,
    Mentions, NodeId, NodeRow, OpenMatch, OpenMatchLog, Page, PuzzleRow, PuzzlesWanted, Ranked,
    RatingRow, Removal, ReviewRow, Rewrite, SecretHash, Store, StoreError, StreamId, Uncounted,
    Unneeded, Usage, WordSummary,
};

/// Writes that may wait for the writer; a caller beyond them waits to be let in.
const WAITING: usize = 1_024;

/// Times that logs are settled before they are rewritten, while others append to them.
const SETTLINGS: usize = 20;

/// The store in an SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    requests: mpsc::Sender<Request>,
    readers: Readers,
    journal: Journal,
    sound: Arc<Sound>,
    unverified: Arc<Unverified>,
    counters: Arc<Counters>,
    end: watch::Receiver<Option<End>>,
    /// What was committed last may have been lost before this start.
    log_missing: bool,
}

impl SqliteStore {
    /// Opens the database at this path, making or migrating it as needed.
    ///
    /// # Errors
    /// Whatever stands in the way, typed; a file that is not ours is not touched.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_with(path, Durability::Full, Allowances::default()).await
    }

    /// The same with what the operator allows, and a say in durability: weakened for the control of the power-cut tests only.
    ///
    /// # Errors
    /// As [`SqliteStore::open`].
    pub async fn open_with(
        path: &Path,
        durability: Durability,
        allowed: Allowances,
    ) -> Result<Self, StoreError> {
        let path = resolve(path)?;
        ignore_file_size_signal()?;
        let upgrade = match allowed.upgrade_without_copy {
            true => Upgrade::WithoutCopy,
            false => Upgrade::KeepingCopy,
        };
        let may_be_served = || unfinished::check(&path).and_then(|()| left::check(&path, None));
        may_be_served()?;
        let mut lock = FileLock::take(&path)?;
        // Who copies it has held the lock until now.
        may_be_served()?;
        let mut log_missing = admit(&path, &mut lock, allowed)?;
        let mut opened = schema::connect_writer(&path, durability, upgrade).await?;
        if opened.was_open && !lock.had_log() && !log_missing {
            log_missing = admit_without_log(&path, &mut lock, allowed)?;
        }
        let tasks = TaskTracker::new();
        let readers = match Readers::open(&path, tasks.clone(), LONGEST_READ).await {
            // After a power cut in the very making of the file its header can say the old journal mode while a log without a
            // whole frame stands beside it. SQLite then takes the mode for set and does not write it down, and emptying the log leaves
            // nothing of it. Opening the file again sets it; every reader checks it.
            Err(StoreError::Failed { .. }) => {
                disconnect(opened.connection).await;
                opened = schema::connect_writer(&path, durability, upgrade).await?;
                Readers::open(&path, tasks.clone(), LONGEST_READ).await?
            }
            opened => opened?,
        };
        let mut connection = opened.connection;
        lock.note_durably(Note::Running);
        let journal = read_journal(&mut connection).await?;
        let nodes = read_nodes(&mut connection).await?;
        let epochs = nodes.iter().map(|row| (row.id, row.epoch)).collect();
        run::open(journal.extent(None), &mut connection).await?;
        let sums = Sums::watch(&mut connection).await?;
        let counters = Arc::new(Counters::default());
        let (requests, waiting) = mpsc::channel(WAITING);
        let (ended, end) = watch::channel(None);
        let files = watch(&mut connection, &path).await?;
        let writer = Writer::new(
            connection,
            waiting,
            Arc::clone(&counters),
            journal.clone(),
            epochs,
            sums,
            Held { files, lock },
        );
        tasks.spawn(async move {
            let end = writer.run_to_end().await;
            ended.send_replace(Some(end));
        });
        Ok(Self {
            path,
            requests,
            readers,
            journal,
            sound: Arc::default(),
            unverified: Arc::default(),
            counters,
            end,
            log_missing,
        })
    }

    /// The file, with its directory resolved.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the store is still open for reading.
    fn open_for_reading(&self) -> Result<(), StoreError> {
        match self.readers.is_closed() {
            true => Err(StoreError::Closed),
            false => Ok(()),
        }
    }

    /// Hands a request to the writer and waits for its answer.
    async fn ask<T>(
        &self,
        request: impl FnOnce(oneshot::Sender<T>) -> Request,
    ) -> Result<T, StoreError> {
        let (sender, answer) = oneshot::channel();
        self.requests
            .send(request(sender))
            .await
            .map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)
    }
}

/// Looks at the files of the database for the first time, now that all connections have them open.
async fn watch(connection: &mut SqliteConnection, path: &Path) -> Result<Files, StoreError> {
    let (_, frames, moved): (i64, i64, i64) = sqlx::query_as("PRAGMA wal_checkpoint(NOOP)")
        .fetch_one(connection)
        .await?;
    Files::of(path, unsigned(frames)?, frames == moved)
}

/// A write beyond a file size limit is to fail as a write to a full disk does: without a handler its signal would end the
/// process.
fn ignore_file_size_signal() -> Result<(), StoreError> {
    let signal = SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw());
    // The handler stays when the stream of signals is dropped.
    tokio::signal::unix::signal(signal)
        .map(drop)
        .map_err(|error| StoreError::Failed {
            why: format!("no handler for SIGXFSZ: {error}"),
        })
}

#[async_trait]
impl Store for SqliteStore {
    async fn commit(&self, lease: Lease, batch: Vec<Commit>) -> Vec<Result<(), CommitError>> {
        let wanted = batch.len();
        let outcomes = self.ask(|reply| Request::Commit(lease, batch, reply)).await;
        outcomes.unwrap_or_else(|error| vec![Err(error.into()); wanted])
    }

    async fn load(
        &self,
        stream: StreamId,
        after: Seq,
        wish: usize,
    ) -> Result<Option<Vec<Logged>>, StoreError> {
        let limit = wish.min(LOAD_PAGE);
        // Unsettled events first: they may be settled while the rest is read, but settled events never become unsettled.
        let mut tail = self.journal.after(stream, after, limit);
        if self.journal.covers(stream, after) {
            return self.open_for_reading().map(|()| Some(tail));
        }
        let (sound, journal) = (Arc::clone(&self.sound), self.journal.clone());
        let unverified = Arc::clone(&self.unverified);
        let settled = self
            .readers
            .read(move |connection| {
                Box::pin(async move {
                    let settled = settled(connection, stream, after, limit).await?;
                    if let (StreamId::Match(id), Some(SettledEvents { closed: true, .. })) =
                        (stream, &settled)
                    {
                        sound.check(id, &journal, &unverified, connection).await?;
                    }
                    Ok(settled)
                })
            })
            .await?;
        let Some(SettledEvents { mut events, .. }) = settled else {
            return Ok(None);
        };
        if events.is_empty() && tail.is_empty() {
            // Committed since.
            tail = self.journal.after(stream, after, limit);
        }
        let last = events.last().map_or(after, |last| last.seq);
        let room = limit - events.len();
        let later = tail.into_iter().filter(|event| event.seq > last);
        events.extend(later.take(room));
        Ok(Some(events))
    }

    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    sqlx::query(concat!(
                        "SELECT ",
                        sealed_columns!(),
                        " FROM match WHERE id = ?1"
                    ))
                    .bind(id.to_i64())
                    .fetch_optional(connection)
                    .await?
                    .as_ref()
                    .map(|row| read_sealed(row).map(|(_, summary, _)| summary))
                    .transpose()
                })
            })
            .await
    }

    async fn list(&self, filter: ListFilter, page: Page) -> Result<Listing, StoreError> {
        let from = page.number()?;
        let unverified = Arc::clone(&self.unverified);
        self.readers
            .read(move |connection| {
                Box::pin(
                    async move { lists::list(connection, filter, from, page, &unverified).await },
                )
            })
            .await
    }

    async fn uncounted(&self, page: Page) -> Result<Vec<Uncounted>, StoreError> {
        let from = page.ended_number()?;
        self.readers
            .read(move |connection| Box::pin(lists::uncounted(connection, from, page)))
            .await
    }

    async fn review(&self, id: MatchId) -> Result<Option<ReviewRow>, StoreError> {
        self.readers
            .read(move |connection| Box::pin(reviews::review(connection, id)))
            .await
    }

    async fn open_matches(
        &self,
        player: PlayerId,
        wish: usize,
    ) -> Result<Vec<OpenMatch>, StoreError> {
        let unverified = Arc::clone(&self.unverified);
        self.readers
            .read(move |connection| {
                Box::pin(
                    async move { lists::open_matches(connection, player, wish, &unverified).await },
                )
            })
            .await
    }

    async fn open_count(&self, of: Option<PlayerId>) -> Result<u64, StoreError> {
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    let count: i64 = match of {
                        None => {
                            sqlx::query_scalar("SELECT count(*) FROM match WHERE status <> 'over'")
                                .fetch_one(connection)
                                .await?
                        }
                        Some(player) => {
                            sqlx::query_scalar(open_count_statement!())
                                .bind(player.as_bytes().to_vec())
                                .fetch_one(connection)
                                .await?
                        }
                    };
                    unsigned(count)
                })
            })
            .await
    }

    async fn open_count_from(&self, address: AddressDigest) -> Result<u64, StoreError> {
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    let count: i64 =
                        sqlx::query_scalar("SELECT count(*) FROM match WHERE address = ?1")
                            .bind(address.0)
                            .fetch_one(connection)
                            .await?;
                    unsigned(count)
                })
            })
            .await
    }

    async fn address_of(&self, id: MatchId) -> Result<Option<AddressDigest>, StoreError> {
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    let address: Option<Option<u16>> =
                        sqlx::query_scalar("SELECT address FROM match WHERE id = ?1")
                            .bind(id.to_i64())
                            .fetch_optional(connection)
                            .await?;
                    Ok(address.flatten().map(AddressDigest))
                })
            })
            .await
    }

    async fn live(
        &self,
        owner: NodeId,
        after: Option<Cursor>,
    ) -> Result<Vec<OpenMatchLog>, StoreError> {
        let after = match &after {
            Some(after) => after.to_number()?,
            None => i64::MIN,
        };
        let page = self.live_page(owner, after).await?;
        self.with_logs(&page).await
    }

    async fn find_code(&self, code: JoinCode) -> Result<Option<(MatchId, Millis)>, StoreError> {
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    sqlx::query_as(
                        "SELECT id, expires_at FROM join_code JOIN match ON match = number WHERE code = ?1",
                    )
                    .bind(code.to_string())
                    .fetch_optional(connection)
                    .await?
                    .map(|(id, expires)| Ok((match_id(id)?, Millis(unsigned(expires)?))))
                    .transpose()
                })
            })
            .await
    }

    async fn find_create_id(
        &self,
        player: PlayerId,
        client_create_id: &ClientCreateId,
    ) -> Result<Option<MatchId>, StoreError> {
        let name = client_create_id.to_string();
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    sqlx::query_scalar(
                        "SELECT id FROM create_id JOIN match ON match = number WHERE player = ?1 AND name = ?2",
                    )
                    .bind(player.as_bytes().to_vec())
                    .bind(name)
                    .fetch_optional(connection)
                    .await?
                    .map(match_id)
                    .transpose()
                })
            })
            .await
    }

    async fn bearer(&self, hash: SecretHash) -> Result<Option<Bearer>, StoreError> {
        self.readers
            .read(move |connection| Box::pin(accounts::bearer(connection, hash)))
            .await
    }

    async fn account(&self, player: PlayerId) -> Result<Option<AccountRow>, StoreError> {
        self.readers
            .read(move |connection| Box::pin(accounts::account(connection, player)))
            .await
    }

    async fn player(&self, id: PlayerId) -> Result<Option<PlayerInfo>, StoreError> {
        self.player_where(
            "SELECT id, name, bot FROM player WHERE id = ?1",
            Key::Bytes(id.as_bytes().to_vec()),
        )
        .await
    }

    async fn player_by_name(&self, name_key: &str) -> Result<Option<PlayerInfo>, StoreError> {
        self.player_where(
            "SELECT id, name, bot FROM player WHERE name_key = ?1",
            Key::Name(name_key.to_owned()),
        )
        .await
    }

    async fn ratings(&self, player: PlayerId) -> Result<Vec<(Family, RatingRow)>, StoreError> {
        let unverified = Arc::clone(&self.unverified);
        self.readers
            .read(move |connection| {
                Box::pin(async move { ratings::ratings(connection, player, &unverified).await })
            })
            .await
    }

    async fn rating(
        &self,
        player: PlayerId,
        family: Family,
    ) -> Result<Option<RatingRow>, StoreError> {
        self.readers
            .read(move |connection| Box::pin(ratings::rating(connection, player, family)))
            .await
    }

    async fn leaderboard(
        &self,
        board: Leaderboard,
        after: Option<Cursor>,
        wish: usize,
    ) -> Result<Vec<Ranked>, StoreError> {
        let unverified = Arc::clone(&self.unverified);
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    ratings::leaderboard(connection, board, after, wish, &unverified).await
                })
            })
            .await
    }

    async fn puzzle(&self, id: PuzzleId) -> Result<Option<PuzzleRow>, StoreError> {
        self.readers
            .read(move |connection| Box::pin(puzzles::puzzle(connection, id)))
            .await
    }

    async fn puzzles_near(&self, wanted: PuzzlesWanted) -> Result<Vec<PuzzleRow>, StoreError> {
        let unverified = Arc::clone(&self.unverified);
        self.readers
            .read(move |connection| {
                Box::pin(async move { puzzles::near(connection, wanted, &unverified).await })
            })
            .await
    }

    async fn solver(&self, player: PlayerId) -> Result<Option<RatingState>, StoreError> {
        self.readers
            .read(move |connection| Box::pin(puzzles::solver(connection, player)))
            .await
    }

    async fn attempt(&self, player: PlayerId, puzzle: PuzzleId) -> Result<Option<Seq>, StoreError> {
        self.readers
            .read(move |connection| Box::pin(puzzles::attempt(connection, player, puzzle)))
            .await
    }

    async fn plays_rated(&self, player: PlayerId) -> Result<bool, StoreError> {
        self.readers
            .read(move |connection| Box::pin(ratings::plays_rated(connection, player)))
            .await
    }

    async fn server_id(&self) -> Result<Option<ServerId>, StoreError> {
        self.readers
            .read(|connection| {
                Box::pin(async move {
                    sqlx::query_scalar("SELECT id FROM server")
                        .fetch_optional(connection)
                        .await?
                        .map(server_id)
                        .transpose()
                })
            })
            .await
    }

    async fn address_secret(&self) -> Result<Option<AddressSecret>, StoreError> {
        self.readers
            .read(|connection| {
                Box::pin(async move {
                    sqlx::query_scalar("SELECT secret FROM address_secret")
                        .fetch_optional(connection)
                        .await?
                        .map(|stored: Vec<u8>| address_secret(&stored))
                        .transpose()
                })
            })
            .await
    }

    async fn enlist(&self, node: NodeId, at: Millis) -> Result<Lease, StoreError> {
        self.ask(|reply| Request::Enlist(node, at, reply)).await?
    }

    async fn heartbeat(&self, lease: Lease, at: Millis) -> Result<(), StoreError> {
        self.ask(|reply| Request::Heartbeat(lease, at, reply))
            .await?
    }

    async fn retire(&self, lease: Lease, at: Millis) -> Result<(), StoreError> {
        self.ask(|reply| Request::Retire(lease, at, reply)).await?
    }

    async fn removable(&self, unneeded: Unneeded) -> Result<Removal, StoreError> {
        self.readers
            .read(move |connection| Box::pin(removable(connection, unneeded)))
            .await
    }

    async fn remove(
        &self,
        lease: Lease,
        wanted: Removal,
        unneeded: Unneeded,
    ) -> Result<Removal, StoreError> {
        self.ask(|reply| Request::Remove(lease, wanted, unneeded, reply))
            .await?
    }

    async fn usage(&self, node: NodeId) -> Result<Vec<Usage>, StoreError> {
        self.readers
            .read(move |connection| Box::pin(read_usage(connection, node)))
            .await
    }

    async fn mentioning(
        &self,
        texts: Vec<String>,
        after: Option<Cursor>,
    ) -> Result<Mentions, StoreError> {
        // First what is not settled: nothing comes back from where it is settled.
        let mut found = match &after {
            None => erasing::mentioning_unsettled(&self.journal, &texts).await,
            Some(_) => Vec::new(),
        };
        let after = after.map_or(Ok(i64::MIN), |after| after.to_number())?;
        let read = self.readers.read(move |connection| {
            Box::pin(async move { erasing::mentioning(connection, &texts, after).await })
        });
        let (settled, next) = read.await?;
        found.retain(|stream| !settled.contains(stream));
        found.extend(settled);
        Ok(Mentions {
            streams: found,
            next: next.map(Cursor::number),
        })
    }

    async fn rewrite(
        &self,
        lease: Lease,
        player: PlayerId,
        logs: Vec<Rewrite>,
    ) -> Result<(), CommitError> {
        let logs: Arc<[Rewrite]> = logs.into();
        for _ in 0..SETTLINGS {
            let attempt = self
                .ask(|reply| Request::Rewrite(lease, player, Arc::clone(&logs), reply))
                .await?;
            match attempt? {
                Attempt::Done => {
                    self.sound.forget(logs.iter().map(|log| log.stream));
                    return Ok(());
                }
                Attempt::Settled => {}
                Attempt::Refused(refusal) => return Err(refusal),
            }
        }
        let why = "the logs grow while they are to be rewritten".to_owned();
        Err(StoreError::Busy { why }.into())
    }

    async fn scrub(&self, lease: Lease) -> Result<bool, StoreError> {
        self.ask(|reply| Request::Scrub(lease, reply)).await?
    }

    async fn erasures(&self) -> Result<Vec<Erasure>, StoreError> {
        self.readers
            .read(|connection| Box::pin(erasing::erasures(connection)))
            .await
    }

    async fn words(&self, _: Seq) -> Result<Vec<Logged>, StoreError> {
        Ok(Vec::new())
    }

    async fn word_summary(&self) -> Result<Option<WordSummary>, StoreError> {
        Ok(None)
    }

    async fn bans(&self) -> Result<Vec<BanRow>, StoreError> {
        self.readers
            .read(|connection| Box::pin(bans::bans(connection)))
            .await
    }

    async fn nodes(&self) -> Result<Vec<NodeRow>, StoreError> {
        self.readers
            .read(|connection| Box::pin(read_nodes(connection)))
            .await
    }

    async fn take_over(&self, lease: Lease, from: NodeRow) -> Result<u64, StoreError> {
        self.ask(|reply| Request::TakeOver(lease, from, reply))
            .await?
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.ask(Request::Ready).await?
    }

    async fn failed(&self) -> StoreError {
        let mut end = self.end.clone();
        let failure = match end.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(Err(error))) => Some(error.clone()),
            _ => None,
        };
        match failure {
            Some(error) => error,
            None => std::future::pending().await,
        }
    }

    fn gauges(&self) -> Gauges {
        let waiting = self.requests.max_capacity() - self.requests.capacity();
        Gauges {
            unsettled_lost: self.log_missing,
            unverified: self.unverified.count(),
            ..self.counters.gauges(waiting as u64)
        }
    }

    async fn close(&self) {
        // The writer leaves last: only who can write empties and removes the write-ahead log.
        self.readers.close().await;
        // An error means that the writer is gone already.
        let _ = self.requests.send(Request::Close).await;
        let _ = self.end.clone().wait_for(Option::is_some).await;
    }
}

/// By what a player is looked up.
enum Key {
    /// An id.
    Bytes(Vec<u8>),
    /// The key of a name.
    Name(String),
}

impl SqliteStore {
    async fn player_where(
        &self,
        statement: &'static str,
        key: Key,
    ) -> Result<Option<PlayerInfo>, StoreError> {
        self.readers
            .read(move |connection| {
                Box::pin(async move {
                    let query = match key {
                        Key::Bytes(bytes) => sqlx::query(statement).bind(bytes),
                        Key::Name(name) => sqlx::query(statement).bind(name),
                    };
                    match query.fetch_optional(connection).await? {
                        Some(row) => read_player(&row, ["id", "name", "bot"]),
                        None => Ok(None),
                    }
                })
            })
            .await
    }
}
