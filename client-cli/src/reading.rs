//! Positions and match ids as the user types them.

use grundy_shared::Position;
use grundy_shared::event::{Series, TimeControl};
use grundy_shared::ids::MatchId;
use grundy_shared::notation::NotationError;
use grundy_shared::referee::SERIES_MAX;
use grundy_words::Message;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::misread::Misread;
use crate::render::clean;
use crate::render::refusals::in_words;
use crate::session::typed::narrow;

/// Reads a position; names of games in any letter case, and full-width signs. A compound of one component is refused.
pub(crate) fn position(text: &str) -> Result<Position, Failure> {
    read(text, Position::parse_typed)
}

/// Reads the start of a match that may have been stored when a compound of one component was accepted.
pub(crate) fn stored_start(text: &str) -> Result<Position, Failure> {
    read(text, Position::parse)
}

fn read(
    text: &str,
    parse: fn(&str) -> Result<Position, NotationError>,
) -> Result<Position, Failure> {
    let read = parse(text).or_else(|error| {
        let meant = plain(text);
        // What is wrong with it is said of the text as typed, unless the text itself can be read.
        parse(&meant).map_err(|of_meant| match Position::parse(&meant) {
            Ok(_) => of_meant,
            Err(_) => error,
        })
    });
    read.map_err(|error| Failure::notation(text, &error))
}

/// The position that was probably meant: in ASCII, with the names and words around the states in lower case.
fn plain(text: &str) -> String {
    let narrow = narrow(text);
    let (body, endings) = match narrow.split_once('@') {
        Some((body, endings)) => (body, format!("@{}", endings.to_ascii_lowercase())),
        None => (&*narrow, String::new()),
    };
    let components = body
        .split('+')
        .map(|component| match component.split_once(':') {
            Some((name, state)) => format!("{}:{state}", name.to_ascii_lowercase()),
            None => component.to_ascii_lowercase(),
        });
    components.collect::<Vec<String>>().join("+") + &endings
}

/// Reads a match id.
pub(crate) fn match_id(text: &str) -> Result<MatchId, Failure> {
    text.parse().map_err(|_| {
        let shown = clean(text);
        let message = Message::new("failure-match-id").text("text", shown);
        Failure::told(Exit::Input, "bad_match", message).help(Message::new("failure-match-id-how"))
    })
}

/// Reads a time control.
///
/// # Errors
/// It is none, or a time is outside its bounds.
pub(crate) fn clock(text: &str) -> Result<TimeControl, Misread> {
    let read = narrow(text).parse::<TimeControl>();
    read.map_err(|error| {
        let said = in_words(&error.to_string(), None);
        Misread(Message::new("misread-clock").text("said", said))
    })
}

/// Reads the number of games of a match: 1, or that of a series.
///
/// # Errors
/// It is another number, or none.
pub(crate) fn games(text: &str) -> Result<u32, Misread> {
    let games = text.parse().ok();
    // What the series is called does not matter here.
    let lawful = |games: &u32| Series::first(MatchId::from_random(0), *games, false).is_ok();
    let refusal = Message::new("misread-games").text("most", SERIES_MAX);
    games.filter(lawful).ok_or(Misread(refusal))
}

/// How many games are asked for: two if they are rated.
pub(crate) fn games_of(games: u32, rated: bool) -> u32 {
    if rated { 2 } else { games }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_width_do_not_matter() {
        for (typed, meant) in [
            ("NIM:3,5", "nim:3,5"),
            ("Nim:3,5+Flip.1.2:HTH@Misere", "nim:3,5+flip.1.2:HTH@misere"),
            (
                "\u{ff4e}\u{ff49}\u{ff4d}\u{ff1a}\u{ff13}\u{ff0c}\u{ff15}",
                "nim:3,5",
            ),
        ] {
            let position = position(typed).expect("a position");
            assert_eq!(position.to_string(), meant);
        }
        // What is wrong is shown as it was typed.
        let failure = position("NIM:x").expect_err("it is none");
        assert!(failure.to_string().contains("NIM:x"), "{failure}");
        for typed in ["nim:3,5@every", "NIM:3,5@Every"] {
            let failure = position(typed).expect_err("a compound of one component");
            let words = format!("{failure} {failure:?}");
            assert!(words.contains("nim:3+nim:5@every"), "{words}");
            assert!(stored_start(typed).is_ok(), "{typed}");
        }
    }
}
