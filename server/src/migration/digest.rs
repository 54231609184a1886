//! One digest over all records of a store, whatever keeps it.

use futures::TryStreamExt as _;
use grundy_shared::ids::Seq;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::store::StoreError;
use crate::store::copying::Source;
use crate::store::copying::table;

/// What a store holds.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Contents {
    /// Logs.
    pub logs: u64,
    /// Events in them.
    pub events: u64,
    /// Rows of all tables beside them.
    pub rows: u64,
    /// A SHA-256 over all of it, in hexadecimal digits: equal for two stores only if they hold the same.
    pub digest: String,
}

/// Reads a whole store. One page of it is in memory at a time.
///
/// # Errors
/// It cannot be read.
pub(super) async fn read(source: &mut dyn Source) -> Result<Contents, StoreError> {
    let mut digest = Sha256::new();
    let mut contents = Contents::default();
    for table in table::all() {
        digest.update(table.name);
        digest.update([0]);
        let mut rows = source.rows(table, 0);
        while let Some(row) = rows.try_next().await? {
            for value in &row {
                value.feed(&mut digest);
            }
            match table.name == table::STREAM.name {
                true => contents.logs += 1,
                false => contents.rows += 1,
            }
        }
    }
    let mut after = (0, Seq(0));
    loop {
        let events = source.events(after).await?;
        let Some(last) = events.last() else {
            break;
        };
        after = (last.stream, last.seq);
        for event in events {
            digest.update(event.stream.to_be_bytes());
            digest.update(event.seq.0.to_be_bytes());
            digest.update((event.body.len() as u64).to_be_bytes());
            digest.update(&event.body);
            contents.events += 1;
        }
    }
    contents.digest = data_encoding::HEXLOWER.encode(&digest.finalize());
    Ok(contents)
}
