//! What the players agree on: proposals and their answers, takebacks and pauses.

use grundy_shared::event::{EndReason, Event, Outcome, Proposal};
use grundy_shared::ids::{Millis, Ply, Seat, Seq};
use grundy_shared::protocol::{ErrorCode, Reply};
use grundy_shared::referee::PAUSE_MS;

use super::rig::*;
use crate::matches::machine::{Act, Input, Origin, Thought};

/// The number of the newest event: that of a proposal that was just made.
fn newest(rig: &Rig) -> Seq {
    Seq(rig.log.len() as u64)
}

fn agrees(rig: &mut Rig, who: u128) -> u32 {
    let proposed = newest(rig);
    let answer = Act::Answer {
        proposed,
        agree: true,
    };
    rig.act(who as u32, who, answer)
}

fn last_kind(rig: &Rig) -> String {
    rig.kinds().pop().expect("a log is not empty")
}

#[test]
fn who_proposes_is_told_whether_the_other_has_to_agree() {
    let mut rig = Rig::begun("nim:3,4,5", "3+2");
    let proposed = |rig: &Rig, request| match rig.answer(request) {
        Answer::Reply(Reply::Done { proposed, .. }) => *proposed,
        other => panic!("{other:?}"),
    };
    for _ in 0..2 {
        let first = rig.act(1, ADA, Act::Propose(Proposal::Pause));
        assert!(proposed(&rig, first));
    }
    assert_eq!(last_kind(&rig), "proposed");
    let second = rig.act(2, BEA, Act::Propose(Proposal::Pause));
    assert!(!proposed(&rig, second));
    let again = rig.act(1, ADA, Act::Propose(Proposal::Pause));
    assert!(!proposed(&rig, again));
    assert_eq!(last_kind(&rig), "paused");
}

#[test]
fn a_match_with_a_friend_is_called_off_by_both_and_an_invitation_alone() {
    let mut rig = Rig::begun("nim:3,4,5", "3+2");
    rig.act(1, ADA, Act::Abort);
    assert_eq!(last_kind(&rig), "proposed");
    rig.act(2, BEA, Act::Abort);
    let end = Some((Outcome::Void, EndReason::Aborted));
    assert_eq!(rig.machine.referee().outcome(), end);
    let mut rig = Rig::waiting("nim:3,4,5", "3+2");
    rig.act(1, ADA, Act::Abort);
    assert_eq!(rig.machine.referee().outcome(), end);
}

#[test]
fn a_takeback_is_told_to_everybody_and_gives_the_turn_back() {
    let mut rig = Rig::begun("nim:3,4,5", "60s+0s");
    rig.moves(ADA, 1, "A-3");
    rig.now += 7_000;
    rig.act(1, ADA, Act::Propose(Proposal::Takeback));
    rig.forget();
    let agreed = agrees(&mut rig, BEA);
    assert_eq!(rig.code(agreed), None);
    assert_eq!(rig.heard(1), ["5 taken_back"]);
    assert_eq!(rig.heard(2), ["5 taken_back"]);
    // Bea's 7 s are given back, and Ada's clock runs.
    assert_eq!(rig.left(), (60_000, 60_000));
    rig.now += 1_000;
    assert_eq!(rig.left(), (59_000, 60_000));
    let early = rig.moves(BEA, 1, "B-1");
    assert_eq!(rig.code(early), Some(ErrorCode::NotYourTurn));
    let moved = rig.moves(ADA, 1, "C-5");
    assert_eq!(rig.code(moved), None);
}

#[test]
fn an_answer_to_a_proposal_that_a_move_has_ended_is_refused() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.moves(ADA, 1, "A-3");
    rig.act(1, ADA, Act::Propose(Proposal::Takeback));
    let proposed = newest(&rig);
    rig.moves(BEA, 2, "B-1");
    let late = Act::Answer {
        proposed,
        agree: true,
    };
    let late = rig.act(2, BEA, late);
    assert_eq!(rig.code(late), Some(ErrorCode::NoSuchProposal));
    assert_eq!(rig.machine.ply(), Ply(2));
}

#[test]
fn a_pause_ends_by_itself_also_after_a_restart() {
    let mut rig = Rig::begun("nim:3,4,5", "60s+0s");
    rig.now += 2_000;
    rig.act(1, ADA, Act::Propose(Proposal::Pause));
    agrees(&mut rig, BEA);
    assert_eq!(rig.machine.wake_at(), Some(Millis(rig.now).plus(PAUSE_MS)));
    rig.wait(PAUSE_MS.0 - 1);
    assert_eq!(rig.left(), (58_000, 60_000));
    let clocks_at = Millis(rig.now + 30_000);
    let now = rig.now;
    let mut rig = rig.restarted(now, Origin::Recovered { clocks_at });
    rig.attach(1, ADA, true, 0);
    rig.attach(2, BEA, true, 0);
    // The players are back, and it is still a pause.
    assert!(!rig.kinds().contains(&"clock_started".to_owned()));
    rig.wait(1);
    assert_eq!(last_kind(&rig), "continued");
    rig.wait(1_000);
    assert_eq!(rig.left(), (57_000, 60_000));
    // Nobody moves: the match ends as ever.
    rig.wait(60_000);
    let end = Some((Outcome::Void, EndReason::NoStart));
    assert_eq!(rig.machine.referee().outcome(), end);
}

#[test]
fn either_player_ends_a_pause() {
    let mut rig = Rig::begun("nim:3,4,5", "60s+0s");
    rig.act(1, ADA, Act::Propose(Proposal::Pause));
    agrees(&mut rig, BEA);
    let early = rig.moves(ADA, 1, "A-3");
    assert_eq!(rig.code(early), Some(ErrorCode::Paused));
    rig.wait(5_000);
    let on = rig.act(2, BEA, Act::Continue);
    assert_eq!(rig.code(on), None);
    assert_eq!(rig.left(), (60_000, 60_000));
    let moved = rig.moves(ADA, 1, "A-3");
    assert_eq!(rig.code(moved), None);
    let again = rig.act(2, BEA, Act::Continue);
    assert_eq!(rig.code(again), None);
    assert_eq!(last_kind(&rig), "moved");
}

#[test]
fn a_built_in_bot_agrees_to_all_but_a_draw() {
    let mut rig = Rig::with_bot("loopy.0-1.1-0.1-2:0", Seat::Second);
    rig.act(1, ADA, Act::Propose(Proposal::Draw));
    let declined = Event::ProposalEnded {
        at_ms: Millis(rig.now),
        seat: Seat::First,
        proposal: Proposal::Draw,
        by: Seat::Second,
    };
    assert_eq!(rig.last(), declined);
    rig.act(1, ADA, Act::Abort);
    let end = Some((Outcome::Void, EndReason::Aborted));
    assert_eq!(rig.machine.referee().outcome(), end);
}

#[test]
fn what_a_bot_thinks_about_a_position_that_was_taken_back_is_of_no_use() {
    let mut rig = Rig::with_bot("nim:3,4,5", Seat::Second);
    rig.moves(ADA, 1, "A-3");
    let before = rig.thinking.take().expect("the bot thinks");
    rig.act(1, ADA, Act::Propose(Proposal::Takeback));
    assert_eq!(rig.machine.ply(), Ply(0));
    rig.moves(ADA, 1, "C-5");
    let after = rig.thinking.take().expect("it thinks again");
    rig.tell(thought_of(before, Thought::Move("B-4".to_owned())));
    assert_eq!(rig.machine.ply(), Ply(1));
    rig.tell(thought_of(after, Thought::Move("B-1".to_owned())));
    assert_eq!(rig.machine.referee().position().to_string(), "nim:3,3,0");
}

#[test]
fn what_a_match_does_not_allow_is_refused_at_once() {
    let mut rig = Rig::begun("nim:3,4,5", "60s+0s");
    rig.now += 1_000;
    let takeback = rig.act(1, ADA, Act::Propose(Proposal::Takeback));
    assert_eq!(rig.code(takeback), Some(ErrorCode::NotPossible));
    let draw = rig.act(1, ADA, Act::Propose(Proposal::Draw));
    assert_eq!(rig.code(draw), Some(ErrorCode::NotPossible));
    let stranger = rig.act(9, EVE, Act::Propose(Proposal::Pause));
    assert_eq!(rig.code(stranger), Some(ErrorCode::NotAPlayer));
    assert_eq!(last_kind(&rig), "joined");
}

#[test]
fn a_pause_that_ended_while_the_server_was_away_lasts_until_the_players_are_back() {
    let mut rig = Rig::begun("nim:3,4,5", "5s+0s");
    rig.act(1, ADA, Act::Propose(Proposal::Pause));
    agrees(&mut rig, BEA);
    let now = rig.now + PAUSE_MS.0 + 1_000;
    let clocks_at = Millis(now + 30_000);
    let mut rig = rig.restarted(now, Origin::Recovered { clocks_at });
    rig.attach(2, BEA, true, 0);
    rig.wait(20_000);
    assert_eq!(last_kind(&rig), "paused");
    rig.attach(1, ADA, true, 0);
    rig.tell(Input::Time);
    assert_eq!(last_kind(&rig), "continued");
    assert_eq!(rig.left(), (5_000, 5_000));
    // Who does not come at all is waited for no longer than in any match.
    let mut rig = rig.restarted(now + 40_000, Origin::Asked);
    rig.wait(60_000);
    let end = Some((Outcome::Void, EndReason::NoStart));
    assert_eq!(rig.machine.referee().outcome(), end);
}
