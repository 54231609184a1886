//! What happens while the solver works for a match: the full screen hears keys and is drawn, and Ctrl-C is heard everywhere.

use std::sync::atomic::Ordering;
use std::time::Duration;

use grundy_shared::solver::Budget;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::frontend::Pressed;
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
        let (mut thinking, given_up) = think_beside(limits, work);
        let mut late = std::pin::pin!(sleep(SLOW));
        let mut second = interval(Duration::from_secs(1));
        second.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut interrupted = std::pin::pin!(tokio::signal::ctrl_c());
        let mut is_late = false;
        let has_screen = self.input.is_of_keys();
        let thought = loop {
            tokio::select! {
                biased;
                _ = &mut interrupted => break Thought::Interrupted,
                done = &mut thinking => break match done {
                    Ok(done) => Thought::Done(done),
                    Err(_) => Thought::Failed,
                },
                () = &mut late, if !is_late => {
                    is_late = true;
                    self.frontend.thinks(true);
                }
                stroke = self.input.stroke() => {
                    if !self.meant_for_the_screen(stroke?)? {
                        break Thought::Interrupted;
                    }
                }
                // Clocks run.
                _ = second.tick(), if has_screen => {}
            }
            if has_screen {
                self.frontend.prompt(&self.view, self.question)?;
            }
        };
        self.frontend.thinks(false);
        given_up.store(true, Ordering::Relaxed);
        Ok(thought)
    }

    /// Does what a key asks of the screen, and keeps a line for later; `false` if the user wants to leave at once.
    fn meant_for_the_screen(&mut self, stroke: Stroke) -> Result<bool, Failure> {
        match stroke {
            Stroke::End => return Ok(false),
            Stroke::Continued => self.frontend.continued()?,
            Stroke::Event(event) => match self.frontend.event_of_terminal(&self.view, &event)? {
                Pressed::Nothing => {}
                // Enter alone was meant for what was there before, and not for the question that follows.
                Pressed::Line(line) if line.trim().is_empty() => {}
                Pressed::Line(line) => self.input.keep(line),
                Pressed::Interrupt => return Ok(false),
            },
        }
        Ok(true)
    }
}
