//! Bot against bot on this computer: plan, games, journal, standings.

mod builtin;
mod cause;
mod entrant;
mod game;
mod interrupt;
mod journal;
mod oracle;
mod plan;
mod player;
mod program;
mod report;
mod result;
mod run;
mod scores;
mod seed;
mod settings;
mod standings;
mod suite;
mod time;
mod worker;

pub(crate) use entrant::Entrant;
pub(crate) use journal::Journal;
pub(crate) use run::{Ended, run};
pub(crate) use settings::{Format, Order, Settings, Sprt};
pub(crate) use suite::Suite;
pub(crate) use time::Time;
