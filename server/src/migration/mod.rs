//! Moves a whole store from SQLite to PostgreSQL or back, with every record as it is; see docs/decisions/0064.
//!
//! The source is checked, and its records are never changed. The target is kept from servers until it is complete: then both were read as a whole and gave one digest,
//! and the target was checked as well. Before servers may use it, the source is told where its records are now, and keeps them away; see docs/decisions/0058. An
//! interrupted copy goes on where it was.

mod digest;

use std::fmt;
use std::path::Path;

use serde::Serialize;

pub use self::digest::Contents;
use crate::config::StorePlace;
use crate::data;
use crate::exit::{Exit, Failure};
use crate::failpoint;
use crate::fsck;
use crate::store::copying::room;
use crate::store::copying::transfer::copy_all;
use crate::store::{StoreError, open};

/// A store that was moved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Moved {
    /// From where.
    pub from: String,
    /// To where.
    pub to: String,
    /// What both hold.
    #[serde(flatten)]
    pub contents: Contents,
}

impl fmt::Display for Moved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, contents } = self;
        let Contents {
            logs,
            events,
            rows,
            digest,
        } = contents;
        write!(
            f,
            "copied {from} to {to}: {logs} logs, {events} events, {rows} other records, digest {digest}"
        )
    }
}

/// Copies the store at one place to the other; `say` is told how far it is.
///
/// # Errors
/// [`Failure`]: a place cannot be used, is in use, or is damaged; the target has records, or is a copy of something else. The same call goes on with what was begun.
pub async fn migrate_store(
    from: &StorePlace,
    to: &StorePlace,
    say: &mut (dyn FnMut(String) + Send),
) -> Result<Moved, Failure> {
    if from.is_like(to) {
        let why = "one of the two must be sqlite:DIR and the other a PostgreSQL database; to copy a store within one of them, use backup or pg_dump";
        return Err(Failure::new(Exit::Configuration, why));
    }
    let (old, new) = (data::location_of_place(from), data::location_of_place(to));
    let home = to.absolute().to_string();
    let usable = open::check_source(&old, &home).await;
    usable.map_err(|error| failure(from, error))?;
    let usable = open::check_target(&new).await;
    usable.map_err(|error| failure(to, error))?;
    say(format!("checking {from}"));
    check(from, &old, say).await?;
    let opened = open::source(&old).await;
    let mut source = opened.map_err(|error| failure(from, error))?;
    if let StorePlace::Directory(directory) = to {
        data::make(directory).map_err(|error| failure(to, error))?;
        let size = source.size().await.map_err(|error| failure(from, error))?;
        // What is copied already needs no more.
        let there = new.metadata().map_or(0, |file| file.len());
        let fits = room::check(
            directory,
            size.saturating_sub(there),
            "free space, or choose another directory",
        );
        fits.map_err(|error| failure(to, error))?;
    }
    let of_source = |error| failure(from, error);
    let state = source.state().await.map_err(of_source)?;
    let target = open::target(&new, &state).await;
    let target = target.map_err(|error| failure(to, error))?;
    let mut each = |line| {
        failpoint::hit("after_copied");
        say(line);
    };
    let copied = copy_all(&mut *source, target, &mut each).await;
    copied.map_err(|error| {
        let why = format!(
            "{to} is not complete: {error}; what was copied stays, and the same command goes on with it"
        );
        Failure::new(Exit::Store, why)
    })?;

    say(format!("comparing {to} with {from}"));
    let before = digest::read(&mut *source).await.map_err(of_source)?;
    let opened = open::source(&new).await;
    let mut copy = opened.map_err(|error| failure(to, error))?;
    let after = digest::read(&mut *copy).await;
    let after = after.map_err(|error| failure(to, error))?;
    drop(copy);
    if before != after {
        let why = format!("{to} is not what {from} is: remove {to} and begin anew");
        return Err(Failure::new(Exit::Store, why));
    }
    say(format!("checking {to}"));
    check(to, &new, say).await?;
    let left = open::leave(&old, &state, &home).await.map_err(of_source)?;
    match left {
        None => {
            let why = format!(
                "{from} was used while it was copied: stop its servers, remove {to} and begin anew"
            );
            return Err(Failure::new(Exit::InUse, why));
        }
        Some(0) => {}
        Some(left) => say(format!(
            "{left} of the servers on {from} did not stop by themselves; one that is only frozen stops when it wakes up"
        )),
    }
    failpoint::hit("after_left");
    drop(source);
    open::release(&new)
        .await
        .map_err(|error| failure(to, error))?;
    Ok(Moved {
        from: from.to_string(),
        to: to.to_string(),
        contents: after,
    })
}

/// A store that may be used again although it was moved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TakenBack {
    /// Which.
    pub store: String,
    /// Where its records were moved to.
    pub moved_to: String,
}

impl fmt::Display for TakenBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { store, moved_to } = self;
        write!(
            f,
            "servers may use {store} again, as it was before the move; they must not use {moved_to} any more, and what was played there is not here"
        )
    }
}

/// Lets servers use a store again that was moved.
///
/// # Errors
/// [`Failure`]: it cannot be used, is in use, or was not moved.
pub async fn take_back(place: &StorePlace) -> Result<TakenBack, Failure> {
    let taken = open::take_back(&data::location_of_place(place)).await;
    match taken.map_err(|error| failure(place, error))? {
        Some(moved_to) => Ok(TakenBack {
            store: place.to_string(),
            moved_to,
        }),
        None => {
            let why = format!("{place} was not moved: there is nothing to undo");
            Err(Failure::new(Exit::Configuration, why))
        }
    }
}

/// Runs fsck, and says what it finds.
async fn check(
    place: &StorePlace,
    location: &Path,
    say: &mut (dyn FnMut(String) + Send),
) -> Result<(), Failure> {
    let report = fsck::fsck(location).await;
    let report = report.map_err(|error| failure(place, error))?;
    match report.is_sound() {
        true => Ok(()),
        false => {
            say(report.to_string());
            let why = format!(
                "{place} is damaged: see above what fsck finds, repair it (docs/OPERATIONS.md, \"Check\"), then run migrate-store again"
            );
            Err(Failure::new(Exit::Store, why))
        }
    }
}

/// What stands in the way at this place, and what to do.
fn failure(place: &StorePlace, error: StoreError) -> Failure {
    match error {
        StoreError::InUse { .. } => Failure::new(
            Exit::InUse,
            format!(
                "{place} is in use by a running server: stop every server on it, then run migrate-store again"
            ),
        ),
        error => Failure::new(Exit::Store, error.to_string()),
    }
}
