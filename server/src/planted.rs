//! Faults planted on purpose, one at a time: the proof that the simulator, and the tests of several servers, would find them (docs/RELIABILITY.md). In a process of its own
//! the environment plants them: `GRUNDY_PLANTED=NAME`.
//!
//! Without the cargo feature `planted`, which no release has, every question compiles to `false`.

/// The faults that the simulator finds.
pub const NAMES: &[&str] = &[
    "accept_lost_commits",
    "acknowledge_before_commit",
    "bot_moves_for_the_player",
    "challenge_stays_open",
    "charge_the_outage",
    "count_alone",
    "count_dead_seats",
    "credit_twice",
    "double_reply",
    "drop_backlog_tail",
    "drop_move_id",
    "flag_early",
    "forget_bans",
    "forget_move_ids",
    "forget_player",
    "forget_seats",
    "forget_the_stall",
    "forget_unknown_commit",
    "forget_what_is_owed",
    "heartbeat_ahead",
    "hints_without_looks",
    "ignore_lease",
    "keep_place",
    "keep_what_was_refused",
    "leave_unheard",
    "lose_a_commit",
    "lose_a_thought",
    "lose_refusal",
    "lose_reply",
    "mix_up_outcomes",
    "no_daily_quota",
    "no_quota",
    "nothing_without_connection",
    "rate_apart",
    "rematch_without_match",
    "resume_too_late",
    "revoke_unstored",
    "settle_twice",
    "show_plans",
    "skip_account_event",
    "skip_player",
    "skip_watcher",
    "stale_after_conflict",
    "stale_snapshot",
    "take_no_locks",
    "tell_watchers_at_once",
    "trust_stale_read",
    "unfenced",
    "wrong_order",
];

/// What else the tests of real processes plant: the database takes events whatever number they expect; the program is one of the next version, with a newer schema; its
/// clock is an hour ahead; it goes on with a clock that has fallen behind those of the others.
pub const OF_PROCESSES: &[&str] = &[
    "an_hour_ahead",
    "ignore_expected",
    "keep_a_slow_clock",
    "next_schema",
];

/// Whether this fault is planted in what runs on this thread.
#[must_use]
pub fn is(name: &str) -> bool {
    #[cfg(feature = "planted")]
    return armed::is(name);
    #[cfg(not(feature = "planted"))]
    {
        let _ = name;
        false
    }
}

/// Whether this fault is planted, and shows at this passing: at one of so many.
#[must_use]
pub fn shows(name: &str, one_of: u32) -> bool {
    #[cfg(feature = "planted")]
    return armed::is(name) && armed::passing().is_multiple_of(one_of);
    #[cfg(not(feature = "planted"))]
    {
        let _ = (name, one_of);
        false
    }
}

/// Plants a fault in what runs on this thread from now on, and takes out the one before.
///
/// # Panics
/// There is no such fault.
#[cfg(feature = "planted")]
pub fn plant(name: Option<&'static str>) {
    assert!(
        name.is_none_or(|name| NAMES.contains(&name)),
        "no fault is named {name:?}"
    );
    armed::plant(name);
}

#[cfg(feature = "planted")]
mod armed {
    use std::cell::Cell;
    use std::sync::LazyLock;

    use super::{NAMES, OF_PROCESSES};

    /// What is planted in the whole process.
    static EVERYWHERE: LazyLock<Option<String>> = LazyLock::new(|| {
        let name = std::env::var("GRUNDY_PLANTED").ok()?;
        assert!(is_known(&name), "no fault is named {name:?}");
        Some(name)
    });

    thread_local! {
        static PLANTED: Cell<Option<&'static str>> = const { Cell::new(None) };
        static PASSINGS: Cell<u32> = const { Cell::new(0) };
    }

    fn is_known(name: &str) -> bool {
        NAMES.contains(&name) || OF_PROCESSES.contains(&name)
    }

    pub(super) fn is(name: &str) -> bool {
        debug_assert!(is_known(name), "{name} is not among NAMES");
        PLANTED.get() == Some(name) || EVERYWHERE.as_deref() == Some(name)
    }

    pub(super) fn passing() -> u32 {
        PASSINGS.set(PASSINGS.get() + 1);
        PASSINGS.get()
    }

    pub(super) fn plant(name: Option<&'static str>) {
        PLANTED.set(name);
        PASSINGS.set(0);
    }
}
