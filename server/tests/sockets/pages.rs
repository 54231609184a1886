//! The pages in a browser, without one: what they are for a reader, and who may be whom by a cookie.

use std::path::Path;

use grundy_server::config::Config;
use grundy_shared::Position;
use grundy_shared::picture::Picture;
use grundy_shared::record::Record;
use serde_json::{Value, json};

use crate::bad_peer::status;
use crate::common::{Plan, Server};

/// A page as a browser asks for it.
pub(crate) fn page(path: &str, more: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html,*/*;q=0.8\r\n{more}\r\n")
}

pub(crate) async fn read(server: &Server, request: &str) -> (u16, String) {
    status(server, request.as_bytes()).await
}

/// What a page sends to be known from then on.
fn session(method: &str, origin: &str, token: &str) -> String {
    let body = json!({ "token": token }).to_string();
    format!(
        "{method} /session HTTP/1.1\r\nHost: localhost\r\n{origin}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

const OURS: &str = "Origin: http://localhost\r\n";

#[tokio::test]
async fn a_browser_gets_pages_and_a_program_gets_text() {
    let server = Server::start().await;
    let (code, text) = read(&server, &page("/", "")).await;
    assert_eq!(code, 200, "{text}");
    assert!(
        text.contains("<html lang=\"en\">") && text.contains("nim:3,5,7"),
        "{text}"
    );
    // Nothing from elsewhere may run, and no other site may frame the page.
    assert!(
        text.contains("content-security-policy: default-src 'self';"),
        "{text}"
    );
    assert!(text.contains("frame-ancestors 'none'"), "{text}");
    let (_, plain) = read(
        &server,
        "GET / HTTP/1.1\r\nHost: play.example.localhost\r\n\r\n",
    )
    .await;
    assert!(!plain.contains("<html"), "{plain}");
    let (_, plain) = read(&server, "GET / HTTP/1.1\r\nHost: localhost:8000\r\n\r\n").await;
    assert!(
        plain.contains("--server http://localhost:8000 play"),
        "{plain}"
    );
    // Where there is no page, a browser gets one that says so in the reader's language, and a program a line of text.
    let chinese = "Accept-Language: zh-CN\r\n";
    for (path, code) in [
        ("/nothing-here", 404),
        ("/nothing/here/either", 404),
        ("/j/BAD", 404),
        ("/t/nothing", 404),
        ("/u/nobody", 404),
        ("/g/%FF", 400),
        ("/lab?position=a&position=b", 400),
        ("/lab?position=nonsense", 400),
    ] {
        let (got, text) = read(&server, &page(path, chinese)).await;
        assert_eq!(got, code, "{path}: {text}");
        assert!(text.contains("<html lang=\"zh-CN\">"), "{path}: {text}");
        assert!(text.contains("content-security-policy: "), "{path}: {text}");
        assert!(text.contains("referrer-policy: "), "{path}: {text}");
        assert!(!text.contains("unknown game"), "{path}: {text}");
        let asked = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{chinese}\r\n");
        let (got, text) = read(&server, &asked).await;
        assert_eq!(got, code, "{path}: {text}");
        assert!(!text.contains("<html"), "{path}: {text}");
    }
    for (path, code) in [
        ("/x", 404),
        ("/g/nonsense", 404),
        ("/j/nonsense", 404),
        ("/assets/0/page.css", 404),
    ] {
        assert_eq!(read(&server, &page(path, "")).await.0, code, "{path}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_browser_asks_by_tls_only_where_the_operator_says_that_it_can() {
    for (url, asks) in [("https://localhost", true), ("http://localhost", false)] {
        let text = format!("public_url = \"{url}\"");
        let named = Config::from_toml(Path::new("test.toml"), &text).expect("an address");
        let plan = Plan::with(|config| config.public_url.clone_from(&named.config.public_url));
        let server = plan.start().await;
        let (_, text) = read(&server, &page("/", "")).await;
        let told = text.contains("strict-transport-security: max-age=31536000");
        assert_eq!(told, asks, "{text}");
        server.stop().await;
    }
}

#[tokio::test]
async fn every_file_that_a_page_names_is_there_for_good() {
    let server = Server::start().await;
    let (_, text) = read(&server, &page("/", "")).await;
    let names: Vec<&str> = text
        .split('"')
        .filter(|piece| piece.starts_with("/assets/"))
        .collect();
    assert!(names.len() >= 3, "{text}");
    for name in names {
        let (code, file) = read(&server, &page(name, "")).await;
        assert_eq!(code, 200, "{name}");
        assert!(file.contains("immutable"), "{name}");
        assert!(file.contains("nosniff"), "{name}");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_language_is_that_of_the_reader_and_a_choice_is_kept() {
    let server = Server::start().await;
    let chinese = "Accept-Language: zh-CN,zh;q=0.9\r\n";
    let (_, text) = read(&server, &page("/", chinese)).await;
    assert!(text.contains("<html lang=\"zh-CN\">"), "{text}");
    let (_, text) = read(&server, &page("/?lang=zh-CN", "")).await;
    assert!(
        text.contains("set-cookie: grundy-language=zh-CN;"),
        "{text}"
    );
    let (_, text) = read(&server, &page("/", "Cookie: grundy-language=zh-CN\r\n")).await;
    assert!(text.contains("<html lang=\"zh-CN\">"), "{text}");
    let (_, text) = read(&server, &page("/?lang=%3Cscript%3E", "")).await;
    assert!(
        text.contains("<html lang=\"en\">") && !text.contains("set-cookie"),
        "{text}"
    );
    server.stop().await;
}

#[tokio::test]
async fn a_page_is_the_player_of_its_cookie() {
    let server = Server::start().await;
    let mut first = server.connect_from_page("x=y").await;
    let hello = json!({"type":"hello","protocol":1,"session":true,"name":"Ada"});
    let welcome = first.ask(hello.clone()).await;
    assert_eq!(welcome["player"]["name"], "Ada", "{welcome}");
    let token = welcome["token"].as_str().expect("a new guest").to_owned();
    let (code, text) = read(&server, &session("POST", OURS, &token)).await;
    assert_eq!(code, 204, "{text}");
    let cookie = text
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "));
    let cookie = cookie.expect("a cookie");
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    let cookie = cookie.split(';').next().expect("a first piece").to_owned();
    // The same player again, under the name that it has.
    let mut again = server.connect_from_page(&cookie).await;
    let welcome = again.ask(hello.clone()).await;
    assert_eq!(welcome["player"]["name"], "Ada");
    assert_eq!(
        welcome["token"],
        Value::Null,
        "the secret is not sent again"
    );
    // Without `session` the cookie says nothing.
    let mut other = server.connect_from_page(&cookie).await;
    let welcome = other.ask(json!({"type":"hello","protocol":1})).await;
    assert_ne!(welcome["player"]["name"], "Ada");
    // A secret that is nobody's makes a new guest.
    let mut lost = server.connect_from_page("grundy=gr_nobody").await;
    let welcome = lost
        .ask(json!({"type":"hello","protocol":1,"session":true}))
        .await;
    assert!(welcome["token"].is_string(), "{welcome}");
    // Two ways to say who it is are one too many.
    let mut both = server.connect_from_page(&cookie).await;
    let refused = both
        .ask(json!({"type":"hello","protocol":1,"session":true,"token":token}))
        .await;
    assert_eq!(
        (&refused["code"], &refused["field"]),
        (&json!("unknown_field"), &json!("token"))
    );
    server.stop().await;
}

#[tokio::test]
async fn a_guest_of_a_page_is_called_what_it_types_until_it_has_a_name() {
    let server = Server::start().await;
    server.guest("Ada").await;
    let hello =
        |name: Option<&str>| json!({"type":"hello","protocol":1,"session":true,"name":name});
    let mut first = server.connect_from_page("x=y").await;
    let welcome = first
        .ask(json!({"type":"hello","protocol":1,"session":true}))
        .await;
    let made_up = welcome["player"]["name"]
        .as_str()
        .expect("a name")
        .to_owned();
    assert!(made_up.starts_with("guest-"), "{welcome}");
    let id = welcome["player"]["id"].clone();
    let cookie = format!("grundy={}", welcome["token"].as_str().expect("a new guest"));
    // A name that somebody else has: another one may be typed, by the same connection.
    let mut again = server.connect_from_page(&cookie).await;
    let refused = again.ask(hello(Some("ada"))).await;
    assert_eq!(refused["code"], "name_taken", "{refused}");
    let refused = again.ask(hello(Some(" "))).await;
    assert_eq!(refused["code"], "bad_name", "{refused}");
    let welcome = again.ask(hello(Some("Bob"))).await;
    assert_eq!(welcome["player"]["name"], "Bob", "{welcome}");
    assert_eq!(welcome["player"]["id"], id, "the same player");
    assert_eq!(welcome["token"], Value::Null, "{welcome}");
    // From then on the name is the player's.
    for name in [None, Some("Cyd")] {
        let mut later = server.connect_from_page(&cookie).await;
        let mut ask = hello(name);
        if name.is_none() {
            ask.as_object_mut().expect("an object").remove("name");
        }
        let welcome = later.ask(ask).await;
        assert_eq!(welcome["player"]["name"], "Bob", "{welcome}");
    }
    server.stop().await;
}

#[tokio::test]
async fn only_a_page_of_this_server_sets_the_cookie() {
    let server = Server::start().await;
    let token = server.guest("Ada").await.token;
    for origin in [
        "",
        "Origin: null\r\n",
        "Origin: http://evil.example\r\n",
        "Origin: http://localhost:81\r\n",
    ] {
        for method in ["POST", "DELETE"] {
            let (code, text) = read(&server, &session(method, origin, &token)).await;
            assert_eq!(code, 403, "{method} {origin}: {text}");
            assert!(!text.contains("set-cookie"), "{text}");
        }
    }
    let (code, text) = read(&server, &session("POST", OURS, "gr_nobody")).await;
    assert_eq!(code, 403, "{text}");
    let (code, text) = read(&server, &session("DELETE", OURS, &token)).await;
    assert_eq!(code, 204, "{text}");
    assert!(text.contains("grundy=; Path=/; Max-Age=0"), "{text}");
    server.stop().await;
}

#[tokio::test]
async fn a_match_is_shown_to_those_who_may_see_it_and_the_page_is_the_same_for_all_others() {
    let server = Server::start().await;
    let mut creator = server.guest("<i>Ada</i>").await;
    let created = creator
        .ask(json!({"type":"create","position":"nim:3,5,7","side":"first","opponent":{"type":"invite"}}))
        .await;
    let id = created["match"].as_str().expect("a match").to_owned();
    let path = format!("/g/{id}");
    let (hidden, text) = read(&server, &page(&path, "")).await;
    let (unknown, other) = read(&server, &page("/g/aaaaaaaaaa", "")).await;
    assert_eq!((hidden, unknown), (404, 404));
    let without_date = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with("date:"));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        without_date(&text).replace(&id, "X"),
        without_date(&other).replace("aaaaaaaaaa", "X")
    );
    let own = format!("Cookie: grundy={}\r\n", creator.token);
    let (code, text) = read(&server, &page(&path, &own)).await;
    assert_eq!(code, 200, "{text}");
    let code = created["code"].as_str().expect("a code");
    let mut friend = server.guest("Bob").await;
    friend.ask(json!({"type":"join","code":code})).await;
    let (code, text) = read(&server, &page(&path, "")).await;
    assert_eq!(code, 200, "{text}");
    // Painted without a script, and a name is text.
    assert!(text.contains("data-part=\"C.7\""), "{text}");
    assert!(text.contains("href=\"/rules/nim\""), "{text}");
    // The rule says what a move is; the winning condition is stated once, for the whole position.
    assert!(text.contains("at least one, from one heap.</p>"), "{text}");
    assert!(
        text.contains("&#60;i&#62;Ada") && !text.contains("<i>Ada"),
        "{text}"
    );
    server.stop().await;
}

#[tokio::test]
async fn an_invitation_names_its_terms_until_somebody_has_joined() {
    let server = Server::start().await;
    let mut ada = server.guest("<i>Ada</i>").await;
    let clock = json!({"type":"fischer","base_ms":180_000,"increment_ms":2_000});
    let invite = json!({"type":"create","position":"nim:3,5,7","side":"first","clock":clock,"opponent":{"type":"invite"}});
    let created = ada.ask(invite.clone()).await;
    let (id, code) = (&created["match"], &created["code"]);
    let (id, code) = (
        id.as_str().expect("a match"),
        code.as_str().expect("a code"),
    );
    let path = format!("/j/{code}");
    let (status, text) = read(&server, &page(&path, "")).await;
    assert_eq!(status, 200, "{text}");
    for told in [
        "&#60;i&#62;Ada",
        "invites you to a match",
        "nim:3,5,7",
        "data-part=\"C.7\"",
        "You move second.",
        "Each player has 3 minutes, plus 2 seconds for each move.",
        "/rules/nim",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    assert!(!text.contains("<i>Ada") && !text.contains(id), "{text}");
    let (_, text) = read(&server, &page(&path, "Accept-Language: zh-CN\r\n")).await;
    assert!(
        text.contains("每方用时 3 分钟，每走一步加 2 秒。"),
        "{text}"
    );
    let asked = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let (_, text) = read(&server, &asked).await;
    assert!(
        text.contains("invites you to a match: nim:3,5,7. You move second."),
        "{text}"
    );

    // The inviter and the player who has joined are led to the match. Then everybody else may watch it.
    let own = format!("Cookie: grundy={}\r\n", ada.token);
    assert_eq!(read(&server, &page(&path, &own)).await.0, 303);
    let mut bob = server.guest("Bob").await;
    bob.ask(json!({"type":"join","code":code})).await;
    for player in [&ada.token, &bob.token] {
        let own = format!("Cookie: grundy={player}\r\n");
        let (status, text) = read(&server, &page(&path, &own)).await;
        assert_eq!(status, 303, "{text}");
        assert!(text.contains(&format!("location: /g/{id}")), "{text}");
    }
    let (status, text) = read(&server, &page(&path, "")).await;
    assert_eq!(status, 200, "{text}");
    assert!(text.contains(&format!("href=\"/g/{id}\"")), "{text}");
    let (status, text) = read(&server, &asked).await;
    assert_eq!(status, 200, "{text}");
    assert!(
        text.contains(&format!("grundy watch {id} --server")),
        "{text}"
    );

    // One that was withdrawn is as one that never was.
    let created = ada.ask(invite).await;
    ada.ask(json!({"type":"abort","match":created["match"]}))
        .await;
    let code = created["code"].as_str().expect("a code");
    let (withdrawn, text) = read(&server, &page(&format!("/j/{code}"), "")).await;
    let (unknown, other) = read(&server, &page("/j/KWQHRMTB", "")).await;
    assert_eq!((withdrawn, unknown), (404, 404));
    let without = |text: &str, code: &str| {
        let lines = text.lines().filter(|line| !line.starts_with("date:"));
        lines.collect::<Vec<_>>().join("\n").replace(code, "X")
    };
    assert_eq!(without(&text, code), without(&other, "KWQHRMTB"));
    server.stop().await;
}

#[tokio::test]
async fn codes_are_guessed_on_pages_no_faster_than_in_messages() {
    let plan = Plan::with(|config| config.limits.code_guesses_per_minute = 3);
    let server = plan.start().await;
    let mut ada = server.guest("Ada").await;
    let invite =
        json!({"type":"create","position":"nim:1,2","side":"first","opponent":{"type":"invite"}});
    let code = ada.ask(invite).await["code"].clone();
    let guess = json!({"type":"join","code":"BCDFGHJK"});
    assert_eq!(ada.ask(guess).await["code"], "no_such_code");
    // Pictures and frames of other sites guess nothing.
    for part in ["image", "iframe"] {
        let more = format!("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: {part}\r\n");
        assert_eq!(read(&server, &page("/j/KWQHRMTB", &more)).await.0, 404);
    }
    let link = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: document\r\n";
    for more in ["", link] {
        assert_eq!(read(&server, &page("/j/KWQHRMTB", more)).await.0, 404);
    }
    // The right one is not told either from then on, here or there.
    for path in [
        "/j/KWQHRMTB".to_owned(),
        format!("/j/{}", code.as_str().expect("a code")),
    ] {
        let (status, text) = read(&server, &page(&path, "")).await;
        assert_eq!(status, 429, "{text}");
        assert!(text.contains("retry-after: "), "{text}");
        assert!(text.contains("<html"), "{text}");
    }
    let mut bob = server.guest("Bob").await;
    let refused = bob.ask(json!({"type":"join","code":code})).await;
    assert_eq!(refused["code"], "rate_limited", "{refused}");
    server.stop().await;
}

#[tokio::test]
async fn a_position_is_a_picture_of_its_own() {
    let server = Server::start().await;
    let (mut first, _second, id) = server.pair("nim:3,5,7").await;
    first.play(&id, 1, "C-7").await;
    let path = format!("/g/{id}.svg");
    let (code, text) = read(&server, &page(&path, "")).await;
    assert_eq!(code, 200, "{text}");
    assert!(
        text.contains("content-type: image/svg+xml") && text.contains("aria-label=\"nim:3,5,0\""),
        "{text}"
    );
    // The bytes that the terminal writes.
    let position = Position::parse("nim:3,5,0").expect("a position");
    assert!(text.ends_with(&Picture::of(&position).svg()), "{text}");
    // It has a style and runs nothing.
    let policy = "content-security-policy: default-src 'none'; style-src 'unsafe-inline';";
    assert!(text.contains(policy) && text.contains("<style>"), "{text}");
    for unknown in ["/g/aaaaaaaaaa.svg", "/g/.svg", "/g/x.svg.svg"] {
        assert_eq!(read(&server, &page(unknown, "")).await.0, 404, "{unknown}");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_record_of_a_match_that_is_over_is_a_file() {
    let server = Server::start().await;
    let (mut first, _second, id) = server.pair("nim:1,2").await;
    let path = format!("/g/{id}.ndjson");
    let (code, text) = read(&server, &page(&path, "")).await;
    assert_eq!(code, 409, "{text}");
    first.play(&id, 1, "B-1").await;
    first.ask(json!({"type":"resign","match":id})).await;
    let asked = format!("GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n");
    let (code, text) = read(&server, &asked).await;
    assert_eq!(code, 200, "{text}");
    assert!(
        text.contains("content-type: application/x-ndjson"),
        "{text}"
    );
    // It is sent as it is read: compressing it would take the time of moves.
    let packed = format!("GET {path} HTTP/1.0\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n");
    let undated = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with("date: "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(undated(&read(&server, &packed).await.1), undated(&text));
    // The match is read from the store once, and shown again from memory.
    for _ in 0..2 {
        let (code, picture) = read(&server, &page(&format!("/g/{id}.svg"), "")).await;
        assert_eq!(code, 200, "{picture}");
        assert!(picture.contains("aria-label=\"nim:1,1\""), "{picture}");
    }
    let (_, body) = text.split_once("\r\n\r\n").expect("a body");
    // Read as every record is: its bytes are canonical, its moves legal, its chain whole.
    let record = Record::read(body.as_bytes()).expect("a record");
    assert_eq!(record.match_id().to_string(), id);
    let reply = first.ask(json!({"type":"record","match":id})).await;
    assert_eq!(reply["chain"]["head"], record.head(), "{reply}");
    let unknown = page("/g/aaaaaaaaaa.ndjson", "");
    assert_eq!(read(&server, &unknown).await.0, 404);
    server.stop().await;
}

#[tokio::test]
async fn help_is_on_the_page_of_a_player_against_a_bot_of_the_server() {
    let server = Server::start().await;
    let mut ada = server.guest("Ada").await;
    let bot = json!({"type":"create","position":"nim:3,5,7","side":"first","opponent":{"type":"bot","name":"perfect"}});
    let alone = ada.ask(bot).await;
    let cookie = format!("Cookie: grundy={}\r\n", ada.token);
    let path = format!("/g/{}", alone["match"].as_str().expect("a match"));
    let (_, text) = read(&server, &page(&path, &cookie)).await;
    assert!(text.contains("id=\"hint\""), "{text}");
    // Not for those who watch, and not against a person.
    let (_, text) = read(&server, &page(&path, "")).await;
    assert!(!text.contains("id=\"hint\""), "{text}");
    let (first, _second, id) = server.pair("nim:3,5,7").await;
    let cookie = format!("Cookie: grundy={}\r\n", first.token);
    let (_, text) = read(&server, &page(&format!("/g/{id}"), &cookie)).await;
    assert!(text.contains("id=\"typed\""), "{text}");
    assert!(!text.contains("id=\"hint\""), "{text}");
    server.stop().await;
}

#[tokio::test]
async fn a_link_to_a_match_has_a_card() {
    let server = Server::start().await;
    let (_first, _second, id) = server.pair("nim:3,5,7").await;
    // A program that shows what is behind a link asks for no HTML.
    let agent = "User-Agent: Slackbot-LinkExpanding 1.0\r\n";
    let asked = format!("GET /g/{id} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n{agent}\r\n");
    let (_, text) = read(&server, &asked).await;
    let named = format!("<meta property=\"og:image\" content=\"http://localhost/g/{id}.png\">");
    assert!(text.contains(&named), "{text}");
    let (code, card) = read(&server, &page(&format!("/g/{id}.png"), agent)).await;
    assert_eq!(code, 200);
    let size = card.len();
    assert!(
        card.contains("content-type: image/png") && card.contains("PNG\r\n") && size > 2_000,
        "{size} bytes"
    );
    let (code, _) = read(&server, &page("/g/aaaaaaaaaa.png", agent)).await;
    assert_eq!(code, 404);
    server.stop().await;
}

#[tokio::test]
async fn pages_and_their_files_are_compressed_for_who_can_read_that() {
    let server = Server::start().await;
    for path in ["/", "/rules"] {
        let (_, plain) = read(&server, &page(path, "")).await;
        let (_, small) = read(&server, &page(path, "Accept-Encoding: br, gzip\r\n")).await;
        assert!(!plain.contains("content-encoding"), "{path}");
        assert!(small.contains("content-encoding: gzip"), "{path}");
        assert!(small.len() < plain.len(), "{path}");
        let mut names = plain.split('"');
        let Some(name) = names.find(|name| name.ends_with("page.css")) else {
            panic!("{path} has no style");
        };
        let (_, plain) = read(&server, &page(name, "Accept-Encoding: gzip;q=0\r\n")).await;
        let (_, small) = read(&server, &page(name, "Accept-Encoding: gzip\r\n")).await;
        assert!(plain.contains("text/css") && !plain.contains("content-encoding"));
        assert!(small.contains("content-encoding: gzip") && small.contains("text/css"));
        assert!(small.len() < plain.len(), "{name}");
    }
    server.stop().await;
}

#[tokio::test]
async fn moves_come_with_a_picture_whose_parts_they_touch() {
    let server = Server::start().await;
    let mut client = server.guest("Ada").await;
    let ask = json!({"type":"moves","position":"kayles:3","picture":true});
    let reply = client.ask(ask).await;
    assert_eq!(reply["moves"], json!(["A-1", "A-1/1,1", "A-2"]), "{reply}");
    let touches = json!([
        [["A.1"], ["A.3"]],
        [["A.2"]],
        [["A.1", "A.2"], ["A.2", "A.3"]]
    ]);
    assert_eq!(reply["touches"], touches);
    let picture = reply["picture"].as_str().expect("a picture");
    assert!(
        picture.starts_with("<svg") && !picture.contains("style"),
        "{picture}"
    );
    let reply = client
        .ask(json!({"type":"moves","position":"kayles:3"}))
        .await;
    assert_eq!(
        (&reply["picture"], &reply["touches"]),
        (&Value::Null, &Value::Null)
    );
    server.stop().await;
}
