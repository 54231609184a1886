//! What is wrong with an export.

/// The first thing that is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub why: String,
}
