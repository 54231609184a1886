//! Boards of running matches, as those see them who look at them at the same time: drawn for the first one, and kept for the others.
//!
//! After each move every page that shows a match asks for its board. A picture takes a millisecond or more to draw, and a thousand watchers want the same one.

use std::num::NonZeroUsize;
use std::sync::Arc;

use grundy_shared::ids::Seat;
use grundy_shared::protocol::Reply;

use crate::latest::Latest;

/// Boards that are kept. A reply has at most `limits.reply_bytes`, and mostly a tenth of that.
const KEPT: NonZeroUsize = NonZeroUsize::new(200).expect("not 0");
/// Positions whose text is longer are drawn anew, so that a key is small.
const POSITION_MAX: usize = 500;

/// What is asked for: the first moves of a position, with its picture. The position decides the reply, whichever match it is of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Glance {
    /// The position, as text.
    pub position: String,
    /// Who is to move.
    pub to_move: Seat,
    /// Most moves.
    pub moves: usize,
    /// Bytes that the reply may have.
    pub room: usize,
}

/// The replies that were wanted last.
#[derive(Debug)]
pub struct Glances(Latest<Glance, Arc<Reply>>);

impl Default for Glances {
    fn default() -> Self {
        Self(Latest::of(KEPT))
    }
}

impl Glances {
    /// The reply that is kept, or the one that is made now and kept. A refusal is not kept.
    ///
    /// # Errors
    /// As `make`.
    pub fn reply<E>(
        &self,
        glance: Glance,
        make: impl FnOnce() -> Result<Reply, E>,
    ) -> Result<Reply, E> {
        if glance.position.len() > POSITION_MAX {
            return make();
        }
        if let Some(kept) = self.0.get(&glance) {
            return Ok(Reply::clone(&kept));
        }
        let made = make()?;
        self.0.put(glance, Arc::new(made.clone()));
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn the_same_board_is_drawn_once() {
        let (glances, drawn) = (Glances::default(), Cell::new(0));
        let ask = |position: &str, to_move, moves, room| {
            let position = position.to_owned();
            let glance = Glance {
                position,
                to_move,
                moves,
                room,
            };
            let make = || {
                drawn.set(drawn.get() + 1);
                Ok::<_, ()>(Reply::done())
            };
            glances.reply(glance, make).expect("it is made");
            drawn.get()
        };
        assert_eq!(ask("nim:3", Seat::First, 1, 100), 1);
        assert_eq!(ask("nim:3", Seat::First, 1, 100), 1);
        // Whatever changes the reply is another question.
        assert_eq!(ask("nim:2", Seat::First, 1, 100), 2);
        assert_eq!(ask("nim:3", Seat::Second, 1, 100), 3);
        assert_eq!(ask("nim:3", Seat::First, 200, 100), 4);
        assert_eq!(ask("nim:3", Seat::First, 1, 200), 5);
        // A refusal is made anew, and so is what would take too much room.
        let refused = Glance {
            position: "nim:1".to_owned(),
            to_move: Seat::First,
            moves: 1,
            room: 1,
        };
        assert_eq!(glances.reply(refused.clone(), || Err(7)).err(), Some(7));
        assert!(
            glances
                .reply(refused, || Ok::<_, ()>(Reply::done()))
                .is_ok()
        );
        let long = "9,".repeat(POSITION_MAX);
        assert_eq!(ask(&long, Seat::First, 1, 100), 6);
        assert_eq!(ask(&long, Seat::First, 1, 100), 7);
    }
}
