//! Positions and match ids as the user types them.

use grundy_shared::Position;
use grundy_shared::event::Series;
use grundy_shared::ids::MatchId;
use grundy_shared::referee::SERIES_MAX;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::clean;

/// Reads a position.
pub(crate) fn position(text: &str) -> Result<Position, Failure> {
    Position::parse(text).map_err(|error| Failure::notation(text, &error))
}

/// Reads a match id.
pub(crate) fn match_id(text: &str) -> Result<MatchId, Failure> {
    text.parse().map_err(|_| {
        let shown = clean(text);
        Failure::new(Exit::Input, "bad_match", format!("'{shown}' is not a match id"))
            .hint("a match id is ten letters and digits such as 7Kq2mVx9Rt; 'grundy games list --mine' shows yours")
    })
}

/// Reads the number of games of a match: 1, or that of a series.
///
/// # Errors
/// It is another number, or none.
pub(crate) fn games(text: &str) -> Result<u32, String> {
    let games = text.parse().ok();
    // What the series is called does not matter here.
    let lawful = |games: &u32| Series::first(MatchId::from_random(0), *games).is_ok();
    games.filter(lawful).ok_or_else(|| {
        format!(
            "write 1, or an even number up to {SERIES_MAX}: both players move first equally often"
        )
    })
}
