//! Faults of the machine, tried on the real server process: what it says, what it keeps, and how it comes back.

#[path = "../durability/client.rs"]
mod client;
mod disk;
mod files;
mod intruder;
#[path = "../durability/journal.rs"]
mod journal;
mod player;
#[path = "../durability/process.rs"]
mod process;
#[path = "../powercut/recorder.rs"]
mod recorder;
mod scarcity;
#[cfg(feature = "failpoints")]
mod series;
mod starting;
mod stopping;

/// A match without clocks.
const UNTIMED: grundy_shared::event::TimeControl = grundy_shared::event::TimeControl::Untimed {};
