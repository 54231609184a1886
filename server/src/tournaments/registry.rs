//! Every tournament by its id: those that are not over, and finished ones while they are asked for.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use async_trait::async_trait;
use grundy_shared::chain;
use grundy_shared::event::{EndReason, Outcome, TournamentGame};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seq, TournamentId};
use grundy_shared::protocol::tournament::{TournamentStatus, TournamentSummary};
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use grundy_shared::suite::{BadStarts, starts_of};
use grundy_shared::tournament::{Dated, Pace, Seed, Starts, Tournament, TournamentEvent};
use rustc_hash::FxHashMap;

use super::catalogue::{Catalogue, Entry, stream};
use super::hinted::Hinted;
use super::host::{Host, Services};
use super::live::{Input, LiveTournament, Registry};
use super::machine::{Begun, Ended};
use crate::analysis::{Length, Owner};
use crate::matches::{Matches, Tally, refusal};
use crate::store::committer::Completion;
use crate::store::{Commit, CommitError, LOAD_PAGE, StoreError, StreamId};

/// Between two looks at what is due.
const TICK: Duration = Duration::from_millis(100);
/// Conflicts in a row after which it is not noted that a tournament is over.
const CONFLICTS_MAX: usize = 8;
/// Finished tournaments that are kept in memory because somebody asked for them.
const KEPT: usize = 64;

/// The tournaments of a server.
pub struct Tournaments {
    pub(super) host: Arc<Host>,
    pub(super) catalogue: tokio::sync::Mutex<Catalogue>,
    live: Mutex<FxHashMap<TournamentId, Arc<LiveTournament>>>,
    /// Finished ones, the oldest first.
    finished: Mutex<Vec<Arc<LiveTournament>>>,
    /// Hints of other servers.
    pub(super) hinted: Hinted,
    me: Weak<Self>,
}

impl Tournaments {
    /// Takes up every tournament that is not over. [`Tournaments::begin`] has to be called once there are matches.
    ///
    /// # Errors
    /// The store could not be read.
    pub async fn recover(services: Services) -> Result<Arc<Self>, StoreError> {
        let host = Host::new(services);
        let catalogue = Catalogue::read(&*host.services.store).await?;
        let seeds = catalogue.live();
        let tournaments = Arc::new_cyclic(|me| Self {
            host,
            catalogue: tokio::sync::Mutex::new(catalogue),
            live: Mutex::default(),
            finished: Mutex::default(),
            hinted: Hinted::default(),
            me: me.clone(),
        });
        for (id, seed) in seeds {
            match tournaments.read(id, seed).await {
                Ok(Some(begun)) => tournaments.add(id, begun),
                Ok(None) => tracing::error!(tournament = %id, "its log is gone"),
                Err(error) if error.is_damage() => {
                    tracing::error!(tournament = %id, %error, "the tournament is put aside");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(tournaments)
    }

    /// Lets the tournaments go on, with these matches.
    pub fn begin(self: &Arc<Self>, matches: &Arc<Matches>) {
        self.host.begin(matches);
        for live in self.everyone() {
            live.give(Input::Time);
        }
    }

    /// Wakes tournaments when they are due, until the server begins to stop.
    pub async fn keep_time(self: Arc<Self>) {
        let draining = self.host.services.lifecycle.draining();
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        while draining.run_until_cancelled(ticks.tick()).await.is_some() {
            let now = self.host.services.clock.now();
            for live in self.everyone() {
                if live.wake_at().is_some_and(|at| at <= now) {
                    live.give(Input::Time);
                }
            }
        }
        for live in self.everyone() {
            live.give(Input::Drain);
        }
    }

    fn all(&self) -> MutexGuard<'_, FxHashMap<TournamentId, Arc<LiveTournament>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Arc<LiveTournament>>> {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn everyone(&self) -> Vec<Arc<LiveTournament>> {
        self.all().values().cloned().collect()
    }

    /// How many are not over.
    #[must_use]
    pub fn count(&self) -> usize {
        self.all().len()
    }

    /// A tournament that is not over, is none of `besides`, and whose log names this player, who has had these names. Cost: linear in their players.
    #[must_use]
    pub fn unfinished_with(
        &self,
        player: PlayerId,
        names: &[String],
        besides: &[TournamentId],
    ) -> Option<TournamentId> {
        let everyone = self.everyone();
        let mut others = everyone.iter().filter(|live| !besides.contains(&live.id()));
        let named = others.find(|live| live.names(player, names));
        named.map(|live| live.id())
    }

    /// Whether this tournament is not over.
    #[must_use]
    pub fn is_unfinished(&self, id: TournamentId) -> bool {
        self.all().contains_key(&id)
    }

    /// Forgets a finished tournament whose log was rewritten: it is read again when somebody asks for it.
    pub fn forget(&self, id: TournamentId) {
        self.kept().retain(|live| live.id() != id);
    }

    /// Forgets all finished tournaments, and reads the catalogue again: another server has rewritten the log of one.
    pub fn forget_finished(&self) {
        self.kept().clear();
        let Some(me) = self.me.upgrade() else {
            return;
        };
        self.host.spawn(async move {
            if let Err(error) = me.read_catalogue_again().await {
                tracing::warn!(%error, "the catalogue of tournaments cannot be read again");
            }
        });
    }

    /// Reads the catalogue again from its beginning: it was rewritten.
    ///
    /// # Errors
    /// The store could not be read.
    pub async fn read_catalogue_again(&self) -> Result<(), StoreError> {
        let mut catalogue = self.catalogue.lock().await;
        let mut again = Catalogue::read(&*self.host.services.store).await?;
        // Further entries are read at the next look.
        again.seen = catalogue.seen;
        *catalogue = again;
        Ok(())
    }

    fn live(&self, id: TournamentId, begun: Begun) -> Arc<LiveTournament> {
        LiveTournament::new(id, self.host.clone(), self.me.clone(), begun)
    }

    pub(super) fn add(&self, id: TournamentId, begun: Begun) {
        let live = self.live(id, begun);
        self.all().insert(id, live);
    }

    pub(super) fn get(&self, id: TournamentId) -> Option<Arc<LiveTournament>> {
        let live = self.all().get(&id).cloned();
        live.or_else(|| self.kept().iter().find(|kept| kept.id() == id).cloned())
    }

    /// The tournament with this id; a finished one is read from its log.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub async fn find(&self, text: &str) -> Result<Arc<LiveTournament>, ErrorBody> {
        let Ok(id) = text.parse::<TournamentId>() else {
            return Err(no_such_tournament(text));
        };
        if let Some(live) = self.get(id) {
            return Ok(live);
        }
        let mut catalogue = self.catalogue.lock().await;
        if catalogue.seed_of(id).is_none() && self.host.services.shared {
            // Another server may have made it just now.
            let caught_up = self.catch_up(&mut catalogue).await;
            caught_up.map_err(|error| refusal::of_store(&error))?;
        }
        // Whoever takes one up holds the catalogue, and may have done so since we looked.
        if let Some(live) = self.get(id) {
            return Ok(live);
        }
        let seed = catalogue.seed_of(id);
        drop(catalogue);
        let Some(seed) = seed else {
            return Err(no_such_tournament(text));
        };
        let read = self.read(id, seed).await;
        let begun = read.map_err(|error| refusal::of_store(&error))?;
        let begun = begun.ok_or_else(|| no_such_tournament(text))?;
        // One that runs and is not here was put aside.
        if !begun.tournament.is_over() {
            return Err(refusal::internal());
        }
        let found = self.live(id, begun);
        let mut kept = self.kept();
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push(found.clone());
        Ok(found)
    }

    /// A page of all tournaments, newest first.
    pub async fn list(
        &self,
        before: Option<u32>,
        limit: usize,
    ) -> (Vec<TournamentSummary>, Option<u32>) {
        let (mut page, next) = self.catalogue.lock().await.page(before, limit);
        for summary in &mut page {
            if let Some(live) = self.get(summary.tournament) {
                summary.status = live.status();
            }
        }
        (page, next)
    }

    /// What the log of a tournament says. Cost: linear in its events, and that of making its starts.
    pub(super) async fn read(
        &self,
        id: TournamentId,
        seed: Seed,
    ) -> Result<Option<Begun>, StoreError> {
        let own = StreamId::Tournament(id);
        let mut tournament: Option<Tournament> = None;
        let (mut seq, mut head) = (Seq(0), chain::genesis_of_tournament(id));
        let (mut created_at, mut last_at, mut began_at) = (Millis(0), Millis(0), None);
        let mut pace = Pace::default();
        loop {
            let page = self.host.services.store.load(own, seq, LOAD_PAGE).await?;
            let page = page.unwrap_or_default();
            if page.is_empty() {
                break;
            }
            for logged in page {
                let corrupt = |why: String| StoreError::Corrupt {
                    why: format!("event {} of tournament {id}: {why}", logged.seq),
                };
                let dated: Dated = serde_json::from_slice(&logged.body)
                    .map_err(|error| corrupt(error.to_string()))?;
                match &mut tournament {
                    None => {
                        tournament = Some(created(&dated).map_err(corrupt)?);
                        created_at = dated.at_ms;
                    }
                    Some(tournament) => tournament
                        .apply(&dated.event)
                        .map_err(|error| corrupt(error.to_string()))?,
                }
                if matches!(dated.event, TournamentEvent::EntriesClosed {}) {
                    began_at = Some(dated.at_ms);
                }
                pace.note(&dated);
                (seq, last_at) = (logged.seq, dated.at_ms);
                head = chain::link(&head, &logged.body);
            }
        }
        let Some(tournament) = tournament else {
            return Ok(None);
        };
        let starts = match tournament.is_over() {
            true => Vec::new(),
            false => {
                let starts = self.starts_of(tournament.rules().starts.clone(), seed);
                starts.await?.map_err(|bad| StoreError::Corrupt {
                    why: format!("the starts of tournament {id}: {bad}"),
                })?
            }
        };
        Ok(Some(Begun {
            tournament: Arc::new(tournament),
            seq,
            head,
            last_at,
            created_at,
            began_at,
            pace,
            seed,
            starts,
        }))
    }

    /// The starts of a tournament in the order of its games. They were typed or are made by the solver, so the solver's threads do that once the server
    /// serves connections; before, nobody waits.
    async fn starts_of(
        &self,
        starts: Starts,
        seed: Seed,
    ) -> Result<Result<Vec<String>, BadStarts>, StoreError> {
        let make = move || {
            let made = starts_of(&starts, &seed)?;
            Ok::<Vec<String>, BadStarts>(made.iter().map(ToString::to_string).collect())
        };
        let Some(matches) = self.host.matches() else {
            return Ok(make());
        };
        let made = matches.work_out(Owner::SERVER, Length::Long, move |_| make());
        let made = made.await.map_err(|_| StoreError::Busy {
            why: "the solver's threads have no room for the starts of a tournament".to_owned(),
        });
        Ok(made?.value)
    }

    /// Notes in the catalogue that a tournament is over. What cannot be noted is found at the next start.
    async fn note_end(&self, id: TournamentId, cancelled: bool) {
        let services = &self.host.services;
        let mut catalogue = self.catalogue.lock().await;
        for _ in 0..CONFLICTS_MAX {
            if !catalogue.live().iter().any(|(live, _)| *live == id) {
                return;
            }
            let entry = Entry::Over {
                tournament: id,
                cancelled,
            };
            let commit = Commit::append(stream(), catalogue.seq, vec![entry.to_json()]);
            match services.committer.commit(commit).await {
                Ok(()) => {
                    catalogue.seq = catalogue.seq.next();
                    return catalogue.take(entry);
                }
                // Another server has noted it, or something else.
                Err(CommitError::Conflict { .. }) if services.shared => {
                    if catalogue.read_on(&*services.store).await.is_err() {
                        return;
                    }
                }
                Err(error) => {
                    return tracing::warn!(tournament = %id, %error, "it could not be noted that it is over");
                }
            }
        }
    }

    /// The head of the log of a match once this commit is made.
    async fn head_after(&self, id: MatchId, commit: &Commit) -> Result<String, StoreError> {
        let (mut head, mut last) = (chain::genesis(id), Seq(0));
        loop {
            let page = self
                .host
                .services
                .store
                .load(id.into(), last, LOAD_PAGE)
                .await?;
            let page = page.unwrap_or_default();
            let Some(newest) = page.last() else { break };
            last = newest.seq;
            for logged in &page {
                head = chain::link(&head, &logged.body);
            }
        }
        let own = commit
            .appends
            .iter()
            .find(|append| append.stream == id.into());
        for body in own.into_iter().flat_map(|append| &append.events) {
            head = chain::link(&head, body);
        }
        Ok(data_encoding::HEXLOWER.encode(&head))
    }
}

impl Registry for Tournaments {
    fn finish(&self, id: TournamentId) {
        let Some(live) = self.all().remove(&id) else {
            return;
        };
        let cancelled = live.status() == TournamentStatus::Cancelled;
        {
            let mut kept = self.kept();
            if kept.len() >= KEPT {
                kept.remove(0);
            }
            kept.push(live);
        }
        let Some(me) = self.me.upgrade() else {
            return;
        };
        self.host.spawn(async move {
            me.note_end(id, cancelled).await;
        });
    }
}

#[async_trait]
impl Tally for Tournaments {
    async fn is_cancelled(&self, id: TournamentId) -> Result<bool, StoreError> {
        let here = || Some(self.get(id)?.status());
        let mut status = here();
        if status.is_none() {
            let mut catalogue = self.catalogue.lock().await;
            if self.host.services.shared {
                self.catch_up(&mut catalogue).await?;
            }
            status = here().or_else(|| catalogue.final_status_of(id));
            if let Some(seed) = catalogue.seed_of(id).filter(|_| status.is_none()) {
                // A dead server has not noted that it is over, or it was put aside: then its games go on.
                return match self.read(id, seed).await {
                    Ok(begun) => {
                        Ok(begun.is_some_and(|begun| begun.tournament.cancelled().is_some()))
                    }
                    Err(error) if error.is_damage() => Ok(false),
                    Err(error) => Err(error),
                };
            }
        }
        Ok(status == Some(TournamentStatus::Cancelled))
    }

    fn tally(
        &self,
        match_id: MatchId,
        game: TournamentGame,
        (outcome, reason): (Outcome, EndReason),
        commit: Commit,
        done: Completion,
    ) {
        let Some(me) = self.me.upgrade() else {
            return;
        };
        // In a task: the match is locked now.
        self.host.spawn(async move {
            let here = || me.all().get(&game.id).cloned();
            let mut live = here();
            if live.is_none() && me.host.services.shared {
                let mut catalogue = me.catalogue.lock().await;
                if let Err(error) = me.catch_up(&mut catalogue).await {
                    return done.tell(Err(error.into()));
                }
                live = here();
            }
            let Some(live) = live else {
                return me.host.pass(commit, done);
            };
            match me.head_after(match_id, &commit).await {
                Ok(head) => live.give(Input::Ended(Box::new(Ended {
                    game,
                    outcome,
                    reason,
                    head,
                    commit,
                    done,
                    read: false,
                }))),
                Err(error) => done.tell(Err(error.into())),
            }
        });
    }
}

fn created(dated: &Dated) -> Result<Tournament, String> {
    Tournament::created(&dated.event).map_err(|error| error.to_string())
}

/// What the client is told of a tournament that is not there.
#[must_use]
pub fn no_such_tournament(text: &str) -> ErrorBody {
    let words = "there is no such tournament: an id has ten letters and digits, such as 7Kq2mVx9Rt";
    ErrorBody::new(ErrorCode::NoSuchTournament, words)
        .field("tournament")
        .got(text)
}
