//! Words: what servers that share a store say to each other, in one order for all. They are no log: what they come to is summed up, and then they are forgotten.

use bytes::Bytes;
use grundy_shared::ids::Seq;

/// What a server says to all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// What it settles, at most 64 bytes: only one word settles it.
    pub settles: Option<String>,
    /// The newest word that the server has heard. It may not settle what was settled by a word that is forgotten.
    pub heard: Seq,
    /// What it says: UTF-8 JSON.
    pub body: Bytes,
}

/// What all words come to up to one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordSummary {
    /// The last of them.
    pub upto: Seq,
    /// What they come to: UTF-8 JSON.
    pub body: Bytes,
}
