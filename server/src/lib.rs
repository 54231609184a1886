//! The match server of Grundy: every event of a match is recorded before anybody hears of it.

pub mod addresses;
pub mod analysis;
pub mod app;
pub mod auth;
pub mod chance;
pub mod clock;
pub mod config;
pub mod data;
pub mod exit;
pub mod failpoint;
pub mod fsck;
pub mod health;
pub mod http;
pub mod lifecycle;
pub mod logging;
pub mod matches;
pub mod metrics;
pub mod planted;
pub mod rate;
pub mod service;
pub mod session;
pub mod shard;
pub mod spawner;
pub mod store;
pub mod transport;
pub mod workers;
