//! Reading a review that another program has written as JSON, such as the pages that a server sends.

use serde::de::Error as _;

use super::{Review, SCHEMA};

impl Review {
    /// Reads a review, or a page of one, from its JSON. Written again, it is the same text if this version of the program has written it. Cost: linear
    /// in its length.
    ///
    /// # Errors
    /// It is not JSON of [`SCHEMA`], or lacks a field.
    pub fn read(text: &str) -> serde_json::Result<Self> {
        let review: Self = serde_json::from_str(text)?;
        match review.schema == SCHEMA {
            true => Ok(review),
            false => {
                let words = format_args!("'{}' is not {SCHEMA}", review.schema);
                Err(serde_json::Error::custom(words))
            }
        }
    }

    /// Adds the page that follows this one. It is not checked that it does.
    pub fn add_page(&mut self, next: Self) {
        self.plies.extend(next.plies);
        self.turning_points.extend(next.turning_points);
    }

    /// Whether it has all plies of the match.
    #[must_use]
    pub fn has_all_plies(&self) -> bool {
        self.plies.len() as u64 == u64::from(self.plies_total) + 1
    }
}
