//! What a server does for the others when it finds that the database lacks commits that it has acknowledged: they lack nothing of their own perhaps, and would play on from
//! an older state. It ends the leases of all, and notes in the database why no server may start there.

use std::time::Duration;

use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use tokio::time::timeout;

use super::address::Address;
use super::connecting::connect;
use super::fault::Fault;
use super::nodes::{end_all_lives, is_good};
use super::tally::Tally;
use super::unfinished::LACKING;
use crate::store::Lease;

/// The longest that one attempt takes.
const LONGEST: Duration = Duration::from_secs(5);
/// Attempts: somebody else may do the same, and be in the way.
const ATTEMPTS: u32 = 3;

/// Keeps all servers away from a database that lacks commits of this life. What goes wrong is logged: this server stops in any case.
///
/// Only while the life is good there. One that is over was taken over, so the others have played on, or an operator has accepted the loss meanwhile.
pub(super) async fn keep_others_away(address: &Address, life: Lease) {
    for _ in 0..ATTEMPTS {
        let noting = timeout(LONGEST, note(address, life)).await;
        let fault = match noting.unwrap_or_else(|_| Err(Fault::late())) {
            Ok(0) => return,
            Ok(ended) => {
                return tracing::error!(
                    ended,
                    "the database lacks commits that were acknowledged: no server may use it any more"
                );
            }
            Err(fault) => fault,
        };
        let error = fault.into_error();
        tracing::warn!(%error, "the other servers could not be kept away from the database");
    }
}

/// How many servers had leases.
async fn note(address: &Address, life: Lease) -> Result<u64, Fault> {
    let mut connection = connect(address).await?;
    sqlx::raw_sql("BEGIN").execute(&mut connection).await?;
    let ended = match is_good(&mut connection, life).await? {
        true => end_all_lives(&mut connection).await?,
        false => 0,
    };
    if ended > 0 {
        // A server that begins waits here, and then finds the note.
        Tally::lock(&mut connection).await?;
        sqlx::query(
            "INSERT INTO unfinished_copy (one, source) VALUES (1, $1) ON CONFLICT (one) DO NOTHING",
        )
        .bind(LACKING)
        .execute(&mut connection)
        .await?;
    }
    close(connection).await?;
    Ok(ended)
}

/// The operator accepts the loss: servers may use the database again. Nothing happens where nobody has found one.
pub(super) async fn accept(address: &Address) -> Result<(), Fault> {
    let mut connection = connect(address).await?;
    sqlx::raw_sql("BEGIN").execute(&mut connection).await?;
    sqlx::query("DELETE FROM unfinished_copy WHERE source = $1")
        .bind(LACKING)
        .execute(&mut connection)
        .await?;
    close(connection).await
}

async fn close(mut connection: PgConnection) -> Result<(), Fault> {
    sqlx::raw_sql("COMMIT").execute(&mut connection).await?;
    // What it has done is committed.
    let _ = connection.close().await;
    Ok(())
}
