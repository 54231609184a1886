//! The write-ahead log against its index: SQLite ends a log at the first frame that does not fit its checksum, without a word. The index beside it
//! (`-shm`) says how many frames there were, and SQLite counts a frame there only after it was flushed. So an index that knows more frames than the log
//! has shows a loss, also after a power cut, when the index may be older than the log.
//!
//! The formats: <https://www.sqlite.org/walformat.html>.

use std::fs::{self, File};
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;

use super::lock::beside;

/// Bytes of the header of the log, and of a frame before its page.
const HEADER: usize = 32;
const FRAME: usize = 24;
/// Bytes of one copy of the header of the index; two stand one behind the other, and then the number of frames that are in the database.
const INDEX: usize = 48;
/// What the log begins with; the last bit says that its checksums are of big-endian words.
const MAGIC: u32 = 0x377f_0682;

/// A log that has lost frames which are not in the database either.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CutLog {
    /// Frames that it had.
    pub(crate) had: u64,
    /// The first ones that are there and fit their checksums.
    pub(crate) sound: u64,
}

/// What is missing of the log of this database; `None` if no commit is, or if the index says nothing about this log. No server may have the database
/// open. Cost: reads the log once.
pub(crate) fn cut_log(database: &Path) -> Option<CutLog> {
    let index = fs::read(beside(database, "-shm")).ok()?;
    let Known {
        frames: had,
        settled,
        salts,
    } = Known::of(&index)?;
    let log = File::open(beside(database, "-wal")).ok()?;
    let sound = sound_frames(BufReader::new(log), had, salts)?;
    (sound < had && settled < had).then_some(CutLog { had, sound })
}

/// What the index knows of the log.
struct Known {
    frames: u64,
    /// The first frames that are in the database.
    settled: u64,
    salts: [u8; 8],
}

impl Known {
    /// `None` if it knows nothing.
    fn of(index: &[u8]) -> Option<Self> {
        let (header, rest) = index.split_at_checked(INDEX)?;
        let (copy, rest) = rest.split_at_checked(INDEX)?;
        let number = |bytes: &[u8]| bytes.try_into().ok().map(u32::from_ne_bytes);
        let frames = u64::from(number(&header[16..20])?);
        let settled = rest.get(..4).and_then(number)?;
        (header[12] == 1 && copy == header && frames > 0).then_some(Self {
            frames,
            settled: settled.into(),
            salts: header[32..40].try_into().ok()?,
        })
    }
}

/// How many of the first frames fit their checksums; `None` if the log is sound and another than that with these salts, or cannot be read.
fn sound_frames(mut log: impl Read, most: u64, salts: [u8; 8]) -> Option<u64> {
    let mut header = [0; HEADER];
    if !filled(&mut log, &mut header)? {
        return Some(0);
    }
    let word = |bytes: &[u8], place: usize| -> u32 {
        let bytes = bytes[place..place + 4].try_into();
        bytes.map_or(0, u32::from_be_bytes)
    };
    let (magic, page) = (word(&header, 0), word(&header, 8) as usize);
    if magic & !1 != MAGIC || page > 65_536 {
        return Some(0);
    }
    let big_endian = magic & 1 == 1;
    let mut sum = checksum([0; 2], &header[..24], big_endian);
    if sum != [word(&header, 24), word(&header, 28)] {
        return Some(0);
    }
    if header[16..24] != salts {
        return None;
    }
    let mut frame = vec![0; FRAME + page];
    for sound in 0..most {
        if !filled(&mut log, &mut frame)? {
            return Some(sound);
        }
        sum = checksum(sum, &frame[..8], big_endian);
        sum = checksum(sum, &frame[FRAME..], big_endian);
        if frame[8..16] != header[16..24] || [word(&frame, 16), word(&frame, 20)] != sum {
            return Some(sound);
        }
    }
    Some(most)
}

/// Whether the file goes on for so many bytes; `None` if it cannot be read.
fn filled(log: &mut impl Read, bytes: &mut [u8]) -> Option<bool> {
    match log.read_exact(bytes) {
        Ok(()) => Some(true),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Some(false),
        Err(_) => None,
    }
}

/// The checksum of SQLite's write-ahead log, from that of what stands before.
fn checksum(mut sum: [u32; 2], bytes: &[u8], big_endian: bool) -> [u32; 2] {
    for pair in bytes.as_chunks::<8>().0 {
        let (first, second) = pair.split_at(4);
        for (own, other, word) in [(0, 1, first), (1, 0, second)] {
            let word = <[u8; 4]>::try_from(word).unwrap_or_default();
            let word = match big_endian {
                true => u32::from_be_bytes(word),
                false => u32::from_le_bytes(word),
            };
            sum[own] = sum[own].wrapping_add(word).wrapping_add(sum[other]);
        }
    }
    sum
}
