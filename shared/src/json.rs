//! Numbers as JSON holds them: integers above 2^53-1 as text, and fractions that are read to their last digit.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// The largest integer that every JSON reader keeps: 2^53-1.
pub(crate) const MAX_INTEGER: u64 = (1 << 53) - 1;

/// An integer, written as decimal text above [`MAX_INTEGER`].
struct Wide(u64);

impl Serialize for Wide {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 > MAX_INTEGER {
            true => serializer.collect_str(&self.0),
            false => serializer.serialize_u64(self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Wide {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(u64),
            Text(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Number(number) => Ok(Self(number)),
            Written::Text(text) => text.parse().map(Self).map_err(serde::de::Error::custom),
        }
    }
}

/// For `#[serde(with = "wide")]` on an integer.
pub(crate) mod wide {
    use super::{Deserialize, Deserializer, Serialize, Serializer, Wide};

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde calls it with a reference"
    )]
    pub(crate) fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        Wide(*value).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(reader: D) -> Result<u64, D::Error> {
        Wide::deserialize(reader).map(|wide| wide.0)
    }
}

/// For `#[serde(with = "wide_option")]` on an integer that may be `null`.
pub(crate) mod wide_option {
    use super::{Deserialize, Deserializer, Serialize, Serializer, Wide};

    pub(crate) fn serialize<S: Serializer>(
        value: &Option<u64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.map(Wide).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        reader: D,
    ) -> Result<Option<u64>, D::Error> {
        Ok(Option::<Wide>::deserialize(reader)?.map(|wide| wide.0))
    }
}

/// For `#[serde(with = "wide_list")]` on several integers.
pub(crate) mod wide_list {
    use super::{Deserialize, Deserializer, Serializer, Wide};

    pub(crate) fn serialize<S: Serializer>(
        values: &[u64],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().copied().map(Wide))
    }

    /// Of a list of any length, or of the length that is needed.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>, L: TryFrom<Vec<u64>>>(
        reader: D,
    ) -> Result<L, D::Error> {
        let values = Vec::<Wide>::deserialize(reader)?;
        let values: Vec<u64> = values.into_iter().map(|wide| wide.0).collect();
        L::try_from(values).map_err(|_| serde::de::Error::custom("a list has another length"))
    }
}

/// Reads a fraction exactly as it was written. The usual way is faster, but may miss the last digit. Only in what is read from a text, not from
/// a [`serde_json::Value`].
pub(crate) fn exact<'de, D: Deserializer<'de>>(reader: D) -> Result<f64, D::Error> {
    let text = Box::<RawValue>::deserialize(reader)?;
    text.get().parse().map_err(serde::de::Error::custom)
}

/// As [`exact`], of a fraction that may be `null`.
pub(crate) fn exact_option<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<f64>, D::Error> {
    let text = Box::<RawValue>::deserialize(reader)?;
    match text.get() {
        "null" => Ok(None),
        number => number.parse().map(Some).map_err(serde::de::Error::custom),
    }
}
