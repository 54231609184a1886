//! How fast a tournament goes, and how long the rest takes if it goes on so.

mod crowding;
mod round;

use std::collections::VecDeque;

use self::crowding::Crowding;
use self::round::Round;
use super::event::{Dated, Format, TournamentEvent};
use crate::ids::Millis;

/// Finished rounds from which the rest is estimated: the newest.
const RECENT_ROUNDS: usize = 8;

/// What the dates of a tournament's events say: a fold of them, from the first on. Pauses count as no time.
///
/// Two bounds hold the rest of a round: its slowest board, if each board goes on as fast as so far, and its missing games at the
/// rate of all boards together, if they share one processor and get faster when others are finished. The dates show which of the
/// two is nearer, because in every round fewer and fewer boards are busy: [`Crowding`] is what lies between. Later rounds are
/// expected to be like the newest ones. If some players are much slower than others, the first rounds cannot show how long those
/// rounds take in which slow players meet.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    format: Option<Format>,
    games: u32,
    players: u32,
    finished: u32,
    /// The newest finished rounds, the oldest first.
    recent: VecDeque<Round>,
    running: Option<Round>,
    paused_at: Option<u64>,
    /// All pauses that are over, in milliseconds.
    paused: u64,
    over: bool,
}

impl Pace {
    /// Takes in the next event. Cost: linear in the boards of the running round.
    pub fn note(&mut self, dated: &Dated) {
        let at = dated.at_ms.0.saturating_sub(self.paused);
        match &dated.event {
            TournamentEvent::Created { format, rules, .. } => {
                self.format = Some(*format);
                self.games = rules.games;
            }
            TournamentEvent::Entered { .. } => self.players += 1,
            TournamentEvent::RoundPaired { pairs, .. } if pairs.is_empty() => self.finished += 1,
            TournamentEvent::RoundPaired { pairs, .. } => {
                self.running = Some(Round::begin(at, pairs.len(), self.games));
            }
            TournamentEvent::GameEnded { board, .. } => self.end_game(*board, at),
            TournamentEvent::Paused {} => self.paused_at = Some(dated.at_ms.0),
            TournamentEvent::Resumed {} => {
                let since = self.paused_at.take();
                self.paused += since.map_or(0, |since| dated.at_ms.0.saturating_sub(since));
            }
            TournamentEvent::Cancelled { .. } | TournamentEvent::SeedOpened { .. } => {
                self.over = true;
            }
            TournamentEvent::EntriesClosed {} | TournamentEvent::Withdrew { .. } => {}
        }
    }

    fn end_game(&mut self, board: u32, at: u64) {
        let Some(running) = &mut self.running else {
            return;
        };
        running.end_game((board as usize).wrapping_sub(1), at);
        // A level set of a knockout is played again, which shows only with its next game.
        if running.is_over() {
            self.finished += 1;
            if self.recent.len() == RECENT_ROUNDS {
                self.recent.pop_front();
            }
            self.recent.extend(self.running.take());
        }
    }

    /// How long the tournament goes on from `now`, the server's time, if it goes on as so far. `None` before a game has ended, while
    /// it is paused, and once it is over. Cost: boards of the running and the newest rounds, times the logarithm of their number.
    #[must_use]
    pub fn left(&self, now: Millis) -> Option<Millis> {
        if self.over || self.paused_at.is_some() {
            return None;
        }
        let now = now.0.saturating_sub(self.paused);
        let format = self.format?;
        let later = {
            let known = self.finished + u32::from(self.running.is_some());
            format.rounds(self.players)?.saturating_sub(known)
        };
        let rounds: Vec<&Round> = self.recent.iter().chain(&self.running).collect();
        let left = |crowding: Crowding| {
            let game = crowding.mean_game(&rounds, now)?;
            let running = self.running.as_ref();
            let running = running.map_or(0.0, |round| crowding.rest(round, game, now));
            let halves = matches!(format, Format::Knockout {});
            let lengths = (1..=later).map_while(|ahead| {
                // Of the boards of a knockout half remain in each round; other rounds are alike.
                let ahead = if halves { ahead.min(31) } else { 0 };
                let lengths = rounds.iter().map(|round| {
                    let boards = (round.boards() >> ahead).max(1);
                    crowding.length(round, boards, game, now)
                });
                Some(lengths.sum::<f64>() / rounds.len() as f64)
            });
            let later: f64 = match halves {
                true => lengths.sum(),
                false => lengths.take(1).sum::<f64>() * f64::from(later),
            };
            Some(running + later)
        };
        let likely = crowding::likely(&rounds, now);
        let parts = likely
            .into_iter()
            .map(|(crowding, weight)| Some(weight * left(crowding)?));
        let mean: f64 = parts.sum::<Option<f64>>()?;
        Some(Millis(mean.max(0.0).round() as u64))
    }
}

#[cfg(test)]
mod tests;
