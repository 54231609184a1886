//! What every live match needs of the server that runs it.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio_util::task::TaskTracker;

use super::damaged::Damaged;
use super::deadlines::Deadlines;
use super::herald::Herald;
use super::machine::Policy;
use super::tally::Tally;
use crate::analysis::Analysis;
use crate::chance::Chance;
use crate::clock::Clock;
use crate::config::Settings;
use crate::lifecycle::Lifecycle;
use crate::metrics::Metrics;
use crate::quotas::Quotas;
use crate::ratings::Ratings;
use crate::reserve::Reserve;
use crate::store::committer::Committer;
use crate::store::{AddressSecret, Store};

/// What matches need of the server that runs them.
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
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// Where bots think, and analyses are made.
    pub analysis: Arc<Analysis>,
    /// Whether the server stops.
    pub lifecycle: Lifecycle,
    /// Whether other servers use the same store.
    pub shared: bool,
    /// Who else is told when matches begin and end.
    pub herald: Arc<dyn Herald>,
    /// Who counts the results of tournaments.
    pub tally: Arc<dyn Tally>,
    /// Where rated pairs count.
    pub ratings: Arc<Ratings>,
    /// What addresses and players have used of their quotas.
    pub quotas: Arc<Quotas>,
    /// How much of the disk is free.
    pub reserve: Arc<Reserve>,
    /// What goes into the digests of addresses.
    pub address_secret: AddressSecret,
}

/// What every live match needs: what the server has, and what is theirs alone.
pub(super) struct Host {
    pub(super) services: Services,
    /// The times and bounds by which matches are run.
    pub(super) policy: Arc<Policy>,
    pub(super) damaged: Damaged,
    pub(super) deadlines: Deadlines,
    /// What is read from the store for a match, and turns that are given to others.
    pub(super) tasks: TaskTracker,
    /// Where tasks run that are begun on threads without a runtime: those of the solver.
    runtime: Handle,
}

impl std::ops::Deref for Host {
    type Target = Services;

    fn deref(&self) -> &Services {
        &self.services
    }
}

impl Host {
    /// To be called within a runtime.
    pub(super) fn new(services: Services) -> Self {
        Self {
            policy: Arc::new(Policy::of(&services.config.current(), services.shared)),
            damaged: Damaged::new(services.metrics.matches_quarantined.clone()),
            deadlines: Deadlines::default(),
            tasks: TaskTracker::new(),
            runtime: Handle::current(),
            services,
        }
    }

    /// Runs something beside the matches.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let _within = Handle::try_current().is_err().then(|| self.runtime.enter());
        drop(self.lifecycle.spawn_on(&self.tasks, task));
    }
}
