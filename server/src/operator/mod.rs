//! What an operator can ask of the running server, and what the server answers: the vocabulary of `grundy-server admin`.
//!
//! A request is one line of JSON on the local socket, and so is its reply. The command line reads the same requests, so there is one
//! definition of each.

mod reply;
mod request;
mod span;

pub use self::reply::{
    AdminError, AdminReply, AuditEntry, BanEntry, ErasedReport, MatchEntry, PlayerEntry,
    PlayerReport, PresentPlayer, Reloaded, StatusReport, TokenEntry, TournamentEntry,
};
pub use self::request::{
    AdminRequest, AuditAsk, BanAsk, BanTerms, ClearAsk, DrainAsk, EndMatchAsk, EndTournamentAsk,
    EraseAsk, LIST_MAX, ListAsk, REASON_MAX, RevokeAsk, Status, SubjectAsk, TournamentsAsk,
};
pub use self::span::Span;
