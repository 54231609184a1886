//! Positions and match ids as the user types them.

use grundy_shared::Position;
use grundy_shared::ids::MatchId;

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
