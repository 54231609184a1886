//! Everything that decides what an arena plays. The journal begins with it, so that a resume needs nothing else.

use std::path::PathBuf;

use clap::ValueEnum;
use grundy_shared::chain::Hash;
use grundy_shared::statistics::{SprtModel, SprtTest};
use grundy_shared::tournament::Edition;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::entrant::{Entrant, Kind};
use super::head::hex;
use super::seed::Chance;
use super::time::Time;

/// Games of one arena at most: the journal needs about 16 bytes of memory for each.
pub(crate) const MOST_GAMES: u64 = 10_000_000;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Format {
    /// Everybody meets everybody (Berger tables).
    RoundRobin,
    /// Everybody meets everybody twice.
    DoubleRoundRobin,
    /// The first bots, as many as --seeds says, meet all the others.
    Gauntlet,
    /// Bots with equal points meet, nobody twice.
    Swiss,
    /// The loser of a match is out.
    Knockout,
}

/// In which order the starts of a suite are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Order {
    /// As they stand.
    Sequential,
    /// As the seed says.
    Random,
}

/// A sequential test between the first two bots.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sprt {
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
    /// Whether the differences are logistic Elo; normalised otherwise.
    pub(crate) logistic: bool,
}

impl Sprt {
    /// As the statistics take it.
    pub(crate) fn test(self) -> SprtTest {
        SprtTest {
            elo0: self.elo0,
            elo1: self.elo1,
            alpha: self.alpha,
            beta: self.beta,
            model: match self.logistic {
                true => SprtModel::Logistic,
                false => SprtModel::Normalized,
            },
        }
    }
}

impl std::str::FromStr for Sprt {
    type Err = String;

    /// Reads `elo0=0,elo1=10`, with `alpha=`, `beta=` and `model=normalized|logistic`.
    fn from_str(text: &str) -> Result<Self, String> {
        const EXAMPLE: &str = "write elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalized";
        let mut sprt = Self {
            elo0: 0.0,
            elo1: f64::NAN,
            alpha: 0.05,
            beta: 0.05,
            logistic: false,
        };
        for item in text.split(',') {
            let (key, value) = item
                .split_once('=')
                .ok_or_else(|| format!("'{item}' has no '='; {EXAMPLE}"))?;
            if key == "model" {
                sprt.logistic = match value {
                    "logistic" => true,
                    "normalized" => false,
                    _ => return Err(format!("'{value}' is not a model; {EXAMPLE}")),
                };
                continue;
            }
            let field = match key {
                "elo0" => &mut sprt.elo0,
                "elo1" => &mut sprt.elo1,
                "alpha" => &mut sprt.alpha,
                "beta" => &mut sprt.beta,
                _ => return Err(format!("'{key}' is not known; {EXAMPLE}")),
            };
            let number: f64 = value
                .parse()
                .map_err(|_| format!("'{value}' is not a number; {EXAMPLE}"))?;
            *field = number;
        }
        let one = grundy_shared::statistics::PairCounts([0, 0, 1, 0, 0]);
        match grundy_shared::statistics::sprt(&one.into(), &sprt.test()) {
            Ok(_) => Ok(sprt),
            Err(error) => Err(format!("{error}; {EXAMPLE}")),
        }
    }
}

/// When a game ends because the solver proves how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Adjudication {
    /// Moves that are played in any case.
    pub(crate) plies: u32,
    /// The solver's work on one position, in nodes: not in time, so that a game ends at the same move on any machine.
    pub(crate) nodes: u64,
}

/// What is played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    pub(crate) bots: Vec<Entrant>,
    pub(crate) format: Format,
    /// Pairs of games that two bots play when they meet.
    pub(crate) pairs: u32,
    /// Rounds of a Swiss tournament.
    pub(crate) rounds: u32,
    /// Bots that meet all others in a gauntlet.
    pub(crate) seeds: u32,
    /// The suite as it was named, and the hash of its positions.
    pub(crate) start: String,
    pub(crate) suite: String,
    pub(crate) order: Order,
    pub(crate) seed: u64,
    pub(crate) time: Time,
    pub(crate) margin_ms: u64,
    pub(crate) start_ms: u64,
    pub(crate) new_game_ms: u64,
    pub(crate) max_plies: u32,
    pub(crate) oracle_nodes: u64,
    /// Faults in a row after which a bot is out; 0 for never.
    pub(crate) faults: u32,
    pub(crate) strict: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sprt: Option<Sprt>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) adjudicate: Option<Adjudication>,
    /// Which text the tie-breaks of a Swiss tournament follow. A journal that does not name one was written when only that of 2024 was known.
    #[serde(
        default = "Edition::unnamed",
        skip_serializing_if = "Edition::is_unnamed"
    )]
    pub(crate) tie_breaks: Edition,
}

impl Settings {
    /// The solver's work on one position, for accuracy and for adjudication; 0 if it is asked for neither.
    pub(crate) fn solver_nodes(&self) -> u64 {
        let adjudication = self.adjudicate.map_or(0, |adjudicate| adjudicate.nodes);
        self.oracle_nodes.max(adjudication)
    }

    /// What the journal's lines are marked with, so that lines of another arena are noticed.
    pub(crate) fn mark(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        let hash = Sha256::new()
            .chain_update("grundy arena ")
            .chain_update(text)
            .finalize();
        hex(&hash[..6])
    }

    /// A hash of all settings but the directories in which programs run, so that it does not depend on the machine. Published before
    /// the first game, it shows later that nobody chose another seed, other bots or other starts.
    pub(crate) fn commitment(&self) -> Hash {
        let mut settings = self.clone();
        for bot in &mut settings.bots {
            if let Kind::Program(program) = &mut bot.kind {
                program.directory = PathBuf::new();
            }
        }
        let text = serde_json::to_string(&settings).unwrap_or_default();
        Sha256::new()
            .chain_update("grundy/arena/1/")
            .chain_update(text)
            .finalize()
            .into()
    }

    /// The places in a suite of so many starts, in the order of their use.
    pub(crate) fn order_of(&self, starts: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..starts).collect();
        if self.order == Order::Random {
            Chance::new(self.seed).shuffle(&mut order);
        }
        order
    }

    /// Starts that can be used.
    pub(crate) fn starts_wanted(&self) -> usize {
        self.pairs as usize
    }
}
