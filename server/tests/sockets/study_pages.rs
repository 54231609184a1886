//! The pages for learning and watching: rules, lab, tournaments, players, running matches, programs.

use grundy_server::audit::Actor;
use grundy_server::erasure;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::Millis;
use serde_json::{Value, json};

use crate::common::{Plan, Server};
use crate::pages::{page, read};
use crate::ratings::{lost_pair, rated};
use crate::tournaments::cup;

#[tokio::test]
async fn every_game_has_a_page_with_its_rules_in_both_languages() {
    let server = Server::start().await;
    for (language, rule) in [("en", "Take one pin"), ("zh-CN", "从一行取走一个球瓶")] {
        let chosen = format!("Accept-Language: {language}\r\n");
        let (code, list) = read(&server, &page("/rules", &chosen)).await;
        assert_eq!(code, 200, "{list}");
        assert!(list.contains("href=\"/rules/treblecross\""), "{list}");
        assert!(list.contains("aria-current=\"page\""), "{list}");
        let (code, kayles) = read(&server, &page("/rules/kayles", &chosen)).await;
        assert_eq!(code, 200, "{kayles}");
        assert!(kayles.contains(rule), "{kayles}");
        // The board, the first values, and the way into the lab.
        assert!(kayles.contains("<svg"), "{kayles}");
        assert!(kayles.contains("<th scope=\"row\">8</th>"), "{kayles}");
        assert!(kayles.contains("/lab?position=kayles:"), "{kayles}");
        // The period as a picture.
        assert!(kayles.contains("class=\"chart strip\""), "{kayles}");
    }
    for name in ["nonsense", "%3Cscript%3E"] {
        let (code, text) = read(&server, &page(&format!("/rules/{name}"), "")).await;
        assert_eq!(code, 404, "{text}");
        assert!(!text.contains("<script>"), "{text}");
    }
    server.stop().await;
}

/// The part of a page between two texts.
fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let rest = text
        .split(from)
        .nth(1)
        .unwrap_or_else(|| panic!("no {from}: {text}"));
    rest.split(to).next().unwrap_or(rest)
}

#[tokio::test]
async fn the_lab_says_who_wins_and_every_move_is_a_link_to_the_position_after_it() {
    let server = Server::start().await;
    let (code, text) = read(&server, &page("/lab?position=nim:3,5,7", "")).await;
    assert_eq!(code, 200, "{text}");
    assert!(text.contains("The player to move wins."), "{text}");
    assert!(text.contains("3 moves win."), "{text}");
    // Marked by shape and word, on the board and in the table.
    let board = between(&text, "<svg", "</svg>");
    assert_eq!(board.matches("class=\"mark\"").count(), 3, "{board}");
    assert_eq!(board.matches("class=\"hollow\"").count(), 12, "{board}");
    let moves = between(&text, "<tbody>", "</tbody>");
    assert_eq!(moves.matches("<tr>").count(), 15, "{moves}");
    assert_eq!(moves.matches("class=\"sign wins\"").count(), 3, "{moves}");
    let link = between(moves, "href=\"", "\"").replace("&#38;", "&");
    assert_eq!(link, "/lab?position=nim:2,5,7&from=nim:3,5,7");
    let (code, next) = read(&server, &page(&link, "")).await;
    assert_eq!(code, 200, "{next}");
    assert!(next.contains("The player to move loses"), "{next}");
    assert!(next.contains("href=\"/lab?position=nim:3,5,7\""), "{next}");
    // An address that somebody has typed.
    let (code, text) = read(&server, &page("/lab?position=nim:1+kayles:2", "")).await;
    assert_eq!(code, 200, "{text}");
    // What differs by side has one.
    let sided = "/lab?position=domineering:../..&to_move=second";
    let (_, text) = read(&server, &page(sided, "")).await;
    assert!(
        text.contains("<option value=\"second\" selected>"),
        "{text}"
    );
    assert!(
        text.contains("1:1-1:2") && !text.contains("1:1-2:1<"),
        "{text}"
    );
    server.stop().await;
}

#[tokio::test]
async fn the_lab_names_what_is_wrong_and_says_when_it_does_not_know() {
    let server = Plan::with(|config| config.solver.nodes = 1_000)
        .start()
        .await;
    let hostile = "/lab?position=%3Cscript%3Ealert(1)%3C/script%3E&from=%22%3E%3Cb%3E";
    let (code, text) = read(&server, &page(hostile, "")).await;
    assert_eq!(code, 400, "{text}");
    assert!(
        !text.contains("<script>alert") && text.contains("role=\"alert\""),
        "{text}"
    );
    let (code, text) = read(&server, &page("/lab?position=nim:3,x", "")).await;
    assert_eq!(code, 400, "{text}");
    assert!(text.contains("nim:"), "a legal example: {text}");
    assert!(text.contains("(character 7)"), "{text}");
    // A long position has long addresses: fewer moves are listed.
    let heaps = vec!["9"; 2_000].join(",");
    let (code, text) = read(&server, &page(&format!("/lab?position=nim:{heaps}"), "")).await;
    assert_eq!(code, 200);
    assert!(text.len() < 700_000, "{} bytes", text.len());
    assert!(text.contains("other moves are not listed"));
    let large = "cram:......./......./......./......./.......";
    let (code, text) = read(&server, &page(&format!("/lab?position={large}"), "")).await;
    assert_eq!(code, 200, "{text}");
    assert!(text.contains("Not solved within the limits"), "{text}");
    assert!(
        text.contains(&format!("grundy solve {large} --budget 60s")),
        "{text}"
    );
    assert!(text.contains("class=\"sign unknown\""), "{text}");
    server.stop().await;
}

#[tokio::test]
async fn the_lab_tells_a_player_in_a_rated_pair_nothing() {
    let server = Server::start().await;
    let (ada, _bo, _) = server.pair_with(rated()).await;
    let own = format!("Cookie: grundy={}\r\n", ada.token);
    let (code, text) = read(&server, &page("/lab?position=nim:3,5,7", &own)).await;
    assert_eq!(code, 403, "{text}");
    assert!(text.contains("You are in a rated pair"), "{text}");
    let told = between(&text, "<main", "</main>");
    assert!(
        !told.contains("moves win") && !told.contains("class=\"mark\""),
        "{text}"
    );
    // The values of the game neither.
    let (code, text) = read(&server, &page("/rules/nim", &own)).await;
    assert_eq!(code, 200, "{text}");
    assert!(text.contains("no values and no winners"), "{text}");
    assert!(!text.contains("<table"), "{text}");
    // Somebody else may know; and what is known then is still not for this player.
    let (_, worked_out) = read(&server, &page("/lab?position=nim:3,5,7", "")).await;
    let (code, kept) = read(&server, &page("/lab?position=nim:3,5,7", "")).await;
    assert_eq!(code, 200);
    let solved = |text: &str| between(text, "<main", "</main>").to_owned();
    assert_eq!(solved(&kept), solved(&worked_out));
    let (code, text) = read(&server, &page("/lab?position=nim:3,5,7", &own)).await;
    assert_eq!(code, 403, "{text}");
    let told = between(&text, "<main", "</main>");
    assert!(!told.contains("moves win"), "{text}");
    server.stop().await;
}

/// Every route of a page, and what a player in a rated pair reads there instead of the solver's results; empty if the page shows none.
const ROUTES: &[(&str, Option<&str>)] = &[
    ("/", None),
    ("/j/{code}", None),
    ("/g/{match}", None),
    ("/g/{match}/review", Some("You are in a rated pair")),
    ("/g/{match}/learn", Some("You are in a rated pair")),
    // The puzzle is shown; its solution is requested by the protocol.
    ("/puzzles", None),
    ("/puzzles/today", None),
    ("/lab", Some("You are in a rated pair")),
    ("/t", None),
    ("/t/{tournament}", None),
    ("/tv", None),
    ("/u/{name}", None),
    ("/rules", None),
    ("/rules/{game}", Some("no values and no winners")),
    ("/bots", None),
    ("/account", None),
    ("/session", None),
    ("/assets/{version}/{name}", None),
];

#[tokio::test]
async fn no_page_helps_a_player_in_a_rated_pair() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/page/mod.rs");
    let source = std::fs::read_to_string(source).expect("the routes");
    let routes = source.split(".route(\"").skip(1);
    let routes: Vec<&str> = routes.filter_map(|rest| rest.split('"').next()).collect();
    let known: Vec<&str> = ROUTES.iter().map(|(route, _)| *route).collect();
    assert_eq!(routes, known, "a new page needs a row");
    let server = Server::start().await;
    let (mut eve, mut fay, over) = server.pair("nim:1,2").await;
    assert_eq!(eve.play(&over, 1, "B-1").await["type"], "accepted");
    let resigned = fay.ask(json!({"type":"resign","match":over})).await;
    assert_eq!(resigned["type"], "done", "{resigned}");
    let (ada, _bo, _) = server.pair_with(rated()).await;
    let own = format!("Cookie: grundy={}\r\n", ada.token);
    for (route, instead) in ROUTES {
        let Some(instead) = instead else { continue };
        let path = route
            .replace("{match}", &over)
            .replace("{game}", "nim")
            .replace("/lab", "/lab?position=nim:3,5,7");
        let (_, text) = read(&server, &page(&path, &own)).await;
        let told = between(&text, "<main", "</main>");
        assert!(told.contains(instead), "{path}: {text}");
    }
    server.stop().await;
}

#[tokio::test]
async fn an_address_that_asks_too_often_is_told_when_to_come_back() {
    let plan = Plan::with(|config| {
        config.limits.burst = 3;
        config.limits.requests_per_second = 1;
    });
    let server = plan.start().await;
    let mut codes = Vec::new();
    let mut painted = String::new();
    let refused = loop {
        let (code, text) = read(&server, &page("/lab?position=nim:1", "")).await;
        if code == 200 {
            painted.clone_from(&text);
        }
        codes.push(code);
        // One a second is good: nothing else takes so long.
        assert!(codes.len() < 100, "{codes:?}");
        if code != 200 {
            break text;
        }
    };
    assert!(codes.len() > 3 && codes.ends_with(&[429]), "{codes:?}");
    assert!(refused.contains("retry-after: "), "{refused}");
    assert!(refused.contains("Try again in"), "{refused}");
    // Every page is counted, and no file is.
    assert_eq!(read(&server, &page("/", "")).await.0, 429);
    let (_, file) = painted
        .split_once("href=\"/assets/")
        .expect("it loads a file");
    let (file, _) = file.split_once('"').expect("an address");
    assert_eq!(
        read(&server, &page(&format!("/assets/{file}"), "")).await.0,
        200
    );
    server.stop().await;
}

#[tokio::test]
async fn a_server_whose_solver_has_no_room_says_so_and_shows_the_board() {
    let plan = Plan::with(|config| config.solver.queue_per_address = 0);
    let server = plan.start().await;
    let (code, text) = read(&server, &page("/lab?position=nim:3,5,7", "")).await;
    assert_eq!(code, 503, "{text}");
    assert!(
        text.contains("The server is busy") && text.contains("<svg"),
        "{text}"
    );
    server.stop().await;
}

#[tokio::test]
async fn a_tournament_has_a_page_from_its_entries_to_its_end() {
    let server = Server::start().await;
    let (code, text) = read(&server, &page("/t", "")).await;
    assert_eq!(code, 200, "{text}");
    assert!(text.contains("grundy tournament create"), "{text}");
    let mut organiser = server.guest("<b>Org</b>").await;
    let mut request = cup(&json!({"type":"round_robin"}), 3);
    request["name"] = json!("<i>Cup</i>");
    request["bots"] = json!(["perfect", "random"]);
    let created = organiser.ask(request).await;
    let id = created["tournament"].as_str().expect("an id").to_owned();
    let path = format!("/t/{id}");
    let (code, text) = read(&server, &page(&path, "")).await;
    assert_eq!(code, 200, "{text}");
    assert!(
        text.contains("Players can enter.") && text.contains("data-live"),
        "{text}"
    );
    assert!(text.contains("&#60;b&#62;Org"), "{text}");
    assert!(
        text.contains("&#60;i&#62;Cup") && !text.contains("<i>Cup"),
        "{text}"
    );
    organiser
        .ask(json!({"type":"watch_tournament","tournament":id}))
        .await;
    organiser
        .ask(json!({"type":"control_tournament","tournament":id,"action":"start"}))
        .await;
    let is_over = |frame: &Value| frame["body"]["type"] == "seed_opened";
    organiser.find("the end", is_over).await;
    let (_, text) = read(&server, &page(&path, "")).await;
    assert!(
        text.contains(">Over.<") && !text.contains("data-live"),
        "{text}"
    );
    assert!(text.contains("2 of 2 games have ended."), "{text}");
    // Whatever else is asked for, it is the same page.
    let (_, asked) = read(&server, &page(&format!("{path}?x=%3Ci%3E"), "")).await;
    let body = |answer: &str| {
        answer
            .split_once("\r\n\r\n")
            .map(|(_, body)| body.to_owned())
    };
    assert_eq!(body(&asked), body(&text));
    // The standings, the cross-table, and the way to the matches.
    let grid = between(&text, "id=\"grid\"", "</section>");
    assert_eq!(grid.matches("<td class=\"\">×</td>").count(), 2, "{grid}");
    let (code, picture) = read(&server, &page(&format!("{path}.svg"), "")).await;
    assert_eq!(code, 200, "{picture}");
    assert!(
        picture.contains("<svg ") && picture.contains(">perfect<"),
        "{picture}"
    );
    assert!(!picture.contains("<i>Cup"), "{picture}");
    let ended = between(&text, "id=\"ended\"", "</section>");
    let link = between(ended, "href=\"", "\"").to_owned();
    // The match is read from the store once, and shown again from memory.
    let (code, once) = read(&server, &page(&link, "")).await;
    let (_, again) = read(&server, &page(&link, "")).await;
    assert_eq!(code, 200, "{once}");
    assert_eq!(again.split_once("\r\n\r\n"), once.split_once("\r\n\r\n"));
    assert!(text.contains("href=\"/u/perfect\""), "{text}");
    let (_, list) = read(&server, &page("/t", "")).await;
    assert!(list.contains(&format!("href=\"{path}\"")), "{list}");
    for path in ["/t/aaaaaaaaaa", "/t/aaaaaaaaaa.svg", "/t/%3Cscript%3E"] {
        assert_eq!(read(&server, &page(path, "")).await.0, 404, "{path}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_player_has_a_page_with_ratings_and_the_matches_that_the_reader_may_see() {
    let server = Server::start().await;
    let (mut ada, _bo, last) = lost_pair(&server).await;
    let path = {
        let me = ada.ask(json!({"type":"ratings"})).await;
        format!("/u/{}", me["player"]["name"].as_str().expect("a name"))
    };
    let invitation = json!({"type":"create","position":"nim:9,9","opponent":{"type":"invite"}});
    ada.ask(invitation).await;
    let (code, text) = read(&server, &page(&path, "")).await;
    assert_eq!(code, 200, "{text}");
    assert!(text.contains("1338? ± "), "{text}");
    assert!(
        text.contains("class=\"chart history\"") && text.contains("href=\"/rules/nim\""),
        "{text}"
    );
    assert!(text.contains(&format!("href=\"/g/{last}\"")), "{text}");
    assert!(
        !text.contains("nim:9,9"),
        "an invitation is its creator's: {text}"
    );
    let own = format!("Cookie: grundy={}\r\n", ada.token);
    let (_, text) = read(&server, &page(&path, &own)).await;
    assert!(text.contains("nim:9,9"), "{text}");
    let (code, text) = read(&server, &page("/u/perfect", "")).await;
    assert_eq!(code, 200, "{text}");
    for path in ["/u/nobody", "/u/%3Cb%3E", "/u/%FF", "/u/%00"] {
        let (code, _) = read(&server, &page(path, "")).await;
        assert!([400, 404].contains(&code), "{path}: {code}");
    }
    server.stop().await;
}

#[tokio::test]
async fn running_matches_are_shown_as_far_as_anybody_may_see_them() {
    let server = Server::start().await;
    let (code, text) = read(&server, &page("/tv", "")).await;
    assert_eq!(code, 200, "{text}");
    assert!(text.contains("No match is in play now."), "{text}");
    let mut terms = rated();
    terms["position"] = json!("nim:3,4,5");
    let (mut ada, _bo, id) = server.pair_with(terms).await;
    ada.ask(json!({"type":"move","match":id,"ply":1,"move":"C-5"}))
        .await;
    let (_, text) = read(&server, &page("/tv", "")).await;
    let board = between(&text, &format!("data-match=\"{id}\""), "</article>");
    // Watchers of a rated match are some moves behind: heap C is still there.
    assert!(board.contains("data-part=\"C.5\""), "{board}");
    assert!(board.contains("shown a few moves late"), "{board}");
    // An invitation is nobody else's business.
    ada.ask(json!({"type":"create","position":"nim:8,8","opponent":{"type":"invite"}}))
        .await;
    let (_, text) = read(&server, &page("/tv", "")).await;
    assert!(!text.contains("nim:8,8"), "{text}");
    server.stop().await;
}

#[tokio::test]
async fn the_page_for_programs_shows_how_to_run_one_here() {
    let server = Server::start().await;
    let (code, text) = read(&server, &page("/bots", "")).await;
    assert_eq!(code, 200, "{text}");
    assert!(
        text.contains("--server http://localhost bot run --games"),
        "{text}"
    );
    assert!(
        text.contains("value=\"watch\" checked") && !text.contains("\"admin\""),
        "{text}"
    );
    server.stop().await;
}

#[tokio::test]
async fn a_study_that_takes_longer_than_a_request_is_answered() {
    let plan = Plan::with(|config| {
        config.times.answer_ms = Millis(1_000);
        config.solver.cpu_ms = Millis(60_000);
        config.solver.nodes = u64::MAX;
    });
    let server = plan.start().await;
    let hard = "cram:........./........./........./........./........./........./.........";
    let (code, text) = read(&server, &page(&format!("/lab?position={hard}"), "")).await;
    assert_eq!(code, 503, "{text}");
    assert!(text.contains("The server is busy"), "{text}");
    server.stop().await;
}

#[tokio::test]
async fn who_was_erased_has_no_page_and_an_old_name_has_none() {
    let server = Server::start().await;
    let mut renamed = server.guest("Ann").await;
    renamed.ask(json!({"type":"rename","name":"Zoe"})).await;
    let gone = server.guest("Gone").await;
    let id = gone.player.parse().expect("an id");
    drop(gone);
    let player = PlayerInfo {
        id,
        name: "Gone".to_owned(),
        bot: false,
    };
    assert_eq!(read(&server, &page("/u/Gone", "")).await.0, 200);
    let by = Actor::User { uid: 0 };
    let erased = Box::pin(erasure::erase(&server.app, by, player, None)).await;
    erased.expect("erased");
    let left = server.store.player(id).await.expect("readable");
    let left = left.expect("an id stays").name;
    for (name, code) in [("Zoe", 200), ("Ann", 404), ("Gone", 404), (&*left, 404)] {
        let (found, text) = read(&server, &page(&format!("/u/{name}"), "")).await;
        assert_eq!(found, code, "{name}: {text}");
    }
    server.stop().await;
}
