//! A store in memory: for tests of time, and for `--data :memory:`. Durable only as long as the process.

mod commit;
mod erasure;
mod puzzles;
mod ratings;
mod removal;
mod reviews;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard};

use async_trait::async_trait;
use bytes::Bytes;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{
    ClientCreateId, JoinCode, MatchId, Millis, PlayerId, PuzzleId, Seq, ServerId,
};
use grundy_shared::rated::{Family, RatingState};
use rustc_hash::{FxHashMap, FxHashSet};

use self::puzzles::Puzzles;
use self::ratings::Ratings;
use self::reviews::Reviews;
use self::words::Words;
use super::listing::Search;
use super::{
    AccountRow, AddressDigest, AddressSecret, BANS_MAX, BanRow, BanSubject, Bearer, Commit,
    CommitError, Cursor, Erasure, Gauges, LIST_PAGE, LIVE_PAGE, LOAD_PAGE, Leaderboard, Lease,
    LeftOut, ListFilter, Listed, Listing, Logged, MatchRow, MatchStatus, Mentions, Mistakes,
    NodeId, NodeRow, OpenMatch, OpenMatchLog, Order, Page, PuzzleRow, PuzzlesWanted, Ranked,
    RatingRow, Removal, ReviewRow, Rewrite, SecretHash, Store, StoreError, StreamId, Uncounted,
    Unneeded, Usage, UsageOf, WordSummary,
};
use crate::clock::BEHIND_MAX;
use crate::planted;

/// The store in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    closed: bool,
    streams: FxHashMap<StreamId, Stream>,
    /// The number of the newest stream.
    last_stream: i64,
    /// By the numbers of their streams.
    matches: BTreeMap<i64, Kept>,
    by_id: FxHashMap<MatchId, i64>,
    /// The numbers of finished matches, in the order of their ends.
    ended: BTreeMap<i64, i64>,
    /// The matches of each player that are not over.
    open_of: FxHashMap<PlayerId, BTreeSet<i64>>,
    /// How many are not over.
    open: u64,
    /// How many nobody has joined.
    waiting: u64,
    /// The matches that are not over by where they were created.
    open_from: FxHashMap<AddressDigest, BTreeSet<i64>>,
    codes: BTreeMap<JoinCode, (MatchId, Millis)>,
    create_ids: FxHashMap<(PlayerId, ClientCreateId), MatchId>,
    players: FxHashMap<PlayerId, PlayerInfo>,
    /// By the keys of their names.
    names: BTreeMap<String, PlayerId>,
    tokens: FxHashMap<SecretHash, PlayerId>,
    accounts: FxHashMap<PlayerId, AccountRow>,
    /// Players who stay even without a match.
    kept: FxHashSet<PlayerId>,
    /// When each player came.
    came_at: FxHashMap<PlayerId, Millis>,
    ratings: Ratings,
    reviews: Reviews,
    puzzles: Puzzles,
    usage: FxHashMap<(NodeId, UsageOf), Usage>,
    words: Words,
    bans: BTreeMap<BanSubject, BanRow>,
    /// Players who were erased, and the names that stand for them.
    erased: FxHashMap<PlayerId, String>,
    erasures: BTreeMap<PlayerId, Erasure>,
    server_id: Option<ServerId>,
    address_secret: Option<AddressSecret>,
    nodes: BTreeMap<NodeId, NodeRow>,
    gauges: Gauges,
}

/// One log.
#[derive(Debug)]
struct Stream {
    /// Its place in the order of creation.
    number: i64,
    events: Vec<Bytes>,
}

#[derive(Debug)]
struct Kept {
    id: MatchId,
    row: MatchRow,
    owner: NodeId,
    address: Option<AddressDigest>,
    /// Its place in the order of ends, once it is over.
    ended_order: Option<i64>,
    mistakes: Option<Mistakes>,
}

impl State {
    fn head(&self, stream: StreamId) -> Seq {
        let stream = self.streams.get(&stream);
        Seq(stream.map_or(0, |stream| stream.events.len()) as u64)
    }

    fn find(&self, id: MatchId) -> Option<&Kept> {
        self.by_id.get(&id).map(|number| &self.matches[number])
    }

    fn after(&self, stream: StreamId, after: Seq, limit: usize) -> Option<Vec<Logged>> {
        let events = &self.streams.get(&stream)?.events;
        let skip = usize::try_from(after.0).unwrap_or(usize::MAX);
        let numbered = (1..).zip(events).skip(skip).take(limit);
        let logged = numbered.map(|(seq, body)| Logged {
            seq: Seq(seq),
            body: body.clone(),
        });
        Some(logged.collect())
    }

    fn check_lease(&self, lease: Lease) -> Result<(), StoreError> {
        match self.nodes.get(&lease.node) {
            Some(row) if row.epoch == lease.epoch && !row.left => Ok(()),
            Some(_) if planted::is("unfenced") => Ok(()),
            _ => Err(StoreError::Fenced),
        }
    }
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn open(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        let state = self
            .state
            .lock()
            .expect("no operation panics while it holds the lock");
        if state.closed {
            Err(StoreError::Closed)
        } else {
            Ok(state)
        }
    }

    /// The same for a write, which counts as one commit.
    fn write(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        let mut state = self.open()?;
        state.gauges.commits += 1;
        Ok(state)
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn commit(&self, lease: Lease, batch: Vec<Commit>) -> Vec<Result<(), CommitError>> {
        let mut state = match self.write() {
            Ok(state) => state,
            Err(error) => return batch.iter().map(|_| Err(error.clone().into())).collect(),
        };
        let each = batch.into_iter().map(|commit| {
            state.check(lease, &commit)?;
            state.make(lease, commit);
            Ok(())
        });
        each.collect()
    }

    async fn load(
        &self,
        stream: StreamId,
        after: Seq,
        limit: usize,
    ) -> Result<Option<Vec<Logged>>, StoreError> {
        Ok(self.open()?.after(stream, after, limit.min(LOAD_PAGE)))
    }

    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        Ok(self.open()?.find(id).map(|kept| kept.row.clone()))
    }

    async fn list(&self, filter: ListFilter, page: Page) -> Result<Listing, StoreError> {
        let state = self.open()?;
        let from = page.number()?;
        let behind = (Bound::Excluded(from), Bound::Unbounded);
        let number = |(number, kept): (&i64, _)| (Cursor::number(*number), kept);
        let matches: Box<dyn Iterator<Item = (Cursor, &Kept)> + Send> = match page.order {
            Order::Newest => Box::new(state.matches.range(..from).rev().map(number)),
            Order::Oldest => Box::new(state.matches.range(behind).map(number)),
            Order::Ended => {
                let ended = state.ended.range(behind);
                Box::new(ended.map(|(place, of)| (Cursor::ended(*place), &state.matches[of])))
            }
        };
        let mut search = Search::new(&filter, page.limit);
        for (cursor, kept) in matches.filter(|(_, kept)| filter.seats_pass(&kept.row)) {
            let listed = Listed {
                cursor,
                id: kept.id,
                row: kept.row.clone(),
                mistakes: kept.mistakes,
                left_out: LeftOut::default(),
            };
            if let Some(page) = search.look_at(listed) {
                return Ok(page);
            }
        }
        Ok(search.end())
    }

    async fn uncounted(&self, page: Page) -> Result<Vec<Uncounted>, StoreError> {
        let state = self.open()?;
        let from = page.ended_number()?;
        let ended: Box<dyn Iterator<Item = (&i64, &i64)> + Send> = match page.order {
            Order::Newest => Box::new(state.ended.range(..from).rev()),
            Order::Oldest | Order::Ended => {
                let behind = (Bound::Excluded(from), Bound::Unbounded);
                Box::new(state.ended.range(behind))
            }
        };
        let kept = ended.map(|(place, number)| (place, &state.matches[number]));
        let uncounted = kept.filter(|(_, kept)| kept.mistakes.is_none());
        let uncounted = uncounted.map(|(place, kept)| Uncounted {
            cursor: Cursor::ended(*place),
            id: kept.id,
        });
        Ok(uncounted.take(page.limit.min(LIST_PAGE)).collect())
    }

    async fn review(&self, id: MatchId) -> Result<Option<ReviewRow>, StoreError> {
        let state = self.open()?;
        let is_over = state
            .find(id)
            .is_some_and(|kept| kept.ended_order.is_some());
        Ok(state.reviews.get(id).filter(|_| is_over).cloned())
    }

    async fn open_matches(
        &self,
        player: PlayerId,
        limit: usize,
    ) -> Result<Vec<OpenMatch>, StoreError> {
        let state = self.open()?;
        let open = state.open_of.get(&player).into_iter().flatten().rev();
        let matches = open.take(limit.min(LIST_PAGE)).map(|number| {
            let Kept { id, row, .. } = &state.matches[number];
            let mut codes = state.codes.iter();
            OpenMatch {
                id: *id,
                row: row.clone(),
                code: codes.find_map(|(code, (of, until))| (of == id).then_some((*code, *until))),
            }
        });
        Ok(matches.collect())
    }

    async fn open_count(&self, of: Option<PlayerId>) -> Result<u64, StoreError> {
        Ok(self.open()?.open_count(of))
    }

    async fn open_count_from(&self, address: AddressDigest) -> Result<u64, StoreError> {
        Ok(self.open()?.open_count_from(address))
    }

    async fn address_of(&self, id: MatchId) -> Result<Option<AddressDigest>, StoreError> {
        Ok(self.open()?.find(id).and_then(|kept| kept.address))
    }

    async fn live(
        &self,
        owner: NodeId,
        after: Option<Cursor>,
    ) -> Result<Vec<OpenMatchLog>, StoreError> {
        let state = self.open()?;
        let from = match after {
            Some(after) => after.to_number()?.saturating_add(1),
            None => i64::MIN,
        };
        let live = |kept: &Kept| kept.owner == owner && kept.row.status != MatchStatus::Over;
        Ok(state
            .matches
            .range(from..)
            .filter(|(_, kept)| live(kept))
            .take(LIVE_PAGE)
            .map(|(number, kept)| OpenMatchLog {
                cursor: Cursor::number(*number),
                id: kept.id,
                log: Ok(state
                    .after(kept.id.into(), Seq(0), usize::MAX)
                    .unwrap_or_default()),
            })
            .collect())
    }

    async fn find_code(&self, code: JoinCode) -> Result<Option<(MatchId, Millis)>, StoreError> {
        Ok(self.open()?.codes.get(&code).copied())
    }

    async fn find_create_id(
        &self,
        player: PlayerId,
        client_create_id: &ClientCreateId,
    ) -> Result<Option<MatchId>, StoreError> {
        let name = (player, client_create_id.clone());
        Ok(self.open()?.create_ids.get(&name).copied())
    }

    async fn bearer(&self, hash: SecretHash) -> Result<Option<Bearer>, StoreError> {
        let state = self.open()?;
        Ok(state.tokens.get(&hash).and_then(|id| {
            let account = state.accounts.get(id)?;
            let mut tokens = account.tokens.iter();
            Some(Bearer {
                player: state.players.get(id)?.clone(),
                token: tokens.find(|token| token.hash == hash)?.clone(),
                claimed: account.password.is_some(),
                muted: account.muted.clone(),
            })
        }))
    }

    async fn account(&self, player: PlayerId) -> Result<Option<AccountRow>, StoreError> {
        Ok(self.open()?.accounts.get(&player).cloned())
    }

    async fn player(&self, id: PlayerId) -> Result<Option<PlayerInfo>, StoreError> {
        Ok(self.open()?.players.get(&id).cloned())
    }

    async fn player_by_name(&self, name_key: &str) -> Result<Option<PlayerInfo>, StoreError> {
        let state = self.open()?;
        let player = state.names.get(name_key);
        Ok(player.and_then(|id| state.players.get(id)).cloned())
    }

    async fn ratings(&self, player: PlayerId) -> Result<Vec<(Family, RatingRow)>, StoreError> {
        Ok(self.open()?.ratings.of(player))
    }

    async fn rating(
        &self,
        player: PlayerId,
        family: Family,
    ) -> Result<Option<RatingRow>, StoreError> {
        Ok(self.open()?.ratings.one(player, family))
    }

    async fn leaderboard(
        &self,
        board: Leaderboard,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<Vec<Ranked>, StoreError> {
        let state = self.open()?;
        let State {
            ratings, players, ..
        } = &*state;
        ratings.leaderboard(board, after.as_ref(), limit, players)
    }

    async fn plays_rated(&self, player: PlayerId) -> Result<bool, StoreError> {
        let state = self.open()?;
        let mut open = state.open_of.get(&player).into_iter().flatten();
        let is_rated = |row: &MatchRow| row.series.is_some_and(|series| series.rated);
        Ok(open.any(|number| {
            let row = &state.matches[number].row;
            row.status == MatchStatus::Live && is_rated(row)
        }))
    }

    async fn puzzle(&self, id: PuzzleId) -> Result<Option<PuzzleRow>, StoreError> {
        Ok(self.open()?.puzzles.get(id).cloned())
    }

    async fn puzzles_near(&self, wanted: PuzzlesWanted) -> Result<Vec<PuzzleRow>, StoreError> {
        Ok(self.open()?.puzzles.near(&wanted))
    }

    async fn solver(&self, player: PlayerId) -> Result<Option<RatingState>, StoreError> {
        Ok(self.open()?.puzzles.solver(player))
    }

    async fn attempt(&self, player: PlayerId, puzzle: PuzzleId) -> Result<Option<Seq>, StoreError> {
        Ok(self.open()?.puzzles.attempt(player, puzzle))
    }

    async fn usage(&self, node: NodeId) -> Result<Vec<Usage>, StoreError> {
        let state = self.open()?;
        let of_node = state.usage.iter().filter(|((by, _), _)| *by == node);
        Ok(of_node.map(|(_, row)| *row).collect())
    }

    async fn removable(&self, unneeded: Unneeded) -> Result<Removal, StoreError> {
        Ok(self.open()?.removable(unneeded))
    }

    async fn remove(
        &self,
        lease: Lease,
        wanted: Removal,
        unneeded: Unneeded,
    ) -> Result<Removal, StoreError> {
        let mut state = self.write()?;
        state.check_lease(lease)?;
        Ok(state.remove(wanted, unneeded))
    }

    async fn mentioning(
        &self,
        texts: Vec<String>,
        after: Option<Cursor>,
    ) -> Result<Mentions, StoreError> {
        self.open()?.mentioning(&texts, after.as_ref())
    }

    async fn rewrite(
        &self,
        lease: Lease,
        player: PlayerId,
        logs: Vec<Rewrite>,
    ) -> Result<(), CommitError> {
        self.write()?.rewrite(lease, player, logs)
    }

    async fn scrub(&self, lease: Lease) -> Result<bool, StoreError> {
        self.open()?.check_lease(lease).map(|()| true)
    }

    async fn erasures(&self) -> Result<Vec<Erasure>, StoreError> {
        Ok(self.open()?.erasures.values().cloned().collect())
    }

    async fn words(&self, after: Seq) -> Result<Vec<Logged>, StoreError> {
        Ok(self.open()?.words.after(after))
    }

    async fn word_summary(&self) -> Result<Option<WordSummary>, StoreError> {
        Ok(self.open()?.words.summary())
    }

    async fn bans(&self) -> Result<Vec<BanRow>, StoreError> {
        Ok(self.open()?.bans.values().take(BANS_MAX).cloned().collect())
    }

    async fn server_id(&self) -> Result<Option<ServerId>, StoreError> {
        Ok(self.open()?.server_id)
    }

    async fn address_secret(&self) -> Result<Option<AddressSecret>, StoreError> {
        Ok(self.open()?.address_secret)
    }

    async fn enlist(&self, node: NodeId, at: Millis) -> Result<Lease, StoreError> {
        let mut state = self.write()?;
        let row = state.nodes.entry(node).or_insert(NodeRow {
            id: node,
            epoch: 0,
            enlisted_at: at,
            heartbeat: None,
            sign: 0,
            left: false,
        });
        row.epoch += 1;
        row.left = false;
        row.enlisted_at = at;
        row.heartbeat = row.heartbeat.map(|heartbeat| {
            if heartbeat.since(at) > BEHIND_MAX {
                at
            } else {
                heartbeat
            }
        });
        Ok(Lease {
            node,
            epoch: row.epoch,
        })
    }

    async fn heartbeat(&self, lease: Lease, at: Millis) -> Result<(), StoreError> {
        let mut state = self.write()?;
        state.check_lease(lease)?;
        if let Some(row) = state.nodes.get_mut(&lease.node) {
            row.heartbeat = row.heartbeat.max(Some(at));
            row.sign += 1;
        }
        Ok(())
    }

    async fn retire(&self, lease: Lease, at: Millis) -> Result<(), StoreError> {
        self.heartbeat(lease, at).await?;
        if let Some(row) = self.write()?.nodes.get_mut(&lease.node) {
            row.epoch += 1;
            row.left = true;
        }
        Ok(())
    }

    async fn nodes(&self) -> Result<Vec<NodeRow>, StoreError> {
        Ok(self.open()?.nodes.values().copied().collect())
    }

    async fn end_life(&self, lease: Lease, from: NodeRow) -> Result<(), StoreError> {
        let mut state = self.write()?;
        state.check_lease(lease)?;
        if let Some(row) = state.nodes.get_mut(&from.id)
            && row.epoch == from.epoch
            && from.id != lease.node
        {
            row.left = true;
        }
        Ok(())
    }

    async fn take_over(&self, lease: Lease, from: NodeRow) -> Result<u64, StoreError> {
        let mut state = self.write()?;
        state.check_lease(lease)?;
        match state.nodes.get_mut(&from.id) {
            Some(row) if row.epoch == from.epoch && from.id != lease.node => {
                row.epoch += 1;
                row.left = true;
            }
            _ => return Err(StoreError::Fenced),
        }
        let mut taken = 0;
        for kept in state.matches.values_mut() {
            if kept.owner == from.id && kept.row.status != MatchStatus::Over {
                kept.owner = lease.node;
                taken += 1;
            }
        }
        Ok(taken)
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.open().map(drop)
    }

    async fn failed(&self) -> StoreError {
        std::future::pending().await
    }

    fn gauges(&self) -> Gauges {
        self.open().map(|state| state.gauges).unwrap_or_default()
    }

    async fn close(&self) {
        if let Ok(mut state) = self.open() {
            state.closed = true;
        }
    }
}
