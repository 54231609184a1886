//! Fetches records from the server or the library for the match that a person typed.

use grundy_shared::ids::{MatchId, Seat};
use grundy_shared::record::Record;
use grundy_words::{Catalogue, Message};

use crate::account::sign_in;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::library::Library;
use crate::match_source::local::people;
use crate::reading::match_id;
use crate::record;

/// The record of the match with this id.
pub(crate) async fn record_of(context: &Context, match_id_text: &str) -> Result<Record, Failure> {
    let match_id = match_id(match_id_text)?;
    let mut signed_in = sign_in(context, 0).await?;
    let record = record::fetch(&mut signed_in.connection, match_id).await;
    signed_in.connection.close().await;
    record
}

/// A record that was looked for on this computer and on the server.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) record: Record,
    /// It is that of the library on this computer.
    pub(crate) is_local: bool,
}

/// Where to look for a match.
#[derive(Debug)]
pub(crate) enum Place {
    /// Here: this is its record.
    Here(Box<Record>),
    /// On the server, which knows whether it goes on.
    Server(MatchId),
}

/// Where to look for the match with this id. One that was played here is in the library, so no server is asked.
///
/// # Errors
/// Only the library is to be looked in, and it does not have the match; or the text is no id.
pub(crate) fn place_of(match_id_text: &str, only_here: bool) -> Result<Place, Failure> {
    let match_id = match_id(match_id_text)?;
    match Library::open()?.find(match_id) {
        here if only_here => here.map(|record| Place::Here(Box::new(record))),
        Ok(record) if played_here(&record) => Ok(Place::Here(Box::new(record))),
        _ => Ok(Place::Server(match_id)),
    }
}

/// The record of the match with this id, from the place where it is to be looked for; if the server does not give it, from the library.
pub(crate) async fn find(
    context: &Context,
    match_id_text: &str,
    only_here: bool,
) -> Result<Found, Failure> {
    match place_of(match_id_text, only_here)? {
        Place::Here(record) => Ok(Found {
            record: *record,
            is_local: true,
        }),
        Place::Server(match_id) => from_server(context, match_id).await,
    }
}

/// The record of a match on the server; if the server does not give it, that of the library.
pub(crate) async fn from_server(context: &Context, match_id: MatchId) -> Result<Found, Failure> {
    match record_of(context, &match_id.to_string()).await {
        Ok(record) => Ok(Found {
            record,
            is_local: false,
        }),
        Err(failure) => Ok(Found {
            record: instead(context, match_id, failure)?,
            is_local: true,
        }),
    }
}

/// The record in the library of a match that the server does not give, for this reason.
///
/// # Errors
/// The library does not have it either.
pub(crate) fn instead(
    context: &Context,
    match_id: MatchId,
    failure: Failure,
) -> Result<Record, Failure> {
    match Library::open()?.find(match_id) {
        Ok(record) => {
            let warning = warning(&failure, "matches-record-here", context.output.words());
            context.output.warn(&warning);
            Ok(record)
        }
        // What is damaged here is more to the point than that a server does not have it.
        Err(damaged) if damaged.exit() == Exit::Input => Err(damaged),
        Err(_) => Err(failure),
    }
}

/// A warning of what is wrong, with a message that says what is shown instead.
pub(crate) fn warning(failure: &Failure, instead: &str, words: &Catalogue) -> String {
    Message::new("failure-warning-how")
        .text("what", failure.message_in(words))
        .text("how", words.say(instead))
        .said(words)
}

/// Whether the match was played with `--local`.
fn played_here(record: &Record) -> bool {
    let referee = record.referee();
    let players = Seat::BOTH
        .into_iter()
        .filter_map(|seat| referee.player(seat));
    let here = people();
    players.into_iter().any(|player| here.contains(&player.id))
}
