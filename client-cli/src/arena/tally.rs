//! Counts games in the order of the plan, and notices when nothing more counts.

use grundy_shared::event::Outcome;
use grundy_shared::ids::Seat;
use grundy_shared::oracle::Deeds;
use grundy_shared::statistics::SprtVerdict;

use super::cause::Cause;
use super::result::GameResult;
use super::scores::Scores;
use super::settings::Settings;
use super::standings;

/// What was counted so far.
#[derive(Debug)]
pub(crate) struct Tally<'s> {
    settings: &'s Settings,
    pub(crate) scores: Scores,
    /// A fault ended everything.
    pub(crate) fault: bool,
}

impl<'s> Tally<'s> {
    pub(crate) fn new(settings: &'s Settings) -> Self {
        Self {
            settings,
            scores: Scores::new(settings.bots.len(), settings.faults),
            fault: false,
        }
    }

    /// The bots that play no more.
    pub(crate) fn withdrawn(&self) -> Vec<usize> {
        let bots = self.scores.bots.iter().enumerate();
        let withdrawn = bots.filter(|(_, bot)| bot.withdrawn);
        withdrawn.map(|(place, _)| place).collect()
    }

    /// Whether one of these bots plays no more.
    pub(crate) fn is_out(&self, bots: [usize; 2]) -> bool {
        bots.iter().any(|bot| self.scores.bots[*bot].withdrawn)
    }

    /// The next game as it counts: a bot that plays no more loses, whatever was played.
    pub(crate) fn as_counted(&self, mut result: GameResult, bots: [usize; 2]) -> GameResult {
        let outcome = match bots.map(|bot| self.scores.bots[bot].withdrawn) {
            [false, false] => return result,
            [true, true] => Outcome::Void,
            [true, false] => Outcome::win_of(Seat::Second),
            [false, true] => Outcome::win_of(Seat::First),
        };
        result.outcome = outcome;
        result.cause = Cause::Withdrawn;
        result.detail.clear();
        result.moves.clear();
        result.favoured = None;
        result.deeds = [Deeds::default(); 2];
        result
    }

    /// Counts the next game.
    pub(crate) fn count(&mut self, result: &GameResult, bots: [usize; 2]) {
        let completed = self.scores.count(result, bots);
        if self.settings.strict && result.cause.is_fault() {
            self.scores.closed = true;
            self.fault = true;
        }
        if completed.is_some()
            && let Some(sprt) = self.settings.sprt
            && let Some(test) = standings::test(sprt, &self.scores)
            && test.verdict != SprtVerdict::Continue
        {
            self.scores.closed = true;
        }
    }
}
