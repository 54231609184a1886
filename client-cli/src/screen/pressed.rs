//! Keys that were pressed before the program read the keyboard, from the characters that the terminal sent for them.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

/// The keys that these signs stand for. Unknown sequences of keys without a sign are left out.
pub(super) fn read(text: &str) -> Vec<Event> {
    let mut signs = text.chars().peekable();
    let mut pressed = Vec::new();
    while let Some(sign) = signs.next() {
        let (code, modifiers) = match sign {
            '\x1b' => match signs.next_if(|next| matches!(next, '[' | 'O')) {
                None => (KeyCode::Esc, KeyModifiers::NONE),
                Some(_) => {
                    let parameters: String =
                        std::iter::from_fn(|| signs.next_if(|next| matches!(next, ' '..='?')))
                            .collect();
                    match arrow(&parameters, signs.next()) {
                        Some(code) => (code, KeyModifiers::NONE),
                        None => continue,
                    }
                }
            },
            // In the terminal's usual mode, Enter has become the end of a line.
            '\r' | '\n' => (KeyCode::Enter, KeyModifiers::NONE),
            '\t' => (KeyCode::Tab, KeyModifiers::NONE),
            '\x7f' | '\x08' => (KeyCode::Backspace, KeyModifiers::NONE),
            '\x01'..='\x1a' => {
                let letter = char::from(b'a' + (sign as u8) - 1);
                (KeyCode::Char(letter), KeyModifiers::CONTROL)
            }
            '\0'..='\x1f' => continue,
            sign => (KeyCode::Char(sign), KeyModifiers::NONE),
        };
        pressed.push(Event::Key(KeyEvent::new(code, modifiers)));
    }
    pressed
}

/// The key of the sequence that ends with this sign.
fn arrow(parameters: &str, last: Option<char>) -> Option<KeyCode> {
    match (parameters, last?) {
        ("", 'A') => Some(KeyCode::Up),
        ("", 'B') => Some(KeyCode::Down),
        ("", 'C') => Some(KeyCode::Right),
        ("", 'D') => Some(KeyCode::Left),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_from_what_the_terminal_sent() {
        let codes = |text| {
            let pressed = read(text).into_iter();
            let codes = pressed.map(|event| match event {
                Event::Key(key) => (key.code, key.modifiers),
                other => panic!("{other:?}"),
            });
            codes.collect::<Vec<_>>()
        };
        let plain = |code| (code, KeyModifiers::NONE);
        assert_eq!(
            codes("a1\r\x1b[B\n\x7f"),
            [
                plain(KeyCode::Char('a')),
                plain(KeyCode::Char('1')),
                plain(KeyCode::Enter),
                plain(KeyCode::Down),
                plain(KeyCode::Enter),
                plain(KeyCode::Backspace),
            ]
        );
        assert_eq!(
            codes("\x03\x1b"),
            [
                (KeyCode::Char('c'), KeyModifiers::CONTROL),
                plain(KeyCode::Esc)
            ]
        );
        // A function key leaves nothing behind.
        assert_eq!(codes("\x1b[21~b"), [plain(KeyCode::Char('b'))]);
    }
}
