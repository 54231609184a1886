//! Reasons as a client gets them: with sentences in its language, as far as these fit one message.

use grundy_shared::protocol::ErrorBody;
use grundy_shared::solver::Reasons;
use grundy_words::{Language, reason};
use serde_json::value::{RawValue, to_raw_value};

use super::answers::too_large;
use crate::matches::refusal;

/// The reasons as JSON of at most so many bytes. The sentences are left out if they do not fit with the facts.
///
/// # Errors
/// The facts alone are more.
pub(super) fn reasons(
    mut found: Reasons,
    language: Language,
    room: usize,
) -> Result<Box<RawValue>, ErrorBody> {
    found.lines = reason::lines(&found, language);
    loop {
        let text = to_raw_value(&found).map_err(|_| refusal::internal())?;
        if text.get().len() <= room {
            return Ok(text);
        }
        if found.lines.is_empty() {
            return Err(too_large("the reasons do not fit one message"));
        }
        found.lines.clear();
    }
}
