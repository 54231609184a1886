//! When to say again how long it takes until a win can be claimed.

use grundy_shared::ids::Millis;

/// Seconds until a claim is possible at which that is said again, fewest first.
const CLAIM_MARKS: [u64; 6] = [0, 10, 30, 60, 180, 360];

/// The mark that is next below this time, which is passed when it is reached.
pub(crate) fn claim_mark(wait: Millis) -> u64 {
    let seconds = wait.0.div_ceil(1_000);
    let mark = CLAIM_MARKS.iter().copied().find(|mark| seconds <= *mark);
    mark.unwrap_or(u64::MAX)
}
