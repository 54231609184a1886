//! The match that the user finished last.

use grundy_shared::protocol::client::{List, ListStatus};
use grundy_shared::protocol::server::MatchSummary;
use grundy_words::Message;

use super::fetch::{Place, warning};
use super::{list, local};
use crate::account::{has_identity, sign_in};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::library::Library;

/// The finished match of the user that was created last, on this computer or, if the user has an identity there, on the server.
///
/// # Errors
/// There is none; or the server does not answer and there is none on this computer.
pub(crate) async fn finished(context: &Context, only_here: bool) -> Result<Place, Failure> {
    let mine = List {
        mine: true,
        status: Some(ListStatus::Over),
        ..List::default()
    };
    let here = local::matches(context, &mine, 1, false)?;
    let here = here.matches.into_iter().next().map(|one| one.summary);
    let there = match only_here || !has_identity(context)? {
        true => None,
        false => match (of_server(context, &mine).await, &here) {
            (Ok(there), _) => there,
            (Err(failure), Some(_)) => {
                let warning = warning(&failure, "matches-last-here", context.output.words());
                context.output.warn(&warning);
                None
            }
            (Err(failure), None) => return Err(failure),
        },
    };
    let later =
        |here: &MatchSummary, there: &MatchSummary| here.created_at_ms > there.created_at_ms;
    match (here, there) {
        (Some(here), there) if there.as_ref().is_none_or(|there| later(&here, there)) => {
            let record = Library::open()?.find(here.match_id)?;
            Ok(Place::Here(Box::new(record)))
        }
        (_, Some(there)) => Ok(Place::Server(there.match_id)),
        (_, None) => {
            let message = Message::new("matches-none-finished");
            Err(Failure::told(Exit::NotFound, "no_such_match", message)
                .help(Message::new("matches-none-finished-how")))
        }
    }
}

async fn of_server(context: &Context, mine: &List) -> Result<Option<MatchSummary>, Failure> {
    let mut signed_in = sign_in(context, 0).await?;
    let found = list::matches(&mut signed_in.connection, mine, 1).await?;
    signed_in.connection.close().await;
    Ok(found.matches.into_iter().next().map(|one| one.summary))
}
