//! How long a message takes to the peer and an answer back, as pings show it.

use grundy_shared::ids::Millis;

/// What is known of the way to one peer.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Lag {
    /// When the ping was sent that is not answered.
    pinged: Option<Millis>,
    /// The last two that were measured; the newer one first.
    measured: [Option<Millis>; 2],
}

impl Lag {
    /// A ping is sent. Of several that are not answered the last one counts.
    pub(super) fn pinged(&mut self, now: Millis) {
        self.pinged = Some(now);
    }

    /// A pong has come. Whether it answers a ping.
    pub(super) fn ponged(&mut self, now: Millis) -> bool {
        let Some(pinged) = self.pinged.take() else {
            return false;
        };
        self.measured = [Some(now.since(pinged)), self.measured[0]];
        true
    }

    /// The shorter of the last two, so that one late answer gains nothing. 0 before the first.
    pub(super) fn shown(self) -> Millis {
        let measured = self.measured.into_iter().flatten();
        measured.min().unwrap_or(Millis(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shorter_of_the_last_two_counts() {
        let mut lag = Lag::default();
        assert_eq!(lag.shown(), Millis(0));
        for (sent, heard, shown) in [
            (1_000, 1_080, 80),
            (16_000, 16_500, 80),
            (31_000, 31_400, 400),
            (46_000, 46_010, 10),
        ] {
            lag.pinged(Millis(sent));
            assert!(lag.ponged(Millis(heard)));
            assert_eq!(lag.shown(), Millis(shown));
        }
    }

    #[test]
    fn a_pong_that_nobody_asked_for_shows_nothing() {
        let mut lag = Lag::default();
        assert!(!lag.ponged(Millis(5)));
        lag.pinged(Millis(10));
        lag.pinged(Millis(20));
        assert!(lag.ponged(Millis(50)));
        assert!(!lag.ponged(Millis(60)));
        assert_eq!(lag.shown(), Millis(30));
    }
}
