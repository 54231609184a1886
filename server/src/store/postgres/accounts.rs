//! Players and what their accounts have.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{PlayerId, Seq};
use grundy_shared::protocol::Scopes;
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{PgExecutor, Row};

use super::batch::Batch;
use super::fault::Fault;
use super::refusal::Refusal;
use super::rows::{player_id, read_moment, read_moment_if_any, read_player};
use crate::store::account::{known_to_bytes, read_known};
use crate::store::columns::{PLAYER_BYTES, corrupt, integer, unsigned};
use crate::store::{
    AccountRow, BEARERS_MAX, Bearer, CommitError, NewPlayer, PasswordHash, SecretHash, StoreError,
    StreamId, TokenRow, Unique,
};

/// Bytes of one hash.
const HASH: usize = 32;

/// The columns of a token.
macro_rules! token_columns {
    () => {
        "hash, prefix, token.name AS called, scopes, token.created_at AS made_at, expires_at"
    };
}

/// Whose token this is.
pub(super) async fn bearer(
    connection: &mut PgConnection,
    hash: SecretHash,
) -> Result<Option<Bearer>, Fault> {
    let row = sqlx::query(concat!(
        "SELECT player.id, player.name, bot, password IS NOT NULL AS claimed, muted, ",
        token_columns!(),
        " FROM token JOIN player ON player.id = token.player WHERE hash = $1"
    ))
    .bind(&hash.as_bytes()[..])
    .fetch_optional(connection)
    .await?;
    row.as_ref().map_or(Ok(None), read_bearer)
}

/// Whose these tokens are, in their order.
pub(super) async fn bearers(
    connection: &mut PgConnection,
    hashes: &[SecretHash],
) -> Result<Vec<Option<Bearer>>, Fault> {
    let hashes = hashes.iter().take(BEARERS_MAX);
    let hashes: Vec<Vec<u8>> = hashes.map(|hash| hash.as_bytes().to_vec()).collect();
    let rows = sqlx::query(concat!(
        "SELECT place, player.id, player.name, bot, password IS NOT NULL AS claimed, muted, ",
        token_columns!(),
        " FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (token, place) \
         JOIN token ON hash = asked.token JOIN player ON player.id = token.player"
    ))
    .bind(&hashes)
    .fetch_all(connection)
    .await?;
    let mut bearers = vec![None; hashes.len()];
    for row in &rows {
        let place: i64 = row.try_get("place")?;
        let place = usize::try_from(place - 1).map_err(corrupt)?;
        if let Some(bearer) = bearers.get_mut(place) {
            *bearer = read_bearer(row)?;
        }
    }
    Ok(bearers)
}

fn read_bearer(row: &PgRow) -> Result<Option<Bearer>, Fault> {
    let Some(player) = read_player(row, ["id", "name", "bot"])? else {
        return Ok(None);
    };
    Ok(Some(Bearer {
        player,
        token: read_token(row)?,
        claimed: row.try_get("claimed")?,
        muted: read_muted(row.try_get("muted")?)?,
    }))
}

/// What an account has, as one statement sees it.
pub(super) async fn account(
    executor: impl PgExecutor<'_>,
    player: PlayerId,
) -> Result<Option<AccountRow>, Fault> {
    let rows = sqlx::query(concat!(
        "SELECT version, password, codes, muted, known, erased, ",
        token_columns!(),
        " FROM player LEFT JOIN token ON token.player = player.id WHERE player.id = $1"
    ))
    .bind(&player.as_bytes()[..])
    .fetch_all(executor)
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

/// The player with this id.
pub(super) async fn player(
    connection: &mut PgConnection,
    id: PlayerId,
) -> Result<Option<PlayerInfo>, Fault> {
    let row = sqlx::query("SELECT id, name, bot FROM player WHERE id = $1")
        .bind(&id.as_bytes()[..])
        .fetch_optional(connection)
        .await?;
    row.map_or(Ok(None), |row| read_player(&row, ["id", "name", "bot"]))
}

/// The player whose name has this key.
pub(super) async fn player_by_name(
    connection: &mut PgConnection,
    key: &str,
) -> Result<Option<PlayerInfo>, Fault> {
    let row = sqlx::query("SELECT id, name, bot FROM player WHERE name_key = $1")
        .bind(key)
        .fetch_optional(connection)
        .await?;
    row.map_or(Ok(None), |row| read_player(&row, ["id", "name", "bot"]))
}

fn read_token(row: &PgRow) -> Result<TokenRow, Fault> {
    Ok(TokenRow {
        hash: read_hash(row.try_get("hash")?)?,
        prefix: row.try_get("prefix")?,
        name: row.try_get("called")?,
        scopes: Scopes::from_words(row.try_get("scopes")?).map_err(corrupt)?,
        created_at: read_moment(row, "made_at")?,
        expires_at: read_moment_if_any(row, "expires_at")?,
    })
}

fn read_codes(bytes: &[u8]) -> Result<Vec<SecretHash>, StoreError> {
    bytes.chunks(HASH).map(read_hash).collect()
}

fn read_muted(bytes: &[u8]) -> Result<Vec<PlayerId>, StoreError> {
    bytes.chunks(PLAYER_BYTES).map(player_id).collect()
}

fn read_hash(bytes: &[u8]) -> Result<SecretHash, StoreError> {
    let hash: Result<[u8; HASH], _> = bytes.try_into();
    let hash =
        hash.map_err(|_| corrupt(format_args!("{} bytes where a hash belongs", bytes.len())));
    Ok(hash?.into())
}

async fn insert_tokens(
    connection: &mut PgConnection,
    player: PlayerId,
    tokens: &[&TokenRow],
) -> Result<(), Fault> {
    let hashes: Vec<&[u8]> = tokens
        .iter()
        .map(|token| &token.hash.as_bytes()[..])
        .collect();
    let prefixes: Vec<&str> = tokens.iter().map(|token| &*token.prefix).collect();
    let names: Vec<&str> = tokens.iter().map(|token| &*token.name).collect();
    let scopes: Vec<String> = tokens.iter().map(|token| token.scopes.to_words()).collect();
    let made = tokens.iter().map(|token| integer(token.created_at.0));
    let expire = tokens
        .iter()
        .map(|token| token.expires_at.map(|at| integer(at.0)));
    sqlx::query(
        "INSERT INTO token (hash, player, prefix, name, scopes, created_at, expires_at) \
         SELECT hash, $1, prefix, name, scopes, created_at, expires_at FROM unnest($2::bytea[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[]) \
         AS new (hash, prefix, name, scopes, created_at, expires_at)",
    )
    .bind(&player.as_bytes()[..])
    .bind(hashes)
    .bind(prefixes)
    .bind(names)
    .bind(scopes)
    .bind(made.collect::<Vec<_>>())
    .bind(expire.collect::<Vec<_>>())
    .execute(connection)
    .await?;
    Ok(())
}

impl Batch<'_> {
    /// Whether a player can be made.
    pub(super) async fn check_player(&mut self, new: &NewPlayer) -> Result<(), Refusal> {
        let known: (bool, bool, bool) = sqlx::query_as(
            "SELECT EXISTS (SELECT 1 FROM player WHERE id = $1), EXISTS (SELECT 1 FROM token WHERE hash = $2), \
             EXISTS (SELECT 1 FROM player WHERE name_key = $3)",
        )
        .bind(&new.info.id.as_bytes()[..])
        .bind(&new.token.hash.as_bytes()[..])
        .bind(&new.name_key)
        .fetch_one(&mut *self.connection)
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
    pub(super) async fn insert_player(&mut self, new: &NewPlayer) -> Result<(), Fault> {
        sqlx::query(
            "INSERT INTO player (id, name, bot, created_at, name_key) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(&new.info.id.as_bytes()[..])
        .bind(&new.info.name)
        .bind(new.info.bot)
        .bind(integer(new.created_at.0))
        .bind(&new.name_key)
        .execute(&mut *self.connection)
        .await?;
        insert_tokens(self.connection, new.info.id, &[&new.token]).await
    }

    /// Whether an account can be replaced.
    pub(super) async fn check_account(
        &mut self,
        player: PlayerId,
        account: &AccountRow,
    ) -> Result<(), Refusal> {
        let version: Option<i64> =
            sqlx::query_scalar("SELECT version FROM player WHERE id = $1 AND NOT erased")
                .bind(&player.as_bytes()[..])
                .fetch_optional(&mut *self.connection)
                .await?;
        if version != Some(integer(account.version)) {
            return Err(CommitError::Conflict {
                stream: StreamId::Account(player),
                actual: Seq(version.map_or(Ok(0), unsigned)?),
            }
            .into());
        }
        let tokens = account.tokens.iter();
        let hashes: Vec<&[u8]> = tokens.map(|token| &token.hash.as_bytes()[..]).collect();
        let taken = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM token WHERE hash = ANY($1) AND player <> $2)",
        )
        .bind(hashes)
        .bind(&player.as_bytes()[..])
        .fetch_one(&mut *self.connection)
        .await?;
        match taken {
            true => Err(CommitError::Taken(Unique::Token).into()),
            false => Ok(()),
        }
    }

    /// Replaces an account. A token that stays as it was is not written again: most changes concern one of many.
    pub(super) async fn replace_account(
        &mut self,
        player: PlayerId,
        new: &AccountRow,
    ) -> Result<(), Fault> {
        let codes: Vec<u8> = new.codes.iter().flat_map(|hash| *hash.as_bytes()).collect();
        let muted: Vec<u8> = new.muted.iter().flat_map(|id| *id.as_bytes()).collect();
        let before = account(&mut *self.connection, player).await?;
        let before = before.unwrap_or_default().tokens;
        sqlx::query(
            "UPDATE player SET version = version + 1, password = $2, codes = $3, muted = $4, known = $5 WHERE id = $1",
        )
        .bind(&player.as_bytes()[..])
        .bind(new.password.as_ref().map(|hash| &*hash.0))
        .bind(codes)
        .bind(muted)
        .bind(known_to_bytes(&new.known))
        .execute(&mut *self.connection)
        .await?;
        let gone = before.iter().filter(|token| !new.tokens.contains(token));
        let gone: Vec<&[u8]> = gone.map(|token| &token.hash.as_bytes()[..]).collect();
        sqlx::query("DELETE FROM token WHERE hash = ANY($1)")
            .bind(gone)
            .execute(&mut *self.connection)
            .await?;
        let added = new.tokens.iter().filter(|token| !before.contains(token));
        let added: Vec<&TokenRow> = added.collect();
        insert_tokens(self.connection, player, &added).await
    }
}
