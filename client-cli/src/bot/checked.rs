//! How a check of a bot went.

use grundy_words::{Catalogue, Language, Message};
use serde::{Serialize, Serializer};

/// How one check went.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Checked {
    pub(crate) name: &'static str,
    /// What the check asks for.
    pub(crate) about: &'static str,
    pub(crate) passed: bool,
    /// What was wrong, or a figure.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "in_english")]
    pub(crate) detail: Option<Message>,
    /// The last lines of the conversation, `>` to the bot and `<` from it, if the check failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) lines: Vec<String>,
}

/// JSON is the same in every language.
#[expect(clippy::ref_option, reason = "the form that serde calls")]
fn in_english<S: Serializer>(detail: &Option<Message>, serializer: S) -> Result<S::Ok, S::Error> {
    let english = detail
        .as_ref()
        .map(|detail| detail.said(Catalogue::of(Language::English)));
    english.serialize(serializer)
}

/// A figure that is the same in every language.
#[expect(clippy::unnecessary_wraps, reason = "a check may find no figure")]
pub(crate) fn figure(figure: impl ToString) -> Option<Message> {
    Some(Message::new("check-figure").text("figure", figure))
}

/// What a check found: a figure, if there is one, or what was wrong.
pub(crate) type Found = Result<Option<Message>, Message>;

impl Checked {
    /// From what the check found: a figure, or what was wrong. `lines` are asked for if it failed.
    pub(crate) fn of(
        (name, about): (&'static str, &'static str),
        found: Found,
        lines: impl FnOnce() -> Vec<String>,
    ) -> Self {
        let (passed, detail, lines) = match found {
            Ok(figure) => (true, figure, Vec::new()),
            Err(why) => (false, Some(why), lines()),
        };
        Self {
            name,
            about,
            passed,
            detail,
            lines,
        }
    }
}
