//! The store in a PostgreSQL database that several servers may share: one task writes, a few connections read.
//!
//! A write is a message to the writer and a wait for its answer, so no caller can tear a transaction by going away. What waits is one transaction. Between
//! servers the rows of the database decide: docs/decisions/0060.

mod accounts;
mod address;
mod bans;
mod batch;
mod checks;
mod connecting;
mod erasing;
mod fault;
mod flush;
mod foresee;
mod lists;
mod logs;
mod nodes;
mod places;
mod puzzles;
mod queue;
mod ratings;
mod readers;
mod refusal;
mod removal;
mod request;
mod reviews;
mod rows;
mod schema;
mod soundness;
mod stage;
mod tally;
mod transaction;
mod usage;
mod work;
mod writer;

use std::sync::Arc;

use async_trait::async_trait;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{
    ClientCreateId, JoinCode, MatchId, Millis, PlayerId, PuzzleId, Seq, ServerId,
};
use grundy_shared::rated::{Family, RatingState};
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::task::TaskTracker;

pub use self::address::Address;

use self::fault::Fault;
use self::logs::Sound;
use self::readers::Readers;
use self::request::{Batched, Request};
use self::writer::{Counters, End, Writer};
use super::columns::{address_secret, server_id, unsigned};
use super::{
    AccountRow, AddressDigest, AddressSecret, BanRow, Bearer, Commit, CommitError, Cursor, Erasure,
    Gauges, Leaderboard, Lease, ListFilter, Listing, Logged, MatchRow, Mentions, NodeId, NodeRow,
    OpenMatch, OpenMatchLog, Page, PuzzleRow, PuzzlesWanted, Ranked, RatingRow, Removal, ReviewRow,
    Rewrite, SecretHash, Store, StoreError, StreamId, Uncounted, Unneeded, Usage,
};

/// Writes that may wait for the writer; a caller beyond them waits to be let in.
const WAITING: usize = 1_024;

/// The store in a PostgreSQL database.
#[derive(Debug)]
pub struct PostgresStore {
    requests: mpsc::Sender<Request>,
    readers: Readers,
    sound: Sound,
    counters: Arc<Counters>,
    end: watch::Receiver<Option<End>>,
}

impl PostgresStore {
    /// Makes the tables in an empty database, or upgrades those of an older version, as the role of this address, which owns them afterwards. Servers connect with
    /// another role: migrations/postgres/grants.sql has what that needs.
    ///
    /// # Errors
    /// `NotOurs`, `Newer`, or `Unusable` with what to do; nothing is changed then.
    pub async fn migrate(address: &Address) -> Result<(), StoreError> {
        let migrated = connecting::migrate(address).await;
        migrated.map_err(|fault| connecting::unusable(address, fault))
    }

    /// Opens a database whose tables are there. Nothing in it is changed.
    ///
    /// # Errors
    /// `NotOurs`, `Newer`, `Unsafe`, or `Unusable`: each says what to do, and shows no password.
    pub async fn open(address: Address) -> Result<Self, StoreError> {
        let connected = connecting::connect(&address).await;
        let connection = connected.map_err(|fault| connecting::unusable(&address, fault))?;
        let readers = Readers::new(&address);
        let counters = Arc::new(Counters::default());
        let (requests, waiting) = mpsc::channel(WAITING);
        let (ended, end) = watch::channel(None);
        let writer = Writer::new(address, connection, waiting, Arc::clone(&counters));
        TaskTracker::new().spawn(async move {
            let end = writer.run().await;
            ended.send_replace(Some(end));
        });
        Ok(Self {
            requests,
            readers,
            sound: Sound::default(),
            counters,
            end,
        })
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

#[async_trait]
impl Store for PostgresStore {
    async fn commit(&self, lease: Lease, commits: Vec<Commit>) -> Vec<Result<(), CommitError>> {
        let count = commits.len();
        let asked = self.ask(|reply| {
            Request::Commit(Batched {
                lease,
                commits,
                reply,
            })
        });
        match asked.await {
            Ok(outcomes) => outcomes,
            Err(error) => vec![Err(error.into()); count],
        }
    }

    async fn load(
        &self,
        stream: StreamId,
        after: Seq,
        limit: usize,
    ) -> Result<Option<Vec<Logged>>, StoreError> {
        let read = logs::load(self.readers.pool(), &self.sound, stream, after, limit);
        read.await.map_err(Fault::into_error)
    }

    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        let read = lists::row(self.readers.pool(), id);
        read.await.map_err(Fault::into_error)
    }

    async fn list(&self, filter: ListFilter, page: Page) -> Result<Listing, StoreError> {
        self.readers.check_open()?;
        let from = page.number()?;
        let read = lists::list(self.readers.pool(), filter, from, page);
        read.await.map_err(Fault::into_error)
    }

    async fn uncounted(&self, page: Page) -> Result<Vec<Uncounted>, StoreError> {
        self.readers.check_open()?;
        let from = page.ended_number()?;
        let read = lists::uncounted(self.readers.pool(), from, page);
        read.await.map_err(Fault::into_error)
    }

    async fn review(&self, id: MatchId) -> Result<Option<ReviewRow>, StoreError> {
        let read = reviews::review(self.readers.pool(), id);
        read.await.map_err(Fault::into_error)
    }

    async fn open_matches(
        &self,
        player: PlayerId,
        limit: usize,
    ) -> Result<Vec<OpenMatch>, StoreError> {
        let read = lists::open_matches(self.readers.pool(), player, limit);
        read.await.map_err(Fault::into_error)
    }

    async fn open_count(&self, of: Option<PlayerId>) -> Result<u64, StoreError> {
        let read = lists::open_count(self.readers.pool(), of);
        unsigned(read.await.map_err(Fault::into_error)?)
    }

    async fn open_count_from(&self, address: AddressDigest) -> Result<u64, StoreError> {
        let read = lists::open_count_from(self.readers.pool(), address);
        unsigned(read.await.map_err(Fault::into_error)?)
    }

    async fn address_of(&self, id: MatchId) -> Result<Option<AddressDigest>, StoreError> {
        let read = lists::address_of(self.readers.pool(), id);
        read.await.map_err(Fault::into_error)
    }

    async fn live(
        &self,
        owner: NodeId,
        after: Option<Cursor>,
    ) -> Result<Vec<OpenMatchLog>, StoreError> {
        self.readers.check_open()?;
        let after = after.map_or(Ok(i64::MIN), |after| after.to_number())?;
        let read = logs::live(self.readers.pool(), owner, after);
        read.await.map_err(Fault::into_error)
    }

    async fn find_code(&self, code: JoinCode) -> Result<Option<(MatchId, Millis)>, StoreError> {
        let read = lists::find_code(self.readers.pool(), code);
        read.await.map_err(Fault::into_error)
    }

    async fn find_create_id(
        &self,
        player: PlayerId,
        client_create_id: &ClientCreateId,
    ) -> Result<Option<MatchId>, StoreError> {
        let read = lists::find_create_id(self.readers.pool(), player, client_create_id);
        read.await.map_err(Fault::into_error)
    }

    async fn bearer(&self, hash: SecretHash) -> Result<Option<Bearer>, StoreError> {
        let read = accounts::bearer(self.readers.pool(), hash);
        read.await.map_err(Fault::into_error)
    }

    async fn account(&self, player: PlayerId) -> Result<Option<AccountRow>, StoreError> {
        let read = accounts::account(self.readers.pool(), player);
        read.await.map_err(Fault::into_error)
    }

    async fn player(&self, id: PlayerId) -> Result<Option<PlayerInfo>, StoreError> {
        let read = accounts::player(self.readers.pool(), id);
        read.await.map_err(Fault::into_error)
    }

    async fn player_by_name(&self, name_key: &str) -> Result<Option<PlayerInfo>, StoreError> {
        let read = accounts::player_by_name(self.readers.pool(), name_key);
        read.await.map_err(Fault::into_error)
    }

    async fn ratings(&self, player: PlayerId) -> Result<Vec<(Family, RatingRow)>, StoreError> {
        let read = ratings::ratings(self.readers.pool(), player);
        read.await.map_err(Fault::into_error)
    }

    async fn rating(
        &self,
        player: PlayerId,
        family: Family,
    ) -> Result<Option<RatingRow>, StoreError> {
        let read = ratings::rating(self.readers.pool(), player, family);
        read.await.map_err(Fault::into_error)
    }

    async fn leaderboard(
        &self,
        board: Leaderboard,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<Vec<Ranked>, StoreError> {
        let read = ratings::leaderboard(self.readers.pool(), board, after, limit);
        read.await.map_err(Fault::into_error)
    }

    async fn plays_rated(&self, player: PlayerId) -> Result<bool, StoreError> {
        let read = ratings::plays_rated(self.readers.pool(), player);
        read.await.map_err(Fault::into_error)
    }

    async fn puzzle(&self, id: PuzzleId) -> Result<Option<PuzzleRow>, StoreError> {
        let read = puzzles::puzzle(self.readers.pool(), id);
        read.await.map_err(Fault::into_error)
    }

    async fn puzzles_near(&self, wanted: PuzzlesWanted) -> Result<Vec<PuzzleRow>, StoreError> {
        let read = puzzles::near(self.readers.pool(), wanted);
        read.await.map_err(Fault::into_error)
    }

    async fn solver(&self, player: PlayerId) -> Result<Option<RatingState>, StoreError> {
        let read = puzzles::solver(self.readers.pool(), player);
        read.await.map_err(Fault::into_error)
    }

    async fn attempt(&self, player: PlayerId, puzzle: PuzzleId) -> Result<Option<Seq>, StoreError> {
        let read = puzzles::attempt(self.readers.pool(), player, puzzle);
        read.await.map_err(Fault::into_error)
    }

    async fn usage(&self, node: NodeId) -> Result<Vec<Usage>, StoreError> {
        let read = usage::read_usage(self.readers.pool(), node);
        read.await.map_err(Fault::into_error)
    }

    async fn removable(&self, unneeded: Unneeded) -> Result<Removal, StoreError> {
        let read = removal::removable(self.readers.pool(), unneeded);
        read.await.map_err(Fault::into_error)
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

    async fn mentioning(
        &self,
        texts: Vec<String>,
        after: Option<Cursor>,
    ) -> Result<Mentions, StoreError> {
        let after = after.map_or(Ok(i64::MIN), |after| after.to_number())?;
        let read = erasing::mentioning(self.readers.pool(), &texts, after);
        read.await.map_err(Fault::into_error)
    }

    async fn rewrite(
        &self,
        lease: Lease,
        player: PlayerId,
        logs: Vec<Rewrite>,
    ) -> Result<(), CommitError> {
        self.ask(|reply| Request::Rewrite(lease, player, logs, reply))
            .await?
    }

    /// PostgreSQL lets no client overwrite what was deleted: VACUUM makes room of it, and the write-ahead log is recycled after checkpoints. The answer is `true`
    /// because nothing is left to do for a server. Operators who need more have the disk encrypted, or rewrite the tables (VACUUM FULL).
    async fn scrub(&self, lease: Lease) -> Result<bool, StoreError> {
        self.ask(|reply| Request::Scrub(lease, reply)).await?
    }

    async fn erasures(&self) -> Result<Vec<Erasure>, StoreError> {
        let read = erasing::erasures(self.readers.pool());
        read.await.map_err(Fault::into_error)
    }

    async fn bans(&self) -> Result<Vec<BanRow>, StoreError> {
        let read = bans::bans(self.readers.pool());
        read.await.map_err(Fault::into_error)
    }

    async fn server_id(&self) -> Result<Option<ServerId>, StoreError> {
        let id: Option<i64> = sqlx::query_scalar("SELECT id FROM server")
            .fetch_optional(self.readers.pool())
            .await
            .map_err(|error| Fault::from(error).into_error())?;
        id.map(server_id).transpose()
    }

    async fn address_secret(&self) -> Result<Option<AddressSecret>, StoreError> {
        let secret: Option<Vec<u8>> = sqlx::query_scalar("SELECT secret FROM address_secret")
            .fetch_optional(self.readers.pool())
            .await
            .map_err(|error| Fault::from(error).into_error())?;
        secret.map(|secret| address_secret(&secret)).transpose()
    }

    async fn enlist(&self, node: NodeId, at: Millis) -> Result<Lease, StoreError> {
        self.ask(|reply| Request::Enlist(node, at, reply)).await?
    }

    async fn heartbeat(&self, lease: Lease, at: Millis) -> Result<(), StoreError> {
        self.ask(|reply| Request::Heartbeat(lease, at, reply))
            .await?
    }

    async fn nodes(&self) -> Result<Vec<NodeRow>, StoreError> {
        let read = nodes::read_nodes(self.readers.pool());
        read.await.map_err(Fault::into_error)
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
            Ok(_) => None,
            Err(_) => Some(StoreError::Failed {
                why: "the writer panicked".to_owned(),
            }),
        };
        match failure {
            Some(error) => error,
            None => std::future::pending().await,
        }
    }

    fn gauges(&self) -> Gauges {
        let waiting = self.requests.max_capacity() - self.requests.capacity();
        self.counters.gauges(waiting as u64)
    }

    async fn close(&self) {
        // An error means that the writer is gone already.
        let _ = self.requests.send(Request::Close).await;
        let _ = self.end.clone().wait_for(Option::is_some).await;
        self.readers.close().await;
    }
}
