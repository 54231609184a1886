//! Players whose chance of finding a winning move is known.

use std::fmt;
use std::str::FromStr;

use super::chance::Chance;
use crate::bot::Bot;

/// Decimals of a skill.
const DECIMALS: usize = 9;

/// A player whose moves are known as probabilities.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Player(pub(super) Way);

/// How a player chooses. What is chosen among several moves is any of them, all equally likely.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Way {
    /// A winning move with this probability, where there is one; otherwise any legal move, which may be a winning one by luck.
    Finds(Chance),
    /// A winning move with this probability, where there is one; otherwise a move that gives the win away, if there is one. In a lost position any
    /// legal move. The built-in bots `skill:Q`.
    Keeps(Chance),
    /// The move that is most likely to win against this opponent: in a lost position the one that the opponent is most likely to answer
    /// wrongly.
    Best,
}

/// A text that is not a player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{0}' is not a player: write a skill from 0 to 1 such as 0.9 (at most 9 decimals), perfect, random, best, or a bot such as skill:0.7 or club"
)]
pub struct BadPlayer(String);

impl FromStr for Player {
    type Err = BadPlayer;

    /// Reads `0.9`, `perfect` (1), `random` (0), `best`, `skill:0.9` and the named strengths of `skill`. O(length).
    fn from_str(text: &str) -> Result<Self, BadPlayer> {
        let refuse = || BadPlayer(text.chars().take(40).collect());
        let text = text.trim();
        if let Some(skill) = decimal(text) {
            return Ok(Self(Way::Finds(skill)));
        }
        if text.eq_ignore_ascii_case("best") {
            return Ok(Self(Way::Best));
        }
        let name = Bot::of_typed(text).map_err(|_| refuse())?.to_string();
        Ok(Self(match name.as_str() {
            "perfect" => Way::Finds(Chance::ALWAYS),
            "random" => Way::Finds(Chance::NEVER),
            _ => {
                let skill = name.strip_prefix("skill:").and_then(decimal);
                Way::Keeps(skill.ok_or_else(refuse)?)
            }
        }))
    }
}

impl fmt::Display for Player {
    /// As it is read.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Way::Finds(skill) if skill == Chance::ALWAYS => out.write_str("perfect"),
            Way::Finds(skill) if skill == Chance::NEVER => out.write_str("random"),
            Way::Finds(skill) => write!(out, "{}", skill.value),
            Way::Keeps(skill) => write!(out, "skill:{}", skill.value),
            Way::Best => out.write_str("best"),
        }
    }
}

/// Reads a decimal number from 0 to 1 without rounding it.
fn decimal(text: &str) -> Option<Chance> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if text == "." || text.is_empty() || decimals.len() > DECIMALS || whole.len() > DECIMALS {
        return None;
    }
    if !digits(whole) || !digits(decimals) {
        return None;
    }
    let scale = 10u64.pow(decimals.len() as u32);
    let number = |text: &str| match text {
        "" => Some(0),
        text => text.parse::<u64>().ok(),
    };
    let over = number(whole)? * scale + number(decimals)?;
    Chance::of(over, scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_read_back_as_they_are_written() {
        for (text, written) in [
            ("0.9", "0.9"),
            (" .5", "0.5"),
            ("1", "perfect"),
            ("0.000", "random"),
            ("Perfect", "perfect"),
            ("random", "random"),
            ("Best", "best"),
            ("skill:0.25", "skill:0.25"),
            ("club", "skill:0.7"),
            ("skill:1", "skill:1"),
        ] {
            let player: Player = text.parse().expect("a player");
            assert_eq!(player.to_string(), written);
            assert_eq!(written.parse(), Ok(player));
        }
        for text in [
            "",
            ".",
            "1.1",
            "-0.5",
            "0,5",
            "NaN",
            "1e-3",
            "0.1234567890",
            "greedy",
            "teacher",
            "x",
        ] {
            let error = text.parse::<Player>().expect_err("no player");
            assert!(error.to_string().contains("0.9"), "{error}");
        }
    }
}
