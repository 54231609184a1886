//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::operator::AdminRequest;

use super::place::StorePlace;
use super::setting::{Key, Layer, Origin, Raw};

/// Match server for Nim and its relatives.
#[derive(Parser, Clone, Debug, Default)]
#[command(name = "grundy-server", version, about, max_term_width = 100)]
pub struct Arguments {
    /// What to do; `run` when left out
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Read this TOML file first [env: GRUNDYD_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Address and port to listen on; port 0 takes a free one [default: 127.0.0.1:7310]
    #[arg(long, global = true, value_name = "ADDR")]
    listen: Option<String>,

    /// Directory of the database; made when absent [default: $XDG_DATA_HOME/grundy-server]
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<String>,

    /// Keep everything in this PostgreSQL database, which several servers may share [env: GRUNDYD_DATABASE]
    #[arg(long, global = true, value_name = "URL")]
    database: Option<String>,

    /// The NATS server that carries hints between servers on one database [env: GRUNDYD_BUS]
    #[arg(long, global = true, value_name = "URL")]
    bus: Option<String>,

    /// The name of this server among those on one database [default: the machine's name and --listen]
    #[arg(long, global = true, value_name = "NAME")]
    node: Option<String>,

    /// Set of defaults: default, or load (for a load generator, loopback only)
    #[arg(long, global = true, value_name = "NAME")]
    profile: Option<String>,

    /// Pages of other sites that may connect, separated by commas: `https://play.example`
    #[arg(long, global = true, value_name = "ORIGINS")]
    allowed_origins: Option<String>,

    /// Further names of this server, separated by commas: `play.example`
    #[arg(long, global = true, value_name = "HOSTS")]
    allowed_hosts: Option<String>,

    /// Log lines to write: error, warn, info, debug, trace, or directives
    #[arg(long, global = true, value_name = "FILTER")]
    log: Option<String>,

    /// Encrypt connections with the certificate in this PEM file
    #[arg(long, global = true, value_name = "FILE")]
    tls_cert: Option<String>,

    /// The private key of the certificate, a PEM file
    #[arg(long, global = true, value_name = "FILE")]
    tls_key: Option<String>,

    /// The address by which others reach this server, for invitations: `https://play.example`
    #[arg(long, global = true, value_name = "URL")]
    public_url: Option<String>,

    /// A proxy in front encrypts connections and names the peer; allows addresses beyond loopback
    #[arg(long, global = true)]
    behind_proxy: bool,

    /// Begin with an empty database although an earlier run is known; refused where there is a database
    #[arg(long)]
    pub new: bool,

    /// Use the database as it is, although its last commits may be missing
    #[arg(long)]
    pub accept_loss: bool,

    /// Use this machine's clock as it is, although it is far from the last heartbeat of the server
    #[arg(long)]
    pub accept_clock: bool,

    /// Check the configuration and stop
    #[arg(long)]
    pub check_config: bool,

    /// Print the whole configuration as TOML, with the origin of each value, and stop
    #[arg(long)]
    pub print_config: bool,
}

/// What the program can be asked to do.
#[derive(Subcommand, Clone, Debug)]
pub enum Command {
    /// Serve until told to stop
    Run,
    /// Ask a running server whether it is ready: exit 0 when it is, 5 when not
    Health,
    /// Verify every record of the database: exit 0 when clean, 3 with findings
    Fsck {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
        /// Afterwards take what other programs have written for right, and check again. Only what the logs contradict is found then
        #[arg(long)]
        accept: bool,
    },
    /// Back up the database into a new directory within DIR, while the server runs
    Backup {
        /// Directory of backups, best on another disk; made if it is not there
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// Then remove all but the newest N backups
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        keep: Option<u32>,
        /// Keep the newest backup of each of the last N days with backups
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        keep_daily: Option<u32>,
        /// Keep the newest backup of each of the last N weeks with backups
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        keep_weekly: Option<u32>,
        /// Do not pause: faster, but a running server has less of the processor and the disk
        #[arg(long)]
        full_speed: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Verify a backup: its manifest, its SHA-256, and every record in it
    VerifyBackup {
        /// A backup, or a directory of backups, of which the newest is verified
        #[arg(value_name = "DIR")]
        backup: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Restore a backup into the data directory, which no server may use
    Restore {
        /// A backup, or a directory of backups, of which the newest is restored
        #[arg(value_name = "DIR")]
        backup: PathBuf,
        /// Move a database that is there into a directory beside it
        #[arg(long)]
        move_aside: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Upgrade the schema of the database, as the next start would do, and check the result; with --database, make or upgrade the tables
    Migrate {
        /// Only try it on a copy, and say how long it takes and how much space it needs
        #[arg(long)]
        dry_run: bool,
        /// Do not keep a copy of the database as it is before
        #[arg(long, conflicts_with = "dry_run")]
        without_copy: bool,
        /// With --database: give this role the rights that servers need, and no others. Later upgrades renew them by themselves
        #[arg(long, value_name = "ROLE", conflicts_with_all = ["dry_run", "without_copy"])]
        grant: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Copy a whole store from SQLite to PostgreSQL or back, check it, and only then let servers use it, and no longer the old one; no server may use either meanwhile
    MigrateStore {
        /// The store to copy: sqlite:DIR or postgres://USER@HOST:PORT/DATABASE. Its records are not changed, but servers no longer start on it
        #[arg(value_name = "FROM")]
        from: StorePlace,
        /// Where to: a directory without a database, or a database with tables and no records ('migrate --database'). Run it again to go on after an interruption
        #[arg(value_name = "TO", required_unless_present = "undo")]
        to: Option<StorePlace>,
        /// Let servers use FROM again after it was moved, as it was before; nothing is copied
        #[arg(long, conflicts_with = "to")]
        undo: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Administer the running server of this data directory, over its local socket
    Admin {
        /// Print the server's reply as one JSON object
        #[arg(long, global = true)]
        json: bool,
        /// What to do
        #[command(subcommand)]
        request: Box<AdminRequest>,
    },
    /// Write logs of the database as NDJSON, each with its hash chain: a header line, then a line for each event
    Export {
        /// What the logs are of
        #[arg(long, value_name = "KIND")]
        kind: LogKind,
        /// Ids of matches, tournaments, accounts, ratings, rooms, players or puzzles
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
    },
}

/// What a log is of.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogKind {
    /// Matches: their records, as 'grundy games export' writes them
    Match,
    /// Tournaments
    Tournament,
    /// Accounts of players
    Account,
    /// Ratings of players: the id is PLAYER/GAME, such as 67e55044-10b1-426f-9247-bb680e5fe0c8/nim
    Rating,
    /// Rooms of matches: the id is MATCH/ROOM, and ROOM is players or watchers
    Chat,
    /// What operators have done: the id is server
    Audit,
    /// Puzzles that players have tried: the id is that of the player
    Solving,
    /// Attempts at puzzles, which name nobody: the id is that of the puzzle
    Puzzle,
}

impl Command {
    /// The name of a command that works on the SQLite file of a data directory only, and what to do with a database whose address is `ADDRESS`.
    #[must_use]
    pub fn of_file(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Backup { .. } => Some((
                "backup",
                "back it up with: pg_dump --format=custom --file=grundy.dump ADDRESS (best as the owner of the tables)",
            )),
            Self::Restore { .. } => Some((
                "restore",
                "restore into an empty database with: pg_restore --single-transaction --exit-on-error --dbname=ADDRESS grundy.dump (as the owner of the database)",
            )),
            Self::Fsck { accept: true, .. } => Some((
                "fsck --accept",
                "PostgreSQL keeps no seals and sums to renew: run fsck without --accept",
            )),
            Self::Migrate {
                dry_run,
                without_copy,
                ..
            } => (*dry_run || *without_copy).then_some((
                "migrate with --dry-run or --without-copy",
                "copy it with pg_dump first, then run migrate alone",
            )),
            Self::Run
            | Self::Health
            | Self::Fsck { .. }
            | Self::Export { .. }
            | Self::VerifyBackup { .. }
            | Self::MigrateStore { .. }
            | Self::Admin { .. } => None,
        }
    }
}

impl Arguments {
    /// What the flags set.
    pub(super) fn layer(&self) -> Layer {
        let mut layer = Layer::default();
        let words = [
            ("--listen", "listen", &self.listen),
            ("--data", "data", &self.data),
            ("--database", "database", &self.database),
            ("--bus", "bus", &self.bus),
            ("--node", "node", &self.node),
            ("--profile", "profile", &self.profile),
            (
                "--allowed-origins",
                "allowed_origins",
                &self.allowed_origins,
            ),
            ("--allowed-hosts", "allowed_hosts", &self.allowed_hosts),
            ("--tls-cert", "tls_cert", &self.tls_cert),
            ("--tls-key", "tls_key", &self.tls_key),
            ("--public-url", "public_url", &self.public_url),
            ("--log", "log", &self.log),
        ];
        for (flag, path, word) in words {
            if let Some(word) = word {
                layer.set(
                    Key::named(path),
                    Raw::Word(word.clone()),
                    Origin::Flag(flag),
                );
            }
        }
        if self.behind_proxy {
            let origin = Origin::Flag("--behind-proxy");
            layer.set(Key::named("behind_proxy"), Raw::Bool(true), origin);
        }
        layer
    }
}
