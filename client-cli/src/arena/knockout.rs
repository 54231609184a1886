//! A knockout: neighbours in the bracket meet, and the winners move up. A level match gets extra pairs, so many at most.

use std::collections::HashSet;

use grundy_shared::tournament::{self, ScheduleError};

use super::encounter::{Encounter, Met};

/// Extra pairs of a match that is level; then the better seed goes on.
pub(crate) const EXTRA_PAIRS: u32 = 5;

/// How often something was level.
#[derive(Clone, Copy, Default)]
struct Sample {
    level: u64,
    all: u64,
}

impl Sample {
    fn add(&mut self, is_level: bool) {
        self.level += u64::from(is_level);
        self.all += 1;
    }

    fn with(self, other: Self) -> Self {
        Self {
            level: self.level + other.level,
            all: self.all + other.all,
        }
    }

    /// The share, by the rule of succession: one half before anything is known.
    fn share(self) -> f64 {
        (self.level + 1) as f64 / (self.all + 2) as f64
    }
}

/// The bracket of a knockout.
#[derive(Debug)]
pub(crate) struct Knockout {
    pairs: u32,
    /// Matches in all: each puts one bot out.
    matches: u64,
    round: u32,
    /// Neighbours meet.
    slots: Vec<Option<usize>>,
    /// Matches of this round that are level, by their slots.
    level: Vec<[usize; 2]>,
    /// Extra pairs of this round, and of all rounds and matches.
    extra: u32,
    extras: u64,
    used: u32,
    /// Encounters that are being played, by their slots.
    going: Vec<[usize; 2]>,
    out: Vec<(usize, u32)>,
}

impl Knockout {
    /// The bracket of so many bots in which a match has so many pairs.
    ///
    /// # Errors
    /// Too few or too many bots.
    pub(crate) fn new(players: u32, pairs: u32) -> Result<Self, ScheduleError> {
        let bracket = tournament::knockout_slots(players)?;
        let slots = bracket.slots.into_iter();
        let slots = slots.map(|seed| (seed <= players).then(|| seed as usize - 1));
        Ok(Self {
            pairs,
            matches: u64::from(players) - 1,
            round: 1,
            slots: slots.collect(),
            level: Vec::new(),
            extra: 0,
            extras: 0,
            used: 0,
            going: Vec::new(),
            out: Vec::new(),
        })
    }

    /// The bots that are out, the first one out first, with the round.
    pub(crate) fn out(&self) -> &[(usize, u32)] {
        &self.out
    }

    /// Extra pairs so far.
    pub(crate) fn extras(&self) -> u64 {
        self.extras
    }

    /// Extra pairs still to come, besides those of the running wave: each undecided match is level as often as those so far.
    pub(crate) fn expected_extras(&self, encounters: &[Met]) -> u64 {
        // Extra pairs follow on the match of the same bots.
        let mut matches = Sample::default();
        let mut extras = Sample::default();
        let mut met = HashSet::new();
        let (mut decided, mut waiting) = (0, 0);
        for each in encounters {
            let is_match = met.insert((each.encounter.round, each.encounter.bots));
            if !each.is_complete() {
                waiting += u64::from(!is_match);
                continue;
            }
            let is_level = each.halves[0] == each.halves[1];
            decided += u64::from(!is_level);
            match is_match {
                true => matches.add(is_level),
                false => extras.add(is_level),
            }
        }
        // With one pair a match all pairs are alike.
        if self.pairs == 1 {
            matches = matches.with(extras);
            extras = matches;
        }
        let again = extras.share();
        // Of a level match: the first extra pair, and the others while it stays level.
        let run: f64 = (0..EXTRA_PAIRS).map(|pair| again.powi(pair as i32)).sum();
        let all = self.matches.saturating_sub(decided + waiting);
        let expected = all as f64 * matches.share() * run + waiting as f64 * again * run;
        expected.round() as u64
    }

    /// The next matches or extra pairs; `None` once one bot is left.
    pub(crate) fn next(&mut self, last: &[Met]) -> Option<Vec<Encounter>> {
        for (slots, met) in std::mem::take(&mut self.going).into_iter().zip(last) {
            match met.halves[0].cmp(&met.halves[1]) {
                std::cmp::Ordering::Greater => self.decide(slots, 0),
                std::cmp::Ordering::Less => self.decide(slots, 1),
                std::cmp::Ordering::Equal => self.level.push(slots),
            }
        }
        if !self.level.is_empty() && self.extra < EXTRA_PAIRS {
            self.extra += 1;
            let level = std::mem::take(&mut self.level);
            self.extras += level.len() as u64;
            return Some(self.wave(level, 1));
        }
        for slots in std::mem::take(&mut self.level) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::seed::Chance;

    /// Plays a knockout in which so many of ten pairs are level; the errors of the expected number of pairs after the first tenth, half
    /// and nine tenths, as shares of the pairs that were still to come.
    fn errors(bots: u32, level: u64, lot: u64) -> Vec<f64> {
        let mut chance = Chance::new(lot);
        let mut knockout = Knockout::new(bots, 1).expect("a knockout");
        let mut encounters: Vec<Met> = Vec::new();
        let mut played = 0;
        let mut expected = Vec::new();
        let mut from = 0;
        while let Some(wave) = knockout.next(&encounters[from..]) {
            from = encounters.len();
            encounters.extend(wave.iter().copied().map(Met::begun));
            for at in from..encounters.len() {
                let halves = match (chance.below(10) < level, chance.below(2)) {
                    (true, _) => [2, 2],
                    (false, 0) => [4, 0],
                    (false, _) => [0, 4],
                };
                encounters[at] = Met::over(encounters[at].encounter, halves);
                played += 1;
                let extras = knockout.extras() + knockout.expected_extras(&encounters);
                expected.push((played, u64::from(bots) - 1 + extras));
            }
        }
        let places = [1, 5, 9].map(|tenths| (played * tenths / 10).max(1) as usize - 1);
        let errors = places.map(|place| {
            let (before, all) = expected[place];
            let truth = (played - before) as f64;
            (all as f64 - played as f64).abs() / truth
        });
        errors.to_vec()
    }

    #[test]
    fn the_pairs_to_come_are_mostly_known_within_a_quarter_after_the_first_tenth() {
        for (bots, level) in [(64, 0), (64, 3), (64, 5), (64, 8), (128, 6)] {
            let mut all: Vec<f64> = (0..40).map(|lot| errors(bots, level, lot)[0]).collect();
            all.sort_by(f64::total_cmp);
            let within = all.iter().filter(|error| **error <= 0.25).count();
            assert!(
                within >= 25,
                "{bots} bots, {level}: {within} of 40: {all:?}"
            );
            assert!(all[20] <= 0.2, "{bots} bots, {level}: {all:?}");
        }
    }
}
