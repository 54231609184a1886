//! What a match does, step by step: no runtime, no store, no socket.

mod agreements;
mod bot_time;
mod bots;
mod claims;
mod clocks;
mod delays;
mod doubt;
mod ending;
mod followers;
mod handover;
mod moves;
mod plans;
mod presence;
mod random;
mod rematches;
mod rig;
mod sharing;
mod stalls;
