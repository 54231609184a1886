//! What tournaments have in common.

use std::sync::{Arc, OnceLock, Weak};

use tokio::runtime::Handle;

use crate::accounts::Accounts;
use crate::chance::Chance;
use crate::clock::Clock;
use crate::config::Settings;
use crate::lifecycle::Lifecycle;
use crate::matches::Matches;
use crate::store::committer::{Committer, Completion};
use crate::store::{Commit, Store, StoreError};

/// What tournaments need of the server.
pub struct Services {
    /// What the operator has set.
    pub config: Settings,
    /// The log.
    pub store: Arc<dyn Store>,
    /// The way into the log.
    pub committer: Committer,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Chance.
    pub chance: Arc<dyn Chance>,
    /// What players hear outside matches.
    pub accounts: Arc<Accounts>,
    /// Whether the server stops.
    pub lifecycle: Lifecycle,
    /// Whether other servers use the same store.
    pub shared: bool,
}

/// What tournaments have in common: the server, its matches, and where their tasks run.
pub(super) struct Host {
    pub(super) services: Services,
    matches: OnceLock<Weak<Matches>>,
    runtime: Handle,
}

impl Host {
    /// There are no matches yet; tasks run where this is called.
    pub(super) fn new(services: Services) -> Arc<Self> {
        Arc::new(Self {
            services,
            matches: OnceLock::new(),
            runtime: Handle::current(),
        })
    }

    /// From now on there are matches. Called once.
    pub(super) fn begin(&self, matches: &Arc<Matches>) {
        let _ = self.matches.set(Arc::downgrade(matches));
    }

    pub(super) fn matches(&self) -> Option<Arc<Matches>> {
        self.matches.get().and_then(Weak::upgrade)
    }

    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let _within = Handle::try_current().is_err().then(|| self.runtime.enter());
        drop(self.services.lifecycle.spawn(task));
    }

    /// Stores the end of a match that no tournament counts.
    pub(super) fn pass(&self, commit: Commit, done: Completion) {
        if let Err(rejected) = self.services.committer.submit(commit, done) {
            rejected.done.tell(Err(StoreError::Closed.into()));
        }
    }
}
