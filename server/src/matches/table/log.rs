//! Deciding, storing, announcing: in this order.

use grundy_shared::event::{EndReason, Event};
use grundy_shared::ids::{Millis, Seq};
use grundy_shared::protocol::{ErrorBody, Reply};
use grundy_shared::referee::{Command, Decision, Referee};
use tokio::time::Instant;

use super::Table;
use crate::failpoint;
use crate::matches::outbox::Frame;
use crate::matches::{rebuild, refusal};
use crate::metrics::Finished;
use crate::store::{Commit, CommitError, LOAD_PAGE, MatchRow, StoreError};

/// Conflicts in a row after which an order is refused.
const CONFLICTS_MAX: usize = 5;
/// When the match tries again by itself what the store refused.
const RETRY_MS: Millis = Millis(1_000);
/// What is announced so long after it was received costs the other player no time.
const LATE_MS: Millis = Millis(500);

/// Events that are stored, and not yet announced.
pub(super) struct Stored {
    /// The number of the first of them.
    pub(super) first: Seq,
    pub(super) events: Vec<Event>,
    frames: Vec<Frame>,
}

/// What has come of a command.
pub(super) enum Decided {
    Stored(Stored),
    Repeat(Box<Reply>),
    Nothing,
}

impl Table<'_> {
    /// Asks the referee and stores what it decides. Nothing is announced yet.
    pub(super) async fn decide(
        &mut self,
        now: Millis,
        command: &Command,
    ) -> Result<Decided, ErrorBody> {
        if let Some(since) = self.stalled_since {
            // A command that waited in the mailbox meanwhile was received before the stall ended.
            let now = self.now().max(now);
            let away_ms = now.since(since);
            let credit = Command::Outage {
                away_ms,
                hold: false,
            };
            let stored = Box::pin(self.decide_once(now, &credit)).await?;
            self.stalled_since = None;
            if let Decided::Stored(stored) = stored {
                self.publish(stored);
            }
        }
        self.decide_once(now, command).await
    }

    pub(super) async fn decide_once(
        &mut self,
        now: Millis,
        command: &Command,
    ) -> Result<Decided, ErrorBody> {
        for _ in 0..CONFLICTS_MAX {
            let decision = self
                .referee
                .handle(now, command)
                .map_err(|refused| refusal::of_referee(&refused))?;
            let events = match decision {
                Decision::Nothing => return Ok(Decided::Nothing),
                Decision::Repeat { seq, ply, clocks } => {
                    return Ok(Decided::Repeat(Box::new(Reply::Accepted {
                        match_id: self.id(),
                        seq,
                        ply,
                        move_text: self.referee.moves()[ply.0 as usize - 1].text.clone(),
                        clocks,
                    })));
                }
                Decision::Events(ruling) => ruling.into_events(),
            };
            match self.store(events).await {
                Ok(stored) => return Ok(Decided::Stored(stored)),
                Err(CommitError::Conflict { .. }) => {
                    self.actor.directory.metrics.append_conflicts.inc();
                    Box::pin(self.read_tail()).await?;
                }
                Err(error) => {
                    if matches!(
                        error,
                        CommitError::Store(StoreError::ReadOnly { .. } | StoreError::Busy { .. })
                    ) {
                        self.stalled_since.get_or_insert(now);
                    }
                    return Err(refusal::of_commit(&error));
                }
            }
        }
        Err(refusal::busy("the match is being changed elsewhere"))
    }

    /// Stores events and applies them: durable when this returns.
    pub(super) async fn store(&mut self, events: Vec<Event>) -> Result<Stored, CommitError> {
        let before = self.referee.seq();
        let mut frames = Vec::with_capacity(events.len());
        let mut bodies = Vec::with_capacity(events.len());
        for (number, event) in (before.0 + 1..).zip(&events) {
            let body = event.to_json();
            frames.push(Frame::event(self.id(), Seq(number), &body));
            bodies.push(body.into());
        }
        let changes_row =
            |event: &Event| matches!(event, Event::Joined { .. } | Event::Ended { .. });
        let row = events.iter().any(changes_row).then(|| {
            let mut after = self.referee.clone();
            apply(&mut after, &events);
            let ended_at = after.outcome().map(|_| after.last_at());
            MatchRow::of(&after, ended_at)
        });
        let mut commit = Commit::append(self.id(), before, bodies);
        if let Some(row) = row {
            commit = commit.with_row(self.id(), row);
        }
        let directory = &self.actor.directory;
        let handed_over = Instant::now();
        if let Err(error) = directory.committer.commit(commit).await {
            if let CommitError::Store(StoreError::Failed { why }) = &error {
                // Whether it was done is unknown: the log tells, from which the match is rebuilt.
                panic!("what came of a commit is unknown: {why}");
            }
            return Err(error);
        }
        let took = handed_over.elapsed().as_secs_f64();
        directory.metrics.commit.observe(took);
        failpoint::hit("before_publish");
        apply(&mut self.referee, &events);
        self.actor.pulse.set(self.referee.seq(), self.referee.ply());
        Ok(Stored {
            first: before.next(),
            events,
            frames,
        })
    }

    /// Tells the viewers, and sees what follows.
    pub(super) fn publish(&mut self, stored: Stored) {
        self.actor.announced = Seq(stored.first.0 + stored.frames.len() as u64 - 1);
        for frame in stored.frames {
            self.actor.viewers.announce(&frame);
            self.remember(frame);
        }
        for event in &stored.events {
            match event {
                Event::Moved { seat, .. } => {
                    self.moves.inc();
                    self.absences.forgive(*seat);
                }
                Event::Ended { reason, .. } => self.close(*reason),
                _ => {}
            }
        }
        self.consider_bot();
    }

    /// The match is over.
    pub(super) fn close(&mut self, reason: EndReason) {
        self.thought = None;
        let directory = &self.actor.directory;
        directory.ended(self.actor.id);
        let finished = Finished {
            rule: rule(&self.referee),
            termination: reason.as_str(),
        };
        directory
            .metrics
            .matches_finished
            .get_or_create(&finished)
            .inc();
    }

    /// The next player's clock runs since the move was received, or the seat taken: what the server took to announce it is given back,
    /// if it was long.
    pub(super) async fn give_back(&mut self, received: Millis) {
        let now = self.now();
        let away_ms = now.since(received.max(self.referee.last_at()));
        if away_ms >= LATE_MS && self.referee.deadline().is_some() {
            Box::pin(self.decide_alone(
                now,
                Command::Outage {
                    away_ms,
                    hold: false,
                },
            ))
            .await;
        }
    }

    /// Somebody else has written: takes over what the log says.
    pub(super) async fn read_tail(&mut self) -> Result<(), ErrorBody> {
        let seq = self.referee.seq();
        let store = &self.actor.directory.store;
        let page = store.load(self.actor.id.into(), seq, LOAD_PAGE).await;
        let page = page
            .map_err(|error| refusal::of_store(&error))?
            .unwrap_or_default();
        for logged in &page {
            let event = rebuild::read(logged).map_err(|error| {
                tracing::error!(%error, "the log of the match is damaged");
                refusal::internal()
            })?;
            apply(&mut self.referee, std::slice::from_ref(&event));
            let stored = Stored {
                first: logged.seq,
                frames: vec![Frame::event(self.id(), logged.seq, logged.text())],
                events: vec![event],
            };
            self.publish(stored);
        }
        Ok(())
    }

    /// What the match does by itself; tried again later if the store refuses. Whether something was stored.
    pub(super) async fn decide_alone(&mut self, now: Millis, command: Command) -> bool {
        match self.decide(now, &command).await {
            Ok(Decided::Stored(stored)) => {
                self.publish(stored);
                return true;
            }
            Ok(Decided::Repeat(_) | Decided::Nothing) => {}
            Err(error) => {
                tracing::warn!(match_id = %self.id(), %error, ?command, "put off");
                self.retry_at = Some(self.now().plus(RETRY_MS));
            }
        }
        false
    }
}

/// The name under which a match is counted.
pub(super) fn rule(referee: &Referee) -> &'static str {
    match referee.start().games()[..] {
        [only] => only.name,
        _ => "sum",
    }
}

fn apply(referee: &mut Referee, events: &[Event]) {
    for event in events {
        // What is stored and contradicts the rules is a panic: the match is rebuilt, and put into quarantine if that does not help.
        referee
            .apply(event)
            .expect("a stored event obeys the laws of a log");
    }
}
