//! Hints, and the reasons for verdicts, while a match is played.

use std::time::Duration;

use grundy_shared::solver::{explain, solve};

use super::typed::Typed;
use super::{Session, refusal};
use crate::failure::Failure;
use crate::render::advice::{self, Depth};
use crate::thinking::think;

/// How long to think about a hint, or a reason.
const ADVICE: Duration = Duration::from_secs(2);
/// Memory that this may take, in bytes.
const ADVICE_BYTES: u64 = 256 << 20;

impl Session<'_> {
    /// A hint, or the reason for the verdict, from the solver in this process: not where it would be help against another player.
    pub(super) async fn advise(&mut self, typed: &Typed) -> Result<(), Failure> {
        let position = match self.view.referee() {
            Some(referee) if self.view.is_our_turn() => {
                (referee.position().clone(), referee.to_move())
            }
            _ => {
                let words = "hints are for your own move: wait for your turn";
                return self.frontend.refused(&refusal(words));
            }
        };
        if let Some(why) = self.view.no_hints() {
            return self.frontend.refused(&refusal(advice::no_hints(why)));
        }
        let (position, to_move) = position;
        let seq = self.view.seq();
        let depth = match self.hinted {
            Some((then, _)) if then == seq => Depth::Move,
            _ => Depth::Exists,
        };
        let wants_reason = *typed == Typed::Why;
        let thought = tokio::task::spawn_blocking(move || {
            think(ADVICE, ADVICE_BYTES, |budget| match wants_reason {
                true => explain(&position, to_move, budget).to_string(),
                false => advice::hint(&solve(&position, to_move, budget, 1), depth),
            })
        });
        let Ok(text) = thought.await else {
            return self
                .frontend
                .refused(&refusal("the solver failed on this position"));
        };
        if wants_reason {
            return self.frontend.advise(&self.view, "why", &text);
        }
        self.hinted = Some((seq, depth));
        self.frontend.advise(&self.view, "hint", &text)
    }
}
