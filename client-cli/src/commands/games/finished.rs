//! Records of matches that may be studied: those that are over, and those that concern nobody but the user.

use std::path::Path;

use grundy_shared::protocol::ErrorCode;
use grundy_shared::record::Record;
use grundy_shared::referee::Status;

use super::{fetch, last};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::record;

/// The record that the user named: of a file if there is one of this name, else of a match. Without a name, the last match that the
/// user finished.
///
/// # Errors
/// There is no such match or file, it is no record, or the match goes on between players on a server.
pub(crate) async fn record(
    context: &Context,
    source: Option<&str>,
    only_here: bool,
) -> Result<Record, Failure> {
    let found = match source {
        None => last::finished(context, only_here).await?,
        Some(source) => {
            let path = Path::new(source);
            let is_file = source == "-" || source.contains(['.', '/']) || path.exists();
            if is_file && !only_here {
                return record::read(path);
            }
            fetch::find(context, source, only_here).await?
        }
    };
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
        Status::Waiting | Status::Live => Err(Failure::new(
            Exit::Refused,
            ErrorCode::RatedMatch.as_str(),
            "the second game of this rated pair is not over: both can be reviewed when it is",
        )),
    }
}

/// A review would help the players of a match that is not over.
fn not_over(match_id: &str) -> Failure {
    Failure::new(
        Exit::Refused,
        ErrorCode::NotOver.as_str(),
        format!("match {match_id} is not over: it can be reviewed when it is"),
    )
    .hint(format!(
        "'grundy games show {match_id}' shows its current state"
    ))
}
