//! The state of a tournament, as the server answers it.

use grundy_shared::protocol::client::ClientMessage;
use grundy_shared::protocol::server::Reply;
use grundy_shared::protocol::tournament::TournamentState;

use crate::connection::{Connection, unexpected};
use crate::failure::Failure;

/// Asks for something that is answered with the state of a tournament.
pub(super) async fn state_of(
    connection: &mut Connection,
    request: impl Into<ClientMessage>,
) -> Result<Box<TournamentState>, Failure> {
    match connection.ask(request).await? {
        Reply::Tournament(state) => Ok(state),
        other => Err(unexpected(&other)),
    }
}
