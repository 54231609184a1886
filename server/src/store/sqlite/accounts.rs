//! Players and what their accounts have: written by the writer, read by readers and by fsck.

use grundy_shared::ids::{Millis, PlayerId, Seq};
use grundy_shared::protocol::Scopes;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::fault::Failure;
use super::refusal::Refusal;
use super::rows::{PLAYER_BYTES, integer, read_player, unsigned};
use super::writer::Writer;
use crate::store::account::{known_to_bytes, read_known};
use crate::store::{
    AccountRow, Bearer, CommitError, NewPlayer, PasswordHash, SecretHash, StoreError, StreamId,
    TokenRow, Unique,
};

/// The bytes of one hash.
const HASH: usize = 32;

/// The columns of a token.
macro_rules! token_columns {
    () => {
        "hash, prefix, token.name AS called, scopes, token.created_at AS made_at, expires_at"
    };
}
pub(crate) use token_columns;

/// Whose token this is.
pub(super) async fn bearer(
    connection: &mut SqliteConnection,
    hash: SecretHash,
) -> Result<Option<Bearer>, StoreError> {
    let row = sqlx::query(concat!(
        "SELECT player.id, player.name, bot, password IS NOT NULL AS claimed, muted, ",
        token_columns!(),
        " FROM token JOIN player ON player.id = token.player WHERE hash = ?1"
    ))
    .bind(hash.as_bytes().to_vec())
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let Some(player) = read_player(&row, ["id", "name", "bot"])? else {
        return Ok(None);
    };
    Ok(Some(Bearer {
        player,
        token: read_token(&row)?,
        claimed: row.try_get("claimed")?,
        muted: read_muted(row.try_get("muted")?)?,
    }))
}

/// What an account has, as one statement sees it.
pub(super) async fn account(
    connection: &mut SqliteConnection,
    player: PlayerId,
) -> Result<Option<AccountRow>, StoreError> {
    let rows = sqlx::query(concat!(
        "SELECT version, password, codes, muted, known, erased, ",
        token_columns!(),
        " FROM player LEFT JOIN token ON token.player = player.id WHERE player.id = ?1"
    ))
    .bind(player.as_bytes().to_vec())
    .fetch_all(connection)
    .await?;
    let Some(first) = rows.first() else {
        return Ok(None);
    };
    let password: Option<String> = first.try_get("password")?;
    let mut account = AccountRow {
        version: unsigned(first.try_get("version")?)?,
        password: password.map(PasswordHash),
        codes: read_codes(first.try_get("codes")?)?,
        tokens: Vec::with_capacity(rows.len()),
        muted: read_muted(first.try_get("muted")?)?,
        known: read_known(first.try_get("known")?)?,
        erased: first.try_get("erased")?,
    };
    for row in &rows {
        // A player without tokens has one row without any.
        if row.try_get::<Option<&[u8]>, _>("hash")?.is_some() {
            account.tokens.push(read_token(row)?);
        }
    }
    account.sort();
    Ok(Some(account))
}

/// Reads a token.
pub(crate) fn read_token(row: &SqliteRow) -> Result<TokenRow, StoreError> {
    let expires_at: Option<i64> = row.try_get("expires_at")?;
    Ok(TokenRow {
        hash: read_hash(row.try_get("hash")?)?,
        prefix: row.try_get("prefix")?,
        name: row.try_get("called")?,
        scopes: Scopes::from_words(row.try_get("scopes")?).map_err(corrupt)?,
        created_at: Millis(unsigned(row.try_get("made_at")?)?),
        expires_at: expires_at.map(unsigned).transpose()?.map(Millis),
    })
}

/// Reads the hashes of recovery codes.
pub(crate) fn read_codes(bytes: &[u8]) -> Result<Vec<SecretHash>, StoreError> {
    bytes.chunks(HASH).map(read_hash).collect()
}

/// Reads the ids of muted players.
pub(crate) fn read_muted(bytes: &[u8]) -> Result<Vec<PlayerId>, StoreError> {
    let read =
        |id| PlayerId::from_bytes(id).ok_or_else(|| corrupt("an id of a player is too short"));
    bytes.chunks(PLAYER_BYTES).map(read).collect()
}

fn read_hash(bytes: &[u8]) -> Result<SecretHash, StoreError> {
    let words = || format!("{} bytes where a hash belongs", bytes.len());
    let hash: [u8; HASH] = bytes.try_into().map_err(|_| corrupt(words()))?;
    Ok(hash.into())
}

fn corrupt(why: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt {
        why: why.to_string(),
    }
}

impl Writer {
    /// Whether a player can be made.
    pub(super) async fn check_player(&mut self, new: &NewPlayer) -> Result<(), Refusal> {
        let known: (bool, bool, bool) = sqlx::query_as(
            "SELECT EXISTS (SELECT 1 FROM player WHERE id = ?1), EXISTS (SELECT 1 FROM token WHERE hash = ?2), \
             EXISTS (SELECT 1 FROM player WHERE name_key = ?3)",
        )
        .bind(new.info.id.as_bytes().to_vec())
        .bind(new.token.hash.as_bytes().to_vec())
        .bind(new.name_key.clone())
        .fetch_one(&mut self.connection)
        .await?;
        let taken = match known {
            (true, ..) => Unique::PlayerId,
            (false, true, _) => Unique::Token,
            (false, false, true) => Unique::Name,
            (false, false, false) => return Ok(()),
        };
        Err(CommitError::Taken(taken).into())
    }

    /// Makes a player.
    pub(super) async fn insert_player(&mut self, new: &NewPlayer) -> Result<(), Failure> {
        sqlx::query(
            "INSERT INTO player (id, name, bot, created_at, name_key, kept) VALUES (?1, ?2, ?3, ?4, ?5, 0)",
        )
        .bind(new.info.id.as_bytes().to_vec())
        .bind(new.info.name.clone())
        .bind(new.info.bot)
        .bind(integer(new.created_at.0))
        .bind(new.name_key.clone())
        .execute(&mut self.connection)
        .await?;
        self.insert_token(new.info.id, &new.token).await
    }

    /// Whether an account can be replaced.
    pub(super) async fn check_account(
        &mut self,
        player: PlayerId,
        account: &AccountRow,
    ) -> Result<(), Refusal> {
        let version: Option<i64> =
            sqlx::query_scalar("SELECT version FROM player WHERE id = ?1 AND erased = 0")
                .bind(player.as_bytes().to_vec())
                .fetch_optional(&mut self.connection)
                .await?;
        if version != Some(integer(account.version)) {
            return Err(CommitError::Conflict {
                stream: StreamId::Account(player),
                actual: Seq(version.map_or(Ok(0), unsigned)?),
            }
            .into());
        }
        // Those that the player has are nobody else's.
        let known = self.tokens_of(player).await?;
        let is_new = |token: &&TokenRow| known.iter().all(|known| known.hash != token.hash);
        for token in account.tokens.iter().filter(is_new) {
            let taken = sqlx::query_scalar(
                "SELECT EXISTS (SELECT 1 FROM token WHERE hash = ?1 AND player <> ?2)",
            )
            .bind(token.hash.as_bytes().to_vec())
            .bind(player.as_bytes().to_vec())
            .fetch_one(&mut self.connection)
            .await?;
            if taken {
                return Err(CommitError::Taken(Unique::Token).into());
            }
        }
        Ok(())
    }

    /// Replaces an account. A token that stays as it was is not written again: most changes concern one of many.
    pub(super) async fn replace_account(
        &mut self,
        player: PlayerId,
        account: &AccountRow,
    ) -> Result<(), Failure> {
        let codes: Vec<u8> = account
            .codes
            .iter()
            .flat_map(|hash| *hash.as_bytes())
            .collect();
        let muted: Vec<u8> = account.muted.iter().flat_map(|id| *id.as_bytes()).collect();
        sqlx::query(
            "UPDATE player SET version = version + 1, password = ?2, codes = ?3, muted = ?4, known = ?5 WHERE id = ?1",
        )
        .bind(player.as_bytes().to_vec())
        .bind(account.password.as_ref().map(|hash| hash.0.clone()))
        .bind(codes)
        .bind(muted)
        .bind(known_to_bytes(&account.known))
        .execute(&mut self.connection)
        .await?;
        let known = self.tokens_of(player).await?;
        for gone in known.iter().filter(|token| !account.tokens.contains(token)) {
            sqlx::query("DELETE FROM token WHERE hash = ?1")
                .bind(gone.hash.as_bytes().to_vec())
                .execute(&mut self.connection)
                .await?;
        }
        for token in account.tokens.iter().filter(|token| !known.contains(token)) {
            self.insert_token(player, token).await?;
        }
        Ok(())
    }

    async fn tokens_of(&mut self, player: PlayerId) -> Result<Vec<TokenRow>, Failure> {
        let account = account(&mut self.connection, player).await?;
        Ok(account.unwrap_or_default().tokens)
    }

    async fn insert_token(&mut self, player: PlayerId, token: &TokenRow) -> Result<(), Failure> {
        sqlx::query(
            "INSERT INTO token (hash, player, prefix, name, scopes, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )
        .bind(token.hash.as_bytes().to_vec())
        .bind(player.as_bytes().to_vec())
        .bind(token.prefix.clone())
        .bind(token.name.clone())
        .bind(token.scopes.to_words())
        .bind(integer(token.created_at.0))
        .bind(token.expires_at.map(|at| integer(at.0)))
        .execute(&mut self.connection)
        .await?;
        Ok(())
    }
}
