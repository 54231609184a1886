//! The bots that run, so that all of them can be ended at once, and nothing that they started is left.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

use super::family::{self, Family};
use super::guard::Guard;

/// The process groups of all bots that run.
#[derive(Clone, Default, Debug)]
pub(crate) struct Groups(Arc<Inner>);

#[derive(Default, Debug)]
struct Inner {
    running: Mutex<BTreeSet<i32>>,
    started: AtomicU64,
    /// Ends the bots if this process is killed. Started with the first of them.
    guard: OnceLock<Option<Guard>>,
}

impl Groups {
    /// While a process starts nobody sweeps: a sweep would take one that is not listed yet for a leftover.
    fn with<T>(&self, work: impl FnOnce(&mut BTreeSet<i32>) -> T) -> T {
        work(
            &mut self
                .0
                .running
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }

    /// A mark that no other process of this runner has.
    pub(crate) fn new_mark(&self) -> String {
        let number = self.0.started.fetch_add(1, Ordering::Relaxed);
        format!("{}.{number}", std::process::id())
    }

    /// Starts a bot. What outlives its parent becomes a child of this process and can be found.
    ///
    /// # Errors
    /// It cannot be started.
    pub(crate) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        family::adopt_orphans();
        // Without one the bots run as well, and end by themselves when their stdin is closed.
        self.0.guard.get_or_init(|| Guard::start().ok());
        self.with(|running| {
            let child = command.spawn()?;
            running.insert(i32::try_from(child.id()).unwrap_or_default());
            Ok(child)
        })
    }

    /// Ends what is left of a bot that has ended.
    pub(crate) fn sweep(&self, group: Pid, family: Family) {
        self.with(|running| {
            running.remove(&group.as_raw_nonzero().get());
            family.kill(running);
        });
    }

    /// Kills one bot, if it still runs.
    pub(crate) fn kill(&self, group: i32) {
        self.with(|running| {
            if let Some(group) = Pid::from_raw(group).filter(|_| running.contains(&group)) {
                // It may have ended by itself.
                let _ = kill_process_group(group, Signal::KILL);
            }
        });
    }

    /// Kills every bot with everything that it started.
    pub(crate) fn kill_all(&self) {
        self.with(|running| {
            for group in running.iter().filter_map(|raw| Pid::from_raw(*raw)) {
                let _ = kill_process_group(group, Signal::KILL);
            }
        });
    }

    /// Kills what bots have left behind that is a child of nobody else: to be called when none runs any more.
    pub(crate) fn kill_leftovers(&self) {
        let guard = self.0.guard.get().and_then(Option::as_ref);
        self.with(|running| {
            let mut spared = running.clone();
            spared.extend(guard.map(Guard::id));
            Family::leftovers().kill(&spared);
        });
    }
}
