//! The version of what the solver and the review find.

/// Raised whenever a review of the same match comes out differently: another outcome, value, length, mark, number, reason or sentence, or another
/// field in its JSON. Reviews that were stored under another version are computed again.
///
/// The test `review_version` compares the reviews of one match of each game with a digest, and fails if they change without a new version.
/// A change that it does not see, such as one for larger positions, raises the version too.
pub const VERSION: u32 = 6;
