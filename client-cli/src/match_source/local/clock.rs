//! The clock of matches in this process.

use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use grundy_shared::ids::Millis;

/// The time since 1970-01-01 UTC, as events have it: that on the wall when it was first asked for, and what has passed since. A
/// wall clock that is set meanwhile takes nobody's time.
pub(crate) fn now() -> Millis {
    static FIRST: LazyLock<(Instant, Duration)> = LazyLock::new(|| {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH);
        (Instant::now(), wall.unwrap_or_default())
    });
    let (then, wall) = *FIRST;
    let now = wall + then.elapsed();
    Millis(u64::try_from(now.as_millis()).unwrap_or(u64::MAX))
}
