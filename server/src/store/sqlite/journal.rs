//! What is committed and not yet settled: events that only the batches of the journal hold, by their streams.
//!
//! A batch is one row, whatever streams it has events for. A stream is *settled* when its events are written once more, as a
//! segment of its own: when its match is over, when its tail grows long, or when its oldest batch grows old. A batch
//! whose streams are all settled is removed. So the journal is bounded, and with it this memory of it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grundy_shared::ids::Seq;
use rustc_hash::{FxHashMap, FxHashSet};

use super::entries::Entry;
use super::rows::integer;
use super::run::Extent;
use crate::store::{Logged, StreamId};

/// Bytes of a tail that is settled although its match goes on.
const LONG_TAIL: usize = 64 << 10;
/// Bytes of the journal beyond which the streams of its oldest batch are settled.
const JOURNAL_BYTES: usize = 64 << 20;
/// Streams that are settled in one transaction, unless the journal is twice as long as it should be.
const AT_ONCE: usize = 64;

/// The events of a stream that are not settled.
#[derive(Clone, Debug, Default)]
struct Tail {
    /// In the order of their numbers.
    entries: VecDeque<Entry>,
    bytes: usize,
    /// The batches that hold them, one for each commit.
    batches: VecDeque<(i64, u32)>,
    /// Whether the match is over.
    over: bool,
    /// Whether one is missing.
    damaged: bool,
}

impl Tail {
    /// The last event.
    fn last(&self) -> Option<&Entry> {
        self.entries.back()
    }
}

/// Where a stream ends that is not settled.
#[derive(Debug)]
pub(super) struct End {
    /// With this event.
    pub(super) entry: Entry,
    /// Whether the match is over.
    pub(super) over: bool,
    /// Whether an event before it is missing.
    pub(super) damaged: bool,
}

/// A batch of the journal.
#[derive(Debug)]
struct Batch {
    number: i64,
    /// Of its events that were not settled when it was taken in.
    bytes: usize,
    /// As it is stored, with those that were.
    stored: usize,
    /// Its streams that are not settled.
    streams: FxHashSet<StreamId>,
    /// The numbers of all streams of which it has events, settled or not, in ascending order.
    numbers: Vec<i64>,
}

impl Batch {
    fn holds(&self, stream: i64) -> bool {
        self.numbers.binary_search(&stream).is_ok()
    }
}

/// The journal as the writer and the readers know it.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal(Arc<Mutex<JournalState>>);

#[derive(Debug, Default)]
struct JournalState {
    tails: FxHashMap<StreamId, Tail>,
    batches: VecDeque<Batch>,
    bytes: usize,
    /// Of all batches as they are stored.
    stored: usize,
    last: i64,
    /// Streams to settle.
    due: FxHashSet<StreamId>,
}

/// The beginning of a tail, to be written as a segment.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) id: StreamId,
    pub(super) stream: i64,
    pub(super) first: Seq,
    pub(super) last: Seq,
    pub(super) blob: Vec<u8>,
}

impl Journal {
    fn lock(&self) -> MutexGuard<'_, JournalState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the next batch.
    pub(super) fn next_batch(&self) -> i64 {
        self.lock().last.saturating_add(1)
    }

    /// Which batches there are once those up to this number are removed. Cost: linear in what is removed.
    pub(super) fn extent(&self, removed: Option<i64>) -> Extent {
        let state = self.lock();
        let gone = |batch: &&Batch| removed.is_some_and(|removed| batch.number <= removed);
        let gone = state.batches.iter().take_while(gone);
        let (count, bytes) = gone.fold((0, 0), |(count, bytes), batch| {
            (count + 1, bytes + batch.stored)
        });
        let first = state.batches.get(count).map(|batch| batch.number);
        Extent {
            first: first.unwrap_or_else(|| state.last.saturating_add(1)),
            last: state.last,
            bytes: integer((state.stored - bytes) as u64),
        }
    }

    /// What is not settled of a stream, after this number: at most so many.
    pub(super) fn after(&self, stream: StreamId, after: Seq, limit: usize) -> Vec<Logged> {
        let state = self.lock();
        let Some(tail) = state.tails.get(&stream) else {
            return Vec::new();
        };
        let later = tail.entries.partition_point(|entry| entry.seq <= after);
        let later = tail.entries.range(later..).take(limit);
        let logged = later.map(|entry| Logged {
            seq: entry.seq,
            body: entry.body.clone(),
        });
        logged.collect()
    }

    /// The same with their links.
    pub(super) fn entries_after(&self, stream: StreamId, after: Seq) -> Vec<Entry> {
        let state = self.lock();
        let tail = state.tails.get(&stream);
        let entries = tail.into_iter().flat_map(|tail| &tail.entries);
        let later = entries.filter(|entry| entry.seq > after);
        later.cloned().collect()
    }

    /// Whether the log of this stream is sound and all after this number is in memory.
    pub(super) fn covers(&self, stream: StreamId, after: Seq) -> bool {
        let state = self.lock();
        state.tails.get(&stream).is_some_and(|tail| {
            let first = tail.entries.front();
            !tail.damaged && first.is_some_and(|first| first.seq.0 <= after.0.saturating_add(1))
        })
    }

    /// The end of a stream, as far as it is not settled.
    pub(super) fn end(&self, stream: StreamId) -> Option<End> {
        let state = self.lock();
        let tail = state.tails.get(&stream)?;
        Some(End {
            entry: tail.last()?.clone(),
            over: tail.over,
            damaged: tail.damaged,
        })
    }

    /// Takes in a batch that is committed, or was found at the start.
    pub(super) fn take(
        &self,
        number: i64,
        stored: usize,
        entries: impl Iterator<Item = (StreamId, bool, Entry)>,
    ) {
        let mut state = self.lock();
        let mut batch = Batch {
            number,
            bytes: 0,
            stored,
            streams: FxHashSet::default(),
            numbers: Vec::new(),
        };
        for (id, over, entry) in entries {
            batch.numbers.push(entry.stream);
            batch.bytes += entry.size();
            batch.streams.insert(id);
            let tail = state.tails.entry(id).or_default();
            let dense = tail.last().is_none_or(|last| last.seq.next() == entry.seq);
            tail.damaged |= !dense;
            tail.over = over;
            tail.bytes += entry.size();
            match tail.batches.back_mut() {
                Some((last, count)) if *last == number => *count += 1,
                _ => tail.batches.push_back((number, 1)),
            }
            tail.entries.push_back(entry);
            if over || tail.bytes > LONG_TAIL {
                state.due.insert(id);
            }
        }
        batch.numbers.sort_unstable();
        batch.numbers.dedup();
        state.last = number;
        state.bytes += batch.bytes;
        state.stored += batch.stored;
        state.batches.push_back(batch);
        if state.bytes > JOURNAL_BYTES {
            let oldest = state.batches.front();
            let old: Vec<_> = oldest
                .into_iter()
                .flat_map(|batch| &batch.streams)
                .copied()
                .collect();
            state.due.extend(old);
        }
    }

    /// Notes of which streams the newest batch has events that were settled before it was taken in.
    pub(super) fn note_settled(&self, streams: impl Iterator<Item = i64>) {
        let mut state = self.lock();
        if let Some(batch) = state.batches.back_mut() {
            batch.numbers.extend(streams);
            batch.numbers.sort_unstable();
            batch.numbers.dedup();
        }
    }

    /// The streams with events that are not settled.
    pub(super) fn unsettled(&self) -> Vec<StreamId> {
        self.lock().tails.keys().copied().collect()
    }

    /// The batches that have events of these streams, settled or not. Cost: linear in the batches.
    pub(super) fn batches_with(&self, streams: &[i64]) -> Vec<i64> {
        let state = self.lock();
        let holding = state
            .batches
            .iter()
            .filter(|batch| streams.iter().any(|stream| batch.holds(*stream)));
        holding.map(|batch| batch.number).collect()
    }

    /// A batch is stored with so many bytes now; with how many it was before.
    pub(super) fn resize(&self, number: i64, stored: usize) -> usize {
        let mut state = self.lock();
        let place = state
            .batches
            .binary_search_by_key(&number, |batch| batch.number);
        let Some(batch) = place.ok().and_then(|place| state.batches.get_mut(place)) else {
            return stored;
        };
        let before = std::mem::replace(&mut batch.stored, stored);
        state.stored = state.stored - before + stored;
        before
    }

    /// Has those of these streams settled with the next transaction that are not; whether there are any.
    pub(super) fn settle_soon(&self, streams: &[StreamId]) -> bool {
        let mut state = self.lock();
        let unsettled = streams.iter().filter(|id| state.tails.contains_key(id));
        let unsettled: Vec<_> = unsettled.copied().collect();
        state.due.extend(&unsettled);
        !unsettled.is_empty()
    }

    /// The segments that are to be written with the next transaction.
    pub(super) fn due(&self, all: bool) -> Vec<Segment> {
        let state = self.lock();
        let most = match all || state.bytes > 2 * JOURNAL_BYTES {
            true => usize::MAX,
            false => AT_ONCE,
        };
        let segment = |id: &StreamId| {
            let tail = state.tails.get(id)?;
            let (first, last) = (tail.entries.front()?, tail.entries.back()?);
            let mut blob = Vec::with_capacity(tail.bytes);
            for entry in &tail.entries {
                entry.write(&mut blob);
            }
            Some(Segment {
                id: *id,
                stream: first.stream,
                first: first.seq,
                last: last.seq,
                blob,
            })
        };
        state.due.iter().take(most).filter_map(segment).collect()
    }

    /// The batch up to which all are settled once these segments are: they can be removed.
    pub(super) fn settled_after(&self, segments: &[Segment]) -> Option<i64> {
        let state = self.lock();
        let settling: FxHashSet<_> = segments.iter().map(|segment| segment.id).collect();
        let settled = |batch: &&Batch| batch.streams.is_subset(&settling);
        let settled = state.batches.iter().take_while(settled);
        settled.last().map(|batch| batch.number)
    }

    /// Forgets what is settled: it is read from its segments from now on.
    pub(super) fn settled(&self, segments: Vec<Segment>, removed: Option<i64>) {
        let mut state = self.lock();
        for segment in segments {
            state.settle(segment.id, segment.last);
        }
        while let Some(batch) = state.batches.front()
            && removed.is_some_and(|removed| batch.number <= removed)
        {
            let (bytes, stored) = (batch.bytes, batch.stored);
            state.bytes -= bytes;
            state.stored -= stored;
            state.batches.pop_front();
        }
    }
}

impl JournalState {
    fn settle(&mut self, id: StreamId, last: Seq) {
        self.due.remove(&id);
        let Some(tail) = self.tails.get_mut(&id) else {
            return;
        };
        let mut done = 0;
        while let Some(entry) = tail.entries.front()
            && entry.seq <= last
        {
            tail.bytes -= entry.size();
            tail.entries.pop_front();
            done += 1;
        }
        // What was committed with the segment is in the newest batch alone.
        while let Some((number, count)) = tail.batches.front_mut() {
            if *count > done {
                *count -= done;
                break;
            }
            done -= *count;
            let number = *number;
            tail.batches.pop_front();
            if let Ok(place) = self
                .batches
                .binary_search_by_key(&number, |batch| batch.number)
            {
                self.batches[place].streams.remove(&id);
            }
            if done == 0 {
                break;
            }
        }
        if tail.entries.is_empty() {
            self.tails.remove(&id);
        }
    }
}
