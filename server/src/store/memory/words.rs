//! Words between servers.

use std::collections::BTreeMap;

use grundy_shared::ids::Seq;
use rustc_hash::FxHashSet;

use crate::planted;
use crate::store::{CommitError, LOAD_PAGE, Logged, Unique, Word, WordSummary};

/// The words that are not forgotten, and what all come to.
#[derive(Debug, Default)]
pub(super) struct Words {
    said: BTreeMap<Seq, Word>,
    settled: FxHashSet<String>,
    summary: Option<WordSummary>,
    forgotten: Seq,
}

impl Words {
    fn newest(&self) -> Seq {
        let summed = self.summary.as_ref().map_or(Seq(0), |summary| summary.upto);
        let said = self.said.last_key_value().map_or(Seq(0), |(seq, _)| *seq);
        summed.max(said)
    }

    pub(super) fn check(&self, word: &Word) -> Result<(), CommitError> {
        let Some(settles) = &word.settles else {
            return Ok(());
        };
        let settled = self.settled.contains(settles) || word.heard < self.forgotten;
        match settled && !planted::is("settle_twice") {
            true => Err(CommitError::Taken(Unique::Word)),
            false => Ok(()),
        }
    }

    pub(super) fn say(&mut self, word: Word) {
        self.settled.extend(word.settles.clone());
        self.said.insert(self.newest().next(), word);
    }

    pub(super) fn sum_up(&mut self, summary: WordSummary) {
        let before = self.summary.as_ref().map_or(Seq(0), |summary| summary.upto);
        if summary.upto <= before {
            return;
        }
        self.forget(before);
        self.summary = Some(summary);
    }

    /// Forgets the words up to this one, if they are what was summed up.
    pub(super) fn forget_all(&mut self, upto: Seq) {
        if self
            .summary
            .as_ref()
            .is_some_and(|summary| summary.upto == upto)
        {
            self.forget(upto);
        }
    }

    fn forget(&mut self, upto: Seq) {
        let kept = self.said.split_off(&upto.next());
        for word in std::mem::replace(&mut self.said, kept).into_values() {
            if let Some(settles) = word.settles {
                self.settled.remove(&settles);
            }
        }
        self.forgotten = upto;
    }

    pub(super) fn after(&self, after: Seq) -> Vec<Logged> {
        let words = self.said.range(after.next()..).take(LOAD_PAGE);
        let logged = |(seq, word): (&Seq, &Word)| Logged {
            seq: *seq,
            body: word.body.clone(),
        };
        words.map(logged).collect()
    }

    pub(super) fn summary(&self) -> Option<WordSummary> {
        self.summary.clone()
    }
}
