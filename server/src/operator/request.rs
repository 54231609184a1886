//! What an operator can ask for.

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use grundy_shared::event::Outcome;
use grundy_shared::ids::{MatchId, TournamentId};
use serde::{Deserialize, Serialize};

use super::span::Span;
use crate::address_range::AddressRange;

/// The most entries of one reply.
pub const LIST_MAX: u32 = 200;
/// The most characters of a reason.
pub const REASON_MAX: usize = 200;

/// One request.
#[derive(Subcommand, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AdminRequest {
    /// Show the version, uptime, load and store of the server
    Status,
    /// List matches, the newest first
    Matches(ListAsk),
    /// End a match; it counts for nobody unless --result says otherwise
    EndMatch(EndMatchAsk),
    /// List tournaments that are not over, the newest first
    Tournaments(TournamentsAsk),
    /// Cancel a tournament, whether or not it has begun: its running games count for nobody
    #[command(visible_alias = "cancel-tournament")]
    EndTournament(EndTournamentAsk),
    /// List the players who are connected
    Players {
        /// How many entries, up to 200
        #[arg(long, default_value_t = 50)]
        limit: u32,
    },
    /// Show a player: account, tokens, matches, connections, ban
    Player {
        /// Name or id
        #[arg(value_name = "PLAYER")]
        player: String,
    },
    /// Revoke tokens of a player; their connections are closed at once
    Revoke(RevokeAsk),
    /// Erase a player's name, secrets and chat texts, for good; the matches stay
    Erase(EraseAsk),
    /// Ban a player or an address; open connections are closed at once
    #[command(subcommand)]
    Ban(BanAsk),
    /// Lift a ban
    #[command(subcommand)]
    Unban(SubjectAsk),
    /// List the bans
    Bans,
    /// End invitations that nobody has accepted
    ClearInvitations(ClearAsk),
    /// Refuse new matches, and wait until no match runs or the deadline has passed
    Drain(DrainAsk),
    /// Accept new matches again
    Undrain,
    /// Read the configuration again; SIGHUP does the same
    Reload,
    /// Show the audit log: what operators have done
    Audit(AuditAsk),
}

/// Which matches to list.
#[derive(Args, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ListAsk {
    /// Only those of this player: name or id
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// Only unfinished ones that were created at this address. The server keeps 16 bits of a digest of it: 1 of 65,536 others fits too
    #[arg(long, value_name = "ADDRESS")]
    pub address: Option<std::net::IpAddr>,
    /// Only those in this state
    #[arg(long)]
    pub status: Option<Status>,
    /// How many entries, up to 200
    #[arg(long, default_value_t = 50)]
    pub limit: u32,
}

/// The state of a match.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nobody has taken the other seat
    Waiting,
    /// It runs
    Live,
    /// It has ended
    Over,
}

/// Which match to end, and how.
#[derive(Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndMatchAsk {
    /// The match
    #[arg(value_name = "MATCH")]
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// Why, for the audit log
    #[arg(long)]
    pub reason: String,
    /// Who wins: void (nobody), first or second
    #[arg(long, default_value = "void", value_parser = outcome)]
    pub result: Outcome,
}

/// Which tournaments to list.
#[derive(Args, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TournamentsAsk {
    /// Only those that this player has created: name or id
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// How many entries, up to 200
    #[arg(long, default_value_t = 50)]
    pub limit: u32,
}

/// Which tournament to end.
#[derive(Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndTournamentAsk {
    /// The tournament
    #[arg(value_name = "TOURNAMENT")]
    pub tournament: TournamentId,
    /// Why, for the audit log; its players do not see it
    #[arg(long)]
    pub reason: String,
}

/// Which tokens to revoke.
#[derive(Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[command(group(ArgGroup::new("which").required(true).args(["token", "all"])))]
#[serde(deny_unknown_fields)]
pub struct RevokeAsk {
    /// Name or id
    #[arg(value_name = "PLAYER")]
    pub player: String,
    /// The token with this prefix, which `player` shows
    #[arg(long, value_name = "PREFIX")]
    #[serde(default)]
    pub token: Option<String>,
    /// Every token
    #[arg(long)]
    #[serde(default)]
    pub all: bool,
    /// Why, for the audit log
    #[arg(long)]
    #[serde(default)]
    pub reason: Option<String>,
}

/// Which player to erase.
#[derive(Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EraseAsk {
    /// Name or id
    #[arg(value_name = "PLAYER")]
    pub player: String,
    /// Repeat the player's name, so that nobody else is erased by mistake
    #[arg(long, value_name = "NAME")]
    pub confirm: String,
    /// Why, for the audit log. Do not write the name here: it would stay
    #[arg(long)]
    #[serde(default)]
    pub reason: Option<String>,
}

/// For how long a ban holds, and why.
#[derive(Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BanTerms {
    /// For how long, such as 7d; for good without it
    #[arg(long = "for", value_name = "TIME")]
    #[serde(rename = "for", default)]
    pub span: Option<Span>,
    /// Why, for the audit log and the list of bans; the player does not see it
    #[arg(long)]
    pub reason: String,
}

/// Whom to ban.
#[derive(Subcommand, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "subject", rename_all = "snake_case")]
pub enum BanAsk {
    /// Ban a player
    Player {
        /// Name or id
        #[arg(value_name = "PLAYER")]
        player: String,
        /// The terms.
        #[command(flatten)]
        #[serde(flatten)]
        terms: BanTerms,
    },
    /// Ban an address or a range of addresses
    Address {
        /// An address, or a range such as 192.0.2.0/24
        #[arg(value_name = "ADDRESS[/PREFIX]")]
        address: AddressRange,
        /// The terms.
        #[command(flatten)]
        #[serde(flatten)]
        terms: BanTerms,
    },
}

/// Whose ban to lift.
#[derive(Subcommand, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "subject", rename_all = "snake_case")]
pub enum SubjectAsk {
    /// Lift the ban of a player
    Player {
        /// Name or id
        #[arg(value_name = "PLAYER")]
        player: String,
    },
    /// Lift the ban of an address or range, as `bans` shows it
    Address {
        /// The address or range
        #[arg(value_name = "ADDRESS[/PREFIX]")]
        address: AddressRange,
    },
}

/// Which invitations to end.
#[derive(Args, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClearAsk {
    /// Only those that were made longer ago, such as 1h
    #[arg(long, value_name = "TIME")]
    pub older_than: Option<Span>,
    /// Only those of this player: name or id
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// Only those that were made at this address, as for `matches`
    #[arg(long, value_name = "ADDRESS")]
    pub address: Option<std::net::IpAddr>,
    /// Why, for the audit log
    #[arg(long)]
    pub reason: Option<String>,
}

/// How long to wait for running matches.
#[derive(Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrainAsk {
    /// For how long to wait
    #[arg(long, value_name = "TIME", default_value = "10m")]
    pub deadline: Span,
    /// Why, for the audit log
    #[arg(long)]
    #[serde(default)]
    pub reason: Option<String>,
}

/// Which part of the audit log.
#[derive(Args, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AuditAsk {
    /// The records after this number
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub after: u64,
    /// How many, up to 200
    #[arg(long, default_value_t = 100)]
    pub limit: u32,
}

fn outcome(text: &str) -> Result<Outcome, String> {
    [Outcome::Void, Outcome::First, Outcome::Second]
        .into_iter()
        .find(|outcome| outcome.as_str() == text)
        .ok_or_else(|| "must be void, first or second".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(subcommand)]
        request: AdminRequest,
    }

    fn typed(line: &str) -> Result<AdminRequest, String> {
        let words = std::iter::once("admin").chain(line.split(' '));
        let read = Line::try_parse_from(words).map_err(|error| error.to_string())?;
        Ok(read.request)
    }

    #[test]
    fn what_is_typed_is_what_the_server_reads() {
        for line in [
            "status",
            "matches --player Ada --address 192.0.2.7 --status live --limit 7",
            "end-match 7Kq2mVx9Rt --reason abuse --result first",
            "tournaments --player Ada --limit 7",
            "end-tournament 7Kq2mVx9Rt --reason abuse",
            "cancel-tournament 7Kq2mVx9Rt --reason abuse",
            "players",
            "player Ada",
            "revoke Ada --token gt_abc",
            "revoke Ada --all --reason stolen",
            "erase Ada --confirm Ada --reason asked",
            "ban player Ada --for 7d --reason abuse",
            "ban address 192.0.2.0/24 --reason flood",
            "unban player Ada",
            "unban address 192.0.2.0/24",
            "bans",
            "clear-invitations --older-than 1h --player Ada",
            "drain --deadline 30s",
            "undrain",
            "reload",
            "audit --after 7",
        ] {
            let request = typed(line).expect(line);
            let json = serde_json::to_string(&request).expect("plain values");
            let read: AdminRequest = serde_json::from_str(&json).expect(&json);
            assert_eq!(read, request, "{json}");
        }
    }

    #[test]
    fn a_slip_is_refused_with_what_was_expected() {
        for (line, part) in [
            ("end-match 7Kq2mVx9Rt", "--reason"),
            ("end-match x --reason y", "match id"),
            ("end-tournament 7Kq2mVx9Rt", "--reason"),
            ("end-tournament x --reason y", "tournament id"),
            (
                "end-match 7Kq2mVx9Rt --reason y --result draw",
                "void, first or second",
            ),
            ("revoke Ada", "--all"),
            ("erase Ada", "--confirm"),
            ("revoke Ada --all --token x", "cannot be used with"),
            (
                "ban player Ada --for soon --reason x",
                "90s, 10m, 12h or 7d",
            ),
            ("ban address here --reason x", "192.0.2.0/24"),
            ("ban address 192.0.2.7", "--reason"),
        ] {
            let refused = typed(line).expect_err(line);
            assert!(refused.contains(part), "{line}: {refused}");
        }
    }
}
