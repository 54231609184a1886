//! One match being played: what its actor does with each order.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use grundy_shared::event::{EndReason, Event};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, Seq};
use grundy_shared::protocol::client::ListStatus;
use grundy_shared::protocol::server::Snapshot;
use grundy_shared::protocol::{ErrorBody, ErrorCode, Notice, Reply};
use grundy_shared::referee::{Command, Decision, Referee, Refusal, Rematch, Status};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::actor::Actor;
use super::outbox::{Backlog, ConnectionId, Follow, Frame, Outbox, Outgoing, PushError, ReplyTo};
use super::viewers::{Pace, Viewer};
use super::{Act, Order, builtin, directory, rebuild, refusal};
use crate::analysis::{Job, Purpose};
use crate::failpoint;
use crate::store::{AppendError, LOAD_PAGE, StoreError};

/// Conflicts in a row after which an order is refused.
const CONFLICTS_MAX: usize = 5;
/// The longest gap that is closed from the actor when a reader says that it is done.
const GAP_MAX: u64 = 16;
/// When the match tries again by itself what the store or the pool refused.
const RETRY_MS: Millis = Millis(1_000);
const BOT_RETRY_MS: Millis = Millis(50);

/// Events that are stored, and not yet announced.
struct Stored {
    /// The number of the first of them.
    first: Seq,
    events: Vec<Event>,
    frames: Vec<Frame>,
}

enum Decided {
    Stored(Stored),
    Repeat(Reply),
    Nothing,
}

/// The state of one match and what it waits for.
pub(super) struct Table<'a> {
    actor: &'a mut Actor,
    referee: Referee,
    /// The move that a built-in bot is thinking about.
    thought: Option<oneshot::Receiver<Option<String>>>,
    /// Since when the store has refused to write: this time is given back to the players.
    stalled_since: Option<Millis>,
    /// When to look again at what could not be done.
    retry_at: Option<Millis>,
}

impl<'a> Table<'a> {
    pub(super) fn new(actor: &'a mut Actor, referee: Referee) -> Self {
        actor.announced = referee.seq();
        actor.pulse.set(referee.seq(), referee.ply());
        Self {
            actor,
            referee,
            thought: None,
            stalled_since: None,
            retry_at: None,
        }
    }

    /// Plays until the match is over and nobody follows it any more, or the server stops.
    pub(super) async fn run(mut self) {
        let mut sleep = std::pin::pin!(tokio::time::sleep(Duration::ZERO));
        let mut armed: Option<Millis> = None;
        self.consider_bot();
        loop {
            // The timer is only ever set earlier: one that fires too soon is set again then.
            if let Some(wake) = self.wake_at()
                && armed.is_none_or(|armed| wake < armed)
            {
                let ahead = wake.since(self.now()).0 + 1;
                sleep
                    .as_mut()
                    .reset(Instant::now() + Duration::from_millis(ahead));
                armed = Some(wake);
            }
            tokio::select! {
                biased;
                order = self.actor.orders.recv() => match order.map(|order| *order) {
                    None | Some(Order::Stop) => return,
                    Some(order) => self.carry_out(order).await,
                },
                text = thought(&mut self.thought) => self.move_of_bot(text).await,
                () = &mut sleep, if armed.is_some() => {
                    armed = None;
                    self.on_time().await;
                }
            }
            if self.is_needless() {
                return self.actor.hand_over();
            }
        }
    }

    fn now(&self) -> Millis {
        self.actor.directory.clock.now()
    }

    fn id(&self) -> MatchId {
        self.actor.id
    }

    /// A match that is over needs an actor only while somebody follows it.
    fn is_needless(&self) -> bool {
        self.referee.status() == Status::Over
            && self.actor.viewers.is_empty()
            && self.actor.orders.is_empty()
    }

    fn wake_at(&self) -> Option<Millis> {
        let due = match self.referee.status() {
            Status::Waiting => Some(self.expires_at()),
            Status::Live => self.referee.deadline(),
            Status::Over => return None,
        };
        // What could not be stored is not tried again before its time.
        let due = due.map(|due| due.max(self.retry_at.unwrap_or_default()));
        [due, self.retry_at, self.actor.roll_call_at]
            .into_iter()
            .flatten()
            .min()
    }

    fn expires_at(&self) -> Millis {
        let valid = self.actor.directory.config.times.join_code_ms;
        self.referee.created_at().plus(valid)
    }

    async fn on_time(&mut self) {
        let now = self.now();
        if self.retry_at.is_some_and(|at| at <= now) {
            self.retry_at = None;
        }
        if self.retry_at.is_none() && !self.actor.directory.lifecycle.is_draining() {
            if self
                .referee
                .deadline()
                .is_some_and(|deadline| deadline <= now)
            {
                self.decide_alone(now, Command::ClockCheck).await;
            }
            if self.referee.status() == Status::Waiting && self.expires_at() <= now {
                self.decide_alone(now, Command::Expire).await;
            }
        }
        if self.actor.roll_call_at.is_some_and(|at| at <= now) {
            self.actor.roll_call_at = None;
            for seat in Seat::BOTH {
                self.note_presence(seat).await;
            }
        }
        self.consider_bot();
    }

    async fn carry_out(&mut self, order: Order) {
        match order {
            Order::Act {
                reply,
                received,
                player,
                act,
            } => match act {
                Act::Move {
                    ply,
                    text,
                    client_move_id,
                } => {
                    let command = Command::Move {
                        player,
                        ply,
                        client_move_id,
                        text,
                    };
                    self.make_move(reply, received, &command).await;
                }
                Act::Resign => self.end(reply, received, &Command::Resign { player }).await,
                Act::Abort => self.end(reply, received, &Command::Abort { player }).await,
                Act::Rematch => self.rematch(reply, received, player).await,
            },
            Order::Join {
                reply,
                received,
                player,
            } => self.join(reply, received, player).await,
            Order::Attach {
                outbox,
                reply,
                player,
                seated,
                since,
            } => self.attach(outbox, reply, player, seated, since).await,
            Order::GoLive(connection, after) => self.go_live(connection, after).await,
            Order::CatchUp(connection) => self.catch_up(connection),
            Order::Leave(connection, reply) => {
                if let Some(seat) = self.actor.viewers.remove(connection) {
                    self.note_presence(seat).await;
                }
                if let Some(reply) = reply {
                    reply.send(&self.done());
                }
            }
            Order::Stop => {}
        }
    }

    fn done(&self) -> Reply {
        Reply::Done {
            match_id: Some(self.id()),
            seq: Some(self.referee.seq()),
        }
    }
}

/// Players' orders.
impl Table<'_> {
    async fn make_move(&mut self, reply: ReplyTo, received: Millis, command: &Command) {
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
                self.publish(stored);
            }
            Ok(Decided::Repeat(answer)) => reply.send(&answer),
            Ok(Decided::Nothing) => reply.send(&self.done()),
            Err(error) => reply.refuse(error),
        }
    }

    async fn end(&mut self, reply: ReplyTo, received: Millis, command: &Command) {
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

    fn match_over(&self) -> ErrorBody {
        let over = self
            .referee
            .outcome()
            .map(|(outcome, reason)| Refusal::MatchOver { outcome, reason });
        over.map_or_else(refusal::internal, |over| refusal::of_referee(&over))
    }

    async fn join(
        &mut self,
        reply: ReplyTo,
        received: Millis,
        player: grundy_shared::event::PlayerInfo,
    ) {
        let id = player.id;
        let outbox = reply.outbox().clone();
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
            self.actor.directory.joined(self.id(), id, seat);
            self.publish(stored);
        }
        self.attach(outbox, None, id, true, Seq(0)).await;
    }

    async fn rematch(&mut self, reply: ReplyTo, received: Millis, player: PlayerId) {
        let new_match = directory::rematch_id(self.id());
        let accepts = match (self.referee.rematch(), self.referee.seat_of(player)) {
            (Rematch::Offered(by), Some(seat)) => by != seat,
            _ => false,
        };
        if accepts {
            // Made before it is announced; made already, if an earlier try got only so far.
            let made = match self.referee.create_rematch(self.id(), received) {
                Ok((referee, events)) => {
                    self.actor
                        .directory
                        .open_rematch(new_match, referee, &events)
                        .await
                }
                Err(refused) => Err(refusal::of_referee(&refused)),
            };
            if let Err(error) = made {
                return reply.refuse(error);
            }
        }
        let command = Command::Rematch { player, new_match };
        let decided = match self.decide(received, &command).await {
            Ok(decided) => decided,
            Err(error) => return reply.refuse(error),
        };
        reply.send(&Reply::Rematch {
            match_id: self.id(),
            seq: self.referee.seq(),
            rematch: match self.referee.rematch() {
                Rematch::Accepted(rematch) => Some(rematch),
                Rematch::None | Rematch::Offered(_) => None,
            },
        });
        if let Decided::Stored(stored) = decided {
            self.publish(stored);
            if accepts {
                self.lead_to(new_match);
            }
        }
    }

    /// Both players that are here follow the new match too.
    fn lead_to(&self, new_match: MatchId) {
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
    }
}

/// Deciding, storing, announcing.
impl Table<'_> {
    /// Asks the referee and stores what it decides. Nothing is announced yet.
    async fn decide(&mut self, now: Millis, command: &Command) -> Result<Decided, ErrorBody> {
        if let Some(since) = self.stalled_since {
            let away_ms = now.since(since);
            let stored = self.decide_once(now, &Command::Outage { away_ms }).await?;
            self.stalled_since = None;
            if let Decided::Stored(stored) = stored {
                self.publish(stored);
            }
        }
        self.decide_once(now, command).await
    }

    async fn decide_once(&mut self, now: Millis, command: &Command) -> Result<Decided, ErrorBody> {
        for _ in 0..CONFLICTS_MAX {
            let decision = self
                .referee
                .handle(now, command)
                .map_err(|refused| refusal::of_referee(&refused))?;
            let events = match decision {
                Decision::Nothing => return Ok(Decided::Nothing),
                Decision::Repeat { seq, ply, clocks } => {
                    return Ok(Decided::Repeat(Reply::Accepted {
                        match_id: self.id(),
                        seq,
                        ply,
                        move_text: self.referee.moves()[ply.0 as usize - 1].text.clone(),
                        clocks,
                    }));
                }
                Decision::Events(events) => events,
            };
            match self.store(events).await {
                Ok(stored) => return Ok(Decided::Stored(stored)),
                Err(AppendError::Conflict { .. }) => self.read_tail().await?,
                Err(error) => {
                    if matches!(
                        error,
                        AppendError::Store(StoreError::ReadOnly { .. } | StoreError::Busy { .. })
                    ) {
                        self.stalled_since.get_or_insert(now);
                    }
                    return Err(refusal::of_append(&error));
                }
            }
        }
        Err(refusal::busy("the match is being changed elsewhere"))
    }

    /// Stores events and applies them: durable when this returns.
    async fn store(&mut self, events: Vec<Event>) -> Result<Stored, AppendError> {
        let before = self.referee.seq();
        let mut frames = Vec::with_capacity(events.len());
        let mut bodies = Vec::with_capacity(events.len());
        for (number, event) in (before.0 + 1..).zip(&events) {
            let body = event.to_json();
            frames.push(Frame::event(self.id(), Seq(number), &body));
            bodies.push(body);
        }
        let changes_row =
            |event: &Event| matches!(event, Event::Joined { .. } | Event::Ended { .. });
        let row = events.iter().any(changes_row).then(|| {
            let mut after = self.referee.clone();
            apply(&mut after, &events);
            directory::row_of(&after)
        });
        let store = &self.actor.directory.store;
        store.append(self.actor.id, before, bodies, row).await?;
        failpoint::hit("before_publish");
        apply(&mut self.referee, &events);
        self.actor.pulse.set(self.referee.seq(), self.referee.ply());
        Ok(Stored {
            first: before.next(),
            events,
            frames,
        })
    }

    /// Tells the viewers, and sees what follows.
    fn publish(&mut self, stored: Stored) {
        for frame in &stored.frames {
            self.actor.viewers.announce(frame);
        }
        self.actor.announced = Seq(stored.first.0 + stored.frames.len() as u64 - 1);
        if stored
            .events
            .iter()
            .any(|event| matches!(event, Event::Ended { .. }))
        {
            self.thought = None;
            let players = Seat::BOTH.map(|seat| self.referee.player(seat).map(|info| info.id));
            self.actor.directory.ended(self.id(), players);
        }
        self.consider_bot();
    }

    /// Somebody else has written: takes over what the log says.
    async fn read_tail(&mut self) -> Result<(), ErrorBody> {
        let seq = self.referee.seq();
        let store = &self.actor.directory.store;
        let page = store.load(self.actor.id, seq, LOAD_PAGE).await;
        let page = page
            .map_err(|error| refusal::of_store(&error))?
            .unwrap_or_default();
        for logged in &page {
            let event = rebuild::read(logged).map_err(|error| {
                tracing::error!(%error, "the log of the match is damaged");
                refusal::internal()
            })?;
            apply(&mut self.referee, std::slice::from_ref(&event));
            let stored = Stored {
                first: logged.seq,
                frames: vec![Frame::event(self.id(), logged.seq, &logged.body)],
                events: vec![event],
            };
            self.publish(stored);
        }
        Ok(())
    }

    /// What the match does by itself; tried again later if the store refuses.
    async fn decide_alone(&mut self, now: Millis, command: Command) {
        match self.decide(now, &command).await {
            Ok(Decided::Stored(stored)) => self.publish(stored),
            Ok(Decided::Repeat(_) | Decided::Nothing) => {}
            Err(error) => {
                tracing::warn!(match_id = %self.id(), %error, ?command, "put off");
                self.retry_at = Some(self.now().plus(RETRY_MS));
            }
        }
    }

    /// Writes down whether this player is here, where the log says otherwise.
    async fn note_presence(&mut self, seat: Seat) {
        let online = self.actor.viewers.holds(seat);
        let person = self
            .referee
            .player(seat)
            .is_some_and(|player| builtin::bot_of(player).is_none());
        let news = self.referee.status() != Status::Over && self.referee.online(seat) != online;
        // A server that stops does not say that everybody has left.
        if person && news && !self.actor.directory.lifecycle.is_draining() {
            let now = self.now();
            self.decide_alone(now, Command::Presence { seat, online })
                .await;
        }
    }
}

fn apply(referee: &mut Referee, events: &[Event]) {
    for event in events {
        // What is stored and contradicts the rules is a panic: the match is rebuilt, and put into quarantine if that does not help.
        referee
            .apply(event)
            .expect("a stored event obeys the laws of a log");
    }
}

/// Those who follow.
impl Table<'_> {
    async fn attach(
        &mut self,
        outbox: Outbox,
        reply: Option<ReplyTo>,
        player: PlayerId,
        seated: bool,
        since: Seq,
    ) {
        let seat = match self.may_attach(player, seated, since) {
            Ok(seat) => seat,
            Err(error) => {
                if let Some(reply) = reply {
                    reply.refuse(error);
                }
                return;
            }
        };
        let upto = self.referee.seq();
        if let Some(reply) = reply {
            reply.send(&Reply::Attached {
                seat,
                snapshot: self.snapshot(),
            });
        }
        let follow = Outgoing::Follow(Box::new(Follow {
            match_id: self.id(),
            seat,
            mailbox: self.actor.mailbox.clone(),
        }));
        if outbox.push(follow) == Err(PushError::Gone) {
            // It left while this waited, and will not say so again.
            if let Some(seat) = seat {
                self.note_presence(seat).await;
            }
            return;
        }
        let pace = if since == upto {
            Pace::Live
        } else {
            let backlog = Backlog { after: since, upto };
            outbox.push_or_close(Outgoing::Backlog(self.id(), backlog));
            Pace::Reading
        };
        let id = self.id();
        self.actor.viewers.add(id, Viewer { outbox, seat, pace });
        if let Some(seat) = seat {
            self.note_presence(seat).await;
        }
    }

    fn may_attach(
        &self,
        player: PlayerId,
        seated: bool,
        since: Seq,
    ) -> Result<Option<Seat>, ErrorBody> {
        let seat = self.referee.seat_of(player);
        if self.referee.status() == Status::Waiting && seat.is_none() {
            return Err(refusal::no_such_match(&self.id().to_string()));
        }
        if seated && seat.is_none() {
            return Err(refusal::of_referee(&Refusal::NotAPlayer));
        }
        if since > self.referee.seq() {
            return Err(
                ErrorBody::new(ErrorCode::OutOfRange, "the match has not come so far yet")
                    .field("since_seq")
                    .limit(self.referee.seq())
                    .got(&since.to_string()),
            );
        }
        Ok(seat.filter(|_| seated))
    }

    /// A reader has come to the end of what it was told to read: it gets the rest, or more to read.
    async fn go_live(&mut self, connection: ConnectionId, after: Seq) {
        let upto = self.referee.seq();
        let id = self.id();
        let Some(viewer) = self.actor.viewers.get_mut(connection) else {
            return;
        };
        if viewer.pace != Pace::Reading {
            return;
        }
        if after < upto && upto.0 - after.0 <= GAP_MAX {
            let page = self.actor.directory.store.load(id, after, LOAD_PAGE).await;
            if let Ok(Some(page)) = page {
                for logged in page {
                    let frame = Frame::event(id, logged.seq, &logged.body);
                    viewer.outbox.push_or_close(Outgoing::Frame(frame));
                }
                viewer.pace = Pace::Live;
                return;
            }
        }
        if after < upto {
            let backlog = Backlog { after, upto };
            viewer.outbox.push_or_close(Outgoing::Backlog(id, backlog));
        } else {
            viewer.pace = Pace::Live;
        }
    }

    /// A watcher that missed events has room again.
    fn catch_up(&mut self, connection: ConnectionId) {
        let snapshot = self.snapshot();
        let Some(viewer) = self.actor.viewers.get_mut(connection) else {
            return;
        };
        if viewer.pace == Pace::Lagging {
            let notice = Frame::notice(&Notice::Snapshot(Box::new(snapshot)));
            match viewer.outbox.push(Outgoing::Frame(notice)) {
                Ok(()) => viewer.pace = Pace::Live,
                Err(_) => viewer.outbox.mark_lagging(),
            }
        }
    }

    fn snapshot(&self) -> Snapshot {
        let referee = &self.referee;
        let now = self.now().max(referee.last_at());
        let (outcome, reason) = referee.outcome().unzip();
        Snapshot {
            match_id: self.id(),
            seq: referee.seq(),
            start: referee.start().to_string(),
            position: referee.position().to_string(),
            ply: referee.ply(),
            to_move: referee.to_move(),
            clock: referee.clock_control(),
            clocks: match referee.status() {
                Status::Waiting => None,
                Status::Live | Status::Over => referee.clocks_at(now),
            },
            at_ms: now,
            first: referee.player(Seat::First).cloned(),
            second: referee.player(Seat::Second).cloned(),
            status: match referee.status() {
                Status::Waiting => ListStatus::Waiting,
                Status::Live => ListStatus::Live,
                Status::Over => ListStatus::Over,
            },
            outcome,
            reason,
        }
    }
}

/// Built-in bots.
impl Table<'_> {
    /// If a built-in bot is to move, sets it thinking, in the pool of the solver.
    fn consider_bot(&mut self) {
        let to_move = self.referee.to_move();
        if self.referee.status() != Status::Live
            || self.thought.is_some()
            || self.retry_at.is_some()
            || self.actor.directory.lifecycle.is_draining()
        {
            return;
        }
        let Some(bot) = self.referee.player(to_move).and_then(builtin::bot_of) else {
            return;
        };
        let position = self.referee.position().clone();
        let (answer, thought) = oneshot::channel();
        let job = || {
            Job::new(
                || false,
                move |budget| {
                    let mut random = rand::random::<u64>;
                    let chosen = bot.choose(&position, to_move, budget, &mut random);
                    // Nobody waits any more if the match has ended meanwhile.
                    let _ = answer.send(chosen.map(|chosen| chosen.to_string()));
                },
            )
        };
        match self.actor.directory.analysis.submit(Purpose::Play, job) {
            Ok(()) => self.thought = Some(thought),
            Err(_) => self.retry_at = Some(self.now().plus(BOT_RETRY_MS)),
        }
    }

    async fn move_of_bot(&mut self, text: Option<String>) {
        self.thought = None;
        let to_move = self.referee.to_move();
        let position = self.referee.position();
        // A bot that failed plays any move rather than none.
        let any = || position.nth_move(to_move, 0).map(|any| any.to_string());
        let (Some(text), Some(player)) = (text.or_else(any), self.referee.player(to_move)) else {
            return;
        };
        let command = Command::Move {
            player: player.id,
            ply: self.referee.ply().next(),
            client_move_id: None,
            text,
        };
        let now = self.now();
        self.decide_alone(now, command).await;
    }
}

/// Waits for a bot's move; for ever while none is thinking. A bot that died says nothing.
async fn thought(thought: &mut Option<oneshot::Receiver<Option<String>>>) -> Option<String> {
    match thought {
        Some(receiver) => receiver.await.ok().flatten(),
        None => poll_fn(|_| Poll::Pending).await,
    }
}
