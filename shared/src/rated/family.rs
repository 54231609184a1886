//! Game families: for each of them a player has a rating of its own.

use std::fmt;
use std::str::FromStr;

use crate::games::{REGISTRY, find};
use crate::position::Position;

/// The family of positions that are sums of several games.
const SUM: &str = "sum";

/// A game family: a game of the registry, or `sum` for positions of several games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Family(&'static str);

impl Family {
    /// The family of this position.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        match position.games()[..] {
            [only] => Self(only.name),
            _ => Self(SUM),
        }
    }

    /// The family of a position in canonical form, read from the names of its games alone: no value is computed, whatever the compound. `None` if the text
    /// does not begin like a position. O(length).
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        let body = text.split('@').next().unwrap_or_default();
        let name = |component: &'_ str| -> Option<usize> { component.find([':', '.']) };
        let first = &body[..name(body)?];
        let info = find(first)?;
        let mut names = body.split('+').map(|one| &one[..name(one).unwrap_or(0)]);
        Some(match names.all(|name| name == first) {
            true => Self(info.name),
            false => Self(SUM),
        })
    }

    /// Its name: that of a game, or `sum`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0
    }

    /// Every family, in the order of the registry.
    pub fn all() -> impl Iterator<Item = Self> {
        let games = REGISTRY.iter().map(|info| info.name);
        games.chain([SUM]).map(Self)
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

/// A name that no family has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no game family {0:?}: use the name of a game, or sum")]
pub struct UnknownFamily(pub String);

impl FromStr for Family {
    type Err = UnknownFamily;

    fn from_str(name: &str) -> Result<Self, UnknownFamily> {
        match find(name) {
            Some(info) => Ok(Self(info.name)),
            None if name == SUM => Ok(Self(SUM)),
            None => Err(UnknownFamily(name.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_has_a_family_that_is_read_back() {
        for family in Family::all() {
            assert_eq!(family.name().parse(), Ok(family));
        }
        let of = |text: &str| Family::of(&Position::parse(text).expect("a position")).name();
        assert_eq!(of("nim:3,4,5"), "nim");
        assert_eq!(of("nim:3+nim:4"), "nim");
        assert_eq!(of("nim:3+kayles:4"), "sum");
        assert!(Family::all().all(|family| family.name().len() <= 32));
        let mut texts: Vec<String> = vec!["nim:3+kayles:4@zero@misere".to_owned()];
        for info in REGISTRY.iter() {
            for example in info.examples {
                texts.push((*example).to_owned());
                texts.push(format!("{example}+{example}@misere"));
                texts.push(format!("nim:3+{example}@every"));
            }
        }
        for text in texts {
            // Some games cannot be joined in every way.
            let Ok(position) = Position::parse(&text) else {
                continue;
            };
            let of_text = Family::of_text(&position.to_string());
            assert_eq!(of_text, Some(Family::of(&position)), "{text}");
        }
        assert_eq!(Family::of_text("nimm:3"), None);
        assert_eq!(Family::of_text(""), None);
        assert!("nimm".parse::<Family>().is_err());
    }
}
