//! Why a figure of an arena is not known.

use grundy_shared::statistics::Undetermined;
use grundy_words::Message;
use serde::{Serialize, Serializer};

use crate::render::figures::undetermined;

/// Why there is no accuracy or trickiness, and why it is not known whether a pair is sound.
pub(super) const NOT_ASKED: &str = "the solver was not asked (--no-accuracy)";

/// Why a figure is not known. Programs get its English words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OpenFigure {
    /// The results do not determine it.
    Undetermined(Undetermined),
    /// No pair has been played to its end.
    NoPair,
    /// The solver was not asked.
    NotAsked,
}

impl OpenFigure {
    /// In English.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Undetermined(why) => why.as_str(),
            Self::NoPair => "no pair is complete",
            Self::NotAsked => NOT_ASKED,
        }
    }

    /// The message that says it; `None` for what the table shows already.
    pub(crate) fn message(self) -> Option<Message> {
        let why = match self {
            Self::Undetermined(why) => undetermined(why),
            Self::NoPair => Message::new("arena-no-pair"),
            Self::NotAsked => return None,
        };
        Some(Message::new("arena-open-figure").message("why", why))
    }
}

impl Serialize for OpenFigure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
