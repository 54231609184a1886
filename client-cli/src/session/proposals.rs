//! Proposals, which the other player has to accept, and claims, which need no agreement.

use grundy_shared::event::{Claim, Proposal};
use grundy_shared::ids::Millis;
use grundy_words::Message;

use super::Session;
use crate::failure::Failure;
use crate::match_source::Ask;

impl Session<'_> {
    /// Whether the match ends when we call it off, without a person who has to agree.
    pub(super) fn ends_by_abort(&self) -> bool {
        self.is_waiting() || self.view.no_hints().is_none() || self.can_claim()
    }

    /// Whether the other player has been away for so long that we may end the match.
    fn can_claim(&self) -> bool {
        self.view.claim_in() == Some(Millis(0))
    }

    /// Cancels the invitation, ends a match that the other player has left, or proposes to call it off.
    pub(super) async fn abort(&mut self) {
        if self.is_waiting() {
            self.ask(Ask::Abort, Message::new("pending-abort")).await;
        } else if self.can_claim() {
            self.propose(Ask::Claim(Claim::Void)).await;
        } else {
            self.propose(Ask::Propose(Proposal::Abort)).await;
        }
    }

    /// Asks for something that the other player has to agree to, or that follows from that: events tell what comes of it.
    pub(super) async fn propose(&mut self, ask: Ask) {
        self.say_that_it_waits();
        self.link.ask(ask).await;
    }

    /// Answers what the other player has proposed.
    pub(super) async fn answer(&mut self, agree: bool) -> Result<(), Failure> {
        match self.view.to_answer() {
            Some(proposed) => {
                self.propose(Ask::Answer { proposed, agree }).await;
                Ok(())
            }
            None => self.cannot("typed-nothing-to-answer"),
        }
    }
}
