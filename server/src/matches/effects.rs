//! Carrying out what a match wants done, while it is locked: so everybody hears everything in its order.

use std::sync::Arc;
use std::time::Duration;

use grundy_shared::ids::{Millis, Seq};
use grundy_shared::protocol::{ErrorBody, ErrorCode, Reply};
use grundy_shared::rated::RatedPair;
use grundy_shared::referee::Referee;
use serde::Deserialize;
use tokio::time::Instant;

use super::frame::Frame;
use super::host::Host;
use super::live::{Deferred, Effect, Input, LiveMatch, LiveState};
use super::machine::{CommitRefusal, Counted, Note, Thought};
use super::outbox::{Outbox, Outgoing, PushError};
use super::{bot_moves, quota, refusal};
use crate::analysis::Owner;
use crate::failpoint;
use crate::lifecycle::FENCED;
use crate::metrics::sharded::Counter;
use crate::metrics::{ByOutcome, ByRule, Finished};
use crate::planted;
use crate::quotas::Source;
use crate::ratings;
use crate::store::committer::{Completion, Waiter};
use crate::store::{Commit, CommitError, Guard, LOAD_PAGE, Logged, StoreError, StreamId};

/// Between two portions of a crowd of watchers.
const BETWEEN_PORTIONS: Duration = Duration::from_millis(1);

impl LiveMatch {
    /// Carries out what the machine wants done. `more` is to be told to the machine next. Returns whether it is done.
    pub(super) fn carry_out(
        self: &Arc<Self>,
        state: &mut LiveState,
        effects: &mut Vec<Effect>,
        more: &mut Vec<Input>,
        deferred: &mut Deferred,
    ) -> bool {
        let mut done = false;
        // Watchers for whom something did not fit: nothing is sent to them behind the gap.
        let mut lagging: Vec<Outbox> = Vec::new();
        for effect in effects.drain(..) {
            match effect {
                Effect::Reply(reply_to, reply) => {
                    if matches!(reply, Reply::Accepted { .. }) {
                        let took = reply_to.heard().elapsed();
                        self.host.metrics.move_ack.observe(took.as_secs_f64());
                    }
                    reply_to.send(&reply);
                }
                Effect::Refuse(reply_to, error) => reply_to.refuse(error),
                Effect::Send { to, frame, seated } if seated => {
                    to.push_or_close(Outgoing::Frame(frame));
                }
                Effect::Send { to, frame, .. } => {
                    if !lagging.contains(&to) && push_to_watcher(&to, frame).is_err() {
                        more.push(Input::Lagging(to.clone()));
                        lagging.push(to);
                    }
                }
                Effect::Follow(connection, seat) => {
                    if connection.push(Outgoing::Follow(self.id, seat)).is_err() {
                        // It left while this waited, or has to: who does not know that it follows will not say that it leaves.
                        connection.overflow();
                        more.push(Input::Gone {
                            connection,
                            said_bye: false,
                        });
                    }
                }
                Effect::Unfollow(connection) => {
                    connection.push_or_close(Outgoing::Unfollow(self.id))
                }
                Effect::Backlog(connection, backlog) => {
                    connection.push_or_close(Outgoing::Backlog(self.id, Box::new(backlog)));
                }
                Effect::Commit(commit) => self.commit(state, *commit, more),
                Effect::CommitEnd { commit, counted } => {
                    self.count_use(state, &commit);
                    state.handed_over = Some(Instant::now());
                    self.commit_end(state.round, *commit, counted);
                }
                Effect::ReadTail { after, hinted } => self.read_tail(state.round, after, hinted),
                Effect::Think {
                    bot,
                    position,
                    seat,
                    after,
                } => {
                    let task = bot_moves::Task {
                        bot,
                        position,
                        seat,
                    };
                    if planted::shows("lose_a_thought", 10) {
                        continue;
                    }
                    if !self.think(state, task, after) {
                        more.push(Input::Thought {
                            after,
                            thought: Thought::NoRoom,
                            took: Millis(0),
                        });
                    }
                }
                Effect::Continue => self.take_turns(state.round),
                Effect::Open(opening) => deferred.openings.push(*opening),
                Effect::Note(note) => self.note(state, note, deferred),
                Effect::Done => done = true,
            }
        }
        done
    }

    fn commit(self: &Arc<Self>, state: &mut LiveState, commit: Commit, more: &mut Vec<Input>) {
        self.count_use(state, &commit);
        state.handed_over = Some(Instant::now());
        let waiter: Arc<dyn Waiter> = self.clone();
        if let Err(rejected) = self
            .host
            .committer
            .submit(commit, Completion::Waiter(waiter))
        {
            state.handed_over = None;
            more.push(Input::Committed(Err(match rejected.closed {
                true => CommitRefusal::Failed(refusal::shutting_down()),
                false => CommitRefusal::Stalled(refusal::busy("too much waits to be stored")),
            })));
        }
    }

    /// Counts what a commit of this match will store. It is never refused for it: a match that runs comes to its end.
    fn count_use(&self, state: &LiveState, commit: &Commit) {
        let persons = state.referee().into_iter().flat_map(quota::persons);
        let now = self.host.clock.now();
        let used = quota::used_by(commit);
        let quotas = &self.host.quotas;
        let from = state.address().map(|address| quotas.source(address));
        quotas.count(now, &used, from.and_then(Source::counted), persons);
    }

    fn commit_end(self: &Arc<Self>, round: u32, commit: Commit, counted: Counted) {
        match counted {
            Counted::Game { game, end } => {
                let waiter: Arc<dyn Waiter> = self.clone();
                let tally = &self.host.tally;
                tally.tally(self.id, game, end, commit, Completion::Waiter(waiter));
            }
            Counted::Pair(pair) => self.rate(round, *pair, commit),
        }
    }

    /// Stores the end of a match with which a rated pair is over. Those who follow the match hear of the ratings first, then of the end.
    fn rate(self: &Arc<Self>, round: u32, pair: RatedPair, commit: Commit) {
        let live = self.clone();
        self.host.spawn(async move {
            let rated = live.host.ratings.commit(&pair, commit).await;
            if let Ok(rated) = &rated {
                let notice = ratings::notice_of(&pair, rated);
                live.tell(round, Input::Announce(Frame::notice(&notice)));
            }
            live.committed(rated.map(drop));
        });
    }

    /// Times what another server has stored and reported, from the moment of the newest event. Other reads of the log also find events that are old.
    fn time_arrival(&self, events: &[Logged]) {
        #[derive(Deserialize)]
        struct At {
            at_ms: Millis,
        }
        let newest = events.last().filter(|_| self.host.shared);
        if let Some(Ok(At { at_ms })) = newest.map(|event| serde_json::from_slice(&event.body)) {
            let passed = self.host.clock.now().since(at_ms);
            let delay = &self.host.metrics.cluster.delay;
            delay.observe(passed.0 as f64 / 1_000.0);
        }
    }

    fn read_tail(self: &Arc<Self>, round: u32, after: Seq, hinted: bool) {
        let live = self.clone();
        self.host.spawn(async move {
            let read = live.host.store.load(live.id.into(), after, LOAD_PAGE).await;
            if let Ok(Some(events)) = &read
                && hinted
            {
                live.time_arrival(events);
            }
            let tail = read.map(Option::unwrap_or_default);
            let tail = tail.map_err(|error| refusal::of_store(&error));
            live.tell(round, Input::Tail(tail));
        });
    }

    /// Whether there is room to think. The other player pays for it, at the address where the match was made.
    fn think(self: &Arc<Self>, state: &LiveState, task: bot_moves::Task, after: Seq) -> bool {
        let other = state.referee().and_then(|of| of.player(task.seat.other()));
        let owner = other.map_or(Owner::SERVER, |other| {
            Owner::of_player(other.id, state.address.map(|address| address.0))
        });
        self.thinks_about.set(Some(after));
        let (round, live) = (state.round, Arc::downgrade(self));
        let wanted = self.thinks_about.clone();
        let cancelled = move || wanted.get() != Some(after);
        let answer = move |thought, took| {
            if let Some(live) = live.upgrade() {
                let thought = Input::Thought {
                    after,
                    thought,
                    took,
                };
                live.tell(round, thought);
            }
        };
        bot_moves::think(&self.host, owner, task, cancelled, answer).is_ok()
    }

    /// Lets everybody else come first, and lets go of the core: a thread that only yields keeps it from the thread that commits for as long as
    /// the system lets it, which is milliseconds.
    fn take_turns(self: &Arc<Self>, round: u32) {
        let live = self.clone();
        self.host.spawn(async move {
            tokio::time::sleep(BETWEEN_PORTIONS).await;
            live.tell(round, Input::Continue);
        });
    }

    fn note(&self, state: &mut LiveState, note: Note, deferred: &mut Deferred) {
        let metrics = &self.host.metrics;
        match note {
            Note::Joined(..) => {}
            Note::Moved => {
                deferred.moved = true;
                if let Some(moves) = &state.moves {
                    moves.inc();
                }
            }
            Note::Ended(reason) => {
                let finished = Finished {
                    rule: state.referee().map_or("", rule),
                    termination: reason.as_str(),
                };
                metrics.matches_finished.get_or_create(&finished).inc();
            }
            Note::Conflict => {
                metrics.append_conflicts.inc();
            }
            Note::Resumed { backlog } => {
                let outcome = if backlog { "replayed" } else { "current" };
                metrics.resumes.get_or_create(&ByOutcome { outcome }).inc();
            }
            Note::Damaged => {
                let why = "what is stored contradicts the rules";
                self.host.damaged.note(self.id, &why);
                self.close_to_all(state, refusal::damaged());
            }
        }
    }

    fn refusal_of(&self, error: CommitError) -> CommitRefusal {
        match error {
            CommitError::Conflict { stream, .. } if stream == StreamId::Match(self.id) => {
                CommitRefusal::Conflict
            }
            CommitError::Conflict { .. } => CommitRefusal::RematchExists,
            CommitError::Full(guard) => CommitRefusal::Full(of_guard(guard, EITHER)),
            CommitError::Store(error @ (StoreError::ReadOnly { .. } | StoreError::Busy { .. })) => {
                CommitRefusal::Stalled(refusal::of_store(&error))
            }
            error => CommitRefusal::Failed(refusal::of_commit(&error)),
        }
    }
}

impl Waiter for LiveMatch {
    fn committed(self: Arc<Self>, outcome: Result<(), CommitError>) {
        let began = Instant::now();
        if outcome.is_ok() {
            failpoint::hit("before_publish");
        }
        if matches!(outcome, Err(CommitError::Fenced)) {
            self.host.lifecycle.fail(FENCED);
        }
        let outcome = outcome.map_err(|error| self.refusal_of(error));
        let metrics = &self.host.metrics;
        if let Some((handed_over, moved)) = self.hear_of_commit(outcome) {
            metrics.commit.observe((began - handed_over).as_secs_f64());
            if moved {
                metrics.move_fanout.observe(began.elapsed().as_secs_f64());
            }
        }
    }
}

fn push_to_watcher(to: &Outbox, frame: Frame) -> Result<(), PushError> {
    match to.push(Outgoing::Frame(frame)) {
        // A connection that is gone takes its leave by itself.
        Ok(()) | Err(PushError::Gone) => Ok(()),
        Err(PushError::Full) => {
            to.mark_lagging();
            Err(PushError::Full)
        }
    }
}

/// After so long, places may be free again.
const SHARE_RETRY_MS: u64 = 10_000;

/// Whose matches are too many, where the client is that player.
pub(super) const YOURS: &str = "you already have";
/// The same of a rematch: the guard does not say which of its two players has them.
const EITHER: &str = "you or the other player already have";

/// What the client is told when there is no room; `whose` begins the sentence about a player.
pub(super) fn of_guard(guard: Guard, whose: &str) -> ErrorBody {
    match guard {
        Guard::OpenMatches { of: None, .. } => {
            refusal::busy("the server has as many matches as it takes")
        }
        Guard::OpenMatches {
            of: Some(_),
            at_most,
        } => {
            let words = format!("{whose} {at_most} unfinished matches");
            ErrorBody::new(ErrorCode::TooMany, words).limit(at_most)
        }
        Guard::OpenMatchesFrom { at_most, .. } => {
            let words = format!("there are already {at_most} unfinished matches from your address");
            ErrorBody::new(ErrorCode::TooMany, words).limit(at_most)
        }
        Guard::Share { rule, .. } => {
            let words = "the server is nearly full, and your address has its share of the places for matches: \
                         end one, or try again later";
            let limit = format!("1/{} of the free places", rule.parts);
            ErrorBody::new(ErrorCode::TooMany, words)
                .limit(limit)
                .retry_after_ms(SHARE_RETRY_MS)
        }
    }
}

impl Host {
    /// Counts the moves of matches of this game.
    pub(super) fn moves_of(&self, referee: &Referee) -> Counter {
        let by_rule = ByRule {
            rule: rule(referee),
        };
        self.metrics.moves.get_or_create(&by_rule).clone()
    }
}

/// The name under which a match is counted.
fn rule(referee: &Referee) -> &'static str {
    match referee.start().games()[..] {
        [only] => only.name,
        _ => "sum",
    }
}
