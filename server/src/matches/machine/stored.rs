//! Events as they are stored and sent: written once, and read back.

use bytes::Bytes;
use grundy_shared::ids::Seq;

/// One event of the log, as stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// Its number.
    pub seq: Seq,
    /// `Event::to_json`, byte for byte.
    pub body: Bytes,
}
