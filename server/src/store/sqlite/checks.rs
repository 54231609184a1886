//! Whether a commit can be made. Everything is known before anything is written, so that what one commit is refused for
//! harms no other of its batch.

use grundy_shared::ids::{MatchId, PlayerId, Seq};

use super::fault::Failure;
use super::writer::Writer;
use crate::store::{Commit, CommitError, Guard, Lease, Projection, StoreError, StreamId, Unique};

/// The statement that counts the matches of a player, ?1, that are not over.
macro_rules! open_count_statement {
    () => {
        "SELECT count(*) FROM (SELECT number FROM match WHERE first_id = ?1 AND status <> 'over' \
         UNION SELECT number FROM match WHERE second_id = ?1 AND status <> 'over')"
    };
}
pub(super) use open_count_statement;

/// Why a commit is not made.
pub(super) enum Refusal {
    /// A law of the store forbids it.
    Commit(CommitError),
    /// It cannot be found out.
    Failure(Failure),
}

impl From<CommitError> for Refusal {
    fn from(error: CommitError) -> Self {
        Self::Commit(error)
    }
}

impl<E: Into<Failure>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Failure(error.into())
    }
}

impl Writer {
    /// Whether a lease is good.
    pub(super) fn check_lease(&self, lease: Lease) -> Result<(), StoreError> {
        match self.epochs.get(&lease.node) {
            Some(epoch) if *epoch == lease.epoch => Ok(()),
            _ => Err(StoreError::Fenced),
        }
    }

    /// Whether the commit can be made.
    pub(super) async fn check(&mut self, lease: Lease, commit: &Commit) -> Result<(), Refusal> {
        self.check_lease(lease).map_err(|_| CommitError::Fenced)?;
        commit.check_alone()?;
        for append in &commit.appends {
            let stream = append.stream;
            let actual = self.head(stream).await?.map_or(Seq(0), |head| head.seq);
            if actual != append.expected {
                return Err(CommitError::Conflict { stream, actual }.into());
            }
        }
        for projection in &commit.projections {
            self.check_projection(commit, projection).await?;
        }
        for guard in &commit.guards {
            let Guard::OpenMatches { of, at_most } = *guard;
            if self.open_after(commit, of).await? > i64::from(at_most) {
                return Err(CommitError::Full(*guard).into());
            }
        }
        Ok(())
    }

    async fn check_projection(
        &mut self,
        commit: &Commit,
        projection: &Projection,
    ) -> Result<(), Refusal> {
        match projection {
            Projection::Match { id, .. } => {
                let stream = StreamId::Match(*id);
                let mut appends = commit.appends.iter();
                let begins =
                    appends.any(|append| append.stream == stream && !append.events.is_empty());
                if !begins && self.head(stream).await?.is_none() {
                    return Err(nowhere(*id).into());
                }
            }
            Projection::JoinCode {
                code, match_id, at, ..
            } => {
                self.check_known(commit, *match_id).await?;
                let until: Option<i64> =
                    sqlx::query_scalar("SELECT expires_at FROM join_code WHERE code = ?1")
                        .bind(code.to_string())
                        .fetch_optional(&mut self.connection)
                        .await?;
                if until.is_some_and(|until| u64::try_from(until).is_ok_and(|until| until > at.0)) {
                    return Err(CommitError::Taken(Unique::JoinCode).into());
                }
            }
            Projection::CreateId {
                player,
                client_create_id,
                match_id,
            } => {
                self.check_known(commit, *match_id).await?;
                let known: bool = sqlx::query_scalar(
                    "SELECT EXISTS (SELECT 1 FROM create_id WHERE player = ?1 AND name = ?2)",
                )
                .bind(player.as_bytes().to_vec())
                .bind(client_create_id.to_string())
                .fetch_one(&mut self.connection)
                .await?;
                if known {
                    return Err(CommitError::Taken(Unique::CreateId).into());
                }
            }
            Projection::Player(new) => {
                let known: (bool, bool) = sqlx::query_as(
                    "SELECT EXISTS (SELECT 1 FROM player WHERE id = ?1), EXISTS (SELECT 1 FROM player WHERE token_hash = ?2)",
                )
                .bind(new.info.id.as_bytes().to_vec())
                .bind(new.token_hash.to_vec())
                .fetch_one(&mut self.connection)
                .await?;
                match known {
                    (true, _) => return Err(CommitError::Taken(Unique::PlayerId).into()),
                    (false, true) => return Err(CommitError::Taken(Unique::Token).into()),
                    (false, false) => {}
                }
            }
        }
        Ok(())
    }

    /// Whether there is such a match once the commit is made.
    async fn check_known(&mut self, commit: &Commit, wanted: MatchId) -> Result<(), Refusal> {
        let made = |projection: &Projection| matches!(projection, Projection::Match { id, .. } if *id == wanted);
        if commit.projections.iter().any(made) || self.number_of(wanted).await?.is_some() {
            return Ok(());
        }
        Err(nowhere(wanted).into())
    }

    /// The number of a match.
    pub(super) async fn number_of(&mut self, id: MatchId) -> Result<Option<i64>, Failure> {
        let number = sqlx::query_scalar("SELECT number FROM match WHERE id = ?1")
            .bind(id.to_i64())
            .fetch_optional(&mut self.connection)
            .await?;
        Ok(number)
    }

    /// How many matches are not over once the commit is made.
    async fn open_after(&mut self, commit: &Commit, of: Option<PlayerId>) -> Result<i64, Failure> {
        let mut count: i64 = match of {
            None => {
                sqlx::query_scalar("SELECT count(*) FROM match WHERE status <> 'over'")
                    .fetch_one(&mut self.connection)
                    .await?
            }
            Some(player) => {
                sqlx::query_scalar(open_count_statement!())
                    .bind(player.as_bytes().to_vec())
                    .fetch_one(&mut self.connection)
                    .await?
            }
        };
        for projection in &commit.projections {
            if let Projection::Match { id, row } = projection {
                count += i64::from(row.is_open(of)) - self.counted(*id, of).await?;
            }
        }
        Ok(count)
    }

    /// 1 if the match is counted now.
    async fn counted(&mut self, id: MatchId, of: Option<PlayerId>) -> Result<i64, Failure> {
        let player = of.map(|player| player.as_bytes().to_vec());
        let counted = sqlx::query_scalar(
            "SELECT count(*) FROM match WHERE id = ?1 AND status <> 'over' AND (?2 IS NULL OR first_id = ?2 OR second_id = ?2)",
        )
        .bind(id.to_i64())
        .bind(player)
        .fetch_one(&mut self.connection)
        .await?;
        Ok(counted)
    }
}

fn nowhere(id: MatchId) -> CommitError {
    CommitError::Conflict {
        stream: id.into(),
        actual: Seq(0),
    }
}
