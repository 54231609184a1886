//! Names belong to one player, however they are written, and can be changed.

use std::path::Path;

use crate::common::Server;
use grundy_server::store::Store;
use grundy_server::store::sqlite::SqliteStore;
use grundy_shared::ids::PlayerId;
use serde_json::{Value, json};
use sqlx::Connection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use tempfile::TempDir;

fn rename(name: &str) -> Value {
    json!({"type":"rename","name":name})
}

#[tokio::test]
async fn a_name_is_taken_whatever_its_case_and_its_script() {
    let server = Server::start().await;
    let _tom = server.guest("Tom").await;
    let mut other = server.connect().await;
    for name in ["Tom", "TOM", "t\u{43e}m", "\u{ff34}om", "Torn"] {
        let hello = json!({"type":"hello","protocol":1,"name":name});
        let refused = other.ask(hello).await;
        assert_eq!(refused["code"], "name_taken", "{name}");
        assert_eq!(refused["field"], "name");
        let example = refused["example"].as_str().expect("another name");
        assert_eq!(grundy_server::names::check_name(example), Ok(()));
    }
    let free = json!({"type":"hello","protocol":1,"name":"Tomas"});
    assert_eq!(other.ask(free).await["type"], "welcome");
    for name in ["tom", "T0M"] {
        let refused = other.ask(rename(name)).await;
        assert_eq!(refused["code"], "name_taken", "{name}: {refused}");
    }
    for name in ["", "\u{2800}", "a\u{378}", "perfect"] {
        let refused = other.ask(rename(name)).await;
        assert_eq!(refused["code"], "bad_name", "{name}: {refused}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_new_name_is_everywhere_but_in_what_was_before() {
    let server = Server::start().await;
    let (mut first, _second, before) = server.pair("nim:3,5").await;
    let (mut again, _) = server.again(&first).await;
    let renamed = first.ask(rename("Zoe")).await;
    assert_eq!(renamed["type"], "renamed", "{renamed}");
    assert_eq!(renamed["player"]["name"], "Zoe");
    // The other connection of the same player knows it: its next match has the new name.
    let create =
        json!({"type":"create","position":"nim:3","side":"first","opponent":{"type":"invite"}});
    let created = again.ask(create).await;
    let id = created["match"].as_str().expect("an id").to_owned();
    let record = again.ask(json!({"type":"record","match":id})).await;
    assert_eq!(record["events"][0]["body"]["creator"]["name"], "Zoe");
    let record = first.ask(json!({"type":"record","match":before})).await;
    assert_eq!(record["events"][0]["body"]["creator"]["name"], "first");
    // The old name is free, and the new one is not.
    let other = server.guest("first").await;
    let (_, welcome) = server.again(&other).await;
    assert_eq!(welcome["player"]["name"], "first");
    let (mut other, _) = server.again(&other).await;
    assert_eq!(other.ask(rename("ZOE")).await["code"], "name_taken");
    // Its own name in other letters is free to a player.
    assert_eq!(first.ask(rename("ZOE")).await["player"]["name"], "ZOE");
    let (_, welcome) = server.again(&first).await;
    assert_eq!(welcome["player"]["name"], "ZOE");
    server.stop().await;
}

#[tokio::test]
async fn of_two_who_ask_for_one_name_at_once_one_gets_it() {
    let server = Server::start().await;
    let (mut one, mut other) = (server.guest("one").await, server.guest("other").await);
    let (here, there) = tokio::join!(one.ask(rename("Zoe")), other.ask(rename("zoe")));
    let kinds = [&here, &there].map(|reply| reply["type"].as_str().unwrap_or_default());
    assert!(
        kinds == ["renamed", "error"] || kinds == ["error", "renamed"],
        "{here} {there}"
    );
    server.stop().await;
}

async fn connect(path: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path);
    let connection = SqliteConnection::connect_with(&options).await;
    connection.expect("the file is there")
}

#[tokio::test]
async fn of_players_that_an_older_server_gave_one_name_the_oldest_keeps_it() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("grundy.db");
    SqliteStore::open(&path)
        .await
        .expect("a store")
        .close()
        .await;
    let mut connection = connect(&path).await;
    for (number, name, at) in [
        (1_u8, "Ann", 30),
        (2, "ann", 10),
        (3, "\u{410}nn", 20),
        (4, "Bo", 5),
    ] {
        sqlx::query("INSERT INTO player (id, name, bot, created_at) VALUES (?1, ?2, 0, ?3)")
            .bind(vec![number; 16])
            .bind(name)
            .bind(at)
            .execute(&mut connection)
            .await
            .expect("as the older server did");
    }
    connection.close().await.expect("closed");
    let store = SqliteStore::open(&path).await.expect("taken over");
    for (number, name) in [(1, "Ann-3"), (2, "ann"), (3, "\u{410}nn-2"), (4, "Bo")] {
        let id = PlayerId::from_bytes(&[number; 16]).expect("16 bytes");
        let player = store.player(id).await.expect("readable");
        assert_eq!(player.expect("kept").name, name);
    }
    let found = store
        .player_by_name(&grundy_server::names::name_key("ANN"))
        .await;
    assert_eq!(found.expect("readable").expect("kept").name, "ann");
    store.close().await;
}
