//! How wide the terminal draws signs whose width Unicode leaves open (East Asian Width "ambiguous", Unicode TR 11).

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// How long to wait for the answer.
const PATIENCE: Duration = Duration::from_millis(100);
/// Bytes that are read while waiting.
const BYTES: usize = 256;

/// What was heard.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Heard {
    /// Whether such a sign is two columns wide; `None` without an answer.
    pub(super) is_wide: Option<bool>,
    /// What the user had typed meanwhile.
    pub(super) typed: String,
}

/// Draws an ambiguous sign in the first column, asks where the cursor is, and erases the sign. Takes 100 ms at most.
/// The terminal is in raw mode, and nobody else reads from it.
pub(super) fn ask() -> io::Result<Heard> {
    let mut stdout = io::stdout().lock();
    stdout.write_all("\x1b[1;1H\u{2500}\x1b[6n".as_bytes())?;
    stdout.flush()?;
    let give_up = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    let mut heard = read(&bytes);
    while heard.is_wide.is_none() && bytes.len() < BYTES {
        let left = give_up.saturating_duration_since(Instant::now());
        let Ok(left) = Timespec::try_from(left) else {
            break;
        };
        let stdin = io::stdin();
        let mut waiting = [PollFd::new(&stdin, PollFlags::IN)];
        if !matches!(poll(&mut waiting, Some(&left)), Ok(1..)) {
            break;
        }
        let mut part = [0; BYTES];
        match rustix::io::read(&stdin, &mut part[..]) {
            Ok(read @ 1..) => bytes.extend_from_slice(&part[..read]),
            _ => break,
        }
        heard = read(&bytes);
    }
    stdout.write_all(b"\x1b[1;1H\x1b[K")?;
    stdout.flush()?;
    Ok(heard)
}

/// Takes the answer out of what was read: `ESC [ row ; column R`.
fn read(bytes: &[u8]) -> Heard {
    let text = String::from_utf8_lossy(bytes);
    let answer = text.match_indices("\x1b[").find_map(|(start, _)| {
        let end = start + text[start..].find('R')?;
        let (row, column) = text[start + 2..end].split_once(';')?;
        row.parse::<u16>().ok()?;
        Some((start, end, column.parse::<u16>().ok()?))
    });
    let (is_wide, typed) = match answer {
        None => (None, text.to_string()),
        Some((start, end, column)) => (
            Some(column > 2),
            format!("{}{}", &text[..start], &text[end + 1..]),
        ),
    };
    Heard { is_wide, typed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_found_among_what_is_typed() {
        for (bytes, is_wide, typed) in [
            ("\x1b[1;2R", Some(false), ""),
            ("\x1b[1;3R", Some(true), ""),
            ("A-\x1b[1;2R1", Some(false), "A-1"),
            ("A-1", None, "A-1"),
            ("R\x1b[1;2", None, "R\x1b[1;2"),
            ("\x1b[AR\x1b[1;3R", Some(true), "\x1b[AR"),
        ] {
            let expected = Heard {
                is_wide,
                typed: typed.to_owned(),
            };
            assert_eq!(read(bytes.as_bytes()), expected, "{bytes:?}");
        }
    }
}
