//! What becomes of a match whose machine panicked, or whose log was rewritten: the state is rebuilt from the log, and the followers go on. The third panic in ten
//! minutes puts the match aside: it answers `internal` until the server is started again.

use std::sync::Arc;
use std::time::Duration;

use grundy_shared::ids::PlayerId;
use grundy_shared::protocol::ErrorBody;
use tokio::time::Instant;

use super::{Input, LiveMatch, LiveState, Machine, Phase};
use crate::matches::outbox::Outgoing;
use crate::matches::refusal;

/// Panics within [`PANIC_WINDOW`] that put a match aside.
const PANICS_MAX: usize = 3;
const PANIC_WINDOW: Duration = Duration::from_secs(600);

impl LiveMatch {
    /// Refuses everybody from now on.
    pub(in crate::matches) fn close_to_all(&self, state: &mut LiveState, why: ErrorBody) {
        self.count(state, false);
        self.pulse.set_owes_since(None);
        state.phase = Phase::PutAside(Box::new(why));
    }

    /// The machine has panicked, or does not know what is stored: the match is read again from its log, and those who follow it go
    /// on. Every duty to answer that it held answers `internal`.
    pub(super) fn begin_anew(self: &Arc<Self>, state: &mut LiveState) {
        self.host.metrics.match_panics.inc();
        tracing::error!(match_id = %self.id, "the match is rebuilt from its log");
        let now = Instant::now();
        state.panics.push(now);
        state.panics.retain(|at| now - *at < PANIC_WINDOW);
        let again = state.panics.len() < PANICS_MAX;
        match again {
            true => self.rebuild(state),
            false => {
                if let Some(machine) = self.take_machine(state) {
                    for (connection, _) in machine.followers_now() {
                        connection.push_or_close(Outgoing::Unfollow(self.id));
                    }
                    drop(machine);
                    tracing::error!(match_id = %self.id, "the match is put aside until the next start");
                    self.host.metrics.matches_quarantined.inc();
                    self.close_to_all(state, refusal::quarantined());
                }
            }
        }
    }

    /// Reads the match again from its log, which was rewritten. Those who follow it go on.
    pub(in crate::matches) fn read_anew(self: &Arc<Self>) {
        let mut state = self.lock();
        match &state.phase {
            Phase::Playing(_) => self.rebuild(&mut state),
            // What is being read may be what was there before.
            Phase::Reading(_) => state.outdated = true,
            Phase::PutAside(_) | Phase::Gone => {}
        }
    }

    /// Takes the machine away. Answers to what it has asked the store for are nobody's.
    fn take_machine(&self, state: &mut LiveState) -> Option<Box<Machine>> {
        state.round += 1;
        state.draining = false;
        state.stale += u32::from(state.handed_over.take().is_some());
        match std::mem::replace(&mut state.phase, Phase::Reading(Vec::new())) {
            Phase::Playing(machine) => Some(machine),
            _ => None,
        }
    }

    fn rebuild(self: &Arc<Self>, state: &mut LiveState) {
        let Some(machine) = self.take_machine(state) else {
            return;
        };
        let mut waiting = Vec::new();
        for (connection, seat) in machine.followers_now() {
            let player = seat.and_then(|seat| machine.referee().player(seat));
            // A watcher may have been behind: it gets the state instead of what it missed.
            waiting.push(Input::Attach {
                reply: None,
                connection: connection.clone(),
                player: player.map_or_else(|| PlayerId::from_random(0), |player| player.id),
                seated: seat.is_some(),
                invites: false,
                since: self.pulse.seq(),
            });
            if seat.is_none() {
                connection.mark_lagging();
                waiting.push(Input::Lagging(connection.clone()));
            }
        }
        drop(machine);
        state.phase = Phase::Reading(waiting);
        self.read();
    }
}
