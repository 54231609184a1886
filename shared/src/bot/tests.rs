//! Built-in players against brute force.

use std::collections::HashMap;

use super::*;
use crate::solver::standing;

/// SplitMix64 (Steele, Lea and Flood, 2014): the same bits in every run.
pub(super) fn bits(mut state: u64) -> impl FnMut() -> u64 {
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
    assert_fits(
        &choices(Bot::random(), "nim:1,2,4", TIMES),
        &expected,
        TIMES,
    );
}

#[test]
fn a_perfect_bot_chooses_evenly_among_the_wins_and_when_lost_among_all() {
    let wins = ["B-4", "C-4", "D-4"].map(|mv| (mv, 1.0 / 3.0));
    assert_fits(&choices(Bot::perfect(), "nim:1,4,6,7", TIMES), &wins, TIMES);
    let lost = ["A-1", "A-2", "B-1", "B-2"].map(|mv| (mv, 0.25));
    assert_fits(&choices(Bot::perfect(), "nim:2,2", TIMES), &lost, TIMES);
}

#[test]
fn skill_is_the_chance_of_keeping_the_win() {
    let expected = [("B-1", 0.6), ("A-1", 0.2), ("B-2", 0.2)];
    assert_fits(
        &choices(Bot::skill(0.6), "nim:1,2", TIMES),
        &expected,
        TIMES,
    );
    assert_eq!(choices(Bot::skill(1.0), "nim:1,2", 500).len(), 1);
    // Without skill it gives every win away that can be given away.
    assert_eq!(choices(Bot::skill(0.0), "nim:1,2", 500).len(), 2);
    assert_eq!(choices(Bot::skill(0.0), "nim:1", 500).len(), 1);
    let lost = ["A-1", "A-2", "B-1", "B-2"].map(|mv| (mv, 0.25));
    assert_fits(&choices(Bot::skill(0.5), "nim:2,2", TIMES), &lost, TIMES);
}

/// Every bot there is.
fn everyone() -> Vec<Bot> {
    let names = Bot::WORDS.into_iter().chain(["skill:0", "skill:1"]);
    names.map(|name| name.parse().expect("a bot")).collect()
}

#[test]
fn a_greedy_bot_leaves_the_fewest_moves() {
    let greedy = || "greedy".parse().expect("a bot");
    assert_eq!(choices(greedy(), "nim:5,7,1", 100)["B-7"], 100);
    let expected = [("A-5", 0.5), ("B-5", 0.5)];
    assert_fits(&choices(greedy(), "nim:5,5", TIMES), &expected, TIMES);
    // It ends the game where that wins, and does not where that loses.
    assert_eq!(choices(greedy(), "nim:5", 50)["A-5"], 50);
    assert_eq!(choices(greedy(), "nim:5@misere", 50)["A-4"], 50);
    assert_eq!(choices(greedy(), "nim:1@misere", 5)["A-1"], 5);
}

#[test]
fn a_teacher_leaves_exactly_one_winning_reply() {
    let teacher = || "teacher".parse().expect("a bot");
    // From 3,5,7 each of these leaves one way to win, and the other moves leave none or several.
    for mv in choices(teacher(), "nim:3,5,7", 200).keys() {
        let position = Position::parse("nim:3,5,7").expect("a position");
        let mv = position.parse_move(Seat::First, mv).expect("a move");
        let after = position.play(&mv);
        let standing = standing(&after, Seat::Second, &Budget::nodes(10_000)).expect("nim");
        assert_eq!(standing.winning, 1, "{mv}");
        assert!(standing.legal > 1, "{mv}");
    }
    // A pile of one must be taken, and a pile of two is left as a problem rather than won.
    assert_eq!(choices(teacher(), "nim:1", 5)["A-1"], 5);
    assert_eq!(choices(teacher(), "nim:3", 50)["A-1"], 50);
}

#[test]
fn a_trickster_wins_what_is_won_and_otherwise_sets_the_best_trap() {
    let trickster = || "trickster".parse().expect("a bot");
    assert_eq!(choices(trickster(), "nim:1,2", 50)["B-1"], 50);
    // Lost: each reply set is judged by brute force here.
    let position = Position::parse("nim:1,4,5").expect("a position");
    let mut recursion = Recursion::default();
    let mut share = |mv: &crate::Move| {
        let after = position.play(mv);
        let replies: Vec<_> = after.moves(Seat::Second).collect();
        let wins = replies
            .iter()
            .filter(|reply| recursion.loses(&after.play(reply)));
        wins.count() as f64 / replies.len() as f64
    };
    let smallest = position
        .moves(Seat::First)
        .map(|mv| share(&mv))
        .fold(1.0, f64::min);
    for mv in choices(trickster(), "nim:1,4,5", 200).keys() {
        let mv = position.parse_move(Seat::First, mv).expect("a move");
        assert!(share(&mv) <= smallest, "{mv}");
    }
}

/// Who loses by plain recursion, each position looked at once.
#[derive(Default)]
struct Recursion(HashMap<Position, bool>);

impl Recursion {
    /// Whether the player to move loses.
    fn loses(&mut self, position: &Position) -> bool {
        if let Some(known) = self.0.get(position) {
            return *known;
        }
        let moves: Vec<_> = position.moves(Seat::First).collect();
        let loses = match moves.is_empty() {
            true => !position.end_rule().is_misere(),
            false => !moves.iter().any(|mv| self.loses(&position.play(mv))),
        };
        self.0.insert(position.clone(), loses);
        loses
    }
}

/// 95 % by Wilson, 1927.
fn wilson(hits: u32, of: u32) -> std::ops::RangeInclusive<f64> {
    const Z: f64 = 1.959_964;
    let (n, share) = (f64::from(of), f64::from(hits) / f64::from(of));
    let centre = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    // A share of exactly 0 or 1 rounds to just inside.
    (centre - half) / scale - 1e-12..=(centre + half) / scale + 1e-12
}

#[test]
fn the_accuracy_of_a_skilled_bot_is_its_skill() {
    let starts = [
        "nim:3,4,5",
        "nim:2,4,5@misere",
        "kayles:9,4",
        "wythoff:5,6",
        "sub.1.3.4:9,8",
        "cram:.../.../...",
    ];
    let mut random = bits(2026);
    let mut recursion = Recursion::default();
    for skill in [0.0, 0.35, 0.7, 0.92, 1.0] {
        let bot = Bot::skill(skill);
        let (mut kept, mut won) = (0, 0);
        for start in starts {
            let start = Position::parse(start).expect("a position");
            for _ in 0..60 {
                let mut position = start.clone();
                while let Some(mv) =
                    bot.choose(&position, Seat::First, &Budget::nodes(100_000), &mut random)
                {
                    let after = position.play(&mv);
                    // By brute force, so that a fault of the solver would show.
                    let wins: Vec<bool> = position
                        .moves(Seat::First)
                        .map(|mv| recursion.loses(&position.play(&mv)))
                        .collect();
                    if wins.contains(&true) && wins.contains(&false) {
                        won += 1;
                        kept += u32::from(recursion.loses(&after));
                    }
                    position = after;
                }
            }
        }
        assert!(won > 300, "{won}");
        let interval = wilson(kept, won);
        assert!(
            interval.contains(&skill),
            "{skill}: {kept} of {won}, {interval:?}"
        );
    }
}

#[test]
fn a_skilled_bot_gives_a_win_away_also_among_very_many_moves() {
    for text in ["nim:1000000000000000000,7", "nim:9999,9998,3@misere"] {
        let position = Position::parse(text).expect("a position");
        let mut random = bits(4);
        for _ in 0..20 {
            let budget = Budget::nodes(1_000_000);
            let mv = Bot::skill(0.0)
                .choose(&position, Seat::First, &budget, &mut random)
                .expect("there is a move");
            let after = standing(&position.play(&mv), Seat::Second, &budget).expect("nim");
            assert_eq!(after.winner, Some(Seat::Second), "{text} {mv}");
        }
    }
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
        for bot in everyone() {
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
        for (bot, most) in everyone().into_iter().map(|bot| {
            // Once every 1,024 nodes; these two look at the answers to 256 moves, each with a meter that asks once more.
            let many = ["teacher", "trickster"].contains(&&*bot.to_string());
            let most = if many { 1_500 } else { 1_100 };
            (bot, most)
        }) {
            asked.set(0);
            let mv = bot.choose(&position, Seat::First, &budget, &mut bits(5));
            assert!(mv.is_some(), "{text}");
            assert!(
                asked.get() < most,
                "{bot} {text}: asked {} times",
                asked.get()
            );
        }
    }
}

#[test]
fn a_bot_that_is_stopped_answers_at_once() {
    for text in [
        "cram:...../...../...../...../.....",
        "kayles:60,59,58",
        "chomp:9,9",
    ] {
        let position = Position::parse(text).expect("a position");
        for bot in everyone() {
            for stopped_at in [1, 3, 40] {
                let asked = std::cell::Cell::new(0u32);
                let budget = Budget {
                    nodes: u64::MAX,
                    memory_bytes: 256 << 20,
                    stop: &|| {
                        asked.set(asked.get() + 1);
                        asked.get() >= stopped_at
                    },
                };
                let mv = bot.choose(&position, Seat::First, &budget, &mut bits(5));
                let mv = mv.expect("there is a move").to_string();
                assert!(position.parse_move(Seat::First, &mv).is_ok(), "{bot}: {mv}");
                // Bots that judge 256 moves begin with each of them, in four parts at most, and end there.
                let more = asked.get().saturating_sub(stopped_at);
                assert!(more <= 4 * 256, "{bot} {text}: asked {more} times more");
            }
        }
    }
}

#[test]
fn bots_are_read_and_printed() {
    for (text, bot, printed) in [
        ("perfect", Bot::perfect(), "perfect"),
        ("random", Bot::random(), "random"),
        ("skill", Bot::skill(0.7), "skill:0.7"),
        ("skill:0.7", Bot::skill(0.7), "skill:0.7"),
        ("skill:1", Bot::skill(1.0), "skill:1"),
        ("greedy", Bot::new(super::greedy::Greedy), "greedy"),
        ("teacher", Bot::new(super::replies::Teacher), "teacher"),
        (
            "trickster",
            Bot::new(super::replies::Trickster),
            "trickster",
        ),
    ] {
        assert_eq!(text.parse(), Ok(bot.clone()));
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
        "perfect:1",
        "teacher:",
    ] {
        let error = text.parse::<Bot>().expect_err("no bot");
        assert!(error.to_string().contains("skill:0.7"), "{text}");
    }
}

#[test]
fn strengths_have_names_that_are_typed_and_never_stored() {
    let names: Vec<&str> = Bot::strengths().map(|(name, _)| name).collect();
    assert_eq!(names, ["beginner", "casual", "club", "strong"]);
    for (name, bot) in Bot::strengths() {
        assert_eq!(Bot::of_typed(name), Ok(bot.clone()));
        assert_eq!(bot.strength(), Some(name));
        assert!(name.parse::<Bot>().is_err(), "{name}");
    }
    assert_eq!(Bot::of_typed("Perfect"), Ok(Bot::perfect()));
    assert_eq!(Bot::default().strength(), Some("club"));
    assert_eq!(Bot::skill(0.6).strength(), None);
    assert!(Bot::of_typed("best").is_err());
}
