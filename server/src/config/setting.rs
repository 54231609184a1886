//! One key, one value, one layer of values, and what can be wrong with them.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

use grundy_shared::ids::Millis;

/// One thing that can be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// Its name with its section, as `limits.burst`.
    pub path: &'static str,
    /// What it is, in one or two sentences.
    pub about: &'static str,
    /// Least and greatest, both allowed, when it is a number.
    pub bounds: Option<(u64, u64)>,
}

impl Key {
    /// The environment variable of this key, as `GRUNDYD_LIMITS__BURST`.
    #[must_use]
    pub fn variable(&self) -> String {
        format!(
            "GRUNDYD_{}",
            self.path.replace('.', "__").to_ascii_uppercase()
        )
    }
}

/// Where a value came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Nobody set it.
    Default,
    /// The profile sets it.
    Profile,
    /// A file, with line and column counted from 1 (both 0: the file as a whole).
    File {
        /// Path as given.
        path: PathBuf,
        /// Line.
        line: usize,
        /// Column, in characters.
        column: usize,
    },
    /// An environment variable.
    Environment(String),
    /// A flag.
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Profile => f.write_str("profile"),
            Self::File { path, line: 0, .. } => write!(f, "{}", path.display()),
            Self::File { path, line, column } => {
                write!(f, "{}:{line}:{column}", path.display())
            }
            Self::Environment(variable) => f.write_str(variable),
            Self::Flag(flag) => f.write_str(flag),
        }
    }
}

/// One thing that is wrong, where, and how to mend it, in one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{origin}: {message}")]
pub struct ConfigError {
    /// The place.
    pub origin: Origin,
    /// What, and how to mend it.
    pub message: String,
}

impl ConfigError {
    pub(super) fn new(origin: Origin, message: impl Into<String>) -> Self {
        Self {
            origin,
            message: message.into(),
        }
    }
}

/// ", did you mean `burst`?" when one of the candidates is near, else nothing.
pub(super) fn suggestion(given: &str, candidates: impl IntoIterator<Item = String>) -> String {
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(given, &candidate), candidate))
        .filter(|(distance, candidate)| distance * 3 <= candidate.len().max(3))
        .min()
        .map_or_else(String::new, |(_, candidate)| {
            format!("; did you mean {candidate}?")
        })
}

/// A value as its source has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Raw {
    /// A word of the command line or the environment, which has no kinds.
    Word(String),
    Text(String),
    Integer(i128),
    Bool(bool),
}

impl fmt::Display for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(text) | Self::Text(text) => write!(f, "{text:?}"),
            Self::Integer(number) => number.fmt(f),
            Self::Bool(truth) => truth.fmt(f),
        }
    }
}

#[derive(Clone, Debug)]
struct Setting {
    value: Raw,
    origin: Origin,
}

/// The values of one source, or of several laid over each other: every key is optional.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer(BTreeMap<&'static str, Setting>);

impl Layer {
    pub(super) fn set(&mut self, key: &'static Key, value: Raw, origin: Origin) {
        self.0.insert(key.path, Setting { value, origin });
    }

    /// Lays another over this one: its values win.
    pub(super) fn lay(&mut self, above: Self) {
        self.0.extend(above.0);
    }

    /// Where the value of a key came from.
    pub(super) fn origin(&self, path: &str) -> Origin {
        self.0
            .get(path)
            .map_or(Origin::Default, |setting| setting.origin.clone())
    }

    /// The value of a key, or its default where nobody set it.
    pub(super) fn read<T: Value>(&self, key: &Key, default: T) -> Result<T, ConfigError> {
        match self.0.get(key.path) {
            None => Ok(default),
            Some(Setting { value, origin }) => T::read(value, key).map_err(|expected| {
                let message = match T::IS_SECRET {
                    true => format!("{} must be {expected}", key.path),
                    false => format!("{} is {value}, but must be {expected}", key.path),
                };
                ConfigError::new(origin.clone(), message)
            }),
        }
    }
}

/// A kind of value.
pub(super) trait Value: Sized {
    /// Whether a value can hold a password, so that none is repeated in an error, and [`Value::print`] leaves it out.
    const IS_SECRET: bool = false;

    /// Reads it; says in words what was expected when it is something else.
    fn read(raw: &Raw, key: &Key) -> Result<Self, String>;

    /// Prints it as TOML.
    fn print(&self) -> String;
}

/// The number, within the bounds of its key.
fn number(raw: &Raw, key: &Key) -> Result<u64, String> {
    let (low, high) = key.bounds.unwrap_or((0, u64::MAX));
    let given = match raw {
        Raw::Integer(given) => Some(*given),
        Raw::Word(word) => word.parse().ok(),
        Raw::Text(_) | Raw::Bool(_) => None,
    };
    given
        .and_then(|given| u64::try_from(given).ok())
        .filter(|given| (low..=high).contains(given))
        .ok_or_else(|| format!("a whole number from {low} to {high}"))
}

impl Value for u64 {
    fn read(raw: &Raw, key: &Key) -> Result<Self, String> {
        number(raw, key)
    }

    fn print(&self) -> String {
        self.to_string()
    }
}

impl Value for u32 {
    fn read(raw: &Raw, key: &Key) -> Result<Self, String> {
        let number = number(raw, key)?;
        Self::try_from(number).map_err(|_| format!("a whole number up to {}", Self::MAX))
    }

    fn print(&self) -> String {
        self.to_string()
    }
}

impl Value for Millis {
    fn read(raw: &Raw, key: &Key) -> Result<Self, String> {
        number(raw, key)
            .map(Self)
            .map_err(|expected| format!("{expected} (milliseconds)"))
    }

    fn print(&self) -> String {
        self.to_string()
    }
}

impl Value for bool {
    fn read(raw: &Raw, _: &Key) -> Result<Self, String> {
        let truth = match raw {
            Raw::Bool(truth) => Some(*truth),
            Raw::Word(word) => word.parse().ok(),
            Raw::Text(_) | Raw::Integer(_) => None,
        };
        truth.ok_or_else(|| "true or false".to_owned())
    }

    fn print(&self) -> String {
        self.to_string()
    }
}

/// The text of a word or string.
pub(super) fn text(raw: &Raw) -> Option<&str> {
    match raw {
        Raw::Word(text) | Raw::Text(text) => Some(text),
        Raw::Integer(_) | Raw::Bool(_) => None,
    }
}

/// A text as TOML.
pub(super) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

impl Value for SocketAddr {
    fn read(raw: &Raw, _: &Key) -> Result<Self, String> {
        text(raw)
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| "an address and a port such as 127.0.0.1:7310".to_owned())
    }

    fn print(&self) -> String {
        quoted(&self.to_string())
    }
}

impl Value for PathBuf {
    fn read(raw: &Raw, _: &Key) -> Result<Self, String> {
        text(raw)
            .filter(|text| !text.is_empty())
            .map(Self::from)
            .ok_or_else(|| "a path".to_owned())
    }

    fn print(&self) -> String {
        quoted(&self.to_string_lossy())
    }
}

/// What can be left out: an empty text is the same as nothing.
impl<T: Value> Value for Option<T> {
    const IS_SECRET: bool = T::IS_SECRET;

    fn read(raw: &Raw, key: &Key) -> Result<Self, String> {
        match text(raw) {
            Some("") => Ok(None),
            _ => T::read(raw, key).map(Some),
        }
    }

    fn print(&self) -> String {
        self.as_ref().map_or_else(|| quoted(""), T::print)
    }
}

/// A value out of a short list of words.
pub(super) trait Choice: Copy + PartialEq + 'static {
    /// Every word with its value.
    const ALL: &'static [(&'static str, Self)];
}

impl<T: Choice> Value for T {
    fn read(raw: &Raw, _: &Key) -> Result<Self, String> {
        text(raw)
            .and_then(|text| Self::ALL.iter().find(|(word, _)| *word == text))
            .map(|(_, choice)| *choice)
            .ok_or_else(|| {
                let words: Vec<_> = Self::ALL.iter().map(|(word, _)| *word).collect();
                format!("one of {}", words.join(", "))
            })
    }

    fn print(&self) -> String {
        let word = Self::ALL.iter().find(|(_, choice)| choice == self);
        quoted(word.map_or("", |(word, _)| word))
    }
}

/// Declares one section once: its struct, its defaults, its keys with their bounds, and how it is read and printed.
macro_rules! settings {
    (
        $(#[$about_section:meta])*
        pub struct $section:ident $prefix:literal {
            $( $(#[doc = $about:literal])+ $field:ident: $kind:ty = $default:expr $(, in $low:literal..=$high:expr)?, )*
        }
        sections { $($nested:ident: $nested_kind:ident),* }
    ) => {
        $(#[$about_section])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $section {
            $( $(#[doc = $about])+ pub $field: $kind, )*
            $( #[doc = concat!("The section `", stringify!($nested), "`.")] pub $nested: $nested_kind, )*
        }

        impl Default for $section {
            fn default() -> Self {
                Self { $( $field: $default, )* $( $nested: $nested_kind::default(), )* }
            }
        }

        impl $section {
            /// The keys of this section.
            pub const KEYS: &'static [Key] = &[$( Key {
                path: concat!($prefix, stringify!($field)),
                about: concat!($($about),+),
                bounds: settings!(@bounds $($low, $high)?),
            } ),*];

            pub(super) fn from_layer(layer: &Layer) -> Result<Self, ConfigError> {
                let mut keys = Self::KEYS.iter();
                $( let $field = layer.read(
                    keys.next().expect("one key stands in KEYS for each field"),
                    $default,
                )?; )*
                Ok(Self { $( $field, )* $( $nested: $nested_kind::from_layer(layer)?, )* })
            }

            pub(super) fn own_values(&self) -> Vec<(&'static Key, String)> {
                let printed = [$( $crate::config::setting::Value::print(&self.$field) ),*];
                Self::KEYS.iter().zip(printed).collect()
            }
        }
    };
    (@bounds) => { None };
    (@bounds $low:expr, $high:expr) => { Some(($low, $high)) };
}

pub(super) use settings;
