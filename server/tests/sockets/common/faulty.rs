//! A store whose writing can be refused, held up, or made to panic, and whose reading can be refused or held up.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::{Plan, Server};
use async_trait::async_trait;
use grundy_server::clock::ManualClock;
use grundy_server::store::memory::MemoryStore;
use grundy_server::store::{
    AccountRow, AddressDigest, AddressSecret, BanRow, Bearer, Commit, CommitError, Cursor, Erasure,
    Gauges, Leaderboard, Lease, ListFilter, Listing, Logged, MatchRow, Mentions, NodeId, NodeRow,
    OpenMatch, OpenMatchLog, Page, Projection, PuzzleRow, PuzzlesWanted, Ranked, RatingRow,
    Removal, ReviewRow, Rewrite, SecretHash, Store, StoreError, StreamId, Uncounted, Unneeded,
    Usage, WordSummary,
};
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{
    ClientCreateId, JoinCode, MatchId, Millis, PlayerId, PuzzleId, Seq, ServerId,
};
use grundy_shared::rated::{Family, RatingState};
use tokio::sync::{Semaphore, SemaphorePermit};

/// More reads than any test makes.
pub(crate) const READS: usize = 1_000_000;

/// The memory store, and what is wrong with it at the moment.
pub(crate) struct Faulty {
    pub(crate) inner: MemoryStore,
    /// Writes are refused, as on a full disk.
    pub(crate) full: AtomicBool,
    /// Servers share it: one that has lost its lease does not close it for the others.
    pub(crate) shared: AtomicBool,
    /// So many appends panic.
    pub(crate) panics: AtomicU32,
    /// Appends, and changes of accounts, wait for a permit.
    pub(crate) gate: Semaphore,
    /// New matches wait for a permit.
    pub(crate) creates: Semaphore,
    /// Who has made a new match is told of it with a permit.
    pub(crate) created: Semaphore,
    /// Writes and reads that wait at the moment.
    pub(crate) waiting: AtomicU32,
    /// What was read of a log waits for a permit, and uses it up.
    pub(crate) reads: Semaphore,
    /// Reads wait before they read, and not after.
    pub(crate) reads_late: AtomicBool,
    /// Logs cannot be read for the moment.
    pub(crate) busy: AtomicBool,
    /// Whose a token is cannot be read for the moment.
    pub(crate) strangers: AtomicBool,
    /// No match waits to be reviewed.
    pub(crate) none_uncounted: AtomicBool,
    /// Reads that were refused because of that.
    pub(crate) refused: AtomicU64,
    /// The event of this number is gone from every log.
    pub(crate) lost_event: AtomicU64,
    /// Heartbeats that were stored.
    pub(crate) beats: AtomicU64,
    /// How many commits each batch so far had.
    pub(crate) batches: Mutex<Vec<usize>>,
}

impl Faulty {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            inner: MemoryStore::new(),
            full: AtomicBool::new(false),
            shared: AtomicBool::default(),
            panics: AtomicU32::new(0),
            none_uncounted: AtomicBool::default(),
            gate: Semaphore::new(Semaphore::MAX_PERMITS),
            creates: Semaphore::new(Semaphore::MAX_PERMITS),
            created: Semaphore::new(Semaphore::MAX_PERMITS),
            waiting: AtomicU32::new(0),
            reads: Semaphore::new(READS),
            reads_late: AtomicBool::new(false),
            busy: AtomicBool::new(false),
            strangers: AtomicBool::new(false),
            refused: AtomicU64::new(0),
            lost_event: AtomicU64::new(0),
            beats: AtomicU64::new(0),
            batches: Mutex::default(),
        })
    }

    /// Closes a gate: nothing passes until it is opened again with as many permits as this returns.
    pub(crate) fn close(gate: &Semaphore) -> usize {
        gate.forget_permits(usize::MAX >> 3)
    }

    async fn enter<'a>(&self, gate: &'a Semaphore) -> SemaphorePermit<'a> {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let permit = gate.acquire().await;
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        permit.expect("a gate is never closed for good")
    }

    /// Waits until something waits at a gate.
    pub(crate) async fn until_it_waits(&self) {
        let waits = || self.waiting.load(Ordering::SeqCst) > 0;
        super::until("a write or read that waits", waits).await;
    }

    /// Waits for a heartbeat that was begun after this moment.
    pub(crate) async fn until_it_beats(&self) {
        let before = self.beats.load(Ordering::SeqCst);
        // One may be under way.
        let beaten = || self.beats.load(Ordering::SeqCst) > before + 1;
        super::until("two heartbeats", beaten).await;
    }

    fn check(&self) -> Result<(), StoreError> {
        if self.full.load(Ordering::SeqCst) {
            return Err(StoreError::ReadOnly {
                why: "full".to_owned(),
            });
        }
        Ok(())
    }
}

#[async_trait]
impl Store for Faulty {
    async fn commit(&self, lease: Lease, batch: Vec<Commit>) -> Vec<Result<(), CommitError>> {
        self.batches.lock().expect("sound").push(batch.len());
        let events = batch.iter().any(|commit| !commit.appends.is_empty());
        let is_account = |change: &Projection| matches!(change, Projection::Account { .. });
        let mut changes = batch.iter().flat_map(|commit| &commit.projections);
        let waits = events || changes.any(is_account);
        let due = events
            && self
                .panics
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                    left.checked_sub(1)
                })
                .is_ok();
        let begins = |commit: &Commit| commit.appends.iter().any(|append| append.expected.0 == 0);
        let batch_begins = batch.iter().any(begins);
        let gate = match batch_begins {
            true => &self.creates,
            false => &self.gate,
        };
        let _permit = match waits {
            true => Some(self.enter(gate).await),
            false => None,
        };
        if let Err(error) = self.check() {
            return batch.iter().map(|_| Err(error.clone().into())).collect();
        }
        let committed = self.inner.commit(lease, batch).await;
        assert!(!due, "a panic on purpose, after the commit");
        if batch_begins {
            drop(self.enter(&self.created).await);
        }
        committed
    }
    async fn load(
        &self,
        stream: StreamId,
        after: Seq,
        limit: usize,
    ) -> Result<Option<Vec<Logged>>, StoreError> {
        if self.busy.load(Ordering::SeqCst) {
            self.refused.fetch_add(1, Ordering::SeqCst);
            return Err(StoreError::Busy {
                why: "on purpose".to_owned(),
            });
        }
        if self.reads_late.load(Ordering::SeqCst) {
            self.enter(&self.reads).await.forget();
            return self.inner.load(stream, after, limit).await;
        }
        let mut read = self.inner.load(stream, after, limit).await;
        self.enter(&self.reads).await.forget();
        if let Ok(Some(page)) = &mut read {
            let lost = self.lost_event.load(Ordering::SeqCst);
            page.retain(|logged| logged.seq.0 != lost);
        }
        read
    }
    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        self.inner.row(id).await
    }
    async fn list(&self, filter: ListFilter, page: Page) -> Result<Listing, StoreError> {
        self.inner.list(filter, page).await
    }
    async fn uncounted(&self, page: Page) -> Result<Vec<Uncounted>, StoreError> {
        match self.none_uncounted.load(Ordering::SeqCst) {
            true => Ok(Vec::new()),
            false => self.inner.uncounted(page).await,
        }
    }
    async fn review(&self, id: MatchId) -> Result<Option<ReviewRow>, StoreError> {
        self.inner.review(id).await
    }
    async fn puzzle(&self, id: PuzzleId) -> Result<Option<PuzzleRow>, StoreError> {
        self.inner.puzzle(id).await
    }
    async fn puzzles_near(&self, wanted: PuzzlesWanted) -> Result<Vec<PuzzleRow>, StoreError> {
        self.inner.puzzles_near(wanted).await
    }
    async fn solver(&self, player: PlayerId) -> Result<Option<RatingState>, StoreError> {
        self.inner.solver(player).await
    }
    async fn attempt(&self, player: PlayerId, puzzle: PuzzleId) -> Result<Option<Seq>, StoreError> {
        self.inner.attempt(player, puzzle).await
    }
    async fn open_matches(
        &self,
        player: PlayerId,
        limit: usize,
    ) -> Result<Vec<OpenMatch>, StoreError> {
        self.inner.open_matches(player, limit).await
    }
    async fn open_count(&self, of: Option<PlayerId>) -> Result<u64, StoreError> {
        self.inner.open_count(of).await
    }
    async fn open_count_from(&self, address: AddressDigest) -> Result<u64, StoreError> {
        self.inner.open_count_from(address).await
    }
    async fn address_of(&self, id: MatchId) -> Result<Option<AddressDigest>, StoreError> {
        self.inner.address_of(id).await
    }
    async fn live(
        &self,
        owner: NodeId,
        after: Option<Cursor>,
    ) -> Result<Vec<OpenMatchLog>, StoreError> {
        self.inner.live(owner, after).await
    }
    async fn find_code(&self, code: JoinCode) -> Result<Option<(MatchId, Millis)>, StoreError> {
        self.inner.find_code(code).await
    }
    async fn find_create_id(
        &self,
        player: PlayerId,
        client_create_id: &ClientCreateId,
    ) -> Result<Option<MatchId>, StoreError> {
        self.inner.find_create_id(player, client_create_id).await
    }
    async fn bearer(&self, hash: SecretHash) -> Result<Option<Bearer>, StoreError> {
        if self.strangers.load(Ordering::SeqCst) {
            return Err(StoreError::Busy {
                why: "on purpose".to_owned(),
            });
        }
        self.inner.bearer(hash).await
    }

    async fn account(&self, player: PlayerId) -> Result<Option<AccountRow>, StoreError> {
        self.inner.account(player).await
    }

    async fn player(&self, id: PlayerId) -> Result<Option<PlayerInfo>, StoreError> {
        self.inner.player(id).await
    }
    async fn player_by_name(&self, name_key: &str) -> Result<Option<PlayerInfo>, StoreError> {
        self.inner.player_by_name(name_key).await
    }
    async fn ratings(&self, player: PlayerId) -> Result<Vec<(Family, RatingRow)>, StoreError> {
        self.inner.ratings(player).await
    }
    async fn rating(
        &self,
        player: PlayerId,
        family: Family,
    ) -> Result<Option<RatingRow>, StoreError> {
        self.inner.rating(player, family).await
    }
    async fn leaderboard(
        &self,
        board: Leaderboard,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<Vec<Ranked>, StoreError> {
        self.inner.leaderboard(board, after, limit).await
    }
    async fn plays_rated(&self, player: PlayerId) -> Result<bool, StoreError> {
        self.inner.plays_rated(player).await
    }
    async fn server_id(&self) -> Result<Option<ServerId>, StoreError> {
        self.inner.server_id().await
    }
    async fn address_secret(&self) -> Result<Option<AddressSecret>, StoreError> {
        self.inner.address_secret().await
    }
    async fn enlist(&self, node: NodeId, at: Millis) -> Result<Lease, StoreError> {
        self.inner.enlist(node, at).await
    }
    async fn heartbeat(&self, lease: Lease, at: Millis) -> Result<(), StoreError> {
        self.check()?;
        self.inner.heartbeat(lease, at).await?;
        self.beats.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
    async fn retire(&self, lease: Lease, at: Millis) -> Result<(), StoreError> {
        self.check()?;
        self.inner.retire(lease, at).await
    }
    async fn removable(&self, unneeded: Unneeded) -> Result<Removal, StoreError> {
        self.inner.removable(unneeded).await
    }
    async fn remove(
        &self,
        lease: Lease,
        wanted: Removal,
        unneeded: Unneeded,
    ) -> Result<Removal, StoreError> {
        self.check()?;
        self.inner.remove(lease, wanted, unneeded).await
    }
    async fn grown(&self, known: &[(StreamId, Seq)]) -> Result<Vec<(StreamId, Seq)>, StoreError> {
        self.inner.grown(known).await
    }
    async fn usage(&self, node: NodeId) -> Result<Vec<Usage>, StoreError> {
        self.inner.usage(node).await
    }
    async fn mentioning(
        &self,
        texts: Vec<String>,
        after: Option<Cursor>,
    ) -> Result<Mentions, StoreError> {
        self.inner.mentioning(texts, after).await
    }
    async fn rewrite(
        &self,
        lease: Lease,
        player: PlayerId,
        logs: Vec<Rewrite>,
    ) -> Result<(), CommitError> {
        self.check()?;
        self.inner.rewrite(lease, player, logs).await
    }
    async fn scrub(&self, lease: Lease) -> Result<bool, StoreError> {
        self.check()?;
        self.inner.scrub(lease).await
    }
    async fn erasures(&self) -> Result<Vec<Erasure>, StoreError> {
        self.inner.erasures().await
    }
    async fn words(&self, after: Seq) -> Result<Vec<Logged>, StoreError> {
        self.inner.words(after).await
    }
    async fn word_summary(&self) -> Result<Option<WordSummary>, StoreError> {
        self.inner.word_summary().await
    }
    async fn bans(&self) -> Result<Vec<BanRow>, StoreError> {
        self.inner.bans().await
    }
    async fn nodes(&self) -> Result<Vec<NodeRow>, StoreError> {
        self.inner.nodes().await
    }
    async fn take_over(&self, lease: Lease, from: NodeRow) -> Result<u64, StoreError> {
        self.check()?;
        self.inner.take_over(lease, from).await
    }
    async fn ready(&self) -> Result<(), StoreError> {
        self.check()?;
        self.inner.ready().await
    }
    async fn failed(&self) -> StoreError {
        self.inner.failed().await
    }
    fn gauges(&self) -> Gauges {
        self.inner.gauges()
    }
    async fn close(&self) {
        if !self.shared.load(Ordering::SeqCst) {
            self.inner.close().await;
        }
    }
}

/// A server over this store.
pub(crate) async fn faulty(store: &Arc<Faulty>, clock: &Arc<ManualClock>) -> Server {
    let plan = Plan {
        store: store.clone(),
        clock: clock.clone(),
        ..Plan::default()
    };
    plan.start().await
}
