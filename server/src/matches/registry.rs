//! Every match that somebody plays, follows or asks for, by its id: each that is not over, and a finished one while it is wanted.

use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use grundy_shared::Position;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, Millis, PlayerId, Ply, Seat, Seq};
use grundy_shared::protocol::ErrorBody;
use grundy_shared::protocol::server::Obligation;
use grundy_shared::referee::{Referee, Status};
use grundy_shared::solver::Budget;
use rustc_hash::FxHashMap;
use tokio::sync::Notify;

use super::effects::{YOURS, of_guard};
use super::host::{Host, Services};
use super::live::{Input, LiveMatch, Registry};
use super::machine::{Beginning, Opening, Origin};
use super::outbox::Outbox;
use super::rebuild::{self, RebuildError};
use super::refusal;
use crate::analysis::{Found, Job, Length, Owner, Progress, Purpose, QueueFull, Unfinished};
use crate::costly::{self, OffServing};
use crate::quotas::Source;
use crate::store::{AddressDigest, Guard, MatchStatus, OpenMatch, StoreError};

/// Matches that are woken before everybody else has a turn.
const WOKEN_AT_ONCE: usize = 64;

/// Damaged matches that are checked again at a time.
const LOOKED_AT_ONCE: usize = 16;

/// The matches of a server.
pub struct Matches {
    pub(super) host: Arc<Host>,
    live: Mutex<FxHashMap<MatchId, Arc<LiveMatch>>>,
    me: Weak<Self>,
    /// A match has left.
    retired: Notify,
}

/// The id of a match that is being stored for the first time. Requests for the match wait until it is known whether it was stored. If
/// the reservation is dropped, the log of the match decides.
pub(super) struct Reservation(Option<Arc<LiveMatch>>);

impl Reservation {
    /// The match is stored.
    pub(super) fn fulfil(mut self, beginning: Beginning) {
        if let Some(live) = self.0.take() {
            // A reservation waits for this alone.
            let _ = live.begin_as(beginning);
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if let Some(live) = &self.0 {
            live.read();
        }
    }
}

impl Registry for Matches {
    fn retire(&self, live: &Arc<LiveMatch>) {
        let mut all = self.all();
        if all
            .get(&live.id())
            .is_some_and(|found| Arc::ptr_eq(found, live))
        {
            all.remove(&live.id());
        }
        drop(all);
        self.retired.notify_one();
    }

    fn take_up(&self, id: MatchId) {
        let _ = self.find(id);
    }

    fn open(&self, opening: Opening<Outbox>) {
        let Opening {
            id,
            made,
            followers,
            address,
        } = opening;
        if let Some(made) = made {
            let (referee, recent) = *made;
            let beginning = Beginning {
                referee,
                recent,
                invitation: None,
                lasts: false,
                address,
                origin: Origin::Rematch,
            };
            self.add(id, beginning);
        }
        for (connection, player) in followers {
            let attach = Input::Attach {
                reply: None,
                connection,
                player,
                seated: true,
                invites: false,
                since: Seq(0),
            };
            self.give(id, attach);
        }
    }
}

impl Matches {
    /// No matches yet. [`Matches::recover`] takes up those of the store, and [`Matches::keep_time`] has to run.
    #[must_use]
    pub fn new(services: Services) -> Arc<Self> {
        let host = Arc::new(Host::new(services));
        Arc::new_cyclic(|me| Self {
            host,
            live: Mutex::default(),
            me: me.clone(),
            retired: Notify::new(),
        })
    }

    fn all(&self) -> MutexGuard<'_, FxHashMap<MatchId, Arc<LiveMatch>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn registry(&self) -> Weak<dyn Registry> {
        self.me.clone()
    }

    /// The match with this id, if it is here.
    #[must_use]
    pub fn get(&self, id: MatchId) -> Option<Arc<LiveMatch>> {
        self.all().get(&id).cloned()
    }

    /// The match with this id. One that is not here is read from the store; what it is told meanwhile waits.
    #[must_use]
    pub fn find(&self, id: MatchId) -> Arc<LiveMatch> {
        let mut all = self.all();
        if let Some(live) = all.get(&id) {
            return live.clone();
        }
        let live = match self.host.damaged.check(id) {
            Ok(()) => LiveMatch::unread(id, self.host.clone(), self.registry()),
            Err(why) => LiveMatch::put_aside(id, self.host.clone(), self.registry(), why),
        };
        all.insert(id, live.clone());
        drop(all);
        live.read();
        live
    }

    /// Tells a match something.
    pub(crate) fn give(&self, id: MatchId, input: Input) {
        let mut input = Box::new(input);
        // A match that nobody needed any more has left before it says so.
        while let Err(back) = self.find(id).give(*input) {
            input = back;
        }
    }

    /// The same for who has found the match already.
    pub(crate) fn give_to(&self, live: &Arc<LiveMatch>, input: Input) {
        if let Err(back) = live.give(input) {
            self.give(live.id(), *back);
        }
    }

    /// Reserves a new id for a match that is about to be stored; `None` if a match with this id is here.
    pub(super) fn reserve(&self, id: MatchId) -> Option<Reservation> {
        let mut all = self.all();
        if all.contains_key(&id) {
            return None;
        }
        let live = LiveMatch::unread(id, self.host.clone(), self.registry());
        // What it takes to store it is no player's time.
        live.pulse().may_owe_since(self.host.clock.now());
        all.insert(id, live.clone());
        Some(Reservation(Some(live)))
    }

    /// Takes up a match that was stored just now, and that somebody may have asked for before: who reads it then may have found nothing,
    /// and must not have the last word.
    pub(super) fn begin_or_add(&self, id: MatchId, beginning: Beginning) {
        let here = self.get(id);
        if let Some(beginning) = match here {
            Some(live) => live.begin_as(beginning),
            None => Some(beginning),
        } {
            self.add(id, beginning);
        }
    }

    /// Takes up a match whose state is known; whether it was not here before.
    pub(super) fn add(&self, id: MatchId, beginning: Beginning) -> bool {
        let mut all = self.all();
        if all.contains_key(&id) {
            // Somebody was quick to ask for it: it is read from its log, which says the same.
            return false;
        }
        let live = LiveMatch::known(id, self.host.clone(), self.registry(), beginning);
        all.insert(id, live.clone());
        drop(all);
        live.begin();
        true
    }

    /// The state of a match from its log, for this owner; `None` when there is no such match. Cost: linear in its events.
    ///
    /// # Errors
    /// The refusal, if the store or the log fails, or the solver's threads have no room.
    pub async fn replay(&self, owner: Owner, id: MatchId) -> Result<Option<Referee>, ErrorBody> {
        let read = rebuild::load(&self.host, owner, id).await;
        read.map_err(|error| match error {
            RebuildError::Store(error) => self.unreadable(id, &error),
            error => self.put_aside(id, &error),
        })
    }

    /// What the client is told when the store could not read a match; one that is damaged is put aside.
    pub fn unreadable(&self, id: MatchId, error: &StoreError) -> ErrorBody {
        match error.is_damage() {
            true => self.put_aside(id, error),
            false => refusal::of_store(error),
        }
    }

    /// Refuses a match with a damaged log to all clients, until a later check finds it sound. A match in memory goes on with the events that it holds.
    pub fn put_aside(&self, id: MatchId, error: &dyn Display) -> ErrorBody {
        if self.host.damaged.note(id, error) {
            self.quarantine(id, refusal::damaged());
        }
        refusal::damaged()
    }

    /// Refuses a match that is not here to everybody.
    pub(super) fn quarantine(&self, id: MatchId, why: ErrorBody) {
        self.all()
            .entry(id)
            .or_insert_with(|| LiveMatch::put_aside(id, self.host.clone(), self.registry(), why));
    }

    /// Checks some of the damaged matches again, and serves those that are sound. An unfinished one stays refused until a restart, which credits its players
    /// with the time that they lost. Cost: linear in the events of [`LOOKED_AT_ONCE`] matches.
    pub async fn look_again(&self) {
        for id in self.host.damaged.next(LOOKED_AT_ONCE) {
            let is_sound = match rebuild::load(&self.host, Owner::SERVER, id).await {
                Ok(Some(referee)) => referee.status() == Status::Over,
                // Removed.
                Ok(None) => true,
                Err(error) => {
                    tracing::debug!(match_id = %id, %error, "a damaged match was looked at again");
                    false
                }
            };
            if is_sound {
                self.host.damaged.clear(id);
                if let Some(live) = self.get(id) {
                    live.take_back();
                }
            }
        }
    }

    /// Another server may have stored events of this match up to this one. A match that is not here needs no hint.
    pub fn hint(&self, id: MatchId, last: Seq) {
        if let Some(live) = self.get(id)
            && live.pulse().seq() < last
        {
            // One that is gone looks no more.
            let _ = live.give(Input::Hint(last));
        }
    }

    /// Which players of a match that is here are connected to another server, each with how often the seat had been taken here before.
    pub fn seats_elsewhere(&self, live: &Arc<LiveMatch>, seats: [Option<u64>; 2]) {
        let pulse = live.pulse();
        let changed = Seat::BOTH.into_iter().zip(seats).any(|(seat, older)| {
            let superseded = pulse.is_connected(seat) && older == Some(pulse.taken(seat));
            superseded || pulse.is_elsewhere(seat) != older.is_some()
        });
        if changed {
            // One that is gone has no seats.
            let _ = live.give(Input::Elsewhere(seats));
        }
    }

    /// The player of this seat has come here from a server that was dead, and alive last at this moment.
    pub fn found_back(&self, id: MatchId, seat: Seat, since: Millis) {
        if let Some(live) = self.get(id) {
            // One that is gone owes nobody time.
            let _ = live.give(Input::FoundBack { seat, since });
        }
    }

    /// The log of a match was rewritten: if the match is here, it is read again.
    pub fn read_anew(&self, id: MatchId) {
        if let Some(live) = self.get(id) {
            live.read_anew();
        }
    }

    /// Logs of a player were rewritten by another server: the player's matches that are here are read again. Cost: linear in the matches that are here.
    pub fn read_anew_with(&self, player: PlayerId) {
        for live in self.everyone() {
            if live.seats(player) {
                live.read_anew();
            }
        }
    }

    /// A match in which this player offers a rematch. Cost: linear in the matches that are here.
    #[must_use]
    pub fn rematch_offered_by(&self, player: PlayerId) -> Option<MatchId> {
        let everyone = self.everyone();
        let offered = everyone.iter().find(|live| live.offers_rematch(player));
        offered.map(|live| live.id())
    }

    /// Checks that nothing was found wrong with the log of this match.
    ///
    /// # Errors
    /// The refusal of a damaged match.
    pub fn check(&self, id: MatchId) -> Result<(), ErrorBody> {
        self.host.damaged.check(id)
    }

    /// Where something is made of which only the digest of the address is known.
    #[must_use]
    pub fn source(&self, address: AddressDigest) -> Source {
        self.host.quotas.source(address)
    }

    /// Where a match from this address comes from, if there is room for one more match of this player, and from there.
    ///
    /// # Errors
    /// The refusal.
    pub async fn room_for(
        &self,
        player: &PlayerInfo,
        from: Source,
    ) -> Result<AddressDigest, ErrorBody> {
        if !self.host.lifecycle.takes_matches() {
            return Err(refusal::no_new_matches(&self.host.lifecycle));
        }
        self.check_quotas(player, from.counted())?;
        let at_address = from
            .counted()
            .map(|address| self.host.policy.room_from(address));
        let of_player = self.host.policy.room_of(player);
        for guard in at_address.into_iter().chain([of_player]) {
            let store = &self.host.store;
            let (open, at_most) = match guard {
                Guard::OpenMatches { of, at_most } => (store.open_count(of).await, at_most),
                Guard::OpenMatchesFrom { address, at_most } => {
                    (store.open_count_from(address).await, at_most)
                }
                // The store alone decides it.
                Guard::Share { .. } => continue,
            };
            let open = open.map_err(|error| refusal::of_store(&error))?;
            if open >= u64::from(at_most) {
                return Err(of_guard(guard, YOURS));
            }
        }
        Ok(from.address)
    }

    /// Since when players may be owed time of which no log tells yet, if any are. Cost: linear in the matches that are here.
    #[must_use]
    pub fn owe_since(&self) -> Option<Millis> {
        let all = self.all();
        all.values()
            .filter_map(|live| live.pulse().owes_since())
            .min()
    }

    /// How many matches are here that are not over.
    #[must_use]
    pub fn open_matches(&self) -> usize {
        usize::try_from(self.host.metrics.matches_live.get()).unwrap_or(0)
    }

    /// How many matches run: both players are seated, and they are not over. Cost: linear in the matches that are here.
    #[must_use]
    pub fn running(&self) -> usize {
        let everyone = self.everyone();
        everyone.iter().filter(|live| live.is_running()).count()
    }

    /// How many moves have been made in a match that is here.
    #[must_use]
    pub fn plies(&self, id: MatchId) -> Option<Ply> {
        self.get(id).map(|live| live.pulse().ply())
    }

    /// Whether a match in memory is adjourned.
    #[must_use]
    pub fn is_adjourned(&self, id: MatchId) -> bool {
        self.get(id).is_some_and(|live| live.pulse().is_adjourned())
    }

    /// Has something worked out for this owner by the solver's threads; the job answers.
    ///
    /// # Errors
    /// Too much waits for them.
    pub fn analyse(&self, owner: Owner, prepare: impl FnOnce() -> Job) -> Result<(), QueueFull> {
        self.host.analysis.submit(Purpose::Study, owner, prepare)
    }

    /// Runs work whose cost depends on this position: on this thread if it is small and `is_costly` is false, otherwise on the solver's threads, for this
    /// owner. Costly work about a position that is not small takes too long for the thread for first attempts.
    ///
    /// # Errors
    /// The solver's threads have no room.
    pub async fn about<T: Send + 'static>(
        &self,
        owner: Owner,
        position: &str,
        is_costly: bool,
        mut work: impl FnMut(Option<OffServing>) -> T + Send + 'static,
    ) -> Result<T, ErrorBody> {
        let is_small = costly::is_small(position);
        if is_small && !is_costly {
            return Ok(work(None));
        }
        let length = match costly::is_long(position) || (is_costly && !is_small) {
            true => Length::Long,
            false => Length::Short,
        };
        let done = self
            .work_out(owner, length, move |budget| {
                work(Some(OffServing::with(budget)))
            })
            .await;
        Ok(done.map_err(refusal::unfinished)?.value)
    }

    /// Reads a position that a client typed, for this owner.
    ///
    /// # Errors
    /// It is not a position, or the solver's threads have no room to read a long one.
    pub async fn read_position(&self, owner: Owner, text: &str) -> Result<Position, ErrorBody> {
        let typed = text.to_owned();
        let read = self
            .about(owner, text, false, move |leave| costly::read(leave, &typed))
            .await?;
        read.map_err(|error| refusal::of_notation(&error))
    }

    /// Has something worked out like [`Self::analyse`], for a caller that waits: see [`Analysis::work`](crate::analysis::Analysis::work).
    ///
    /// # Errors
    /// [`Unfinished`].
    pub async fn work_out<T: Send + 'static>(
        &self,
        owner: Owner,
        length: Length,
        compute: impl FnMut(&Budget<'_>) -> T + Send + 'static,
    ) -> Result<Found<T>, Unfinished> {
        self.host.analysis.work(owner, length, compute).await
    }

    /// The place of something that is worked out among what waits, from 1; `None` if it does not wait. Cost: linear in what waits.
    #[must_use]
    pub fn place_of(&self, progress: &Progress) -> Option<u32> {
        self.host.analysis.place(progress)
    }

    /// The player's matches that are not over, those first where the player is to move; at most `limit`.
    ///
    /// # Errors
    /// The store could not be read.
    pub async fn obligations(
        &self,
        player: PlayerId,
        limit: usize,
    ) -> Result<Vec<Obligation>, StoreError> {
        let open = self.host.store.open_matches(player, limit).await?;
        let mut obligations = Vec::with_capacity(open.len());
        for open in open {
            obligations.push(self.obligation(player, open).await?);
        }
        obligations.sort_by_key(|obligation| !obligation.to_move);
        Ok(obligations)
    }

    async fn obligation(
        &self,
        player: PlayerId,
        open: OpenMatch,
    ) -> Result<Obligation, StoreError> {
        let first = open.row.first.as_ref();
        let seat = match first.is_some_and(|first| first.id == player) {
            true => Seat::First,
            false => Seat::Second,
        };
        let here = self.get(open.id);
        let pulse = here.as_ref().map(|live| live.pulse());
        let (seq, ply) = match pulse.filter(|pulse| pulse.seq() > Seq(0)) {
            Some(pulse) => (pulse.seq(), pulse.ply()),
            // Another server plays it, or it is being read.
            None => self.stored_state(open.id).await?,
        };
        let waits = open.row.status == MatchStatus::Waiting;
        let (code, expires_at_ms) = open.code.filter(|_| waits).unzip();
        Ok(Obligation {
            match_id: open.id,
            seat,
            to_move: !waits && Seat::to_move_at(ply) == seat,
            connected: pulse
                .is_some_and(|pulse| pulse.is_connected(seat) || pulse.is_elsewhere(seat)),
            seq,
            code,
            expires_at_ms,
        })
    }

    /// The number of the newest event of a match and of its moves, from its log; zeros where that is damaged. Cost: linear in its events.
    async fn stored_state(&self, id: MatchId) -> Result<(Seq, Ply), StoreError> {
        match rebuild::load(&self.host, Owner::SERVER, id).await {
            Ok(Some(referee)) => Ok((referee.seq(), referee.ply())),
            Err(RebuildError::Store(error)) if !error.is_damage() => Err(error),
            Ok(None) | Err(_) => Ok((Seq(0), Ply(0))),
        }
    }

    /// Wakes matches when they are due, until the server begins to stop; then lets them know.
    pub async fn keep_time(self: Arc<Self>) {
        let draining = self.host.lifecycle.draining();
        loop {
            let due = self.host.deadlines.due(&*self.host.clock, WOKEN_AT_ONCE);
            let Some(due) = draining.run_until_cancelled(due).await else {
                break;
            };
            for live in due.into_iter().filter_map(|id| self.get(id)) {
                live.wake();
            }
            tokio::task::yield_now().await;
        }
        for live in self.everyone() {
            // One that is gone decides nothing.
            let _ = live.give(Input::Drain);
        }
    }

    /// The matches that are here and have been read, with what each has come to. Cost: linear in them.
    #[must_use]
    pub fn known(&self) -> Vec<Arc<LiveMatch>> {
        let mut everyone = self.everyone();
        everyone.retain(|live| live.pulse().seq() > Seq(0));
        everyone
    }

    fn everyone(&self) -> Vec<Arc<LiveMatch>> {
        self.all().values().cloned().collect()
    }

    /// Ends every match once what was asked for before is done.
    pub async fn stop(&self) {
        self.host.tasks.close();
        loop {
            let retired = self.retired.notified();
            // Also those that were made by what the others had still to do.
            for live in self.everyone() {
                // One that is gone has stopped.
                let _ = live.give(Input::Stop);
            }
            if !self.everyone().iter().any(|live| live.is_busy()) {
                break;
            }
            retired.await;
        }
        self.host.tasks.wait().await;
    }
}
