//! Claims over a player who stays away.

use grundy_shared::event::{Claim, EndReason, Outcome, Proposal};
use grundy_shared::ids::{Millis, Ply};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::referee::{CLAIM_AFTER_MS, CLAIM_AFTER_UNTIMED_MS, Judged};

use super::rig::*;
use crate::matches::machine::{Act, Origin};

fn claim(claim: Claim, absent_wins: bool) -> Act {
    Act::Claim {
        claim,
        judged: Some(Judged {
            ply: Ply(3),
            absent_wins,
        }),
    }
}

/// A match in which both have moved, and Ada waits for Bea.
fn bea_is_to_move(control: &str) -> Rig {
    let mut rig = Rig::begun("nim:3,4,5", control);
    for (connection, player, ply, text) in
        [(1, ADA, 1, "A-1"), (2, BEA, 2, "B-1"), (1, ADA, 3, "C-1")]
    {
        let moved = rig.act(connection, player, a_move(ply, text));
        assert_eq!(rig.code(moved), None);
    }
    rig
}

/// How long until a claim may succeed, as the refusal says.
fn wait_of(rig: &Rig, request: R) -> u64 {
    match rig.answer(request) {
        Answer::Refused(error) => {
            assert_eq!(error.code, ErrorCode::NotPossible);
            error.retry_after_ms.expect("it says when")
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_win_is_claimed_after_a_minute_with_clocks_and_ten_without() {
    for (control, patience) in [("3+2", CLAIM_AFTER_MS), ("none", CLAIM_AFTER_UNTIMED_MS)] {
        let mut rig = bea_is_to_move(control);
        let here = rig.act(1, ADA, claim(Claim::Win, false));
        assert_eq!(rig.code(here), Some(ErrorCode::NotPossible));
        rig.lose(2);
        // The absence counts from the moment at which the log says so.
        rig.wait(AWAY_MS);
        let early = rig.act(1, ADA, claim(Claim::Win, false));
        assert_eq!(wait_of(&rig, early), patience.0);
        rig.wait(patience.0 - 1);
        let early = rig.act(1, ADA, claim(Claim::Win, false));
        assert_eq!(wait_of(&rig, early), 1);
        rig.wait(1);
        let won = rig.act(1, ADA, claim(Claim::Win, true));
        assert_eq!(rig.code(won), Some(ErrorCode::AbsentPlayerWins));
        let claimed = rig.act(1, ADA, claim(Claim::Win, false));
        assert_eq!(rig.code(claimed), None);
        let end = Some((Outcome::First, EndReason::Abandoned));
        assert_eq!(rig.machine.referee().outcome(), end);
    }
}

#[test]
fn who_comes_back_is_away_no_more() {
    let mut rig = bea_is_to_move("none");
    rig.lose(2);
    rig.wait(AWAY_MS + CLAIM_AFTER_UNTIMED_MS.0 - 1);
    rig.attach(3, BEA, true, 0);
    rig.wait(1);
    let refused = rig.act(1, ADA, claim(Claim::Void, false));
    assert_eq!(rig.code(refused), Some(ErrorCode::NotPossible));
}

#[test]
fn an_outage_of_the_server_is_nobodys_absence() {
    let mut rig = bea_is_to_move("none");
    rig.lose(2);
    rig.wait(AWAY_MS);
    let at = rig.now + 10 * CLAIM_AFTER_UNTIMED_MS.0;
    let clocks_at = Millis(at + 7_000);
    let mut rig = rig.restarted(at, Origin::Recovered { clocks_at });
    rig.attach(1, ADA, true, 0);
    let early = rig.act(1, ADA, claim(Claim::Void, false));
    assert_eq!(wait_of(&rig, early), 7_000 + CLAIM_AFTER_UNTIMED_MS.0);
    rig.wait(7_000 + CLAIM_AFTER_UNTIMED_MS.0);
    let claimed = rig.act(1, ADA, claim(Claim::Void, false));
    assert_eq!(rig.code(claimed), None);
    let end = Some((Outcome::Void, EndReason::Abandoned));
    assert_eq!(rig.machine.referee().outcome(), end);
}

#[test]
fn where_the_clock_gives_hours_nothing_is_claimed() {
    let mut rig = bea_is_to_move("1d/move");
    rig.lose(2);
    rig.wait(23 * 60 * 60 * 1_000);
    let refused = rig.act(1, ADA, claim(Claim::Win, false));
    assert_eq!(rig.code(refused), Some(ErrorCode::NotPossible));
}

#[test]
fn whoever_is_back_is_not_claimed_over_before_the_return_is_stored() {
    let mut rig = bea_is_to_move("none");
    rig.lose(2);
    rig.wait(AWAY_MS + CLAIM_AFTER_UNTIMED_MS.0);
    rig.stores_at_once = false;
    // Something is being stored while Bea comes back and Ada claims.
    let proposed = rig.act(1, ADA, Act::Propose(Proposal::Takeback));
    rig.attach(3, BEA, true, 0);
    let overtaking = rig.act(1, ADA, claim(Claim::Void, false));
    rig.stores_at_once = true;
    rig.store();
    assert_eq!(rig.code(proposed), None);
    assert_eq!(rig.code(overtaking), Some(ErrorCode::NotPossible));
    assert_eq!(rig.machine.referee().outcome(), None);
}

#[test]
fn a_match_that_is_read_again_gives_the_players_time_to_find_back() {
    let mut rig = bea_is_to_move("none");
    rig.lose(2);
    rig.wait(AWAY_MS);
    let at = rig.now + 10 * CLAIM_AFTER_UNTIMED_MS.0;
    let mut rig = rig.restarted(at, Origin::Asked);
    rig.attach(1, ADA, true, 0);
    let early = rig.act(1, ADA, claim(Claim::Win, false));
    assert_eq!(wait_of(&rig, early), CLAIM_AFTER_UNTIMED_MS.0);
    rig.wait(CLAIM_AFTER_UNTIMED_MS.0);
    let claimed = rig.act(1, ADA, claim(Claim::Win, false));
    assert_eq!(rig.code(claimed), None);
}

#[test]
fn nothing_is_claimed_in_ones_own_turn_or_from_elsewhere() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.lose(2);
    rig.wait(AWAY_MS + CLAIM_AFTER_UNTIMED_MS.0);
    let judged = Some(Judged {
        ply: Ply(0),
        absent_wins: false,
    });
    let win = Claim::Win;
    let early = rig.act(1, ADA, Act::Claim { claim: win, judged });
    assert_eq!(rig.code(early), Some(ErrorCode::NotPossible));
    let mut rig = bea_is_to_move("none");
    rig.lose(2);
    rig.lose(1);
    rig.wait(AWAY_MS + CLAIM_AFTER_UNTIMED_MS.0);
    let elsewhere = rig.act(1, ADA, claim(Claim::Win, false));
    assert_eq!(rig.code(elsewhere), Some(ErrorCode::NotPossible));
    rig.attach(1, ADA, true, 0);
    let early = rig.act(1, ADA, claim(Claim::Win, false));
    assert_eq!(wait_of(&rig, early), CLAIM_AFTER_UNTIMED_MS.0);
}
