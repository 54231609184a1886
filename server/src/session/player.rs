//! A connection that has said who it is.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, PlayerId, Seat};
use grundy_shared::protocol::{ClientMessage, ErrorBody, Notice};
use grundy_words::Language;
use tokio::time::Instant;

use super::connection::{BANNED, CUT_OFF, Connection, FLOOD, NONSENSE, Request, SIGNED_OUT, SLOW};
use super::entering::Entering;
use super::limits::{Allowance, Meter};
use super::listing::ListedElsewhere;
use super::running::Running;
use super::socket::{CloseCode, Ending, Heard, Socket};
use super::waiting::Waiting;
use crate::admission::Work;
use crate::bans::Banned;
use crate::connections::Present;
use crate::identity::{self, Asker};
use crate::matches::{Backlog, Frame, Input, LiveMatch, Outgoing, refusal, sight};
use crate::planted;
use crate::store::{Bearer, TokenRow};
use crate::tournaments::LiveTournament;

/// Items of the queue that are written before the socket is looked at again.
const AT_ONCE: usize = 64;
/// Events of a backlog that are read from the store at a time.
const BACKLOG_PAGE: usize = 50;

/// What a connection waits for.
enum Event<T> {
    /// Something is to be written.
    Item(Outgoing),
    /// The peer has said something.
    Heard(Heard<T>),
    /// It is the turn of a request that has waited.
    Due(Request),
    /// The wait of a request for new work is over; whether it may begin.
    Entered(Request, Work, bool),
    /// A backlog is to be read on.
    Backlog,
    /// The peer is to be looked after.
    Time,
    /// The server begins to stop.
    Stop,
}

/// A match that this connection follows.
pub(super) struct Follow {
    match_id: MatchId,
    /// The seat that the connection has in it, if it is a player's.
    seat: Option<Seat>,
    pub(super) live: Arc<LiveMatch>,
    /// The moves that a bot has made in it lately.
    moves: Meter,
}

/// Who has said `hello`.
pub(super) struct Known {
    /// The player, and with which token it has come.
    pub(super) bearer: Bearer,
    /// The language of the sentences that the client gets.
    pub(super) language: Language,
    /// Among the connections of the player.
    pub(super) present: Present,
}

/// A connection after `hello`.
pub(super) struct Player<S> {
    pub(super) connection: Box<Connection<S>>,
    pub(super) info: PlayerInfo,
    /// The language of the sentences that the client gets.
    pub(super) language: Language,
    /// With which the player has come.
    pub(super) token: TokenRow,
    /// The players that this player has muted.
    pub(super) muted: Box<[PlayerId]>,
    /// Among the connections of the player.
    _present: Present,
    follows: Vec<Follow>,
    backlogs: VecDeque<(MatchId, Backlog)>,
    waiting: Waiting,
    pub(super) entering: Entering,
    /// The connection follows the account of the player.
    pub(super) follows_account: bool,
    /// The connection may have seeks in the lobby.
    pub(super) seeks: bool,
    /// The tournaments that this connection follows.
    pub(super) tournaments: Vec<Arc<LiveTournament>>,
    /// The client said `bye`.
    pub(super) leaving: bool,
    /// The analysis that is not answered yet.
    pub(super) running: Running,
    /// The page of moves that is not answered yet.
    pub(super) listing: ListedElsewhere,
}

impl<S: Socket> Player<S> {
    pub(super) fn new(mut connection: Box<Connection<S>>, known: Known) -> Self {
        let Known {
            bearer,
            language,
            present,
        } = known;
        let Bearer {
            player: info,
            token,
            muted,
            ..
        } = bearer;
        connection.allowance = Allowance::of(&connection.app.config.current().limits, info.bot);
        connection
            .outbox
            .set_messages_max(connection.allowance.queue_messages as usize);
        Self {
            connection,
            info,
            language,
            token,
            muted: muted.into(),
            _present: present,
            follows: Vec::new(),
            backlogs: VecDeque::new(),
            waiting: Waiting::default(),
            entering: Entering::default(),
            follows_account: false,
            seeks: false,
            tournaments: Vec::new(),
            leaving: false,
            running: Running::default(),
            listing: ListedElsewhere::default(),
        }
    }

    /// Who asks about its account.
    pub(super) fn asker(&self) -> Asker<'_> {
        Asker {
            player: &self.info,
            token: &self.token,
            address: self.connection.address,
        }
    }

    /// Serves the connection to its end, and leaves every match that it followed.
    pub(super) async fn serve(mut self) -> (Box<Connection<S>>, Ending) {
        let Err(mut ending) = self.converse().await;
        let refused = match ending {
            FLOOD | NONSENSE => self.refuse_waiting(&refusal::busy("the connection is closed")),
            SIGNED_OUT => self.refuse_waiting(&identity::bad_token()),
            BANNED => self.refuse_waiting(&self.banned()),
            _ => Ok(()),
        };
        if let Err(lost) = refused {
            ending = lost;
        }
        if matches!(ending, FLOOD | NONSENSE | SIGNED_OUT | BANNED)
            && let Err(lost) = Box::pin(self.give_answers()).await
        {
            ending = lost;
        }
        self.leave_all(false);
        (self.connection, ending)
    }

    /// Why the connection is closed if its player or its address is banned.
    fn banned(&self) -> ErrorBody {
        let (app, address) = (&self.connection.app, self.connection.address);
        let now = app.clock.now();
        let banned = app.bans.check_player(self.info.id, now);
        let banned = banned.and_then(|()| app.bans.check_address(address.ip(), now));
        banned.map_or_else(Banned::refusal, |()| identity::bad_token())
    }

    async fn converse(&mut self) -> Result<std::convert::Infallible, Ending> {
        self.connection.measure()?;
        let draining = self.connection.app.lifecycle.draining();
        let mut draining = std::pin::pin!(draining.cancelled());
        let mut timer = std::pin::pin!(tokio::time::sleep_until(self.connection.next_check()));
        // Whom the timer and the stop wake. Most turns come from elsewhere, and need not ask them again.
        let mut asleep: Option<Waker> = None;
        loop {
            self.write().await?;
            let event = poll_fn(|context| {
                let event = self.poll_event(context);
                if event.is_ready() {
                    return event;
                }
                let known = asleep
                    .as_ref()
                    .is_some_and(|waker| waker.will_wake(context.waker()));
                if (!known || timer.is_elapsed()) && timer.as_mut().poll(context).is_ready() {
                    return Poll::Ready(Event::Time);
                }
                let stops = self.connection.app.lifecycle.is_draining();
                if (!known || stops) && draining.as_mut().poll(context).is_ready() {
                    return Poll::Ready(Event::Stop);
                }
                if !known {
                    asleep = Some(context.waker().clone());
                }
                Poll::Pending
            });
            let heard = match event.await {
                Event::Item(item) => {
                    self.deliver(item)?;
                    continue;
                }
                Event::Heard(heard) => heard,
                Event::Due(request) => {
                    self.take(request).await?;
                    continue;
                }
                Event::Entered(request, work, may_begin) => {
                    self.entered(request, work, may_begin).await?;
                    continue;
                }
                Event::Backlog => {
                    Box::pin(self.read_backlog()).await?;
                    continue;
                }
                Event::Time => {
                    self.connection.check_peer(timer.as_mut())?;
                    asleep = None;
                    continue;
                }
                Event::Stop => {
                    self.refuse_waiting(&refusal::shutting_down())?;
                    return Err(Box::pin(self.connection.announce_stop()).await);
                }
            };
            if let Some(request) = self.connection.read(heard)?
                && let Some(request) = self.admit(request)?
            {
                self.take(request).await?;
            }
            if self.leaving {
                self.connection.flush().await?;
                return Err(Ending::Close(CloseCode::Normal, "bye"));
            }
        }
    }

    /// A request, if its turn is now. A bot's may have to wait for it; what is beyond the bound of those that wait is refused.
    fn admit(&mut self, request: Request) -> Result<Option<Request>, Ending> {
        let Allowance {
            requests,
            moves: Some(moves),
            waiting,
            ..
        } = self.connection.allowance
        else {
            return Ok(Some(request));
        };
        let now = self.connection.last_heard;
        if self.waiting.len() >= waiting as usize {
            let wait = Duration::from_secs(1) / requests.per_second.max(1);
            let too_fast = self.connection.rate.too_fast(wait);
            return self
                .connection
                .slow_down(Some(request.id), too_fast)
                .map(|()| None);
        }
        self.connection.rate.admitted();
        let played = match &request.message {
            ClientMessage::Move(made) => made.match_id.parse().ok(),
            _ => None,
        };
        let plays = |follow: &&mut Follow| follow.seat.is_some() && Some(follow.match_id) == played;
        let due = match self.follows.iter_mut().find(plays) {
            Some(follow) => follow.moves.book(now, moves),
            None => self.connection.rate.book(now, requests),
        };
        if due <= now {
            return Ok(Some(request));
        }
        self.waiting.push(due, request);
        Ok(None)
    }

    /// Answers a request whose turn it is, or makes it wait. Before `bye`, all earlier requests are answered.
    async fn take(&mut self, request: Request) -> Result<(), Ending> {
        if matches!(request.message, ClientMessage::Bye(_)) {
            for request in self.waiting.take_all() {
                self.enter(request).await?;
            }
            self.refuse_waiting(&refusal::busy("the server is overloaded"))?;
        }
        self.enter(request).await
    }

    /// Refuses every request that waits.
    fn refuse_waiting(&mut self, error: &ErrorBody) -> Result<(), Ending> {
        let waiting = self.waiting.take_all().chain(self.entering.take_all());
        for request in waiting {
            self.connection.refuse(Some(request.id), error.clone())?;
        }
        Ok(())
    }

    /// What happens on the connection, the most urgent first.
    fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Event<S::Text>> {
        if let Poll::Ready(item) = self.connection.queue.poll_next(context) {
            return Poll::Ready(Event::Item(item));
        }
        if let Poll::Ready(request) = self.waiting.poll_due(context) {
            return Poll::Ready(Event::Due(request));
        }
        if let Poll::Ready((request, work, may_begin)) = self.entering.poll_next(context) {
            return Poll::Ready(Event::Entered(request, work, may_begin));
        }
        if let Poll::Ready(heard) = self.connection.socket.poll_hear(context) {
            return Poll::Ready(Event::Heard(heard));
        }
        match self.backlogs.is_empty() {
            true => Poll::Pending,
            false => Poll::Ready(Event::Backlog),
        }
    }

    /// Writes what waits, and flushes once.
    async fn write(&mut self) -> Result<(), Ending> {
        for _ in 0..AT_ONCE {
            match self.connection.queue.try_next() {
                Some(item) => self.deliver(item)?,
                None => break,
            }
        }
        self.connection.flush().await?;
        if self.connection.queue.overflowed() {
            return Err(SLOW);
        }
        if self.connection.queue.take_lagging() {
            self.ask_for_snapshots();
        }
        Ok(())
    }

    pub(super) fn deliver(&mut self, item: Outgoing) -> Result<(), Ending> {
        match item {
            Outgoing::Frame(frame) => self.connection.feed(frame)?,
            Outgoing::Follow(id, seat) => self.begin_to_follow(id, seat),
            Outgoing::Backlog(id, backlog) => self.backlogs.push_back((id, *backlog)),
            Outgoing::Unfollow(id) => self.forget(id),
            Outgoing::Said(said) if self.hears(&said) => self.connection.feed(said.frame)?,
            Outgoing::Said(_) => {}
            Outgoing::Muted(muted) => self.muted = muted,
            Outgoing::Renamed(name) => self.info.name = name.into(),
            Outgoing::SignedOut => {
                self.connection.feed(Frame::notice(&Notice::SignedOut {}))?;
                return Err(SIGNED_OUT);
            }
            Outgoing::Banned => return Err(BANNED),
            Outgoing::CutOff => return Err(CUT_OFF),
        }
        Ok(())
    }

    fn begin_to_follow(&mut self, match_id: MatchId, seat: Option<Seat>) {
        self.forget(match_id);
        let live = self.connection.app.matches.find(match_id);
        self.follows.push(Follow {
            match_id,
            seat,
            live,
            moves: Meter::new(Instant::now()),
        });
        // Finished matches do not count towards the limit of those that are followed, but are not collected for ever either.
        let limit = self.connection.allowance.follows as usize;
        let over = |follow: &&Follow| follow.live.pulse().is_over();
        if self.follows.iter().filter(over).count() > limit
            && let Some(oldest) = self.follows.iter().position(|follow| over(&follow))
        {
            let follow = self.follows.remove(oldest);
            self.part_from(follow, false);
        }
    }

    /// How many matches that are not over this connection follows.
    pub(super) fn followed(&self) -> usize {
        let open = |follow: &&Follow| !follow.live.pulse().is_over();
        self.follows.iter().filter(open).count()
    }

    fn part_from(&self, follow: Follow, said_bye: bool) {
        let gone = Input::Gone {
            connection: self.connection.outbox.clone(),
            said_bye,
        };
        // A match that has gone had no followers.
        let _ = follow.live.give(gone);
    }

    pub(super) fn forget(&mut self, id: MatchId) {
        self.follows.retain(|follow| follow.match_id != id);
        self.backlogs.retain(|(match_id, _)| *match_id != id);
    }

    pub(super) fn follow(&self, id: MatchId) -> Option<&Follow> {
        self.follows.iter().find(|follow| follow.match_id == id)
    }

    /// Writes one page of the first backlog, so that live events and other matches are not kept waiting by a long one.
    async fn read_backlog(&mut self) -> Result<(), Ending> {
        let Some((id, mut backlog)) = self.backlogs.pop_front() else {
            return Ok(());
        };
        let Some(follow) = self.follow(id) else {
            return Ok(());
        };
        let live = follow.live.clone();
        let (seat, over) = (follow.seat, live.pulse().is_over());
        let loaded = self
            .connection
            .app
            .store
            .load(id.into(), backlog.after, BACKLOG_PAGE)
            .await;
        // Without its backlog the connection would have a gap: it comes back and asks again.
        const UNREADABLE: Ending = Ending::Close(CloseCode::Restart, "backlog unreadable");
        let page = match loaded {
            Ok(page) => page.unwrap_or_default(),
            Err(error) => {
                tracing::warn!(match_id = %id, %error, "a backlog could not be read");
                return Err(UNREADABLE);
            }
        };
        let began = backlog.after;
        for logged in page {
            if logged.seq > backlog.upto || logged.seq != backlog.after.next() {
                break;
            }
            if logged.seq != backlog.upto || !planted::is("drop_backlog_tail") {
                let body = match over {
                    true => Cow::Borrowed(&*logged.body),
                    false => sight::seen_by(seat, &logged.body),
                };
                self.connection.feed(Frame::event(id, logged.seq, body))?;
            }
            backlog.after = logged.seq;
        }
        if backlog.after == began {
            tracing::error!(match_id = %id, seq = %began.next(), "an event that was stored is missing");
            return Err(UNREADABLE);
        }
        if backlog.after < backlog.upto {
            self.backlogs.push_back((id, backlog));
        } else {
            let read = Input::GoLive(self.connection.outbox.clone(), backlog);
            self.connection.app.matches.give_to(&live, read);
        }
        Ok(())
    }

    /// Asks the matches that are only watched for their state, after events did not fit the queue.
    fn ask_for_snapshots(&self) {
        for follow in self.follows.iter().filter(|follow| follow.seat.is_none()) {
            let room = Input::CatchUp(self.connection.outbox.clone());
            self.connection.app.matches.give_to(&follow.live, room);
        }
    }

    /// The client says `bye`: what it asked before is answered, then it leaves everything.
    pub(super) async fn finish(&mut self) -> Result<(), Ending> {
        self.give_answers().await?;
        self.leave_all(true);
        Ok(())
    }

    async fn give_answers(&mut self) -> Result<(), Ending> {
        let mut begun = Vec::new();
        let noted = |item| {
            if let Outgoing::Follow(id, seat) = item {
                begun.push((id, seat));
            }
        };
        let given = self.connection.give_answers(noted).await;
        for (id, seat) in begun {
            self.begin_to_follow(id, seat);
        }
        given
    }

    fn leave_all(&mut self, said_bye: bool) {
        self.leave_account();
        self.leave_lobby();
        // First: a tournament may seat this connection in one more match until it is told.
        self.unwatch_all();
        // What a match is about to tell this connection is told no more, and matches that were joined at the last moment are left too.
        self.connection.queue.close();
        while let Some(item) = self.connection.queue.try_next() {
            if let Outgoing::Follow(id, seat) = item {
                self.begin_to_follow(id, seat);
            }
        }
        for follow in std::mem::take(&mut self.follows) {
            self.part_from(follow, said_bye);
        }
    }
}
