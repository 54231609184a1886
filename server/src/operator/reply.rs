//! What the server answers to an operator: one reply to each request, as JSON for programs and as lines for people.

use std::fmt;
use std::time::{Duration, UNIX_EPOCH};

use grundy_shared::event::{EndReason, Outcome, PlayerInfo};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seq, TournamentId};
use grundy_shared::protocol::tournament::TournamentStatus;
use serde::{Deserialize, Serialize};

use super::request::Status;
use crate::counted::{counted, counted_as};

/// One reply.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AdminReply {
    /// To `status`.
    Status(Box<StatusReport>),
    /// To `matches`.
    Matches {
        /// The matches.
        matches: Vec<MatchEntry>,
        /// Whether there are more.
        more: bool,
    },
    /// To `tournaments`.
    Tournaments {
        /// The tournaments.
        tournaments: Vec<TournamentEntry>,
        /// Whether there are more.
        more: bool,
    },
    /// To `players`.
    Players {
        /// The players.
        players: Vec<PresentPlayer>,
        /// Whether there are more.
        more: bool,
    },
    /// To `player`.
    Player(Box<PlayerReport>),
    /// To `erase`.
    Erased(ErasedReport),
    /// To `bans`.
    Bans {
        /// The bans that hold.
        bans: Vec<BanEntry>,
    },
    /// To `audit`.
    Audit {
        /// The records.
        records: Vec<AuditEntry>,
        /// Whether there are more.
        more: bool,
    },
    /// To `clear_invitations`.
    Cleared {
        /// Invitations that were ended.
        ended: u64,
        /// Invitations that could not be ended: each has met something else meanwhile.
        left: u64,
    },
    /// To `drain`, when nothing runs any more or the deadline has passed.
    Drained {
        /// Matches that still run.
        running: u64,
    },
    /// To `reload`.
    Reloaded(Reloaded),
    /// It is done.
    Done {
        /// What, in words.
        message: String,
    },
    /// It is refused.
    Error(AdminError),
}

/// Why a request is refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AdminError {
    /// A code of the protocol, or `forbidden`, `bad_request` or `bad_configuration`.
    pub code: String,
    /// What happened, and what to do.
    pub message: String,
}

/// How the server is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StatusReport {
    /// The version of the program.
    pub version: String,
    /// The process.
    pub pid: u32,
    /// Milliseconds since the start.
    pub uptime_ms: Millis,
    /// Whether new matches are refused by `drain`.
    pub draining: bool,
    /// Matches that wait or run.
    pub matches: u64,
    /// Of these, those that run.
    pub running: u64,
    /// Open connections.
    pub connections: u64,
    /// Players who are connected.
    pub players: u64,
    /// Commits that wait for the store or are under way.
    pub commits_waiting: u64,
    /// Analyses that wait for a thread.
    pub analyses_waiting: u64,
    /// `ready`, or why the store takes no writes.
    pub store: String,
    /// Events committed since the start.
    pub events: u64,
    /// Bytes of the database file. Absent if it is in memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database_bytes: Option<u64>,
    /// Bytes of the write-ahead log that are in use.
    pub wal_bytes: u64,
    /// Bans that hold.
    pub bans: u64,
}

/// A match in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MatchEntry {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// Its state.
    pub status: Status,
    /// The start position.
    pub position: String,
    /// The first player.
    pub first: Option<PlayerInfo>,
    /// The second player.
    pub second: Option<PlayerInfo>,
    /// Moves made.
    pub plies: u32,
    /// When it was created.
    pub created_at_ms: Millis,
    /// Who won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<EndReason>,
}

/// A tournament in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TournamentEntry {
    /// The tournament.
    pub tournament: TournamentId,
    /// Its name.
    pub name: String,
    /// How far it has come.
    pub status: TournamentStatus,
    /// Who created it.
    pub organiser: PlayerInfo,
    /// Players who have entered.
    pub players: u32,
    /// The most players.
    pub most: u32,
    /// When it was created.
    pub created_at_ms: Millis,
    /// When it is cancelled unless somebody starts or resumes it before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at_ms: Option<Millis>,
}

/// A player who is connected.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PresentPlayer {
    /// The player.
    pub player: PlayerInfo,
    /// Open connections.
    pub connections: u64,
}

/// A player, as others see it, beside a ban.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayerEntry {
    /// The id.
    pub id: PlayerId,
    /// The name, if the player is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// All that an operator sees of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayerReport {
    /// The player.
    pub player: PlayerInfo,
    /// Whether the account has a password.
    pub claimed: bool,
    /// Recovery codes that are left.
    pub recovery_codes: u64,
    /// Tokens, without what is secret.
    pub tokens: Vec<TokenEntry>,
    /// Open connections.
    pub connections: u64,
    /// Matches that wait or run; at most 200.
    pub matches: Vec<MatchId>,
    /// Players that this player has muted.
    pub muted: u64,
    /// The ban, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ban: Option<BanEntry>,
}

/// A player who was erased.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ErasedReport {
    /// The player, with the name that stands for it from now on.
    pub player: PlayerInfo,
    /// Logs that were rewritten.
    pub logs: u64,
    /// Events with other bodies than before.
    pub events: u64,
    /// A digest over the ends of their chains before and afterwards, as in the audit log: 64 hexadecimal digits.
    pub heads: String,
}

/// A token, without what is secret.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TokenEntry {
    /// Its first characters.
    pub prefix: String,
    /// What its owner calls it.
    pub name: String,
    /// What it is good for.
    pub scopes: String,
    /// When it was made.
    pub created_at_ms: Millis,
    /// When it expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at_ms: Option<Millis>,
}

/// A ban that holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BanEntry {
    /// The banned player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<PlayerEntry>,
    /// The banned address or range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Why.
    pub reason: String,
    /// Since when.
    pub since_ms: Millis,
    /// Until when; for good if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<Millis>,
}

/// A record of the audit log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AuditEntry {
    /// Its number.
    pub seq: Seq,
    /// The record as stored.
    pub body: serde_json::Value,
}

/// What reading the configuration again has changed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reloaded {
    /// Keys whose new values are in force.
    pub changed: Vec<String>,
    /// Keys whose new values need a restart.
    pub needs_restart: Vec<String>,
    /// The SHA-256 fingerprint of the certificate in use, 64 hexadecimal digits, if the server encrypts connections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate_sha256: Option<String>,
}

/// A moment as people read it, UTC.
fn moment(at: Millis) -> impl fmt::Display {
    humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_millis(at.0))
}

/// A name that somebody else chose, so that it cannot move the cursor or forge a line.
fn shown(text: &str) -> impl fmt::Display {
    let plain: String = text
        .chars()
        .map(|sign| if sign.is_control() { '?' } else { sign })
        .collect();
    plain
}

fn seat(player: Option<&PlayerInfo>) -> String {
    player.map_or_else(|| "-".to_owned(), |player| shown(&player.name).to_string())
}

impl fmt::Display for AdminReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest = |f: &mut fmt::Formatter<'_>, more: bool| match more {
            true => writeln!(f, "There are more: raise --limit, or narrow the list."),
            false => Ok(()),
        };
        match self {
            Self::Status(status) => status.fmt(f),
            Self::Matches { matches, more } => {
                if matches.is_empty() {
                    writeln!(f, "No matches.")?;
                }
                matches.iter().try_for_each(|one| one.fmt(f))?;
                rest(f, *more)
            }
            Self::Tournaments { tournaments, more } => {
                if tournaments.is_empty() {
                    writeln!(f, "No tournaments.")?;
                }
                tournaments.iter().try_for_each(|one| one.fmt(f))?;
                rest(f, *more)
            }
            Self::Players { players, more } => {
                if players.is_empty() {
                    writeln!(f, "No players are connected.")?;
                }
                for one in players {
                    let (id, name) = (one.player.id, shown(&one.player.name));
                    writeln!(f, "{id}  {:>3}  {name}", one.connections)?;
                }
                rest(f, *more)
            }
            Self::Player(report) => report.fmt(f),
            Self::Erased(report) => report.fmt(f),
            Self::Bans { bans } => {
                if bans.is_empty() {
                    writeln!(f, "No bans.")?;
                }
                bans.iter().try_for_each(|ban| ban.fmt(f))
            }
            Self::Audit { records, more } => {
                if records.is_empty() {
                    writeln!(f, "No records.")?;
                }
                for AuditEntry { seq, body } in records {
                    writeln!(f, "{seq}  {body}")?;
                }
                match more {
                    true => writeln!(f, "There are more: use --after with the last number."),
                    false => Ok(()),
                }
            }
            Self::Cleared { ended, left: 0 } => writeln!(f, "Invitations ended: {ended}."),
            Self::Cleared { ended, left } => {
                writeln!(
                    f,
                    "Invitations ended: {ended}; not ended: {left}. Run the command again."
                )
            }
            Self::Drained { running: 0 } => writeln!(
                f,
                "No match runs. New matches are refused until `undrain` or a restart."
            ),
            Self::Drained { running } => writeln!(
                f,
                "The deadline has passed; matches that still run: {running}. New matches are refused until `undrain` or a restart."
            ),
            Self::Reloaded(reloaded) => reloaded.fmt(f),
            Self::Done { message } => writeln!(f, "{message}"),
            Self::Error(error) => writeln!(f, "{}", error.message),
        }
    }
}

impl fmt::Display for StatusReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let uptime = Duration::from_secs(self.uptime_ms.0 / 1_000);
        writeln!(f, "version      {} (process {})", self.version, self.pid)?;
        writeln!(f, "uptime       {}", humantime::format_duration(uptime))?;
        let draining = if self.draining { "yes" } else { "no" };
        writeln!(f, "draining     {draining}")?;
        writeln!(
            f,
            "matches      {} ({} running)",
            self.matches, self.running
        )?;
        writeln!(
            f,
            "connections  {} ({})",
            self.connections,
            counted(self.players, "player")
        )?;
        writeln!(
            f,
            "waiting      {}, {}",
            counted(self.commits_waiting, "commit"),
            counted_as(self.analyses_waiting, "analysis", "analyses")
        )?;
        writeln!(
            f,
            "store        {}, {} since the start",
            self.store,
            counted(self.events, "event")
        )?;
        if let Some(bytes) = self.database_bytes {
            writeln!(
                f,
                "database     {bytes} bytes, and {} in the write-ahead log",
                self.wal_bytes
            )?;
        }
        writeln!(f, "bans         {}", self.bans)
    }
}

impl fmt::Display for MatchEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match (self.status, self.outcome, self.reason) {
            (Status::Waiting, ..) => "waiting".to_owned(),
            (Status::Live, ..) => "live".to_owned(),
            (Status::Over, Some(outcome), Some(reason)) => {
                format!("{} ({})", outcome.as_str(), reason.as_str())
            }
            (Status::Over, ..) => "over".to_owned(),
        };
        let (first, second) = (seat(self.first.as_ref()), seat(self.second.as_ref()));
        writeln!(
            f,
            "{}  {}  {status}  {}  {first} - {second}  {}",
            self.match_id,
            moment(self.created_at_ms),
            counted_as(self.plies.into(), "ply", "plies"),
            self.position
        )
    }
}

impl fmt::Display for TournamentEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match self.status {
            TournamentStatus::Entries => "entries open",
            TournamentStatus::Running => "running",
            TournamentStatus::Paused => "paused",
            TournamentStatus::Over => "over",
            TournamentStatus::Cancelled => "cancelled",
        };
        write!(
            f,
            "{}  {}  {status}  {} of {}  {}  by {}",
            self.tournament,
            moment(self.created_at_ms),
            self.players,
            counted(self.most.into(), "player"),
            shown(&self.name),
            shown(&self.organiser.name)
        )?;
        match self.expires_at_ms {
            Some(at) => writeln!(f, "  cancelled at {} unless it goes on", moment(at)),
            None => writeln!(f),
        }
    }
}

impl fmt::Display for PlayerReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match (self.player.bot, self.claimed) {
            (true, _) => "bot",
            (false, true) => "account",
            (false, false) => "guest",
        };
        writeln!(f, "player       {} ({kind})", shown(&self.player.name))?;
        writeln!(f, "id           {}", self.player.id)?;
        writeln!(f, "connections  {}", self.connections)?;
        writeln!(f, "codes left   {}", self.recovery_codes)?;
        for id in &self.matches {
            writeln!(f, "match        {id}")?;
        }
        for token in &self.tokens {
            let (prefix, name) = (&token.prefix, shown(&token.name));
            writeln!(f, "token        {prefix}  {name}  {}", token.scopes)?;
        }
        match &self.ban {
            Some(ban) => write!(f, "ban          {ban}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ErasedReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (id, name) = (self.player.id, &self.player.name);
        writeln!(
            f,
            "Player {id} is erased, and is called {name} from now on."
        )?;
        writeln!(
            f,
            "Rewritten: {}, {}. `fsck` and `export` verify the new chains.",
            counted(self.logs, "log"),
            counted(self.events, "event")
        )?;
        writeln!(
            f,
            "Digest of the chains before and afterwards: {}",
            self.heads
        )?;
        writeln!(
            f,
            "Backups made before still have the player. Make a new one, and remove the older ones."
        )
    }
}

impl fmt::Display for BanEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.player, &self.address) {
            (Some(PlayerEntry { id, name }), _) => {
                let name = name.as_deref().unwrap_or("?");
                write!(f, "player {id}  {}", shown(name))?;
            }
            (None, Some(address)) => write!(f, "address {address}")?,
            (None, None) => {}
        }
        match self.until_ms {
            Some(until) => write!(f, "  until {}", moment(until))?,
            None => write!(f, "  for good")?,
        }
        writeln!(f, "  {}", shown(&self.reason))
    }
}

impl fmt::Display for Reloaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.changed.is_empty() && self.needs_restart.is_empty() {
            writeln!(f, "The configuration is the same.")?;
        }
        for key in &self.changed {
            writeln!(f, "in force: {key}")?;
        }
        for key in &self.needs_restart {
            writeln!(f, "needs a restart: {key}")?;
        }
        if let Some(sha256) = &self.certificate_sha256 {
            writeln!(f, "certificate in use: SHA-256 {sha256}")?;
        }
        Ok(())
    }
}
