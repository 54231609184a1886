//! A third player reads the record of a match while one of its players offers a rematch: a commit between two readings of the store is no damage.

use std::time::Duration;

use serde_json::json;

use crate::common::{Plan, Server};

/// How many matches: `GRUNDY_MATCHES=4000` is the proof that docs/RELIABILITY.md names.
fn wanted() -> u64 {
    let text = std::env::var("GRUNDY_MATCHES");
    text.map_or(40, |text| text.parse().expect("GRUNDY_MATCHES is a number"))
}

/// Pairs that play at the same time.
const PAIRS: u64 = 8;
/// The readers come at moments spread over these first milliseconds after the offer.
const SPREAD: Duration = Duration::from_millis(4);

/// Plays these matches, each with a reader at a moment of its own; how many were not read.
async fn play(server: &Server, numbers: impl Iterator<Item = u64>, of: u64) -> u64 {
    let (mut first, mut second) = (server.guest("first").await, server.guest("second").await);
    let mut reader = server.guest("reader").await;
    let mut refused = 0;
    for number in numbers {
        let create = json!({"type":"create","position":"nim:3,5","side":"first","opponent":{"type":"invite"}});
        let created = first.ask(create).await;
        let (id, code) = (&created["match"], &created["code"]);
        let joined = second.ask(json!({"type":"join","code":code})).await;
        assert_eq!(joined["type"], "joined", "{joined}");
        let resigned = second.ask(json!({"type":"resign","match":id})).await;
        assert_ne!(resigned["type"], "error", "{resigned}");
        let offer = first.send(json!({"type":"rematch","match":id})).await;
        tokio::time::sleep(SPREAD.mul_f64(number as f64 / of as f64)).await;
        let record = reader.ask(json!({"type":"record","match":id})).await;
        if record["type"] == "error" {
            eprintln!("match {number}: {record}");
            refused += 1;
        }
        let offered = first.reply(offer).await;
        assert_ne!(offered["type"], "error", "{offered}");
    }
    refused
}

#[tokio::test]
async fn an_offer_of_a_rematch_between_two_readings_is_no_damage() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut plan = Plan::on_disk(directory.path()).await;
    plan.config.limits.matches_per_player = 100_000;
    plan.config.workers = 2;
    let server = plan.start().await;
    let of = wanted();
    // Each pair has moments from the whole spread.
    let pairs = (0..PAIRS).map(|pair| play(&server, (pair..of).step_by(PAIRS as usize), of));
    let refused: u64 = futures::future::join_all(pairs).await.into_iter().sum();
    let damaged = server.app.metrics.matches_quarantined.get();
    println!(
        "{of} matches with an offer of a rematch and a reader within {SPREAD:?}: {refused} records refused, {damaged} matches called damaged"
    );
    assert_eq!((refused, damaged), (0, 0));
    server.stop().await;
}
