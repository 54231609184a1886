//! Fetches records from the server or the library for the match that a person typed.

use grundy_shared::ids::Seat;
use grundy_shared::record::Record;

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

/// The record of the match with this id. One that was played here is in the library, so no server is asked. For any other match the
/// server is asked first, which knows whether it goes on; if the server does not give the record, that of the library is taken.
pub(crate) async fn find(
    context: &Context,
    match_id_text: &str,
    only_here: bool,
) -> Result<Found, Failure> {
    let local = |record| Found {
        record,
        is_local: true,
    };
    let here = Library::open()?.find(match_id(match_id_text)?);
    let here = match here {
        _ if only_here => return here.map(local),
        Ok(record) if played_here(&record) => return Ok(local(record)),
        here => here,
    };
    match (record_of(context, match_id_text).await, here) {
        (Ok(record), _) => Ok(Found {
            record,
            is_local: false,
        }),
        (Err(failure), Ok(record)) => {
            let words = failure.message();
            context.output.warn(&format!(
                "warning: {words}; the record in the library on this computer is used"
            ));
            Ok(local(record))
        }
        // What is damaged here is more to the point than that a server does not have it.
        (Err(_), Err(damaged)) if damaged.exit() == Exit::Input => Err(damaged),
        (Err(failure), Err(_)) => Err(failure),
    }
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
