//! Addresses of pages, with what readers and players have written in them.

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What is written otherwise in an address: everything but letters, digits and what RFC 3986 leaves alone in a path and a query, so that a position can be
/// read in its address.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b':')
    .remove(b',')
    .remove(b'/')
    .remove(b'@');

/// As a value in the query of an address.
pub(super) fn value(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// The lab with a position.
pub(super) fn lab(position: &Position, to_move: Seat) -> String {
    let side = match to_move {
        Seat::Second if position.has_sides() => "&to_move=second",
        _ => "",
    };
    format!("/lab?position={}{side}", value(&position.to_string()))
}

/// The first page with a position to begin a match from.
pub(super) fn play(position: &str) -> String {
    format!("/?position={}", value(position))
}

/// The page of a player.
pub(super) fn player(name: &str) -> String {
    format!("/u/{}", value(name).replace('/', "%2F"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_its_own_address() {
        let lab = |text: &str, seat| lab(&Position::parse(text).expect(text), seat);
        assert_eq!(lab("nim:3,5,7", Seat::Second), "/lab?position=nim:3,5,7");
        assert_eq!(
            lab("nim:1+kayles:2@misere", Seat::First),
            "/lab?position=nim:1%2Bkayles:2@misere"
        );
        assert_eq!(
            lab("domineering:../..", Seat::Second),
            "/lab?position=domineering:../..&to_move=second"
        );
    }

    #[test]
    fn a_name_is_one_piece_of_a_path() {
        assert_eq!(player("a/b?c#d&e"), "/u/a%2Fb%3Fc%23d%26e");
        assert_eq!(player("skill:0.7"), "/u/skill:0.7");
    }
}
