//! Frames that are read, and what is said of those that are not.

use super::*;
use crate::ids::{Ply, Seq};
use crate::protocol::client;
use proptest::prelude::*;

fn refusal(text: &str) -> (Option<u64>, ErrorCode, Option<String>) {
    let refused = read_client_frame(text).expect_err(text);
    (refused.id, refused.error.code, refused.error.field.clone())
}

#[test]
fn a_good_frame_is_read() {
    let text = r#"{"id":7,"body":{"type":"move","match":"1111111111","ply":3,"move":"A-2","client_move_id":"m-1"}}"#;
    let (id, message) = read_client_frame(text).expect("a good frame");
    assert_eq!(id, 7);
    let ClientMessage::Move(ask) = &message else {
        panic!("{message:?}")
    };
    assert_eq!((ask.ply, ask.move_text.as_str()), (Ply(3), "A-2"));
    assert_eq!(client::ClientFrame { id, body: message }.to_json(), text);
}

#[test]
fn the_type_may_stand_anywhere_and_have_escapes() {
    let text = r#"{"body":{"match":"x","since_seq":4,"type":"resume"},"id":0}"#;
    let (_, message) = read_client_frame(text).expect("a good frame");
    assert_eq!(
        message,
        client::Resume {
            match_id: "x".into(),
            since_seq: Seq(4)
        }
        .into()
    );
    assert!(read_client_frame(r#"{"id":1,"body":{"t\u0079pe":"ping"}}"#).is_ok());
}

#[test]
fn each_slip_has_its_code_and_field() {
    use ErrorCode::*;
    let field = |name: &str| Some(name.to_owned());
    for (text, id, code, at) in [
        ("", None, BadJson, None),
        ("nonsense", None, BadJson, None),
        ("\u{feff}{}", None, BadJson, None),
        (r#"{"id":1,"body":{"type":"ping"}} x"#, None, BadJson, None),
        (r#"{"id":1,"body":{"type":"ping"}"#, None, BadJson, None),
        (
            "{\"id\":1,\"body\":{\"type\":\"ping\u{0}\"}}",
            None,
            BadJson,
            None,
        ),
        (r#"{"id":NaN,"body":{"type":"ping"}}"#, None, BadJson, None),
        (
            r#"{"id":1,"body":[[[[[[[[[[[]]]]]]]]]]]}"#,
            None,
            TooDeep,
            None,
        ),
        (
            r#"{"id":1,"body":{"type":"pong"}}"#,
            Some(1),
            UnknownType,
            field("type"),
        ),
        (
            r#"{"id":1,"body":{"type":7}}"#,
            Some(1),
            WrongType,
            field("type"),
        ),
        (
            r#"{"id":1,"body":{}}"#,
            Some(1),
            MissingField,
            field("type"),
        ),
        (
            r#"{"id":1,"body":{"type":"ping","type":"bye"}}"#,
            Some(1),
            DuplicateField,
            field("type"),
        ),
        (r#"{"id":1,"body":7}"#, Some(1), WrongType, field("body")),
        (
            r#"{"id":1,"body":"ping"}"#,
            Some(1),
            WrongType,
            field("body"),
        ),
        (r#"{"id":1}"#, Some(1), MissingField, field("body")),
        (
            r#"{"body":{"type":"ping"}}"#,
            None,
            MissingField,
            field("id"),
        ),
        (
            r#"{"id":1,"body":{"type":"ping"},"x":1}"#,
            Some(1),
            UnknownField,
            field("x"),
        ),
        (
            r#"{"id":1,"id":2,"body":{"type":"ping"}}"#,
            None,
            DuplicateField,
            field("id"),
        ),
        (
            r#"{"id":-1,"body":{"type":"ping"}}"#,
            None,
            OutOfRange,
            field("id"),
        ),
        (
            r#"{"id":1.0,"body":{"type":"ping"}}"#,
            None,
            OutOfRange,
            field("id"),
        ),
        (
            r#"{"id":1e400,"body":{"type":"ping"}}"#,
            None,
            OutOfRange,
            field("id"),
        ),
        (
            r#"{"id":9007199254740993,"body":{"type":"ping"}}"#,
            None,
            OutOfRange,
            field("id"),
        ),
        (
            r#"{"id":18446744073709551616,"body":{"type":"ping"}}"#,
            None,
            OutOfRange,
            field("id"),
        ),
        (
            r#"{"id":"1","body":{"type":"ping"}}"#,
            None,
            WrongType,
            field("id"),
        ),
        (
            r#"{"id":1,"body":{"type":"ping","x":1}}"#,
            Some(1),
            UnknownField,
            field("x"),
        ),
        (
            r#"{"id":1,"body":{"type":"join"}}"#,
            Some(1),
            MissingField,
            field("code"),
        ),
        (
            r#"{"id":1,"body":{"type":"join","code":4}}"#,
            Some(1),
            WrongType,
            field("code"),
        ),
        (
            r#"{"id":1,"body":{"type":"join","code":"A","code":"B"}}"#,
            Some(1),
            DuplicateField,
            field("code"),
        ),
        (
            r#"{"id":1,"body":{"type":"move","match":"x","ply":-1,"move":"A-1"}}"#,
            Some(1),
            OutOfRange,
            field("ply"),
        ),
        (
            r#"{"id":1,"body":{"type":"move","match":"x","ply":1.0,"move":"A-1"}}"#,
            Some(1),
            OutOfRange,
            field("ply"),
        ),
        (
            r#"{"id":1,"body":{"type":"move","match":"x","ply":1e400,"move":"A-1"}}"#,
            Some(1),
            OutOfRange,
            field("ply"),
        ),
        (
            r#"{"id":1,"body":{"type":"move","match":"x","ply":4294967296,"move":"A-1"}}"#,
            Some(1),
            OutOfRange,
            field("ply"),
        ),
        (
            r#"{"id":1,"body":{"type":"move","match":"x","ply":1,"move":"A-1","client_move_id":""}}"#,
            Some(1),
            OutOfRange,
            field("client_move_id"),
        ),
        (
            r#"{"id":1,"body":{"type":"resume","match":"x","since_seq":9007199254740992}}"#,
            Some(1),
            OutOfRange,
            field("since_seq"),
        ),
        (
            r#"{"id":1,"body":{"type":"create","position":"nim:1","opponent":{"type":"bot"}}}"#,
            Some(1),
            MissingField,
            field("opponent.name"),
        ),
        (
            r#"{"id":1,"body":{"type":"create","position":"nim:1","opponent":{"type":"invite","x":1}}}"#,
            Some(1),
            UnknownField,
            field("opponent.x"),
        ),
        (
            r#"{"id":1,"body":{"type":"create","position":"nim:1","opponent":{"type":"invite"},"side":"left"}}"#,
            Some(1),
            WrongType,
            field("side"),
        ),
        (
            r#"{"id":1,"body":{"type":"create","position":"nim:1","opponent":{"type":"ghost"}}}"#,
            Some(1),
            WrongType,
            field("opponent.type"),
        ),
        (
            r#"{"id":1,"body":{"type":"create","position":"nim:1","opponent":{"type":"invite"},"clock":{"type":"fischer","base_ms":-1,"increment_ms":0}}}"#,
            Some(1),
            OutOfRange,
            field("clock.base_ms"),
        ),
        (
            r#"{"id":1,"body":{"type":"create","position":"nim:1","opponent":{"type":"invite"},"clock":{"type":"fischer","base_ms":1000,"increment_ms":1e400}}}"#,
            Some(1),
            OutOfRange,
            field("clock.increment_ms"),
        ),
        (
            r#"{"id":1,"body":{"type":"create","position":"nim:1","opponent":{"type":"invite"},"clock":5}}"#,
            Some(1),
            WrongType,
            field("clock"),
        ),
        (
            r#"{"id":1,"body":{"type":"create","position":"nim:1","opponent":5}}"#,
            Some(1),
            WrongType,
            field("opponent"),
        ),
        (
            r#"{"id":1,"body":{"type":"create","position":"nim:1","opponent":{"type":"invite"},"side":5}}"#,
            Some(1),
            WrongType,
            field("side"),
        ),
        (
            r#"{"id":1,"body":{"type":"create","position":"nim:1","side":null,"opponent":{"type":"invite"}}}"#,
            Some(1),
            WrongType,
            field("side"),
        ),
        (
            r#"{"id":1,"body":{"type":"list","status":{}}}"#,
            Some(1),
            WrongType,
            field("status"),
        ),
        (
            r#"{"id":1,"body":{"type":"list","status":true,"limit":5}}"#,
            Some(1),
            WrongType,
            field("status"),
        ),
        (
            r#"{"id":1,"body":{"type":"solve","position":"nim:1","to_move":1}}"#,
            Some(1),
            WrongType,
            field("to_move"),
        ),
        (r#"{"id":1,"body":[]}"#, Some(1), WrongType, field("body")),
        (
            r#"{"id":1,"body":{"type":"join","code":"\ud800"}}"#,
            Some(1),
            BadJson,
            None,
        ),
    ] {
        assert_eq!(refusal(text), (id, code, at), "{text}");
    }
}

#[test]
fn a_bound_is_told_with_what_came() {
    let refused = |body: &str| {
        let text = format!(r#"{{"id":1,"body":{body}}}"#);
        let error = read_client_frame(&text).expect_err(body).error;
        (
            error.limit.clone(),
            error.got.clone(),
            error.message.clone(),
        )
    };
    let told = |limit: &str, got: &str| (Some(limit.to_owned()), Some(got.to_owned()));
    for (body, limit, got) in [
        (
            r#"{"type":"resume","match":"x","since_seq":-1}"#,
            "9007199254740991",
            "-1",
        ),
        (
            r#"{"type":"resume","match":"x","since_seq":1.5}"#,
            "9007199254740991",
            "1.5",
        ),
        (r#"{"type":"list","limit":-1}"#, "200", "-1"),
        (
            r#"{"type":"solve","position":"nim:1","max_moves":4294967296}"#,
            "200",
            "4294967296",
        ),
        (
            r#"{"type":"move","match":"x","ply":9007199254740992,"move":"a"}"#,
            "4294967295",
            "9007199254740992",
        ),
    ] {
        let (had_limit, had, message) = refused(body);
        assert_eq!((had_limit, had), told(limit, got), "{body}");
        assert!(
            !message.contains("u64") && !message.contains("u32"),
            "{message}"
        );
    }
    let body = r#"{"type":"move","match":"x","ply":1,"move":"a","client_move_id":"é"}"#;
    assert_eq!(refused(body).0.as_deref(), Some("64"));
}

#[test]
fn a_near_miss_is_named() {
    let refused =
        read_client_frame(r#"{"id":1,"body":{"type":"mvoe"}}"#).expect_err("no such type");
    assert!(
        refused.error.message.contains("did you mean `move`"),
        "{}",
        refused.error.message
    );
}

#[test]
fn bad_json_names_the_byte() {
    let refused = read_client_frame("{\"id\":1,\n\"body\":x}").expect_err("not JSON");
    assert!(
        refused.error.message.ends_with("at byte 16"),
        "{}",
        refused.error.message
    );
    let inside = r#"{"id":1,"body":{"type":"join","code":"\ud800"}}"#;
    let refused = read_client_frame(inside).expect_err("half a character");
    let at = inside.find("\"}}").expect("the end of the code");
    assert!(
        refused.error.message.ends_with(&format!("at byte {at}")),
        "{}",
        refused.error.message
    );
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,300}") {
        let _ = read_client_frame(&text);
    }

    #[test]
    fn a_good_frame_is_read_as_in_full(at in 0usize..200, byte in 32u8..127) {
        for text in [
            r#"{"id":7,"body":{"type":"create","position":"nim:1","side":"first","clock":{"type":"fischer","base_ms":1000,"increment_ms":0},"opponent":{"type":"bot","name":"x"}}}"#,
            r#"{"body":{"match":"x","type":"watch","since_seq":3},"id":7}"#,
        ] {
            prop_assert_eq!(read_good(text).map(Ok), Some(read_in_full(text)));
            let mut damaged = text.as_bytes().to_vec();
            let at = at % damaged.len();
            damaged[at] = byte;
            let damaged = std::str::from_utf8(&damaged).expect("ASCII");
            if let Some(read) = read_good(damaged) {
                prop_assert_eq!(Ok(read), read_in_full(damaged));
            }
        }
    }

    #[test]
    fn no_damaged_frame_makes_the_reader_panic(at in 0usize..100, byte in 32u8..127) {
        let mut text = br#"{"id":7,"body":{"type":"move","match":"1111111111","ply":3,"move":"A-2","client_move_id":"m-1"}}"#.to_vec();
        let at = at % text.len();
        text[at] = byte;
        let _ = read_client_frame(std::str::from_utf8(&text).expect("ASCII"));
    }
}
