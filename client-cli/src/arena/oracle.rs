//! Who wins each position of a game: what accuracy is counted from. Asked after the game, so that it costs nobody time.

use std::collections::HashMap;

use grundy_shared::Position;
use grundy_shared::game::Kind;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, Standing, standing};

use super::result::Deeds;

/// Positions that are remembered.
const REMEMBERED: usize = 1 << 15;

/// The solver with a memory.
#[derive(Debug)]
pub(crate) struct Oracle {
    /// Work on one position, in nodes; 0 asks nothing.
    nodes: u64,
    /// Standings as if the first player were to move. Of positions in which both players have the same moves only.
    known: HashMap<Position, Option<Standing>>,
}

impl Oracle {
    pub(crate) fn new(nodes: u64) -> Self {
        Self {
            nodes,
            known: HashMap::new(),
        }
    }

    /// Whether it answers at all.
    pub(crate) fn is_asked(&self) -> bool {
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

    /// Who wins the first of these positions, and what the players did in them. The first player is to move in the first, and so on
    /// in turn.
    pub(crate) fn judge(&mut self, positions: &[Position]) -> (Option<Seat>, [Deeds; 2]) {
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
