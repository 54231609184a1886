//! The full screen: a frontend that draws a match, and turns keys into the lines that line mode reads.
//!
//! It decides nothing about the match: what is typed or clicked becomes a line, and the session acts on it.

mod board;
mod choice;
mod desk;
mod frontend;
mod help;
mod input_line;
mod keyboard;
mod keys;
mod late_answer;
mod layout;
mod log;
mod opening;
#[cfg(test)]
mod page;
mod paint;
mod planted;
mod pressed;
mod probe;
pub(crate) mod review;
#[cfg(test)]
mod spoken;
mod state;
mod table;
mod targets;
mod terminal;
#[cfg(test)]
mod tests;
mod theme;

pub(crate) use desk::{Desk, Heard, Purpose, Row, Sheet};
pub(crate) use frontend::FullScreen;
pub(crate) use keyboard::{Keyboard, Signals, Stroke};
pub(crate) use table::menu_rows;
