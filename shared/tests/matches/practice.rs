//! Exercises and attempts, compared with plain recursion over the rules.

use std::collections::HashSet;

use crate::contest::contest;
use crate::review_oracle::Oracle;
use grundy_shared::Position;
use grundy_shared::game::Kind;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::practice::{
    Answer, Attempt, Exercise, Hint, Key, LINE, Performance, RUNGS, Refutation, Theme,
};
use grundy_shared::review::Review;
use grundy_shared::solver::{Budget, MoveResult, reasons};

/// Nodes for each question.
const NODES: u64 = 2_000_000;
/// Positions of one start that are tried, each with all its moves.
const POSITIONS: usize = 6;
/// Positions with more moves are passed over.
const MOVES: u128 = 40;

/// Small starts of every game, and compounds and misere play of some. Play that can cycle has no plain recursion.
fn starts() -> Vec<Position> {
    let examples = REGISTRY.iter().flat_map(|game| game.examples);
    let more = [
        "nim:1,2,3@misere",
        "nim:2,2@misere+kayles:3",
        "kayles:5+nim:2",
        "nim:2,3+kayles:3+cram:.../...",
        "nim:2+nim:3@every",
        "nim:1,2+wythoff:1,2@selective",
    ];
    let texts = examples.copied().chain(more);
    let positions = texts.filter_map(|text| Position::parse(text).ok());
    positions
        .filter(|position| position.kind() != Kind::Loopy)
        .collect()
}

/// Won positions below a start, spread over all that can be reached.
fn won_below(start: &Position, oracle: &mut Oracle) -> Vec<(Position, Seat)> {
    let mut seen = HashSet::new();
    let mut open = vec![(start.clone(), Seat::First)];
    let mut won = Vec::new();
    while let Some((position, seat)) = open.pop() {
        if !seen.insert((position.clone(), seat)) || seen.len() > 200 {
            continue;
        }
        if oracle.ask(&position, seat).is_none() {
            return Vec::new();
        }
        open.extend(
            position
                .moves(seat)
                .map(|mv| (position.play(&mv), seat.other())),
        );
        if oracle
            .ask(&position, seat)
            .is_some_and(|truth| truth.won && truth.replies > 0)
        {
            won.push((position, seat));
        }
    }
    let step = won.len().div_ceil(POSITIONS).max(1);
    won.into_iter()
        .step_by(step)
        .filter(|(position, seat)| position.move_count(*seat) <= MOVES)
        .collect()
}

/// Plays the refutation out by the rules: every move of the winner must win.
fn check_refutation(of: &Refutation, position: &Position, seat: Seat, oracle: &mut Oracle) {
    assert_eq!(of.reason.result, MoveResult::Loses, "{position}");
    let winner = seat.other();
    let reply = of.reason.reply.as_ref().map(|reply| &reply.mv);
    let moves = [Some(&of.reason.mv), reply];
    let all = moves.into_iter().flatten().chain(&of.line);
    let (mut position, mut mover) = (position.clone(), seat);
    for text in all {
        let mv = position.parse_move(mover, text).expect("legal");
        position = position.play(&mv);
        let truth = oracle
            .ask(&position, mover.other())
            .expect("walked already");
        if mover == winner {
            assert!(!truth.won, "{text} leaves {position}");
        }
        mover = mover.other();
    }
    assert!(of.line.len() <= LINE);
    assert_eq!(of.ends, position.is_over(mover), "{position}");
    assert!(of.ends || of.line.len() == LINE, "{position}: {of:?}");
    if of.ends {
        assert_eq!(position.winner_if_over(mover), Some(winner), "{position}");
    }
}

/// The hints of a won position: none before the last names a winning move, and each is true.
fn check_hints(position: &Position, seat: Seat, wins: &dyn Fn(&str) -> bool, theme: Theme) {
    let budget = Budget::nodes(NODES);
    let mut attempt = Attempt::at(position.clone(), seat, theme);
    let mut hints = Vec::new();
    for rung in 1..=RUNGS + 1 {
        hints.push(attempt.hint(&budget).expect("a small position"));
        assert_eq!(attempt.hints(), rung.min(RUNGS));
    }
    let [Hint::Idea { theme: said }, place, Hint::Move { mv }, again] = &hints[..] else {
        panic!("{position}: {hints:?}");
    };
    assert_eq!(*said, theme);
    assert!(wins(mv), "{position}: {mv}");
    assert_eq!(again, &Hint::Move { mv: mv.clone() });
    match place {
        Hint::Where { component, .. } => {
            let number = component.map(|number| format!("{number}."));
            assert!(
                number.is_none_or(|number| mv.starts_with(&number)),
                "{position}: {mv}"
            );
        }
        Hint::Among { moves } => {
            assert_eq!(
                moves.iter().filter(|mv| wins(mv)).count(),
                1,
                "{position}: {moves:?}"
            );
        }
        other => panic!("{position}: {other:?}"),
    }
    assert!(matches!(
        attempt.try_move(mv, &budget),
        Ok(Answer::Right(_))
    ));
    assert_eq!(attempt.performance(), Some(Performance::Shown));
}

#[test]
fn every_winning_move_is_right_and_every_other_is_refuted() {
    let budget = Budget::nodes(NODES);
    let (mut right, mut wrong) = (0, 0);
    let mut themes = HashSet::new();
    for start in starts() {
        let mut oracle = Oracle::default();
        for (position, seat) in won_below(&start, &mut oracle) {
            let why = reasons(&position, seat, &[], &budget);
            let theme = Theme::of(&position, &why);
            themes.insert(theme);
            let truth = oracle.ask(&position, seat).expect("walked already");
            let mut winning = HashSet::new();
            for mv in position.moves(seat) {
                let text = mv.to_string();
                let after = oracle.ask(&position.play(&mv), seat.other());
                let wins = !after.expect("walked already").won;
                let mut attempt = Attempt::at(position.clone(), seat, theme);
                match attempt.try_move(&text, &budget).expect("legal") {
                    Answer::Right(shown) => {
                        assert!(wins, "{position} {text}");
                        assert_eq!(attempt.performance(), Some(Performance::AtOnce));
                        assert_eq!(shown.winning_moves_total, Some(truth.winning), "{position}");
                        assert_eq!(shown.others.len() as u64, (truth.winning - 1).min(8));
                        assert_eq!(shown.best.expect("found").mv, text);
                        winning.insert(text);
                        right += 1;
                    }
                    Answer::Wrong(refutation) => {
                        assert!(!wins, "{position} {text}");
                        assert_eq!((attempt.performance(), attempt.wrong()), (None, 1));
                        check_refutation(&refutation, &position, seat, &mut oracle);
                        wrong += 1;
                    }
                    Answer::Undecided { .. } => panic!("{position} {text}"),
                }
            }
            if winning.len() < position.move_count(seat) as usize {
                check_hints(&position, seat, &|mv| winning.contains(mv), theme);
            }
            let key = Key::of(&position, seat);
            assert_eq!(key.as_str().parse::<Key>().as_ref(), Ok(&key));
            let (back, to_move) = key.position().expect("a position");
            assert_eq!(back, position);
            assert!(to_move == seat || position.kind() == Kind::Impartial);
        }
    }
    assert!(right > 300 && wrong > 600, "{right} right, {wrong} wrong");
    assert!(themes.len() >= 18, "{themes:?}");
}

#[test]
fn a_theme_is_that_of_the_theory_that_decides() {
    for (text, theme) in [
        ("nim:1,4,6,7", Theme::NimSum),
        ("nim:3,5,7@misere", Theme::NimSum),
        ("nim:2,5", Theme::Pairs),
        ("nim:4,4,6", Theme::Pairs),
        ("nim:1,1,1", Theme::Parity),
        ("nim:1,1,5@misere", Theme::MisereEnding),
        ("kayles:5", Theme::Splitting),
        ("cram:.../...", Theme::Mirror),
        ("wythoff:5,8", Theme::LosingPairs),
        ("fib:10", Theme::FibonacciParts),
        ("euclid:5,12", Theme::GoldenRatio),
        ("chomp:4,1,1", Theme::Pairs),
        ("chomp:5,3", Theme::Rows),
        ("hack:0b1,0b2,1r3", Theme::ColouredEdges),
        ("domineering:.../...", Theme::Stakes),
        ("northcott:x...o./x..o../x....o", Theme::NimSum),
    ] {
        let position = Position::parse(text).expect("a position");
        let why = reasons(&position, Seat::First, &[], &Budget::nodes(NODES));
        assert_eq!(
            Theme::of(&position, &why),
            theme,
            "{text}: {:?}",
            why.position.facts
        );
    }
    let all: HashSet<Theme> = Theme::ALL.into_iter().collect();
    assert_eq!(all.len(), Theme::ALL.len());
    for theme in Theme::ALL {
        let json = serde_json::to_string(&theme).expect("a name");
        assert_eq!(json, format!("{:?}", theme.name()));
    }
}

/// Exercises are the wins that a person gave away: no lost position, no forced move, no move of a bot, and none beyond the budget.
#[test]
fn exercises_are_wins_that_a_person_gave_away() {
    let id = MatchId::from_random(7);
    let of = |start: &str, moves: &[&str], nodes: u64| {
        let budget = Budget::nodes(nodes);
        let review = Review::of(&contest(start, "none", moves), &budget);
        (Exercise::all_of(&review, id, &budget), review)
    };
    // Ada wins at first, loses the win with her second move, and gets it back; the bot's mistake is nobody's exercise.
    let moves = ["A-1", "C-1", "C-1", "C-1", "A-1"];
    let (exercises, review) = of("nim:3,5,7", &moves, NODES);
    let ours = review
        .turning_points
        .iter()
        .filter(|point| point.seat == Seat::First);
    assert!(exercises.len() < review.turning_points.len(), "{review}");
    assert_eq!(exercises.len(), ours.count());
    for exercise in &exercises {
        let mut oracle = Oracle::default();
        let truth = oracle
            .ask(&exercise.position, exercise.to_move)
            .expect("small");
        assert!(truth.won && truth.replies > truth.winning);
        assert_eq!(exercise.legal_moves, truth.replies);
        let bits = (truth.replies as f64 / truth.winning as f64).log2();
        assert!((exercise.bits - bits).abs() < 1e-9);
        assert_eq!(exercise.origin.match_id, id);
        assert_eq!(exercise.origin.player.as_deref(), Some("Ada"));
        let attempt =
            Attempt::new(exercise).try_move(&exercise.origin.played, &Budget::nodes(NODES));
        assert!(matches!(attempt, Ok(Answer::Wrong(_))));
    }
    // What is not known is no exercise.
    let (exercises, _) = of("clobber:xoxoxo/oxoxox/xoxoxo", &["1:1-1:2"], 10);
    assert_eq!(exercises, []);
    // With one move there is no mistake.
    let (exercises, _) = of("nim:1@misere", &["A-1"], NODES);
    assert_eq!(exercises, []);
}

#[test]
fn an_attempt_counts_what_happened_and_nothing_after_its_end() {
    let budget = Budget::nodes(NODES);
    let fresh = || {
        let position = Position::parse("nim:3,5,7").expect("a position");
        Attempt::at(position, Seat::First, Theme::NimSum)
    };
    let mut attempt = fresh();
    assert!(attempt.try_move("D-1", &budget).is_err());
    assert!(attempt.try_move("A-9", &budget).is_err());
    assert_eq!((attempt.wrong(), attempt.performance()), (0, None));
    attempt.hint(&budget).expect("an idea");
    assert!(matches!(
        attempt.try_move("b1", &budget),
        Ok(Answer::Right(_))
    ));
    assert_eq!(attempt.performance(), Some(Performance::AfterHints));
    assert!(matches!(
        attempt.try_move("a3", &budget),
        Ok(Answer::Wrong(_))
    ));
    assert_eq!((attempt.wrong(), attempt.hints()), (0, 1));

    let mut attempt = fresh();
    assert!(matches!(
        attempt.try_move("a3", &budget),
        Ok(Answer::Wrong(_))
    ));
    attempt.hint(&budget).expect("an idea");
    assert!(matches!(
        attempt.try_move("c1", &budget),
        Ok(Answer::Right(_))
    ));
    assert_eq!(attempt.performance(), Some(Performance::AfterWrong));

    let mut attempt = fresh();
    let shown = attempt.solution(&budget);
    assert_eq!(shown.best.expect("found").result, MoveResult::Wins);
    assert_eq!(
        (shown.others.len(), shown.winning_moves_total),
        (2, Some(3))
    );
    assert_eq!(attempt.performance(), Some(Performance::Shown));

    // A budget that does not suffice counts for nothing.
    let position = Position::parse("clobber:xoxoxo/oxoxox/xoxoxo").expect("a position");
    let mut attempt = Attempt::at(position, Seat::First, Theme::Search);
    let first = attempt
        .position()
        .nth_move(Seat::First, 0)
        .expect("a move")
        .to_string();
    let starved = attempt.try_move(&first, &Budget::nodes(1));
    assert!(matches!(starved, Ok(Answer::Undecided { .. })));
    assert_eq!((attempt.wrong(), attempt.performance()), (0, None));
}
