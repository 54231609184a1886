//! How each player used the chances of a match.

use serde::{Deserialize, Serialize};

use super::Mark;
use crate::ids::Seat;
use crate::json::exact;
use crate::statistics::SkillEstimate;

/// How the two players used their chances.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Summaries {
    /// The first player.
    pub first: Summary,
    /// The second player.
    pub second: Summary,
}

impl Summaries {
    /// Of this player.
    #[must_use]
    pub fn of(&self, seat: Seat) -> &Summary {
        match seat {
            Seat::First => &self.first,
            Seat::Second => &self.second,
        }
    }

    pub(super) fn of_mut(&mut self, seat: Seat) -> &mut Summary {
        match seat {
            Seat::First => &mut self.first,
            Seat::Second => &mut self.second,
        }
    }
}

/// How one player used the chances.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Moves made from a won position.
    pub chances: u32,
    /// Of these, how many kept the win.
    pub kept: u32,
    /// Chances of which it is not known how many moves kept the win: they have no bits.
    pub chances_without_bits: u32,
    /// log2(m/W) of all chances together.
    #[serde(deserialize_with = "exact")]
    pub bits_offered: f64,
    /// log2(m/W) of the chances kept.
    #[serde(deserialize_with = "exact")]
    pub bits_found: f64,
    /// The skill that fits the chances best; `null` without one in which there was something to go wrong.
    pub skill: Option<SkillEstimate>,
    /// How hard the moves from lost positions made it for the opponent.
    pub resistance: Resistance,
    /// How often each mark was given.
    pub marks: MarkCounts,
}

/// How hard the moves from lost positions made it for the opponent: the shares of replies that throw the win back, added up.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Resistance {
    /// Moves from lost positions with a choice, whose trap rates are known.
    pub moves: u32,
    /// The trap rates of the moves made.
    #[serde(deserialize_with = "exact")]
    pub made: f64,
    /// The highest trap rates that there were.
    #[serde(deserialize_with = "exact")]
    pub best: f64,
}

impl Summary {
    pub(super) fn add_chance(&mut self, kept: bool, bits: Option<f64>) {
        self.chances += 1;
        self.kept += u32::from(kept);
        let Some(bits) = bits else {
            self.chances_without_bits += 1;
            return;
        };
        self.bits_offered += bits;
        if kept {
            self.bits_found += bits;
        }
    }

    pub(super) fn add_resistance(&mut self, made: f64, best: f64) {
        self.resistance.moves += 1;
        self.resistance.made += made;
        self.resistance.best += best;
    }
}

/// How often each mark was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MarkCounts {
    #[serde(rename = "!!")]
    brilliant: u32,
    #[serde(rename = "!")]
    only_move: u32,
    #[serde(rename = "!?")]
    trap: u32,
    #[serde(rename = "?!")]
    soft: u32,
    #[serde(rename = "??")]
    blunder: u32,
    #[serde(rename = "[]")]
    forced: u32,
}

impl MarkCounts {
    /// How often this one was.
    #[must_use]
    pub fn of(&self, mark: Mark) -> u32 {
        match mark {
            Mark::Brilliant => self.brilliant,
            Mark::OnlyMove => self.only_move,
            Mark::Trap => self.trap,
            Mark::Soft => self.soft,
            Mark::Blunder => self.blunder,
            Mark::Forced => self.forced,
        }
    }

    pub(super) fn add(&mut self, mark: Mark) {
        *match mark {
            Mark::Brilliant => &mut self.brilliant,
            Mark::OnlyMove => &mut self.only_move,
            Mark::Trap => &mut self.trap,
            Mark::Soft => &mut self.soft,
            Mark::Blunder => &mut self.blunder,
            Mark::Forced => &mut self.forced,
        } += 1;
    }
}
