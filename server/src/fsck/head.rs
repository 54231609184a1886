//! One digest over the ends of all logs.

use std::fmt;

use grundy_shared::chain::{self, Hash};
use serde::{Serialize, Serializer};

/// A digest over the ends of all logs, in the order in which they were begun: equal for two databases only if they hold the same logs. It
/// does not depend on where in the file something is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Head(Hash);

impl Head {
    /// Adds the end of one log.
    pub(super) fn take(&mut self, end: &[u8]) {
        self.0 = chain::link(&self.0, end);
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&data_encoding::HEXLOWER.encode(&self.0))
    }
}

impl Serialize for Head {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
