//! What another program can do to a file of the database while the server runs.

use std::fmt;

/// What happened to a file of the database, and not by this server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileChange {
    /// No file has its name any more: it was removed or renamed, or its directory was.
    Removed,
    /// Another file has its name.
    Replaced,
    /// It is shorter than the server left it.
    Truncated,
    /// Another program wrote to it.
    Written,
    /// The system does not let the server look at it.
    Hidden,
}

impl fmt::Display for FileChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Removed => "was removed or renamed",
            Self::Replaced => "was replaced by another file",
            Self::Truncated => "was truncated",
            Self::Written => "was changed by another program",
            Self::Hidden => "cannot be looked at any more",
        })
    }
}
