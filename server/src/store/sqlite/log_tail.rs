//! Whether a commit stands in the file that a restart will read: the end of the write-ahead log, read beside SQLite.
//!
//! SQLite writes a commit through a descriptor, and the descriptor stays good when the file loses its name or its content. So after each
//! commit the frames that it added are looked for in the file itself. The checksums of frames are cumulative: the last frame of the
//! commit before stands for everything before it. (<https://www.sqlite.org/fileformat2.html#walformat>)
//!
//! SQLite holds no locks on the write-ahead log, unlike on the database: another descriptor of it harms nothing.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::store::FileChange;

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

/// What a write-ahead log begins with: another one each time that it is begun anew.
pub(super) type LogHeader = [u8; HEADER];

/// The end of the write-ahead log, as the writer's last commit left it.
#[derive(Debug)]
pub(super) struct LogTail {
    file: File,
    header: LogHeader,
    /// Where the next frame belongs.
    end: u64,
    /// The header of the frame before that.
    last: Option<[u8; FRAME_HEADER]>,
    /// Everything is in the database: the next commit may begin the log anew.
    may_restart: bool,
    /// Frames of a transaction that was undone may stand after the end.
    loose: bool,
}

impl LogTail {
    /// The end of a log of so many frames, all of which are in the database if `settled`.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn open(path: &Path, frames: u64, settled: bool) -> io::Result<Self> {
        let mut tail = Self {
            file: File::open(path)?,
            header: [0; HEADER],
            end: HEADER as u64,
            last: None,
            may_restart: settled || frames == 0,
            loose: false,
        };
        let mut header = [0; HEADER];
        if tail.read(&mut header, 0)? {
            tail.header = header;
        }
        if frames > 0 {
            tail.end += frames * tail.frame_bytes();
            tail.last = tail.frame_before_end()?;
        }
        tail.loose = tail.frame_at(tail.end)?.is_some();
        Ok(tail)
    }

    /// The file.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// What the log begins with.
    pub(super) fn header(&self) -> LogHeader {
        self.header
    }

    /// Where the last commit ends in the file.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Bytes of the database after the last commit, if the log shows it.
    pub(super) fn database_bytes(&self) -> Option<u64> {
        let last = self.last?;
        Some(u64::from(number(&last[4..8])) * self.page_bytes())
    }

    /// Everything in the log is in the database now.
    pub(super) fn settled(&mut self) {
        self.may_restart = true;
    }

    /// A transaction was undone.
    pub(super) fn undone(&mut self) {
        self.loose = true;
    }

    /// Goes on to the end of a commit that was just made. With `grown`, it must have added frames.
    ///
    /// # Errors
    /// The file does not have the commit, or not what stood before it, or more than it.
    pub(super) fn follow(&mut self, grown: bool) -> Result<(), FileChange> {
        self.follow_in_file(grown)
            .unwrap_or(Err(FileChange::Hidden))
    }

    fn follow_in_file(&mut self, grown: bool) -> io::Result<Result<(), FileChange>> {
        let mut header = [0; HEADER];
        if !self.read(&mut header, 0)? {
            let begun = grown || self.last.is_some();
            return Ok(if begun {
                Err(FileChange::Truncated)
            } else {
                Ok(())
            });
        }
        if header != self.header {
            if !self.may_restart {
                return Ok(Err(FileChange::Written));
            }
            self.header = header;
            self.end = HEADER as u64;
            (self.last, self.loose) = (None, false);
        }
        if self.last.is_some() && self.frame_before_end()? != self.last {
            return Ok(Err(FileChange::Written));
        }
        let mut at = self.end;
        while let Some(frame) = self.frame_at(at)? {
            at += self.frame_bytes();
            // Only the last frame of a commit says how large the database is then.
            if number(&frame[4..8]) > 0 {
                (self.end, self.last, self.may_restart) = (at, Some(frame), false);
                let more = !self.loose && self.frame_at(at)?.is_some();
                return Ok(if more {
                    Err(FileChange::Written)
                } else {
                    Ok(())
                });
            }
        }
        Ok(if grown {
            Err(FileChange::Written)
        } else {
            Ok(())
        })
    }

    fn page_bytes(&self) -> u64 {
        match number(&self.header[8..12]) {
            1 => 65_536,
            bytes => bytes.into(),
        }
    }

    fn frame_bytes(&self) -> u64 {
        self.page_bytes() + FRAME_HEADER as u64
    }

    fn frame_before_end(&self) -> io::Result<Option<[u8; FRAME_HEADER]>> {
        match self.end.checked_sub(self.frame_bytes()) {
            Some(at) => self.frame_at(at),
            None => Ok(None),
        }
    }

    /// The header of the frame at this place, if one of this life of the log stands there.
    fn frame_at(&self, at: u64) -> io::Result<Option<[u8; FRAME_HEADER]>> {
        let mut frame = [0; FRAME_HEADER];
        let salts = 16..24;
        let same = self.read(&mut frame, at)? && frame[8..16] == self.header[salts];
        Ok(same.then_some(frame))
    }

    /// Reads all of it, or says that the file ends before.
    fn read(&self, bytes: &mut [u8], at: u64) -> io::Result<bool> {
        match self.file.read_exact_at(bytes, at) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(error),
        }
    }
}

fn number(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(0, |number, byte| number << 8 | u32::from(*byte))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use tempfile::NamedTempFile;

    use super::*;

    const PAGE: usize = 512;

    /// A header of a log with these salts.
    fn header(salt: u8) -> Vec<u8> {
        let mut header = vec![0; HEADER];
        header[8..12].copy_from_slice(&(PAGE as u32).to_be_bytes());
        header[16..24].fill(salt);
        header
    }

    /// A frame with these salts and a sum; the last of a commit says how many pages the database has.
    fn frame(salt: u8, sum: u8, pages: u32) -> Vec<u8> {
        let mut frame = vec![sum; FRAME_HEADER + PAGE];
        frame[4..8].copy_from_slice(&pages.to_be_bytes());
        frame[8..16].fill(salt);
        frame
    }

    /// A log with one commit of two frames, and its end.
    fn log() -> (NamedTempFile, LogTail) {
        let mut file = NamedTempFile::new().unwrap();
        for part in [header(1), frame(1, 1, 0), frame(1, 2, 7)] {
            file.write_all(&part).unwrap();
        }
        let tail = LogTail::open(file.path(), 2, false).unwrap();
        assert_eq!(tail.database_bytes(), Some(7 * PAGE as u64));
        (file, tail)
    }

    #[test]
    fn each_commit_is_found_once() {
        let (mut file, mut tail) = log();
        assert_eq!(tail.follow(false), Ok(()));
        assert_eq!(tail.follow(true), Err(FileChange::Written));
        for (sum, pages) in [(3, 0), (4, 0), (5, 8)] {
            file.write_all(&frame(1, sum, pages)).unwrap();
        }
        assert_eq!(tail.follow(true), Ok(()));
        assert_eq!(tail.database_bytes(), Some(8 * PAGE as u64));
        // One of ours, and one of another program.
        file.write_all(&frame(1, 6, 8)).unwrap();
        file.write_all(&frame(1, 7, 8)).unwrap();
        assert_eq!(tail.follow(true), Err(FileChange::Written));
    }

    #[test]
    fn a_log_that_was_cut_during_a_commit_is_found_out() {
        for (cut, found) in [(0, FileChange::Truncated), (100, FileChange::Written)] {
            let (mut file, mut tail) = log();
            file.as_file().set_len(cut).unwrap();
            // SQLite writes where it believes the end to be.
            if cut > 0 {
                file.write_all(&frame(1, 3, 7)).unwrap();
            }
            assert_eq!(tail.follow(true), Err(found), "cut to {cut}");
        }
    }

    #[test]
    fn a_log_begins_anew_only_after_it_is_settled() {
        for settled in [false, true] {
            let (file, mut tail) = log();
            if settled {
                tail.settled();
            }
            let start = file.as_file();
            start.write_all_at(&header(2), 0).unwrap();
            start.write_all_at(&frame(2, 1, 9), HEADER as u64).unwrap();
            let expected = if settled {
                Ok(())
            } else {
                Err(FileChange::Written)
            };
            assert_eq!(tail.follow(true), expected);
            // The frame of the old life that stands behind is none of this one.
            assert_eq!(tail.follow(false), expected);
        }
    }

    #[test]
    fn frames_of_an_undone_transaction_are_passed_over() {
        let (file, mut tail) = log();
        let end = (HEADER + 2 * (FRAME_HEADER + PAGE)) as u64;
        for (number, pages) in [(0, 0), (1, 0), (2, 9)] {
            let at = end + number * (FRAME_HEADER + PAGE) as u64;
            file.as_file()
                .write_all_at(&frame(1, 9, pages), at)
                .unwrap();
        }
        tail.undone();
        file.as_file().write_all_at(&frame(1, 3, 8), end).unwrap();
        assert_eq!(tail.follow(true), Ok(()));
        assert_eq!(tail.database_bytes(), Some(8 * PAGE as u64));
    }
}
