//! What an erasure leaves to others: the tournament of a player who has a name that the erased one had, and the challenges of those who are there.

use serde_json::{Value, json};

use crate::admin::admin;
use crate::client::Client;
use crate::process::Server;

async fn done(client: &mut Client, ask: Value) -> Value {
    let reply = client.ask(ask).await;
    assert_ne!(reply["type"], "error", "{reply}");
    reply
}

/// A player drops a name, another takes it and enters a tournament under it. The erasure of the first leaves the tournament as it is.
#[tokio::test]
async fn a_name_on_a_list_stays_if_another_player_has_entered_under_it() {
    let server = Server::start(&[]);
    let (mut first, _) = Client::come(&server, json!({"name":"Ada"})).await;
    let (mut bo, _) = Client::come(&server, json!({"name":"Bo"})).await;
    let invitation = json!({"type":"create","position":"nim:3,5","opponent":{"type":"invite"}});
    let created = done(&mut first, invitation).await;
    done(&mut bo, json!({"type":"join","code":created["code"]})).await;
    let played = &created["match"];
    done(&mut first, json!({"type":"resign","match":played})).await;
    done(&mut first, json!({"type":"rename","name":"Zoe"})).await;
    let (mut second, _) = Client::come(&server, json!({"name":"Ada"})).await;
    let cup = json!({
        "type": "create_tournament",
        "name": "Cup",
        "format": {"type":"round_robin"},
        "rules": {
            "games": 2,
            "clock": {"type":"fischer","base_ms":600_000,"increment_ms":0},
            "starts": {"type":"list","positions":["nim:3,5"]},
            "start_ms": 600_000,
            "away_ms": 600_000,
        },
        "admission": {"most":3,"names":["Ada","Bo","Zoe"]},
    });
    let cup = done(&mut bo, cup).await["tournament"].clone();
    let enter = json!({"type":"join_tournament","tournament":cup});
    done(&mut second, enter).await;
    let cancel = json!({"type":"control_tournament","tournament":cup,"action":"cancel"});
    done(&mut bo, cancel).await;
    admin(&server, &["erase", "Zoe", "--confirm", "Zoe"]);
    let show = json!({"type":"show_tournament","tournament":cup});
    let shown = done(&mut bo, show).await.to_string();
    assert!(shown.contains("Ada"), "{shown}");
    let log = json!({"type":"tournament_log","tournament":cup});
    let log = done(&mut bo, log).await.to_string();
    assert!(
        log.contains(r#""names":["Ada","Bo","erased-"#),
        "only the name that nobody else has entered under goes: {log}"
    );
    let data = server.killed();
    let checked = data.run(&["fsck"]);
    assert!(checked.status.success(), "{checked:?}");
}

/// Open challenges from an erased player and to it end at once, and no reply has the name any more.
#[tokio::test]
async fn challenges_of_an_erased_player_end() {
    let server = Server::start(&[]);
    let (mut ada, _) = Client::come(&server, json!({"name":"Zarathustra"})).await;
    let (mut bo, _) = Client::come(&server, json!({"name":"Bo"})).await;
    for client in [&mut ada, &mut bo] {
        done(client, json!({"type":"follow_account"})).await;
    }
    let challenge = |player: &str| json!({"type":"challenge","player":player,"position":"nim:3,5"});
    let to = done(&mut bo, challenge("Zarathustra")).await;
    let from = done(&mut ada, challenge("Bo")).await;
    admin(
        &server,
        &["erase", "Zarathustra", "--confirm", "Zarathustra"],
    );
    let ended = bo.hears(&["challenge_ended", "\"expired\""]).await;
    assert_eq!(ended["body"]["challenge"], to["challenge"]["challenge"]);
    let ended = bo.hears(&["challenge_ended", "\"withdrawn\""]).await;
    assert_eq!(ended["body"]["challenge"], from["challenge"]["challenge"]);
    let open = done(&mut bo, json!({"type":"follow_account"})).await;
    assert_eq!(open["challenges"], json!([]), "{open}");
}
