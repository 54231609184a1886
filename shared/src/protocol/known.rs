//! Values of which a newer server may know more than this reader.

use serde::Deserialize;
use serde::de::IgnoredAny;

/// Reads a value that a newer server may know more of than this reader: what is not known is absent.
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
