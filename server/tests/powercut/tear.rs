//! What a power cut may leave of one file that was written and not flushed.
//!
//! A file system writes sectors in any order, but it changes the length of a file, and which file a name means, in the order
//! in which the program asked. So a lost end is lost as a whole: no disk leaves some old sectors of it and zeros for the others.

use rand::RngExt;
use rand::rngs::StdRng;

/// What a disk writes at once.
const SECTOR: usize = 512;

/// How a file lost bytes since it was last flushed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cut {
    /// It was at least as long as when it was flushed.
    No,
    /// This was its shortest length.
    To(usize),
    /// It was removed, and there is another one under its name.
    Replaced,
}

/// A file at the moment of the power cut.
#[derive(Clone, Debug)]
pub(crate) struct File {
    /// What was flushed; none if the name was not.
    pub(crate) flushed: Option<Vec<u8>>,
    /// What the process wrote; none if it has removed the file.
    pub(crate) written: Option<Vec<u8>>,
    /// What happened in between.
    pub(crate) cut: Cut,
}

impl File {
    /// The shortest length since the last flush, also if the process was killed before the cut could be noted.
    fn shortest(&self, flushed: usize, written: usize) -> usize {
        let noted = match self.cut {
            Cut::No => flushed,
            Cut::To(length) => length,
            Cut::Replaced => 0,
        };
        noted.min(flushed).min(written)
    }

    /// What may be left of it. The loss of its end reached the disk or did not. If it did not, the file has its old length
    /// and old end, and any of the newer sectors before that end. If it did, it is as short as it was at its shortest or
    /// longer, up to what it is now, and each sector is old, new, or zeros where there was nothing old.
    pub(crate) fn tear(self, chance: &mut StdRng) -> Option<Vec<u8>> {
        let (flushed, written) = match (self.flushed.as_ref(), self.written.as_ref()) {
            (Some(flushed), Some(written)) => (flushed, written),
            (None, Some(written)) => {
                return chance.random_bool(0.5).then(|| mix(&[], written, chance));
            }
            (Some(flushed), None) => return chance.random_bool(0.5).then(|| flushed.clone()),
            (None, None) => return None,
        };
        let shortest = self.shortest(flushed.len(), written.len());
        if shortest == flushed.len() {
            return Some(mix(flushed, written, chance));
        }
        if chance.random_bool(0.5) {
            let mut newest = flushed.clone();
            newest[..shortest].copy_from_slice(&written[..shortest]);
            return Some(mix(flushed, &newest, chance));
        }
        // Between the two, the name may have been gone.
        if self.cut == Cut::Replaced && chance.random_bool(0.1) {
            return None;
        }
        Some(mix(&flushed[..shortest], written, chance))
    }
}

/// A file that has grown or kept its length: as long as before, as now, or in between at the end of a sector; each sector
/// is old or new, and what was never written reads as zeros.
fn mix(old: &[u8], new: &[u8], chance: &mut StdRng) -> Vec<u8> {
    let length = match chance.random_range(0..4) {
        0 => old.len(),
        1 => {
            let between = chance.random_range(old.len()..=new.len());
            between.next_multiple_of(SECTOR).min(new.len())
        }
        _ => new.len(),
    };
    let mut left = vec![0; length];
    // Sometimes nearly all of one kind: then a few sectors only are missing, or a few only are there.
    let share = [0.02, 0.5, 0.98][chance.random_range(0..3)];
    for (number, sector) in left.chunks_mut(SECTOR).enumerate() {
        let from = if chance.random_bool(share) { new } else { old };
        let at = (number * SECTOR).min(from.len());
        let bytes = &from[at..from.len().min(at + sector.len())];
        sector[..bytes.len()].copy_from_slice(bytes);
    }
    left
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::SeedableRng;

    use super::*;

    const OLD: u8 = b'o';
    const NEW: u8 = b'n';

    /// Whole sectors of one byte.
    fn sectors(byte: u8, count: usize) -> Vec<u8> {
        vec![byte; count * SECTOR]
    }

    /// Every image of many seeds: one letter a sector (`o`, `n`, `0`), or none if there is no file.
    fn images(file: &File) -> BTreeSet<Option<String>> {
        (0..4_000)
            .map(|seed| {
                let image = file.clone().tear(&mut StdRng::seed_from_u64(seed))?;
                let letters = image.chunks(SECTOR).map(|sector| {
                    assert!(
                        sector.iter().all(|byte| *byte == sector[0]),
                        "a sector is whole"
                    );
                    match sector[0] {
                        0 => '0',
                        byte => char::from(byte),
                    }
                });
                Some(letters.collect())
            })
            .collect()
    }

    fn of(images: &[&str]) -> BTreeSet<Option<String>> {
        images
            .iter()
            .map(|image| Some((*image).to_owned()))
            .collect()
    }

    fn file(flushed: usize, written: Vec<u8>, cut: Cut) -> File {
        File {
            flushed: Some(sectors(OLD, flushed)),
            written: Some(written),
            cut,
        }
    }

    #[test]
    fn sectors_that_were_overwritten_are_old_or_new() {
        let images = images(&file(2, sectors(NEW, 2), Cut::No));
        assert_eq!(images, of(&["oo", "on", "no", "nn"]));
    }

    #[test]
    fn a_file_that_has_grown_ends_anywhere_and_may_have_holes() {
        let images = images(&file(1, sectors(NEW, 3), Cut::No));
        let mut all = BTreeSet::new();
        for first in ["o", "n"] {
            for rest in ["", "0", "n", "00", "0n", "n0", "nn"] {
                all.insert(Some(format!("{first}{rest}")));
            }
        }
        assert_eq!(images, all);
    }

    #[test]
    fn an_end_is_lost_as_a_whole_or_not_at_all() {
        let emptied = images(&file(3, Vec::new(), Cut::To(0)));
        assert_eq!(emptied, of(&["ooo", ""]));
        let shorter = images(&file(3, sectors(OLD, 1), Cut::To(SECTOR)));
        assert_eq!(shorter, of(&["ooo", "o"]));
    }

    #[test]
    fn a_process_that_died_before_it_noted_a_cut_has_cut() {
        let images = images(&file(3, Vec::new(), Cut::No));
        assert_eq!(images, of(&["ooo", ""]));
    }

    #[test]
    fn what_is_written_after_a_cut_is_never_mixed_with_the_old_end() {
        let images = images(&file(3, sectors(NEW, 2), Cut::To(0)));
        assert_eq!(images, of(&["ooo", "", "0", "n", "00", "0n", "n0", "nn"]));
        let partly = super::tests::images(&file(3, sectors(NEW, 3), Cut::To(SECTOR)));
        assert!(partly.contains(&Some("noo".to_owned())), "{partly:?}");
        assert!(partly.contains(&Some("o0n".to_owned())), "{partly:?}");
        assert!(
            partly
                .iter()
                .flatten()
                .all(|image| !image[1..].contains('o') || image[1..] == *"oo"),
            "{partly:?}"
        );
    }

    #[test]
    fn a_replaced_file_is_the_old_one_the_new_one_or_gone() {
        let mut expected = of(&["oo", "", "0", "n"]);
        expected.insert(None);
        assert_eq!(images(&file(2, sectors(NEW, 1), Cut::Replaced)), expected);
    }

    #[test]
    fn a_file_whose_name_was_never_flushed_may_be_missing() {
        let made = File {
            flushed: None,
            written: Some(sectors(NEW, 1)),
            cut: Cut::No,
        };
        let mut expected = of(&["", "0", "n"]);
        expected.insert(None);
        assert_eq!(images(&made), expected);
        let removed = File {
            flushed: Some(sectors(OLD, 2)),
            written: None,
            cut: Cut::No,
        };
        let mut expected = of(&["oo"]);
        expected.insert(None);
        assert_eq!(images(&removed), expected);
    }

    #[test]
    fn a_cut_within_a_sector_keeps_what_is_before_it() {
        let mut chance = StdRng::seed_from_u64(1);
        for _ in 0..200 {
            let image = file(1, vec![OLD; 100], Cut::To(100)).tear(&mut chance);
            let image = image.expect("it is not removed");
            assert!(image.iter().all(|byte| *byte == OLD));
            assert!([100, SECTOR].contains(&image.len()), "{}", image.len());
        }
    }
}
