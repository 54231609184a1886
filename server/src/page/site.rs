//! What the pages are made from.

use std::sync::Arc;

use super::kept::Kept;
use crate::app::App;
use crate::costly::OffServing;
use crate::own_url::OwnUrl;

/// The server and its address.
#[derive(Clone)]
pub(super) struct Site {
    /// The server.
    pub(super) app: Arc<App>,
    /// By which address a reader reaches it.
    pub(super) url: OwnUrl,
    /// What was worked out for earlier readers.
    pub(super) kept: Arc<Kept>,
    /// Pages are painted on a thread that serves nobody.
    pub(super) leave: OffServing,
}
