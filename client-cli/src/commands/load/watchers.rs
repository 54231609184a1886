//! Connections that watch a match, on a separate thread with a lower priority than that of the players. If this process read the events of
//! a crowd before those of its players, their delay would be counted as the server's.

use std::net::SocketAddr;
use std::rc::Rc;
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::sync::{oneshot, watch};
use tokio::task::{JoinSet, LocalSet};
use tokio::time::Instant;

use super::error::LoadError;
use super::pool::connect;
use super::tally::{Tally, add};
use super::wire::{Frame, Link, LinkError, read};

/// How often a watcher asks again, and after which pause.
const WATCH_TRIES: u32 = 50;
const WATCH_AGAIN: Duration = Duration::from_millis(200);
/// Between two looks at the board: a page waits so long.
const LOOK_PAUSE: Duration = Duration::from_millis(150);
/// The niceness of the watchers' thread.
const GIVES_WAY: i32 = 10;

/// Connections that watch the first match of a pool, and the next one when it ends.
pub(super) struct Watchers {
    thread: JoinHandle<Tally>,
    stop: oneshot::Sender<()>,
}

impl Watchers {
    /// Connects them and waits until all of them watch.
    ///
    /// # Errors
    /// One was refused or failed.
    pub(super) async fn open(
        address: SocketAddr,
        count: usize,
        first_match: watch::Receiver<String>,
    ) -> Result<Self, LoadError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| LoadError::Failed(error.to_string()))?;
        let (stop, stopped) = oneshot::channel();
        let (ready, watching) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            // Where that is not allowed, the players stand in line with the watchers.
            let _ = rustix::process::nice(GIVES_WAY);
            let tally = Rc::new(Tally::new(0));
            let crowd = crowd(address, count, first_match, Rc::clone(&tally));
            LocalSet::new().block_on(&runtime, async {
                match crowd.await {
                    Ok(mut crowd) => {
                        let _ = ready.send(Ok(()));
                        let _ = stopped.await;
                        crowd.shutdown().await;
                    }
                    Err(error) => {
                        let _ = ready.send(Err(error));
                    }
                }
            });
            Rc::into_inner(tally).expect("the crowd has gone")
        });
        let watching = watching.await;
        watching.map_err(|_| LoadError::Failed("the watchers' thread died".to_owned()))??;
        Ok(Self { thread, stop })
    }

    /// Closes all; what they saw.
    pub(super) fn close(self) -> Tally {
        drop(self.stop);
        self.thread.join().expect("the watchers' thread has ended")
    }
}

/// Connects the watchers, and lets each watch.
async fn crowd(
    address: SocketAddr,
    count: usize,
    first_match: watch::Receiver<String>,
    tally: Rc<Tally>,
) -> Result<JoinSet<()>, LoadError> {
    let mut tasks = JoinSet::new();
    for mut link in connect(address, count).await? {
        let (mut current, tally) = (first_match.clone(), Rc::clone(&tally));
        // One after the other: a match has a short queue, and its players stand in it too.
        begin_watching(&mut link, &mut current).await?;
        tasks.spawn_local(async move {
            if let Err(error) = watch_matches(link, current, &tally).await {
                tally.broken(&error);
            }
        });
    }
    Ok(tasks)
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

/// The board that a page asks for after a move: one question at a time, and not too many a second.
struct Look {
    /// Something has moved since the last question.
    wanted: bool,
    /// A question is not answered yet.
    open: bool,
    /// No question before this moment.
    not_before: Instant,
}

impl Look {
    /// Waits until a question is due.
    async fn is_due(&self) {
        match self.wanted && !self.open {
            true => tokio::time::sleep_until(self.not_before).await,
            false => std::future::pending().await,
        }
    }

    /// Asks as a page does that only watches.
    async fn ask(&mut self, link: &mut Link, id: &str) -> Result<(), LinkError> {
        (self.wanted, self.open) = (false, true);
        self.not_before = Instant::now() + LOOK_PAUSE;
        let ask = format_args!(r#"{{"type":"moves","match":"{id}","picture":true,"limit":1}}"#);
        link.ask(ask).await.map(|_| ())
    }

    /// Reads a frame. A look that is refused, because the match is over or too much is asked, is given up: the next move begins another.
    fn read<'a>(&mut self, text: &'a str) -> Result<Option<Frame<'a>>, LinkError> {
        match read(text) {
            Err(LinkError::Refused { .. }) if self.open => self.open = false,
            Ok(frame) if frame.re.is_some() => self.open = false,
            frame => return frame.map(Some),
        }
        Ok(None)
    }
}

/// Checks the events of a match until it ends, and asks for its board as a page does.
async fn watch_one(link: &mut Link, tally: &Tally) -> Result<(), LinkError> {
    let (mut seq, mut id) = (0, String::new());
    let mut look = Look {
        wanted: false,
        open: false,
        not_before: Instant::now(),
    };
    loop {
        let text = tokio::select! {
            text = link.next() => text?,
            () = look.is_due() => {
                look.ask(link, &id).await?;
                continue;
            }
        };
        let Some(frame) = look.read(&text)? else {
            continue;
        };
        if let Some(event) = frame.seq {
            if event != seq + 1 {
                let gap = format!("a watcher saw event {event} after {seq}");
                tally.slip(&tally.gaps, gap);
            }
            seq = event;
            add(&tally.watched, 1);
            frame.match_id.unwrap_or_default().clone_into(&mut id);
            look.wanted |= frame.body.kind == "moved";
            if frame.body.kind == "ended" {
                while look.open {
                    let text = link.next().await?;
                    look.read(&text)?;
                }
                let leave = format_args!(r#"{{"type":"leave","match":"{id}"}}"#);
                link.request(leave, |_| Ok(())).await?;
                return Ok(());
            }
        } else if frame.body.kind == "snapshot" {
            // Too slow for every event: the state comes instead, and that is as promised.
            seq = frame.body.seq.unwrap_or(seq);
        }
    }
}
