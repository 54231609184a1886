//! The SHA-256 of a file.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

/// Bytes that are read at a time.
const CHUNK: usize = 256 << 10;
/// Bytes that are written before they are flushed, so that a flush of another program never waits for much.
const FLUSHED: usize = 16 * CHUNK;

/// The size of a file and its SHA-256.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sum {
    /// Bytes.
    pub bytes: u64,
    /// The SHA-256 in hexadecimal.
    pub sha256: String,
}

/// Reads a file to its end.
///
/// # Errors
/// It cannot be read.
pub fn of(path: &Path) -> io::Result<Sum> {
    read(&mut File::open(path)?, |_| Ok(()))
}

/// Copies a file to a new one, for this user alone, and flushes it.
///
/// # Errors
/// One of them cannot be read or written, or the new one exists already.
pub fn copy(from: &Path, to: &Path) -> io::Result<Sum> {
    use std::os::unix::fs::OpenOptionsExt;

    let mut target = File::options()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(to)?;
    let mut unflushed = 0;
    let sum = read(&mut File::open(from)?, |chunk| {
        target.write_all(chunk)?;
        unflushed += chunk.len();
        if unflushed >= FLUSHED {
            unflushed = 0;
            target.sync_data()?;
        }
        Ok(())
    })?;
    target.sync_all()?;
    Ok(sum)
}

fn read(file: &mut File, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<Sum> {
    let mut hash = Sha256::new();
    let mut bytes = 0;
    let mut chunk = vec![0; CHUNK];
    loop {
        let length = file.read(&mut chunk)?;
        if length == 0 {
            break;
        }
        hash.update(&chunk[..length]);
        take(&chunk[..length])?;
        bytes += length as u64;
    }
    Ok(Sum {
        bytes,
        sha256: data_encoding::HEXLOWER.encode(&hash.finalize()),
    })
}
