//! What happened in a world, in order: a hash always, and lines when asked for.

use std::fmt;
use std::fmt::Write;

/// The hash of everything noted so far. Two runs of one seed are the same run exactly if their hashes are equal.
#[derive(Debug)]
pub(crate) struct Trace {
    hash: u64,
    notes: u64,
    aloud: bool,
}

/// The parameters of FNV-1a with 64 bits.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

impl Trace {
    pub(crate) fn new(aloud: bool) -> Self {
        Self {
            hash: OFFSET,
            notes: 0,
            aloud,
        }
    }

    /// Notes that something happened at this moment, in virtual milliseconds.
    pub(crate) fn note(&mut self, at_ms: u64, what: fmt::Arguments<'_>) {
        self.notes += 1;
        let _ = write!(self, "{at_ms} {what}");
        if self.aloud {
            println!("{at_ms:>8} {what}");
        }
    }

    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }
}

impl Write for Trace {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(PRIME);
        }
        Ok(())
    }
}
