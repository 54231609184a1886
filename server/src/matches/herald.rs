//! Who else wants to know of matches.

use grundy_shared::ids::MatchId;
use grundy_shared::referee::{Referee, Status};

use super::machine::{Beginning, Origin};

/// Is told when a match begins and when it ends, each once in a life of the server, after it is stored. May be called while the match
/// is locked: it neither waits nor asks any match.
pub trait Herald: Send + Sync + 'static {
    /// Both seats are taken. Not told of matches that are taken up at a start.
    fn began(&self, id: MatchId, referee: &Referee);

    /// The match is over, and had begun.
    fn ended(&self, id: MatchId, referee: &Referee);
}

/// What a herald was told of one match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Told {
    /// Nothing.
    Nothing,
    /// That it began.
    Begun,
    /// That it ended, or all that there is to tell.
    Ended,
}

impl Told {
    /// What a match that is taken up counts as told. A match that ran before the server started is no news, nor is one that is read
    /// only after its end.
    pub(super) fn at_begin(self, beginning: &Beginning) -> Self {
        match (self, beginning.origin, beginning.referee.status()) {
            (Self::Begun | Self::Ended, _, _) => self,
            (Self::Nothing, Origin::Made | Origin::Rematch | Origin::Tournament, _)
            | (Self::Nothing, _, Status::Waiting)
            | (Self::Nothing, Origin::Asked, Status::Live) => Self::Nothing,
            (Self::Nothing, Origin::Recovered { .. }, Status::Live) => Self::Begun,
            (Self::Nothing, Origin::Recovered { .. } | Origin::Asked, Status::Over) => Self::Ended,
        }
    }
}
