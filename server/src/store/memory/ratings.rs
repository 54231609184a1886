//! The ratings of the store in memory.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::PlayerId;
use grundy_shared::rated::Family;
use rustc_hash::FxHashMap;

use crate::store::{Cursor, LIST_PAGE, Leaderboard, Ranked, RatingRow, StoreError};

/// Ratings by their players and families.
#[derive(Debug, Default)]
pub(super) struct Ratings(BTreeMap<(PlayerId, &'static str), (Family, RatingRow)>);

impl Ratings {
    /// Makes or replaces one.
    pub(super) fn put(&mut self, player: PlayerId, family: Family, row: RatingRow) {
        self.0.insert((player, family.name()), (family, row));
    }

    /// Those of a player.
    pub(super) fn of(&self, player: PlayerId) -> Vec<(Family, RatingRow)> {
        let own = self.0.range((player, "")..);
        let own = own.take_while(|((of, _), _)| *of == player);
        own.map(|(_, rating)| *rating).collect()
    }

    /// That of a player in one family.
    pub(super) fn one(&self, player: PlayerId, family: Family) -> Option<RatingRow> {
        self.0.get(&(player, family.name())).map(|(_, row)| *row)
    }

    /// A page of a leaderboard.
    pub(super) fn leaderboard(
        &self,
        board: Leaderboard,
        after: Option<&Cursor>,
        wish: usize,
        players: &FxHashMap<PlayerId, PlayerInfo>,
    ) -> Result<Vec<Ranked>, StoreError> {
        let after = after.map(Cursor::to_rank).transpose()?;
        let after = after.map(|(rating, player)| (Reverse(rating), player));
        let belongs = |(family, row): &(Family, RatingRow)| {
            *family == board.family
                && row.bot == board.bots
                && row.state.is_provisional(board.now) == board.provisional
        };
        let of_board = self.0.iter().filter(|(_, rating)| belongs(rating));
        let ranked = of_board.map(|((player, _), (_, row))| {
            let place = (Reverse(row.state.strength.rating), *player);
            (place, row.state)
        });
        let mut ranked: Vec<_> = ranked
            .filter(|(place, _)| after.is_none_or(|after| *place > after))
            .collect();
        ranked.sort_unstable_by_key(|(place, _)| *place);
        let known = ranked.into_iter().filter_map(|((rating, player), state)| {
            Some(Ranked {
                cursor: Cursor::rank(rating.0, player),
                player: players.get(&player)?.clone(),
                state,
            })
        });
        Ok(known.take(wish.min(LIST_PAGE)).collect())
    }
}
