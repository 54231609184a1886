//! Events as they are kept: one after the other in a blob, each with its stream, its number and its link of the hash chain.
//!
//! ```text
//! entry = stream (8 bytes) seq (8 bytes) link (32 bytes) length of the body (4 bytes) body
//! ```
//!
//! Integers are big-endian. The batches of the journal and the segments of a stream have the same form.

use bytes::Bytes;
use grundy_shared::chain::Hash;
use grundy_shared::ids::Seq;

use crate::store::StoreError;

/// Bytes of an entry before its body.
const HEAD: usize = 8 + 8 + 32 + 4;

/// One event as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The number of its stream.
    pub(crate) stream: i64,
    /// Its number in the stream.
    pub(crate) seq: Seq,
    /// Its link of the hash chain.
    pub(crate) hash: Hash,
    /// What it says.
    pub(crate) body: Bytes,
}

impl Entry {
    /// How long it is in a blob.
    pub(super) fn size(&self) -> usize {
        HEAD + self.body.len()
    }

    /// Writes it behind what is there.
    pub(super) fn write(&self, blob: &mut Vec<u8>) {
        let length = u32::try_from(self.body.len()).expect("an event is far shorter than 4 GiB");
        blob.extend_from_slice(&self.stream.to_be_bytes());
        blob.extend_from_slice(&self.seq.0.to_be_bytes());
        blob.extend_from_slice(&self.hash);
        blob.extend_from_slice(&length.to_be_bytes());
        blob.extend_from_slice(&self.body);
    }
}

/// Reads the entries of a blob, sharing its memory.
pub(crate) struct Entries(Bytes);

impl Entries {
    pub(crate) fn of(blob: impl Into<Bytes>) -> Self {
        Self(blob.into())
    }

    fn read(&mut self) -> Option<Entry> {
        let (head, _) = self.0.split_first_chunk::<HEAD>()?;
        let (stream, head) = head.split_first_chunk::<8>()?;
        let (seq, head) = head.split_first_chunk::<8>()?;
        let (hash, head) = head.split_first_chunk::<32>()?;
        let (length, _) = head.split_first_chunk::<4>()?;
        let (stream, seq, hash) = (i64::from_be_bytes(*stream), u64::from_be_bytes(*seq), *hash);
        let end = HEAD.checked_add(u32::from_be_bytes(*length) as usize)?;
        if end > self.0.len() {
            return None;
        }
        let whole = self.0.split_to(end);
        Some(Entry {
            stream,
            seq: Seq(seq),
            hash,
            body: whole.slice(HEAD..),
        })
    }
}

impl Iterator for Entries {
    type Item = Result<Entry, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let left = self.0.len();
        let read = self.read().ok_or_else(|| {
            // Where one entry is broken, the place of the next is unknown.
            self.0.clear();
            StoreError::Corrupt {
                why: format!("{left} bytes that are no event"),
            }
        });
        Some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_is_cut_off_is_an_error() {
        let entries: Vec<_> = (1..4)
            .map(|number| Entry {
                stream: number << 40,
                seq: Seq(number as u64),
                hash: [number as u8; 32],
                body: vec![b'x'; number as usize * 7 - 7].into(),
            })
            .collect();
        let mut blob = Vec::new();
        for entry in &entries {
            entry.write(&mut blob);
        }
        assert_eq!(blob.len(), entries.iter().map(Entry::size).sum::<usize>());
        let read: Result<Vec<_>, _> = Entries::of(blob.clone()).collect();
        assert_eq!(read.as_ref(), Ok(&entries));
        for end in 0..blob.len() {
            let cut: Vec<_> = Entries::of(blob[..end].to_vec()).collect();
            let whole = cut.iter().filter(|entry| entry.is_ok()).count();
            let bounds = [0, 52, 52 + 59, blob.len()];
            assert_eq!(
                cut.len() - whole,
                usize::from(!bounds.contains(&end)),
                "{end}"
            );
        }
    }
}
