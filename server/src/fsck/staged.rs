//! A PostgreSQL database as an SQLite file of its own, which is checked as any other; see docs/decisions/0064.
//!
//! It is read in one transaction, beside the servers that use it. What only PostgreSQL keeps is checked meanwhile: the end of each log, and what is counted.

use std::path::{Path, PathBuf};

use super::report::{Problem, Report};
use super::scratch::Scratch;
use crate::store::copying::transfer::copy_all;
use crate::store::copying::{Flaw, room};
use crate::store::{StoreError, open};

/// The file in the directory that is made for it.
const FILE: &str = "grundy.db";

/// A database that was read. The file goes with this.
pub(super) struct Staged {
    directory: Scratch,
    flaws: Vec<Flaw>,
}

impl Staged {
    /// Reads the database at this address. Needs as much space in the directory for temporary files (`TMPDIR`) as the tables of the database.
    ///
    /// # Errors
    /// It cannot be reached, is not ours or of another schema, or holds what cannot be copied; or there is no space for the file.
    pub(super) async fn read(location: &Path) -> Result<Self, StoreError> {
        let mut source = open::source(location).await?;
        let above = std::env::temp_dir();
        let cannot = |why: String| StoreError::NoRoom {
            why: format!(
                "fsck cannot copy the database into a temporary file in {}: {why}; name another directory: TMPDIR=/var/tmp",
                above.display()
            ),
        };
        let directory = Scratch::begin(&above).map_err(|error| cannot(error.to_string()))?;
        room::check(
            &above,
            source.size().await?,
            "name a directory with more: TMPDIR=/var/tmp",
        )?;
        let of_file = |error| match error {
            StoreError::ReadOnly { why } | StoreError::Unusable { why, .. } => cannot(why),
            error => error,
        };
        let target = open::scratch(&directory.path().join(FILE)).await;
        let copied = copy_all(&mut *source, target.map_err(of_file)?, &mut |_| ()).await;
        copied.map_err(of_file)?;
        let flaws = source.flaws().await?;
        Ok(Self { directory, flaws })
    }

    /// The file.
    pub(super) fn path(&self) -> PathBuf {
        self.directory.path().join(FILE)
    }

    /// Adds what was found while it was read.
    pub(super) fn note(self, report: &mut Report) {
        for flaw in self.flaws {
            let (log, problem) = match flaw {
                Flaw::WrongEnd(log) => (Some(log), Problem::BrokenChain {}),
                Flaw::Orphan(table) => {
                    let table = table.to_owned();
                    (None, Problem::Orphan { table })
                }
                Flaw::WrongCount {
                    what,
                    stored,
                    found,
                } => {
                    let what = what.to_owned();
                    let problem = Problem::WrongCount {
                        what,
                        stored,
                        found,
                    };
                    (None, problem)
                }
            };
            report.find_in(log, None, problem);
        }
    }
}
