//! What the errors of PostgreSQL mean for the store (<https://www.postgresql.org/docs/15/errcodes-appendix.html>).

use crate::store::StoreError;

/// Why something was not done.
#[derive(Debug)]
pub(super) enum Fault {
    /// What the database or the way to it said.
    Database(sqlx::Error),
    /// What the store says itself.
    Store(StoreError),
}

impl From<sqlx::Error> for Fault {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Fault {
    /// What is asked for took too long, and the connection is no longer used.
    pub(super) fn late() -> Self {
        let late = std::io::Error::new(std::io::ErrorKind::TimedOut, "no answer in time");
        Self::Database(sqlx::Error::Io(late))
    }

    fn code(&self) -> Option<String> {
        match self {
            Self::Database(error) => Some(error.as_database_error()?.code()?.into_owned()),
            Self::Store(_) => None,
        }
    }

    /// Whether the connection is gone: the statement before may have been done or not.
    pub(super) fn is_lost(&self) -> bool {
        match self.code().as_deref() {
            // The session was ended: by an operator, a stop, a crash, or because it was silent in a transaction.
            Some("57P01" | "57P02" | "57P03" | "57P05" | "25P03") => true,
            Some(code) => code.starts_with("08"),
            None => matches!(
                self,
                Self::Database(
                    sqlx::Error::Io(_)
                        | sqlx::Error::Tls(_)
                        | sqlx::Error::Protocol(_)
                        | sqlx::Error::WorkerCrashed
                )
            ),
        }
    }

    /// Whether the transaction lost against another and can be tried again at once: a deadlock, or a row that was there first.
    pub(super) fn is_rivalry(&self) -> bool {
        matches!(self.code().as_deref(), Some("40001" | "40P01" | "23505"))
    }

    /// Whether a lock was waited for in vain: somebody else has it for long.
    pub(super) fn is_lock_timeout(&self) -> bool {
        self.code().as_deref() == Some("55P03")
    }

    /// Whether the database has as many connections as it allows.
    pub(super) fn is_full(&self) -> bool {
        self.code().as_deref() == Some("53300")
    }

    /// Whether a value of one commit is at fault, which harms the others of its batch: a text that the database cannot hold.
    pub(super) fn is_of_value(&self) -> bool {
        let code = self.code().unwrap_or_default();
        ["22", "23", "54"]
            .iter()
            .any(|class| code.starts_with(class))
    }

    /// What it means.
    pub(super) fn into_error(self) -> StoreError {
        let lost = self.is_lost();
        let (error, code) = match self {
            Self::Store(error) => return error,
            Self::Database(error) => {
                let code = error.as_database_error().and_then(|error| error.code());
                let code = code.map(std::borrow::Cow::into_owned);
                (error, code.unwrap_or_default())
            }
        };
        // The message alone: details can contain values.
        let why = match error.as_database_error() {
            Some(error) => error.message().to_owned(),
            None => error.to_string(),
        };
        match (code.as_str(), &error) {
            (_, sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_)) => {
                StoreError::Corrupt { why }
            }
            ("57014", _) => StoreError::Busy {
                why: "the database took longer than five seconds".to_owned(),
            },
            ("55P03" | "53300" | "53200" | "40001" | "40P01", _) => StoreError::Busy { why },
            ("25006" | "53100" | "53400", _) => StoreError::ReadOnly { why },
            ("42501", _) => StoreError::ReadOnly {
                why: format!(
                    "{why}; grant the role its rights (grundy-server migrate --grant ROLE, as the owner)"
                ),
            },
            (code, _) if code.starts_with("XX") => StoreError::Corrupt { why },
            (code, _)
                if ["22", "23", "54"]
                    .iter()
                    .any(|class| code.starts_with(class)) =>
            {
                StoreError::Corrupt {
                    why: format!("the database refuses a value: {why}"),
                }
            }
            _ if lost => StoreError::Busy {
                why: format!("the database cannot be reached: {why}"),
            },
            _ => StoreError::Failed { why },
        }
    }
}
