//! Values that a newer server may extend.

use serde::Deserialize;
use serde::de::IgnoredAny;

/// Reads a value of a set that a newer server may extend: an unknown value is read as absent.
pub(super) fn known<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(
    value: D,
) -> Result<Option<T>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Value<T> {
        Known(T),
        Unknown(IgnoredAny),
    }
    Ok(match Option::deserialize(value)? {
        Some(Value::Known(value)) => Some(value),
        Some(Value::Unknown(_)) | None => None,
    })
}
