//! Named places where a test may make the process fail, as a power button or a bug would.
//!
//! Without the cargo feature `failpoints` every call compiles to nothing. With it, `GRUNDYD_FAILPOINT=name:N` makes the
//! process fail at the N-th passing of that place, mostly by sending itself SIGKILL.

/// The variables that only such a build understands.
pub const VARIABLES: &[&str] = if cfg!(feature = "failpoints") {
    &["GRUNDYD_FAILPOINT", "GRUNDYD_UNSAFE_SYNCHRONOUS"]
} else {
    &[]
};

/// Whether commits shall be acknowledged before they are on the disk, as `GRUNDYD_UNSAFE_SYNCHRONOUS=NORMAL` asks: the
/// control of the power-cut tests, which must lose something with it.
#[must_use]
pub fn syncs_too_late() -> bool {
    cfg!(feature = "failpoints")
        && std::env::var_os("GRUNDYD_UNSAFE_SYNCHRONOUS").is_some_and(|word| word == "NORMAL")
}

/// Kills the process here, if this is the place and the passing asked for.
pub fn hit(name: &str) {
    #[cfg(feature = "failpoints")]
    if armed::is_due(name) {
        armed::kill();
    }
    #[cfg(not(feature = "failpoints"))]
    let _ = name;
}

/// The same for a place inside of foreign code: the process dies at some moment of the next few milliseconds.
pub fn hit_soon(name: &str) {
    #[cfg(feature = "failpoints")]
    if armed::is_due(name) {
        std::thread::spawn(|| {
            std::thread::sleep(std::time::Duration::from_micros(rand::random_range(
                0..3_000,
            )));
            armed::kill();
        });
    }
    #[cfg(not(feature = "failpoints"))]
    let _ = name;
}

/// Panics here, if this is the place and the passing asked for: a bug, not a power cut.
pub fn panic_at(name: &str) {
    #[cfg(feature = "failpoints")]
    assert!(!armed::is_due(name), "failpoint {name}");
    #[cfg(not(feature = "failpoints"))]
    let _ = name;
}

#[cfg(feature = "failpoints")]
mod armed {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    struct Armed {
        name: String,
        passings_left: AtomicU64,
    }

    static ARMED: OnceLock<Option<Armed>> = OnceLock::new();

    fn from_environment() -> Option<Armed> {
        let text = std::env::var("GRUNDYD_FAILPOINT").ok()?;
        let (name, passing) = text.split_once(':').unwrap_or((&text, "1"));
        let passing = passing.parse().unwrap_or_else(|_| {
            panic!("GRUNDYD_FAILPOINT={text}: expected name:N, such as before_commit:3")
        });
        Some(Armed {
            name: name.to_owned(),
            passings_left: AtomicU64::new(passing),
        })
    }

    pub(super) fn is_due(name: &str) -> bool {
        let Some(armed) = ARMED.get_or_init(from_environment) else {
            return false;
        };
        armed.name == name && armed.passings_left.fetch_sub(1, Ordering::Relaxed) == 1
    }

    pub(super) fn kill() {
        let _ =
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    }
}
