//! Built-in players. Pure: chance is passed in as random bits, time as the solver's budget.

mod chance;
mod greedy;
mod perfect;
mod replies;
mod skill;
mod some_moves;
mod strategy;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::ids::Seat;
use crate::position::{Move, Position};
use crate::solver::Budget;

pub use strategy::Strategy;

/// A built-in player. Cheap to clone; equal to another of the same name.
#[derive(Clone, Debug)]
pub struct Bot(Arc<dyn Strategy>);

/// A kind of built-in player.
struct Kind {
    /// The name, or what stands before its parameter.
    word: &'static str,
    /// What it does, in a sentence without a subject.
    about: &'static str,
    /// Reads the parameter that follows a colon; `None` if it is not valid.
    read: fn(parameter: Option<&str>) -> Option<Bot>,
}

/// Reads a kind without parameters.
fn plain(parameter: Option<&str>, strategy: impl Strategy + 'static) -> Option<Bot> {
    parameter.is_none().then(|| Bot::new(strategy))
}

const KINDS: [Kind; 6] = [
    Kind {
        word: "perfect",
        about: "plays a winning move whenever there is one",
        read: |parameter| plain(parameter, perfect::Perfect),
    },
    Kind {
        word: "random",
        about: "plays any legal move",
        read: |parameter| plain(parameter, perfect::Random),
    },
    Kind {
        word: "greedy",
        about: "leaves the opponent as few moves as possible",
        read: |parameter| plain(parameter, greedy::Greedy),
    },
    Kind {
        word: "skill",
        about: "keeps a win with the probability that follows, as in skill:0.7",
        read: |parameter| match parameter {
            None => Some(Bot::default()),
            Some(text) => {
                let chance: f64 = text.parse().ok()?;
                (0.0..=1.0).contains(&chance).then(|| Bot::skill(chance))
            }
        },
    },
    Kind {
        word: "teacher",
        about: "leaves exactly one winning reply if it can",
        read: |parameter| plain(parameter, replies::Teacher),
    },
    Kind {
        word: "trickster",
        about: "plays perfectly, and from a lost position leaves the smallest share of winning replies",
        read: |parameter| plain(parameter, replies::Trickster),
    },
];

/// Names of some strengths of `skill`, ascending.
const STRENGTHS: [(&str, f64); 4] = [
    ("beginner", 0.3),
    ("casual", 0.5),
    ("club", 0.7),
    ("strong", 0.9),
];

impl Default for Bot {
    fn default() -> Self {
        Self::skill(0.7)
    }
}

impl Bot {
    /// What the name of a built-in player begins with.
    pub const WORDS: [&'static str; KINDS.len()] = {
        let mut words = [""; KINDS.len()];
        let mut at = 0;
        while at < KINDS.len() {
            words[at] = KINDS[at].word;
            at += 1;
        }
        words
    };

    /// The names as a message lists them.
    pub const NAMES: &'static str =
        "perfect, random, greedy, teacher, trickster, skill:Q with Q from 0 to 1";

    /// A player with this way of choosing.
    #[must_use]
    pub fn new(strategy: impl Strategy + 'static) -> Self {
        Self(Arc::new(strategy))
    }

    /// The player that gives no win away.
    #[must_use]
    pub fn perfect() -> Self {
        Self::new(perfect::Perfect)
    }

    /// The player that plays any move.
    #[must_use]
    pub fn random() -> Self {
        Self::new(perfect::Random)
    }

    /// The player that keeps a win with this probability, from 0 to 1.
    #[must_use]
    pub fn skill(accuracy: f64) -> Self {
        Self::new(skill::Skill(accuracy))
    }

    /// The strengths that have names, weakest first, each with the player that it means.
    pub fn strengths() -> impl Iterator<Item = (&'static str, Self)> {
        STRENGTHS
            .iter()
            .map(|(name, accuracy)| (*name, Self::skill(*accuracy)))
    }

    /// Reads what a person types: the name of a strength such as `club`, or of a player. Only the latter are names in logs and on
    /// the wire, so a strength's name is nobody's.
    ///
    /// # Errors
    /// It is neither.
    pub fn of_typed(text: &str) -> Result<Self, BotError> {
        let strength = Self::strengths().find(|(name, _)| name.eq_ignore_ascii_case(text));
        match strength {
            Some((_, bot)) => Ok(bot),
            None => text.to_ascii_lowercase().parse(),
        }
    }

    /// The name of this player's strength, if it has one: `club` of `skill:0.7`.
    #[must_use]
    pub fn strength(&self) -> Option<&'static str> {
        let mut strengths = Self::strengths();
        let (name, _) = strengths.find(|(_, bot)| bot == self)?;
        Some(name)
    }

    /// Each kind of player, with what it does.
    pub fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
        KINDS.iter().map(|kind| (kind.word, kind.about))
    }

    /// A legal move, as [`Strategy::choose`] says.
    pub fn choose(
        &self,
        position: &Position,
        to_move: Seat,
        budget: &Budget<'_>,
        random: &mut dyn FnMut() -> u64,
    ) -> Option<Move> {
        self.0.choose(position, to_move, budget, random)
    }
}

impl PartialEq for Bot {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

/// A text that is not a built-in bot.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{0}' is not a built-in bot: write {names}, for example skill:0.7",
    names = Bot::NAMES
)]
pub struct BotError(String);

impl FromStr for Bot {
    type Err = BotError;

    /// Reads a name such as `perfect` or `skill:0.7`, and `skill` for the default.
    fn from_str(text: &str) -> Result<Self, BotError> {
        let (word, parameter) = match text.split_once(':') {
            Some((word, parameter)) => (word, Some(parameter)),
            None => (text, None),
        };
        let kind = KINDS.iter().find(|kind| kind.word == word);
        let bot = kind.and_then(|kind| (kind.read)(parameter));
        bot.ok_or_else(|| BotError(text.chars().take(40).collect()))
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.name())
    }
}

#[cfg(test)]
mod tests;
