//! Built-in players. Pure: chance is passed in as random bits, time as the solver's budget.

use std::fmt;
use std::str::FromStr;

use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::{Budget, best_moves};

/// Winning moves that a bot chooses among; where there are more, the first ones.
const LISTED_WINS: usize = 1_000;

/// How a built-in player chooses its moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bot {
    /// Any of the winning moves, all alike; from a lost position any move. Where play may be endless the quickest wins, and in a draw
    /// the moves that keep it.
    Perfect,
    /// Any of the legal moves, all alike.
    Random,
    /// Sees the win with this probability, from 0 to 1, and then plays as `Perfect`; otherwise as `Random`.
    Skill(f64),
}

impl Default for Bot {
    fn default() -> Self {
        Self::Skill(0.7)
    }
}

impl Bot {
    /// What the name of a built-in player begins with.
    pub const WORDS: [&'static str; 3] = ["perfect", "random", "skill"];

    /// A legal move, when there is one. Where the budget does not suffice to know a winning move, every legal move is
    /// as likely as any other. `random` gives 64 random bits at each call.
    pub fn choose(
        &self,
        position: &Position,
        to_move: Seat,
        budget: &Budget<'_>,
        random: &mut dyn FnMut() -> u64,
    ) -> Option<Move> {
        let sees = match self {
            Self::Perfect => true,
            Self::Random => false,
            Self::Skill(chance) => fraction(random()) < *chance,
        };
        let winning = sees
            .then(|| best_move(position, to_move, budget, random))
            .flatten();
        winning.or_else(|| {
            let count = position.move_count(to_move);
            (count > 0).then(|| position.nth_move(to_move, below(count, random)))?
        })
    }
}

fn best_move(
    position: &Position,
    to_move: Seat,
    budget: &Budget<'_>,
    random: &mut dyn FnMut() -> u64,
) -> Option<Move> {
    let mut wins = best_moves(position, to_move, budget, LISTED_WINS)?.first;
    if wins.is_empty() {
        return None;
    }
    let chosen = below(wins.len() as u128, random) as usize;
    Some(wins.swap_remove(chosen))
}

/// A fraction from 0 to below 1, evenly: the 53 bits that a float keeps.
fn fraction(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// A number from 0 to below `count`, every one as likely: of the random numbers beyond the largest multiple of `count`
/// none is used. On average fewer than two are drawn.
fn below(count: u128, random: &mut dyn FnMut() -> u64) -> u128 {
    let unfair = (u128::MAX % count + 1) % count;
    loop {
        let drawn = u128::from(random()) << 64 | u128::from(random());
        if drawn <= u128::MAX - unfair {
            return drawn % count;
        }
    }
}

/// A text that is not a built-in bot.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{0}' is not a built-in bot: write perfect, random, or skill:0.7 (the chance, from 0 to 1, that it sees a win)"
)]
pub struct BotError(String);

impl FromStr for Bot {
    type Err = BotError;

    /// Reads `perfect`, `random`, `skill:0.7`, and `skill` for the default.
    fn from_str(text: &str) -> Result<Self, BotError> {
        let chance = |text: &str| {
            text.parse()
                .ok()
                .filter(|chance| (0.0..=1.0).contains(chance))
                .map(Self::Skill)
        };
        let bot = match text {
            "perfect" => Some(Self::Perfect),
            "random" => Some(Self::Random),
            "skill" => Some(Self::default()),
            _ => text.strip_prefix("skill:").and_then(chance),
        };
        bot.ok_or_else(|| BotError(text.chars().take(40).collect()))
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Perfect => f.pad("perfect"),
            Self::Random => f.pad("random"),
            Self::Skill(chance) => f.pad(&format!("skill:{chance}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// SplitMix64 (Steele, Lea and Flood, 2014): the same bits in every run.
    fn bits(mut state: u64) -> impl FnMut() -> u64 {
        move || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ (z >> 31)
        }
    }

    fn choices(bot: Bot, text: &str, times: u32) -> HashMap<String, u32> {
        let position = Position::parse(text).expect("a position");
        let mut random = bits(7);
        let mut counts = HashMap::new();
        for _ in 0..times {
            let mv = bot
                .choose(&position, Seat::First, &Budget::nodes(10_000), &mut random)
                .expect("there is a move");
            *counts.entry(mv.to_string()).or_insert(0) += 1;
        }
        counts
    }

    /// Chi-square stays below its mean and five standard deviations when the choice is as expected.
    fn assert_fits(counts: &HashMap<String, u32>, expected: &[(&str, f64)], times: u32) {
        assert_eq!(counts.len(), expected.len(), "{counts:?}");
        let chi_square: f64 = expected
            .iter()
            .map(|(mv, share)| {
                let mean = share * f64::from(times);
                (f64::from(counts[*mv]) - mean).powi(2) / mean
            })
            .sum();
        let freedom = (expected.len() - 1) as f64;
        assert!(
            chi_square < freedom + 5.0 * (2.0 * freedom).sqrt(),
            "{chi_square}: {counts:?}"
        );
    }

    const TIMES: u32 = 12_000;

    #[test]
    fn a_random_bot_chooses_evenly_among_all_moves() {
        let all = ["A-1", "B-1", "B-2", "C-1", "C-2", "C-3", "C-4"];
        let expected: Vec<_> = all.iter().map(|mv| (*mv, 1.0 / 7.0)).collect();
        assert_fits(&choices(Bot::Random, "nim:1,2,4", TIMES), &expected, TIMES);
    }

    #[test]
    fn a_perfect_bot_chooses_evenly_among_the_wins_and_when_lost_among_all() {
        let wins = ["B-4", "C-4", "D-4"].map(|mv| (mv, 1.0 / 3.0));
        assert_fits(&choices(Bot::Perfect, "nim:1,4,6,7", TIMES), &wins, TIMES);
        let lost = ["A-1", "A-2", "B-1", "B-2"].map(|mv| (mv, 0.25));
        assert_fits(&choices(Bot::Perfect, "nim:2,2", TIMES), &lost, TIMES);
    }

    #[test]
    fn skill_is_the_chance_of_seeing_the_win() {
        // Without seeing it, one move in three is the win all the same.
        let seen = 0.6 + 0.4 / 3.0;
        let expected = [("B-1", seen), ("A-1", 0.4 / 3.0), ("B-2", 0.4 / 3.0)];
        assert_fits(
            &choices(Bot::Skill(0.6), "nim:1,2", TIMES),
            &expected,
            TIMES,
        );
        assert_eq!(choices(Bot::Skill(1.0), "nim:1,2", 500).len(), 1);
        assert_eq!(choices(Bot::Skill(0.0), "nim:1,2", 500).len(), 3);
    }

    #[test]
    fn no_position_is_too_large_or_too_small() {
        let mut random = bits(1);
        for (text, has_move) in [
            ("nim:_", false),
            ("nim:0,0", false),
            ("nim:1000000000000000000,999999999999999999,3", true),
            ("nim:3,4,5@misere", true),
        ] {
            let position = Position::parse(text).expect("a position");
            for bot in [Bot::Perfect, Bot::Random, Bot::default()] {
                for nodes in [0, 10_000] {
                    let mv = bot.choose(&position, Seat::First, &Budget::nodes(nodes), &mut random);
                    assert_eq!(mv.is_some(), has_move, "{bot} {text}");
                }
            }
        }
    }

    #[test]
    fn a_bot_thinks_about_its_move_and_nothing_else() {
        for text in [
            "kayles:60,59,58",
            "wythoff:30000,48541",
            "nim:300,200+bash.3:77",
        ] {
            let position = Position::parse(text).expect("a position");
            let asked = std::cell::Cell::new(0u32);
            let budget = Budget {
                nodes: 3_000_000,
                memory_bytes: 1 << 30,
                stop: &|| {
                    asked.set(asked.get() + 1);
                    false
                },
            };
            let mv = Bot::Perfect.choose(&position, Seat::First, &budget, &mut bits(5));
            assert!(mv.is_some(), "{text}");
            // Once every 1,024 nodes.
            assert!(asked.get() < 100, "{text}: asked {} times", asked.get());
        }
    }

    #[test]
    fn numbers_are_drawn_evenly_whatever_the_count() {
        let mut random = bits(3);
        let mut counts = [0u32; 3];
        for _ in 0..TIMES {
            counts[below(3, &mut random) as usize] += 1;
        }
        assert!(
            counts.iter().all(|count| count.abs_diff(TIMES / 3) < 260),
            "{counts:?}"
        );
        for count in [
            1,
            2,
            u128::from(u64::MAX),
            1 << 127,
            (1 << 127) + 1,
            u128::MAX,
        ] {
            assert!(below(count, &mut random) < count);
        }
        // The last, unfair stretch is drawn again.
        let mut script = [u64::MAX, u64::MAX, 0, 5].into_iter();
        assert_eq!(below(3, &mut || script.next().expect("four are enough")), 2);
    }

    #[test]
    fn bots_are_read_and_printed() {
        for (text, bot, printed) in [
            ("perfect", Bot::Perfect, "perfect"),
            ("random", Bot::Random, "random"),
            ("skill", Bot::Skill(0.7), "skill:0.7"),
            ("skill:0.7", Bot::Skill(0.7), "skill:0.7"),
            ("skill:1", Bot::Skill(1.0), "skill:1"),
        ] {
            assert_eq!(text.parse(), Ok(bot));
            assert_eq!(bot.to_string(), printed);
        }
        for text in [
            "",
            "Perfect",
            "skill:",
            "skill:1.1",
            "skill:-0.1",
            "skill:NaN",
            "skill:inf",
            "best",
        ] {
            let error = text.parse::<Bot>().expect_err("no bot");
            assert!(error.to_string().contains("skill:0.7"), "{text}");
        }
    }
}
