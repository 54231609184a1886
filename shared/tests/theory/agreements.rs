//! What two players agree on during a match: takebacks, draws, pauses, and calling it off. The model of `referee_model.rs` checks the
//! decisions; here are the laws of the log, and what takes more than Nim.

use grundy_shared::event::{EndReason, Event, Outcome, PlayerInfo, Proposal, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Ply, Seat, Seq};
use grundy_shared::record::Record;
use grundy_shared::referee::{
    ADJOURN_MS, BrokenLaw, Command, Decision, PAUSE_MS, Referee, Refusal, TAKEBACK_PLIES_MAX, Terms,
};

fn person(number: u128) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(number),
        name: format!("person {number}"),
        bot: false,
    }
}

/// A match between person 0, who moves first, and person 1; each command comes a second after the one before.
struct Played {
    referee: Referee,
    log: Vec<Event>,
}

impl Played {
    fn new(position: &str, clock: TimeControl) -> Self {
        let terms = Terms {
            position: position.to_owned(),
            clock,
            rematch_of: None,
            series: None,
        };
        let made = Referee::create(terms, person(0), Seat::First, Millis(0));
        let (referee, log) = made.expect("lawful terms");
        let mut played = Self { referee, log };
        played.must(&Command::Join { player: person(1) });
        played
    }

    fn now(&self) -> Millis {
        self.referee.last_at().plus(Millis(1_000))
    }

    fn ask(&mut self, command: &Command) -> Result<Decision, Refusal> {
        let decided = self.referee.handle(self.now(), command);
        if let Ok(Decision::Events(ruling)) = &decided {
            self.log.extend(ruling.iter().cloned());
            self.referee.accept(ruling.clone()).expect("fresh");
        }
        decided
    }

    fn must(&mut self, command: &Command) {
        let decided = self.ask(command);
        assert!(
            matches!(decided, Ok(Decision::Events(_))),
            "{command:?}: {decided:?}"
        );
    }

    fn moves(&mut self, texts: &[&str]) {
        for text in texts {
            let seat = self.referee.to_move();
            self.must(&Command::Move {
                player: person(seat.index() as u128).id,
                ply: self.referee.ply().next(),
                client_move_id: None,
                text: (*text).to_owned(),
                opponent_lag: Millis(0),
                hints: 0,
            });
        }
    }

    fn proposes(&mut self, who: usize, proposal: Proposal) {
        let player = person(who as u128).id;
        self.must(&Command::Propose { player, proposal });
    }

    fn agrees(&mut self, who: usize) {
        self.must(&Command::Answer {
            player: person(who as u128).id,
            proposed: self.referee.seq(),
            agree: true,
        });
    }
}

fn a_move(who: usize, ply: Ply, text: &str) -> Command {
    Command::Move {
        player: person(who as u128).id,
        ply,
        client_move_id: Some(format!("{who}-{ply}-{text}").parse().expect("an id")),
        text: text.to_owned(),
        opponent_lag: Millis(0),
        hints: 0,
    }
}

fn fischer() -> TimeControl {
    TimeControl::Fischer {
        base_ms: Millis(60_000),
        increment_ms: Millis(500),
    }
}

#[test]
fn a_draw_is_agreed_on_where_play_can_cycle_and_nowhere_else() {
    let mut played = Played::new("loopy.0-1.1-0.1-2:0", TimeControl::Untimed {});
    played.moves(&["0-1"]);
    played.proposes(0, Proposal::Draw);
    // Who proposes the same agrees.
    played.proposes(1, Proposal::Draw);
    let end = Some((Outcome::Draw, EndReason::Agreement));
    assert_eq!(played.referee.outcome(), end);
    assert_eq!(Referee::replay(&played.log).as_ref(), Ok(&played.referee));

    let nim = Played::new("nim:3,4", TimeControl::Untimed {});
    let draw = Command::Propose {
        player: person(0).id,
        proposal: Proposal::Draw,
    };
    assert_eq!(nim.referee.handle(nim.now(), &draw), Err(Refusal::NoDraws));
}

#[test]
fn a_position_that_was_taken_back_does_not_count_for_a_draw_by_repetition() {
    let mut played = Played::new("loopy.0-1.1-0.1-2:0", TimeControl::Untimed {});
    played.moves(&["0-1", "1-0", "0-1"]);
    // Once more would be the third time. It is taken back, and comes again.
    for _ in 0..3 {
        played.proposes(0, Proposal::Takeback);
        played.agrees(1);
        assert_eq!(played.referee.ply(), Ply(2));
        played.moves(&["0-1"]);
    }
    assert_eq!(played.referee.outcome(), None);
    played.moves(&["1-0"]);
    let end = Some((Outcome::Draw, EndReason::Repetition));
    assert_eq!(played.referee.outcome(), end);
    assert_eq!(Referee::replay(&played.log).as_ref(), Ok(&played.referee));
}

#[test]
fn a_takeback_is_told_in_the_record_and_a_repeat_of_the_move_is_still_known() {
    let mut played = Played::new("nim:3,4,5", fischer());
    let first = a_move(0, Ply(1), "A-3");
    played.must(&first);
    let answered = played.referee.handle(played.now(), &first);
    played.moves(&["B-1"]);
    // The one to move takes back the answer too.
    played.proposes(0, Proposal::Takeback);
    played.agrees(1);
    assert_eq!(
        (played.referee.ply(), played.referee.to_move()),
        (Ply(0), Seat::First)
    );
    assert_eq!(played.referee.position(), played.referee.start());
    assert!(matches!(answered, Ok(Decision::Repeat { seq: Seq(3), .. })));
    assert_eq!(played.referee.handle(played.now(), &first), answered);
    played.moves(&["C-5"]);
    assert_eq!(played.referee.handle(played.now(), &first), answered);
    played.must(&Command::Resign {
        player: person(1).id,
    });

    let record = Record::new(MatchId::from_random(1), played.log.clone());
    let record = record.expect("a lawful log");
    let text = record.to_text(&[]);
    assert!(text.contains("[TakenBack \"1. A-3, 2. B-1\"]"), "{text}");
    assert!(text.contains("1. first   C-5"), "{text}");
    let again = Record::read(&record.to_bytes()).expect("it reads back");
    assert_eq!(again.to_bytes(), record.to_bytes());
}

#[test]
fn who_proposes_a_takeback_does_not_agree_to_the_other_players() {
    let mut played = Played::new("nim:3,4,5", TimeControl::Untimed {});
    played.moves(&["A-3", "B-1", "C-1"]);
    played.proposes(0, Proposal::Takeback);
    played.proposes(1, Proposal::Takeback);
    assert_eq!(played.referee.ply(), Ply(3));
    // The second player's last move, and the answer to it.
    played.agrees(0);
    assert_eq!(played.referee.ply(), Ply(1));
}

#[test]
fn nothing_is_taken_back_after_very_many_moves() {
    let heap = TAKEBACK_PLIES_MAX + 9;
    let mut played = Played::new(&format!("nim:{heap}"), TimeControl::Untimed {});
    for _ in 0..TAKEBACK_PLIES_MAX {
        played.moves(&["A-1"]);
    }
    let takeback = |who: u128| Command::Propose {
        player: person(who).id,
        proposal: Proposal::Takeback,
    };
    let may = played.referee.handle(played.now(), &takeback(1));
    assert!(matches!(may, Ok(Decision::Events(_))));
    played.moves(&["A-1"]);
    let may_not = played.referee.handle(played.now(), &takeback(0));
    assert_eq!(may_not, Err(Refusal::TooLongToTakeBack));
}

/// A match with everything that can be agreed on in it.
fn agreed() -> Played {
    let mut played = Played::new("nim:3,4,5", fischer());
    played.proposes(1, Proposal::Abort);
    played.moves(&["A-3", "B-1"]);
    played.proposes(1, Proposal::Takeback);
    played.agrees(0);
    played.moves(&["C-1"]);
    played.proposes(0, Proposal::Pause);
    played.agrees(1);
    played.must(&Command::Continue {
        player: Some(person(0).id),
    });
    played.proposes(1, Proposal::Pause);
    played.must(&Command::WithdrawProposal {
        player: person(1).id,
    });
    played.moves(&["B-4"]);
    played
}

#[test]
fn a_log_of_agreements_that_leaves_one_out_or_changes_it_is_refused() {
    let lawful = agreed().log;
    assert!(Referee::replay(&lawful).is_ok());
    // A proposal and its end belong together, and so do a pause and its end.
    for (place, event) in lawful.iter().enumerate() {
        let needed = match event {
            Event::Proposed { proposal, .. } => *proposal != Proposal::Abort,
            Event::TakenBack { .. } | Event::Paused { .. } | Event::Continued { .. } => true,
            _ => false,
        };
        if needed {
            let mut without = lawful.clone();
            without.remove(place);
            assert!(Referee::replay(&without).is_err(), "without {event:?}");
        }
        let mut doubled = lawful.clone();
        doubled.insert(place, event.clone());
        // The same proposal may be made twice; nothing else happens twice.
        let twice = matches!(event, Event::Proposed { .. });
        assert_eq!(Referee::replay(&doubled).is_ok(), twice, "twice {event:?}");
    }
    let changed = |change: &dyn Fn(&mut Event)| {
        let mut log = lawful.clone();
        log.iter_mut().for_each(change);
        Referee::replay(&log).expect_err("unlawful").law
    };
    let law = changed(&|event| {
        if let Event::TakenBack { ply, .. } = event {
            *ply = Ply(0);
        }
    });
    assert_eq!(law, BrokenLaw::NoProposal);
    let law = changed(&|event| {
        if let Event::TakenBack { clocks, .. } = event {
            *clocks = None;
        }
    });
    assert!(matches!(law, BrokenLaw::WrongClocks { .. }));
    let law = changed(&|event| {
        if let Event::Paused {
            at_ms, until_ms, ..
        } = event
        {
            *until_ms = at_ms.plus(PAUSE_MS).plus(Millis(1));
        }
    });
    assert_eq!(law, BrokenLaw::NoProposal);
    let law = changed(&|event| {
        if let Event::ProposalEnded { proposal, .. } = event {
            *proposal = Proposal::Draw;
        }
    });
    assert_eq!(law, BrokenLaw::NoProposal);
}

#[test]
fn a_draw_that_nobody_proposed_is_no_end() {
    let mut log = Played::new("loopy.0-1.1-0:0", TimeControl::Untimed {}).log;
    log.push(Event::Ended {
        at_ms: Millis(9_000),
        outcome: Outcome::Draw,
        reason: EndReason::Agreement,
        next: None,
    });
    let wrong = BrokenLaw::WrongEnd(Outcome::Draw, EndReason::Agreement);
    assert_eq!(Referee::replay(&log).expect_err("unlawful").law, wrong);
}

#[test]
fn a_pause_stands_still_refuses_moves_and_ends_by_itself() {
    let mut played = Played::new("nim:3,4,5", fischer());
    played.moves(&["A-3"]);
    played.proposes(0, Proposal::Pause);
    played.agrees(1);
    let (left, until) = (
        played.referee.clocks_at(played.now()),
        played.referee.paused_until(),
    );
    let until = until.expect("paused");
    assert_eq!(until, played.referee.last_at().plus(PAUSE_MS));
    assert_eq!(played.referee.deadline(), None);
    let refused = played.ask(&a_move(1, Ply(2), "B-1"));
    assert_eq!(refused, Err(Refusal::Paused { until }));
    assert_eq!(played.referee.clocks_at(until), left);
    let by_itself = Command::Continue { player: None };
    let early = played.referee.handle(until.since(Millis(1)), &by_itself);
    assert_eq!(early, Ok(Decision::Nothing));
    let Ok(Decision::Events(ruling)) = played.referee.handle(until, &by_itself) else {
        panic!("the pause is over");
    };
    played.referee.accept(ruling).expect("fresh");
    assert_eq!(played.referee.clocks_at(until), left);
    let later = played.referee.clocks_at(until.plus(Millis(1_000)));
    let ran = left.map(|left| left.second_ms.since(Millis(1_000)));
    assert_eq!(later.map(|later| later.second_ms), ran);
}

#[test]
fn an_adjourned_match_goes_on_when_both_want_it_or_after_a_week() {
    let mut played = Played::new("nim:3,4,5", fischer());
    played.moves(&["A-3"]);
    played.proposes(0, Proposal::Adjourn);
    played.agrees(1);
    let left = played.referee.clocks_at(played.now());
    let until = played.referee.paused_until().expect("adjourned");
    assert_eq!(until, played.referee.last_at().plus(ADJOURN_MS));
    assert!(played.referee.is_adjourned());
    let alone = |who| Command::Continue {
        player: Some(person(who).id),
    };
    // One player proposes it, possibly twice; the clocks stand still.
    played.must(&alone(0));
    assert_eq!(played.ask(&alone(0)), Ok(Decision::Nothing));
    assert!(played.referee.is_adjourned());
    assert_eq!(played.referee.clocks_at(played.now()), left);
    let mut week = played.referee.clone();
    // The other player agrees with the same request.
    played.must(&alone(1));
    assert!(!played.referee.is_adjourned());
    assert_eq!(played.referee.proposal(Seat::First), None);
    assert_eq!(Referee::replay(&played.log).as_ref(), Ok(&played.referee));

    let by_itself = Command::Continue { player: None };
    let early = week.handle(until.since(Millis(1)), &by_itself);
    assert_eq!(early, Ok(Decision::Nothing));
    let Ok(Decision::Events(ruling)) = week.handle(until, &by_itself) else {
        panic!("the week is over");
    };
    week.accept(ruling).expect("fresh");
    assert_eq!(week.clocks_at(until), left);
}

#[test]
fn an_adjourned_match_that_one_player_continues_is_no_lawful_log() {
    let mut played = Played::new("nim:3,4,5", fischer());
    played.proposes(0, Proposal::Adjourn);
    played.agrees(1);
    let mut log = played.log.clone();
    log.push(Event::Continued {
        at_ms: played.now(),
    });
    let law = Referee::replay(&log).expect_err("unlawful").law;
    assert_eq!(law, BrokenLaw::NotPaused);
    let mut log = played.log;
    for event in &mut log {
        if let Event::Paused { adjourned, .. } = event {
            *adjourned = false;
        }
    }
    let law = Referee::replay(&log).expect_err("unlawful").law;
    assert_eq!(law, BrokenLaw::NoProposal);
}
