//! The one source of time for matches: monotonic, counted from 1970-01-01 UTC, standing still while nobody could play.
//!
//! [`SystemClock`] takes the wall time once, at its start (where several servers share a store, the time of that), and from then on only adds monotonic time, so that a jump
//! of the wall clock by hours changes no match clock. It is read at least every [`TICK`] while the process runs. When
//! two readings lie more than [`PAUSE_MIN`] apart, the process or its machine was stopped in between (SIGSTOP, a
//! paused virtual machine, a starved event loop): nobody could make a move, so the whole gap is left out. A timer may
//! thus fire before its moment by this clock: who wakes must read the clock again and sleep on when it is early.
//!
//! After pauses the clock is behind UTC by their sum. The next start of the server takes the wall time anew, and the
//! difference becomes part of the outage that is credited to players, never a charge. A server that shares its store cannot wait for that: the players of one match
//! would go by clocks that differ. It compares its clock with those of the others ([`behind_others`]) and starts again.

use std::sync::atomic::{
    AtomicU64,
    Ordering::{self, Acquire, Release},
};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use grundy_shared::ids::Millis;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::planted;

/// The clock is read at least this often while the process runs.
pub const TICK: Duration = Duration::from_millis(500);
/// Readings further apart than this mean that the process stood still.
pub const PAUSE_MIN: Duration = Duration::from_secs(2);

/// A reading is noted when the one noted last is so old: threads that read at the same time write nothing to each other.
const NOTED_EVERY: Duration = Duration::from_millis(1);

/// 2026-11-01: this version of the program is not older.
const RELEASED: Millis = Millis(1_793_491_200_000);
const DAY_MS: u64 = 86_400_000;
/// A wall clock may be so far behind the last heartbeat: a wrong time zone is at most 26 hours off, and local time taken for UTC at most 14.
pub const BEHIND_MAX: Millis = Millis(DAY_MS);
/// A wall clock may be so far ahead of the last heartbeat: a server may rest for half a year, and a clock that is broken is off by years.
const AHEAD_MAX: Millis = Millis(180 * DAY_MS);
/// Clocks of two machines that differ by more than this are worth a line in the log. A server whose clock is so far behind has to start again, where others go by theirs.
const APART_MAX: Millis = Millis(1_000);

/// By how much a clock that shows `now` is behind those that servers on one store go by: that of the store, which showed `of_store` in an answer that took so long, and those
/// of the servers, which stored these heartbeats before. `None` if that is no more than clocks may differ.
///
/// A clock that is ahead is no reason: that of the store was set back then, as it seems, and all servers are ahead alike. They stay so, and those that start later
/// begin where the others are, so that no log goes back in time.
pub fn behind_others(
    now: Millis,
    of_store: Option<Millis>,
    took: Duration,
    heartbeats: impl IntoIterator<Item = Millis>,
) -> Option<Millis> {
    let of_store = of_store.map_or(Millis(0), |at| at.since(now).since(millis(took)));
    let of_servers = newest_believed(now, heartbeats).since(now);
    let behind = of_store.max(of_servers);
    (behind > APART_MAX).then_some(behind)
}

/// The newest of these heartbeats that can be believed at this time; zero if there is none.
pub fn newest_believed(now: Millis, heartbeats: impl IntoIterator<Item = Millis>) -> Millis {
    let believed = |at: &Millis| at.since(now) <= BEHIND_MAX;
    let believed = heartbeats.into_iter().filter(believed);
    believed.max().unwrap_or_default()
}

/// Why the wall clock is not believed at a start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClockDoubt {
    /// It shows a time before this program was released.
    #[error(
        "the clock of this machine is before 2026-11-01, when this program was not released yet; set it, \
         or start with --accept-clock if it is right"
    )]
    BeforeRelease,
    /// It is far behind the last heartbeat.
    #[error(
        "the clock of this machine is {days} {} behind the last heartbeat of the server; set it, or start with --accept-clock if it is right",
        unit(*days)
    )]
    Behind {
        /// By so many whole days.
        days: u64,
    },
    /// It is far ahead of the last heartbeat.
    #[error(
        "the clock of this machine is {days} {} ahead of the last heartbeat of the server; set it, or start with --accept-clock if it is right",
        unit(*days)
    )]
    Ahead {
        /// By so many whole days.
        days: u64,
    },
}

fn unit(days: u64) -> &'static str {
    if days == 1 { "day" } else { "days" }
}

impl ClockDoubt {
    /// Whether a wall clock that shows this time can be believed by a server that was last there at `last_run`.
    #[must_use]
    pub fn of(wall: Millis, last_run: Option<Millis>) -> Option<Self> {
        if wall < RELEASED {
            return Some(Self::BeforeRelease);
        }
        let last_run = last_run?;
        let (behind, ahead) = (last_run.since(wall), wall.since(last_run));
        if behind > BEHIND_MAX {
            Some(Self::Behind {
                days: behind.0 / DAY_MS,
            })
        } else if ahead > AHEAD_MAX {
            Some(Self::Ahead {
                days: ahead.0 / DAY_MS,
            })
        } else {
            None
        }
    }
}

/// Tells the time of matches.
pub trait Clock: Send + Sync + 'static {
    /// The moment now; never before a moment told earlier.
    fn now(&self) -> Millis;
}

/// The clock of a running server.
pub struct SystemClock {
    started_at: Millis,
    raw: Box<dyn Fn() -> Duration + Send + Sync>,
    /// Nanoseconds of raw time at the latest reading, or up to [`NOTED_EVERY`] before it.
    latest: AtomicU64,
    /// Sum of the gaps left out, in nanoseconds.
    left_out: AtomicU64,
    /// Held by the one who leaves a gap out.
    leaving_out: Mutex<()>,
}

impl SystemClock {
    /// Starts at the time `of_store` of the store that several servers share, so that clocks of machines that differ matter to no match; else at the wall time of this
    /// machine. Or where the last run stopped, as [`Self::start`] does. That time must be believed, or the operator has looked at it. Never before `others`, which is
    /// where the clocks of the other servers are at least.
    ///
    /// # Errors
    /// [`ClockDoubt`].
    pub fn start_checked(
        of_store: Option<Millis>,
        last_run: Option<Millis>,
        others: Millis,
        accepted: bool,
    ) -> Result<Self, ClockDoubt> {
        let own = wall_time();
        let wall = of_store.unwrap_or(own);
        if own.since(wall).max(wall.since(own)) > APART_MAX {
            tracing::warn!(
                own = own.0,
                database = wall.0,
                "the clock of this machine differs from that of the database, which counts"
            );
        }
        match ClockDoubt::of(wall, last_run) {
            None => Ok(Self::start_at(
                wall.max(others),
                last_run.unwrap_or_default(),
            )),
            Some(doubt) if accepted => {
                tracing::warn!(%doubt, "the clock is used as --accept-clock says");
                let start = Instant::now();
                Ok(Self::with_source(wall.max(others), move || start.elapsed()))
            }
            Some(doubt) => Err(doubt),
        }
    }

    /// Starts at the wall time of this moment, or where the last run of the server stopped if the wall clock was set back
    /// since: time that went back would give downtime to nobody, and stop every clock until it has caught up.
    #[must_use]
    pub fn start(last_run: Millis) -> Self {
        Self::start_at(wall_time(), last_run)
    }

    fn start_at(wall: Millis, last_run: Millis) -> Self {
        if wall < last_run {
            let behind_ms = last_run.since(wall).0;
            tracing::warn!(
                behind_ms,
                "the wall clock was set back; time goes on from the last heartbeat"
            );
        }
        let start = Instant::now();
        Self::with_source(wall.max(last_run), move || start.elapsed())
    }

    /// Starts at a given moment, on a given source of monotonic time that counts from zero.
    pub fn with_source(
        started_at: Millis,
        raw: impl Fn() -> Duration + Send + Sync + 'static,
    ) -> Self {
        Self {
            started_at,
            raw: Box::new(raw),
            latest: AtomicU64::new(0),
            left_out: AtomicU64::new(0),
            leaving_out: Mutex::default(),
        }
    }

    /// How much time was left out because the process stood still.
    #[cfg(test)]
    fn left_out(&self) -> Duration {
        Duration::from_nanos(self.left_out.load(Acquire))
    }

    /// Reads the clock every [`TICK`] until told to stop, and tells `lag` by how much each tick came late.
    pub async fn tick(self: Arc<Self>, stop: CancellationToken, lag: impl Fn(Duration)) {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while let Some(due) = stop.run_until_cancelled(ticks.tick()).await {
            lag(due.elapsed());
            self.now();
        }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Millis {
        // Without a lock: every move reads the clock, on every thread.
        loop {
            let left_out = self.left_out.load(Acquire);
            let latest = self.latest.load(Acquire);
            let raw = nanos((self.raw)());
            let gap = raw.saturating_sub(latest);
            if gap > nanos(PAUSE_MIN) {
                self.leave_out();
                continue;
            }
            if gap >= nanos(NOTED_EVERY) {
                self.latest.fetch_max(raw, Release);
            }
            // A gap that somebody has left out meanwhile lies before or behind this reading.
            if self.left_out.load(Acquire) == left_out {
                let passed = Duration::from_nanos(raw.saturating_sub(left_out));
                return self.started_at.plus(millis(passed));
            }
        }
    }
}

impl SystemClock {
    /// Leaves the time since the latest reading out, unless somebody else has just done so.
    fn leave_out(&self) {
        let _alone = self
            .leaving_out
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let raw = nanos((self.raw)());
        let gap = raw.saturating_sub(self.latest.load(Acquire));
        if gap <= nanos(PAUSE_MIN) {
            return;
        }
        // The sum first: who sees the new latest reading sees the new sum, too.
        self.left_out.fetch_add(gap, Release);
        self.latest.fetch_max(raw, Release);
        tracing::warn!(
            gap_ms = gap / 1_000_000,
            "stood still; the clocks of matches are not charged"
        );
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that takes the wall time; everything else asks the clock"
)]
fn wall_time() -> Millis {
    let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let ahead = Duration::from_secs(if planted::is("an_hour_ahead") {
        3_600
    } else {
        0
    });
    millis(since_epoch.unwrap_or_default() + ahead)
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

fn millis(duration: Duration) -> Millis {
    Millis(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}

/// A clock that tests set by hand.
#[derive(Debug, Default)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// Stands at this moment.
    #[must_use]
    pub fn at(now: Millis) -> Self {
        Self(AtomicU64::new(now.0))
    }

    /// Moves forward.
    pub fn advance(&self, by: Millis) {
        self.0.fetch_add(by.0, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Millis {
        Millis(self.0.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A clock that starts at 1,000,000 on raw time set by hand, in milliseconds.
    fn clock_on_hand_time() -> (SystemClock, Arc<AtomicU64>) {
        let raw = Arc::new(AtomicU64::new(0));
        let source = Arc::clone(&raw);
        let clock = SystemClock::with_source(Millis(1_000_000), move || {
            Duration::from_millis(source.load(Ordering::SeqCst))
        });
        (clock, raw)
    }

    #[test]
    fn a_stop_of_thirty_seconds_is_left_out() {
        let (clock, raw) = clock_on_hand_time();
        raw.store(700, Ordering::SeqCst);
        assert_eq!(clock.now(), Millis(1_000_700));
        raw.store(30_700, Ordering::SeqCst);
        assert_eq!(clock.now(), Millis(1_000_700));
        raw.store(31_200, Ordering::SeqCst);
        assert_eq!(clock.now(), Millis(1_001_200));
        assert_eq!(clock.left_out(), Duration::from_secs(30));
    }

    #[test]
    fn a_wait_up_to_the_bound_is_charged() {
        let (clock, raw) = clock_on_hand_time();
        raw.store(2_000, Ordering::SeqCst);
        assert_eq!(clock.now(), Millis(1_002_000));
        raw.store(4_001, Ordering::SeqCst);
        assert_eq!(clock.now(), Millis(1_002_000));
    }

    #[test]
    fn the_clock_starts_at_utc() {
        let clock = SystemClock::start(Millis(0));
        // 2025-01-01; a machine whose clock stands before the day this was written cannot run the tests of TLS either.
        let now = clock.now();
        assert!(now > Millis(1_735_689_600_000));
        let ahead = now.plus(Millis(3_600_000));
        assert!(SystemClock::start(ahead).now() >= ahead);
    }

    #[test]
    fn a_wall_clock_far_from_the_last_run_is_doubted() {
        let later = |at: Millis| at.plus(Millis(1));
        let of = |wall, last_run| ClockDoubt::of(wall, Some(last_run));
        assert_eq!(ClockDoubt::of(day(0), None), None);
        let early = Millis(RELEASED.0 - 1);
        assert_eq!(ClockDoubt::of(early, None), Some(ClockDoubt::BeforeRelease));
        assert_eq!(of(Millis(0), day(1)), Some(ClockDoubt::BeforeRelease));
        assert_eq!(of(day(9), day(10)), None);
        let behind = Some(ClockDoubt::Behind { days: 1 });
        assert_eq!(of(day(9), later(day(10))), behind);
        assert_eq!(of(day(190), day(10)), None);
        let ahead = Some(ClockDoubt::Ahead { days: 180 });
        assert_eq!(of(later(day(190)), day(10)), ahead);
        let forever = of(day(10), Millis(u64::MAX));
        assert!(matches!(forever, Some(ClockDoubt::Behind { .. })));
    }

    #[test]
    fn a_clock_behind_the_others_is_found_and_one_ahead_is_not() {
        const NOW: Millis = Millis(1_000_000);
        let later = |ms| NOW.plus(Millis(ms));
        let store = |ms, took| behind_others(NOW, Some(ms), Duration::from_millis(took), []);
        assert_eq!(store(later(1_000), 0), None);
        assert_eq!(store(later(1_001), 0), Some(Millis(1_001)));
        assert_eq!(store(later(1_400), 400), None, "the answer was late");
        assert_eq!(store(later(10_000), 400), Some(Millis(9_600)));
        assert_eq!(store(Millis(1), 0), None, "that of the store was set back");
        let servers = |at: &[Millis]| behind_others(NOW, None, Duration::ZERO, at.iter().copied());
        assert_eq!(servers(&[]), None);
        assert_eq!(servers(&[Millis(7), later(1_000)]), None);
        assert_eq!(servers(&[Millis(7), later(3_000)]), Some(Millis(3_000)));
        let broken = later(BEHIND_MAX.0 + 1);
        assert_eq!(servers(&[broken]), None);
        assert_eq!(newest_believed(NOW, [broken, later(9), later(5)]), later(9));
    }

    #[test]
    fn a_clock_starts_where_those_of_other_servers_are() {
        let store = day(3);
        let others = store.plus(Millis(300_000));
        for (last_run, accepted) in [(Some(store), false), (Some(day(9)), true)] {
            let at = clock_of(store, last_run, others, accepted);
            assert!(at >= others && at.since(others) < Millis(100_000));
            assert!(clock_of(store, last_run, Millis(0), accepted) < others);
        }
    }

    /// Where a clock starts.
    fn clock_of(store: Millis, last_run: Option<Millis>, others: Millis, accepted: bool) -> Millis {
        let clock = SystemClock::start_checked(Some(store), last_run, others, accepted);
        clock.unwrap().now()
    }

    fn day(days: u64) -> Millis {
        Millis(RELEASED.0 + days * DAY_MS)
    }

    #[tokio::test(start_paused = true)]
    async fn ticks_keep_a_quiet_server_from_looking_stopped() {
        let start = tokio::time::Instant::now();
        let clock = Arc::new(SystemClock::with_source(Millis(0), move || start.elapsed()));
        let stop = CancellationToken::new();
        let ticking = Arc::clone(&clock).tick(stop.clone(), |_| ());
        tokio::join!(ticking, async {
            tokio::time::sleep(Duration::from_secs(3_600)).await;
            stop.cancel();
        });
        assert_eq!(clock.left_out(), Duration::ZERO);
        assert_eq!(clock.now(), Millis(3_600_000));
    }

    proptest! {
        #[test]
        fn time_never_goes_back_and_loses_only_long_gaps(steps in prop::collection::vec(0u64..6_000, 1..60)) {
            let (clock, raw) = clock_on_hand_time();
            let mut before = clock.now();
            for step in steps {
                raw.fetch_add(step, Ordering::SeqCst);
                let now = clock.now();
                prop_assert_eq!(now.since(before), Millis(if step > 2_000 { 0 } else { step }));
                prop_assert!(now >= before);
                before = now;
            }
        }
    }
}
