//! What a list of matches comes to, wherever they are.

use grundy_shared::protocol::server::MatchSummary;

/// What a list comes to.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) matches: Vec<MatchSummary>,
    /// Whether there may be more.
    pub(super) more: bool,
    /// Matches left out because their mistakes are not counted yet.
    pub(super) uncounted: u32,
    /// Matches left out because their mistakes could not be counted.
    pub(super) unknown: u32,
}
