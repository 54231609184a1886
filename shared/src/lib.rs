//! Rules, solver, referee, review and protocol of Grundy.
//!
//! Everything here is a function of its inputs: no clock, file, socket, thread or chance of its own.

pub mod bot;
pub mod bounds;
pub mod career;
pub mod certificate;
pub mod chain;
pub mod chart;
pub mod conformance;
mod erased;
pub mod event;
pub mod export;
pub mod fact;
pub mod game;
pub mod games;
pub mod graph;
pub mod ids;
mod json;
pub mod notation;
pub mod odds;
pub mod oracle;
pub mod picture;
pub mod position;
pub mod practice;
pub mod protocol;
pub mod puzzle;
pub mod rated;
pub mod rating;
pub mod record;
pub mod referee;
pub mod review;
pub mod solver;
pub mod statistics;
pub mod suite;
pub mod theory;
pub mod tournament;
mod xml;

pub use position::{Move, Position};
