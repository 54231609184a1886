//! Tournaments: no game of one may be forgotten, whatever the store does, because it waits for the result of each; and none is created
//! that could not be paired.

use crate::common;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::common::faulty::{Faulty, faulty};
use crate::common::{Client, Plan, Server};
use grundy_server::clock::ManualClock;
use grundy_server::config::Creators;
use grundy_server::store::Store;
use grundy_shared::bounds::TOURNAMENT_IDLE;
use grundy_shared::ids::{MatchId, Millis, PlayerId, TournamentId};
use grundy_shared::tournament::match_of_game;
use serde_json::{Value, json};

const START: Millis = Millis(1_700_000_000_000);
/// How long a player may stay away from a game, in milliseconds.
const ABSENCE: u64 = 60_000;

/// The request for a tournament of this format with at most so many players.
pub(crate) fn cup(format: &Value, most: u32) -> Value {
    json!({
        "type": "create_tournament",
        "name": "Cup",
        "format": format,
        "rules": {
            "games": 2,
            "clock": {"type": "fischer", "base_ms": 600_000, "increment_ms": 1_000},
            "starts": {"type": "list", "positions": ["nim:3,5,7"]},
            "start_ms": ABSENCE,
            "away_ms": ABSENCE,
        },
        "admission": {"most": most},
    })
}

/// A tournament for three with these built-in bots, which the organiser follows.
async fn tournament(organiser: &mut Client, bots: &[&str]) -> TournamentId {
    let mut request = cup(&json!({"type":"round_robin"}), 3);
    request["bots"] = json!(bots);
    let created = organiser.ask(request).await;
    assert_eq!(created["type"], "tournament", "{created}");
    let id = created["tournament"].as_str().expect("an id");
    let watch = json!({"type":"watch_tournament","tournament":id});
    assert_eq!(organiser.ask(watch).await["type"], "tournament");
    id.parse().expect("an id")
}

async fn begin(organiser: &mut Client, id: TournamentId) {
    let begin = json!({"type":"control_tournament","tournament":id,"action":"start"});
    organiser.ask(begin).await;
}

/// The next event of this kind in the tournament's log.
async fn event_of(organiser: &mut Client, kind: &str) -> Value {
    let wanted = |frame: &Value| frame["tournament"].is_string() && frame["body"]["type"] == kind;
    organiser.find(kind, wanted).await["body"].clone()
}

fn first_match(id: TournamentId) -> MatchId {
    match_of_game(id, 1, 1, 1)
}

#[tokio::test]
async fn a_game_whose_log_cannot_be_read_for_a_moment_goes_on() {
    let (store, clock) = (Faulty::new(), Arc::new(ManualClock::at(START)));
    let server = faulty(&store, &clock).await;
    let mut organiser = server.guest("organiser").await;
    let id = tournament(&mut organiser, &["perfect", "random"]).await;
    // The first game is stored, but its maker does not know yet.
    let held = Faulty::close(&store.created);
    begin(&mut organiser, id).await;
    store.until_it_waits().await;
    // The store panics after the first move, and nobody follows the game that has to be read again then.
    store.busy.store(true, Ordering::SeqCst);
    store.panics.store(1, Ordering::SeqCst);
    store.created.add_permits(held);
    let is_refused = || store.refused.load(Ordering::SeqCst) > 0;
    common::until("a log that cannot be read", is_refused).await;
    store.busy.store(false, Ordering::SeqCst);
    for game in 1..=2 {
        let ended = event_of(&mut organiser, "game_ended").await;
        assert_eq!(
            (&ended["game"], &ended["reason"]),
            (&json!(game), &json!("last_move"))
        );
    }
    event_of(&mut organiser, "seed_opened").await;
    server.stop().await;
}

#[tokio::test]
async fn a_game_that_somebody_asked_for_before_it_was_stored_is_not_forgotten() {
    let (store, clock) = (Faulty::new(), Arc::new(ManualClock::at(START)));
    let server = faulty(&store, &clock).await;
    let mut organiser = server.guest("organiser").await;
    let id = tournament(&mut organiser, &["random"]).await;
    let join = json!({"type":"join_tournament","tournament":id});
    assert_eq!(organiser.ask(join).await["players"], 2);
    // Somebody asks for the match of the first game, and its log is found empty.
    let mut early = server.guest("early").await;
    let held = Faulty::close(&store.reads);
    early
        .send(json!({"type":"watch","match":first_match(id)}))
        .await;
    store.until_it_waits().await;
    begin(&mut organiser, id).await;
    organiser
        .find("the game", |frame| {
            frame["body"]["type"] == "tournament_match"
        })
        .await;
    let row = store.inner.row(first_match(id)).await;
    assert!(row.expect("readable").is_some(), "it is stored");
    // Only now the answer arrives that there is no such match.
    store.reads.add_permits(held);
    early.ask(json!({"type":"ping"})).await;
    clock.advance(Millis(ABSENCE + 1));
    let ended = event_of(&mut organiser, "game_ended").await;
    assert_eq!(ended["reason"], "no_show", "{ended}");
    server.stop().await;
}

#[tokio::test]
async fn a_swiss_tournament_with_more_players_than_can_be_paired_is_not_created() {
    let mut plan = Plan::default();
    plan.config.tournaments.players = 1_000;
    let server = plan.start().await;
    let mut organiser = server.guest("organiser").await;
    let swiss = json!({"type":"swiss","rounds":5});
    let refused = organiser.ask(cup(&swiss, 501)).await;
    assert_eq!(refused["code"], "out_of_range", "{refused}");
    assert_eq!(refused["field"], "admission.most");
    assert_eq!(refused["limit"], "500");
    assert_eq!(organiser.ask(cup(&swiss, 500)).await["type"], "tournament");
    let robin = json!({"type":"round_robin"});
    assert_eq!(
        organiser.ask(cup(&robin, 1_000)).await["type"],
        "tournament"
    );
    server.stop().await;
}

#[tokio::test]
async fn the_list_says_how_far_each_tournament_has_come() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = Plan::on_disk(directory.path()).await.start().await;
    let mut organiser = server.guest("organiser").await;
    let cancelled = tournament(&mut organiser, &["perfect", "random"]).await;
    let paused = tournament(&mut organiser, &[]).await;
    let open = tournament(&mut organiser, &[]).await;
    for (id, action) in [(cancelled, "cancel"), (paused, "pause")] {
        let control = json!({"type":"control_tournament","tournament":id,"action":action});
        assert_eq!(organiser.ask(control).await["type"], "tournament");
    }
    let expected = [
        (open, "entries"),
        (paused, "paused"),
        (cancelled, "cancelled"),
    ];
    let expected = json!(expected);
    assert_eq!(listed(&mut organiser).await, expected);
    server.stop().await;
    let server = Plan::on_disk(directory.path()).await.start().await;
    let mut visitor = server.guest("visitor").await;
    assert_eq!(listed(&mut visitor).await, expected, "after a restart");
    server.stop().await;
}

/// Tournaments and how far they have come, newest first.
async fn listed(client: &mut Client) -> Value {
    let list = client.ask(json!({"type":"list_tournaments"})).await;
    let all = list["tournaments"].as_array().expect("a list").iter();
    all.map(|each| json!([each["tournament"], each["status"]]))
        .collect()
}

/// Creates a tournament for at most two players that nobody has entered; returns the reply.
async fn create(client: &mut Client) -> Value {
    client.ask(cup(&json!({"type":"round_robin"}), 2)).await
}

/// Creates tournaments until one is refused; returns how many were created.
async fn squat(client: &mut Client) -> usize {
    for made in 0..100 {
        let answer = create(client).await;
        if answer["type"] != "tournament" {
            assert_eq!(answer["code"], "too_many", "{answer}");
            return made;
        }
    }
    panic!("nobody is stopped");
}

#[tokio::test]
async fn a_player_has_a_share_of_the_places_and_leaves_some_to_others() {
    let server = Server::start().await;
    let mut squatter = server.guest("squatter").await;
    assert_eq!(squat(&mut squatter).await, 4);
    // All players on this machine have one address, to which no share applies.
    let mut other = server.guest("other").await;
    let created = create(&mut other).await;
    assert_eq!(created["type"], "tournament", "{created}");
    // A tournament that ends frees its place.
    let own = listed(&mut squatter).await[4][0].clone();
    let cancel = json!({"type":"control_tournament","tournament":own,"action":"cancel"});
    assert_eq!(squatter.ask(cancel).await["type"], "tournament");
    let tournaments = &server.app.tournaments;
    common::until("it is over", || tournaments.count() == 4).await;
    assert_eq!(create(&mut squatter).await["type"], "tournament");
    server.stop().await;
}

#[tokio::test]
async fn an_address_has_a_share_of_the_places_and_an_operator_may_take_all() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = Plan::on_disk(directory.path()).await.start().await;
    let operator = server.guest("Ops").await;
    server.stop().await;
    let start = async || {
        let mut plan = Plan::on_disk(directory.path()).await;
        plan.config.tournaments.create = Creators::Players;
        plan.config.listen = ([0, 0, 0, 0], 0).into();
        plan.config.operators = [operator.player.parse::<PlayerId>().expect("an id")]
            .into_iter()
            .collect();
        plan.start().await
    };
    let server = start().await;
    let (here, there) = ([127, 0, 0, 1].into(), [127, 0, 0, 9].into());
    let mut made = 0;
    for name in ["one", "two", "three"] {
        made += squat(&mut server.guest_from(here, name).await).await;
    }
    assert_eq!(made, 4);
    server.stop().await;
    // A restart remembers where they were created.
    let server = start().await;
    let mut again = server.guest_from(here, "again").await;
    assert_eq!(squat(&mut again).await, 0);
    let mut other = server.guest_from(there, "other").await;
    assert_eq!(squat(&mut other).await, 3);
    let (mut operator, _) = server.again(&operator).await;
    assert_eq!(squat(&mut operator).await, 13, "all that are left");
    server.stop().await;
}

#[tokio::test]
async fn what_nobody_starts_or_resumes_expires_also_after_a_restart() {
    let directory = tempfile::tempdir().expect("a directory");
    let clock = Arc::new(ManualClock::at(START));
    let start = async || {
        let plan = Plan {
            clock: clock.clone(),
            ..Plan::on_disk(directory.path()).await
        };
        plan.start().await
    };
    let server = start().await;
    let mut organiser = server.guest("organiser").await;
    let open = tournament(&mut organiser, &["random"]).await;
    let paused = tournament(&mut organiser, &[]).await;
    let mut dated = cup(&json!({"type":"round_robin"}), 3);
    dated["start_in_ms"] = json!(TOURNAMENT_IDLE.0 * 2);
    let dated = organiser.ask(dated).await["tournament"].clone();
    clock.advance(Millis(TOURNAMENT_IDLE.0 / 2));
    // An entry does not extend the time.
    let join = json!({"type":"join_tournament","tournament":open});
    assert_eq!(organiser.ask(join).await["type"], "tournament");
    let pause = json!({"type":"control_tournament","tournament":paused,"action":"pause"});
    assert_eq!(organiser.ask(pause).await["type"], "tournament");
    server.stop().await;
    clock.advance(Millis(TOURNAMENT_IDLE.0 / 2));
    let server = start().await;
    let mut visitor = server.guest("visitor").await;
    let statuses = async |visitor: &mut Client, expected: [&str; 3]| {
        let expected = json!([
            [dated, expected[0]],
            [paused, expected[1]],
            [open, expected[2]]
        ]);
        // An expiry is stored before it is shown.
        while listed(visitor).await != expected {}
    };
    statuses(&mut visitor, ["entries", "paused", "cancelled"]).await;
    let show = json!({"type":"show_tournament","tournament":open});
    let why = visitor.ask(show).await["cancelled"].clone();
    assert_eq!(why, "it was not started within 48 hours");
    clock.advance(Millis(TOURNAMENT_IDLE.0 / 2));
    statuses(&mut visitor, ["entries", "cancelled", "cancelled"]).await;
    server.stop().await;
}

#[tokio::test]
async fn an_operator_cancels_the_tournament_of_anybody_with_the_scopes_for_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = Plan::on_disk(directory.path()).await.start().await;
    let operator = server.guest("Ops").await;
    server.stop().await;
    let mut plan = Plan::on_disk(directory.path()).await;
    plan.config.operators = [operator.player.parse::<PlayerId>().expect("an id")]
        .into_iter()
        .collect();
    let server = plan.start().await;
    let (mut operator, _) = server.again(&operator).await;
    let mut organiser = server.guest("organiser").await;
    let id = tournament(&mut organiser, &[]).await;
    let cancel = |reason: &str| json!({"type":"control_tournament","tournament":id,"action":"cancel","reason":reason});
    // A token for tournaments alone is that of an organiser.
    let create = json!({"type":"create_token","name":"cups","scopes":["tournament"]});
    let token = operator.ask(create).await;
    let mut cups = server.connect().await;
    cups.introduce(json!({"type":"hello","protocol":1,"token":token["secret"]}))
        .await;
    assert_eq!(cups.ask(cancel("mine")).await["code"], "not_allowed");
    let mut stranger = server.guest("stranger").await;
    assert_eq!(stranger.ask(cancel("mine")).await["code"], "not_allowed");
    let bad = operator.ask(cancel("a\u{202E}b")).await;
    assert_eq!(
        (&bad["code"], &bad["field"]),
        (&json!("out_of_range"), &json!("reason"))
    );
    let state = operator.ask(cancel("it never began")).await;
    assert_eq!(
        (&state["status"], &state["cancelled"]),
        (&json!("cancelled"), &json!("it never began")),
        "{state}"
    );
    event_of(&mut organiser, "seed_opened").await;
    server.stop().await;
}

#[tokio::test]
async fn names_and_reasons_of_organisers_follow_the_rule_of_chat() {
    let server = Server::start().await;
    let mut organiser = server.guest("organiser").await;
    for (name, field) in [
        ("a\u{202E}b", "name"),
        ("\u{200B}", "name"),
        ("a\u{E000}", "name"),
        ("", "name"),
    ] {
        let mut request = cup(&json!({"type":"round_robin"}), 2);
        request["name"] = json!(name);
        let refused = organiser.ask(request).await;
        assert_eq!(
            (&refused["code"], &refused["field"]),
            (&json!("out_of_range"), &json!(field)),
            "{name:?}: {refused}"
        );
    }
    let mut request = cup(&json!({"type":"round_robin"}), 2);
    request["admission"]["names"] = json!(["Bo", "a\u{202E}b"]);
    let refused = organiser.ask(request).await;
    assert_eq!(refused["field"], "admission.names", "{refused}");
    let mut request = cup(&json!({"type":"round_robin"}), 2);
    request["name"] = json!("  Cup\u{a0} of  Nim ");
    assert_eq!(organiser.ask(request).await["name"], "Cup of Nim");
    server.stop().await;
}
