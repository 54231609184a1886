//! Who enters, who leaves, and how a tournament begins.

use grundy_shared::bounds::TOURNAMENT_IDLE;
use grundy_shared::event::{EndReason, Outcome};
use grundy_shared::ids::{Millis, Seat};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::protocol::tournament::TournamentStatus;
use grundy_shared::tournament::{Format, TournamentEvent};

use super::rig::{Rig, START, created, player};
use crate::tournaments::machine::{Ask, Input};

const ROUND_ROBIN: Format = Format::RoundRobin {};

#[test]
fn the_last_place_starts_it_and_nobody_enters_after_that() {
    let mut rig = Rig::of(created(ROUND_ROBIN, 2, 3));
    assert_eq!(rig.enter(1).state().status, TournamentStatus::Entries);
    // Again: nothing changes.
    assert_eq!(rig.enter(1).state().players, 1);
    rig.enter(2);
    assert!(rig.matches.is_empty());
    rig.enter(3);
    assert!(rig.tournament().has_begun());
    assert_eq!(rig.enter(4).code(), Some(ErrorCode::EntriesClosed));
    assert_eq!(rig.events().len(), 1 + 3 + 1 + 1, "and round 1 is paired");
}

#[test]
fn two_players_of_one_name_are_told_so() {
    let mut rig = Rig::of(created(ROUND_ROBIN, 2, 3));
    rig.enter(1);
    let mut twin = player(2);
    twin.name = player(1).name;
    let answer = rig.ask_as(twin, Ask::Enter);
    assert_eq!(answer.code(), Some(ErrorCode::NotAdmitted));
    assert!(format!("{answer:?}").contains("'p1' has entered already"));
}

#[test]
fn a_ladder_takes_players_while_it_runs() {
    let mut rig = Rig::of(created(Format::Ladder { rounds: 3 }, 2, 8));
    rig.enter(1);
    rig.enter(2);
    rig.ask(0, Ask::Start);
    assert_eq!(rig.enter(3).state().players, 3);
    rig.play_out(|_| (Outcome::First, EndReason::LastMove));
    let byes = rig.events().into_iter().filter_map(|event| match event {
        TournamentEvent::RoundPaired { byes, .. } => Some(byes.len()),
        _ => None,
    });
    assert_eq!(byes.collect::<Vec<_>>(), [0, 1, 1]);
}

#[test]
fn a_delayed_start_comes_by_itself_and_not_before() {
    let mut begins = created(ROUND_ROBIN, 2, 8);
    if let TournamentEvent::Created { starts_at_ms, .. } = &mut begins {
        *starts_at_ms = Some(Millis(START + 60_000));
    }
    let mut rig = Rig::of(begins);
    rig.enter(1);
    rig.enter(2);
    assert_eq!(rig.machine.wake_at(), Some(Millis(START + 60_000)));
    rig.wait(59_999);
    assert!(!rig.tournament().has_begun());
    rig.wait(1);
    assert!(rig.tournament().has_begun());
    assert_eq!(rig.machine.wake_at(), None);
    assert_eq!(rig.running().len(), 1);
}

#[test]
fn a_delayed_start_without_enough_players_cancels_and_says_why() {
    let mut begins = created(ROUND_ROBIN, 2, 8);
    if let TournamentEvent::Created { starts_at_ms, .. } = &mut begins {
        *starts_at_ms = Some(Millis(START + 60_000));
    }
    let mut rig = Rig::of(begins);
    rig.enter(1);
    rig.enter(2);
    rig.ask(2, Ask::Withdraw);
    rig.wait(60_000);
    let why = rig.tournament().cancelled().unwrap_or_default().to_owned();
    assert!(why.contains("cannot start") && why.contains('2'), "{why}");
    assert!(rig.tournament().is_over(), "its seed is open");
    assert!(rig.finished);
}

#[test]
fn a_start_with_one_player_is_refused() {
    let mut rig = Rig::of(created(ROUND_ROBIN, 2, 8));
    rig.enter(1);
    assert_eq!(rig.ask(0, Ask::Start).code(), Some(ErrorCode::WrongStatus));
    assert_eq!(rig.ask(1, Ask::Start).code(), Some(ErrorCode::NotAllowed));
    assert_eq!(rig.events().len(), 2);
}

#[test]
fn who_withdraws_loses_the_running_game_and_is_paired_no_more() {
    for format in [
        ROUND_ROBIN,
        Format::Swiss { rounds: 3 },
        Format::Knockout {},
        Format::Ladder { rounds: 4 },
    ] {
        let mut rig = Rig::begun(format, 4, 2);
        let game = rig.running()[0].clone();
        let loser = game.players[0].clone();
        rig.ask_as(loser.clone(), Ask::Withdraw);
        assert_eq!(
            rig.stopped.get(&game.id),
            Some(&(Some(Seat::First), EndReason::Withdrawn)),
            "{format:?}"
        );
        let again = rig.ask_as(loser.clone(), Ask::Withdraw);
        assert!(again.state().standings.iter().any(|row| row.withdrawn));
        let enters = rig.ask_as(loser.clone(), Ask::Enter);
        assert_eq!(enters.code(), Some(ErrorCode::NotAdmitted), "{format:?}");
        rig.play_out(|_| (Outcome::Draw, EndReason::Repetition));
        let number = 1 + rig
            .tournament()
            .players()
            .iter()
            .position(|player| player.id == loser.id)
            .expect("it entered") as u32;
        for event in rig.events() {
            if let TournamentEvent::RoundPaired { round, pairs, byes } = event {
                let plays = pairs
                    .iter()
                    .any(|pair| pair.0 == number || pair.1 == number);
                assert_eq!(plays, round == 1, "{format:?}, round {round}");
                assert!(!byes.contains(&number), "{format:?}, round {round}");
            }
        }
    }
}

#[test]
fn who_has_not_entered_cannot_withdraw() {
    let mut rig = Rig::begun(ROUND_ROBIN, 3, 2);
    assert_eq!(
        rig.ask(9, Ask::Withdraw).code(),
        Some(ErrorCode::NotEntered)
    );
}

#[test]
fn a_server_that_stops_makes_no_match() {
    let mut rig = Rig::of(created(ROUND_ROBIN, 2, 2));
    rig.enter(1);
    rig.give(Input::Drain);
    rig.enter(2);
    assert!(rig.matches.is_empty());
    rig.die();
    assert_eq!(rig.matches.len(), 1);
}

#[test]
fn what_nobody_starts_expires_whoever_enters_and_whatever_dies() {
    let mut rig = Rig::of(created(ROUND_ROBIN, 2, 8));
    let expires = START + TOURNAMENT_IDLE.0;
    assert_eq!(rig.machine.wake_at(), Some(Millis(expires)));
    rig.wait(TOURNAMENT_IDLE.0 - 1);
    rig.enter(1);
    assert_eq!(rig.tournament().cancelled(), None);
    rig.die();
    rig.wait(1);
    let why = rig.tournament().cancelled().unwrap_or_default();
    assert!(why.contains("48 hours"), "{why}");
    assert!(rig.finished, "it gives its place back");
}

#[test]
fn what_nobody_resumes_expires_and_what_is_resumed_does_not() {
    let mut rig = Rig::begun(ROUND_ROBIN, 3, 2);
    assert_eq!(rig.machine.wake_at(), None, "it runs");
    rig.ask(0, Ask::Pause);
    rig.wait(TOURNAMENT_IDLE.0 - 1);
    rig.ask(0, Ask::Resume);
    rig.wait(TOURNAMENT_IDLE.0);
    assert_eq!(rig.tournament().cancelled(), None);
    rig.ask(0, Ask::Pause);
    rig.wait(TOURNAMENT_IDLE.0);
    assert!(rig.tournament().cancelled().is_some());
    assert_eq!(rig.stopped.len(), 1, "the game that ran is stopped");
}

#[test]
fn two_servers_expire_it_once() {
    let mut rig = Rig::of(created(ROUND_ROBIN, 2, 8));
    rig.now += TOURNAMENT_IDLE.0;
    let reason = "it was not started within 48 hours".to_owned();
    rig.write_as_another(TournamentEvent::Cancelled { reason });
    rig.give(Input::Time);
    let cancelled = rig
        .events()
        .into_iter()
        .filter(|event| matches!(event, TournamentEvent::Cancelled { .. }));
    assert_eq!(cancelled.count(), 1);
    assert!(rig.finished);
}

#[test]
fn an_operator_ends_what_others_may_not() {
    let mut rig = Rig::begun(ROUND_ROBIN, 3, 2);
    let cancel = || Ask::Cancel("mine".to_owned());
    assert_eq!(rig.ask(9, cancel()).code(), Some(ErrorCode::NotAllowed));
    let end = || Ask::End("abandoned".to_owned());
    assert_eq!(
        rig.ask(9, end()).state().cancelled.as_deref(),
        Some("abandoned")
    );
    // Again: nothing changes.
    assert_eq!(
        rig.ask(9, end()).state().status,
        TournamentStatus::Cancelled
    );
    assert_eq!(
        rig.ask(0, cancel()).state().cancelled.as_deref(),
        Some("abandoned")
    );
}
