//! Why a text of the command line or of the configuration cannot be read.

use std::error::Error;
use std::fmt;

use grundy_words::{Catalogue, Language, Message};

/// Why a text cannot be read. It is English where the parser of the command line shows it itself.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Misread(pub(crate) Message);

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.said(Catalogue::of(Language::English)))
    }
}

impl Error for Misread {}
