//! Every kind of clock over the wire: what is agreed, shown, refused, and how the flag falls.

use crate::common::{Plan, Server};
use serde_json::{Value, json};

async fn after_a_move(clock: Value) -> Value {
    let server = Server::start().await;
    let terms = json!({"position":"nim:3,5","clock":clock});
    let (mut ada, mut bo, id) = server.pair_with(terms).await;
    let accepted = ada.play(&id, 1, "A-1").await;
    assert_eq!(accepted["type"], "accepted", "{accepted}");
    let moved = bo.event_of("moved").await;
    assert_eq!(moved["clocks"], accepted["clocks"]);
    let attached = bo.ask(json!({"type":"resume","match":id})).await;
    assert_eq!(attached["snapshot"]["clock"], clock, "{attached}");
    server.stop().await;
    accepted["clocks"].clone()
}

#[tokio::test]
async fn each_kind_is_played_and_shown() {
    let clocks = after_a_move(json!({"type":"delay","base_ms":60_000,"delay_ms":30_000})).await;
    assert_eq!(clocks, json!({"first_ms":90_000,"second_ms":90_000}));
    let clocks = after_a_move(json!({"type":"bronstein","base_ms":60_000,"delay_ms":30_000})).await;
    assert_eq!(clocks, json!({"first_ms":60_000,"second_ms":60_000}));
    let clocks = after_a_move(json!({"type":"per_move","move_ms":259_200_000})).await;
    assert_eq!(
        clocks,
        json!({"first_ms":259_200_000,"second_ms":259_200_000})
    );
    let periods = json!({"type":"byo_yomi","base_ms":0,"period_ms":30_000,"periods":3});
    let clocks = after_a_move(periods).await;
    assert_eq!(
        clocks,
        json!({"first_ms":30_000,"second_ms":30_000,"periods":{"first":2,"second":2}})
    );
}

#[tokio::test]
async fn a_clock_out_of_bounds_is_refused_by_its_field() {
    let server = Server::start().await;
    let mut ada = server.guest("Ada").await;
    for (clock, field, limit) in [
        (
            json!({"type":"delay","base_ms":999,"delay_ms":1}),
            "base_ms",
            "1000 to 86400000",
        ),
        (
            json!({"type":"delay","base_ms":1_000,"delay_ms":0}),
            "delay_ms",
            "1 to 3600000",
        ),
        (
            json!({"type":"bronstein","base_ms":1_000,"delay_ms":3_600_001}),
            "delay_ms",
            "1 to 3600000",
        ),
        (
            json!({"type":"per_move","move_ms":99}),
            "move_ms",
            "100 to 1209600000",
        ),
        (
            json!({"type":"byo_yomi","base_ms":0,"period_ms":999,"periods":1}),
            "period_ms",
            "1000 to 3600000",
        ),
        (
            json!({"type":"byo_yomi","base_ms":0,"period_ms":1_000,"periods":0}),
            "periods",
            "1 to 100",
        ),
        (
            json!({"type":"byo_yomi","base_ms":86_400_001,"period_ms":1_000,"periods":1}),
            "base_ms",
            "0 to 86400000",
        ),
    ] {
        let create =
            json!({"type":"create","position":"nim:3","clock":clock,"opponent":{"type":"invite"}});
        let refused = ada.ask(create).await;
        assert_eq!(refused["code"], "out_of_range", "{refused}");
        assert_eq!(
            (&refused["field"], &refused["limit"]),
            (&json!(field), &json!(limit))
        );
    }
    for (clock, code) in [
        (json!({"type":"per_move"}), "missing_field"),
        (json!({"type":"per_move","move_ms":"1s"}), "wrong_type"),
        (
            json!({"type":"per_move","move_ms":1_000,"base_ms":1_000}),
            "unknown_field",
        ),
        (
            json!({"type":"byo_yomi","base_ms":0,"period_ms":1_000,"periods":-1}),
            "out_of_range",
        ),
        (json!({"type":"hourglass","base_ms":1_000}), "wrong_type"),
    ] {
        let create =
            json!({"type":"create","position":"nim:3","clock":clock,"opponent":{"type":"invite"}});
        let refused = ada.ask(create).await;
        assert_eq!(refused["type"], "error", "{clock}: {refused}");
        assert_eq!(refused["code"], code, "{clock}: {refused}");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_server_lets_the_flag_fall() {
    let server = Plan::default().start().await;
    // Long enough for two moves on a busy machine.
    let clock = json!({"type":"per_move","move_ms":4_000});
    for (moves, reason, outcome) in [
        (0, "no_start", "void"),
        (1, "no_start", "void"),
        (2, "time", "second"),
    ] {
        let terms = json!({"position":"nim:3,5","clock":clock});
        let (mut ada, mut bo, id) = server.pair_with(terms).await;
        if moves > 0 {
            ada.play(&id, 1, "A-1").await;
        }
        if moves > 1 {
            bo.play(&id, 2, "A-1").await;
        }
        let ended = bo.event_of("ended").await;
        assert_eq!(
            (&ended["reason"], &ended["outcome"]),
            (&json!(reason), &json!(outcome))
        );
    }
    server.stop().await;
}
