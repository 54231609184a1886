//! A match on a server as its events tell it, and what a program is asked in it.

use std::time::{Duration, Instant};

use grundy_shared::Position;
use grundy_shared::event::{Event, Outcome, Proposal, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Ply, Seat, Seq};
use grundy_words::Message;

use super::request::Pace;
use crate::failure::Failure;

/// Time for a move in a match without clocks.
const UNTIMED: Duration = Duration::from_secs(60);

/// The match as its events tell it.
#[derive(Debug)]
pub(crate) struct Table {
    us: PlayerId,
    seat: Option<Seat>,
    start: String,
    position: Option<Position>,
    begun: bool,
    ply: Ply,
    to_move: Seat,
    clock: Option<(Duration, Duration)>,
    left: [Duration; 2],
    last: Option<String>,
    since: Instant,
    /// Events up to this one are the past: no move is asked for in it.
    pub(crate) past: Option<Seq>,
    /// The newest event.
    pub(crate) seq: Seq,
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct End {
    pub(crate) outcome: Outcome,
    /// The next game of the series.
    pub(crate) next: Option<MatchId>,
}

/// What a program is asked.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub(crate) ply: Ply,
    pub(crate) position: Position,
    pub(crate) seat: Seat,
    pub(crate) pace: Pace,
    /// Time left to us and to the opponent at `since`.
    pub(crate) left: [Duration; 2],
    pub(crate) last: Option<String>,
    pub(crate) start: String,
    pub(crate) since: Instant,
}

impl Table {
    /// A match of which nothing was heard yet, in which this player is ours.
    pub(crate) fn new(us: PlayerId) -> Self {
        Self {
            us,
            seat: None,
            start: String::new(),
            position: None,
            begun: false,
            ply: Ply(0),
            to_move: Seat::First,
            clock: None,
            left: [UNTIMED; 2],
            last: None,
            since: Instant::now(),
            past: None,
            seq: Seq(0),
        }
    }

    /// Takes the next event; the end, if that is it.
    ///
    /// # Errors
    /// The event cannot be understood.
    pub(crate) fn apply(&mut self, event: Event) -> Result<Option<End>, Failure> {
        self.seq = self.seq.next();
        match event {
            Event::Created {
                position,
                clock,
                creator,
                seat,
                ..
            } => {
                let parsed = Position::parse(&position)
                    .map_err(|_| damaged("a position that this program cannot read"))?;
                self.position = Some(parsed);
                self.start = position;
                if let Some(first_ms) = clock.for_first_move() {
                    // What other kinds of clocks give back shows in the time left.
                    let increment = match clock {
                        TimeControl::Fischer { increment_ms, .. } => increment_ms,
                        _ => Millis(0),
                    };
                    let [base, increment] =
                        [first_ms, increment].map(|time| Duration::from_millis(time.0));
                    self.clock = Some((base, increment));
                    self.left = [base; 2];
                }
                if creator.id == self.us {
                    self.seat = Some(seat);
                }
            }
            Event::Joined { seat, player, .. } => {
                if player.id == self.us {
                    self.seat = Some(seat);
                }
                self.begun = true;
                self.since = Instant::now();
            }
            Event::Moved {
                seat,
                ply,
                move_text,
                clocks,
                ..
            } => {
                let Some(position) = &self.position else {
                    return Err(damaged("a move before the match"));
                };
                let mv = position
                    .parse_move(seat, &move_text)
                    .map_err(|_| damaged("a move that is not legal"))?;
                self.position = Some(position.play(&mv));
                self.last = Some(move_text);
                self.ply = ply;
                self.to_move = seat.other();
                self.since = Instant::now();
                if let Some(clocks) = clocks {
                    self.left = Seat::BOTH.map(|seat| Duration::from_millis(clocks.of(seat).0));
                }
            }
            Event::Ended { outcome, next, .. } => return Ok(Some(End { outcome, next })),
            _ => {}
        }
        Ok(None)
    }

    /// What to say to what an opponent proposes with this event, which is yet to be applied: a program knows neither takebacks nor pauses,
    /// plays draws out, and is always ready to go on. What is past may have been answered.
    pub(crate) fn answer(&self, event: &Event, seq: Seq) -> Option<bool> {
        let Event::Proposed { seat, proposal, .. } = event else {
            return None;
        };
        let is_new = self.past.is_some_and(|past| seq > past);
        let agrees = matches!(proposal, Proposal::Abort | Proposal::Resume);
        (is_new && self.seat == Some(seat.other())).then_some(agrees)
    }

    /// Counts an event that only a newer client understands.
    pub(crate) fn skip(&mut self) {
        self.seq = self.seq.next();
    }

    /// What to ask a program, if it is our turn.
    pub(crate) fn turn(&self) -> Option<Turn> {
        let seat = self.seat?;
        let caught_up = self.past.is_some_and(|past| self.seq >= past);
        let position = self.position.as_ref()?;
        if !self.begun || self.to_move != seat || !caught_up || position.is_over(seat) {
            return None;
        }
        Some(Turn {
            ply: self.ply.next(),
            position: position.clone(),
            seat,
            pace: match self.clock {
                Some((base, increment)) => Pace::Stock { base, increment },
                None => Pace::PerMove(UNTIMED),
            },
            left: match self.clock {
                Some(_) => [self.left[seat.index()], self.left[seat.other().index()]],
                None => [UNTIMED; 2],
            },
            last: self.last.clone(),
            start: self.start.clone(),
            since: self.since,
        })
    }

    /// Whether the match has no clock and waits for the opponent, who may never come back.
    pub(crate) fn waits_without_end(&self) -> bool {
        let caught_up = self.past.is_some_and(|past| self.seq >= past);
        let ours = self.seat.is_some_and(|seat| seat == self.to_move);
        caught_up && self.clock.is_none() && !(self.begun && ours)
    }

    /// The word that tells a program how the match ended for it.
    pub(crate) fn result(&self, outcome: Outcome) -> &'static str {
        match outcome.winner() {
            Some(winner) if Some(winner) == self.seat => "win",
            Some(_) => "loss",
            None if outcome == Outcome::Draw => "draw",
            None => "void",
        }
    }
}

fn damaged(what: &str) -> Failure {
    Failure::not_understood(Message::new("bot-server-sent").text("said", what))
}

#[cfg(test)]
mod tests {
    use grundy_shared::event::PlayerInfo;

    use super::*;

    #[test]
    fn only_calling_off_is_agreed_to_and_only_what_is_new_is_answered() {
        let us = PlayerInfo {
            id: "00000000-0000-4000-8000-000000000001"
                .parse()
                .expect("a UUID"),
            name: "us".to_owned(),
            bot: true,
        };
        let mut table = Table::new(us.id);
        let joined = Event::Joined {
            at_ms: Millis(1),
            seat: Seat::Second,
            player: us,
        };
        table.apply(joined).expect("it can be read");
        table.past = Some(Seq(4));
        let proposed = |seat, proposal| Event::Proposed {
            at_ms: Millis(2),
            seat,
            proposal,
        };
        let answer = |seat, proposal, seq| table.answer(&proposed(seat, proposal), Seq(seq));
        assert_eq!(answer(Seat::First, Proposal::Abort, 5), Some(true));
        assert_eq!(answer(Seat::First, Proposal::Resume, 5), Some(true));
        for proposal in [
            Proposal::Takeback,
            Proposal::Draw,
            Proposal::Pause,
            Proposal::Adjourn,
        ] {
            assert_eq!(answer(Seat::First, proposal, 5), Some(false));
        }
        assert_eq!(answer(Seat::First, Proposal::Abort, 4), None, "it is past");
        assert_eq!(answer(Seat::Second, Proposal::Abort, 5), None, "it is ours");
    }
}
