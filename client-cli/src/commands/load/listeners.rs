//! Connections that do not play: idle ones, watchers, and those that ask for solutions.

use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;

use super::error::LoadError;
use super::pool::{Pool, connect};
use super::tally::{Tally, add};
use super::wire::{Link, LinkError, read};

/// How often a watcher asks again, and after which pause.
const WATCH_TRIES: u32 = 50;
const WATCH_AGAIN: Duration = Duration::from_millis(200);
/// The pause of who was refused a solution.
const ASK_AGAIN: Duration = Duration::from_millis(20);

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

    /// Connections that ask for the solution of a sum of which each has its own, again and again.
    ///
    /// # Errors
    /// One was refused or failed.
    pub(super) async fn asking(
        address: SocketAddr,
        count: usize,
        pool: &Pool,
    ) -> Result<Self, LoadError> {
        let mut tasks = JoinSet::new();
        for (number, link) in connect(address, count).await?.into_iter().enumerate() {
            let tally = Rc::clone(&pool.tally);
            tasks.spawn_local(async move {
                if let Err(error) = ask_on(link, number, &tally).await {
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

/// Asks for solutions of positions that take a search: boards of Cram. What is refused because too many wait is asked again.
async fn ask_on(mut link: Link, number: usize, tally: &Tally) -> Result<(), LinkError> {
    let row = ".".repeat(4 + number % 4);
    let rows = [&*row; 5].join("/");
    loop {
        let ask = format_args!(r#"{{"type":"solve","position":"cram:{rows}"}}"#);
        match link.request(ask, |_| Ok(())).await {
            Ok(_) => add(&tally.solved, 1),
            Err(LinkError::Refused { code, .. })
                if matches!(&*code, "server_busy" | "analysis_running") =>
            {
                tokio::time::sleep(ASK_AGAIN).await;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Asks to watch the current match. If it is refused because a queue is full, it asks again after the time given.
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
