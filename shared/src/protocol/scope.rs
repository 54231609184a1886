//! What a token is good for.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Declares the scopes once: variant, word and meaning.
macro_rules! scopes {
    ($($variant:ident $word:literal $about:literal,)*) => {
        /// A right of a token.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
        pub enum Scope {
            $(
                #[doc = $about]
                #[serde(rename = $word)]
                $variant,
            )*
        }

        impl Scope {
            /// Every scope, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its word.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// What it allows.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $about),* }
            }
        }
    };
}

scopes! {
    Play "play" "Play as a person does: create, join and play matches, challenge players, use the lobby, enter tournaments.",
    Bot "bot" "Play as a program that is asked to: take challenges, join with a code, make moves, enter tournaments. It begins no match of its own.",
    Watch "watch" "Read only: lists, records, analyses, and matches and tournaments of others.",
    Tournament "tournament" "Create tournaments, where the server lets the player, and control those of the player.",
    Admin "admin" "Sign players out and help them back in. Only for players whom the operator has named.",
    Account "account" "Manage the account: its name, its password, its recovery codes and its tokens.",
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A word that is no scope.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no scope; the scopes are {all}", all = Scopes::ALL)]
pub struct UnknownScope(pub String);

impl FromStr for Scope {
    type Err = UnknownScope;

    fn from_str(word: &str) -> Result<Self, UnknownScope> {
        let known = Self::ALL.iter().find(|scope| scope.as_str() == word);
        known.copied().ok_or_else(|| UnknownScope(word.to_owned()))
    }
}

/// A set of scopes. On the wire it is a list; a reader leaves out the scopes of a newer server that it does not know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Scopes(u8);

impl Scopes {
    /// None.
    pub const NONE: Self = Self(0);
    /// All of them.
    pub const ALL: Self = Self::of(Scope::ALL);

    /// These.
    #[must_use]
    pub const fn of(scopes: &[Scope]) -> Self {
        let (mut bits, mut at) = (0, 0);
        while at < scopes.len() {
            bits |= 1 << scopes[at] as u8;
            at += 1;
        }
        Self(bits)
    }

    /// Whether this one is among them.
    #[must_use]
    pub const fn has(self, scope: Scope) -> bool {
        self.0 & (1 << scope as u8) != 0
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those that are in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those that are not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// In the order of the documentation.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.iter().copied().filter(move |one| self.has(*one))
    }

    /// The words with a space between: how they are stored.
    #[must_use]
    pub fn to_words(self) -> String {
        self.iter().map(Scope::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Reads what [`to_words`](Self::to_words) writes.
    ///
    /// # Errors
    /// A word is no scope.
    pub fn from_words(words: &str) -> Result<Self, UnknownScope> {
        words.split_whitespace().map(str::parse).collect()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        let add = |Self(bits), scope| Self(bits | Self::of(&[scope]).0);
        scopes.into_iter().fold(Self::NONE, add)
    }
}

impl fmt::Display for Scopes {
    /// For people: with commas, or `none`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.pad("none");
        }
        let words: Vec<_> = self.iter().map(Scope::as_str).collect();
        f.pad(&words.join(", "))
    }
}

impl fmt::Debug for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scopes({self})")
    }
}

impl Serialize for Scopes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Scopes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let words = Vec::<String>::deserialize(deserializer)?;
        Ok(words.iter().filter_map(|word| word.parse().ok()).collect())
    }
}

impl JsonSchema for Scopes {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Scopes".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<Scope>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_read_as_it_was_written() {
        assert_eq!(Scopes::from_words(""), Ok(Scopes::NONE));
        assert_eq!(Scopes::from_words(&Scopes::ALL.to_words()), Ok(Scopes::ALL));
        let some = Scopes::of(&[Scope::Watch, Scope::Play]);
        assert_eq!(some.to_words(), "play watch");
        assert_eq!(some.to_string(), "play, watch");
        assert!(some.has(Scope::Play) && !some.has(Scope::Admin));
        assert_eq!(some.without(Scopes::of(&[Scope::Play])).to_words(), "watch");
        assert!(Scopes::from_words("play root").is_err());
    }

    #[test]
    fn on_the_wire_it_is_a_list_and_what_is_unknown_is_left_out() {
        let text = serde_json::to_string(&Scopes::of(&[Scope::Bot])).expect("plain");
        assert_eq!(text, r#"["bot"]"#);
        let read: Scopes = serde_json::from_str(r#"["bot","fly","bot"]"#).expect("a list");
        assert_eq!(read, Scopes::of(&[Scope::Bot]));
    }
}
