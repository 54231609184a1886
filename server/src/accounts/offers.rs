//! Standing offers, and whether a challenge fits one.

use std::ops::Bound;

use grundy_shared::event::TimeControl;
use grundy_shared::ids::PlayerId;
use grundy_shared::protocol::ErrorBody;
use grundy_shared::protocol::account::{DeclineReason, OfferInfo};

use super::challenge::Terms;
use super::refusals::not_followed;
use super::state::State;
use crate::matches::Outbox;

/// Whether terms fit an offer; how many matches the player has is checked where the match is stored.
pub(super) fn verdict(offer: &OfferInfo, terms: &Terms) -> Result<(), DeclineReason> {
    let offered = |game: &&str| offer.games.iter().any(|offered| offered == game);
    if !offer.games.is_empty() && !terms.games.iter().all(offered) {
        return Err(DeclineReason::Game);
    }
    match terms.clock {
        TimeControl::Untimed {} if !offer.untimed => Err(DeclineReason::Untimed),
        clock => match clock.for_first_move() {
            Some(time) if time < offer.min_base_ms => Err(DeclineReason::TooFast),
            _ => Ok(()),
        },
    }
}

impl State {
    pub(super) fn offer(&mut self, connection: &Outbox, offer: OfferInfo) -> Result<(), ErrorBody> {
        let player = offer.player.id;
        if !self.is_followed_by(player, connection) {
            return Err(not_followed());
        }
        if let Some(account) = self.accounts.get_mut(&player) {
            account.offer = Some((connection.clone(), offer));
            self.offering.insert(player);
        }
        Ok(())
    }

    pub(super) fn offers(
        &self,
        game: Option<&str>,
        after: Option<PlayerId>,
        limit: usize,
    ) -> (Vec<OfferInfo>, bool) {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let players = self.offering.range((from, Bound::Unbounded));
        let offers = players.filter_map(|player| self.accounts.get(player)?.offer.as_ref());
        let wanted = |offer: &&OfferInfo| {
            let plays = |game: &str| offer.games.iter().any(|offered| offered == game);
            offer.games.is_empty() || game.is_none_or(plays)
        };
        let mut found = offers.map(|(_, offer)| offer).filter(wanted).cloned();
        let page: Vec<_> = found.by_ref().take(limit).collect();
        (page, found.next().is_some())
    }
}
