//! How the process ends: a code for scripts, and one line for people.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::Path;

use crate::config::ConfigError;
use crate::store::StoreError;

/// How the store names an address that cannot be read.
const ADDRESS: &str = "the address of the database";

/// Declares the codes once: variant, number, meaning.
macro_rules! exits {
    ($($variant:ident $code:literal $meaning:literal)*) => {
        /// The exit codes of `grundy-server`. A number never changes its meaning.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Exit {
            $(
                #[doc = $meaning]
                $variant = $code,
            )*
        }

        impl Exit {
            /// Every code, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// What it means.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning),* }
            }
        }
    };
}

exits! {
    Clean 0 "Stopped as told; or the answer of `health`, `fsck` or `--check-config` is good, or `export`, `backup`, `restore`, `migrate` or `migrate-store` is complete, or `admin` has done what was asked."
    Failed 1 "Stopped because something failed while it ran, or the output of `export`, `backup` or `restore` cannot be written; the last line says what."
    Configuration 2 "A flag, a variable, the file, an id or a directory is wrong; the line says which, where, and how to fix it."
    Store 3 "The database or the clock of the machine cannot be used, `fsck` has findings, a log to `export` is damaged, or a backup is."
    InUse 4 "The address or the database is in use by another process."
    NotReady 5 "`health`: no server answers there, or it is not ready. `admin`: no server runs on this data directory."
    Refused 6 "`admin`: the server refused the request, or this user may not make it. The line says why."
}

impl Exit {
    /// The number that the process ends with.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// Why the process ends otherwise than cleanly: what, where, and how to mend it, in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The code.
    pub exit: Exit,
    /// The line.
    pub message: String,
}

impl Failure {
    /// A failure in words.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            exit,
            message: message.into(),
        }
    }

    /// The address cannot be listened on.
    #[must_use]
    pub fn listening(address: SocketAddr, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::AddrInUse => Self::new(
                Exit::InUse,
                format!(
                    "{address} is in use by another program; stop it, or choose another address with --listen"
                ),
            ),
            _ => Self::new(
                Exit::Configuration,
                format!(
                    "cannot listen on {address}: {error}; choose another address with --listen"
                ),
            ),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::new(Exit::Configuration, error.to_string())
    }
}

/// Whether this is the address of a database, and no file.
fn is_address(path: &Path) -> bool {
    path.to_str()
        .is_some_and(|text| text.starts_with("postgres://") || text == ADDRESS)
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let (exit, remedy) = match &error {
            StoreError::InUse { .. } => (
                Exit::InUse,
                "; stop it, or choose another directory with --data",
            ),
            // Their words say what to do.
            StoreError::NotOurs { path, .. } | StoreError::Unusable { path, .. }
                if is_address(path) =>
            {
                (Exit::Store, "")
            }
            StoreError::NotOurs { .. } | StoreError::Unusable { .. } => {
                (Exit::Store, "; choose another directory with --data")
            }
            StoreError::Corrupt { .. } => (
                Exit::Store,
                "; restore a backup (docs/OPERATIONS.md, \"Restore\")",
            ),
            // Their words say what to do.
            StoreError::Newer { .. }
            | StoreError::Unsafe { .. }
            | StoreError::Moved { .. }
            | StoreError::NoRoom { .. }
            | StoreError::Lost { .. }
            | StoreError::FileChanged { .. }
            | StoreError::ReadOnly { .. }
            | StoreError::Busy { .. }
            | StoreError::Failed { .. }
            | StoreError::BadCursor
            | StoreError::Fenced
            | StoreError::Closed => (Exit::Store, ""),
        };
        Self::new(exit, format!("{error}{remedy}"))
    }
}
