//! A table of a desk.

/// Rows of one table that are kept.
pub(crate) const ROWS: usize = 2_000;

/// A table, of which one row is chosen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sheet {
    /// What it is called, in the reader's language.
    pub(crate) name: String,
    /// The heads of its columns; one that begins with `>` stands at the right.
    pub(crate) headings: Vec<String>,
    /// Its rows, at most [`ROWS`] of them.
    pub(crate) rows: Vec<Row>,
    /// What is said where there is no row.
    pub(crate) none: String,
}

/// A row.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Row {
    /// As many as there are headings.
    pub(crate) cells: Vec<String>,
    /// The line that Enter enters; `None` where a row does nothing.
    pub(crate) enters: Option<String>,
}
