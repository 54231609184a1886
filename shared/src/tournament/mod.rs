//! Tournaments as functions: who meets whom, who stands where, and how a log of events becomes a tournament.

mod cross_table;
mod schedule;
mod standings;
mod tie_break;

pub use cross_table::{Colour, CrossTable, Entry, HalfPoints, TableError};
pub use schedule::{
    Bracket, Game, MAX_GAMES, MAX_PLAYERS, Round, Schedule, ScheduleError, double_round_robin,
    gauntlet, knockout_slots, round_robin,
};
pub use standings::{Standing, standings};
pub use tie_break::{Edition, Exact, TieBreak, TieBreakRules, UnknownTieBreak};
