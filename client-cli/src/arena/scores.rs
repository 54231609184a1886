//! What has been played so far, counted in the order of the plan, so that it is the same at any concurrency.

use std::collections::{BTreeMap, HashMap};

use grundy_shared::event::Outcome;
use grundy_shared::ids::Seat;
use grundy_shared::oracle::Deeds;
use grundy_shared::statistics::{Accuracy, Contestant, PairClass, PairCounts, PairResult};

use super::cause::Cause;
use super::encounter::{Encounter, Met};
use super::result::GameResult;

/// What is counted of one bot.
#[derive(Clone, Default, Debug)]
pub(crate) struct BotScore {
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// Wins when it moved first, and when it moved second.
    pub(crate) wins_as: [u64; 2],
    /// Complete pairs by points.
    pub(crate) pairs: PairCounts,
    pub(crate) accuracy: Accuracy,
    /// Replies that its moves from lost positions left, and those of them that win.
    pub(crate) replies: u64,
    pub(crate) winning: u64,
    pub(crate) faults: BTreeMap<Cause, u64>,
    /// Faults since the last game without one.
    pub(crate) faults_in_a_row: u32,
    /// It plays no more.
    pub(crate) withdrawn: bool,
}

impl BotScore {
    /// In half points.
    pub(crate) fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// The share of replies to its moves from lost positions that do not win; `None` without one.
    pub(crate) fn trickiness(&self) -> Option<f64> {
        (self.replies > 0).then(|| 1.0 - self.winning as f64 / self.replies as f64)
    }

    fn count(&mut self, outcome: Outcome, seat: Seat, deeds: &Deeds) {
        self.games += 1;
        match outcome.winner() {
            Some(winner) if winner == seat => {
                self.wins += 1;
                self.wins_as[seat.index()] += 1;
            }
            None if outcome == Outcome::Draw => self.draws += 1,
            // Also when nobody played: both had withdrawn.
            _ => self.losses += 1,
        }
        self.accuracy = self.accuracy.plus(Accuracy {
            kept: deeds.kept.into(),
            won: deeds.won.into(),
        });
        self.replies = self.replies.saturating_add(deeds.replies);
        self.winning = self.winning.saturating_add(deeds.winning);
    }
}

/// How two bots met, whenever they did.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Meeting {
    /// Complete pairs by the points of the bot with the smaller place.
    pub(crate) pairs: PairCounts,
    pub(crate) sound: u64,
    pub(crate) double_upsets: u64,
    /// Games won by the bot with the smaller place, drawn, and won by the other.
    pub(crate) games: [u64; 3],
}

/// All that is counted.
#[derive(Debug)]
pub(crate) struct Scores {
    pub(crate) bots: Vec<BotScore>,
    pub(crate) meetings: HashMap<(usize, usize), Meeting>,
    /// The encounters that have begun.
    pub(crate) encounters: Vec<Met>,
    /// Where the newest encounter of two bots in a round stands.
    places: HashMap<(u32, usize, usize), usize>,
    pub(crate) games: u64,
    pub(crate) pairs: u64,
    /// The first game of a pair whose second is due: the pair, its outcome, and who wins the start by theory.
    open: Option<(u64, Outcome, Option<Seat>)>,
    /// Faults after which a bot is out; 0 for never.
    fault_limit: u32,
    /// Nothing more is counted: the test is decided, or a fault ends everything.
    pub(crate) closed: bool,
}

impl Scores {
    pub(crate) fn new(bots: usize, fault_limit: u32) -> Self {
        Self {
            bots: vec![BotScore::default(); bots],
            meetings: HashMap::new(),
            encounters: Vec::new(),
            places: HashMap::new(),
            games: 0,
            pairs: 0,
            open: None,
            fault_limit,
            closed: false,
        }
    }

    /// Faults of all bots.
    pub(crate) fn faults(&self) -> u64 {
        let bots = self.bots.iter();
        bots.map(|bot| bot.faults.values().sum::<u64>()).sum()
    }

    /// Adds encounters whose games will be counted.
    pub(crate) fn begin(&mut self, wave: &[Encounter]) {
        for encounter in wave {
            let [one, two] = encounter.bots;
            let key = (encounter.round, one.min(two), one.max(two));
            self.places.insert(key, self.encounters.len());
            self.encounters.push(Met::begun(*encounter));
        }
    }

    /// Counts the next game of the plan, between the bots in these places. Returns what its pair shows if that is complete now.
    pub(crate) fn count(&mut self, result: &GameResult, bots: [usize; 2]) -> Option<PairClass> {
        self.games += 1;
        for seat in Seat::BOTH {
            let bot = &mut self.bots[bots[seat.index()]];
            bot.count(result.outcome, seat, &result.deeds[seat.index()]);
            if result.is_fault_of(seat) {
                *bot.faults.entry(result.cause).or_insert(0) += 1;
                bot.faults_in_a_row += 1;
                bot.withdrawn |= self.fault_limit > 0 && bot.faults_in_a_row >= self.fault_limit;
            } else if result.cause != Cause::Withdrawn {
                bot.faults_in_a_row = 0;
            }
        }
        let swapped = bots[0] > bots[1];
        let key = (bots[0].min(bots[1]), bots[0].max(bots[1]));
        let meeting = self.meetings.entry(key).or_default();
        let place = match result.outcome.winner() {
            None => 1,
            Some(winner) if (winner == Seat::First) != swapped => 0,
            Some(_) => 2,
        };
        if result.outcome != Outcome::Void {
            meeting.games[place] += 1;
        }
        let Some((_, first, favoured)) = self.open.take_if(|(pair, ..)| *pair == result.pair)
        else {
            self.open = Some((result.pair, result.outcome, result.favoured));
            return None;
        };
        // In the first game of the pair the seats were the other way round.
        let name = |seat: Seat, of_second: bool| match (seat == Seat::First) == of_second {
            true => bots[0],
            false => bots[1],
        };
        let as_contestant = |bot: usize| match bot == key.0 {
            true => Contestant::A,
            false => Contestant::B,
        };
        let winner = |outcome: Outcome, of_second| {
            outcome
                .winner()
                .map(|seat| as_contestant(name(seat, of_second)))
        };
        let favoured = favoured
            .or(result.favoured)
            .map(|seat| as_contestant(name(seat, false)));
        let pair = PairResult::of(winner(first, false), winner(result.outcome, true), favoured);
        self.pairs += 1;
        let is_played = first != Outcome::Void && result.outcome != Outcome::Void;
        if is_played {
            let half = usize::from(pair.half_points.min(4));
            meeting.pairs.0[half] += 1;
            match pair.class {
                PairClass::Sound => meeting.sound += 1,
                PairClass::DoubleUpset => meeting.double_upsets += 1,
                _ => {}
            }
            self.bots[key.0].pairs.0[half] += 1;
            self.bots[key.1].pairs.0[4 - half] += 1;
        }
        if let Some(place) = self.places.get(&(result.round, key.0, key.1)) {
            let met = &mut self.encounters[*place];
            met.pairs += 1;
            let at = usize::from(met.encounter.bots[0] != key.0);
            for (outcome, of_second) in [(first, false), (result.outcome, true)] {
                match winner(outcome, of_second) {
                    Some(Contestant::A) => met.halves[at] += 2,
                    Some(Contestant::B) => met.halves[1 - at] += 2,
                    None if outcome == Outcome::Draw => {
                        met.halves[at] += 1;
                        met.halves[1 - at] += 1;
                    }
                    None => {}
                }
            }
        }
        Some(pair.class)
    }
}
