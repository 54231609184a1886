//! A backup as files: a directory with a copy of the database and a manifest that says what the copy holds. A directory appears under its name
//! only when it is complete and on the disk.

pub mod digest;
pub mod manifest;
pub mod staging;

/// The copy of the database in such a directory.
pub const DATABASE: &str = "grundy.db";
/// The manifest beside it.
pub const MANIFEST: &str = "backup.json";
