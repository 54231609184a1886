//! Players and families as users name them.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{PlayerId, Seat};
use grundy_shared::protocol::server::MatchSummary;
use grundy_shared::rated::Family;
use grundy_words::Message;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::identity::Vault;
use crate::match_source::local::people;
use crate::render::clean;

/// A player whose matches are looked for.
#[derive(Debug)]
pub(crate) enum Who {
    /// Those of the identities on this computer, and of the people who played at its keyboard.
    Mine(Vec<PlayerId>),
    /// Those of the player with this id or name.
    Named(String),
}

impl Who {
    /// The identities of the user's profile on this computer, and the people at its keyboard.
    ///
    /// # Errors
    /// The identities cannot be read.
    pub(crate) fn mine(context: &Context) -> Result<Self, Failure> {
        let mut ids = Vault::open()?.read()?.players(context.config.profile());
        ids.extend(people());
        Ok(Self::Mine(ids))
    }

    fn is(&self, player: &PlayerInfo) -> bool {
        match self {
            Self::Mine(ids) => ids.contains(&player.id),
            Self::Named(named) => match named.parse::<PlayerId>() {
                Ok(id) => player.id == id,
                Err(_) => player.name.to_lowercase() == named.to_lowercase(),
            },
        }
    }
}

/// Whether this player had this seat.
pub(crate) fn sits(summary: &MatchSummary, seat: Seat, who: &Who) -> bool {
    let player = match seat {
        Seat::First => &summary.first,
        Seat::Second => &summary.second,
    };
    player.as_ref().is_some_and(|player| who.is(player))
}

/// The family with this name.
///
/// # Errors
/// There is none.
pub(crate) fn family(name: &str) -> Result<Family, Failure> {
    name.parse::<Family>().map_err(|error| {
        let message = Message::new("matches-no-game").text("said", error);
        Failure::told(Exit::NotFound, "unknown_game", message)
            .help(Message::new("matches-no-game-how"))
    })
}

/// Nobody of this name is one of the players of a match.
pub(crate) fn not_a_player(name: &str, players: &[String]) -> Failure {
    let message = Message::new("not-a-player").text("name", clean(name));
    let how = match players {
        [one, two] => Message::new("not-a-player-how")
            .text("first", one)
            .text("second", two),
        _ => Message::new("not-a-player-one").text("names", players.concat()),
    };
    Failure::told(Exit::Input, "not_a_player", message).help(how)
}
