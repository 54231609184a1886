//! The match server of Grundy: every event of a match is recorded before anybody hears of it.

pub mod failpoint;
pub mod store;
