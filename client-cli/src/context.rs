//! What every command is given.

use std::path::PathBuf;
use std::sync::OnceLock;

use crate::config::Config;
use crate::output::Output;

/// What every command is given.
#[derive(Debug)]
pub(crate) struct Context {
    /// Where to print.
    pub(crate) output: Output,
    /// What is set.
    pub(crate) config: Config,
    /// The file of settings, whether or not it exists.
    pub(crate) config_file: Option<PathBuf>,
    /// What the user wants to be done after the command.
    pub(crate) then: OnceLock<Then>,
}

/// A command that follows another one: its name and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Then(pub(crate) Vec<String>);

impl Then {
    /// The same command for this server.
    pub(crate) fn at(mut self, server: &str) -> Self {
        self.0.extend(["--server".to_owned(), server.to_owned()]);
        self
    }
}
