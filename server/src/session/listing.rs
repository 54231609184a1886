//! Pages of moves that the solver's threads make for a connection: one at a time.

use std::sync::{Arc, OnceLock};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::{CancellationToken, DropGuard};

/// The place for one page of moves of a connection that is made elsewhere. If it is dropped, the work ends. Most connections never need one.
#[derive(Default)]
pub(super) struct ListedElsewhere(OnceLock<Box<Place>>);

struct Place {
    free: Arc<Semaphore>,
    gone: CancellationToken,
    _ends: DropGuard,
}

/// A page that is being made.
pub(super) struct ListingTurn {
    _place: Option<OwnedSemaphorePermit>,
    gone: CancellationToken,
}

impl ListedElsewhere {
    /// Waits until the page before is answered.
    pub(super) async fn turn(&self) -> ListingTurn {
        let place = self.0.get_or_init(|| {
            let gone = CancellationToken::new();
            Box::new(Place {
                free: Arc::new(Semaphore::new(1)),
                _ends: gone.clone().drop_guard(),
                gone,
            })
        });
        ListingTurn {
            // It is never closed.
            _place: place.free.clone().acquire_owned().await.ok(),
            gone: place.gone.clone(),
        }
    }
}

impl ListingTurn {
    /// What the work comes to; `None` if the connection has gone.
    pub(super) async fn unless_gone<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.gone.run_until_cancelled(work).await
    }
}
