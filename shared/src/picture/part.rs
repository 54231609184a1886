//! A component as text, which is all that a picture is made from.

/// A component as its picture knows it.
pub(super) struct Part<'p> {
    /// The name of the game with its parameters: `race.10.100`.
    pub(super) head: &'p str,
    /// Its state.
    pub(super) state: &'p str,
}

impl<'p> Part<'p> {
    /// A component from its notation.
    pub(super) fn of(text: &'p str) -> Self {
        let (head, state) = text.split_once(':').unwrap_or((text, "_"));
        Self { head, state }
    }

    /// The items of a list; none for `_`.
    pub(super) fn items(&self) -> impl Iterator<Item = &'p str> {
        self.state.split(',').filter(|item| *item != "_")
    }

    /// The numbers of a list.
    pub(super) fn numbers(&self) -> Vec<u64> {
        self.items().filter_map(|item| item.parse().ok()).collect()
    }

    /// The parameters after the name.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &'p str> {
        self.head.split('.').skip(1)
    }

    /// The rows of a board; none for `_`.
    pub(super) fn rows(&self) -> Vec<&'p [u8]> {
        let rows = self.state.split('/').filter(|row| *row != "_");
        rows.map(str::as_bytes).collect()
    }
}
