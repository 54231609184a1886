//! The built-in bots' thinking, in the pool of the solver.

use std::time::Duration;

use grundy_shared::Position;
use grundy_shared::bot::Bot;
use grundy_shared::ids::{Millis, Seat};
use grundy_shared::solver::Budget;

use super::host::Host;
use super::machine::Thought;
use crate::analysis::{Job, Owner, Purpose, QueueFull};
use crate::metrics::ByKind;

/// What a bot is to think about.
pub(super) struct Task {
    pub(super) bot: Bot,
    pub(super) position: Position,
    pub(super) seat: Seat,
}

/// Says what a bot came to, at the latest when it is dropped.
struct Answer<F: FnOnce(Thought, Millis)>(Option<F>);

impl<F: FnOnce(Thought, Millis)> Answer<F> {
    fn give(mut self, thought: Thought, took: Millis) {
        if let Some(answer) = self.0.take() {
            answer(thought, took);
        }
    }
}

impl<F: FnOnce(Thought, Millis)> Drop for Answer<F> {
    fn drop(&mut self) {
        if let Some(answer) = self.0.take() {
            answer(Thought::Nothing, Millis(0));
        }
    }
}

/// Sets a bot thinking for this owner, until `cancelled` says that nobody needs its move. `answer` is called with what it came to and how
/// long it took to find it, on a thread of the pool.
///
/// # Errors
/// There is no room to think; nobody is called.
pub(super) fn think(
    host: &Host,
    owner: Owner,
    task: Task,
    cancelled: impl Fn() -> bool + Send + 'static,
    answer: impl FnOnce(Thought, Millis) + Send + 'static,
) -> Result<(), QueueFull> {
    let timer = host
        .metrics
        .solver
        .get_or_create(&ByKind { kind: "bot" })
        .clone();
    let chance = host.chance.clone();
    host.analysis.submit(Purpose::Play, owner, move || {
        let answer = Answer(Some(answer));
        let choose = move |budget: &Budget<'_>| {
            let mut random = || chance.bits();
            let chosen = task
                .bot
                .choose(&task.position, task.seat, budget, &mut random);
            chosen.map(|chosen| chosen.to_string())
        };
        Job::new(cancelled, choose, move |found| match found {
            Ok(found) => {
                timer.observe(found.took.as_secs_f64());
                let thought = found.value.map_or(Thought::Nothing, Thought::Move);
                answer.give(thought, in_ms(found.took));
            }
            Err(QueueFull) => answer.give(Thought::NoRoom, Millis(0)),
        })
    })
}

/// Rounded up: a bot pays for the time for which it thinks.
fn in_ms(took: Duration) -> Millis {
    let ms = took.as_micros().div_ceil(1_000);
    Millis(u64::try_from(ms).unwrap_or(u64::MAX))
}
