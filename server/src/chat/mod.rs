//! Chat of the players and watchers of a match.
//!
//! Each room of a match is a log of its own (docs/decisions/0020): the match's log, record and review do not contain its lines. A line is
//! delivered once it is durable. One task stores the lines of a room and lives only while lines are waiting. Lines that arrive during a
//! commit go into the next one. Otherwise nothing of a room is kept in memory.

mod elsewhere;
mod heard;
mod refusals;
mod text;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, Seq};
use grundy_shared::protocol::chat::{ChatEvent, ChatLimits, ChatLine, Preset, Room};
use grundy_shared::protocol::{ErrorBody, Reply};
use rustc_hash::FxHashMap;
use tokio_util::task::TaskTracker;

use self::heard::Heard;
pub use self::text::{MARKS_MAX, TEXT_MAX, clean};
use crate::clock::Clock;
use crate::config::{Config, Limits, Settings};
use crate::help;
use crate::identity::MUTED_MAX;
use crate::ledger::{Ledger, Limit};
use crate::lifecycle::Lifecycle;
use crate::matches::{Frame, Matches, Outbox, Outgoing, ReplyTo, Said, refusal};
use crate::metrics::{ByScope, Metrics};
use crate::rate::Rates;
use crate::store::committer::Committer;
use crate::store::{Commit, CommitError, LOAD_PAGE, MatchRow, MatchStatus, Store, StreamId};

/// Maximum number of lines that wait in one room while others are stored.
const WAITING_MAX: usize = 32;
/// Of these, lines from one address.
const WAITING_OF_ADDRESS: usize = 8;
/// How often lines are numbered before the room counts as busy: another server may take the numbers first.
const ROUNDS: usize = 5;
/// How long a room stays open after the end of a match.
pub const CLOSES_AFTER: Millis = Millis(3_600_000);
/// Number of watchers served at a time, as with events of matches, so that a chatting crowd does not delay players.
const PORTION: usize = 6;
/// Pause between two portions.
const BETWEEN_PORTIONS: Duration = Duration::from_millis(1);

/// The parts of the server that chat uses.
pub struct Services {
    /// The configuration.
    pub config: Settings,
    /// The logs of the rooms.
    pub store: Arc<dyn Store>,
    /// Writes to the store.
    pub committer: Committer,
    /// The current time.
    pub clock: Arc<dyn Clock>,
    /// Counters.
    pub metrics: Arc<Metrics>,
    /// The matches, which know their followers.
    pub matches: Arc<Matches>,
    /// Shows whether the server is stopping.
    pub lifecycle: Lifecycle,
    /// Whether other servers use the same store.
    pub shared: bool,
    /// What other servers count.
    pub ledger: Arc<Ledger>,
}

/// Bytes of a stored line beside its words, about.
const LINE_BYTES: u64 = 150;

/// What a player says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Words {
    /// Free text, as [`clean`] returns it.
    Text(String),
    /// One of the presets.
    Preset(Preset),
}

impl Words {
    /// Bytes of a line that says this, about.
    #[must_use]
    pub fn line_bytes(&self) -> u64 {
        match self {
            Self::Text(text) => LINE_BYTES + text.len() as u64,
            Self::Preset(_) => LINE_BYTES,
        }
    }
}

/// The rooms in which something is being said.
pub struct Chats {
    services: Services,
    rates: Rates<PlayerId>,
    /// The rooms that have a task, each with its waiting lines.
    rooms: Mutex<FxHashMap<(MatchId, Room), VecDeque<Line>>>,
    /// If other servers use the same store: the rooms that are heard here.
    heard: Heard,
    tasks: TaskTracker,
}

/// A line that is not stored yet.
struct Line {
    reply: ReplyTo,
    by: PlayerInfo,
    words: Words,
}

/// The number of the last line of a room, and how many lines each player has said.
#[derive(Default)]
struct Log {
    seq: Seq,
    /// Number of lines of each player.
    of: FxHashMap<PlayerId, u32>,
}

/// A line with its number, in the forms in which it is stored and sent.
struct Numbered {
    line: Line,
    seq: Seq,
    frame: Frame,
    json: Bytes,
}

fn rates(limits: &Limits) -> Rates<PlayerId> {
    Rates::per_minute_at_once(limits.chat_per_minute, limits.chat_burst)
}

impl Chats {
    /// Creates it without any busy room.
    #[must_use]
    pub fn new(services: Services) -> Arc<Self> {
        let config = services.config.current();
        let limits = &config.limits;
        Arc::new(Self {
            rates: rates(limits).over(&services.ledger, Limit::Chat),
            rooms: Mutex::default(),
            heard: Heard::default(),
            tasks: TaskTracker::new(),
            services,
        })
    }

    fn rooms(&self) -> MutexGuard<'_, FxHashMap<(MatchId, Room), VecDeque<Line>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Other limits are in force. What was counted under a limit that changes is forgotten.
    pub fn set_limits(&self, limits: &Limits) {
        self.rates.adopt(&rates(limits));
    }

    /// Forgets the rates of players who have said nothing for a while.
    pub fn tidy(&self) {
        self.rates.tidy();
    }

    /// The number of rooms whose lines are being stored.
    #[must_use]
    pub fn busy_rooms(&self) -> usize {
        self.rooms().len()
    }

    /// Waits until all lines are stored or refused, and accepts no more lines.
    pub async fn stop(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Counts a line against the player's rate limit.
    ///
    /// # Errors
    /// `rate_limited`.
    pub fn admit(&self, player: PlayerId) -> Result<(), ErrorBody> {
        self.rates.check(&player).map_err(|wait| {
            let (scope, metrics) = ("chat", &self.services.metrics);
            metrics.rate_limited.get_or_create(&ByScope { scope }).inc();
            refusals::too_fast(wait)
        })
    }

    /// Checks that this player may read a room. The caller has checked that the player may see the match.
    ///
    /// # Errors
    /// `not_a_player`, `not_over`, `rated_match`, or the store could not be read.
    pub async fn may_read(
        &self,
        player: PlayerId,
        row: &MatchRow,
        room: Room,
    ) -> Result<(), ErrorBody> {
        match (room, row.seats(player)) {
            (Room::Players, true) | (Room::Watchers, false) => Ok(()),
            (Room::Players, false) => Err(refusals::not_a_player()),
            (Room::Watchers, true) if row.status != MatchStatus::Over => Err(refusals::not_over()),
            // The other game of the pair has the same start.
            (Room::Watchers, true) => match help::is_allowed(&*self.services.store, player).await {
                Ok(true) => Ok(()),
                Ok(false) => Err(refusals::rated()),
                Err(error) => Err(refusal::of_store(&error)),
            },
        }
    }

    /// Checks that this player may say this in a room. The caller has checked that the player may see the match.
    ///
    /// # Errors
    /// As [`Chats::may_read`]; `not_started`, `match_over`, `not_allowed`.
    pub async fn may_say(
        &self,
        player: &PlayerInfo,
        row: &MatchRow,
        room: Room,
        words: &Words,
    ) -> Result<(), ErrorBody> {
        self.may_read(player.id, row, room).await?;
        if row.first.is_none() || row.second.is_none() {
            return Err(refusals::not_started());
        }
        let now = self.services.clock.now();
        if row.ended_at.is_some_and(|at| now.since(at) > CLOSES_AFTER) {
            return Err(refusals::closed());
        }
        if room == Room::Watchers && matches!(words, Words::Text(_)) {
            let account = self.services.store.account(player.id).await;
            let account = account.map_err(|error| refusal::of_store(&error))?;
            let claimed = account.is_some_and(|account| account.password.is_some());
            if player.bot || !claimed {
                return Err(refusals::presets_only());
            }
        }
        Ok(())
    }

    /// Says something in a room. The request is answered once the line is durable or refused.
    pub fn say(
        self: &Arc<Self>,
        reply: ReplyTo,
        by: PlayerInfo,
        to: (MatchId, Room),
        words: Words,
    ) {
        let line = Line { reply, by, words };
        let mut rooms = self.rooms();
        // The shutdown would not wait for a task that begins now.
        if self.tasks.is_closed() || self.services.lifecycle.is_draining() {
            drop(rooms);
            return line.reply.refuse(refusal::shutting_down());
        }
        match rooms.get_mut(&to) {
            Some(waiting) if is_full(waiting, &line) => {
                drop(rooms);
                line.reply
                    .refuse(refusal::busy("too many lines are waiting in this room"));
            }
            Some(waiting) => waiting.push_back(line),
            None => {
                rooms.insert(to, VecDeque::from([line]));
                let task = self.clone().store_what_is_said(to);
                drop(self.services.lifecycle.spawn_on(&self.tasks, task));
            }
        }
    }

    async fn store_what_is_said(self: Arc<Self>, to: (MatchId, Room)) {
        let _leaves = Leaves {
            chats: self.clone(),
            room: to,
        };
        let mut log = None;
        while let Some(lines) = self.next_lines(to) {
            self.store_lines(to, &mut log, lines).await;
        }
    }

    /// Takes the waiting lines of a room. If there are none, removes the room.
    fn next_lines(&self, to: (MatchId, Room)) -> Option<VecDeque<Line>> {
        let mut rooms = self.rooms();
        let waiting = rooms.get_mut(&to)?;
        if waiting.is_empty() {
            rooms.remove(&to);
            return None;
        }
        Some(std::mem::take(waiting))
    }

    async fn store_lines(
        self: &Arc<Self>,
        to: (MatchId, Room),
        log: &mut Option<Log>,
        lines: VecDeque<Line>,
    ) {
        let mut lines = lines;
        for _ in 0..ROUNDS {
            let come = match log.take() {
                Some(log) => log,
                None => match self.read(to).await {
                    Ok(log) => log,
                    Err(error) => return refuse_all(lines, &error),
                },
            };
            let (after, numbered) = self.number(to, come, std::mem::take(&mut lines));
            if numbered.is_empty() {
                *log = Some(after);
                return;
            }
            let expected = Seq(after.seq.0 - numbered.len() as u64);
            let events = numbered.iter().map(|one| one.json.clone()).collect();
            let commit = Commit::append(StreamId::Chat(to.0, to.1), expected, events);
            match self.services.committer.commit(commit).await {
                Ok(()) => {
                    *log = Some(after);
                    return self.announce(to, expected, numbered).await;
                }
                Err(CommitError::Conflict { .. }) => {
                    lines = numbered.into_iter().map(|one| one.line).collect();
                }
                Err(error) => {
                    let lines = numbered.into_iter().map(|one| one.line).collect();
                    return refuse_all(lines, &refusal::of_commit(&error));
                }
            }
        }
        refuse_all(
            lines,
            &refusal::busy("too many lines are being said in this room"),
        );
    }

    async fn read(&self, (id, room): (MatchId, Room)) -> Result<Log, ErrorBody> {
        let load = async |after, limit| {
            let stream = StreamId::Chat(id, room);
            let page = self.services.store.load(stream, after, limit).await;
            let page = page.map_err(|error| refusal::of_store(&error))?;
            Ok(page.unwrap_or_default())
        };
        let mut log = Log::default();
        // If the room is full, nothing else needs to be read, so a crowd that keeps talking costs little.
        let last = Seq(self
            .services
            .config
            .current()
            .limits
            .chat_lines_per_room
            .into());
        if !load(Seq(last.0.saturating_sub(1)), 1).await?.is_empty() {
            log.seq = last;
            return Ok(log);
        }
        loop {
            let page = load(log.seq, LOAD_PAGE).await?;
            for logged in &page {
                let ChatEvent::Said { player, .. } =
                    serde_json::from_slice(&logged.body).map_err(|_| refusal::damaged())?;
                log.take(player.id, logged.seq);
            }
            if page.len() < LOAD_PAGE {
                return Ok(log);
            }
        }
    }

    /// Numbers the lines for which there is room, and refuses the others.
    fn number(
        &self,
        (id, room): (MatchId, Room),
        mut log: Log,
        lines: VecDeque<Line>,
    ) -> (Log, Vec<Numbered>) {
        let config = self.services.config.current();
        let limits = &config.limits;
        let at_ms = self.services.clock.now();
        let mut numbered = Vec::with_capacity(lines.len());
        for line in lines {
            if log.seq.0 >= u64::from(limits.chat_lines_per_room) {
                line.reply
                    .refuse(refusals::room_full(limits.chat_lines_per_room));
                continue;
            }
            let said = log.of.get(&line.by.id).copied().unwrap_or_default();
            if said >= limits.chat_lines_per_player {
                line.reply
                    .refuse(refusals::said_enough(limits.chat_lines_per_player));
                continue;
            }
            let (text, preset) = match &line.words {
                Words::Text(text) => (Some(text.clone()), None),
                Words::Preset(preset) => (None, Some(*preset)),
            };
            let event = ChatEvent::Said {
                at_ms,
                player: line.by.clone(),
                text,
                preset,
            };
            let seq = log.seq.next();
            log.take(line.by.id, seq);
            let (frame, json) = Frame::of_chat(id, room, seq, &event);
            numbered.push(Numbered {
                line,
                seq,
                frame,
                json,
            });
        }
        (log, numbered)
    }

    /// Answers the speakers of these stored lines, and sends the lines to the connections that hear them.
    async fn announce(
        self: &Arc<Self>,
        to @ (match_id, room): (MatchId, Room),
        expected: Seq,
        lines: Vec<Numbered>,
    ) {
        let mut last = expected;
        let mut frames = Vec::with_capacity(lines.len());
        for Numbered {
            line, seq, frame, ..
        } in lines
        {
            self.services.metrics.chat_lines.inc();
            let reply = Reply::Said {
                match_id,
                room,
                seq,
            };
            line.reply.send(&reply);
            last = seq;
            frames.push((line.by.id, frame));
        }
        match self.services.shared {
            // Lines of other servers may come between.
            true => self.hear(to, last),
            false => self.tell(to, &frames).await,
        }
    }

    /// Sends lines to the connections that hear them, each with who said it.
    async fn tell(&self, (match_id, room): (MatchId, Room), frames: &[(PlayerId, Frame)]) {
        for portion in self.listeners(match_id, room).await.chunks(PORTION) {
            for listener in portion {
                for (by, frame) in frames {
                    let said = Said {
                        match_id,
                        by: *by,
                        frame: frame.clone(),
                    };
                    // A line that does not fit is left out. The client sees the gap in the numbers.
                    let _ = listener.push_spare(Outgoing::Said(Box::new(said)));
                }
            }
            tokio::time::sleep(BETWEEN_PORTIONS).await;
        }
    }

    /// The connections that hear what is said in a room.
    async fn listeners(&self, id: MatchId, room: Room) -> Vec<Outbox> {
        let Some(live) = self.services.matches.get(id) else {
            return Vec::new();
        };
        let mut hear = [room == Room::Players; 2];
        if room == Room::Watchers && live.pulse().is_over() {
            for seat in Seat::BOTH {
                hear[seat.index()] = match live.player(seat) {
                    // If the store cannot be read, the line is not sent: it might reach a player who must not hear it.
                    Some(player) => {
                        help::is_allowed(&*self.services.store, player).await == Ok(true)
                    }
                    None => false,
                };
            }
        }
        let hears = |seat: Option<Seat>| match seat {
            Some(seat) => hear[seat.index()],
            None => room == Room::Watchers,
        };
        live.followers_with(hears)
    }

    /// A page of a room without the lines of these players, and the place where the next page begins.
    ///
    /// # Errors
    /// The store could not be read, or the log is damaged.
    pub async fn page(
        &self,
        (id, room): (MatchId, Room),
        after: Seq,
        limit: usize,
        without: &[PlayerId],
        mut space: usize,
    ) -> Result<Reply, ErrorBody> {
        let stream = StreamId::Chat(id, room);
        // One line more than requested shows whether there is another page.
        let loaded = self.services.store.load(stream, after, limit + 1).await;
        let loaded = loaded.map_err(|error| refusal::of_store(&error))?;
        let loaded = loaded.unwrap_or_default();
        let (found, mut last) = (loaded.len(), after);
        let (mut lines, mut seen) = (Vec::new(), 0);
        for logged in loaded.into_iter().take(limit) {
            let size = logged.body.len() + 40;
            if size > space && seen > 0 {
                break;
            }
            space = space.saturating_sub(size);
            let body: ChatEvent =
                serde_json::from_slice(&logged.body).map_err(|_| refusal::damaged())?;
            let ChatEvent::Said { player, .. } = &body;
            (last, seen) = (logged.seq, seen + 1);
            if !without.contains(&player.id) {
                let seq = logged.seq;
                lines.push(ChatLine { seq, body });
            }
        }
        Ok(Reply::Chat {
            match_id: id,
            room,
            lines,
            next: (seen < found).then_some(last),
        })
    }

    /// The bounds that the server sends to clients.
    #[must_use]
    pub fn limits(config: &Config) -> ChatLimits {
        let limits = &config.limits;
        ChatLimits {
            characters: TEXT_MAX as u32,
            burst: limits.chat_burst,
            per_minute: limits.chat_per_minute,
            lines_per_room: limits.chat_lines_per_room,
            lines_per_player: limits.chat_lines_per_player,
            muted: MUTED_MAX as u32,
        }
    }
}

impl Log {
    fn take(&mut self, by: PlayerId, seq: Seq) {
        self.seq = seq;
        *self.of.entry(by).or_default() += 1;
    }
}

/// Whether so many lines wait, in all or from the address of this one, that it may not.
fn is_full(waiting: &VecDeque<Line>, line: &Line) -> bool {
    let address = line.reply.address();
    let from_here = waiting.iter();
    let from_here = from_here.filter(|other| other.reply.address() == address);
    waiting.len() >= WAITING_MAX || from_here.count() >= WAITING_OF_ADDRESS
}

fn refuse_all(lines: VecDeque<Line>, error: &ErrorBody) {
    for line in lines {
        line.reply.refuse(error.clone());
    }
}

/// Cleans up after the task of a room. If the task panics, the waiting lines are answered, and the room can be used again.
struct Leaves {
    chats: Arc<Chats>,
    room: (MatchId, Room),
}

impl Drop for Leaves {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // Each dropped line answers `internal`.
            let left = self.chats.rooms().remove(&self.room);
            drop(left);
        }
    }
}
