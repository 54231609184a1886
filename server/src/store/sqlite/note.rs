//! What the lock file says of the run that wrote it, behind the name of its process.

use std::fmt;

/// Which file it is, whatever its name: device and inode.
pub(super) type Identity = (u64, u64);

/// What the lock file says of the run that wrote it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Note {
    /// No run has written it, or one that only looked.
    Blank,
    /// A database is being made: nothing was acknowledged yet.
    Making,
    /// Commits may be in the write-ahead log alone.
    Running,
    /// The run stopped cleanly: everything is in the database.
    Stopped,
    /// The run did not stop cleanly, and somebody who only looked has found its write-ahead log missing.
    LogMissing,
    /// Another program changed the files. If they were renamed or replaced: which database and write-ahead log to put back.
    Changed(Option<[Identity; 2]>),
    /// An older version wrote it: it stopped cleanly, or only looked.
    Old,
}

impl Note {
    /// What the words behind the name of the process mean.
    pub(super) fn of(text: &str) -> Self {
        let mut words = text.split_whitespace();
        match (words.next(), words.next()) {
            (None, _) => Self::Blank,
            (_, None) => Self::Old,
            (_, Some("making")) => Self::Making,
            (_, Some("running")) => Self::Running,
            (_, Some("log-missing")) => Self::LogMissing,
            (_, Some("changed")) => Self::Changed(
                Option::zip(
                    words.next().and_then(identity),
                    words.next().and_then(identity),
                )
                .map(|(database, log)| [database, log]),
            ),
            (_, Some("looked")) => Self::Blank,
            // Also a word of a newer version: it is known that somebody was here.
            _ => Self::Stopped,
        }
    }
}

fn identity(word: &str) -> Option<Identity> {
    let (device, inode) = word.split_once(':')?;
    Some((device.parse().ok()?, inode.parse().ok()?))
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blank => f.write_str("looked"),
            Self::Making => f.write_str("making"),
            Self::Running => f.write_str("running"),
            Self::Stopped | Self::Old => f.write_str("stopped"),
            Self::LogMissing => f.write_str("log-missing"),
            Self::Changed(None) => f.write_str("changed"),
            Self::Changed(Some([database, log])) => write!(
                f,
                "changed {}:{} {}:{}",
                database.0, database.1, log.0, log.1
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_read_as_it_was_written() {
        for note in [
            Note::Blank,
            Note::Making,
            Note::Running,
            Note::Stopped,
            Note::LogMissing,
            Note::Changed(None),
            Note::Changed(Some([(1, 2), (3, u64::MAX)])),
        ] {
            assert_eq!(Note::of(&format!("123 {note}   \n")), note);
        }
        assert_eq!(Note::of(""), Note::Blank);
        assert_eq!(Note::of("123 "), Note::Old);
        assert_eq!(Note::of("123 something-newer"), Note::Stopped);
    }
}
