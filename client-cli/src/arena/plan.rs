//! Who meets whom, wave by wave: what is known beforehand is one wave, a round that depends on results is one of its own.

use grundy_shared::tournament::{self, ScheduleError};

use super::settings::{Format, Settings};

/// Extra pairs of a knockout match that is level; then the better seed goes on.
const EXTRA_PAIRS: u32 = 5;

/// Two bots that meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Encounter {
    /// From 1.
    pub(crate) round: u32,
    /// The bots by their places; the first one moves first in the first game of each pair.
    pub(crate) bots: [usize; 2],
    pub(crate) pairs: u32,
    /// The first start of the suite that they use.
    pub(crate) from_start: u32,
}

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
    /// Too few or too many bots.
    pub(crate) fn new(settings: &Settings) -> Result<Self, ScheduleError> {
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
            Format::Swiss => {
                tournament::knockout_slots(players)?;
                Self::Swiss(Swiss::new(settings))
            }
            Format::Knockout => {
                let bracket = tournament::knockout_slots(players)?;
                let slots = bracket.slots.into_iter();
                let slots = slots.map(|seed| (seed <= players).then(|| seed as usize - 1));
                Self::Knockout(Knockout {
                    pairs: settings.pairs,
                    round: 1,
                    slots: slots.collect(),
                    level: Vec::new(),
                    extra: 0,
                    used: 0,
                    going: Vec::new(),
                    out: Vec::new(),
                })
            }
        })
    }

    /// The next encounters, given the half points of those of the last wave; `None` when all is played.
    pub(crate) fn next(&mut self, last: &[(Encounter, [u32; 2])]) -> Option<Vec<Encounter>> {
        match self {
            Self::Fixed(wave) => wave.take(),
            Self::Swiss(swiss) => swiss.next(last),
            Self::Knockout(knockout) => knockout.next(last),
        }
    }

    /// The bots of a knockout that are out, the first one out first, with the round.
    pub(crate) fn out(&self) -> &[(usize, u32)] {
        match self {
            Self::Knockout(knockout) => &knockout.out,
            _ => &[],
        }
    }

    /// The bots without an opponent, round by round, in a Swiss tournament.
    pub(crate) fn byes(&self) -> &[Option<usize>] {
        match self {
            Self::Swiss(swiss) => &swiss.byes,
            _ => &[],
        }
    }
}

/// The bracket of a knockout.
#[derive(Debug)]
pub(crate) struct Knockout {
    pairs: u32,
    round: u32,
    /// Neighbours meet.
    slots: Vec<Option<usize>>,
    /// Matches of this round that are not decided: their slots and the half points so far.
    level: Vec<([usize; 2], [u32; 2])>,
    extra: u32,
    used: u32,
    /// Encounters that are being played, by their slots.
    going: Vec<[usize; 2]>,
    out: Vec<(usize, u32)>,
}

impl Knockout {
    fn next(&mut self, last: &[(Encounter, [u32; 2])]) -> Option<Vec<Encounter>> {
        for (slots, (_, halves)) in std::mem::take(&mut self.going).into_iter().zip(last) {
            match halves[0].cmp(&halves[1]) {
                std::cmp::Ordering::Greater => self.decide(slots, 0),
                std::cmp::Ordering::Less => self.decide(slots, 1),
                std::cmp::Ordering::Equal => self.level.push((slots, *halves)),
            }
        }
        if !self.level.is_empty() && self.extra < EXTRA_PAIRS {
            self.extra += 1;
            let level = std::mem::take(&mut self.level);
            return Some(self.wave(level.into_iter().map(|(slots, _)| slots).collect(), 1));
        }
        for (slots, _) in std::mem::take(&mut self.level) {
            // The better seed has the smaller place in the list.
            let [one, two] = slots.map(|slot| self.slots[slot]);
            self.decide(slots, usize::from(one > two));
        }
        if self.round > 1 || self.used > 0 {
            // The winners move up; without a match played, a bye moves up.
            let next: Vec<_> = self
                .slots
                .chunks(2)
                .map(|pair| pair.iter().copied().flatten().next())
                .collect();
            self.slots = next;
            self.round += 1;
        }
        if self.slots.len() < 2 {
            return None;
        }
        self.extra = 0;
        let meetings: Vec<[usize; 2]> = (0..self.slots.len())
            .step_by(2)
            .filter(|at| self.slots[*at].is_some() && self.slots[at + 1].is_some())
            .map(|at| [at, at + 1])
            .collect();
        let pairs = self.pairs;
        Some(self.wave(meetings, pairs))
    }

    fn wave(&mut self, meetings: Vec<[usize; 2]>, pairs: u32) -> Vec<Encounter> {
        let from_start = self.used;
        self.used += pairs;
        let encounters = meetings.iter().filter_map(|slots| {
            let [one, two] = slots.map(|slot| self.slots[slot]);
            Some(Encounter {
                round: self.round,
                bots: [one?, two?],
                pairs,
                from_start,
            })
        });
        let encounters = encounters.collect();
        self.going = meetings;
        encounters
    }

    fn decide(&mut self, slots: [usize; 2], winner: usize) {
        if let Some(loser) = self.slots[slots[1 - winner]].take() {
            self.out.push((loser, self.round));
        }
    }
}

/// A Swiss tournament.
#[derive(Debug)]
pub(crate) struct Swiss {
    players: usize,
    pairs: u32,
    rounds: u32,
    played: u32,
    halves: Vec<u32>,
    met: std::collections::HashSet<(usize, usize)>,
    byes: Vec<Option<usize>>,
}

impl Swiss {
    fn new(settings: &Settings) -> Self {
        let players = settings.bots.len();
        Self {
            players,
            pairs: settings.pairs,
            rounds: settings.rounds,
            played: 0,
            halves: vec![0; players],
            met: std::collections::HashSet::new(),
            byes: Vec::new(),
        }
    }

    fn next(&mut self, last: &[(Encounter, [u32; 2])]) -> Option<Vec<Encounter>> {
        for (encounter, halves) in last {
            for (bot, half) in encounter.bots.into_iter().zip(halves) {
                self.halves[bot] += half;
            }
        }
        if self.played == self.rounds {
            return None;
        }
        let (meetings, bye) = self.pairing()?;
        self.played += 1;
        if let Some(bye) = bye {
            // A bye is worth a won match.
            self.halves[bye] += 4 * self.pairs;
        }
        self.byes.push(bye);
        let from_start = (self.played - 1) * self.pairs;
        let round = self.played;
        for [one, two] in &meetings {
            self.met.insert((*one.min(two), *one.max(two)));
        }
        let pairs = self.pairs;
        let encounters = meetings.into_iter().map(|bots| Encounter {
            round,
            bots,
            pairs,
            from_start,
        });
        Some(encounters.collect())
    }

    /// The next round: score groups from the top, the upper half against the lower, nobody meets again. The lowest without a bye sits out
    /// if the number is odd. `None` if no pairing without a second meeting exists: then the tournament is over.
    fn pairing(&self) -> Option<(Vec<[usize; 2]>, Option<usize>)> {
        let mut order: Vec<usize> = (0..self.players).collect();
        order.sort_by_key(|bot| (std::cmp::Reverse(self.halves[*bot]), *bot));
        let had_bye = |bot: &usize| self.byes.contains(&Some(*bot));
        let mut candidates: Vec<Option<usize>> = vec![None];
        if order.len() % 2 == 1 {
            candidates = order
                .iter()
                .rev()
                .filter(|bot| !had_bye(bot))
                .map(|bot| Some(*bot))
                .collect();
        }
        for bye in candidates {
            let rest: Vec<usize> = order
                .iter()
                .copied()
                .filter(|bot| Some(*bot) != bye)
                .collect();
            let mut steps = 200_000;
            let mut meetings = Vec::new();
            if self.fill(&rest, &mut meetings, &mut steps) {
                return Some((meetings, bye));
            }
        }
        None
    }

    /// Finds opponents for the first of the list, and so on, going back where that leaves somebody without one.
    fn fill(&self, rest: &[usize], meetings: &mut Vec<[usize; 2]>, steps: &mut u32) -> bool {
        let Some((top, others)) = rest.split_first() else {
            return true;
        };
        let group = others
            .iter()
            .take_while(|bot| self.halves[**bot] == self.halves[*top])
            .count();
        // Within the score group the first of the lower half comes first, then those below, then those above, then lower groups.
        let middle = group.div_ceil(2).saturating_sub(1);
        let own = (middle..group).chain((0..middle).rev());
        for at in own.chain(group..others.len()) {
            if *steps == 0 {
                return false;
            }
            *steps -= 1;
            let other = others[at];
            if self.met.contains(&(*top.min(&other), *top.max(&other))) {
                continue;
            }
            let rest: Vec<usize> = others.iter().copied().filter(|bot| *bot != other).collect();
            meetings.push(match self.played % 2 {
                0 => [*top, other],
                _ => [other, *top],
            });
            if self.fill(&rest, meetings, steps) {
                return true;
            }
            meetings.pop();
        }
        false
    }
}
