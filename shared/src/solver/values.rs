//! Grundy values of parts whose game has no method for them: the mex of their options' values (Sprague 1935, Grundy 1939),
//! each part once, however often it comes in sums.

use crate::erased::Component;
use crate::solver::bounds::BOUNDED_PARTS;
use crate::solver::part_interner::{Listed, Options, PartInterner};
use crate::theory::{Goal, Meter, Stopped, mex};

/// A part on the way down.
struct Frame {
    part: u32,
    options: Options,
    /// The values of the options before this one's are in `seen`.
    next: usize,
    seen: Vec<u64>,
}

impl PartInterner {
    /// The Grundy value of a part, by its game's method or by its options. Depth first without recursion.
    pub(crate) fn value(&mut self, part: u32, meter: &mut Meter<'_>) -> Result<u64, Stopped> {
        self.value_within(part, usize::MAX, meter)
    }

    /// As [`value`](Self::value), given up once so many parts were met.
    pub(crate) fn value_within(
        &mut self,
        part: u32,
        most: usize,
        meter: &mut Meter<'_>,
    ) -> Result<u64, Stopped> {
        if let Some(value) = self.known_value(part, meter)? {
            return Ok(value);
        }
        let mut answer = 0;
        let mut path = vec![self.frame(part, most, meter)?];
        while let Some(frame) = path.last_mut() {
            meter.work(1)?;
            let Some(option) = frame.options.get(frame.next) else {
                answer = mex(&frame.seen);
                self.learn_value(frame.part, answer);
                path.pop();
                continue;
            };
            let mut xor = 0;
            let mut unknown = None;
            for part in option {
                match self.known_value(*part, meter)? {
                    Some(value) => xor ^= value,
                    None => unknown = Some(*part),
                }
            }
            match unknown {
                None => {
                    frame.seen.push(xor);
                    frame.next += 1;
                }
                Some(part) => path.push(self.frame(part, most, meter)?),
            }
        }
        Ok(answer)
    }

    /// The Grundy value of a component, given up once more than 100,000 parts can be reached.
    pub(crate) fn value_of(
        &mut self,
        component: &Component,
        meter: &mut Meter<'_>,
    ) -> Result<u64, Stopped> {
        let mut xor = 0;
        for part in self.parts_of(std::slice::from_ref(component), meter)? {
            xor ^= self.value_within(part, BOUNDED_PARTS, meter)?;
        }
        Ok(xor)
    }

    fn frame(&mut self, part: u32, most: usize, meter: &mut Meter<'_>) -> Result<Frame, Stopped> {
        if self.met() > most || self.move_count(part) > most as u128 {
            return Err(Stopped);
        }
        Ok(Frame {
            part,
            options: self.options(part, meter)?,
            next: 0,
            seen: Vec::new(),
        })
    }

    /// The options of a part that reach a goal, by their values.
    pub(crate) fn options_of_value(
        &mut self,
        part: u32,
        goal: Goal,
        meter: &mut Meter<'_>,
    ) -> Result<Options, Stopped> {
        let mut reaching = Listed::default();
        for option in self.options(part, meter)?.iter() {
            let reaches = match goal {
                Goal::Value(goal) => {
                    let mut xor = 0;
                    for part in option {
                        xor ^= self.value(*part, meter)?;
                    }
                    xor == goal
                }
                Goal::MisereLoss(beside) => {
                    let tally = self.misere_tally_of(option, meter)?.ok_or(Stopped)?;
                    tally.with(beside).is_lost(true)
                }
            };
            if reaches {
                reaching.push(option, meter)?;
            }
        }
        Ok(reaching.distinct(meter))
    }
}
