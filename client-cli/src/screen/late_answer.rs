//! What the terminal says of its background, if it says so only after nobody waits for it any more, as over a slow line. It would be taken for
//! typed letters.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

/// How long an answer may take from its first sign to its last.
const LENGTH: Duration = Duration::from_secs(1);
/// Signs of an answer at most: `11;rgb:ffff/ffff/ffff` has 21.
const SIGNS: u8 = 40;

/// The answer that is coming in, if one is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct LateAnswer {
    /// When it began, and how many signs there were.
    open: Option<(Instant, u8)>,
}

impl LateAnswer {
    /// Whether an event is part of an answer: of `ESC ]`, what follows, and BEL or `ESC \`.
    pub(super) fn takes(&mut self, event: &Event, now: Instant) -> bool {
        let Event::Key(KeyEvent {
            code: KeyCode::Char(sign),
            modifiers,
            ..
        }) = event
        else {
            return false;
        };
        let with_escape = modifiers.contains(KeyModifiers::ALT);
        if with_escape && *sign == ']' {
            self.open = Some((now, 0));
            return true;
        }
        let Some((since, signs)) = self.open else {
            return false;
        };
        let is_bell = modifiers.contains(KeyModifiers::CONTROL) && *sign == 'g';
        if is_bell || (with_escape && *sign == '\\') {
            self.open = None;
            return true;
        }
        let fits = signs < SIGNS && now.duration_since(since) < LENGTH;
        self.open = fits.then_some((since, signs + 1));
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str, modifiers: KeyModifiers) -> std::vec::IntoIter<Event> {
        let key = move |sign| Event::Key(KeyEvent::new(KeyCode::Char(sign), modifiers));
        text.chars().map(key).collect::<Vec<_>>().into_iter()
    }

    /// What is left of these events.
    fn left(events: impl Iterator<Item = Event>, now: impl Fn(u32) -> Instant) -> usize {
        let mut answer = LateAnswer::default();
        let counted = (0..).zip(events);
        counted
            .filter(|(at, event)| !answer.takes(event, now(*at)))
            .count()
    }

    #[test]
    fn an_answer_is_taken_and_what_is_typed_is_not() {
        let plain = KeyModifiers::NONE;
        let began = Instant::now();
        let answer = || typed("]", KeyModifiers::ALT).chain(typed("11;rgb:1e1e/1e1e/1e1e", plain));
        let ends = [
            typed("\\", KeyModifiers::ALT),
            typed("g", KeyModifiers::CONTROL),
        ];
        for end in ends {
            let events = typed("ab", plain).chain(answer()).chain(end);
            assert_eq!(left(events.chain(typed("cd", plain)), |_| began), 4);
        }
        // One that never ends takes no more than it may be long, and no longer than it may last.
        let unended = || answer().chain(typed(&"x".repeat(100), plain));
        let taken = usize::from(SIGNS) + 1;
        assert_eq!(left(unended(), |_| began), 122 - taken);
        let slow = |at: u32| began + LENGTH * at;
        assert_eq!(left(unended(), slow), 121);
    }
}
