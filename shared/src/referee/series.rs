//! Series of games: which game comes next, and how the players stand.

use sha2::{Digest, Sha256};

use super::limits::SERIES_MAX;
use super::{Opened, Referee, Refusal, Terms, first_move_limit};
use crate::event::{EndReason, Event, Outcome, Series};
use crate::ids::{MatchId, Millis, Seat};

/// Games of a rated series: one with each side.
const RATED_GAMES: u32 = 2;

impl Series {
    /// The first game of a series of so many games, which gets this match id; `None` for a single game.
    ///
    /// # Errors
    /// The number of games is neither 1 nor an even number up to [`SERIES_MAX`]; or it is not 2, and they are rated.
    pub fn first(id: MatchId, games: u32, rated: bool) -> Result<Option<Self>, Refusal> {
        let series = Self {
            id,
            game: 1,
            games,
            first_wins: 0,
            second_wins: 0,
            draws: 0,
            rated,
        };
        match games {
            _ if rated && games != RATED_GAMES => Err(Refusal::RatedIsAPair { games }),
            1 => Ok(None),
            _ if series.is_lawful() => Ok(Some(series)),
            _ => Err(Refusal::BadSeries { games }),
        }
    }

    /// The first game of a rematch: that of another pair if this one is rated, and a single game otherwise.
    pub(super) fn again(&self, id: MatchId) -> Option<Self> {
        let again = Self::first(id, RATED_GAMES, true).ok().flatten();
        again.filter(|_| self.rated)
    }

    /// The id of this game. It follows from the series and the number, so that a game is never made twice.
    #[must_use]
    pub fn match_id(&self) -> MatchId {
        if self.game == 1 {
            return self.id;
        }
        let hash = Sha256::new()
            .chain_update("grundy series ")
            .chain_update(self.id.to_string())
            .chain_update(self.game.to_string())
            .finalize();
        let mut bits = [0; 8];
        bits.copy_from_slice(&hash[..8]);
        MatchId::from_random(u64::from_be_bytes(bits))
    }

    /// The same place, with the result of this game added to the score. A game that does not count adds nothing.
    #[must_use]
    pub fn after(mut self, outcome: Outcome) -> Self {
        match outcome {
            Outcome::First => self.first_wins += 1,
            Outcome::Second => self.second_wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Void => {}
        }
        self
    }

    /// What this seat has scored, in half points: two for a win, one for a draw.
    #[must_use]
    pub fn half_points(&self, seat: Seat) -> u32 {
        let wins = match seat {
            Seat::First => self.first_wins,
            Seat::Second => self.second_wins,
        };
        2 * wins + self.draws
    }

    /// The place of the next game after this one ended so, with sides swapped; `None` after the last.
    fn next(self, outcome: Outcome) -> Option<Self> {
        let after = self.after(outcome);
        (self.game < self.games).then_some(Self {
            game: self.game + 1,
            first_wins: after.second_wins,
            second_wins: after.first_wins,
            ..after
        })
    }

    pub(super) fn is_lawful(&self) -> bool {
        let scored = [self.first_wins, self.second_wins, self.draws];
        let scored = scored.into_iter().try_fold(0u32, u32::checked_add);
        (2..=SERIES_MAX).contains(&self.games)
            && self.games.is_multiple_of(2)
            && (!self.rated || self.games == RATED_GAMES)
            && (1..=self.games).contains(&self.game)
            && scored.is_some_and(|scored| scored < self.game)
    }
}

impl Referee {
    /// The place of the match in a series.
    #[must_use]
    pub fn series(&self) -> Option<Series> {
        self.series
    }

    /// The place of the game that begins if this one ends so now. A series ends early if a game is called off or comes to nothing, and
    /// if a player who has not moved in it runs out of time: that player is not there.
    #[must_use]
    pub fn next_in_series(&self, outcome: Outcome, reason: EndReason) -> Option<Series> {
        let goes_on = match reason {
            EndReason::Aborted
            | EndReason::Abandoned
            | EndReason::Expired
            | EndReason::Disconnected
            | EndReason::Withdrawn
            | EndReason::NoStart
            | EndReason::NoShow
            | EndReason::Cancelled
            | EndReason::Operator => false,
            EndReason::Time => outcome
                .winner()
                .is_some_and(|winner| self.moves_of(winner.other()) > 0),
            EndReason::LastMove
            | EndReason::Resignation
            | EndReason::Outgrown
            | EndReason::Repetition
            | EndReason::Agreement => true,
        };
        self.series.filter(|_| goes_on)?.next(outcome)
    }

    /// Whether the match is a game of a rated pair.
    #[must_use]
    pub fn is_rated(&self) -> bool {
        self.series.is_some_and(|series| series.rated)
    }

    /// The match that followed on the end of this one in its series.
    #[must_use]
    pub fn next_match(&self) -> Option<MatchId> {
        let (outcome, reason) = self.ended?;
        let next = self.next_in_series(outcome, reason)?;
        Some(next.match_id())
    }

    fn moves_of(&self, seat: Seat) -> u32 {
        match seat {
            Seat::First => self.ply().0.div_ceil(2),
            Seat::Second => self.ply().0 / 2,
        }
    }

    /// Opens the game that follows on this end, which need not be accepted yet: same start and clock, sides swapped, both players
    /// seated, clocks held until [`super::Command::StartClock`]. `None` if the event is no end, or no game follows on it.
    ///
    /// # Errors
    /// The start is refused, which only another version of these rules would do.
    pub fn open_next(&self, end: &Event) -> Result<Option<(MatchId, Self, Vec<Event>)>, Refusal> {
        let Event::Ended {
            at_ms,
            outcome,
            reason,
            ..
        } = end
        else {
            return Ok(None);
        };
        let Some(series) = self.next_in_series(*outcome, *reason) else {
            return Ok(None);
        };
        let terms = Terms {
            position: self.start.to_string(),
            clock: self.control,
            rematch_of: None,
            series: Some(series),
        };
        let (next, events) = self.open_swapped(terms, *at_ms, true)?;
        Ok(Some((series.match_id(), next, events)))
    }

    /// Opens another match of the same two players, sides swapped.
    pub(super) fn open_swapped(
        &self,
        terms: Terms,
        now: Millis,
        hold: bool,
    ) -> Result<(Self, Vec<Event>), Refusal> {
        let [Some(first), Some(second)] = &self.players else {
            return Err(Refusal::NotStarted);
        };
        let how = Opened {
            start: Some(self.start.clone()),
            hold,
            first_move_ms: first_move_limit(&terms),
            tournament: None,
        };
        let (mut opened, mut events) = Self::open(terms, second.clone(), Seat::First, now, how)?;
        let joined = Event::Joined {
            at_ms: now,
            seat: Seat::Second,
            player: first.clone(),
        };
        opened
            .apply(&joined)
            .expect("the second seat of a new match is free");
        events.push(joined);
        Ok((opened, events))
    }
}
