//! The JSON Schema of everything that can be said, generated from the types themselves.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::{AccountEvent, ChatEvent, ClientFrame, INTEGER_MAX, Notice, Reply};
use crate::event::Event;
use crate::tournament::Dated;

/// The schema of protocol version 1: `client_frame`, `reply`, `event`, `account_event`, `chat_event` and `notice` under `$defs`.
/// `docs/protocol.schema.json` is this text; a test compares them.
#[must_use]
pub fn json_schema() -> String {
    let mut requests = SchemaGenerator::default();
    let mut client_frame = ClientFrame::json_schema(&mut requests).to_value();
    let mut asked: Map<String, Value> = requests.take_definitions(true).into_iter().collect();
    for schema in asked.values_mut().chain([&mut client_frame]) {
        bound_integers(schema);
    }
    let mut generator = SchemaGenerator::default();
    let entry = |name: &str, schema: schemars::Schema| (name.to_owned(), schema.to_value());
    let roots = [
        entry("reply", Reply::json_schema(&mut generator)),
        entry("event", Event::json_schema(&mut generator)),
        entry("account_event", AccountEvent::json_schema(&mut generator)),
        entry("chat_event", ChatEvent::json_schema(&mut generator)),
        entry("tournament_event", Dated::json_schema(&mut generator)),
        entry("notice", Notice::json_schema(&mut generator)),
    ];
    let mut definitions: Map<String, Value> =
        generator.take_definitions(true).into_iter().collect();
    definitions.extend(roots);
    // A type that occurs in requests and in answers keeps the bounds of a request.
    definitions.extend(asked);
    definitions.insert("client_frame".to_owned(), client_frame);
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "grundy/protocol/1",
        "description": "What a client may send (client_frame) and what the server answers: a frame with `re` holds a reply, one with `match` and `seq` an event, one with `account` and `seq` an event of an account, one with `chat`, `room` and `seq` a chat_event, one with `tournament` and `seq` a tournament_event, any other a notice.",
        "$defs": definitions,
    });
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema has only string keys");
    text.push('\n');
    text
}

/// Gives every integer without its own bound the bound of its type, which the reader of requests enforces.
fn bound_integers(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let most = match fields.get("format").and_then(Value::as_str) {
                Some("uint32") => Some(u64::from(u32::MAX)),
                Some("uint64") => Some(INTEGER_MAX),
                _ => None,
            };
            if let Some(most) = most {
                fields.entry("maximum").or_insert(most.into());
            }
            fields.values_mut().for_each(bound_integers);
        }
        Value::Array(schemas) => schemas.iter_mut().for_each(bound_integers),
        _ => {}
    }
}
