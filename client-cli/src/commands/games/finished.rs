//! Records of matches that may be studied: those that are over, and those that concern nobody but the user.

use std::path::Path;

use clap::Args;
use grundy_shared::ids::MatchId;
use grundy_shared::protocol::ErrorCode;
use grundy_shared::record::Record;
use grundy_shared::referee::Status;
use grundy_words::Message;

use super::fetch::{self, place_of};
pub(crate) use super::fetch::{Place, instead};
use super::{last, pasted};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::record;

/// The match that the user has chosen.
#[derive(Debug, Args)]
pub(crate) struct Chosen {
    /// A match on this computer or on the server, a record file ('-' for stdin), or a start position with moves [default: the last match that you finished]
    #[arg(value_name = "MATCH|FILE|POSITION")]
    pub(crate) source: Option<String>,
    /// The moves that were made from this position
    #[arg(value_name = "MOVE")]
    pub(crate) moves: Vec<String>,
    /// Look only in the library on this computer, without a server
    #[arg(long)]
    pub(crate) local: bool,
}

impl Chosen {
    /// The file of a record, if one was named.
    pub(crate) fn file(&self) -> Option<&Path> {
        let source = self.source.as_deref()?;
        let path = Path::new(source);
        let is_file = source == "-" || source.contains(['.', '/']) || path.exists();
        (is_file && !self.local && self.position().is_none()).then_some(path)
    }

    /// The start position, if a position was named.
    pub(crate) fn position(&self) -> Option<&str> {
        let source = self.source.as_deref()?;
        (source.contains(':') && !Path::new(source).exists()).then_some(source)
    }
}

/// The record that the user named, or the match on the server: a file if there is one of this name, the moves from a position, else a match. Without a
/// name, the last match that the user finished.
///
/// # Errors
/// There is no such match or file, or it is no record.
pub(crate) async fn place(context: &Context, chosen: &Chosen) -> Result<Place, Failure> {
    let here = |record| Place::Here(Box::new(record));
    if let Some(start) = chosen.position() {
        return pasted::record(start, &chosen.moves).map(here);
    }
    if !chosen.moves.is_empty() {
        return Err(Failure::usage(Message::new("usage-moves-alone"))
            .help(Message::new("usage-moves-alone-how")));
    }
    match (chosen.source.as_deref(), chosen.file()) {
        (None, _) => last::finished(context, chosen.local).await,
        (Some(_), Some(path)) => record::read(path).map(here),
        (Some(source), None) => place_of(source, chosen.local),
    }
}

/// The record that the user named, as [`place`] finds it.
///
/// # Errors
/// As [`place`]; or the match goes on between players on a server.
pub(crate) async fn record(context: &Context, chosen: &Chosen) -> Result<Record, Failure> {
    match place(context, chosen).await? {
        Place::Here(record) => Ok(*record),
        Place::Server(match_id) => of_server(context, match_id).await,
    }
}

/// The record of a match on the server that may be studied.
///
/// # Errors
/// There is no such match, or it goes on.
pub(crate) async fn of_server(context: &Context, match_id: MatchId) -> Result<Record, Failure> {
    let found = fetch::from_server(context, match_id).await?;
    let record = found.record;
    // Nobody but the user is concerned with a match on this computer.
    if found.is_local {
        return Ok(record);
    }
    match record.referee().status() {
        Status::Over => {
            not_between_rated_games(context, &record).await?;
            Ok(record)
        }
        Status::Waiting | Status::Live => Err(not_over(&record.match_id().to_string())),
    }
}

/// A review of the first game of a rated pair would help in the second, which begins from the same start.
async fn not_between_rated_games(context: &Context, record: &Record) -> Result<(), Failure> {
    let referee = record.referee();
    let Some(next) = referee.next_match().filter(|_| referee.is_rated()) else {
        return Ok(());
    };
    let next = fetch::record_of(context, &next.to_string()).await?;
    match next.referee().status() {
        Status::Over => Ok(()),
        Status::Waiting | Status::Live => Err(Failure::told(
            Exit::Refused,
            ErrorCode::RatedMatch.as_str(),
            Message::new("record-rated-pair"),
        )),
    }
}

/// A review would help the players of a match that is not over.
fn not_over(match_id: &str) -> Failure {
    let message = Message::new("record-reviewed-early").text("match", match_id);
    let how = Message::new("record-reviewed-early-how").text("match", match_id);
    Failure::told(Exit::Refused, ErrorCode::NotOver.as_str(), message).help(how)
}
