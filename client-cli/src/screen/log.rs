//! What was said in the match: sentences about events, answers, refusals, and the chat.

use std::collections::VecDeque;

use crate::render::clean;

/// Texts that are kept; older ones are dropped.
const KEPT: usize = 300;
/// Characters of one text that are kept.
const LENGTH: usize = 8_000;

/// What a text is, for its colour and sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tone {
    /// Something happened.
    News,
    /// An answer to a question.
    Answer,
    /// Something is not possible.
    Refusal,
    /// Somebody said it.
    Chat,
}

/// A text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Said {
    pub(super) tone: Tone,
    pub(super) text: String,
}

/// The texts, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    texts: VecDeque<Said>,
    /// How many of the last ones were never on the screen.
    unseen: usize,
}

impl Log {
    /// Adds a text, without what could control a terminal.
    pub(super) fn push(&mut self, tone: Tone, text: &str) {
        let lines: Vec<String> = text.lines().map(clean).collect();
        let text: String = lines.join("\n").chars().take(LENGTH).collect();
        if self.texts.len() == KEPT {
            self.texts.pop_front();
        }
        self.texts.push_back(Said { tone, text });
        self.unseen = (self.unseen + 1).min(KEPT);
    }

    /// The texts, newest first.
    pub(super) fn newest(&self) -> impl Iterator<Item = &Said> {
        self.texts.iter().rev()
    }

    /// Everything was on the screen.
    pub(super) fn seen(&mut self) {
        self.unseen = 0;
    }

    /// The texts that were never on the screen, oldest first; then they count as seen.
    pub(super) fn take_unseen(&mut self) -> Vec<String> {
        let skipped = self.texts.len() - self.unseen.min(self.texts.len());
        self.unseen = 0;
        let unseen = self.texts.iter().skip(skipped);
        unseen.map(|said| said.text.clone()).collect()
    }
}
