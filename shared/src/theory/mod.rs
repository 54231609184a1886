//! The mathematics, knowing no game: budgets of work, sums of values, tables and their periods.

pub mod meter;
pub mod tally;

pub use meter::{Meter, Stopped};
pub use tally::Tally;
