//! What players do: moves, ends, seats taken, rematches.

use grundy_shared::event::{EndReason, Event, PlayerInfo};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, Seq};
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply};
use grundy_shared::referee::{Command, Refusal, Rematch};
use tokio::time::Instant;

use super::Table;
use super::log::Decided;
use crate::addresses::Subscriber;
use crate::matches::outbox::ReplyTo;
use crate::matches::{Order, builtin, directory, refusal};

impl Table<'_> {
    pub(super) async fn make_move(
        &mut self,
        reply: ReplyTo,
        received: Millis,
        heard: Instant,
        command: &Command,
    ) {
        match self.decide(received, command).await {
            Ok(Decided::Stored(stored)) => {
                match &stored.events[0] {
                    Event::Moved {
                        ply,
                        move_text,
                        clocks,
                        ..
                    } => reply.send(&Reply::Accepted {
                        match_id: self.id(),
                        seq: stored.first,
                        ply: *ply,
                        move_text: move_text.clone(),
                        clocks: *clocks,
                    }),
                    // The flag had fallen before the move came.
                    _ => reply.refuse(self.match_over()),
                }
                let metrics = self.actor.directory.metrics.clone();
                let answered = Instant::now();
                metrics.move_ack.observe((answered - heard).as_secs_f64());
                self.publish(stored);
                metrics
                    .move_fanout
                    .observe(answered.elapsed().as_secs_f64());
                self.give_back(received).await;
            }
            Ok(Decided::Repeat(answer)) => reply.send(&answer),
            Ok(Decided::Nothing) => reply.send(&self.done()),
            Err(error) => reply.refuse(error),
        }
    }

    pub(super) async fn end(&mut self, reply: ReplyTo, received: Millis, command: &Command) {
        match self.decide(received, command).await {
            Ok(Decided::Stored(stored)) => {
                let on_time = matches!(
                    stored.events[0],
                    Event::Ended {
                        reason: EndReason::Time,
                        ..
                    }
                );
                if on_time {
                    reply.refuse(self.match_over());
                } else {
                    reply.send(&self.done());
                }
                self.publish(stored);
            }
            Ok(Decided::Repeat(_) | Decided::Nothing) => reply.send(&self.done()),
            Err(error) => reply.refuse(error),
        }
    }

    pub(super) fn match_over(&self) -> ErrorBody {
        let over = self
            .referee
            .outcome()
            .map(|(outcome, reason)| Refusal::MatchOver { outcome, reason });
        over.map_or_else(refusal::internal, |over| refusal::of_referee(&over))
    }

    pub(super) async fn join(&mut self, reply: ReplyTo, received: Millis, player: PlayerInfo) {
        let id = player.id;
        let outbox = reply.outbox().clone();
        let place = match self.referee.seat_of(id) {
            // The repeat of a join has its place already.
            Some(_) => None,
            None => match self.actor.directory.place_for(id) {
                Ok(place) => Some(place),
                Err(error) => return reply.refuse(error),
            },
        };
        let command = Command::Join { player };
        let decided = match self.decide(received, &command).await {
            // Nobody ever took the seat, and nobody can any more.
            Err(error) if error.code == ErrorCode::MatchOver => {
                return reply.refuse(ErrorBody::new(
                    ErrorCode::NoSuchCode,
                    "the invitation was revoked or has expired",
                ));
            }
            Err(error) => return reply.refuse(error),
            Ok(decided) => decided,
        };
        let seat = self.referee.seat_of(id).unwrap_or(Seat::Second);
        reply.send(&Reply::Joined {
            match_id: self.id(),
            seat,
        });
        if let Decided::Stored(stored) = decided {
            if let Some(place) = place {
                self.actor.directory.joined(self.id(), id, seat, place);
            }
            self.publish(stored);
            self.give_back(received).await;
        }
        self.attach(outbox, None, id, true, Seq(0)).await;
    }

    pub(super) async fn rematch(
        &mut self,
        reply: ReplyTo,
        received: Millis,
        player: PlayerId,
        address: Subscriber,
    ) {
        let room = match self.referee.rematch() {
            // It has its place already.
            Rematch::Accepted(_) => Ok(()),
            Rematch::None | Rematch::Offered(_) => self.actor.directory.check_room(player),
        };
        if let Err(error) = room {
            return reply.refuse(error);
        }
        let decided = match self.want_rematch(received, player, address).await {
            Ok(decided) => decided,
            Err(error) => return reply.refuse(error),
        };
        reply.send(&self.rematch_so_far());
        self.publish_rematch(decided);
        self.rematch_of_bot(received, address).await;
        if let Rematch::Offered(by) = self.referee.rematch() {
            self.note_presence(by.other()).await;
        }
    }

    pub(super) async fn withdraw(&mut self, reply: ReplyTo, received: Millis, player: PlayerId) {
        let decided = match self
            .decide(received, &Command::WithdrawRematch { player })
            .await
        {
            Ok(decided) => decided,
            Err(error) => return reply.refuse(error),
        };
        reply.send(&self.rematch_so_far());
        if let Decided::Stored(stored) = decided {
            self.publish(stored);
        }
    }

    fn rematch_so_far(&self) -> Reply {
        Reply::Rematch {
            match_id: self.id(),
            seq: self.referee.seq(),
            rematch: match self.referee.rematch() {
                Rematch::Accepted(rematch) => Some(rematch),
                Rematch::None | Rematch::Offered(_) => None,
            },
        }
    }

    /// Decides an offer or its acceptance; what is accepted is made first.
    async fn want_rematch(
        &mut self,
        now: Millis,
        player: PlayerId,
        address: Subscriber,
    ) -> Result<Decided, ErrorBody> {
        let new_match = directory::rematch_id(self.id());
        let accepts = match (self.referee.rematch(), self.referee.seat_of(player)) {
            (Rematch::Offered(by), Some(seat)) => by != seat,
            _ => false,
        };
        let mut made = None;
        if accepts {
            // Made before it is announced, and played only after: nobody's clock runs in a match that nobody knows of.
            let (referee, events) = self
                .referee
                .create_rematch(self.id(), now, false)
                .map_err(|refused| refusal::of_referee(&refused))?;
            let directory = &self.actor.directory;
            made = directory
                .make_rematch(new_match, referee, &events, address)
                .await?;
        }
        let command = Command::Rematch { player, new_match };
        let decided = self.decide(now, &command).await?;
        if let Some(made) = made {
            self.actor.directory.open(made);
        }
        Ok(decided)
    }

    fn publish_rematch(&mut self, decided: Decided) {
        if let Decided::Stored(stored) = decided {
            self.publish(stored);
            if let Rematch::Accepted(new_match) = self.referee.rematch() {
                self.lead_to(new_match);
                // Nothing can follow an accepted rematch. Who plays on and on would follow more and more.
                let id = self.id();
                self.actor.viewers.release(id);
            }
        }
    }

    /// A built-in bot always plays again.
    async fn rematch_of_bot(&mut self, now: Millis, address: Subscriber) {
        let Rematch::Offered(by) = self.referee.rematch() else {
            return;
        };
        let opponent = self.referee.player(by.other());
        let Some(bot) = opponent.filter(|player| builtin::bot_of(player).is_some()) else {
            return;
        };
        match self.want_rematch(now, bot.id, address).await {
            Ok(decided) => self.publish_rematch(decided),
            // The offer stands: the player may ask again.
            Err(error) => tracing::warn!(match_id = %self.id(), %error, "the bot could not accept"),
        }
    }

    /// Both players that are here learn of the new match, and follow it too.
    pub(super) fn lead_to(&self, new_match: MatchId) {
        for (seat, outbox) in self.actor.viewers.seated() {
            if let Some(player) = self.referee.player(seat) {
                let order = Order::Attach {
                    outbox: outbox.clone(),
                    reply: None,
                    player: player.id,
                    seated: true,
                    since: Seq(0),
                };
                self.actor.directory.post(new_match, Box::new(order));
            }
        }
        let announced = Box::new(Order::Announced);
        self.actor.directory.post(new_match, announced);
    }
}
