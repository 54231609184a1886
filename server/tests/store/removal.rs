//! What nobody needs any more is found, however much stays for another reason.

use bytes::Bytes;
use grundy_server::store::{Commit, MatchRow, StreamId, Unneeded};
use grundy_shared::event::{EndReason, Outcome};
use grundy_shared::ids::{MatchId, Millis, Ply, Seq};

use crate::desk::{Desk, bodies, id, on_every_backend, over, player};

/// Draws after which a match that is to be found about every second time is taken to be never found.
const DRAWS: usize = 100;

const CREATED: &str = r#"{"type":"created","at_ms":1,"position":"nim:1","clock":{"type":"untimed"},"creator":{"id":"00000000-0000-4000-8000-000000000001","name":"Ada","bot":false},"seat":"first"}"#;
/// A store that does not parse events sees from this that it is a game of a tournament.
const OF_A_TOURNAMENT: &str = r#"{"tournament":{}}"#;

#[test]
fn a_match_that_may_be_removed_is_found_among_many_that_stay() {
    on_every_backend(|desk| async move {
        let void = |ended_at| MatchRow {
            outcome: Some(Outcome::Void),
            reason: Some(EndReason::NoShow),
            plies: Ply(0),
            rematch_of: None,
            ended_at: Some(Millis(ended_at)),
            ..over(1, 2)
        };
        // The oldest and the newest may go; between them are more games of tournaments than are looked at. The last one is never removed.
        let commits = (1..=2_004_u64).map(|bits| {
            let created = match bits {
                1 | 2_003 | 2_004 => CREATED,
                _ => OF_A_TOURNAMENT,
            };
            let events = vec![Bytes::from_static(created.as_bytes())];
            Commit::append(id(bits), Seq(0), events).with_row(id(bits), void(bits))
        });
        let commits: Vec<Commit> = commits.collect();
        // SQLite settles so many logs with a transaction.
        for batch in commits.chunks(50) {
            let outcomes = desk.store.commit(desk.lease, batch.to_vec()).await;
            assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
        }
        for number in 0..4 {
            let log = StreamId::Account(player(1).id);
            desk.append(log, number, bodies([1])).await.unwrap();
        }
        assert!(removable(&desk).await.contains(&id(2_003)));
        let mut draws = 0;
        while !removable(&desk).await.contains(&id(1)) {
            draws += 1;
            assert!(draws < DRAWS, "the oldest is never found");
        }
    });
}

async fn removable(desk: &Desk) -> Vec<MatchId> {
    let unneeded = Unneeded {
        matches_before: Millis(9_000),
        guests_before: Millis(0),
    };
    desk.store.removable(unneeded).await.unwrap().matches
}
