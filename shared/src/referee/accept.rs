//! Taking over what was ruled: [`Referee::accept`].

use super::Referee;
use super::ruling::{Ruling, StaleRuling};
use crate::event::Event;

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
                        lag_ms,
                        hints,
                        ..
                    },
                    Some(next),
                ) => {
                    let id = client_move_id.clone();
                    self.record_move(*at_ms, move_text, id, *clocks, *lag_ms, next);
                    self.note_hints(*hints);
                    self.seq = self.seq.next();
                    self.last_at = *at_ms;
                }
                (Event::Planned { at_ms, seat, lines }, kept) => {
                    next = kept;
                    self.fold_planned(*at_ms, *seat, lines.as_deref(), true)
                        .expect("what a referee rules obeys the laws of its log");
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
    use super::*;
    use crate::event::{PlayerInfo, TimeControl};
    use crate::ids::{Millis, PlayerId, Ply, Seat, Seq};
    use crate::referee::command::{Command, Decision, Terms};

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
            series: None,
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
            opponent_lag: Millis(0),
            hints: 0,
        };
        match referee.handle(Millis(2), &command) {
            Ok(Decision::Events(ruling)) => ruling,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    #[cfg(debug_assertions)]
    fn a_move_plays_the_rules_once() {
        use crate::Position;
        for (start, text) in [
            ("nim:3,4,5", "A-3"),
            ("nim:1", "A-1"),
            ("nim:3,4+kayles:7@every", "1.A-3,2.A-1"),
        ] {
            let mut referee = begun(start);
            let before = Position::plays_on_this_thread();
            let ruling = first_move(&referee, text);
            referee.accept(ruling).expect("fresh");
            assert_eq!(Position::plays_on_this_thread(), before + 1, "{start}");
        }
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
