//! What the audit log says. Events are stored as the JSON written here and never rewritten, so this only grows.

use grundy_shared::event::Outcome;
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seq, TournamentId};
use serde::{Deserialize, Serialize};

/// Who asked for a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Actor {
    /// A user of the machine, over the local socket.
    User {
        /// The id of the user.
        uid: u32,
    },
    /// An operator, over the protocol.
    Player {
        /// The operator's player id.
        id: PlayerId,
    },
    /// A signal to the process.
    Signal {},
}

/// What was asked for. Players go by their ids, so the log holds no names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Change {
    /// The end of a match.
    EndMatch {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// Who was to win.
        outcome: Outcome,
    },
    /// The end of a tournament.
    EndTournament {
        /// Which.
        tournament: TournamentId,
    },
    /// Tokens of a player were to be revoked.
    Revoke {
        /// Whose.
        player: PlayerId,
        /// The prefix of the token; all of them if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
    },
    /// A player was to get new recovery codes.
    Help {
        /// Who.
        player: PlayerId,
    },
    /// A ban.
    Ban {
        /// `player ID` or `address RANGE`.
        subject: String,
        /// Until when; for good if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until_ms: Option<Millis>,
    },
    /// The end of a ban.
    Unban {
        /// `player ID` or `address RANGE`.
        subject: String,
    },
    /// The end of invitations.
    ClearInvitations {
        /// Only those older than this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        older_than_ms: Option<Millis>,
        /// Only those of this player.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<PlayerId>,
        /// Only those made at this address.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<std::net::IpAddr>,
    },
    /// A player was to be erased.
    Erase {
        /// Who.
        player: PlayerId,
    },
    /// New matches were to be refused.
    Drain {
        /// How long to wait for running matches.
        deadline_ms: Millis,
    },
    /// New matches were to be accepted again.
    Undrain {},
    /// The configuration was to be read again.
    Reload {},
}

/// One record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AuditEvent {
    /// Somebody asked for a change. Stored before the change is begun.
    Asked {
        /// When.
        at_ms: Millis,
        /// Who.
        by: Actor,
        /// For what.
        change: Change,
        /// Why, in the operator's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// What came of it. If a change has no such record, the server ended meanwhile: it may have been made or not.
    Answered {
        /// When.
        at_ms: Millis,
        /// The number of the record with which it was asked for.
        asked: Seq,
        /// Whether it was done.
        done: bool,
        /// The result or the refusal, in words.
        outcome: String,
    },
}
