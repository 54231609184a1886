//! Ratings of players and puzzles in solving: what an attempt does to both, and how the logs show a changed figure.

use std::collections::BTreeMap;

use grundy_shared::Position;
use grundy_shared::ids::{Millis, PuzzleId, Seat, Seq};
use grundy_shared::puzzle::{
    Attempted, Collection, Given, Puzzle, PuzzleEvent, SolvingEvent, Tried, first_rating, rate,
};
use grundy_shared::rated::{RatingFault, RatingState, Strength};
use grundy_shared::solver::Budget;
use proptest::prelude::*;

const DAY: u64 = 24 * 60 * 60 * 1_000;

fn puzzle(text: &str) -> Puzzle {
    let position = Position::parse(text).expect("a position");
    Puzzle::at(&position, Seat::First, &Budget::nodes(1_000_000)).expect("a puzzle")
}

fn given(puzzle: PuzzleId, at: u64, solved: bool) -> Given {
    Given {
        puzzle,
        at_ms: Millis(at),
        mv: solved.then(|| "A-1".to_owned()),
        solved,
    }
}

/// The expected score of a strength against another, and a plain step of Glicko-2 with the volatility kept: Glickman 2013, steps 3, 4, 7 and 8.
fn plainly(own: Strength, other: Strength, score: f64) -> (f64, f64) {
    const SCALE: f64 = 173.7178;
    let [own, other] = [own.to_rating(), other.to_rating()];
    let (mu, phi) = ((own.rating - 1500.0) / SCALE, own.deviation / SCALE);
    let (mu_j, phi_j) = ((other.rating - 1500.0) / SCALE, other.deviation / SCALE);
    let g = (1.0 + 3.0 * phi_j.powi(2) / std::f64::consts::PI.powi(2))
        .sqrt()
        .recip();
    let expected = (1.0 + (-g * (mu - mu_j)).exp()).recip();
    let variance = (g.powi(2) * expected * (1.0 - expected)).recip();
    let star = phi.hypot(own.volatility);
    let phi_new = (star.powi(-2) + variance.recip()).sqrt().recip();
    let mu_new = mu + phi_new.powi(2) * g * (score - expected);
    (mu_new * SCALE + 1500.0, phi_new * SCALE)
}

#[test]
fn a_position_is_one_puzzle_wherever_it_comes_from() {
    let edition = Collection::edition();
    let mut ids: Vec<PuzzleId> = edition.numbered().map(|(_, one)| one.id()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), edition.len());
    let (_, first) = edition.numbered().next().expect("a puzzle");
    let (position, to_move) = first.position();
    let again = Puzzle::at(&position, to_move, &Budget::nodes(20_000_000)).expect("a puzzle");
    assert_eq!(again.id(), first.id());
    // An id is stored for ever: this one never changes.
    assert_eq!(
        puzzle("nim:3,4,6").id().to_string(),
        "4d4acdb8a1eb022f96a5310be5a755c5"
    );
}

#[test]
fn the_first_rating_of_a_puzzle_is_that_of_the_stated_formula() {
    for (_, one) in Collection::edition().numbered() {
        let state = first_rating(one);
        let expected = 1_000.0 + 200.0 * one.bits() + 50.0 * (one.legal as f64).log2();
        let expected = expected.clamp(800.0, 2_600.0);
        let rating = state.strength.to_rating();
        assert!((rating.rating - expected).abs() < 0.01, "{one:?}");
        assert_eq!((state.strength.deviation, state.pairs), (35_000, Seq(0)));
    }
}

#[test]
fn who_solves_gains_what_the_puzzle_loses_and_a_puzzle_does_not_rust() {
    let id = puzzle("nim:3,4,6").id();
    let (player, its) = (RatingState::default(), RatingState::default());
    let (won, tried) = rate(given(id, DAY, true), &player, &its);
    assert_eq!(
        won.after.rating - won.before.rating,
        tried.before.rating - tried.after.rating
    );
    assert!(won.after.rating > 150_000 && won.twin() == tried);
    let (lost, _) = rate(given(id, DAY, false), &player, &its);
    assert!(lost.after.rating < 150_000 && lost.mv.is_none());
    let (mut player, mut its) = (player, its);
    player.advance(Millis(DAY), won.after);
    its.advance(Millis(DAY), tried.after);
    let (late, tried) = rate(given(id, 1_000 * DAY, true), &player, &its);
    assert!(late.before.deviation > won.after.deviation);
    assert_eq!(tried.before, its.strength);
    assert_eq!(late.puzzle_seq, Seq(2));
}

#[test]
fn events_are_written_in_a_form_that_never_changes() {
    let id = puzzle("nim:3,4,6").id();
    let (attempted, tried) = rate(
        given(id, 5, true),
        &RatingState::default(),
        &RatingState::default(),
    );
    let solving = SolvingEvent::Attempted(attempted).to_json();
    let strength = r#"{"rating":150000,"deviation":35000,"volatility":60000000}"#;
    let head = format!(
        r#"{{"type":"attempted","at_ms":5,"puzzle":"{id}","puzzle_seq":1,"move":"A-1","solved":true,"before":{strength},"against":{strength},"after":"#
    );
    assert!(solving.starts_with(&head), "{solving}");
    let tried = PuzzleEvent::Tried(tried).to_json();
    let head = format!(
        r#"{{"type":"tried","at_ms":5,"solved":true,"before":{strength},"against":{strength},"after":"#
    );
    assert!(tried.starts_with(&head), "{tried}");
    assert!(serde_json::from_str::<SolvingEvent>(&solving).is_ok());
    assert!(serde_json::from_str::<PuzzleEvent>(&tried).is_ok());
}

proptest! {
    /// However players and puzzles meet: the figures are those of Glicko-2, the logs lead to the same ratings, and a changed figure shows.
    #[test]
    fn the_logs_lead_to_the_ratings(
        attempts in prop::collection::vec((0usize..3, 0usize..4, any::<bool>(), 0u64..40 * DAY), 1..40),
    ) {
        let texts = ["nim:3,4,6", "nim:5,7,11", "nim:1,6,9", "nim:9,12,20"];
        let puzzles = texts.map(puzzle);
        let mut players = [RatingState::default(); 3];
        let mut states = puzzles.each_ref().map(first_rating);
        let mut solving: BTreeMap<usize, Vec<Attempted>> = BTreeMap::new();
        let mut tried: BTreeMap<usize, Vec<Tried>> = BTreeMap::new();
        let mut now = 0;
        for (player, puzzle, solved, later) in attempts {
            now += later;
            let answer = given(puzzles[puzzle].id(), now, solved);
            let (mine, its) = rate(answer, &players[player], &states[puzzle]);
            let score = f64::from(u8::from(solved));
            for (own, other, score, after) in [
                (mine.before, mine.against, score, mine.after),
                (its.before, its.against, 1.0 - score, its.after),
            ] {
                let (rating, deviation) = plainly(own, other, score);
                let found = after.to_rating();
                // The volatility changes a little, which moves a rating by less than a point.
                prop_assert!((found.rating - rating).abs() < 1.0, "{found:?} {rating}");
                prop_assert!((found.deviation - deviation).abs() < 1.0, "{found:?} {deviation}");
            }
            players[player].advance(Millis(now), mine.after);
            states[puzzle].advance(Millis(now), its.after);
            solving.entry(player).or_default().push(mine);
            tried.entry(puzzle).or_default().push(its);
        }
        for (player, log) in &solving {
            let mut again = RatingState::default();
            for event in log {
                prop_assert_eq!(event.check(&mut again), Ok(()));
            }
            prop_assert_eq!(again, players[*player]);
        }
        for (puzzle, log) in &tried {
            let mut again = first_rating(&puzzles[*puzzle]);
            for event in log {
                prop_assert_eq!(event.check(&mut again), Ok(()));
            }
            prop_assert_eq!(again, states[*puzzle]);
        }
        for log in solving.values() {
            let mut changed = log[0].clone();
            changed.after.rating += 1;
            let mut again = RatingState::default();
            let is_after = matches!(changed.check(&mut again), Err(RatingFault::After { .. }));
            prop_assert!(is_after);
            changed.before.rating += 1;
            let is_before = matches!(changed.check(&mut RatingState::default()), Err(RatingFault::Before { .. }));
            prop_assert!(is_before);
        }
    }
}
