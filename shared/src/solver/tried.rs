//! What is reported instead of a verdict.

use std::fmt;

/// The methods that gave no verdict before the budget was used up.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Tried(Vec<String>);

impl Tried {
    /// Adds a method, once.
    pub(super) fn push(&mut self, way: impl Into<String>) {
        let way = way.into();
        if !self.0.contains(&way) {
            self.0.push(way);
        }
    }

    /// These and one more.
    pub(super) fn and(mut self, way: impl Into<String>) -> Self {
        self.push(way);
        self
    }
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tried {}", self.0.join(", "))
    }
}
