//! What the referee rules: events, together with the state that they lead to, so that the rules of the game are played once
//! for each move.

use super::Referee;
use crate::erased::{Move, Position};
use crate::event::{EndReason, Event, Outcome};
use crate::ids::Seq;

/// Events that follow from a command, to be stored together and then given to [`Referee::accept`]. Reads like a slice of events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ruling {
    /// The newest event of the match when this was ruled.
    base: Seq,
    events: Vec<Event>,
    /// What the move among the events leads to.
    next: Option<Next>,
}

/// The state after a move, as far as the rules of the game say it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Next {
    pub(super) position: Position,
    /// The end that the move brings.
    pub(super) ended_by_rule: Option<(Outcome, EndReason)>,
}

/// The match has gone on since the ruling: ask again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the ruling follows event {base}, but the match is at event {actual}")]
pub struct StaleRuling {
    /// The event that the ruling follows.
    pub base: Seq,
    /// The newest event of the match.
    pub actual: Seq,
}

impl Ruling {
    /// Events without a move.
    pub(super) fn of(base: Seq, events: Vec<Event>) -> Self {
        Self {
            base,
            events,
            next: None,
        }
    }

    /// Events that begin with a move, which leads to `next`.
    pub(super) fn of_move(base: Seq, events: Vec<Event>, next: Next) -> Self {
        Self {
            base,
            events,
            next: Some(next),
        }
    }

    /// The events alone.
    #[must_use]
    pub fn into_events(self) -> Vec<Event> {
        self.events
    }
}

impl std::ops::Deref for Ruling {
    type Target = [Event];

    fn deref(&self) -> &[Event] {
        &self.events
    }
}

impl<'r> IntoIterator for &'r Ruling {
    type Item = &'r Event;
    type IntoIter = std::slice::Iter<'r, Event>;

    fn into_iter(self) -> Self::IntoIter {
        self.events.iter()
    }
}

/// Plays a move by the rules of its game: the only place where the referee does.
pub(super) fn play(position: &Position, mv: &Move) -> Position {
    #[cfg(test)]
    tests::PLAYS.with(|plays| plays.set(plays.get() + 1));
    position.play(mv)
}

impl Referee {
    /// Takes over a ruling of this referee, and returns its events. The result is that of [`Referee::apply`] for each event,
    /// without playing the move again.
    ///
    /// # Errors
    /// [`StaleRuling`]: the match has gone on since, and nothing changes.
    ///
    /// # Panics
    /// If the ruling is another match's.
    pub fn accept(&mut self, ruling: Ruling) -> Result<Vec<Event>, StaleRuling> {
        let Ruling {
            base,
            events,
            mut next,
        } = ruling;
        if base != self.seq {
            let actual = self.seq;
            return Err(StaleRuling { base, actual });
        }
        for event in &events {
            match (event, next.take()) {
                (
                    Event::Moved {
                        at_ms,
                        move_text,
                        client_move_id,
                        clocks,
                        ..
                    },
                    Some(next),
                ) => {
                    self.record_move(*at_ms, move_text, client_move_id.clone(), *clocks, next);
                    self.seq = self.seq.next();
                    self.last_at = *at_ms;
                }
                (event, kept) => {
                    next = kept;
                    self.apply(event)
                        .expect("what a referee rules obeys the laws of its log");
                }
            }
        }
        Ok(events)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::event::{PlayerInfo, TimeControl};
    use crate::ids::{Millis, PlayerId, Ply, Seat};
    use crate::referee::{Command, Decision, Terms};

    thread_local! {
        /// How often this thread has played a move.
        pub(super) static PLAYS: Cell<u32> = const { Cell::new(0) };
    }

    fn player(number: u128) -> PlayerInfo {
        PlayerInfo {
            id: PlayerId::from_random(number),
            name: "Ada".to_owned(),
            bot: false,
        }
    }

    fn begun(position: &str) -> Referee {
        let terms = Terms {
            position: position.to_owned(),
            clock: TimeControl::Untimed {},
            rematch_of: None,
        };
        let created = Referee::create(terms, player(1), Seat::First, Millis(0));
        let (mut referee, _) = created.expect("terms");
        let join = Command::Join { player: player(2) };
        let Ok(Decision::Events(joined)) = referee.handle(Millis(1), &join) else {
            panic!("the seat is free");
        };
        referee.accept(joined).expect("fresh");
        referee
    }

    fn first_move(referee: &Referee, text: &str) -> Ruling {
        let command = Command::Move {
            player: PlayerId::from_random(1),
            ply: Ply(1),
            client_move_id: None,
            text: text.to_owned(),
        };
        match referee.handle(Millis(2), &command) {
            Ok(Decision::Events(ruling)) => ruling,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_move_plays_the_rules_once() {
        let mut referee = begun("nim:3,4,5");
        let before = PLAYS.get();
        let ruling = first_move(&referee, "A-3");
        referee.accept(ruling).expect("fresh");
        assert_eq!(PLAYS.get(), before + 1);
    }

    #[test]
    fn a_ruling_that_has_been_overtaken_changes_nothing() {
        let mut referee = begun("nim:3,4,5");
        let (one, other) = (first_move(&referee, "A-3"), first_move(&referee, "B-1"));
        referee.accept(one).expect("fresh");
        let after = referee.clone();
        let stale = StaleRuling {
            base: Seq(2),
            actual: Seq(3),
        };
        assert_eq!(referee.accept(other), Err(stale));
        assert_eq!(referee, after);
    }
}
