//! The result of listing matches, on a server or in the library.

use std::collections::HashSet;

use grundy_shared::protocol::client::ListOrder;

use crate::render::matches::Listed;

/// The result of a list.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) matches: Vec<Listed>,
    /// Whether there may be more.
    pub(super) more: bool,
    /// Matches left out because their mistakes are not counted yet.
    pub(super) uncounted: u32,
    /// Matches left out because their mistakes could not be counted.
    pub(super) unknown: u32,
    /// Matches left out because the server's summaries of them are damaged.
    pub(super) unverified: u32,
}

impl Found {
    /// Adds the matches of the library to those of the server, and keeps at most `limit`. A match in both is the server's, for only the
    /// server knows whether it goes on.
    pub(super) fn with_local(
        mut self,
        local: Self,
        order: Option<ListOrder>,
        limit: usize,
    ) -> Self {
        let known: HashSet<_> = self
            .matches
            .iter()
            .map(|one| one.summary.match_id)
            .collect();
        let new = |one: &Listed| !known.contains(&one.summary.match_id);
        self.matches.extend(local.matches.into_iter().filter(new));
        sort(&mut self.matches, order);
        self.more |= local.more || self.matches.len() > limit;
        self.matches.truncate(limit);
        self.unknown = self.unknown.saturating_add(local.unknown);
        self
    }
}

/// Sorts matches as a server does: the newest first, unless the oldest are asked for.
pub(super) fn sort(matches: &mut [Listed], order: Option<ListOrder>) {
    matches.sort_by_key(|one| (one.summary.created_at_ms, one.summary.match_id));
    if order != Some(ListOrder::Oldest) {
        matches.reverse();
    }
}
