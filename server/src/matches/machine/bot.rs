//! The built-in bots: they think elsewhere, and move like anybody.

use grundy_shared::event::Proposal;
use grundy_shared::ids::{Millis, Seat, Seq};
use grundy_shared::referee::{Command, Status};

use super::effect::Effect;
use super::input::Thought;
use super::state::Machine;
use super::thinking::Thinking;
use crate::matches::builtin;
use crate::planted;

/// A bot's waiting is given back once it comes to so much: a shorter time is not worth an event, and is kept for the next turn.
const CREDIT_FROM_MS: Millis = Millis(100);
/// When a bot that found no room to think tries again.
const NO_ROOM_MS: Millis = Millis(50);

impl<C: Clone + Eq, R> Machine<C, R> {
    /// If a built-in bot is to move, sets it thinking.
    pub(super) fn consider_bot(&mut self, now: Millis, effects: &mut Vec<Effect<C, R>>) {
        let waits = match self.thinking {
            Thinking::Not => false,
            Thinking::Later(at) => at > now,
            Thinking::About(_) | Thinking::Chosen(..) => true,
        };
        let plays = self.referee.status() == Status::Live && self.referee.paused_until().is_none();
        if waits || self.draining || self.damaged || !plays {
            return;
        }
        let seat = self.referee.to_move();
        let Some(bot) = self.referee.player(seat).and_then(builtin::bot_of) else {
            return;
        };
        let after = self.referee.seq();
        self.thinking = Thinking::About(after);
        self.bot_time.ask(now);
        effects.push(Effect::Think {
            bot,
            position: self.referee.position().clone(),
            seat,
            after,
        });
    }

    /// A bot has thought. What it thought about another moment is of no use.
    pub(super) fn thought(&mut self, now: Millis, after: Seq, thought: Thought, took: Millis) {
        if self.thinking != Thinking::About(after) {
            return;
        }
        if thought != Thought::NoRoom {
            self.bot_time.has_thought(now, took);
        }
        let ply = self.referee.ply().next();
        self.thinking = match thought {
            Thought::Move(text) => Thinking::Chosen(ply, Some(text)),
            Thought::Nothing => Thinking::Chosen(ply, None),
            Thought::NoRoom => Thinking::Later(now.plus(NO_ROOM_MS)),
        };
    }

    /// The number of the event about which a bot is thinking, or is to think as soon as there is room.
    #[must_use]
    pub fn thinks_about(&self) -> Option<Seq> {
        match self.thinking {
            Thinking::About(after) => Some(after),
            Thinking::Not | Thinking::Later(_) | Thinking::Chosen(..) => None,
        }
    }

    /// Gives back the time for which a bot has waited for its turn to think, before its move is made: if it is much, or the flag would
    /// fall otherwise.
    pub(super) fn credit_of_bot(&self, now: Millis) -> Option<Command> {
        let Thinking::Chosen(..) = self.thinking else {
            return None;
        };
        self.credit_for_waiting(now, CREDIT_FROM_MS)
    }

    /// The same before a request is decided that comes while the bot waits, if the flag would have fallen: nobody wins by asking then.
    pub(super) fn credit_before_request(&self, now: Millis) -> Option<Command> {
        let comes = !self.queue.is_empty() && self.bot_time.waits();
        comes.then(|| self.credit_for_waiting(now, Millis(u64::MAX)))?
    }

    /// Time to give back if it is so much, or if the flag has fallen without it.
    fn credit_for_waiting(&self, now: Millis, from: Millis) -> Option<Command> {
        let fallen = self.referee.deadline()? <= now;
        let owed = self.bot_time.owed(now);
        let away_ms = self.referee.creditable(owed, now);
        let is_much = owed >= from && !self.bot_time.was_given();
        let is_due = (is_much || fallen) && away_ms > Millis(0);
        is_due.then_some(Command::Outage {
            away_ms,
            hold: false,
        })
    }

    /// What a built-in bot says to a proposal: it agrees to everything but a draw, which it plays out.
    pub(super) fn answer_of_bot(&self) -> Option<Command> {
        Seat::BOTH.into_iter().find_map(|seat| {
            let open = self.referee.proposal(seat)?;
            let bot = self.referee.player(seat.other())?;
            builtin::bot_of(bot)?;
            Some(Command::Answer {
                player: bot.id,
                proposed: open.seq,
                agree: open.proposal != Proposal::Draw,
            })
        })
    }

    /// The move that the player to move has planned.
    pub(super) fn move_that_was_planned(&self) -> Option<Command> {
        self.referee.planned_move()?;
        let waits = self.referee.to_move().other();
        Some(Command::PlayPlanned {
            opponent_lag: self.lag[waits.index()],
        })
    }

    /// The move that a bot has chosen. It stays chosen until a move is made, however often the store refuses.
    pub(super) fn move_of_bot(&mut self) -> Option<Command> {
        let Thinking::Chosen(ply, text) = &self.thinking else {
            return None;
        };
        if self.referee.paused_until().is_some() {
            return None;
        }
        let to_move = self.referee.to_move();
        if self.referee.status() != Status::Live
            || (*ply != self.referee.ply().next() && !planted::is("bot_moves_for_the_player"))
        {
            self.thinking.stop();
            return None;
        }
        let position = self.referee.position();
        let legal = |text: &&String| position.parse_move(to_move, text).is_ok();
        // A bot that failed plays any move rather than none.
        let any = || position.nth_move(to_move, 0).map(|any| any.to_string());
        let text = text.as_ref().filter(legal).cloned().or_else(any)?;
        Some(Command::Move {
            player: self.player_id(to_move)?,
            ply: self.referee.ply().next(),
            client_move_id: None,
            text,
            opponent_lag: self.lag[to_move.other().index()],
            hints: 0,
        })
    }
}
