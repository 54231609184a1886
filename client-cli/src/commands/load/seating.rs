//! On which servers the players of matches sit.

use std::net::SocketAddr;

/// The servers, which share a database if there are several, and who sits where.
#[derive(Clone, Debug)]
pub(super) struct Seating {
    /// At least one.
    pub(super) servers: Vec<SocketAddr>,
    /// The players of a match sit on different servers.
    pub(super) across: bool,
}

impl Seating {
    /// Everybody on this server.
    pub(super) fn at(server: SocketAddr) -> Self {
        Self {
            servers: vec![server],
            across: false,
        }
    }

    /// Where the creator of this match sits, and who joins it.
    pub(super) fn of(&self, number: usize) -> [usize; 2] {
        let count = self.servers.len();
        [number % count, (number + usize::from(self.across)) % count]
    }

    /// How many players of so many matches sit on each server, in their order.
    pub(super) fn players(&self, matches: usize) -> Vec<usize> {
        let mut players = vec![0; self.servers.len()];
        for seat in (0..matches).flat_map(|number| self.of(number)) {
            players[seat] += 1;
        }
        players
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_spread_and_meet_across_servers_when_asked_to() {
        let server = |port| SocketAddr::from(([127, 0, 0, 1], port));
        let alone = Seating::at(server(1));
        assert_eq!(alone.of(7), [0, 0]);
        assert_eq!(alone.players(5), [10]);
        let servers = vec![server(1), server(2), server(3)];
        let within = Seating {
            servers,
            across: false,
        };
        assert_eq!(within.of(4), [1, 1]);
        assert_eq!(within.players(4), [4, 2, 2]);
        let across = Seating {
            across: true,
            ..within
        };
        assert_eq!(across.of(5), [2, 0]);
        assert_eq!(across.players(4), [3, 3, 2]);
    }
}
