//! A value as it is read from a column.

use super::report::Problem;
use crate::store::StoreError;

/// A value of a column; `None` when it is none that the server writes, which is noted.
pub(super) fn value<T>(
    read: Result<T, impl Into<StoreError>>,
    note: impl FnOnce(Problem),
    place: [&str; 2],
) -> Option<T> {
    match read {
        Ok(value) => Some(value),
        Err(error) => {
            let [table, column] = place.map(str::to_owned);
            let why = error.into().to_string();
            note(Problem::BadValue { table, column, why });
            None
        }
    }
}
