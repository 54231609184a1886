//! The budget of one question to the solver: flags, and the clock that enforces it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use grundy_shared::event::Outcome;
use grundy_shared::ids::Seat;
use grundy_shared::review::Review;
use grundy_shared::solver::Budget;
use grundy_words::Message;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::duration::duration;
use crate::failure::Failure;
use crate::output::Output;

/// A player of a partizan game.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Side {
    /// Owns blue.
    Left,
    /// Owns red.
    Right,
}

/// What the solver may use for one answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How long it may think, counted from the question.
    pub(crate) time: Duration,
    /// How much memory it may take, in bytes.
    pub(crate) memory_bytes: u64,
}

/// How long the solver may think, and for whom.
#[derive(Debug, Args)]
pub(crate) struct Thinking {
    /// Who is to move (matters in partizan games only)
    #[arg(long, value_name = "SIDE", default_value = "left")]
    side: Side,
    /// Time limit for each position
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    budget: Duration,
    /// Memory limit, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

impl Thinking {
    /// Who is to move.
    pub(crate) fn to_move(&self) -> Seat {
        match self.side {
            Side::Left => Seat::First,
            Side::Right => Seat::Second,
        }
    }

    /// The flag with six times the time limit: what to try where this one was too short.
    pub(crate) fn larger_budget(&self) -> String {
        let seconds = self.budget.as_secs().max(1).saturating_mul(6);
        format!("--budget {seconds}s")
    }

    /// What it may use for each position.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            time: self.budget,
            memory_bytes: self.memory << 20,
        }
    }

    /// Runs `work` for the given time, counted from now. A terminal shows for how long it has run.
    pub(crate) fn think<T>(&self, output: &Output, work: impl FnOnce(&Budget<'_>) -> T) -> T {
        let (begun, most) = (Instant::now(), self.budget.as_secs());
        let line = output.progress_line();
        work(&Budget {
            nodes: u64::MAX,
            memory_bytes: self.memory << 20,
            stop: &|| {
                line.show_with(|| {
                    let progress = Message::new("thinking-progress")
                        .text("seconds", begun.elapsed().as_secs())
                        .text("most", most);
                    progress.said(output.words())
                });
                begun.elapsed() >= self.budget
            },
        })
    }
}

/// As [`think`], on a thread of its own, so that Ctrl-C ends it; then `None`. For commands that have waited for Ctrl-C before: it no longer ends the process.
///
/// # Errors
/// The solver failed.
pub(crate) async fn think_until_interrupted<T: Send + 'static>(
    time: Duration,
    memory_bytes: u64,
    work: impl FnOnce(&Budget<'_>) -> T + Send + 'static,
) -> Result<Option<T>, Failure> {
    let limits = Limits { time, memory_bytes };
    let (thinking, given_up) = think_beside(limits, work);
    tokio::select! {
        biased;
        thought = thinking => Ok(Some(thought.map_err(std::io::Error::from)?)),
        _ = tokio::signal::ctrl_c() => {
            given_up.store(true, Ordering::Relaxed);
            Ok(None)
        }
    }
}

/// Lets `work` think within the limits, counted from now, on another thread. Setting the returned flag stops it.
pub(crate) fn think_beside<T: Send + 'static>(
    limits: Limits,
    work: impl FnOnce(&Budget<'_>) -> T + Send + 'static,
) -> (JoinHandle<T>, Arc<AtomicBool>) {
    let Limits { time, memory_bytes } = limits;
    let begun = Instant::now();
    let given_up = Arc::<AtomicBool>::default();
    let told = given_up.clone();
    let thinking = spawn_blocking(move || {
        work(&Budget {
            nodes: u64::MAX,
            memory_bytes,
            stop: &|| begun.elapsed() >= time || told.load(Ordering::Relaxed),
        })
    });
    (thinking, given_up)
}

/// How many moves of these seats may have given a win away, as far as a review has found out: those of which it is neither known that the player had
/// no win nor that the win was kept.
pub(crate) fn not_judged(review: &Review, counts: impl Fn(Seat) -> bool) -> u64 {
    let pairs = review.plies.iter().zip(review.plies.iter().skip(1));
    let open = pairs.filter(|(before, now)| {
        let Some(seat) = now.seat.filter(|seat| counts(*seat)) else {
            return false;
        };
        let win = Some(Outcome::win_of(seat));
        let had_none = before.wins.is_some() && before.wins != win;
        let kept = now.wins == win;
        let is_known = before.wins.is_some() && now.wins.is_some();
        !(had_none || kept || is_known)
    });
    open.count() as u64
}

/// Lets `work` think for so long, counted from now.
pub(crate) fn think<T>(
    time: Duration,
    memory_bytes: u64,
    work: impl FnOnce(&Budget<'_>) -> T,
) -> T {
    let begun = Instant::now();
    work(&Budget {
        nodes: u64::MAX,
        memory_bytes,
        stop: &|| begun.elapsed() >= time,
    })
}
