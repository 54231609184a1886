//! What our bot on a server knows: its matches, its programs, and what it is there for.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use futures::stream::FuturesUnordered;
use grundy_shared::ids::{ClientCreateId, JoinCode, MatchId, PlayerId, Ply};
use grundy_shared::protocol::ErrorCode;
use grundy_shared::protocol::client::{Create, Offer};
use tokio::task::JoinError;
use tokio::time::Instant;

use crate::bot::pool::{Pool, Recall, Thought};
use crate::bot::table::Table;
use crate::context::Context;
use crate::failure::Failure;

/// What the bot is there for, besides the matches that it has not finished.
#[derive(Clone, Debug)]
pub(crate) enum Purpose {
    /// Nothing else.
    Finish,
    /// To take challenges, until it is stopped.
    Offer(Offer),
    /// To take a seat.
    Join(JoinCode),
    /// To create so many matches, one after another, with the sides changing.
    Create(Create, u32),
    /// To enter this tournament, and to play all its games.
    Tournament(String),
}

/// What became of the games of a tournament.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) games: u64,
    pub(super) wins: u64,
    pub(super) losses: u64,
}

/// How far the purpose is.
pub(super) enum Progress {
    /// It is to be asked for.
    Due,
    Asked,
    /// This match has come of it.
    Playing(MatchId),
    Done,
}

/// A match that is played.
pub(super) struct Seat {
    pub(super) table: Table,
    /// Its number for the programs.
    pub(super) game: u64,
    /// Whether this connection has the seat, or has asked for it.
    pub(super) is_attached: bool,
    pub(super) thinking: Option<(Ply, Recall)>,
    /// What a program has answered, until the match shows it.
    pub(super) answer: Option<(Ply, Choice)>,
    /// The answer has been sent on this connection.
    pub(super) is_sent: bool,
}

/// What a program wants to do.
#[derive(Clone, Debug)]
pub(super) enum Choice {
    Move(String),
    Resign,
}

/// What a request was for.
pub(super) enum Asked {
    Attach(MatchId),
    Act(MatchId, Ply),
    /// The purpose: a seat, or a new match.
    Begin,
    Nothing,
}

/// Our bot on a server.
pub(crate) struct OnlinePlayer<'c> {
    pub(super) context: &'c Context,
    pub(super) pool: Pool,
    pub(super) purpose: Purpose,
    pub(super) progress: Progress,
    pub(super) us: Option<PlayerId>,
    pub(super) seats: HashMap<MatchId, Seat>,
    pub(super) games: u64,
    /// Matches that wait for room on the connection.
    pub(super) waiting: VecDeque<MatchId>,
    /// Matches that one connection may follow.
    pub(super) room: usize,
    pub(super) requests: HashMap<u64, Asked>,
    pub(super) heard_at: Instant,
    pub(super) comes_back_in: Option<Duration>,
    pub(super) create_id: ClientCreateId,
    /// The tournament was entered.
    pub(super) has_entered: bool,
    pub(super) tally: Tally,
}

/// Programs that think, each about a move of a match.
pub(super) type Thinking = FuturesUnordered<
    std::pin::Pin<Box<dyn Future<Output = (MatchId, Ply, Result<Thought, JoinError>)>>>,
>;

pub(super) fn new_create_id() -> ClientCreateId {
    let id = uuid::Uuid::new_v4().simple().to_string();
    id.parse().expect("a UUID is 32 letters and digits")
}

/// Whether the server may take the same request a little later.
pub(super) fn is_passing(failure: &Failure) -> bool {
    let codes = [
        ErrorCode::ServerBusy,
        ErrorCode::ReadOnly,
        ErrorCode::RateLimited,
        ErrorCode::ShuttingDown,
    ];
    codes.iter().any(|code| failure.has_code(*code))
}
