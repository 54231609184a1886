//! The state of a tournament, as the server answers it.

use grundy_shared::protocol::client::ClientMessage;
use grundy_shared::protocol::server::Reply;
use grundy_shared::protocol::tournament::{ShowTournament, TournamentState};

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

/// The state of a tournament with all rows of its standings, read page by page.
pub(super) async fn whole_state(
    connection: &mut Connection,
    tournament: &str,
) -> Result<Box<TournamentState>, Failure> {
    let mut rows = Vec::new();
    loop {
        let request = ShowTournament {
            tournament: tournament.to_owned(),
            after: rows.len() as u32,
            limit: Some(200),
        };
        let mut state = state_of(connection, request).await?;
        let page = state.standings.len();
        rows.append(&mut state.standings);
        if page == 0 || rows.len() as u32 >= state.players {
            state.standings = rows;
            return Ok(state);
        }
    }
}
