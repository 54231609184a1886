//! Summaries that contradict their logs, and what they refer to.

use grundy_server::fsck::{Problem, fsck};
use grundy_shared::ids::MatchId;

use super::{at, database, finding_after, only_finding, places, tamper};
use crate::blobs;

#[tokio::test]
async fn a_wrong_count_of_mistakes_and_a_wrong_place_are_found() {
    let (_directory, path) = database().await;
    // The counts of a server are right, and an unknown count is not a finding by itself.
    let honest = "UPDATE match SET mistakes_first = -1, mistakes_second = -1 WHERE status = 'over'";
    tamper(&path, honest).await;
    assert_eq!(places(&fsck(&path).await.unwrap()), []);
    for (statement, bits, field) in [
        (
            "UPDATE match SET mistakes_first = 40, mistakes_second = 0 WHERE number = 1",
            1,
            "mistakes",
        ),
        (
            "UPDATE match SET mistakes_first = 0, mistakes_second = 0 WHERE status = 'live'",
            3,
            "mistakes",
        ),
        (
            "UPDATE match SET ended_order = NULL WHERE number = 2",
            2,
            "ended_order",
        ),
        (
            "UPDATE match SET ended_order = 9 WHERE status = 'live'",
            3,
            "ended_order",
        ),
    ] {
        let place = (Some(MatchId::from_random(bits)), None);
        let (problem, report) = finding_after(statement, place).await;
        assert!(
            matches!(&problem, Problem::WrongSummary { field: found, .. } if found == field),
            "{statement}: {report}"
        );
    }
    let half = "UPDATE match SET mistakes_first = 1 WHERE number = 1";
    let place = (Some(MatchId::from_random(1)), None);
    let (problem, _) = finding_after(half, place).await;
    assert!(matches!(problem, Problem::BadValue { column, .. } if column == "mistakes"));
}

#[tokio::test]
async fn a_changed_result_is_found() {
    let (problem, _) = finding_after(
        "UPDATE match SET outcome = CASE outcome WHEN 'first' THEN 'second' ELSE 'first' END WHERE number = 2",
        (Some(MatchId::from_random(2)), None),
    )
    .await;
    let words = problem.to_string();
    assert!(matches!(problem, Problem::WrongSummary { field, .. } if field == "outcome"));
    let told = ["first", "second"];
    assert!(
        (0..2).any(|of| words
            == format!(
                "the summary says outcome {}, the log says {}",
                told[of],
                told[1 - of]
            )),
        "{words}"
    );
}

#[tokio::test]
async fn other_changes_are_found() {
    let whole = |bits| (Some(MatchId::from_random(bits)), None);
    for (statement, place) in [
        ("UPDATE match SET plies = 1 WHERE number = 1", whole(1)),
        (
            "UPDATE match SET second_name = 'me' WHERE number = 3",
            whole(3),
        ),
        (
            "UPDATE match SET status = 'waiting' WHERE number = 3",
            whole(3),
        ),
        ("UPDATE match SET clock = 'x' WHERE number = 3", whole(3)),
        ("UPDATE match SET ended_at = 5 WHERE number = 1", whole(1)),
        (
            "UPDATE match SET log_head = zeroblob(32) WHERE number = 1",
            at(1, 8),
        ),
        (
            "UPDATE match SET log_head = NULL WHERE number = 1",
            at(1, 8),
        ),
        (
            "INSERT INTO segment SELECT 77, first, last, body FROM segment WHERE stream = 1",
            (None, None),
        ),
        ("UPDATE segment SET last = 77 WHERE stream = 1", at(1, 1)),
        ("DELETE FROM match WHERE number = 2", whole(2)),
        (
            "INSERT INTO join_code VALUES ('KWQHRMTB', 77, 5)",
            (None, None),
        ),
        ("INSERT INTO join_code VALUES ('kw', 3, 5)", whole(3)),
        (
            "DELETE FROM segment WHERE stream = 2; DELETE FROM match WHERE number = 2; DELETE FROM stream WHERE number = 2",
            (None, None),
        ),
    ] {
        finding_after(statement, place).await;
    }
    let (_directory, path) = database().await;
    tamper(&path, "DELETE FROM stream WHERE number = 2").await;
    let report = fsck(&path).await.unwrap();
    assert_eq!(places(&report), [(None, None), whole(2)], "{report}");
    let (_directory, path) = database().await;
    blobs::remove(&path, |stream, _| stream == 3).await;
    only_finding(&path, at(3, 1)).await;
    let (_directory, path) = database().await;
    blobs::change(&path, |entries| {
        let second = |entry: &blobs::Entry| (entry.stream, entry.seq) == (1, 2);
        if let Some(place) = entries.iter().position(second) {
            entries.insert(place, entries[place].clone());
        }
    })
    .await;
    only_finding(&path, at(1, 3)).await;
}

#[tokio::test]
async fn whoever_is_spoken_of_has_to_be_there() {
    let whole = |bits| (Some(MatchId::from_random(bits)), None);
    for (statement, found) in [
        (
            "DELETE FROM player WHERE name = 'player 2'",
            // And the player's token.
            vec![whole(1), whole(2), whole(3), (None, None)],
        ),
        (
            "UPDATE match SET rematch_of = 1234 WHERE number = 2",
            vec![whole(2), whole(2)],
        ),
    ] {
        let (_directory, path) = database().await;
        tamper(&path, statement).await;
        let report = fsck(&path).await.unwrap();
        assert_eq!(places(&report), found, "{report}");
        assert!(report.to_string().contains("is not there"), "{report}");
    }
}
