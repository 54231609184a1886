//! Why a certificate is not accepted.

use crate::theory::Stopped;

/// What kind of refusal it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It is not a certificate of this version.
    Unreadable,
    /// It does not prove what it claims.
    Unproved,
    /// Checking it takes more work than was granted.
    Costly,
}

/// Why a certificate is not accepted, and where the fault is.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {message}")]
pub struct Refusal {
    /// The kind.
    pub fault: Fault,
    /// The place in the certificate, such as `proof.values.parts[3].options[1]`.
    pub place: String,
    /// One sentence for people.
    pub message: String,
}

/// A step of the verification; a claim that does not hold is refused with its place.
pub(super) type Checked<T> = Result<T, Refusal>;

/// The claim at this place does not hold.
pub(super) fn unproved<T>(place: impl Into<String>, message: impl Into<String>) -> Checked<T> {
    Err(Refusal {
        fault: Fault::Unproved,
        place: place.into(),
        message: message.into(),
    })
}

/// Quotes a text of the certificate, which may be long.
pub(super) fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("'{}...'", &text[..cut]),
        None => format!("'{text}'"),
    }
}

impl From<Stopped> for Refusal {
    fn from(_: Stopped) -> Self {
        Self {
            fault: Fault::Costly,
            place: "proof".to_owned(),
            message: "checking it takes more work than the verifier allows".to_owned(),
        }
    }
}
