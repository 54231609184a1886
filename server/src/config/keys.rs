//! Every key: what it is, its default and its bounds.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use etcetera::BaseStrategy;
use grundy_shared::bounds::MATCHES_PER_PLAYER_MAX;
use grundy_shared::ids::Millis;

use super::kinds::{
    AddressRanges, Creators, Hosts, LogFilter, LogFormat, Origins, PlayerIds, Profile, PublicUrl,
};
use super::services::{BusUrl, DatabaseUrl, NodeName};
use super::setting::{ConfigError, Key, Layer, settings};

settings! {
    /// Everything that can be set. Built only by [`Config::load`] or, in tests, from [`Config::default`].
    pub struct Config "" {
        /// Address and port to listen on; port 0 takes a free one.
        listen: SocketAddr = SocketAddr::from((Ipv4Addr::LOCALHOST, 7310)),
        /// Directory of the database; created if absent. Default: `$XDG_DATA_HOME/grundy-server`.
        data: PathBuf = default_data_directory(),
        /// A PostgreSQL database that takes the place of the file in `data`, as `postgres://grundy_server@db.example/grundy`; several servers may share it. Its password is not printed.
        database: Option<DatabaseUrl> = None,
        /// The NATS server by which the servers on one `database` tell each other at once what they have stored, as `nats://bus.example:4222`. Without it they look several times a second. Its password is not printed.
        bus: Option<BusUrl> = None,
        /// The name of this server among those on one `database`; the same name is the same server. Default: the name of the machine and `listen`.
        node: Option<NodeName> = None,
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
        /// Pages of other sites that may connect, separated by commas, as a browser names them: `https://play.example, http://localhost:8080`. Pages of this server's own host and of `public_url` always may.
        allowed_origins: Origins = Origins::default(),
        /// Further names by which requests may ask for this server, separated by commas and without ports: `play.example, grundy.lan`. The names `localhost`, the address that is listened on and the host of `public_url` always may.
        allowed_hosts: Hosts = Hosts::default(),
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
    sections { limits: Limits, trusted: Trusted, quotas: Quotas, storage: Storage, times: Times, tournaments: Tournaments, solver: Solver, overload: Overload }
}

settings! {
    /// How much of anything there may be.
    pub struct Limits "limits." {
        /// Bytes of one message from a client; a larger one closes the connection with 1009. The least holds every move of every match.
        message_bytes: u32 = 16 * 1024, in 16_384..=65_536,
        /// Bytes of one message to a client; longer answers are paged.
        reply_bytes: u32 = 64 * 1024, in 65_536..=1_048_576,
        /// Burst of requests of one connection, and of pages that one address loads.
        burst: u32 = 30, in 1..=1_000_000,
        /// Sustained requests per second of one connection, and pages of one address.
        requests_per_second: u32 = 10, in 1..=1_000_000,
        /// Messages that wait for a slow reader.
        queue_messages: u32 = 64, in 8..=4096,
        /// Bytes that wait for a slow reader; at least `limits.reply_bytes`.
        queue_bytes: u32 = 256 * 1024, in 65_536..=16_777_216,
        /// Matches of one player that may wait or run at once.
        matches_per_player: u32 = 20, in 1..=MATCHES_PER_PLAYER_MAX,
        /// The same for a player that is a bot.
        bot_matches_per_player: u32 = 200, in 1..=MATCHES_PER_PLAYER_MAX,
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
        /// Sessions at once from one address, and as many requests for pages and files beside them.
        connections_per_address: u32 = 20, in 1..=1_000_000,
        /// New connections a second from one address, after `limits.connections_per_address` at once.
        connections_per_second_per_address: u32 = 5, in 1..=100_000,
        /// Wrong join codes a minute from one address, in messages and in addresses of pages.
        code_guesses_per_minute: u32 = 10, in 1..=10_000,
        /// New guests a minute from one address.
        guests_per_minute_per_address: u32 = 30, in 1..=1_000_000,
        /// Attempts a minute to sign in to one account.
        logins_per_minute_per_account: u32 = 5, in 1..=1_000_000,
        /// Wrong attempts in ten minutes to sign in from one address.
        logins_per_ten_minutes_per_address: u32 = 10, in 1..=1_000_000,
        /// New tokens a minute of one player, besides those of logins.
        tokens_per_minute_per_player: u32 = 20, in 1..=1_000_000,
        /// How many moves the watchers of a rated match are behind its players.
        rated_delay_moves: u32 = 2, in 0..=16,
        /// Lines that one player may say at once in the chat of matches.
        chat_burst: u32 = 5, in 1..=1_000,
        /// Lines a minute that one player may say after `limits.chat_burst`.
        chat_per_minute: u32 = 30, in 1..=10_000,
        /// Lines in one room of a match.
        chat_lines_per_room: u32 = 500, in 1..=2_000,
        /// Lines of one player in one room of a match.
        chat_lines_per_player: u32 = 200, in 1..=10_000,
        /// Matches that wait or run at once on this server.
        live_matches: u32 = 20_000, in 1..=1_000_000,
        /// An address may have at most the free places for matches divided by this, and at least one; half of the places are for matches that wait for a player, and are shared in the same way. 0: no share.
        address_share: u32 = 8, in 0..=1_000,
    }
    sections { }
}

settings! {
    /// The bounds of addresses and bots that the operator trusts. The larger of such a bound and the usual one holds for them.
    pub struct Trusted "trusted." {
        /// Addresses and ranges with larger bounds, separated by commas: `192.0.2.7, 2001:db8::/48`. The `quotas.` of addresses and `limits.matches_per_address` do not hold for them. Behind a proxy, loopback is never trusted.
        addresses: AddressRanges = AddressRanges::loopback(),
        /// Player ids of bots whose connections count for no address, wherever they come from, separated by commas; `grundy whoami --json` shows an id.
        bots: PlayerIds = PlayerIds::default(),
        /// Sessions at once from one of these addresses; it may make as many simultaneous requests for pages and files in addition.
        connections_per_address: u32 = 2_000, in 1..=1_000_000,
        /// New connections a second from one of these addresses, after `trusted.connections_per_address` at once.
        connections_per_second_per_address: u32 = 500, in 1..=100_000,
        /// New guests a minute from one of these addresses.
        guests_per_minute_per_address: u32 = 2_000, in 1..=1_000_000,
        /// Pages that one of these addresses may load at once.
        burst: u32 = 300, in 1..=1_000_000,
        /// Pages a second that one of these addresses may load after that.
        requests_per_second: u32 = 100, in 1..=1_000_000,
    }
    sections { }
}

settings! {
    /// How much may be used in 24 hours; 0: no bound.
    pub struct Quotas "quotas." {
        /// Bytes a day that the matches created at one address, and its new guests, may store before it is refused new ones.
        bytes_per_address: u64 = 512 * 1024 * 1024, in 0..=1_099_511_627_776,
        /// Bytes a day that the matches and the chat of one player may store before the player is refused new ones.
        bytes_per_player: u64 = 256 * 1024 * 1024, in 0..=1_099_511_627_776,
        /// Matches a day that may be created at one address.
        matches_per_address: u32 = 20_000, in 0..=1_000_000_000,
        /// Matches a day that one player may create.
        matches_per_player: u32 = 10_000, in 0..=1_000_000_000,
        /// New guests a day of one address.
        guests_per_address: u32 = 2_000, in 0..=1_000_000_000,
    }
    sections { }
}

settings! {
    /// What is kept of the disk, and for how long.
    pub struct Storage "storage." {
        /// While less than so many bytes are free on the disk of the database, new matches, guests, chat and tournaments are refused; running matches go on. 0: no reserve.
        reserve_bytes: u64 = 256 * 1024 * 1024, in 0..=1_099_511_627_776,
        /// Guests without a password who have never played are removed after this time, unless they are connected. 0: never.
        keep_unused_guests_ms: Millis = Millis(2_592_000_000), in 0..=315_360_000_000,
        /// Matches that ended without a move and count for nothing are removed after this time. 0: never.
        keep_void_matches_ms: Millis = Millis(604_800_000), in 0..=315_360_000_000,
    }
    sections { }
}

settings! {
    /// How long anything may take, in milliseconds.
    pub struct Times "times." {
        /// From accepting a connection to the end of its HTTP request head or WebSocket handshake.
        handshake_ms: Millis = Millis(5_000), in 100..=60_000,
        /// From the head of an HTTP request to the end of its answer: a slow reader has this long for it.
        answer_ms: Millis = Millis(60_000), in 100..=600_000,
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
        /// An invitation of a player without a password ends if the player has not followed its match for so long. After a start of the server the time begins again.
        invitation_away_ms: Millis = Millis(3_600_000), in 1_000..=2_592_000_000,
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
        /// One player, and all players of one address together, may have at most the free places for tournaments divided by this, and at least one; operators may have all. 0: no such limit.
        share: u32 = 4, in 0..=1_000,
        /// Players of one tournament.
        players: u32 = 1_000, in 2..=1_000,
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
        /// Jobs that may wait for a thread: as many moves of built-in bots as analyses, and as many of each that have not begun yet.
        queue: u32 = 256, in 1..=10_000,
        /// Of these, jobs from one address.
        queue_per_address: u32 = 64, in 1..=10_000,
        /// Of these, jobs of one player.
        queue_per_player: u32 = 32, in 1..=10_000,
        /// Plies of the longest match that is reviewed.
        review_plies: u32 = 500, in 1..=10_000,
        /// Bytes of all reviews that are stored; those stored first go. 0: none is stored.
        stored_reviews_bytes: u64 = 256 * 1024 * 1024, in 0..=1_099_511_627_776,
        /// Number of puzzles from which on finished matches add none. 0: they never do. The puzzles that come with the program are always there.
        puzzles: u32 = 100_000, in 0..=10_000_000,
    }
    sections { }
}

settings! {
    /// When the server refuses new work so that running matches stay fast.
    pub struct Overload "overload." {
        /// The delay of moves by the server's own work, in milliseconds, from which on new guests are refused; new matches, analyses and watchers are refused from 1.5, 2 and 2.5 times it. 0: never.
        target_ms: Millis = Millis(100), in 0..=10_000,
        /// How long new guests and matches wait for their turn before they are refused. 0: they are refused at once.
        wait_ms: Millis = Millis(5_000), in 0..=60_000,
        /// Memory that the server may take, in bytes; new work is refused in the same order from 85 % of it on. 0: no bound.
        memory_bytes: u64 = 0, in 0..=1_099_511_627_776,
    }
    sections { }
}

impl Config {
    /// Every key, in the order of the documentation.
    #[must_use]
    pub fn keys() -> Vec<&'static Key> {
        let tables = [
            Self::KEYS,
            Limits::KEYS,
            Trusted::KEYS,
            Quotas::KEYS,
            Storage::KEYS,
            Times::KEYS,
            Tournaments::KEYS,
            Solver::KEYS,
            Overload::KEYS,
        ];
        tables.into_iter().flatten().collect()
    }

    /// Every key with its value as TOML.
    #[must_use]
    pub fn values(&self) -> Vec<(&'static Key, String)> {
        let mut values = self.own_values();
        values.extend(self.limits.own_values());
        values.extend(self.trusted.own_values());
        values.extend(self.quotas.own_values());
        values.extend(self.storage.own_values());
        values.extend(self.times.own_values());
        values.extend(self.tournaments.own_values());
        values.extend(self.solver.own_values());
        values.extend(self.overload.own_values());
        values
    }
}

impl Key {
    /// The key with this path.
    pub(super) fn find(path: &str) -> Option<&'static Self> {
        Config::keys().into_iter().find(|key| key.path == path)
    }

    /// The key that the program itself names.
    pub(super) fn named(path: &'static str) -> &'static Self {
        Self::find(path).expect("the program names only keys of the table")
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
