//! Reviews that are kept, so that each match is reviewed once.

/// The review of a match that is over. It follows from the log, but only a solver can compute it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReviewRow {
    /// The version of the solver that made it.
    pub version: u32,
    /// Its text. The store does not read it.
    pub text: String,
}

impl ReviewRow {
    /// Bytes of its text.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.text.len() as u64
    }
}
