//! The words of Grundy in each language.
//!
//! A catalogue is a set of messages, each with a name and variables. The files are in `locales/LANGUAGE`, in the syntax of Project Fluent, and are
//! compiled in. Facts come from elsewhere: this crate knows no game, no match and no server.

mod catalogue;
mod language;

pub use catalogue::{Catalogue, FILES, Value};
pub use language::{Language, UnknownLanguage};
