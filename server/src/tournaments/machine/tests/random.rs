//! Tournaments in which anything happens at any moment: whatever that was, each game of each stored pairing was made once and counted
//! once, and the tournament comes to its end.

use std::collections::BTreeMap;

use grundy_shared::event::{EndReason, Outcome};
use grundy_shared::ids::MatchId;
use grundy_shared::tournament::{Format, Tournament, TournamentEvent};
use proptest::prelude::*;

use super::rig::{Rig, Storing, created};
use crate::store::StoreError;
use crate::tournaments::machine::Ask;

#[derive(Clone, Debug)]
enum Act {
    Enter(u32),
    Withdraw(u32),
    Start,
    Pause,
    Resume,
    /// One of the running matches ends so.
    End(usize, Outcome, EndReason),
    /// The server dies; with a commit under way that is stored, or is not.
    Die(bool),
    /// The next commit fails.
    Fail,
    /// The next commit is not answered before another act.
    Delay,
    NoMatches,
    Wait,
}

fn act() -> impl Strategy<Value = Act> {
    let end = prop_oneof![
        Just((Outcome::First, EndReason::LastMove)),
        Just((Outcome::Second, EndReason::Time)),
        Just((Outcome::Draw, EndReason::Repetition)),
        Just((Outcome::Void, EndReason::NoShow)),
        Just((Outcome::First, EndReason::Disconnected)),
    ];
    prop_oneof![
        2 => (1u32..8).prop_map(Act::Enter),
        1 => (1u32..8).prop_map(Act::Withdraw),
        1 => Just(Act::Start),
        1 => Just(Act::Pause),
        2 => Just(Act::Resume),
        20 => (any::<usize>(), end).prop_map(|(which, (outcome, reason))| Act::End(which, outcome, reason)),
        3 => any::<bool>().prop_map(Act::Die),
        2 => Just(Act::Fail),
        3 => Just(Act::Delay),
        1 => Just(Act::NoMatches),
        2 => Just(Act::Wait),
    ]
}

fn format() -> impl Strategy<Value = Format> {
    prop_oneof![
        Just(Format::RoundRobin {}),
        Just(Format::DoubleRoundRobin {}),
        Just(Format::Gauntlet { seeds: 2 }),
        Just(Format::Swiss { rounds: 3 }),
        Just(Format::Knockout {}),
        Just(Format::Ladder { rounds: 4 }),
    ]
}

/// Settles what is under way: the answer comes, and nothing more is wrong.
fn settle(rig: &mut Rig) {
    rig.storing = Storing::AtOnce;
    rig.makes_matches = true;
    if rig.in_flight.is_some() {
        rig.settle(Ok(()));
    }
}

fn perform(rig: &mut Rig, act: &Act) {
    match act {
        Act::Enter(number) => {
            rig.send(super::rig::player(*number), Ask::Enter);
        }
        Act::Withdraw(number) => {
            rig.send(super::rig::player(*number), Ask::Withdraw);
        }
        Act::Start => {
            rig.send(super::rig::player(0), Ask::Start);
        }
        Act::Pause => {
            rig.send(super::rig::player(0), Ask::Pause);
        }
        Act::Resume => {
            rig.send(super::rig::player(0), Ask::Resume);
        }
        Act::End(which, outcome, reason) => {
            settle(rig);
            let running = rig.running();
            if let Some(game) = running.get(which % running.len().max(1)) {
                let (outcome, reason) = rig.end_of(game).unwrap_or((*outcome, *reason));
                rig.end(game, outcome, reason);
            }
        }
        Act::Die(stored) => {
            if rig.in_flight.is_some() {
                let why = "it died".to_owned();
                rig.settle(match stored {
                    true => Ok(()),
                    false => Err(StoreError::Busy { why }.into()),
                });
            }
            rig.die();
        }
        Act::Fail => rig.storing = Storing::Fails,
        Act::Delay => {
            settle(rig);
            rig.storing = Storing::Later;
        }
        Act::NoMatches => rig.makes_matches = false,
        Act::Wait => rig.wait(1_000),
    }
    // A commit that was kept once is answered by the next act.
    if rig.in_flight.is_some() && !matches!(act, Act::Delay) {
        settle(rig);
    }
}

proptest! {
    #[test]
    fn whatever_happens_each_game_is_made_once_and_counted_once(
        format in format(),
        games in prop_oneof![Just(1u32), Just(2), Just(4)],
        acts in prop::collection::vec(act(), 0..120),
    ) {
        let mut rig = Rig::of(created(format, games, 7));
        for number in 1..=3 {
            rig.enter(number);
        }
        for act in &acts {
            perform(&mut rig, act);
        }
        // From now on all is well.
        settle(&mut rig);
        if !rig.tournament().has_begun() {
            // Those who have entered may all have withdrawn.
            for number in 20..=22 {
                rig.enter(number);
            }
        }
        rig.wait(1_000);
        rig.ask(0, Ask::Start);
        rig.ask(0, Ask::Resume);
        rig.wait(1_000);
        if !rig.tournament().is_over() {
            rig.play_out(|_| (Outcome::First, EndReason::LastMove));
        }
        prop_assert!(rig.finished);
        let events = rig.events();
        let folded = Tournament::replay(&events).expect("lawful").expect("created");
        prop_assert_eq!(&folded, rig.tournament());
        let mut counted: BTreeMap<MatchId, u32> = BTreeMap::new();
        for event in &events {
            if let TournamentEvent::GameEnded { match_id, .. } = event {
                *counted.entry(*match_id).or_default() += 1;
            }
        }
        prop_assert!(counted.values().all(|count| *count == 1));
        // Every match that was made is a game that counts, and every game that counts has a match.
        let made: Vec<MatchId> = rig.matches.keys().copied().collect();
        let in_log: Vec<MatchId> = counted.keys().copied().collect();
        prop_assert_eq!(made, in_log);
        prop_assert!(rig.over.values().all(|counts| *counts));
        prop_assert_eq!(rig.over.len(), rig.matches.len());
    }
}
