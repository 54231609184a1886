//! Answers that come from the store or the solver: records, verdicts. Each fits one message.

use std::borrow::Cow;

use grundy_shared::bot::Bot;
use grundy_shared::ids::{MatchId, PlayerId, Seat, Seq};
use grundy_shared::protocol::client::{Record, Solve};
use grundy_shared::protocol::server::NumberedEvent;
use grundy_shared::protocol::{ErrorBody, ErrorCode, PAGE_DEFAULT, PAGE_MAX, Reply};
use grundy_shared::solver::{Budget, solve};

use super::player::Player;
use super::requests::match_id;
use super::running::Shown;
use super::socket::Socket;
use crate::analysis::{Found, Job, Owner, QueueFull};
use crate::matches::{ReplyTo, builtin, refusal, sight};
use crate::metrics::ByKind;
use crate::names;
use crate::record;
use crate::store::{MatchRow, MatchStatus};

/// Bytes of a reply kept free for its envelope.
pub(super) const ENVELOPE: usize = 512;

impl<S: Socket> Player<S> {
    /// Bytes that the entries of one page may have.
    pub(super) fn room(&self) -> usize {
        (self.connection.app.config.current().limits.reply_bytes as usize).saturating_sub(ENVELOPE)
    }

    /// The owner of this connection's jobs on the solver's threads.
    pub(super) fn owner(&self) -> Owner {
        Owner::at(self.connection.address_digest().0, Some(self.info.id))
    }

    /// The player whom a request names by an id, by the name of a built-in bot, or by a name.
    pub(super) async fn player_named(
        &self,
        field: &str,
        named: &str,
    ) -> Result<PlayerId, ErrorBody> {
        if let Ok(id) = named.parse() {
            return Ok(id);
        }
        if let Ok(bot) = named.parse::<Bot>() {
            return Ok(builtin::player(&bot).id);
        }
        let store = &self.connection.app.store;
        let found = store.player_by_name(&names::name_key(named)).await;
        match found.map_err(|error| refusal::of_store(&error))? {
            Some(player) => Ok(player.id),
            None => Err(no_such_player(field, named)),
        }
    }

    /// Whether the match exists for this player.
    pub(super) fn may_see(&self, row: &MatchRow) -> bool {
        row.is_seen_by(self.info.id)
    }

    pub(super) async fn record(&self, ask: &Record) -> Result<Reply, ErrorBody> {
        let id = match_id(&ask.match_id)?;
        let limit = page_limit(ask.limit, 1)?;
        let (store, matches) = (&self.connection.app.store, &self.connection.app.matches);
        let row = store
            .row(id)
            .await
            .map_err(|error| matches.unreadable(id, &error))?;
        let Some(row) = row.filter(|row| self.may_see(row)) else {
            return Err(refusal::no_such_match(&ask.match_id));
        };
        let over = row.status == MatchStatus::Over;
        matches.check(id)?;
        let seat = Seat::BOTH.into_iter().find(|seat| {
            row.player(*seat)
                .is_some_and(|player| player.id == self.info.id)
        });
        let delayed = !over && seat.is_none() && row.series.is_some_and(|series| series.rated);
        let upto = match delayed {
            true => Some(self.watched_seq(id, ask.since_seq).await?),
            false => None,
        };
        if let Some(upto) = upto.filter(|upto| ask.since_seq > *upto) {
            return Err(refusal::not_so_far(ask.since_seq).limit(upto));
        }
        // One more than asked tells whether there is more.
        let loaded = store.load(id.into(), ask.since_seq, limit + 1).await;
        let mut logged = loaded
            .map_err(|error| matches.unreadable(id, &error))?
            .unwrap_or_default();
        if logged.is_empty() && !self.has_event(id, ask.since_seq).await? {
            return Err(refusal::not_so_far(ask.since_seq));
        }
        logged.retain(|entry| upto.is_none_or(|upto| entry.seq <= upto));
        let mut room = self.room();
        let mut events = Vec::with_capacity(logged.len());
        let found = logged.len();
        let mut expected = ask.since_seq;
        for entry in logged.into_iter().take(limit) {
            expected = expected.next();
            if entry.seq != expected {
                return Err(matches.put_aside(id, &format_args!("event {expected} is missing")));
            }
            let size = entry.body.len() + 40;
            if size > room && !events.is_empty() {
                break;
            }
            room = room.saturating_sub(size);
            let body = match over {
                true => Cow::Borrowed(&*entry.body),
                false => sight::seen_by(seat, &entry.body),
            };
            let body = serde_json::from_slice(&body).map_err(|error| {
                let why = format_args!("event {} cannot be read: {error}", entry.seq);
                matches.put_aside(id, &why)
            })?;
            events.push(NumberedEvent {
                seq: entry.seq,
                body,
            });
        }
        let complete = events.len() == found;
        let chain = match over && complete {
            true => Some(Box::pin(record::chain(&self.connection.app, id)).await?),
            false => None,
        };
        Ok(Reply::Record {
            match_id: id,
            complete,
            events,
            chain,
        })
    }

    /// In a rated match in play: the last event that watchers may see. If this is before an event that the client has seen, another server may have stored more than
    /// the match here knows, so the log decides.
    async fn watched_seq(&self, id: MatchId, seen: Seq) -> Result<Seq, ErrorBody> {
        let app = &self.connection.app;
        let live = app.matches.get(id);
        let live = live.and_then(|live| live.seq_for(self.info.id));
        if let Some(seq) = live.filter(|seq| *seq >= seen) {
            return Ok(seq);
        }
        let referee = app.matches.replay(self.owner(), id).await?;
        let referee = referee.ok_or_else(|| refusal::no_such_match(&id.to_string()))?;
        let behind = app.config.current().limits.rated_delay_moves;
        Ok(sight::seq_for(&referee, self.info.id, behind))
    }

    /// Whether a match has come as far as this event; every match has come to its beginning.
    async fn has_event(&self, id: MatchId, seq: Seq) -> Result<bool, ErrorBody> {
        let Some(before) = seq.0.checked_sub(1) else {
            return Ok(true);
        };
        let found = self
            .connection
            .app
            .store
            .load(id.into(), Seq(before), 1)
            .await;
        let found = found.map_err(|error| self.connection.app.matches.unreadable(id, &error))?;
        Ok(found.is_some_and(|page| !page.is_empty()))
    }

    pub(super) async fn solve(&self, id: u64, ask: &Solve) -> Result<Option<Reply>, ErrorBody> {
        let app = &self.connection.app;
        let position = app.matches.read_position(self.owner(), &ask.position);
        let position = position.await?;
        let to_move = ask.to_move.unwrap_or(Seat::First);
        let max_moves = page_limit_named("max_moves", ask.max_moves, 0)?;
        let room = self.room();
        self.analyse(id, "solve", move |budget| {
            let mut solution = solve(&position, to_move, budget, max_moves);
            loop {
                let text =
                    serde_json::value::to_raw_value(&solution).map_err(|_| refusal::internal())?;
                if text.get().len() <= room {
                    return Ok(Reply::Solved { solution: text });
                }
                // Moves of a long position are long: fewer of them are listed, the total stays.
                if solution.winning_moves.is_empty() {
                    return Err(too_large("the answer does not fit one message"));
                }
                let half = solution.winning_moves.len() / 2;
                solution.winning_moves.truncate(half);
            }
        })
    }

    /// Has an answer worked out by the solver's threads; that ends early when the connection goes.
    pub(super) fn analyse(
        &self,
        id: u64,
        kind: &'static str,
        work: impl FnMut(&Budget<'_>) -> Result<Reply, ErrorBody> + Send + 'static,
    ) -> Result<Option<Reply>, ErrorBody> {
        let question = Question {
            kind,
            heeds_time: true,
            shown: None,
        };
        self.work_out(id, question, work, |reply, answer| match answer {
            Ok(answer) => reply.send(&answer),
            Err(error) => reply.refuse(error),
        })
    }

    /// The same for something that is not the answer yet: `then` has the duty to answer. `work` may be called again with more time.
    pub(super) fn work_out<T: Send + 'static>(
        &self,
        id: u64,
        question: Question,
        work: impl FnMut(&Budget<'_>) -> T + Send + 'static,
        then: impl FnOnce(ReplyTo, T) + Send + 'static,
    ) -> Result<Option<Reply>, ErrorBody> {
        let outbox = self.connection.outbox.clone();
        let Some(permit) = outbox.begin_analysis() else {
            return Err(ErrorBody::new(
                ErrorCode::AnalysisRunning,
                "your analysis before this one is still running",
            ));
        };
        let Question {
            kind,
            heeds_time,
            shown,
        } = question;
        let timed = &self.connection.app.metrics.solver;
        let timer = timed.get_or_create(&ByKind { kind }).clone();
        let heard = self.connection.last_heard;
        let mut key = None;
        let job = || {
            let reply = ReplyTo::new(&outbox, id, heard);
            // What takes its time can be cancelled.
            let due = self.running.begin(id, heeds_time, reply, permit);
            let asked = due.key();
            key = Some(asked.clone());
            let answer = move |found: Result<Found<T>, QueueFull>| {
                let Some(reply) = due.take() else {
                    return;
                };
                match found {
                    Ok(found) => {
                        timer.observe(found.took.as_secs_f64());
                        then(reply, found.value);
                    }
                    Err(QueueFull) => reply.refuse(too_many_wait()),
                }
            };
            let gone = outbox.clone();
            let is_stale = move || gone.is_gone() || asked.is_answered();
            let progress = shown.as_ref().map(|shown| shown.progress.clone());
            let job = Job::new(is_stale, work, answer).shown_by(progress);
            if heeds_time { job } else { job.in_one_go() }
        };
        let app = &self.connection.app;
        let queued = app.matches.analyse(self.owner(), job);
        queued.map_err(|QueueFull| too_many_wait())?;
        if let Some((shown, key)) = shown.zip(key) {
            let draining = app.lifecycle.draining();
            let telling = key.tell(shown, app.matches.clone(), outbox);
            let telling = async move { draining.run_until_cancelled(telling).await };
            drop(app.lifecycle.spawn(telling));
        }
        Ok(None)
    }
}

/// What the solver's threads are asked.
pub(super) struct Question {
    /// Its name in the metrics.
    pub(super) kind: &'static str,
    /// Whether the work ends when its budget of time does.
    pub(super) heeds_time: bool,
    /// Whose client wants to know how far it has come.
    pub(super) shown: Option<Shown>,
}

fn too_many_wait() -> ErrorBody {
    refusal::busy("too many analyses wait")
}

/// Entries on a page.
pub(super) fn page_limit(asked: Option<u32>, least: u32) -> Result<usize, ErrorBody> {
    page_limit_named("limit", asked, least)
}

fn page_limit_named(field: &str, asked: Option<u32>, least: u32) -> Result<usize, ErrorBody> {
    let limit = asked.unwrap_or(PAGE_DEFAULT);
    if (least..=PAGE_MAX).contains(&limit) {
        return Ok(limit as usize);
    }
    Err(ErrorBody::new(
        ErrorCode::OutOfRange,
        format!("`{field}` must be from {least} to {PAGE_MAX}"),
    )
    .field(field)
    .limit(format_args!("{least} to {PAGE_MAX}"))
    .got(&limit.to_string()))
}

pub(super) fn no_such_player(field: &str, named: &str) -> ErrorBody {
    ErrorBody::new(ErrorCode::NoSuchPlayer, "no player has this id or name")
        .field(field)
        .got(named)
}

pub(super) fn too_large(why: &str) -> ErrorBody {
    ErrorBody::new(ErrorCode::AnalysisTooLarge, why)
}
