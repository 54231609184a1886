//! How a check of a bot went.

use serde::Serialize;

/// How one check went.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Checked {
    pub(crate) name: &'static str,
    /// What the check asks for.
    pub(crate) about: &'static str,
    pub(crate) passed: bool,
    /// What was wrong, or a figure.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) detail: String,
    /// The last lines of the conversation, `>` to the bot and `<` from it, if the check failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) lines: Vec<String>,
}

impl Checked {
    /// From what the check found: a figure, or what was wrong. `lines` are asked for if it failed.
    pub(crate) fn of(
        (name, about): (&'static str, &'static str),
        found: Result<String, String>,
        lines: impl FnOnce() -> Vec<String>,
    ) -> Self {
        let (passed, detail, lines) = match found {
            Ok(figure) => (true, figure, Vec::new()),
            Err(why) => (false, why, lines()),
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
