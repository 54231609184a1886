//! A player's matches together, against a fold that is written apart: it walks every line of play and shares nothing
//! with the solver, the review or the career but the rules.

use std::collections::BTreeMap;

use crate::contest::{command, contest, id};
use crate::review_oracle::{Bits, Oracle, moves};
use grundy_shared::Position;
use grundy_shared::career::{Career, Day, PeriodLength, Report, Share};
use grundy_shared::event::Outcome;
use grundy_shared::game::Kind;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::Seat;
use grundy_shared::practice::Theme;
use grundy_shared::rated::Family;
use grundy_shared::referee::{Command, Referee};
use grundy_shared::review::Review;
use grundy_shared::solver::Budget;
use grundy_shared::statistics::{Decision, skill, wilson};

/// Matches from each start.
const MATCHES: u64 = 3;

fn budget() -> Budget<'static> {
    Budget::nodes(5_000_000)
}

fn outline(referee: &Referee) -> Review {
    Review::outline(referee, &budget())
}

/// What the plain fold counts in one family.
#[derive(Default)]
struct Plain {
    matches: u64,
    won: u64,
    lost: u64,
    moves: u64,
    chances: [u64; 2],
    decisions: Vec<Decision>,
    bits: [f64; 2],
}

impl Plain {
    fn add(&mut self, referee: &Referee, seat: Seat, oracle: &mut Oracle) -> Vec<(u64, bool)> {
        let winner = referee.outcome().and_then(|(outcome, _)| outcome.winner());
        self.matches += 1;
        self.won += u64::from(winner == Some(seat));
        self.lost += u64::from(winner == Some(seat.other()));
        let mut made = Vec::new();
        let (mut position, mut mover) = (referee.start().clone(), Seat::First);
        for (number, played) in (1..).zip(referee.moves()) {
            let before = oracle.ask(&position, mover).expect("walked already");
            let mv = position.parse_move(mover, &played.text).expect("legal");
            position = position.play(&mv);
            if mover == seat {
                self.moves += 1;
                if before.won {
                    let after = oracle
                        .ask(&position, mover.other())
                        .expect("walked already");
                    let kept = !after.won;
                    self.chances[0] += 1;
                    self.chances[1] += u64::from(kept);
                    let bits = (before.replies as f64 / before.winning as f64).log2();
                    self.bits[0] += bits;
                    self.bits[1] += if kept { bits } else { 0.0 };
                    if before.winning < before.replies {
                        self.decisions.push(Decision {
                            winning_share: before.winning as f64 / before.replies as f64,
                            kept,
                        });
                        made.push((number, kept));
                    }
                }
            }
            mover = mover.other();
        }
        made
    }

    fn kept(&self) -> u64 {
        self.decisions.iter().filter(|one| one.kept).count() as u64
    }
}

/// Ends a match: whoever is to move gives up.
fn resign(referee: &mut Referee) {
    if referee.outcome().is_none() {
        let player = id(Seat::to_move_at(referee.ply()));
        let now = 1_000 * u64::from(referee.ply().0) + 1_000;
        command(referee, now, &Command::Resign { player });
    }
}

/// All games and end rules that recursion can walk.
fn starts() -> Vec<Position> {
    let mut starts = Vec::new();
    for example in REGISTRY.iter().flat_map(|game| game.examples) {
        let plain = example.trim_end_matches("@misere");
        for text in [plain.to_owned(), format!("{plain}@misere")] {
            let start = Position::parse(&text).expect("a registered example");
            if start.kind() != Kind::Loopy && !start.is_over(Seat::First) {
                starts.push(start);
            }
        }
    }
    starts
}

fn check_interval(share: Option<f64>, low: Option<f64>, high: Option<f64>, kept: u64, of: u64) {
    assert_eq!(share, (of > 0).then(|| kept as f64 / of as f64));
    assert_eq!((low, high), wilson(kept as f64, of as f64).unzip());
}

#[test]
fn careers_of_random_matches_agree_with_a_plain_fold() {
    let mut bits = Bits(13);
    let mut career = Career::default();
    let mut families: BTreeMap<&str, Plain> = BTreeMap::new();
    let mut by_move: BTreeMap<u64, [u64; 2]> = BTreeMap::new();
    let mut by_start: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    for start in starts() {
        let mut oracle = Oracle::default();
        if oracle.ask(&start, Seat::First).is_none() {
            continue;
        }
        for _ in 0..MATCHES {
            let moves = moves(&start, &mut bits);
            let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
            let mut referee = contest(&start.to_string(), "none", &texts);
            resign(&mut referee);
            let seat = Seat::BOTH[usize::from(bits.below(2) == 1)];
            career.add(&referee, &outline(&referee), &[seat], &budget());
            let family = Family::of(&start).name();
            let made = families
                .entry(family)
                .or_default()
                .add(&referee, seat, &mut oracle);
            for (number, kept) in made {
                let counts = by_move.entry(number).or_default();
                counts[0] += 1;
                counts[1] += u64::from(kept);
            }
            let winner = referee.outcome().and_then(|(outcome, _)| outcome.winner());
            let counts = by_start.entry(start.to_string()).or_default();
            counts[winner.expect("no draws").index()] += 1;
        }
    }
    let report = career.report(Some("Ada"), usize::MAX, None);
    assert_eq!(report.families.len(), families.len());
    assert!(families.len() > 20, "only {}", families.len());
    for row in &report.families {
        let (plain, figures) = (&families[row.family], &row.figures);
        let about = row.family;
        assert_eq!(figures.matches, plain.matches, "{about}");
        let results = figures.results;
        assert_eq!(
            [results.won, results.lost, results.drawn],
            [plain.won, plain.lost, 0]
        );
        assert_eq!(figures.moves, plain.moves, "{about}");
        assert_eq!(figures.unknown_moves, 0, "{about}");
        assert_eq!(
            [figures.chances, figures.chances_kept],
            plain.chances,
            "{about}"
        );
        let of = plain.decisions.len() as u64;
        assert_eq!(
            (figures.share.decisions, figures.share.kept),
            (of, plain.kept())
        );
        assert_eq!(figures.mistakes, of - plain.kept(), "{about}");
        check_interval(
            figures.share.share,
            figures.share.low,
            figures.share.high,
            plain.kept(),
            of,
        );
        assert!(
            (figures.bits_offered - plain.bits[0]).abs() < 1e-6,
            "{about}"
        );
        assert!((figures.bits_found - plain.bits[1]).abs() < 1e-6, "{about}");
        let (found, expected) = (figures.skill, skill(&plain.decisions));
        assert_eq!(found.is_some(), expected.is_some(), "{about}");
        if let (Some(found), Some(expected)) = (found, expected) {
            assert!((found.skill - expected.skill).abs() < 1e-6, "{about}");
            assert!((found.low - expected.low).abs() < 1e-6, "{about}");
            assert_eq!(found.decisions, expected.decisions, "{about}");
        }
    }
    let all: Vec<Decision> = families
        .values()
        .flat_map(|one| one.decisions.clone())
        .collect();
    let expected = skill(&all).expect("decisions");
    let found = report.total.skill.expect("decisions");
    assert!((found.skill - expected.skill).abs() < 1e-6);
    assert_eq!(found.decisions, all.len() as u64);
    for range in &report.plies {
        let end = range.below.unwrap_or(u64::MAX);
        let inside = by_move.range(range.from..end).map(|(_, counts)| counts);
        let sums = inside.fold([0, 0], |sum, one| [sum[0] + one[0], sum[1] + one[1]]);
        assert_eq!([range.share.decisions, range.share.kept], sums, "{range:?}");
    }
    assert_eq!(report.start_positions, by_start.len() as u64);
    for opening in &report.openings {
        let counts = [opening.first_won, opening.second_won];
        assert_eq!(counts, by_start[&opening.start], "{}", opening.start);
        let start = Position::parse(&opening.start).expect("canonical");
        let truth = Oracle::default().ask(&start, Seat::First).expect("walked");
        let wins = if truth.won {
            Outcome::First
        } else {
            Outcome::Second
        };
        assert_eq!(opening.theory, Some(wins), "{}", opening.start);
    }
    sections_agree(&report);
}

/// Every section counts the same moves.
fn sections_agree(report: &Report) {
    let sums = |decisions: &mut dyn Iterator<Item = u64>| decisions.sum::<u64>();
    let all = report.total.share.decisions;
    assert_eq!(
        sums(
            &mut report
                .families
                .iter()
                .map(|row| row.figures.share.decisions)
        ),
        all
    );
    assert_eq!(
        sums(&mut report.trend.iter().map(|row| row.share.decisions)),
        all
    );
    assert_eq!(
        sums(&mut report.plies.iter().map(|row| row.share.decisions)),
        all
    );
    let mistakes = report.total.mistakes;
    assert_eq!(
        sums(&mut report.plies.iter().map(|row| row.mistakes)),
        mistakes
    );
    assert_eq!(
        sums(&mut report.trend.iter().map(|row| row.mistakes)),
        mistakes
    );
    let themes = sums(&mut report.themes.iter().map(|row| row.mistakes));
    assert_eq!(themes + report.left_out.themes, mistakes);
    let missed = sums(&mut report.missed.iter().map(|row| row.missed));
    assert_eq!(missed + report.left_out.positions, mistakes);
    let matches = report.total.matches;
    assert_eq!(
        sums(&mut report.openings.iter().map(|row| row.matches)),
        matches
    );
    assert_eq!(
        sums(&mut report.trend.iter().map(|row| row.matches)),
        matches
    );
    let opponents = report.opponents.iter().map(|row| row.total);
    let met = opponents.fold([0; 3], |sum, one| {
        [sum[0] + one.won, sum[1] + one.lost, sum[2] + one.drawn]
    });
    let results = report.total.results;
    assert_eq!(met, [results.won, results.lost, results.drawn]);
}

fn referee(start: &str, clock: &str, moves: &[&str]) -> Referee {
    let mut referee = contest(start, clock, moves);
    resign(&mut referee);
    referee
}

/// Ada moves first: 1,2 is won with B-1 alone, and 1 with its one move.
const KEPT: &[&str] = &["B-1", "A-1", "B-1"];
const MISSED: &[&str] = &["B-2", "A-1"];

#[test]
fn one_position_that_was_missed_in_two_matches_is_one_position() {
    let mut career = Career::default();
    for moves in [KEPT, MISSED, MISSED] {
        let referee = referee("nim:1,2", "none", moves);
        career.add(&referee, &outline(&referee), &[Seat::First], &budget());
    }
    let report = career.report(Some("Ada"), 10, None);
    let [missed] = &report.missed[..] else {
        panic!("one position");
    };
    assert_eq!((&*missed.position, missed.to_move), ("nim:1,2", None));
    assert_eq!((missed.missed, missed.met), (2, 3));
    assert_eq!(missed.winning_moves, ["B-1"]);
    assert_eq!(
        (report.total.share.kept, report.total.share.decisions),
        (1, 3)
    );
    let [theme] = report.themes[..] else {
        panic!("one theme");
    };
    assert_eq!((theme.theme, theme.mistakes), (Theme::Pairs, 2));
    let [opponent] = &report.opponents[..] else {
        panic!("one opponent");
    };
    assert_eq!((&*opponent.name, opponent.id), ("bo-bot", None));
    assert_eq!((opponent.as_first.won, opponent.as_first.lost), (1, 2));
    assert_eq!(opponent.as_second.matches(), 0);
    sections_agree(&report);
}

#[test]
fn positions_that_differ_in_the_order_of_their_heaps_are_one_position() {
    let mut career = Career::default();
    for start in ["nim:5,3", "nim:3,5"] {
        let referee = referee(start, "none", &["A-1"]);
        career.add(&referee, &outline(&referee), &[Seat::First], &budget());
    }
    let report = career.report(Some("Ada"), 10, None);
    let [missed] = &report.missed[..] else {
        panic!("one position: {:?}", report.missed);
    };
    assert_eq!(missed.position, "nim:3,5");
    assert_eq!((missed.missed, missed.met), (2, 2));
    // In the first match it was A-2.
    assert_eq!(missed.winning_moves, ["B-2"]);
    sections_agree(&report);
}

/// The rows of a list end, its total does not.
#[test]
fn what_has_no_row_is_still_counted() {
    let mut career = Career::default();
    for start in ["nim:1,2", "nim:1,3", "nim:1,4"] {
        let referee = referee(start, "none", &["A-1"]);
        career.add(&referee, &outline(&referee), &[Seat::First], &budget());
    }
    let report = career.report(Some("Ada"), 2, None);
    assert_eq!((report.missed.len(), report.missed_positions), (2, 3));
    assert_eq!((report.openings.len(), report.start_positions), (2, 3));
}

#[test]
fn a_match_against_himself_has_moves_and_no_result() {
    let mut career = Career::default();
    let referee = referee("nim:1,2", "none", MISSED);
    career.add(&referee, &outline(&referee), &Seat::BOTH, &budget());
    let report = career.report(Some("Ada"), 10, None);
    assert_eq!((report.total.matches, report.total.moves), (1, 2));
    assert_eq!(report.total.results.matches(), 0);
    assert!(report.opponents.is_empty());
    // The second player's only move was a chance and no decision.
    assert_eq!((report.total.chances, report.total.share.decisions), (2, 1));
}

#[test]
fn what_does_not_count_or_is_not_known_is_reported() {
    let mut career = Career::default();
    let live = contest("nim:1,2", "none", &["A-1"]);
    career.add(&live, &outline(&live), &[Seat::First], &budget());
    let report = career.report(Some("Ada"), 10, None);
    assert_eq!((report.left_out.uncounted, report.total.matches), (1, 0));
    let empty = report.svg();
    assert_eq!(empty.matches("no decisions").count(), 2);
    // A search with nothing to spend knows nothing, and blames nobody.
    let hard = referee(
        "cram:...../...../...../...../.....",
        "none",
        &["1:1-1:2", "2:1-2:2"],
    );
    career.add(
        &hard,
        &Review::outline(&hard, &Budget::nodes(1)),
        &[Seat::First],
        &Budget::nodes(1),
    );
    let report = career.report(Some("Ada"), 10, None);
    assert_eq!(report.left_out.not_solved, 1);
    assert_eq!(report.total.unknown_moves, 1);
    assert_eq!(
        (report.total.mistakes, report.total.share.decisions),
        (0, 0)
    );
    assert_eq!(report.openings[0].theory, None);
    // A start that is too long for a table is left out of it, and its match is not.
    let long = format!("nim:{}", vec!["1"; 200].join(","));
    let long = referee(&long, "none", &["A-1"]);
    career.add(&long, &outline(&long), &[Seat::First], &budget());
    let report = career.report(Some("Ada"), 10, None);
    assert_eq!((report.total.matches, report.left_out.openings), (2, 1));
}

#[test]
fn decisions_are_counted_by_the_clock() {
    let mut career = Career::default();
    // Each move takes a second, and the clock adds two.
    let referee = referee("nim:1,2", "1m+2s", KEPT);
    career.add(&referee, &outline(&referee), &[Seat::First], &budget());
    let report = career.report(Some("Ada"), 10, None);
    let [used] = report.time_used_ms[..] else {
        panic!("one range");
    };
    assert_eq!(
        (used.from, used.below, used.share.kept),
        (1_000, Some(2_000), 1)
    );
    let [left] = report.time_left_ms[..] else {
        panic!("one range");
    };
    assert_eq!((left.from, left.share.decisions), (60_000, 1));
}

#[test]
fn the_trend_has_the_periods_that_were_asked_for() {
    let mut career = Career::default();
    for (day, moves) in [(20_000, KEPT), (20_001, MISSED), (20_080, KEPT)] {
        let referee = referee("nim:1,2", "none", moves);
        let mut review = outline(&referee);
        review.created_at_ms = grundy_shared::ids::Millis(day * 86_400_000);
        career.add(&referee, &review, &[Seat::First], &budget());
    }
    for (by, periods) in [
        (
            Some(PeriodLength::Day),
            vec![(20_000, 1, 1), (20_001, 0, 1), (20_080, 1, 1)],
        ),
        (Some(PeriodLength::Year), vec![(19_723, 2, 3)]),
        (None, vec![(20_000, 1, 1), (20_001, 0, 1), (20_080, 1, 1)]),
    ] {
        let report = career.report(Some("Ada"), 10, by);
        let found: Vec<(u64, u64, u64)> = report
            .trend
            .iter()
            .map(|period| {
                (
                    period.first_day.0,
                    period.share.kept,
                    period.share.decisions,
                )
            })
            .collect();
        assert_eq!(found, periods, "{by:?}");
        for period in &report.trend {
            assert_eq!(period.from, Day(period.first_day.0).date());
            let Share {
                share,
                low,
                high,
                kept,
                decisions,
            } = period.share;
            check_interval(share, low, high, kept, decisions);
        }
        sections_agree(&report);
    }
}

/// The picture says what the report says, and a name cannot end an element.
#[test]
fn the_picture_has_the_numbers_of_the_report() {
    let mut career = Career::default();
    for moves in [KEPT, MISSED] {
        let referee = referee("nim:1,2", "none", moves);
        career.add(&referee, &outline(&referee), &[Seat::First], &budget());
    }
    let svg = career.report(Some("<Ada & \u{202e}Co>"), 10, None).svg();
    assert!(svg.contains("&lt;Ada &amp; ?Co&gt;"), "{svg}");
    assert!(svg.contains("1 of 2 kept, 50% (9% to 91%)"), "{svg}");
    assert!(
        svg.contains("move 1: 1 of 2 given away, 50% (9% to 91%)"),
        "{svg}"
    );
    assert!(
        svg.contains(r#"role="img" aria-labelledby="title desc""#),
        "{svg}"
    );
    let opened = svg.matches("<g>").count();
    assert_eq!((opened, svg.matches("</g>").count()), (2, 2));
}

/// The outline of a review is the review without what takes long.
#[test]
fn an_outline_agrees_with_its_review() {
    let mut bits = Bits(14);
    for start in starts().into_iter().step_by(5) {
        let moves = moves(&start, &mut bits);
        let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
        let referee = contest(&start.to_string(), "none", &texts);
        let (short, whole) = (
            Review::outline(&referee, &Budget::nodes(100_000)),
            Review::of(&referee, &Budget::nodes(100_000)),
        );
        assert_eq!(short.plies.len(), whole.plies.len());
        for (short, whole) in short.plies.iter().zip(&whole.plies) {
            assert_eq!(
                (short.wins, short.bits_found),
                (whole.wins, whole.bits_found)
            );
            let is_of_traps = |mark: &&str| ["!?", "?!"].contains(mark);
            let mark = whole.mark.map(grundy_shared::review::Mark::as_str);
            assert_eq!(
                short.mark.map(|mark| mark.as_str()),
                mark.filter(|mark| !is_of_traps(mark))
            );
        }
        assert_eq!(short.turning_points.len(), whole.turning_points.len());
        assert_eq!(short.decisive_ply, whole.decisive_ply);
        assert_eq!(short.unknown_positions, whole.unknown_positions);
        assert_eq!(short.summary.first.kept, whole.summary.first.kept);
    }
}
