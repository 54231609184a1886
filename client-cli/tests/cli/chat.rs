//! Chat in matches, as programs and people receive it.

use serde_json::{Value, json};

use crate::online::invite;
use crate::program::{Home, Running};
use crate::server::{Network, Server};

/// Two programs at one match, the second behind a network of its own.
fn programs(a_home: &Home, b_home: &Home) -> (Running, Running, String) {
    let play = ["play", "nim:3,5", "--invite", "--side", "first", "--json"];
    let mut a = a_home.start(&play);
    let welcome = a.tells("welcome");
    let code = welcome["code"].as_str().expect("a code").to_owned();
    let id = welcome["match"].as_str().expect("an id").to_owned();
    let mut b = b_home.start(&["join", &code, "--json"]);
    a.tells("joined");
    b.tells("joined");
    (a, b, id)
}

fn heard(program: &mut Running) -> (Value, Value, Value) {
    let mut said = program.tells("said");
    assert_eq!(said["room"], "players", "{said}");
    let words = match said["text"].take() {
        Value::Null => said["preset"].take(),
        text => text,
    };
    (said["line"].take(), said["player"]["name"].take(), words)
}

#[test]
fn programs_talk_and_hear_what_they_have_missed() {
    let server = Server::start();
    let network = Network::to(&server);
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&network.url));
    let (mut a, mut b, id) = programs(&a_home, &b_home);
    a.types("say Good luck!");
    let (line, name, words) = heard(&mut b);
    assert_eq!((line, words), (json!(1), json!("good_luck")));
    assert_eq!(heard(&mut a).1, name, "one hears oneself, too");
    b.types("/  \u{ff21}\u{3001} thanks  ");
    assert_eq!(heard(&mut a).2, "\u{ff21}\u{3001} thanks");
    assert_eq!(heard(&mut b).0, 2);
    // A line that is said while the connection is lost arrives once, and so does the next one.
    network.cut();
    a.types("say are you there?");
    assert_eq!(heard(&mut a).0, 3);
    b.tells("disconnected");
    network.mend();
    assert_eq!(heard(&mut b).2, "are you there?");
    a.types("say hello again");
    assert_eq!(
        heard(&mut b),
        (json!(4), name.clone(), json!("hello again"))
    );
    b.types("chat");
    let chat = b.tells("chat");
    let lines = chat["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 4, "{chat}");
    assert_eq!(lines[2]["text"], "are you there?");
    // Chat does not count as a move: the program whose turn it is continues to play.
    a.types("A-3");
    a.tells("moved");
    // Watchers talk in another room.
    let c_home = Home::at(&server.url);
    let mut c = c_home.start(&["watch", &id, "--json"]);
    c.tells("snapshot");
    c.types("say hello");
    let said = c.tells("said");
    assert_eq!(
        (&said["room"], &said["preset"]),
        (&json!("watchers"), &json!("hello"))
    );
    c.types("say anything else");
    assert_eq!(c.tells("error")["error"]["code"], "not_allowed");
    c.types("A-1");
    let refused = c.tells("error");
    assert!(
        refused["error"]["message"]
            .to_string()
            .contains("you are watching"),
        "{refused}"
    );

    let name = name.as_str().expect("a name");
    let muted = b_home.run(&["mute", name, "--json"]).json();
    assert_eq!(muted["players"][0]["name"], name, "{muted}");
    let listed = b_home.run(&["mute"]);
    assert!(
        listed.stdout.contains(&format!("You have muted: {name}.")),
        "{listed:?}"
    );
    a.types("say nobody hears this");
    assert_eq!(heard(&mut a).0, 5);
    let unmuted = b_home.run(&["unmute", name]);
    assert!(unmuted.stdout.contains("again"), "{unmuted:?}");
    let listed = b_home.run(&["mute"]);
    assert!(
        listed.stdout.contains("You have muted nobody."),
        "{listed:?}"
    );
    a.types("say but this");
    assert_eq!(
        heard(&mut b).2,
        "nobody hears this",
        "it is not muted any more"
    );
    assert_eq!(heard(&mut b).2, "but this");
    assert_eq!(b_home.run(&["mute", "Nobody"]).code, Some(4));
}

#[test]
fn a_script_talks_in_its_turn_and_a_local_match_has_nobody_to_talk_to() {
    let server = Server::start();
    let (a_home, b_home) = (Home::at(&server.url), Home::at(&server.url));
    let (mut a, _, code) = invite(&a_home, "nim:1");
    let mut b = b_home.start(&["join", &code]);
    b.says("is to move");
    a.says("Your move");
    a.types("say well played");
    b.says(": Well played");
    a.types("say\nchat\na-1");
    a.says(": Well played");
    a.says("You win");
    assert!(b.ends_by_itself().stdout.contains("wins"));
    let local = a_home.feed(&["play", "nim:2", "--local", "--two"], "say hello\nquit\n");
    assert!(
        local.stderr.contains("there is nobody to talk to"),
        "{local:?}"
    );
}
