//! Reviews that are kept: each must be of a match that is over, and those of this version of the solver must fit the summary of their match.

use futures::TryStreamExt;
use grundy_shared::review::StoredReview;
use grundy_shared::solver::VERSION;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::report::{Problem, Report};
use super::value::value;
use crate::store::sqlite::reviews::read_review;
use crate::store::sqlite::rows::match_id;
use crate::store::{ReviewRow, StoreError};

/// Checks all of them.
pub(super) async fn check_reviews(
    connection: &mut SqliteConnection,
    report: &mut Report,
) -> Result<(), StoreError> {
    let mut reviews = sqlx::query(
        "SELECT match.id, status, plies, mistakes_first, mistakes_second, solver, bytes, body \
         FROM review LEFT JOIN match ON match.number = review.match",
    )
    .fetch(connection);
    while let Some(row) = reviews.try_next().await? {
        let id = row.try_get("id").map_err(StoreError::from);
        let id = id.and_then(match_id).ok();
        let mut note = |problem| report.find(id, None, problem);
        if let Ok(None) = row.try_get::<Option<&str>, _>("status") {
            let table = "review".to_owned();
            note(Problem::Orphan { table });
            continue;
        }
        let place = ["review", "solver, bytes, body"];
        let Some(review) = value(read_review(&row), &mut note, place) else {
            continue;
        };
        if let Err(why) = fits(&review, &row) {
            let [table, column] = ["review", "body"].map(str::to_owned);
            note(Problem::BadValue { table, column, why });
        }
    }
    Ok(())
}

/// Whether a review may be of the match of this row. What another version has written is not looked into: it is made anew when it is asked for.
fn fits(review: &ReviewRow, row: &SqliteRow) -> Result<(), String> {
    if row.try_get::<&str, _>("status").unwrap_or_default() != "over" {
        return Err("the match is not over".to_owned());
    }
    if review.version != VERSION {
        return Ok(());
    }
    let said = |error: &dyn ToString| error.to_string();
    let read = StoredReview::read(review.text.clone()).map_err(|error| said(&error))?;
    let plies = read.plies_total().map_err(|error| said(&error))?;
    // What the summary itself holds in the wrong place is found with the summaries.
    if let Ok(has) = row.try_get::<i64, _>("plies")
        && has != i64::from(plies)
    {
        return Err(format!("it is of {plies} moves, and the match has {has}"));
    }
    let counted = read.mistakes().map_err(|error| said(&error))?;
    let stored = ["mistakes_first", "mistakes_second"]
        .map(|column| row.try_get::<Option<i64>, _>(column).ok().flatten());
    if let ([Some(first @ 0..), Some(second @ 0..)], Some(counted)) = (stored, counted)
        && [first, second] != counted.map(i64::from)
    {
        return Err(format!(
            "it has {counted:?} mistakes, and the match has {:?}",
            [first, second]
        ));
    }
    Ok(())
}
