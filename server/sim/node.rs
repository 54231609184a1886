//! A server: one process after the other on the same store, and what befalls them.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grundy_server::addresses::AddressKey;
use grundy_server::app::{App, SolverMode};
use grundy_server::chance::Seeded;
use grundy_server::clock::{Clock, SystemClock};
use grundy_server::config::{AddressRanges, Config};
use grundy_server::lifecycle::Lifecycle;
use grundy_server::metrics::Metrics;
use grundy_server::service;
use grundy_server::store::NodeId;
use grundy_shared::ids::Millis;
use tokio::time::Instant;

use crate::faults::Fault;
use crate::life::Life;
use crate::link::Link;
use crate::socket::SimSocket;
use crate::store::{HELD_MS, SimStore};
use crate::world::World;

/// So long after the last fault servers may still be taken for dead.
const AFTERMATH: Duration = Duration::from_secs(8);
/// A pause from which on a process leaves the time out of its clock, and a margin.
const LEFT_OUT_MS: u64 = 2_600;
/// Nothing that a process does by itself when it stops takes longer.
const STOP: Duration = Duration::from_secs(12);

/// A process that runs.
#[derive(Clone)]
pub(crate) struct Process {
    pub(crate) life: Arc<Life>,
    pub(crate) app: Arc<App>,
    lifecycle: Lifecycle,
}

/// One server.
pub(crate) struct Node {
    world: Arc<World>,
    id: NodeId,
    /// What its processes are called, before their number.
    name: char,
    serving: Mutex<Option<Process>>,
}

/// What is to befall a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Crash,
    PowerLoss,
    Pause,
    Replaced,
    Rivalled,
    Stop,
}

/// How the time of a process ended.
enum Ended {
    /// It is gone.
    Gone,
    /// Another takes its place. It serves whom it has until the store is the other's, unless it sleeps until this moment, in virtual
    /// milliseconds.
    Replaced { sleeps_until: u64, old: Arc<Life> },
    /// Faults have stopped, and this process may go on.
    Calm,
}

/// A time in which newcomers found nobody.
struct Down {
    /// In virtual milliseconds.
    since: u64,
    /// The process that another one was to replace, and until when it slept.
    replaced: Option<(u64, Arc<Life>)>,
}

impl Down {
    fn since(since: u64) -> Self {
        Self {
            since,
            replaced: None,
        }
    }
}

impl Node {
    /// The server of this number, from 0 on.
    pub(crate) fn new(world: &Arc<World>, index: usize) -> Arc<Self> {
        let (id, name) = match (world.plan.nodes, index) {
            (1, _) => (NodeId::ONLY, 'n'),
            (_, 0) => (NodeId(2), 'n'),
            (_, 1) => (NodeId(3), 'm'),
            _ => (NodeId(4), 'o'),
        };
        Arc::new(Self {
            world: world.clone(),
            id,
            name,
            serving: Mutex::default(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Option<Process>> {
        self.serving.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Which of the servers that share the store it is.
    pub(crate) fn id(&self) -> NodeId {
        self.id
    }

    /// The process that takes connections, if there is one.
    pub(crate) fn serving(&self) -> Option<Process> {
        self.lock().clone()
    }

    /// Opens a connection from this address; `None` when nobody takes it.
    pub(crate) fn connect(&self, address: Ipv4Addr) -> Option<Arc<Link>> {
        let Process { life, app, .. } = self.serving()?;
        if life.stands_still() || app.lifecycle.is_draining() {
            return None;
        }
        let address_key = AddressKey::from(IpAddr::V4(address));
        let entered = app
            .addresses
            .may_open(address_key)
            .and_then(|()| app.addresses.enter_session(address_key));
        let place = match entered {
            Ok(place) => place,
            Err(refused) => {
                self.world
                    .note(format_args!("refused {address} {refused:?}"));
                return None;
            }
        };
        let link = Link::new(&self.world, self.id, &life);
        life.holds(&link);
        self.world.note(format_args!(
            "{address} opens link {} to {}",
            link.number, life.name
        ));
        let socket = SimSocket::new(life, link.clone());
        service::admit(&app, socket, address_key, place);
        Some(link)
    }

    /// Runs processes one after the other; the last one goes on when faults have stopped.
    pub(crate) async fn operate(self: Arc<Self>) {
        let mut number = 0;
        let mut down = None;
        loop {
            number += 1;
            let Some(process) = self.start(number).await else {
                down.get_or_insert_with(|| Down::since(self.world.now_ms()));
                let pause = Duration::from_millis(self.world.dice.within(200..1_500));
                tokio::time::sleep(pause).await;
                continue;
            };
            if let Some(down) = down.take() {
                self.note_outage(&down);
            }
            *self.lock() = Some(process.clone());
            let ended = self.serve(&process).await;
            if matches!(ended, Ended::Calm) {
                return;
            }
            *self.lock() = None;
            let now = self.world.now_ms();
            match ended {
                Ended::Replaced { sleeps_until, old } => {
                    let replaced = Some((sleeps_until, old));
                    down = Some(Down {
                        since: now,
                        replaced,
                    });
                }
                Ended::Gone | Ended::Calm => {
                    down = Some(Down::since(now));
                    tokio::time::sleep(Duration::from_millis(self.away())).await;
                }
            }
        }
    }

    /// How long nobody starts it again; with another server there is one that may take its matches over.
    fn away(&self) -> u64 {
        let dice = &self.world.dice;
        match self.world.plan.nodes > 1 && dice.one_in(4) {
            true => dice.within(9_000..18_000),
            false => dice.about(1_500),
        }
    }

    fn note_outage(&self, down: &Down) {
        let (world, since, now) = (&self.world, down.since, self.world.now_ms());
        let mut timeline = world.timeline();
        timeline.forgiven.push((since, now + HELD_MS));
        match &down.replaced {
            None => timeline.down.push((since, now)),
            Some((sleeps_until, old)) => {
                timeline.down.push((since, now.min(*sleeps_until)));
                let fenced = world.disk.first_enlisted_since(self.id, since);
                let gone = fenced.min(old.gone_ms()).min(now);
                timeline.down.push((gone, now));
            }
        }
        drop(timeline);
        world.note(format_args!("nobody serves newcomers since {since}"));
    }

    /// Starts a process; `None` when it does not come up.
    async fn start(&self, number: u32) -> Option<Process> {
        let world = &self.world;
        // A credit is counted from the last heartbeat: from then on it is forgiven.
        let last_run = world.disk.last_heartbeat(self.id);
        let beat = world.since_beginning(last_run);
        let now = world.now_ms();
        world.timeline().started.push((beat, now));
        if beat < now {
            world
                .timeline()
                .forgiven
                .push((beat.saturating_sub(6_200), now));
        }
        world.disk.begin_day();
        let (life, spawner) = Life::begin(world, format!("{}{number}", self.name));
        let lifecycle = Lifecycle::with_spawner(spawner);
        let store = match SimStore::open(&life, self.id, &lifecycle) {
            Ok(store) => Arc::new(store),
            Err(error) => {
                world.note(format_args!("{} does not open: {error}", life.name));
                life.end();
                return None;
            }
        };
        let started = Instant::now();
        let clock = SystemClock::with_source(world.wall().max(last_run), move || started.elapsed());
        let clock = Arc::new(clock);
        lifecycle.spawn(clock.clone().tick(lifecycle.draining(), |_| ()));
        let server = grundy_server::app::Dependencies {
            metrics: Arc::new(Metrics::new(clock.now(), || 0)),
            clock,
            chance: Arc::new(Seeded::new(world.dice.bits())),
            lifecycle: lifecycle.clone(),
            solver: SolverMode::Inline,
            node: self.id,
            bus: world.wire.end(&life, self.id),
        };
        world.note(format_args!("{} starts", life.name));
        if !world.is_calm() && world.plan.allows(Fault::CrashInRecovery) && world.dice.one_in(8) {
            life.die_after(world.dice.within(1..40));
        }
        let starting = lifecycle.spawn(App::start(config(world), store, server));
        let started = tokio::select! {
            biased;
            () = life.died.notified() => {
                world.fired(Fault::CrashInRecovery);
                return None;
            }
            started = starting => started,
        };
        match started {
            Ok(Ok(app)) => {
                world.note(format_args!("{} is ready", life.name));
                Some(Process {
                    life,
                    app,
                    lifecycle,
                })
            }
            Ok(Err(error)) => {
                world.note(format_args!("{} does not start: {error}", life.name));
                life.end();
                None
            }
            Err(error) => {
                if error.is_panic() {
                    world.wrong(format!("{} panicked in its start", life.name));
                }
                life.end();
                None
            }
        }
    }

    async fn serve(&self, process: &Process) -> Ended {
        let world = &self.world;
        loop {
            let mut calm = std::pin::pin!(world.calmed.notified());
            calm.as_mut().enable();
            let draining = process.lifecycle.draining();
            if world.is_calm() {
                process.life.die_after(u64::MAX / 2);
                // What the store refused before has others take over a little later: then it has to be started again.
                return match tokio::time::timeout(AFTERMATH, draining.cancelled()).await {
                    Ok(()) => self.stop(process).await,
                    Err(_) => Ended::Calm,
                };
            }
            let untroubled = Duration::from_millis(1_000 + world.dice.about(8_000));
            tokio::select! {
                biased;
                () = process.life.died.notified() => return Ended::Gone,
                () = draining.cancelled() => return self.stop(process).await,
                () = calm => continue,
                () = tokio::time::sleep(untroubled) => {}
            }
            if let Some(fate) = self.fate()
                && !world.is_calm()
                && let Some(ended) = self.meet(process, fate).await
            {
                return ended;
            }
        }
    }

    fn fate(&self) -> Option<Fate> {
        let (fate, fault) = *self.world.dice.pick(&[
            (Fate::Crash, Fault::CrashAnywhere),
            (Fate::Crash, Fault::CrashAnywhere),
            (Fate::PowerLoss, Fault::PowerLoss),
            (Fate::Pause, Fault::Pause),
            (Fate::Replaced, Fault::Zombie),
            (Fate::Rivalled, Fault::Rival),
            (Fate::Stop, Fault::GracefulStop),
        ]);
        // The same holds for one that wakes up again.
        let alone = self.world.plan.nodes == 1;
        (self.world.plan.allows(fault) && (alone || fate != Fate::Replaced)).then_some(fate)
    }

    async fn meet(&self, process: &Process, fate: Fate) -> Option<Ended> {
        let (world, life) = (&self.world, &process.life);
        match fate {
            Fate::Crash => {
                // Counted when it happens.
                life.die_after(world.dice.within(0..200));
                None
            }
            Fate::PowerLoss => {
                world.fired(Fault::PowerLoss);
                life.silent
                    .store(true, std::sync::atomic::Ordering::Relaxed);
                life.die_after(world.dice.within(0..50));
                None
            }
            Fate::Pause => {
                world.fired(Fault::Pause);
                let began = world.now_ms();
                let lasts = world.dice.within(300..12_000);
                life.stand_still(true);
                tokio::select! {
                    biased;
                    () = world.calmed.notified() => {}
                    () = tokio::time::sleep(Duration::from_millis(lasts)) => {}
                }
                let lasts = world.now_ms() - began;
                life.stand_still(false);
                let mut timeline = world.timeline();
                if lasts > LEFT_OUT_MS {
                    timeline.down.push((began, began + lasts));
                }
                timeline
                    .forgiven
                    .push((began.saturating_sub(600), began + lasts + 600));
                None
            }
            Fate::Replaced => {
                world.fired(Fault::Zombie);
                life.stand_still(true);
                let asleep = Duration::from_millis(world.dice.within(2_000..9_000));
                Some(self.leave_behind(life, asleep))
            }
            Fate::Rivalled => {
                world.fired(Fault::Rival);
                Some(self.leave_behind(life, Duration::ZERO))
            }
            Fate::Stop => {
                world.fired(Fault::GracefulStop);
                Some(self.stop(process).await)
            }
        }
    }

    /// Stops a process as a signal would.
    async fn stop(&self, process: &Process) -> Ended {
        let world = &self.world;
        process.lifecycle.drain();
        *self.lock() = None;
        let app = process.app.clone();
        let stopping = process
            .lifecycle
            .spawn(async move { service::wind_up(&app).await });
        tokio::select! {
            biased;
            () = process.life.died.notified() => return Ended::Gone,
            stopped = tokio::time::timeout(STOP, stopping) => match stopped {
                Ok(Ok(())) => world.note(format_args!("{} has stopped", process.life.name)),
                Ok(Err(_)) => {}
                Err(_) => world.note(format_args!("{} does not stop in time", process.life.name)),
            },
        }
        process.life.end();
        Ended::Gone
    }

    /// Another process takes the place of this one, which wakes up later, and some time after that is gone.
    fn leave_behind(&self, life: &Arc<Life>, asleep: Duration) -> Ended {
        let world = self.world.clone();
        world.board().replaced += 1;
        let awake = Duration::from_millis(world.dice.within(500..12_000));
        let (life, helpers) = (life.clone(), world.helpers.clone());
        let ended = Ended::Replaced {
            sleeps_until: world.now_ms() + u64::try_from(asleep.as_millis()).unwrap_or(u64::MAX),
            old: life.clone(),
        };
        helpers.spawn(async move {
            let calm = world.calmed.notified();
            let ends = async {
                tokio::time::sleep(asleep).await;
                life.stand_still(false);
                tokio::time::sleep(awake).await;
            };
            tokio::select! {
                biased;
                () = calm => {}
                () = ends => {}
            }
            life.die();
            let mut board = world.board();
            board.replaced -= 1;
            board.alone_since = world.now_ms();
        });
        ended
    }
}

/// The settings of every server: the defaults, and what makes bounds near.
pub(crate) fn config(world: &World) -> Config {
    let plan = &world.plan;
    let mut config = Config::default();
    config.trusted.addresses = AddressRanges::default();
    config.limits.matches_per_player = plan.matches_per_player;
    config.limits.bot_matches_per_player = plan.matches_per_bot;
    config.limits.matches_per_address = plan.matches_per_player.max(plan.matches_per_bot) + 2;
    config.limits.queue_messages = plan.queue_messages;
    config.limits.bot_queue_messages = plan.queue_messages;
    config.limits.bot_burst = 20;
    config.limits.bot_requests_per_second = 10;
    config.limits.bot_moves_burst_per_match = 3;
    config.limits.bot_moves_per_second_per_match = 2;
    config.limits.bot_waiting_requests = 12;
    config.limits.guests_per_minute_per_address = 1_000;
    config.quotas.matches_per_player = plan.matches_a_day;
    config.solver.nodes = 20_000;
    config.times.give_up_ms = Millis(10_000);
    if plan.seed.is_multiple_of(3) {
        config.times.join_code_ms = Millis(15_000);
        config.times.invitation_away_ms = Millis(4_000);
        config.times.away_ms = Millis(500);
    }
    config
}
