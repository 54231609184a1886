//! What a backup holds, as a file beside it: enough to verify it later, without the server that it was made from.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use grundy_shared::ids::Millis;
use serde::{Deserialize, Serialize};

use super::MANIFEST;

/// The form of the file.
pub const SCHEMA: &str = "grundy/backup/1";
/// A manifest is much shorter, in bytes.
const LONGEST: u64 = 64 << 10;

/// What a backup holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// [`SCHEMA`].
    pub schema: String,
    /// When the copy was begun: it holds everything that was acknowledged before.
    pub made_at: Millis,
    /// The version of the program that made it.
    pub program: String,
    /// The schema of the database.
    pub database_schema: i64,
    /// The size of the database.
    pub bytes: u64,
    /// The SHA-256 of the database in hexadecimal.
    pub sha256: String,
    /// The logs in it; `None` if the program that made the backup does not read the schema of the database.
    pub logs: Option<Logs>,
}

/// The logs of a database.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Logs {
    /// Matches.
    pub matches: u64,
    /// Logs of tournaments, accounts, ratings and chat.
    pub other_logs: u64,
    /// Events in all of them.
    pub events: u64,
    /// A digest over the ends of all logs: equal for two databases only if they hold the same logs.
    pub head: String,
    /// When the last event of a match happened.
    pub last_event_at: Option<Millis>,
}

impl Manifest {
    /// Reads the manifest of a backup.
    ///
    /// # Errors
    /// `NotFound` if the directory has none; `InvalidData` if it is not one of this form.
    pub fn read(directory: &Path) -> io::Result<Self> {
        use std::io::Read;

        let mut text = String::new();
        let file = File::open(directory.join(MANIFEST))?;
        file.take(LONGEST).read_to_string(&mut text)?;
        let manifest: Self = serde_json::from_str(&text)?;
        if manifest.schema == SCHEMA {
            Ok(manifest)
        } else {
            let why = format!("its schema is {:?}, not {SCHEMA:?}", manifest.schema);
            Err(io::Error::new(io::ErrorKind::InvalidData, why))
        }
    }

    /// Writes it into a directory that has none, and flushes it.
    ///
    /// # Errors
    /// The file cannot be written, or exists.
    pub fn write(&self, directory: &Path) -> io::Result<()> {
        let mut file = File::create_new(directory.join(MANIFEST))?;
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        file.write_all(&text)?;
        file.sync_all()
    }
}
