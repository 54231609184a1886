//! The Swiss system: FIDE's Dutch system, C.04.3, in force since 1 February 2026, with C.04.1 and C.04.2.

mod bracket;
mod colour;
mod criteria;
mod player;
mod weight;

use std::collections::{BTreeMap, BTreeSet};

use super::cross_table::{Colour, CrossTable};
use super::schedule::Game;
use bracket::Entrants;
use player::Player;

/// The most players of a round: the work grows with the cube of the number.
pub const MAX_SWISS_PLAYERS: usize = 500;

/// What the rules need besides the history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwissRules {
    /// How many rounds the tournament has: in the last one topscorers may break colour rules.
    pub total_rounds: usize,
    /// The colour of the first player in the first round, drawn by lot.
    pub initial_colour: Colour,
    /// Whether colours count. Where each pairing is a pair of games with sides swapped, they do not.
    pub colours: bool,
    /// Who does not play in the round to pair.
    pub absent: BTreeSet<u32>,
    /// Pairs of players who must not meet, the smaller number first.
    pub forbidden: BTreeSet<(u32, u32)>,
}

impl SwissRules {
    /// Everybody plays, nothing is forbidden, colours count, and the first player begins with White.
    #[must_use]
    pub fn new(total_rounds: usize) -> Self {
        Self {
            total_rounds,
            initial_colour: Colour::White,
            colours: true,
            absent: BTreeSet::new(),
            forbidden: BTreeSet::new(),
        }
    }
}

/// A round to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwissRound {
    /// The number of the round, from 1.
    pub round: usize,
    /// The games in the order of boards (C.04.2, 3.6), White first.
    pub pairs: Vec<Game>,
    /// Who has the pairing-allocated bye.
    pub bye: Option<u32>,
}

/// Why a round has no pairing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SwissError {
    /// All rounds are finished.
    #[error("round {0} was the last, and it is finished")]
    Finished(usize),
    /// Nobody is left to pair.
    #[error("a round needs at least 2 players who are present, got {0}")]
    TooFewPlayers(usize),
    /// Beyond [`MAX_SWISS_PLAYERS`].
    #[error("a Swiss round has at most {MAX_SWISS_PLAYERS} players, got {0}")]
    TooManyPlayers(usize),
    /// Any complete pairing would break an absolute criterion: a rematch, a second bye, or colours.
    #[error("no pairing of round {0} complies with the absolute criteria of the Dutch system")]
    NoPairing(usize),
}

/// Pairs the next round by the Dutch system. Cost: a few matchings for each score group, each of the cube of the number of
/// players.
///
/// # Errors
/// If there is no round to pair, too many or too few players, or no complete pairing.
pub fn next_round(table: &CrossTable, rules: &SwissRules) -> Result<SwissRound, SwissError> {
    let round = table.rounds() + 1;
    if round > rules.total_rounds {
        return Err(SwissError::Finished(rules.total_rounds));
    }
    let players = present(table, rules);
    if players.len() < 2 {
        return Err(SwissError::TooFewPlayers(players.len()));
    }
    if players.len() > MAX_SWISS_PLAYERS {
        return Err(SwissError::TooManyPlayers(players.len()));
    }
    // 1.8: more than half of the points that were possible, and only before the last round.
    let half = table.win().0 * table.rounds() as u32;
    let is_last = round == rules.total_rounds;
    let is_topscorer = |player: &Player| is_last && player.score.0 * 2 > half;
    let may_meet = |one: &Player, two: &Player| {
        let absolute = one.is_absolute() && two.is_absolute() && one.preference == two.preference;
        !one.barred.contains(&two.number) && (!absolute || is_topscorer(one) || is_topscorer(two))
    };
    let entrants = Entrants {
        players: &players,
        may_meet: &may_meet,
        rounds: table.rounds(),
    };
    let paired = bracket::pair(&entrants).ok_or(SwissError::NoPairing(round))?;
    let mut boards = paired.pairs;
    boards.sort_by_key(|(higher, lower)| {
        let (higher, lower) = (&players[*higher], &players[*lower]);
        let (scores, place) = ((higher.score, lower.score), higher.place);
        (std::cmp::Reverse(scores), place)
    });
    let pairs = boards
        .into_iter()
        .map(|(higher, lower)| {
            let (higher, lower) = (&players[higher], &players[lower]);
            match colour::colour_of_higher(higher, lower, rules.initial_colour) {
                Colour::White => (higher.number, lower.number),
                Colour::Black => (lower.number, higher.number),
            }
        })
        .collect();
    Ok(SwissRound {
        round,
        pairs,
        bye: paired.bye.map(|rank| players[rank].number),
    })
}

/// The players of the round by rank: score, then number.
fn present(table: &CrossTable, rules: &SwissRules) -> Vec<Player> {
    let mut barred: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (one, two) in &rules.forbidden {
        barred.entry(*one).or_default().push(*two);
        barred.entry(*two).or_default().push(*one);
    }
    let mut place = 0;
    let mut players = Vec::new();
    for number in table.numbers() {
        let is_present = !rules.absent.contains(&number);
        let took_part = table.row(number).iter().any(|entry| entry.is_paired());
        if is_present || took_part {
            place += 1;
        }
        if is_present {
            let mut player = Player::of(table, number, place, rules.colours);
            player
                .barred
                .extend(barred.get(&number).into_iter().flatten());
            players.push(player);
        }
    }
    players.sort_by_key(|player| (std::cmp::Reverse(player.score), player.place));
    players
}

#[cfg(test)]
mod tests;
