//! How moves are read: letter by letter.

use crate::notation::{MAX_NUMBER, MoveError};

/// The characters of a move without its spaces, with their columns.
pub(crate) struct Letters<'t> {
    rest: std::iter::Peekable<Box<dyn Iterator<Item = (usize, char)> + 't>>,
    end: usize,
}

impl<'t> Letters<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let spaced = text.chars().enumerate();
        let letters = spaced.filter(|(_, c)| !c.is_whitespace());
        let boxed: Box<dyn Iterator<Item = (usize, char)> + 't> = Box::new(letters);
        Self {
            rest: boxed.peekable(),
            end: text.chars().count() + 1,
        }
    }

    pub(crate) fn peek(&mut self) -> Option<char> {
        self.rest.peek().map(|(_, c)| *c)
    }

    pub(crate) fn skip(&mut self) {
        self.rest.next();
    }

    /// The column of the next character, or one past the end.
    pub(crate) fn column(&mut self) -> usize {
        self.rest.peek().map_or(self.end, |(index, _)| index + 1)
    }

    /// Refuses whatever still comes.
    pub(crate) fn end(&mut self) -> Result<(), MoveError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(MoveError::at(self.column(), "the move should end here")),
        }
    }

    pub(crate) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some((_, c)) = self.rest.next_if(|(_, c)| wanted(*c)) {
            taken.push(c);
        }
        taken
    }

    pub(crate) fn number(&mut self) -> Result<u64, MoveError> {
        let column = self.column();
        let digits = self.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Err(MoveError::at(column, "a number is missing here"));
        }
        let digits = match digits.trim_start_matches('0') {
            "" => "0",
            digits => digits,
        };
        let number = digits.parse().ok().filter(|number| *number <= MAX_NUMBER);
        number.ok_or_else(|| MoveError::at(column, "this number is larger than any heap"))
    }
}
