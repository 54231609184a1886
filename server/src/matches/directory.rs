//! Who plays where: every match that is not over has its actor, and a finished one while somebody wants it.

use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grundy_shared::bot::Bot;
use grundy_shared::event::{Event, PlayerInfo, TimeControl};
use grundy_shared::ids::{JoinCode, MatchId, Millis, PlayerId, Ply, Seat, Seq};
use grundy_shared::protocol::ErrorBody;
use grundy_shared::protocol::server::Obligation;
use grundy_shared::referee::{Command, Decision, Referee, Status, Terms};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;
use tokio_util::task::TaskTracker;

use super::actor::{Actor, Beginning, Pulse, Start};
use super::damaged::Damaged;
use super::outbox::Frame;
use super::places::{Place, Places, Scope};
use super::rebuild::{self, RebuildError};
use super::viewers::Viewers;
use super::{MAILBOX, Mailbox, Order, builtin, refusal};
use crate::addresses::Subscriber;
use crate::analysis::Analysis;
use crate::chance::Chance;
use crate::clock::Clock;
use crate::config::Config;
use crate::lifecycle::Lifecycle;
use crate::metrics::Metrics;
use crate::store::committer::Committer;
use crate::store::{
    Commit, CommitError, LiveMatch, MatchRow, NodeId, Projection, Store, StoreError,
};

/// Ids drawn for one new match before giving up: each is free with overwhelming probability.
const DRAWS: usize = 8;
/// Outages that are written down at the same time at a start.
const RECOVERY_WIDTH: usize = 512;

/// Every match that has an actor, and what an actor needs.
pub struct Directory {
    pub(crate) config: Arc<Config>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) committer: Committer,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) chance: Arc<dyn Chance>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) analysis: Analysis,
    pub(crate) lifecycle: Lifecycle,
    pub(crate) damaged: Damaged,
    actors: TaskTracker,
    places: Arc<Places>,
    tables: Mutex<Tables>,
}

#[derive(Default)]
struct Tables {
    running: FxHashMap<MatchId, Running>,
    /// Matches of each player that are not over.
    open: FxHashMap<PlayerId, Vec<(MatchId, Seat)>>,
    /// The places of each match that is not over.
    places: FxHashMap<MatchId, Vec<Place>>,
}

struct Running {
    mailbox: Mailbox,
    pulse: Arc<Pulse>,
}

/// What a creator asks for.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The start position, as typed.
    pub position: String,
    /// The clocks.
    pub clock: TimeControl,
    /// The creator's side.
    pub seat: Seat,
    /// The built-in bot to play, or else an invitation.
    pub bot: Option<Bot>,
}

/// A match that is stored, and which nobody plays yet.
pub(super) struct Unopened {
    id: MatchId,
    beginning: Beginning,
    places: Vec<Place>,
}

impl Unopened {
    /// From the state after these events, which are all there are, or none of them.
    fn new(id: MatchId, referee: Referee, events: &[Event], places: Vec<Place>) -> Self {
        let numbered = (1..).zip(events);
        let recent = numbered.map(|(seq, event)| Frame::event(id, Seq(seq), event.to_json()));
        let beginning = Beginning {
            recent: recent.collect(),
            referee,
        };
        Self {
            id,
            beginning,
            places,
        }
    }
}

/// Whether an actor that has read its match from the log is the one to play it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Claim {
    /// It is.
    Granted,
    /// The match is being made at this moment, and gets an actor of its own when it is.
    Early,
    /// Another actor has taken its place.
    Late,
}

/// A match that was created.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Made {
    /// The match.
    pub id: MatchId,
    /// The invitation, and when it expires.
    pub code: Option<(JoinCode, Millis)>,
}

impl Directory {
    /// A directory without matches.
    #[expect(
        clippy::too_many_arguments,
        reason = "each is a part of the server that matches need"
    )]
    #[must_use]
    pub fn new(
        config: Arc<Config>,
        store: Arc<dyn Store>,
        committer: Committer,
        clock: Arc<dyn Clock>,
        chance: Arc<dyn Chance>,
        metrics: Arc<Metrics>,
        analysis: Analysis,
        lifecycle: Lifecycle,
    ) -> Arc<Self> {
        Arc::new(Self {
            places: Places::new(&config.limits),
            config,
            store,
            committer,
            clock,
            chance,
            metrics,
            analysis,
            lifecycle,
            damaged: Damaged::default(),
            actors: TaskTracker::new(),
            tables: Mutex::default(),
        })
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The way to a match; a match that nobody has asked for since it ended is read from the store by its new actor.
    #[must_use]
    pub fn mailbox(self: &Arc<Self>, id: MatchId) -> Mailbox {
        let mut tables = self.tables();
        match tables.running.get(&id) {
            Some(running) => running.mailbox.clone(),
            None => self.spawn(&mut tables, id, Start::Asked),
        }
    }

    /// Sends an order to a match. Where its mailbox is full the order is refused; it is never lost.
    pub fn post(self: &Arc<Self>, id: MatchId, order: Box<Order>) {
        let mailbox = self.mailbox(id);
        self.post_to(&mailbox, id, order);
    }

    /// The same for who knows the way already.
    pub fn post_to(self: &Arc<Self>, mailbox: &Mailbox, id: MatchId, order: Box<Order>) {
        match mailbox.try_send(order) {
            Ok(()) => {}
            Err(mpsc::error::TrySendError::Full(order)) => {
                if let Some(reply) = order.into_reply() {
                    reply.refuse(refusal::busy("too much waits for this match"));
                }
            }
            // The actor went since; it left the directory before, so this ends with a new one.
            Err(mpsc::error::TrySendError::Closed(order)) => {
                if self.actors.is_closed() {
                    if let Some(reply) = order.into_reply() {
                        reply.refuse(refusal::shutting_down());
                    }
                } else {
                    self.post(id, order);
                }
            }
        }
    }

    fn spawn(self: &Arc<Self>, tables: &mut Tables, id: MatchId, start: Start) -> Mailbox {
        let (mailbox, orders) = mpsc::channel(MAILBOX);
        let pulse = Arc::new(Pulse::default());
        if let Start::Known(beginning) = &start {
            pulse.set(beginning.referee.seq(), beginning.referee.ply());
        }
        let running = Running {
            mailbox: mailbox.clone(),
            pulse: pulse.clone(),
        };
        tables.running.insert(id, running);
        let actor = Actor {
            directory: self.clone(),
            id,
            mailbox: mailbox.clone(),
            orders,
            pulse,
            viewers: Viewers::default(),
            announced: Seq(0),
        };
        drop(self.lifecycle.spawn_on(&self.actors, actor.run(start)));
        mailbox
    }

    /// Asks whether the actor with this mailbox is to play the match in this state. One that was woken before there was such a match
    /// (the id of a rematch can be worked out) may have read it since, beside the actor that was made with it.
    pub(super) fn claim(&self, id: MatchId, mailbox: &Mailbox, referee: &Referee) -> Claim {
        let tables = self.tables();
        let running = tables.running.get(&id);
        if !running.is_some_and(|running| running.mailbox.same_channel(mailbox)) {
            Claim::Late
        } else if referee.status() == Status::Over || tables.places.contains_key(&id) {
            Claim::Granted
        } else {
            Claim::Early
        }
    }

    /// An actor goes. Another one that has taken its place meanwhile stays.
    pub(super) fn forget(&self, id: MatchId, mailbox: &Mailbox) {
        let mut tables = self.tables();
        let running = tables.running.get(&id);
        if running.is_some_and(|running| running.mailbox.same_channel(mailbox)) {
            tables.running.remove(&id);
        }
    }

    /// Takes a place among the matches of this player.
    pub(super) fn place_for(&self, player: PlayerId) -> Result<Place, ErrorBody> {
        self.places.take(Scope::Player(player))
    }

    /// Somebody took the second seat.
    pub(super) fn joined(&self, id: MatchId, player: PlayerId, seat: Seat, place: Place) {
        let mut tables = self.tables();
        tables.open.entry(player).or_default().push((id, seat));
        tables.places.entry(id).or_default().push(place);
    }

    /// A match is over. To be told so again changes nothing.
    pub(super) fn ended(&self, id: MatchId) {
        let mut tables = self.tables();
        let Some(places) = tables.places.remove(&id) else {
            return;
        };
        self.metrics.matches_live.dec();
        for player in places.iter().filter_map(Place::player) {
            if let Some(open) = tables.open.get_mut(&player) {
                open.retain(|(open, _)| *open != id);
                if open.is_empty() {
                    tables.open.remove(&player);
                }
            }
        }
    }

    /// The state of a match as its log tells it; `None` when there is no such match. Cost: linear in its events.
    ///
    /// # Errors
    /// The refusal, where the store or the log fails.
    pub async fn replay(self: &Arc<Self>, id: MatchId) -> Result<Option<Referee>, ErrorBody> {
        rebuild::load(&*self.store, id)
            .await
            .map_err(|error| match error {
                RebuildError::Store(error) => self.unreadable(id, &error),
                error => self.put_aside(id, &error),
            })
    }

    /// What the client is told when the store could not read a match; one that is damaged is put aside.
    pub fn unreadable(self: &Arc<Self>, id: MatchId, error: &StoreError) -> ErrorBody {
        match error.is_damage() {
            true => self.put_aside(id, error),
            false => refusal::of_store(error),
        }
    }

    /// Refuses a match whose log is damaged, from now on to everybody; one that has an actor goes on with what that holds.
    pub fn put_aside(self: &Arc<Self>, id: MatchId, error: &dyn Display) -> ErrorBody {
        if self.damaged.note(id, error) {
            let mut tables = self.tables();
            if !tables.running.contains_key(&id) {
                self.spawn(&mut tables, id, Start::Quarantined);
            }
        }
        refusal::damaged()
    }

    /// How many matches are not over.
    #[must_use]
    pub fn open_matches(&self) -> usize {
        self.places.count(Scope::Server) as usize
    }

    /// How many moves have been made in a match that has an actor.
    #[must_use]
    pub fn plies(&self, id: MatchId) -> Option<Ply> {
        let tables = self.tables();
        tables.running.get(&id).map(|running| running.pulse.ply())
    }

    /// The player's matches that are not over, those first where the player is to move; at most `limit`.
    #[must_use]
    pub fn obligations(&self, player: PlayerId, limit: usize) -> Vec<Obligation> {
        let tables = self.tables();
        let open = tables.open.get(&player).map_or(&[][..], Vec::as_slice);
        let mut obligations: Vec<_> = open
            .iter()
            .filter_map(|(id, seat)| {
                let pulse = &tables.running.get(id)?.pulse;
                Some(Obligation {
                    match_id: *id,
                    seat: *seat,
                    to_move: Seat::to_move_at(pulse.ply()) == *seat,
                    connected: pulse.is_connected(*seat),
                    seq: pulse.seq(),
                    code: None,
                    expires_at_ms: None,
                })
            })
            .collect();
        drop(tables);
        obligations.sort_by_key(|obligation| !obligation.to_move);
        obligations.truncate(limit);
        obligations
    }

    /// Checks that this player may have one more match.
    pub(super) fn check_room(&self, player: PlayerId) -> Result<(), ErrorBody> {
        self.places.check(Scope::Player(player))
    }

    /// Takes the places of a match that is to be made from this address.
    fn take_places(&self, referee: &Referee, address: Subscriber) -> Result<Vec<Place>, ErrorBody> {
        if self.lifecycle.is_draining() {
            return Err(refusal::shutting_down());
        }
        scopes(referee)
            .chain([Scope::Address(address)])
            .map(|scope| self.places.take(scope))
            .collect()
    }
}

/// Where every match counts: on the server, and among the matches of each person who plays.
fn scopes(referee: &Referee) -> impl Iterator<Item = Scope> {
    let people = people(referee).map(|(_, player)| Scope::Player(player));
    [Scope::Server].into_iter().chain(people)
}

/// Who plays and is no built-in bot.
fn people(referee: &Referee) -> impl Iterator<Item = (Seat, PlayerId)> {
    Seat::BOTH.into_iter().filter_map(|seat| {
        let player = referee.player(seat)?;
        builtin::bot_of(player)
            .is_none()
            .then_some((seat, player.id))
    })
}

/// New matches.
impl Directory {
    /// Makes a match. Durable when this returns.
    ///
    /// # Errors
    /// The refusal.
    pub async fn create(
        self: &Arc<Self>,
        creator: PlayerInfo,
        wish: Wish,
        address: Subscriber,
    ) -> Result<Made, ErrorBody> {
        let now = self.clock.now();
        let terms = Terms {
            position: wish.position,
            clock: wish.clock,
            rematch_of: None,
        };
        let (mut referee, mut events) = Referee::create(terms, creator, wish.seat, now)
            .map_err(|refused| refusal::of_referee(&refused))?;
        if let Some(bot) = &wish.bot {
            let command = Command::Join {
                player: builtin::player(bot),
            };
            if let Ok(Decision::Events(joined)) = referee.handle(now, &command) {
                for event in &joined {
                    referee.apply(event).map_err(|_| refusal::internal())?;
                }
                events.extend(joined.into_events());
            }
        }
        let places = self.take_places(&referee, address)?;
        for _ in 0..DRAWS {
            let id = MatchId::from_random(self.chance.bits());
            let code = wish.bot.is_none().then(|| {
                let expires_at = now.plus(self.config.times.join_code_ms);
                (JoinCode::from_random(self.chance.bits()), expires_at)
            });
            let mut commit = new_match(id, &referee, &events);
            if let Some((code, expires_at)) = code {
                commit = commit.with(Projection::JoinCode {
                    code,
                    match_id: id,
                    at: now,
                    expires_at,
                });
            }
            match self.committer.commit(commit).await {
                Ok(()) => {
                    self.open(Unopened::new(id, referee, &events, places));
                    self.post(id, Box::new(Order::Announced));
                    return Ok(Made { id, code });
                }
                Err(CommitError::Taken(_) | CommitError::Conflict { .. }) => {}
                Err(error) => return Err(refusal::of_commit(&error)),
            }
        }
        Err(refusal::busy("no free id was found"))
    }

    /// Makes a rematch that both players want. `None` when it is open already; one that an earlier try made and could not announce
    /// is read from its log.
    pub(super) async fn make_rematch(
        self: &Arc<Self>,
        id: MatchId,
        referee: Referee,
        events: &[Event],
        address: Subscriber,
    ) -> Result<Option<Unopened>, ErrorBody> {
        if self.tables().places.contains_key(&id) {
            return Ok(None);
        }
        let places = self.take_places(&referee, address)?;
        match self.committer.commit(new_match(id, &referee, events)).await {
            Ok(()) => Ok(Some(Unopened::new(id, referee, events, places))),
            Err(CommitError::Conflict { .. }) => {
                let made = self.replay(id).await?;
                let made = made.filter(|made| made.status() != Status::Over);
                Ok(made.map(|made| Unopened::new(id, made, &[], places)))
            }
            Err(error) => Err(refusal::of_commit(&error)),
        }
    }

    /// Sets the clocks of a match going.
    pub(super) fn open(self: &Arc<Self>, new: Unopened) {
        let Unopened {
            id,
            beginning,
            places,
        } = new;
        let mut tables = self.tables();
        self.count(&mut tables, id, &beginning.referee, places);
        // An actor of somebody who has asked for the id too early learns by its claim that this one has taken its place.
        self.spawn(&mut tables, id, Start::Known(Box::new(beginning)));
    }

    /// Counts a match that is not over.
    fn count(&self, tables: &mut Tables, id: MatchId, referee: &Referee, places: Vec<Place>) {
        self.metrics.matches_live.inc();
        tables.places.insert(id, places);
        for (seat, player) in people(referee) {
            tables.open.entry(player).or_default().push((id, seat));
        }
    }
}

/// Starting and stopping.
impl Directory {
    /// Takes up every match that is not over. The outage since the last heartbeat is credited to the clocks that ran, and
    /// is durable when this returns. Cost: linear in the events of those matches.
    ///
    /// # Errors
    /// The store could not be read or written.
    pub async fn recover(
        self: &Arc<Self>,
        node: NodeId,
        last_heartbeat: Option<Millis>,
    ) -> Result<usize, StoreError> {
        let now = self.clock.now();
        let mut recovered = 0;
        let mut after = None;
        loop {
            let page = self.store.live(node, after).await?;
            let Some(last) = page.last() else {
                return Ok(recovered);
            };
            after = Some(last.cursor.clone());
            recovered += page.len();
            for chunk in page.chunks(RECOVERY_WIDTH) {
                let each = chunk
                    .iter()
                    .map(|live| self.recover_one(live, now, last_heartbeat));
                futures::future::try_join_all(each).await?;
            }
        }
    }

    async fn recover_one(
        self: &Arc<Self>,
        live: &LiveMatch,
        now: Millis,
        last_heartbeat: Option<Millis>,
    ) -> Result<(), StoreError> {
        let log = live.log.as_ref().map_err(|error| error.clone().into());
        let referee = match log.and_then(|log| rebuild::replay(log)) {
            Ok(referee) => self.credit(live.id, referee, now, last_heartbeat).await?,
            Err(RebuildError::Store(error)) if !error.is_damage() => {
                tracing::error!(match_id = %live.id, %error, "the match cannot be taken up");
                self.spawn(&mut self.tables(), live.id, Start::Quarantined);
                return Ok(());
            }
            Err(error) => {
                self.put_aside(live.id, &error);
                return Ok(());
            }
        };
        if referee.status() != Status::Over {
            let places = scopes(&referee).filter_map(|scope| self.places.keep(scope));
            let places = places.collect();
            let mut tables = self.tables();
            self.count(&mut tables, live.id, &referee, places);
            let beginning = Beginning {
                referee,
                recent: Vec::new(),
            };
            self.spawn(&mut tables, live.id, Start::Known(Box::new(beginning)));
        }
        Ok(())
    }

    /// Gives the time of the outage back. The server was certainly there at the last heartbeat and at the match's last event.
    async fn credit(
        &self,
        id: MatchId,
        mut referee: Referee,
        now: Millis,
        last_heartbeat: Option<Millis>,
    ) -> Result<Referee, StoreError> {
        let alive_at = last_heartbeat.unwrap_or_default().max(referee.last_at());
        let away_ms = now.since(alive_at);
        let Ok(Decision::Events(events)) = referee.handle(
            now,
            &Command::Outage {
                away_ms,
                hold: false,
            },
        ) else {
            return Ok(referee);
        };
        let bodies = events.iter().map(|event| event.to_json().into()).collect();
        let credit = Commit::append(id, referee.seq(), bodies);
        match self.committer.commit(credit).await {
            Ok(()) => {
                for event in &events {
                    if let Err(error) = referee.apply(event) {
                        tracing::error!(match_id = %id, %error, "the credit does not fit the match");
                    }
                }
                Ok(referee)
            }
            Err(CommitError::Store(error)) if !matches!(error, StoreError::Corrupt { .. }) => {
                Err(error)
            }
            Err(error) => {
                tracing::error!(match_id = %id, %error, "the outage was not credited");
                Ok(referee)
            }
        }
    }

    /// Ends every actor once it has done what it was ordered before.
    pub async fn stop(&self) {
        self.actors.close();
        let mailboxes: Vec<Mailbox> = {
            let tables = self.tables();
            tables
                .running
                .values()
                .map(|running| running.mailbox.clone())
                .collect()
        };
        for mailbox in mailboxes {
            // An actor that has gone meanwhile needs no order.
            let _ = mailbox.send(Box::new(Order::Stop)).await;
        }
        self.actors.wait().await;
    }
}

fn new_match(id: MatchId, referee: &Referee, events: &[Event]) -> Commit {
    let bodies = events.iter().map(|event| event.to_json().into()).collect();
    Commit::append(id, Seq(0), bodies).with_row(id, MatchRow::of(referee, None))
}

/// The id of the rematch of a match. It follows from the old one, so that a rematch that was made but not announced
/// before a crash is found again instead of being made twice.
pub(super) fn rematch_id(of: MatchId) -> MatchId {
    let hash = Sha256::new()
        .chain_update("grundy rematch ")
        .chain_update(of.to_string())
        .finalize();
    let mut bits = [0; 8];
    bits.copy_from_slice(&hash[..8]);
    MatchId::from_random(u64::from_be_bytes(bits))
}
