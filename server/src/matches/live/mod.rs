//! One live match: its machine behind a lock. Who has something to tell the match locks it, steps the machine, and carries out what
//! follows before anybody else comes; there is no task, queue or timer of a match.
//!
//! A match that is not here yet is read from its log ([`reading`]); requests wait until then ([`waiting`]). After a panic it is read again
//! ([`panics`]).

mod cancelled;
mod input;
mod panics;
mod reading;
mod thinks_about;
mod waiting;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use grundy_shared::Position;
use grundy_shared::ids::{JoinCode, MatchId, Millis, PlayerId, Ply, Seat, Seq};
use grundy_shared::practice::no_hints;
use grundy_shared::protocol::ErrorBody;
use grundy_shared::referee::{Referee, Rematch, Status};
use tokio::time::Instant;

pub(crate) use self::input::Input;
use self::thinks_about::ThinksAbout;
use self::waiting::{refuse, wait};
use super::builtin;
use super::herald::Told;
use super::host::Host;
use super::machine::{self, Beginning, Opening};
use super::outbox::{Outbox, ReplyTo};
use super::pulse::Pulse;
use super::sight;
use crate::metrics::sharded::Counter;
use crate::planted;
use crate::store::AddressDigest;

/// A match as connections of this server play it.
pub(super) type Machine = machine::Machine<Outbox, ReplyTo>;
/// What it wants done.
pub(super) type Effect = machine::Effect<Outbox, ReplyTo>;

thread_local! {
    /// Room for the effects of a step, used again and again.
    static EFFECTS: Cell<Vec<Effect>> = const { Cell::new(Vec::new()) };
}

/// What a match asks of the registry of all matches. May be called while the match is locked, and locks none.
pub(super) trait Registry: Send + Sync {
    /// The match is no longer the one to be found under its id.
    fn retire(&self, live: &Arc<LiveMatch>);

    /// A match that follows on another is stored.
    fn open(&self, opening: Opening<Outbox>);

    /// A match that may have been made is to be taken up from its log, if it is not here.
    fn take_up(&self, id: MatchId);
}

/// One match that somebody plays, follows or asks for.
pub struct LiveMatch {
    pub(super) id: MatchId,
    pub(super) host: Arc<Host>,
    registry: Weak<dyn Registry>,
    pulse: Pulse,
    /// What a built-in bot is wanted to think about.
    pub(super) thinks_about: Arc<ThinksAbout>,
    state: Mutex<LiveState>,
}

/// A position in which a player is away, and the other claims something: for the solver to judge.
#[derive(Debug)]
pub struct Case {
    /// The position.
    pub position: Position,
    /// Who is to move.
    pub to_move: Seat,
    /// Moves made.
    pub ply: Ply,
    /// Who is away.
    pub absent: Seat,
}

/// What the lock guards.
pub(super) struct LiveState {
    phase: Phase,
    /// The moment that is set for the match among the deadlines.
    armed: Option<Millis>,
    /// The place for which the match counts, if that is known.
    pub(super) address: Option<AddressDigest>,
    /// The match counts as one that is not over.
    counted: bool,
    /// What the herald knows of it.
    told: Told,
    /// The machine knows that the server begins to stop.
    draining: bool,
    /// The match was read, and those who have waited for it are being heard.
    taking_up: bool,
    /// When the commit in flight was handed over.
    pub(super) handed_over: Option<Instant>,
    /// Counts the machines that panicked.
    pub(super) round: u32,
    /// Commits whose outcome is still to come, of machines that panicked.
    stale: u32,
    /// Counts the moves of matches of this game.
    pub(super) moves: Option<Counter>,
    panics: Vec<Instant>,
    /// The log was rewritten while it was read.
    outdated: bool,
}

enum Phase {
    /// It is read from its log. This waits for it.
    Reading(Vec<Input>),
    Playing(Box<Machine>),
    /// Its log is damaged, or it panics: everybody is refused.
    PutAside(Box<ErrorBody>),
    /// Nobody needs it any more; it is not to be found under its id.
    Gone,
}

/// What is to be done once the match is unlocked.
#[derive(Default)]
pub(super) struct Deferred {
    pub(super) openings: Vec<Opening<Outbox>>,
    /// The match that follows on one that was read again after its end.
    following: Option<MatchId>,
    /// A move was announced.
    pub(super) moved: bool,
}

impl LiveState {
    /// The state of the match, if it can be played.
    pub(super) fn referee(&self) -> Option<&Referee> {
        match &self.phase {
            Phase::Playing(machine) => Some(machine.referee()),
            _ => None,
        }
    }

    /// The place for which the match counts, if that is known.
    pub(super) fn address(&self) -> Option<AddressDigest> {
        self.address
    }
}

impl LiveMatch {
    fn new(id: MatchId, host: Arc<Host>, registry: Weak<dyn Registry>, phase: Phase) -> Arc<Self> {
        Arc::new(Self {
            id,
            host,
            registry,
            pulse: Pulse::default(),
            thinks_about: Arc::default(),
            state: Mutex::new(LiveState {
                phase,
                armed: None,
                address: None,
                counted: false,
                told: Told::Nothing,
                draining: false,
                taking_up: false,
                handed_over: None,
                round: 0,
                stale: 0,
                moves: None,
                panics: Vec::new(),
                outdated: false,
            }),
        })
    }

    /// A match that is read from its log or about to be stored: call [`LiveMatch::read`] or [`LiveMatch::begin_as`]. Inputs wait
    /// until then.
    pub(super) fn unread(id: MatchId, host: Arc<Host>, registry: Weak<dyn Registry>) -> Arc<Self> {
        Self::new(id, host, registry, Phase::Reading(Vec::new()))
    }

    /// A match whose state is known: [`LiveMatch::begin`] has to be called.
    pub(super) fn known(
        id: MatchId,
        host: Arc<Host>,
        registry: Weak<dyn Registry>,
        beginning: Beginning,
    ) -> Arc<Self> {
        let told = Told::Nothing.at_begin(&beginning);
        let address = beginning.address;
        let machine = Machine::new(host.clock.now(), id, host.policy.clone(), beginning);
        let live = Self::new(id, host, registry, Phase::Playing(Box::new(machine)));
        let mut state = live.lock();
        state.told = told;
        state.address = address;
        drop(state);
        live
    }

    /// A match that everybody is refused.
    pub(super) fn put_aside(
        id: MatchId,
        host: Arc<Host>,
        registry: Weak<dyn Registry>,
        why: ErrorBody,
    ) -> Arc<Self> {
        Self::new(id, host, registry, Phase::PutAside(Box::new(why)))
    }

    /// A later check found the match sound: if it was put aside, it is read from its log at the next request.
    pub(super) fn take_back(self: &Arc<Self>) {
        let mut state = self.lock();
        if matches!(state.phase, Phase::PutAside(_)) {
            self.retire(&mut state);
        }
    }

    fn lock(&self) -> MutexGuard<'_, LiveState> {
        // A panic of the machine is caught while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The match.
    #[must_use]
    pub fn id(&self) -> MatchId {
        self.id
    }

    /// How far the match has come.
    #[must_use]
    pub fn pulse(&self) -> &Pulse {
        &self.pulse
    }

    /// The join code and when it expires, while the match waits for the other player.
    #[must_use]
    pub fn invitation(&self) -> Option<(JoinCode, Millis)> {
        match &self.lock().phase {
            Phase::Playing(machine) => machine.invitation(),
            _ => None,
        }
    }

    /// The position, who is to move, and how far the match has come, as far as this player may see it. `None` if it cannot be played.
    #[must_use]
    pub fn board(&self, player: PlayerId) -> Option<(Position, Seat, Status)> {
        let mut state = self.lock();
        let Phase::Playing(machine) = &mut state.phase else {
            return None;
        };
        let (position, to_move) = machine.board_for(player);
        Some((position, to_move, machine.referee().status()))
    }

    /// Whether this player plays, and the solver may help. `None` if the match cannot be played.
    #[must_use]
    pub fn helps(&self, player: PlayerId) -> Option<bool> {
        let state = self.lock();
        let referee = state.referee()?;
        let seat = referee.seat_of(player);
        Some(seat.is_some_and(|seat| no_hints(referee, seat).is_none()))
    }

    /// The last event that this player may see, if the match can be played.
    #[must_use]
    pub fn seq_for(&self, player: PlayerId) -> Option<Seq> {
        let state = self.lock();
        let referee = state.referee()?;
        Some(sight::seq_for(
            referee,
            player,
            self.host.policy.rated_delay_moves,
        ))
    }

    /// The position over which this player has a claim, for the solver to judge; `None` if the claim is not possible anyway.
    #[must_use]
    pub fn case_of(&self, player: PlayerId, now: Millis) -> Option<Case> {
        let state = self.lock();
        let referee = state.referee()?;
        let seat = referee.seat_of(player)?;
        referee.may_claim(now, seat).ok()?;
        Some(Case {
            position: referee.position().clone(),
            to_move: referee.to_move(),
            ply: referee.ply(),
            absent: seat.other(),
        })
    }

    /// Whether this player plays against a built-in bot in it. `None` while its log is being read.
    #[must_use]
    pub fn faces_builtin(&self, player: PlayerId) -> Option<bool> {
        let state = self.lock();
        let referee = state.referee()?;
        let opponent = referee
            .seat_of(player)
            .and_then(|seat| referee.player(seat.other()));
        Some(opponent.is_some_and(|opponent| builtin::bot_of(opponent).is_some()))
    }

    /// Whether it is a game of a tournament in which this player has not moved yet. `None` while its log is being read.
    #[must_use]
    pub fn is_new_to(&self, player: PlayerId) -> Option<bool> {
        let state = self.lock();
        Some(Self::is_new_game(state.referee()?, player))
    }

    /// The same of any match, from its state.
    #[must_use]
    pub fn is_new_game(referee: &Referee, player: PlayerId) -> bool {
        let plays = |seat| referee.player(seat).is_some_and(|one| one.id == player);
        let seat = Seat::BOTH.into_iter().find(|seat| plays(*seat));
        let before = |seat| match seat {
            Seat::First => Ply(0),
            Seat::Second => Ply(1),
        };
        referee.tournament().is_some() && seat.is_some_and(|seat| referee.ply() <= before(seat))
    }

    /// The player of a seat, if there is one and the match can be played.
    #[must_use]
    pub fn player(&self, seat: Seat) -> Option<PlayerId> {
        let state = self.lock();
        state.referee()?.player(seat).map(|player| player.id)
    }

    /// Whether this player may sit in it: what is being read now may be a match of anybody.
    #[must_use]
    pub fn seats(&self, player: PlayerId) -> bool {
        let state = self.lock();
        let referee = state.referee();
        referee.is_none_or(|referee| referee.seat_of(player).is_some())
    }

    /// Whether this player offers a rematch in it.
    #[must_use]
    pub fn offers_rematch(&self, player: PlayerId) -> bool {
        let state = self.lock();
        state
            .referee()
            .is_some_and(|referee| match referee.rematch() {
                Rematch::Offered(seat) => referee.seat_of(player) == Some(seat),
                Rematch::None | Rematch::Accepted(_) => false,
            })
    }

    /// Whether both players are seated and the match is not over.
    #[must_use]
    pub fn is_running(&self) -> bool {
        let state = self.lock();
        state
            .referee()
            .is_some_and(|referee| referee.status() == Status::Live)
    }

    /// The connections that follow the match with one of these seats, or without one. Cost: linear in the followers.
    #[must_use]
    pub fn followers_with(&self, wanted: impl Fn(Option<Seat>) -> bool) -> Vec<Outbox> {
        match &self.lock().phase {
            Phase::Playing(machine) => machine
                .followers_now()
                .filter(|(_, seat)| wanted(*seat))
                .map(|(connection, _)| connection.clone())
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the match has something to do before the server can stop.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self.lock().phase, Phase::Playing(_))
    }

    /// Tells the match something. It is given back if the match is no longer the one to be found under its id.
    pub(crate) fn give(self: &Arc<Self>, input: Input) -> Result<(), Box<Input>> {
        let mut state = self.lock();
        let mut deferred = Deferred::default();
        match &mut state.phase {
            Phase::Gone => return Err(Box::new(input)),
            Phase::PutAside(why) => refuse(input, why),
            Phase::Reading(waiting) => {
                if let Input::Act { received, .. } | Input::Join { received, .. } = &input {
                    self.pulse.may_owe_since(*received);
                }
                wait(waiting, input);
            }
            Phase::Playing(_) => {
                if matches!(input, Input::Leave { .. } | Input::Gone { .. }) {
                    self.heed_stop(&mut state, &mut deferred);
                }
                self.step(&mut state, input, &mut deferred);
            }
        }
        drop(state);
        self.do_deferred(deferred);
        Ok(())
    }

    /// A server that stops does not say of everybody that they left: the machine hears of the stop before the first who leaves.
    fn heed_stop(self: &Arc<Self>, state: &mut LiveState, deferred: &mut Deferred) {
        if !state.draining && self.host.lifecycle.is_draining() {
            state.draining = true;
            self.step(state, Input::Drain, deferred);
        }
    }

    /// Tells the machine of this round what it has asked for; a later one, made after a panic, has not.
    pub(super) fn tell(self: &Arc<Self>, round: u32, input: Input) {
        let mut state = self.lock();
        let mut deferred = Deferred::default();
        if state.round == round {
            self.step(&mut state, input, &mut deferred);
        }
        drop(state);
        self.do_deferred(deferred);
    }

    /// Tells the machine what became of its commit. When that was handed over, and whether a move was announced; `None` where the
    /// machine that wanted to know is gone.
    pub(super) fn hear_of_commit(
        self: &Arc<Self>,
        outcome: Result<(), machine::CommitRefusal>,
    ) -> Option<(Instant, bool)> {
        let mut state = self.lock();
        if state.stale > 0 {
            state.stale -= 1;
            return None;
        }
        let handed_over = state.handed_over.take()?;
        if planted::is("lose_refusal") && matches!(outcome, Err(machine::CommitRefusal::Stalled(_)))
        {
            return None;
        }
        let mut deferred = Deferred::default();
        match (outcome, &state.phase) {
            // It may have been stored: the log tells. A server that stops reads no more.
            (Err(machine::CommitRefusal::Failed(_)), Phase::Playing(_))
                if !self.host.lifecycle.is_draining() =>
            {
                self.begin_anew(&mut state);
            }
            (outcome, _) => self.step(&mut state, Input::Committed(outcome), &mut deferred),
        }
        drop(state);
        let moved = deferred.moved;
        self.do_deferred(deferred);
        Some((handed_over, moved))
    }

    fn do_deferred(&self, deferred: Deferred) {
        if deferred.openings.is_empty() && deferred.following.is_none() {
            return;
        }
        if let Some(registry) = self.registry.upgrade() {
            for opening in deferred.openings {
                registry.open(opening);
            }
            if let Some(id) = deferred.following {
                registry.take_up(id);
            }
        }
    }

    /// Steps the machine with this, and with what follows from carrying out what it wants.
    fn step(self: &Arc<Self>, state: &mut LiveState, input: Input, deferred: &mut Deferred) {
        let mut effects = EFFECTS.take();
        let mut next = Some(input);
        let mut more = Vec::new();
        while let Some(input) = next {
            let Phase::Playing(machine) = &mut state.phase else {
                // It was done, and what its last effects led to is about nothing.
                break;
            };
            let now = self.host.clock.now();
            let stepped = catch_unwind(AssertUnwindSafe(|| machine.step(now, input, &mut effects)));
            if stepped.is_err() {
                // Every duty to answer that the machine held answers `internal` when it is dropped.
                effects.clear();
                self.begin_anew(state);
                break;
            }
            let done = self.carry_out(state, &mut effects, &mut more, deferred);
            if done && !state.taking_up {
                self.retire(state);
            }
            next = (!more.is_empty()).then(|| more.remove(0));
        }
        EFFECTS.set(effects);
        self.note_state(state);
    }

    /// Notes how far the match has come, and when it is to be woken.
    fn note_state(&self, state: &mut LiveState) {
        let Phase::Playing(machine) = &state.phase else {
            self.thinks_about.set(None);
            return;
        };
        self.thinks_about.set(machine.thinks_about());
        let over = machine.referee().status() == Status::Over;
        self.pulse.set(machine.seq(), machine.ply(), over);
        self.pulse.set_adjourned(machine.referee().is_adjourned());
        self.pulse.set_watched(machine.is_watched());
        for seat in Seat::BOTH {
            let (connected, taken) = (machine.is_connected(seat), machine.taken(seat));
            self.pulse
                .set_seat(seat, connected, taken, machine.is_elsewhere(seat));
        }
        self.pulse.set_owes_since(machine.owes_since());
        let wake_at = machine.wake_at();
        let referee = machine.referee();
        if state.told == Told::Nothing
            && referee.player(Seat::First).is_some()
            && referee.player(Seat::Second).is_some()
        {
            state.told = Told::Begun;
            self.host.herald.began(self.id, referee);
        }
        if state.told == Told::Begun && over {
            state.told = Told::Ended;
            self.host.herald.ended(self.id, referee);
        }
        self.count(state, !over);
        // The moment is only ever set earlier: one that comes too soon is set again then.
        if let Some(at) = wake_at
            && state.armed.is_none_or(|armed| at < armed)
        {
            self.host.deadlines.set_for(self.id, at, state.armed);
            state.armed = Some(at);
        }
    }

    /// Counts the match among those that are not over, or no longer.
    fn count(&self, state: &mut LiveState, open: bool) {
        if state.counted != open {
            state.counted = open;
            let live = &self.host.metrics.matches_live;
            if open {
                live.inc();
            } else {
                live.dec();
            }
        }
    }

    /// The moment that was set for the match has come.
    pub(super) fn wake(self: &Arc<Self>) {
        let mut state = self.lock();
        let mut deferred = Deferred::default();
        state.armed = None;
        if let Phase::Playing(machine) = &state.phase {
            let now = self.host.clock.now();
            if machine.wake_at().is_some_and(|at| at <= now) {
                self.step(&mut state, Input::Time, &mut deferred);
            } else {
                self.note_state(&mut state);
            }
        }
        drop(state);
        self.do_deferred(deferred);
    }

    /// Begins a match whose state is known.
    pub(super) fn begin(self: &Arc<Self>) {
        let mut state = self.lock();
        let mut deferred = Deferred::default();
        self.start(&mut state, &mut deferred);
        drop(state);
        self.do_deferred(deferred);
    }

    fn start(self: &Arc<Self>, state: &mut LiveState, deferred: &mut Deferred) {
        if let Phase::Playing(machine) = &state.phase {
            state.moves = Some(self.host.moves_of(machine.referee()));
        }
        self.step(state, Input::Time, deferred);
        self.heed_stop(state, deferred);
    }

    /// Nobody needs the match any more.
    fn retire(self: &Arc<Self>, state: &mut LiveState) {
        self.thinks_about.set(None);
        self.count(state, false);
        state.phase = Phase::Gone;
        if let Some(registry) = self.registry.upgrade() {
            registry.retire(self);
        }
    }
}
