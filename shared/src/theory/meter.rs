//! How much work is still allowed: every loop that can be long counts on one of these.

use std::fmt;

/// The work was stopped: no nodes or memory left, or whoever asked does not wait any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Counts nodes and bytes down and asks from time to time whether to go on.
pub struct Meter<'a> {
    nodes: u64,
    bytes: u64,
    until_asked: u64,
    stop: &'a dyn Fn() -> bool,
}

/// Nodes between two questions whether to stop.
const ASK_EVERY: u64 = 1_024;

impl<'a> Meter<'a> {
    /// A meter with this much left; `stop` is asked at the first node and then every 1,024 nodes.
    pub fn new(nodes: u64, bytes: u64, stop: &'a dyn Fn() -> bool) -> Self {
        Self {
            nodes,
            bytes,
            until_asked: 0,
            stop,
        }
    }

    /// Counts nodes: units of work of some tens to hundreds of nanoseconds.
    pub fn work(&mut self, nodes: u64) -> Result<(), Stopped> {
        self.nodes = self.nodes.checked_sub(nodes).ok_or(Stopped)?;
        if self.until_asked > nodes {
            self.until_asked -= nodes;
            return Ok(());
        }
        self.until_asked = ASK_EVERY;
        if (self.stop)() { Err(Stopped) } else { Ok(()) }
    }

    /// Counts bytes that stay allocated until the answer is there.
    pub fn hold(&mut self, bytes: u64) -> Result<(), Stopped> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Stopped)?;
        Ok(())
    }

    /// A meter for a part of the work: at most `nodes` of what is left, the same memory and the same stop.
    #[must_use]
    pub fn share(&self, nodes: u64) -> Meter<'a> {
        Meter::new(self.nodes.min(nodes), self.bytes, self.stop)
    }
}

impl fmt::Debug for Meter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meter")
            .field("nodes", &self.nodes)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}
