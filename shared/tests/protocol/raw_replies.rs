//! Replies with JSON that is not looked into are read by their type, as all others are.

use grundy_shared::protocol::Reply;
use serde_json::Value;

#[test]
fn a_reply_with_json_inside_is_read_as_the_server_wrote_it() {
    for (text, field) in [
        (
            r#"{"type":"solved","solution":{"outcome":"N","remoteness":3,"exact":true}}"#,
            "solution",
        ),
        (
            r#"{"type":"explained","reasons":{"best":"A-1"}}"#,
            "reasons",
        ),
        (
            r#"{"type":"reviewed","match":"7Kq2mVx9Ru","review":{"plies":[{"bits":0.415}]},"next_after_ply":50}"#,
            "review",
        ),
    ] {
        let reply: Reply = serde_json::from_str(text).expect(text);
        let again = serde_json::to_value(&reply).expect("JSON");
        let expected: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(again[field], expected[field], "{again}");
    }
}
