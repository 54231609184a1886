//! Who meets whom, wave by wave: what is known beforehand is one wave, a round that depends on results is one of its own.

use grundy_shared::tournament;

use super::encounter::{Encounter, Met};
use super::knockout::{EXTRA_PAIRS, Knockout};
use super::plan_error::PlanError;
use super::scores::Scores;
use super::settings::{Format, MOST_GAMES, Settings};
use super::swiss::Swiss;

/// The rest of the plan.
#[derive(Debug)]
pub(crate) enum Plan {
    /// Everything is known.
    Fixed(Option<Vec<Encounter>>),
    Swiss(Swiss),
    Knockout(Knockout),
}

impl Plan {
    /// The plan of an arena.
    ///
    /// # Errors
    /// Too few or too many bots, or too many games.
    pub(crate) fn new(settings: &Settings) -> Result<Self, PlanError> {
        let plan = Self::unbounded(settings)?;
        let bots = settings.bots.len() as u64;
        let meetings = match &plan {
            Self::Fixed(wave) => wave.as_ref().map_or(0, |wave| wave.len() as u64),
            Self::Swiss(_) => bots / 2 * u64::from(settings.rounds),
            Self::Knockout(_) => bots - 1,
        };
        let extra = match &plan {
            Self::Knockout(_) => u64::from(EXTRA_PAIRS),
            _ => 0,
        };
        let most = (MOST_GAMES / 2 / meetings.max(1)).saturating_sub(extra);
        if u64::from(settings.pairs) > most {
            return Err(PlanError::Games {
                pairs: settings.pairs,
                meetings,
                most,
            });
        }
        Ok(plan)
    }

    fn unbounded(settings: &Settings) -> Result<Self, PlanError> {
        let players = u32::try_from(settings.bots.len()).unwrap_or(u32::MAX);
        let fixed = |rounds: Vec<tournament::Round>, cycle: usize| {
            let pairs = settings.pairs;
            let encounters = rounds.into_iter().enumerate().flat_map(|(at, games)| {
                let from_start = (at / cycle.max(1)) as u32 * pairs;
                games.into_iter().map(move |(first, second)| Encounter {
                    round: at as u32 + 1,
                    bots: [first as usize - 1, second as usize - 1],
                    pairs,
                    from_start,
                })
            });
            Self::Fixed(Some(encounters.collect()))
        };
        Ok(match settings.format {
            Format::RoundRobin => fixed(tournament::round_robin(players)?, usize::MAX),
            Format::DoubleRoundRobin => {
                let rounds = tournament::double_round_robin(players)?;
                let cycle = rounds.len().div_ceil(2);
                fixed(rounds, cycle)
            }
            Format::Gauntlet => fixed(tournament::gauntlet(players, settings.seeds)?, usize::MAX),
            Format::Swiss => Self::Swiss(Swiss::new(
                settings.bots.len(),
                settings.rounds,
                settings.pairs,
            )?),
            Format::Knockout => Self::Knockout(Knockout::new(players, settings.pairs)?),
        })
    }

    /// The next encounters, given what those of the last wave have brought and the bots that play no more; `None` when all is played.
    pub(crate) fn next(&mut self, last: &[Met], withdrawn: &[usize]) -> Option<Vec<Encounter>> {
        match self {
            Self::Fixed(wave) => wave.take(),
            Self::Swiss(swiss) => swiss.next(last, withdrawn),
            Self::Knockout(knockout) => knockout.next(last),
        }
    }

    /// The bots of a knockout that are out, the first one out first, with the round.
    pub(crate) fn out(&self) -> &[(usize, u32)] {
        match self {
            Self::Knockout(knockout) => knockout.out(),
            _ => &[],
        }
    }

    /// The bots without an opponent, round by round, in a Swiss tournament.
    pub(crate) fn byes(&self) -> &[Option<usize>] {
        match self {
            Self::Swiss(swiss) => swiss.byes(),
            _ => &[],
        }
    }

    /// Why the tournament ended before its last round, if it did.
    pub(crate) fn cut_short(&self) -> Option<String> {
        match self {
            Self::Swiss(swiss) => swiss.stuck().map(|error| error.to_string()),
            _ => None,
        }
    }

    /// Pairs that will be played. Of a knockout nobody knows who will be level: the extra pairs to come are expected from those so far.
    pub(crate) fn expected_pairs(&self, settings: &Settings, scores: &Scores) -> u64 {
        let (bots, pairs) = (settings.bots.len() as u64, u64::from(settings.pairs));
        match self {
            Self::Fixed(_) => scores.encounters.len() as u64 * pairs,
            Self::Swiss(_) => bots / 2 * u64::from(settings.rounds) * pairs,
            Self::Knockout(knockout) => {
                let extras = knockout.extras() + knockout.expected_extras(&scores.encounters);
                (bots - 1) * pairs + extras
            }
        }
    }
}
