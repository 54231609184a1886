//! What an operator allows for one start.

/// What an operator allows for one start; nothing by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Allowances {
    /// Begin with an empty database although an earlier run is known. Refused where there is a database.
    pub new: bool,
    /// Use the files as they are although the last commits may be missing.
    pub loss: bool,
    /// Upgrade an older database without keeping a copy of it.
    pub upgrade_without_copy: bool,
}
