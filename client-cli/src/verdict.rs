//! What `grundy solve` reports of a position, as text and as JSON.

use grundy_shared::solver::Solution;
use serde::Serialize;

/// A verdict; with `--all`, also every move and what it leads to.
#[derive(Debug, Serialize)]
pub(crate) struct Verdict {
    #[serde(flatten)]
    pub(crate) solution: Solution,
    /// With `--all`: the first moves in order, winning or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) moves: Option<Vec<Considered>>,
}

/// A move and what it leads to.
#[derive(Debug, Serialize)]
pub(crate) struct Considered {
    /// The move, canonical.
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// The position that it leaves, as the other player sees it.
    pub(crate) after: Solution,
}
