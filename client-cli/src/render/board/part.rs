//! A component as text, which is all that a drawing is made from.

/// A component as its drawing knows it.
pub(super) struct Part<'p> {
    /// The name of the game with its parameters: `race.10.100`.
    pub(super) head: &'p str,
    /// Its state.
    pub(super) state: &'p str,
}

impl Part<'_> {
    /// The items of a list; none for `_`.
    pub(super) fn items(&self) -> impl Iterator<Item = &str> {
        self.state.split(',').filter(|item| *item != "_")
    }

    /// The numbers of a list.
    pub(super) fn numbers(&self) -> Vec<u64> {
        self.items().filter_map(|item| item.parse().ok()).collect()
    }

    /// The parameters after the name.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &str> {
        self.head.split('.').skip(1)
    }
}
