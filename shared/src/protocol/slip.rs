//! What serde says of a slip, under one of our codes, with the field and its bound.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::error::{ErrorBody, ErrorCode};
use super::{INTEGER_MAX, PAGE_MAX};
use crate::ids::ClientMoveId;

/// Bounds that are told with the field; other numbers go up to [`INTEGER_MAX`].
const BOUNDS: &[(&str, u64)] = &[
    ("ply", u32::MAX as u64),
    ("after_ply", u32::MAX as u64),
    ("limit", PAGE_MAX as u64),
    ("max_moves", PAGE_MAX as u64),
    ("client_move_id", ClientMoveId::MAX_BYTES as u64),
];

fn bound(field: &str) -> u64 {
    let known = BOUNDS.iter().find(|(name, _)| *name == field);
    known.map_or(INTEGER_MAX, |(_, bound)| *bound)
}

/// The refusal of an integer that JSON programs may not hold exactly.
pub(super) fn integer_too_large(field: &str, value: u64) -> ErrorBody {
    ErrorBody::new(
        ErrorCode::OutOfRange,
        format!("`{field}` is larger than 2^53-1"),
    )
    .field(field)
    .limit(INTEGER_MAX)
    .got(&value.to_string())
}

/// The refusal of a body that is something else.
pub(super) fn no_object() -> ErrorBody {
    let message = "`body` is an object with a `type`";
    ErrorBody::new(ErrorCode::WrongType, message).field("body")
}

/// As [`explain`], of a body: that it is JSON is known, so what is no syntax in its place is a value of another kind.
pub(super) fn in_body(
    error: &serde_json::Error,
    path: &str,
    text: &str,
    start: usize,
) -> ErrorBody {
    let words = words(error);
    let is_text = words.contains("escape") || words.contains("surrogate");
    if (error.is_syntax() || error.is_eof()) && !is_text && !is_huge(&words) {
        return wrong_type(path, "another kind of value belongs here");
    }
    match path {
        "clock" => within_clock(text).unwrap_or_else(|| explain(error, path, text, start)),
        _ => explain(error, path, text, start),
    }
}

/// The time that is wrong in a clock: serde reads a tagged object as a whole, and then does not know where it was.
fn within_clock(text: &str) -> Option<ErrorBody> {
    #[derive(Deserialize)]
    struct Clock<'a> {
        #[serde(borrow)]
        clock: &'a RawValue,
    }
    #[derive(Deserialize)]
    struct Times {
        #[serde(rename = "base_ms")]
        _base_ms: Option<u64>,
        #[serde(rename = "increment_ms")]
        _increment_ms: Option<u64>,
        #[serde(rename = "delay_ms")]
        _delay_ms: Option<u64>,
        #[serde(rename = "move_ms")]
        _move_ms: Option<u64>,
        #[serde(rename = "period_ms")]
        _period_ms: Option<u64>,
        #[serde(rename = "periods")]
        _periods: Option<u32>,
    }
    let clock: Clock<'_> = serde_json::from_str(text).ok()?;
    let clock = clock.clock.get();
    if !clock.starts_with('{') {
        return None;
    }
    let mut json = serde_json::Deserializer::from_str(clock);
    let error = serde_path_to_error::deserialize::<_, Times>(&mut json).err()?;
    let path = format!("clock.{}", error.path());
    Some(explain(error.inner(), &path, clock, 0))
}

/// Puts serde's words under one of our codes.
pub(super) fn explain(
    error: &serde_json::Error,
    path: &str,
    text: &str,
    start: usize,
) -> ErrorBody {
    let words = words(error);
    if is_huge(&words) {
        return out_of_range(path, None);
    }
    if error.is_syntax() || error.is_eof() {
        return bad_json(error, text, start);
    }
    let quoted = words.split('`').nth(1).unwrap_or_default();
    let within = match path {
        "." => String::new(),
        _ => format!("{path}."),
    };
    // The path ends in the field itself where serde had read its name, in what holds it otherwise.
    let named = || match path.rsplit('.').next() == Some(quoted) {
        true => path.to_owned(),
        false => format!("{within}{quoted}"),
    };
    let is_of_type = words.starts_with("invalid type");
    let refused = |code, field: String| {
        let message = format!("`{field}`: {words}");
        ErrorBody::new(code, message).field(field)
    };
    if words.starts_with("unknown field") {
        refused(ErrorCode::UnknownField, named())
    } else if words.starts_with("missing field") {
        refused(ErrorCode::MissingField, format!("{within}{quoted}"))
    } else if words.starts_with("duplicate field") {
        refused(ErrorCode::DuplicateField, named())
    } else if words.starts_with("unknown variant") {
        refused(ErrorCode::WrongType, whole(path))
    } else if is_of_type && !words.starts_with("invalid type: floating point") {
        wrong_type(path, &plain(&words))
    } else if is_of_type || words.starts_with("invalid value: integer") {
        out_of_range(path, Some(quoted))
    } else {
        let field = whole(path);
        let limit = bound(&field);
        refused(ErrorCode::OutOfRange, field).limit(limit)
    }
}

/// The byte is counted from the begin of the frame, of which `text` begins at `start`.
pub(super) fn bad_json(error: &serde_json::Error, text: &str, start: usize) -> ErrorBody {
    let before: usize = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    let byte = start + before + error.column().saturating_sub(1);
    let words = words(error);
    ErrorBody::new(ErrorCode::BadJson, format!("{words} at byte {byte}"))
}

fn wrong_type(path: &str, words: &str) -> ErrorBody {
    let field = whole(path);
    ErrorBody::new(ErrorCode::WrongType, format!("`{field}`: {words}")).field(field)
}

fn out_of_range(path: &str, got: Option<&str>) -> ErrorBody {
    let field = whole(path);
    let limit = bound(&field);
    let message = format!("`{field}` is a whole number from 0 to {limit}");
    let error = ErrorBody::new(ErrorCode::OutOfRange, message)
        .field(field)
        .limit(limit);
    match got {
        Some(got) => error.got(got),
        None => error,
    }
}

/// What a client author expects to read instead of the names of our types.
fn plain(words: &str) -> String {
    let Some((came, expected)) = words.split_once(", expected ") else {
        return words.to_owned();
    };
    let expected = match expected {
        "u32" | "u64" => "a whole number",
        _ if expected.starts_with("internally tagged enum") => "an object with a `type`",
        _ if expected.starts_with("struct") => "an object",
        _ => expected,
    };
    format!("{came}, expected {expected}")
}

fn whole(path: &str) -> String {
    match path {
        "" | "." => "body".to_owned(),
        _ => path.to_owned(),
    }
}

fn is_huge(words: &str) -> bool {
    words.starts_with("number out of range")
}

/// The error without its place.
fn words(error: &serde_json::Error) -> String {
    let words = error.to_string();
    words
        .split(" at line ")
        .next()
        .unwrap_or_default()
        .to_owned()
}
