//! One live tournament: its machine behind a lock, and the carrying out of what it wants.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{Millis, PlayerId, Seq, TournamentId};
use grundy_shared::protocol::tournament::{TournamentState, TournamentStatus};
use grundy_shared::tournament::{Report, Tournament};

use super::host::Host;
use super::machine::{self, Begun};
use crate::matches::{self, Outbox, Outgoing, ReplyTo, refusal};
use crate::store::CommitError;
use crate::store::committer::{Completion, Waiter};

/// A tournament as connections and matches of this server know it.
type Machine = machine::Machine<Outbox, ReplyTo, Completion>;
/// What it is told.
pub(crate) type Input = machine::Input<Outbox, ReplyTo, Completion>;
type Effect = machine::Effect<Outbox, ReplyTo, Completion>;

/// What a tournament asks of the registry of all tournaments. Called while it is not locked.
pub(super) trait Registry: Send + Sync {
    /// Nothing will happen in this tournament any more.
    fn finish(&self, id: TournamentId);
}

/// An unfinished tournament, as operators see it.
#[derive(Clone, Debug)]
pub struct Unfinished {
    /// Which.
    pub id: TournamentId,
    /// Its name.
    pub name: String,
    /// Who created it.
    pub organiser: PlayerInfo,
    /// How far it has come.
    pub status: TournamentStatus,
    /// Players who have entered.
    pub players: u32,
    /// The most players.
    pub most: u32,
    /// When it was created.
    pub created_at: Millis,
    /// When it is cancelled unless it goes on before.
    pub expires_at: Option<Millis>,
}

/// A tournament that is not over, or is still asked for.
pub struct LiveTournament {
    id: TournamentId,
    host: Arc<Host>,
    registry: Weak<dyn Registry>,
    machine: Mutex<Machine>,
}

impl LiveTournament {
    pub(super) fn new(
        id: TournamentId,
        host: Arc<Host>,
        registry: Weak<dyn Registry>,
        begun: Begun,
    ) -> Arc<Self> {
        Arc::new(Self {
            id,
            host,
            registry,
            machine: Mutex::new(Machine::new(id, begun)),
        })
    }

    /// The tournament.
    #[must_use]
    pub fn id(&self) -> TournamentId {
        self.id
    }

    fn machine(&self) -> MutexGuard<'_, Machine> {
        self.machine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far it has come.
    pub(super) fn status(&self) -> TournamentStatus {
        self.machine().status()
    }

    /// What operators see of it.
    pub(super) fn unfinished(&self) -> Unfinished {
        let machine = self.machine();
        let tournament = machine.tournament();
        Unfinished {
            id: self.id,
            name: tournament.name().to_owned(),
            organiser: tournament.organiser().clone(),
            status: machine.status(),
            players: tournament.players().len() as u32,
            most: tournament.admission().most,
            created_at: machine.created_at(),
            expires_at: machine.expires().map(|(at, _)| at),
        }
    }

    /// Whether a built-in bot has entered it.
    #[must_use]
    pub fn has_builtin_bots(&self) -> bool {
        let machine = self.machine();
        let mut players = machine.tournament().players().iter();
        players.any(|player| matches::builtin::bot_of(player).is_some())
    }

    /// Whether this player created it.
    pub(super) fn is_organised_by(&self, player: PlayerId) -> bool {
        self.machine().tournament().organiser().id == player
    }

    /// Whether its log names this player, who has had these names: as organiser, among those who have entered, or among those who may.
    pub(super) fn names(&self, player: PlayerId, names: &[String]) -> bool {
        let machine = self.machine();
        let tournament = machine.tournament();
        tournament.organiser().id == player
            || tournament.players().iter().any(|one| one.id == player)
            || tournament
                .admission()
                .names
                .iter()
                .any(|name| names.contains(name))
    }

    /// The number of its last event.
    pub fn seq(&self) -> Seq {
        self.machine().seq()
    }

    /// Shows it to somebody who plays no part in it: the state with the first rows of the standings, and what its log comes to. Nobody waits while the
    /// standings are worked out.
    pub fn show(&self, rows: u32) -> (TournamentState, Arc<Tournament>) {
        let unreported = {
            let machine = self.machine();
            let here = || (machine.seq(), machine.tournament().clone());
            (!machine.is_reported()).then(here)
        };
        if let Some((seq, tournament)) = unreported {
            let report = Report::of(&tournament);
            self.machine().keep_report(seq, report);
        }
        let now = self.host.services.clock.now();
        let mut machine = self.machine();
        let state = machine.state_for(now, None, 0, rows);
        (state, machine.tournament().clone())
    }

    /// When it wants to be told the time.
    pub(super) fn wake_at(&self) -> Option<Millis> {
        self.machine().wake_at()
    }

    /// Tells it something, and carries out what follows before anybody else comes.
    pub(crate) fn give(self: &Arc<Self>, input: Input) {
        let Some(registry) = self.registry.upgrade() else {
            return;
        };
        let mut machine = self.machine();
        let mut effects = Vec::new();
        let mut next = Some(input);
        let mut finished = false;
        while let Some(input) = next.take() {
            machine.step(self.host.services.clock.now(), input, &mut effects);
            for effect in effects.drain(..) {
                match self.carry_out(effect) {
                    Then::Nothing => {}
                    Then::Tell(input) => next = Some(*input),
                    Then::Finished => finished = true,
                }
            }
        }
        drop(machine);
        if finished {
            registry.finish(self.id);
        }
    }

    fn carry_out(self: &Arc<Self>, effect: Effect) -> Then {
        let host = &self.host;
        match effect {
            Effect::Reply(to, reply) => to.send(&reply),
            Effect::Refuse(to, error) => to.refuse(error),
            Effect::Send(to, frame) => to.push_or_close(Outgoing::Frame(frame)),
            Effect::Ring(player, event) => host.services.accounts.tell(player, &event),
            Effect::Commit(commit) => {
                let waiter: Arc<dyn Waiter> = self.clone();
                let submitted = host
                    .services
                    .committer
                    .submit(*commit, Completion::Waiter(waiter));
                if let Err(rejected) = submitted {
                    let error = match rejected.closed {
                        true => crate::store::StoreError::Closed,
                        false => crate::store::StoreError::Busy {
                            why: "too much waits to be stored".to_owned(),
                        },
                    };
                    return Then::Tell(Box::new(Input::Committed(Err(error.into()))));
                }
            }
            Effect::Pass(commit, done) => host.pass(*commit, done),
            Effect::Tell(done, outcome) => done.tell(outcome),
            Effect::ReadTail { after } => self.read_tail(after),
            Effect::Open(game) => {
                let (live, matches) = (self.clone(), host.matches());
                host.spawn(async move {
                    let of = game.game;
                    let made = match matches {
                        Some(matches) => matches.create_game(*game).await,
                        None => Err(refusal::internal()),
                    };
                    if let Err(error) = &made {
                        tracing::warn!(tournament = %live.id, %error, "a game could not be made");
                    }
                    live.give(Input::Opened(of, made));
                });
            }
            Effect::Seat(connection, player, match_id) => {
                if let Some(matches) = host.matches() {
                    let attach = matches::Input::Attach {
                        reply: None,
                        connection,
                        player,
                        seated: true,
                        invites: false,
                        since: Seq(0),
                    };
                    matches.give(match_id, attach);
                }
            }
            Effect::Stop(match_id, loser, reason) => {
                if let Some(matches) = host.matches() {
                    matches.give(match_id, matches::Input::Forfeit(loser, reason));
                }
            }
            Effect::Finished => return Then::Finished,
        }
        Then::Nothing
    }

    fn read_tail(self: &Arc<Self>, after: Seq) {
        let (live, store) = (self.clone(), self.host.services.store.clone());
        self.host.spawn(async move {
            let stream = crate::store::StreamId::Tournament(live.id);
            let read = store.load(stream, after, crate::store::LOAD_PAGE).await;
            let tail = read.map(Option::unwrap_or_default);
            let tail = tail.map_err(|error| refusal::of_store(&error));
            live.give(Input::Tail(tail));
        });
    }
}

/// What follows from carrying out one effect.
enum Then {
    Nothing,
    /// The machine is told this next.
    Tell(Box<Input>),
    Finished,
}

impl Waiter for LiveTournament {
    fn committed(self: Arc<Self>, outcome: Result<(), CommitError>) {
        if outcome.is_ok() {
            crate::failpoint::hit("before_tournament_publish");
        }
        self.give(Input::Committed(outcome));
    }
}
