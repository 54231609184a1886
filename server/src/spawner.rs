//! How the server's tasks come into being: on the runtime of the thread that asks, and in a simulation so that all of
//! them can be killed at once, as a power cut would.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tokio::task::{AbortHandle, JoinHandle};
use tokio_util::task::TaskTracker;

/// Tasks that are remembered before those that have ended are forgotten.
const SWEEP_AT_LEAST: usize = 64;

/// Starts tasks; clones start them for the same server.
#[derive(Clone, Debug, Default)]
pub struct Spawner {
    /// The tasks to be killed; `None` outside of simulations, where nobody kills.
    mortal: Option<Arc<Mutex<Mortal>>>,
    scheduler: Option<AnyScheduler>,
}

/// Is asked before every turn of every task: a simulation, which lets tasks wait or ends the process at that point.
pub trait Scheduler: Send + Sync + 'static {
    /// Whether the task with this context may have its turn; on `Pending` the scheduler sees to it that the task is woken, or is
    /// never again.
    fn turn(&self, context: &mut Context<'_>) -> Poll<()>;
}

#[derive(Clone)]
struct AnyScheduler(Arc<dyn Scheduler>);

impl std::fmt::Debug for AnyScheduler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad("Scheduler")
    }
}

/// A task with its scheduler.
struct Scheduled<F> {
    scheduler: Arc<dyn Scheduler>,
    task: Pin<Box<F>>,
}

impl<F: Future> Future for Scheduled<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        std::task::ready!(self.scheduler.turn(context));
        self.task.as_mut().poll(context)
    }
}

#[derive(Debug, Default)]
struct Mortal {
    tasks: Vec<AbortHandle>,
    /// Forget ended tasks once there are so many.
    sweep_at: usize,
    /// Nothing is started any more.
    dead: bool,
}

impl Spawner {
    /// One whose tasks [`Spawner::kill`] ends.
    #[must_use]
    pub fn killable() -> Self {
        Self {
            mortal: Some(Arc::default()),
            scheduler: None,
        }
    }

    /// One whose tasks [`Spawner::kill`] ends, and which asks before each of their turns.
    #[must_use]
    pub fn scheduled_by(scheduler: Arc<dyn Scheduler>) -> Self {
        Self {
            scheduler: Some(AnyScheduler(scheduler)),
            ..Self::killable()
        }
    }

    /// Runs a task on the runtime of this thread, counted by `tracker`.
    pub fn spawn<F>(&self, tracker: &TaskTracker, task: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        let handle = match &self.scheduler {
            None => tracker.spawn(task),
            Some(AnyScheduler(scheduler)) => tracker.spawn(Scheduled {
                scheduler: scheduler.clone(),
                task: Box::pin(task),
            }),
        };
        if let Some(mortal) = &self.mortal {
            let mut mortal = mortal.lock().unwrap_or_else(PoisonError::into_inner);
            if mortal.dead {
                handle.abort();
                return handle;
            }
            if mortal.tasks.len() >= mortal.sweep_at {
                mortal.tasks.retain(|task| !task.is_finished());
                mortal.sweep_at = (mortal.tasks.len() * 2).max(SWEEP_AT_LEAST);
            }
            mortal.tasks.push(handle.abort_handle());
        }
        handle
    }

    /// Ends every task where it waits, and starts no more; nothing that they have begun is finished. Does nothing if this is not
    /// [`Spawner::killable`].
    pub fn kill(&self) {
        let Some(mortal) = &self.mortal else { return };
        let mut mortal = mortal.lock().unwrap_or_else(PoisonError::into_inner);
        mortal.dead = true;
        for task in mortal.tasks.drain(..) {
            task.abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test]
    async fn killed_tasks_end_where_they_wait_and_none_begins() {
        let (spawner, tracker) = (Spawner::killable(), TaskTracker::new());
        let turns = Arc::new(AtomicU32::new(0));
        let counted = turns.clone();
        let counting = async move {
            loop {
                counted.fetch_add(1, Ordering::Relaxed);
                tokio::task::yield_now().await;
            }
        };
        let task = spawner.spawn(&tracker, counting);
        while turns.load(Ordering::Relaxed) < 3 {
            tokio::task::yield_now().await;
        }
        spawner.kill();
        let before = turns.load(Ordering::Relaxed);
        assert!(task.await.is_err_and(|error| error.is_cancelled()));
        assert_eq!(turns.load(Ordering::Relaxed), before);
        let late = spawner.spawn(&tracker, async { unreachable!("the server is dead") });
        assert!(late.await.is_err_and(|error| error.is_cancelled()));
    }

    /// Lets no task have its second turn.
    struct Once(AtomicU32);

    impl Scheduler for Once {
        fn turn(&self, _: &mut Context<'_>) -> Poll<()> {
            match self.0.fetch_add(1, Ordering::Relaxed) {
                0 => Poll::Ready(()),
                _ => Poll::Pending,
            }
        }
    }

    #[tokio::test]
    async fn a_scheduler_is_asked_before_each_turn() {
        let once = Arc::new(Once(AtomicU32::new(0)));
        let (spawner, tracker) = (Spawner::scheduled_by(once.clone()), TaskTracker::new());
        let task = spawner.spawn(&tracker, tokio::task::yield_now());
        while once.0.load(Ordering::Relaxed) < 2 {
            tokio::task::yield_now().await;
        }
        assert!(!task.is_finished());
        spawner.kill();
        assert!(task.await.is_err_and(|error| error.is_cancelled()));
    }

    #[tokio::test]
    async fn ended_tasks_are_forgotten() {
        let (spawner, tracker) = (Spawner::killable(), TaskTracker::new());
        for _ in 0..10 * SWEEP_AT_LEAST {
            spawner.spawn(&tracker, async {}).await.expect("it ends");
        }
        let mortal = spawner.mortal.expect("killable");
        assert!(mortal.lock().expect("no panic").tasks.len() <= 2 * SWEEP_AT_LEAST);
    }
}
