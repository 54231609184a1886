//! The built-in bots at a match: they think in the solver's pool, and move like anybody.

use std::future::poll_fn;
use std::task::Poll;

use grundy_shared::ids::Millis;
use grundy_shared::referee::{Command, Status};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::Table;
use crate::analysis::{Job, Purpose};
use crate::matches::builtin;
use crate::metrics::ByKind;

/// When a bot that found no room to think tries again.
const BOT_RETRY_MS: Millis = Millis(50);

impl Table<'_> {
    /// If a built-in bot is to move, sets it thinking, in the pool of the solver.
    pub(super) fn consider_bot(&mut self) {
        let to_move = self.referee.to_move();
        if self.referee.status() != Status::Live
            || self.thought.is_some()
            || self.retry_at.is_some()
            || self.actor.directory.lifecycle.is_draining()
        {
            return;
        }
        let Some(bot) = self.referee.player(to_move).and_then(builtin::bot_of) else {
            return;
        };
        let position = self.referee.position().clone();
        let (answer, thought) = oneshot::channel();
        let timed = &self.actor.directory.metrics.solver;
        let timer = timed.get_or_create(&ByKind { kind: "bot" }).clone();
        let chance = self.actor.directory.chance.clone();
        let job = || {
            Job::new(
                || false,
                move |budget| {
                    let began = Instant::now();
                    let mut random = || chance.bits();
                    let chosen = bot.choose(&position, to_move, budget, &mut random);
                    timer.observe(began.elapsed().as_secs_f64());
                    // Nobody waits any more if the match has ended meanwhile.
                    let _ = answer.send(chosen.map(|chosen| chosen.to_string()));
                },
            )
        };
        match self.actor.directory.analysis.submit(Purpose::Play, job) {
            Ok(()) => self.thought = Some(thought),
            Err(_) => self.retry_at = Some(self.now().plus(BOT_RETRY_MS)),
        }
    }

    pub(super) async fn move_of_bot(&mut self, text: Option<String>) {
        self.thought = None;
        let to_move = self.referee.to_move();
        let position = self.referee.position();
        // A bot that failed plays any move rather than none.
        let any = || position.nth_move(to_move, 0).map(|any| any.to_string());
        let (Some(text), Some(player)) = (text.or_else(any), self.referee.player(to_move)) else {
            return;
        };
        let command = Command::Move {
            player: player.id,
            ply: self.referee.ply().next(),
            client_move_id: None,
            text,
        };
        let now = self.now();
        if self.decide_alone(now, command).await {
            self.give_back(now).await;
        }
    }
}

/// Waits for a bot's move; for ever while none is thinking. A bot that died says nothing.
pub(super) async fn thought(
    thought: &mut Option<oneshot::Receiver<Option<String>>>,
) -> Option<String> {
    match thought {
        Some(receiver) => receiver.await.ok().flatten(),
        None => poll_fn(|_| Poll::Pending).await,
    }
}
