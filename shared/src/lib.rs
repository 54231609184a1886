//! Rules, solver, referee, review and protocol of Grundy.
//!
//! Everything here is a function of its inputs: no clock, file, socket, thread or chance of its own.

pub mod event;
pub mod ids;
pub mod protocol;
