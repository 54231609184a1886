//! Reviews of thousands of random matches against an oracle that knows only the rules: it walks every line of play
//! and shares nothing with the solver or the review but the moves.

use std::collections::HashMap;

use crate::contest::contest;
use grundy_shared::Position;
use grundy_shared::event::Outcome;
use grundy_shared::game::Kind;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::Seat;
use grundy_shared::review::{Mark, Review, TurningPoint};
use grundy_shared::solver::{Budget, MoveResult};

/// Positions of one start that the oracle walks; starts with more are passed over.
const MOST_POSITIONS: usize = 6_000;
/// Matches from each start in each end rule.
const MATCHES: u64 = 130;

/// What is true of a position: whether the player to move wins, in how many plies, and its Grundy value.
#[derive(Clone, Copy)]
pub(crate) struct Truth {
    pub(crate) won: bool,
    pub(crate) left: u64,
    value: u64,
    pub(crate) replies: u64,
    pub(crate) winning: u64,
}

#[derive(Default)]
pub(crate) struct Oracle(HashMap<(Position, Seat), Truth>);

impl Oracle {
    /// Plain recursion over the rules; `None` once there are too many positions.
    pub(crate) fn ask(&mut self, position: &Position, seat: Seat) -> Option<Truth> {
        let key = (position.clone(), seat);
        if let Some(truth) = self.0.get(&key) {
            return Some(*truth);
        }
        let mut after = Vec::new();
        for mv in position.moves(seat) {
            after.push(self.ask(&position.play(&mv), seat.other())?);
        }
        let lost: Vec<u64> = after.iter().filter(|t| !t.won).map(|t| t.left).collect();
        let won = match position.winner_if_over(seat) {
            Some(winner) => winner == seat,
            None => !lost.is_empty(),
        };
        let next = match won {
            true => lost.iter().min().copied(),
            false => after.iter().map(|t| t.left).max(),
        };
        let value = (0..).find(|value| after.iter().all(|t| t.value != *value))?;
        let truth = Truth {
            won,
            left: next.map_or(0, |left| left + 1),
            value,
            replies: after.len() as u64,
            winning: lost.len() as u64,
        };
        self.0.insert(key, truth);
        (self.0.len() <= MOST_POSITIONS).then_some(truth)
    }
}

/// The table of marks, said once more in plain words.
fn expected_mark(
    oracle: &mut Oracle,
    before: &Position,
    seat: Seat,
    last: Option<&str>,
    played: &str,
) -> Option<Mark> {
    let truth = oracle.ask(before, seat)?;
    let moves: Vec<_> = before.moves(seat).collect();
    if moves.len() == 1 {
        return Some(Mark::Forced);
    }
    let rate = |oracle: &mut Oracle, mv| {
        let after = oracle
            .ask(&before.play(mv), seat.other())
            .expect("walked already");
        let thrown = after.replies - after.winning;
        (after.won, thrown as f64 / after.replies.max(1) as f64)
    };
    let made = moves
        .iter()
        .find(|mv| mv.to_string() == played)
        .expect("legal");
    let (lets_win, own) = rate(oracle, made);
    if truth.won {
        if lets_win {
            return Some(Mark::Blunder);
        }
        if truth.winning != 1 || moves.len() < 3 {
            return None;
        }
        return match obvious(before, last, played) {
            Some(false) => Some(Mark::Brilliant),
            _ => Some(Mark::OnlyMove),
        };
    }
    let best = moves
        .iter()
        .map(|mv| rate(oracle, mv).1)
        .fold(0.0, f64::max);
    // Shares of small numbers of replies differ by far more than this, or not at all.
    const SLACK: f64 = 1e-9;
    if own > best - SLACK && own > 0.8 - SLACK {
        Some(Mark::Trap)
    } else if best - own > 0.25 - SLACK {
        Some(Mark::Soft)
    } else {
        None
    }
}

/// What a beginner tries, for a single component of heaps: by looking at the heaps after the move.
fn obvious(before: &Position, last: Option<&str>, played: &str) -> Option<bool> {
    let heaps = |position: &Position| -> Option<Vec<u64>> {
        let text = position.to_string();
        let (game, state) = text.split_once(':')?;
        let game = game.split('.').next()?;
        let known = [
            "nim",
            "bash",
            "sub",
            "wythoff",
            "octal",
            "kayles",
            "dawsonkayles",
            "dawsonchess",
        ];
        if !known.contains(&game) || state.contains('+') {
            return None;
        }
        let list = state.trim_end_matches("@misere").split(',');
        list.map(|heap| heap.parse().ok()).collect()
    };
    let old = heaps(before)?;
    let seat = Seat::First;
    let mv = before.parse_move(seat, played).expect("legal");
    let new = heaps(&before.play(&mv))?;
    let end_of = |text: &str| {
        let letters = text.chars().take_while(char::is_ascii_uppercase).count();
        (letters, text[letters..].to_owned())
    };
    let copied = last.is_some_and(|last| end_of(last) == end_of(played));
    let changed: Vec<usize> = (0..old.len())
        .filter(|heap| old[*heap] != new[*heap])
        .collect();
    let [heap] = changed[..] else {
        return Some(copied);
    };
    let mut sorted = old.clone();
    sorted.sort_unstable();
    let largest = sorted.pop()?;
    let second = sorted.pop().unwrap_or(0);
    let unsplit = new.len() == old.len();
    let aimed = unsplit && old[heap] == largest && (new[heap] == 0 || new[heap] == second);
    Some(copied || aimed)
}

/// SplitMix64: the same matches in every run.
pub(crate) struct Bits(pub(crate) u64);

impl Bits {
    pub(crate) fn below(&mut self, bound: u128) -> u128 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        u128::from(z ^ (z >> 31)) % bound
    }
}

/// Plays at random, sometimes to the end, and gives the moves.
pub(crate) fn moves(start: &Position, bits: &mut Bits) -> Vec<String> {
    let (mut position, mut seat) = (start.clone(), Seat::First);
    let mut moves = Vec::new();
    let stops = bits.below(4) == 0;
    while !position.is_over(seat) {
        if stops && bits.below(5) == 0 {
            break;
        }
        let count = position.move_count(seat);
        let mv = position.nth_move(seat, bits.below(count)).expect("counted");
        position = position.play(&mv);
        moves.push(mv.to_string());
        seat = seat.other();
    }
    moves
}

/// Compares a whole review with the truth.
fn check(start: &Position, moves: &[String], oracle: &mut Oracle) {
    let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
    let referee = contest(&start.to_string(), "none", &texts);
    let review = Review::of(&referee, &Budget::nodes(5_000_000));
    let about = format!("{start} {}", texts.join(" "));
    assert_eq!(review.unknown_positions, 0, "{about}");
    assert_eq!(review.traps_unknown, 0, "{about}");

    let (mut position, mut seat) = (start.clone(), Seat::First);
    let mut bits = [[0.0; 2]; 2];
    let mut chances = [[0; 2]; 2];
    let mut tries = [(0, 0.0, 0.0); 2];
    let mut points = review.turning_points.iter();
    let mut decisive = None;
    for index in 0..=moves.len() {
        let truth = oracle.ask(&position, seat).expect("walked already");
        let ply = &review.plies[index];
        let winner = if truth.won { seat } else { seat.other() };
        assert_eq!(
            ply.wins,
            Some(Outcome::win_of(winner)),
            "{about} ply {index}"
        );
        assert!(
            ply.left.is_none_or(|left| left == truth.left),
            "{about} ply {index}: {ply:?}"
        );
        assert!(
            ply.nim_value.is_none_or(|v| v == truth.value),
            "{about} ply {index}: {ply:?}"
        );
        let Some(text) = texts.get(index) else { break };

        let last = index.checked_sub(1).map(|last| texts[last]);
        let mark = expected_mark(oracle, &position, seat, last, text);
        let found = &review.plies[index + 1];
        assert_eq!(found.mark, mark, "{about} ply {}", index + 1);
        assert_eq!(found.legal_moves, Some(truth.replies));
        assert_eq!(
            found.winning_moves,
            Some(if truth.won { truth.winning } else { 0 })
        );
        if !truth.won && truth.replies > 1 {
            let own = &mut tries[seat.index()];
            own.0 += 1;
            own.1 += found.trap_rate.expect("compared");
            own.2 += found.best_trap_rate.expect("compared");
        }
        let mv = position.parse_move(seat, text).expect("legal");
        if found.mark == Some(Mark::Blunder) {
            let point = points.next().expect("each mistake is a turning point");
            assert_eq!(point.ply, found.ply, "{about}");
            check_reason(point, &position, seat, oracle, &about);
        }
        position = position.play(&mv);
        if truth.won {
            let kept = !oracle
                .ask(&position, seat.other())
                .expect("walked already")
                .won;
            let worth = (truth.replies as f64 / truth.winning as f64).log2();
            let of = seat.index();
            let had = if kept { worth } else { 0.0 };
            assert!((found.bits_offered.expect("known") - worth).abs() < 1e-9);
            assert!((found.bits_found.expect("known") - had).abs() < 1e-9);
            bits[of][0] += worth;
            chances[of][0] += 1;
            if kept {
                bits[of][1] += worth;
                chances[of][1] += 1;
            } else {
                decisive = Some((index as u32 + 1, seat));
            }
        }
        seat = seat.other();
    }
    for seat in Seat::BOTH {
        let (summary, of) = (review.summary.of(seat), seat.index());
        assert_eq!([summary.chances, summary.kept], chances[of], "{about}");
        assert!((summary.bits_offered - bits[of][0]).abs() < 1e-9, "{about}");
        assert!((summary.bits_found - bits[of][1]).abs() < 1e-9, "{about}");
        let (tried, made, best) = tries[of];
        assert_eq!(summary.resistance.moves, tried, "{about}");
        assert!((summary.resistance.made - made).abs() < 1e-9, "{about}");
        assert!((summary.resistance.best - best).abs() < 1e-9, "{about}");
        let table = review.plies.iter().filter(|ply| ply.seat == Some(seat));
        for mark in Mark::ALL {
            let count = table.clone().filter(|ply| ply.mark == Some(mark)).count();
            assert_eq!(summary.marks.of(mark) as usize, count, "{about}");
        }
    }
    assert_eq!(points.next(), None, "{about}");
    let lost_by = referee
        .outcome()
        .and_then(|(outcome, _)| outcome.winner())
        .map(Seat::other);
    let expected = decisive
        .filter(|(_, by)| Some(*by) == lost_by)
        .map(|(ply, _)| ply);
    assert_eq!(review.decisive_ply.map(|ply| ply.0), expected, "{about}");
    let text = review.to_string();
    assert!(text.is_ascii(), "{about}");
    for (ply, row) in review
        .plies
        .iter()
        .zip(text.lines().filter(|line| line.contains('|')))
    {
        assert!(
            row.trim_start().starts_with(&ply.ply.to_string()),
            "{about}\n{text}"
        );
    }
}

/// What a turning point says of both moves: the one that was made, its refutation, and a better one.
fn check_reason(
    point: &TurningPoint,
    before: &Position,
    seat: Seat,
    oracle: &mut Oracle,
    about: &str,
) {
    let Some(why) = &point.why else {
        return;
    };
    let mut won_after = |position: &Position, mv: &str, seat: Seat| {
        let mv = position.parse_move(seat, mv).expect("legal");
        let after = position.play(&mv);
        let won = oracle
            .ask(&after, seat.other())
            .expect("walked already")
            .won;
        (after, won)
    };
    let made = why.moves.first().expect("the move that was made");
    assert_eq!(made.mv, point.mv, "{about}");
    assert_eq!(made.result, MoveResult::Loses, "{about}");
    let (after, opponent_wins) = won_after(before, &made.mv, seat);
    assert!(opponent_wins, "{about}");
    assert_eq!(made.leaves.position, after.to_string(), "{about}");
    // In misere play the last move loses without a reply.
    if !after.is_over(seat.other()) {
        let reply = made.reply.as_ref().expect("a refutation");
        let (_, still_won) = won_after(&after, &reply.mv, seat.other());
        assert!(!still_won, "{about}: {} does not refute", reply.mv);
    }
    let best = point.best().expect("a better move");
    assert!(
        !won_after(before, best, seat).1,
        "{about}: {best} does not win"
    );
    assert!(why.moves.iter().any(|reason| reason.mv == best), "{about}");
}

#[test]
fn reviews_of_random_matches_agree_with_brute_force() {
    let mut bits = Bits(1);
    let mut played = 0;
    for game in REGISTRY {
        for example in game.examples {
            let plain = example.trim_end_matches("@misere");
            for start in [plain.to_owned(), format!("{plain}@misere")] {
                let start = Position::parse(&start).expect("a registered example");
                let mut oracle = Oracle::default();
                // Plain recursion does not end where positions come again.
                if start.kind() == Kind::Loopy {
                    continue;
                }
                if start.is_over(Seat::First) || oracle.ask(&start, Seat::First).is_none() {
                    continue;
                }
                for _ in 0..MATCHES {
                    let moves = moves(&start, &mut bits);
                    check(&start, &moves, &mut oracle);
                    played += 1;
                }
            }
        }
    }
    assert!(played >= 10_000, "only {played} matches were small enough");
}

#[test]
fn reviews_of_random_sums_agree_with_brute_force() {
    let mut bits = Bits(2);
    for text in [
        "nim:2,3+nim:1,2",
        "nim:1,1+nim:4+nim:1",
        "nim:2,3+kayles:4",
        "wythoff:2,3+sub.1.3.4:5+octal.0.137:4",
        "kayles:3+nim:1,2@misere",
        "nim:1,1,2+nim:2,2@misere",
    ] {
        let start = Position::parse(text).expect("a position");
        let mut oracle = Oracle::default();
        oracle.ask(&start, Seat::First).expect("a small position");
        for _ in 0..MATCHES {
            let moves = moves(&start, &mut bits);
            check(&start, &moves, &mut oracle);
        }
    }
}
