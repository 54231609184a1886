//! Matches in a closed loop: two connections each, one move in flight, a new match when one ends.
//!
//! Everything runs on one thread, so that counters are plain cells. All matches play the same moves, the
//! [`Script`], which makes every event checkable by its number alone.

use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Deserialize;
use tokio::sync::{Notify, Semaphore, mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use super::LoadError;
use super::player::{Player, Shared};
use super::wire::{Link, LinkError, read};

/// Connections that are being opened at one moment.
const CONNECTING: usize = 32;
/// How long matches may take to begin, and moves in flight to arrive after the end.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often a watcher asks again, and after which pause.
const WATCH_TRIES: u32 = 50;
const WATCH_AGAIN: Duration = Duration::from_millis(200);
/// Slips that are told in full.
const TOLD: usize = 5;

/// The moves that every match plays.
pub(super) struct Script {
    /// The start.
    pub(super) position: String,
    /// The moves in order; the last one ends the match.
    pub(super) moves: Vec<String>,
}

impl Script {
    /// Nim with three heaps that is over after so many moves: the players take one, two and three in turn.
    pub(super) fn nim(plies: u32) -> Self {
        let mut sizes = [0; 3];
        let moves = (0..plies).map(|ply| {
            // From the first heap to the last, so that each is emptied by a whole take.
            let heap = (u64::from(ply) * 3 / u64::from(plies)) as usize;
            let taken = ply % 3 + 1;
            sizes[heap] += taken;
            format!("{}-{taken}", ["A", "B", "C"][heap])
        });
        let moves = moves.collect();
        let [first, second, third] = sizes;
        Self {
            position: format!("nim:{first},{second},{third}"),
            moves,
        }
    }
}

/// Whether matches may move now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// Nobody moves.
    Closed,
    /// Everybody moves, from this moment on.
    Open {
        /// When it began: paced moves are timed from here.
        since: Instant,
    },
    /// The match is given up.
    Stop,
}

/// What has been counted.
pub(super) struct Tally {
    /// Moves acknowledged.
    pub(super) moves: Cell<u64>,
    /// Matches played to the end.
    pub(super) finished: Cell<u64>,
    /// Paced moves that were sent more than 10 ms after their time.
    pub(super) late: Cell<u64>,
    /// Refusals.
    pub(super) refusals: Cell<u64>,
    /// Connections lost.
    pub(super) disconnects: Cell<u64>,
    /// Events that came with a gap, twice or with another move than was made.
    pub(super) gaps: Cell<u64>,
    /// Events that watchers saw.
    pub(super) watched: Cell<u64>,
    /// Acknowledged moves that the server does not have.
    pub(super) lost: Cell<u64>,
    /// Slips in words, the first few.
    pub(super) slips: RefCell<Vec<String>>,
    /// The code of the first refusal.
    pub(super) first_refusal: RefCell<Option<String>>,
    /// Microseconds from a move to its acknowledgement.
    pub(super) acknowledged: RefCell<Histogram<u64>>,
    /// Microseconds from a move to its event at the opponent.
    pub(super) at_opponent: RefCell<Histogram<u64>>,
    /// Matches whose player to move waits for the phase to change.
    parked: Cell<usize>,
    /// Matches that are played.
    alive: Cell<usize>,
    changed: Notify,
}

impl Tally {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self {
            moves: Cell::default(),
            finished: Cell::default(),
            late: Cell::default(),
            refusals: Cell::default(),
            disconnects: Cell::default(),
            gaps: Cell::default(),
            watched: Cell::default(),
            lost: Cell::default(),
            slips: RefCell::default(),
            first_refusal: RefCell::default(),
            acknowledged: RefCell::new(micros_histogram()),
            at_opponent: RefCell::new(micros_histogram()),
            parked: Cell::default(),
            alive: Cell::default(),
            changed: Notify::new(),
        }
    }

    /// Whether every promise was kept.
    pub(super) fn clean(&self) -> bool {
        [&self.refusals, &self.disconnects, &self.gaps, &self.lost]
            .iter()
            .all(|count| count.get() == 0)
    }

    /// Counts a slip and keeps the words of the first few.
    pub(super) fn slip(&self, count: &Cell<u64>, what: String) {
        add(count, 1);
        let mut slips = self.slips.borrow_mut();
        if slips.len() < TOLD {
            slips.push(what);
        }
    }

    /// Counts the end of a connection before its time.
    pub(super) fn broken(&self, error: &LinkError) {
        match error {
            LinkError::Lost(_) => self.slip(&self.disconnects, error.to_string()),
            LinkError::Refused { code, .. } => {
                self.first_refusal
                    .borrow_mut()
                    .get_or_insert_with(|| code.clone());
                self.slip(&self.refusals, error.to_string());
            }
            LinkError::Wrong(_) => self.slip(&self.gaps, error.to_string()),
        }
    }

    /// One more match waits for the phase to change, or one less.
    pub(super) fn set_parked(&self, parks: bool) {
        let parked = self.parked.get();
        self.parked.set(if parks { parked + 1 } else { parked - 1 });
        self.tell_parked();
    }

    /// Takes note of how a player's part went. A failure ends the match, for the other player as well.
    fn ended(&self, played: Result<(), LinkError>) {
        if let Err(error) = played {
            self.broken(&error);
            self.alive.set(self.alive.get().saturating_sub(1));
            self.tell_parked();
        }
    }

    /// The refusal, if it is one that a server with the load profile does not make.
    pub(super) fn refused(&self) -> Option<LoadError> {
        let refusal = self.first_refusal.borrow();
        let code = refusal.as_deref()?;
        matches!(code, "rate_limited" | "too_many").then(|| LoadError::limits(code))
    }

    fn tell_parked(&self) {
        if self.parked.get() >= self.alive.get() {
            self.changed.notify_one();
        }
    }
}

/// Counts times from one microsecond to a minute with three digits.
pub(super) fn micros_histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1, 60_000_000, 3).expect("the bounds are in order")
}

/// Counts.
pub(super) fn add(count: &Cell<u64>, more: u64) {
    count.set(count.get() + more);
}

/// Counts the time since a moment.
pub(super) fn note_time(histogram: &RefCell<Histogram<u64>>, since: Instant) {
    let micros = u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX);
    histogram.borrow_mut().saturating_record(micros.max(1));
}

/// The bounds of a server that matter here.
#[derive(Deserialize, Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Requests a second on one connection.
    pub(super) requests_per_second: u32,
}

/// Who answered `hello`.
#[derive(Clone, Debug, Default)]
pub(super) struct Welcome {
    /// Name and version; empty for the relay.
    pub(super) server: String,
    /// Its bounds; none for the relay.
    pub(super) limits: Option<Limits>,
}

/// Connects and says hello as a new guest.
///
/// # Errors
/// No connection, or a refusal.
pub(super) async fn greet(address: SocketAddr) -> Result<(Link, Welcome), LinkError> {
    let mut link = Link::connect(address).await?;
    let hello = format_args!(
        r#"{{"type":"hello","protocol":1,"client":"grundy load","name":"load","bot":true}}"#
    );
    let reply = link.request(hello, |_| Ok(())).await?;
    let body = read(&reply)?.body;
    let unreadable = |error: serde_json::Error| LinkError::Wrong(error.to_string());
    let welcome = Welcome {
        server: match body.server {
            Some(name) => serde_json::from_str(name.get()).map_err(unreadable)?,
            None => String::new(),
        },
        limits: match body.limits {
            Some(limits) => Some(serde_json::from_str(limits.get()).map_err(unreadable)?),
            None => None,
        },
    };
    Ok((link, welcome))
}

/// How matches are played.
#[derive(Clone)]
pub(super) struct Plan {
    /// The moves.
    pub(super) script: Rc<Script>,
    /// Time from one move of a match to its next one; none: at once.
    pub(super) period: Option<Duration>,
    /// Whether the other side keeps a log that can be asked at the end.
    pub(super) keeps_log: bool,
}

/// Many matches with one server.
pub(super) struct Pool {
    /// What has been counted.
    pub(super) tally: Rc<Tally>,
    /// The id of the first match, and of those that follow it.
    pub(super) first_match: watch::Receiver<String>,
    phase: watch::Sender<Phase>,
    players: JoinSet<()>,
    keeps_log: bool,
}

impl Pool {
    /// Opens the connections and begins the matches; nobody moves yet.
    ///
    /// # Errors
    /// A connection or match did not come to be.
    pub(super) async fn open(
        address: SocketAddr,
        matches: usize,
        plan: &Plan,
    ) -> Result<Self, LoadError> {
        let mut links = connect(address, 2 * matches).await?;
        let tally = Rc::new(Tally::new());
        tally.alive.set(matches);
        let (phase, watched) = watch::channel(Phase::Closed);
        let (first_sender, first_match) = watch::channel(String::new());
        let mut first_sender = Some(first_sender);
        let mut players = JoinSet::new();
        for number in 0..matches {
            // Paced matches move one after the other, not all at the same moment.
            let share = number as f64 / matches as f64;
            let shared = Rc::new(Shared {
                tally: Rc::clone(&tally),
                plan: plan.clone(),
                offset: plan.period.unwrap_or_default().mul_f64(share),
                sent_at: Cell::new(Instant::now()),
                due: Cell::new(Instant::now()),
            });
            let (codes, invitations) = mpsc::channel(1);
            let (Some(one), Some(other)) = (links.pop(), links.pop()) else {
                return Err(LoadError::Failed("too few connections".into()));
            };
            let creator = Player::new(one, Rc::clone(&shared), watched.clone());
            let joiner = Player::new(other, Rc::clone(&shared), watched.clone());
            let announce = first_sender.take();
            let seated = Rc::clone(&tally);
            players.spawn_local(async move {
                seated.ended(creator.create_matches(codes).await);
            });
            let seated = Rc::clone(&tally);
            players.spawn_local(async move {
                seated.ended(joiner.join_matches(invitations, announce).await);
            });
        }
        let mut pool = Self {
            tally,
            first_match,
            phase,
            players,
            keeps_log: plan.keeps_log,
        };
        pool.all_parked().await?;
        Ok(pool)
    }

    /// Lets everybody move for so long, and waits until the last move has arrived. Returns the moves acknowledged
    /// within the time and the exact time.
    ///
    /// # Errors
    /// Moves stayed unanswered.
    pub(super) async fn play(&mut self, time: Duration) -> Result<(u64, Duration), LoadError> {
        let before = self.tally.moves.get();
        let since = Instant::now();
        self.phase.send_replace(Phase::Open { since });
        tokio::time::sleep_until(since + time).await;
        let measured = (self.tally.moves.get() - before, since.elapsed());
        self.phase.send_replace(Phase::Closed);
        self.all_parked().await?;
        Ok(measured)
    }

    /// Ends the matches after asking the log for the last move of each player; where there is none, drops them.
    ///
    /// # Errors
    /// The server does not answer.
    pub(super) async fn close(mut self) -> Result<Rc<Tally>, LoadError> {
        if !self.keeps_log {
            self.players.shutdown().await;
            return Ok(self.tally);
        }
        self.phase.send_replace(Phase::Stop);
        let all_ended = async { while self.players.join_next().await.is_some() {} };
        if timeout(PATIENCE, all_ended).await.is_err() && self.tally.clean() {
            return Err(LoadError::Failed("matches did not end".into()));
        }
        Ok(self.tally)
    }

    /// Waits until every match waits for the phase to change.
    async fn all_parked(&mut self) -> Result<(), LoadError> {
        let tally = &self.tally;
        let parked = async {
            while tally.parked.get() < tally.alive.get() {
                tally.changed.notified().await;
            }
        };
        if timeout(PATIENCE, parked).await.is_err() {
            let late = tally.alive.get().saturating_sub(tally.parked.get());
            let slips = tally.slips.borrow().join("; ");
            return Err(LoadError::Failed(format!(
                "{late} matches had no answer for a minute; {slips}"
            )));
        }
        if tally.alive.get() == 0 {
            let slips = tally.slips.borrow().join("; ");
            return Err(tally
                .refused()
                .unwrap_or(LoadError::Failed(format!("no match is left: {slips}"))));
        }
        Ok(())
    }
}

/// Opens connections and says hello on each, a few at a time.
///
/// # Errors
/// One was refused or failed.
pub(super) async fn connect(address: SocketAddr, count: usize) -> Result<Vec<Link>, LoadError> {
    let slots = Rc::new(Semaphore::new(CONNECTING));
    let mut opening = JoinSet::new();
    for _ in 0..count {
        let slots = Rc::clone(&slots);
        opening.spawn_local(async move {
            let _slot = slots.acquire().await;
            greet(address).await
        });
    }
    let mut links = Vec::with_capacity(count);
    while let Some(opened) = opening.join_next().await {
        let (link, _) = opened.map_err(|error| LoadError::Failed(error.to_string()))??;
        links.push(link);
    }
    Ok(links)
}

/// Connections that only listen.
pub(super) struct Listeners {
    tasks: JoinSet<()>,
}

impl Listeners {
    /// Connections that say hello and then nothing but pongs.
    ///
    /// # Errors
    /// One was refused or failed.
    pub(super) async fn idle(address: SocketAddr, count: usize) -> Result<Self, LoadError> {
        let mut tasks = JoinSet::new();
        for mut link in connect(address, count).await? {
            tasks.spawn_local(async move { while link.next().await.is_ok() {} });
        }
        Ok(Self { tasks })
    }

    /// Connections that watch the first match of a pool, and the next one when it ends.
    ///
    /// # Errors
    /// One was refused or failed.
    pub(super) async fn watching(
        address: SocketAddr,
        count: usize,
        pool: &Pool,
    ) -> Result<Self, LoadError> {
        let mut tasks = JoinSet::new();
        for mut link in connect(address, count).await? {
            let (mut current, tally) = (pool.first_match.clone(), Rc::clone(&pool.tally));
            // One after the other: a match has a short queue, and its players stand in it too.
            begin_watching(&mut link, &mut current).await?;
            tasks.spawn_local(async move {
                if let Err(error) = watch_matches(link, current, &tally).await {
                    tally.broken(&error);
                }
            });
        }
        Ok(Self { tasks })
    }

    /// Closes all.
    pub(super) async fn close(mut self) {
        self.tasks.shutdown().await;
    }
}

/// Asks to watch the current match. Who is refused because its queue is full asks again, as told.
async fn begin_watching(
    link: &mut Link,
    current: &mut watch::Receiver<String>,
) -> Result<(), LinkError> {
    let id = current.borrow_and_update().clone();
    let mut tries = 0;
    loop {
        let ask = format_args!(r#"{{"type":"watch","match":"{id}"}}"#);
        match link.request(ask, |_| Ok(())).await {
            Err(LinkError::Refused { code, .. })
                if code == "server_busy" && tries < WATCH_TRIES =>
            {
                tries += 1;
                tokio::time::sleep(WATCH_AGAIN).await;
            }
            asked => return asked.map(|_| ()),
        }
    }
}

/// Watches one match after the other; the first has been asked for.
async fn watch_matches(
    mut link: Link,
    mut current: watch::Receiver<String>,
    tally: &Tally,
) -> Result<(), LinkError> {
    loop {
        watch_one(&mut link, tally).await?;
        if current.changed().await.is_err() {
            return Ok(());
        }
        begin_watching(&mut link, &mut current).await?;
    }
}

/// Checks the events of a match until it ends.
async fn watch_one(link: &mut Link, tally: &Tally) -> Result<(), LinkError> {
    let mut seq = 0;
    loop {
        let text = link.next().await?;
        let frame = read(&text)?;
        if let Some(event) = frame.seq {
            if event != seq + 1 {
                let gap = format!("a watcher saw event {event} after {seq}");
                tally.slip(&tally.gaps, gap);
            }
            seq = event;
            add(&tally.watched, 1);
            if frame.body.kind == "ended" {
                let over = frame.match_id.unwrap_or_default();
                let leave = format_args!(r#"{{"type":"leave","match":"{over}"}}"#);
                link.request(leave, |_| Ok(())).await?;
                return Ok(());
            }
        } else if frame.body.kind == "snapshot" {
            // Too slow for every event: the state comes instead, and that is as promised.
            seq = frame.body.seq.unwrap_or(seq);
        }
    }
}

#[cfg(test)]
mod tests {
    use grundy_shared::Position;
    use grundy_shared::ids::Seat;

    use super::*;

    #[test]
    fn a_script_has_so_many_moves_and_empties_every_heap() {
        let script = Script::nim(6);
        assert_eq!(script.position, "nim:3,4,5");
        assert_eq!(script.moves, ["A-1", "A-2", "B-3", "B-1", "C-2", "C-3"]);
        for plies in [1, 2, 7, 1000] {
            let script = Script::nim(plies);
            let mut position = Position::parse(&script.position).expect("a position");
            let mut mover = Seat::First;
            for text in &script.moves {
                let chosen = position.parse_move(mover, text).expect(text);
                position = position.play(&chosen);
                mover = mover.other();
            }
            assert_eq!(script.moves.len(), plies as usize);
            assert!(position.is_over(mover), "{position}");
        }
    }
}
