//! New work among a player's requests: an overloaded server makes it wait or refuses it.

use grundy_shared::protocol::ClientMessage;

use super::connection::Request;
use super::player::Player;
use super::socket::{Ending, Socket};
use crate::admission::{Entry, Work};

impl<S: Socket> Player<S> {
    /// Answers a request whose turn it is, unless it is new work that has to wait or is refused.
    pub(super) async fn enter(&mut self, Request { id, message }: Request) -> Result<(), Ending> {
        // Requests beyond the token's scopes are refused at once.
        let work = new_work(&message).filter(|_| self.check_scope(&message).is_ok());
        let Some(work) = work else {
            return self.answer(id, message).await;
        };
        let admission = &self.connection.app.admission;
        let entry = match admission.enter(work, self.connection.address) {
            Entry::Waits(_) if self.entering.is_full() => Entry::Refused(admission.refusal(work)),
            entry => entry,
        };
        match entry {
            Entry::Admitted => self.answer(id, message).await,
            Entry::Refused(error) => self.connection.refuse(Some(id), error),
            Entry::Waits(turn) => {
                let request = Request { id, message };
                self.entering.push(work, turn, request);
                Ok(())
            }
        }
    }

    /// Answers a request that has waited.
    pub(super) async fn entered(
        &mut self,
        request: Request,
        work: Work,
        may_begin: bool,
    ) -> Result<(), Ending> {
        let Request { id, message } = request;
        if may_begin {
            return self.answer(id, message).await;
        }
        let error = self.connection.app.admission.refusal(work);
        self.connection.refuse(Some(id), error)
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
        // A picture of a position that a client typed: those of matches are drawn once for all clients.
        ClientMessage::Moves(ask) if ask.picture && ask.position.is_some() => Some(Work::Analysis),
        ClientMessage::Solve(_)
        | ClientMessage::Explain(_)
        | ClientMessage::Review(_)
        | ClientMessage::SolvePuzzle(_) => Some(Work::Analysis),
        ClientMessage::Watch(_) | ClientMessage::WatchTournament(_) => Some(Work::Watch),
        _ => None,
    }
}
