//! What is being stored, what fails, and what somebody else wrote.

use grundy_shared::event::{EndReason, Outcome};
use grundy_shared::ids::{Millis, Seq};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::tournament::{Format, TournamentEvent, match_of_game};

use super::rig::{Rig, Storing, created, player};
use crate::store::{CommitError, StoreError};
use crate::tournaments::machine::Ask;

const ROUND_ROBIN: Format = Format::RoundRobin {};

#[test]
fn nothing_is_announced_before_it_is_stored() {
    let mut rig = Rig::of(created(ROUND_ROBIN, 2, 2));
    rig.enter(1);
    rig.follow(11, 1, true);
    rig.storing = Storing::Later;
    let reply = rig.send(player(2), Ask::Enter);
    assert!(!rig.answers.contains_key(&reply));
    assert!(!rig.heard.contains_key(&11));
    // The entry, the close of the entries, the pairing: each by itself.
    for stored in 1..=3 {
        assert!(
            rig.matches.is_empty(),
            "no match before its pairing is stored"
        );
        assert!(rig.rung.is_empty());
        rig.settle(Ok(()));
        assert_eq!(rig.log.len(), 2 + stored);
    }
    assert!(rig.answers.contains_key(&reply));
    assert_eq!(rig.matches.len(), 1);
    assert_eq!(rig.rung.len(), 2);
}

#[test]
fn the_end_of_a_match_and_its_result_are_one_commit() {
    let mut rig = Rig::begun(ROUND_ROBIN, 2, 2);
    rig.storing = Storing::Later;
    let game = rig.running()[0].clone();
    rig.end(&game, Outcome::First, EndReason::LastMove);
    let commit = rig.in_flight.as_ref().expect("it is being stored");
    assert_eq!(commit.appends.len(), 2, "{commit:?}");
    assert!(rig.told.is_empty());
    rig.settle(Ok(()));
    assert_eq!(rig.told.len(), 1);
    assert_eq!(rig.tournament().games_ended(), 1);
}

#[test]
fn a_match_hears_that_its_end_could_not_be_stored_and_may_try_again() {
    let mut rig = Rig::begun(ROUND_ROBIN, 2, 2);
    rig.storing = Storing::Fails;
    let game = rig.end_first(Outcome::First, EndReason::LastMove);
    assert!(matches!(rig.told[..], [(id, Err(_))] if id == game.id));
    assert_eq!(rig.tournament().games_ended(), 0);
    rig.end(&game, Outcome::First, EndReason::LastMove);
    assert_eq!(rig.tournament().games_ended(), 1);
}

#[test]
fn what_is_due_is_tried_again_after_a_second() {
    let mut rig = Rig::of(created(ROUND_ROBIN, 2, 2));
    rig.enter(1);
    rig.storing = Storing::Later;
    rig.send(player(2), Ask::Enter);
    rig.settle(Ok(()));
    let full = || {
        let why = "the disk is full".to_owned();
        CommitError::from(StoreError::Busy { why })
    };
    rig.settle(Err(full()));
    assert!(rig.in_flight.is_none());
    let again = rig.machine.wake_at().expect("it is tried again");
    assert_eq!(again, Millis(rig.now + 1_000));
    rig.wait(999);
    assert!(rig.in_flight.is_none());
    rig.wait(1);
    assert!(rig.in_flight.is_some());
}

#[test]
fn what_another_node_wrote_is_read_and_decided_again() {
    let mut rig = Rig::of(created(ROUND_ROBIN, 2, 3));
    rig.enter(1);
    rig.follow(11, 1, false);
    rig.write_as_another(TournamentEvent::Entered { player: player(2) });
    let answer = rig.enter(3);
    assert_eq!(answer.state().players, 3);
    assert!(rig.tournament().has_begun());
    // The follower hears the other node's event, too.
    assert_eq!(rig.heard[&11][0]["body"]["player"]["name"], "p2");
    // And somebody who entered there is told so here.
    rig.write_as_another(TournamentEvent::Withdrew { player: 1 });
    let answer = rig.ask(1, Ask::Withdraw);
    assert!(answer.state().standings.iter().any(|row| row.withdrawn));
    assert_eq!(rig.log.len() as u64, answer.state().seq.0);
}

#[test]
fn a_result_that_another_node_counted_is_not_counted_twice() {
    let mut rig = Rig::begun(ROUND_ROBIN, 2, 2);
    let game = rig.running()[0].clone();
    rig.write_as_another(TournamentEvent::GameEnded {
        round: 1,
        board: 1,
        game: 1,
        match_id: game.id,
        outcome: Outcome::Second,
        reason: EndReason::Time,
        head: "cd".repeat(32),
    });
    rig.end(&game, Outcome::First, EndReason::LastMove);
    assert_eq!(rig.tournament().games_ended(), 1);
    assert_eq!(rig.over.get(&game.id), Some(&false));
}

#[test]
fn a_log_that_cannot_be_read_is_read_again_after_a_second() {
    let mut rig = Rig::begun(ROUND_ROBIN, 4, 2);
    let game = rig.running()[0].clone();
    rig.write_as_another(TournamentEvent::Withdrew { player: 4 });
    rig.reads = false;
    rig.end(&game, Outcome::First, EndReason::LastMove);
    assert_eq!(rig.failed_reads, 1);
    let asked = rig.send(player(3), Ask::Withdraw);
    rig.reads = true;
    rig.wait(999);
    assert_eq!(rig.over.get(&game.id), None);
    rig.wait(1);
    assert_eq!(rig.over.get(&game.id), Some(&true));
    assert!(
        rig.answers.contains_key(&asked),
        "what came after it is decided too"
    );
}

#[test]
fn a_result_of_a_game_that_another_node_has_begun_is_counted() {
    let mut rig = Rig::begun(ROUND_ROBIN, 2, 2);
    let first = rig.running()[0].clone();
    // The other node has counted the first game, had the second one made, and it ended here.
    rig.write_as_another(TournamentEvent::GameEnded {
        round: 1,
        board: 1,
        game: 1,
        match_id: first.id,
        outcome: Outcome::Second,
        reason: EndReason::Time,
        head: "cd".repeat(32),
    });
    let mut second = first.clone();
    second.game.game = 2;
    second.id = match_of_game(second.game.id, 1, 1, 2);
    rig.end(&second, Outcome::First, EndReason::LastMove);
    assert_eq!(rig.tournament().games_ended(), 2);
    assert!(rig.tournament().is_over());
    assert!(matches!(rig.told[..], [(id, Ok(()))] if id == second.id));
}

#[test]
fn a_log_that_goes_on_with_what_nobody_here_knows_is_asked_once_a_second() {
    let mut rig = Rig::begun(ROUND_ROBIN, 4, 2);
    let game = rig.running()[0].clone();
    rig.log.push("{\"type\":\"of a newer version\"}".into());
    rig.end(&game, Outcome::First, EndReason::LastMove);
    for seconds in 1..=3 {
        assert_eq!(rig.over.get(&game.id), None);
        assert_eq!(rig.conflicts, seconds);
        rig.wait(999);
        assert_eq!(rig.conflicts, seconds);
        rig.wait(1);
    }
    // A request is refused instead of waiting for ever.
    let refused = rig.ask(3, Ask::Withdraw);
    assert_eq!(refused.code(), Some(ErrorCode::ServerBusy));
    rig.log.pop();
    rig.wait(1_000);
    assert_eq!(rig.over.get(&game.id), Some(&true));
    assert!(rig.ask(3, Ask::Withdraw).code().is_none());
}

#[test]
fn games_that_cannot_be_made_are_made_later() {
    let mut rig = Rig::of(created(ROUND_ROBIN, 2, 4));
    rig.makes_matches = false;
    for number in 1..=4 {
        rig.enter(number);
    }
    assert!(rig.matches.is_empty());
    rig.makes_matches = true;
    rig.wait(1_000);
    assert_eq!(rig.matches.len(), 2);
}

#[test]
fn requests_that_wait_are_bounded_and_results_are_not_refused() {
    let mut rig = Rig::begun(ROUND_ROBIN, 2, 2);
    rig.storing = Storing::Later;
    let game = rig.running()[0].clone();
    let first = rig.send(player(0), Ask::Pause);
    let waiting: Vec<_> = (0..12).map(|_| rig.send(player(0), Ask::Resume)).collect();
    let refused = rig.send(player(0), Ask::Resume);
    assert_eq!(rig.answers[&refused].code(), Some(ErrorCode::ServerBusy));
    // Twelve of each player, and 256 of all.
    for number in 12..256 {
        let asked = rig.send(player(number), Ask::Resume);
        assert!(!rig.answers.contains_key(&asked), "{number}");
    }
    let refused = rig.send(player(300), Ask::Resume);
    assert_eq!(rig.answers[&refused].code(), Some(ErrorCode::ServerBusy));
    rig.end(&game, Outcome::First, EndReason::LastMove);
    rig.storing = Storing::AtOnce;
    rig.settle(Ok(()));
    for reply in waiting.into_iter().chain([first]) {
        assert!(rig.answers[&reply].code().is_none());
    }
    assert_eq!(rig.tournament().games_ended(), 1);
}

#[test]
fn a_conflict_of_the_match_goes_to_the_match() {
    let mut rig = Rig::begun(ROUND_ROBIN, 2, 2);
    rig.storing = Storing::Later;
    let game = rig.running()[0].clone();
    rig.end(&game, Outcome::First, EndReason::LastMove);
    let conflict = CommitError::Conflict {
        stream: game.id.into(),
        actual: Seq(2),
    };
    rig.settle(Err(conflict));
    assert!(matches!(
        rig.told[..],
        [(id, Err(CommitError::Conflict { .. }))] if id == game.id
    ));
    assert_eq!(rig.tournament().games_ended(), 0);
}

#[test]
fn a_result_that_was_stored_although_its_commit_failed_is_found_in_the_log() {
    let mut rig = Rig::begun(ROUND_ROBIN, 2, 2);
    rig.storing = Storing::Later;
    let game = rig.running()[0].clone();
    rig.end(&game, Outcome::First, EndReason::LastMove);
    let commit = rig.in_flight.clone().expect("it is being stored");
    rig.apply(&commit);
    rig.storing = Storing::AtOnce;
    let why = "the disk has gone".to_owned();
    rig.settle(Err(StoreError::Failed { why }.into()));
    assert!(matches!(rig.told[..], [(id, Err(_))] if id == game.id));
    assert_eq!(rig.tournament().games_ended(), 1);
    assert_eq!(rig.running().len(), 1, "the next game is made");
}
