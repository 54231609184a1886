//! The lines of an export.

use super::fault::Fault;

/// The lines of an export, one by one, with their numbers from 1.
pub(super) struct Lines<'b> {
    rest: &'b [u8],
    /// The number of the line read last.
    pub(super) number: usize,
}

impl<'b> Lines<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self {
            rest: bytes,
            number: 0,
        }
    }

    /// The next line without its end.
    pub(super) fn next(&mut self, what: &str) -> Result<&'b [u8], Fault> {
        self.number += 1;
        if self.rest.is_empty() {
            return Err(self.fault(format!("the file ends where {what} should stand")));
        }
        let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') else {
            return Err(self.fault("the file is cut off within this line".to_owned()));
        };
        let (line, rest) = self.rest.split_at(end);
        self.rest = &rest[1..];
        Ok(line)
    }

    /// The next so many lines as they are, with their ends.
    pub(super) fn take(&mut self, count: u64, what: &str) -> Result<&'b [u8], Fault> {
        let all = self.rest;
        for _ in 0..count {
            self.next(what)?;
        }
        Ok(&all[..all.len() - self.rest.len()])
    }

    /// The next line, which is not counted as read.
    pub(super) fn peek(&self) -> &'b [u8] {
        let end = self.rest.iter().position(|byte| *byte == b'\n');
        &self.rest[..end.unwrap_or(self.rest.len())]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Something is wrong in the line read last.
    pub(super) fn fault(&self, why: String) -> Fault {
        Fault {
            line: self.number,
            why,
        }
    }
}
