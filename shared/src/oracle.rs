//! Who wins each position of a game that is over: what accuracy is counted from.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::{Event, Outcome, PlayerInfo};
use crate::game::Kind;
use crate::ids::Seat;
use crate::position::Position;
use crate::record::Record;
use crate::solver::{Budget, Standing, standing};
use crate::statistics::Accuracy;

/// The solver's work on one position of a tournament's game, in nodes. What it cannot decide counts for nobody.
pub const TOURNAMENT_NODES: u64 = 20_000;

/// Positions that are remembered.
const REMEMBERED: usize = 1 << 15;

/// What one player did in a game, counted with the solver's verdicts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Deeds {
    /// Won positions in which the win could be lost.
    pub won: u32,
    /// Those of them in which it was kept.
    pub kept: u32,
    /// Replies that the player's moves from lost positions left.
    pub replies: u64,
    /// Those of them that win.
    pub winning: u64,
}

/// The accuracy of one player of a tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerAccuracy {
    /// The player's number.
    pub player: u32,
    /// Won positions that the player kept.
    pub kept: u64,
    /// Won positions in which the win could be lost.
    pub won: u64,
    /// The share kept, from 0 to 1, to four decimals; absent without such a position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// The lower end of its 95 % interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy_lo: Option<f64>,
    /// The upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy_hi: Option<f64>,
}

/// The solver with a memory. Its answers do not depend on what it was asked before.
#[derive(Debug)]
pub struct Oracle {
    /// Work on one position, in nodes; 0 asks nothing.
    nodes: u64,
    /// Standings as if the first player were to move. Of positions in which both players have the same moves only.
    known: HashMap<Position, Option<Standing>>,
}

impl Oracle {
    /// One that spends at most so many nodes on a position.
    #[must_use]
    pub fn new(nodes: u64) -> Self {
        Self {
            nodes,
            known: HashMap::new(),
        }
    }

    /// Whether it answers at all.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.nodes > 0
    }

    fn standing(&mut self, position: &Position, to_move: Seat) -> Option<Standing> {
        let budget = Budget::nodes(self.nodes);
        if position.kind() != Kind::Impartial {
            return standing(position, to_move, &budget);
        }
        let found = match self.known.get(position) {
            Some(known) => *known,
            None => {
                let found = standing(position, Seat::First, &budget);
                if self.known.len() >= REMEMBERED {
                    self.known.clear();
                }
                self.known.insert(position.clone(), found);
                found
            }
        };
        found.map(|standing| Standing {
            winner: standing.winner.map(|winner| match to_move {
                Seat::First => winner,
                Seat::Second => winner.other(),
            }),
            ..standing
        })
    }

    /// How a position ends with best play; `None` if the work does not suffice to prove it.
    pub fn outcome(&mut self, position: &Position, to_move: Seat) -> Option<Outcome> {
        let standing = self.standing(position, to_move)?;
        Some(standing.winner.map_or(Outcome::Draw, Outcome::win_of))
    }

    /// Who wins the first of these positions, and what the players did in them. The first player is to move in the first, and so on
    /// in turn.
    pub fn judge(&mut self, positions: &[Position]) -> (Option<Seat>, [Deeds; 2]) {
        let mut deeds = [Deeds::default(); 2];
        let mut favoured = None;
        let mut before: Option<Standing> = None;
        let mut to_move = Seat::First;
        for (ply, position) in positions.iter().enumerate() {
            let now = self.standing(position, to_move);
            if ply == 0 {
                favoured = now.and_then(|now| now.winner);
            }
            if let (Some(before), Some(now)) = (before, now) {
                let mover = to_move.other();
                let deeds = &mut deeds[mover.index()];
                if before.winner == Some(mover) && before.winning < before.legal {
                    deeds.won += 1;
                    deeds.kept += u32::from(now.winner == Some(mover));
                }
                if before.winner == Some(to_move) {
                    let narrow = |count: u128| u64::try_from(count).unwrap_or(u64::MAX);
                    deeds.replies = deeds.replies.saturating_add(narrow(now.legal));
                    deeds.winning = deeds.winning.saturating_add(narrow(now.winning));
                }
            }
            before = now;
            to_move = to_move.other();
        }
        (favoured, deeds)
    }
}

/// The accuracy of each of these players over all games; number n is at n-1. Cost: the solver's work on every position.
#[must_use]
pub fn accuracies<'r>(
    players: &[PlayerInfo],
    records: impl IntoIterator<Item = &'r Record>,
) -> Vec<PlayerAccuracy> {
    let places = players.iter().enumerate();
    let places: HashMap<_, _> = places.map(|(place, player)| (player.id, place)).collect();
    let mut all = vec![Accuracy::default(); players.len()];
    let mut oracle = Oracle::new(TOURNAMENT_NODES);
    for record in records {
        let (_, deeds) = oracle.judge(&positions(record));
        for seat in Seat::BOTH {
            let player = record.referee().player(seat);
            let place = player.and_then(|player| places.get(&player.id));
            if let Some(accuracy) = place.and_then(|place| all.get_mut(*place)) {
                let deeds = deeds[seat.index()];
                *accuracy = accuracy.plus(Accuracy {
                    kept: deeds.kept.into(),
                    won: deeds.won.into(),
                });
            }
        }
    }
    let numbered = (1..).zip(all);
    let rows = numbered.map(|(player, accuracy)| {
        let interval = accuracy.interval();
        PlayerAccuracy {
            player,
            kept: accuracy.kept,
            won: accuracy.won,
            accuracy: accuracy.share().map(rounded),
            accuracy_lo: interval.map(|(low, _)| rounded(low)),
            accuracy_hi: interval.map(|(_, high)| rounded(high)),
        }
    });
    rows.collect()
}

fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}

/// Every position of a game.
fn positions(record: &Record) -> Vec<Position> {
    let mut positions = Vec::new();
    let mut to_move = Seat::First;
    for event in record.events() {
        match event {
            Event::Created { position, .. } => positions.extend(Position::parse(position)),
            Event::Moved { move_text, .. } => {
                let Some(before) = positions.last() else {
                    return positions;
                };
                let Ok(mv) = before.parse_move(to_move, move_text) else {
                    return positions;
                };
                positions.push(before.play(&mv));
                to_move = to_move.other();
            }
            _ => {}
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_that_is_thrown_away_is_counted_once() {
        // 1,2 is won by the player to move with B-1 alone; from 1,1 every move leaves a won position with one move.
        let at = |text: &str| Position::parse(text).expect("a position");
        let all = ["nim:1,2", "nim:1,1", "nim:1", "nim:0"].map(at);
        let (favoured, [first, second]) = Oracle::new(1_000).judge(&all);
        assert_eq!(favoured, Some(Seat::First));
        assert_eq!((first.kept, first.won), (1, 1));
        assert_eq!((second.replies, second.winning), (1, 1));
        let lost = ["nim:1,2", "nim:2", "nim:0"].map(at);
        let (_, [first, second]) = Oracle::new(1_000).judge(&lost);
        assert_eq!((first.kept, first.won), (0, 1));
        assert_eq!((second.kept, second.won), (1, 1));
        assert!(!Oracle::new(0).is_asked());
    }

    #[test]
    fn an_outcome_is_that_of_the_player_to_move_or_unknown() {
        let at = |text: &str| Position::parse(text).expect("a position");
        let mut oracle = Oracle::new(1_000);
        for to_move in Seat::BOTH {
            let won = oracle.outcome(&at("nim:1,2"), to_move);
            assert_eq!(won, Some(Outcome::win_of(to_move)));
            let lost = oracle.outcome(&at("nim:1,1"), to_move);
            assert_eq!(lost, Some(Outcome::win_of(to_move.other())));
        }
        let large = at("cram:......./......./......./......./......./......./.......");
        assert_eq!(Oracle::new(1).outcome(&large, Seat::First), None);
    }
}
