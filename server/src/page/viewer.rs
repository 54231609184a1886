//! The player whose browser asks for a page.

use axum::http::HeaderMap;
use grundy_shared::ids::PlayerId;

use super::site::Site;
use super::visitor;
use crate::identity;

/// The player who is nobody: no draw gives this id.
const NOBODY: u128 = 0;

/// Somebody who plays no part in anything.
pub(super) fn nobody() -> PlayerId {
    PlayerId::from_random(NOBODY)
}

/// The player whose cookie comes with these headers; nobody if there is none, or if it cannot be looked up now.
pub(super) async fn of(site: &Site, headers: &HeaderMap) -> PlayerId {
    let Some(secret) = visitor::secret(headers) else {
        return nobody();
    };
    let hash = identity::hash(secret.reveal());
    let bearer = site.app.identities.bearer(hash).await;
    let bearer = bearer.ok().flatten();
    bearer.map_or_else(nobody, |bearer| bearer.player.id)
}
