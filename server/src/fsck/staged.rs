//! A PostgreSQL database as an SQLite file of its own, which is checked as any other; see docs/decisions/0064.
//!
//! It is read in one transaction, beside the servers that use it. What only PostgreSQL keeps is checked meanwhile: the end of each log, and what is counted.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::report::{Problem, Report};
use crate::store::copying::Flaw;
use crate::store::copying::transfer::copy_all;
use crate::store::{StoreError, open};

/// The file in the directory that is made for it.
const FILE: &str = "grundy.db";

/// A database that was read. The file goes with this.
pub(super) struct Staged {
    directory: TempDir,
    flaws: Vec<Flaw>,
}

impl Staged {
    /// Reads the database at this address. Needs as much space in the directory for temporary files (`TMPDIR`) as the database has records.
    ///
    /// # Errors
    /// It cannot be reached, is not ours or of another schema, or holds what cannot be copied; or there is no space for the file.
    pub(super) async fn read(location: &Path) -> Result<Self, StoreError> {
        let mut source = open::source(location).await?;
        let directory = tempfile::Builder::new().prefix("grundy-fsck-").tempdir();
        let directory = directory.map_err(|error| StoreError::Unusable {
            path: std::env::temp_dir(),
            why: format!("no directory for temporary files: {error}; name another one in TMPDIR"),
        })?;
        let target = open::scratch(&directory.path().join(FILE)).await?;
        copy_all(&mut *source, target, &mut |_| ()).await?;
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
