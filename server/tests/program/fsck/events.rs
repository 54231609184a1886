//! Events that were changed, removed, swapped, or forged.

use grundy_server::fsck::{Problem, fsck};
use grundy_server::store::Store;
use grundy_server::store::sqlite::SqliteStore;
use grundy_shared::ids::{MatchId, Seq};

use super::{at, database, is_of_sums, only_finding, places, store_steps};
use crate::{blobs, played};

#[tokio::test]
async fn a_flipped_byte_is_found_wherever_it_is_in_a_body() {
    let (directory, path) = database().await;
    let bytes = std::fs::read(&path).unwrap();
    // The third event of match 1 is its first move.
    let body = &played::match_of(1, "nim:2,3").steps[2].events[0];
    // Also where the batch was that it came in.
    let windows = bytes.windows(body.len()).enumerate();
    let places_of: Vec<usize> = windows
        .filter(|(_, window)| *window == body.as_bytes())
        .map(|(start, _)| start)
        .collect();
    assert!(!places_of.is_empty());
    for offset in (0..body.len()).step_by(7) {
        let mut flipped = bytes.clone();
        for start in &places_of {
            flipped[start + offset] ^= 1;
        }
        let copy = directory.path().join("flipped.db");
        std::fs::write(&copy, flipped).unwrap();
        let report = fsck(&copy).await.unwrap();
        assert_eq!(places(&report), [at(1, 3)], "{report}");
        assert_eq!(report.findings[0].problem, Problem::BrokenChain {});
    }
}

#[tokio::test]
async fn a_changed_hash_is_found() {
    let (_directory, path) = database().await;
    blobs::change_event(&path, 2, 3, |event| event.hash = vec![0; 32]).await;
    let report = fsck(&path).await.unwrap();
    // Neither it nor the event after it fits.
    assert_eq!(places(&report), [at(2, 3), at(2, 4)], "{report}");
}

#[tokio::test]
async fn a_removed_event_is_found() {
    let (_directory, path) = database().await;
    blobs::remove(&path, |stream, seq| (stream, seq) == (1, 3)).await;
    let (problem, text) = only_finding(&path, at(1, 3)).await;
    assert_eq!(problem, Problem::Missing { found: Seq(4) });
    let id = MatchId::from_random(1);
    assert!(
        text.contains(&format!("match {id}, event 3: the event is missing")),
        "{text}"
    );
}

#[tokio::test]
async fn a_swapped_pair_is_found() {
    let (_directory, path) = database().await;
    blobs::change(&path, |entries| {
        let third = |entry: &blobs::Entry| (entry.stream, entry.seq) == (1, 3);
        if let Some(place) = entries.iter().position(third)
            && entries.get(place + 1).is_some_and(|next| next.stream == 1)
        {
            entries.swap(place, place + 1);
            entries[place].seq = 3;
            entries[place + 1].seq = 4;
        }
    })
    .await;
    let report = fsck(&path).await.unwrap();
    assert_eq!(places(&report)[..2], [at(1, 3), at(1, 4)], "{report}");
    assert!(
        report
            .findings
            .iter()
            .filter(|finding| !is_of_sums(finding))
            .all(|finding| finding.problem == Problem::BrokenChain {})
    );
}

#[tokio::test]
async fn the_cut_tail_of_a_finished_match_is_found() {
    let length = played::match_of(1, "nim:2,3")
        .steps
        .iter()
        .map(|step| step.events.len() as u64)
        .sum::<u64>();
    let (_directory, path) = database().await;
    blobs::remove(&path, |stream, seq| stream == 1 && seq > length - 2).await;
    let (problem, _) = only_finding(&path, at(1, length - 2)).await;
    assert_eq!(
        problem,
        Problem::WrongEnd {
            closed: Seq(length)
        }
    );
}

/// Somebody who knows how the chain is made can forge one, but not against the rules.
#[tokio::test]
async fn a_forged_chain_still_has_to_be_a_match() {
    let (_directory, path) = database().await;
    let mut forged = played::match_of(4, "nim:2,3");
    forged.steps[2].events[0] = forged.steps[2].events[0].replace("A-1", "A-9");
    let store = SqliteStore::open(&path).await.unwrap();
    let lease = played::lease(&store).await;
    store_steps(&store, lease, &forged, 3).await;
    store.close().await;
    let report = fsck(&path).await.unwrap();
    assert_eq!(places(&report), [at(4, 3)], "{report}");
    assert!(matches!(
        report.findings[0].problem,
        Problem::Unlawful { .. }
    ));
}
