//! The note that keeps servers away from a database: it is a copy of another store that is not complete, its records were moved to another store, or a server has found that it
//! lacks commits that were acknowledged.

use sqlx::Connection as _;
use sqlx::postgres::PgConnection;

use super::acknowledged::lost;
use super::address::Address;
use super::connecting::{connect_with_rights, unusable};
use super::fault::Fault;
use crate::store::StoreError;
use crate::store::copying::moved;

/// What is noted where a server has found that the database lacks commits.
pub(super) const LACKING: &str = "lacks acknowledged commits";

/// What the database is an unfinished copy of, where its records are now, or what it lacks.
pub(super) async fn noted(connection: &mut PgConnection) -> Result<Option<String>, Fault> {
    let noted = sqlx::query_scalar("SELECT source FROM unfinished_copy");
    Ok(noted.fetch_optional(connection).await?)
}

/// Whether the database may be used.
///
/// # Errors
/// `Unusable`, `Moved` or `Lost`, with what to do; or it cannot be reached.
pub(super) async fn check(address: &Address) -> Result<(), StoreError> {
    let checking = async {
        let mut connection = connect_with_rights(address).await?;
        check_on(&mut connection, address, None).await?;
        let _ = connection.close().await;
        Ok(())
    };
    checking.await.map_err(|fault| unusable(address, fault))
}

/// The same on a connection that is there. A store that was moved may be used to go on with the move to the same place.
///
/// # Errors
/// As [`check`].
pub(super) async fn check_on(
    connection: &mut PgConnection,
    address: &Address,
    to: Option<&str>,
) -> Result<(), Fault> {
    let Some(noted) = noted(connection).await? else {
        return Ok(());
    };
    if noted == LACKING {
        return Err(lost(address).into());
    }
    Err(match moved::place_of(&noted) {
        Some(place) if Some(place) == to => return Ok(()),
        Some(place) => StoreError::Moved {
            from: address.to_string(),
            to: place.to_owned(),
        },
        None => StoreError::Unusable {
            path: address.place(),
            why: "it is a copy that is not complete: run the same 'grundy-server migrate-store' again, or drop the database and make a new one"
                .to_owned(),
        },
    }
    .into())
}
