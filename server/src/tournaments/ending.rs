//! How operators end tournaments, whoever created them.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{PlayerId, TournamentId};
use grundy_shared::protocol::ErrorBody;

use super::live::{Input, Unfinished};
use super::machine::Ask;
use super::registry::Tournaments;
use crate::matches::LocalRequest;
use crate::metrics::Refusals;

/// The reason in the log of a tournament if the operator gives no public one.
pub const ENDED_BY_OPERATOR: &str = "an operator of the server ended it";

impl Tournaments {
    /// Cancels a tournament for this reason, which everybody can read. It is stored when this returns; running games end soon after.
    ///
    /// # Errors
    /// The tournament does not exist or is over, or the refusal.
    pub async fn end(&self, id: &str, reason: &str) -> Result<TournamentId, ErrorBody> {
        let live = self.find(id).await?;
        let request = LocalRequest::new(Refusals::default());
        live.give(Input::Ask {
            reply: request.reply_to(),
            player: PlayerInfo {
                id: PlayerId::from_random(0),
                name: String::new(),
                bot: false,
            },
            ask: Ask::End(reason.to_owned()),
        });
        request.done().await?;
        Ok(live.id())
    }

    /// All unfinished tournaments, the newest first. Cost: linear in them.
    #[must_use]
    pub fn unfinished(&self) -> Vec<Unfinished> {
        let mut all: Vec<_> = self
            .everyone()
            .iter()
            .map(|live| live.unfinished())
            .collect();
        all.sort_by_key(|one| (std::cmp::Reverse(one.created_at), one.id));
        all
    }

    /// The unfinished tournaments that this player organises. Cost: linear in all of them.
    #[must_use]
    pub fn organised_by(&self, player: PlayerId) -> Vec<TournamentId> {
        let everyone = self.everyone();
        let own = everyone.iter().filter(|live| live.is_organised_by(player));
        own.map(|live| live.id()).collect()
    }
}
