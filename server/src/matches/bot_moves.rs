//! The built-in bots' thinking, in the pool of the solver.

use std::sync::Arc;

use grundy_shared::Position;
use grundy_shared::bot::Bot;
use grundy_shared::ids::Seat;
use tokio::time::Instant;

use super::machine::Thought;
use crate::analysis::{Analysis, Job, Purpose, QueueFull};
use crate::chance::Chance;
use crate::metrics::{ByKind, Metrics};

/// What a bot is to think about.
pub(super) struct Task {
    pub(super) bot: Bot,
    pub(super) position: Position,
    pub(super) seat: Seat,
}

/// Says what a bot came to, at the latest when it is dropped.
struct Answer<F: FnOnce(Thought)>(Option<F>);

impl<F: FnOnce(Thought)> Answer<F> {
    fn give(mut self, thought: Thought) {
        if let Some(answer) = self.0.take() {
            answer(thought);
        }
    }
}

impl<F: FnOnce(Thought)> Drop for Answer<F> {
    fn drop(&mut self) {
        if let Some(answer) = self.0.take() {
            answer(Thought::Nothing);
        }
    }
}

/// Sets a bot thinking; `answer` is called with what it came to, on a thread of the pool.
///
/// # Errors
/// There is no room to think; nobody is called.
pub(super) fn think(
    analysis: &Analysis,
    chance: &Arc<dyn Chance>,
    metrics: &Metrics,
    task: Task,
    answer: impl FnOnce(Thought) + Send + 'static,
) -> Result<(), QueueFull> {
    let timer = metrics
        .solver
        .get_or_create(&ByKind { kind: "bot" })
        .clone();
    let chance = chance.clone();
    analysis.submit(Purpose::Play, move || {
        let answer = Answer(Some(answer));
        Job::new(
            || false,
            move |budget| {
                let began = Instant::now();
                let Task {
                    bot,
                    position,
                    seat,
                } = task;
                let mut random = || chance.bits();
                let chosen = bot.choose(&position, seat, budget, &mut random);
                timer.observe(began.elapsed().as_secs_f64());
                answer.give(match chosen {
                    Some(chosen) => Thought::Move(chosen.to_string()),
                    None => Thought::Nothing,
                });
            },
        )
    })
}
