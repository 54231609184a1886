//! Kinds of values that only the keys of this server have.

use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

use grundy_shared::ids::PlayerId;

use super::setting::{Choice, Key, Raw, Value, quoted, text};
use crate::address_range::{AddressRange, BadRange};

/// A set of defaults.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// For people and bots from anywhere.
    Default,
    /// For a load generator on the same machine.
    Load,
}

impl Choice for Profile {
    const ALL: &'static [(&'static str, Self)] =
        &[("default", Self::Default), ("load", Self::Load)];
}

impl Profile {
    /// What this set changes of the built-in defaults.
    pub(super) fn changes(self) -> &'static [(&'static str, u64)] {
        match self {
            Self::Default => &[],
            Self::Load => &[
                ("limits.burst", 100_000),
                ("limits.requests_per_second", 100_000),
                ("limits.matches_per_player", 10_000),
                ("limits.bot_matches_per_player", 10_000),
                ("limits.bot_burst", 100_000),
                ("limits.bot_requests_per_second", 100_000),
                ("limits.bot_moves_burst_per_match", 100_000),
                ("limits.bot_moves_per_second_per_match", 100_000),
                ("limits.matches_per_address", 1_000_000),
                ("limits.connections", 50_000),
                ("limits.connections_per_address", 50_000),
                ("limits.connections_per_second_per_address", 50_000),
                ("limits.guests_per_minute_per_address", 1_000_000),
                ("limits.logins_per_minute_per_account", 1_000_000),
                ("limits.logins_per_ten_minutes_per_address", 1_000_000),
                // A closed loop is to find out what the server can do, not what it refuses.
                ("overload.target_ms", 0),
                ("limits.address_share", 0),
                ("quotas.bytes_per_address", 0),
                ("quotas.bytes_per_player", 0),
                ("quotas.matches_per_address", 0),
                ("quotas.matches_per_player", 0),
                ("quotas.guests_per_address", 0),
            ],
        }
    }
}

/// Who may create tournaments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Creators {
    /// Everybody where only this machine can reach the server, else operators.
    Auto,
    /// Nobody.
    Nobody,
    /// The players that the operator names.
    Operators,
    /// Everybody.
    Players,
}

impl Choice for Creators {
    const ALL: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("nobody", Self::Nobody),
        ("operators", Self::Operators),
        ("players", Self::Players),
    ];
}

/// Players by their ids.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerIds(Vec<PlayerId>);

impl FromIterator<PlayerId> for PlayerIds {
    fn from_iter<I: IntoIterator<Item = PlayerId>>(players: I) -> Self {
        Self(players.into_iter().collect())
    }
}

impl PlayerIds {
    /// Whether this player is one of them.
    #[must_use]
    pub fn contains(&self, player: PlayerId) -> bool {
        self.0.contains(&player)
    }
}

impl Value for PlayerIds {
    fn read(raw: &Raw, _: &Key) -> Result<Self, String> {
        let expected = || "player ids, which are UUIDs, separated by commas".to_owned();
        let words = text(raw).ok_or_else(expected)?.split(',').map(str::trim);
        let ids = words.filter(|word| !word.is_empty()).map(str::parse);
        let ids: Result<Vec<_>, _> = ids.collect();
        ids.map(Self).map_err(|_| expected())
    }

    fn print(&self) -> String {
        let ids: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        quoted(&ids.join(", "))
    }
}

/// Addresses and ranges of addresses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AddressRanges(Vec<AddressRange>);

impl AddressRanges {
    /// Those of this machine.
    #[must_use]
    pub fn loopback() -> Self {
        let ranges = ["127.0.0.0/8", "::1"].map(str::parse);
        Self(ranges.into_iter().flatten().collect())
    }

    /// Whether the list contains this address.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|range| range.contains(address))
    }
}

impl FromStr for AddressRanges {
    type Err = BadRange;

    fn from_str(text: &str) -> Result<Self, BadRange> {
        let words = text.split(',').map(str::trim);
        let ranges = words.filter(|word| !word.is_empty()).map(str::parse);
        ranges.collect::<Result<_, _>>().map(Self)
    }
}

impl Value for AddressRanges {
    fn read(raw: &Raw, _: &Key) -> Result<Self, String> {
        let expected = "addresses such as 192.0.2.7 or ranges such as 192.0.2.0/24 or 2001:db8::/48, separated by commas";
        let text = text(raw).ok_or_else(|| expected.to_owned())?;
        text.parse::<Self>().map_err(|bad| match bad {
            BadRange::NotARange(_) => expected.to_owned(),
            BadRange::TooLarge(..) => format!("{expected}: {bad}"),
        })
    }

    fn print(&self) -> String {
        let ranges: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        quoted(&ranges.join(", "))
    }
}

/// How log lines look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogFormat {
    /// For people on a terminal, JSON otherwise.
    Auto,
    /// For people.
    Human,
    /// One JSON object a line.
    Json,
}

impl Choice for LogFormat {
    const ALL: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("human", Self::Human),
        ("json", Self::Json),
    ];
}

/// Directives that choose log lines, known to parse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogFilter(pub(super) String);

impl LogFilter {
    /// The directives.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Value for LogFilter {
    fn read(raw: &Raw, _: &Key) -> Result<Self, String> {
        text(raw)
            .filter(|text| !text.is_empty())
            .filter(|text| text.parse::<tracing_subscriber::filter::Targets>().is_ok())
            .map(|text| Self(text.to_owned()))
            .ok_or_else(|| {
                "error, warn, info, debug, trace or directives such as info,grundy_server=debug"
                    .to_owned()
            })
    }

    fn print(&self) -> String {
        quoted(&self.0)
    }
}

/// Sites whose pages may connect, each as `scheme://host` or `scheme://host:port`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origins(Vec<String>);

impl Origins {
    /// Whether this is one of them, letter by letter: browsers write an origin in one way only.
    #[must_use]
    pub fn contains(&self, origin: &[u8]) -> bool {
        self.0.iter().any(|allowed| allowed.as_bytes() == origin)
    }
}

impl Value for Origins {
    fn read(raw: &Raw, _: &Key) -> Result<Self, String> {
        let expected = || {
            "sites such as https://play.example or http://localhost:8080, separated by commas, without a path and in lower case"
                .to_owned()
        };
        let words = text(raw).ok_or_else(expected)?.split(',').map(str::trim);
        let origins: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        match origins.iter().all(|origin| is_origin(origin)) {
            true => Ok(Self(origins.into_iter().map(str::to_owned).collect())),
            false => Err(expected()),
        }
    }

    fn print(&self) -> String {
        quoted(&self.0.join(", "))
    }
}

/// Names of the server, each a host without a port.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Whether this is one of them, in lower case.
    #[must_use]
    pub fn contains(&self, host: &str) -> bool {
        self.0.iter().any(|allowed| allowed == host)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Value for Hosts {
    fn read(raw: &Raw, _: &Key) -> Result<Self, String> {
        let expected = || {
            "names such as play.example or [2001:db8::1], separated by commas, without a port and in lower case"
                .to_owned()
        };
        let words = text(raw).ok_or_else(expected)?.split(',').map(str::trim);
        let hosts: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        if !hosts.iter().all(|host| is_host(host)) {
            return Err(expected());
        }
        Ok(Self(hosts.into_iter().map(str::to_owned).collect()))
    }

    fn print(&self) -> String {
        quoted(&self.0.join(", "))
    }
}

/// The address by which others reach the server: `https://HOST` or `http://HOST`, with a port where it is not the usual one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// The address, without a slash at its end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its host, without a port.
    #[must_use]
    pub fn host(&self) -> &str {
        let (_, authority) = self.0.split_once("://").unwrap_or(("", &self.0));
        let is_port = |port: &str| port.chars().all(|c| c.is_ascii_digit());
        match authority.rsplit_once(':') {
            Some((host, port)) if is_port(port) => host,
            _ => authority,
        }
    }
}

impl Value for PublicUrl {
    fn read(raw: &Raw, _: &Key) -> Result<Self, String> {
        text(raw)
            .map(|text| text.strip_suffix('/').unwrap_or(text))
            .filter(|text| is_origin(text))
            .map(|text| Self(text.to_owned()))
            .ok_or_else(|| {
                "an address such as https://play.example or https://192.168.1.5:7310, without a path and in lower case"
                    .to_owned()
            })
    }

    fn print(&self) -> String {
        quoted(&self.0)
    }
}

/// A name of DNS or an address, IPv6 in brackets.
fn is_host(text: &str) -> bool {
    if let Some(bare) = text.strip_prefix('[') {
        let address = bare.strip_suffix(']').map(str::parse::<Ipv6Addr>);
        return address.is_some_and(|address| address.is_ok());
    }
    let of_label = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    let mut labels = text.split('.');
    labels.all(|label| !label.is_empty() && label.chars().all(of_label))
}

/// An origin as browsers write it (RFC 6454, section 6.2).
fn is_origin(text: &str) -> bool {
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    let of_host = |c: char| {
        c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-' | ':' | '[' | ']')
    };
    host.is_some_and(|host| !host.is_empty() && host.chars().all(of_host))
}
