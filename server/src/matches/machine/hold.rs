//! When held clocks are started.

use grundy_shared::ids::Millis;
use grundy_shared::referee::Referee;

use super::beginning::Origin;
use super::policy::Policy;

/// When held clocks are started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hold {
    /// Whether both players have to be here; otherwise each clock starts with its own player.
    pub(super) both: bool,
    /// Then they start in any case.
    pub(super) until: Millis,
}

impl Hold {
    pub(super) fn new(now: Millis, origin: Origin, referee: &Referee, policy: &Policy) -> Self {
        let begun = Self::of(now, origin, referee, policy);
        // A player of a tournament has as long to come as the tournament says.
        let until = referee.tournament().filter(|_| referee.moves().len() <= 1);
        let until = until.map(|game| referee.created_at().plus(game.start_ms));
        Self {
            until: begun.until.max(until.unwrap_or_default()),
            ..begun
        }
    }

    fn of(now: Millis, origin: Origin, referee: &Referee, policy: &Policy) -> Self {
        let until = referee.created_at().plus(policy.rematch_start_ms);
        let is_new_rematch =
            referee.rematch_of().is_some() && referee.moves().is_empty() && until > now;
        match origin {
            Origin::Tournament => Self {
                both: true,
                until: Millis(0),
            },
            Origin::Rematch => Self { both: true, until },
            // Another server made it, or this one a moment ago.
            Origin::Asked if is_new_rematch => Self { both: true, until },
            // It had only begun when the server ended.
            Origin::Recovered { clocks_at } if is_new_rematch => Self {
                both: true,
                until: clocks_at.max(until),
            },
            Origin::Recovered { clocks_at } => Self {
                both: false,
                until: clocks_at,
            },
            Origin::Made | Origin::Asked => Self {
                both: false,
                until: now.plus(policy.rematch_start_ms),
            },
        }
    }
}
