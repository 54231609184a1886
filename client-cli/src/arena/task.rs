//! What a worker is handed: two games from one start.

use grundy_shared::event::Outcome;
use grundy_shared::oracle::Deeds;

use super::cause::Cause;
use super::encounter::Encounter;
use super::result::GameResult;
use super::settings::Settings;
use super::suite::Suite;

/// Two games from one start, or what is missing of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Task {
    /// From 1; its games are 2n-1 and 2n.
    pub(crate) pair: u64,
    pub(crate) round: u32,
    pub(crate) bots: [usize; 2],
    /// The place of the start in the suite.
    pub(crate) start: usize,
    pub(crate) missing: [bool; 2],
}

impl Task {
    /// The pair `pair` of the arena, which is pair `nth` of this encounter (from 0), where starts are used in this order.
    pub(crate) fn of(encounter: &Encounter, pair: u64, nth: u32, order: &[usize]) -> Self {
        let start = (encounter.from_start as usize + nth as usize) % order.len();
        Self {
            pair,
            round: encounter.round,
            bots: encounter.bots,
            start: order[start],
            missing: [true, true],
        }
    }

    /// The number of its first or second game.
    pub(crate) fn game(&self, number: usize) -> u64 {
        2 * self.pair - 1 + number as u64
    }

    /// The players of its first or second game: who moves first, and who second.
    pub(crate) fn players(&self, number: usize) -> [usize; 2] {
        match number {
            0 => self.bots,
            _ => [self.bots[1], self.bots[0]],
        }
    }

    /// A game of it in which nothing was played.
    pub(crate) fn empty(&self, number: usize, settings: &Settings, suite: &Suite) -> GameResult {
        let [first, second] = self.players(number);
        GameResult {
            game: self.game(number),
            pair: self.pair,
            round: self.round,
            start: suite.positions[self.start].to_string(),
            first: settings.bots[first].name.clone(),
            second: settings.bots[second].name.clone(),
            outcome: Outcome::Void,
            cause: Cause::Withdrawn,
            detail: String::new(),
            moves: String::new(),
            favoured: None,
            deeds: [Deeds::default(); 2],
            timing: None,
        }
    }
}

/// What is wrong with a game of the journal that should be `due`, by what was agreed on before it began.
pub(crate) fn differs(result: &GameResult, due: &GameResult) -> Option<String> {
    let what = |game: &GameResult| {
        let GameResult {
            pair,
            round,
            first,
            second,
            start,
            ..
        } = game;
        format!("{first} against {second} from {start} in pair {pair} of round {round}")
    };
    let fits = result.pair == due.pair
        && result.round == due.round
        && result.start == due.start
        && result.first == due.first
        && result.second == due.second;
    (!fits).then(|| {
        let (is, planned) = (what(result), what(due));
        format!("game {} is {is}, and the plan has {planned}", result.game)
    })
}
