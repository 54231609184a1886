//! How fast a tournament goes, and how long the rest takes if it goes on so.

use super::event::{Dated, Format, TournamentEvent};
use crate::ids::Millis;

/// Rounds from which the length of a later round is estimated: the newest.
const RECENT_ROUNDS: usize = 8;

/// One board of the running round.
#[derive(Clone, Copy, Debug, Default)]
struct Board {
    ended: u32,
    last_at: u64,
}

/// The running round.
#[derive(Clone, Debug)]
struct Running {
    began_at: u64,
    boards: Vec<Board>,
}

/// What the dates of a tournament's events say: a fold of them, from the first on. Pauses count as no time.
///
/// A round lasts as long as its slowest board, so the rest is estimated board by board, and later rounds by the newest ones. If some
/// players are much slower than others, the first rounds cannot show how long those rounds take in which slow players meet.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    format: Option<Format>,
    games: u32,
    players: u32,
    finished: u32,
    /// How long the newest rounds took, in milliseconds.
    recent: Vec<u64>,
    running: Option<Running>,
    paused_at: Option<u64>,
    /// All pauses that are over, in milliseconds.
    paused: u64,
    over: bool,
}

impl Pace {
    /// Takes in the next event.
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
                let boards = vec![Board::default(); pairs.len()];
                self.running = Some(Running {
                    began_at: at,
                    boards,
                });
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
        let place = (board as usize).wrapping_sub(1);
        if let Some(board) = running.boards.get_mut(place) {
            board.ended += 1;
            board.last_at = at;
        }
        // A level set of a knockout is played again, which shows only with its next game.
        if running.boards.iter().all(|board| board.ended >= self.games) {
            let took = at.saturating_sub(running.began_at);
            self.finished += 1;
            if self.recent.len() == RECENT_ROUNDS {
                self.recent.remove(0);
            }
            self.recent.push(took);
            self.running = None;
        }
    }

    /// How long the tournament goes on from `now`, the server's time, if it goes on as so far. `None` before a game has ended, while
    /// it is paused, and once it is over. Cost: linear in the boards of the running round.
    #[must_use]
    pub fn left(&self, now: Millis) -> Option<Millis> {
        if self.over || self.paused_at.is_some() {
            return None;
        }
        let now = now.0.saturating_sub(self.paused);
        let rounds = self.format?.rounds(self.players)?;
        let mut lengths = self.recent.clone();
        let mut left = 0;
        let mut known = self.finished;
        if let Some(running) = &self.running {
            left = running.left(now, self.games, &self.recent)?;
            lengths.push(now.saturating_sub(running.began_at) + left);
            known += 1;
        }
        let mean = lengths.iter().sum::<u64>() / (lengths.len() as u64).max(1);
        (!lengths.is_empty()).then(|| {
            let later = u64::from(rounds.saturating_sub(known));
            Millis(left.saturating_add(later.saturating_mul(mean)))
        })
    }
}

impl Running {
    /// How long the round goes on, if each board goes on as fast as so far; one without a finished game like the mean of all.
    fn left(&self, now: u64, games: u32, recent: &[u64]) -> Option<u64> {
        let spent = |board: &Board| board.last_at.saturating_sub(self.began_at);
        let ended: u64 = self.boards.iter().map(|board| u64::from(board.ended)).sum();
        if ended == 0 {
            // Like the rounds before.
            let mean = recent
                .iter()
                .sum::<u64>()
                .checked_div(recent.len() as u64)?;
            return Some(mean.saturating_sub(now.saturating_sub(self.began_at)));
        }
        let played = self.boards.iter().filter(|board| board.ended > 0);
        let mean = played.map(spent).sum::<u64>() / ended;
        let left = |board: &Board| {
            let own = u64::from(board.ended);
            let missing = u64::from(games.saturating_sub(board.ended));
            let (a_game, since) = match own {
                0 => {
                    let since = now.saturating_sub(self.began_at);
                    (mean.max(since), since)
                }
                own => (spent(board) / own, now.saturating_sub(board.last_at)),
            };
            // The game that runs is not over before now.
            match missing {
                0 => 0,
                missing => (missing - 1) * a_game + a_game.saturating_sub(since),
            }
        };
        self.boards.iter().map(left).max()
    }
}

#[cfg(test)]
mod tests;
