//! One live match: its machine behind a lock. Who has something to tell the match locks it, steps the machine, and carries out what
//! follows before anybody else comes; there is no task, queue or timer of a match.
//!
//! A panic costs one step: the state is rebuilt from the log, and the followers go on. The third panic in ten minutes puts
//! the match aside: it answers `internal` until the server is started again.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use grundy_shared::Position;
use grundy_shared::ids::{JoinCode, MatchId, Millis, PlayerId, Seat};
use grundy_shared::protocol::ErrorBody;
use grundy_shared::referee::{Referee, Status};
use tokio::time::Instant;

use super::herald::Told;
use super::host::Host;
use super::machine::{self, Beginning, Opening, Origin};
use super::outbox::{Outbox, Outgoing, ReplyTo};
use super::pulse::Pulse;
use super::quotas::MatchPermit;
use super::rebuild::RebuildError;
use super::{rebuild, refusal};
use crate::metrics::sharded::Counter;
use crate::planted;

/// A match as connections of this server play it.
pub(super) type Machine = machine::Machine<Outbox, ReplyTo>;
/// What it is told.
pub(crate) type Input = machine::Input<Outbox, ReplyTo>;
/// What it wants done.
pub(super) type Effect = machine::Effect<Outbox, ReplyTo>;

/// Panics within [`PANIC_WINDOW`] that put a match aside.
const PANICS_MAX: usize = 3;
const PANIC_WINDOW: Duration = Duration::from_secs(600);
/// How long a match that has followers waits before it reads a failing store again.
const REREAD_AFTER: Duration = Duration::from_secs(1);
/// Requests that wait while a match is read from its log; of those who want to watch it, an eighth.
const WAITING_MAX: usize = 512;

thread_local! {
    /// Room for the effects of a step, used again and again.
    static EFFECTS: Cell<Vec<Effect>> = const { Cell::new(Vec::new()) };
}

/// What a match asks of the registry of all matches. May be called while the match is locked, and locks none.
pub(super) trait Registry: Send + Sync {
    /// The match is no longer the one to be found under its id.
    fn retire(&self, live: &Arc<LiveMatch>);

    /// A match that follows on another is stored. The place of a match that has ended with it is passed on.
    fn open(&self, opening: Opening<Outbox>, place: Option<MatchPermit>);

    /// A match that may have been made is to be taken up from its log, if it is not here.
    fn take_up(&self, id: MatchId);
}

/// One match that somebody plays, follows or asks for.
pub struct LiveMatch {
    pub(super) id: MatchId,
    pub(super) host: Arc<Host>,
    registry: Weak<dyn Registry>,
    pulse: Pulse,
    inside: Mutex<Inside>,
}

/// What the lock guards.
pub(super) struct Inside {
    state: State,
    /// The moment that is set for the match among the deadlines.
    armed: Option<Millis>,
    /// Counts the match among those from its address.
    pub(super) permit: Option<MatchPermit>,
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
}

enum State {
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
pub(super) struct Later {
    pub(super) openings: Vec<(Opening<Outbox>, Option<MatchPermit>)>,
    /// The match that follows on one that was read again after its end.
    following: Option<MatchId>,
    /// A move was announced.
    pub(super) moved: bool,
}

impl Inside {
    /// The state of the match, if it can be played.
    pub(super) fn referee(&self) -> Option<&Referee> {
        match &self.state {
            State::Playing(machine) => Some(machine.referee()),
            _ => None,
        }
    }
}

impl LiveMatch {
    fn new(id: MatchId, host: Arc<Host>, registry: Weak<dyn Registry>, state: State) -> Arc<Self> {
        Arc::new(Self {
            id,
            host,
            registry,
            pulse: Pulse::default(),
            inside: Mutex::new(Inside {
                state,
                armed: None,
                permit: None,
                counted: false,
                told: Told::Nothing,
                draining: false,
                taking_up: false,
                handed_over: None,
                round: 0,
                stale: 0,
                moves: None,
                panics: Vec::new(),
            }),
        })
    }

    /// A match that is read from its log or about to be stored: call [`LiveMatch::read`] or [`LiveMatch::begin_as`]. Inputs wait
    /// until then.
    pub(super) fn unread(id: MatchId, host: Arc<Host>, registry: Weak<dyn Registry>) -> Arc<Self> {
        Self::new(id, host, registry, State::Reading(Vec::new()))
    }

    /// A match whose state is known: [`LiveMatch::begin`] has to be called.
    pub(super) fn known(
        id: MatchId,
        host: Arc<Host>,
        registry: Weak<dyn Registry>,
        beginning: Beginning,
        permit: Option<MatchPermit>,
    ) -> Arc<Self> {
        let told = Told::Nothing.at_begin(&beginning);
        let machine = Machine::new(host.clock.now(), id, host.policy.clone(), beginning);
        let live = Self::new(id, host, registry, State::Playing(Box::new(machine)));
        let mut inside = live.inside();
        inside.permit = permit;
        inside.told = told;
        drop(inside);
        live
    }

    /// A match that everybody is refused.
    pub(super) fn put_aside(
        id: MatchId,
        host: Arc<Host>,
        registry: Weak<dyn Registry>,
        why: ErrorBody,
    ) -> Arc<Self> {
        host.metrics.matches_quarantined.inc();
        Self::new(id, host, registry, State::PutAside(Box::new(why)))
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        // A panic of the machine is caught while the lock is held.
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
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
        match &self.inside().state {
            State::Playing(machine) => machine.invitation(),
            _ => None,
        }
    }

    /// The position, who is to move, and how far the match has come, if it can be played.
    #[must_use]
    pub fn board(&self) -> Option<(Position, Seat, Status)> {
        let inside = self.inside();
        let referee = inside.referee()?;
        Some((
            referee.position().clone(),
            referee.to_move(),
            referee.status(),
        ))
    }

    /// Whether the match has something to do before the server can stop.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self.inside().state, State::Playing(_))
    }

    /// Tells the match something. It is given back if the match is no longer the one to be found under its id.
    pub(crate) fn give(self: &Arc<Self>, input: Input) -> Result<(), Box<Input>> {
        let mut inside = self.inside();
        let mut later = Later::default();
        match &mut inside.state {
            State::Gone => return Err(Box::new(input)),
            State::PutAside(why) => refuse(input, why),
            State::Reading(waiting) => wait(waiting, input),
            State::Playing(_) => {
                if matches!(input, Input::Leave { .. }) {
                    self.heed_stop(&mut inside, &mut later);
                }
                self.step(&mut inside, input, &mut later);
            }
        }
        drop(inside);
        self.see_to(later);
        Ok(())
    }

    /// A server that stops does not say of everybody that they left: the machine hears of the stop before the first who leaves.
    fn heed_stop(self: &Arc<Self>, inside: &mut Inside, later: &mut Later) {
        if !inside.draining && self.host.lifecycle.is_draining() {
            inside.draining = true;
            self.step(inside, Input::Drain, later);
        }
    }

    /// Tells the machine of this round what it has asked for; a later one, made after a panic, has not.
    pub(super) fn tell(self: &Arc<Self>, round: u32, input: Input) {
        let mut inside = self.inside();
        let mut later = Later::default();
        if inside.round == round {
            self.step(&mut inside, input, &mut later);
        }
        drop(inside);
        self.see_to(later);
    }

    /// Tells the machine what became of its commit. When that was handed over, and whether a move was announced; `None` where the
    /// machine that wanted to know is gone.
    pub(super) fn hear_of_commit(
        self: &Arc<Self>,
        outcome: Result<(), machine::CommitRefusal>,
    ) -> Option<(Instant, bool)> {
        let mut inside = self.inside();
        if inside.stale > 0 {
            inside.stale -= 1;
            return None;
        }
        let handed_over = inside.handed_over.take()?;
        if planted::is("lose_refusal") && matches!(outcome, Err(machine::CommitRefusal::Stalled(_)))
        {
            return None;
        }
        let mut later = Later::default();
        match (outcome, &inside.state) {
            // It may have been stored: the log tells. A server that stops reads no more.
            (Err(machine::CommitRefusal::Failed(_)), State::Playing(_))
                if !self.host.lifecycle.is_draining() =>
            {
                self.begin_anew(&mut inside);
            }
            (outcome, _) => self.step(&mut inside, Input::Committed(outcome), &mut later),
        }
        drop(inside);
        let moved = later.moved;
        self.see_to(later);
        Some((handed_over, moved))
    }

    fn see_to(&self, later: Later) {
        if later.openings.is_empty() && later.following.is_none() {
            return;
        }
        if let Some(registry) = self.registry.upgrade() {
            for (opening, place) in later.openings {
                registry.open(opening, place);
            }
            if let Some(id) = later.following {
                registry.take_up(id);
            }
        }
    }

    /// Steps the machine with this, and with what follows from carrying out what it wants.
    fn step(self: &Arc<Self>, inside: &mut Inside, input: Input, later: &mut Later) {
        let mut effects = EFFECTS.take();
        let mut next = Some(input);
        let mut more = Vec::new();
        while let Some(input) = next {
            let State::Playing(machine) = &mut inside.state else {
                // It was done, and what its last effects led to is about nothing.
                break;
            };
            let now = self.host.clock.now();
            let stepped = catch_unwind(AssertUnwindSafe(|| machine.step(now, input, &mut effects)));
            if stepped.is_err() {
                // Every duty to answer that the machine held answers `internal` when it is dropped.
                effects.clear();
                self.begin_anew(inside);
                break;
            }
            let done = self.carry_out(inside, &mut effects, &mut more, later);
            if done && !inside.taking_up {
                self.retire(inside);
            }
            next = (!more.is_empty()).then(|| more.remove(0));
        }
        EFFECTS.set(effects);
        self.note_state(inside);
    }

    /// Notes how far the match has come, and when it is to be woken.
    fn note_state(&self, inside: &mut Inside) {
        let State::Playing(machine) = &inside.state else {
            return;
        };
        let over = machine.referee().status() == Status::Over;
        self.pulse.set(machine.seq(), machine.ply(), over);
        self.pulse
            .set_connected(Seat::BOTH.map(|seat| machine.is_connected(seat)));
        let wake_at = machine.wake_at();
        let referee = machine.referee();
        if inside.told == Told::Nothing
            && referee.player(Seat::First).is_some()
            && referee.player(Seat::Second).is_some()
        {
            inside.told = Told::Begun;
            self.host.herald.began(self.id, referee);
        }
        if inside.told == Told::Begun && over {
            inside.told = Told::Ended;
            self.host.herald.ended(self.id, referee);
        }
        self.count(inside, !over);
        if over {
            if planted::is("keep_place") {
                std::mem::forget(inside.permit.take());
            }
            inside.permit = None;
        }
        // The moment is only ever set earlier: one that comes too soon is set again then.
        if let Some(at) = wake_at
            && inside.armed.is_none_or(|armed| at < armed)
        {
            self.host.deadlines.set_for(self.id, at, inside.armed);
            inside.armed = Some(at);
        }
    }

    /// Counts the match among those that are not over, or no longer.
    fn count(&self, inside: &mut Inside, open: bool) {
        if inside.counted != open {
            inside.counted = open;
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
        let mut inside = self.inside();
        let mut later = Later::default();
        inside.armed = None;
        if let State::Playing(machine) = &inside.state {
            let now = self.host.clock.now();
            if machine.wake_at().is_some_and(|at| at <= now) {
                self.step(&mut inside, Input::Time, &mut later);
            } else {
                self.note_state(&mut inside);
            }
        }
        drop(inside);
        self.see_to(later);
    }

    /// Begins a match whose state is known.
    pub(super) fn begin(self: &Arc<Self>) {
        let mut inside = self.inside();
        let mut later = Later::default();
        self.start(&mut inside, &mut later);
        drop(inside);
        self.see_to(later);
    }

    fn start(self: &Arc<Self>, inside: &mut Inside, later: &mut Later) {
        if let State::Playing(machine) = &inside.state {
            inside.moves = Some(self.host.moves_of(machine.referee()));
        }
        self.step(inside, Input::Time, later);
        self.heed_stop(inside, later);
    }

    /// Nobody needs the match any more.
    fn retire(self: &Arc<Self>, inside: &mut Inside) {
        self.count(inside, false);
        inside.state = State::Gone;
        inside.permit = None;
        if let Some(registry) = self.registry.upgrade() {
            registry.retire(self);
        }
    }
}

/// Reading the match from its log.
impl LiveMatch {
    /// Reads the match, in a task.
    pub(super) fn read(self: &Arc<Self>) {
        let live = self.clone();
        self.host.spawn(async move {
            let read = live.read_log().await;
            live.take_up(read);
        });
    }

    async fn read_log(&self) -> Result<Option<Beginning>, RebuildError> {
        loop {
            match self.beginning().await {
                Err(RebuildError::Store(error))
                    if !error.is_damage()
                        && self.is_followed()
                        && !self.host.lifecycle.is_draining() =>
                {
                    tracing::warn!(match_id = %self.id, %error, "a match that is followed cannot be read; it is tried again");
                    tokio::time::sleep(REREAD_AFTER).await;
                }
                read => return read,
            }
        }
    }

    /// What the log says.
    async fn beginning(&self) -> Result<Option<Beginning>, RebuildError> {
        let store = &*self.host.store;
        let Some(referee) = rebuild::load(store, self.id).await? else {
            return Ok(None);
        };
        Ok(Some(Beginning {
            invitation: rebuild::invitation(store, self.id, &referee).await?,
            referee,
            recent: Vec::new(),
            origin: Origin::Asked,
        }))
    }

    /// Whether somebody who waits has followed the match already.
    fn is_followed(&self) -> bool {
        let attaches = |input: &Input| matches!(input, Input::Attach { reply: None, .. });
        match &self.inside().state {
            State::Reading(waiting) => waiting.iter().any(attaches),
            _ => false,
        }
    }

    /// Begins a match that is stored now, and handles the inputs that have waited for it.
    pub(super) fn begin_as(self: &Arc<Self>, beginning: Beginning, permit: MatchPermit) {
        let mut inside = self.inside();
        let mut later = Later::default();
        if let State::Reading(waiting) = &mut inside.state {
            let waiting = std::mem::take(waiting);
            inside.permit = Some(permit);
            self.play(&mut inside, beginning, waiting, &mut later);
        }
        drop(inside);
        self.see_to(later);
    }

    fn play(
        self: &Arc<Self>,
        inside: &mut Inside,
        beginning: Beginning,
        waiting: Vec<Input>,
        later: &mut Later,
    ) {
        let now = self.host.clock.now();
        inside.told = inside.told.at_begin(&beginning);
        let machine = Machine::new(now, self.id, self.host.policy.clone(), beginning);
        inside.state = State::Playing(Box::new(machine));
        // It is not done before all were heard who waited.
        inside.taking_up = true;
        self.start(inside, later);
        for input in waiting {
            match &mut inside.state {
                State::Playing(_) => self.step(inside, input, later),
                // A panic again.
                State::Reading(waiting) => wait(waiting, input),
                State::PutAside(why) => refuse(input, why),
                State::Gone => refuse(input, &refusal::internal()),
            }
        }
        inside.taking_up = false;
        if matches!(&inside.state, State::Playing(machine) if machine.is_done()) {
            self.retire(inside);
        }
    }

    fn take_up(self: &Arc<Self>, read: Result<Option<Beginning>, RebuildError>) {
        let mut inside = self.inside();
        let mut later = Later::default();
        let State::Reading(waiting) = &mut inside.state else {
            return;
        };
        let waiting = std::mem::take(waiting);
        let refused = match read {
            Ok(Some(beginning)) => {
                // What ended it may have made the next game without anybody hearing of it.
                let next = beginning.referee.next_match();
                later.following = next.filter(|_| inside.round > 0);
                self.play(&mut inside, beginning, waiting, &mut later);
                None
            }
            Ok(None) => Some((refusal::no_such_match(&self.id.to_string()), waiting)),
            Err(RebuildError::Store(error)) if !error.is_damage() => {
                Some((refusal::of_store(&error), waiting))
            }
            Err(error) => {
                self.host.damaged.note(self.id, &error);
                self.close_to_all(&mut inside, refusal::damaged());
                for input in waiting {
                    refuse(input, &refusal::damaged());
                }
                None
            }
        };
        if let Some((why, waiting)) = refused {
            self.retire(&mut inside);
            for input in waiting {
                refuse(input, &why);
            }
        }
        drop(inside);
        self.see_to(later);
    }

    /// Refuses everybody from now on.
    pub(super) fn close_to_all(&self, inside: &mut Inside, why: ErrorBody) {
        tracing::error!(match_id = %self.id, "the match is put aside until the next start");
        self.host.metrics.matches_quarantined.inc();
        self.count(inside, false);
        inside.permit = None;
        inside.state = State::PutAside(Box::new(why));
    }

    /// The machine has panicked, or does not know what is stored: the match is read again from its log, and those who follow it go
    /// on. Every duty to answer that it held answers `internal`.
    fn begin_anew(self: &Arc<Self>, inside: &mut Inside) {
        self.host.metrics.match_panics.inc();
        tracing::error!(match_id = %self.id, "the match is rebuilt from its log");
        let now = Instant::now();
        inside.panics.push(now);
        inside.panics.retain(|at| now - *at < PANIC_WINDOW);
        let again = inside.panics.len() < PANICS_MAX;
        // Answers to what the machine has asked the store for are nobody's.
        inside.round += 1;
        inside.draining = false;
        inside.stale += u32::from(inside.handed_over.take().is_some());
        let machine = std::mem::replace(&mut inside.state, State::Reading(Vec::new()));
        let State::Playing(machine) = machine else {
            return;
        };
        let mut waiting = Vec::new();
        for (connection, seat) in machine.followers_now() {
            if !again {
                connection.push_or_close(Outgoing::Unfollow(self.id));
                continue;
            }
            let player = seat.and_then(|seat| machine.referee().player(seat));
            // A watcher may have been behind: it gets the state instead of what it missed.
            waiting.push(Input::Attach {
                reply: None,
                connection: connection.clone(),
                player: player.map_or_else(|| PlayerId::from_random(0), |player| player.id),
                seated: seat.is_some(),
                since: self.pulse.seq(),
            });
            if seat.is_none() {
                connection.mark_lagging();
                waiting.push(Input::Lagging(connection.clone()));
            }
        }
        drop(machine);
        if again {
            inside.state = State::Reading(waiting);
            self.read();
        } else {
            self.close_to_all(inside, refusal::quarantined());
        }
    }
}

/// Refuses what was asked for; what needs no answer is nothing to a match that cannot be played.
pub(super) fn refuse(input: Input, why: &ErrorBody) {
    let reply = match input {
        Input::Act { reply, .. } | Input::Join { reply, .. } => Some(reply),
        Input::Attach { reply, .. } | Input::Leave { reply, .. } => reply,
        _ => None,
    };
    if let Some(reply) = reply {
        reply.refuse(why.clone());
    }
}

/// Lets something wait until the match is read.
fn wait(waiting: &mut Vec<Input>, input: Input) {
    let watches = |input: &Input| matches!(input, Input::Attach { seated: false, .. });
    let fits = match &input {
        // What a machine asked for that is gone, or what the new one asks for anew.
        Input::Committed(_)
        | Input::Tail(_)
        | Input::Thought(..)
        | Input::Time
        | Input::Continue => return,
        input if watches(input) => {
            waiting.iter().filter(|other| watches(other)).count() < WAITING_MAX / 8
        }
        Input::Act { .. } | Input::Join { .. } => waiting.len() < WAITING_MAX,
        _ => true,
    };
    match fits {
        true => waiting.push(input),
        false => refuse(input, &refusal::busy("too much waits for this match")),
    }
}
