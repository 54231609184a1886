//! Texts that nobody is to see.

use std::fmt;

use schemars::JsonSchema;
use serde::de::{self, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use subtle::ConstantTimeEq as _;
use zeroize::Zeroize;

/// A password, a token or a recovery code. Two of them are compared in constant time, but for their lengths. No log line or message shows it: `Debug` hides it, a refusal does not quote it, and its memory is
/// cleared when it is dropped.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Secret(String);

impl Secret {
    /// The text, for the one who has to read it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl Eq for Secret {}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Text).map(Self)
    }
}

/// Reads a text, and does not quote what is something else: a password could be written as a number by mistake.
struct Text;

fn other_kind<E: de::Error>() -> E {
    E::invalid_type(Unexpected::Other("another kind of value"), &Text)
}

impl Visitor<'_> for Text {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<String, E> {
        Ok(text)
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<String, E> {
        Err(other_kind())
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<String, E> {
        Err(other_kind())
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<String, E> {
        Err(other_kind())
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<String, E> {
        Err(other_kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::read_client_frame;

    #[test]
    fn a_secret_is_neither_printed_nor_quoted() {
        let secret = Secret::from("hunter2".to_owned());
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        for value in ["4815162342", "true", "1.5e3", "-48151623", "[48151623]"] {
            let frame =
                format!(r#"{{"id":1,"body":{{"type":"hello","protocol":1,"token":{value}}}}}"#);
            let refused = read_client_frame(&frame).expect_err("no text");
            assert_eq!(refused.error.code.as_str(), "wrong_type", "{value}");
            let shown = serde_json::to_string(&refused.error).expect("plain");
            assert!(
                !shown.contains("4815") && !shown.contains("1500"),
                "{shown}"
            );
        }
        let frame = r#"{"id":1,"body":{"type":"hello","protocol":1,"token":"hunter2"}}"#;
        let (_, message) = read_client_frame(frame).expect("a request");
        assert!(!format!("{message:?}").contains("hunter2"));
    }
}
