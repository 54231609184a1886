//! Standing offers, and whether a challenge fits one.

use std::ops::Bound;

use grundy_shared::event::TimeControl;
use grundy_shared::ids::PlayerId;
use grundy_shared::protocol::account::{DeclineReason, OfferInfo};

use super::account::Offered;
use super::challenge::Terms;
use super::state::State;
use crate::hall::Life;

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
    /// Makes or replaces the standing offer of a player who is present on this server.
    pub(super) fn offer(&mut self, info: OfferInfo, by: Life, place: u64) {
        let player = info.player.id;
        let account = self.accounts.get_mut(&player);
        if let Some(account) = account.filter(|account| account.facts.present.contains(&by)) {
            account.facts.offer = Some(Offered { info, by, place });
            self.offering.insert(player);
        }
    }

    /// Ends the standing offer of a player, if it is this one.
    pub(super) fn end_offer(&mut self, player: PlayerId, is_this: impl Fn(&Offered) -> bool) {
        if let Some(account) = self.accounts.get_mut(&player)
            && account.facts.offer.as_ref().is_some_and(is_this)
        {
            account.facts.offer = None;
            self.offering.remove(&player);
        }
    }

    pub(super) fn offers(
        &self,
        game: Option<&str>,
        after: Option<PlayerId>,
        limit: usize,
    ) -> (Vec<OfferInfo>, bool) {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let players = self.offering.range((from, Bound::Unbounded));
        let offers = players.filter_map(|player| self.accounts.get(player)?.facts.offer.as_ref());
        let wanted = |offer: &&OfferInfo| {
            let plays = |game: &str| offer.games.iter().any(|offered| offered == game);
            offer.games.is_empty() || game.is_none_or(plays)
        };
        let mut found = offers.map(|offer| &offer.info).filter(wanted).cloned();
        let page: Vec<_> = found.by_ref().take(limit).collect();
        (page, found.next().is_some())
    }
}
