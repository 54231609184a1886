//! What happens while the solver works for a match: the full screen hears keys and is drawn, and Ctrl-C is heard everywhere.

use std::sync::atomic::Ordering;
use std::time::Duration;

use grundy_shared::solver::Budget;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::frontend::Pressed;
use super::typed::Typed;
use super::{Session, Stroke};
use crate::failure::Failure;
use crate::thinking::{Limits, think_beside};

/// A user who waits longer is told that the solver thinks.
const SLOW: Duration = Duration::from_millis(300);

/// What came of it.
#[derive(Debug)]
pub(super) enum Thought<T> {
    /// The work is done.
    Done(T),
    /// The solver failed.
    Failed,
    /// The user does something else, and no longer asks.
    Unwanted,
    /// The user wants to leave at once.
    Interrupted,
}

impl Session<'_> {
    /// Has the solver work within the limits. Lines that are typed meanwhile come next; what is heard of the match waits.
    ///
    /// # Errors
    /// The terminal cannot be used.
    pub(super) async fn think<T: Send + 'static>(
        &mut self,
        limits: Limits,
        work: impl FnOnce(&Budget<'_>) -> T + Send + 'static,
    ) -> Result<Thought<T>, Failure> {
        let (thinking, given_up) = think_beside(limits, work);
        let thought = self.wait_for(thinking).await;
        self.frontend.thinks(false);
        given_up.store(true, Ordering::Relaxed);
        thought
    }

    async fn wait_for<T>(&mut self, mut thinking: JoinHandle<T>) -> Result<Thought<T>, Failure> {
        let mut late = std::pin::pin!(sleep(SLOW));
        let mut second = interval(Duration::from_secs(1));
        second.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut interrupted = std::pin::pin!(tokio::signal::ctrl_c());
        let mut is_late = false;
        let has_screen = self.input.is_of_keys();
        loop {
            tokio::select! {
                biased;
                _ = &mut interrupted => return Ok(Thought::Interrupted),
                done = &mut thinking => return Ok(match done {
                    Ok(done) => Thought::Done(done),
                    Err(_) => Thought::Failed,
                }),
                () = &mut late, if !is_late => {
                    is_late = true;
                    self.frontend.thinks(true);
                }
                stroke = self.input.stroke() => match self.meant_for_the_screen(stroke?)? {
                    Meant::Later => {}
                    Meant::Instead => return Ok(Thought::Unwanted),
                    Meant::Leave => return Ok(Thought::Interrupted),
                },
                // Clocks run.
                _ = second.tick(), if has_screen => {}
            }
            if has_screen {
                self.frontend.prompt(&self.view, self.question)?;
            }
        }
    }

    /// Does what a key asks of the screen, and keeps a line for later.
    fn meant_for_the_screen(&mut self, stroke: Stroke) -> Result<Meant, Failure> {
        let pressed = match stroke {
            Stroke::End => return Ok(Meant::Leave),
            Stroke::Continued => {
                self.frontend.continued()?;
                return Ok(Meant::Later);
            }
            Stroke::Event(event) => self.frontend.event_of_terminal(&self.view, &event)?,
        };
        let line = match pressed {
            Pressed::Nothing => return Ok(Meant::Later),
            Pressed::Interrupt => return Ok(Meant::Leave),
            Pressed::Line(line) => line,
        };
        let meant = match Typed::read(&line) {
            // The question about a rematch is not asked yet: it was meant for what was there before.
            Typed::Empty | Typed::Yes | Typed::No | Typed::Accept | Typed::Decline
                if self.view.is_over() =>
            {
                return Ok(Meant::Later);
            }
            Typed::Hint | Typed::Why => Meant::Later,
            // The clock runs, and whoever moves, resigns or leaves has no use for a hint any more.
            Typed::Quit => Meant::Instead,
            typed if !self.view.is_over() && !typed.is_for_watchers() => Meant::Instead,
            _ => Meant::Later,
        };
        self.input.keep(line);
        Ok(meant)
    }
}

/// What a key means for the work of the solver.
enum Meant {
    /// It goes on; a line comes after it.
    Later,
    /// A move, or something else that is done in the match, comes instead.
    Instead,
    /// The user wants to leave at once.
    Leave,
}
