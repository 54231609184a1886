//! The match server of Grundy: every event of a match is recorded before anybody hears of it.

pub mod clock;
pub mod config;
pub mod failpoint;
pub mod fsck;
pub mod lifecycle;
pub mod metrics;
pub mod store;
