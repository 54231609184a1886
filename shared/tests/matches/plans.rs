//! Conditional moves: which plans are allowed, what a plan does, and the laws of logs with plans.

use grundy_shared::Position;
use grundy_shared::event::{Event, PlayerInfo, Proposal, TimeControl};
use grundy_shared::ids::{Millis, PlayerId, Ply, Seat};
use grundy_shared::referee::{
    BrokenLaw, Command, Decision, PLAN_LINES_MAX, PLAN_TEXT_MAX, PLANS_MAX, ReadPlan, Referee,
    Refusal, Terms,
};
use proptest::prelude::*;

fn person(who: usize) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(who as u128),
        name: format!("person {who}"),
        bot: false,
    }
}

fn days() -> TimeControl {
    TimeControl::PerMove {
        move_ms: Millis(3 * 86_400_000),
    }
}

fn lines(texts: &[&str]) -> Vec<Vec<String>> {
    let line = |text: &&str| text.split_whitespace().map(str::to_owned).collect();
    texts.iter().map(line).collect()
}

/// A match of persons 0 and 1; each command comes a second after the one before.
#[derive(Clone)]
struct Match {
    referee: Referee,
    log: Vec<Event>,
}

impl Match {
    fn new(position: &str, clock: TimeControl) -> Self {
        let terms = Terms {
            position: position.to_owned(),
            clock,
            rematch_of: None,
            series: None,
        };
        let made = Referee::create(terms, person(0), Seat::First, Millis(0));
        let (referee, log) = made.expect("lawful terms");
        let mut new = Self { referee, log };
        let joined = new.ask(&Command::Join { player: person(1) });
        assert!(matches!(joined, Ok(Decision::Events(_))));
        new
    }

    fn ask(&mut self, command: &Command) -> Result<Decision, Refusal> {
        let now = self.referee.last_at().plus(Millis(1_000));
        let decided = self.referee.handle(now, command);
        if let Ok(Decision::Events(ruling)) = &decided {
            self.log.extend(ruling.iter().cloned());
            self.referee.accept(ruling.clone()).expect("fresh");
        }
        decided
    }

    fn plan(&mut self, who: usize, texts: &[&str]) -> Result<Decision, Refusal> {
        self.ask(&Command::Plan {
            player: person(who).id,
            ply: self.referee.ply().next(),
            lines: lines(texts),
            read: None,
        })
    }

    fn moves(&mut self, text: &str) {
        let moved = self.ask(&Command::Move {
            player: person(self.referee.to_move().index()).id,
            ply: self.referee.ply().next(),
            client_move_id: None,
            text: text.to_owned(),
            opponent_lag: Millis(0),
            hints: 0,
        });
        assert!(
            matches!(moved, Ok(Decision::Events(_))),
            "{text}: {moved:?}"
        );
    }

    /// Makes the planned move, if there is one.
    fn replies(&mut self) -> Option<String> {
        let planned = Command::PlayPlanned {
            opponent_lag: Millis(0),
        };
        match self.ask(&planned).expect("never refused") {
            Decision::Nothing => None,
            Decision::Events(ruling) => match &ruling[0] {
                Event::Moved {
                    planned: true,
                    move_text,
                    ..
                } => Some(move_text.clone()),
                other => panic!("{other:?}"),
            },
            other @ Decision::Repeat { .. } => panic!("{other:?}"),
        }
    }

    fn replays(&self) {
        assert_eq!(Referee::replay(&self.log).as_ref(), Ok(&self.referee));
    }
}

#[test]
fn a_planned_reply_is_made_and_the_line_goes_on() {
    let mut game = Match::new("nim:3,4,5", days());
    let planned = game.plan(1, &["a1 b=3 A-1 A-1", "C-5 B-1"]);
    assert!(matches!(planned, Ok(Decision::Events(_))));
    // Kept in canonical form.
    assert_eq!(
        game.referee.plan(Seat::Second),
        lines(&["A-1 B-1 A-1 A-1", "C-5 B-1"])
    );
    assert_eq!(game.replies(), None, "it is the other player's turn");
    game.moves("A-1");
    assert_eq!(game.replies().as_deref(), Some("B-1"));
    assert_eq!(game.referee.plan(Seat::Second), lines(&["A-1 A-1"]));
    game.moves("A-1");
    assert_eq!(game.replies().as_deref(), Some("A-1"));
    assert_eq!(game.replies(), None);
    game.replays();
}

#[test]
fn another_move_drops_the_plan_and_so_does_a_takeback() {
    let mut game = Match::new("nim:3,4,5", TimeControl::Untimed {});
    game.plan(1, &["A-1 B-1"]).expect("a plan");
    game.moves("A-2");
    assert_eq!(game.replies(), None);
    game.moves("A-1");
    game.plan(1, &["C-1 C-1"]).expect("a plan");
    let propose = Command::Propose {
        player: person(1).id,
        proposal: Proposal::Takeback,
    };
    game.ask(&propose).expect("there is a move");
    let agree = Command::Answer {
        player: person(0).id,
        proposed: game.referee.seq(),
        agree: true,
    };
    game.ask(&agree).expect("open");
    assert!(game.referee.plan(Seat::Second).is_empty());
    game.replays();
}

#[test]
fn the_player_may_still_make_another_move_or_the_planned_one_by_hand() {
    let mut game = Match::new("nim:3,4,5", days());
    game.plan(1, &["A-1 B-1 A-1 A-1"]).expect("a plan");
    game.moves("A-1");
    let mut other = game.clone();
    other.moves("B-2");
    assert!(other.referee.plan(Seat::Second).is_empty());
    other.replays();
    game.moves("B-1");
    assert_eq!(game.referee.plan(Seat::Second), lines(&["A-1 A-1"]));
    game.replays();
}

#[test]
fn what_cannot_be_planned_is_refused_with_the_reason() {
    let blitz = TimeControl::Fischer {
        base_ms: Millis(180_000),
        increment_ms: Millis(0),
    };
    let mut fast = Match::new("nim:3,4,5", blitz);
    assert_eq!(fast.plan(1, &["A-1 B-1"]), Err(Refusal::TooFastToPlan));
    let mut game = Match::new("nim:1,2", days());
    assert_eq!(game.plan(0, &["A-1 B-1"]), Err(Refusal::PlanAfterYourMove));
    assert_eq!(game.plan(2, &["A-1 B-1"]), Err(Refusal::NotAPlayer));
    for (bad, moves) in [("A-1", 1), ("", 0), ("A-1 B-1 B-1", 3)] {
        let refused = Err(Refusal::BadPlanLength { line: 1, moves });
        assert_eq!(game.plan(1, &[bad]), refused, "{bad:?}");
    }
    let long = "A-1 ".repeat(10);
    let refused = Err(Refusal::BadPlanLength { line: 1, moves: 10 });
    assert_eq!(game.plan(1, &[&long]), refused);
    assert!(matches!(
        game.plan(1, &["A-1 B-1", "B-1 B-3"]),
        Err(Refusal::IllegalPlan { line: 2, .. })
    ));
    let refused = Err(Refusal::PlanBeyondEnd { line: 1, after: 2 });
    assert_eq!(game.plan(1, &["A-1 B-2 B-1 B-1"]), refused);
    let refused = Err(Refusal::PlanContradicts {
        one: 1,
        other: 3,
        replies: ["B-2".to_owned(), "B-1".to_owned()],
    });
    assert_eq!(game.plan(1, &["A-1 B-2", "B-1 A-1", "A-1 B-1"]), refused);
    let many = vec!["A-1 B-1"; PLAN_LINES_MAX + 1];
    assert!(matches!(
        game.plan(1, &many),
        Err(Refusal::OutOfRange { .. })
    ));
    let stale = Command::Plan {
        player: person(1).id,
        ply: Ply(2),
        lines: lines(&["A-1 B-1"]),
        read: None,
    };
    assert!(matches!(game.ask(&stale), Err(Refusal::StalePly { .. })));
    assert_eq!(
        game.plan(1, &["A-1 B-1"; 2]).map(drop),
        Ok(()),
        "twice the same"
    );
    let same = game.plan(1, &["A-1 B-1"; 2]);
    assert_eq!(same, Ok(Decision::Nothing));
}

#[test]
fn nobody_plans_without_end() {
    let mut game = Match::new("nim:3,4,5", days());
    for number in 0..PLANS_MAX {
        let line = ["A-1 B-1", "A-1 C-1"][usize::from(number % 2)];
        let planned = game.plan(1, &[line]);
        assert!(matches!(planned, Ok(Decision::Events(_))), "{number}");
    }
    assert_eq!(game.plan(1, &["A-2 B-1"]), Err(Refusal::TooManyPlans));
    // What stands can be dropped all the same, once.
    assert!(matches!(game.plan(1, &[]), Ok(Decision::Events(_))));
    assert_eq!(game.plan(1, &[]), Ok(Decision::Nothing));
    assert_eq!(game.plan(1, &["A-2 B-1"]), Err(Refusal::TooManyPlans));
    game.replays();
}

#[test]
fn a_pause_keeps_the_plan_and_makes_no_move() {
    let mut game = Match::new("nim:3,4,5", days());
    game.plan(1, &["A-1 B-1"]).expect("a plan");
    game.moves("A-1");
    for who in 0..2 {
        let propose = Command::Propose {
            player: person(who).id,
            proposal: Proposal::Adjourn,
        };
        game.ask(&propose).expect("there is a clock");
    }
    assert!(game.referee.is_adjourned());
    assert_eq!(game.replies(), None);
    for who in 0..2 {
        let go_on = Command::Continue {
            player: Some(person(who).id),
        };
        game.ask(&go_on).expect("adjourned");
    }
    assert_eq!(game.replies().as_deref(), Some("B-1"));
    game.replays();
}

#[test]
fn others_see_that_something_was_planned_and_not_what() {
    let mut game = Match::new("nim:3,4,5", days());
    game.plan(1, &["A-1 B-1", "C-5 B-1"]).expect("a plan");
    game.moves("A-1");
    game.replies().expect("planned");
    let hidden: Vec<Event> = game
        .log
        .iter()
        .map(|event| match event.hidden_from_others() {
            Some((seat, hidden)) => {
                assert_eq!(seat, Seat::Second);
                assert!(!hidden.to_json().contains("C-5"), "{}", hidden.to_json());
                hidden
            }
            None => event.clone(),
        })
        .collect();
    assert_ne!(hidden, game.log);
    let seen = Referee::replay(&hidden).expect("lawful for those who may not see it");
    assert_eq!(seen.moves(), game.referee.moves());
    assert!(seen.plan(Seat::Second).is_empty());
}

#[test]
fn a_log_with_an_unlawful_plan_is_refused() {
    let mut game = Match::new("nim:3,4,5", days());
    game.plan(1, &["A-1 B-1"]).expect("a plan");
    game.moves("A-1");
    game.replies().expect("planned");
    game.moves("C-1");
    let changed = |change: &dyn Fn(&mut Event)| {
        let mut log = game.log.clone();
        log.iter_mut().for_each(change);
        Referee::replay(&log).map(drop).map_err(|error| error.law)
    };
    assert_eq!(changed(&|_| {}), Ok(()));
    let other_lines = |texts: &'static [&'static str]| {
        changed(&move |event| {
            if let Event::Planned { lines: planned, .. } = event {
                *planned = Some(lines(texts));
            }
        })
    };
    for texts in [&["A-1 C-1"], &["A-2 B-1"], &["a1 B-1"], &["A-1"]] {
        assert_eq!(other_lines(texts), Err(BrokenLaw::NoPlan), "{texts:?}");
    }
    let by_the_other = changed(&|event| {
        if let Event::Planned { seat, .. } = event {
            *seat = Seat::First;
        }
    });
    assert_eq!(by_the_other, Err(BrokenLaw::NoPlan));
    let all_planned = changed(&|event| {
        if let Event::Moved { planned, .. } = event {
            *planned = true;
        }
    });
    assert_eq!(all_planned, Err(BrokenLaw::NoPlan));
}

/// What was read before is not read again, neither where it is decided nor where it is folded.
#[test]
#[cfg(debug_assertions)]
fn a_plan_plays_its_moves_once() {
    let mut game = Match::new("nim:3,4,5", days());
    let texts = lines(&["A-1 B-1", "A-2 B-1 A-1 B-1"]);
    let plays = Position::plays_on_this_thread;
    let before = plays();
    game.plan(1, &["C-1 B-1"]).expect("a plan");
    assert_eq!(plays(), before + 2);
    let read = ReadPlan::of(game.referee.position().clone(), Seat::Second, &texts);
    assert_eq!(plays(), before + 8);
    let plan = |lines: &[Vec<String>], read: &ReadPlan| Command::Plan {
        player: person(1).id,
        ply: Ply(1),
        lines: lines.to_vec(),
        read: Some(Box::new(read.clone())),
    };
    let planned = game.ask(&plan(&texts, &read));
    assert!(matches!(planned, Ok(Decision::Events(_))), "{planned:?}");
    assert_eq!(plays(), before + 8);
    assert_eq!(game.referee.plan(Seat::Second), texts);
    game.replays();
    // One that was read in another position is read again.
    let before = plays();
    let other = Position::parse("nim:9").expect("a position");
    let other = ReadPlan::of(other, Seat::Second, &lines(&["A-1 A-1"]));
    let planned = game.ask(&plan(&lines(&["A-1 B-1"]), &other));
    assert!(matches!(planned, Ok(Decision::Events(_))), "{planned:?}");
    assert_eq!(plays(), before + 4);
}

/// A plan that is too long, or that has a line of a wrong length, is refused before a move of it is played.
#[test]
#[cfg(debug_assertions)]
fn the_lengths_of_a_plan_are_checked_first() {
    let mut game = Match::new("nim:3,4,5", days());
    let before = Position::plays_on_this_thread();
    let long = format!("A-1 {}B-1", "0".repeat(PLAN_TEXT_MAX));
    for texts in [["A-1 B-1", &long], ["A-1 B-1", "A-1"]] {
        let refused = game.plan(1, &texts);
        assert!(
            matches!(
                refused,
                Err(Refusal::PlanTooLong { .. } | Refusal::BadPlanLength { .. })
            ),
            "{refused:?}"
        );
    }
    assert_eq!(Position::plays_on_this_thread(), before);
}

proptest! {
    /// A plan is followed exactly as a player would follow it who looks it up after each move of the opponent.
    #[test]
    fn a_plan_does_what_its_reader_would_do(choices in prop::collection::vec(0usize..12, 40), tries in prop::collection::vec(0usize..12, 8)) {
        let mut game = Match::new("nim:2,3,4", days());
        // Lines are random play.
        let mut planned: Vec<Vec<String>> = Vec::new();
        for line in choices.chunks(4) {
            let mut position = game.referee.position().clone();
            let mut mover = Seat::First;
            let mut texts = Vec::new();
            for choice in line {
                let legal: Vec<_> = (0..).map_while(|n| position.nth_move(mover, n)).collect();
                let Some(mv) = legal.get(choice % legal.len().max(1)) else { break };
                texts.push(mv.to_string());
                position = position.play(mv);
                mover = mover.other();
            }
            texts.truncate(texts.len() / 2 * 2);
            let clashes = planned.iter().any(|other: &Vec<String>| {
                let differs = other.iter().zip(&texts).position(|(one, two)| one != two);
                differs.is_some_and(|at| at % 2 == 1)
            });
            if !texts.is_empty() && !clashes {
                planned.push(texts);
            }
        }
        let plan = Command::Plan { player: person(1).id, ply: Ply(1), lines: planned.clone(), read: None };
        prop_assert!(game.ask(&plan).is_ok());
        let mut so_far: Vec<String> = Vec::new();
        for choice in tries {
            let position = game.referee.position().clone();
            let legal: Vec<_> = (0..).map_while(|n| position.nth_move(Seat::First, n)).collect();
            if legal.is_empty() || game.referee.outcome().is_some() { break; }
            // Half of the time, a move to which a reply is planned, if there is one.
            let expected = planned.iter().find(|line| line.starts_with(&so_far) && line.len() > so_far.len());
            let text = match expected.filter(|_| choice % 2 == 0) {
                Some(line) => line[so_far.len()].clone(),
                None => legal[choice % legal.len()].to_string(),
            };
            game.moves(&text);
            so_far.push(text);
            let reply = planned.iter().find(|line| line.starts_with(&so_far) && line.len() > so_far.len());
            let reply = reply.map(|line| line[so_far.len()].clone()).filter(|_| game.referee.outcome().is_none());
            prop_assert_eq!(game.replies(), reply.clone());
            match reply {
                Some(reply) => so_far.push(reply),
                None => break,
            }
        }
        game.replays();
    }
}
