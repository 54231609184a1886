//! Why a run gave no figures, and the exit code for it.

use grundy_words::Message;

use super::wire::LinkError;
use crate::misread::Misread;

/// Why a run gave no figures.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadError {
    /// What was asked for cannot be.
    #[error("{0}")]
    Usage(Misread),
    /// Nobody there.
    #[error("{0}")]
    Unreachable(String),
    /// The server's limits are those of everyday use.
    #[error(
        "the server's limits are too low for this run ({0}); start it with: grundy-server --profile load"
    )]
    Limits(String),
    /// Anything else.
    #[error("{0}")]
    Failed(String),
    /// Stopped by the user.
    #[error("interrupted")]
    Interrupted,
}

impl LoadError {
    pub(super) fn limits(what: &str) -> Self {
        Self::Limits(what.to_owned())
    }

    /// As a message. What broke down stands only in the English one.
    pub(crate) fn message(&self) -> Message {
        let kind = match self {
            Self::Usage(Misread(message)) => return message.clone(),
            Self::Unreachable(_) => "unreachable",
            Self::Limits(_) => "limits",
            Self::Failed(_) => "failed",
            Self::Interrupted => "interrupted",
        };
        Message::new("load-error")
            .text("kind", kind)
            .text("said", self)
    }

    /// The exit code.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Unreachable(_) => 5,
            Self::Limits(_) => 7,
            Self::Failed(_) => 1,
            Self::Interrupted => 130,
        }
    }
}

impl From<LinkError> for LoadError {
    fn from(error: LinkError) -> Self {
        match error {
            LinkError::Refused { code, message, .. }
                if matches!(&*code, "rate_limited" | "too_many") =>
            {
                Self::Limits(message)
            }
            LinkError::Lost(why) => Self::Unreachable(why),
            other => Self::Failed(other.to_string()),
        }
    }
}
