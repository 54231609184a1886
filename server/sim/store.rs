//! The store as one process sees it: on a disk of its own, or in a database that several servers share; with delays, refusals, and the end of the process in
//! between.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use grundy_server::lifecycle::Lifecycle;
use grundy_server::planted;
use grundy_server::store::postgres::{Lane, is_ordered, lanes};
use grundy_server::store::{
    AccountRow, AddressDigest, AddressSecret, BanRow, Bearer, Commit, CommitError, Cursor, Duty,
    Erasure, Gauges, Leaderboard, Lease, Levels, ListFilter, Listing, Logged, LostSeat, MatchRow,
    Mentions, NodeId, NodeRow, OpenMatch, OpenMatchLog, Page, PuzzleRow, PuzzlesWanted, Ranked,
    RatingRow, Removal, ReviewRow, Rewrite, Seating, Seats, SecretHash, Spendings, Store,
    StoreError, StreamId, Uncounted, Unneeded, Usage, WordSummary,
};
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{
    ClientCreateId, JoinCode, MatchId, Millis, PlayerId, PuzzleId, Seat, Seq, ServerId,
};
use grundy_shared::rated::{Family, RatingState};
use tokio::sync::watch;

use crate::disk::at_once;
use crate::faults::Fault;
use crate::file::File;
use crate::finding_back;
use crate::foreign;
use crate::life::Life;
use crate::postgres::{Postgres, Row, Tables, Work};
use crate::world::World;

/// Clocks may stand for so long after a start or a take-over.
pub(crate) const HELD_MS: u64 = 60_000;
/// What a failed store leads to may be told for so long.
const FAILING_MS: u64 = 20_000;

/// What came of the commits of a batch.
type Outcomes = Vec<Result<(), CommitError>>;

/// Where it is kept.
enum Way {
    File(File),
    Postgres(Postgres),
}

/// The store of one process.
pub(crate) struct SimStore {
    world: Arc<World>,
    /// Whose it is.
    node: NodeId,
    way: Way,
    closed: AtomicBool,
    /// Why the process has to end.
    failure: watch::Sender<Option<StoreError>>,
}

impl SimStore {
    /// Opens it: a file of its own for a server alone, else the database of all.
    ///
    /// # Errors
    /// As the database says.
    pub(crate) fn open(
        life: &Arc<Life>,
        node: NodeId,
        lifecycle: &Lifecycle,
    ) -> Result<Self, StoreError> {
        let failure = watch::Sender::new(None);
        let way = match life.world.plan.nodes {
            1 => Way::File(File::new(life, &failure)),
            _ => Way::Postgres(Postgres::open(life, node, lifecycle, &failure)?),
        };
        Ok(Self {
            world: life.world.clone(),
            node,
            way,
            closed: AtomicBool::new(false),
            failure,
        })
    }

    fn check_open(&self) -> Result<(), StoreError> {
        if self.closed.load(Ordering::Relaxed) || self.failure.borrow().is_some() {
            return Err(StoreError::Closed);
        }
        Ok(())
    }

    /// Changes rows in one transaction, whether or not anybody still waits, and tells those who keep the books what was done.
    async fn write<T: Send + 'static>(
        &self,
        lane: Lane,
        lease: Option<Lease>,
        rows: Vec<Row>,
        change: impl Fn(&Tables) -> T + Send + Sync + 'static,
        told: impl Fn(&World, &T) + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        self.check_open()?;
        let done = match &self.way {
            Way::File(file) => {
                let job = move |world: &World| {
                    let done = change(&world.database.primary);
                    told(world, &done);
                    done
                };
                file.write(job).await
            }
            Way::Postgres(postgres) => {
                let world = self.world.clone();
                let work = Work::new(rows, change, move |done: &T| told(&world, done));
                postgres.write(lane, lease, work).await
            }
        };
        if self.failure.borrow().is_some() {
            self.world.board().failing_until = self.world.now_ms() + FAILING_MS;
        }
        done
    }

    /// Reads rows as they are at one moment.
    async fn read<T>(
        &self,
        statement: impl FnOnce(&Tables) -> Result<T, StoreError> + Send,
    ) -> Result<T, StoreError> {
        self.check_open()?;
        match &self.way {
            Way::File(file) => {
                file.read().await?;
                self.check_open()?;
                statement(&self.world.database.primary)
            }
            Way::Postgres(postgres) => postgres.ask(statement).await?,
        }
    }

    /// The commits of one lane.
    async fn commit_in(&self, lane: Lane, lease: Lease, batch: Vec<Commit>) -> Outcomes {
        let count = batch.len();
        if count == 0 {
            return Vec::new();
        }
        let matches = matches_of(&batch);
        let rows = rows_of(lane, &batch);
        // Somebody else gets in at the last moment: there before the rows are locked, here before the disk is asked.
        let late = match self.way {
            Way::File(_) => Some(self.world.clone()),
            Way::Postgres(_) => None,
        };
        if late.is_none() && self.world.database.is_primary() {
            foreign::interfere(&self.world, &batch);
        }
        let seen = ends_of(&self.world.database.primary, &batch);
        let again = batch.clone();
        let change = move |tables: &Tables| {
            if let Some(world) = &late {
                foreign::interfere(world, &batch);
            }
            let (lease, batch) = tampered(tables, lease, &batch, &seen);
            at_once(tables.memory.commit(lease, batch))
        };
        let made = Arc::<AtomicBool>::default();
        let is_made = made.clone();
        let world = self.world.clone();
        let told = move |world: &World, outcomes: &Outcomes| {
            world.disk.expect_fenced(world, lease, outcomes);
            for (commit, outcome) in again.iter().zip(outcomes) {
                if outcome.is_ok() {
                    is_made.store(true, Ordering::Relaxed);
                    world.disk.committed(world, commit);
                    finding_back::check(world, lease.node, commit);
                }
            }
        };
        let error = match self.write(lane, Some(lease), rows, change, told).await {
            Ok(outcomes) => return outcomes,
            Err(error) => error,
        };
        let says_no = matches!(
            error,
            StoreError::ReadOnly { .. } | StoreError::Busy { .. } | StoreError::Fenced
        );
        if says_no && made.load(Ordering::Relaxed) {
            world.wrong(format!("a commit is stored and was refused: {error}"));
        }
        if matches!(error, StoreError::ReadOnly { .. } | StoreError::Busy { .. }) {
            let now = world.now_ms();
            let mut timeline = world.timeline();
            for id in matches {
                timeline.refused(id, now);
            }
        }
        let error = match error {
            StoreError::Fenced => CommitError::Fenced,
            error => error.into(),
        };
        vec![Err(error); count]
    }

    /// Changes rows in the order of all servers.
    async fn ordered<T: Send + 'static>(
        &self,
        lease: Lease,
        change: impl Fn(&Tables) -> T + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        let rows = vec![Row::Tally];
        self.write(Lane::Order, Some(lease), rows, change, |_, _| ())
            .await
    }

    /// The lease of a node that may be good.
    fn lives_of(&self, node: NodeId) -> Vec<Row> {
        let epoch = self.world.database.primary.epoch(node);
        let lease = epoch.map(|epoch| Lease { node, epoch });
        let rows = lease.map(|lease| Lane::ALL.map(|lane| Row::life(lease, lane)));
        rows.into_iter().flatten().collect()
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
}

/// The rows that a batch changes, in the order in which they are locked.
fn rows_of(lane: Lane, batch: &[Commit]) -> Vec<Row> {
    let appends = batch.iter().flat_map(|commit| &commit.appends);
    let mut rows: Vec<Row> = appends.map(|append| Row::Stream(append.stream)).collect();
    if lane == Lane::Order && batch.iter().any(is_ordered) {
        rows.push(Row::Tally);
    }
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// Where the logs of a batch end.
fn ends_of(tables: &Tables, batch: &[Commit]) -> Vec<(StreamId, Seq)> {
    if !planted::is("take_no_locks") {
        return Vec::new();
    }
    let appends = batch.iter().flat_map(|commit| &commit.appends);
    appends
        .map(|append| (append.stream, end_of(tables, append.stream)))
        .collect()
}

fn end_of(tables: &Tables, stream: StreamId) -> Seq {
    let page = at_once(tables.memory.load(stream, Seq(0), usize::MAX));
    let page = page.ok().flatten().unwrap_or_default();
    page.last().map_or(Seq(0), |logged| logged.seq)
}

/// Where planted faults get at a batch: a database whose transactions do not see each other, or do not look at their leases.
fn tampered(
    tables: &Tables,
    lease: Lease,
    batch: &[Commit],
    seen: &[(StreamId, Seq)],
) -> (Lease, Vec<Commit>) {
    let mut batch = batch.to_vec();
    for append in batch.iter_mut().flat_map(|commit| &mut commit.appends) {
        if seen.contains(&(append.stream, append.expected)) {
            append.expected = end_of(tables, append.stream);
        }
    }
    let epoch = match planted::is("ignore_lease") {
        true => tables.epoch(lease.node).unwrap_or(lease.epoch),
        false => lease.epoch,
    };
    let node = lease.node;
    (Lease { node, epoch }, batch)
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
        let lanes = match &self.way {
            Way::File(_) => vec![Lane::Order; batch.len()],
            Way::Postgres(_) => lanes(&batch),
        };
        let (mut moves, mut order) = (Vec::new(), Vec::new());
        for (lane, commit) in lanes.iter().zip(batch) {
            match lane {
                Lane::Moves => moves.push(commit),
                Lane::Order | Lane::Signs => order.push(commit),
            }
        }
        let moves = self.commit_in(Lane::Moves, lease, moves);
        let (moves, order) = tokio::join!(moves, self.commit_in(Lane::Order, lease, order));
        let (mut moves, mut order) = (moves.into_iter(), order.into_iter());
        let outcomes = lanes.iter().map(|lane| {
            let outcome = match lane {
                Lane::Moves => moves.next(),
                Lane::Order | Lane::Signs => order.next(),
            };
            outcome.unwrap_or(Err(StoreError::Closed.into()))
        });
        outcomes.collect()
    }

    fn waits_for_others(&self, commit: &Commit) -> bool {
        matches!(self.way, Way::Postgres(_)) && is_ordered(commit)
    }

    async fn load(
        &self,
        stream: StreamId,
        after: Seq,
        limit: usize,
    ) -> Result<Option<Vec<Logged>>, StoreError> {
        self.read(|tables| at_once(tables.memory.load(stream, after, limit)))
            .await
    }

    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        self.read(|tables| at_once(tables.memory.row(id))).await
    }

    async fn list(&self, filter: ListFilter, page: Page) -> Result<Listing, StoreError> {
        self.read(|tables| at_once(tables.memory.list(filter, page)))
            .await
    }

    async fn uncounted(&self, page: Page) -> Result<Vec<Uncounted>, StoreError> {
        self.read(|tables| at_once(tables.memory.uncounted(page)))
            .await
    }

    async fn review(&self, id: MatchId) -> Result<Option<ReviewRow>, StoreError> {
        self.read(|tables| at_once(tables.memory.review(id))).await
    }

    async fn puzzle(&self, id: PuzzleId) -> Result<Option<PuzzleRow>, StoreError> {
        self.read(|tables| at_once(tables.memory.puzzle(id))).await
    }

    async fn puzzles_near(&self, wanted: PuzzlesWanted) -> Result<Vec<PuzzleRow>, StoreError> {
        self.read(|tables| at_once(tables.memory.puzzles_near(wanted)))
            .await
    }

    async fn solver(&self, player: PlayerId) -> Result<Option<RatingState>, StoreError> {
        self.read(|tables| at_once(tables.memory.solver(player)))
            .await
    }

    async fn attempt(&self, player: PlayerId, puzzle: PuzzleId) -> Result<Option<Seq>, StoreError> {
        self.read(|tables| at_once(tables.memory.attempt(player, puzzle)))
            .await
    }

    async fn open_matches(
        &self,
        player: PlayerId,
        limit: usize,
    ) -> Result<Vec<OpenMatch>, StoreError> {
        self.read(|tables| at_once(tables.memory.open_matches(player, limit)))
            .await
    }

    async fn open_count(&self, of: Option<PlayerId>) -> Result<u64, StoreError> {
        self.read(|tables| at_once(tables.memory.open_count(of)))
            .await
    }

    async fn open_count_from(&self, address: AddressDigest) -> Result<u64, StoreError> {
        self.read(|tables| at_once(tables.memory.open_count_from(address)))
            .await
    }

    async fn address_of(&self, id: MatchId) -> Result<Option<AddressDigest>, StoreError> {
        self.read(|tables| at_once(tables.memory.address_of(id)))
            .await
    }

    async fn live(
        &self,
        owner: NodeId,
        after: Option<Cursor>,
    ) -> Result<Vec<OpenMatchLog>, StoreError> {
        if owner != self.node && after.is_none() {
            self.forgive_outage_of(owner);
        }
        self.read(|tables| at_once(tables.memory.live(owner, after)))
            .await
    }

    async fn find_code(&self, code: JoinCode) -> Result<Option<(MatchId, Millis)>, StoreError> {
        self.read(|tables| at_once(tables.memory.find_code(code)))
            .await
    }

    async fn find_create_id(
        &self,
        player: PlayerId,
        client_create_id: &ClientCreateId,
    ) -> Result<Option<MatchId>, StoreError> {
        self.read(|tables| at_once(tables.memory.find_create_id(player, client_create_id)))
            .await
    }

    async fn bearer(&self, hash: SecretHash) -> Result<Option<Bearer>, StoreError> {
        self.read(|tables| at_once(tables.memory.bearer(hash)))
            .await
    }

    async fn account(&self, player: PlayerId) -> Result<Option<AccountRow>, StoreError> {
        self.read(|tables| at_once(tables.memory.account(player)))
            .await
    }

    async fn player(&self, id: PlayerId) -> Result<Option<PlayerInfo>, StoreError> {
        self.read(|tables| at_once(tables.memory.player(id))).await
    }

    async fn player_by_name(&self, name_key: &str) -> Result<Option<PlayerInfo>, StoreError> {
        self.read(|tables| at_once(tables.memory.player_by_name(name_key)))
            .await
    }

    async fn ratings(&self, player: PlayerId) -> Result<Vec<(Family, RatingRow)>, StoreError> {
        self.read(|tables| at_once(tables.memory.ratings(player)))
            .await
    }

    async fn rating(
        &self,
        player: PlayerId,
        family: Family,
    ) -> Result<Option<RatingRow>, StoreError> {
        self.read(|tables| at_once(tables.memory.rating(player, family)))
            .await
    }

    async fn leaderboard(
        &self,
        board: Leaderboard,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<Vec<Ranked>, StoreError> {
        self.read(|tables| at_once(tables.memory.leaderboard(board, after, limit)))
            .await
    }

    async fn plays_rated(&self, player: PlayerId) -> Result<bool, StoreError> {
        self.read(|tables| at_once(tables.memory.plays_rated(player)))
            .await
    }

    async fn server_id(&self) -> Result<Option<ServerId>, StoreError> {
        self.read(|tables| at_once(tables.memory.server_id())).await
    }

    async fn address_secret(&self) -> Result<Option<AddressSecret>, StoreError> {
        self.read(|tables| at_once(tables.memory.address_secret()))
            .await
    }

    async fn enlist(&self, node: NodeId, at: Millis) -> Result<Lease, StoreError> {
        let enlist = move |tables: &Tables| at_once(tables.memory.enlist(node, at));
        let told = |world: &World, done: &Result<Lease, StoreError>| {
            if let Ok(lease) = done {
                world.disk.enlisted(world, *lease);
            }
        };
        let mut rows = self.lives_of(node);
        rows.push(Row::Node(node));
        self.write(Lane::Order, None, rows, enlist, told).await?
    }

    async fn heartbeat(&self, lease: Lease, at: Millis) -> Result<(), StoreError> {
        let beat = move |tables: &Tables| at_once(tables.memory.heartbeat(lease, at));
        let told = move |world: &World, done: &Result<(), StoreError>| {
            if done.is_ok() {
                world.disk.beat(lease.node, at);
            }
        };
        if let Way::Postgres(postgres) = &self.way {
            postgres.check_signs().await?;
        }
        let rows = vec![Row::Node(lease.node)];
        let beaten = self.write(Lane::Signs, Some(lease), rows, beat, told).await;
        if let Way::Postgres(postgres) = &self.way {
            postgres.note_acknowledged();
        }
        beaten?
    }

    async fn retire(&self, lease: Lease, at: Millis) -> Result<(), StoreError> {
        let retire = move |tables: &Tables| {
            let retired = at_once(tables.memory.retire(lease, at));
            if retired.is_ok() {
                tables.seats(|seats| seats.forget(lease.node, lease.epoch));
            }
            retired
        };
        let told = move |world: &World, done: &Result<(), StoreError>| {
            if done.is_ok() {
                world.disk.beat(lease.node, at);
            }
        };
        let mut rows = self.lives_of(lease.node);
        rows.push(Row::Node(lease.node));
        self.write(Lane::Order, Some(lease), rows, retire, told)
            .await?
    }

    async fn removable(&self, unneeded: Unneeded) -> Result<Removal, StoreError> {
        self.read(|tables| at_once(tables.memory.removable(unneeded)))
            .await
    }

    async fn remove(
        &self,
        lease: Lease,
        wanted: Removal,
        unneeded: Unneeded,
    ) -> Result<Removal, StoreError> {
        let remove =
            move |tables: &Tables| at_once(tables.memory.remove(lease, wanted.clone(), unneeded));
        self.ordered(lease, remove).await?
    }

    async fn grown(&self, known: &[(StreamId, Seq)]) -> Result<Vec<(StreamId, Seq)>, StoreError> {
        if planted::is("hints_without_looks") {
            return Ok(Vec::new());
        }
        self.read(|tables| at_once(tables.memory.grown(known)))
            .await
    }

    async fn usage(&self, node: NodeId) -> Result<Vec<Usage>, StoreError> {
        self.read(|tables| at_once(tables.memory.usage(node))).await
    }

    async fn mentioning(
        &self,
        texts: Vec<String>,
        after: Option<Cursor>,
    ) -> Result<Mentions, StoreError> {
        self.read(|tables| at_once(tables.memory.mentioning(texts, after)))
            .await
    }

    async fn rewrite(
        &self,
        lease: Lease,
        player: PlayerId,
        logs: Vec<Rewrite>,
    ) -> Result<(), CommitError> {
        let rewrite =
            move |tables: &Tables| at_once(tables.memory.rewrite(lease, player, logs.clone()));
        self.ordered(lease, rewrite).await?
    }

    async fn scrub(&self, lease: Lease) -> Result<bool, StoreError> {
        let scrub = move |tables: &Tables| at_once(tables.memory.scrub(lease));
        self.ordered(lease, scrub).await?
    }

    async fn erasures(&self) -> Result<Vec<Erasure>, StoreError> {
        self.read(|tables| at_once(tables.memory.erasures())).await
    }

    async fn words(&self, after: Seq) -> Result<Vec<Logged>, StoreError> {
        self.read(|tables| at_once(tables.memory.words(after)))
            .await
    }

    async fn word_summary(&self) -> Result<Option<WordSummary>, StoreError> {
        self.read(|tables| at_once(tables.memory.word_summary()))
            .await
    }

    async fn bans(&self) -> Result<Vec<BanRow>, StoreError> {
        self.read(|tables| at_once(tables.memory.bans())).await
    }

    async fn nodes(&self) -> Result<Vec<NodeRow>, StoreError> {
        match self.way {
            Way::File(_) => self.read(|tables| at_once(tables.memory.nodes())).await,
            Way::Postgres(_) => self.read(Tables::nodes).await,
        }
    }

    async fn time(&self) -> Result<Option<Millis>, StoreError> {
        match self.way {
            Way::File(_) => Ok(None),
            Way::Postgres(_) => self.read(|_| Ok(Some(self.world.wall()))).await,
        }
    }

    async fn end_life(&self, lease: Lease, from: NodeRow) -> Result<(), StoreError> {
        let end = move |tables: &Tables| at_once(tables.memory.end_life(lease, from));
        let dead = Lease {
            node: from.id,
            epoch: from.epoch,
        };
        let rows = Lane::ALL.map(|lane| Row::life(dead, lane)).to_vec();
        self.write(Lane::Order, Some(lease), rows, end, |_, _| ())
            .await?
    }

    async fn take_over(&self, lease: Lease, from: NodeRow) -> Result<u64, StoreError> {
        let take_over = move |tables: &Tables| {
            let taken = at_once(tables.memory.take_over(lease, from));
            if taken.is_ok() {
                tables.seats(|seats| seats.forget(from.id, from.epoch));
            }
            taken
        };
        let told = move |world: &World, done: &Result<u64, StoreError>| {
            if done.is_ok() {
                world.fired(Fault::TakeOver);
                world.disk.taken_over(world, from.id);
            }
        };
        // Those of the other one, and then what every new thing needs.
        let dead = Lease {
            node: from.id,
            epoch: from.epoch,
        };
        let mut rows = Lane::ALL.map(|lane| Row::life(dead, lane)).to_vec();
        rows.extend([Row::Node(from.id), Row::Tally]);
        self.write(Lane::Order, Some(lease), rows, take_over, told)
            .await?
    }

    async fn claim(&self, lease: Lease, duty: Duty) -> Result<bool, StoreError> {
        if let Way::File(_) = self.way {
            return Ok(true);
        }
        let now = self.world.now_ms();
        let claim = move |tables: &Tables| tables.claim(lease.node, duty, now);
        self.ordered(lease, claim).await
    }

    async fn settle(&self, node: NodeId, mut said: Spendings) -> Result<Levels, StoreError> {
        if matches!(self.way, Way::File(_)) {
            return Ok(Levels::default());
        }
        if planted::is("count_alone") {
            said.spent.clear();
        }
        let now = self.world.now_ms();
        self.read(|tables| Ok(tables.spent(|spent| spent.settle(node, &said, now))))
            .await
    }

    async fn seats(&self, lease: Lease, seating: Seating) -> Result<Seats, StoreError> {
        if matches!(self.way, Way::File(_)) || planted::is("forget_seats") {
            return Ok(Seats::default());
        }
        let now = self.world.now_ms();
        let note = |tables: &Tables| {
            let is_good = |lease| tables.is_good(lease);
            let is_heard_of = |node| tables.spent(|spent| spent.is_heard_of(node, now));
            Ok(tables.seats(|seats| seats.note(lease, &seating, is_good, is_heard_of)))
        };
        self.read(note).await
    }

    async fn seats_of(
        &self,
        node: NodeId,
        until: u64,
        since: Millis,
        after: Option<(MatchId, Seat)>,
    ) -> Result<Vec<LostSeat>, StoreError> {
        let of = |tables: &Tables| {
            let is_good = |lease| tables.is_good(lease);
            Ok(tables.seats(|seats| seats.of(node, until, since, after, is_good)))
        };
        self.read(of).await
    }

    async fn forget_seats(&self, lease: Lease) -> Result<(), StoreError> {
        let until = lease.epoch.saturating_sub(1);
        self.read(|tables| {
            tables.seats(|seats| seats.forget(lease.node, until));
            Ok(())
        })
        .await
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.check_open()
    }

    async fn failed(&self) -> StoreError {
        let mut failure = self.failure.subscribe();
        let failed = failure.wait_for(Option::is_some).await;
        let error = failed.ok().and_then(|error| error.clone());
        match error {
            Some(error) => error,
            None => std::future::pending().await,
        }
    }

    fn gauges(&self) -> Gauges {
        self.world.disk.memory.gauges()
    }

    async fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        if let Way::Postgres(postgres) = &self.way {
            postgres.finish().await;
        }
    }
}
