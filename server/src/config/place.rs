//! A store as it is named on the command line: where to copy it from, and where to.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::services::DatabaseUrl;

/// Where a store is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StorePlace {
    /// The data directory of an SQLite database.
    Directory(PathBuf),
    /// The address of a PostgreSQL database.
    Database(DatabaseUrl),
}

/// Why a text names no store. The text is not repeated: it can have a password.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected sqlite:DIR or postgres://USER@HOST:PORT/DATABASE")]
pub struct BadPlace;

impl FromStr for StorePlace {
    type Err = BadPlace;

    fn from_str(text: &str) -> Result<Self, BadPlace> {
        match text.strip_prefix("sqlite:") {
            Some("") => Err(BadPlace),
            Some(directory) => Ok(Self::Directory(directory.into())),
            None => DatabaseUrl::new(text).map(Self::Database).ok_or(BadPlace),
        }
    }
}

impl fmt::Display for StorePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(directory) => write!(f, "sqlite:{}", directory.display()),
            Self::Database(address) => address.fmt(f),
        }
    }
}

impl StorePlace {
    /// The same place from any working directory.
    #[must_use]
    pub fn absolute(&self) -> Self {
        match self {
            Self::Directory(directory) => {
                let absolute = std::path::absolute(directory);
                Self::Directory(absolute.unwrap_or_else(|_| directory.clone()))
            }
            Self::Database(_) => self.clone(),
        }
    }

    /// Whether both are kept by the same backend.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_directory_or_an_address_and_shows_no_password() {
        let place: StorePlace = "sqlite:/var/lib/grundy".parse().unwrap();
        assert_eq!(place.to_string(), "sqlite:/var/lib/grundy");
        let place: StorePlace = "postgres://ann:s3cret@db/games".parse().unwrap();
        assert_eq!(place.to_string(), "postgres://ann@db/games");
        assert!(!format!("{place:?}").contains("s3cret"));
        for bad in [
            "",
            "sqlite:",
            "/var/lib/grundy",
            "postgres://",
            "mysql://a@b/c",
        ] {
            assert_eq!(bad.parse::<StorePlace>(), Err(BadPlace), "{bad}");
        }
    }
}
