//! Whether a player may be helped now: by the solver, by a built-in bot, or by the words of watchers. Every source of help asks this module, and no other
//! module asks the store whether a player is in a rated pair.

use grundy_shared::ids::PlayerId;
use grundy_shared::protocol::{ErrorBody, ErrorCode};

use crate::matches::refusal;
use crate::store::{Store, StoreError};

/// Whether this player may be helped now: the player is in no unfinished rated pair.
///
/// # Errors
/// The store cannot be read.
pub async fn is_allowed(store: &dyn Store, player: PlayerId) -> Result<bool, StoreError> {
    Ok(!store.plays_rated(player).await?)
}

/// Refuses what would help a player who may not be helped now.
///
/// # Errors
/// `rated_match`, or the store cannot be read.
pub async fn check(store: &dyn Store, player: PlayerId) -> Result<(), ErrorBody> {
    let allowed = is_allowed(store, player).await;
    match allowed.map_err(|error| refusal::of_store(&error))? {
        true => Ok(()),
        false => Err(ErrorBody::new(
            ErrorCode::RatedMatch,
            "you are in a rated pair: until both games are over, the server gives you nothing that the solver finds, \
             and no built-in bot moves for you to see",
        )),
    }
}
