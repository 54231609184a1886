//! Fetches records from the server or the library for the match that a person typed.

use grundy_shared::record::Record;

use crate::account::sign_in;
use crate::context::Context;
use crate::failure::Failure;
use crate::library::Library;
use crate::reading::match_id;
use crate::record;

/// The record of the match with this id.
pub(crate) async fn record_of(context: &Context, match_id_text: &str) -> Result<Record, Failure> {
    let match_id = match_id(match_id_text)?;
    let mut signed_in = sign_in(context, 0).await?;
    let record = record::fetch(&mut signed_in.connection, match_id).await;
    signed_in.connection.close().await;
    record
}

/// The record of the match with this id in the library on this computer.
pub(crate) fn local_record(match_id_text: &str) -> Result<Record, Failure> {
    Library::open()?.find(match_id(match_id_text)?)
}
