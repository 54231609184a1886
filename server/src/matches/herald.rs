//! Who else wants to know of matches.

use grundy_shared::ids::MatchId;
use grundy_shared::referee::Referee;

/// Is told when a match begins and when it ends, each once in a life of the server, after it is stored. May be called while the match
/// is locked: it neither waits nor asks any match.
pub trait Herald: Send + Sync + 'static {
    /// Both seats are taken. Not told of matches that are taken up at a start.
    fn began(&self, id: MatchId, referee: &Referee);

    /// The match is over, and had begun.
    fn ended(&self, id: MatchId, referee: &Referee);
}

/// What a herald was told of one match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) enum Told {
    /// Nothing.
    #[default]
    Nothing,
    /// That it began.
    Begun,
    /// That it ended, or all that there is to tell.
    Ended,
}
