//! The next round of each format, from what was played.

use std::collections::BTreeSet;

use super::cross_table::{CrossTable, Entry};
use super::event::{Format, TournamentError};
use super::schedule::{Game, Schedule, ScheduleError, knockout_slots};
use super::swiss::{SwissError, SwissRules, next_round};
use crate::rating::Rating;

/// The pairs of a round, and who has a bye.
pub(super) type Boards = (Vec<Game>, Vec<u32>);

/// What a pairing is made from.
pub(super) struct Standing<'t> {
    pub(super) format: Format,
    /// The finished rounds.
    pub(super) table: &'t CrossTable,
    /// Players who take no part any more.
    pub(super) withdrawn: &'t BTreeSet<u32>,
    /// Whether a pairing is one game, so that colours count.
    pub(super) one_game: bool,
    /// The ratings of a ladder, by number.
    pub(super) ratings: &'t [Rating],
}

impl Standing<'_> {
    /// The next round; `None` after the last.
    ///
    /// # Errors
    /// The format does not fit the number of players.
    pub(super) fn next(&self) -> Result<Option<Boards>, TournamentError> {
        let players = self.table.players();
        let schedule = match self.format {
            Format::RoundRobin {} => Schedule::RoundRobin,
            Format::DoubleRoundRobin {} => Schedule::DoubleRoundRobin,
            Format::Gauntlet { seeds } => Schedule::Gauntlet { seeds },
            Format::Swiss { rounds } => return self.next_swiss(rounds),
            Format::Knockout {} => return self.next_knockout(),
            Format::Ladder { rounds } => return self.next_of_ladder(rounds),
        };
        let rounds = schedule
            .rounds(players)
            .map_err(TournamentError::Schedule)?;
        let round = rounds.get(self.table.rounds());
        Ok(round.map(|round| self.without_withdrawn(round)))
    }

    /// A round of a schedule, in which whoever would meet a withdrawn player has a bye: everybody of whom it is true gets the same for it,
    /// and as much as who won before the withdrawal.
    fn without_withdrawn(&self, round: &[Game]) -> Boards {
        let (mut pairs, mut byes) = (Vec::new(), Vec::new());
        for (one, two) in round.iter().copied() {
            match [one, two].map(|player| self.withdrawn.contains(&player)) {
                [false, false] => pairs.push((one, two)),
                [false, true] => byes.push(one),
                [true, false] => byes.push(two),
                [true, true] => {}
            }
        }
        byes.sort_unstable();
        (pairs, byes)
    }

    fn next_swiss(&self, rounds: u32) -> Result<Option<Boards>, TournamentError> {
        let mut rules = SwissRules::new(rounds as usize);
        rules.colours = self.one_game;
        rules.absent = self.withdrawn.clone();
        match next_round(self.table, &rules) {
            Ok(round) => Ok(Some((round.pairs, round.bye.into_iter().collect()))),
            Err(SwissError::Finished(_)) => Ok(None),
            // Everybody who is left has met: the tournament ends early.
            Err(SwissError::NoPairing(_) | SwissError::TooFewPlayers(_))
                if self.table.rounds() > 0 =>
            {
                Ok(None)
            }
            Err(error) => Err(TournamentError::Swiss(error)),
        }
    }

    /// The winners of neighbouring places meet. Who has no opponent goes on with a bye; a withdrawn player is out.
    fn next_knockout(&self) -> Result<Option<Boards>, TournamentError> {
        let places = knockout_places(self.table, self.table.rounds())?;
        if places.len() < 2 {
            return Ok(None);
        }
        let in_play =
            |player: &Option<u32>| player.filter(|player| !self.withdrawn.contains(player));
        let (mut pairs, mut byes) = (Vec::new(), Vec::new());
        for two in places.chunks(2) {
            match (in_play(&two[0]), in_play(&two[1])) {
                (Some(one), Some(two)) => pairs.push((one, two)),
                (Some(one), None) | (None, Some(one)) => byes.push(one),
                (None, None) => {}
            }
        }
        Ok((!pairs.is_empty() || byes.len() > 1).then_some((pairs, byes)))
    }

    /// Neighbours by rating meet, but not twice in a row if another choice exists. With an odd number the player with the
    /// fewest byes has one; of those the lowest who had none in the last round.
    fn next_of_ladder(&self, rounds: u32) -> Result<Option<Boards>, TournamentError> {
        let table = self.table;
        let is_here = |player: &u32| !self.withdrawn.contains(player);
        let mut order: Vec<u32> = table.numbers().filter(is_here).collect();
        if order.len() < 2 && table.rounds() == 0 {
            let few = ScheduleError::TooFewPlayers(table.players());
            return Err(TournamentError::Schedule(few));
        }
        if table.rounds() >= rounds as usize || order.len() < 2 {
            return Ok(None);
        }
        let rating = |player: &u32| self.ratings.get(*player as usize - 1);
        let points = |player: &u32| rating(player).map_or(0.0, |rating| rating.rating);
        order.sort_by(|one, two| points(two).total_cmp(&points(one)).then(one.cmp(two)));
        let mut byes = Vec::new();
        if order.len() % 2 == 1 {
            let count = |player: u32| {
                let row = table.row(player).iter();
                row.filter(|entry| **entry == Entry::PairingBye).count()
            };
            // Of three, the two who are left have met last if the same player has the bye again.
            let again = |player: u32| table.row(player).last() == Some(&Entry::PairingBye);
            let fewest = order
                .iter()
                .rev()
                .copied()
                .min_by_key(|player| (count(*player), again(*player)));
            byes.extend(fewest);
            order.retain(|player| Some(*player) != fewest);
        }
        let met_last = |one: u32, two: u32| {
            let last = table.row(one).last();
            last.is_some_and(|entry| entry.opponent() == Some(two))
        };
        let mut pairs = Vec::with_capacity(order.len() / 2);
        while order.len() > 1 {
            let one = order.remove(0);
            let other = order.iter().position(|two| !met_last(one, *two));
            pairs.push((one, order.remove(other.unwrap_or(0))));
        }
        // The last two may have nobody else left: then they change partners with the pair above, which has not met either of them.
        if let [.., (one, two), (three, four)] = &mut pairs[..]
            && met_last(*three, *four)
        {
            std::mem::swap(two, three);
            debug_assert!(!met_last(*one, *two) && !met_last(*three, *four));
        }
        // Who moved first more rarely moves first now.
        for pair in &mut pairs {
            if first_moves(table, pair.0) > first_moves(table, pair.1) {
                *pair = (pair.1, pair.0);
            }
        }
        Ok(Some((pairs, byes)))
    }
}

fn first_moves(table: &CrossTable, player: u32) -> usize {
    let row = table.row(player).iter();
    row.filter(|entry| entry.played_colour() == Some(super::cross_table::Colour::White))
        .count()
}

/// The places of the bracket after so many rounds: as many as players are left, `None` where nobody came through.
///
/// # Errors
/// Fewer than two players, or too many.
pub(super) fn knockout_places(
    table: &CrossTable,
    rounds: usize,
) -> Result<Vec<Option<u32>>, TournamentError> {
    let players = table.players();
    let bracket = knockout_slots(players).map_err(TournamentError::Schedule)?;
    let mut places: Vec<Option<u32>> = bracket
        .slots
        .into_iter()
        .map(|number| (number <= players).then_some(number))
        .collect();
    for round in 0..rounds.min(table.rounds()) {
        places = places
            .chunks(2)
            .map(|two| {
                let points = |player: &u32| table.row(*player)[round].points(table.win());
                // Level after all replays: the one who entered first goes on.
                two.iter()
                    .flatten()
                    .copied()
                    .max_by_key(|player| (points(player), std::cmp::Reverse(*player)))
            })
            .collect();
    }
    Ok(places)
}
