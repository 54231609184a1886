//! Boards of running matches, as those see them who look at them at the same time: drawn for the first one, and kept for the others.
//!
//! After each move every page that shows a match asks for its board. A picture takes a millisecond or more to draw, and a thousand watchers want the same one.

use std::num::NonZeroUsize;
use std::sync::Arc;

use grundy_shared::ids::Seat;
use grundy_shared::protocol::Reply;
use tokio::sync::OnceCell;

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

/// The replies that were requested last. A request for a reply that is being computed waits for it.
#[derive(Debug)]
pub struct Glances(Latest<Glance, Arc<OnceCell<Reply>>>);

impl Default for Glances {
    fn default() -> Self {
        Self(Latest::of(KEPT))
    }
}

impl Glances {
    /// The cached reply, or a new one, which is then cached. Callers that request the same reply at the same time wait for one of them to compute it. A refusal
    /// is not cached: the next waiting caller tries again.
    ///
    /// # Errors
    /// As `make`.
    pub async fn reply<E>(
        &self,
        glance: Glance,
        make: impl Future<Output = Result<Reply, E>>,
    ) -> Result<Reply, E> {
        if glance.position.len() > POSITION_MAX {
            return make.await;
        }
        let kept = self.0.get_or_put(glance, Arc::default);
        kept.get_or_try_init(|| make).await.cloned()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn glance(position: &str, to_move: Seat, moves: usize, room: usize) -> Glance {
        Glance {
            position: position.to_owned(),
            to_move,
            moves,
            room,
        }
    }

    #[tokio::test]
    async fn the_same_board_is_drawn_once() {
        let (glances, drawn) = (Glances::default(), Cell::new(0));
        let ask = async |glance| {
            let make = async {
                drawn.set(drawn.get() + 1);
                Ok::<_, ()>(Reply::done())
            };
            glances.reply(glance, make).await.expect("it is made");
            drawn.get()
        };
        let (first, second) = (Seat::First, Seat::Second);
        assert_eq!(ask(glance("nim:3", first, 1, 100)).await, 1);
        assert_eq!(ask(glance("nim:3", first, 1, 100)).await, 1);
        // Whatever changes the reply is another question.
        assert_eq!(ask(glance("nim:2", first, 1, 100)).await, 2);
        assert_eq!(ask(glance("nim:3", second, 1, 100)).await, 3);
        assert_eq!(ask(glance("nim:3", first, 200, 100)).await, 4);
        assert_eq!(ask(glance("nim:3", first, 1, 200)).await, 5);
        // A refusal is computed again, and so is a reply whose request is too large to cache.
        let refused = glance("nim:1", first, 1, 1);
        let refusal = glances.reply(refused.clone(), async { Err(7) }).await;
        assert_eq!(refusal.err(), Some(7));
        let made = glances.reply(refused, async { Ok::<_, ()>(Reply::done()) });
        assert!(made.await.is_ok());
        let long = "9,".repeat(POSITION_MAX);
        assert_eq!(ask(glance(&long, first, 1, 100)).await, 6);
        assert_eq!(ask(glance(&long, first, 1, 100)).await, 7);
    }

    #[tokio::test]
    async fn a_board_that_is_being_drawn_is_waited_for() {
        let (glances, drawn) = (Glances::default(), Cell::new(0));
        let ask = async || {
            let make = async {
                drawn.set(drawn.get() + 1);
                tokio::task::yield_now().await;
                Ok::<_, ()>(Reply::done())
            };
            let asked = glance("nim:3", Seat::First, 1, 100);
            glances.reply(asked, make).await.is_ok()
        };
        let all = futures::future::join_all([ask(), ask(), ask()]).await;
        assert_eq!((all, drawn.get()), (vec![true; 3], 1));
    }
}
