//! A knockout: neighbours in the bracket meet, and the winners move up. A level match gets extra pairs, so many at most.

use grundy_shared::tournament::{self, ScheduleError};

use super::encounter::Encounter;

/// Extra pairs of a match that is level; then the better seed goes on.
const EXTRA_PAIRS: u32 = 5;

/// The bracket of a knockout.
#[derive(Debug)]
pub(crate) struct Knockout {
    pairs: u32,
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

    /// The next matches or extra pairs; `None` once one bot is left.
    pub(crate) fn next(&mut self, last: &[(Encounter, [u32; 2])]) -> Option<Vec<Encounter>> {
        for (slots, (_, halves)) in std::mem::take(&mut self.going).into_iter().zip(last) {
            match halves[0].cmp(&halves[1]) {
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
