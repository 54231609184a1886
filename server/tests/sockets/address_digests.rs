//! What the database keeps of the addresses of clients.

use std::path::Path;

use grundy_server::data::location;
use grundy_server::fsck::fsck;
use grundy_server::store::{Commit, NodeId, Projection, UsageOf};
use grundy_shared::ids::Millis;
use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};

use crate::common::{Client, Plan, Server};

const SECRET: [u8; 32] = [7; 32];

/// The digest of the address of all clients here.
fn digest(secret: &[u8]) -> u16 {
    let hash = Sha256::new()
        .chain_update("grundy address ")
        .chain_update(secret)
        .chain_update("127.0.0.1")
        .finalize();
    u16::from_be_bytes([hash[0], hash[1]])
}

async fn connect(directory: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(location(directory));
    options.connect().await.expect("a database")
}

/// The digests at matches that are not over, and those whose use of quotas is noted.
async fn stored(directory: &Path) -> (Vec<u16>, Vec<Vec<u8>>) {
    let mut connection = connect(directory).await;
    let of_matches = sqlx::query_scalar("SELECT address FROM match WHERE address IS NOT NULL")
        .fetch_all(&mut connection)
        .await;
    let of_quotas = sqlx::query_scalar("SELECT id FROM usage WHERE kind = 0")
        .fetch_all(&mut connection)
        .await;
    connection.close().await.expect("closed");
    (of_matches.expect("readable"), of_quotas.expect("readable"))
}

/// A server with its database there, where an address may bring one guest.
async fn start(directory: &Path, secret: Option<[u8; 32]>) -> Server {
    let mut plan = Plan::on_disk(directory).await;
    plan.config.quotas.guests_per_address = 1;
    plan.config.quotas.matches_per_player = 5;
    if let Some(secret) = secret {
        let lease = plan.store.enlist(NodeId::ONLY, Millis(0)).await;
        let commit = Commit::default().with(Projection::AddressSecret(secret.into()));
        let committed = plan.store.commit(lease.expect("a lease"), vec![commit]);
        assert_eq!(committed.await, [Ok(())]);
    }
    plan.start().await
}

async fn create(client: &mut Client) {
    let invite = json!({"type":"create","position":"nim:3,4,5","opponent":{"type":"invite"}});
    let created = client.ask(invite).await;
    assert_eq!(created["type"], "created", "{created}");
}

#[tokio::test]
async fn only_digests_with_the_secret_are_stored_and_a_restart_keeps_the_secret() {
    let directory = tempfile::tempdir().expect("a directory");
    let here = directory.path();
    let (plain, secret) = (digest(&[]), digest(&SECRET));
    assert_ne!(plain, secret);
    let server = start(here, Some(SECRET)).await;
    create(&mut server.guest("Ann").await).await;
    server.app.note_usage().await;
    server.stop().await;
    let noted = secret.to_be_bytes().to_vec();
    assert_eq!(stored(here).await, (vec![secret], vec![noted]));
    let bytes = std::fs::read(location(here)).expect("the database");
    let address = b"127.0.0.1";
    assert!(!bytes.windows(address.len()).any(|bytes| bytes == address));

    let server = start(here, None).await;
    let kept = server.store.address_secret().await;
    assert_eq!(kept, Ok(Some(SECRET.into())));
    let mut bob = server.connect().await;
    let refused = bob.ask(json!({"type":"hello","protocol":1})).await;
    assert_eq!(refused["limit"], "1 new guests in 24 hours", "{refused}");
    server.stop().await;
    let report = fsck(&location(here)).await.expect("readable");
    assert!(report.is_sound(), "{report}");
}

#[tokio::test]
async fn an_upgrade_forgets_digests_without_a_secret() {
    let directory = tempfile::tempdir().expect("a directory");
    let here = directory.path();
    let server = start(here, None).await;
    create(&mut server.guest("Ann").await).await;
    server.app.note_usage().await;
    server.stop().await;
    // As an older server left it.
    let mut connection = connect(here).await;
    sqlx::query(
        "ALTER TABLE player DROP COLUMN known; DROP TABLE address_secret; DROP TABLE review; DROP TABLE puzzle; DROP TABLE solver; DROP TABLE puzzle_attempt; DELETE FROM _sqlx_migrations WHERE version >= 18; \
         UPDATE match SET address = ?1; UPDATE usage SET id = ?2 WHERE kind = 0; \
         DELETE FROM table_sum WHERE name IN ('player', 'address_secret', 'review', 'puzzle', 'solver', 'puzzle_attempt', 'sqlite_schema', '_sqlx_migrations', 'match', 'usage')",
    )
    .bind(digest(&[]))
    .bind(digest(&[]).to_be_bytes().to_vec())
    .execute(&mut connection)
    .await
    .expect("an older database");
    connection.close().await.expect("closed");
    let (of_matches, of_quotas) = stored(here).await;
    assert_eq!((of_matches.len(), of_quotas.len()), (1, 1));

    let server = start(here, None).await;
    assert_eq!(stored(here).await, (Vec::new(), Vec::new()));
    assert!(matches!(server.store.address_secret().await, Ok(Some(_))));
    let noted = server.store.usage(NodeId::ONLY).await.expect("readable");
    let of_player = |of| matches!(of, UsageOf::Player(_));
    assert!(!noted.is_empty() && noted.iter().all(|usage| of_player(usage.of)));
    // What an address has used begins anew.
    server.guest("Bob").await;
    server.stop().await;
    let report = fsck(&location(here)).await.expect("readable");
    assert!(report.is_sound(), "{report}");
}
