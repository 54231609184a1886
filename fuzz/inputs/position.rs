//! Any text as a position and the lines after it as moves: nothing panics or hangs, and what is printed is read back equal.

use grundy_shared::Position;
use grundy_shared::ids::Seat;

/// Reads one input.
pub(crate) fn run(bytes: &[u8]) {
    let text = &String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    let mut position = match Position::parse(lines.next().unwrap_or_default()) {
        Ok(position) => position,
        Err(error) => {
            assert!(error.column >= 1 && error.column <= text.chars().count() + 1);
            assert!(Position::parse(&error.help).is_ok(), "{}", error.help);
            return;
        }
    };
    let mut to_move = Seat::First;
    for line in lines.take(20) {
        let printed = position.to_string();
        assert_eq!(
            Position::parse(&printed).as_ref(),
            Ok(&position),
            "{printed}"
        );
        match position.parse_move(to_move, line) {
            Ok(mv) => {
                let again = position.parse_move(to_move, &mv.to_string());
                assert_eq!(again.as_ref(), Ok(&mv), "{mv} in {printed}");
                position = position.play(&mv);
                to_move = to_move.other();
            }
            Err(error) => {
                if let Some(example) = error.example {
                    assert!(
                        position.parse_move(to_move, &example).is_ok(),
                        "{example} in {printed}"
                    );
                }
            }
        }
    }
}
