//! Goes through the logs that name a player, and rewrites them: each by itself, and the games of a tournament together with its log, which has the
//! heads of their chains.

use std::collections::BTreeSet;

use bytes::Bytes;
use grundy_shared::chain;
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Seq, TournamentId};
use grundy_shared::tournament::{Dated, TournamentEvent};

use super::body::{ERASED_TEXT, Subject, with_head};
use crate::app::App;
use crate::store::{
    CommitError, Cursor, Duty, LOAD_PAGE, Logged, MatchRow, Rewrite, StoreError, StreamId,
};
use crate::tournaments::unnamed_entry;

/// Games of a tournament that are rewritten together with its log.
const GAMES_AT_ONCE: usize = 16;
/// Times that a log is read again because somebody has appended to it.
const ROUNDS: usize = 20;

/// The logs of a server on their way through an erasure.
pub(super) struct Logs<'a> {
    app: &'a App,
    /// Tournaments that were rewritten.
    tournaments: BTreeSet<TournamentId>,
    /// Those that the player organised.
    organised: BTreeSet<TournamentId>,
}

impl<'a> Logs<'a> {
    pub(super) fn new(app: &'a App) -> Self {
        Self {
            app,
            tournaments: BTreeSet::new(),
            organised: BTreeSet::new(),
        }
    }

    /// Adds the names under which logs describe the player. Cost: one pass over all logs.
    pub(super) async fn collect_names(&self, subject: &mut Subject) -> Result<(), CommitError> {
        let texts = vec![subject.mark()];
        let mut after = None;
        loop {
            let page = self.mentioning(&texts, after).await?;
            for stream in page.streams {
                for logged in self.load(stream).await? {
                    subject.collect(&logged.body)?;
                }
            }
            after = page.next;
            if after.is_none() {
                return Ok(());
            }
        }
    }

    /// Rewrites every log that names the player; how many. Cost: one pass over all logs.
    pub(super) async fn rewrite_all(&mut self, subject: &Subject) -> Result<u64, CommitError> {
        let mut rewritten = 0;
        let lists = |stream: &StreamId| matches!(stream, StreamId::Tournament(_));
        for (texts, only_lists) in [(vec![subject.mark()], false), (subject.quoted(), true)] {
            let mut after = None;
            while !texts.is_empty() {
                let page = self.mentioning(&texts, after).await?;
                for stream in page.streams {
                    if !only_lists || lists(&stream) {
                        rewritten += self.rewrite(stream, subject).await?;
                    }
                }
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
        }
        for _ in 0..ROUNDS {
            match self.rewrite_catalogue(subject).await {
                // Somebody has created a tournament.
                Err(CommitError::Conflict { stream, .. }) if !is_account(stream) => {}
                done => return Ok(rewritten + done?),
            }
        }
        let why = "the catalogue of tournaments grows while it is to be rewritten".to_owned();
        Err(StoreError::Busy { why }.into())
    }

    /// Takes the names of the player's tournaments out of the catalogue.
    async fn rewrite_catalogue(&self, subject: &Subject) -> Result<u64, CommitError> {
        if self.organised.is_empty() {
            return Ok(0);
        }
        let stream = StreamId::of_catalogue();
        let log = self.load(stream).await?;
        let bodies = log.iter().map(|logged| {
            let body = unnamed_entry(&logged.body, &self.organised, ERASED_TEXT)?;
            Ok(body.map(|body| (logged.seq, body)))
        });
        let bodies: Vec<(Seq, Bytes)> = bodies
            .filter_map(Result::transpose)
            .collect::<Result<_, StoreError>>()?;
        let Some(end) = log
            .last()
            .map(|last| last.seq)
            .filter(|_| !bodies.is_empty())
        else {
            return Ok(0);
        };
        let rewrite = Rewrite {
            stream,
            end,
            bodies,
            row: None,
        };
        self.commit(subject, vec![rewrite]).await
    }

    /// Has nobody answered any more with what was read of tournaments before.
    pub(super) async fn forget(&self) -> Result<(), StoreError> {
        for id in &self.tournaments {
            self.app.tournaments.forget(*id);
        }
        match self.organised.is_empty() {
            true => Ok(()),
            false => self.app.tournaments.read_catalogue_again().await,
        }
    }

    async fn mentioning(
        &self,
        texts: &[String],
        after: Option<Cursor>,
    ) -> Result<crate::store::Mentions, CommitError> {
        if self.app.lifecycle.is_draining() {
            return Err(StoreError::Closed.into());
        }
        // The duty ends if nobody renews it.
        if !self.app.store.claim(self.app.lease, Duty::Erasure).await? {
            let why = "another server has taken the erasure over".to_owned();
            return Err(StoreError::Busy { why }.into());
        }
        Ok(self.app.store.mentioning(texts.to_vec(), after).await?)
    }

    async fn load(&self, stream: StreamId) -> Result<Vec<Logged>, StoreError> {
        let mut log = Vec::new();
        loop {
            let after = Seq(log.len() as u64);
            let page = self.app.store.load(stream, after, LOAD_PAGE).await?;
            match page.filter(|page| !page.is_empty()) {
                Some(page) => log.extend(page),
                None => return Ok(log),
            }
        }
    }

    /// Rewrites a log; how many it were, with those that belong to it.
    async fn rewrite(&mut self, stream: StreamId, subject: &Subject) -> Result<u64, CommitError> {
        for _ in 0..ROUNDS {
            let tried = match stream {
                StreamId::Tournament(id) if stream != StreamId::of_catalogue() => {
                    self.rewrite_tournament(id, subject).await
                }
                _ => self.rewrite_one(stream, subject).await,
            };
            match tried {
                Err(CommitError::Conflict { stream: at, .. }) if !is_account(at) => {}
                Err(CommitError::Store(StoreError::Corrupt { why })) => {
                    let why = format!("{stream}: {why}");
                    return Err(StoreError::Corrupt { why }.into());
                }
                tried => return tried,
            }
        }
        let why = format!("{stream} grows while it is to be rewritten");
        Err(StoreError::Busy { why }.into())
    }

    async fn rewrite_one(
        &mut self,
        stream: StreamId,
        subject: &Subject,
    ) -> Result<u64, CommitError> {
        let log = self.load(stream).await?;
        let Some(rewrite) = self.rewrite_of(stream, &log, subject).await? else {
            return Ok(0);
        };
        // A game that a tournament counts goes with its log; what is left of a tournament are games that it does not count.
        if let Some(tournament) = tournament_of(stream, &log) {
            if self.app.tournaments.is_unfinished(tournament) {
                let why = format!("the tournament {tournament} is not over");
                return Err(StoreError::Busy { why }.into());
            }
            let with_log = self.rewrite_tournament(tournament, subject).await?;
            if with_log > 0 {
                return Ok(with_log);
            }
        }
        self.commit(subject, vec![rewrite]).await
    }

    async fn commit(&self, subject: &Subject, logs: Vec<Rewrite>) -> Result<u64, CommitError> {
        let app = self.app;
        if app.lifecycle.is_draining() {
            return Err(StoreError::Closed.into());
        }
        let streams: Vec<_> = logs.iter().map(|log| log.stream).collect();
        app.store.rewrite(app.lease, subject.player, logs).await?;
        for stream in &streams {
            match *stream {
                // Reviews name nobody.
                StreamId::Match(id) => app.matches.read_anew(id),
                StreamId::Tournament(id) => app.tournaments.forget(id),
                _ => {}
            }
        }
        Ok(streams.len() as u64)
    }

    /// What is to be rewritten of a log, if anything is.
    async fn rewrite_of(
        &self,
        stream: StreamId,
        log: &[Logged],
        subject: &Subject,
    ) -> Result<Option<Rewrite>, CommitError> {
        let bodies = cleaned(stream, log, subject)?;
        let Some(last) = log.last().filter(|_| !bodies.is_empty()) else {
            return Ok(None);
        };
        let row = match stream {
            StreamId::Match(id) => self.row_of(id, subject).await?,
            _ => None,
        };
        Ok(Some(Rewrite {
            stream,
            end: last.seq,
            bodies,
            row,
        }))
    }

    async fn row_of(
        &self,
        id: MatchId,
        subject: &Subject,
    ) -> Result<Option<Box<MatchRow>>, StoreError> {
        let row = self.app.store.row(id).await?;
        Ok(row.map(|mut row| {
            row.rename(subject.player, &subject.name);
            Box::new(row)
        }))
    }

    /// Rewrites the log of a tournament that is over, with the player's games in it, some at a time.
    async fn rewrite_tournament(
        &mut self,
        id: TournamentId,
        subject: &Subject,
    ) -> Result<u64, CommitError> {
        if self.app.tournaments.is_unfinished(id) {
            return Ok(0);
        }
        let stream = StreamId::Tournament(id);
        let log = self.load(stream).await?;
        let Some(end) = log.last().map(|last| last.seq) else {
            return Ok(0);
        };
        let mut own = cleaned(stream, &log, subject)?;
        if subject.part_in(stream, &log)?.organises {
            self.organised.insert(id);
        }
        let mut games = Vec::new();
        let mut rewritten = 0;
        for (place, game) in ended_games(&log)? {
            let Some(row) = self.row_of(game, subject).await? else {
                continue;
            };
            if !row.seats(subject.player) {
                continue;
            }
            let played = self.load(game.into()).await?;
            let Some(rewrite) = self.rewrite_of(game.into(), &played, subject).await? else {
                continue;
            };
            let head = head_after(&played, &rewrite);
            let counted = &log[place];
            if let Some(body) = with_head(&counted.body, game, &head)? {
                put(&mut own, counted.seq, body);
            }
            games.push(rewrite);
            if games.len() == GAMES_AT_ONCE {
                rewritten += self
                    .commit_tournament(subject, (stream, end), &mut own, &mut games)
                    .await?;
            }
        }
        if !own.is_empty() {
            rewritten += self
                .commit_tournament(subject, (stream, end), &mut own, &mut games)
                .await?;
        }
        if rewritten > 0 {
            self.tournaments.insert(id);
        }
        Ok(rewritten)
    }

    async fn commit_tournament(
        &self,
        subject: &Subject,
        (stream, end): (StreamId, Seq),
        own: &mut Vec<(Seq, Bytes)>,
        games: &mut Vec<Rewrite>,
    ) -> Result<u64, CommitError> {
        let mut logs = std::mem::take(games);
        logs.push(Rewrite {
            stream,
            end,
            bodies: std::mem::take(own),
            row: None,
        });
        self.commit(subject, logs).await
    }
}

fn is_account(stream: StreamId) -> bool {
    matches!(stream, StreamId::Account(_))
}

fn cleaned(
    stream: StreamId,
    log: &[Logged],
    subject: &Subject,
) -> Result<Vec<(Seq, Bytes)>, StoreError> {
    let part = subject.part_in(stream, log)?;
    let bodies = log.iter().map(|logged| {
        let body = subject.cleaned(stream, &logged.body, &part)?;
        Ok(body.map(|body| (logged.seq, body)))
    });
    bodies.filter_map(Result::transpose).collect()
}

/// The games whose ends a tournament has counted, with the places of the events that say so.
fn ended_games(log: &[Logged]) -> Result<Vec<(usize, MatchId)>, StoreError> {
    let mut ended = Vec::new();
    for (place, logged) in log.iter().enumerate() {
        let dated = serde_json::from_slice::<Dated>(&logged.body);
        let dated = dated.map_err(|error| StoreError::Corrupt {
            why: format!("event {}: {error}", logged.seq),
        })?;
        if let TournamentEvent::GameEnded { match_id, .. } = dated.event {
            ended.push((place, match_id));
        }
    }
    Ok(ended)
}

/// The tournament of which a match is a game.
fn tournament_of(stream: StreamId, log: &[Logged]) -> Option<TournamentId> {
    let StreamId::Match(_) = stream else {
        return None;
    };
    match serde_json::from_slice(&log.first()?.body) {
        Ok(Event::Created { tournament, .. }) => tournament.map(|game| game.id),
        _ => None,
    }
}

/// Puts a body among these, in its place.
fn put(bodies: &mut Vec<(Seq, Bytes)>, seq: Seq, body: Bytes) {
    match bodies.binary_search_by_key(&seq, |(seq, _)| *seq) {
        Ok(place) => bodies[place].1 = body,
        Err(place) => bodies.insert(place, (seq, body)),
    }
}

/// The head of the chain of a log once it is rewritten, in hexadecimal digits.
fn head_after(log: &[Logged], rewrite: &Rewrite) -> String {
    let mut head = rewrite.stream.genesis();
    for logged in log {
        let place = rewrite
            .bodies
            .binary_search_by_key(&logged.seq, |(seq, _)| *seq);
        let body = place.map_or(&logged.body, |place| &rewrite.bodies[place].1);
        head = chain::link(&head, body);
    }
    data_encoding::HEXLOWER.encode(&head)
}
