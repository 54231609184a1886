//! Chat of the real process: acknowledged lines survive `kill -9`, and `fsck` and `export` handle them.

use serde_json::{Value, json};

use crate::client::Client;
use crate::process::Server;

#[tokio::test]
async fn what_was_said_survives_a_kill() {
    let server = Server::start(&[]);
    let (mut ada, ada_token) = Client::come(&server, json!({"name":"Ada"})).await;
    let (mut bo, bo_token) = Client::come(&server, json!({"name":"Bo"})).await;
    let create = json!({"type":"create","position":"nim:3,5","opponent":{"type":"invite"}});
    let created = ada.ask(create).await;
    let id = created["match"].as_str().expect("an id").to_owned();
    bo.ask(json!({"type":"join","code":created["code"]})).await;
    assert_eq!(
        bo.ask(json!({"type":"mute","player":"Ada"})).await["type"],
        "done"
    );
    let say = json!({"type":"say","match":id,"room":"players","text":"only this"});
    let said = ada.ask(say).await;
    assert_eq!((&said["type"], &said["seq"]), (&json!("said"), &json!(1)));
    let server = server.killed_and_started();
    let read = json!({"type":"chat","match":id,"room":"players"});
    let (mut ada, _) = Client::come(&server, json!({"token":ada_token})).await;
    let lines = ada.ask(read.clone()).await;
    assert_eq!(lines["lines"][0]["body"]["text"], "only this", "{lines}");
    let (mut bo, _) = Client::come(&server, json!({"token":bo_token})).await;
    assert_eq!(bo.ask(read).await["lines"], json!([]), "still muted");
    let data = server.killed();
    let room = format!("{id}/players");
    let run = |arguments: &[&str]| {
        let output = data.run(arguments);
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(data.run(&["fsck"]).status.success(), "{}", run(&["fsck"]));
    let exported = run(&["export", "--kind", "chat", &room]);
    let mut lines = exported.lines();
    let header: Value = serde_json::from_str(lines.next().expect("a header")).expect("JSON");
    assert_eq!(header["schema"], "grundy/log/1");
    assert_eq!(
        (&header["chat"], &header["events"]),
        (&json!(room), &json!(1))
    );
    let line: Value = serde_json::from_str(lines.next().expect("a line")).expect("JSON");
    assert_eq!(line["body"]["text"], "only this");
    for wrong in [&*id, "x/players", &format!("{id}/kitchen")] {
        let output = data.run(&["export", "--kind", "chat", wrong]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}
