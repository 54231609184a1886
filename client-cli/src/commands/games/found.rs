//! The result of listing matches, on a server or in the library.

use grundy_shared::protocol::server::MatchSummary;

/// The result of a list.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) matches: Vec<MatchSummary>,
    /// Whether there may be more.
    pub(super) more: bool,
    /// Matches left out because their mistakes are not counted yet.
    pub(super) uncounted: u32,
    /// Matches left out because their mistakes could not be counted.
    pub(super) unknown: u32,
    /// Matches left out because the server's summaries of them are damaged.
    pub(super) unverified: u32,
}
