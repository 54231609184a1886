//! A match on a server: follows it, and comes back to it when the connection breaks.

use std::time::Duration;

use grundy_shared::bounds::HINTS_MAX;
use grundy_shared::event::Event;
use grundy_shared::ids::{ClientMoveId, MatchId, Seq};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::protocol::chat::Room;
use grundy_shared::protocol::client::{self, ClientMessage};
use grundy_shared::protocol::server::{Notice, Reply, Snapshot};
use grundy_words::Message;
use rand::RngExt as _;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use super::chatting::{Chatting, Follows, muting};
use super::{Ask, Ends, Link, News};
use crate::account::{SignedIn, hello, signed_out};
use crate::address::Address;
use crate::connection::{Answer, Connection, Incoming, unexpected};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::identity::Identity;

/// How often to ask the server whether it is there.
const PING: Duration = Duration::from_millis(500);
/// Silence after which what is shown counts as stale; seen at the next ping, so within 2 seconds.
const STALE: Duration = Duration::from_millis(1_400);
/// Silence after which the connection counts as broken, and a new one is tried.
const SILENCE: Duration = Duration::from_millis(2_500);
/// How long one attempt to come back may take at each step.
const ATTEMPT: Duration = Duration::from_secs(2);
/// How long to go on trying.
pub(crate) const GIVE_UP: Duration = Duration::from_secs(600);
/// Waits before attempts to come back, in milliseconds: short for the first, then with enough spread that many clients of one
/// server do not come all at once (the pattern of online-go.com).
const WAITS_MS: [std::ops::Range<u64>; 3] = [30..70, 100..300, 250..750];

/// Whether we have a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Manner {
    /// Ours is one of the seats.
    Playing,
    /// We look on.
    Watching,
}

impl Manner {
    /// The room that we use.
    fn room(self) -> Room {
        match self {
            Self::Playing => Room::Players,
            Self::Watching => Room::Watchers,
        }
    }
}

/// Something asked that was not answered yet.
#[derive(Debug)]
struct Pending {
    ask: Ask,
    /// The same at every repeat, so that a move is made once.
    client_move_id: ClientMoveId,
    /// The request on the present connection.
    request: Option<u64>,
    /// It was sent on a connection that broke: it may have succeeded.
    repeated: bool,
}

/// The task's state.
#[derive(Debug)]
struct Remote {
    address: Address,
    identity: Identity,
    patience: Duration,
    manner: Manner,
    match_id: MatchId,
    /// The newest event that was passed on.
    seq: Seq,
    connection: Option<Connection>,
    /// The request that takes our seat, until it is answered: what is asked waits so long.
    attaching: Option<u64>,
    pending: Vec<Pending>,
    heard_at: Instant,
    /// The server has said that it is stopping.
    stopping: bool,
    /// Since when nothing is heard that is known to be true now.
    lost_at: Option<Instant>,
    /// That was said of a connection that we still have.
    silent: bool,
    /// Requests wait to be sent again until this event of the past has been told: it may make them needless.
    caught_up_at: Option<Seq>,
    /// Until when the server wants nothing more asked: requests wait so long.
    not_before: Option<Instant>,
    chatting: Chatting,
    attempts: usize,
    next_attempt: Instant,
    news: tokio::sync::mpsc::Sender<News>,
}

/// There is nothing more to do for the task.
struct Finished;

/// What the task waited for.
enum Step {
    Heard(Box<Result<Incoming, Failure>>),
    Asked(Option<Ask>),
    Ping,
    Turn,
    Attempt,
}

/// Follows a match that the connection follows already, having created or joined it.
pub(crate) fn seated(
    signed_in: SignedIn,
    address: Address,
    match_id: MatchId,
    patience: Duration,
) -> Link {
    follow(
        signed_in,
        address,
        match_id,
        Manner::Playing,
        patience,
        None,
    )
}

/// Takes our seat in a match, or watches it.
pub(crate) async fn attach(
    mut signed_in: SignedIn,
    address: Address,
    match_id: MatchId,
    manner: Manner,
    patience: Duration,
) -> Result<Link, Failure> {
    let request = attachment(manner, match_id, Seq(0));
    match signed_in.connection.ask(request).await? {
        Reply::Attached { snapshot, .. } => Ok(follow(
            signed_in,
            address,
            match_id,
            manner,
            patience,
            Some(News::Attached { seq: snapshot.seq }),
        )),
        other => Err(unexpected(&other)),
    }
}

fn follow(
    signed_in: SignedIn,
    address: Address,
    match_id: MatchId,
    manner: Manner,
    patience: Duration,
    first: Option<News>,
) -> Link {
    Link::start(move |ends| async move {
        let Ends { asks, news } = ends;
        let is_new = first.is_none();
        if let Some(first) = first {
            // The queue is still empty, so this does not wait.
            let _ = news.send(first).await;
        }
        let remote = Remote {
            address,
            identity: signed_in.identity,
            patience,
            manner,
            match_id,
            seq: Seq(0),
            connection: Some(signed_in.connection),
            attaching: None,
            pending: Vec::new(),
            heard_at: Instant::now(),
            stopping: false,
            lost_at: None,
            silent: false,
            caught_up_at: None,
            not_before: None,
            chatting: Chatting::new(manner.room(), is_new),
            attempts: 0,
            next_attempt: Instant::now(),
            news,
        };
        remote.run(asks).await;
    })
}

/// Waits until a moment, for ever if there is none.
async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

fn attachment(manner: Manner, match_id: MatchId, since_seq: Seq) -> ClientMessage {
    let match_id = match_id.to_string();
    match manner {
        Manner::Playing => client::Resume {
            match_id,
            since_seq,
        }
        .into(),
        Manner::Watching => client::Watch {
            match_id,
            since_seq,
        }
        .into(),
    }
}

impl Remote {
    async fn run(mut self, mut asks: tokio::sync::mpsc::Receiver<Ask>) {
        let mut ping = interval(PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let step = match &mut self.connection {
                // What has been heard comes first: this task may have had to wait, and then the silence was its own.
                Some(connection) => tokio::select! {
                    biased;
                    incoming = connection.receive() => Step::Heard(Box::new(incoming)),
                    ask = asks.recv() => Step::Asked(ask),
                    _ = ping.tick() => Step::Ping,
                    () = until(self.not_before) => Step::Turn,
                },
                None => tokio::select! {
                    () = sleep_until(self.next_attempt) => Step::Attempt,
                    ask = asks.recv() => Step::Asked(ask),
                },
            };
            let done = match step {
                Step::Heard(heard) => match *heard {
                    Ok(incoming) => self.take(incoming).await,
                    Err(failure) => self.lose(failure).await,
                },
                Step::Asked(Some(ask)) => self.put(ask).await,
                Step::Asked(None) => break,
                Step::Ping => self.ping().await,
                Step::Turn => {
                    self.not_before = None;
                    self.send_waiting().await
                }
                Step::Attempt => self.come_back().await,
            };
            if done.is_err() {
                break;
            }
        }
        if let Some(connection) = self.connection {
            connection.close().await;
        }
    }

    async fn tell(&self, news: News) -> Result<(), Finished> {
        self.news.send(news).await.map_err(|_| Finished)
    }

    async fn give_up(&self, failure: Failure) -> Result<(), Finished> {
        self.tell(News::Gone(failure)).await?;
        Err(Finished)
    }

    async fn take(&mut self, incoming: Incoming) -> Result<(), Finished> {
        self.heard_at = Instant::now();
        if std::mem::take(&mut self.silent) {
            let away = self.lost_at.take().map_or(SILENCE, |at| at.elapsed());
            self.tell(News::Back { away, ply: None }).await?;
            self.send_waiting().await?;
        }
        match incoming {
            Incoming::Event(match_id, seq, event) if match_id == self.match_id => {
                self.pass_on(seq, event).await
            }
            Incoming::Unknown(match_id, seq, body) if match_id == self.match_id => {
                match self.is_next(seq).await? {
                    true => {
                        self.tell(News::Unknown(seq, body)).await?;
                        self.send_again().await
                    }
                    false => Ok(()),
                }
            }
            Incoming::Event(..)
            | Incoming::Unknown(..)
            | Incoming::Account(..)
            | Incoming::Tournament(..) => Ok(()),
            Incoming::Chat(match_id, room, seq, said) if match_id == self.match_id => {
                let follows = self.chatting.hear(room, seq, said);
                self.follow_up(follows).await
            }
            Incoming::Chat(..) => Ok(()),
            Incoming::Reply(request, answer) => self.answered(request, *answer).await,
            Incoming::Notice(Notice::ShuttingDown { reconnect_after_ms }) => {
                self.stopping = true;
                self.next_attempt = Instant::now() + Duration::from_millis(reconnect_after_ms.0);
                Ok(())
            }
            Incoming::Notice(Notice::Superseded { match_id }) if match_id == self.match_id => {
                self.tell(News::Superseded).await?;
                Err(Finished)
            }
            Incoming::Notice(Notice::OpponentLeft { match_id }) if match_id == self.match_id => {
                self.tell(News::OpponentLeft).await
            }
            Incoming::Notice(Notice::Rated {
                match_id,
                first,
                second,
                ..
            }) if match_id == self.match_id => {
                self.tell(News::Rated(Box::new([first, second]))).await
            }
            Incoming::Notice(
                Notice::Superseded { .. }
                | Notice::Rated { .. }
                | Notice::OpponentLeft { .. }
                | Notice::Reviewing { .. }
                | Notice::SeekEnded { .. }
                | Notice::TournamentMatch { .. },
            ) => Ok(()),
            Incoming::Notice(Notice::SignedOut {}) => self.give_up(signed_out()).await,
            // We were too slow for the events and have missed some: ask for them.
            Incoming::Notice(Notice::Snapshot(_)) => self.attach_again().await,
        }
    }

    /// Counts an event if it is the next; a repeat is none, and for a gap what is missing is asked for.
    async fn is_next(&mut self, seq: Seq) -> Result<bool, Finished> {
        if seq > self.seq.next() && self.attaching.is_none() {
            self.attach_again().await?;
        }
        let next = seq == self.seq.next();
        if next {
            self.seq = seq;
        }
        Ok(next)
    }

    async fn pass_on(&mut self, seq: Seq, event: Event) -> Result<(), Finished> {
        if !self.is_next(seq).await? {
            return Ok(());
        }
        if matches!(event, Event::TakenBack { .. }) {
            // What was to be played was meant for a position that is gone.
            self.pending
                .retain(|pending| !matches!(pending.ask, Ask::Move { .. }));
        }
        let following = match event {
            Event::RematchAccepted { rematch, .. } => Some((rematch, News::Rematch(rematch))),
            Event::Ended {
                next: Some(next), ..
            } => Some((next, News::NextGame(next))),
            _ => None,
        };
        self.tell(News::Event(seq, event)).await?;
        let Some((match_id, news)) = following else {
            return self.send_again().await;
        };
        self.match_id = match_id;
        self.seq = Seq(0);
        self.chatting = Chatting::new(self.manner.room(), true);
        self.pending.clear();
        self.tell(news).await?;
        self.attach_again().await
    }

    async fn attach_again(&mut self) -> Result<(), Finished> {
        let request = attachment(self.manner, self.match_id, self.seq);
        self.attaching = self.send(request).await?;
        Ok(())
    }

    /// Sends a request; `None` when the connection broke over it.
    async fn send(&mut self, request: impl Into<ClientMessage>) -> Result<Option<u64>, Finished> {
        let Some(connection) = &mut self.connection else {
            return Ok(None);
        };
        match connection.send(request).await {
            Ok(id) => Ok(Some(id)),
            Err(failure) => {
                self.lose(failure).await?;
                Ok(None)
            }
        }
    }

    async fn answered(&mut self, request: u64, answer: Answer) -> Result<(), Finished> {
        if self.attaching == Some(request) {
            self.attaching = None;
            return match answer {
                Ok(Reply::Attached { snapshot, .. }) => self.attached(&snapshot).await,
                Ok(other) => self.give_up(unexpected(&other)).await,
                Err(failure) if failure.may_pass() => self.lose(failure).await,
                Err(failure) => self.give_up(failure).await,
            };
        }
        if self.chatting.asked == Some(request) {
            self.chatting.asked = None;
            // The match can go on without the lines, and a server without chat refuses this request.
            return match answer {
                Ok(Reply::Chat { lines, next, .. }) => {
                    let follows = self.chatting.hear_missed(lines, next);
                    self.follow_up(follows).await
                }
                _ => Ok(()),
            };
        }
        let place = self
            .pending
            .iter()
            .position(|pending| pending.request == Some(request));
        if let Some(place) = place {
            let pending = self.pending.remove(place);
            return match answer {
                Ok(reply) => self.told_of_chat(pending.ask, reply).await,
                Err(failure) if let Some(wait) = failure.slow_down(self.patience) => {
                    self.not_before = Some(Instant::now() + wait);
                    let request = None;
                    self.pending.insert(place, Pending { request, ..pending });
                    Ok(())
                }
                // A server that is older than hints in moves gets the move without them.
                Err(failure)
                    if failure.has_code(ErrorCode::UnknownField) && pending.ask.has_hints() =>
                {
                    let (ask, request) = (pending.ask.without_hints(), None);
                    let again = Pending {
                        ask,
                        request,
                        ..pending
                    };
                    self.pending.insert(place, again);
                    self.send_waiting().await
                }
                // The first attempt succeeded, and its event says so.
                Err(failure) if pending.repeated && failure.has_code(ErrorCode::MatchOver) => {
                    Ok(())
                }
                Err(failure) => self.tell(pending.ask.refused(failure)).await,
            };
        }
        match answer {
            Ok(Reply::Pong { now_ms }) => self.tell(News::Time(now_ms)).await,
            _ => Ok(()),
        }
    }

    /// The seat is ours again: reports how long it was not, and sends unanswered requests again.
    async fn attached(&mut self, snapshot: &Snapshot) -> Result<(), Finished> {
        if let Some(lost_at) = self.lost_at.take() {
            self.stopping = false;
            self.attempts = 0;
            let back = News::Back {
                away: lost_at.elapsed(),
                ply: Some(snapshot.ply),
            };
            self.tell(back).await?;
            let missing_after = self.chatting.heard();
            self.follow_up(Follows {
                missing_after,
                ..Follows::default()
            })
            .await?;
        }
        self.tell(News::Time(snapshot.at_ms)).await?;
        self.caught_up_at = Some(snapshot.seq);
        self.send_again().await
    }

    /// Sends what was asked and not answered, once everything that happened before is known.
    async fn send_again(&mut self) -> Result<(), Finished> {
        if self.caught_up_at.is_none_or(|at| self.seq < at) {
            return Ok(());
        }
        self.caught_up_at = None;
        self.send_waiting().await
    }

    /// Whether requests need not wait: the server listens, the seat is ours, and what happened before is known.
    fn may_send(&self) -> bool {
        self.connection.is_some()
            && self.attaching.is_none()
            && self.caught_up_at.is_none()
            && self.not_before.is_none()
            && !self.silent
    }

    /// Sends what has not been sent on this connection.
    async fn send_waiting(&mut self) -> Result<(), Finished> {
        if !self.may_send() {
            return Ok(());
        }
        for place in 0..self.pending.len() {
            if self
                .pending
                .get(place)
                .is_some_and(|pending| pending.request.is_none())
            {
                self.send_pending(place).await?;
            }
        }
        Ok(())
    }

    async fn put(&mut self, ask: Ask) -> Result<(), Finished> {
        if matches!(ask, Ask::Undo) {
            let message = Message::new("typed-undo-agreed");
            let refused = Failure::told(Exit::Refused, "refused", message);
            return self.tell(News::Refused(refused)).await;
        }
        self.pending.push(Pending {
            ask,
            client_move_id: new_id(),
            request: None,
            repeated: false,
        });
        if self.may_send() {
            self.send_pending(self.pending.len() - 1).await?;
        }
        Ok(())
    }

    async fn send_pending(&mut self, place: usize) -> Result<(), Finished> {
        let Some(pending) = self.pending.get(place) else {
            return Ok(());
        };
        let match_id = self.match_id.to_string();
        let request: ClientMessage = match &pending.ask {
            Ask::Move { ply, text, hints } => client::Move {
                match_id,
                ply: *ply,
                move_text: text.clone(),
                client_move_id: Some(pending.client_move_id.clone()),
                hints: (*hints).min(HINTS_MAX),
            }
            .into(),
            Ask::Resign => client::Resign { match_id }.into(),
            Ask::Abort => client::Abort { match_id }.into(),
            Ask::Propose(proposal) => client::Propose {
                match_id,
                proposal: *proposal,
            }
            .into(),
            Ask::Answer { proposed, agree } => client::Answer {
                match_id,
                proposed_seq: *proposed,
                agree: *agree,
            }
            .into(),
            Ask::WithdrawProposal => client::WithdrawProposal { match_id }.into(),
            Ask::Plan { ply, lines } => client::Plan {
                match_id,
                ply: *ply,
                lines: lines.clone(),
            }
            .into(),
            Ask::Claim(claim) => client::Claim {
                match_id,
                claim: *claim,
            }
            .into(),
            Ask::Continue => client::Continue { match_id }.into(),
            Ask::DeclineRematch => client::DeclineRematch { match_id }.into(),
            Ask::Say(speech) => self.chatting.say(match_id, speech),
            Ask::Lines => self.chatting.lines_after(match_id, Seq(0)),
            Ask::Mute { player, muted } => muting(player, *muted),
            // An `Undo` was refused before it got here.
            Ask::Rematch | Ask::Undo => client::Rematch { match_id }.into(),
        };
        let request = self.send(request).await?;
        if let Some(pending) = self.pending.get_mut(place) {
            pending.request = request;
        }
        Ok(())
    }

    /// Passes on chat lines, and requests the lines missing before them.
    async fn follow_up(&mut self, follows: Follows) -> Result<(), Finished> {
        for news in follows.news {
            self.tell(news).await?;
        }
        if let Some(after) = follows.missing_after {
            let ask = self.chatting.lines_after(self.match_id.to_string(), after);
            self.chatting.asked = self.send(ask).await?;
        }
        Ok(())
    }

    /// Takes a reply, which may belong to a chat request. The results of all other requests show in the events.
    async fn told_of_chat(&mut self, ask: Ask, reply: Reply) -> Result<(), Finished> {
        match (&ask, reply) {
            (Ask::Mute { muted, .. }, _) => self.tell(News::Muted(*muted)).await,
            (Ask::Lines, Reply::Chat { lines, next, .. }) => {
                let follows = self.chatting.show(lines, next);
                for news in follows.news {
                    self.tell(news).await?;
                }
                let Some(after) = follows.missing_after else {
                    return Ok(());
                };
                let page = self.chatting.lines_after(self.match_id.to_string(), after);
                let request = self.send(page).await?;
                // If the connection broke meanwhile, the player can ask again.
                self.pending.extend(request.map(|request| Pending {
                    ask,
                    client_move_id: new_id(),
                    request: Some(request),
                    repeated: false,
                }));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    async fn ping(&mut self) -> Result<(), Finished> {
        if self.heard_at.elapsed() > SILENCE {
            return self.lose(silence()).await;
        }
        if self.heard_at.elapsed() > STALE && self.lost_at.is_none() {
            (self.lost_at, self.silent) = (Some(self.heard_at), true);
            self.tell(News::Lost(silence())).await?;
        }
        self.send(client::Ping {}).await.map(|_| ())
    }

    /// The connection broke, or did not come back: what was asked on it will be asked again, unless it has been tried for too long.
    async fn lose(&mut self, failure: Failure) -> Result<(), Finished> {
        self.connection = None;
        (self.attaching, self.caught_up_at, self.silent) = (None, None, false);
        self.chatting.connection_lost();
        let lost = |pending: &mut Pending| pending.request.is_some() && !pending.ask.may_repeat();
        for pending in self.pending.extract_if(.., lost).collect::<Vec<_>>() {
            let message = Message::new("failure-unanswered");
            let failure = Failure::told(Exit::Refused, "refused", message);
            self.tell(pending.ask.refused(failure)).await?;
        }
        for pending in &mut self.pending {
            pending.repeated |= pending.request.take().is_some();
        }
        let now = Instant::now();
        self.next_attempt = self.next_attempt.max(now + self.wait());
        match self.lost_at {
            Some(lost_at) if now - lost_at >= GIVE_UP => self.give_up(failure).await,
            Some(_) => Ok(()),
            None => {
                self.lost_at = Some(now);
                let why = match self.stopping {
                    true => {
                        let code = ErrorCode::ShuttingDown.as_str();
                        Failure::told(Exit::Unreachable, code, Message::new("failure-stopping"))
                    }
                    false => failure,
                };
                self.tell(News::Lost(why)).await
            }
        }
    }

    fn wait(&self) -> Duration {
        let range = &WAITS_MS[self.attempts.min(WAITS_MS.len() - 1)];
        Duration::from_millis(rand::rng().random_range(range.clone()))
    }

    /// Tries once to come back.
    async fn come_back(&mut self) -> Result<(), Finished> {
        self.attempts += 1;
        let greeting = hello(Some(self.identity.token()), None);
        let patience = self.patience.min(ATTEMPT);
        let opened = async {
            let mut connection = Connection::reach(&self.address, patience).await?;
            if !self.identity.may_be_of(connection.server_id()) {
                return Err(another_server(&self.address));
            }
            connection.greet(greeting).await.map(|_| connection)
        };
        match opened.await {
            Ok(connection) => {
                self.connection = Some(connection);
                self.heard_at = Instant::now();
                self.attach_again().await
            }
            Err(failure) if failure.may_pass() => self.lose(failure).await,
            Err(failure) => self.give_up(failure).await,
        }
    }
}

/// A new unique name for a request.
fn new_id() -> ClientMoveId {
    let id = uuid::Uuid::new_v4().simple().to_string();
    id.parse().expect("a UUID is 32 letters and digits")
}

/// Another server answers at the address of ours. It must not get our secret.
fn another_server(address: &Address) -> Failure {
    let message = Message::new("failure-another-server").text("address", address);
    Failure::told(Exit::NotFound, "another_server", message)
        .help(Message::new("failure-another-server-how"))
}

fn silence() -> Failure {
    let message = Message::new("failure-silent");
    Failure::told(Exit::Unreachable, "connection_lost", message)
}

#[cfg(test)]
mod tests {
    use grundy_shared::ids::PlayerId;

    use super::*;

    #[tokio::test]
    async fn who_is_refused_the_seat_again_and_again_gives_up_in_the_end() {
        let (news, mut told) = tokio::sync::mpsc::channel(8);
        let address = Address::parse("http://127.0.0.1:1").expect("an address");
        let nobody = PlayerId::from_random(1);
        let mut remote = Remote {
            identity: Identity::new(
                &address,
                None,
                "default",
                nobody,
                "Ann".into(),
                String::new().into(),
            ),
            address,
            patience: ATTEMPT,
            manner: Manner::Playing,
            match_id: MatchId::from_random(1),
            seq: Seq(0),
            connection: None,
            attaching: None,
            pending: Vec::new(),
            heard_at: Instant::now(),
            stopping: false,
            lost_at: None,
            silent: false,
            caught_up_at: None,
            not_before: None,
            chatting: Chatting::new(Room::Players, true),
            attempts: 0,
            next_attempt: Instant::now(),
            news,
        };
        let busy = || Failure::new(Exit::Refused, "server_busy", "not now");
        // The connection comes back each time, and the seat does not.
        for _ in 0..2 {
            remote.attaching = Some(7);
            assert!(remote.answered(7, Err(busy())).await.is_ok());
        }
        assert!(matches!(told.try_recv(), Ok(News::Lost(_))));
        assert!(told.try_recv().is_err(), "it is told once");
        remote.lost_at = Instant::now().checked_sub(GIVE_UP);
        remote.attaching = Some(8);
        assert!(remote.answered(8, Err(busy())).await.is_err());
        assert!(matches!(told.try_recv(), Ok(News::Gone(_))));
    }
}
