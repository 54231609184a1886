//! Time that a built-in bot waits for its turn to think. Its clock runs, as the log knows nothing of the wait; what it has waited is given
//! back before it moves.

use grundy_shared::ids::Millis;

/// How long a bot has waited for its turn to think, as far as that was not given back.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct BotTime {
    /// Since when it waits, or thinks.
    since: Option<Millis>,
    /// What it has waited before.
    owed: Millis,
    /// Some of it was given back in this turn, after it had thought.
    given: bool,
}

impl BotTime {
    /// A bot is asked for a move; if it was asked for it before and found no room, it waits since then.
    pub(super) fn ask(&mut self, now: Millis) {
        if self.since.is_none() {
            self.since = Some(now);
            self.given = false;
        }
    }

    /// A bot has thought for so long. The rest of the time was spent waiting.
    pub(super) fn has_thought(&mut self, now: Millis, took: Millis) {
        if let Some(since) = self.since.take() {
            self.owed = self.owed.plus(now.since(since).since(took));
        }
    }

    /// No bot waits or thinks any more.
    pub(super) fn stop(&mut self) {
        self.since = None;
    }

    /// The running clock was credited with this time.
    pub(super) fn credited(&mut self, now: Millis, credited: Millis) {
        self.owed = self.owed(now).since(credited);
        match &mut self.since {
            Some(since) => *since = now,
            None => self.given = true,
        }
    }

    /// Whether some of the time was given back in this turn after the bot had thought. There is no more to give but the time in which that was
    /// stored.
    pub(super) fn was_given(&self) -> bool {
        self.given
    }

    /// Whether a bot waits or thinks.
    pub(super) fn waits(&self) -> bool {
        self.since.is_some()
    }

    /// What is to be given back. While the bot waits or thinks, all of that time counts as waiting.
    pub(super) fn owed(&self, now: Millis) -> Millis {
        let waiting = self.since.map_or(Millis(0), |since| now.since(since));
        self.owed.plus(waiting)
    }

    /// Since when a bot that waits is owed time.
    pub(super) fn owes_since(&self) -> Option<Millis> {
        self.since
            .map(|since| Millis(since.0.saturating_sub(self.owed.0)))
    }
}
