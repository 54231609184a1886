//! Errors of the operating system, which has its own words for them in English only.

use std::io::{self, ErrorKind};

use grundy_words::Message;

/// What the system says; in other languages the kind of the error chooses the sentence.
pub(crate) fn said(error: &io::Error) -> Message {
    with(error, &error.to_string())
}

/// The same without the number of the error, which helps nobody who reads its words.
pub(crate) fn briefly(error: &io::Error) -> Message {
    let words = error.to_string();
    let words = words.split(" (os error ").next().unwrap_or(&words);
    with(error, words)
}

fn with(error: &io::Error, words: &str) -> Message {
    Message::new("system")
        .text("kind", kind(error.kind()))
        .text("said", words)
}

/// The name of a kind in messages.
fn kind(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::NotFound => "not-found",
        ErrorKind::PermissionDenied => "denied",
        ErrorKind::AlreadyExists => "exists",
        ErrorKind::IsADirectory => "directory",
        ErrorKind::NotADirectory => "no-directory",
        ErrorKind::ReadOnlyFilesystem => "read-only",
        ErrorKind::StorageFull => "full",
        ErrorKind::FileTooLarge => "too-large",
        ErrorKind::QuotaExceeded => "quota",
        ErrorKind::InvalidData => "invalid",
        ErrorKind::UnexpectedEof => "ended",
        ErrorKind::Interrupted => "interrupted",
        ErrorKind::ConnectionRefused => "refused",
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => "reset",
        ErrorKind::TimedOut => "slow",
        _ => "other",
    }
}
