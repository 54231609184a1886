//! What a server refused in an open loop, by what was asked: each refusal must say when to come back.

use std::collections::BTreeMap;

use serde::Serialize;

use super::wire::LinkError;

/// What was asked, and with which code it was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Shed {
    /// `guest`, `match`, `join`, `solve` or `watch`.
    pub(super) asked: &'static str,
    /// The code of the refusals.
    pub(super) code: String,
    /// How many.
    pub(super) refusals: u64,
    /// How many of them did not say when to come back.
    pub(super) without_time: u64,
}

/// What came of the requests that may be refused.
#[derive(Default, Debug)]
pub(super) struct Sheds {
    refused: BTreeMap<(&'static str, String), (u64, u64)>,
    done: BTreeMap<&'static str, u64>,
    unanswered: u64,
}

impl Sheds {
    /// Counts a request that was done.
    pub(super) fn did(&mut self, asked: &'static str) {
        *self.done.entry(asked).or_default() += 1;
    }

    /// Counts a request that was not answered in time.
    pub(super) fn missed(&mut self) {
        self.unanswered += 1;
    }

    /// Counts a refusal; when to come back in milliseconds, if it said so.
    ///
    /// # Errors
    /// What was no refusal.
    pub(super) fn refused(
        &mut self,
        asked: &'static str,
        error: LinkError,
    ) -> Result<Option<u64>, LinkError> {
        let LinkError::Refused {
            code,
            retry_after_ms,
            ..
        } = error
        else {
            return Err(error);
        };
        let (refusals, without) = self.refused.entry((asked, code)).or_default();
        *refusals += 1;
        *without += u64::from(retry_after_ms.is_none());
        Ok(retry_after_ms)
    }

    /// The refusals.
    pub(super) fn all(&self) -> Vec<Shed> {
        let all = self.refused.iter();
        all.map(|((asked, code), &(refusals, without_time))| Shed {
            asked,
            code: code.clone(),
            refusals,
            without_time,
        })
        .collect()
    }

    /// The requests that were done, by what was asked.
    pub(super) fn done(&self) -> &BTreeMap<&'static str, u64> {
        &self.done
    }

    /// The requests that were not answered in time.
    pub(super) fn unanswered(&self) -> u64 {
        self.unanswered
    }
}
