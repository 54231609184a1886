//! Any text as a frame of a server, as a client reads it: a hostile server crashes no client.

use grundy_shared::event::Event;
use grundy_shared::protocol::{AccountEvent, ChatEvent, Notice, Reply, ServerFrame};

/// Reads one input.
pub(crate) fn run(bytes: &[u8]) {
    let Ok(frame) = serde_json::from_str::<ServerFrame>(&String::from_utf8_lossy(bytes)) else {
        return;
    };
    let body = frame.body.get();
    let _ = serde_json::from_str::<Reply>(body);
    let _ = serde_json::from_str::<Notice>(body);
    let _ = serde_json::from_str::<AccountEvent>(body);
    let _ = serde_json::from_str::<ChatEvent>(body);
    if let Ok(event) = serde_json::from_str::<Event>(body) {
        let again = serde_json::from_str::<Event>(&event.to_json());
        assert_eq!(again.ok(), Some(event));
    }
}
