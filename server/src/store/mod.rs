//! Where logs are kept: the trait [`Store`], its laws, and what passes through it.
//!
//! A match, a tournament, an account, a rating, a room of a match, a player who solves puzzles and a puzzle each are a log of events, a *stream*; everything else here follows from the
//! logs. The store knows neither rules nor clocks: it keeps bodies byte for byte, in order, and says durably which
//! append came first. Whoever writes often does so through a [`committer::Committer`], which gathers what waits.
//!
//! # Laws
//!
//! One black-box suite (`tests/store/`) tries each on every backend.
//!
//! 1. **Dense.** The events of a stream have the numbers 1, 2, … without a gap, in the order of their commits.
//! 2. **One arbiter.** A commit succeeds only if each of its streams ends where it expects; otherwise it changes nothing
//!    and answers `Conflict` with the number at which the stream ends. Of concurrent commits that expect one number of one
//!    stream exactly one succeeds. A stream that has no event is not there, and ends at 0.
//! 3. **Whole.** A commit happens entirely or not at all: its events in all its streams, and what follows from them.
//! 4. **Durable.** Once a commit has answered `Ok`, it survives the death of the process and, in a durable backend, of the machine.
//! 5. **Seen after.** Nobody reads an event before it is durable, and after `Ok` everybody reads it.
//! 6. **Byte for byte.** A body is read as it was written, until [`Store::rewrite`] replaces it.
//! 7. **Unique.** A player id, a token, the key of a name, the id of the server, its secret for addresses and a creator's own name for a match belong to one; so does a join code until it
//!    expires. A second taker gets `Taken` and changes nothing.
//! 8. **Absent is `None`.** Reading what is not there is not an error.
//! 9. **Bounded.** Every list has a page size; a larger wish is cut to it, and the next page begins where the last one
//!    ended. No page leaves out what could be seen when the first was read.
//! 10. **Alone.** What one commit is refused for does not harm the others of its batch. They are decided in their order,
//!     each as if those before it were done.
//! 11. **Droppable.** A caller may stop waiting at any moment: each commit then happens entirely or not at all.
//! 12. **Closed.** After `close`, every operation answers [`StoreError::Closed`].
//! 13. **Fenced.** A lease is good until its node retires, is enlisted again, or its matches are taken over. From then on nothing
//!     that is committed with it happens, and the answer is `Fenced`.
//! 14. **Guarded.** A commit with a guard succeeds only if the guard holds when it is made, whoever else commits.
//! 15. **One document.** What an account has is replaced as a whole, by one who knows its version: of concurrent commits that expect one version
//!     exactly one succeeds, and the others get `Conflict` with the version that the account has.
//! 16. **Read on.** A reader that continues from the place of the last entry of [`Store::live`], of [`Store::list`] in the order of ends, or from the last event of a log, sees everything
//!     that becomes visible later, each once. So a cursor says how far the reader has come in the order in which commits become visible,
//!     which need not be that of any numbers that were drawn before. What was removed meanwhile is left out.
//! 17. **Removed as a whole.** What [`Store::remove`] removes is as if it had never been, but for its numbers, which are not given again.
//! 18. **Erased for good.** From the commit of a [`Projection::Erase`] on, the player's old names come back with no commit, the account takes no
//!     change, and the player gets no seat. [`Store::rewrite`] replaces bodies in all its logs or in none, and each of their chains is sound before
//!     and afterwards.
//! 19. **Dispensable.** There is at most one review of a match, which is over. A commit with one drops those that were stored first, until all together
//!     have at most as many bytes as it says. A review with more than that alone changes nothing.
//! 20. **Tried once.** There is at most one attempt of a player at a puzzle, which is known, and it is in the logs of both. A puzzle is never removed, and what
//!     it is never changes. No commit adds one beyond the number that the commit says.
//! 21. **Said once.** The words of all servers on one store have the numbers 1, 2, … without a gap, in the order in which they become visible, and all read the same
//!     word under a number. Of the words that settle the same thing only the first is ever said. A [`Projection::SumUp`] that is newer than the last one takes its
//!     place and lets the words be forgotten that the last one summed up; a [`Projection::ForgetWords`] those of the last one.
//!     Whoever has not heard what is forgotten settles nothing any more. A store that one server has for itself takes no words.
//! 22. **Told to all.** Whoever reads the notices after the last one that it knows, in turn, learns of each change of the bans and of each step of an
//!     erasure that another server has committed. A duty is one server's at a time, and ends if that server does not renew it.
//! 23. **Seen to grow.** [`Store::grown`] names each log, of those it is asked about, that had more events than said when it was asked, and no other.
//! 24. **Added up.** What servers say with [`Store::settle`] that they have used is added, and refilled as time passes by the clock of the store.
//! 25. **Seated once.** A seat belongs to the server that took it last, until that leaves it, says nothing for some seconds, or its lease is good no longer. Who takes
//!     it learns which life of another server had it; and what a dead one had can be read until its matches are taken over.

pub mod account;
pub mod address_digest;
pub mod address_secret;
pub mod allowances;
pub mod ban;
pub(crate) mod columns;
pub mod commit;
pub mod committer;
pub(crate) mod copying;
pub mod cursor;
pub mod erasure;
pub mod error;
pub mod file_change;
pub mod lease;
pub mod listing;
pub mod memory;
pub mod mistakes;
pub mod notice;
pub mod open;
pub mod postgres;
pub mod puzzle;
pub mod rating;
pub mod removal;
pub mod review;
pub mod seating;
pub mod share;
pub mod spent;
pub mod sqlite;
pub mod stream;
pub mod summary;
pub mod usage;
pub mod word;

use async_trait::async_trait;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{
    ClientCreateId, JoinCode, MatchId, Millis, PlayerId, PuzzleId, Seat, Seq, ServerId,
};
use grundy_shared::rated::{Family, RatingState};

pub use self::account::{AccountRow, Bearer, NewPlayer, PasswordHash, SecretHash, TokenRow};
pub use self::address_digest::AddressDigest;
pub use self::address_secret::AddressSecret;
pub use self::allowances::Allowances;
pub use self::ban::{BANS_MAX, BanRow, BanSubject};
pub use self::commit::{Append, Commit, CommitError, Guard, Projection, Unique};
pub use self::cursor::{BadCursor, Cursor};
pub use self::erasure::{Erasure, MENTIONS_PAGE, Mentions, NewErasure, Rewrite, Rewritten};
pub use self::error::StoreError;
pub use self::file_change::FileChange;
pub use self::lease::{Lease, NodeId, NodeRow};
pub use self::listing::{
    Ending, LIST_PAGE, LIST_SCAN, LeftOut, ListFilter, Listed, Listing, OpenMatch, Order, Page,
    Traits,
};
pub use self::mistakes::{MistakeCounts, Mistakes, MistakesBy, MistakesWanted, Uncounted};
pub use self::notice::{Duty, NOTICES_PAGE, News, Notice};
pub use self::puzzle::{PUZZLES_PAGE, PuzzleAttempt, PuzzleRow, PuzzlesWanted};
pub use self::rating::{Leaderboard, Ranked, RatingRow};
pub use self::removal::{REMOVED_AT_ONCE, Removal, Unneeded};
pub use self::review::ReviewRow;
pub use self::seating::{LostSeat, Seating, Seats};
pub use self::share::{FairShare, Taken};
pub use self::spent::{LEVELS_MAX, Levels, SETTLED_AT_ONCE, Spender, Spendings};
pub use self::stream::{Logged, StreamId};
pub use self::summary::{MatchRow, MatchStatus, OpenMatchLog};
pub use self::usage::{Usage, UsageOf};
pub use self::word::{Word, WordSummary};

/// The most events that one [`Store::load`] returns.
pub const LOAD_PAGE: usize = 1_000;
/// The most logs that one [`Store::grown`] looks at.
pub const GROWN_MAX: usize = 1_000;
/// The most tokens of one [`Store::bearers`].
pub const BEARERS_MAX: usize = 1_000;
/// The most matches that one [`Store::live`] returns.
pub const LIVE_PAGE: usize = 500;

/// The keeper of logs and of what follows from them; its laws are at the top of this module.
///
/// A batch of commits costs one sync. A read may answer at once: who reads in a loop lets others run.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Commits each of these alone, in this order, all in one sync; what came of each, in the same order. While the summary
    /// of a match says `Over`, its log counts as closed: the store keeps the number and the hash of its last event beside it.
    async fn commit(&self, lease: Lease, batch: Vec<Commit>) -> Vec<Result<(), CommitError>>;

    /// Whether a commit may have to wait for commits of other servers that have nothing to do with it. Such commits are submitted beside the others, so that those do
    /// not wait for them.
    fn waits_for_others(&self, _: &Commit) -> bool {
        false
    }

    /// The events after number `after`, in order, at most `limit` and at most [`LOAD_PAGE`]; `None` without such a stream.
    /// The whole log of a finished match is compared with the end that was written beside it when a durable backend first reads of it:
    /// where they differ the answer is `Corrupt`, whatever was asked for.
    async fn load(
        &self,
        stream: StreamId,
        after: Seq,
        limit: usize,
    ) -> Result<Option<Vec<Logged>>, StoreError>;

    /// Those of these logs that have events after the number that goes with each, with the number of their last event, in no order. At most [`GROWN_MAX`] are
    /// looked at. A log that is not there has not grown.
    async fn grown(&self, known: &[(StreamId, Seq)]) -> Result<Vec<(StreamId, Seq)>, StoreError> {
        // A store that no other server writes to is not asked. One that is has a single statement for it.
        let mut grown = Vec::new();
        for (stream, after) in known.iter().take(GROWN_MAX) {
            let mut last = *after;
            loop {
                let page = self.load(*stream, last, LOAD_PAGE).await?;
                let page = page.unwrap_or_default();
                last = page.last().map_or(last, |logged| logged.seq);
                if page.len() < LOAD_PAGE {
                    break;
                }
            }
            if last > *after {
                grown.push((*stream, last));
            }
        }
        Ok(grown)
    }

    /// The summary of a match.
    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError>;

    /// Matches in the order of the page. At most [`LIST_SCAN`] are looked at, so a page with a filter can be empty and not the last.
    async fn list(&self, filter: ListFilter, page: Page) -> Result<Listing, StoreError>;

    /// Finished matches whose mistakes are not counted, in the order of their ends: the last first for [`Order::Newest`], else the first.
    /// At most [`LIST_PAGE`].
    async fn uncounted(&self, page: Page) -> Result<Vec<Uncounted>, StoreError>;

    /// The review of a match that is over, if one is kept.
    async fn review(&self, id: MatchId) -> Result<Option<ReviewRow>, StoreError>;

    /// The matches of a player that are not over, the newest first; at most `limit` and at most [`LIST_PAGE`].
    async fn open_matches(
        &self,
        player: PlayerId,
        limit: usize,
    ) -> Result<Vec<OpenMatch>, StoreError>;

    /// How many matches are not over: those of a player, or all.
    async fn open_count(&self, of: Option<PlayerId>) -> Result<u64, StoreError>;

    /// How many matches that are not over were created there.
    async fn open_count_from(&self, address: AddressDigest) -> Result<u64, StoreError>;

    /// Where a match that is not over was created, if it counts for an address.
    async fn address_of(&self, id: MatchId) -> Result<Option<AddressDigest>, StoreError>;

    /// The matches of a node that are not over, oldest first, with their logs: for recovery. At most [`LIVE_PAGE`]; an empty
    /// answer is the end. A log that does not fit its hash chain is damaged. Linear in the events.
    async fn live(
        &self,
        owner: NodeId,
        after: Option<Cursor>,
    ) -> Result<Vec<OpenMatchLog>, StoreError>;

    /// The match that a join code belongs to, and when the code expires; whether it has expired is for the caller to say.
    async fn find_code(&self, code: JoinCode) -> Result<Option<(MatchId, Millis)>, StoreError>;

    /// The match that a player created under this name.
    async fn find_create_id(
        &self,
        player: PlayerId,
        client_create_id: &ClientCreateId,
    ) -> Result<Option<MatchId>, StoreError>;

    /// Whose token has this SHA-256.
    async fn bearer(&self, hash: SecretHash) -> Result<Option<Bearer>, StoreError>;

    /// The same of several tokens, in their order; of at most [`BEARERS_MAX`]. Several servers ask this of all tokens on their connections.
    async fn bearers(&self, hashes: Vec<SecretHash>) -> Result<Vec<Option<Bearer>>, StoreError> {
        let mut bearers = Vec::with_capacity(hashes.len());
        for hash in hashes.into_iter().take(BEARERS_MAX) {
            bearers.push(self.bearer(hash).await?);
        }
        Ok(bearers)
    }

    /// What the account of a player has.
    async fn account(&self, player: PlayerId) -> Result<Option<AccountRow>, StoreError>;

    /// The player with this id.
    async fn player(&self, id: PlayerId) -> Result<Option<PlayerInfo>, StoreError>;

    /// The player whose name has this key.
    async fn player_by_name(&self, name_key: &str) -> Result<Option<PlayerInfo>, StoreError>;

    /// The ratings of a player, by the names of their families: at most one for each.
    async fn ratings(&self, player: PlayerId) -> Result<Vec<(Family, RatingRow)>, StoreError>;

    /// The rating of a player in one family.
    async fn rating(
        &self,
        player: PlayerId,
        family: Family,
    ) -> Result<Option<RatingRow>, StoreError>;

    /// A page of a leaderboard, the best first, and of equals the first by id.
    async fn leaderboard(
        &self,
        board: Leaderboard,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<Vec<Ranked>, StoreError>;

    /// Whether a player sits in a rated match that has begun and is not over.
    async fn plays_rated(&self, player: PlayerId) -> Result<bool, StoreError>;

    /// A puzzle with its rating.
    async fn puzzle(&self, id: PuzzleId) -> Result<Option<PuzzleRow>, StoreError>;

    /// Puzzles that a player has not tried, the nearest to a rating first, and of equally near ones the first by id. At most [`PUZZLES_PAGE`]. Cost: linear in
    /// what the player has tried nearer by.
    async fn puzzles_near(&self, wanted: PuzzlesWanted) -> Result<Vec<PuzzleRow>, StoreError>;

    /// The rating of a player in solving; `None` if the player has tried no puzzle.
    async fn solver(&self, player: PlayerId) -> Result<Option<RatingState>, StoreError>;

    /// The number of an attempt in the log of the player.
    async fn attempt(&self, player: PlayerId, puzzle: PuzzleId) -> Result<Option<Seq>, StoreError>;

    /// What a node noted of the quotas that addresses and players have used.
    async fn usage(&self, node: NodeId) -> Result<Vec<Usage>, StoreError>;

    /// Adds what a node has used of limits that hold over all servers, notes what it holds now, and says what all servers together have used, and the others hold. A store
    /// that only one server uses knows of no others. If the answer is lost, what was said may have been added.
    async fn settle(&self, _: NodeId, _: Spendings) -> Result<Levels, StoreError> {
        Ok(Levels::default())
    }

    /// Notes whose seats a server has taken and left, and says from where their players came, and which seats of the matches that it asks about were taken last by another server whose lease is good and whose
    /// last heartbeat is of the last seconds. A server whose lease is not good takes none. A store that only one server uses knows of no others.
    async fn seats(&self, _: Lease, _: Seating) -> Result<Seats, StoreError> {
        Ok(Seats::default())
    }

    /// The seats that a node had taken in this life or one before, and that nobody has taken since, in the order of matches and seats; at most [`GROWN_MAX`], after this one. They are kept until its
    /// matches are taken over or [`Store::forget_seats`]. A store that only one server uses has none. Each says whether the opponent has been connected to
    /// another server since this moment.
    async fn seats_of(
        &self,
        _: NodeId,
        _until: u64,
        _since: Millis,
        _after: Option<(MatchId, Seat)>,
    ) -> Result<Vec<LostSeat>, StoreError> {
        Ok(Vec::new())
    }

    /// Forgets the seats that earlier lives of this node had taken.
    async fn forget_seats(&self, _: Lease) -> Result<(), StoreError> {
        Ok(())
    }

    /// What may be removed, at most [`REMOVED_AT_ONCE`] matches and as many guests, the oldest first. A match may be if it is over, has no move,
    /// counts for nothing, is no game of a series or a tournament, and no rematch, and none was made of it; and if neither it nor a room of it is the newest log, and
    /// it is not the match that ended last, so that no number is given twice. A guest may be who has no password, sits in no match and is not kept.
    async fn removable(&self, unneeded: Unneeded) -> Result<Removal, StoreError>;

    /// Removes these with all that belongs to them, in one transaction: those that may still be removed. What was removed.
    ///
    /// # Errors
    /// `Fenced`, when the lease is no longer good.
    async fn remove(
        &self,
        lease: Lease,
        wanted: Removal,
        unneeded: Unneeded,
    ) -> Result<Removal, StoreError>;

    /// Logs with an event whose body has one of these texts in it, byte for byte, in the order of their creation: a page of them, after looking
    /// through [`MENTIONS_PAGE`] logs. Linear in their bytes. With the first page come those whose events are not where they stay yet.
    async fn mentioning(
        &self,
        texts: Vec<String>,
        after: Option<Cursor>,
    ) -> Result<Mentions, StoreError>;

    /// Replaces bodies of events, for a player who is being erased; all of these logs or none, in one transaction. Linear in their bytes.
    ///
    /// # Errors
    /// `Conflict`, when a log ends elsewhere, or nobody erases the player; `Fenced`.
    async fn rewrite(
        &self,
        lease: Lease,
        player: PlayerId,
        logs: Vec<Rewrite>,
    ) -> Result<(), CommitError>;

    /// Overwrites, in its files, a part of what was deleted before the first of such calls in a row; whether all of it is overwritten now.
    ///
    /// # Errors
    /// `Fenced`, when the lease is no longer good.
    async fn scrub(&self, lease: Lease) -> Result<bool, StoreError>;

    /// The erasures that are not finished.
    async fn erasures(&self) -> Result<Vec<Erasure>, StoreError>;

    /// The words after this one, in their order; at most [`LOAD_PAGE`]. Where the first is not the next one, those between are forgotten.
    async fn words(&self, after: Seq) -> Result<Vec<Logged>, StoreError>;

    /// What the words come to that were summed up last; `None` before that.
    async fn word_summary(&self) -> Result<Option<WordSummary>, StoreError>;

    /// The bans, those that have ended included: at most [`BANS_MAX`].
    async fn bans(&self) -> Result<Vec<BanRow>, StoreError>;

    /// The id of the server, or of all that share the store; `None` before one is committed. It never changes.
    async fn server_id(&self) -> Result<Option<ServerId>, StoreError>;

    /// The secret in the digests of addresses; `None` before one is committed. It never changes.
    async fn address_secret(&self) -> Result<Option<AddressSecret>, StoreError>;

    /// Begins a new life of a node: older leases of it are good for nothing. Its last heartbeat stays what it was, also where it is a
    /// little later than `at`: the life before may have beaten meanwhile. One more than [`BEHIND_MAX`](crate::clock::BEHIND_MAX) later comes from a clock that
    /// was wrong: then it is `at`.
    async fn enlist(&self, node: NodeId, at: Millis) -> Result<Lease, StoreError>;

    /// Notes that a node is alive; the moment never goes back.
    ///
    /// # Errors
    /// `Fenced`, when the lease is no longer good.
    async fn heartbeat(&self, lease: Lease, at: Millis) -> Result<(), StoreError>;

    /// Says for the last time that a node is alive, which stops in order: its lease is good for nothing from then on, and its matches are for others to take
    /// over at once.
    ///
    /// # Errors
    /// `Fenced`, when the lease is no longer good.
    async fn retire(&self, lease: Lease, at: Millis) -> Result<(), StoreError>;

    /// Every node that was ever enlisted, by its number.
    async fn nodes(&self) -> Result<Vec<NodeRow>, StoreError>;

    /// Ends the lease of a node that seems dead, whose matches are about to be taken over: no seat of it counts from then on. Nothing happens if the node has begun another
    /// life than the one that was seen. A store that only one server uses has no seats, and leaves this to [`Store::take_over`].
    ///
    /// # Errors
    /// `Fenced`, when the lease is no longer good.
    async fn end_life(&self, _: Lease, _from: NodeRow) -> Result<(), StoreError> {
        Ok(())
    }

    /// Takes over the matches that are not over of a node that seems dead: its leases are good for nothing from then on. How many
    /// there are. Nothing happens if the node has begun another life than the one that was seen.
    ///
    /// # Errors
    /// `Fenced`, when the lease is no longer good, or the other node lives again.
    async fn take_over(&self, lease: Lease, from: NodeRow) -> Result<u64, StoreError>;

    /// The time of a store that several servers share, when it is asked; `None` where the clock of the server is the only one.
    async fn time(&self) -> Result<Option<Millis>, StoreError> {
        Ok(None)
    }

    /// What was stored after this notice that servers which share the store keep in memory: bans, and erasures of players. In order, at most
    /// [`NOTICES_PAGE`]. A store with one server has none.
    async fn notices(&self, _after: u64) -> Result<Vec<Notice>, StoreError> {
        Ok(Vec::new())
    }

    /// The number of the last notice; 0 if there is none.
    async fn last_notice(&self) -> Result<u64, StoreError> {
        Ok(0)
    }

    /// Takes a duty or keeps it; whether it is this server's. It stays so for some seconds, and is nobody else's meanwhile. In a store with one server, each duty is that
    /// server's.
    ///
    /// # Errors
    /// `Fenced`, when the lease is no longer good.
    async fn claim(&self, _lease: Lease, _duty: Duty) -> Result<bool, StoreError> {
        Ok(true)
    }

    /// Whether writing goes on: the writer answers, and its last commit succeeded. Costs no commit of its own.
    async fn ready(&self) -> Result<(), StoreError>;

    /// Waits until the store has failed for good and the process must end, and says why. It waits for ever while all is
    /// well, and after `close`.
    async fn failed(&self) -> StoreError;

    /// What the store has to tell a metric.
    fn gauges(&self) -> Gauges;

    /// Finishes what was accepted, then stops. A second call does nothing.
    async fn close(&self);
}

/// When this node was last known to be alive; `None` if it never was, or what is stored is no time.
///
/// # Errors
/// The store could not be read.
pub async fn last_heartbeat(store: &dyn Store, node: NodeId) -> Result<Option<Millis>, StoreError> {
    let nodes = store.nodes().await?;
    let row = nodes.into_iter().find(|row| row.id == node);
    Ok(row.and_then(|row| row.heartbeat))
}

/// The last heartbeats of all nodes but this one.
///
/// # Errors
/// The store could not be read.
pub async fn heartbeats_but(store: &dyn Store, node: NodeId) -> Result<Vec<Millis>, StoreError> {
    let nodes = store.nodes().await?;
    let others = nodes.into_iter().filter(|row| row.id != node);
    Ok(others.filter_map(|row| row.heartbeat).collect())
}

/// When the newest match was created; `None` if there is none.
///
/// # Errors
/// The store could not be read.
pub async fn newest_match(store: &dyn Store) -> Result<Option<Millis>, StoreError> {
    let page = Page {
        order: Order::Newest,
        from: None,
        limit: 1,
    };
    let listing = store.list(ListFilter::default(), page).await?;
    Ok(listing.found.first().map(|newest| newest.row.created_at))
}

/// Figures for metrics, at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Gauges {
    /// Bytes in the write-ahead log, durable but not yet in the tables. `None` if the store has none that this server can see.
    pub unsettled_bytes: Option<u64>,
    /// Operations that wait for the writer.
    pub waiting: u64,
    /// Batches committed since the start.
    pub commits: u64,
    /// Events committed since the start.
    pub events: u64,
    /// The last run did not end cleanly, and what it had written last was gone at the start.
    pub unsettled_lost: bool,
    /// Summaries that were met since the start and are not as the server wrote them: they are not shown.
    pub unverified: u64,
}
