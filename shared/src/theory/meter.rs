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

    /// Gives bytes back that are not allocated any more.
    pub fn release(&mut self, bytes: u64) {
        self.bytes += bytes;
    }

    /// Nodes that are left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.nodes
    }

    /// Bytes that are left.
    #[must_use]
    pub fn bytes_left(&self) -> u64 {
        self.bytes
    }

    /// Whether whoever asked does not wait any more: asks once more.
    #[must_use]
    pub fn is_told_to_stop(&self) -> bool {
        (self.stop)()
    }

    /// Does a part of the work with at most so many of the nodes that are left. Memory of this part is given back.
    pub fn with_at_most<T>(&mut self, nodes: u64, part: impl FnOnce(&mut Meter<'_>) -> T) -> T {
        let bytes = self.bytes;
        let result = self.with_at_most_held(nodes, part);
        self.bytes = bytes;
        result
    }

    /// As [`with_at_most`](Self::with_at_most), for a part of the work whose memory stays allocated.
    pub fn with_at_most_held<T>(
        &mut self,
        nodes: u64,
        part: impl FnOnce(&mut Meter<'_>) -> T,
    ) -> T {
        let granted = self.nodes.min(nodes);
        let mut meter = Meter::new(granted, self.bytes, self.stop);
        let result = part(&mut meter);
        self.nodes -= granted - meter.nodes;
        self.bytes = meter.bytes;
        result
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
