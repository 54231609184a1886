//! What a bot may say: one line, a verb and what belongs to it.

use std::collections::BTreeMap;

use super::escape::quoted;

/// The version of the protocol.
pub(crate) const PROTOCOL: u32 = 1;
/// The longest line in either direction, in bytes, the line feed not counted.
pub(crate) const LINE_BYTES: usize = 64 << 10;

/// A line of a bot, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Said {
    /// `bot name xor author ada`: what the bot says about itself.
    About(BTreeMap<String, String>),
    /// `option name depth type int …`
    Offers(BTreeMap<String, String>),
    /// `ok`: the greeting is complete.
    Ok,
    /// `ready`: the bot has set up the game, if it asked to be waited for.
    Ready,
    /// `move ID MOVE`
    Move {
        /// The request.
        id: u64,
        /// The move as typed.
        text: String,
    },
    /// `resign ID`
    Resign {
        /// The request.
        id: u64,
    },
    /// `moves ID [FROM]`: asks for the legal moves.
    Moves {
        /// The request.
        id: u64,
        /// The first move wanted, from 0.
        from: u128,
    },
    /// `pong N`
    Pong(u64),
    /// Anything else: ignored, but counted.
    Noise,
}

/// Why a line with a known verb is not one, in words.
pub(crate) type Slip = String;

/// Reads a line without its end; a carriage return before the end does not matter.
///
/// # Errors
/// A known verb without what belongs to it, or in bytes that are not UTF-8.
pub(crate) fn read(line: &[u8]) -> Result<Said, Slip> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let is_known = |verb: &[u8]| {
        let rest = line.strip_prefix(verb);
        rest.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
    };
    const VERBS: [&[u8]; 8] = [
        b"move", b"moves", b"resign", b"bot", b"option", b"ok", b"ready", b"pong",
    ];
    if !VERBS.into_iter().any(is_known) {
        return Ok(Said::Noise);
    }
    let text =
        std::str::from_utf8(line).map_err(|_| format!("'{}' is not UTF-8 text", quoted(line)))?;
    let mut words = text.split_ascii_whitespace();
    let verb = words.next().unwrap_or_default();
    match verb {
        "ok" => Ok(Said::Ok),
        "ready" => Ok(Said::Ready),
        "bot" => Ok(Said::About(fields(words))),
        "option" => Ok(Said::Offers(fields(words))),
        "move" => {
            let id = number(words.next(), line, "move ID MOVE, such as 'move 3 A-1'")?;
            let text = words.next().ok_or_else(|| {
                format!(
                    "'{}' has no move; it must be 'move ID MOVE', such as 'move {id} A-1'",
                    quoted(line)
                )
            })?;
            let text = match words.next() {
                None => text.to_owned(),
                // Typing is tolerant: a move may have spaces.
                Some(next) => [text, next].into_iter().chain(words).collect(),
            };
            Ok(Said::Move { id, text })
        }
        "resign" => {
            let id = number(words.next(), line, "resign ID, such as 'resign 3'")?;
            Ok(Said::Resign { id })
        }
        "moves" => {
            let form = "moves ID or moves ID FROM, such as 'moves 3'";
            let id = number(words.next(), line, form)?;
            let from = match words.next() {
                None => 0,
                Some(from) => number(Some(from), line, form)?,
            };
            Ok(Said::Moves { id, from })
        }
        _ => Ok(Said::Pong(number(
            words.next(),
            line,
            "pong N, such as 'pong 1'",
        )?)),
    }
}

fn number<N: std::str::FromStr>(word: Option<&str>, line: &[u8], form: &str) -> Result<N, Slip> {
    let digits = word.filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    digits
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| {
            format!(
                "'{}' has no number where one is due; it must be {form}",
                quoted(line)
            )
        })
}

/// Keys and values in any order; of a key that stands twice the last value counts, and a key without a value is empty.
pub(crate) fn fields<'w>(words: impl Iterator<Item = &'w str>) -> BTreeMap<String, String> {
    let mut fields = BTreeMap::new();
    let mut words = words;
    while let Some(key) = words.next() {
        let value = words.next().unwrap_or_default();
        fields.insert(key.to_owned(), value.to_owned());
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_with_either_end() {
        let mv = Said::Move {
            id: 3,
            text: "A-1".to_owned(),
        };
        assert_eq!(read(b"move 3 A-1"), Ok(mv.clone()));
        assert_eq!(read(b"move 3 A-1\r"), Ok(mv.clone()));
        assert_eq!(read(b"  move"), Ok(Said::Noise));
        assert_eq!(read(b"move 3 A - 1"), Ok(mv));
        assert_eq!(read(b"resign 9"), Ok(Said::Resign { id: 9 }));
        assert_eq!(read(b"moves 9"), Ok(Said::Moves { id: 9, from: 0 }));
        assert_eq!(read(b"moves 9 50"), Ok(Said::Moves { id: 9, from: 50 }));
        assert_eq!(read(b"moved 9"), Ok(Said::Noise));
        assert_eq!(read(b"\xff\xfe"), Ok(Said::Noise));
        assert_eq!(read(b""), Ok(Said::Noise));
    }

    #[test]
    fn a_known_verb_without_its_words_is_explained() {
        for line in [
            &b"move"[..],
            b"move A-1",
            b"move 3",
            b"move 3 \xff",
            b"move -3 A-1",
            b"move 99999999999999999999 A-1",
            b"resign",
            b"moves x",
            b"pong",
        ] {
            let slip = read(line).expect_err("a slip");
            assert!(slip.is_ascii() && slip.len() < 400, "{slip}");
        }
    }

    #[test]
    fn what_a_bot_says_about_itself_is_keys_and_values() {
        let Ok(Said::About(about)) = read(b"bot author ada name xor odd") else {
            panic!("it is known");
        };
        assert_eq!(about["name"], "xor");
        assert_eq!(about["odd"], "");
    }
}
