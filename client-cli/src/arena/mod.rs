//! Bot against bot on this computer: plan, games, journal, standings.

mod announcer;
mod builtin;
mod cause;
mod cross_table;
mod director;
mod encounter;
mod entrant;
mod game;
mod interrupt;
mod journal;
mod knockout;
mod pace;
mod plan;
mod plan_error;
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
mod swiss;
mod time;
mod trf;
mod worker;

pub(crate) use director::Ended;
pub(crate) use entrant::Entrant;
pub(crate) use journal::Journal;
pub(crate) use run::run;
pub(crate) use settings::{Format, Order, Settings, Sprt};
pub(crate) use suite::Suite;
pub(crate) use swiss::usual_rounds;
pub(crate) use time::Time;
