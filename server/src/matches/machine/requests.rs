//! What players ask for: how it waits, and how it is answered.

use grundy_shared::event::{EndReason, Event, PlayerInfo};
use grundy_shared::ids::{Millis, PlayerId, Seat, Seq};
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply};
use grundy_shared::referee::{Command, Refusal, Rematch, Status};

use super::effect::{Effect, Note};
use super::flight::Cause;
use super::input::Act;
use super::offer::rematch_id;
use super::queue::Request;
use super::state::Machine;
use crate::matches::refusal;
use crate::store::AddressDigest;

impl<C: Clone + Eq, R> Machine<C, R> {
    /// What the referee is asked, and of a rematch, where it is asked for, or why it cannot be made now.
    pub(super) fn command_of(
        &mut self,
        player: PlayerId,
        act: Act,
    ) -> (Command, Option<Result<AddressDigest, Box<ErrorBody>>>) {
        let command = match act {
            Act::Move {
                ply,
                text,
                client_move_id,
                lag,
                hints,
            } => {
                let seat = self.referee.seat_of(player);
                if let Some(seat) = seat {
                    self.lag[seat.index()] = lag;
                }
                Command::Move {
                    player,
                    ply,
                    client_move_id,
                    text,
                    opponent_lag: seat.map_or(Millis(0), |seat| self.lag[seat.other().index()]),
                    hints,
                }
            }
            Act::Resign => Command::Resign { player },
            Act::Abort => Command::Abort { player },
            Act::Propose(proposal) => Command::Propose { player, proposal },
            Act::Answer { proposed, agree } => Command::Answer {
                player,
                proposed,
                agree,
            },
            Act::WithdrawProposal => Command::WithdrawProposal { player },
            Act::Plan { ply, lines, read } => Command::Plan {
                player,
                ply,
                lines,
                read,
            },
            Act::Claim { claim, judged } => Command::Claim {
                player,
                claim,
                judged,
            },
            Act::Continue => Command::Continue {
                player: Some(player),
            },
            Act::DeclineRematch => Command::DeclineRematch { player },
            Act::EndByOperator(outcome) => Command::EndByOperator { outcome },
            Act::WithdrawRematch => Command::WithdrawRematch { player },
            Act::Rematch { room } => {
                let new_match = rematch_id(self.id);
                return (
                    Command::Rematch { player, new_match },
                    Some(room.map_err(Box::new)),
                );
            }
        };
        (command, None)
    }

    /// Somebody with the code wants the free seat.
    pub(super) fn ask_to_join(
        &mut self,
        reply: R,
        connection: C,
        received: Millis,
        player: PlayerInfo,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        let request = Request {
            reply,
            connection,
            received,
            player: player.id,
            command: Command::Join { player },
            room: None,
        };
        self.enqueue(request, effects);
    }

    /// Lets a request wait for its turn, which may be at once. Who has no seat can wait only for one.
    pub(super) fn enqueue(&mut self, request: Request<C, R>, effects: &mut Vec<Effect<C, R>>) {
        if self.stopping {
            effects.push(Effect::Refuse(request.reply, refusal::shutting_down()));
            return;
        }
        if self.damaged {
            effects.push(Effect::Refuse(request.reply, refusal::internal()));
            return;
        }
        let seated = self.referee.seat_of(request.player).is_some();
        let joins = request.joins();
        // What the log says now decides whether another server has given this player the free seat.
        let perhaps = self.is_shared() && self.referee.status() == Status::Waiting;
        let needs_seat = !joins && !request.is_of_operator();
        if needs_seat && !seated && !perhaps && !self.is_joining(request.player) {
            let error = self.refused(request.player, &Refusal::NotAPlayer);
            effects.push(Effect::Refuse(request.reply, error));
            return;
        }
        let fits = match joins && !seated {
            true => self.queue.takes_join(request.player),
            false => self.queue.takes(request.player),
        };
        if fits {
            self.queue.push(request);
        } else {
            let error = refusal::busy("too many of your requests wait for this match");
            effects.push(Effect::Refuse(request.reply, error));
        }
    }

    /// Whether a request of this player to join waits, or is being stored.
    fn is_joining(&self, player: PlayerId) -> bool {
        let flies = self.flight.as_ref().is_some_and(|flight| {
            matches!(&flight.cause, Cause::Request(request)
                if request.player == player && request.joins())
        });
        flies || self.queue.joins(player)
    }

    /// Answers a request whose events, of which the first has the number `first`, are stored.
    pub(super) fn answer_stored(
        &mut self,
        request: Request<C, R>,
        first: Seq,
        events: &[Event],
        effects: &mut Vec<Effect<C, R>>,
    ) {
        let reply = match &events[0] {
            Event::Moved {
                ply,
                move_text,
                clocks,
                ..
            } => Reply::Accepted {
                match_id: self.id,
                seq: first,
                ply: *ply,
                move_text: move_text.clone(),
                clocks: *clocks,
            },
            // The time was up before the request came.
            Event::Ended {
                reason: EndReason::Time | EndReason::NoStart,
                ..
            } => {
                effects.push(Effect::Refuse(request.reply, self.match_over()));
                return;
            }
            Event::Joined { seat, player, .. } => {
                effects.push(Effect::Note(Note::Joined(player.id, *seat)));
                Reply::Joined {
                    match_id: self.id,
                    seat: *seat,
                }
            }
            Event::RematchOffered { .. }
            | Event::RematchAccepted { .. }
            | Event::RematchDeclined { .. }
            | Event::RematchWithdrawn { .. } => self.rematch_so_far(),
            Event::Proposed { .. } => self.done_or_proposed(true),
            _ => self.done_reply(),
        };
        effects.push(Effect::Reply(request.reply, reply));
    }

    /// Answers a request that finds things as it wants them.
    pub(super) fn answer_unchanged(
        &mut self,
        now: Millis,
        request: Request<C, R>,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        match request.command {
            Command::Join { player } => {
                let seat = self.referee.seat_of(player.id).unwrap_or(Seat::Second);
                let joined = Reply::Joined {
                    match_id: self.id,
                    seat,
                };
                effects.push(Effect::Reply(request.reply, joined));
                self.attach(
                    now,
                    request.connection,
                    None,
                    player.id,
                    true,
                    Seq(0),
                    effects,
                );
            }
            Command::Rematch { .. } => {
                effects.push(Effect::Reply(request.reply, self.rematch_so_far()));
                if let Some(Ok(address)) = request.room {
                    self.ask_bot_for_rematch(address);
                }
            }
            Command::WithdrawRematch { .. } | Command::DeclineRematch { .. } => {
                effects.push(Effect::Reply(request.reply, self.rematch_so_far()));
            }
            // Proposed before; or in force already, as a pause.
            Command::Propose { player, .. } | Command::Abort { player } => {
                let seat = self.referee.seat_of(player);
                let open = seat.and_then(|seat| self.referee.proposal(seat));
                let reply = self.done_or_proposed(open.is_some());
                effects.push(Effect::Reply(request.reply, reply));
            }
            _ => effects.push(Effect::Reply(request.reply, self.done_reply())),
        }
    }

    /// Refuses a request, in the words of what it asked for.
    pub(super) fn refuse(
        request: Request<C, R>,
        error: ErrorBody,
        effects: &mut Vec<Effect<C, R>>,
    ) {
        let error = match request.joins() && error.code == ErrorCode::MatchOver {
            // Nobody ever took the seat, and nobody can any more.
            true => refusal::no_such_code(),
            false => error,
        };
        effects.push(Effect::Refuse(request.reply, error));
    }

    fn match_over(&self) -> ErrorBody {
        let over = self
            .referee
            .outcome()
            .map(|(outcome, reason)| Refusal::MatchOver { outcome, reason });
        over.map_or_else(refusal::internal, |over| refusal::of_referee(&over))
    }

    /// How far the players are with a rematch.
    fn rematch_so_far(&self) -> Reply {
        Reply::Rematch {
            match_id: self.id,
            seq: self.referee.seq(),
            rematch: match self.referee.rematch() {
                Rematch::Accepted(rematch) => Some(rematch),
                Rematch::None | Rematch::Offered(_) => None,
            },
        }
    }

    pub(super) fn done_reply(&self) -> Reply {
        self.done_or_proposed(false)
    }

    fn done_or_proposed(&self, proposed: bool) -> Reply {
        Reply::Done {
            match_id: Some(self.id),
            seq: Some(self.referee.seq()),
            proposed,
        }
    }
}
