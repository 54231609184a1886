//! Positions as a person or a program asks for them: one that can be read, but does not mean what its words say, is refused here.

use super::Position;
use crate::notation::{NotationCode, NotationError};
use crate::theory::compound::Compound;

/// Characters of a spelled-out position that a refusal shows at most.
const MOST_SHOWN: usize = 1_000;

impl Position {
    /// Reads a position that was asked for, as opposed to one that stands in a stored log. The same as [`Position::parse`], except that a compound of one component,
    /// `nim:3,5,7@every`, is refused: the word has no effect there, and `nim:3+nim:5+nim:7@every` was meant. `@zero` has an effect: it ends the game earlier. O(length).
    ///
    /// # Errors
    /// As [`Position::parse`]; of a compound of one component, with the parts of that component spelled out.
    pub fn parse_typed(text: &str) -> Result<Self, NotationError> {
        let position = Self::parse(text)?;
        let compound = position.compound();
        let joins = !matches!(compound, Compound::Sum | Compound::UntilZero);
        if !joins || position.component_count() > 1 {
            return Ok(position);
        }
        let word = compound.word();
        let spelled = position.spelled_out();
        let message = match &spelled {
            Some(_) => format!(
                "'@{word}' joins components, and this is one component of several parts: write each part as a component"
            ),
            None => format!("'@{word}' joins components, and this is only one"),
        };
        let of_components = || format!("nim:3+nim:5@{word}");
        Err(NotationError {
            code: NotationCode::BadPosition,
            message,
            // A compound stands directly behind the components.
            column: text.find('@').map_or(1, |at| at + 2),
            length: word.len(),
            expected: "two or more components joined with +, or no compound".to_owned(),
            help: spelled.unwrap_or_else(of_components),
        })
    }

    /// The position in which each part of its components is a component of its own; `None` if a component has fewer than two parts, if
    /// a part cannot be written alone, or if that would be long.
    fn spelled_out(&self) -> Option<String> {
        let [component] = self.sum.components() else {
            return None;
        };
        let mut text = String::new();
        let parts = component.parts();
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                text.push('+');
            }
            text.push_str(&part.to_string());
            if text.len() > MOST_SHOWN {
                return None;
            }
        }
        text.push('@');
        text.push_str(self.compound().word());
        if self.end_rule.is_misere() {
            text.push_str("@misere");
        }
        // Some games have parts without a text.
        let is_readable = Self::parse(&text).is_ok_and(|read| read.to_string() == text);
        (parts.len() > 1 && is_readable).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::REGISTRY;

    fn refused(text: &str) -> NotationError {
        assert!(
            Position::parse(text).is_ok(),
            "{text} is in logs, and read there"
        );
        let error = Position::parse_typed(text).expect_err(text);
        let read = Position::parse_typed(&error.help).expect(&error.help);
        assert!(read.component_count() > 1, "{}", error.help);
        error
    }

    #[test]
    fn a_compound_of_one_component_is_refused_with_its_parts() {
        for (text, column, length, help) in [
            ("nim:3,5,7@every", 11, 5, "nim:3+nim:5+nim:7@every"),
            (
                "nim:3,0@shortsum@misere",
                9,
                8,
                "nim:3+nim:0@shortsum@misere",
            ),
            (
                "dag.3-1.3-2:3,3@selective",
                17,
                9,
                "dag.3-1.3-2:3+dag.3-1.3-2:3@selective",
            ),
            (
                "fork.2-1/0:2,1@conjunctive",
                16,
                11,
                "fork.2-0/1:2+fork.2-0/1:1@conjunctive",
            ),
            (
                "hack:0-1,0-2@shortselective",
                14,
                14,
                "hack:0-1+hack:0-1@shortselective",
            ),
            ("nimble:3,5@every", 12, 5, "nimble:3+nimble:5@every"),
            ("cram:..x..@every", 12, 5, "cram:./.+cram:./.@every"),
            // Without parts of their own, or parts that have no text.
            ("nim:3@every", 7, 5, "nim:3+nim:5@every"),
            ("moore.2:3,4@every", 13, 5, "nim:3+nim:5@every"),
            ("wythoff:3,4@every", 13, 5, "nim:3+nim:5@every"),
            ("prefix.3:01,00@every", 16, 5, "nim:3+nim:5@every"),
        ] {
            let error = refused(text);
            let place = (error.column, error.length);
            assert_eq!((place, &*error.help), ((column, length), help), "{text}");
        }
        let long = format!("nim:{}@every", vec!["1"; 1_000].join(","));
        assert_eq!(refused(&long).help, "nim:3+nim:5@every");
    }

    #[test]
    fn in_every_game_and_compound() {
        for (game, compound) in REGISTRY
            .iter()
            .flat_map(|game| Compound::NAMED.map(|compound| (game, compound)))
        {
            for example in game.examples {
                let text = format!("{example}@{}", compound.word());
                match Position::parse(&text).is_ok() {
                    true if compound == Compound::UntilZero => {
                        assert!(Position::parse_typed(&text).is_ok(), "{text}");
                    }
                    true => drop(refused(&text)),
                    false => {}
                }
                let two = format!("{example}+{text}");
                assert_eq!(
                    Position::parse_typed(&two).is_ok(),
                    Position::parse(&two).is_ok(),
                    "{two}"
                );
            }
        }
    }

    #[test]
    fn other_positions_are_read_as_ever() {
        for text in [
            "nim:3,5,7",
            "nim:3,5@misere",
            "nim:3,5+kayles:7@every",
            "hack:0b1+nim:3",
            // Over at once, and not before the last stone.
            "stairs:0,2@zero",
            "stairs:0,2",
        ] {
            assert_eq!(Position::parse_typed(text), Position::parse(text), "{text}");
            assert!(Position::parse_typed(text).is_ok(), "{text}");
        }
        assert_eq!(
            Position::parse_typed("nim:x@every"),
            Position::parse("nim:x@every")
        );
    }
}
