//! The store in a PostgreSQL database that several servers may share: three tasks write, a few connections read.
//!
//! A write is a message to a writer and a wait for its answer, so no caller can tear a transaction by going away. What waits is one transaction. Between
//! servers the rows of the database decide: docs/decisions/0060.

mod accounts;
mod acknowledged;
mod address;
mod bans;
mod batch;
mod checks;
mod connecting;
pub(crate) mod copy;
pub(crate) mod copying;
mod duties;
mod erasing;
mod fault;
mod flush;
mod foresee;
mod growth;
mod lacking;
mod lane;
mod lists;
mod logs;
mod nodes;
mod places;
mod portion;
mod puzzles;
mod queue;
mod ratings;
mod reach;
mod readers;
mod refusal;
mod removal;
mod request;
mod reviews;
mod rights;
mod rows;
mod schema;
mod seating;
mod soundness;
mod spent;
mod stage;
mod tally;
mod transaction;
mod unfinished;
mod usage;
mod way;
pub(crate) mod whole;
mod words;
mod work;
mod writer;

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{
    ClientCreateId, JoinCode, MatchId, Millis, PlayerId, PuzzleId, Seat, Seq, ServerId,
};
use grundy_shared::rated::{Family, RatingState};
use sqlx::postgres::PgConnection;
use tokio::sync::oneshot;
use tokio::time::Instant;

pub use self::address::Address;
pub use self::lane::{Lane, is_ordered, lanes};
pub use self::reach::Reach;

use self::acknowledged::Acknowledged;
use self::logs::Sound;
use self::readers::Readers;
use self::request::Request;
use self::way::Way;
use self::writer::Counters;
use super::columns::{address_secret, server_id, unsigned};
use super::{
    AccountRow, AddressDigest, AddressSecret, BanRow, Bearer, Commit, CommitError, Cursor, Duty,
    Erasure, Gauges, Leaderboard, Lease, Levels, ListFilter, Listing, Logged, LostSeat, MatchRow,
    Mentions, NodeId, NodeRow, Notice, OpenMatch, OpenMatchLog, Page, PuzzleRow, PuzzlesWanted,
    Ranked, RatingRow, Removal, ReviewRow, Rewrite, Seating, Seats, SecretHash, Spendings, Store,
    StoreError, StreamId, Uncounted, Unneeded, Usage, WordSummary,
};

/// The store in a PostgreSQL database.
#[derive(Debug)]
pub struct PostgresStore {
    moves: Way,
    order: Way,
    signs: Way,
    readers: Readers,
    sound: Sound,
    counters: Arc<Counters>,
    address: Address,
    acknowledged: Arc<Acknowledged>,
}

impl PostgresStore {
    /// Makes the tables in an empty database, or upgrades those of an older version, as the role of this address, which owns them afterwards. Servers connect with
    /// another role, which gets the rights that it needs with `grant`. Roles that have them get the same rights on new tables; these are returned. Reports in
    /// sentences what it waits for.
    ///
    /// # Errors
    /// `NotOurs`, `Newer`, or `Unusable` with what to do; nothing is changed then.
    pub async fn migrate(
        address: &Address,
        grant: Option<&str>,
        tell: &mut (dyn FnMut(String) + Send),
    ) -> Result<Vec<String>, StoreError> {
        let migrated = connecting::migrate(address, grant, tell).await;
        migrated.map_err(|fault| connecting::unusable(address, fault))
    }

    /// Opens a database whose tables are there. Nothing in it is changed.
    ///
    /// # Errors
    /// `NotOurs`, `Newer`, `Unsafe`, or `Unusable`: each says what to do, and shows no password.
    pub async fn open(address: Address) -> Result<Self, StoreError> {
        unfinished::check(&address).await?;
        let counters = Arc::new(Counters::default());
        let acknowledged = Arc::new(Acknowledged::default());
        let reach = Arc::new(Reach::default());
        let way = async |lane| {
            let opened = Way::open(&address, lane, &counters, &acknowledged, &reach).await;
            opened.map_err(|fault| connecting::unusable(&address, fault))
        };
        Ok(Self {
            moves: way(Lane::Moves).await?,
            order: way(Lane::Order).await?,
            signs: way(Lane::Signs).await?,
            readers: Readers::new(&address, &acknowledged),
            sound: Sound::default(),
            counters,
            address,
            acknowledged,
        })
    }

    /// Lets servers use a database that one of them has found to lack what it had acknowledged: the operator accepts the loss.
    ///
    /// # Errors
    /// The database cannot be reached or written.
    pub async fn accept_loss(address: &Address) -> Result<(), StoreError> {
        let accepted = lacking::accept(address).await;
        accepted.map_err(|fault| connecting::unusable(address, fault))
    }

    /// Keeps in this directory what was acknowledged, and refuses a database that lacks what an earlier life of the server has acknowledged, unless the loss is accepted.
    ///
    /// # Errors
    /// `Lost`; or the database or the file cannot be read.
    pub async fn keep_acknowledged_in(
        &self,
        directory: &Path,
        accept_loss: bool,
    ) -> Result<(), StoreError> {
        let keeping = self.readers.read(async |connection| {
            let (acknowledged, address) = (&self.acknowledged, &self.address);
            acknowledged
                .keep_in(directory, accept_loss, address, connection)
                .await
        });
        let kept = keeping.await;
        if matches!(kept, Err(StoreError::Lost { .. }))
            && let Some(life) = acknowledged::life_in(directory)?
        {
            lacking::keep_others_away(&self.address, life).await;
        }
        kept
    }

    /// Asks the writer of what changes rows that servers share.
    async fn ask<T>(
        &self,
        request: impl FnOnce(oneshot::Sender<T>) -> Request,
    ) -> Result<T, StoreError> {
        self.order.ask(request).await
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn commit(&self, lease: Lease, batch: Vec<Commit>) -> Vec<Result<(), CommitError>> {
        let lanes = lanes(&batch);
        let (mut moves, mut order) = (Vec::with_capacity(batch.len()), Vec::new());
        for (lane, commit) in lanes.iter().zip(batch) {
            match lane {
                Lane::Moves => moves.push(commit),
                Lane::Order | Lane::Signs => order.push(commit),
            }
        }
        let moves = self.moves.commit(lease, moves);
        let (moves, order) = tokio::join!(moves, self.order.commit(lease, order));
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
        lane::is_ordered(commit)
    }

    async fn load(
        &self,
        stream: StreamId,
        after: Seq,
        limit: usize,
    ) -> Result<Option<Vec<Logged>>, StoreError> {
        let read =
            async |db: &mut PgConnection| logs::load(db, &self.sound, stream, after, limit).await;
        self.readers.read(read).await
    }

    async fn grown(&self, known: &[(StreamId, Seq)]) -> Result<Vec<(StreamId, Seq)>, StoreError> {
        let read = async |db: &mut PgConnection| growth::grown(db, known).await;
        self.readers.read(read).await
    }

    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        let read = async |db: &mut PgConnection| lists::row(db, id).await;
        self.readers.read(read).await
    }

    async fn list(&self, filter: ListFilter, page: Page) -> Result<Listing, StoreError> {
        self.readers.check_open()?;
        let from = page.number()?;
        let read = async |db: &mut PgConnection| lists::list(db, filter, from, page).await;
        self.readers.read(read).await
    }

    async fn uncounted(&self, page: Page) -> Result<Vec<Uncounted>, StoreError> {
        self.readers.check_open()?;
        let from = page.ended_number()?;
        let read = async |db: &mut PgConnection| lists::uncounted(db, from, page).await;
        self.readers.read(read).await
    }

    async fn review(&self, id: MatchId) -> Result<Option<ReviewRow>, StoreError> {
        let read = async |db: &mut PgConnection| reviews::review(db, id).await;
        self.readers.read(read).await
    }

    async fn open_matches(
        &self,
        player: PlayerId,
        limit: usize,
    ) -> Result<Vec<OpenMatch>, StoreError> {
        let read = async |db: &mut PgConnection| lists::open_matches(db, player, limit).await;
        self.readers.read(read).await
    }

    async fn open_count(&self, of: Option<PlayerId>) -> Result<u64, StoreError> {
        let read = async |db: &mut PgConnection| lists::open_count(db, of).await;
        unsigned(self.readers.read(read).await?)
    }

    async fn open_count_from(&self, address: AddressDigest) -> Result<u64, StoreError> {
        let read = async |db: &mut PgConnection| lists::open_count_from(db, address).await;
        unsigned(self.readers.read(read).await?)
    }

    async fn address_of(&self, id: MatchId) -> Result<Option<AddressDigest>, StoreError> {
        let read = async |db: &mut PgConnection| lists::address_of(db, id).await;
        self.readers.read(read).await
    }

    async fn live(
        &self,
        owner: NodeId,
        after: Option<Cursor>,
    ) -> Result<Vec<OpenMatchLog>, StoreError> {
        self.readers.check_open()?;
        let after = after.map_or(Ok(i64::MIN), |after| after.to_number())?;
        let read = async |db: &mut PgConnection| logs::live(db, owner, after).await;
        self.readers.read(read).await
    }

    async fn find_code(&self, code: JoinCode) -> Result<Option<(MatchId, Millis)>, StoreError> {
        let read = async |db: &mut PgConnection| lists::find_code(db, code).await;
        self.readers.read(read).await
    }

    async fn find_create_id(
        &self,
        player: PlayerId,
        client_create_id: &ClientCreateId,
    ) -> Result<Option<MatchId>, StoreError> {
        let read =
            async |db: &mut PgConnection| lists::find_create_id(db, player, client_create_id).await;
        self.readers.read(read).await
    }

    async fn bearer(&self, hash: SecretHash) -> Result<Option<Bearer>, StoreError> {
        let read = async |db: &mut PgConnection| accounts::bearer(db, hash).await;
        self.readers.read(read).await
    }

    async fn bearers(&self, hashes: Vec<SecretHash>) -> Result<Vec<Option<Bearer>>, StoreError> {
        let read = async |db: &mut PgConnection| accounts::bearers(db, &hashes).await;
        self.readers.read(read).await
    }

    async fn account(&self, player: PlayerId) -> Result<Option<AccountRow>, StoreError> {
        let read = async |db: &mut PgConnection| accounts::account(db, player).await;
        self.readers.read(read).await
    }

    async fn player(&self, id: PlayerId) -> Result<Option<PlayerInfo>, StoreError> {
        let read = async |db: &mut PgConnection| accounts::player(db, id).await;
        self.readers.read(read).await
    }

    async fn player_by_name(&self, name_key: &str) -> Result<Option<PlayerInfo>, StoreError> {
        let read = async |db: &mut PgConnection| accounts::player_by_name(db, name_key).await;
        self.readers.read(read).await
    }

    async fn ratings(&self, player: PlayerId) -> Result<Vec<(Family, RatingRow)>, StoreError> {
        let read = async |db: &mut PgConnection| ratings::ratings(db, player).await;
        self.readers.read(read).await
    }

    async fn rating(
        &self,
        player: PlayerId,
        family: Family,
    ) -> Result<Option<RatingRow>, StoreError> {
        let read = async |db: &mut PgConnection| ratings::rating(db, player, family).await;
        self.readers.read(read).await
    }

    async fn leaderboard(
        &self,
        board: Leaderboard,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<Vec<Ranked>, StoreError> {
        let read =
            async |db: &mut PgConnection| ratings::leaderboard(db, board, after, limit).await;
        self.readers.read(read).await
    }

    async fn plays_rated(&self, player: PlayerId) -> Result<bool, StoreError> {
        let read = async |db: &mut PgConnection| ratings::plays_rated(db, player).await;
        self.readers.read(read).await
    }

    async fn puzzle(&self, id: PuzzleId) -> Result<Option<PuzzleRow>, StoreError> {
        let read = async |db: &mut PgConnection| puzzles::puzzle(db, id).await;
        self.readers.read(read).await
    }

    async fn puzzles_near(&self, wanted: PuzzlesWanted) -> Result<Vec<PuzzleRow>, StoreError> {
        let read = async |db: &mut PgConnection| puzzles::near(db, wanted).await;
        self.readers.read(read).await
    }

    async fn solver(&self, player: PlayerId) -> Result<Option<RatingState>, StoreError> {
        let read = async |db: &mut PgConnection| puzzles::solver(db, player).await;
        self.readers.read(read).await
    }

    async fn attempt(&self, player: PlayerId, puzzle: PuzzleId) -> Result<Option<Seq>, StoreError> {
        let read = async |db: &mut PgConnection| puzzles::attempt(db, player, puzzle).await;
        self.readers.read(read).await
    }

    async fn usage(&self, node: NodeId) -> Result<Vec<Usage>, StoreError> {
        let read = async |db: &mut PgConnection| usage::read_usage(db, node).await;
        self.readers.read(read).await
    }

    async fn settle(&self, node: NodeId, spendings: Spendings) -> Result<Levels, StoreError> {
        let Spendings {
            spent,
            held,
            within,
        } = spendings;
        let hold = async |db: &mut PgConnection| spent::hold(db, node, &held).await;
        let held = self.readers.read(hold).await?;
        // Last, and with a time of its own: what was added must not be taken for refused because something else was slow or failed.
        let add = async |db: &mut PgConnection| spent::add(db, &spent, within).await;
        let spent = self.readers.read(add).await?;
        Ok(Levels { spent, held })
    }

    async fn seats(&self, lease: Lease, seating: Seating) -> Result<Seats, StoreError> {
        let read = async |db: &mut PgConnection| seating::seats(db, lease, seating).await;
        self.readers.read(read).await
    }

    async fn seats_of(
        &self,
        node: NodeId,
        until: u64,
        since: Millis,
        after: Option<(MatchId, Seat)>,
    ) -> Result<Vec<LostSeat>, StoreError> {
        let read =
            async |db: &mut PgConnection| seating::seats_of(db, node, until, since, after).await;
        self.readers.read(read).await
    }

    async fn forget_seats(&self, lease: Lease) -> Result<(), StoreError> {
        let read = async |db: &mut PgConnection| seating::forget_seats(db, lease).await;
        self.readers.read(read).await
    }

    async fn removable(&self, unneeded: Unneeded) -> Result<Removal, StoreError> {
        let read = async |db: &mut PgConnection| removal::removable(db, unneeded).await;
        self.readers.read(read).await
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
        let read = async |db: &mut PgConnection| erasing::mentioning(db, &texts, after).await;
        self.readers.read(read).await
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
        let read = async |db: &mut PgConnection| erasing::erasures(db).await;
        self.readers.read(read).await
    }

    async fn words(&self, after: Seq) -> Result<Vec<Logged>, StoreError> {
        let read = async |db: &mut PgConnection| words::words(db, after).await;
        self.readers.read(read).await
    }

    async fn word_summary(&self) -> Result<Option<WordSummary>, StoreError> {
        let read = async |db: &mut PgConnection| words::summary(db).await;
        self.readers.read(read).await
    }

    async fn bans(&self) -> Result<Vec<BanRow>, StoreError> {
        let read = async |db: &mut PgConnection| bans::bans(db).await;
        self.readers.read(read).await
    }

    async fn server_id(&self) -> Result<Option<ServerId>, StoreError> {
        let query = sqlx::query_scalar("SELECT id FROM server");
        let read = async |db: &mut PgConnection| Ok(query.fetch_optional(db).await?);
        let id: Option<i64> = self.readers.read(read).await?;
        id.map(server_id).transpose()
    }

    async fn address_secret(&self) -> Result<Option<AddressSecret>, StoreError> {
        let query = sqlx::query_scalar("SELECT secret FROM address_secret");
        let read = async |db: &mut PgConnection| Ok(query.fetch_optional(db).await?);
        let secret: Option<Vec<u8>> = self.readers.read(read).await?;
        secret.map(|secret| address_secret(&secret)).transpose()
    }

    async fn enlist(&self, node: NodeId, at: Millis) -> Result<Lease, StoreError> {
        self.ask(|reply| Request::Enlist(node, at, reply)).await?
    }

    async fn heartbeat(&self, lease: Lease, at: Millis) -> Result<(), StoreError> {
        // Behind nothing that waits for somebody else: a server that waits is alive.
        self.signs
            .ask(|reply| Request::Heartbeat(lease, at, reply))
            .await?
    }

    async fn retire(&self, lease: Lease, at: Millis) -> Result<(), StoreError> {
        self.ask(|reply| Request::Retire(lease, at, reply)).await?
    }

    async fn nodes(&self) -> Result<Vec<NodeRow>, StoreError> {
        let read = async |db: &mut PgConnection| nodes::read_nodes(db).await;
        self.readers.read(read).await
    }

    async fn end_life(&self, lease: Lease, from: NodeRow) -> Result<(), StoreError> {
        self.ask(|reply| Request::EndLife(lease, from, reply))
            .await?
    }

    async fn take_over(&self, lease: Lease, from: NodeRow) -> Result<u64, StoreError> {
        self.ask(|reply| Request::TakeOver(lease, from, reply))
            .await?
    }

    async fn time(&self) -> Result<Option<Millis>, StoreError> {
        let read = self.readers.read(async |db| {
            let asked = Instant::now();
            let read = nodes::read_time(db).await?;
            // It was read half way.
            let since = u64::try_from(asked.elapsed().as_millis() / 2).unwrap_or(0);
            Ok(read.plus(Millis(since)))
        });
        read.await.map(Some)
    }

    async fn notices(&self, after: u64) -> Result<Vec<Notice>, StoreError> {
        let read = async |db: &mut PgConnection| duties::notices(db, after).await;
        self.readers.read(read).await
    }

    async fn last_notice(&self) -> Result<u64, StoreError> {
        let read = async |db: &mut PgConnection| duties::last_notice(db).await;
        self.readers.read(read).await
    }

    async fn claim(&self, lease: Lease, duty: Duty) -> Result<bool, StoreError> {
        self.ask(|reply| Request::Claim(lease, duty, reply)).await?
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.moves.ask(Request::Ready).await??;
        self.order.ask(Request::Ready).await??;
        // Who cannot read serves nobody either.
        let read = self.readers.read(async |db| {
            sqlx::query("SELECT 1").execute(db).await?;
            Ok(())
        });
        read.await
    }

    async fn failed(&self) -> StoreError {
        tokio::select! {
            biased;
            error = self.moves.failed() => error,
            error = self.order.failed() => error,
            error = self.signs.failed() => error,
        }
    }

    fn gauges(&self) -> Gauges {
        self.counters
            .gauges(self.moves.waiting() + self.order.waiting() + self.signs.waiting())
    }

    async fn close(&self) {
        tokio::join!(self.moves.close(), self.order.close(), self.signs.close());
        self.readers.close().await;
    }
}
