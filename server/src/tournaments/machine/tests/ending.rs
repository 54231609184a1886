//! Games, rounds and tournaments that end: every format, byes, forfeits, pauses, cancellations.

use std::collections::BTreeSet;

use grundy_shared::event::{EndReason, Outcome};
use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::protocol::account::AccountEvent;
use grundy_shared::protocol::tournament::TournamentStatus;
use grundy_shared::tournament::{Format, TournamentEvent};

use super::rig::{Rig, player};
use crate::tournaments::machine::{Ask, Input};

const ROUND_ROBIN: Format = Format::RoundRobin {};

/// The byes of all rounds.
fn byes(rig: &Rig) -> Vec<Vec<u32>> {
    let rounds = rig.events().into_iter().filter_map(|event| match event {
        TournamentEvent::RoundPaired { byes, .. } => Some(byes),
        _ => None,
    });
    rounds.collect()
}

#[test]
fn every_format_of_any_size_has_exactly_its_games() {
    for players in 2..=9u64 {
        let once = players * (players - 1) / 2;
        let most = players - (players + 1) % 2;
        for (format, pairings) in [
            (ROUND_ROBIN, once),
            (Format::DoubleRoundRobin {}, 2 * once),
            (Format::Gauntlet { seeds: 1 }, players - 1),
            (Format::Knockout {}, players - 1),
            (Format::Ladder { rounds: 4 }, 4 * (players / 2)),
            (Format::Swiss { rounds: 2 }, most.min(2) * (players / 2)),
        ] {
            let mut rig = Rig::begun(format, players as u32, 2);
            // The player with the smaller number wins every game: nobody is level.
            rig.play_out(|game| {
                let numbers = game.players.each_ref().map(|player| player.name.clone());
                match numbers[0] < numbers[1] {
                    true => (Outcome::First, EndReason::LastMove),
                    false => (Outcome::Second, EndReason::LastMove),
                }
            });
            let about = format!("{format:?} of {players}");
            assert_eq!(rig.tournament().games_ended(), 2 * pairings, "{about}");
            assert_eq!(
                rig.tournament().games_planned(),
                Some(2 * pairings),
                "{about}"
            );
            assert_eq!(rig.matches.len() as u64, 2 * pairings, "{about}");
            assert!(rig.over.values().all(|counts| *counts), "{about}");
            assert!(rig.finished, "{about}");
            let rounds = format.rounds(players as u32).expect("two players");
            assert_eq!(byes(&rig).len() as u32, rounds, "{about}");
            let odd = players % 2 == 1;
            let swiss = matches!(format, Format::Swiss { .. } | Format::Ladder { .. });
            if swiss {
                let own = byes(&rig);
                assert!(own.iter().all(|byes| byes.len() == usize::from(odd)));
                let distinct: BTreeSet<u32> = own.iter().flatten().copied().collect();
                assert_eq!(distinct.len().min(2), own.concat().len().min(2), "{about}");
            }
            let first = rig.ask(0, Ask::Withdraw);
            assert_eq!(first.code(), Some(ErrorCode::NotEntered));
        }
    }
}

#[test]
fn a_knockout_gives_its_byes_to_those_who_entered_first() {
    let mut rig = Rig::begun(Format::Knockout {}, 5, 1);
    rig.play_out(|_| (Outcome::First, EndReason::LastMove));
    let mut first = byes(&rig)[0].clone();
    first.sort_unstable();
    assert_eq!(first, [1, 2, 3]);
}

#[test]
fn forfeits_count_by_their_causes_and_are_in_the_log() {
    for (outcome, reason, points) in [
        (Outcome::First, EndReason::NoShow, [1.0, 0.0]),
        (Outcome::Second, EndReason::Disconnected, [0.0, 1.0]),
        (Outcome::Void, EndReason::NoShow, [0.0, 0.0]),
        (Outcome::Void, EndReason::Disconnected, [0.0, 0.0]),
        (Outcome::Void, EndReason::Outgrown, [0.5, 0.5]),
        (Outcome::Draw, EndReason::Repetition, [0.5, 0.5]),
        (Outcome::First, EndReason::Time, [1.0, 0.0]),
        (Outcome::Second, EndReason::Resignation, [0.0, 1.0]),
    ] {
        let mut rig = Rig::begun(ROUND_ROBIN, 2, 1);
        let game = rig.end_first(outcome, reason);
        assert!(rig.tournament().is_over());
        let logged = rig.events().into_iter().find_map(|event| match event {
            TournamentEvent::GameEnded {
                outcome, reason, ..
            } => Some((outcome, reason)),
            _ => None,
        });
        assert_eq!(logged, Some((outcome, reason)));
        let state = rig.ask_as(game.players[0].clone(), Ask::Withdraw);
        // It is over: nothing changes any more, but the standings can be seen.
        assert_eq!(state.code(), Some(ErrorCode::WrongStatus));
        for (player, expected) in game.players.iter().zip(points) {
            let number = rig.tournament().players().iter();
            let number = 1 + number.take_while(|other| other.id != player.id).count() as u32;
            let got = rig.tournament().table().points(number).to_f64();
            assert_eq!(got, expected, "{outcome:?} {reason:?}");
        }
    }
}

#[test]
fn a_result_of_a_game_that_is_over_changes_nothing() {
    let mut rig = Rig::begun(ROUND_ROBIN, 3, 2);
    let game = rig.end_first(Outcome::First, EndReason::LastMove);
    let events = rig.events();
    rig.over.remove(&game.id);
    rig.end(&game, Outcome::Second, EndReason::Resignation);
    assert_eq!(rig.events(), events);
    assert_eq!(
        rig.over.get(&game.id),
        Some(&false),
        "the match ends, uncounted"
    );
    assert!(rig.told.iter().all(|(_, outcome)| outcome.is_ok()));
}

#[test]
fn a_pause_lets_games_end_and_none_begin() {
    let mut rig = Rig::begun(ROUND_ROBIN, 4, 2);
    assert_eq!(rig.matches.len(), 2);
    let paused = rig.ask(0, Ask::Pause);
    assert_eq!(paused.state().status, TournamentStatus::Paused);
    assert_eq!(rig.ask(1, Ask::Resume).code(), Some(ErrorCode::NotAllowed));
    rig.end_first(Outcome::First, EndReason::LastMove);
    rig.wait(60_000);
    assert_eq!(rig.matches.len(), 2, "no game begins");
    rig.die();
    assert_eq!(rig.matches.len(), 2, "nor after a restart");
    let resumed = rig.ask(0, Ask::Resume);
    assert_eq!(resumed.state().status, TournamentStatus::Running);
    assert_eq!(rig.matches.len(), 3);
    rig.play_out(|_| (Outcome::First, EndReason::LastMove));
    assert_eq!(rig.tournament().games_ended(), 12);
}

#[test]
fn a_paused_tournament_does_not_pair_and_does_not_end() {
    let mut rig = Rig::begun(ROUND_ROBIN, 2, 1);
    rig.ask(0, Ask::Pause);
    rig.end_first(Outcome::First, EndReason::LastMove);
    assert!(!rig.tournament().is_over());
    rig.ask(0, Ask::Resume);
    assert!(rig.tournament().is_over());
}

#[test]
fn a_cancellation_stops_all_games_and_counts_none_of_them() {
    let mut rig = Rig::begun(ROUND_ROBIN, 6, 2);
    rig.end_first(Outcome::First, EndReason::LastMove);
    let running: BTreeSet<MatchId> = rig.running().iter().map(|game| game.id).collect();
    let answer = rig.ask(0, Ask::Cancel("rain".to_owned()));
    assert_eq!(answer.state().status, TournamentStatus::Cancelled);
    let stopped: BTreeSet<MatchId> = rig.stopped.keys().copied().collect();
    assert_eq!(stopped, running);
    assert!(rig.stopped.values().all(|(loser, _)| loser.is_none()));
    assert!(rig.tournament().seed().is_some());
    let events = rig.events();
    for game in rig.running() {
        rig.end(&game, Outcome::Void, EndReason::Cancelled);
    }
    assert_eq!(rig.events(), events);
    assert_eq!(rig.tournament().games_ended(), 1);
    assert_eq!(rig.tournament().cancelled(), Some("rain"));
    for ask in [Ask::Pause, Ask::Start, Ask::Resume] {
        let refused = rig.ask(0, ask.clone());
        assert_eq!(refused.code(), Some(ErrorCode::WrongStatus), "{ask:?}");
    }
}

#[test]
fn a_cancellation_after_a_restart_stops_the_games_of_a_paused_tournament() {
    let mut rig = Rig::begun(ROUND_ROBIN, 4, 2);
    rig.ask(0, Ask::Pause);
    // One of the boards begins no next game while it is paused.
    rig.end_first(Outcome::First, EndReason::LastMove);
    rig.die();
    let running: BTreeSet<MatchId> = rig.running().iter().map(|game| game.id).collect();
    assert_eq!(running.len(), 1);
    rig.ask(0, Ask::Cancel("rain".to_owned()));
    let stopped: BTreeSet<MatchId> = rig.stopped.keys().copied().collect();
    assert_eq!(stopped, running);
}

#[test]
fn who_withdraws_from_a_tournament_that_was_paused_at_a_start_loses_the_running_game() {
    let mut rig = Rig::begun(ROUND_ROBIN, 2, 2);
    let game = rig.running()[0].clone();
    rig.ask(0, Ask::Pause);
    rig.die();
    let loser = rig.ask_as(game.players[0].clone(), Ask::Withdraw);
    assert!(loser.state().standings.iter().any(|row| row.withdrawn));
    let expected = (Some(Seat::First), EndReason::Withdrawn);
    assert_eq!(rig.stopped[&game.id], expected);
}

#[test]
fn a_game_that_is_made_while_its_tournament_is_cancelled_is_stopped() {
    let mut rig = Rig::begun(ROUND_ROBIN, 2, 2);
    let game = rig.running()[0].clone();
    rig.ask(0, Ask::Cancel("rain".to_owned()));
    rig.stopped.clear();
    rig.give(Input::Opened(game.game, Ok(())));
    assert_eq!(rig.stopped[&game.id], (None, EndReason::Cancelled));
}

#[test]
fn a_level_knockout_is_played_again_at_most_five_times() {
    let mut rig = Rig::begun(Format::Knockout {}, 2, 2);
    rig.play_out(|_| (Outcome::First, EndReason::LastMove));
    assert_eq!(rig.tournament().games_ended(), 2 * 6);
    let state = rig.ask(0, Ask::Withdraw);
    assert_eq!(state.code(), Some(ErrorCode::NotEntered));
}

#[test]
fn players_are_rung_once_for_each_round_and_those_who_follow_are_seated() {
    let mut rig = Rig::begun(Format::Swiss { rounds: 2 }, 5, 2);
    rig.follow(11, 1, true);
    rig.follow(12, 2, false);
    rig.follow(13, 9, true);
    rig.play_out(|game| match game.players[0].name < game.players[1].name {
        true => (Outcome::First, EndReason::LastMove),
        false => (Outcome::Second, EndReason::LastMove),
    });
    for number in 1..=5 {
        let own = rig.rung.iter().filter(|(to, _)| *to == player(number).id);
        let rounds: Vec<u32> = own
            .map(|(_, event)| match event {
                AccountEvent::TournamentPaired {
                    round,
                    board,
                    opponent,
                    ..
                } => {
                    assert_eq!(board.is_some(), opponent.is_some());
                    *round
                }
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(rounds, [1, 2], "player {number}");
    }
    let games_of = |number: u32| {
        let plays = move |of: &&crate::matches::NewGame| {
            of.players.iter().any(|other| other.id == player(number).id)
        };
        rig.matches.values().filter(plays).count()
    };
    let seated = |connection: u32| {
        rig.seated
            .iter()
            .filter(|seat| seat.0 == connection)
            .count()
    };
    assert_eq!(seated(11), games_of(1));
    assert_eq!(seated(12), 0);
    assert_eq!(seated(13), 0);
    // Each hears every event once, in order.
    for connection in [11, 12, 13] {
        let heard = &rig.heard[&connection];
        let numbers: Vec<u64> = heard
            .iter()
            .filter(|frame| frame["tournament"].is_string())
            .filter_map(|frame| frame["seq"].as_u64())
            .collect();
        let first = numbers[0];
        let expected: Vec<u64> = (first..=rig.log.len() as u64).collect();
        assert_eq!(numbers, expected);
    }
    let told = |connection: u32| {
        let heard = rig.heard[&connection].iter();
        heard
            .filter(|frame| frame["body"]["type"] == "tournament_match")
            .count()
    };
    // Those that ran when the players began to follow are in the answer.
    assert!(told(12) > 0 && told(12) <= games_of(2));
    assert_eq!(told(13), 0);
}
