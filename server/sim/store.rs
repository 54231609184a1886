//! The store as one process sees it: the disk, with delays, refusals, and the end of the process in between.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use grundy_server::store::{
    AccountRow, AddressDigest, AddressSecret, BanRow, Bearer, Commit, CommitError, Cursor, Erasure,
    Gauges, Leaderboard, Lease, ListFilter, Listing, Logged, MatchRow, Mentions, NodeId, NodeRow,
    OpenMatch, OpenMatchLog, Page, PuzzleRow, PuzzlesWanted, Ranked, RatingRow, Removal, ReviewRow,
    Rewrite, SecretHash, Store, StoreError, StreamId, Uncounted, Unneeded, Usage, WordSummary,
};
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{
    ClientCreateId, JoinCode, MatchId, Millis, PlayerId, PuzzleId, Seq, ServerId,
};
use grundy_shared::rated::{Family, RatingState};
use tokio::sync::{Notify, oneshot};
use tokio_util::task::TaskTracker;

use crate::disk::{Mood, at_once};
use crate::faults::Fault;
use crate::foreign;
use crate::life::Life;
use crate::world::World;

/// Clocks may stand for so long after a start or a take-over.
pub(crate) const HELD_MS: u64 = 60_000;
/// What a failed store leads to may be told for so long.
const FAILING_MS: u64 = 20_000;

/// The store of one process.
pub(crate) struct SimStore {
    world: Arc<World>,
    life: Arc<Life>,
    /// Whose it is.
    node: NodeId,
    closed: AtomicBool,
    failed: AtomicBool,
    failure: Notify,
    /// What the disk does goes on when the process dies.
    at_work: TaskTracker,
}

impl SimStore {
    pub(crate) fn new(life: Arc<Life>, node: NodeId) -> Self {
        Self {
            world: life.world.clone(),
            life,
            node,
            closed: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            failure: Notify::new(),
            at_work: TaskTracker::new(),
        }
    }

    fn open(&self) -> Result<(), StoreError> {
        if self.closed.load(Ordering::Relaxed) || self.failed.load(Ordering::Relaxed) {
            return Err(StoreError::Closed);
        }
        Ok(())
    }

    fn fail(&self) -> StoreError {
        self.world.board().failing_until = self.world.now_ms() + FAILING_MS;
        self.failed.store(true, Ordering::Relaxed);
        self.failure.notify_waiters();
        StoreError::Failed {
            why: "simulated".to_owned(),
        }
    }

    /// Hands a write to the disk, which makes it whether or not anybody still waits.
    async fn write<T: Send + 'static>(
        &self,
        job: impl FnOnce(&World) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        self.open()?;
        let world = &self.world;
        match world.disk.mood() {
            Mood::Good => {}
            Mood::ReadOnly => {
                let why = "simulated".to_owned();
                return Err(StoreError::ReadOnly { why });
            }
            Mood::Busy => {
                tokio::time::sleep(Duration::from_millis(world.dice.within(100..5_000))).await;
                let why = "simulated".to_owned();
                return Err(StoreError::Busy { why });
            }
            Mood::Failed => {
                if world.dice.one_in(2) {
                    let _ = job(world);
                }
                return Err(self.fail());
            }
        }
        if world.strikes(Fault::CrashBeforeCommit, 4_000) {
            self.life.die();
            return std::future::pending().await;
        }
        let slow = world.strikes(Fault::SlowCommit, 60);
        let usual = world.dice.within(0..4);
        let takes = if slow {
            let takes = world.dice.within(300..4_000);
            let now = world.now_ms();
            world.timeline().forgiven.push((now, now + takes + 10));
            takes
        } else {
            usual
        };
        let told_after = world.dice.within(0..2);
        let (done, is_done) = oneshot::channel();
        let (world, life) = (world.clone(), self.life.clone());
        let work = async move {
            let taken = tokio::time::sleep(Duration::from_millis(takes));
            // What is under way when the process dies is made or not, and not later.
            let _ = life.gone.run_until_cancelled(taken).await;
            if life.is_dead() {
                if world.dice.one_in(2) {
                    world.fired(Fault::CommitLost);
                    return;
                }
                world.fired(Fault::CommitKept);
            }
            let result = job(&world);
            if world.strikes(Fault::CrashAfterCommit, 4_000) {
                life.die();
            }
            tokio::time::sleep(Duration::from_millis(told_after)).await;
            let _ = done.send(result);
        };
        // The disk's own task: it belongs to no process.
        drop(self.at_work.spawn(work));
        match is_done.await {
            Ok(result) => Ok(result),
            Err(_) => std::future::pending().await,
        }
    }

    /// Somebody else takes its matches up. What is credited then is counted from the last heartbeat, and clocks may stand until players
    /// are back.
    fn forgive_outage_of(&self, node: NodeId) {
        let world = &self.world;
        let beat = world.since_beginning(world.disk.last_heartbeat(node));
        let until = world.now_ms() + HELD_MS;
        let mut timeline = world.timeline();
        timeline.forgiven.push((beat.saturating_sub(6_200), until));
    }

    async fn read(&self) -> Result<(), StoreError> {
        self.open()?;
        let world = &self.world;
        if world.strikes(Fault::ReadBusy, 400) {
            let now = world.now_ms();
            world.timeline().forgiven.push((now, now + 6_000));
            let why = "simulated".to_owned();
            return Err(StoreError::Busy { why });
        }
        if world.strikes(Fault::SlowRead, 60) {
            let takes = world.dice.within(1..800);
            tokio::time::sleep(Duration::from_millis(takes)).await;
            self.open()?;
        }
        Ok(())
    }
}

/// The matches that a batch is about.
fn matches_of(batch: &[Commit]) -> Vec<MatchId> {
    let appends = batch.iter().flat_map(|commit| &commit.appends);
    let matches = appends.filter_map(|append| match append.stream {
        StreamId::Match(id) => Some(id),
        _ => None,
    });
    matches.collect()
}

#[async_trait]
impl Store for SimStore {
    async fn commit(&self, lease: Lease, batch: Vec<Commit>) -> Vec<Result<(), CommitError>> {
        let count = batch.len();
        let matches = matches_of(&batch);
        let job = move |world: &World| {
            for commit in &batch {
                foreign::interfere(world, commit);
            }
            let outcomes = at_once(world.disk.memory.commit(lease, batch.clone()));
            world.disk.expect_fenced(world, lease, &outcomes);
            for (commit, outcome) in batch.iter().zip(&outcomes) {
                if outcome.is_ok() {
                    world.disk.committed(world, commit);
                }
            }
            outcomes
        };
        match self.write(job).await {
            Ok(outcomes) => outcomes,
            Err(error) => {
                if matches!(error, StoreError::ReadOnly { .. } | StoreError::Busy { .. }) {
                    let now = self.world.now_ms();
                    let mut timeline = self.world.timeline();
                    for id in matches {
                        timeline.refused(id, now);
                    }
                }
                vec![Err(error.into()); count]
            }
        }
    }

    async fn load(
        &self,
        stream: StreamId,
        after: Seq,
        limit: usize,
    ) -> Result<Option<Vec<Logged>>, StoreError> {
        self.read().await?;
        self.world.disk.memory.load(stream, after, limit).await
    }

    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        self.read().await?;
        self.world.disk.memory.row(id).await
    }

    async fn list(&self, filter: ListFilter, page: Page) -> Result<Listing, StoreError> {
        self.read().await?;
        self.world.disk.memory.list(filter, page).await
    }

    async fn uncounted(&self, page: Page) -> Result<Vec<Uncounted>, StoreError> {
        self.read().await?;
        self.world.disk.memory.uncounted(page).await
    }

    async fn review(&self, id: MatchId) -> Result<Option<ReviewRow>, StoreError> {
        self.read().await?;
        self.world.disk.memory.review(id).await
    }

    async fn puzzle(&self, id: PuzzleId) -> Result<Option<PuzzleRow>, StoreError> {
        self.read().await?;
        self.world.disk.memory.puzzle(id).await
    }

    async fn puzzles_near(&self, wanted: PuzzlesWanted) -> Result<Vec<PuzzleRow>, StoreError> {
        self.read().await?;
        self.world.disk.memory.puzzles_near(wanted).await
    }

    async fn solver(&self, player: PlayerId) -> Result<Option<RatingState>, StoreError> {
        self.read().await?;
        self.world.disk.memory.solver(player).await
    }

    async fn attempt(&self, player: PlayerId, puzzle: PuzzleId) -> Result<Option<Seq>, StoreError> {
        self.read().await?;
        self.world.disk.memory.attempt(player, puzzle).await
    }

    async fn open_matches(
        &self,
        player: PlayerId,
        limit: usize,
    ) -> Result<Vec<OpenMatch>, StoreError> {
        self.read().await?;
        self.world.disk.memory.open_matches(player, limit).await
    }

    async fn open_count(&self, of: Option<PlayerId>) -> Result<u64, StoreError> {
        self.read().await?;
        self.world.disk.memory.open_count(of).await
    }

    async fn open_count_from(&self, address: AddressDigest) -> Result<u64, StoreError> {
        self.read().await?;
        self.world.disk.memory.open_count_from(address).await
    }

    async fn address_of(&self, id: MatchId) -> Result<Option<AddressDigest>, StoreError> {
        self.read().await?;
        self.world.disk.memory.address_of(id).await
    }

    async fn live(
        &self,
        owner: NodeId,
        after: Option<Cursor>,
    ) -> Result<Vec<OpenMatchLog>, StoreError> {
        self.read().await?;
        if owner != self.node && after.is_none() {
            self.forgive_outage_of(owner);
        }
        self.world.disk.memory.live(owner, after).await
    }

    async fn find_code(&self, code: JoinCode) -> Result<Option<(MatchId, Millis)>, StoreError> {
        self.read().await?;
        self.world.disk.memory.find_code(code).await
    }

    async fn find_create_id(
        &self,
        player: PlayerId,
        client_create_id: &ClientCreateId,
    ) -> Result<Option<MatchId>, StoreError> {
        self.read().await?;
        let memory = &self.world.disk.memory;
        memory.find_create_id(player, client_create_id).await
    }

    async fn bearer(&self, hash: SecretHash) -> Result<Option<Bearer>, StoreError> {
        self.read().await?;
        self.world.disk.memory.bearer(hash).await
    }

    async fn account(&self, player: PlayerId) -> Result<Option<AccountRow>, StoreError> {
        self.read().await?;
        self.world.disk.memory.account(player).await
    }

    async fn player(&self, id: PlayerId) -> Result<Option<PlayerInfo>, StoreError> {
        self.read().await?;
        self.world.disk.memory.player(id).await
    }

    async fn player_by_name(&self, name_key: &str) -> Result<Option<PlayerInfo>, StoreError> {
        self.read().await?;
        self.world.disk.memory.player_by_name(name_key).await
    }

    async fn ratings(&self, player: PlayerId) -> Result<Vec<(Family, RatingRow)>, StoreError> {
        self.read().await?;
        self.world.disk.memory.ratings(player).await
    }

    async fn rating(
        &self,
        player: PlayerId,
        family: Family,
    ) -> Result<Option<RatingRow>, StoreError> {
        self.read().await?;
        self.world.disk.memory.rating(player, family).await
    }

    async fn leaderboard(
        &self,
        board: Leaderboard,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<Vec<Ranked>, StoreError> {
        self.read().await?;
        let memory = &self.world.disk.memory;
        memory.leaderboard(board, after, limit).await
    }

    async fn plays_rated(&self, player: PlayerId) -> Result<bool, StoreError> {
        self.read().await?;
        self.world.disk.memory.plays_rated(player).await
    }

    async fn server_id(&self) -> Result<Option<ServerId>, StoreError> {
        self.read().await?;
        self.world.disk.memory.server_id().await
    }

    async fn address_secret(&self) -> Result<Option<AddressSecret>, StoreError> {
        self.read().await?;
        self.world.disk.memory.address_secret().await
    }
    async fn enlist(&self, node: NodeId, at: Millis) -> Result<Lease, StoreError> {
        self.write(move |world| {
            let lease = at_once(world.disk.memory.enlist(node, at))?;
            world.disk.enlisted(world, lease);
            Ok(lease)
        })
        .await?
    }

    async fn heartbeat(&self, lease: Lease, at: Millis) -> Result<(), StoreError> {
        self.write(move |world| {
            at_once(world.disk.memory.heartbeat(lease, at))?;
            world.disk.beat(lease.node, at);
            Ok(())
        })
        .await?
    }

    async fn retire(&self, lease: Lease, at: Millis) -> Result<(), StoreError> {
        self.write(move |world| {
            at_once(world.disk.memory.retire(lease, at))?;
            world.disk.beat(lease.node, at);
            Ok(())
        })
        .await?
    }

    async fn removable(&self, unneeded: Unneeded) -> Result<Removal, StoreError> {
        self.read().await?;
        self.world.disk.memory.removable(unneeded).await
    }

    async fn remove(
        &self,
        lease: Lease,
        wanted: Removal,
        unneeded: Unneeded,
    ) -> Result<Removal, StoreError> {
        self.write(move |world| at_once(world.disk.memory.remove(lease, wanted, unneeded)))
            .await?
    }

    async fn grown(&self, known: &[(StreamId, Seq)]) -> Result<Vec<(StreamId, Seq)>, StoreError> {
        self.read().await?;
        self.world.disk.memory.grown(known).await
    }

    async fn usage(&self, node: NodeId) -> Result<Vec<Usage>, StoreError> {
        self.read().await?;
        self.world.disk.memory.usage(node).await
    }

    async fn mentioning(
        &self,
        texts: Vec<String>,
        after: Option<Cursor>,
    ) -> Result<Mentions, StoreError> {
        self.read().await?;
        self.world.disk.memory.mentioning(texts, after).await
    }

    async fn rewrite(
        &self,
        lease: Lease,
        player: PlayerId,
        logs: Vec<Rewrite>,
    ) -> Result<(), CommitError> {
        self.write(move |world| at_once(world.disk.memory.rewrite(lease, player, logs)))
            .await?
    }

    async fn scrub(&self, lease: Lease) -> Result<bool, StoreError> {
        self.write(move |world| at_once(world.disk.memory.scrub(lease)))
            .await?
    }

    async fn erasures(&self) -> Result<Vec<Erasure>, StoreError> {
        self.read().await?;
        self.world.disk.memory.erasures().await
    }

    async fn words(&self, after: Seq) -> Result<Vec<Logged>, StoreError> {
        self.read().await?;
        self.world.disk.memory.words(after).await
    }

    async fn word_summary(&self) -> Result<Option<WordSummary>, StoreError> {
        self.read().await?;
        self.world.disk.memory.word_summary().await
    }

    async fn bans(&self) -> Result<Vec<BanRow>, StoreError> {
        self.read().await?;
        self.world.disk.memory.bans().await
    }

    async fn nodes(&self) -> Result<Vec<NodeRow>, StoreError> {
        self.read().await?;
        self.world.disk.memory.nodes().await
    }

    async fn take_over(&self, lease: Lease, from: NodeRow) -> Result<u64, StoreError> {
        self.write(move |world| {
            let taken = at_once(world.disk.memory.take_over(lease, from))?;
            world.fired(Fault::TakeOver);
            world.disk.taken_over(world, from.id);
            Ok(taken)
        })
        .await?
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.open()
    }

    async fn failed(&self) -> StoreError {
        while !self.failed.load(Ordering::Relaxed) {
            self.failure.notified().await;
        }
        StoreError::Failed {
            why: "simulated".to_owned(),
        }
    }

    fn gauges(&self) -> Gauges {
        self.world.disk.memory.gauges()
    }

    async fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }
}
