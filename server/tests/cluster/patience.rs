//! Waiting for what has to happen.

use std::time::Duration;

use tokio::time::{Instant, sleep};

/// Nothing takes longer than this, on a machine however busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
/// Between two looks.
const LOOK: Duration = Duration::from_millis(20);

/// Waits until it is so.
pub(crate) async fn until(what: &str, is_so: impl AsyncFn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so().await {
        assert!(Instant::now() < deadline, "not in a minute: {what}");
        sleep(LOOK).await;
    }
}
