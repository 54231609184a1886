//! What a commit changes, put into the transaction. Nothing here is refused: that was found out before.

use grundy_shared::ids::{MatchId, Millis, Seq};
use sqlx::Row;

use super::entries::{Entries, Entry};
use super::fault::Failure;
use super::heads::Head;
use super::rows::{integer, key_of, mistakes_columns};
use super::seal;
use super::writer::Writer;
use crate::clock::BEHIND_MAX;
use crate::store::{
    AddressDigest, Commit, Lease, MatchRow, MatchStatus, Mistakes, NodeId, NodeRow, Projection,
    StoreError, StreamId,
};

impl Writer {
    /// Puts a commit into the transaction.
    pub(super) async fn make(&mut self, lease: Lease, commit: &Commit) -> Result<(), Failure> {
        for append in &commit.appends {
            if append.events.is_empty() {
                continue;
            }
            let (stream, row) = (append.stream, commit.row_of(append.stream));
            let mut head = match self.head(stream).await? {
                Some(head) => head,
                None => self.make_stream(stream).await?,
            };
            if let Some(row) = row {
                head.over = row.status == MatchStatus::Over;
            }
            let end = self.extend(stream, head, &append.events);
            if end.over && row.is_none() {
                self.keep_end(&end).await?;
            }
        }
        for projection in &commit.projections {
            self.project(lease.node, projection).await?;
        }
        Ok(())
    }

    /// Makes a stream.
    async fn make_stream(&mut self, stream: StreamId) -> Result<Head, Failure> {
        let number = match self.next_stream {
            Some(number) => number,
            None => {
                sqlx::query_scalar("SELECT coalesce(max(number), 0) + 1 FROM stream")
                    .fetch_one(&mut self.connection)
                    .await?
            }
        };
        self.next_stream = Some(number + 1);
        self.changes.make_stream(number, stream);
        Ok(Head {
            number,
            seq: Seq(0),
            hash: stream.genesis(),
            over: false,
        })
    }

    async fn project(&mut self, owner: NodeId, projection: &Projection) -> Result<(), Failure> {
        match projection {
            Projection::Match { id, row } => self.summarize(owner, *id, row).await?,
            Projection::JoinCode {
                code,
                match_id,
                at,
                expires_at,
            } => {
                if let Some(head) = self.head((*match_id).into()).await? {
                    self.changes.give_code(*code, head.number, *at, *expires_at);
                }
            }
            Projection::CreateId {
                player,
                client_create_id,
                match_id,
            } => {
                if let Some(head) = self.head((*match_id).into()).await? {
                    self.changes
                        .name(*player, client_create_id.clone(), head.number);
                }
            }
            Projection::Player(new) => {
                self.begin().await?;
                self.insert_player(new).await?;
            }
            Projection::Rename {
                player,
                name,
                name_key,
            } => {
                self.begin().await?;
                sqlx::query("UPDATE player SET name = ?2, name_key = ?3 WHERE id = ?1")
                    .bind(player.as_bytes().to_vec())
                    .bind(name.clone())
                    .bind(name_key.clone())
                    .execute(&mut self.connection)
                    .await?;
            }
            Projection::Account { player, account } => {
                self.begin().await?;
                self.replace_account(*player, account).await?;
            }
            Projection::Rating {
                player,
                family,
                row,
            } => {
                self.begin().await?;
                self.put_rating(*player, *family, row).await?;
            }
            Projection::Puzzle { row, at_most } => self.add_puzzle(row, *at_most).await?,
            Projection::Attempt(attempt) => self.put_attempt(attempt).await?,
            Projection::Server(id) => {
                self.begin().await?;
                sqlx::query("INSERT INTO server (one, id) VALUES (1, ?1)")
                    .bind(id.to_i64())
                    .execute(&mut self.connection)
                    .await?;
            }
            Projection::AddressSecret(secret) => {
                self.begin().await?;
                sqlx::query("INSERT INTO address_secret (one, secret) VALUES (1, ?1)")
                    .bind(secret.as_bytes().to_vec())
                    .execute(&mut self.connection)
                    .await?;
            }
            Projection::Ban(ban) => {
                self.begin().await?;
                self.put_ban(ban).await?;
            }
            Projection::Unban(subject) => {
                self.begin().await?;
                self.remove_ban(*subject).await?;
            }
            Projection::Erase(new) => self.erase(new).await?,
            Projection::ForgetNames(player) => self.forget_names(*player).await?,
            Projection::Erased(player) => self.finish_erasure(*player).await?,
            Projection::Address { match_id, address } => {
                self.note_address(*match_id, *address).await?
            }
            // No commit with them passes the checks.
            Projection::Word(_) | Projection::SumUp(_) | Projection::ForgetWords(_) => {}
            Projection::Kept(player) => {
                self.begin().await?;
                sqlx::query("UPDATE player SET kept = 1 WHERE id = ?1 AND kept = 0")
                    .bind(player.as_bytes().to_vec())
                    .execute(&mut self.connection)
                    .await?;
            }
            Projection::Usage { at, rows } => self.note_usage(owner, *at, rows).await?,
            Projection::Mistakes { match_id, mistakes } => {
                self.note_mistakes(*match_id, *mistakes).await?;
            }
            Projection::Review {
                match_id,
                review,
                most_bytes,
            } => self.put_review(*match_id, review, *most_bytes).await?,
        }
        Ok(())
    }

    async fn summarize(
        &mut self,
        owner: NodeId,
        id: MatchId,
        row: &MatchRow,
    ) -> Result<(), Failure> {
        let Some(end) = self.head(id.into()).await? else {
            return Ok(());
        };
        let end = Head {
            over: row.status == MatchStatus::Over,
            ..end
        };
        self.heads.set(id.into(), end);
        if let Some(open) = &mut self.open {
            open.set(id, row);
        }
        let mut row = Box::new(row.clone());
        self.rename_erased(&mut row);
        self.changes.summarize(id, owner, row, end);
        Ok(())
    }

    async fn note_address(&mut self, id: MatchId, address: AddressDigest) -> Result<(), Failure> {
        if let Some(open) = &mut self.open {
            open.set_address(id, address);
        }
        if !self.changes.set_address(id, address) {
            self.write_changes().await?;
            self.begin().await?;
            sqlx::query("UPDATE match SET address = ?2 WHERE id = ?1 AND status <> 'over'")
                .bind(id.to_i64())
                .bind(address.0)
                .execute(&mut self.connection)
                .await?;
        }
        Ok(())
    }

    async fn note_mistakes(&mut self, id: MatchId, mistakes: Mistakes) -> Result<(), Failure> {
        self.write_changes().await?;
        self.begin().await?;
        let [first, second] = mistakes_columns(mistakes);
        sqlx::query(
            "UPDATE match SET mistakes_first = ?2, mistakes_second = ?3, mistakes_seal = ?4 WHERE id = ?1 AND ended_order IS NOT NULL",
        )
        .bind(id.to_i64())
        .bind(first)
        .bind(second)
        .bind(seal::of_mistakes(id, mistakes))
        .execute(&mut self.connection)
        .await?;
        Ok(())
    }

    /// Writes what waits, before a question that must see it.
    pub(super) async fn write_changes(&mut self) -> Result<(), Failure> {
        if !self.changes.is_empty() {
            self.begin().await?;
            self.changes.write(&mut self.connection).await?;
        }
        Ok(())
    }

    /// Keeps the end of a log in the row of its match, which is over.
    async fn keep_end(&mut self, end: &Head) -> Result<(), Failure> {
        self.write_changes().await?;
        self.begin().await?;
        sqlx::query("UPDATE match SET log_count = ?1, log_head = ?2 WHERE number = ?3")
            .bind(integer(end.seq.0))
            .bind(end.hash.to_vec())
            .bind(end.number)
            .execute(&mut self.connection)
            .await?;
        Ok(())
    }

    /// Where a stream ends.
    pub(super) async fn head(&mut self, stream: StreamId) -> Result<Option<Head>, Failure> {
        if let Some(head) = self.heads.get(stream) {
            return Ok(Some(head));
        }
        let head = match self.journal.end(stream) {
            Some(end) => head_of(stream, &end.entry, end.over, end.damaged)?,
            None if self.unheard.contains(&stream) => return Ok(None),
            None => match self.settled_end(stream).await? {
                Some(head) => head,
                None => return Ok(None),
            },
        };
        self.heads.set(stream, head);
        Ok(Some(head))
    }

    /// Where a stream ends that is settled.
    async fn settled_end(&mut self, stream: StreamId) -> Result<Option<Head>, Failure> {
        let (kind, key) = key_of(stream);
        let row = sqlx::query(
            "SELECT stream.number, status, body FROM stream LEFT JOIN segment ON segment.stream = stream.number \
             LEFT JOIN match ON match.number = stream.number \
             WHERE kind = ?1 AND stream.id = ?2 ORDER BY first DESC LIMIT 1",
        )
        .bind(kind)
        .bind(key)
        .fetch_optional(&mut self.connection)
        .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let over = row.try_get::<Option<&str>, _>("status")? == Some("over");
        match row.try_get::<Option<Vec<u8>>, _>("body")? {
            Some(blob) => {
                let last = Entries::of(blob).last().transpose()?;
                let empty = || StoreError::Corrupt {
                    why: format!("a segment of {stream} is empty"),
                };
                let last = last.ok_or_else(empty)?;
                Ok(Some(head_of(stream, &last, over, false)?))
            }
            None => Err(StoreError::Corrupt {
                why: format!("{stream} has no events"),
            }
            .into()),
        }
    }

    pub(super) async fn enlist(&mut self, node: NodeId, at: Millis) -> Result<Lease, Failure> {
        let epoch = self.epochs.get(&node).copied().unwrap_or(0) + 1;
        self.begin().await?;
        sqlx::query(
            "INSERT INTO node (id, epoch, enlisted_at) VALUES (?1, ?2, ?3) \
             ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, enlisted_at = excluded.enlisted_at, \
             heartbeat = CASE WHEN typeof(heartbeat) <> 'integer' THEN NULL \
             WHEN heartbeat > excluded.enlisted_at + ?4 THEN excluded.enlisted_at ELSE heartbeat END",
        )
        .bind(node.0)
        .bind(integer(epoch))
        .bind(integer(at.0))
        .bind(integer(BEHIND_MAX.0))
        .execute(&mut self.connection)
        .await?;
        // A life that did not come to be is no harm: the next is one more.
        self.epochs.insert(node, epoch);
        Ok(Lease { node, epoch })
    }

    pub(super) async fn heartbeat(&mut self, lease: Lease, at: Millis) -> Result<(), Failure> {
        self.check_lease(lease).map_err(Failure::Refused)?;
        self.begin().await?;
        sqlx::query(
            "UPDATE node SET heartbeat = CASE typeof(heartbeat) WHEN 'integer' THEN max(heartbeat, ?2) ELSE ?2 END WHERE id = ?1",
        )
        .bind(lease.node.0)
        .bind(integer(at.0))
        .execute(&mut self.connection)
        .await?;
        Ok(())
    }

    pub(super) async fn retire(&mut self, lease: Lease, at: Millis) -> Result<(), Failure> {
        self.heartbeat(lease, at).await?;
        sqlx::query("UPDATE node SET epoch = ?2 WHERE id = ?1")
            .bind(lease.node.0)
            .bind(integer(lease.epoch + 1))
            .execute(&mut self.connection)
            .await?;
        self.epochs.insert(lease.node, lease.epoch + 1);
        Ok(())
    }

    pub(super) async fn take_over(&mut self, lease: Lease, from: NodeRow) -> Result<u64, Failure> {
        self.check_lease(lease).map_err(Failure::Refused)?;
        let known = self.epochs.get(&from.id);
        if known != Some(&from.epoch) || from.id == lease.node {
            return Err(Failure::Refused(StoreError::Fenced));
        }
        self.begin().await?;
        sqlx::query("UPDATE node SET epoch = ?2 WHERE id = ?1")
            .bind(from.id.0)
            .bind(integer(from.epoch + 1))
            .execute(&mut self.connection)
            .await?;
        let taken =
            sqlx::query("UPDATE match SET owner = ?2 WHERE owner = ?1 AND status <> 'over'")
                .bind(from.id.0)
                .bind(lease.node.0)
                .execute(&mut self.connection)
                .await?;
        self.epochs.insert(from.id, from.epoch + 1);
        Ok(taken.rows_affected())
    }
}

/// The head of a stream that ends with this event.
fn head_of(stream: StreamId, last: &Entry, over: bool, damaged: bool) -> Result<Head, StoreError> {
    if damaged {
        return Err(StoreError::Corrupt {
            why: format!("an event of {stream} is missing"),
        });
    }
    Ok(Head {
        number: last.stream,
        seq: last.seq,
        hash: last.hash,
        over,
    })
}
