//! The write-ahead log against its index: SQLite ends a log at the first frame that does not fit its checksum, without a word. The index beside it
//! (`-shm`) says how many frames there were. It survives the death of a server, not that of the machine; then nothing is concluded.
//!
//! The formats: <https://www.sqlite.org/walformat.html>.

use std::fs;
use std::path::{Path, PathBuf};

use super::report::Problem;

/// Bytes of the header of the log, and of a frame before its page.
const HEADER: usize = 32;
const FRAME: usize = 24;
/// Bytes of one copy of the header of the index; two stand one behind the other.
const INDEX: usize = 48;
/// What the log begins with; the last bit says that its checksums are of big-endian words.
const MAGIC: u32 = 0x377f_0682;

/// What is missing of the log of this database.
pub(super) fn cut(database: &Path) -> Option<Problem> {
    let beside = |suffix: &str| {
        let mut name = database.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    let index = fs::read(beside("-shm")).ok()?;
    let log = fs::read(beside("-wal")).ok()?;
    let (had, salts) = frames_of(&index)?;
    let sound = sound_frames(&log, had, salts)?;
    (sound < had).then_some(Problem::LogCut { had, sound })
}

/// How many frames the index knows, and the salts of the log; `None` if it says nothing.
fn frames_of(index: &[u8]) -> Option<(u64, [u8; 8])> {
    let (header, rest) = index.split_at_checked(INDEX)?;
    let is_set = header[12] == 1 && rest.get(..INDEX) == Some(header);
    let frames = u32::from_ne_bytes(header[16..20].try_into().ok()?);
    let salts = header[32..40].try_into().ok()?;
    (is_set && frames > 0).then_some((frames.into(), salts))
}

/// How many of the first frames fit their checksums; `None` if the log is sound and another than that with these salts.
fn sound_frames(log: &[u8], most: u64, salts: [u8; 8]) -> Option<u64> {
    let Some((header, mut rest)) = log.split_at_checked(HEADER) else {
        return Some(0);
    };
    let word = |place: usize| -> u32 {
        let bytes = header[place..place + 4].try_into();
        bytes.map_or(0, u32::from_be_bytes)
    };
    let (magic, page) = (word(0), word(8) as usize);
    if magic & !1 != MAGIC {
        return Some(0);
    }
    let big_endian = magic & 1 == 1;
    let mut sum = checksum([0; 2], &header[..24], big_endian);
    if sum != [word(24), word(28)] {
        return Some(0);
    }
    if header[16..24] != salts {
        return None;
    }
    for sound in 0..most {
        let Some((frame, later)) = rest.split_at_checked(FRAME + page) else {
            return Some(sound);
        };
        sum = checksum(sum, &frame[..8], big_endian);
        sum = checksum(sum, &frame[FRAME..], big_endian);
        let stored = [16, 20].map(|place| {
            let bytes = frame[place..place + 4].try_into();
            bytes.map_or(0, u32::from_be_bytes)
        });
        if frame[8..16] != header[16..24] || stored != sum {
            return Some(sound);
        }
        rest = later;
    }
    Some(most)
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
