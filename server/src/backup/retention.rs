//! Which backups are kept.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use grundy_shared::ids::Millis;

use crate::archive::MANIFEST;
use crate::archive::manifest::Manifest;
use crate::archive::staging;
use crate::exit::{Exit, Failure};

const DAY_MS: u64 = 24 * 60 * 60 * 1_000;
const WEEK_MS: u64 = 7 * DAY_MS;

/// How many backups to keep. A backup is kept if one of the three keeps it. With none of them, all are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Retention {
    /// The newest ones.
    pub newest: Option<u32>,
    /// The newest of each of that many days (UTC) with backups.
    pub daily: Option<u32>,
    /// The newest of each of that many weeks with backups.
    pub weekly: Option<u32>,
}

impl Retention {
    /// Those of these moments that are not kept. The moments are in ascending order.
    fn given_up(&self, moments: &[Millis]) -> BTreeSet<usize> {
        let all = 0..moments.len();
        let rules = [
            (self.newest, 1),
            (self.daily, DAY_MS),
            (self.weekly, WEEK_MS),
        ];
        if rules.iter().all(|(count, _)| count.is_none()) {
            return BTreeSet::new();
        }
        let mut given_up: BTreeSet<usize> = all.collect();
        for (count, period_ms) in rules {
            let (mut left, mut before) = (count.unwrap_or(0), None);
            for (index, at) in moments.iter().enumerate().rev() {
                // The days of 1970 began on a Thursday, and weeks begin on Monday.
                let period = match period_ms {
                    1 => index as u64,
                    WEEK_MS => (at.0 + 3 * DAY_MS) / WEEK_MS,
                    _ => at.0 / period_ms,
                };
                if left > 0 && before != Some(period) {
                    before = Some(period);
                    left -= 1;
                    given_up.remove(&index);
                }
            }
        }
        given_up
    }

    /// Removes the backups in a directory that are not kept, but never `made`: what was removed, and what could not be, with the reason.
    pub(super) fn apply(&self, shelf: &Path, made: &Path) -> (Vec<PathBuf>, Vec<String>) {
        let (mut removed, mut kept) = (Vec::new(), Vec::new());
        let backups = backups(shelf);
        let moments: Vec<Millis> = backups.iter().map(|(at, _)| *at).collect();
        for index in self.given_up(&moments) {
            let (_, directory) = &backups[index];
            if directory == made {
                continue;
            }
            match staging::remove(directory) {
                Ok(()) => removed.push(directory.clone()),
                Err(error) => kept.push(format!("{}: {error}", directory.display())),
            }
        }
        (removed, kept)
    }
}

/// The backups in a directory, the oldest first. Whatever has no manifest of ours is none.
pub(super) fn backups(shelf: &Path) -> Vec<(Millis, PathBuf)> {
    let entries = std::fs::read_dir(shelf).into_iter().flatten().flatten();
    let mut found: Vec<_> = entries
        // Not through links: what they lead to belongs to others.
        .filter(|entry| entry.file_type().is_ok_and(|of| of.is_dir()))
        .filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
        .filter_map(|entry| {
            let path = entry.path();
            let manifest = Manifest::read(&path).ok()?;
            Some((manifest.made_at, path))
        })
        .collect();
    found.sort();
    found
}

/// The backup that a path names: the directory itself, or the newest in it.
pub(super) fn find(path: &Path) -> Result<PathBuf, Failure> {
    if path.join(MANIFEST).exists() {
        return Ok(path.to_owned());
    }
    let newest = backups(path).into_iter().next_back();
    newest.map(|(_, directory)| directory).ok_or_else(|| {
        let why = format!(
            "{} is not a backup and has none in it: a backup is a directory with {MANIFEST}",
            path.display()
        );
        Failure::new(Exit::Configuration, why)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hours since Monday, 2026-11-23, 00:00 UTC.
    fn hours(hours: &[u64]) -> Vec<Millis> {
        let monday = 1_795_392_000_000;
        let at = |hour: &u64| Millis(monday + hour * 3_600_000);
        hours.iter().map(at).collect()
    }

    fn kept(retention: Retention, moments: &[u64]) -> Vec<u64> {
        let given_up = retention.given_up(&hours(moments));
        let kept = moments.iter().enumerate();
        let kept = kept.filter(|(index, _)| !given_up.contains(index));
        kept.map(|(_, hour)| *hour).collect()
    }

    #[test]
    fn a_backup_is_kept_if_one_rule_keeps_it() {
        let moments = [0, 6, 30, 31, 60, 168, 180, 190, 200, 201];
        let rule = |newest, daily, weekly| Retention {
            newest,
            daily,
            weekly,
        };
        assert_eq!(kept(rule(None, None, None), &moments), moments);
        assert_eq!(kept(rule(Some(2), None, None), &moments), [200, 201]);
        // Days 0, 1, 2, 7 and 8; weeks 0 and 1.
        assert_eq!(kept(rule(None, Some(3), None), &moments), [60, 190, 201]);
        assert_eq!(kept(rule(None, None, Some(4)), &moments), [60, 201]);
        let both = rule(Some(1), Some(2), Some(2));
        assert_eq!(kept(both, &moments), [60, 190, 201]);
        assert_eq!(kept(rule(Some(100), None, None), &moments), moments);
    }
}
