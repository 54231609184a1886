//! The player whose browser asks for a page.

use axum::http::HeaderMap;
use grundy_shared::ids::PlayerId;
use grundy_shared::protocol::ErrorBody;

use super::site::Site;
use super::visitor;
use crate::identity;

/// The player who is nobody: no draw gives this id.
const NOBODY: u128 = 0;

/// Somebody who plays no part in anything.
pub(super) fn nobody() -> PlayerId {
    PlayerId::from_random(NOBODY)
}

/// The player whose cookie comes with these headers; nobody if there is none, or if it is no player's.
///
/// # Errors
/// The cookie cannot be looked up now. Its player may be in a rated pair, so this is not a reader who plays no part in anything.
pub(super) async fn of(site: &Site, headers: &HeaderMap) -> Result<PlayerId, ErrorBody> {
    let Some(secret) = visitor::secret(headers) else {
        return Ok(nobody());
    };
    let hash = identity::hash(secret.reveal());
    let bearer = site.app.identities.bearer(hash).await?;
    Ok(bearer.map_or_else(nobody, |bearer| bearer.player.id))
}
