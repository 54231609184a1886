//! Hints, and the reasons for verdicts, while a match is played.

use std::time::Duration;

use grundy_shared::ids::Seat;
use grundy_shared::position::Position;
use grundy_shared::practice::{Attempt, Theme};
use grundy_shared::solver::{Budget, OutcomeClass, explain, reasons, solve};

use super::hinted::Hinted;
use super::typed::Typed;
use super::{Session, refusal};
use crate::failure::Failure;
use crate::render::{advice, practice};
use crate::thinking::think;

/// How long to think about a hint, or a reason.
const ADVICE: Duration = Duration::from_secs(2);
/// Memory that this may take, in bytes.
const ADVICE_BYTES: u64 = 256 << 20;

impl Session<'_> {
    /// How often the user was helped in this position.
    pub(super) fn hints_in(&self, position: &Position) -> u32 {
        let hinted = self.hinted.as_ref();
        let hinted = hinted.filter(|hinted| hinted.position == *position);
        hinted.map_or(0, |hinted| hinted.given)
    }

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
        let earlier = self.hinted.take();
        let earlier = earlier.filter(|hinted| hinted.position == position);
        let given = earlier.as_ref().map_or(0, |hinted| hinted.given);
        let attempt = earlier.and_then(|hinted| hinted.attempt);
        let wants_reason = *typed == Typed::Why;
        let asked = position.clone();
        let thought = tokio::task::spawn_blocking(move || {
            think(ADVICE, ADVICE_BYTES, |budget| match wants_reason {
                true => (explain(&position, to_move, budget).to_string(), attempt),
                false => hint(&position, to_move, attempt, budget),
            })
        });
        let Ok((text, attempt)) = thought.await else {
            return self
                .frontend
                .refused(&refusal("the solver failed on this position"));
        };
        self.hinted = Some(Hinted {
            position: asked,
            given: given + 1,
            attempt,
        });
        let kind = if wants_reason { "why" } else { "hint" };
        self.frontend.advise(&self.view, kind, &text)
    }
}

/// The next hint: at first whether the position is won; if it is, then the idea, the place and a move.
fn hint(
    position: &Position,
    to_move: Seat,
    attempt: Option<Attempt>,
    budget: &Budget<'_>,
) -> (String, Option<Attempt>) {
    if let Some(mut attempt) = attempt {
        let text = match attempt.hint(budget) {
            Some(hint) => practice::hint(&hint),
            None => advice::TOO_HARD.to_owned(),
        };
        return (text, Some(attempt));
    }
    let solution = solve(position, to_move, budget, 1);
    let is_won = solution.outcome.winner(to_move) == Some(to_move)
        && solution.outcome != OutcomeClass::Unknown;
    let attempt = is_won.then(|| {
        let why = reasons(position, to_move, &[], budget);
        Attempt::at(position.clone(), to_move, Theme::of(position, &why))
    });
    (advice::hint(&solution), attempt)
}
