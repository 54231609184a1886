//! How much boards slow each other down.

use super::round::{Board, Round};

/// How much the lengths of the games of one board vary: their variance, as a share of the square of their mean. That of games
/// whose ends are pure chance would be 1.
const DISPERSION: f64 = 0.25;

/// So many boards can be busy without slowing each other down; if more are, they share what there is. 1 is a processor that is
/// always busy, the number of boards or more are boards that wait for nobody but their players.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crowding {
    room: f64,
}

/// How well each possible crowding explains the dates: weights whose sum is 1.
pub(super) fn likely(rounds: &[&Round], now: u64) -> Vec<(Crowding, f64)> {
    let most = rounds.iter().map(|round| round.boards()).max().unwrap_or(1);
    let rooms = (0..32).map(|power| 1u64 << power);
    // Up to the first room in which nobody waits.
    let doubled = 2 * most.max(1) as u64;
    let crowdings: Vec<Crowding> = rooms
        .take_while(|room| *room < doubled)
        .map(|room| Crowding { room: room as f64 })
        .collect();
    let likelihood = |crowding: &Crowding| crowding.log_likelihood(rounds, now) / DISPERSION;
    let logs: Vec<f64> = crowdings.iter().map(likelihood).collect();
    let best = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| (log - best).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let weights = weights.into_iter().map(|weight| weight / sum);
    crowdings.into_iter().zip(weights).collect()
}

impl Crowding {
    /// How many times as long everything takes with so many busy boards.
    fn slowness(self, busy: u32) -> f64 {
        (f64::from(busy) / self.room).max(1.0)
    }

    /// How long the board has played, in milliseconds of a board that is alone.
    fn played(self, round: &Round, until: u64) -> f64 {
        let spans = round.spans(until);
        spans.map(|(busy, ms)| ms / self.slowness(busy)).sum()
    }

    fn played_on(self, round: &Round, board: &Board, now: u64) -> f64 {
        self.played(round, board.done_at.unwrap_or(now))
    }

    /// The log-likelihood of these games: on each board games end by a Poisson process with a rate of its own, slowed down by the crowding.
    fn log_likelihood(self, rounds: &[&Round], now: u64) -> f64 {
        let of_board = |round: &Round, board: &Board| {
            let played = self.played_on(round, board, now);
            if board.ended == 0 || played <= 0.0 {
                return 0.0;
            }
            let ended = f64::from(board.ended);
            let slowed = board.ended_by_busy.iter();
            let slowed = slowed.map(|(busy, ended)| f64::from(*ended) * self.slowness(*busy).ln());
            ended * (ended / played).ln() - slowed.sum::<f64>()
        };
        let of_round = |round: &&Round| -> f64 {
            let boards = round.boards.iter();
            boards.map(|board| of_board(round, board)).sum()
        };
        rounds.iter().map(of_round).sum()
    }

    /// The mean length of a game on a board that is alone; `None` before a game has ended.
    pub(super) fn mean_game(self, rounds: &[&Round], now: u64) -> Option<f64> {
        let (mut games, mut played) = (0u64, 0.0);
        for round in rounds {
            for board in &round.boards {
                games += u64::from(board.ended);
                played += self.played_on(round, board, now);
            }
        }
        (games > 0).then(|| played / games as f64)
    }

    /// The mean length of a game of this board. Few games say little: `mean`, that of all boards, counts as one more.
    fn game_of(self, round: &Round, board: &Board, mean: f64, now: u64) -> f64 {
        let played = self.played_on(round, board, now);
        (played + mean) / (f64::from(board.ended) + 1.0)
    }

    /// How long the running round goes on.
    pub(super) fn rest(self, round: &Round, mean: f64, now: u64) -> f64 {
        let missing = round.boards.iter().map(|board| {
            let missing = round.games.saturating_sub(board.ended);
            if missing == 0 {
                return 0.0;
            }
            let game = self.game_of(round, board, mean, now);
            let of_this_game = self.played(round, now) - self.played(round, board.last_at);
            f64::from(missing) * game - of_this_game.clamp(0.0, game)
        });
        self.together(missing.collect())
    }

    /// How long a round like this one takes, with so many boards.
    pub(super) fn length(self, round: &Round, boards: usize, mean: f64, now: u64) -> f64 {
        let all = round.boards.iter().take(boards).map(|board| {
            let games = board.ended.max(round.games);
            f64::from(games) * self.game_of(round, board, mean, now)
        });
        self.together(all.collect())
    }

    /// How long boards take together, each of which would take so long alone.
    fn together(self, mut alone: Vec<f64>) -> f64 {
        alone.sort_by(f64::total_cmp);
        let boards = alone.len();
        let (mut time, mut before) = (0.0, 0.0);
        for (done, own) in alone.into_iter().enumerate() {
            let busy = (boards - done) as u32;
            time += (own - before) * self.slowness(busy);
            before = own;
        }
        time
    }
}
