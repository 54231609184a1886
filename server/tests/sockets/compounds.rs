//! Components joined in every way, over the network: built-in bots play them, reviews tell of them, and what is long comes by pages.

use crate::common::{Client, Server};
use grundy_shared::Position;
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::record::Record;
use grundy_shared::review::Review;
use grundy_shared::solver::Budget;
use serde_json::{Value, json};

/// The ways to join components, each in both end rules.
const JOININGS: [&str; 7] = [
    "",
    "@every",
    "@selective",
    "@conjunctive",
    "@shortsum",
    "@shortselective",
    "@zero",
];

/// Plays the first of the legal moves against this bot, which moves first, until the match is over.
async fn play_out(player: &mut Client, position: &str, bot: &str) -> Record {
    let create = json!({"type":"create","position":position,"side":"second","opponent":{"type":"bot","name":bot}});
    let created = player.ask(create).await;
    assert_eq!(created["type"], "created", "{position}: {created}");
    let id = created["match"].clone();
    let mut now = Position::parse(position).expect("a position");
    let mut events: Vec<Event> = Vec::new();
    loop {
        let seq = events.len() as u64 + 1;
        let ours = |frame: &Value| frame["match"] == id && frame["seq"] == seq;
        let body = player.find(position, ours).await["body"].take();
        let event: Event = serde_json::from_value(body).expect("an event");
        events.push(event.clone());
        match event {
            Event::Moved {
                seat, move_text, ..
            } => {
                let mv = now.parse_move(seat, &move_text).expect("a legal move");
                now = now.play(&mv);
                if seat == Seat::First
                    && let Some(answer) = now.nth_move(Seat::Second, 0)
                {
                    let id = id.as_str().expect("an id");
                    let ply = u32::try_from(events.len() - 1).expect("few");
                    let moved = player.play(id, ply, &answer.to_string()).await;
                    assert_eq!(moved["type"], "accepted", "{position}: {moved}");
                }
            }
            Event::Ended { .. } => break,
            _ => {}
        }
    }
    let id: MatchId = id.as_str().expect("an id").parse().expect("an id");
    Record::new(id, events).expect("a lawful record")
}

/// The whole review of a match as the server tells it, page by page.
async fn review_of(client: &mut Client, id: MatchId, limit: u32) -> Value {
    let mut whole: Option<Value> = None;
    let mut after = Value::Null;
    loop {
        let mut ask = json!({"type":"review","match":id,"limit":limit});
        if !after.is_null() {
            ask["after_ply"] = after.clone();
        }
        let mut page = client.ask(ask).await;
        assert_eq!(page["type"], "reviewed", "{page}");
        assert!(page.to_string().len() <= 64 * 1024);
        after = page["next_after_ply"].take();
        let mut page = page["review"].take();
        match &mut whole {
            None => whole = Some(page),
            Some(whole) => {
                for list in ["plies", "turning_points"] {
                    let more = page[list].as_array_mut().expect("a list");
                    whole[list].as_array_mut().expect("a list").append(more);
                }
            }
        }
        if after.is_null() {
            return whole.expect("a page");
        }
    }
}

#[tokio::test]
async fn bots_play_every_compound_and_its_review_is_the_same_here_and_there() {
    let server = Server::start().await;
    let mut player = server.guest("Ann").await;
    for joining in JOININGS {
        for end_rule in ["", "@misere"] {
            let position = format!("nim:2,1+kayles:3{joining}{end_rule}");
            for bot in ["perfect", "random", "skill:0.5"] {
                let record = play_out(&mut player, &position, bot).await;
                let here = Review::of(record.referee(), &Budget::nodes(1_000_000));
                assert_eq!(here.unknown_positions, 0, "{position}");
                // Who plays perfectly gives no win away.
                let given_away = here
                    .turning_points
                    .iter()
                    .any(|point| point.seat == Seat::First);
                assert!(bot != "perfect" || !given_away, "{position}: {here}");
                let there = review_of(&mut player, record.match_id(), 2).await;
                let file = Record::read(&record.to_bytes()).expect("it reads back");
                let offline = Review::of(file.referee(), &Budget::nodes(1_000_000));
                let offline = serde_json::to_value(&offline).expect("JSON");
                assert_eq!(there, offline, "{position} {bot}");
            }
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn bots_play_coloured_and_loopy_compounds() {
    let server = Server::start().await;
    let mut player = server.guest("Ann").await;
    for position in [
        "domineering:../..+hack:0b1r2@every",
        "toads:T.F+nim:2@selective@misere",
        "clobber:xo/ox+nim:1@conjunctive",
        "loopy.0-1.1-2.2-0.1-3:0+hack:0b1b2@shortsum",
    ] {
        let record = play_out(&mut player, position, "perfect").await;
        let here = Review::of(record.referee(), &Budget::nodes(1_000_000));
        assert_eq!(here.unknown_positions, 0, "{position}");
        let mut given_away = here.turning_points.iter();
        assert!(
            given_away.all(|point| point.seat != Seat::First),
            "{position}: {here}"
        );
        let there = review_of(&mut player, record.match_id(), 2).await;
        assert_eq!(
            there,
            serde_json::to_value(&here).expect("JSON"),
            "{position}"
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn a_match_ends_when_all_components_have_the_value_0() {
    let server = Server::start().await;
    // Three stones of which one or two may be taken have the value 0, and stay on the table.
    for (start, winner) in [
        ("bash.2:3+nim:2@zero", "first"),
        ("bash.2:3+nim:2@zero@misere", "second"),
    ] {
        let (mut first, mut second, id) = server.pair(start).await;
        for (ply, mv) in [(1, "1.A-1"), (2, "2.A-1"), (3, "1.A-2")] {
            let mover = if ply % 2 == 1 {
                &mut first
            } else {
                &mut second
            };
            assert_eq!(
                mover.play(&id, ply, mv).await["type"],
                "accepted",
                "{start}"
            );
        }
        // One heap of one stone is left, and whoever takes it moves last.
        assert_eq!(second.play(&id, 4, "2.A-1").await["type"], "accepted");
        let ended = first.event_of("ended").await;
        let last = match winner {
            "first" => "second",
            _ => "first",
        };
        assert_eq!(ended["outcome"], last, "{start}: {ended}");
        let (mut first, mut second, id) = server.pair(start).await;
        assert_eq!(first.play(&id, 1, "2.A-2").await["type"], "accepted");
        let ended = second.event_of("ended").await;
        assert_eq!(ended["outcome"], winner, "{start}: {ended}");
        assert_eq!(ended["reason"], "last_move", "{ended}");
        let late = second.play(&id, 2, "1.A-1").await;
        assert_eq!(late["code"], "match_over", "{late}");
    }
    server.stop().await;
}

/// So many heaps of this size, in each of which a move must be made, and the move that takes one from each.
fn wide(heap: u32) -> (String, String) {
    let components = 1_700;
    let start = format!(
        "{}@every",
        vec![format!("nim:{heap}"); components].join("+")
    );
    let steps: Vec<String> = (1..=components)
        .map(|number| format!("{number}.A-1"))
        .collect();
    (start, steps.join(","))
}

#[tokio::test]
async fn entries_that_are_longer_than_a_page_is_wide_come_one_by_one() {
    let server = Server::start().await;
    let (start, mv) = wide(9);
    let mut ids = Vec::new();
    for _ in 0..6 {
        let (mut first, mut second, id) = server.pair(&start).await;
        for ply in 1..=9 {
            let mover = if ply % 2 == 1 {
                &mut first
            } else {
                &mut second
            };
            assert_eq!(mover.play(&id, ply, &mv).await["type"], "accepted");
        }
        first.event_of("ended").await;
        ids.push(id);
        if ids.len() > 1 {
            continue;
        }
        // Of its record no more than four moves fit into one message.
        let mut seen = 0;
        loop {
            let page = first
                .ask(json!({"type":"record","match":id_of(&ids),"since_seq":seen,"limit":200}))
                .await;
            assert!(page.to_string().len() <= 64 * 1024);
            let events = page["events"].as_array().expect("a page");
            assert!((1..=6).contains(&events.len()), "{}", events.len());
            for event in events {
                seen += 1;
                assert_eq!(event["seq"], seen);
            }
            if page["complete"] == true {
                break;
            }
        }
        assert_eq!(seen, 2 + 9 + 1);
        let review = review_of(&mut first, id_of(&ids).parse().expect("an id"), 200).await;
        assert_eq!(review["plies"].as_array().map(Vec::len), Some(10));
        // From the log, which the server does not keep at hand: more bytes than a queue holds.
        let (mut again, _) = server.again(&first).await;
        again
            .ask(json!({"type":"resume","match":id_of(&ids),"since_seq":0}))
            .await;
        for seq in 1..=12 {
            again.event(seq).await;
        }
    }
    let mut stranger = server.guest("Cyd").await;
    let mut ask = json!({"type":"list","limit":200});
    let mut listed = Vec::new();
    loop {
        let page = stranger.ask(ask.clone()).await;
        assert!(page.to_string().len() <= 64 * 1024);
        let matches = page["matches"].as_array().expect("a page");
        assert!(!matches.is_empty());
        listed.extend(matches.iter().map(|entry| entry["match"].clone()));
        if page["next"].is_null() {
            break;
        }
        ask["before"] = page["next"].clone();
    }
    ids.reverse();
    assert_eq!(json!(listed), json!(ids));
    server.stop().await;
}

#[tokio::test]
async fn a_ply_whose_review_is_longer_than_a_page_is_told_without_what_is_too_long() {
    let server = Server::start().await;
    let (start, mv) = wide(2);
    let start = start.replace("@every", "@selective");
    let (mut first, mut second, id) = server.pair(&start).await;
    // To take everything was the win; the second player does.
    assert_eq!(first.play(&id, 1, &mv).await["type"], "accepted");
    assert_eq!(second.play(&id, 2, &mv).await["type"], "accepted");
    let review = review_of(&mut first, id.parse().expect("an id"), 200).await;
    assert_eq!(review["plies"].as_array().map(Vec::len), Some(3));
    let point = &review["turning_points"][0];
    assert_eq!(point["ply"], 1);
    assert_eq!(point["winning_moves_total"], 1);
    let named = point["winning_moves"].as_array().map(Vec::len);
    assert_eq!(named, Some(0));
    server.stop().await;
}

fn id_of(ids: &[String]) -> &str {
    ids.first().expect("a match")
}
