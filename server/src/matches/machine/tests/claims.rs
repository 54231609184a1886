//! Claims over a player who stays away.

use grundy_shared::event::{Claim, EndReason, Outcome};
use grundy_shared::ids::{Millis, Ply};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::referee::{CLAIM_AFTER_MS, CLAIM_AFTER_UNTIMED_MS, Judged};

use super::rig::*;
use crate::matches::machine::{Act, Origin};

fn claim(claim: Claim, absent_wins: bool) -> Act {
    Act::Claim {
        claim,
        judged: Some(Judged {
            ply: Ply(0),
            absent_wins,
        }),
    }
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
        let mut rig = Rig::begun("nim:3,4,5", control);
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
    let mut rig = Rig::begun("nim:3,4,5", "none");
    rig.lose(2);
    rig.wait(AWAY_MS + CLAIM_AFTER_UNTIMED_MS.0 - 1);
    rig.attach(3, BEA, true, 0);
    rig.wait(1);
    let refused = rig.act(1, ADA, claim(Claim::Void, false));
    assert_eq!(rig.code(refused), Some(ErrorCode::NotPossible));
}

#[test]
fn an_outage_of_the_server_is_nobodys_absence() {
    let mut rig = Rig::begun("nim:3,4,5", "none");
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
    let mut rig = Rig::begun("nim:3,4,5", "1d/move");
    rig.lose(2);
    rig.wait(23 * 60 * 60 * 1_000);
    let refused = rig.act(1, ADA, claim(Claim::Win, false));
    assert_eq!(rig.code(refused), Some(ErrorCode::NotPossible));
}
