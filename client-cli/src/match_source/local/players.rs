//! Who plays whom in a match in this process.

use grundy_shared::bot::Bot;
use grundy_shared::ids::{PlayerId, Seat};
use grundy_shared::referee::Referee;

/// Who plays whom.
#[derive(Clone, Debug)]
pub(crate) enum Players {
    /// One person in this seat, a bot in the other.
    Bot(Seat, Bot),
    /// Two people at this keyboard.
    Two,
}

/// The ids of the people at this keyboard. They are the same in every match, so that a library knows whose matches these are; servers
/// draw ids at random and give nobody these.
pub(crate) fn people() -> [PlayerId; 2] {
    [1, 2].map(PlayerId::from_random)
}

impl Players {
    /// Those of a match that was begun here; `None` if it was not.
    pub(super) fn of(referee: &Referee) -> Option<Self> {
        let [one, two] = people();
        let sits = |player| referee.seat_of(player);
        match (sits(one)?, sits(two)) {
            (_, Some(_)) => Some(Self::Two),
            (seat, None) => {
                let other = referee.player(seat.other())?;
                let bot = other.name.parse().ok().filter(|_| other.bot)?;
                Some(Self::Bot(seat, bot))
            }
        }
    }
}
