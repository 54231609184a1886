//! A bot that thinks about its move while the match goes on.

use std::time::{Duration, Instant};

use grundy_shared::bot::Bot;
use grundy_shared::referee::Referee;
use grundy_shared::solver::Budget;
use tokio::task::{JoinHandle, spawn_blocking};

use super::clock::now;

/// The longest that a bot thinks about one move.
const THOUGHT: Duration = Duration::from_secs(3);
/// Of its time left, the part that a bot uses for one move at most.
const THOUGHT_SHARE: u32 = 20;
/// Memory that a bot may use, in bytes.
const THOUGHT_BYTES: u64 = 256 << 20;

/// Lets the bot think about its move on a separate thread. Without a move at the end, it gives up.
pub(super) fn think(referee: &Referee, bot: Bot) -> JoinHandle<Option<String>> {
    let position = referee.position().clone();
    let to_move = referee.to_move();
    let clocks = referee.clocks_at(now());
    let time = clocks.map_or(THOUGHT, |clocks| {
        THOUGHT.min(Duration::from_millis(clocks.of(to_move).0) / THOUGHT_SHARE)
    });
    spawn_blocking(move || {
        let begun = Instant::now();
        let budget = Budget {
            nodes: u64::MAX,
            memory_bytes: THOUGHT_BYTES,
            stop: &|| begun.elapsed() >= time,
        };
        let chosen = bot.choose(&position, to_move, &budget, &mut rand::random);
        chosen.map(|mv| mv.to_string())
    })
}

/// What the bot has come to, once it has; never while no bot thinks.
pub(super) async fn finished(thinking: &mut Option<JoinHandle<Option<String>>>) -> Option<String> {
    match thinking {
        Some(thought) => {
            let chosen = thought.await.ok().flatten();
            *thinking = None;
            chosen
        }
        None => std::future::pending().await,
    }
}
