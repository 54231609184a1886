//! The player whose browser asks.

use axum::http::HeaderMap;
use grundy_shared::ids::PlayerId;

use super::site::Site;
use super::visitor;
use crate::identity;

/// The player who is nobody: no draw gives this id.
const NOBODY: u128 = 0;

/// The player of the cookie, or nobody.
pub(super) async fn of(site: &Site, headers: &HeaderMap) -> PlayerId {
    let nobody = PlayerId::from_random(NOBODY);
    let Some(secret) = visitor::secret(headers) else {
        return nobody;
    };
    let bearer = site
        .app
        .identities
        .bearer(identity::hash(secret.reveal()))
        .await;
    bearer
        .ok()
        .flatten()
        .map_or(nobody, |bearer| bearer.player.id)
}
