//! Whether a commit can be made. Everything is known before anything is written, so that what one commit is refused for harms no other of its batch.

use grundy_shared::ids::{MatchId, PlayerId, Seq};

use super::batch::Batch;
use super::places::seats;
use super::refusal::Refusal;
use crate::planted;
use crate::store::{
    Commit, CommitError, Guard, MatchRow, MatchStatus, NewErasure, Projection, StreamId, Unique,
};

impl Batch<'_> {
    /// Whether the commit can be made.
    pub(super) async fn check(&mut self, commit: &Commit) -> Result<(), Refusal> {
        commit.check_alone()?;
        for append in &commit.appends {
            let (stream, actual) = (append.stream, self.stage.end_of(append.stream));
            if actual != append.expected && !planted::is("ignore_expected") {
                return Err(CommitError::Conflict { stream, actual }.into());
            }
        }
        for projection in &commit.projections {
            self.check_projection(commit, projection).await?;
        }
        let full = commit
            .guards
            .iter()
            .find(|guard| !self.holds(commit, guard));
        match full {
            Some(guard) => Err(CommitError::Full(*guard).into()),
            None => Ok(()),
        }
    }

    fn holds(&self, commit: &Commit, guard: &Guard) -> bool {
        let places = &self.stage.places;
        match *guard {
            Guard::OpenMatches { of, at_most } => places.after(commit, of) <= i64::from(at_most),
            Guard::OpenMatchesFrom { address, at_most } => {
                places.after_from(commit, address) <= i64::from(at_most)
            }
            Guard::Share { address, rule } => {
                let taken = places.taken_after(commit, address);
                rule.admits(taken, commit.waits_at(address))
            }
        }
    }

    async fn check_projection(
        &mut self,
        commit: &Commit,
        projection: &Projection,
    ) -> Result<(), Refusal> {
        match projection {
            Projection::Match { id, row } => {
                self.check_seats(row)?;
                self.check_log(commit, (*id).into())?;
            }
            Projection::JoinCode {
                code, match_id, at, ..
            } => {
                self.check_known(commit, *match_id)?;
                if self.stage.codes.get(code).is_some_and(|until| until > at) {
                    return Err(CommitError::Taken(Unique::JoinCode).into());
                }
            }
            Projection::CreateId {
                player,
                client_create_id,
                match_id,
            } => {
                self.check_known(commit, *match_id)?;
                let name = (*player, client_create_id.clone());
                if self.stage.create_ids.contains(&name) {
                    return Err(CommitError::Taken(Unique::CreateId).into());
                }
            }
            Projection::Player(new) => self.check_player(new).await?,
            Projection::Account { player, account } => {
                self.check_account(*player, account).await?;
            }
            Projection::Rename {
                player, name_key, ..
            } => self.check_name(*player, name_key).await?,
            Projection::Rating { player, family, .. } => {
                self.check_log(commit, StreamId::Rating(*player, *family))?;
            }
            Projection::Attempt(attempt) => self.check_attempt(commit, attempt).await?,
            Projection::Server(_) => {
                self.check_first("SELECT EXISTS (SELECT 1 FROM server)", Unique::ServerId)
                    .await?;
            }
            Projection::AddressSecret(_) => {
                let known = "SELECT EXISTS (SELECT 1 FROM address_secret)";
                self.check_first(known, Unique::AddressSecret).await?;
            }
            Projection::Erase(new) => self.check_erase(new).await?,
            Projection::Word(word) => self.check_word(word)?,
            Projection::SumUp(_)
            | Projection::ForgetWords(_)
            | Projection::Kept(_)
            | Projection::Puzzle { .. }
            | Projection::Usage { .. }
            | Projection::Ban(_)
            | Projection::Unban(_)
            | Projection::ForgetNames(_)
            | Projection::Erased(_) => {}
            Projection::Address { match_id, .. }
            | Projection::Mistakes { match_id, .. }
            | Projection::Review { match_id, .. } => self.check_known(commit, *match_id)?,
        }
        Ok(())
    }

    /// Whether a summary seats nobody who is gone.
    fn check_seats(&self, row: &MatchRow) -> Result<(), CommitError> {
        let stage = &self.stage;
        let is_gone = |id: &PlayerId| {
            stage.removed.contains(id)
                || row.status != MatchStatus::Over && stage.erased.contains_key(id)
        };
        match seats(row).into_iter().flatten().find(is_gone) {
            Some(gone) => Err(nobody(gone)),
            None => Ok(()),
        }
    }

    /// Whether a stream has an event once the commit is made.
    pub(super) fn check_log(&self, commit: &Commit, stream: StreamId) -> Result<(), CommitError> {
        let actual = self.stage.end_of(stream);
        match actual == Seq(0) && !commit.begins(stream) {
            true => Err(CommitError::Conflict { stream, actual }),
            false => Ok(()),
        }
    }

    /// Whether there is such a match once the commit is made.
    fn check_known(&self, commit: &Commit, wanted: MatchId) -> Result<(), CommitError> {
        let made = |projection: &Projection| matches!(projection, Projection::Match { id, .. } if *id == wanted);
        let known = self.stage.places.matches.contains_key(&wanted);
        match known || commit.projections.iter().any(made) {
            true => Ok(()),
            false => Err(CommitError::Conflict {
                stream: wanted.into(),
                actual: Seq(0),
            }),
        }
    }

    async fn check_first(
        &mut self,
        statement: &'static str,
        unique: Unique,
    ) -> Result<(), Refusal> {
        let known = sqlx::query_scalar(statement)
            .fetch_one(&mut *self.connection)
            .await?;
        match known {
            true => Err(CommitError::Taken(unique).into()),
            false => Ok(()),
        }
    }

    /// Whether a player is known and not erased, and nobody else has a name with this key.
    pub(super) async fn check_name(&mut self, player: PlayerId, key: &str) -> Result<(), Refusal> {
        let (known, taken): (bool, bool) = sqlx::query_as(
            "SELECT EXISTS (SELECT 1 FROM player WHERE id = $1 AND NOT erased), \
             EXISTS (SELECT 1 FROM player WHERE name_key = $2 AND id <> $1)",
        )
        .bind(&player.as_bytes()[..])
        .bind(key)
        .fetch_one(&mut *self.connection)
        .await?;
        match (known, taken) {
            (false, _) => Err(nobody(player).into()),
            (true, true) => Err(CommitError::Taken(Unique::Name).into()),
            (true, false) => Ok(()),
        }
    }

    /// Whether a player can be erased.
    async fn check_erase(&mut self, new: &NewErasure) -> Result<(), Refusal> {
        self.check_name(new.player, &new.name_key).await?;
        let of = Some(new.player);
        match self.stage.places.after(&Commit::default(), of) {
            0 => Ok(()),
            _ => Err(CommitError::Full(Guard::OpenMatches { of, at_most: 0 }).into()),
        }
    }
}

/// There is no such player who may be changed.
pub(super) fn nobody(player: PlayerId) -> CommitError {
    CommitError::Conflict {
        stream: StreamId::Account(player),
        actual: Seq(0),
    }
}
