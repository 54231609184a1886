//! A Swiss tournament by FIDE's Dutch system. Colours do not count, because two bots that meet play both sides.

use grundy_shared::tournament::{
    Colour, CrossTable, Entry, HalfPoints, MAX_SWISS_PLAYERS, SwissError, SwissRules, next_round,
};

use super::encounter::{Encounter, Met};
use super::plan_error::PlanError;

/// What a won match is worth, in half points: the bot with more points wins it.
pub(crate) const WIN: HalfPoints = HalfPoints(2);

/// What a match is worth to its two bots, given the half points of its games.
pub(crate) fn match_points(halves: [u32; 2]) -> [HalfPoints; 2] {
    match halves[0].cmp(&halves[1]) {
        std::cmp::Ordering::Greater => [WIN, HalfPoints(0)],
        std::cmp::Ordering::Less => [HalfPoints(0), WIN],
        // Nobody played.
        std::cmp::Ordering::Equal if halves == [0, 0] => [HalfPoints(0); 2],
        std::cmp::Ordering::Equal => [HalfPoints(WIN.0 / 2); 2],
    }
}

/// The rounds that a tournament has if nobody says otherwise: two more than a knockout would have, as far as nobody meets twice.
pub(crate) fn usual_rounds(players: usize) -> u32 {
    most_rounds(players).min(players.max(2).ilog2() + 3)
}

/// The rounds after which everybody has met everybody.
fn most_rounds(players: usize) -> u32 {
    let even = players.saturating_sub(1) + players % 2;
    u32::try_from(even).unwrap_or(u32::MAX)
}

/// A tournament of which some rounds are played.
#[derive(Debug)]
pub(crate) struct Swiss {
    pairs: u32,
    rules: SwissRules,
    table: CrossTable,
    /// The bye of the round that is being played, by number.
    bye: Option<u32>,
    byes: Vec<Option<usize>>,
    /// Why a round could not be paired.
    stuck: Option<SwissError>,
}

impl Swiss {
    /// A tournament before its first round.
    ///
    /// # Errors
    /// Too many bots, or more rounds than there are opponents.
    pub(crate) fn new(players: usize, rounds: u32, pairs: u32) -> Result<Self, PlanError> {
        if players > MAX_SWISS_PLAYERS {
            return Err(PlanError::Swiss(SwissError::TooManyPlayers(players)));
        }
        let most = most_rounds(players);
        if rounds == 0 || rounds > most {
            return Err(PlanError::Rounds {
                players,
                rounds,
                most,
            });
        }
        let mut rules = SwissRules::new(rounds as usize);
        rules.colours = false;
        Ok(Self {
            pairs,
            rules,
            table: CrossTable::new(players as u32, WIN),
            bye: None,
            byes: Vec::new(),
            stuck: None,
        })
    }

    /// The bots without an opponent, round by round.
    pub(crate) fn byes(&self) -> &[Option<usize>] {
        &self.byes
    }

    /// Why it ended before its last round.
    pub(crate) fn stuck(&self) -> Option<SwissError> {
        self.stuck
    }

    /// The next round, given the half points of the last one and the bots that play no more; `None` if all are played or no pairing is
    /// left.
    pub(crate) fn next(&mut self, last: &[Met], withdrawn: &[usize]) -> Option<Vec<Encounter>> {
        if !self.byes.is_empty() {
            self.table
                .push_round(&self.entries(last))
                .expect("both entries of a match are made together");
        }
        self.rules.absent = withdrawn.iter().map(|bot| *bot as u32 + 1).collect();
        let round = match next_round(&self.table, &self.rules) {
            Ok(round) => round,
            Err(SwissError::Finished(_)) => return None,
            Err(error) => {
                self.stuck = Some(error);
                return None;
            }
        };
        self.bye = round.bye;
        self.byes.push(round.bye.map(|bye| bye as usize - 1));
        let number = round.round as u32;
        let encounters = round.pairs.into_iter().map(|(first, second)| Encounter {
            round: number,
            bots: [first as usize - 1, second as usize - 1],
            pairs: self.pairs,
            from_start: (number - 1).saturating_mul(self.pairs),
        });
        Some(encounters.collect())
    }

    fn entries(&self, last: &[Met]) -> Vec<Entry> {
        let mut entries = vec![Entry::ZeroBye; self.table.players() as usize];
        for met in last {
            let encounter = &met.encounter;
            let scores = match_points(met.halves);
            for (side, colour) in [(0, Colour::White), (1, Colour::Black)] {
                entries[encounter.bots[side]] = Entry::Played {
                    opponent: encounter.bots[1 - side] as u32 + 1,
                    colour,
                    score: scores[side],
                };
            }
        }
        if let Some(bye) = self.bye {
            entries[bye as usize - 1] = Entry::PairingBye;
        }
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn rounds_end_before_anybody_meets_twice() {
        for players in 2..=20 {
            let rounds = usual_rounds(players);
            assert!(Swiss::new(players, rounds, 1).is_ok(), "{players}");
            let most = most_rounds(players);
            assert!(Swiss::new(players, most + 1, 1).is_err(), "{players}");
        }
        assert_eq!(usual_rounds(2), 1);
        assert_eq!(usual_rounds(100), 9);
        assert!(Swiss::new(4, 0, 1).is_err());
        assert!(Swiss::new(MAX_SWISS_PLAYERS + 1, 9, 1).is_err());
    }

    #[test]
    fn nobody_meets_twice_and_byes_are_shared_out() {
        for players in [5, 8, 13] {
            let rounds = usual_rounds(players);
            let mut swiss = Swiss::new(players, rounds, 1).expect("a tournament");
            let mut met = HashSet::new();
            let mut last = Vec::new();
            while let Some(wave) = swiss.next(&last, &[]) {
                for encounter in &wave {
                    let [one, two] = encounter.bots;
                    assert!(met.insert((one.min(two), one.max(two))), "{players}");
                }
                // The bot with the smaller number is the stronger one.
                last = wave
                    .into_iter()
                    .map(|encounter| {
                        let first = encounter.bots[0] < encounter.bots[1];
                        Met::over(encounter, if first { [3, 1] } else { [1, 3] })
                    })
                    .collect();
            }
            assert_eq!(swiss.byes().len() as u32, rounds);
            let byes: Vec<usize> = swiss.byes().iter().copied().flatten().collect();
            let different: HashSet<&usize> = byes.iter().collect();
            assert_eq!(byes.len(), different.len());
            assert_eq!(byes.len(), players % 2 * rounds as usize);
            assert_eq!(swiss.stuck(), None);
        }
    }

    #[test]
    fn a_bot_that_has_withdrawn_is_paired_no_more() {
        let mut swiss = Swiss::new(6, 3, 1).expect("a tournament");
        let mut last = Vec::new();
        let mut withdrawn: Vec<usize> = Vec::new();
        while let Some(wave) = swiss.next(&last, &withdrawn) {
            for encounter in &wave {
                assert!(!withdrawn.contains(&encounter.bots[0]));
                assert!(!withdrawn.contains(&encounter.bots[1]));
            }
            last = wave
                .into_iter()
                .map(|encounter| Met::over(encounter, [3, 1]))
                .collect();
            withdrawn = vec![2];
        }
        // Of the five who are left one has a bye in each later round.
        assert_eq!(swiss.byes().iter().flatten().count(), 2);
        assert!(!swiss.byes().contains(&Some(2)));
    }
}
