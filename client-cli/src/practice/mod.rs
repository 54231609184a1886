//! The practice deck: which exercises the user has, how each went, and when it is due again.

pub(crate) mod deck;
pub(crate) mod event;
pub(crate) mod progress;
pub(crate) mod schedule;
pub(crate) mod store;
