//! Reading a match from its log, and hearing those who have waited for it.

use std::sync::Arc;
use std::time::Duration;

use grundy_shared::referee::Status;

use super::waiting::{refuse, wait};
use super::{Deferred, Input, LiveMatch, LiveState, Machine, Phase};
use crate::analysis::Owner;
use crate::matches::machine::{Beginning, Origin};
use crate::matches::rebuild::{self, RebuildError};
use crate::matches::refusal;

/// How long a match that goes on waits before it reads a failing store again.
const REREAD_AFTER: Duration = Duration::from_secs(1);

impl LiveMatch {
    /// Reads the match, in a task.
    pub(in crate::matches) fn read(self: &Arc<Self>) {
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
                        && self.must_go_on()
                        && !self.host.lifecycle.is_draining() =>
                {
                    tracing::warn!(match_id = %self.id, %error, "a match that goes on cannot be read; it is tried again");
                    tokio::time::sleep(REREAD_AFTER).await;
                }
                read => return read,
            }
        }
    }

    /// What the log says.
    async fn beginning(&self) -> Result<Option<Beginning>, RebuildError> {
        let store = &*self.host.store;
        let Some(referee) = rebuild::load(&self.host, self.reader(), self.id).await? else {
            return Ok(None);
        };
        Ok(Some(Beginning {
            invitation: rebuild::invitation(store, self.id, &referee).await?,
            lasts: rebuild::lasts(store, &referee).await?,
            address: rebuild::address(store, self.id, &referee).await?,
            referee,
            recent: Vec::new(),
            origin: Origin::Asked,
        }))
    }

    /// The owner for whom the log is read: the first that waits for it.
    fn reader(&self) -> Owner {
        let asks = |input: &Input| match input {
            Input::Attach { player, .. } | Input::Act { player, .. } => Some(*player),
            Input::Join { player, .. } => Some(player.id),
            _ => None,
        };
        let state = self.lock();
        let player = match &state.phase {
            Phase::Reading(waiting) => waiting.iter().find_map(asks),
            _ => None,
        };
        player.map_or(Owner::SERVER, |player| Owner::of_player(player, None))
    }

    /// Whether the match was played here already, or somebody who waits has followed it: nobody else would read it again.
    fn must_go_on(&self) -> bool {
        let attaches = |input: &Input| matches!(input, Input::Attach { reply: None, .. });
        let state = self.lock();
        match &state.phase {
            Phase::Reading(waiting) => state.round > 0 || waiting.iter().any(attaches),
            _ => false,
        }
    }

    /// Begins a match that is stored now, and handles the inputs that have waited for it. It is given back if the match is no longer the
    /// one to be found under its id.
    pub(in crate::matches) fn begin_as(
        self: &Arc<Self>,
        beginning: Beginning,
    ) -> Option<Beginning> {
        let mut state = self.lock();
        let mut deferred = Deferred::default();
        match &mut state.phase {
            Phase::Reading(waiting) => {
                let waiting = std::mem::take(waiting);
                self.play(&mut state, beginning, waiting, &mut deferred);
            }
            Phase::Playing(_) | Phase::PutAside(_) => {}
            Phase::Gone => return Some(beginning),
        }
        drop(state);
        self.do_deferred(deferred);
        None
    }

    fn play(
        self: &Arc<Self>,
        state: &mut LiveState,
        beginning: Beginning,
        waiting: Vec<Input>,
        deferred: &mut Deferred,
    ) {
        let now = self.host.clock.now();
        state.told = state.told.at_begin(&beginning);
        // What was known before a panic needs no reading.
        state.address = state.address.or(beginning.address);
        let beginning = Beginning {
            address: state.address,
            ..beginning
        };
        let machine = Machine::new(now, self.id, self.host.policy.clone(), beginning);
        state.phase = Phase::Playing(Box::new(machine));
        // It is not done before all were heard who waited.
        state.taking_up = true;
        self.start(state, deferred);
        for input in waiting {
            match &mut state.phase {
                Phase::Playing(_) => self.step(state, input, deferred),
                // A panic again.
                Phase::Reading(waiting) => wait(waiting, input),
                Phase::PutAside(why) => refuse(input, why),
                Phase::Gone => refuse(input, &refusal::internal()),
            }
        }
        state.taking_up = false;
        if matches!(&state.phase, Phase::Playing(machine) if machine.is_done()) {
            self.retire(state);
        }
    }

    fn take_up(self: &Arc<Self>, read: Result<Option<Beginning>, RebuildError>) {
        let mut state = self.lock();
        let mut deferred = Deferred::default();
        if std::mem::take(&mut state.outdated) {
            drop(state);
            return self.read();
        }
        let Phase::Reading(waiting) = &mut state.phase else {
            return;
        };
        let waiting = std::mem::take(waiting);
        let refused = match read {
            Ok(Some(beginning)) => {
                // What ended it may have made the next game without anybody hearing of it.
                let next = beginning.referee.next_match();
                deferred.following = next.filter(|_| state.round > 0);
                let goes_on = beginning.referee.status() == Status::Live;
                if let Some(game) = beginning.referee.tournament().filter(|_| goes_on) {
                    self.heed_cancellation(game.id);
                }
                self.play(&mut state, beginning, waiting, &mut deferred);
                None
            }
            Ok(None) => Some((refusal::no_such_match(&self.id.to_string()), waiting)),
            Err(RebuildError::Store(error)) if !error.is_damage() => {
                Some((refusal::of_store(&error), waiting))
            }
            Err(error) => {
                self.host.damaged.note(self.id, &error);
                self.close_to_all(&mut state, refusal::damaged());
                for input in waiting {
                    refuse(input, &refusal::damaged());
                }
                None
            }
        };
        if let Some((why, waiting)) = refused {
            self.retire(&mut state);
            for input in waiting {
                refuse(input, &why);
            }
        }
        drop(state);
        self.do_deferred(deferred);
    }
}
