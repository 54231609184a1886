//! Copying everything, from where the target is.

use futures::TryStreamExt as _;

use super::table::{self, Table};
use super::value::Value;
use super::{Source, Target};
use crate::store::StoreError;

/// Rows that are written at once.
const ROWS: usize = 1_000;
/// Bytes of rows after which they are written, also if they are fewer.
const BYTES: usize = 2 << 20;

/// Copies what the target does not have yet, and completes it.
///
/// # Errors
/// The source cannot be read, or the target cannot be written.
pub(crate) async fn copy_all(
    source: &mut dyn Source,
    mut target: Box<dyn Target>,
    say: &mut (dyn FnMut(String) + Send),
) -> Result<(), StoreError> {
    for table in table::all() {
        copy_table(source, &mut *target, table, say).await?;
        if table.name == table::STREAM.name {
            copy_events(source, &mut *target, say).await?;
        }
    }
    target.complete().await
}

async fn copy_table(
    source: &mut dyn Source,
    target: &mut dyn Target,
    table: &'static Table,
    say: &mut (dyn FnMut(String) + Send),
) -> Result<(), StoreError> {
    let all = source.count(table).await?;
    let mut copied = target.count(table).await?;
    let mut rows = source.rows(table, copied);
    let mut portion = Vec::new();
    let mut bytes = 0;
    loop {
        let row = rows.try_next().await?;
        let is_end = row.is_none();
        if let Some(row) = row {
            bytes += row.iter().map(Value::size).sum::<usize>();
            portion.push(row);
        }
        if portion.len() >= ROWS || bytes >= BYTES || is_end && !portion.is_empty() {
            copied += portion.len() as u64;
            target.put(table, std::mem::take(&mut portion)).await?;
            bytes = 0;
            say(format!("{}: {copied} of {all}", table.name));
        }
        if is_end {
            return Ok(());
        }
    }
}

async fn copy_events(
    source: &mut dyn Source,
    target: &mut dyn Target,
    say: &mut (dyn FnMut(String) + Send),
) -> Result<(), StoreError> {
    let mut after = target.last_event().await?;
    loop {
        let events = source.events(after).await?;
        let Some(last) = events.last() else {
            return Ok(());
        };
        after = (last.stream, last.seq);
        target.put_events(events).await?;
        say(format!("events: up to log {}", after.0));
    }
}
