//! How many games are asked for: one, if nothing is said.

pub(super) fn one() -> u32 {
    1
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
pub(super) fn is_one(games: &u32) -> bool {
    *games == 1
}
