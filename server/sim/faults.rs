//! What can go wrong in a world, and how often it did.

use std::sync::atomic::{AtomicU64, Ordering};

/// Declares the kinds of fault once: variant, name, and what happens.
macro_rules! faults {
    ($($variant:ident $name:literal $about:literal)*) => {
        /// A kind of fault.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Fault {
            $(#[doc = $about] $variant,)*
        }

        impl Fault {
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),*];

            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }
        }
    };
}

faults! {
    Cut "connection_cut" "A connection is reset; what was under way in it is lost from some byte on."
    HalfOpen "connection_half_open" "Nothing passes any more, and neither side is told."
    SlowReader "slow_reader" "A client reads nothing for a while."
    Delay "network_delay" "Messages take seconds."
    HangUp "client_hangs_up" "A client goes away with requests under way."
    Bye "client_says_bye" "A client says goodbye with requests under way."
    SecondConnection "second_connection" "A player connects a second time."
    BadJson "bad_json" "A message is not JSON."
    BadField "bad_field" "A request has a field or type that does not exist."
    BadFrame "bad_frame" "A frame breaks the rules of WebSocket, is binary, or too large."
    WrongPly "wrong_ply" "A move names another ply than the next."
    IllegalMove "illegal_move" "A move is against the rules."
    StrangersMove "strangers_move" "Somebody moves in a match of others."
    OutOfTurn "move_out_of_turn" "A player moves when the other is to move."
    Repeat "repeated_move" "A move is sent again under the same client_move_id."
    ChangedRepeat "changed_repeat" "Another move is sent under a client_move_id that was used."
    Flood "flood" "A client says more than it may."
    NoHello "no_hello" "A connection says nothing, or not hello."
    BadToken "bad_token" "A token that is not valid."
    WrongCode "wrong_code" "A join code that does not exist."
    LostWelcome "lost_welcome" "A new guest is gone before it knows its token."
    SlowCommit "slow_commit" "A commit takes up to some seconds."
    SlowRead "slow_read" "Reading the store takes a while."
    ReadOnly "store_read_only" "The store refuses to write for a while."
    Busy "store_busy" "A commit is refused as busy."
    ReadBusy "store_read_busy" "A read is refused as busy."
    StoreFailed "store_failed" "The store fails for good; the process has to end."
    Conflict "conflict" "Somebody else has appended to the log."
    CommitLost "unfinished_commit_lost" "A commit that was under way at a crash was not made."
    CommitKept "unfinished_commit_kept" "A commit that was under way at a crash was made."
    CrashAnywhere "crash_at_an_await" "The process dies when some task is about to go on."
    CrashBeforeCommit "crash_before_commit" "The process dies when it hands a commit over."
    CrashAfterCommit "crash_after_commit" "The process dies when a commit is made and it does not know."
    CrashBeforeSend "crash_before_send" "The process dies when it is about to send."
    CrashInRecovery "crash_in_recovery" "The process dies while it takes its matches up."
    PowerLoss "power_loss" "The machine dies: no connection is told."
    Pause "pause" "The process stands still for a while."
    Zombie "replaced_while_paused" "A process stands still, another takes its place, and it wakes up again."
    GracefulStop "graceful_stop" "The process is told to stop, and starts again."
    Rival "rival" "Another process is started on the same store while the first one serves."
    SecondNode "second_node" "Two servers serve on one store, and clients come to either."
    TakeOver "take_over" "A server takes over the matches of another one that seems dead."
    DatabaseStop "database_stopped" "The database is stopped in order, and starts again."
    DatabaseKill "database_killed" "The database is killed, and starts again; transactions whose COMMIT has arrived are done or not."
    DatabaseCut "database_connection_cut" "A connection to the database ends: before a COMMIT arrives, or between COMMIT and its answer."
    DatabaseMute "database_connection_mute" "A connection to the database carries nothing any more, and neither side is told."
    NoConnections "database_without_connections" "Others have all connections of the database, and have ended those of the servers."
    IdleInTransaction "idle_in_transaction" "Somebody else holds rows in a transaction that does nothing."
    SlowReaders "slow_readers" "All connections with which a server reads are taken."
    DiskFull "database_disk_full" "The database refuses what is to be written."
    Failover "failover" "The address of the database leads for a while to a standby that lacks the last commits."
    CommitUnknown "commit_unknown" "The answer to a COMMIT did not come."
    UnknownMade "unknown_commit_made" "The mark of the lease said later that it was done."
    UnknownNotMade "unknown_commit_not_made" "The mark of the lease said later that it was not done."
    NeverKnown "commit_never_known" "Nothing said so for a minute, and the server gave up."
    LossRefused "loss_refused" "A server stopped, or did not start, because the database lacks what it had acknowledged."
    LockTimeout "lock_timeout" "A transaction waited for a row for too long."
    Deadlock "deadlock" "Two transactions waited for each other."
    IdleEnded "idle_transaction_ended" "A server stood still or died with a transaction open, and the database ended it."
    StatementTimeout "statement_timeout" "A statement took too long."
    NoConnection "no_connection_free" "A read found no connection for five seconds."
    HintLost "hint_lost" "A hint to another server is lost."
    HintLate "hint_late" "A hint comes late."
    HintTwice "hint_twice" "A hint comes twice."
    HintForged "hint_forged" "A stranger sends hints."
    BusCut "bus_cut" "A server is cut off from the others' hints for a while."
    Disorder "disorder" "Tasks that are ready run in another order."
}

/// How often each fault fired.
#[derive(Debug)]
pub(crate) struct Counts([AtomicU64; Fault::ALL.len()]);

impl Default for Counts {
    fn default() -> Self {
        Self(std::array::from_fn(|_| AtomicU64::new(0)))
    }
}

impl Counts {
    pub(crate) fn fired(&self, fault: Fault) {
        self.0[fault as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn of(&self, fault: Fault) -> u64 {
        self.0[fault as usize].load(Ordering::Relaxed)
    }

    pub(crate) fn add(&self, other: &Self) {
        for (own, more) in self.0.iter().zip(&other.0) {
            own.fetch_add(more.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }
}
