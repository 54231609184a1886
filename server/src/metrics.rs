//! What the server counts and times, in the text format of OpenMetrics.
//!
//! Names begin with `grundy_` (those of the process follow the convention of all exporters), units are base units.
//! Labels take few values that the program itself names: never an id, a name or a position. What a move counts and times is
//! kept per shard ([`sharded`]): a few additions that no other thread waits for. What the operating system knows about the
//! process is read when somebody asks.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use grundy_shared::ids::Millis;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

mod bus;
mod cluster;
mod known;
mod labels;
pub(crate) mod process;
mod refusals;
pub mod sharded;
mod solver;

pub use self::bus::BusMetrics;
pub use self::cluster::ClusterMetrics;
pub use self::known::{Known, Since};
pub use self::labels::{
    ByKind, ByOutcome, ByPurpose, ByReason, ByRole, ByRule, ByScope, BySource, Finished,
};
use self::process::Process;
pub use self::refusals::Refusals;
use self::sharded::Timing;
pub use self::solver::SolverQueue;
use crate::store::Gauges;

/// A gauge of a fractional number.
type Real = Gauge<f64, AtomicU64>;

/// Everything that is measured. Fields are used directly; each is cheap to clone and counts the same thing.
#[derive(Debug)]
pub struct Metrics {
    /// Matches that wait or run.
    pub matches_live: Gauge,
    /// Matches that ended.
    pub matches_finished: Family<Finished, Counter>,
    /// Moves made.
    pub moves: Family<ByRule, sharded::Counter>,
    /// From a move's arrival to its acknowledgement, stored.
    pub move_ack: Timing,
    /// From a move's commit to the last follower's queue.
    pub move_fanout: Timing,
    /// Open connections.
    pub connections: Family<ByRole, Gauge>,
    /// Connections that the server closed, by reason.
    pub dropped: Family<ByReason, Counter>,
    /// Resumes, by how far they reached.
    pub resumes: Family<ByOutcome, Counter>,
    /// Lines said in matches.
    pub chat_lines: Counter,
    /// Refused requests, by error code.
    pub refusals: Refusals,
    /// What a limit turned away, by the limit.
    pub rate_limited: Family<ByScope, Counter>,
    /// Passwords hashed: once for each attempt to sign in that was worked on.
    pub password_hashes: Counter,
    /// Time of an analysis.
    pub solver: Family<ByKind, Histogram>,
    /// Reviews, by where they came from.
    pub reviews: Family<BySource, Counter>,
    /// First answers to puzzles, `solved` or `failed`.
    pub puzzle_answers: Family<ByOutcome, Counter>,
    /// Puzzles made of mistakes in finished matches. Those that were known are counted, too.
    pub puzzles_made: Counter,
    /// Work that waits for the solver's threads.
    pub solver_queue: SolverQueue,
    /// From handing events to the store until they are durable.
    pub commit: Timing,
    /// Appends that met a log which had grown meanwhile.
    pub append_conflicts: Counter,
    /// Matches rebuilt from the log after a panic.
    pub match_panics: Counter,
    /// Matches that are refused to everybody, since their log is damaged or their task panics.
    pub matches_quarantined: Gauge,
    /// Bytes that are free on the disk of the database, where that is this machine's.
    pub disk_free: Known,
    /// Matches and guests that were removed.
    pub removed: Family<ByKind, Counter>,
    /// By how much the latest tick of the event loop came late.
    pub scheduler_lag: Real,
    /// New work that was refused because the server is overloaded, by kind.
    pub shed: Family<ByKind, Counter>,
    /// New work that waits because the server is overloaded, by kind.
    pub entering: Family<ByKind, Gauge>,
    /// Hints between servers.
    pub bus: BusMetrics,
    /// The servers that share a database.
    pub cluster: ClusterMetrics,
    overload_level: Gauge,
    overload_delay: Real,
    journal: Journal,
    registry: Registry,
}

/// What the store counts itself.
#[derive(Default, Debug)]
struct Journal {
    wal_bytes: Known,
    wal_missing: Gauge,
    unverified: Gauge,
    waiting: Gauge,
    commits: Counter,
    events: Counter,
}

impl Journal {
    fn take_over(&self, store: &Gauges) {
        let gauge = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        if let Some(bytes) = store.unsettled_bytes {
            self.wal_bytes.set(bytes);
        }
        self.wal_missing.set(store.unsettled_lost.into());
        self.unverified.set(gauge(store.unverified));
        self.waiting.set(gauge(store.waiting));
        self.commits.inner().store(store.commits, Ordering::Relaxed);
        self.events.inner().store(store.events, Ordering::Relaxed);
    }
}

/// 0.1 ms to 6.6 s, doubling.
fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.000_1, 2.0, 17))
}

impl Metrics {
    /// Begins to count in a process that started at this moment. `log_lines_dropped` tells how many log lines were
    /// given up so far.
    #[must_use]
    pub fn new(
        started_at: Millis,
        log_lines_dropped: impl Fn() -> u64 + Send + Sync + 'static,
    ) -> Self {
        let mut metrics = Self {
            matches_live: Gauge::default(),
            matches_finished: Family::default(),
            moves: Family::default(),
            move_ack: Timing::default(),
            move_fanout: Timing::default(),
            connections: Family::default(),
            dropped: Family::default(),
            resumes: Family::default(),
            chat_lines: Counter::default(),
            refusals: Refusals::default(),
            rate_limited: Family::default(),
            password_hashes: Counter::default(),
            solver: Family::new_with_constructor(seconds),
            reviews: Family::default(),
            puzzle_answers: Family::default(),
            puzzles_made: Counter::default(),
            solver_queue: SolverQueue::default(),
            commit: Timing::default(),
            append_conflicts: Counter::default(),
            match_panics: Counter::default(),
            matches_quarantined: Gauge::default(),
            disk_free: Known::default(),
            removed: Family::default(),
            scheduler_lag: Real::default(),
            shed: Family::default(),
            entering: Family::default(),
            bus: BusMetrics::default(),
            cluster: ClusterMetrics::default(),
            overload_level: Gauge::default(),
            overload_delay: Real::default(),
            journal: Journal::default(),
            registry: Registry::default(),
        };
        let mut registry = Registry::default();
        metrics.register(registry.sub_registry_with_prefix("grundy"));
        registry.register_collector(Box::new(Process::new(started_at, log_lines_dropped)));
        metrics.registry = registry;
        metrics
    }

    fn register(&self, to: &mut Registry) {
        let build = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        to.register("build", "What is running", build);
        self.register_play(to);
        self.register_connections(to);
        self.register_store(to);
        self.register_trouble(to);
        let help = "By how much the latest tick of the event loop came late";
        let lag = self.scheduler_lag.clone();
        to.register_with_unit("scheduler_lag", help, Unit::Seconds, lag);
        self.register_overload(to);
        self.bus.register(to);
        self.cluster.register(to);
    }

    /// What the server gives up, and why.
    fn register_overload(&self, to: &mut Registry) {
        let help = "How much new work is refused: 0 nothing, 1 guests, 2 also matches, 3 also analyses, 4 also watchers";
        to.register("overload_level", help, self.overload_level.clone());
        let help = "How long a move takes at the moment, smoothed";
        let delay = self.overload_delay.clone();
        to.register_with_unit("overload_delay", help, Unit::Seconds, delay);
        let help = "New work refused because of overload";
        to.register("shed", help, self.shed.clone());
        let help = "New work that waits because of overload";
        to.register("overload_waiting", help, self.entering.clone());
    }

    /// Matches, moves and what is thought about them. Games are matches in the words of this program; the metric keeps the word
    /// that dashboards use.
    fn register_play(&self, to: &mut Registry) {
        let active = self.matches_live.clone();
        to.register("games_active", "Matches that wait or run", active);
        let finished = self.matches_finished.clone();
        to.register("games_finished", "Matches that ended", finished);
        to.register("moves", "Moves made", self.moves.clone());
        let timed = [
            (
                "move_ack",
                "Arrival of a move to its acknowledgement, stored",
                &self.move_ack,
            ),
            (
                "move_fanout",
                "Commit of a move to the last follower's queue",
                &self.move_fanout,
            ),
        ];
        for (name, help, histogram) in timed {
            to.register_with_unit(name, help, Unit::Seconds, histogram.clone());
        }
        let analyses = self.solver.clone();
        to.register_with_unit("solver_lookup", "An analysis", Unit::Seconds, analyses);
        let reviews = self.reviews.clone();
        to.register("reviews", "Reviews of finished matches", reviews);
        let answers = self.puzzle_answers.clone();
        to.register("puzzle_answers", "First answers to puzzles", answers);
        let help = "Puzzles made of mistakes in finished matches";
        to.register("puzzles_made", help, self.puzzles_made.clone());
        self.solver_queue.register(to);
    }

    /// Who is connected, and who was refused what.
    fn register_connections(&self, to: &mut Registry) {
        let open = self.connections.clone();
        to.register("ws_connections", "Open connections", open);
        let dropped = self.dropped.clone();
        to.register("ws_dropped", "Connections closed by the server", dropped);
        to.register("resumes", "Resumes of a match", self.resumes.clone());
        let lines = self.chat_lines.clone();
        to.register("chat_lines", "Lines said in matches", lines);
        let refusals = self.refusals.clone();
        to.register("refusals", "Requests refused, by error code", refusals);
        let limited = self.rate_limited.clone();
        to.register("rate_limited", "Turned away by a limit", limited);
        let hashes = self.password_hashes.clone();
        to.register("password_hashes", "Passwords hashed", hashes);
    }

    /// The log of matches on its way to the disk.
    fn register_store(&self, to: &mut Registry) {
        let help = "A commit, sync included";
        to.register_with_unit("journal_commit", help, Unit::Seconds, self.commit.clone());
        let help = "Operations that wait for the writer";
        to.register("journal_waiting", help, self.journal.waiting.clone());
        to.register("journal_commits", "Commits", self.journal.commits.clone());
        let events = self.journal.events.clone();
        to.register("journal_events", "Events committed", events);
        let bytes = self.journal.wal_bytes.clone();
        to.register_with_unit("wal", "The write-ahead log", Unit::Bytes, bytes);
        let help = "Guests who never played and void matches that were removed";
        to.register("removed", help, self.removed.clone());
        let help = "Free space on the disk of the database";
        to.register_with_unit("disk_free", help, Unit::Bytes, self.disk_free.clone());
        let help = "1 if the write-ahead log was gone after an unclean end";
        to.register("wal_missing", help, self.journal.wal_missing.clone());
        let help = "Summaries and ratings that another program has changed, and that are not shown";
        to.register(
            "summaries_unverified",
            help,
            self.journal.unverified.clone(),
        );
        let help = "Appends that met a log which had grown";
        to.register("append_conflicts", help, self.append_conflicts.clone());
    }

    /// Matches in which something went wrong.
    fn register_trouble(&self, to: &mut Registry) {
        let panics = self.match_panics.clone();
        to.register("match_panics", "Matches rebuilt after a panic", panics);
        let help = "Matches refused to everybody until the next start";
        to.register(
            "matches_quarantined",
            help,
            self.matches_quarantined.clone(),
        );
    }

    /// Notes by how much a tick of the event loop came late.
    pub fn lagged(&self, lag: Duration) {
        self.scheduler_lag.set(lag.as_secs_f64());
    }

    /// Notes how much new work is refused, 0 to 4, and the delay that decided so.
    pub fn overload(&self, level: u8, delay: Duration) {
        self.overload_level.set(level.into());
        self.overload_delay.set(delay.as_secs_f64());
    }

    /// Everything as text, with what the store says of itself at this moment.
    #[must_use]
    pub fn render(&self, store: &Gauges) -> String {
        self.journal.take_over(store);
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing into a string does not fail");
        text
    }
}

impl Default for Metrics {
    /// For a server without a log, as tests start it.
    fn default() -> Self {
        Self::new(Millis(0), || 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_conventions() {
        let metrics = Metrics::new(Millis(0), || 3);
        metrics.moves.get_or_create(&ByRule { rule: "nim" }).inc();
        metrics.move_ack.observe(0.002);
        let finished = Finished {
            rule: "nim",
            termination: "last_move",
        };
        metrics.matches_finished.get_or_create(&finished).inc();
        let text = metrics.render(&Gauges {
            unsettled_bytes: Some(4_152),
            commits: 7,
            ..Gauges::default()
        });
        let lines = [
            concat!(
                "grundy_build_info{version=\"",
                env!("CARGO_PKG_VERSION"),
                "\"} 1"
            ),
            "grundy_games_active 0",
            "grundy_games_finished_total{rule=\"nim\",termination=\"last_move\"} 1",
            "grundy_moves_total{rule=\"nim\"} 1",
            "grundy_move_ack_seconds_count 1",
            "grundy_wal_bytes 4152",
            "grundy_journal_commits_total 7",
            "grundy_log_lines_dropped_total 3",
        ];
        for line in lines {
            assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
        }
        let pid = format!("grundy_process_pid {}", std::process::id());
        assert!(text.contains(&pid), "{text}");
        for name in ["process_cpu_seconds_total ", "process_start_time_seconds "] {
            assert!(text.contains(&format!("\n{name}")), "{name} in\n{text}");
        }
        assert!(text.ends_with("# EOF\n"));
    }
}
