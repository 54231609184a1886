//! Where the database is: the address as it was given, and as it may be shown.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::ConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgSslMode};

use crate::store::StoreError;

/// The schemes of an address.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// The schema in which all tables are. No other is searched, so that nobody who may create objects elsewhere takes the place of a table.
pub(super) const SCHEMA: &str = "grundy";

/// What an address looks like that cannot be read.
const ESCAPE: &str = "expected postgres://USER:PASSWORD@HOST:PORT/DATABASE; escape special characters of the password: %40 for @, %2F for /, %23 for #, %25 for %, %3F for ?, %3A for :, or leave it out and set PGPASSWORD";

/// Times after which the server gives up, in milliseconds. A statement is canceled after the first, a wait for a lock after the second, and a transaction
/// whose program is silent after the third: others wait for the locks of a server that is frozen, and must not seem dead for it.
const LIMITS: [(&str, &str); 3] = [
    ("statement_timeout", "5000"),
    ("lock_timeout", "4000"),
    ("idle_in_transaction_session_timeout", "1000"),
];

/// Times after which PostgreSQL gives up a server that it does not hear any more, in seconds, one number of attempts, and milliseconds. One whose machine is gone
/// would keep its sessions, of which there are few, for hours: nobody closes them.
const SIGNS_OF_LIFE: [(&str, &str); 4] = [
    ("tcp_keepalives_idle", "5"),
    ("tcp_keepalives_interval", "2"),
    ("tcp_keepalives_count", "3"),
    ("tcp_user_timeout", "11000"),
];

/// A parameter of libpq that chooses among several hosts.
const SEVERAL: &str = "target_session_attrs";
/// The parameters that an address may have.
const PARAMETERS: [&str; 7] = [
    "host",
    "port",
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "password",
];

/// The address of a database. It is shown without its password and without its parameters.
#[derive(Clone)]
pub struct Address {
    options: PgConnectOptions,
    shown: String,
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl Address {
    /// Whether a location is the address of a PostgreSQL database.
    #[must_use]
    pub fn is_meant_by(location: &Path) -> bool {
        let text = location.to_str().unwrap_or_default();
        SCHEMES.iter().any(|scheme| text.starts_with(scheme))
    }

    /// Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full&sslrootcert=FILE`. The parameters are those of libpq: `host` may be the directory of a socket. Without
    /// `sslmode`, a connection over TCP must be encrypted; anything less has to be asked for.
    ///
    /// # Errors
    /// `Unusable`, if it is not such an address. The error does not repeat it.
    pub fn read(text: &str) -> Result<Self, StoreError> {
        let unusable = |why: &str| StoreError::Unusable {
            path: PathBuf::from("the address of the database"),
            why: why.to_owned(),
        };
        let scheme = SCHEMES.iter().find(|scheme| text.starts_with(*scheme));
        let scheme = scheme.ok_or_else(|| unusable("it does not begin with postgres://"))?;
        let parameters = text[scheme.len()..].split_once('?');
        let parameters = parameters
            .map_or("", |(_, parameters)| parameters)
            .split('&');
        let names: Vec<&str> = parameters
            .filter_map(|one| one.split('=').next().filter(|name| !name.is_empty()))
            .collect();
        // An unknown one would be ignored, and logged with its value.
        let known = |name: &&str| PARAMETERS.contains(name) || *name == SEVERAL;
        if !names.iter().all(known) {
            return Err(unusable(&format!(
                "it has a parameter that is not one of {}",
                PARAMETERS.join(", ")
            )));
        }
        // Of a password that is not escaped, the rest would be taken for the host or the database, and be shown.
        let rest = &text[scheme.len()..];
        let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let path = path.split('?').next().unwrap_or_default();
        if rest.contains('#') || path.contains('@') || host.matches('@').count() > 1 {
            return Err(unusable(ESCAPE));
        }
        if host.contains(',') || names.contains(&SEVERAL) {
            return Err(unusable(
                "it names several hosts; name one that always leads to the primary: a virtual IP address, a DNS name or a proxy such as HAProxy or PgBouncer moves with it",
            ));
        }
        // What sqlx says can contain a part of the address, and with it of the password.
        let options = PgConnectOptions::from_str(text).map_err(|_| unusable(ESCAPE))?;
        if options.get_database().is_none_or(str::is_empty) {
            return Err(unusable("it names no database"));
        }
        let options = match names.contains(&"sslmode") || is_local(&options) {
            true => options,
            false => options.ssl_mode(PgSslMode::Require),
        };
        let host = match options.get_socket() {
            Some(socket) => socket.display().to_string(),
            None => options.get_host().to_owned(),
        };
        let shown = format!(
            "postgres://{}@{host}:{}/{}",
            options.get_username(),
            options.get_port(),
            options.get_database().unwrap_or_default()
        );
        let options = options
            .options(LIMITS)
            .options(SIGNS_OF_LIFE)
            .options([("search_path", SCHEMA), ("TimeZone", "UTC")])
            .application_name("grundy-server")
            .statement_cache_capacity(200)
            .disable_statement_logging();
        Ok(Self { options, shown })
    }

    /// How to connect.
    pub(super) fn options(&self) -> &PgConnectOptions {
        &self.options
    }

    /// The name of the role that connects.
    pub(super) fn role(&self) -> &str {
        self.options.get_username()
    }

    /// As the place in errors that name a file.
    pub(super) fn place(&self) -> PathBuf {
        PathBuf::from(&self.shown)
    }
}

/// Whether nothing leaves this machine.
fn is_local(options: &PgConnectOptions) -> bool {
    options.get_socket().is_some()
        || ["localhost", "127.0.0.1", "::1", "[::1]"].contains(&options.get_host())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_never_shown() {
        let address = Address::read("postgres://ann:s3cret@db.example:5433/games").unwrap();
        assert_eq!(address.to_string(), "postgres://ann@db.example:5433/games");
        assert_eq!(format!("{address:?}"), address.to_string());
        for bad in [
            "postgres://ann:s3cret@/",
            "postgres://ann:s3cret@db:port/x",
            "postgres://ann:s3cret@db/x?sslmode=s3cret",
            "postgres://ann@db/x?passwrod=s3cret",
            "postgres://ann:p@ss/w:s3cret@db/x",
            "postgres://ann:p@s3cret@db/x",
            "postgres://ann:p#s3cret@db/x",
            "postgres://ann:1/s3cret@db/x",
            "mysql://ann:s3cret@db/x",
        ] {
            let error = Address::read(bad).unwrap_err().to_string();
            assert!(!error.contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn an_address_names_one_host() {
        for several in [
            "postgres://ann:s3cret@a.example,b.example/x",
            "postgres://ann:s3cret@a.example:5432,b.example:5432/x",
            "postgres://ann:s3cret@a.example/x?target_session_attrs=primary",
        ] {
            let error = Address::read(several).unwrap_err().to_string();
            assert!(error.contains("several hosts"), "{error}");
            assert!(!error.contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn what_leaves_the_machine_is_encrypted_unless_the_address_says_otherwise() {
        for (text, mode) in [
            ("postgres://a@db.example/x", PgSslMode::Require),
            ("postgres://a@localhost/x", PgSslMode::Prefer),
            (
                "postgres://a@db.example/x?sslmode=disable",
                PgSslMode::Disable,
            ),
            (
                "postgres://a@db.example/x?sslmode=verify-full",
                PgSslMode::VerifyFull,
            ),
        ] {
            let found = Address::read(text).unwrap().options.get_ssl_mode();
            assert_eq!(format!("{found:?}"), format!("{mode:?}"), "{text}");
        }
    }
}
