//! The built-in bots.

use grundy_shared::ids::{Millis, Ply, Seat, Seq};
use grundy_shared::protocol::Reply;
use grundy_shared::referee::{Command, Rematch};

use super::rig::*;
use crate::matches::machine::{Act, Input, Thought, rematch_id};

#[test]
fn a_bot_thinks_once_a_turn_and_moves() {
    let mut rig = Rig::with_bot("nim:3,4,5", Seat::First);
    assert_eq!(rig.thinking.take(), Some(Seq(2)));
    rig.tell(Input::Time);
    assert_eq!(rig.thinking, None);
    let thought = Thought::Move("A-2".to_owned());
    rig.tell(thought_of(Seq(2), thought.clone()));
    assert_eq!(rig.machine.ply(), Ply(1));
    // It is told twice, or too late.
    rig.tell(thought_of(Seq(2), thought));
    assert_eq!(rig.machine.ply(), Ply(1));
    rig.moves(ADA, 2, "B-1");
    assert_eq!(rig.thinking, Some(Seq(4)));
}

#[test]
fn a_bot_that_died_makes_any_move() {
    let mut rig = Rig::with_bot("nim:3,4,5", Seat::First);
    rig.tell(thought_of(Seq(2), Thought::Nothing));
    assert_eq!(rig.machine.ply(), Ply(1));
    let mut rig = Rig::with_bot("nim:3,4,5", Seat::First);
    rig.tell(thought_of(Seq(2), Thought::Move("Q-9".to_owned())));
    assert_eq!(rig.machine.ply(), Ply(1));
}

#[test]
fn a_bot_without_room_tries_again_soon() {
    let mut rig = Rig::with_bot("nim:3,4,5", Seat::First);
    rig.thinking = None;
    rig.tell(thought_of(Seq(2), Thought::NoRoom));
    assert_eq!(rig.thinking, None);
    assert_eq!(rig.machine.wake_at(), Some(Millis(rig.now + 50)));
    rig.wait(50);
    assert_eq!(rig.thinking, Some(Seq(2)));
}

#[test]
fn a_move_of_a_bot_that_could_not_be_stored_is_stored_later() {
    let mut rig = Rig::with_bot("nim:3,4,5", Seat::First);
    rig.stores_at_once = false;
    rig.tell(thought_of(Seq(2), Thought::Move("A-2".to_owned())));
    rig.store_fails(read_only());
    rig.stores_at_once = true;
    rig.wait(1_000);
    assert_eq!(rig.machine.ply(), Ply(1));
}

#[test]
fn a_bot_moves_after_a_stall_that_a_request_of_the_player_ended() {
    let mut rig = Rig::with_bot("nim:3,4,5", Seat::Second);
    rig.stores_at_once = false;
    rig.moves(ADA, 1, "A-1");
    rig.store_fails(read_only());
    // The store can write again, and the player is quicker than the match's own next try.
    rig.now += 100;
    rig.moves(ADA, 1, "A-1");
    rig.store();
    rig.stores_at_once = true;
    assert_eq!(rig.thinking, Some(Seq(3)));
    rig.tell(thought_of(Seq(3), Thought::Move("A-2".to_owned())));
    rig.wait(1_000);
    assert_eq!(rig.machine.ply(), Ply(2));
}

#[test]
fn a_bot_whose_move_another_server_has_made_does_not_move_for_the_player() {
    let mut rig = Rig::with_bot("nim:3,4,5", Seat::First);
    let bot = rig.machine.referee().player(Seat::First).expect("a bot").id;
    rig.stores_at_once = false;
    rig.tell(thought_of(Seq(2), Thought::Move("A-2".to_owned())));
    rig.write_elsewhere(&Command::Move {
        player: bot,
        ply: Ply(1),
        client_move_id: None,
        text: "B-1".to_owned(),
        opponent_lag: Millis(0),
        hints: 0,
    });
    rig.store();
    rig.read();
    rig.stores_at_once = true;
    rig.wait(5_000);
    assert_eq!(rig.machine.ply(), Ply(1));
    rig.moves(ADA, 2, "B-1");
    assert_eq!(rig.thinking, Some(Seq(4)));
}

#[test]
fn a_thought_about_a_match_that_has_ended_is_of_no_use() {
    let mut rig = Rig::with_bot("nim:3,4,5", Seat::First);
    rig.act(1, ADA, Act::Resign);
    let events = rig.log.len();
    rig.tell(thought_of(Seq(2), Thought::Move("A-2".to_owned())));
    assert_eq!(rig.log.len(), events);
}

#[test]
fn a_bot_accepts_a_rematch_at_once() {
    let mut rig = Rig::with_bot("nim:3,4,5", Seat::First);
    rig.act(1, ADA, Act::Resign);
    rig.forget();
    let offered = rig.act(1, ADA, rematch());
    let Answer::Reply(Reply::Rematch { rematch: None, .. }) = rig.answer(offered) else {
        panic!("{:?}", rig.answer(offered));
    };
    let accepted = Rematch::Accepted(rematch_id(match_id()));
    assert_eq!(rig.machine.referee().rematch(), accepted);
    assert_eq!(rig.heard(1).len(), 2);
    let [opening] = &rig.opened[..] else {
        panic!("{:?}", rig.opened);
    };
    assert_eq!(opening.followers, [(1, id(ADA))]);
    assert!(!rig.follows.contains_key(&1));
    assert!(rig.done);
}

#[test]
fn a_bot_is_asked_again_when_the_player_asks_again() {
    let mut rig = Rig::with_bot("nim:3,4,5", Seat::First);
    rig.act(1, ADA, Act::Resign);
    rig.stores_at_once = false;
    rig.act(1, ADA, rematch());
    rig.store();
    rig.store_fails(read_only());
    assert_eq!(
        rig.machine.referee().rematch(),
        Rematch::Offered(Seat::Second)
    );
    rig.wait(10_000);
    assert!(rig.in_flight.is_none());
    rig.stores_at_once = true;
    rig.act(1, ADA, rematch());
    assert_eq!(rig.opened.len(), 1);
}
