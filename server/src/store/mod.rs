//! Where matches are kept: the trait [`Store`], its laws, and what passes through it.
//!
//! A match is a log of events; everything else here is a summary of it. The store knows neither rules nor
//! clocks: it keeps bodies byte for byte, in order, and says durably which append came first.
//!
//! # Laws
//!
//! One black-box suite (`tests/store.rs`) tries each on every backend.
//!
//! 1. **Dense.** The events of a match have the numbers 1, 2, … without a gap, in the order of their appends.
//! 2. **One arbiter.** `append(m, n, …)` succeeds only if the log of `m` ends at `n`; otherwise it changes nothing
//!    and answers `Conflict` with the number at which the log ends. Of concurrent appends with one number exactly one succeeds.
//! 3. **Whole.** An operation happens entirely or not at all: all its events and its row.
//! 4. **Durable.** Once an operation has answered `Ok`, it survives the death of the process and, in a durable backend, of the machine.
//! 5. **Seen after.** Nobody reads an event before it is durable, and after `Ok` everybody reads it.
//! 6. **Byte for byte.** A body is read as it was written.
//! 7. **Unique.** A match id, a player id and a token belong to one; so does a join code until it expires. A second
//!    taker gets `Taken` and changes nothing.
//! 8. **Absent is `None`.** Reading what is not there is not an error.
//! 9. **Bounded.** Every list has a page size; a larger wish is cut to it, and the next page begins where the last one ended.
//! 10. **Alone.** What one operation is refused for does not harm the others, even those committed together with it.
//! 11. **Droppable.** A caller may stop waiting at any moment: the operation then happens entirely or not at all.
//! 12. **Closed.** After `close`, every operation answers [`StoreError::Closed`].

pub mod memory;
pub mod open;
pub mod sqlite;

use std::path::PathBuf;

use async_trait::async_trait;
use grundy_shared::event::{EndReason, Event, Outcome, PlayerInfo, TimeControl};
use grundy_shared::ids::{JoinCode, MatchId, Millis, PlayerId, Ply, Seat, Seq};
use grundy_shared::referee::Referee;
pub use grundy_shared::referee::Status as MatchStatus;

/// The most events that one [`Store::load`] returns.
pub const LOAD_PAGE: usize = 1_000;
/// The most matches that one [`Store::list`] returns.
pub const LIST_PAGE: usize = 200;
/// The most matches that one [`Store::live`] returns.
pub const LIVE_PAGE: usize = 500;

/// One event as stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Logged {
    /// Its number.
    pub seq: Seq,
    /// `Event::to_json`, byte for byte.
    pub body: String,
}

/// The summary of a match: what a list shows. Derived from the log, and compared with it by `fsck`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchRow {
    /// The start position, canonical.
    pub start: String,
    /// The time control.
    pub clock: TimeControl,
    /// Who has the first seat.
    pub first: Option<PlayerInfo>,
    /// Who has the second seat.
    pub second: Option<PlayerInfo>,
    /// How far the match has come.
    pub status: MatchStatus,
    /// Who won, once it is over.
    pub outcome: Option<Outcome>,
    /// How, once it is over.
    pub reason: Option<EndReason>,
    /// Moves made when the row was written; exact once the match is over.
    pub plies: Ply,
    /// When it was created.
    pub created_at: Millis,
    /// When it ended.
    pub ended_at: Option<Millis>,
    /// The match of which it is the rematch.
    pub rematch_of: Option<MatchId>,
}

impl MatchRow {
    /// The summary of the match that this referee holds. The referee does not remember when the match ended:
    /// that is the time of its event `ended`.
    #[must_use]
    pub fn of(referee: &Referee, ended_at: Option<Millis>) -> Self {
        Self {
            start: referee.start().to_string(),
            clock: referee.clock_control(),
            first: referee.player(Seat::First).cloned(),
            second: referee.player(Seat::Second).cloned(),
            status: referee.status(),
            outcome: referee.outcome().map(|(outcome, _)| outcome),
            reason: referee.outcome().map(|(_, reason)| reason),
            plies: referee.ply(),
            created_at: referee.created_at(),
            ended_at,
            rematch_of: referee.rematch_of(),
        }
    }

    /// The summary after one more event of the match.
    pub fn follow(&mut self, event: &Event) {
        match event {
            Event::Joined { seat, player, .. } => {
                let taken = match seat {
                    Seat::First => &mut self.first,
                    Seat::Second => &mut self.second,
                };
                *taken = Some(player.clone());
                self.status = MatchStatus::Live;
            }
            Event::Moved { ply, .. } => self.plies = *ply,
            Event::Ended {
                at_ms,
                outcome,
                reason,
            } => {
                self.status = MatchStatus::Over;
                self.outcome = Some(*outcome);
                self.reason = Some(*reason);
                self.ended_at = Some(*at_ms);
            }
            Event::Created { .. }
            | Event::Presence { .. }
            | Event::Outage { .. }
            | Event::ClockStarted { .. }
            | Event::RematchOffered { .. }
            | Event::RematchWithdrawn { .. }
            | Event::RematchAccepted { .. } => {}
        }
    }
}

/// A match to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewMatch {
    /// Its id.
    pub id: MatchId,
    /// The code by which somebody may join, and when it expires. Making a match with a code forgets all codes that
    /// expired at or before its `created_at`: they are free to be given again.
    pub code: Option<(JoinCode, Millis)>,
    /// Its summary.
    pub row: MatchRow,
    /// Its first events, from number 1.
    pub events: Vec<String>,
}

/// A player to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewPlayer {
    /// Who.
    pub info: PlayerInfo,
    /// SHA-256 of the token: the token itself is never stored.
    pub token_hash: [u8; 32],
    /// When.
    pub created_at: Millis,
}

/// A place in the order of creation; larger is newer. Opaque above the store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cursor(pub i64);

/// Which matches to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ListFilter {
    /// Only those in which this player sits.
    pub player: Option<PlayerId>,
    /// Only those in this state.
    pub status: Option<MatchStatus>,
}

/// Which part of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// Only what is older than this place.
    pub before: Option<Cursor>,
    /// At most so many; cut to [`LIST_PAGE`].
    pub limit: usize,
}

/// A match in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Its place, to go on from.
    pub cursor: Cursor,
    /// Its id.
    pub id: MatchId,
    /// Its summary.
    pub row: MatchRow,
}

/// A match that is not over, with its whole log, or the reason why that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiveMatch {
    /// Its place, to go on from.
    pub cursor: Cursor,
    /// Its id.
    pub id: MatchId,
    /// Its events, from number 1. `Corrupt` and `Busy` are the trouble of this match alone.
    pub log: Result<Vec<Logged>, StoreError>,
}

/// Why the store could not do what it was asked; nothing of it was done, unless said otherwise.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is something else than a database of this program.
    #[error("{} is not a Grundy database: {why}", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// How it shows.
        why: String,
    },
    /// The database was written by a newer version of this program.
    #[error(
        "the database has schema {found}, this program knows up to {known}: start a newer grundy-server"
    )]
    Newer {
        /// The version found.
        found: i64,
        /// The newest known here.
        known: i64,
    },
    /// Another process has it open.
    #[error("{} is in use by {}", path.display(), pid.map_or("another process".to_owned(), |pid| format!("process {pid}")))]
    InUse {
        /// The database.
        path: PathBuf,
        /// The holder, when it could be read.
        pid: Option<i32>,
    },
    /// The SQLite library has a bug that corrupts databases (the WAL-reset race before 3.51.3).
    #[error("SQLite {found} may corrupt databases; 3.51.3 or newer is needed")]
    TooOldSqlite {
        /// The version linked.
        found: String,
    },
    /// It cannot be opened or set up.
    #[error("cannot use {}: {why}", path.display())]
    Unusable {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Nothing can be written at the moment: the disk is full, a quota is reached, or it was made read-only. Reading
    /// goes on, and writing does by itself once it is possible again.
    #[error("the store is read-only at the moment: {why}")]
    ReadOnly {
        /// What the system said.
        why: String,
    },
    /// Not done within five seconds: another process holds a lock, or the read was too long.
    #[error("the store is busy: {why}")]
    Busy {
        /// With what.
        why: String,
    },
    /// What is stored contradicts itself; `grundy-server fsck` tells more.
    #[error("the store is damaged: {why}")]
    Corrupt {
        /// How it shows.
        why: String,
    },
    /// Input or output failed in a way after which only a restart is safe. Of a write it is not known whether it was
    /// done: the log tells after the restart.
    #[error("the store failed: {why}")]
    Failed {
        /// What the system said.
        why: String,
    },
    /// The store was closed, or has stopped after a failure. Of a write that was under way it is not known whether
    /// it was done.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// Whether what is stored is at fault, so that trying again does not help.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Corrupt { .. })
    }
}

/// Why an append was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AppendError {
    /// The log ends elsewhere: read the tail, decide again.
    #[error("the log ends at {actual}")]
    Conflict {
        /// The number of the last event.
        actual: Seq,
    },
    /// There is no such match.
    #[error("no such match")]
    NoSuchMatch,
    /// The store could not.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What only one can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unique {
    /// The id of a match.
    MatchId,
    /// A join code that has not expired.
    JoinCode,
    /// The id of a player.
    PlayerId,
    /// The hash of a token.
    Token,
}

/// Why a match or player was not made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CreateError {
    /// Somebody has it already: draw another.
    #[error("{0:?} is taken")]
    Taken(Unique),
    /// The store could not.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The keeper of matches and players; its laws are at the top of this module.
///
/// No method is cheaper than one message to a task; a write costs one commit, shared with all writes that wait at the
/// same time.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Makes a match with its first events.
    async fn create(&self, new: NewMatch) -> Result<(), CreateError>;

    /// Appends events after number `expected_seq`, which must be the last (law 2), and replaces the summary if one is
    /// given. While the summary says `Over`, the log counts as closed: the store keeps the number and the hash of its last event beside it.
    async fn append(
        &self,
        id: MatchId,
        expected_seq: Seq,
        events: Vec<String>,
        row: Option<MatchRow>,
    ) -> Result<(), AppendError>;

    /// The events after number `after`, in order, at most `limit` and at most [`LOAD_PAGE`]; `None` without such a match.
    /// The whole log of a finished match is compared with the end that was written beside it when a durable backend first reads of it:
    /// where they differ the answer is `Corrupt`, whatever was asked for.
    async fn load(
        &self,
        id: MatchId,
        after: Seq,
        limit: usize,
    ) -> Result<Option<Vec<Logged>>, StoreError>;

    /// The summary of a match.
    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError>;

    /// Matches, the newest first.
    async fn list(&self, filter: ListFilter, page: Page) -> Result<Vec<Listed>, StoreError>;

    /// The matches that are not over, oldest first, with their logs: for recovery. At most [`LIVE_PAGE`]; an empty
    /// answer is the end. One query a page, however many matches; one and more for each match where something of the page
    /// is damaged, or too long for one query. A log that does not fit its hash chain is damaged. Linear in the events.
    async fn live(&self, after: Option<Cursor>) -> Result<Vec<LiveMatch>, StoreError>;

    /// The match that a join code belongs to, and when the code expires; whether it has expired is for the caller to say.
    async fn find_code(&self, code: JoinCode) -> Result<Option<(MatchId, Millis)>, StoreError>;

    /// Makes a player.
    async fn create_player(&self, new: NewPlayer) -> Result<(), CreateError>;

    /// The player whose token has this SHA-256.
    async fn player_by_token(&self, hash: [u8; 32]) -> Result<Option<PlayerInfo>, StoreError>;

    /// The player with this id.
    async fn player(&self, id: PlayerId) -> Result<Option<PlayerInfo>, StoreError>;

    /// Notes that the server is alive. It is committed together with whatever else waits, and never goes back.
    async fn heartbeat(&self, at: Millis) -> Result<(), StoreError>;

    /// The last heartbeat; `None` if there never was one, or what is stored is none.
    async fn last_heartbeat(&self) -> Result<Option<Millis>, StoreError>;

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

/// Figures for metrics, at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Gauges {
    /// Bytes in use in the write-ahead log; it is emptied at about 4 MiB, unless a reader holds it.
    pub wal_bytes: u64,
    /// Operations that wait for the writer.
    pub waiting: u64,
    /// Batches committed since the start.
    pub commits: u64,
    /// Events committed since the start.
    pub events: u64,
    /// The last run did not end cleanly, and its write-ahead log was gone at the start.
    pub log_missing: bool,
}
