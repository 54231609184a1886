//! What the terminal says of itself: how wide it draws signs whose width Unicode leaves open (East Asian Width "ambiguous", Unicode TR 11), and
//! the colour of its background.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::theme::Background;

/// How long to wait for the answer.
const PATIENCE: Duration = Duration::from_millis(100);
/// Bytes that are read while waiting.
const BYTES: usize = 256;

/// What was heard.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Heard {
    /// Whether such a sign is two columns wide; `None` without an answer.
    pub(super) is_wide: Option<bool>,
    /// What its text stands on; `None` without an answer.
    pub(super) background: Option<Background>,
    /// What the user had typed meanwhile.
    pub(super) typed: String,
}

/// Asks for the background, draws an ambiguous sign in the first column, asks where the cursor is, and erases the sign. A terminal answers in this
/// order, or leaves out what it does not understand. Takes 100 ms at most.
/// The terminal is in raw mode, and nobody else reads from it.
pub(super) fn ask() -> io::Result<Heard> {
    let mut stdout = io::stdout().lock();
    stdout.write_all("\x1b]11;?\x1b\\\x1b[1;1H\u{2500}\x1b[6n".as_bytes())?;
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

/// Takes the answers out of what was read.
fn read(bytes: &[u8]) -> Heard {
    let text = String::from_utf8_lossy(bytes);
    let (background, text) = without_background(&text);
    let (is_wide, typed) = without_cursor(&text);
    Heard {
        is_wide,
        background,
        typed,
    }
}

/// Takes out `ESC ] 11 ; COLOUR`, which ends with BEL or `ESC \`.
fn without_background(text: &str) -> (Option<Background>, String) {
    const BEGIN: &str = "\x1b]11;";
    let answer = text.find(BEGIN).and_then(|start| {
        let rest = &text[start + BEGIN.len()..];
        let ends = ["\x07", "\x1b\\"].map(|end| rest.find(end).map(|at| (at, end.len())));
        let (at, length) = ends.into_iter().flatten().min()?;
        Some((start, &rest[..at], &rest[at + length..]))
    });
    match answer {
        None => (None, text.to_owned()),
        Some((start, colour, after)) => (
            Background::of_colour(colour),
            format!("{}{after}", &text[..start]),
        ),
    }
}

/// Takes out `ESC [ row ; column R`: whether the sign is two columns wide.
fn without_cursor(text: &str) -> (Option<bool>, String) {
    let answer = text.match_indices("\x1b[").find_map(|(start, _)| {
        let end = start + text[start..].find('R')?;
        let (row, column) = text[start + 2..end].split_once(';')?;
        row.parse::<u16>().ok()?;
        Some((start, end, column.parse::<u16>().ok()?))
    });
    match answer {
        None => (None, text.to_owned()),
        Some((start, end, column)) => (
            Some(column > 2),
            format!("{}{}", &text[..start], &text[end + 1..]),
        ),
    }
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
                background: None,
                typed: typed.to_owned(),
            };
            assert_eq!(read(bytes.as_bytes()), expected, "{bytes:?}");
        }
    }

    #[test]
    fn the_background_is_found_before_the_cursor() {
        for (bytes, background, typed) in [
            (
                "\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[1;2R",
                Some(Background::Light),
                "",
            ),
            (
                "a\x1b]11;rgb:0/0/0\x07b\x1b[1;2Rc",
                Some(Background::Dark),
                "abc",
            ),
            ("\x1b]11;white\x07\x1b[1;2R", None, ""),
        ] {
            let expected = Heard {
                is_wide: Some(false),
                background,
                typed: typed.to_owned(),
            };
            assert_eq!(read(bytes.as_bytes()), expected, "{bytes:?}");
        }
    }
}
