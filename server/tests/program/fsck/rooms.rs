//! Rooms of chat.

use bytes::Bytes;
use grundy_server::fsck::{Problem, fsck};
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{Commit, Store, StreamId};
use grundy_shared::ids::{MatchId, Seq};
use grundy_shared::protocol::chat::Room;
use tempfile::TempDir;

use crate::played;

#[tokio::test]
async fn rooms_of_chat_hold_lines_and_are_those_of_matches() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("grundy.db");
    let store = SqliteStore::open(&path).await.unwrap();
    let lease = played::lease(&store).await;
    played::players(&store, lease).await;
    let there = played::match_of(1, "nim:2,3");
    there.store(&store, lease, 0).await.unwrap();
    let line = r#"{"type":"said","at_ms":1,"player":{"id":"67e55044-10b1-426f-9247-bb680e5fe0c8","name":"Ada","bot":false},"preset":"hello"}"#;
    let say = async |id, room, lines: &[&'static str]| {
        let bodies = lines.iter().map(|line| Bytes::from_static(line.as_bytes()));
        let append = Commit::append(StreamId::Chat(id, room), Seq(0), bodies.collect());
        played::commit(&store, lease, append).await.unwrap();
    };
    say(there.id, Room::Players, &[line, line]).await;
    say(there.id, Room::Watchers, &[line, "{}", line]).await;
    let gone = MatchId::from_random(99);
    say(gone, Room::Watchers, &[line]).await;
    store.close().await;
    let report = fsck(&path).await.unwrap();
    let found: Vec<_> = report
        .findings
        .iter()
        .map(|finding| (finding.log.clone(), finding.seq))
        .collect();
    assert_eq!(
        found,
        [
            (Some(format!("chat {}/watchers", there.id)), Some(Seq(2))),
            (Some(format!("chat {gone}/watchers")), None),
        ],
        "{report}"
    );
    assert!(matches!(
        report.findings[0].problem,
        Problem::NotAnEvent { .. }
    ));
    assert!(
        matches!(&report.findings[1].problem, Problem::Dangling { what, .. } if what == "match")
    );
}
