//! What of a player's requests is new work, which a server that is overloaded does not begin.

use grundy_shared::protocol::{ClientMessage, ErrorBody};

use super::player::Player;
use super::socket::Socket;
use crate::admission::Work;

impl<S: Socket> Player<S> {
    /// Whether what is asked may begin now.
    ///
    /// # Errors
    /// `server_busy`, with the time after which to ask again.
    pub(super) fn check_load(&self, message: &ClientMessage) -> Result<(), ErrorBody> {
        match new_work(message) {
            Some(work) => self.connection.app.admission.admit(work),
            None => Ok(()),
        }
    }
}

/// The new work in a request; `None` for everything that goes on with what was begun, or costs little.
fn new_work(message: &ClientMessage) -> Option<Work> {
    match message {
        ClientMessage::Create(_)
        | ClientMessage::Join(_)
        | ClientMessage::Rematch(_)
        | ClientMessage::Challenge(_)
        | ClientMessage::Accept(_)
        | ClientMessage::Seek(_)
        | ClientMessage::Take(_)
        | ClientMessage::CreateTournament(_)
        | ClientMessage::JoinTournament(_) => Some(Work::Match),
        ClientMessage::Solve(_)
        | ClientMessage::Explain(_)
        | ClientMessage::Review(_)
        | ClientMessage::SolvePuzzle(_) => Some(Work::Analysis),
        ClientMessage::Watch(_) | ClientMessage::WatchTournament(_) => Some(Work::Watch),
        _ => None,
    }
}
