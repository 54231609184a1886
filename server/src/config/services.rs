//! Addresses of other services, which can hold a password, and the name of this server among those that share a store.

use std::fmt;

use super::setting::{Key, Raw, Value, quoted, text};

/// The longest name of a node.
const NODE_NAME_MAX: usize = 64;

/// How the address of a PostgreSQL database begins.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// The address of a PostgreSQL database. Its password is shown nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

/// The address of a NATS server. Its password is shown nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct BusUrl(String);

/// The name of a server among those that share a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeName(String);

impl DatabaseUrl {
    /// The address, if it is one of PostgreSQL.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let mut rest = SCHEMES
            .iter()
            .filter_map(|scheme| text.strip_prefix(scheme));
        rest.next().filter(|rest| !rest.is_empty())?;
        Some(Self(text.to_owned()))
    }

    /// The address with its password: for connecting only.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl BusUrl {
    /// The address with its password: for connecting only.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl NodeName {
    /// The name, if it can be one.
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        let lawful = |c: char| {
            c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '[' | ']' | '/')
        };
        let fits = (1..=NODE_NAME_MAX).contains(&name.len()) && name.chars().all(lawful);
        fits.then(|| Self(name.to_owned()))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether the name of a user may be shown: NATS takes a token in its place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum User {
    Shown,
    Secret,
}

/// An address without its password and without its parameters, of which one can be a password.
fn without_password(url: &str, user: User) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    // A password that is not escaped can have these, too.
    let place = rest.rfind('@').map_or(0, |at| at + 1);
    let end = rest[place..].find(['?', '#']);
    let rest = &rest[..end.map_or(rest.len(), |end| place + end)];
    // A password that is not escaped can have an `@`, so the last one counts.
    let shown = match rest.rsplit_once('@') {
        Some((name, place)) if user == User::Shown => {
            let name = name.split(':').next().unwrap_or_default();
            format!("{name}@{place}")
        }
        Some((_, place)) => place.to_owned(),
        None => rest.to_owned(),
    };
    format!("{scheme}://{shown}")
}

/// The text, if it begins with one of these schemes and names something.
fn with_scheme(raw: &Raw, schemes: &[&str]) -> Option<String> {
    let text = text(raw)?;
    let rest = schemes
        .iter()
        .find_map(|scheme| text.strip_prefix(scheme))?;
    (!rest.is_empty()).then(|| text.to_owned())
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_password(&self.0, User::Shown))
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for BusUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_password(&self.0, User::Secret))
    }
}

impl fmt::Debug for BusUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Value for DatabaseUrl {
    const IS_SECRET: bool = true;

    fn read(raw: &Raw, _: &Key) -> Result<Self, String> {
        text(raw)
            .and_then(Self::new)
            .ok_or_else(|| "an address such as postgres://USER@HOST:5432/DATABASE".to_owned())
    }

    fn print(&self) -> String {
        quoted(&self.to_string())
    }
}

impl Value for BusUrl {
    const IS_SECRET: bool = true;

    fn read(raw: &Raw, _: &Key) -> Result<Self, String> {
        let url = with_scheme(raw, &["nats://", "tls://"]);
        url.map(Self)
            .ok_or_else(|| "an address such as nats://HOST:4222, or tls://HOST:4222".to_owned())
    }

    fn print(&self) -> String {
        quoted(&self.to_string())
    }
}

impl Value for NodeName {
    fn read(raw: &Raw, _: &Key) -> Result<Self, String> {
        text(raw)
            .and_then(Self::new)
            .ok_or_else(|| format!("a name of at most {NODE_NAME_MAX} letters, digits and -_.:[]/"))
    }

    fn print(&self) -> String {
        quoted(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_what_is_secret() {
        for (url, shown) in [
            (
                "postgres://ann:s3cret@db:5432/games",
                "postgres://ann@db:5432/games",
            ),
            (
                "postgres://ann:s3@cret@db/games?password=s3cret",
                "postgres://ann@db/games",
            ),
            ("postgres://db/games?password=s3cret", "postgres://db/games"),
        ] {
            assert_eq!(DatabaseUrl(url.to_owned()).to_string(), shown);
        }
        for url in ["nats://s3cret@bus:4222", "nats://ann:s3cret@bus:4222"] {
            assert_eq!(BusUrl(url.to_owned()).to_string(), "nats://bus:4222");
        }
    }
}
