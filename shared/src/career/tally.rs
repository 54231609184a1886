//! What is counted of a player's matches: results, decisions, bits.

use serde::Serialize;

use super::bounded::Bounded;
use super::share::Share;
use crate::event::Outcome;
use crate::ids::Seat;
use crate::review::Summary;
use crate::statistics::{Accuracy, Decision, DecisionCount, SkillEstimate, skill_of_counts};

/// Different shares of winning moves that are kept apart, for each family.
const SHARES_MAX: usize = 10_000;

/// How matches ended for a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Results {
    /// Matches that the player won.
    pub won: u64,
    /// Matches that the player lost.
    pub lost: u64,
    /// Matches that nobody won.
    pub drawn: u64,
}

impl Results {
    /// All of them.
    #[must_use]
    pub fn matches(&self) -> u64 {
        self.won + self.lost + self.drawn
    }

    pub(super) fn add(&mut self, outcome: Outcome, seat: Seat) {
        match outcome.winner() {
            Some(winner) if winner == seat => self.won += 1,
            Some(_) => self.lost += 1,
            None => self.drawn += 1,
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            won: self.won + other.won,
            lost: self.lost + other.lost,
            drawn: self.drawn + other.drawn,
        }
    }
}

/// The counts of one family of games.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    pub(super) matches: u64,
    pub(super) results: Results,
    pub(super) moves: u64,
    pub(super) unknown_moves: u64,
    pub(super) mistakes: u64,
    chances: u64,
    chances_kept: u64,
    bits_offered: f64,
    bits_found: f64,
    accuracy: Accuracy,
    /// Decisions by the bits of their share of winning moves: kept, and missed.
    shares: Bounded<u64, [u64; 2]>,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            matches: 0,
            results: Results::default(),
            moves: 0,
            unknown_moves: 0,
            mistakes: 0,
            chances: 0,
            chances_kept: 0,
            bits_offered: 0.0,
            bits_found: 0.0,
            accuracy: Accuracy::default(),
            shares: Bounded::new(SHARES_MAX),
        }
    }
}

impl Tally {
    /// Adds what a review says of the player's chances in one match.
    pub(super) fn add_summary(&mut self, summary: &Summary) {
        self.chances += u64::from(summary.chances);
        self.chances_kept += u64::from(summary.kept);
        self.bits_offered += summary.bits_offered;
        self.bits_found += summary.bits_found;
    }

    /// Adds a move in a won position in which the win could be lost.
    pub(super) fn add_decision(&mut self, decision: Decision) {
        self.accuracy.count(decision.kept);
        // Positive numbers are in the order of their bits.
        if let Some(counts) = self.shares.entry(decision.winning_share.to_bits()) {
            counts[usize::from(!decision.kept)] += 1;
        }
    }

    /// Adds the counts of another family.
    pub(super) fn add(&mut self, other: &Self) {
        self.matches += other.matches;
        self.results = self.results.plus(other.results);
        self.moves += other.moves;
        self.unknown_moves += other.unknown_moves;
        self.mistakes += other.mistakes;
        self.chances += other.chances;
        self.chances_kept += other.chances_kept;
        self.bits_offered += other.bits_offered;
        self.bits_found += other.bits_found;
        self.accuracy = self.accuracy.plus(other.accuracy);
    }

    fn counts(&self) -> impl Iterator<Item = DecisionCount> {
        self.shares
            .iter()
            .map(|(share, [kept, missed])| DecisionCount {
                winning_share: f64::from_bits(*share),
                kept: *kept,
                missed: *missed,
            })
    }

    /// The figures of this family.
    pub(super) fn figures(&self) -> Figures {
        Figures {
            matches: self.matches,
            results: self.results,
            moves: self.moves,
            unknown_moves: self.unknown_moves,
            mistakes: self.mistakes,
            chances: self.chances,
            chances_kept: self.chances_kept,
            bits_offered: self.bits_offered,
            bits_found: self.bits_found,
            share: self.accuracy.into(),
            skill: skill_of_counts(self.counts()),
        }
    }

    /// The figures of all these families together.
    pub(super) fn total<'t>(families: impl Iterator<Item = &'t Self> + Clone) -> Figures {
        let mut total = Self::default();
        families.clone().for_each(|family| total.add(family));
        Figures {
            skill: skill_of_counts(families.flat_map(Self::counts)),
            ..total.figures()
        }
    }
}

/// The figures of a player, in one family of games or in all.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figures {
    /// Matches. A match of the player against himself is one, and has no result.
    pub matches: u64,
    /// How they ended.
    #[serde(flatten)]
    pub results: Results,
    /// Moves that the player made.
    pub moves: u64,
    /// Those of them of which it is not known whether they kept a win.
    pub unknown_moves: u64,
    /// Wins and draws that were given away: the `??` of reviews.
    pub mistakes: u64,
    /// Moves from won positions, as reviews count them: also those that could not go wrong.
    pub chances: u64,
    /// How many of them kept the win.
    pub chances_kept: u64,
    /// log2(m/W) of all chances together.
    pub bits_offered: f64,
    /// log2(m/W) of the chances kept.
    pub bits_found: f64,
    /// The decisions, and how many kept the win.
    #[serde(flatten)]
    pub share: Share,
    /// The skill that fits all decisions best; `null` without a decision.
    pub skill: Option<SkillEstimate>,
}
