//! Who makes the first move of a match that is not made yet.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The side that the creator of a match asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The creator moves first.
    First,
    /// The creator moves second.
    Second,
    /// The server draws the side.
    #[default]
    Random,
}
