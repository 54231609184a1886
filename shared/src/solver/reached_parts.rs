//! All parts that can be reached from some parts, as heaps of a misère quotient.

use rustc_hash::FxHashMap;

use crate::solver::part_interner::{Options, PartInterner};
use crate::theory::quotient::Listed;
use crate::theory::{Meter, Stopped};

/// Parts above which no quotient is looked for.
const MOST_PARTS: usize = 2_048;

/// Parts as heaps, those with the same options being the same heap, in the order of the longest play in them.
pub(crate) struct ReachedParts {
    heaps: FxHashMap<u32, u32>,
    family: Listed,
}

/// A part on the way down: all options before number `next` are known.
struct Frame {
    part: u32,
    options: Options,
    next: usize,
    longest: u64,
}

impl ReachedParts {
    /// All parts that can be reached from these impartial ones; `None` if there are more than [`MOST_PARTS`].
    pub(crate) fn of(
        roots: impl Iterator<Item = u32>,
        interner: &mut PartInterner,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>, Stopped> {
        let mut lengths: FxHashMap<u32, u64> = FxHashMap::default();
        for root in roots {
            if !lengths.contains_key(&root) && !measure(root, &mut lengths, interner, meter)? {
                return Ok(None);
            }
        }
        let mut parts: Vec<u32> = lengths.keys().copied().collect();
        parts.sort_unstable_by_key(|part| (lengths[part], *part));
        let mut heaps: FxHashMap<u32, u32> = FxHashMap::default();
        let mut kinds: FxHashMap<Vec<Box<[u32]>>, u32> = FxHashMap::default();
        let mut family = Listed::default();
        for part in parts {
            let found = interner.options(part, meter)?;
            meter.hold(found.len() as u64 * 48)?;
            let numbered = found.iter().map(|option| {
                let mut heaps: Vec<u32> = option.iter().map(|part| heaps[part]).collect();
                heaps.sort_unstable();
                heaps.into_boxed_slice()
            });
            let mut options: Vec<Box<[u32]>> = numbered.collect();
            options.sort_unstable();
            options.dedup();
            let next = family.len() as u32;
            let heap = *kinds.entry(options.clone()).or_insert(next);
            if heap == next {
                family.push(lengths[&part], options);
            }
            heaps.insert(part, heap);
        }
        Ok(Some(Self { heaps, family }))
    }

    /// Which heap of the family each part is.
    pub(crate) fn heaps(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.heaps.iter().map(|(part, heap)| (*part, *heap))
    }

    /// The heaps by their options. The weight of a heap is the length of the longest play in it.
    pub(crate) fn family(&self) -> &Listed {
        &self.family
    }
}

/// Adds the length of the longest play in a part, and in all that can be reached from it. `false` if there are too many.
fn measure(
    root: u32,
    lengths: &mut FxHashMap<u32, u64>,
    interner: &mut PartInterner,
    meter: &mut Meter<'_>,
) -> Result<bool, Stopped> {
    let mut path = vec![Frame::new(root, interner, meter)?];
    while let Some(frame) = path.last_mut() {
        meter.work(1)?;
        let Some(option) = frame.options.get(frame.next) else {
            lengths.insert(frame.part, frame.longest + 1);
            path.pop();
            continue;
        };
        match option.iter().find(|part| !lengths.contains_key(part)) {
            Some(part) => {
                let part = *part;
                if lengths.len() + path.len() >= MOST_PARTS || interner.met() > 4 * MOST_PARTS {
                    return Ok(false);
                }
                path.push(Frame::new(part, interner, meter)?);
            }
            None => {
                let length = option.iter().map(|part| lengths[part]).sum();
                frame.longest = frame.longest.max(length);
                frame.next += 1;
            }
        }
    }
    Ok(true)
}

impl Frame {
    fn new(part: u32, interner: &mut PartInterner, meter: &mut Meter<'_>) -> Result<Self, Stopped> {
        Ok(Self {
            part,
            options: interner.options(part, meter)?,
            next: 0,
            longest: 0,
        })
    }
}
