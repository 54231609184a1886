//! What an address and a player may use up in a day, and how the places for matches are shared.

use std::path::Path;

use grundy_server::config::Config;
use grundy_server::metrics::ByScope;

use serde_json::{Value, json};

use crate::common::{Client, Plan, Server};

const HOUR: u64 = 3_600_000;

fn invite(position: &str) -> Value {
    json!({"type":"create","position":position,"opponent":{"type":"invite"}})
}

/// Creates a match and ends it again.
async fn create_and_abort(client: &mut Client) -> Value {
    let created = client.ask(invite("nim:3,4,5")).await;
    if created["type"] == "created" {
        let abort = json!({"type":"abort","match":created["match"]});
        assert_eq!(client.ask(abort).await["type"], "done");
    }
    created
}

fn refusals(server: &Server, scope: &'static str) -> u64 {
    let by = ByScope { scope };
    server.app.metrics.rate_limited.get_or_create(&by).get()
}

#[tokio::test]
async fn who_creates_and_aborts_matches_is_stopped_and_keeps_its_running_match() {
    let plan = Plan::with(|config| config.quotas.matches_per_player = 4);
    let server = plan.start().await;
    let (mut ann, mut bob, id) = server.pair("nim:3,3").await;
    for _ in 0..3 {
        assert_eq!(create_and_abort(&mut ann).await["type"], "created");
    }
    let refused = create_and_abort(&mut ann).await;
    assert_eq!(refused["code"], "rate_limited", "{refused}");
    assert_eq!(refused["limit"], "4 new matches in 24 hours");
    let wait = refused["retry_after_ms"].as_u64().expect("a time");
    assert!((5 * HOUR..=6 * HOUR + 1).contains(&wait), "{refused}");
    assert_eq!(refused["closes"], false);
    assert_eq!(refusals(&server, "matches_per_day"), 1);
    // Others create, and what runs goes on to its end.
    assert_eq!(create_and_abort(&mut bob).await["type"], "created");
    for (ply, text) in [(1, "A-3"), (2, "B-3")] {
        let client = if ply == 1 { &mut ann } else { &mut bob };
        let made = client.play(&id, ply, text).await;
        assert_eq!(made["type"], "accepted", "{made}");
    }
    assert_eq!(ann.event_of("ended").await["type"], "ended");
    let rematch = ann.ask(json!({"type":"rematch","match":id})).await;
    assert_eq!(rematch["code"], "rate_limited", "{rematch}");
    server.stop().await;
}

#[tokio::test]
async fn an_address_has_a_quota_of_guests_and_of_bytes() {
    let plan = Plan::with(|config| config.quotas.guests_per_address = 3);
    let server = plan.start().await;
    for name in ["Ann", "Bob", "Cid"] {
        server.guest(name).await;
    }
    let mut fourth = server.connect().await;
    let refused = fourth.ask(json!({"type":"hello","protocol":1})).await;
    assert_eq!(refused["code"], "rate_limited", "{refused}");
    assert_eq!(refused["limit"], "3 new guests in 24 hours");
    server.stop().await;

    let plan = Plan::with(|config| config.quotas.bytes_per_address = 8_192);
    let server = plan.start().await;
    let mut ann = server.guest("Ann").await;
    let mut made = 0;
    let refused = loop {
        let answer = create_and_abort(&mut ann).await;
        if answer["type"] != "created" {
            break answer;
        }
        made += 1;
    };
    // About 512 bytes of the row and 700 of the events each.
    assert!((3..=12).contains(&made), "{made}");
    assert_eq!(refused["code"], "rate_limited", "{refused}");
    assert_eq!(refusals(&server, "bytes_per_day"), 1);
    server.stop().await;
}

fn quota_of_six(config: &mut Config) {
    config.quotas.matches_per_address = 6;
}

async fn on_disk(directory: &Path) -> Server {
    let mut plan = Plan::on_disk(directory).await;
    quota_of_six(&mut plan.config);
    plan.start().await
}

#[tokio::test]
async fn a_restart_does_not_give_a_used_quota_back() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = on_disk(directory.path()).await;
    let mut ann = server.guest("Ann").await;
    for _ in 0..6 {
        assert_eq!(create_and_abort(&mut ann).await["type"], "created");
    }
    server.stop().await;
    let server = on_disk(directory.path()).await;
    let mut bob = server.guest("Bob").await;
    let refused = create_and_abort(&mut bob).await;
    assert_eq!(refused["code"], "rate_limited", "{refused}");
    server.stop().await;
}

#[tokio::test]
async fn half_of_the_places_are_for_matches_that_wait_and_an_address_has_its_share_of_them() {
    let directory = tempfile::tempdir().expect("a directory");
    let on_disk = Plan::on_disk(directory.path()).await;
    for mut plan in [Plan::default(), on_disk] {
        plan.config.limits.live_matches = 64;
        plan.config.limits.address_share = 8;
        plan.config.limits.matches_per_player = 100;
        let server = plan.start().await;
        let mut ann = server.guest("Ann").await;
        let mut codes = Vec::new();
        let refused = loop {
            let answer = ann.ask(invite("nim:3,4,5")).await;
            if answer["type"] != "created" {
                break answer;
            }
            codes.push(answer["code"].clone());
        };
        // The first n with n > (32 - (n - 1)) / 8.
        assert_eq!(codes.len(), 3, "{refused}");
        assert_eq!(refused["code"], "too_many", "{refused}");
        assert_eq!(refused["limit"], "1/8 of the free places");
        // Matches that are played take places of their own.
        let mut bob = server.guest("Bob").await;
        for code in codes {
            let joined = bob.ask(json!({"type":"join","code":code})).await;
            assert_eq!(joined["type"], "joined", "{joined}");
        }
        assert_eq!(ann.ask(invite("nim:3,4,5")).await["type"], "created");
        server.stop().await;
    }
}

/// Who takes a seat that another player has offered hears nothing of that player's quota as if it were the own one.
#[tokio::test]
async fn a_quota_that_the_creator_has_used_up_is_not_told_as_the_others_own() {
    let plan = Plan::with(|config| config.quotas.matches_per_player = 1);
    let server = plan.start().await;
    let (mut ann, mut bob) = (server.guest("Ann").await, server.guest("Bob").await);
    for client in [&mut ann, &mut bob] {
        let followed = client.ask(json!({"type":"follow_account"})).await;
        assert_eq!(followed["type"], "account");
    }
    let challenge = json!({"type":"challenge","player":"Bob","position":"nim:3"});
    let challenge = ann.ask(challenge).await["challenge"]["challenge"].clone();
    let seek = json!({"type":"seek","position":"nim:3"});
    let seek = ann.ask(seek).await["seek"]["seek"].clone();
    assert_eq!(create_and_abort(&mut ann).await["type"], "created");
    for ask in [
        json!({"type":"accept","challenge":challenge}),
        json!({"type":"take","seek":seek}),
    ] {
        let refused = bob.ask(ask).await;
        assert_eq!(
            (&refused["code"], &refused["reason"]),
            (&json!("declined"), &json!("too_many_matches")),
            "{refused}"
        );
        assert_eq!(refused.get("retry_after_ms"), None, "{refused}");
    }
    assert_eq!(create_and_abort(&mut bob).await["type"], "created");
    server.stop().await;
}

#[tokio::test]
async fn the_quota_of_bytes_counts_what_the_disk_holds() {
    const QUOTA: u64 = 2_000_000;
    let directory = tempfile::tempdir().expect("a directory");
    let mut plan = Plan::on_disk(directory.path()).await;
    plan.config.quotas.bytes_per_address = QUOTA;
    let server = plan.start().await;
    let mut ann = server.guest("Ann").await;
    // Starts of about 13 KB, which are stored in the event and in the summary of each match.
    let start = format!("nim:{}", vec!["1000000"; 1_600].join(","));
    let mut made = 0;
    let refused = loop {
        let created = ann.ask(invite(&start)).await;
        if created["type"] != "created" {
            break created;
        }
        made += 1;
        let abort = json!({"type":"abort","match":created["match"]});
        assert_eq!(ann.ask(abort).await["type"], "done");
    };
    assert_eq!(refused["code"], "rate_limited", "{refused}");
    assert!(made >= 20, "{made}");
    server.stop().await.close().await;
    let file = directory.path().join("grundy.db");
    let bytes = std::fs::metadata(file).expect("a database").len();
    // The empty tables and the puzzles that come with the program are there as well.
    let empty = tempfile::tempdir().expect("a directory");
    let server = Plan::on_disk(empty.path()).await.start().await;
    server.stop().await.close().await;
    let file = empty.path().join("grundy.db");
    let bytes = bytes - std::fs::metadata(file).expect("a database").len();
    println!("{made} matches, {bytes} bytes, {QUOTA} allowed");
    assert!(bytes <= QUOTA * 5 / 4, "{bytes} of {QUOTA}");
    assert!(bytes >= QUOTA / 2, "{bytes} of {QUOTA}");
}
