//! Places in lists.

use std::fmt;
use std::str::FromStr;

use grundy_shared::ids::PlayerId;

/// The longest text of a cursor, in bytes.
const LONGEST: usize = 64;

/// A place in a list, from which the next page goes on. Only the backend that made it knows what it says. In the backends of today one
/// writer after the other draws a number and makes it visible, so the number is the place. Where several write at a time, what was numbered
/// first can be seen last: a backend then needs another place, such as the number of the transaction and those that were under way.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cursor(Box<str>);

/// A text that no backend made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a place in a list: expected `next` of the page before")]
pub struct BadCursor;

impl Cursor {
    /// The place with this number.
    pub(super) fn number(number: i64) -> Self {
        Self(number.to_string().into())
    }

    /// The place with this number in the order in which matches ended. It is not valid in another order.
    pub(super) fn ended(number: i64) -> Self {
        Self(format!("e{number}").into())
    }

    /// The number that [`Cursor::ended`] was given.
    pub(super) fn to_ended(&self) -> Result<i64, super::StoreError> {
        let number = self.0.strip_prefix('e');
        let number = number.and_then(|number| number.parse().ok());
        number.ok_or(super::StoreError::BadCursor)
    }

    /// The place of a player with this rating on a leaderboard.
    pub(super) fn rank(rating: i32, player: PlayerId) -> Self {
        Self(format!("{rating}.{player}").into())
    }

    /// What [`Cursor::rank`] was given.
    pub(super) fn to_rank(&self) -> Result<(i32, PlayerId), super::StoreError> {
        let rank = self.0.split_once('.').and_then(|(rating, player)| {
            let player = player.parse().ok()?;
            Some((rating.parse().ok()?, player))
        });
        rank.ok_or(super::StoreError::BadCursor)
    }

    /// The number that [`Cursor::number`] was given.
    pub(super) fn to_number(&self) -> Result<i64, super::StoreError> {
        self.0.parse().map_err(|_| super::StoreError::BadCursor)
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Cursor {
    type Err = BadCursor;

    fn from_str(text: &str) -> Result<Self, BadCursor> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if text.is_empty() || text.len() > LONGEST || !text.bytes().all(plain) {
            return Err(BadCursor);
        }
        Ok(Self(text.into()))
    }
}
