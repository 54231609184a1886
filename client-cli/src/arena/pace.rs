//! How long the rest of an arena takes.

use std::time::Duration;

use super::result::GameResult;

/// How long a bot thought, in seconds.
#[derive(Clone, Copy, Debug, Default)]
struct Thought {
    games: u64,
    seconds: f64,
}

/// What was played so far by this process. Bots differ, and the plan need not mix them: games of slow bots may all come last, so the
/// rest is estimated from what each bot needs for a game. All workers are busy to the end, so what their time held besides thinking is
/// the same for each game.
#[derive(Debug)]
pub(crate) struct Pace {
    workers: f64,
    bots: Vec<Thought>,
    games: u64,
}

impl Pace {
    pub(crate) fn new(bots: usize, workers: usize) -> Self {
        Self {
            workers: workers.max(1) as f64,
            bots: vec![Thought::default(); bots],
            games: 0,
        }
    }

    /// A game that was played now, by the bots in these places.
    pub(crate) fn note(&mut self, result: &GameResult, bots: [usize; 2]) {
        let Some(timing) = &result.timing else {
            return;
        };
        self.games += 1;
        let mut seconds = [0.0; 2];
        for (ply, micros) in timing.moves_us.iter().enumerate() {
            seconds[ply % 2] += f64::from(*micros) / 1e6;
        }
        for (bot, seconds) in bots.into_iter().zip(seconds) {
            if let Some(thought) = self.bots.get_mut(bot) {
                thought.games += 1;
                thought.seconds += seconds;
            }
        }
    }

    /// How long it takes to play so many games of these bots, and so many games of nobody knows whom, if all of it so far took
    /// `elapsed`. `None` before the first game.
    pub(crate) fn left(
        &self,
        elapsed: Duration,
        known: impl IntoIterator<Item = ([usize; 2], u64)>,
        others: u64,
    ) -> Option<Duration> {
        if self.games == 0 {
            return None;
        }
        let games = self.games as f64;
        let thought: f64 = self.bots.iter().map(|bot| bot.seconds).sum();
        let a_player = thought / (2.0 * games);
        let besides = (elapsed.as_secs_f64() * self.workers - thought).max(0.0) / games;
        let of = |bot: usize| match self.bots.get(bot) {
            Some(bot) if bot.games > 0 => bot.seconds / bot.games as f64,
            _ => a_player,
        };
        let known = known.into_iter();
        let known: f64 = known
            .map(|([one, two], games)| games as f64 * (of(one) + of(two) + besides))
            .sum();
        let others = others as f64 * (2.0 * a_player + besides);
        Duration::try_from_secs_f64((known + others) / self.workers).ok()
    }
}

#[cfg(test)]
mod tests {
    use grundy_shared::event::Outcome;
    use grundy_shared::oracle::Deeds;

    use super::super::cause::Cause;
    use super::super::result::Timing;
    use super::*;

    /// A game in which each player thinks so long over its only move.
    fn game(micros: [u32; 2]) -> GameResult {
        GameResult {
            game: 1,
            pair: 1,
            round: 1,
            start: "nim:2".to_owned(),
            first: "a".to_owned(),
            second: "b".to_owned(),
            outcome: Outcome::First,
            cause: Cause::Normal,
            detail: String::new(),
            moves: "A-1 A-1".to_owned(),
            favoured: None,
            deeds: [Deeds::default(); 2],
            timing: Some(Timing {
                ms: 0,
                moves_us: micros.to_vec(),
            }),
        }
    }

    /// Plays these encounters one after another with so many workers; the error of the estimate after a tenth of the games, as a share
    /// of the truth.
    fn error(slowness: &[u32], besides: f64, workers: usize, plan: &[[usize; 2]]) -> f64 {
        let games = 100;
        let planned = games * plan.len() as u64;
        let mut pace = Pace::new(slowness.len(), workers);
        let mut work = 0.0;
        let mut played = 0;
        let mut estimate = None;
        for (at, bots) in plan.iter().enumerate() {
            for number in 0..games {
                let micros = bots.map(|bot| slowness[bot]);
                pace.note(&game(micros), *bots);
                work += f64::from(micros[0] + micros[1]) / 1e6 + besides;
                played += 1;
                if played * 10 == planned {
                    let elapsed = Duration::from_secs_f64(work / workers as f64);
                    let rest = plan[at..].iter().enumerate().map(|(ahead, bots)| {
                        let missing = if ahead == 0 {
                            games - number - 1
                        } else {
                            games
                        };
                        (*bots, missing)
                    });
                    estimate = Some((work, pace.left(elapsed, rest, 0).expect("played")));
                }
            }
        }
        let (before, left) = estimate.expect("a tenth");
        let truth = (work - before) / workers as f64;
        (left.as_secs_f64() - truth).abs() / truth
    }

    #[test]
    fn after_the_first_tenth_the_estimate_is_within_a_quarter_of_the_truth() {
        let gauntlet: Vec<[usize; 2]> = (1..20).map(|other| [0, other]).collect();
        let two = [[0, 1]; 10];
        // The slow bots meet each other last.
        let last = [
            [0, 2],
            [1, 3],
            [0, 3],
            [1, 2],
            [0, 1],
            [2, 3],
            [2, 3],
            [2, 3],
            [2, 3],
            [2, 3],
        ];
        let twice: Vec<[usize; 2]> = last[..4].iter().chain(&last.repeat(3)).copied().collect();
        for (name, slowness, plan) in [
            ("two bots alike", vec![100; 2], &two[..]),
            ("one of two slow", vec![10, 5_000], &two),
            ("a gauntlet", vec![50; 20], &gauntlet),
            ("slow bots meet last", vec![10, 10, 4_000, 6_000], &twice),
        ] {
            for workers in [1, 2, 8] {
                for besides in [0.0, 0.000_1, 0.01] {
                    let error = error(&slowness, besides, workers, plan);
                    assert!(error <= 0.25, "{name}: {error} with {workers} workers");
                }
            }
        }
    }

    #[test]
    fn games_that_are_not_played_now_say_nothing() {
        let mut pace = Pace::new(2, 1);
        let mut known = game([5, 5]);
        known.timing = None;
        pace.note(&known, [0, 1]);
        let second = Duration::from_secs(1);
        assert_eq!(pace.left(second, [([0, 1], 10)], 0), None);
        pace.note(&game([500_000, 500_000]), [0, 1]);
        let left = pace.left(second, [([0, 1], 10)], 5).expect("played");
        assert!((left.as_secs_f64() - 15.0).abs() < 1e-6, "{left:?}");
    }
}
