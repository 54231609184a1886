//! Which job a thread takes next: pure, without threads and clocks.
//!
//! One thread does nothing but first slices; the others take what needs longer. Of that, moves come before passwords, passwords before
//! analyses and analyses before idle work, but none waits for ever. Within a lane, [`Shares`] decides.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::lane::Lane;
use super::owner::Owner;
use super::shares::{Bounds, Room, Shares};

/// Passwords that are tried at once.
const SECRETS_AT_ONCE: usize = 2;
/// Jobs of other lanes that may be taken before a password which waits.
const BEFORE_SECRET: u32 = 4;
/// Jobs of other lanes that may be taken before an analysis which waits.
const BEFORE_STUDY: u32 = 8;
/// How often a job gives way. Each time its work is lost.
const GIVES_WAY_MAX: u32 = 4;
/// Jobs that an address must have more than another if one of its jobs is to give way to a move.
const GIVES_WAY_LEAD: usize = 2;
/// First slices that may wait before threads for long jobs help. Those run at a lower priority, so that they only help if it is needed.
const QUICK_BACKLOG: usize = 16;
/// Jobs that lost their place and have not been answered yet.
const LEAVING_MAX: usize = 64;

/// What a thread does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// First slices only, so that a short job never waits for a long one.
    Quick,
    /// Long jobs; also first slices if many wait and no long job does.
    Any,
}

/// Something for a thread to do.
pub(super) enum Taken<T> {
    /// A job of a lane.
    Job {
        /// Where it waited.
        lane: Lane,
        /// Whose it is.
        owner: Owner,
        /// The job.
        job: T,
        /// What the thread settles when the job is done.
        run: Run,
    },
    /// A job for which no client waits.
    Idle(T),
    /// A job that lost its place: it is to be answered.
    Leaving(T),
}

/// One run of a job on a thread.
pub(super) struct Run {
    number: u64,
    /// Set if the job is to give way to a move.
    pub(super) gives_way: Arc<AtomicBool>,
}

/// A long job that runs.
struct Running {
    number: u64,
    lane: Lane,
    owner: Owner,
    gave_way: u32,
    gives_way: Arc<AtomicBool>,
}

/// The jobs that wait, and which of them run.
pub(super) struct Schedule<T> {
    shares: Shares<T>,
    idle: Option<T>,
    leaving: VecDeque<T>,
    running: Vec<Running>,
    runs: u64,
    /// Threads that take long jobs.
    threads: usize,
    /// Jobs that were taken before one of this lane which waits.
    overtaken: [u32; Lane::ALL.len()],
    /// No job begins any more.
    pub(super) stopping: bool,
}

impl<T> Schedule<T> {
    /// For so many threads for long jobs; `advance` is what a long job counts until it is done.
    pub(super) fn new(threads: usize, advance: Duration) -> Self {
        Self {
            shares: Shares::new(advance),
            idle: None,
            leaving: VecDeque::new(),
            running: Vec::new(),
            runs: 0,
            threads,
            overtaken: [0; Lane::ALL.len()],
            stopping: false,
        }
    }

    /// How many jobs wait in a lane.
    pub(super) fn waiting(&self, lane: Lane) -> usize {
        self.shares.waiting(lane)
    }

    /// The place of a job among those that wait for their first slice or for an analysis, as [`Shares::place`] says.
    pub(super) fn place(&self, look: impl Fn(&T) -> Option<bool>) -> Option<u32> {
        let lanes = [Lane::Study, Lane::Quick];
        lanes
            .into_iter()
            .find_map(|lane| self.shares.place(lane, &look))
    }

    /// Whether an idle job waits.
    pub(super) fn idle_waits(&self) -> bool {
        self.idle.is_some()
    }

    /// Whether a client waits for a job that a thread for long jobs could begin.
    pub(super) fn is_urgent(&self) -> bool {
        let long = [Lane::Play, Lane::Secret, Lane::Study];
        self.is_behind() || long.into_iter().any(|lane| self.waiting(lane) > 0)
    }

    /// Whether there is something to do besides jobs that clients wait for.
    pub(super) fn has_more(&self) -> bool {
        self.idle.is_some() || !self.leaving.is_empty()
    }

    /// Whether more first slices wait than one thread has soon done.
    pub(super) fn is_behind(&self) -> bool {
        self.waiting(Lane::Quick) > QUICK_BACKLOG
    }

    /// Whether one more job may wait. If the lane is full, jobs that nobody needs any more (`is_stale`) make room, then the newest of the
    /// address with the most.
    pub(super) fn make_room(
        &mut self,
        lane: Lane,
        owner: Owner,
        bounds: Bounds,
        is_stale: impl Fn(&T) -> bool,
    ) -> bool {
        if self.shares.is_full(lane, owner, bounds) {
            self.leaving.extend(self.shares.remove(lane, is_stale));
        }
        if self.leaving.len() >= LEAVING_MAX {
            return !self.shares.is_full(lane, owner, bounds);
        }
        match self.shares.make_room(lane, owner, bounds) {
            Room::Free => true,
            Room::Displaced(displaced) => {
                self.leaving.push_back(displaced);
                true
            }
            Room::Full => false,
        }
    }

    /// Lets a job wait, for which there is room.
    pub(super) fn push(&mut self, lane: Lane, owner: Owner, job: T) {
        self.shares.push(lane, owner, job);
    }

    /// Lets an idle job wait. One waits at a time: see [`Schedule::idle_waits`].
    pub(super) fn push_idle(&mut self, job: T) {
        self.idle = Some(job);
    }

    /// The next job for a thread. A job that is not idle and not leaving has to be settled.
    pub(super) fn take(&mut self, role: Role, gave_way: impl Fn(&T) -> u32) -> Option<Taken<T>> {
        if let Some(job) = self.leaving.pop_front() {
            return Some(Taken::Leaving(job));
        }
        let lane = match role {
            Role::Quick => (self.waiting(Lane::Quick) > 0).then_some(Lane::Quick),
            Role::Any => self.next_lane(),
        };
        let Some(lane) = lane else {
            let idle = self.idle.take_if(|_| role == Role::Any);
            return idle.map(Taken::Idle);
        };
        let (owner, job) = self.shares.pop(lane)?;
        self.runs += 1;
        let run = Run {
            number: self.runs,
            gives_way: Arc::default(),
        };
        if lane != Lane::Quick {
            for waits in [Lane::Secret, Lane::Study] {
                let overtaken = &mut self.overtaken[waits.index()];
                let counts = waits != lane && self.shares.waiting(waits) > 0;
                *overtaken = if counts { *overtaken + 1 } else { 0 };
            }
            self.running.push(Running {
                number: run.number,
                lane,
                owner,
                gave_way: gave_way(&job),
                gives_way: run.gives_way.clone(),
            });
        }
        Some(Taken::Job {
            lane,
            owner,
            job,
            run,
        })
    }

    /// From where a thread for long jobs takes the next.
    fn next_lane(&self) -> Option<Lane> {
        let secrets = self.running.iter().filter(|run| run.lane == Lane::Secret);
        let secret_may_begin = secrets.count() < SECRETS_AT_ONCE;
        let may_begin =
            |lane: Lane| self.waiting(lane) > 0 && (lane != Lane::Secret || secret_may_begin);
        let is_due =
            |lane: Lane, most: u32| may_begin(lane) && self.overtaken[lane.index()] >= most;
        if is_due(Lane::Secret, BEFORE_SECRET) {
            return Some(Lane::Secret);
        }
        if is_due(Lane::Study, BEFORE_STUDY) {
            return Some(Lane::Study);
        }
        [Lane::Play, Lane::Secret, Lane::Study]
            .into_iter()
            .find(|lane| may_begin(*lane))
            .or_else(|| self.is_behind().then_some(Lane::Quick))
    }

    /// If no thread is free for a move that has to wait now, one that works for an address with more jobs gives way. Passwords do not.
    pub(super) fn make_way(&mut self, owner: Owner) {
        if self.running.len() < self.threads {
            return;
        }
        let least = self.shares.jobs_of(owner.place) + GIVES_WAY_LEAD;
        let heavier = self.running.iter_mut().filter_map(|run| {
            let can = matches!(run.lane, Lane::Play | Lane::Study) && run.gave_way < GIVES_WAY_MAX;
            let jobs = self.shares.jobs_of(run.owner.place);
            (can && jobs >= least && !run.gives_way.load(Ordering::Relaxed)).then_some((jobs, run))
        });
        if let Some((_, run)) = heavier.max_by_key(|(jobs, _)| *jobs) {
            run.gives_way.store(true, Ordering::Relaxed);
        }
    }

    /// A job is done, or has to wait again; it has used this processor time.
    pub(super) fn settle(&mut self, owner: Owner, run: &Run, used: Duration) {
        self.running.retain(|running| running.number != run.number);
        self.shares.settle(owner, used);
    }

    /// Lets a job that gave way wait in front of the others of its player.
    pub(super) fn put_back(&mut self, lane: Lane, owner: Owner, job: T) {
        self.shares.put_back(lane, owner, job);
    }

    /// Drops what waits, and begins nothing any more.
    pub(super) fn stop(&mut self) -> Vec<T> {
        self.stopping = true;
        let mut dropped: Vec<T> = self.leaving.drain(..).chain(self.idle.take()).collect();
        for lane in Lane::ALL {
            dropped.extend(self.shares.remove(lane, |_| true));
        }
        dropped
    }
}

#[cfg(test)]
mod tests;
