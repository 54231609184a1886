//! What clients know of each other: invitations, and matches to watch.

use grundy_shared::ids::{JoinCode, MatchId, PlayerId};

/// What is pinned to the board.
#[derive(Default, Debug)]
pub(crate) struct Board {
    codes: Vec<JoinCode>,
    matches: Vec<MatchId>,
    players: Vec<PlayerId>,
    links: u64,
    challenges: u64,
    /// Processes that were replaced, and may still answer from what they knew.
    pub(crate) replaced: u32,
    /// When the last of them was gone, in virtual milliseconds.
    pub(crate) alone_since: u64,
    /// Until when a store that failed may show in an answer, in virtual milliseconds.
    pub(crate) failing_until: u64,
    /// Clients that have nothing left to do.
    pub(crate) finished: usize,
}

impl Board {
    /// Whether somebody may have been told less than is stored, at this moment or later.
    pub(crate) fn several_servers_since(&self, since: u64) -> bool {
        self.replaced > 0 || self.alone_since > since
    }

    pub(crate) fn next_link(&mut self) -> u64 {
        self.links += 1;
        self.links
    }

    pub(crate) fn invite(&mut self, code: JoinCode) {
        self.codes.push(code);
    }

    pub(crate) fn announce(&mut self, id: MatchId) {
        if !self.matches.contains(&id) {
            self.matches.push(id);
        }
    }

    /// Takes an invitation; it is found again by nobody else, mostly.
    pub(crate) fn code(
        &mut self,
        chosen: impl FnOnce(usize) -> usize,
        leave: bool,
    ) -> Option<JoinCode> {
        if self.codes.is_empty() {
            return None;
        }
        let at = chosen(self.codes.len());
        let code = self.codes[at];
        if !leave {
            self.codes.swap_remove(at);
        }
        Some(code)
    }

    /// A number that no other challenge has.
    pub(crate) fn next_challenge(&mut self) -> u64 {
        self.challenges += 1;
        self.challenges
    }

    pub(crate) fn introduce(&mut self, player: PlayerId) {
        if !self.players.contains(&player) {
            self.players.push(player);
        }
    }

    pub(crate) fn any_player(&self, chosen: impl FnOnce(usize) -> usize) -> Option<PlayerId> {
        let count = self.players.len();
        (count > 0).then(|| self.players[chosen(count)])
    }

    pub(crate) fn any_match(&self, chosen: impl FnOnce(usize) -> usize) -> Option<MatchId> {
        let count = self.matches.len();
        (count > 0).then(|| self.matches[chosen(count)])
    }
}
