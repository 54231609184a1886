//! Bytes of a stranger as text that is safe to print, to log and to put into a record.

/// The most bytes of a bot's line that a message quotes.
pub(crate) const QUOTED_BYTES: usize = 64;

/// The first 64 bytes with everything but printable ASCII escaped.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(QUOTED_BYTES)];
    let mut text = shown.escape_ascii().to_string();
    if bytes.len() > QUOTED_BYTES {
        text.push_str("...");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_stranger_reaches_a_terminal_as_it_is() {
        assert_eq!(quoted(b"\xff\xfe\0 A-1"), r"\xff\xfe\x00 A-1");
        assert_eq!(quoted("é\u{1b}[2J".as_bytes()), r"\xc3\xa9\x1b[2J");
        assert_eq!(quoted(&[b'x'; 100]), format!("{}...", "x".repeat(64)));
    }
}
