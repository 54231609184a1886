//! `grundy load`: how many moves a server takes, at what cost, and whether it keeps its promises meanwhile.

mod arrivals;
mod error;
mod lines;
mod listeners;
mod mix;
mod others;
mod phase;
mod pinning;
mod plan;
mod player;
mod pool;
mod process;
mod relay;
mod report;
mod seating;
mod sheds;
mod tally;
mod watchers;
mod wire;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use clap::{Args, Subcommand};
use grundy_words::Message;
use tokio::task::LocalSet;

use self::arrivals::Arrivals;
pub(crate) use self::error::LoadError;
pub(crate) use self::lines::lines;
use self::listeners::Listeners;
use self::mix::Mix;
use self::others::{Others, Target};
use self::pinning::Pinning;
use self::plan::{Open, Plan, Script};
use self::pool::{Pool, greet};
use self::process::{Metrics, Relay, Server, allow_connections, cpu_time, server_beside_us};
pub(crate) use self::report::Report;
use self::report::{Slice, kib_each, mib, quantile_ms};
use self::seating::Seating;
use self::tally::micros_histogram;
use self::watchers::Watchers;
use self::wire::LinkError;

use crate::misread::Misread;
use crate::system;

/// Slices that the time is cut into: enough for a median.
const ROUNDS: u32 = 5;
/// Time that every server plays before anything is counted.
const WARM_UP: Duration = Duration::from_millis(500);
/// Connections of the requests beside the moves: for each of four kinds so many as ask at once.
const OTHERS_AT_ONCE: u32 = 4 * 64;
/// Requests a second that one connection must be allowed for a closed loop: a match alone makes some thousands.
const REQUESTS_PER_SECOND_MIN: u32 = 10_000;

/// Measures a server under load: many matches at once, each with one move in flight.
///
/// Without --open, each player moves as soon as the opponent's move arrives, or at the pace of --rate. With --open, moves fall due at fixed
/// moments whatever the server does, and times are counted from those moments.
///
/// Without --server or --spawn, the command starts a temporary server from the `grundy-server` program in the same
/// directory as `grundy`. A server that is already running must have been started with `--profile load`.
#[derive(Args, Clone, Debug)]
pub(crate) struct Load {
    #[command(subcommand)]
    part: Option<Part>,
    /// How many matches to play at once, 1 to 10,000; each uses two connections.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    matches: u32,
    /// How long to measure, 1 to 600 seconds; with --baseline, for each of the two.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=600))]
    seconds: u32,
    /// Moves in each match, 1 to 100,000; then both players start the next match.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    plies: u32,
    /// Moves per second over all matches, 1 to 1,000,000 [default: as fast as they are answered].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rate: Option<u32>,
    /// Offer the moves of --rate in an open loop. New matches may be refused by an overloaded server; moves may not.
    #[arg(long, requires = "rate", conflicts_with_all = ["baseline", "idle", "watchers", "askers"])]
    open: bool,
    /// Requests per second beside the moves of an open loop: guests=N,matches=N,solve=N,watch=N.
    #[arg(long, value_name = "KINDS", requires = "open")]
    mix: Option<Mix>,
    /// Ask again after 20 ms for what was refused in an open loop, instead of waiting for the time that the server gives.
    #[arg(long, requires = "open")]
    hostile: bool,
    /// Also measure a bare relay of the same frames, without rules or store, alternating with the server.
    #[arg(long)]
    baseline: bool,
    /// Extra idle connections, up to 20,000, to measure the memory of one.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=20_000))]
    idle: u32,
    /// Watchers of the first match, up to 5,000.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=5_000))]
    watchers: u32,
    /// Connections that request a solution in a loop, up to 1,000.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1_000))]
    askers: u32,
    /// Connection threads of a spawned server, 1 to 64. With more than one, no process is pinned to cores.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    workers: u32,
    /// Start this server program with the load profile on a free port, and stop it afterwards.
    #[arg(long, value_name = "PROGRAM")]
    spawn: Option<PathBuf>,
    /// Where to create the temporary data directory of a spawned server; its disk is the one measured.
    #[arg(long, value_name = "DIR")]
    data_parent: Option<PathBuf>,
    /// A further server on the same database as --server; may be given several times. Matches are spread over all of them.
    #[arg(long, value_name = "URL", conflicts_with_all = ["baseline", "open", "spawn", "idle"])]
    also: Vec<String>,
    /// With --also: the two players of a match are on different servers.
    #[arg(long, requires = "also")]
    across: bool,
    /// Allow a server on another computer. Ask its owner first.
    #[arg(long)]
    allow_remote: bool,
}

#[derive(Subcommand, Clone, Debug)]
enum Part {
    /// The bare relay of --baseline, in a process of its own.
    #[command(hide = true)]
    Relay {
        /// Moves of a match.
        plies: u32,
    },
}

/// Runs the command against `server`, or a server of its own when there is none. `None`: this was the relay.
///
/// # Errors
/// The run gave no figures.
pub(crate) fn run(load: &Load, server: Option<&str>) -> Result<Option<Report>, LoadError> {
    // One thread: no part of the client competes with another, and its cost is easy to measure.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| LoadError::Failed(error.to_string()))?;
    LocalSet::new().block_on(&runtime, async {
        if let Some(Part::Relay { plies }) = load.part {
            let served = relay::serve(plies).await;
            return served
                .map(|()| None)
                .map_err(|error| LoadError::Failed(error.to_string()));
        }
        tokio::select! {
            report = load.measure(server) => report.map(Some),
            _ = tokio::signal::ctrl_c() => Err(LoadError::Interrupted),
        }
    })
}

/// A server and its matches.
struct Contestant {
    pool: Pool,
    slices: Vec<Slice>,
}

impl Contestant {
    async fn open(seating: &Seating, matches: usize, plan: &Plan) -> Result<Self, LoadError> {
        let pool = Pool::open(seating, matches, plan).await?;
        Ok(Self {
            pool,
            slices: Vec::new(),
        })
    }

    /// Plays for a while before anything is counted.
    async fn warm_up(&mut self) -> Result<(), LoadError> {
        self.pool.play(WARM_UP).await?;
        let tally = &self.pool.tally;
        *tally.acknowledged.borrow_mut() = micros_histogram();
        *tally.at_opponent.borrow_mut() = micros_histogram();
        tally.late.set(0);
        Ok(())
    }

    /// Ends the matches of the relay: fills in the figures that are reported for it alone, and returns its slices.
    async fn finish_as_relay(self, report: &mut Report) -> Result<Vec<Slice>, LoadError> {
        let tally = self.pool.close().await?;
        report.baseline_ack_ms_p50 = quantile_ms(&tally.acknowledged.borrow(), 0.5);
        report.baseline_ack_ms_p99 = quantile_ms(&tally.acknowledged.borrow(), 0.99);
        if !tally.clean() {
            let slips = tally.slips.borrow().join("; ");
            return Err(LoadError::Failed(format!("the relay failed: {slips}")));
        }
        Ok(self.slices)
    }

    /// Plays one slice. `cpu` returns the CPU time that the server has used.
    async fn slice(
        &mut self,
        time: Duration,
        mut cpu: impl AsyncFnMut() -> Result<Duration, LoadError>,
    ) -> Result<(), LoadError> {
        let (cpu_before, load_before) = (cpu().await?, cpu_time());
        let moves_before = self.pool.tally.moves.get();
        let (moves, measured) = self.pool.play(time).await?;
        let load = cpu_time() - load_before;
        let spent = cpu().await?.saturating_sub(cpu_before);
        // The moves in flight at the end of the slice have cost something too.
        let paid = (self.pool.tally.moves.get() - moves_before) as f64;
        self.slices.push(Slice {
            moves_per_s: moves as f64 / measured.as_secs_f64(),
            cpu_us: spent.as_secs_f64() * 1e6 / paid,
            load_cpu_us: load.as_secs_f64() * 1e6 / paid,
        });
        Ok(())
    }
}

/// Holds the server, the relay and us to cores; or the reason why not.
fn pin(address: SocketAddr, server: Option<u32>, relay: Option<&Relay>) -> Result<Pinning, String> {
    if !address.ip().is_loopback() {
        return Err("the server is on another computer".to_owned());
    }
    let others = relay.map(Relay::pid);
    let pids: Option<Vec<u32>> = [server].into_iter().chain(others).collect();
    let pids = pids.ok_or("the server does not report its process id")?;
    Pinning::new(&pids)
}

impl Load {
    async fn measure(&self, server: Option<&str>) -> Result<Report, LoadError> {
        let players = self.matches as usize * if self.baseline { 4 } else { 2 };
        let others = self.idle + self.watchers + self.askers + OTHERS_AT_ONCE;
        allow_connections(players + others as usize)?;
        let server = self.server(server).await?;
        let report = self.measure_at(&server).await;
        let stopped = server.stop().await;
        let report = report?;
        stopped?;
        Ok(report)
    }

    /// The server to be measured.
    async fn server(&self, given: Option<&str>) -> Result<Server, LoadError> {
        let program = match (given, &self.spawn) {
            (Some(_), Some(_)) => {
                return Err(LoadError::Usage(Misread(Message::new("load-both"))));
            }
            (Some(url), None) => return Ok(Server::running(self.allowed_address(url).await?)),
            (None, Some(program)) => program.clone(),
            (None, None) => server_beside_us()
                .ok_or_else(|| LoadError::Usage(Misread(Message::new("load-no-server"))))?,
        };
        let parent = self.data_parent.clone().unwrap_or_else(std::env::temp_dir);
        Server::spawn(&program, &parent, self.workers, self.open).await
    }

    /// The address behind a URL. Only this computer's own, unless allowed otherwise.
    async fn allowed_address(&self, url: &str) -> Result<SocketAddr, LoadError> {
        let host = ["http://", "ws://"]
            .iter()
            .find_map(|scheme| url.strip_prefix(scheme));
        let host = host.unwrap_or(url).trim_end_matches('/');
        let addresses = tokio::net::lookup_host(host).await.map_err(|error| {
            let message = Message::new("load-address").text("url", url);
            LoadError::Usage(Misread(message.message("why", system::said(&error))))
        })?;
        let addresses: Vec<SocketAddr> = addresses.collect();
        let first = addresses.first().copied();
        let address = first.ok_or_else(|| LoadError::Unreachable(format!("{url}: no address")))?;
        let remote = addresses.iter().find(|address| !address.ip().is_loopback());
        match remote {
            Some(remote) if !self.allow_remote => {
                let message = Message::new("load-remote").text("url", url);
                Err(LoadError::Usage(Misread(message.text("ip", remote.ip()))))
            }
            _ => Ok(address),
        }
    }

    /// Who sits where.
    async fn seating(&self, server: SocketAddr) -> Result<Seating, LoadError> {
        let mut servers = vec![server];
        for url in &self.also {
            servers.push(self.allowed_address(url).await?);
        }
        Ok(Seating {
            servers,
            across: self.across,
        })
    }

    async fn measure_at(&self, server: &Server) -> Result<Report, LoadError> {
        let address = server.address;
        let plan = Plan {
            period: self.rate.filter(|_| !self.open).map(|rate| {
                Duration::from_secs(1).mul_f64(f64::from(self.matches) / f64::from(rate))
            }),
            script: Rc::new(Script::nim(self.plies)),
            open: self.open.then(|| Open {
                arrivals: Rc::new(Arrivals::default()),
                obedient: !self.hostile,
            }),
            keeps_log: true,
        };
        let name = self.check_limits(address).await?;
        let at_first = Metrics::of(address).await?;
        let mut relay = match self.baseline {
            true => Some(Relay::spawn(plan.script.moves.len()).await?),
            false => None,
        };
        let seating = self.seating(address).await?;
        let pinning = match self.workers {
            1 if self.also.is_empty() => pin(address, at_first.pid, relay.as_ref()),
            _ => Err("the server may use all cores".to_owned()),
        };
        let mut report = self.report(name);
        report.take_cores(
            pinning
                .as_ref()
                .map(|pinning| (pinning.server_core, pinning.load_core))
                .map_err(Clone::clone),
        );

        let matches = self.matches as usize;
        let mut tested = Contestant::open(&seating, matches, &plan).await?;
        let with_matches = Metrics::of(address).await?;
        report.match_rss_kib = kib_each(at_first.resident, with_matches.resident, matches);
        let idle = Listeners::idle(address, report.idle).await?;
        if report.idle > 0 {
            let with_idle = Metrics::of(address).await?.resident;
            report.idle_connection_rss_kib =
                Some(kib_each(with_matches.resident, with_idle, report.idle));
        }
        let first_match = tested.pool.first_match.clone();
        let watchers = Watchers::open(address, report.watchers, first_match).await?;
        let askers = Listeners::asking(address, report.askers, &tested.pool).await?;
        let mut yardstick = match &relay {
            Some(relay) => {
                let plan = Plan {
                    keeps_log: false,
                    ..plan.clone()
                };
                Some(Contestant::open(&Seating::at(relay.address), matches, &plan).await?)
            }
            None => None,
        };
        match &plan.open {
            Some(open) => self.play_open(address, &mut tested, open).await?,
            None => {
                self.play_rounds(
                    &seating.servers,
                    &mut tested,
                    yardstick.as_mut().zip(relay.as_mut()),
                )
                .await?;
            }
        }
        report.server_rss_mib = mib(Metrics::of(address).await?.resident);
        tested.pool.tally.absorb(&watchers.close());
        askers.close().await;
        idle.close().await;
        let relay_slices = match yardstick {
            Some(yardstick) => yardstick.finish_as_relay(&mut report).await?,
            None => Vec::new(),
        };
        let tally = tested.pool.close().await?;
        report.take_slices(&tested.slices, &relay_slices);
        report.take_tally(&tally);
        if self.open {
            report.take_open(&tally);
        }
        match tally.refused() {
            Some(refused) => Err(refused),
            None => Ok(report),
        }
    }

    /// Checks that the server lets us ask often enough; its name and version.
    async fn check_limits(&self, address: SocketAddr) -> Result<String, LoadError> {
        let (_, welcome) = greet(address).await.map_err(|error| match error {
            LinkError::Lost(why) => LoadError::Unreachable(format!("http://{address}: {why}")),
            other => other.into(),
        })?;
        let allowed = welcome
            .limits
            .map_or(u32::MAX, |limits| limits.requests_per_second);
        if allowed < REQUESTS_PER_SECOND_MIN && self.rate.is_none() {
            return Err(LoadError::Limits(format!(
                "{allowed} requests a second on a connection"
            )));
        }
        Ok(welcome.server)
    }

    /// The report of a run that has not begun.
    fn report(&self, server: String) -> Report {
        Report {
            schema: "grundy/load/1",
            server,
            matches: self.matches as usize,
            seconds: f64::from(self.seconds),
            plies: self.plies,
            rate: self.rate.map(f64::from),
            idle: self.idle as usize,
            watchers: self.watchers as usize,
            askers: self.askers as usize,
            workers: self.workers,
            ..Report::default()
        }
    }

    /// Plays one slice of an open loop, and waits for the last answers.
    async fn play_open(
        &self,
        server: SocketAddr,
        tested: &mut Contestant,
        open: &Open,
    ) -> Result<(), LoadError> {
        let pool = &tested.pool;
        let arrivals = Rc::clone(&open.arrivals).run(
            self.rate.unwrap_or_default(),
            pool.phase(),
            Rc::clone(&pool.tally),
        );
        let dealt = tokio::task::spawn_local(arrivals);
        let target = Target {
            address: server,
            tally: Rc::clone(&pool.tally),
            first_match: pool.first_match.clone(),
            phase: pool.phase(),
            obedient: open.obedient,
        };
        let others = Others::open(&target, self.mix.unwrap_or_default()).await?;
        let time = Duration::from_secs(self.seconds.into());
        let slice = tested.slice(time, async || Ok(Metrics::of(server).await?.cpu));
        slice.await?;
        others.close().await;
        dealt.abort();
        Ok(())
    }

    async fn play_rounds(
        &self,
        servers: &[SocketAddr],
        tested: &mut Contestant,
        mut yardstick: Option<(&mut Contestant, &mut Relay)>,
    ) -> Result<(), LoadError> {
        tested.warm_up().await?;
        if let Some((yardstick, _)) = &mut yardstick {
            yardstick.warm_up().await?;
        }
        let time = Duration::from_secs(self.seconds.into()) / ROUNDS;
        for _ in 0..ROUNDS {
            let cpu = async || {
                let mut spent = Duration::ZERO;
                for server in servers {
                    spent += Metrics::of(*server).await?.cpu;
                }
                Ok(spent)
            };
            tested.slice(time, cpu).await?;
            if let Some((yardstick, relay)) = &mut yardstick {
                yardstick.slice(time, async || relay.cpu().await).await?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        load: Load,
    }

    fn load(arguments: &[&str]) -> Result<Load, clap::Error> {
        let line = Line::try_parse_from([&["load"], arguments].concat());
        line.map(|line| line.load)
    }

    #[test]
    fn a_server_elsewhere_is_refused_unless_allowed() {
        for url in [
            "http://192.0.2.1:7310",
            "192.0.2.1:7310",
            "ws://[2001:db8::1]:7310/",
        ] {
            let asked = load(&[]).expect("defaults");
            let error = run(&asked, Some(url)).expect_err(url);
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains("--allow-remote"), "{error}");
        }
    }

    #[test]
    fn nobody_there_is_exit_5() {
        // Bound, so that nobody else takes the port, and nobody listens.
        let held = tokio::net::TcpSocket::new_v4().expect("a socket");
        held.bind(([127, 0, 0, 1], 0).into()).expect("a port");
        let address = held.local_addr().expect("an address");
        let asked = load(&["--allow-remote"]).expect("defaults");
        let error = run(&asked, Some(&format!("http://{address}/"))).expect_err("nobody");
        assert_eq!(error.exit_code(), 5, "{error}");
    }

    #[test]
    fn every_bound_is_kept() {
        for arguments in [
            ["--matches", "0"],
            ["--matches", "10001"],
            ["--seconds", "0"],
            ["--seconds", "601"],
            ["--plies", "0"],
            ["--rate", "0"],
            ["--idle", "20001"],
            ["--watchers", "5001"],
        ] {
            assert!(load(&arguments).is_err(), "{arguments:?}");
        }
        assert!(load(&["--matches", "10000", "--seconds", "600"]).is_ok());
    }

    #[test]
    fn two_servers_are_one_too_many() {
        let asked = load(&["--spawn", "/nowhere"]).expect("good");
        let error = run(&asked, Some("http://127.0.0.1:1")).expect_err("which?");
        assert_eq!(error.exit_code(), 2);
    }
}
