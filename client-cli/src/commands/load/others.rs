//! The requests beside the moves of an open loop: they come at fixed moments, and a server that is overloaded may refuse them.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout};

use super::arrivals::moment;
use super::error::LoadError;
use super::mix::Mix;
use super::phase::Phase;
use super::pool::{connect, greet};
use super::tally::{Tally, add};
use super::wire::{Link, LinkError, read};

/// Connections that ask, for each kind; guests have one each, so many at once. What comes while all of them wait is not asked.
const AT_ONCE: usize = 64;
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// How soon those come back that do not wait for as long as they are asked to.
const HOSTILE: Duration = Duration::from_millis(20);

/// One kind of request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Guest,
    Match,
    Solve,
    Watch,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Guest => "guest",
            Self::Match => "match",
            Self::Solve => "solve",
            Self::Watch => "watch",
        }
    }
}

/// What the requests need.
#[derive(Clone)]
pub(super) struct Target {
    /// The server.
    pub(super) address: SocketAddr,
    /// Where everything is counted.
    pub(super) tally: Rc<Tally>,
    /// A match that can be watched.
    pub(super) first_match: watch::Receiver<String>,
    /// When to ask.
    pub(super) phase: watch::Receiver<Phase>,
    /// Whether refused clients come back after the time given.
    pub(super) obedient: bool,
}

/// The tasks that ask.
pub(super) struct Others {
    tasks: JoinSet<()>,
}

impl Others {
    /// Opens the connections; nothing is asked before the phase is open.
    ///
    /// # Errors
    /// A connection was refused or failed.
    pub(super) async fn open(target: &Target, mix: Mix) -> Result<Self, LoadError> {
        let mut tasks = JoinSet::new();
        for (kind, rate) in [
            (Kind::Guest, mix.guests),
            (Kind::Match, mix.matches),
            (Kind::Solve, mix.solve),
            (Kind::Watch, mix.watch),
        ] {
            if rate == 0 {
                continue;
            }
            let links = match kind {
                Kind::Guest => (0..AT_ONCE).map(|_| None).collect(),
                _ => {
                    let links = connect(target.address, AT_ONCE).await?;
                    links.into_iter().map(Some).collect()
                }
            };
            tasks.spawn_local(ask_all(kind, rate, target.clone(), links));
        }
        Ok(Self { tasks })
    }

    /// Waits for the last answers.
    pub(super) async fn close(mut self) {
        while self.tasks.join_next().await.is_some() {}
    }
}

/// Asks so many times a second while the phase is open. Each request takes one of the places, and gives it back when it is done.
async fn ask_all(kind: Kind, rate: u32, mut target: Target, places: Vec<Option<Link>>) {
    let places = Rc::new(RefCell::new(places));
    let mut asking = JoinSet::new();
    let since = loop {
        match *target.phase.borrow_and_update() {
            Phase::Open { since } => break since,
            Phase::Stop => return,
            Phase::Closed => {}
        }
        if target.phase.changed().await.is_err() {
            return;
        }
    };
    for number in 0.. {
        let due = since + moment(number, rate);
        tokio::select! {
            _ = target.phase.changed() => break,
            () = sleep_until(due) => {}
        }
        add(&target.tally.others, 1);
        let place = places.borrow_mut().pop();
        let Some(place) = place else {
            add(&target.tally.others_blocked, 1);
            continue;
        };
        let (places, target) = (Rc::clone(&places), target.clone());
        asking.spawn_local(async move {
            if let Some(place) = ask(kind, &target, place).await {
                places.borrow_mut().push(place);
            }
        });
        while asking.try_join_next().is_some() {}
    }
    while asking.join_next().await.is_some() {}
}

/// Asks once. The place again, with its connection if it had one, once it may be used for the next request.
async fn ask(kind: Kind, target: &Target, mut place: Option<Link>) -> Option<Option<Link>> {
    let answered = timeout(PATIENCE, ask_for(kind, target, &mut place)).await;
    let Ok(answered) = answered else {
        target.tally.sheds.borrow_mut().missed();
        return None;
    };
    let wait = match answered {
        Ok(()) => {
            target.tally.sheds.borrow_mut().did(kind.name());
            None
        }
        Err(error) => {
            let refused = target.tally.sheds.borrow_mut().refused(kind.name(), error);
            match refused {
                Ok(wait) => Some(wait.unwrap_or_default()),
                Err(error) => {
                    target.tally.broken(&error);
                    return None;
                }
            }
        }
    };
    // A guest that comes next is somebody else, who was not asked to wait.
    if let Some(wait) = wait.filter(|_| kind != Kind::Guest) {
        let wait = match target.obedient {
            true => Duration::from_millis(wait),
            false => HOSTILE,
        };
        sleep_until(Instant::now() + wait).await;
    }
    Some(place)
}

async fn ask_for(kind: Kind, target: &Target, place: &mut Option<Link>) -> Result<(), LinkError> {
    let link = match place {
        None => return greet(target.address).await.map(|_| ()),
        Some(link) => link,
    };
    match kind {
        Kind::Guest => {}
        Kind::Solve => {
            let ask = format_args!(r#"{{"type":"solve","position":"nim:1,4,6,7"}}"#);
            link.request(ask, |_| Ok(())).await?;
        }
        Kind::Match => {
            let ask = format_args!(
                r#"{{"type":"create","position":"nim:3,5,7","opponent":{{"type":"invite"}}}}"#
            );
            let reply = link.request(ask, |_| Ok(())).await?;
            let created = read(&reply)?.body.match_id.unwrap_or_default().to_owned();
            abandon(link, "abort", &created).await?;
        }
        Kind::Watch => {
            let watched = target.first_match.borrow().clone();
            let ask = format_args!(r#"{{"type":"watch","match":"{watched}"}}"#);
            link.request(ask, |_| Ok(())).await?;
            abandon(link, "leave", &watched).await?;
        }
    }
    Ok(())
}

/// Leaves nothing behind in the server. The match may have ended meanwhile.
async fn abandon(link: &mut Link, how: &str, match_id: &str) -> Result<(), LinkError> {
    let ask = format_args!(r#"{{"type":"{how}","match":"{match_id}"}}"#);
    match link.request(ask, |_| Ok(())).await {
        Err(LinkError::Refused { code, .. }) if code != "server_busy" => Ok(()),
        answered => answered.map(|_| ()),
    }
}
