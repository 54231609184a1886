//! Ranges of IP addresses, as operators type them.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use serde::{Deserialize, Serialize};

/// The shortest prefix of an IPv4 range: a shorter one is a slip of the hand.
const SHORTEST_V4: u8 = 8;
/// The same for IPv6.
const SHORTEST_V6: u8 = 16;
/// What one household has of IPv6: a peer changes the bits behind it as it likes.
const NETWORK_V6: u8 = 64;

/// A range of addresses such as `192.0.2.7`, `192.0.2.0/24` or `2001:db8::/48`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AddressRange(IpNet);

/// A text is not a range of addresses.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadRange {
    /// It is something else.
    #[error(
        "{0:?} is not an address or a range: type an address such as 192.0.2.7, or a range such as 192.0.2.0/24 or 2001:db8::/48"
    )]
    NotARange(String),
    /// It is a large part of the internet.
    #[error("{0} is too large: the prefix must be at least /{1}")]
    TooLarge(AddressRange, u8),
}

impl AddressRange {
    /// Whether the range has this address. An IPv6 range longer than /64 has the whole /64.
    #[must_use]
    pub fn contains(self, address: IpAddr) -> bool {
        match (self.0, address.to_canonical()) {
            (IpNet::V4(range), IpAddr::V4(address)) => range.contains(&address),
            (IpNet::V6(range), IpAddr::V6(address)) => {
                let length = range.prefix_len().min(NETWORK_V6);
                Ipv6Net::new(range.addr(), length).is_ok_and(|range| range.contains(&address))
            }
            _ => false,
        }
    }

    /// An IPv4 range that is written as IPv6 is an IPv4 range.
    fn canonical(range: IpNet) -> Self {
        let mapped = match range {
            IpNet::V6(range) => range.addr().to_ipv4_mapped().and_then(|address| {
                let length = range.prefix_len().checked_sub(96)?;
                Ipv4Net::new(address, length).ok().map(IpNet::V4)
            }),
            IpNet::V4(_) => None,
        };
        Self(mapped.unwrap_or(range).trunc())
    }
}

impl FromStr for AddressRange {
    type Err = BadRange;

    fn from_str(text: &str) -> Result<Self, BadRange> {
        let one = || text.parse::<IpAddr>().map(IpNet::from).ok();
        let range = text.parse::<IpNet>().ok().or_else(one);
        let range = Self::canonical(range.ok_or_else(|| BadRange::NotARange(text.to_owned()))?);
        let shortest = match range.0 {
            IpNet::V4(_) => SHORTEST_V4,
            IpNet::V6(_) => SHORTEST_V6,
        };
        match range.0.prefix_len() < shortest {
            true => Err(BadRange::TooLarge(range, shortest)),
            false => Ok(range),
        }
    }
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.prefix_len() == self.0.max_prefix_len() {
            true => self.0.addr().fmt(f),
            false => self.0.fmt(f),
        }
    }
}

impl TryFrom<String> for AddressRange {
    type Error = BadRange;

    fn try_from(text: String) -> Result<Self, BadRange> {
        text.parse()
    }
}

impl From<AddressRange> for String {
    fn from(range: AddressRange) -> Self {
        range.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> AddressRange {
        text.parse().expect("a range")
    }

    #[test]
    fn ranges_have_their_addresses_and_no_others() {
        for (range, shown, inside, outside) in [
            ("192.0.2.7", "192.0.2.7", "192.0.2.7", "192.0.2.8"),
            ("192.0.2.7/24", "192.0.2.0/24", "192.0.2.255", "192.0.3.0"),
            ("::ffff:192.0.2.7", "192.0.2.7", "::ffff:192.0.2.7", "::1"),
            (
                "::ffff:192.0.2.0/120",
                "192.0.2.0/24",
                "192.0.2.1",
                "192.0.3.1",
            ),
            (
                "2001:db8::/32",
                "2001:db8::/32",
                "2001:db8:ffff::1",
                "2001:db9::",
            ),
            // A peer has the whole /64.
            (
                "2001:db8::7",
                "2001:db8::7",
                "2001:db8::8",
                "2001:db8:0:1::7",
            ),
            ("10.0.0.0/8", "10.0.0.0/8", "10.255.0.1", "11.0.0.0"),
        ] {
            let read = read(range);
            assert_eq!(read.to_string(), shown);
            assert!(
                read.contains(inside.parse().expect("an address")),
                "{range}"
            );
            assert!(
                !read.contains(outside.parse().expect("an address")),
                "{range}"
            );
            assert_eq!(shown.parse(), Ok(read), "it reads back");
        }
    }

    #[test]
    fn what_is_no_range_or_too_large_is_refused() {
        for text in [
            "",
            "example.org",
            "192.0.2",
            "192.0.2.0/33",
            "192.0.2.7/",
            "2001:db8::/129",
        ] {
            assert_eq!(
                text.parse::<AddressRange>(),
                Err(BadRange::NotARange(text.to_owned()))
            );
        }
        for text in [
            "0.0.0.0/0",
            "192.0.0.0/7",
            "::/0",
            "2000::/15",
            "::ffff:0.0.0.0/97",
        ] {
            let refused = text.parse::<AddressRange>();
            assert!(matches!(refused, Err(BadRange::TooLarge(..))), "{text}");
        }
    }
}
