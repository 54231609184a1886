//! The program `grundy-server`: reads what it is to do, does it, and ends with a code and one line.

use std::fmt::Display;
use std::io::Write;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use grundy_server::admin::{self, AdminSocket, Configuration, Desk};
use grundy_server::app::{App, Dependencies, SolverMode, StartError};
use grundy_server::backup::{self, Pace, Retention};
use grundy_server::bus;
use grundy_server::chance::SystemChance;
use grundy_server::clock::{Clock, SystemClock, newest_believed};
use grundy_server::config::{Arguments, Command, Config, LogKind};
use grundy_server::exit::{Exit, Failure};
use grundy_server::export::{ExportError, Kind, export};
use grundy_server::fsck;
use grundy_server::lifecycle::{Hangups, Lifecycle, Signals};
use grundy_server::logging::Log;
use grundy_server::metrics::Metrics;
use grundy_server::migration;
use grundy_server::operator::{AdminReply, AdminRequest};
use grundy_server::store::Allowances;
use grundy_server::tls::{Certificates, Issuer};
use grundy_server::transport::Doorway;
use grundy_server::{data, health, node, service, store};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

/// A move allocates some fifty small pieces, and a batch a large one, after which glibc's allocator puts all its small pieces together again:
/// docs/PERFORMANCE.md has the figures.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    let exit = execute(&Arguments::parse()).unwrap_or_else(|failure| {
        // Without a standard error the code alone must do.
        let _ = writeln!(std::io::stderr(), "grundy-server: {failure}");
        failure.exit
    });
    ExitCode::from(exit.code())
}

/// Raises this process's limit of open files to what the system allows: each connection is one, and shells often allow 1,024 at first. If the system refuses,
/// the limit is unchanged.
fn allow_files() {
    let now = getrlimit(Resource::Nofile);
    let all = Rlimit {
        current: now.maximum,
        ..now
    };
    if let Err(error) = setrlimit(Resource::Nofile, all) {
        tracing::debug!(%error, "the number of open files stays as it was");
    }
}

fn execute(arguments: &Arguments) -> Result<Exit, Failure> {
    let loaded = Config::load(arguments, std::env::vars_os())?;
    if arguments.print_config {
        say(&loaded.to_toml());
        return Ok(Exit::Clean);
    }
    if arguments.check_config {
        Certificates::of(&loaded.config)?;
        store::open::check(&data::location_of(&loaded.config))
            .map_err(|error| Failure::new(Exit::Configuration, error.to_string()))?;
        if let Some(url) = &loaded.config.bus {
            bus::nats::check(url)
                .map_err(|error| Failure::new(Exit::Configuration, error.to_string()))?;
        }
        say("the configuration is good\n");
        return Ok(Exit::Clean);
    }
    let config = loaded.config;
    check_command(&config, arguments)?;
    match arguments.command.as_ref().unwrap_or(&Command::Run) {
        Command::Run => run(config, arguments),
        Command::Admin { json, request } => administer(&config, request, *json),
        Command::Health => {
            say(&format!(
                "{}\n",
                health::ask(config.listen, Certificates::of(&config)?.as_deref())?
            ));
            Ok(Exit::Clean)
        }
        Command::Fsck { json, accept } => check_store(&config, *json, *accept),
        Command::Export { kind, ids } => export_logs(&config, *kind, ids),
        Command::Backup {
            directory,
            keep,
            keep_daily,
            keep_weekly,
            full_speed,
            json,
        } => {
            let retention = Retention {
                newest: *keep,
                daily: *keep_daily,
                weekly: *keep_weekly,
            };
            let pace = match full_speed {
                true => Pace::Full,
                false => Pace::Gentle,
            };
            let made = backup::make(&config.data, directory, pace, &retention);
            report(*json, &runtime()?.block_on(made)?)
        }
        Command::VerifyBackup { backup, json } => {
            report(*json, &runtime()?.block_on(backup::verify(backup))?)
        }
        Command::Restore {
            backup,
            move_aside,
            json,
        } => {
            let restored = backup::restore(backup, &config.data, *move_aside);
            report(*json, &runtime()?.block_on(restored)?)
        }
        Command::MigrateStore { from, to, json, .. } => {
            let Some(to) = to else {
                return report(*json, &runtime()?.block_on(migration::take_back(from))?);
            };
            let moved = runtime()?.block_on(migration::migrate_store(from, to, &mut mention));
            report(*json, &moved?)
        }
        Command::Migrate { json, grant, .. } if config.database.is_some() => {
            migrate_database(&config, grant.as_deref(), *json)
        }
        Command::Migrate { grant: Some(_), .. } => Err(Failure::new(
            Exit::Configuration,
            "--grant is for a PostgreSQL database: name it with --database",
        )),
        Command::Migrate {
            dry_run,
            without_copy,
            json,
            grant: None,
        } => {
            let migration = match dry_run {
                true => runtime()?.block_on(backup::rehearse(&config.data))?,
                false => runtime()?.block_on(backup::migrate(&config.data, *without_copy))?,
            };
            report(*json, &migration)?;
            Ok(match migration.is_sound() {
                true => Exit::Clean,
                false => Exit::Store,
            })
        }
    }
}

/// Refuses what works on an SQLite file only where the configuration names another database, and says what to use instead.
fn check_command(config: &Config, arguments: &Arguments) -> Result<(), Failure> {
    let command = arguments.command.as_ref().and_then(Command::of_file);
    let (Some(database), Some((command, instead))) = (&config.database, command) else {
        return Ok(());
    };
    let why = format!(
        "{command} works on an SQLite file, and the configuration names {database}; {}",
        instead.replace("ADDRESS", &database.to_string())
    );
    Err(Failure::new(Exit::Configuration, why))
}

/// Makes or upgrades the tables of a PostgreSQL database, and gives a role the rights of servers.
fn migrate_database(config: &Config, grant: Option<&str>, json: bool) -> Result<Exit, Failure> {
    let roles = runtime()?.block_on(store::open::migrate(
        &data::location_of(config),
        grant,
        &mut mention,
    ))?;
    let database = data::shown(config);
    report(json, &TablesMade { database, roles })
}

/// Prints what was done, as sentences or as one JSON object.
fn report(json: bool, done: &(impl Display + Serialize)) -> Result<Exit, Failure> {
    let text = match json {
        true => serde_json::to_string(done)
            .map_err(|error| Failure::new(Exit::Failed, error.to_string()))?,
        false => done.to_string(),
    };
    say(&format!("{text}\n"));
    Ok(Exit::Clean)
}

/// Prints on standard output. Whoever closed it does not want to hear more; that is no reason to stop.
fn say(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
}

/// Prints on standard error what happens meanwhile. Without one, the work goes on.
fn mention(line: String) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The runtime of this thread; [`grundy_server::workers`] makes those of the others.
fn runtime() -> Result<Runtime, Failure> {
    Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot start threads: {error}")))
}

fn check_store(config: &Config, json: bool, accept: bool) -> Result<Exit, Failure> {
    let path = data::location_of(config);
    let report = if accept {
        let [before, after] = runtime()?.block_on(fsck::accept(&path))?;
        if !json {
            say(&format!("{before}\nAccepted. Checked again:\n"));
        }
        after
    } else {
        runtime()?.block_on(fsck::fsck(&path))?
    };
    if json {
        let report = serde_json::to_string(&report).expect("a report has only plain values");
        say(&format!("{report}\n"));
    } else {
        say(&format!("{report}\n"));
    }
    Ok(match report.is_sound() {
        true => Exit::Clean,
        false => Exit::Store,
    })
}

fn export_logs(config: &Config, kind: LogKind, ids: &[String]) -> Result<Exit, Failure> {
    let kind = match kind {
        LogKind::Match => Kind::Match,
        LogKind::Tournament => Kind::Tournament,
        LogKind::Account => Kind::Account,
        LogKind::Rating => Kind::Rating,
        LogKind::Chat => Kind::Chat,
        LogKind::Audit => Kind::Audit,
        LogKind::Solving => Kind::Solving,
        LogKind::Puzzle => Kind::Puzzle,
    };
    let out = std::io::BufWriter::new(std::io::stdout().lock());
    let done = runtime()?.block_on(export(&data::location_of(config), kind, ids, out));
    done.map(|()| Exit::Clean).map_err(|error| match error {
        ExportError::Store(error) => Failure::from(error),
        ExportError::BadId { .. } | ExportError::Unknown(_) => {
            Failure::new(Exit::Configuration, error.to_string())
        }
        ExportError::Write(_) => Failure::new(Exit::Failed, error.to_string()),
    })
}

/// What `migrate` did to a PostgreSQL database.
#[derive(Serialize)]
struct TablesMade {
    database: String,
    /// Those with the rights of servers.
    roles: Vec<String>,
}

impl Display for TablesMade {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { database, roles } = self;
        writeln!(
            f,
            "The tables in {database} are those that this version needs."
        )?;
        match roles.is_empty() {
            true => write!(
                f,
                "Servers connect with another role, which has no rights yet. Grant them once: grundy-server migrate --database {database} --grant ROLE"
            ),
            false => write!(
                f,
                "With all rights that servers need: {}.",
                roles.join(", ")
            ),
        }
    }
}

/// What the operator allows for this start.
#[derive(Clone, Copy)]
struct Permissions {
    files: Allowances,
    clock: bool,
}

impl Permissions {
    fn of(arguments: &Arguments) -> Self {
        Self {
            files: Allowances {
                new: arguments.new,
                loss: arguments.accept_loss,
                ..Allowances::default()
            },
            clock: arguments.accept_clock,
        }
    }
}

/// Asks the running server, and prints its reply. A refusal goes to standard output only as JSON.
fn administer(config: &Config, request: &AdminRequest, json: bool) -> Result<Exit, Failure> {
    let (reply, line) = admin::client::ask(&config.data, request)?;
    say(&match json {
        true => line,
        false if matches!(reply, AdminReply::Error(_)) => String::new(),
        false => reply.to_string(),
    });
    match reply {
        AdminReply::Error(error) => Err(Failure::new(Exit::Refused, error.message)),
        _ => Ok(Exit::Clean),
    }
}

fn run(config: Config, arguments: &Arguments) -> Result<Exit, Failure> {
    let log = Log::start(&config)
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot log: {error}")))?;
    allow_files();
    let runtime = runtime()?;
    let ended = runtime.block_on(serve(config, arguments.clone(), &log));
    runtime.shutdown_background();
    log.flush();
    ended.map(|()| Exit::Clean)
}

/// Serves until told to stop, and then until everything has ended.
async fn serve(config: Config, arguments: Arguments, log: &Log) -> Result<(), Failure> {
    let permissions = Permissions::of(&arguments);
    let hangups = Hangups::listen()
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot take signals: {error}")))?;
    let signals = Signals::listen()
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot take signals: {error}")))?;
    let certificates = Certificates::of(&config)?;
    // First, so that a start that is refused for its address makes nothing.
    let listener = TcpListener::bind(config.listen)
        .await
        .map_err(|error| Failure::listening(config.listen, &error))?;
    let address = listener
        .local_addr()
        .map_err(|error| Failure::listening(config.listen, &error))?;
    let made = data::make(&config.data)?;
    let place = data::location_of(&config);
    let store = store::open::open_as_allowed(&place, Some(&config.data), permissions.files).await?;

    let lifecycle = Lifecycle::new();
    let (node, name) = node::of(&config, address);
    if node::is_taken(&*store, node).await? {
        store.close().await;
        let why = format!(
            "another server with the name {name} is running on this database; stop it, or give this one another name with `node`"
        );
        return Err(Failure::new(Exit::InUse, why));
    }
    let last_run = match store::last_heartbeat(&*store, node).await? {
        Some(heartbeat) => Some(heartbeat),
        None => store::newest_match(&*store).await?,
    };
    let of_store = store.time().await?;
    let others = match of_store {
        Some(time) => newest_believed(time, store::heartbeats_but(&*store, node).await?),
        None => Default::default(),
    };
    let clock = match SystemClock::start_checked(of_store, last_run, others, permissions.clock) {
        Ok(clock) => Arc::new(clock),
        Err(doubt) => {
            store.close().await;
            let whose = if of_store.is_some() {
                " (this is the time of the database)"
            } else {
                ""
            };
            return Err(Failure::new(Exit::Store, format!("{doubt}{whose}")));
        }
    };
    let counted = log.clone();
    let metrics = Arc::new(Metrics::new(clock.now(), move || counted.dropped()));
    let lag = Arc::clone(&metrics);
    lifecycle.spawn(Arc::clone(&clock).tick(lifecycle.draining(), move |late| lag.lagged(late)));
    let dependencies = Dependencies {
        clock,
        chance: Arc::new(SystemChance),
        metrics,
        lifecycle: lifecycle.clone(),
        solver: SolverMode::OnThreads,
        node,
        bus: None,
    };
    let app = App::start(config.clone(), store, dependencies)
        .await
        .map_err(|error| match error {
            StartError::Store(error) => Failure::from(error),
            StartError::Bus(_) => Failure::new(Exit::Configuration, error.to_string()),
            StartError::Threads(_) => Failure::new(Exit::Failed, error.to_string()),
        })?;
    let tls = certificates.as_ref().map(Certificates::server);
    let read = move || Config::load(&arguments, std::env::vars_os()).map(|loaded| loaded.config);
    let configuration = Configuration::new(read, certificates.clone(), Some(log.clone()));
    let issuer = certificates.as_ref().map(|own| own.issuer());
    if issuer == Some(Issuer::Authority) {
        tracing::warn!(
            "tls_cert is the certificate of an authority (CA:TRUE), which the grundy command does not accept from a server: make one with basicConstraints=CA:FALSE"
        );
    }
    if let Some(certificates) = certificates {
        lifecycle.spawn(certificates.watch(lifecycle.draining()));
    }
    let configuration = Arc::new(configuration);
    lifecycle.spawn(configuration.clone().obey(app.clone(), hangups));
    open_desk(&app, configuration);
    lifecycle.spawn(service::serve(app, Doorway { listener, tls }));

    tracing::info!(%address, data = %data::shown(&config), node = name, version = env!("CARGO_PKG_VERSION"), "ready");
    if config.behind_proxy && config.public_url.is_none() && config.allowed_hosts.is_empty() {
        tracing::warn!(
            "the server is behind a proxy and knows no name of its own: requests for any host but localhost get 421 until public_url or allowed_hosts is set"
        );
    }
    announce(address, &config, issuer, made);
    let ended = lifecycle.run(signals, config.times.stop_ms).await;
    tracing::info!("stopped");
    ended.map_err(|reason| Failure::new(Exit::Failed, reason))
}

/// Opens the socket for administrators. The server serves players without it as well.
fn open_desk(app: &Arc<App>, configuration: Arc<Configuration>) {
    let config = app.config.current();
    let data = &config.data;
    if data::location(data) == *data {
        return tracing::info!("a store in memory has no socket for administrators");
    }
    match AdminSocket::open(data) {
        Ok(socket) => {
            let desk = Desk::new(app.clone(), configuration);
            drop(app.lifecycle.spawn(desk.serve(socket)));
        }
        Err(error) => {
            let path = admin::path_of(data);
            tracing::error!(%error, socket = %path.display(), "the socket for administrators cannot be opened");
        }
    }
}

/// The first line is for programs, the others say what to type next.
fn announce(address: SocketAddr, config: &Config, issuer: Option<Issuer>, made: bool) {
    // Cargo tells what it runs; whoever began with `cargo run` has no `grundy` in the path yet.
    let client = match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(_) => "cargo run --release -p grundy-cli --",
        None => "grundy",
    };
    let scheme = if config.tls_cert.is_some() {
        "https"
    } else {
        "http"
    };
    let own = format!("{scheme}://{address}");
    let server = match &config.public_url {
        Some(url) => format!(" --server {}", url.as_str()),
        None if config.tls_cert.is_none() && address == Config::default().listen => String::new(),
        None => format!(" --server {own}"),
    };
    // Without it the command refuses a self-signed certificate.
    let trust = match (issuer, &config.tls_cert) {
        (Some(Issuer::Itself | Issuer::Authority), Some(cert)) => {
            let cert = std::path::absolute(cert).unwrap_or_else(|_| cert.clone());
            format!(" --ca {}", quoted(&cert.display().to_string()))
        }
        _ => String::new(),
    };
    let made = if made && config.database.is_none() {
        " (new)"
    } else {
        ""
    };
    say(&format!(
        "listening on {own}\n\
         Matches are kept in {data}{made}.\n\
         Play a bot, in a second terminal:   {client} play nim:3,5,7{server}{trust}\n\
         Play a friend:                      {client} play nim:3,5,7 --invite{server}{trust}\n\
         Stop the server with Ctrl-C; matches go on at the next start.\n",
        data = data::shown(config),
    ));
}

/// A word, quoted for a shell if necessary.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    match word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
