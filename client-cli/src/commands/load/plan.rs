//! What matches play, and how: the moves and the pace.

use std::rc::Rc;
use std::time::Duration;

use super::arrivals::Arrivals;

/// The moves that every match plays.
pub(super) struct Script {
    /// The start.
    pub(super) position: String,
    /// The moves in order; the last one ends the match.
    pub(super) moves: Vec<String>,
}

impl Script {
    /// Nim with three heaps that is over after so many moves: the players take one, two and three in turn.
    pub(super) fn nim(plies: u32) -> Self {
        let mut sizes = [0; 3];
        let moves = (0..plies).map(|ply| {
            // From the first heap to the last, so that each is emptied by a whole take.
            let heap = (u64::from(ply) * 3 / u64::from(plies)) as usize;
            let taken = ply % 3 + 1;
            sizes[heap] += taken;
            format!("{}-{taken}", ["A", "B", "C"][heap])
        });
        let moves = moves.collect();
        let [first, second, third] = sizes;
        Self {
            position: format!("nim:{first},{second},{third}"),
            moves,
        }
    }
}

/// How an open loop goes.
#[derive(Clone)]
pub(super) struct Open {
    /// Deals out the moves.
    pub(super) arrivals: Rc<Arrivals>,
    /// Whether a player whose new match is refused waits for as long as the server asks.
    pub(super) obedient: bool,
}

/// How matches are played.
#[derive(Clone)]
pub(super) struct Plan {
    /// The moves.
    pub(super) script: Rc<Script>,
    /// Time from one move of a match to its next one; none: at once.
    pub(super) period: Option<Duration>,
    /// Deals out the moves of an open loop.
    pub(super) open: Option<Open>,
    /// Whether the other side keeps a log that can be asked at the end.
    pub(super) keeps_log: bool,
}

#[cfg(test)]
mod tests {
    use grundy_shared::Position;
    use grundy_shared::ids::Seat;

    use super::*;

    #[test]
    fn a_script_has_so_many_moves_and_empties_every_heap() {
        let script = Script::nim(6);
        assert_eq!(script.position, "nim:3,4,5");
        assert_eq!(script.moves, ["A-1", "A-2", "B-3", "B-1", "C-2", "C-3"]);
        for plies in [1, 2, 7, 1000] {
            let script = Script::nim(plies);
            let mut position = Position::parse(&script.position).expect("a position");
            let mut mover = Seat::First;
            for text in &script.moves {
                let chosen = position.parse_move(mover, text).expect(text);
                position = position.play(&chosen);
                mover = mover.other();
            }
            assert_eq!(script.moves.len(), plies as usize);
            assert!(position.is_over(mover), "{position}");
        }
    }
}
