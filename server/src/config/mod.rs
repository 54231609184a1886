//! What an operator can set: from flags, environment, a TOML file and built-in defaults, in this order.
//!
//! Each source is read on its own into a [`Layer`] in which every key is optional, and the layers are laid over each
//! other. All go through one table of keys, so an unknown key, a wrong kind and a number out of bounds are refused
//! in the same words wherever they come from, with the place and the nearest right thing.

mod args;
mod env;
mod file;
mod setting;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use grundy_shared::ids::{Millis, PlayerId};

pub use args::{Arguments, Command, LogKind};
pub use setting::{ConfigError, Key, Origin};

use setting::{Choice, Layer, Raw, settings};

settings! {
    /// Everything that can be set. Built only by [`Config::load`] or, in tests, from [`Config::default`].
    pub struct Config "" {
        /// Address and port to listen on; port 0 takes a free one.
        listen: SocketAddr = SocketAddr::from((Ipv4Addr::LOCALHOST, 7310)),
        /// Directory of the database; created if absent. Default: `$XDG_DATA_HOME/grundy-server`.
        data: PathBuf = default_data_directory(),
        /// Set of defaults: `default`, or `load` with the rates and connections that a load generator needs (loopback only).
        profile: Profile = Profile::Default,
        /// The certificate chain with which connections are encrypted, a PEM file; needs `tls_key`. It is read again when it changes.
        tls_cert: Option<PathBuf> = None,
        /// The private key of `tls_cert`, a PEM file that only the server's user (and group) can read.
        tls_key: Option<PathBuf> = None,
        /// The address by which others reach this server, as `https://play.example`: invitations print it.
        public_url: Option<PublicUrl> = None,
        /// A proxy in front encrypts the connections and names the peer in `X-Forwarded-For`. To listen on other than loopback, set this or `tls_cert`.
        behind_proxy: bool = false,
        /// Pages of other sites that may connect, separated by commas, as a browser names them: `https://play.example, http://localhost:8080`. Pages of this server's own host always may.
        allowed_origins: Origins = Origins::default(),
        /// Which log lines are written: `error`, `warn`, `info`, `debug`, `trace`, or directives such as `info,grundy_server=debug`.
        log: LogFilter = LogFilter("info".to_owned()),
        /// How log lines look: `auto` (people's on a terminal, else JSON), `human` or `json`.
        log_format: LogFormat = LogFormat::Auto,
        /// Player ids of operators, separated by commas; `grundy whoami --json` shows yours. Their tokens may have the scopes `admin` and `tournament`.
        operators: PlayerIds = PlayerIds::default(),
        /// Answer `/metrics` to peers beyond loopback.
        public_metrics: bool = false,
        /// Threads that serve connections. Default: as many as the processor has cores.
        workers: u32 = default_workers(), in 1..=64,
    }
    sections { limits: Limits, times: Times, tournaments: Tournaments, solver: Solver }
}

settings! {
    /// How much of anything there may be.
    pub struct Limits "limits." {
        /// Bytes of one message from a client; a larger one closes the connection with 1009. The least holds every move of every match.
        message_bytes: u32 = 16 * 1024, in 16_384..=65_536,
        /// Bytes of one message to a client; longer answers are paged.
        reply_bytes: u32 = 64 * 1024, in 65_536..=1_048_576,
        /// Burst of requests of one connection.
        burst: u32 = 30, in 1..=1_000_000,
        /// Sustained requests per second of one connection.
        requests_per_second: u32 = 10, in 1..=1_000_000,
        /// Messages that wait for a slow reader.
        queue_messages: u32 = 64, in 8..=4096,
        /// Bytes that wait for a slow reader; at least `limits.reply_bytes`.
        queue_bytes: u32 = 256 * 1024, in 65_536..=16_777_216,
        /// Matches of one player that may wait or run at once.
        matches_per_player: u32 = 20, in 1..=100_000,
        /// The same for a player that is a bot.
        bot_matches_per_player: u32 = 200, in 1..=100_000,
        /// Seeks of one player in the lobby at once.
        seeks_per_player: u32 = 5, in 1..=100,
        /// Seeks of all players in the lobby at once.
        seeks: u32 = 10_000, in 1..=100_000,
        /// Burst of requests of one bot's connection, without moves in matches that it follows.
        bot_burst: u32 = 100, in 1..=1_000_000,
        /// Sustained requests per second of one bot's connection, without those moves.
        bot_requests_per_second: u32 = 50, in 1..=1_000_000,
        /// Burst of moves of a bot in one match that it follows.
        bot_moves_burst_per_match: u32 = 20, in 1..=1_000_000,
        /// Sustained moves per second of a bot in one match that it follows.
        bot_moves_per_second_per_match: u32 = 50, in 1..=1_000_000,
        /// Requests of a bot's connection beyond these that wait for their turn; more are refused.
        bot_waiting_requests: u32 = 256, in 1..=4096,
        /// Messages that wait for a bot that reads slowly.
        bot_queue_messages: u32 = 1024, in 8..=4096,
        /// Matches that one bot's connection may follow at once.
        bot_follows_per_connection: u32 = 100, in 1..=10_000,
        /// Matches made from one address that may wait or run at once.
        matches_per_address: u32 = 400, in 1..=1_000_000,
        /// Matches that one connection may follow at once.
        follows_per_connection: u32 = 50, in 1..=10_000,
        /// Connections at once.
        connections: u32 = 10_000, in 1..=1_000_000,
        /// Connections at once from one address.
        connections_per_address: u32 = 20, in 1..=1_000_000,
        /// New connections a second from one address.
        connections_per_second_per_address: u32 = 5, in 1..=100_000,
        /// Wrong join codes a minute from one address.
        code_guesses_per_minute: u32 = 10, in 1..=10_000,
        /// New guests a minute from one address.
        guests_per_minute_per_address: u32 = 30, in 1..=1_000_000,
        /// Attempts a minute to sign in to one account.
        logins_per_minute_per_account: u32 = 5, in 1..=1_000_000,
        /// Wrong attempts in ten minutes to sign in from one address.
        logins_per_ten_minutes_per_address: u32 = 10, in 1..=1_000_000,
        /// New tokens a minute of one player, besides those of logins.
        tokens_per_minute_per_player: u32 = 20, in 1..=1_000_000,
        /// Matches that wait or run at once on this server.
        live_matches: u32 = 20_000, in 1..=1_000_000,
    }
    sections { }
}

settings! {
    /// How long anything may take, in milliseconds.
    pub struct Times "times." {
        /// From accepting a connection to the end of its HTTP request head or WebSocket handshake.
        handshake_ms: Millis = Millis(5_000), in 100..=60_000,
        /// From the handshake to `hello`.
        hello_ms: Millis = Millis(5_000), in 100..=60_000,
        /// Between two pings to a client.
        ping_ms: Millis = Millis(15_000), in 100..=300_000,
        /// A connection that sent nothing for so long is closed; longer than `times.ping_ms`.
        dead_after_ms: Millis = Millis(35_000), in 200..=900_000,
        /// A message that cannot be handed to the network for so long closes the connection.
        send_ms: Millis = Millis(5_000), in 100..=60_000,
        /// From the signal to stop to closing what is still open.
        stop_ms: Millis = Millis(10_000), in 100..=300_000,
        /// How long a join code is valid.
        join_code_ms: Millis = Millis(86_400_000), in 1_000..=2_592_000_000,
        /// How long a player must be gone before the log says so; twice as long each time again until the player's next move, up to 128 times.
        away_ms: Millis = Millis(5_000), in 0..=60_000,
        /// A match without clocks that both players have left for so long ends, and does not count.
        abandoned_ms: Millis = Millis(1_209_600_000), in 1_000..=315_360_000_000,
        /// Between two waves of automatic matching.
        wave_ms: Millis = Millis(2_000), in 100..=60_000,
        /// How long automatic matching looks for an opponent. After a fifth of it the terms may differ a little, after two fifths entirely.
        give_up_ms: Millis = Millis(30_000), in 1_000..=600_000,
    }
    sections { }
}

settings! {
    /// Who may create tournaments, and how large they may be.
    pub struct Tournaments "tournaments." {
        /// Who may create tournaments: `nobody`, `operators`, `players` (everybody), or `auto` (everybody on a loopback address without a proxy, else operators).
        create: Creators = Creators::Auto,
        /// Tournaments that are not over at once.
        at_once: u32 = 20, in 1..=10_000,
        /// Players of one tournament.
        players: u32 = 200, in 2..=1_000,
    }
    sections { }
}

settings! {
    /// Budgets of one analysis, and of all.
    pub struct Solver "solver." {
        /// CPU time of one analysis, in milliseconds.
        cpu_ms: Millis = Millis(200), in 1..=60_000,
        /// Memory of one analysis.
        memory_bytes: u64 = 64 * 1024 * 1024, in 1_048_576..=17_179_869_184,
        /// Positions that one analysis may visit.
        nodes: u64 = 2_000_000, in 1_000..=1_000_000_000,
        /// Threads for analysis. Default: one less than the processor has cores, at least 1.
        threads: u32 = default_solver_threads(), in 1..=256,
        /// Analyses that may wait for a thread.
        queue: u32 = 64, in 1..=10_000,
        /// Plies of the longest match that is reviewed.
        review_plies: u32 = 500, in 1..=10_000,
    }
    sections { }
}

/// A set of defaults.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// For people and bots from anywhere.
    Default,
    /// For a load generator on the same machine.
    Load,
}

impl Choice for Profile {
    const ALL: &'static [(&'static str, Self)] =
        &[("default", Self::Default), ("load", Self::Load)];
}

impl Profile {
    /// What this set changes of the built-in defaults.
    fn changes(self) -> &'static [(&'static str, u64)] {
        match self {
            Self::Default => &[],
            Self::Load => &[
                ("limits.burst", 100_000),
                ("limits.requests_per_second", 100_000),
                ("limits.matches_per_player", 10_000),
                ("limits.bot_matches_per_player", 10_000),
                ("limits.bot_burst", 100_000),
                ("limits.bot_requests_per_second", 100_000),
                ("limits.bot_moves_burst_per_match", 100_000),
                ("limits.bot_moves_per_second_per_match", 100_000),
                ("limits.matches_per_address", 1_000_000),
                ("limits.connections", 50_000),
                ("limits.connections_per_address", 50_000),
                ("limits.connections_per_second_per_address", 50_000),
                ("limits.guests_per_minute_per_address", 1_000_000),
                ("limits.logins_per_minute_per_account", 1_000_000),
                ("limits.logins_per_ten_minutes_per_address", 1_000_000),
            ],
        }
    }
}

/// Who may create tournaments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Creators {
    /// Everybody where only this machine can reach the server, else operators.
    Auto,
    /// Nobody.
    Nobody,
    /// The players that the operator names.
    Operators,
    /// Everybody.
    Players,
}

impl Choice for Creators {
    const ALL: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("nobody", Self::Nobody),
        ("operators", Self::Operators),
        ("players", Self::Players),
    ];
}

/// Players by their ids.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerIds(Vec<PlayerId>);

impl FromIterator<PlayerId> for PlayerIds {
    fn from_iter<I: IntoIterator<Item = PlayerId>>(players: I) -> Self {
        Self(players.into_iter().collect())
    }
}

impl PlayerIds {
    /// Whether this player is one of them.
    #[must_use]
    pub fn contains(&self, player: PlayerId) -> bool {
        self.0.contains(&player)
    }
}

/// How log lines look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogFormat {
    /// For people on a terminal, JSON otherwise.
    Auto,
    /// For people.
    Human,
    /// One JSON object a line.
    Json,
}

impl Choice for LogFormat {
    const ALL: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("human", Self::Human),
        ("json", Self::Json),
    ];
}

/// Directives that choose log lines, known to parse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogFilter(String);

impl LogFilter {
    /// The directives.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Sites whose pages may connect, each as `scheme://host` or `scheme://host:port`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origins(Vec<String>);

impl Origins {
    /// Whether this is one of them, letter by letter: browsers write an origin in one way only.
    #[must_use]
    pub fn contains(&self, origin: &[u8]) -> bool {
        self.0.iter().any(|allowed| allowed.as_bytes() == origin)
    }
}

/// The address by which others reach the server: `https://HOST` or `http://HOST`, with a port where it is not the usual one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// The address, without a slash at its end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn default_data_directory() -> PathBuf {
    match etcetera::base_strategy::Xdg::new() {
        Ok(directories) => directories.data_dir().join("grundy-server"),
        // Without a home directory there is no better place than the one we stand in.
        Err(_) => PathBuf::from("grundy-server-data"),
    }
}

fn default_workers() -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    u32::try_from(cores).map_or(64, |cores| cores.clamp(1, 64))
}

fn default_solver_threads() -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    u32::try_from(cores.saturating_sub(1)).map_or(256, |threads| threads.clamp(1, 256))
}

/// A configuration and where each of its values came from.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The values.
    pub config: Config,
    layer: Layer,
}

impl Loaded {
    /// The whole configuration as TOML that reads back, with the origin of each value as a comment. No key is secret.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        let mut section = "";
        for (key, value) in self.config.values() {
            let (prefix, name) = key.path.rsplit_once('.').unwrap_or(("", key.path));
            if prefix != section {
                section = prefix;
                text.push_str(&format!("\n[{section}]\n"));
            }
            let line = format!("{name} = {value}");
            text.push_str(&format!("{line:<48} # {}\n", self.layer.origin(key.path)));
        }
        text
    }
}

impl Config {
    /// Reads the configuration of this process: flags over environment over file over defaults.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place and how to mend it.
    pub fn load(
        arguments: &Arguments,
        environment: impl IntoIterator<Item = (std::ffi::OsString, std::ffi::OsString)>,
    ) -> Result<Loaded, ConfigError> {
        let environment = env::read(environment)?;
        let file = arguments.config.as_deref().or(environment.file.as_deref());
        let mut layer = match file {
            Some(path) => file::read(path)?,
            None => Layer::default(),
        };
        layer.lay(environment.layer);
        layer.lay(arguments.layer());
        Self::build(layer)
    }

    /// Reads one TOML text, as if it stood in `path`.
    ///
    /// # Errors
    /// As [`Config::load`].
    pub fn from_toml(path: &Path, text: &str) -> Result<Loaded, ConfigError> {
        Self::build(file::parse(path, text)?)
    }

    fn build(set: Layer) -> Result<Loaded, ConfigError> {
        let profile = set.read(Key::named("profile"), Profile::Default)?;
        let mut layer = Layer::default();
        for (path, value) in profile.changes() {
            layer.set(
                Key::named(path),
                Raw::Integer((*value).into()),
                Origin::Profile,
            );
        }
        layer.lay(set);
        let config = Self::from_layer(&layer)?;
        config.check(&layer)?;
        Ok(Loaded { config, layer })
    }

    /// Every key, in the order of the documentation.
    #[must_use]
    pub fn keys() -> Vec<&'static Key> {
        let tables = [
            Self::KEYS,
            Limits::KEYS,
            Times::KEYS,
            Tournaments::KEYS,
            Solver::KEYS,
        ];
        tables.into_iter().flatten().collect()
    }

    /// Every key with its value as TOML.
    #[must_use]
    pub fn values(&self) -> Vec<(&'static Key, String)> {
        let mut values = self.own_values();
        values.extend(self.limits.own_values());
        values.extend(self.times.own_values());
        values.extend(self.tournaments.own_values());
        values.extend(self.solver.own_values());
        values
    }

    /// Whether a player may create tournaments.
    #[must_use]
    pub fn lets_organise(&self, is_operator: bool) -> bool {
        match self.tournaments.create {
            Creators::Nobody => false,
            Creators::Operators => is_operator,
            Creators::Players => true,
            Creators::Auto => is_operator || self.is_local(),
        }
    }

    /// Whether only this machine can reach the server.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.listen.ip().is_loopback() && !self.behind_proxy
    }

    /// What no key can say alone.
    fn check(&self, layer: &Layer) -> Result<(), ConfigError> {
        let loopback = self.listen.ip().is_loopback();
        let refuse = |path, message: String| Err(ConfigError::new(layer.origin(path), message));
        if self.profile == Profile::Load && !loopback {
            return refuse(
                "profile",
                format!(
                    "profile \"load\" lifts the limits that protect a server, so it needs a loopback address, not {}; \
                     listen on 127.0.0.1 or leave the profile out",
                    self.listen
                ),
            );
        }
        let missing = match (&self.tls_cert, &self.tls_key) {
            (Some(_), None) => Some(("tls_cert", "tls_key", "its private key")),
            (None, Some(_)) => Some(("tls_key", "tls_cert", "its certificate")),
            _ => None,
        };
        if let Some((given, missing, what)) = missing {
            return refuse(
                given,
                format!("{given} needs {missing} as well: name the file of {what}"),
            );
        }
        if !loopback && !self.behind_proxy && self.tls_cert.is_none() {
            return refuse(
                "listen",
                format!(
                    "{} can be reached from other machines without encryption; name a certificate and its key with --tls-cert and \
                     --tls-key, or put a proxy in front that encrypts and say --behind-proxy, or listen on 127.0.0.1",
                    self.listen
                ),
            );
        }
        if self.times.dead_after_ms <= self.times.ping_ms {
            return refuse(
                "times.dead_after_ms",
                format!(
                    "times.dead_after_ms is {}, but must be longer than times.ping_ms, which is {}",
                    self.times.dead_after_ms, self.times.ping_ms
                ),
            );
        }
        if self.limits.queue_bytes < self.limits.reply_bytes {
            return refuse(
                "limits.queue_bytes",
                format!(
                    "limits.queue_bytes is {}, but must be at least limits.reply_bytes, which is {}",
                    self.limits.queue_bytes, self.limits.reply_bytes
                ),
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
