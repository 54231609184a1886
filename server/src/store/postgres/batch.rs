//! A batch of commits in one transaction: what they concern is read once, each is decided in its order, and what they change is written together.

use grundy_shared::ids::{MatchId, PlayerId};
use sqlx::postgres::PgConnection;

use super::fault::Fault;
use super::lane::is_ordered;
use super::refusal::Refusal;
use super::stage::{NewReview, Stage};
use super::tally::Tally;
use crate::store::{Commit, CommitError, NodeId, Projection, StoreError};

/// What became of each commit of a batch.
pub(super) type Outcomes = Vec<Result<(), CommitError>>;

/// A batch while it is decided.
pub(super) struct Batch<'c> {
    pub(super) connection: &'c mut PgConnection,
    pub(super) node: NodeId,
    pub(super) stage: Stage,
}

/// Decides commits and writes those that can be made. The transaction has begun, and the lease is good until it ends.
pub(super) async fn make(
    connection: &mut PgConnection,
    node: NodeId,
    commits: &[&Commit],
) -> Result<Outcomes, Fault> {
    let mut batch = Batch {
        connection,
        node,
        stage: Stage::default(),
    };
    let before = match commits.iter().any(|commit| is_ordered(commit)) {
        true => Some(batch.lock().await?),
        false => None,
    };
    batch.foresee(commits).await?;
    let mut outcomes = Vec::with_capacity(commits.len());
    for commit in commits {
        outcomes.push(match batch.check(commit).await {
            Ok(()) => batch.apply(commit).await.map(Ok)?,
            Err(Refusal::Commit(refusal)) => Err(refusal),
            // Damage of one log alone: whoever writes to others does not suffer from it.
            Err(Refusal::Fault(Fault::Store(error @ StoreError::Corrupt { .. }))) => {
                Err(error.into())
            }
            Err(Refusal::Fault(fault)) => return Err(fault),
        });
    }
    batch.finish(before).await?;
    Ok(outcomes)
}

impl Batch<'_> {
    /// Locks the order row; what it says.
    async fn lock(&mut self) -> Result<Tally, Fault> {
        let tally = Tally::lock(self.connection).await?;
        self.stage.tally = Some(tally);
        self.stage.places.open = tally.open;
        self.stage.places.waiting = tally.waiting;
        Ok(tally)
    }

    /// The order row as the batch leaves it.
    pub(super) fn tally(&mut self) -> Result<&mut Tally, Fault> {
        self.stage.tally.as_mut().ok_or_else(|| {
            StoreError::Failed {
                why: "a commit with more than events has not locked the tally".to_owned(),
            }
            .into()
        })
    }

    /// Writes what is left, and the order row if it says something else than before.
    async fn finish(mut self, before: Option<Tally>) -> Result<(), Fault> {
        self.flush().await?;
        let (open, waiting) = (self.stage.places.open, self.stage.places.waiting);
        let now = self.stage.tally.map(|tally| Tally {
            open,
            waiting,
            ..tally
        });
        match now {
            Some(now) if Some(now) != before => now.write(self.connection).await,
            _ => Ok(()),
        }
    }

    /// Makes a commit that has passed its checks.
    async fn apply(&mut self, commit: &Commit) -> Result<(), Fault> {
        for append in &commit.appends {
            self.stage.append(append);
        }
        for projection in &commit.projections {
            self.project(projection).await?;
        }
        Ok(())
    }

    async fn project(&mut self, projection: &Projection) -> Result<(), Fault> {
        match projection {
            Projection::Match { id, row } => {
                if self.stage.summarize(self.node, *id, row.clone()) {
                    self.flush().await?;
                    self.read_last_end().await?;
                }
            }
            Projection::JoinCode {
                code,
                match_id,
                at,
                expires_at,
            } => {
                let number = self.number_of(*match_id)?;
                self.stage.give_code(*code, number, *at, *expires_at);
            }
            Projection::CreateId {
                player,
                client_create_id,
                match_id,
            } => {
                let number = self.number_of(*match_id)?;
                self.stage.name(*player, client_create_id.clone(), number);
            }
            Projection::Address { match_id, address } => {
                self.stage.set_address(*match_id, *address);
            }
            Projection::Mistakes { match_id, mistakes } => {
                self.stage.note_mistakes(*match_id, *mistakes);
            }
            Projection::Review {
                match_id,
                review,
                most_bytes,
            } => self.stage.put_review(NewReview {
                of: *match_id,
                row: review.clone(),
                most_bytes: *most_bytes,
            }),
            Projection::Player(new) => self.insert_player(new).await?,
            Projection::Rename {
                player,
                name,
                name_key,
            } => self.rename(*player, name, name_key).await?,
            Projection::Account { player, account } => {
                self.replace_account(*player, account).await?;
            }
            Projection::Rating {
                player,
                family,
                row,
            } => self.put_rating(*player, *family, row).await?,
            Projection::Puzzle { row, at_most } => self.add_puzzle(row, *at_most)?,
            Projection::Attempt(attempt) => self.put_attempt(attempt).await?,
            Projection::Word(word) => self.stage.say(word),
            Projection::SumUp(summary) => self.sum_up(summary).await?,
            Projection::ForgetWords(upto) => self.forget_words(*upto).await?,
            Projection::Server(id) => self.found(*id).await?,
            Projection::AddressSecret(secret) => self.keep_secret(secret).await?,
            Projection::Kept(player) => self.keep(*player).await?,
            Projection::Usage { at, rows } => self.note_usage(*at, rows).await?,
            Projection::Ban(ban) => {
                self.put_ban(ban).await?;
                self.note_bans().await?;
            }
            Projection::Unban(subject) => {
                self.remove_ban(*subject).await?;
                self.note_bans().await?;
            }
            Projection::Erase(new) => {
                self.erase(new).await?;
                self.note_erased(new.player).await?;
            }
            Projection::ForgetNames(player) => {
                self.forget_names(*player).await?;
                self.note_erased(*player).await?;
            }
            Projection::Erased(player) => {
                self.finish_erasure(*player).await?;
                self.note_erased(*player).await?;
            }
        }
        Ok(())
    }

    /// The number of a match that is known.
    fn number_of(&self, id: MatchId) -> Result<i64, Fault> {
        let known = self.stage.places.matches.get(&id);
        known.map(|known| known.number).ok_or_else(|| {
            StoreError::Failed {
                why: format!("match {id} has passed its check, and is not there"),
            }
            .into()
        })
    }

    async fn found(&mut self, id: grundy_shared::ids::ServerId) -> Result<(), Fault> {
        sqlx::query("INSERT INTO server (one, id) VALUES (1, $1)")
            .bind(id.to_i64())
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    async fn keep_secret(&mut self, secret: &crate::store::AddressSecret) -> Result<(), Fault> {
        sqlx::query("INSERT INTO address_secret (one, secret) VALUES (1, $1)")
            .bind(&secret.as_bytes()[..])
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    async fn keep(&mut self, player: PlayerId) -> Result<(), Fault> {
        sqlx::query("UPDATE player SET kept = TRUE WHERE id = $1 AND NOT kept")
            .bind(&player.as_bytes()[..])
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    async fn rename(&mut self, player: PlayerId, name: &str, key: &str) -> Result<(), Fault> {
        sqlx::query("UPDATE player SET name = $2, name_key = $3 WHERE id = $1")
            .bind(&player.as_bytes()[..])
            .bind(name)
            .bind(key)
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    /// Reads the last place in the order of ends again.
    pub(super) async fn read_last_end(&mut self) -> Result<(), Fault> {
        let last: Option<i64> =
            sqlx::query_scalar("SELECT max(ended_order) FROM match WHERE ended_order IS NOT NULL")
                .fetch_one(&mut *self.connection)
                .await?;
        self.stage.last_end = last.unwrap_or(0);
        Ok(())
    }
}
