//! What every command is given.

use std::path::PathBuf;

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
}
