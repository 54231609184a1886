//! What every session shares, and how it is put together at a start; upkeep.rs has what runs beside the sessions.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use grundy_shared::ids::ServerId;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::accounts::Accounts;
use crate::addresses::Addresses;
use crate::admission::Admission;
use crate::analysis::reviews::Reviews;
use crate::analysis::{Analysis, Bounds};
use crate::audit::AuditLog;
use crate::bans::Bans;
use crate::bookkeeper::Bookkeeper;
use crate::bus::nats::NatsError;
use crate::bus::publisher::Publisher;
use crate::bus::signs::Signs;
use crate::bus::{self, Bus};
use crate::chance::Chance;
use crate::chat::{self, Chats};
use crate::clock::Clock;
use crate::config::{Config, Settings, Solver};
use crate::connections::Connections;
use crate::first_signs::FirstSigns;
use crate::founding::Founding;
use crate::glances::Glances;
use crate::hall::{self, Hall};
use crate::hearing::Hearing;
use crate::identity::{self, Cost, Identities};
use crate::ledger::Ledger;
use crate::lifecycle::Lifecycle;
use crate::lobby::Lobby;
use crate::looks::Looks;
use crate::matches::{Matches, Services};
use crate::metrics::Metrics;
use crate::puzzles::Puzzles;
use crate::quotas::Quotas;
use crate::ratings::Ratings;
use crate::reserve::Reserve;
use crate::reviewer::{self, Reviewer};
use crate::store::committer::Committer;
use crate::store::{self, AddressSecret, Lease, NodeId, Store, StoreError};
use crate::tournaments::{self, Tournaments};

/// What a server depends on; a simulation passes its own.
pub struct Dependencies {
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Chance.
    pub chance: Arc<dyn Chance>,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// Whether the server stops, and how its tasks begin.
    pub lifecycle: Lifecycle,
    /// How the solver runs.
    pub solver: SolverMode,
    /// Which of the servers that share the store this is; [`NodeId::ONLY`] if there is one, as with SQLite.
    pub node: NodeId,
    /// What carries hints between servers; `None`: what the configuration says.
    pub bus: Option<Arc<dyn Bus>>,
}

/// How the solver runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverMode {
    /// On threads, each job for a bounded processor time.
    OnThreads,
    /// Between other tasks, each job in one go, bounded in positions and memory only: repeatable.
    Inline,
}

/// What every session shares.
pub struct App {
    /// What the operator has set.
    pub config: Settings,
    /// What clients know this server by, and all that share its store.
    pub server_id: ServerId,
    /// What goes into the digests of addresses.
    pub address_secret: AddressSecret,
    /// The log.
    pub store: Arc<dyn Store>,
    /// The way to write to it.
    pub committer: Committer,
    /// The right to.
    pub lease: Lease,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Chance.
    pub chance: Arc<dyn Chance>,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// Whether the server stops.
    pub lifecycle: Lifecycle,
    /// The matches.
    pub matches: Arc<Matches>,
    /// The tournaments.
    pub tournaments: Arc<Tournaments>,
    /// The ratings.
    pub ratings: Arc<Ratings>,
    /// The puzzles.
    pub puzzles: Puzzles,
    /// What is told to players outside their matches.
    pub accounts: Arc<Accounts>,
    /// The chat of matches.
    pub chats: Arc<Chats>,
    /// The players who look for an opponent.
    pub lobby: Arc<Lobby>,
    /// What servers that share the store say to each other; `None` if there is one.
    pub hall: Option<Arc<Hall>>,
    /// What other servers on the store have changed.
    pub hearing: Hearing,
    /// Who players are.
    pub identities: Identities,
    /// What operators have done.
    pub audit: AuditLog,
    /// Who is banned.
    pub bans: Arc<Bans>,
    /// The open connections of each player.
    pub connections: Arc<Connections>,
    /// Reviews asked for lately.
    pub reviews: Arc<Reviews>,
    /// Boards that were looked at lately.
    pub glances: Glances,
    /// What each address may do.
    pub addresses: Arc<Addresses>,
    /// What new work is taken on.
    pub admission: Arc<Admission>,
    /// What addresses and players have used of their quotas.
    pub quotas: Arc<Quotas>,
    /// How much of the disk is free.
    pub reserve: Arc<Reserve>,
    /// Signs of life of other servers, over the bus.
    pub signs: Arc<Signs>,
    /// Held by the one erasure of a player that is under way.
    pub(crate) erasing: tokio::sync::Mutex<()>,
    /// The tasks of connections that may still have something done.
    pub(crate) sessions: TaskTracker,
    /// The tasks of connections that are being closed.
    pub(crate) partings: TaskTracker,
    /// Cancelled when the lease is about to be given back: no heartbeat comes after that.
    pub(crate) retiring: CancellationToken,
}

/// Why the server could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The log could not be taken up.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no way to the other servers.
    #[error(transparent)]
    Bus(#[from] NatsError),
    /// The solver has no threads.
    #[error("no thread for the solver: {0}")]
    Threads(#[from] std::io::Error),
}

impl App {
    /// Takes up every match that is not over; whoever is away since the last heartbeat gets that time back. Ready when it returns.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn start(
        config: Config,
        store: Arc<dyn Store>,
        dependencies: Dependencies,
    ) -> Result<Arc<Self>, StartError> {
        let Dependencies {
            clock,
            chance,
            metrics,
            lifecycle,
            solver,
            node,
            bus,
        } = dependencies;
        let settings = Settings::new(config.clone());
        let (bounds, waiting) = (bounds(&config.solver), metrics.solver_queue.clone());
        let cost = match solver {
            SolverMode::OnThreads => Cost::Full,
            SolverMode::Inline => Cost::Token,
        };
        let analysis = match solver {
            SolverMode::OnThreads => Analysis::start(bounds, waiting)?,
            SolverMode::Inline => Analysis::inline(bounds, waiting, lifecycle.clone()),
        };
        let analysis = Arc::new(analysis);
        let last_heartbeat = store::last_heartbeat(&*store, node).await?;
        // The operator believes the clock: a heartbeat from the future says nothing, and the outage counts from each match's last event.
        let last_heartbeat = last_heartbeat.filter(|at| *at <= clock.now());
        let lease = store.enlist(node, clock.now()).await?;
        let first_signs =
            (node != NodeId::ONLY).then(|| FirstSigns::begin(store.clone(), lease, &lifecycle));
        let Founding {
            server_id,
            address_secret,
        } = Founding::of(&*store, lease, &*chance).await?;
        let ledger = match node {
            NodeId::ONLY => Ledger::alone(),
            _ => Ledger::shared(address_secret),
        };
        let hints = config.bus.is_some() || bus.is_some();
        let signs = Arc::<Signs>::default();
        let bus = match bus {
            Some(bus) => bus,
            None => bus::open::open(
                config.bus.as_ref(),
                server_id,
                node,
                &metrics.bus,
                &signs,
                &lifecycle,
            )?,
        };
        let (committer, mut commits) = Committer::new(store.clone(), lease);
        if hints {
            commits = commits.heard_by(Arc::new(Publisher(bus.clone())));
        }
        lifecycle.spawn(commits.run());
        let admission = Admission::new(
            &config.overload,
            committer.clone(),
            metrics.clone(),
            chance.clone(),
        );
        lifecycle.spawn(admission.clone().watch(lifecycle.draining()));
        let hall = (node != NodeId::ONLY).then(|| {
            Hall::new(hall::Services {
                store: store.clone(),
                committer: committer.clone(),
                lease,
                bus: bus.clone(),
                lifecycle: lifecycle.clone(),
            })
        });
        let accounts = Accounts::new(clock.clone(), chance.clone(), hall.clone());
        // Before what notices are about is read.
        let noticed = store.last_notice().await?;
        let tournaments = Tournaments::recover(tournaments::Services {
            config: settings.clone(),
            store: store.clone(),
            committer: committer.clone(),
            clock: clock.clone(),
            chance: chance.clone(),
            accounts: accounts.clone(),
            lifecycle: lifecycle.clone(),
            shared: node != NodeId::ONLY,
        });
        // Before the matches: one that ends while it is taken up counts.
        let tournaments = tournaments.await?;
        let noted = store.usage(node).await?;
        let quotas = Quotas::new(&config.quotas, clock.now(), noted).over(&ledger);
        let quotas = Arc::new(quotas);
        let reserve = match solver {
            SolverMode::OnThreads if node == NodeId::ONLY => {
                Reserve::of(&config.data, config.storage.reserve_bytes)
            }
            // A simulation has no disk, and that of another machine cannot be looked at.
            _ => Reserve::default(),
        };
        let reserve = Arc::new(reserve);
        let ratings = Arc::new(Ratings::new(store.clone(), committer.clone()));
        let matches = Matches::new(Services {
            herald: accounts.clone(),
            config: settings.clone(),
            store: store.clone(),
            committer: committer.clone(),
            clock: clock.clone(),
            chance: chance.clone(),
            metrics: metrics.clone(),
            analysis: analysis.clone(),
            lifecycle: lifecycle.clone(),
            shared: node != NodeId::ONLY,
            tally: tournaments.clone(),
            ratings: ratings.clone(),
            quotas: quotas.clone(),
            reserve: reserve.clone(),
            address_secret,
        });
        let recovered = matches.recover(lease.node, lease.epoch.saturating_sub(1), last_heartbeat);
        let recovered = recovered.await?;
        store.forget_seats(lease).await?;
        tracing::info!(matches = recovered, "recovered");
        lifecycle.spawn(matches.clone().keep_time());
        tournaments.begin(&matches);
        lifecycle.spawn(tournaments.clone().keep_time());
        lifecycle.spawn(accounts.clone().keep_time(lifecycle.clone()));
        let lobby = Lobby::new(
            &config,
            clock.clone(),
            chance.clone(),
            matches.clone(),
            hall.clone(),
        );
        lifecycle.spawn(lobby.clone().keep_time(lifecycle.clone()));
        if let Some(hall) = &hall {
            hall.begin(&accounts, &lobby).await?;
        }
        let chats = Chats::new(chat::Services {
            config: settings.clone(),
            store: store.clone(),
            committer: committer.clone(),
            clock: clock.clone(),
            metrics: metrics.clone(),
            matches: matches.clone(),
            lifecycle: lifecycle.clone(),
            shared: node != NodeId::ONLY,
            ledger: ledger.clone(),
        });
        let connections = Arc::<Connections>::default();
        let bans = Arc::new(Bans::load(&*store).await?);
        let identities = Identities::new(identity::Services {
            config: settings.clone(),
            store: store.clone(),
            committer: committer.clone(),
            clock: clock.clone(),
            chance: chance.clone(),
            metrics: metrics.clone(),
            connections: connections.clone(),
            bans: bans.clone(),
            analysis: analysis.clone(),
            cost,
            address_secret,
            ledger: ledger.clone(),
        });
        let reviews = Arc::<Reviews>::default();
        // In a simulation, each review would use the only thread.
        if solver == SolverMode::OnThreads {
            let reviewer = Reviewer::new(reviewer::Services {
                store: store.clone(),
                committer: committer.clone(),
                matches: matches.clone(),
                hall: hall.clone(),
                analysis,
                admission: admission.clone(),
                lifecycle: lifecycle.clone(),
                reviews: reviews.clone(),
                metrics: metrics.clone(),
                review_plies: config.solver.review_plies,
                stored_bytes: config.solver.stored_reviews_bytes,
                puzzles: config.solver.puzzles.into(),
            });
            lifecycle.spawn(reviewer.run());
        }
        let audit = AuditLog::new(store.clone(), committer.clone(), clock.clone());
        let hearing = Hearing {
            store: store.clone(),
            clock: clock.clone(),
            bans: bans.clone(),
            connections: connections.clone(),
            accounts: accounts.clone(),
            lobby: lobby.clone(),
            matches: matches.clone(),
            tournaments: tournaments.clone(),
            heard: AtomicU64::new(noticed),
        };
        let app = Arc::new(Self {
            audit,
            hearing,
            puzzles: Puzzles::new(store.clone(), committer.clone()),
            bans,
            glances: Glances::default(),
            addresses: Arc::new(Addresses::new(&config, &ledger)),
            admission,
            quotas,
            reserve,
            identities,
            connections,
            reviews,
            accounts,
            ratings,
            chats,
            lobby,
            hall,
            config: settings,
            server_id,
            address_secret,
            store,
            committer,
            lease,
            clock,
            chance,
            metrics,
            lifecycle,
            matches,
            tournaments,
            signs,
            erasing: tokio::sync::Mutex::default(),
            sessions: TaskTracker::new(),
            partings: TaskTracker::new(),
            retiring: CancellationToken::new(),
        });
        app.store.heartbeat(lease, app.beat()).await?;
        if node != NodeId::ONLY {
            app.metrics.cluster.heartbeat.note();
        }
        drop(first_signs);
        app.lifecycle.spawn(app.clone().keep_alive(bus.clone()));
        app.lifecycle.spawn(app.clone().keep_tidy());
        if node != NodeId::ONLY {
            let looks = Looks {
                store: app.store.clone(),
                bus: bus.clone(),
                matches: app.matches.clone(),
                tournaments: app.tournaments.clone(),
                chats: app.chats.clone(),
                lifecycle: app.lifecycle.clone(),
                lease,
            };
            app.lifecycle.spawn(looks.run());
            app.lifecycle.spawn(app.tournaments.clone().heed_hints());
            let bookkeeper = Bookkeeper {
                node,
                store: app.store.clone(),
                ledger,
                addresses: app.addresses.clone(),
                lifecycle: app.lifecycle.clone(),
            };
            app.lifecycle.spawn(bookkeeper.run());
        }
        if hints {
            app.lifecycle.spawn(app.clone().heed_hints(bus));
        }
        app.lifecycle.spawn(app.clone().keep_signed_out());
        if solver == SolverMode::OnThreads {
            let watch = app.reserve.clone();
            let draining = app.lifecycle.draining();
            app.lifecycle
                .spawn(watch.watch(app.metrics.clone(), draining));
        }
        app.lifecycle.spawn(app.clone().watch_store());
        Ok(app)
    }
}

fn bounds(solver: &Solver) -> Bounds {
    Bounds {
        threads: solver.threads as usize,
        queue: solver.queue as usize,
        queue_per_address: solver.queue_per_address as usize,
        queue_per_player: solver.queue_per_player as usize,
        cpu: Duration::from_millis(solver.cpu_ms.0),
        memory_bytes: solver.memory_bytes,
        nodes: solver.nodes,
    }
}
