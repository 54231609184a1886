//! What is asked beside the moves in an open loop, and how often.

use std::str::FromStr;

use grundy_words::Message;

use crate::misread::Misread;

/// Requests a second of each kind; 0 of those that are not named.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Mix {
    /// New guests, each on a connection of its own.
    pub(super) guests: u32,
    /// New matches.
    pub(super) matches: u32,
    /// Solutions.
    pub(super) solve: u32,
    /// Watchers of the first match.
    pub(super) watch: u32,
}

/// The most of one kind in a second.
const MOST: u32 = 10_000;

impl FromStr for Mix {
    type Err = Misread;

    fn from_str(text: &str) -> Result<Self, Misread> {
        let mut mix = Self::default();
        for part in text.split(',') {
            let (kind, number) = part.split_once('=').unwrap_or((part, ""));
            let number = number.parse().ok().filter(|number| *number <= MOST);
            let number = number.ok_or_else(|| {
                let part = format!("{part:?}");
                let message = Message::new("misread-mix").text("part", part);
                Misread(message.text("most", MOST))
            })?;
            match kind {
                "guests" => mix.guests = number,
                "matches" => mix.matches = number,
                "solve" => mix.solve = number,
                "watch" => mix.watch = number,
                _ => {
                    let kind = format!("{kind:?}");
                    let message = Message::new("misread-mix-kind").text("kind", kind);
                    return Err(Misread(message));
                }
            }
        }
        Ok(mix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_in_any_order() {
        let mix = Mix {
            guests: 100,
            watch: 7,
            ..Mix::default()
        };
        assert_eq!("watch=7,guests=100".parse(), Ok(mix));
        for wrong in [
            "",
            "guests",
            "guests=-1",
            "guests=10001",
            "moves=5",
            "watch=7,",
        ] {
            assert!(wrong.parse::<Mix>().is_err(), "{wrong}");
        }
    }
}
