//! Reading what a client sent: every slip is named by code, field and place.
//!
//! The order: syntax and depth, the envelope, the type, then the fields of that type alone, so that
//! a slip in one field is told as such. Nothing is read into a tree of values.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, DeserializeSeed, IgnoredAny, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::error::{ErrorBody, ErrorCode};
use super::quick::read_move;
use super::slip::{bad_json, explain, in_body, integer_too_large, no_object};
use super::{ClientMessage, DEPTH_MAX, INTEGER_MAX};
use crate::bounds::{
    HINTS_MAX, PLAN_LINES_MAX, PLAN_MOVES_MAX, SEEK_START_BYTES_MAX, START_BYTES_MAX,
};

/// A frame that was refused, with its id where one could be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The id of the request.
    pub id: Option<u64>,
    /// Why.
    pub error: Box<ErrorBody>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope<'a> {
    id: u64,
    #[serde(borrow)]
    body: &'a RawValue,
}

/// The parts of a broken envelope that can still be read.
#[derive(Deserialize)]
struct IdOnly {
    #[serde(default)]
    id: Option<u64>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object with a `type`")]
struct TypeOnly<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
}

/// Reads a request. Cost: linear in the length of the text; where something is wrong, the places of its values are noted in a second
/// reading.
///
/// # Errors
/// The refusal to be sent back, with the request's id where there is one.
pub fn read_client_frame(text: &str) -> Result<(u64, ClientMessage), Refused> {
    read_move(text)
        .or_else(|| read_good(text))
        .map_or_else(|| read_in_full(text), Ok)
}

/// Reads a request in which nothing is wrong; `None` for any other.
fn read_good(text: &str) -> Option<(u64, ClientMessage)> {
    // From a list a struct could be read as well. What is nested too deeply is no field of any request.
    if !text.starts_with('{') {
        return None;
    }
    let envelope: Envelope<'_> = serde_json::from_str(text).ok()?;
    let body = envelope.body.get();
    if envelope.id > INTEGER_MAX || !body.starts_with('{') {
        return None;
    }
    let TypeOnly { kind } = serde_json::from_str(body).ok()?;
    let mut json = serde_json::Deserializer::from_str(body);
    let message = ClientMessage::read(&kind, WithoutType(&mut json))?.ok()?;
    check_bounds(&message).ok()?;
    Some((envelope.id, message))
}

/// Reads a request, and says what is wrong where something is.
pub(super) fn read_in_full(text: &str) -> Result<(u64, ClientMessage), Refused> {
    let nameless = |error| Refused {
        id: None,
        error: Box::new(error),
    };
    check_depth(text).map_err(nameless)?;
    check_object(text).map_err(nameless)?;
    let mut json = serde_json::Deserializer::from_str(text);
    let envelope =
        serde_path_to_error::deserialize::<_, Envelope<'_>>(&mut json).map_err(|error| {
            Refused {
                id: readable_id(text),
                error: Box::new(explain(error.inner(), &error.path().to_string(), text, 0)),
            }
        })?;
    json.end()
        .map_err(|error| nameless(bad_json(&error, text, 0)))?;
    let id = envelope.id;
    let refused = |error| Refused {
        id: (id <= INTEGER_MAX).then_some(id),
        error: Box::new(error),
    };
    if id > INTEGER_MAX {
        return Err(refused(integer_too_large("id", id)));
    }
    let body = envelope.body.get();
    let start = body.as_ptr().addr() - text.as_ptr().addr();
    read_body(body, start)
        .map(|body| (id, body))
        .map_err(refused)
}

/// Reads the part of a frame that begins at its byte `start`.
fn read_body(text: &str, start: usize) -> Result<ClientMessage, ErrorBody> {
    if !text.starts_with('{') {
        return Err(no_object());
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let kind = serde_path_to_error::deserialize::<_, TypeOnly<'_>>(&mut json)
        .map_err(|error| in_body(error.inner(), &error.path().to_string(), text, start))?
        .kind;
    let mut json = serde_json::Deserializer::from_str(text);
    let mut track = serde_path_to_error::Track::new();
    let fields = serde_path_to_error::Deserializer::new(WithoutType(&mut json), &mut track);
    let message = match ClientMessage::read(&kind, fields) {
        None => return Err(unknown_type(&kind)),
        Some(Err(error)) => {
            let path = track.path().to_string();
            return Err(in_body(&error, &path, text, start));
        }
        Some(Ok(message)) => message,
    };
    check_bounds(&message)?;
    Ok(message)
}

/// Checks the bounds that are the same on every server and belong to no single handler.
fn check_bounds(message: &ClientMessage) -> Result<(), ErrorBody> {
    match message {
        ClientMessage::Move(ask) => check_hints(ask.hints)?,
        ClientMessage::Plan(ask) => {
            let longest = ask.lines.iter().map(Vec::len).max().unwrap_or_default();
            check_length("lines", ask.lines.len(), PLAN_LINES_MAX)?;
            check_length("lines", longest, PLAN_MOVES_MAX)?;
        }
        ClientMessage::Answer(ask) => check_integer("proposed_seq", ask.proposed_seq.0)?,
        ClientMessage::Chat(ask) => check_integer("after", ask.after.0)?,
        ClientMessage::List(ask) => {
            if let Some(only) = &ask.only {
                check_integer("only.since_ms", only.since_ms.unwrap_or_default().0)?;
                check_integer("only.until_ms", only.until_ms.unwrap_or_default().0)?;
            }
        }
        ClientMessage::RatingHistory(ask) => {
            check_integer("before", ask.before.unwrap_or_default().0)?;
        }
        ClientMessage::Seek(ask) => {
            check_start(&ask.position, SEEK_START_BYTES_MAX)?;
            check_clock(ask.clock)?;
        }
        ClientMessage::Resume(ask) => check_integer("since_seq", ask.since_seq.0)?,
        ClientMessage::Watch(ask) => check_integer("since_seq", ask.since_seq.0)?,
        ClientMessage::Record(ask) => check_integer("since_seq", ask.since_seq.0)?,
        ClientMessage::TournamentLog(ask) => check_integer("since_seq", ask.since_seq.0)?,
        ClientMessage::Moves(ask) => check_integer("from", ask.from)?,
        ClientMessage::Cancel(ask) => check_integer("request", ask.request)?,
        ClientMessage::FollowAccount(ask) => check_integer("since_seq", ask.since_seq.0)?,
        ClientMessage::Create(ask) => {
            check_start(&ask.position, START_BYTES_MAX)?;
            check_clock(ask.clock)?;
        }
        ClientMessage::Challenge(ask) => {
            check_start(&ask.position, START_BYTES_MAX)?;
            check_clock(ask.clock)?;
        }
        ClientMessage::CreateToken(ask) => {
            check_integer("expires_in_ms", ask.expires_in_ms.unwrap_or_default().0)?;
        }
        _ => {}
    }
    Ok(())
}

/// A client reports no more hints than are stored.
fn check_hints(hints: u32) -> Result<(), ErrorBody> {
    if hints <= HINTS_MAX {
        return Ok(());
    }
    let words = format!("`hints` must be from 0 to {HINTS_MAX}");
    Err(ErrorBody::new(ErrorCode::OutOfRange, words)
        .field("hints")
        .limit(HINTS_MAX)
        .got(&hints.to_string()))
}

/// A list has no more entries than are read.
fn check_length(field: &str, length: usize, most: usize) -> Result<(), ErrorBody> {
    if length <= most {
        return Ok(());
    }
    let words = format!("a list in `{field}` has {length} entries: {most} are allowed");
    Err(ErrorBody::new(ErrorCode::OutOfRange, words)
        .field(field)
        .limit(most)
        .got(&length.to_string()))
}

/// Checks the text of a start position before it is parsed.
fn check_start(text: &str, most: usize) -> Result<(), ErrorBody> {
    if text.len() <= most {
        return Ok(());
    }
    let words = format!("`position` has more than {most} bytes");
    Err(ErrorBody::new(ErrorCode::OutOfRange, words)
        .field("position")
        .limit(most)
        .got(&text.len().to_string()))
}

fn check_clock(clock: crate::event::TimeControl) -> Result<(), ErrorBody> {
    for (field, value) in clock.fields() {
        check_integer(&format!("clock.{field}"), value)?;
    }
    Ok(())
}

fn check_integer(field: &str, value: u64) -> Result<(), ErrorBody> {
    if value > INTEGER_MAX {
        Err(integer_too_large(field, value))
    } else {
        Ok(())
    }
}

fn readable_id(text: &str) -> Option<u64> {
    serde_json::from_str::<IdOnly>(text)
        .ok()
        .and_then(|frame| frame.id)
        .filter(|id| *id <= INTEGER_MAX)
}

fn unknown_type(kind: &str) -> ErrorBody {
    let nearest = ClientMessage::KINDS
        .iter()
        .min_by_key(|known| distance(known, kind));
    let message = match nearest {
        Some(near) if distance(near, kind) <= 2 => {
            format!("no request has this type; did you mean `{near}`?")
        }
        _ => format!(
            "no request has this type; the types are {}",
            ClientMessage::KINDS.join(", ")
        ),
    };
    ErrorBody::new(ErrorCode::UnknownType, message)
        .field("type")
        .got(kind)
}

/// Edits between two words; words that differ much in length are not compared. Cost: product of the lengths, at most 20 each.
fn distance(a: &str, b: &str) -> usize {
    if b.len() > 20 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// Refuses deep nesting before any parser recurses. Cost: one pass.
fn check_depth(text: &str) -> Result<(), ErrorBody> {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => {
                depth += 1;
                if depth > DEPTH_MAX {
                    let message = format!("nested deeper than {DEPTH_MAX} at byte {at}");
                    return Err(ErrorBody::new(ErrorCode::TooDeep, message).limit(DEPTH_MAX));
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

/// Refuses JSON that is not an object: a struct could be read from a list as well.
fn check_object(text: &str) -> Result<(), ErrorBody> {
    let trimmed = text.trim_start_matches([' ', '\t', '\n', '\r']);
    if trimmed.starts_with('{') {
        return Ok(());
    }
    let byte = text.len() - trimmed.len();
    Err(ErrorBody::new(
        ErrorCode::BadJson,
        format!("expected an object at byte {byte}"),
    ))
}

/// A map without its `type`, so that the struct of one variant can refuse every field it does not know.
struct WithoutType<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for WithoutType<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(SkipType(visitor))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct SkipType<T>(T);

impl<'de, V: Visitor<'de>> Visitor<'de> for SkipType<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(SkipType(map))
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for SkipType<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some(Key(key)) = self.0.next_key()? {
            if key != "type" {
                let key: de::value::CowStrDeserializer<'_, A::Error> = key.into_deserializer();
                return seed.deserialize(key).map(Some);
            }
            // A second `type` was refused when the type was read.
            self.0.next_value::<IgnoredAny>()?;
        }
        Ok(None)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(seed)
    }
}

/// A key, borrowed where the text has no escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests;
