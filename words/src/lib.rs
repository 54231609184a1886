//! The words of Grundy in each language.
//!
//! A catalogue is a set of messages, each with a name and variables. The files are in `locales/LANGUAGE`, in the syntax of Project Fluent, and are
//! compiled in. What is true comes from `shared` as typed facts; [`reason`] makes sentences of those that decide positions and moves.

mod catalogue;
mod ending;
mod language;
mod mark;
mod message;
pub mod reason;
mod rule;

pub use catalogue::{Catalogue, FILES, HELP, Value};
pub use ending::unwon;
pub use language::{Language, UnknownLanguage};
pub use mark::mark;
pub use message::Message;
pub use rule::{Rule, rules};
