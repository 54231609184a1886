//! The note that a database is a copy of another store that is not complete: no server uses it then.

use sqlx::Connection as _;
use sqlx::postgres::PgConnection;

use super::address::Address;
use super::connecting::{connect, unusable};
use super::fault::Fault;
use crate::store::StoreError;

/// What the database is an unfinished copy of.
pub(super) async fn noted(connection: &mut PgConnection) -> Result<Option<String>, Fault> {
    let noted = sqlx::query_scalar("SELECT source FROM unfinished_copy");
    Ok(noted.fetch_optional(connection).await?)
}

/// Whether the database may be used.
///
/// # Errors
/// `Unusable`, with what to do; or it cannot be reached.
pub(super) async fn check(address: &Address) -> Result<(), StoreError> {
    let checking = async {
        let mut connection = connect(address).await?;
        let noted = noted(&mut connection).await?;
        let _ = connection.close().await;
        Ok(noted)
    };
    match checking.await {
        Ok(None) => Ok(()),
        Ok(Some(_)) => Err(StoreError::Unusable {
            path: address.place(),
            why: "it is a copy that is not complete: run the same 'grundy-server migrate-store' again, or drop the database and make a new one"
                .to_owned(),
        }),
        Err(fault) => Err(unusable(address, fault)),
    }
}
