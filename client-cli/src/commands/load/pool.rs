//! Matches in a closed loop: two connections each, one move in flight, a new match when one ends.
//!
//! All matches play the same moves, the [`Script`], which makes every event checkable by its number alone.

use std::cell::Cell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use serde::Deserialize;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::error::LoadError;
use super::phase::Phase;
use super::plan::{Plan, Script};
use super::player::{Player, Shared};
use super::seating::Seating;
use super::tally::Tally;
use super::wire::{Link, LinkError, read};

/// Connections that are being opened at one moment.
const CONNECTING: usize = 32;
/// How often a server that is overloaded is greeted again.
const GREETINGS: u32 = 10;
/// How long matches may take to begin, and moves in flight to arrive after the end.
const PATIENCE: Duration = Duration::from_secs(60);

/// The bounds of a server that matter here.
#[derive(Deserialize, Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Requests a second on one connection.
    pub(super) requests_per_second: u32,
}

/// The answer to `hello`.
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
    let hello =
        format_args!(r#"{{"type":"hello","protocol":1,"client":"grundy load","bot":true}}"#);
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

/// The same; a server that is overloaded is asked again.
///
/// # Errors
/// No connection, another refusal, or always the same one.
async fn greet_when_welcome(address: SocketAddr) -> Result<(Link, Welcome), LinkError> {
    let mut tries = 0;
    loop {
        match greet(address).await {
            Err(LinkError::Refused {
                code,
                retry_after_ms: Some(wait),
                ..
            }) if code == "server_busy" && tries < GREETINGS => {
                tries += 1;
                sleep(Duration::from_millis(wait)).await;
            }
            greeted => return greeted,
        }
    }
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
        seating: &Seating,
        matches: usize,
        plan: &Plan,
    ) -> Result<Self, LoadError> {
        let mut links = Vec::new();
        for (server, players) in seating.servers.iter().zip(seating.players(matches)) {
            links.push(connect(*server, players).await?);
        }
        let tally = Rc::new(Tally::new(matches));
        let (phase, watched) = watch::channel(Phase::Closed);
        let (first_sender, first_match) = watch::channel(String::new());
        let mut first_sender = Some(first_sender);
        let mut players = JoinSet::new();
        for number in 0..matches {
            // Paced matches move one after the other, not all at the same moment.
            let share = number as f64 / matches as f64;
            let first = plan.open.as_ref().map(|_| first_script(plan, share));
            let shared = Rc::new(Shared {
                tally: Rc::clone(&tally),
                plan: plan.clone(),
                first,
                offset: plan.period.unwrap_or_default().mul_f64(share),
                sent_at: Cell::new(Instant::now()),
                due: Cell::new(Instant::now()),
            });
            let (codes, invitations) = mpsc::channel(1);
            let [one, other] = seating.of(number).map(|server| links[server].pop());
            let (Some(one), Some(other)) = (one, other) else {
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

    /// The phase, for those who ask beside the matches.
    pub(super) fn phase(&self) -> watch::Receiver<Phase> {
        self.phase.subscribe()
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

    /// Ends the matches after checking that the log has the last move of each player; matches without moves are dropped.
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
        if timeout(PATIENCE, tally.all_parked()).await.is_err() {
            let late = tally.moving();
            let slips = tally.slips.borrow().join("; ");
            return Err(LoadError::Failed(format!(
                "{late} matches had no answer for a minute; {slips}"
            )));
        }
        if tally.alive() == 0 {
            let slips = tally.slips.borrow().join("; ");
            return Err(tally
                .refused()
                .unwrap_or(LoadError::Failed(format!("no match is left: {slips}"))));
        }
        Ok(())
    }
}

/// The moves of a first match that is as long as its share of the others.
fn first_script(plan: &Plan, share: f64) -> Rc<Script> {
    let plies = plan.script.moves.len() as f64 * share;
    Rc::new(Script::nim((plies as u32).max(1)))
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
            greet_when_welcome(address).await
        });
    }
    let mut links = Vec::with_capacity(count);
    while let Some(opened) = opening.join_next().await {
        let (link, _) = opened.map_err(|error| LoadError::Failed(error.to_string()))??;
        links.push(link);
    }
    Ok(links)
}
