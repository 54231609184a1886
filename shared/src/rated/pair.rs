//! The rated unit: two games from one start, sides swapped.

use super::event::Rated;
use super::family::Family;
use super::state::RatingState;
use crate::event::{Event, PairScore, PlayerInfo};
use crate::ids::{MatchId, Millis, Ply, Seat};
use crate::referee::Referee;

/// A rated pair that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RatedPair {
    /// The pair: the id of its first game.
    pub pair: MatchId,
    /// The game with whose end it is over.
    pub last: MatchId,
    /// What was played.
    pub family: Family,
    /// The players, by their seats in that game.
    pub players: [PlayerInfo; 2],
    /// What became of the pair for the first of them.
    pub score: PairScore,
    /// When it was over.
    pub at_ms: Millis,
}

impl RatedPair {
    /// The pair that is over once this match ends with this event, which need not be accepted yet. `None` if the match is not rated, if its
    /// pair goes on, if no game of the pair has a result, or if the first game ended before any move.
    ///
    /// Who has won more games of the pair wins it. A game that does not count, or was never played, gives nothing to anybody: so it never
    /// takes a result away.
    #[must_use]
    pub fn ended(referee: &Referee, end: &Event) -> Option<Self> {
        let Event::Ended {
            at_ms,
            outcome,
            reason,
            ..
        } = end
        else {
            return None;
        };
        let series = referee.series().filter(|series| series.rated)?;
        if referee.next_in_series(*outcome, *reason).is_some() {
            return None;
        }
        // Nobody has come: nothing was played.
        if series.game == 1 && referee.ply() == Ply(0) {
            return None;
        }
        let games = series.after(*outcome);
        if games.first_wins + games.second_wins + games.draws == 0 {
            return None;
        }
        Some(Self {
            pair: series.id,
            last: series.match_id(),
            family: Family::of(referee.start()),
            players: [
                referee.player(Seat::First)?.clone(),
                referee.player(Seat::Second)?.clone(),
            ],
            score: match games.first_wins.cmp(&games.second_wins) {
                std::cmp::Ordering::Greater => PairScore::Won,
                std::cmp::Ordering::Equal => PairScore::Drawn,
                std::cmp::Ordering::Less => PairScore::Lost,
            },
            at_ms: *at_ms,
        })
    }

    /// What became of the pair for the player of this seat.
    #[must_use]
    pub fn score_of(&self, seat: Seat) -> PairScore {
        match seat {
            Seat::First => self.score,
            Seat::Second => self.score.of_opponent(),
        }
    }

    /// What it makes of these ratings, which are those of its players: an event for the log of each.
    #[must_use]
    pub fn rate(&self, states: [&RatingState; 2]) -> [Rated; 2] {
        let before = states.map(|state| state.strength_at(self.at_ms));
        Seat::BOTH.map(|seat| {
            let (own, other) = (seat.index(), seat.other().index());
            let score = self.score_of(seat);
            Rated {
                at_ms: self.at_ms,
                pair: self.pair,
                match_id: self.last,
                opponent: self.players[other].clone(),
                opponent_seq: states[other].pairs.next(),
                score,
                before: before[own],
                against: before[other],
                after: before[own].after_pair(before[other], score),
            }
        })
    }
}
