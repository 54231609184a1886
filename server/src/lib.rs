//! The match server: connections, live matches, the store, and the life of the process.

pub mod clock;
pub mod config;
pub mod failpoint;
pub mod lifecycle;
pub mod metrics;
pub mod store;
