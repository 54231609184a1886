//! Offers of a rematch: accepted, withdrawn, ended.

use grundy_shared::event::Event;
use grundy_shared::ids::{Millis, Seat, Seq};
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply};
use grundy_shared::referee::{Referee, Rematch};

use super::rig::*;
use crate::matches::machine::{Act, CommitRefusal, Input, Origin, rematch_id};
use crate::store::{AddressDigest, Guard, Projection, StreamId};

/// A finished match of Ada at 1 and Bea at 2.
fn over() -> Rig {
    let mut rig = Rig::begun("nim:3,4,5", "10s+1s");
    rig.act(2, BEA, Act::Resign);
    rig.forget();
    rig
}

fn standing(rig: &Rig) -> Rematch {
    rig.machine.referee().rematch()
}

const OFFERED: Rematch = Rematch::Offered(Seat::First);

fn told(rig: &Rig, request: R) -> Option<grundy_shared::ids::MatchId> {
    match rig.answer(request) {
        Answer::Reply(Reply::Rematch { rematch, .. }) => *rematch,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_offer_is_accepted_and_the_rematch_is_made_in_the_same_commit() {
    let mut rig = over();
    let offer = rig.act(1, ADA, rematch());
    assert_eq!(told(&rig, offer), None);
    assert_eq!(rig.heard(2), ["4 rematch_offered"]);
    rig.stores_at_once = false;
    let accepts = rig.act(2, BEA, rematch());
    let commit = rig.in_flight.clone().expect("stored");
    let id = rematch_id(match_id());
    let streams: Vec<_> = commit
        .appends
        .iter()
        .map(|append| (append.stream, append.expected))
        .collect();
    assert_eq!(
        streams,
        [
            (StreamId::Match(match_id()), Seq(4)),
            (StreamId::Match(id), Seq(0))
        ]
    );
    let address = AddressDigest(7);
    assert!(matches!(
        commit.projections[..],
        [
            Projection::Match { id: of, .. },
            Projection::Address { match_id, address: from },
        ] if of == id && match_id == id && from == address
    ));
    let from = Guard::OpenMatchesFrom {
        address,
        at_most: policy().matches_per_address,
    };
    assert!(commit.guards.contains(&from));
    let people: Vec<_> = commit
        .guards
        .iter()
        .filter_map(|guard| match guard {
            Guard::OpenMatches { of, .. } => Some(*of),
            Guard::OpenMatchesFrom { .. } | Guard::Share { .. } => None,
        })
        .collect();
    assert_eq!(people.len(), 3);
    assert!(people.contains(&None) && people.contains(&Some(super::rig::id(ADA))));
    assert!(rig.opened.is_empty());
    rig.store();
    assert_eq!(told(&rig, accepts), Some(id));
    let opening = rig.opened.pop().expect("it is opened");
    assert_eq!(opening.followers.len(), 2);
    let (referee, frames) = *opening.made.expect("it is new");
    let stored: Vec<Event> = commit.appends[1]
        .events
        .iter()
        .map(|body| serde_json::from_slice(body).expect("an event"))
        .collect();
    assert_eq!(Referee::replay(&stored), Ok(referee));
    assert_eq!(frames.len(), 2);
    assert!(matches!(stored[0], Event::Created { held: true, .. }));
    assert!(rig.follows.is_empty());
    assert!(rig.done);
}

#[test]
fn an_offer_can_be_withdrawn() {
    let mut rig = over();
    rig.act(1, ADA, rematch());
    let not_hers = rig.act(2, BEA, Act::WithdrawRematch);
    assert_eq!((rig.code(not_hers), standing(&rig)), (None, OFFERED));
    let withdrawn = rig.act(1, ADA, Act::WithdrawRematch);
    assert_eq!(told(&rig, withdrawn), None);
    assert_eq!(standing(&rig), Rematch::None);
    assert_eq!(rig.heard(2), ["4 rematch_offered", "5 rematch_withdrawn"]);
    // Bea's wish is now an offer of her own.
    rig.act(2, BEA, rematch());
    assert_eq!(standing(&rig), Rematch::Offered(Seat::Second));
    rig.act(1, ADA, rematch());
    assert_eq!(rig.opened.len(), 1);
    let late = rig.act(2, BEA, Act::WithdrawRematch);
    assert_eq!(told(&rig, late), Some(rematch_id(match_id())));
}

#[test]
fn an_offer_can_be_declined_by_the_other_player_alone() {
    let mut rig = over();
    let early = rig.act(2, BEA, Act::DeclineRematch);
    assert_eq!((rig.code(early), standing(&rig)), (None, Rematch::None));
    rig.act(1, ADA, rematch());
    let not_hers = rig.act(1, ADA, Act::DeclineRematch);
    assert_eq!((rig.code(not_hers), standing(&rig)), (None, OFFERED));
    let declined = rig.act(2, BEA, Act::DeclineRematch);
    assert_eq!(told(&rig, declined), None);
    assert_eq!(standing(&rig), Rematch::None);
    assert_eq!(rig.heard(1), ["4 rematch_offered", "5 rematch_declined"]);
    // Nothing comes of the offer when its player leaves later.
    rig.leave(1);
    assert_eq!(standing(&rig), Rematch::None);
    rig.act(2, BEA, rematch());
    assert_eq!(standing(&rig), Rematch::Offered(Seat::Second));
}

#[test]
fn an_offer_ends_when_the_player_who_made_it_leaves() {
    let mut rig = over();
    rig.act(1, ADA, rematch());
    rig.leave(1);
    assert_eq!(standing(&rig), Rematch::None);
    assert_eq!(rig.heard(2), ["4 rematch_offered", "5 rematch_withdrawn"]);
}

#[test]
fn an_offer_ends_when_the_player_who_made_it_says_bye() {
    let mut rig = over();
    rig.act(1, ADA, rematch());
    rig.says_bye(1);
    assert_eq!(standing(&rig), Rematch::None);
}

#[test]
fn an_offer_that_was_not_stored_when_the_player_left_ends_too() {
    let mut rig = over();
    rig.stores_at_once = false;
    rig.act(1, ADA, rematch());
    rig.leave(1);
    rig.store();
    rig.store();
    assert_eq!(standing(&rig), Rematch::None);
}

#[test]
fn an_offer_outlives_a_short_loss_of_the_connection() {
    let mut rig = over();
    rig.act(1, ADA, rematch());
    rig.lose(1);
    rig.wait(AWAY_MS - 1);
    assert_eq!(standing(&rig), OFFERED);
    rig.attach(3, ADA, true, 3);
    rig.wait(10 * AWAY_MS);
    assert_eq!(standing(&rig), OFFERED);
    rig.lose(3);
    rig.wait(AWAY_MS);
    assert_eq!(standing(&rig), Rematch::None);
}

#[test]
fn an_offer_of_who_does_not_follow_the_match_lasts_as_long_as_an_absence() {
    let mut rig = over();
    rig.leave(1);
    rig.act(8, ADA, rematch());
    assert_eq!(standing(&rig), OFFERED);
    rig.wait(AWAY_MS);
    assert_eq!(standing(&rig), Rematch::None);
}

#[test]
fn the_other_player_leaving_is_told_and_does_not_end_the_offer() {
    let mut rig = over();
    rig.act(1, ADA, rematch());
    rig.forget();
    rig.leave(2);
    rig.wait(AWAY_MS);
    assert_eq!(rig.heard(1), ["opponent_left"]);
    assert_eq!(standing(&rig), OFFERED);
    rig.wait(100 * AWAY_MS);
    assert_eq!(rig.heard(1), ["opponent_left"]);
    rig.attach(2, BEA, true, 4);
    rig.act(2, BEA, rematch());
    assert_eq!(rig.opened.len(), 1);
}

#[test]
fn who_offers_when_nobody_is_there_is_told() {
    let mut rig = over();
    rig.leave(2);
    rig.wait(60_000);
    rig.act(1, ADA, rematch());
    rig.wait(AWAY_MS);
    assert_eq!(rig.heard(1), ["4 rematch_offered", "opponent_left"]);
}

#[test]
fn an_offer_found_after_a_restart_cannot_be_accepted_while_its_player_is_away() {
    let mut rig = over();
    rig.act(1, ADA, rematch());
    let at = rig.now + 9_000;
    let mut rig = rig.restarted(at, Origin::Asked);
    rig.attach(2, BEA, true, 4);
    let wish = rig.act(2, BEA, rematch());
    assert_eq!(told(&rig, wish), None);
    assert!(rig.opened.is_empty());
    let kinds = rig.kinds();
    assert_eq!(kinds[4..], ["rematch_withdrawn", "rematch_offered"]);
    assert_eq!(standing(&rig), Rematch::Offered(Seat::Second));
}

#[test]
fn an_offer_found_after_a_restart_stands_again_when_its_player_is_back() {
    let mut rig = over();
    rig.act(1, ADA, rematch());
    let at = rig.now + 9_000;
    let mut rig = rig.restarted(at, Origin::Asked);
    rig.attach(1, ADA, true, 4);
    rig.attach(2, BEA, true, 4);
    rig.wait(10 * ROLL_CALL_MS);
    rig.act(2, BEA, rematch());
    assert_eq!(rig.opened.len(), 1);
}

#[test]
fn an_offer_found_after_a_restart_ends_if_its_player_does_not_come() {
    let mut rig = over();
    rig.act(1, ADA, rematch());
    let at = rig.now + 9_000;
    let mut rig = rig.restarted(at, Origin::Asked);
    rig.attach(2, BEA, true, 4);
    rig.wait(ROLL_CALL_MS);
    assert_eq!(standing(&rig), Rematch::None);
}

#[test]
fn a_server_that_stops_withdraws_nothing() {
    let mut rig = over();
    rig.act(1, ADA, rematch());
    rig.tell(Input::Drain);
    rig.lose(1);
    rig.now += 100_000;
    rig.tell(Input::Time);
    assert_eq!(standing(&rig), OFFERED);
}

#[test]
fn a_rematch_without_room_is_refused_and_the_offer_stands() {
    let mut rig = over();
    rig.act(1, ADA, rematch());
    let full = || ErrorBody::new(ErrorCode::TooMany, "too many matches");
    let refused = rig.act(2, BEA, Act::Rematch { room: Err(full()) });
    assert_eq!(rig.code(refused), Some(ErrorCode::TooMany));
    rig.stores_at_once = false;
    let refused = rig.act(2, BEA, rematch());
    rig.store_fails(CommitRefusal::Full(full()));
    assert_eq!(rig.code(refused), Some(ErrorCode::TooMany));
    assert_eq!(standing(&rig), OFFERED);
    assert!(rig.opened.is_empty());
}

#[test]
fn a_rematch_that_was_made_before_is_only_accepted() {
    // A server from before both were one commit may have stopped between them.
    let mut rig = over();
    rig.act(1, ADA, rematch());
    rig.stores_at_once = false;
    let accepts = rig.act(2, BEA, rematch());
    rig.store_fails(CommitRefusal::RematchExists);
    let commit = rig.in_flight.clone().expect("tried again");
    assert_eq!(commit.appends.len(), 1);
    assert!(commit.guards.is_empty());
    rig.store();
    assert_eq!(told(&rig, accepts), Some(rematch_id(match_id())));
    let opening = rig.opened.pop().expect("its players go there");
    assert!(opening.made.is_none());
    assert_eq!(opening.followers.len(), 2);
}

#[test]
fn both_ask_at_the_same_time() {
    let mut rig = over();
    rig.stores_at_once = false;
    let one = rig.act(1, ADA, rematch());
    let other = rig.act(2, BEA, rematch());
    rig.store();
    rig.store();
    assert_eq!(told(&rig, one), None);
    assert_eq!(told(&rig, other), Some(rematch_id(match_id())));
}

#[test]
fn a_request_before_which_an_offer_cannot_be_withdrawn_is_refused() {
    let mut rig = over();
    rig.act(1, ADA, rematch());
    let at = rig.now + 1_000;
    let mut rig = rig.restarted(
        at,
        Origin::Recovered {
            clocks_at: Millis(at),
        },
    );
    rig.attach(2, BEA, true, 0);
    rig.stores_at_once = false;
    // Ada has not come back: her offer has to go before Bea's is made.
    let asks = rig.act(2, BEA, rematch());
    rig.store_fails(read_only());
    assert_eq!(rig.code(asks), Some(ErrorCode::ReadOnly));
    assert!(rig.in_flight.is_none(), "it is not tried again at once");
}

#[test]
fn a_match_that_nobody_follows_stays_until_an_offer_in_it_has_ended() {
    let mut rig = over();
    rig.leave(1);
    rig.leave(2);
    assert!(std::mem::take(&mut rig.done));
    rig.act(8, ADA, rematch());
    assert!(!rig.done, "the offer has to end");
    rig.wait(AWAY_MS);
    assert_eq!((standing(&rig), rig.done), (Rematch::None, true));
    // Before that, the other player accepts it without following either.
    rig.done = false;
    rig.act(8, ADA, rematch());
    let accepts = rig.act(9, BEA, rematch());
    assert_eq!(told(&rig, accepts), Some(rematch_id(match_id())));
    assert!(rig.done);
}

#[test]
fn an_offer_of_a_player_who_is_lost_ends_although_nobody_else_follows() {
    let mut rig = over();
    rig.leave(2);
    rig.act(1, ADA, rematch());
    rig.lose(1);
    assert!(!rig.done);
    rig.wait(AWAY_MS);
    assert_eq!((standing(&rig), rig.done), (Rematch::None, true));
}

#[test]
fn an_offer_found_after_a_restart_stands_again_when_its_player_asks_for_something() {
    let mut rig = over();
    rig.act(1, ADA, rematch());
    let at = rig.now + 9_000;
    let mut rig = rig.restarted(at, Origin::Asked);
    let again = rig.act(1, ADA, rematch());
    assert_eq!(told(&rig, again), None);
    let accepts = rig.act(2, BEA, rematch());
    assert_eq!(told(&rig, accepts), Some(rematch_id(match_id())));
}
