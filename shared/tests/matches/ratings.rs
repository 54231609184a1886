//! Ratings: what a pair counts, however its games end, and the figures against Glicko-2 written down plainly.

use grundy_shared::event::{EndReason, Event, Outcome, PlayerInfo, Proposal, Series, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Ply, Seat, Seq};
use grundy_shared::rated::{
    Family, PERIOD_MS, PairScore, Rated, RatedPair, RatingEvent, RatingFault, RatingState,
    Strength, TAU,
};
use grundy_shared::referee::{BrokenLaw, Command, Decision, Referee, Refusal, Terms};
use proptest::prelude::*;

const BASE: Millis = Millis(10_000);

fn player(number: u128) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(number),
        name: format!("player {number}"),
        bot: false,
    }
}

fn blitz() -> TimeControl {
    TimeControl::Fischer {
        base_ms: BASE,
        increment_ms: Millis(0),
    }
}

fn terms(position: &str, clock: TimeControl) -> Terms {
    let series = Series::first(MatchId::from_random(7), 2, true);
    Terms {
        position: position.to_owned(),
        clock,
        rematch_of: None,
        series: series.expect("a pair"),
    }
}

fn carry_out(referee: &mut Referee, at: u64, command: &Command) -> Vec<Event> {
    let Ok(Decision::Events(ruling)) = referee.handle(Millis(at), command) else {
        panic!("{command:?} leads to nothing");
    };
    referee.accept(ruling).expect("fresh")
}

/// The first game of a rated pair, begun: player 1 moves first.
fn begun() -> Referee {
    let created = Referee::create(
        terms("nim:1,2", blitz()),
        player(1),
        Seat::First,
        Millis(100),
    );
    let (mut referee, _) = created.expect("lawful terms");
    carry_out(&mut referee, 100, &Command::Join { player: player(2) });
    referee
}

/// The same after so many moves.
fn after_moves(mut referee: Referee, plies: u32) -> Referee {
    for (ply, text) in (1..=plies).zip(["B-1", "A-1"]) {
        let seat = Seat::to_move_at(Ply(ply - 1));
        let command = Command::Move {
            player: referee.player(seat).expect("seated").id,
            ply: Ply(ply),
            client_move_id: None,
            text: text.to_owned(),
            opponent_lag: Millis(0),
            hints: 0,
        };
        carry_out(&mut referee, 200, &command);
    }
    referee
}

fn end(referee: &Referee, outcome: Outcome, reason: EndReason) -> Event {
    Event::Ended {
        at_ms: Millis(5_000),
        outcome,
        reason,
        next: referee
            .next_in_series(outcome, reason)
            .map(|next| next.match_id()),
    }
}

/// The second game, if the first ends so.
fn second(first: &Referee, outcome: Outcome, reason: EndReason) -> Referee {
    let ended = end(first, outcome, reason);
    assert_eq!(RatedPair::ended(first, &ended), None, "the pair goes on");
    let opened = first.open_next(&ended).expect("the same rules");
    opened.expect("a second game").1
}

/// What the pair was for player 1, if it is over with this end.
fn score(referee: &Referee, outcome: Outcome, reason: EndReason) -> Option<PairScore> {
    let pair = RatedPair::ended(referee, &end(referee, outcome, reason))?;
    assert_eq!(pair.pair, MatchId::from_random(7));
    assert_eq!(pair.last, referee.series().expect("a pair").match_id());
    assert_eq!(pair.family.name(), "nim");
    let seat = referee.seat_of(player(1).id).expect("seated");
    Some(pair.score_of(seat))
}

#[test]
fn a_pair_is_won_by_the_player_with_more_games() {
    use Outcome as O;
    use PairScore::*;
    let last = EndReason::LastMove;
    // In the second game, player 1 has the second seat.
    for (first, then, expected) in [
        (O::First, O::Second, Won),
        (O::First, O::First, Drawn),
        (O::Second, O::Second, Drawn),
        (O::Second, O::First, Lost),
        (O::Draw, O::First, Lost),
        (O::Draw, O::Second, Won),
        (O::First, O::Draw, Won),
        (O::Draw, O::Draw, Drawn),
    ] {
        let game = second(&begun(), first, last);
        assert_eq!(
            score(&game, then, last),
            Some(expected),
            "{first:?} {then:?}"
        );
    }
}

#[test]
fn no_end_takes_a_loss_away() {
    use Outcome as O;
    let lost = || second(&begun(), O::Second, EndReason::Resignation);
    for reason in [
        EndReason::Outgrown,
        EndReason::Aborted,
        EndReason::Abandoned,
        EndReason::Expired,
    ] {
        let game = after_moves(lost(), 1);
        assert_eq!(
            score(&game, O::Void, reason),
            Some(PairScore::Lost),
            "{reason:?}"
        );
    }
    // Who has lost the first game and does not come to the second loses that, too.
    let game = lost();
    assert_eq!(
        score(&game, O::First, EndReason::Time),
        Some(PairScore::Lost)
    );
    // A loss that comes after a game which does not count.
    let game = second(&begun(), O::Void, EndReason::Outgrown);
    assert_eq!(
        score(&game, O::First, EndReason::LastMove),
        Some(PairScore::Lost)
    );
    // Who leaves the first game has lost the pair.
    let game = after_moves(begun(), 1);
    assert_eq!(
        score(&game, O::First, EndReason::Time),
        Some(PairScore::Won)
    );
}

#[test]
fn a_pair_without_a_result_does_not_count() {
    let first = begun();
    assert_eq!(score(&first, Outcome::Void, EndReason::Aborted), None);
    // Nobody has come.
    assert_eq!(score(&first, Outcome::Second, EndReason::Time), None);
    let game = second(&first, Outcome::Void, EndReason::Outgrown);
    assert_eq!(score(&game, Outcome::Void, EndReason::Outgrown), None);
    assert_eq!(score(&game, Outcome::Void, EndReason::Aborted), None);
}

#[test]
fn what_cannot_be_rated_is_refused() {
    let id = MatchId::from_random(7);
    for games in [0, 1, 3, 4, 1_000] {
        let refused = Series::first(id, games, true).expect_err("no pair");
        assert_eq!(refused, Refusal::RatedIsAPair { games });
    }
    let untimed = terms("nim:1,2", TimeControl::Untimed {});
    let refused = Referee::create(untimed, player(1), Seat::First, Millis(0));
    assert_eq!(refused.expect_err("no clock"), Refusal::RatedNeedsClock);
    // Nor is it believed of a log.
    let series = terms("nim:1,2", blitz()).series;
    let created = |clock, games| Event::Created {
        at_ms: Millis(0),
        position: "nim:1,2".to_owned(),
        clock,
        creator: player(1),
        seat: Seat::First,
        rematch_of: None,
        series: series.map(|series| Series { games, ..series }),
        held: false,
        first_move_ms: None,
        first_move_of_both: false,
        tournament: None,
    };
    for (event, law) in [
        (created(TimeControl::Untimed {}, 2), BrokenLaw::BadRated),
        (created(blitz(), 4), BrokenLaw::BadSeries),
    ] {
        let refused = Referee::replay(&[event]).expect_err("unlawful");
        assert_eq!(refused.law, law);
    }
}

#[test]
fn in_a_rated_match_no_move_is_taken_back_and_nothing_is_claimed() {
    let mut referee = after_moves(begun(), 2);
    let propose = |proposal| Command::Propose {
        player: player(1).id,
        proposal,
    };
    let refused = referee.handle(Millis(300), &propose(Proposal::Takeback));
    assert_eq!(refused, Err(Refusal::RatedMovesStand));
    carry_out(&mut referee, 300, &propose(Proposal::Pause));
    let mut referee = after_moves(begun(), 1);
    let away = Command::Presence {
        seat: Seat::Second,
        online: false,
    };
    carry_out(&mut referee, 300, &away);
    assert_eq!(referee.claimable_from(Seat::First), None);
    let claimed = referee.may_claim(Millis(9_000_000), Seat::First);
    assert_eq!(claimed, Err(Refusal::RatedNoClaims));
}

/// Glicko-2 for one game, as the paper has it: the volatility by bisection of its f.
fn plain(own: (f64, f64, f64), other: (f64, f64), score: f64) -> (f64, f64, f64) {
    const SCALE: f64 = 173.7178;
    let (mu, phi) = ((own.0 - 1500.0) / SCALE, own.1 / SCALE);
    let (mu_j, phi_j) = ((other.0 - 1500.0) / SCALE, other.1 / SCALE);
    let pi = std::f64::consts::PI;
    let g = 1.0 / (1.0 + 3.0 * phi_j * phi_j / (pi * pi)).sqrt();
    let e = 1.0 / (1.0 + f64::exp(-g * (mu - mu_j)));
    let v = 1.0 / (g * g * e * (1.0 - e));
    let delta = v * g * (score - e);
    let a = (own.2 * own.2).ln();
    let f = |x: f64| {
        let ex = x.exp();
        let all = phi * phi + v + ex;
        ex * (delta * delta - all) / (2.0 * all * all) - (x - a) / (TAU * TAU)
    };
    let (mut low, mut high) = (a - 30.0, a + 30.0);
    while high - low > 1e-13 {
        let middle = (low + high) / 2.0;
        match f(middle) > 0.0 {
            true => low = middle,
            false => high = middle,
        }
        if middle == low && middle == high {
            break;
        }
        if (high - low).abs() <= f64::EPSILON * low.abs().max(1.0) * 4.0 {
            break;
        }
    }
    let sigma = (low / 2.0).exp();
    let star = (phi * phi + sigma * sigma).sqrt();
    let after = 1.0 / (1.0 / (star * star) + 1.0 / v).sqrt();
    let mu = mu + after * after * g * (score - e);
    (mu * SCALE + 1500.0, (after * SCALE).min(350.0), sigma)
}

fn figures(strength: Strength) -> (f64, f64, f64) {
    let rating = strength.to_rating();
    (rating.rating, rating.deviation, rating.volatility)
}

fn pair_of(number: u64, at: u64, first: u128, second: u128, score: PairScore) -> RatedPair {
    RatedPair {
        pair: MatchId::from_random(number),
        last: MatchId::from_random(number),
        family: "nim".parse::<Family>().expect("a game"),
        players: [player(first), player(second)],
        score,
        at_ms: Millis(at),
    }
}

fn any_score() -> impl Strategy<Value = PairScore> {
    prop_oneof![
        Just(PairScore::Won),
        Just(PairScore::Drawn),
        Just(PairScore::Lost)
    ]
}

proptest! {
    /// Four players, any pairs, any pauses: each step is Glicko-2, and the logs compute themselves again.
    #[test]
    fn ratings_are_those_of_glicko_2(
        pairs in prop::collection::vec((0..4usize, 1..4usize, any_score(), 0u64..40_000_000_000), 1..60)
    ) {
        let mut states = [RatingState::default(); 4];
        let mut logs: [Vec<Rated>; 4] = Default::default();
        let mut now = 1_700_000_000_000;
        for (number, (one, gap, score, pause)) in (0..).zip(pairs) {
            now += pause;
            let other = (one + gap) % 4;
            let pair = pair_of(number, now, one as u128, other as u128, score);
            let rated = pair.rate([&states[one], &states[other]]);
            for (place, rated) in [one, other].into_iter().zip(&rated) {
                // The deviation of who did not play grew, and no other figure.
                let before = figures(states[place].strength);
                let idle = match states[place].pairs {
                    Seq(0) => 0.0,
                    _ => (now - states[place].last_at.0) as f64 / PERIOD_MS.0 as f64,
                };
                let grown = before.1.hypot(173.7178 * before.2 * idle.sqrt()).min(350.0);
                prop_assert!((figures(rated.before).1 - grown).abs() <= 0.005_001);
                prop_assert_eq!(rated.before.rating, states[place].strength.rating);
                let points = match rated.score {
                    PairScore::Won => 1.0,
                    PairScore::Drawn => 0.5,
                    PairScore::Lost => 0.0,
                };
                let against = figures(rated.against);
                let expected = plain(figures(rated.before), (against.0, against.1), points);
                let found = figures(rated.after);
                prop_assert!((found.0 - expected.0).abs() < 0.006, "{found:?} {expected:?}");
                prop_assert!((found.1 - expected.1).abs() < 0.006, "{found:?} {expected:?}");
                prop_assert!((found.2 - expected.2).abs() < 2e-9, "{found:?} {expected:?}");
            }
            prop_assert_eq!(rated[0].score, rated[1].score.of_opponent());
            prop_assert_eq!(rated[0].opponent_seq, states[other].pairs.next());
            for (place, rated) in [one, other].into_iter().zip(rated) {
                states[place].take(&rated);
                logs[place].push(rated);
            }
        }
        for (log, state) in logs.iter().zip(&states) {
            let mut folded = RatingState::default();
            for rated in log {
                let text = RatingEvent::Rated(rated.clone()).to_json();
                let read: RatingEvent = serde_json::from_str(&text).expect("it was written so");
                prop_assert_eq!(read.to_json(), text);
                prop_assert_eq!(folded.check(rated), Ok(()));
            }
            prop_assert_eq!(&folded, state);
        }
    }

    /// Whoever changes a figure of a log is found out.
    #[test]
    fn a_changed_figure_shows(score in any_score(), which in 0..6usize) {
        let newcomer = RatingState::default();
        let [mut rated, _] = pair_of(1, 5_000, 1, 2, score).rate([&newcomer, &newcomer]);
        let figure = match which {
            0 => &mut rated.before.deviation,
            1 => &mut rated.before.volatility,
            2 => &mut rated.after.deviation,
            3 => &mut rated.after.volatility,
            4 => &mut rated.against.deviation,
            _ => {
                rated.after.rating += 1;
                &mut rated.after.volatility
            }
        };
        *figure -= 100;
        let fault = RatingState::default().check(&rated).expect_err("a fault");
        let before = matches!(fault, RatingFault::Before { .. });
        prop_assert_eq!(before, which < 2);
    }
}

/// Scene S13: players of one strength from a start that the first player wins every time do not drift apart.
#[test]
fn a_start_that_decides_the_game_moves_no_rating() {
    let (mut one, mut other) = (RatingState::default(), RatingState::default());
    for number in 0..500 {
        let pair = pair_of(number, number * 60_000, 1, 2, PairScore::Drawn);
        let [first, second] = pair.rate([&one, &other]);
        one.take(&first);
        other.take(&second);
    }
    assert_eq!(
        (one.strength.rating, other.strength.rating),
        (150_000, 150_000)
    );
    assert!(!one.is_provisional(one.last_at));
}
