//! The disjunctive sum `+`: components side by side, a move is made in exactly one of them.

use std::fmt;

use crate::erased::{Component, ComponentMove, Move};
use crate::games;
use crate::ids::Seat;
use crate::notation::{MAX_HEAPS, MoveError, NotationCode, NotationError, Shown, Word, nearest};

/// Components side by side. At least one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sum {
    components: Vec<Component>,
}

impl Sum {
    /// Reads `component+component+…`.
    pub(crate) fn parse(body: Word<'_>) -> Result<Self, NotationError> {
        let separators = |byte: &u8| matches!(byte, b',' | b'+' | b'/');
        if body.text.bytes().filter(|byte| separators(byte)).count() >= MAX_HEAPS {
            let message = format!("too many heaps: {MAX_HEAPS} are the limit of a position");
            let expected = format!("at most {MAX_HEAPS} heaps and components");
            return body.refuse(NotationCode::OutOfRange, message, expected, games::EXAMPLE);
        }
        let components = body.split('+').map(read_component);
        Ok(Self {
            components: components.collect::<Result<_, _>>()?,
        })
    }

    /// These side by side; at least one.
    pub(crate) fn of(components: Vec<Component>) -> Self {
        debug_assert!(!components.is_empty(), "a sum has a component");
        Self { components }
    }

    /// In their order.
    pub(crate) fn components(&self) -> &[Component] {
        &self.components
    }

    /// The move as one of this sum.
    pub(crate) fn own(&self, component: usize, inner: ComponentMove) -> Move {
        Move {
            component,
            numbered: self.components.len() > 1,
            inner,
        }
    }

    pub(crate) fn move_count(&self, seat: Seat) -> u128 {
        let counts = self.components.iter().map(|part| part.move_count(seat));
        counts.fold(0, u128::saturating_add)
    }

    pub(crate) fn nth_move(&self, seat: Seat, mut n: u128) -> Option<Move> {
        for (index, component) in self.components.iter().enumerate() {
            let count = component.move_count(seat);
            if n < count {
                return Some(self.own(index, component.nth_move(seat, n)?));
            }
            n -= count;
        }
        None
    }

    pub(crate) fn moves(&self, seat: Seat) -> Box<dyn Iterator<Item = Move> + '_> {
        let components = self.components.iter().enumerate();
        Box::new(components.flat_map(move |(index, component)| {
            component
                .moves(seat)
                .map(move |inner| self.own(index, inner))
        }))
    }

    pub(crate) fn play(&self, mv: &Move) -> Self {
        let mut components = self.components.clone();
        components[mv.component] = components[mv.component].play(&*mv.inner);
        Self { components }
    }

    pub(crate) fn read_move(&self, seat: Seat, text: &str) -> Result<Move, MoveError> {
        if self.move_count(seat) == 0 {
            return Err(MoveError {
                message: "the game is over: there is no move left".to_owned(),
                column: None,
                example: None,
            });
        }
        let (index, inner, skipped) = self.split_number(text)?;
        let component = &self.components[index];
        match component.read_move(seat, inner) {
            Ok(mv) => Ok(self.own(index, mv)),
            Err(error) => {
                let example = component.nth_move(seat, 0);
                Err(MoveError {
                    example: example.map(|mv| self.own(index, mv).to_string()),
                    ..error.shifted(skipped)
                })
            }
        }
    }

    /// Takes the number of the component off a move: its index, the rest, and how many characters came before.
    fn split_number<'t>(&self, text: &'t str) -> Result<(usize, &'t str, usize), MoveError> {
        let count = self.components.len();
        let start = text.len() - text.trim_start().len();
        let lead = text[..start].chars().count();
        let rest = &text[start..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number = &rest[..digits];
        let after = rest[digits..].trim_start().strip_prefix('.');
        // Two dots are a run of coins, 2..4.
        match after.filter(|after| digits > 0 && !after.starts_with('.')) {
            Some(inner) => {
                let index = number.parse().ok().filter(|n| (1..=count).contains(n));
                let Some(index) = index else {
                    let message = match count {
                        1 => "there is one component only, and its moves need no number".to_owned(),
                        _ => format!(
                            "there is no component {}: they are numbered 1 to {count}",
                            Shown(number)
                        ),
                    };
                    return Err(MoveError::at(lead + 1, message));
                };
                let skipped = text[..text.len() - inner.len()].chars().count();
                Ok((index - 1, inner, skipped))
            }
            None if count == 1 => Ok((0, text, 0)),
            None => Err(MoveError::at(
                lead + 1,
                format!("say which component: a move here begins with 1. to {count}."),
            )),
        }
    }

    pub(crate) fn describe(&self) -> String {
        if let [component] = self.components.as_slice() {
            return sentence(&component.describe());
        }
        let mut text = String::new();
        for (index, component) in self.components.iter().enumerate() {
            if index > 0 {
                text.push(' ');
            }
            if index == 20 {
                let rest = self.components.len() - index;
                text.push_str(&format!("And {rest} more components."));
                break;
            }
            let title = component.info().title;
            text.push_str(&format!(
                "Component {}, {title}: {}.",
                index + 1,
                component.describe()
            ));
        }
        text
    }

    pub(crate) fn describe_move(&self, mv: &Move) -> String {
        let prefix = match mv.numbered {
            true => format!("{}.", mv.component + 1),
            false => String::new(),
        };
        self.components[mv.component].describe_move(&*mv.inner, &prefix)
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, component) in self.components.iter().enumerate() {
            if index > 0 {
                f.write_str("+")?;
            }
            component.write(f)?;
        }
        Ok(())
    }
}

/// With a capital at the beginning and a full stop at the end.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

/// Reads `name.parameters:state`.
fn read_component(word: Word<'_>) -> Result<Component, NotationError> {
    let Some((head, state)) = word.split_once(':') else {
        let (place, message) = match games::find(word.text) {
            _ if word.text.is_empty() => (word, "a game is missing".to_owned()),
            Some(_) => (word.end(), format!("'{}' needs a state", word.shown())),
            None => (word, format!("'{}' is not a position", word.shown())),
        };
        return place.refuse(
            NotationCode::BadPosition,
            message,
            "a game, a colon and its state",
            games::EXAMPLE,
        );
    };
    let (name, parameters) = match head.split_once('.') {
        None => (head, None),
        Some((name, parameters)) => (name, Some(parameters)),
    };
    let Some(info) = games::find(name.text) else {
        return Err(unknown_game(name));
    };
    (info.read)(info, name, parameters, state)
}

/// The refusal of a name that is not registered, with the nearest one that is.
fn unknown_game(name: Word<'_>) -> NotationError {
    let names = || games::REGISTRY.iter().map(|info| info.name);
    let near = nearest(name.text, names());
    let message = match near {
        _ if name.text.is_empty() => "the name of a game is missing".to_owned(),
        Some(near) => format!(
            "'{}' is not a known game; did you mean '{near}'?",
            name.shown()
        ),
        None => format!("'{}' is not a known game", name.shown()),
    };
    let example = near
        .and_then(games::find)
        .and_then(|info| info.examples.first().copied())
        .unwrap_or(games::EXAMPLE);
    NotationError {
        code: NotationCode::BadPosition,
        message,
        column: name.column,
        length: name.text.len().max(1),
        expected: format!("one of {}", names().collect::<Vec<_>>().join(", ")),
        help: example.to_owned(),
    }
}
