//! What is asked of a tournament: decided by its rules, stored, and only then answered and announced.

use std::sync::Arc;

use bytes::Bytes;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::Millis;
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use grundy_shared::tournament::{Dated, Tournament, TournamentError, TournamentEvent};

use super::effect::Effect;
use super::following::FEW_ROWS;
use super::input::{Ask, Ended};
use super::state::{Flight, Machine, Work};
use crate::matches::refusal;
use crate::store::{Commit, CommitError, Logged, Projection, StoreError, StreamId};

impl<C: Clone + Eq, R, D> Machine<C, R, D> {
    /// Finds out what follows; has it stored, or answers at once.
    pub(super) fn decide(
        &mut self,
        now: Millis,
        work: Work<R, D>,
        effects: &mut Vec<Effect<C, R, D>>,
    ) {
        let decided = match &work {
            Work::Ask { player, ask, .. } => self.events_of(player, ask),
            Work::Ended(ended) => Ok(vec![self.event_of(ended)]),
        };
        let at_ms = now.max(self.begun.last_at);
        let applied = decided.and_then(|events| {
            let mut then = Box::new(Tournament::clone(self.tournament()));
            for event in &events {
                then.apply(event).map_err(|error| of_error(&error))?;
            }
            let dated = events.into_iter().map(|event| Dated { at_ms, event });
            Ok((then, dated.collect::<Vec<_>>()))
        });
        match applied {
            Ok((_, events)) if events.is_empty() => self.answer(now, work, effects),
            Ok((then, events)) => self.store(Some(work), events, then, effects),
            Err(error) => match work {
                Work::Ask { reply, .. } => effects.push(Effect::Refuse(reply, error)),
                // Another server may have paired the round, or counted the game before: its log knows.
                Work::Ended(ended) if !ended.read && !self.tournament().is_over() => {
                    self.read_on(Some(Work::Ended(ended)), effects);
                }
                // The tournament is over, or was cancelled: the match ends all the same.
                Work::Ended(ended) => {
                    let Ended { commit, done, .. } = *ended;
                    effects.push(Effect::Pass(Box::new(commit), done));
                }
            },
        }
    }

    fn event_of(&self, ended: &Ended<D>) -> TournamentEvent {
        let game = &ended.game;
        TournamentEvent::GameEnded {
            round: game.round,
            board: game.board,
            game: game.game,
            match_id: self.match_of(game.round, game.board, game.game),
            outcome: ended.outcome,
            reason: ended.reason,
            head: ended.head.clone(),
        }
    }

    /// What a request leads to; nothing if things are as it wants them.
    fn events_of(&self, player: &PlayerInfo, ask: &Ask) -> Result<Vec<TournamentEvent>, ErrorBody> {
        let tournament = self.tournament();
        let number = number_of(tournament, player);
        let is_organiser = tournament.organiser().id == player.id;
        let is_in = number.is_some_and(|number| !tournament.has_withdrawn(number));
        let goes_on = tournament.cancelled().is_none() && !tournament.is_over();
        let anybodys = matches!(ask, Ask::Enter | Ask::Withdraw | Ask::End(_));
        if !anybodys && !is_organiser {
            let words = format!(
                "only {}, who created the tournament, may do this",
                tournament.organiser().name
            );
            return Err(ErrorBody::new(ErrorCode::NotAllowed, words));
        }
        Ok(match ask {
            Ask::Enter if is_in => Vec::new(),
            Ask::Enter if number.is_some() => {
                let words =
                    "you have withdrawn from this tournament, and nobody can enter it twice";
                return Err(ErrorBody::new(ErrorCode::NotAdmitted, words));
            }
            Ask::Enter => vec![TournamentEvent::Entered {
                player: player.clone(),
            }],
            Ask::Withdraw => match number {
                None => {
                    let words = "you have not entered this tournament";
                    return Err(ErrorBody::new(ErrorCode::NotEntered, words));
                }
                Some(_) if !is_in => Vec::new(),
                Some(player) => vec![TournamentEvent::Withdrew { player }],
            },
            // What is over is refused, although nothing would change.
            Ask::Start if tournament.has_begun() && goes_on => Vec::new(),
            Ask::Start => vec![TournamentEvent::EntriesClosed {}],
            Ask::Pause if tournament.is_paused() => Vec::new(),
            Ask::Pause => vec![TournamentEvent::Paused {}],
            Ask::Resume if !tournament.is_paused() && goes_on => Vec::new(),
            Ask::Resume => vec![TournamentEvent::Resumed {}],
            Ask::Cancel(_) | Ask::End(_) if tournament.cancelled().is_some() => Vec::new(),
            Ask::Cancel(reason) | Ask::End(reason) => vec![TournamentEvent::Cancelled {
                reason: reason.clone(),
            }],
        })
    }

    fn answer(&mut self, now: Millis, work: Work<R, D>, effects: &mut Vec<Effect<C, R, D>>) {
        if let Work::Ask { reply, player, .. } = work {
            let state = self.state_for(now, Some(player.id), 0, FEW_ROWS);
            effects.push(Effect::show(reply, state));
        }
    }

    /// Has the events stored, with the end of a match if they follow from one.
    pub(super) fn store(
        &mut self,
        mut work: Option<Work<R, D>>,
        events: Vec<Dated>,
        then: Box<Tournament>,
        effects: &mut Vec<Effect<C, R, D>>,
    ) {
        let bodies = events.iter().map(Dated::to_json).map(Bytes::from).collect();
        let own = StreamId::Tournament(self.id);
        let commit = match &mut work {
            // Kept, to be tried again after a conflict.
            Some(Work::Ended(ended)) => ended.commit.clone(),
            // An operator need not be a player, and is not named in the log.
            Some(Work::Ask {
                ask: Ask::End(_), ..
            }) => Commit::default(),
            // The log of the tournament names the player from now on.
            Some(Work::Ask { player, .. }) => Commit::default().with(Projection::Kept(player.id)),
            _ => Commit::default(),
        };
        let commit = commit.and(own, self.begun.seq, bodies);
        effects.push(Effect::Commit(Box::new(commit)));
        self.flight = Some(Flight::Storing { work, events, then });
    }

    /// What became of the commit in flight.
    pub(super) fn committed(
        &mut self,
        now: Millis,
        outcome: Result<(), CommitError>,
        effects: &mut Vec<Effect<C, R, D>>,
    ) {
        let (work, events, then) = match self.flight.take() {
            Some(Flight::Storing { work, events, then }) => (work, events, then),
            other => {
                self.flight = other;
                return;
            }
        };
        match outcome {
            Ok(()) => {
                self.begun.tournament = Arc::new(*then);
                self.publish(events, effects);
                match work {
                    Some(Work::Ended(ended)) => effects.push(Effect::Tell(ended.done, Ok(()))),
                    Some(work @ Work::Ask { .. }) => self.answer(now, work, effects),
                    None => {}
                }
            }
            Err(error) if self.is_own(&error) => self.read_on(work, effects),
            Err(error) => self.fail(now, work, error, effects),
        }
    }

    fn fail(
        &mut self,
        now: Millis,
        work: Option<Work<R, D>>,
        error: CommitError,
        effects: &mut Vec<Effect<C, R, D>>,
    ) {
        match work {
            Some(Work::Ask { reply, .. }) => {
                effects.push(Effect::Refuse(reply, refusal::of_commit(&error)));
            }
            Some(Work::Ended(ended)) => {
                // If it was stored all the same, the match finds its end in the log and sends it no more.
                if !matches!(
                    &error,
                    CommitError::Store(StoreError::ReadOnly { .. } | StoreError::Busy { .. })
                ) {
                    self.read_on(None, effects);
                }
                effects.push(Effect::Tell(ended.done, Err(error)));
            }
            None => self.put_off(now),
        }
    }

    /// Reads what another server may have stored, unless something is under way that would find it.
    pub(super) fn look(&mut self, effects: &mut Vec<Effect<C, R, D>>) {
        if self.flight.is_none() && !self.draining && !self.tournament().is_over() {
            self.read_on(None, effects);
        }
    }

    /// Reads what the log has beyond what is known, and decides this again then.
    fn read_on(&mut self, work: Option<Work<R, D>>, effects: &mut Vec<Effect<C, R, D>>) {
        effects.push(Effect::ReadTail {
            after: self.begun.seq,
        });
        self.flight = Some(Flight::Reading(work));
    }

    /// Somebody else has written: takes over what the log says, and decides again.
    pub(super) fn read_tail(
        &mut self,
        now: Millis,
        read: Result<Vec<Logged>, ErrorBody>,
        effects: &mut Vec<Effect<C, R, D>>,
    ) {
        let work = match self.flight.take() {
            Some(Flight::Reading(work)) => work,
            other => {
                self.flight = other;
                return;
            }
        };
        let taken = read.and_then(|stored| self.take_over(stored, effects));
        match (work, taken) {
            (None, Ok(())) => {}
            (Some(Work::Ended(mut ended)), Ok(())) => {
                ended.read = true;
                self.queue.push_front(Work::Ended(ended));
            }
            (Some(ask), Ok(())) => self.queue.push_front(ask),
            (Some(Work::Ask { reply, .. }), Err(error)) => {
                effects.push(Effect::Refuse(reply, error));
            }
            (None, Err(_)) => self.put_off(now),
            // Tried again after the next reading; who asks does not wait for it.
            (Some(ended), Err(error)) => {
                let waiting = std::mem::take(&mut self.queue);
                self.queue.push_back(ended);
                for work in waiting {
                    match work {
                        Work::Ask { reply, .. } => {
                            effects.push(Effect::Refuse(reply, error.clone()));
                        }
                        ended => self.queue.push_back(ended),
                    }
                }
                self.unread = true;
                self.put_off(now);
            }
        }
    }

    /// Takes over what others have stored.
    ///
    /// # Errors
    /// The log goes on with what cannot be read here, as that of a newer version: what was decided now would never fit.
    fn take_over(
        &mut self,
        stored: Vec<Logged>,
        effects: &mut Vec<Effect<C, R, D>>,
    ) -> Result<(), ErrorBody> {
        let unknown = || refusal::busy("this server cannot read the log of the tournament");
        for logged in stored {
            let dated = serde_json::from_slice::<Dated>(&logged.body).map_err(|_| unknown())?;
            if logged.seq != self.begun.seq.next() {
                return Err(unknown());
            }
            let tournament = Arc::make_mut(&mut self.begun.tournament);
            tournament.apply(&dated.event).map_err(|_| unknown())?;
            self.publish(vec![dated], effects);
        }
        Ok(())
    }
}

/// The number of a player in a tournament.
pub(super) fn number_of(tournament: &Tournament, player: &PlayerInfo) -> Option<u32> {
    let mut players = tournament.players().iter();
    let place = players.position(|other| other.id == player.id)?;
    u32::try_from(place + 1).ok()
}

/// What the client is told of an event that does not fit.
pub(in crate::tournaments) fn of_error(error: &TournamentError) -> ErrorBody {
    use TournamentError as E;
    let code = match error {
        E::EntriesClosed => ErrorCode::EntriesClosed,
        E::Full(_) | E::WrongKind(_) | E::NotAdmitted(_) | E::EnteredTwice(_) => {
            ErrorCode::NotAdmitted
        }
        E::BadName
        | E::BadGames(_)
        | E::NoClock
        | E::BadAbsence { .. }
        | E::NoStart
        | E::BadRounds(_)
        | E::BadMost(_)
        | E::TooManyPlayers => ErrorCode::OutOfRange,
        _ => ErrorCode::WrongStatus,
    };
    let refused = ErrorBody::new(code, error.to_string());
    match field_of(error) {
        Some(field) => refused.field(field),
        None => refused,
    }
}

/// The field of `create_tournament` that is out of its bounds.
fn field_of(error: &TournamentError) -> Option<String> {
    use TournamentError as E;
    Some(match error {
        E::BadName => "name".to_owned(),
        E::BadGames(_) => "rules.games".to_owned(),
        E::NoClock => "rules.clock".to_owned(),
        E::BadAbsence { field, .. } => format!("rules.{field}"),
        E::NoStart => "rules.starts.positions".to_owned(),
        E::BadRounds(_) => "format.rounds".to_owned(),
        E::BadMost(_) => "admission.most".to_owned(),
        _ => return None,
    })
}
