//! Reading frames without looking for what is wrong with them: a good frame in one pass, and the id of a frame that will not be
//! read at all.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::client::Move;
use super::{ClientMessage, INTEGER_MAX};
use crate::bounds::HINTS_MAX;
use crate::ids::{ClientMoveId, Ply};

/// Reads the frame of a move, by far the most frequent. `None` for everything else, and for every slip: the full reader says which.
/// Cost: one pass.
pub(super) fn read_move(text: &str) -> Option<(u64, ClientMessage)> {
    // From a list a struct could be read as well.
    if !text.starts_with('{') {
        return None;
    }
    let frame: MoveFrame = serde_json::from_str(text).ok()?;
    (frame.id <= INTEGER_MAX).then_some((frame.id, ClientMessage::Move(frame.body.0)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveFrame {
    id: u64,
    body: MoveBody,
}

/// A move with its `type`.
struct MoveBody(Move);

impl<'de> Deserialize<'de> for MoveBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MoveFields)
    }
}

struct MoveFields;

/// A text, borrowed where it has no escapes.
#[derive(Deserialize)]
struct Word<'a>(#[serde(borrow)] Cow<'a, str>);

/// Reads the value of a field that was not given yet.
fn once<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    field: &mut Option<T>,
    map: &mut A,
) -> Result<(), A::Error> {
    match field.replace(map.next_value()?) {
        None => Ok(()),
        Some(_) => Err(de::Error::custom("twice")),
    }
}

/// The number of hints; what is too large is refused by the full reader.
fn within<E: de::Error>(hints: Option<u32>) -> Result<u32, E> {
    match hints.unwrap_or_default() {
        hints if hints <= HINTS_MAX => Ok(hints),
        _ => Err(de::Error::custom("too many")),
    }
}

impl<'de> Visitor<'de> for MoveFields {
    type Value = MoveBody;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a move")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<MoveBody, A::Error> {
        let mut kind: Option<Word<'de>> = None;
        let mut match_id: Option<String> = None;
        let mut ply: Option<Ply> = None;
        let mut move_text: Option<String> = None;
        let mut client_move_id: Option<ClientMoveId> = None;
        let mut hints: Option<u32> = None;
        while let Some(Word(key)) = map.next_key()? {
            match &*key {
                "type" => {
                    once(&mut kind, &mut map)?;
                    if kind.as_ref().is_none_or(|Word(kind)| kind != "move") {
                        return Err(de::Error::custom("no move"));
                    }
                }
                "match" => once(&mut match_id, &mut map)?,
                "ply" => once(&mut ply, &mut map)?,
                "move" => once(&mut move_text, &mut map)?,
                "client_move_id" => once(&mut client_move_id, &mut map)?,
                "hints" => once(&mut hints, &mut map)?,
                _ => return Err(de::Error::custom("unknown")),
            }
        }
        match (kind, match_id, ply, move_text) {
            (Some(_), Some(match_id), Some(ply), Some(move_text)) => Ok(MoveBody(Move {
                match_id,
                ply,
                move_text,
                client_move_id,
                hints: within(hints)?,
            })),
            _ => Err(de::Error::custom("missing")),
        }
    }
}

/// The id of a frame of which nothing else is to be read: the number behind the first `"id"` of its outermost object, if it ends
/// there. Cost: linear in what stands before it.
#[must_use]
pub fn frame_id(text: &str) -> Option<u64> {
    let rest = text.trim_start().strip_prefix('{')?;
    let (mut depth, mut string_at, mut escaped) = (0_usize, None, false);
    for (at, byte) in rest.bytes().enumerate() {
        if let Some(start) = string_at {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => {
                    string_at = None;
                    let after = rest[at + 1..].trim_start();
                    if depth == 0 && &rest[start..at] == "id" && after.starts_with(':') {
                        return number(after[1..].trim_start());
                    }
                }
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => string_at = Some(at + 1),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

fn number(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let (digits, rest) = text.split_at(end);
    let ends = rest.trim_start().starts_with([',', '}']);
    let id = digits.parse().ok().filter(|id| *id <= INTEGER_MAX)?;
    ends.then_some(id)
}

#[cfg(test)]
mod tests {
    use super::super::parse::read_in_full;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_id_is_found_wherever_it_stands() {
        for (text, id) in [
            (r#"{"id":7,"body":{"type":"ping"}}"#, Some(7)),
            (" { \"id\" : 7 , nonsense", Some(7)),
            (r#"{"body":{"id":8,"x":["id",{"id":9}]},"id":7}"#, Some(7)),
            (r#"{"body":"\"id\":8","id":7}"#, Some(7)),
            (r#"{"body":"id","id":9007199254740991}"#, Some(INTEGER_MAX)),
            (r#"{"id":9007199254740992}"#, None),
            (r#"{"id":7.5}"#, None),
            (r#"{"id":-7}"#, None),
            (r#"{"id":"7"}"#, None),
            (r#"{"id":7"#, None),
            (r#"{"body":{"id":8}}"#, None),
            (r#"["id",7]"#, None),
            ("", None),
            ("}", None),
        ] {
            assert_eq!(frame_id(text), id, "{text}");
        }
    }

    /// Frames of moves, most of them with a slip.
    fn frame() -> impl Strategy<Value = String> {
        let field = prop_oneof![
            Just(r#""type":"move""#.to_owned()),
            Just(r#""type":"ping""#.to_owned()),
            Just(r#""match":"1111111111""#.to_owned()),
            Just(r#""match":7"#.to_owned()),
            (0_u64..1 << 34).prop_map(|ply| format!(r#""ply":{ply}"#)),
            Just(r#""move":"A-\u0031""#.to_owned()),
            Just(r#""client_move_id":"m-1""#.to_owned()),
            Just(r#""client_move_id":null"#.to_owned()),
            Just(r#""client_move_id":"""#.to_owned()),
            Just(r#""x":1"#.to_owned()),
            (0_u64..2_000).prop_map(|hints| format!(r#""hints":{hints}"#)),
            Just(r#""hints":null"#.to_owned()),
        ];
        let id = prop_oneof![4 => 0..9_u64, 1 => Just(INTEGER_MAX + 1)];
        (id, prop::collection::vec(field, 0..7), any::<bool>()).prop_map(|(id, fields, front)| {
            let body = fields.join(",");
            let good = r#""type":"move","match":"1","ply":1,"move":"A-1""#;
            match front {
                true => format!(r#"{{"id":{id},"body":{{{good},{body}}}}}"#),
                false => format!(r#"{{"body":{{{body}}},"id":{id}}}"#),
            }
        })
    }

    proptest! {
        #[test]
        fn a_move_read_quickly_is_the_move_read_in_full(text in frame()) {
            if let Some(read) = read_move(&text) {
                prop_assert_eq!(Ok(read), read_in_full(&text));
            }
        }

        #[test]
        fn a_frame_that_can_be_read_has_its_id_found(text in frame()) {
            if let Ok((id, _)) = read_in_full(&text) {
                prop_assert_eq!(frame_id(&text), Some(id));
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in "[{}\\[\\]\",:id\\\\0-9é ]{0,60}") {
            let _ = (frame_id(&text), read_move(&text));
        }
    }

    #[test]
    fn good_moves_are_read_quickly_and_nothing_else() {
        let good = r#"{"id":7,"body":{"type":"move","match":"1111111111","ply":3,"move":"A-2","client_move_id":"m-1"}}"#;
        assert_eq!(read_move(good).map(Ok), Some(read_in_full(good)));
        let helped = r#"{"id":7,"body":{"type":"move","match":"1111111111","ply":3,"move":"A-2","hints":1000}}"#;
        assert_eq!(read_move(helped).map(Ok), Some(read_in_full(helped)));
        for other in [
            r#"{"id":7,"body":{"type":"ping"}}"#,
            r#"[7,{"type":"move","match":"1","ply":3,"move":"A-2"}]"#,
            r#"{"id":7,"body":["move","1",3,"A-2"]}"#,
            r#"{"id":7,"body":{"type":"move","match":"1","ply":3,"move":"A-2"}} x"#,
        ] {
            assert_eq!(read_move(other), None, "{other}");
        }
    }
}
