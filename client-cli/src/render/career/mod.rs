//! All matches of a player together, as tables.

mod cells;
mod page;

pub(crate) use page::page;
