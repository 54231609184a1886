//! The log of a tournament on its way through the checks: folded while it is read, so that one state is in memory.

use grundy_shared::event::{EndReason, Outcome};
use grundy_shared::ids::{MatchId, Millis, Seq};
use grundy_shared::tournament::{Dated, Tournament, TournamentEvent};

use super::report::Problem;

/// A game whose result is in the log of a tournament: its match must have ended with these bytes.
pub(super) struct Counted {
    /// The number of the event.
    pub(super) seq: Seq,
    /// The match.
    pub(super) id: MatchId,
    /// Its round, board and game.
    pub(super) place: (u32, u32, u32),
    /// Who won, and how.
    pub(super) end: (Outcome, EndReason),
    /// The head of its chain, in hexadecimal digits.
    pub(super) head: String,
}

/// What the whole log of a tournament counts.
pub(super) struct Book {
    pub(super) counted: Vec<Counted>,
    /// Games can have ended since that count for nothing.
    pub(super) cancelled: bool,
}

/// A tournament as far as it was read.
#[derive(Default)]
pub(super) struct Fold {
    tournament: Option<Tournament>,
    last_at: Millis,
    counted: Vec<Counted>,
}

impl Fold {
    /// What it counts.
    pub(super) fn into_book(self) -> Book {
        let tournament = self.tournament.as_ref();
        Book {
            cancelled: tournament.is_some_and(|tournament| tournament.cancelled().is_some()),
            counted: self.counted,
        }
    }

    /// Takes in the event with this number. Every pairing is made again and compared.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn take(&mut self, seq: Seq, body: &[u8]) -> Result<(), Problem> {
        let dated: Dated = serde_json::from_slice(body).map_err(|error| {
            let why = error.to_string();
            Problem::NotAnEvent { why }
        })?;
        let unfit = |why: String| Problem::Unfit { why };
        if dated.at_ms < self.last_at {
            return Err(unfit("it is dated before the event before it".to_owned()));
        }
        self.last_at = dated.at_ms;
        match &mut self.tournament {
            None => {
                let created = Tournament::created(&dated.event);
                self.tournament = Some(created.map_err(|error| unfit(error.to_string()))?);
            }
            Some(tournament) => {
                let applied = tournament.apply(&dated.event);
                applied.map_err(|error| unfit(error.to_string()))?;
            }
        }
        if let TournamentEvent::GameEnded {
            round,
            board,
            game,
            match_id,
            outcome,
            reason,
            head,
        } = dated.event
        {
            self.counted.push(Counted {
                seq,
                id: match_id,
                place: (round, board, game),
                end: (outcome, reason),
                head,
            });
        }
        Ok(())
    }
}
