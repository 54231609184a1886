//! Proofs by a misère quotient: the solver's table, as far as it is needed.

use std::collections::BTreeSet;

use super::obstacle::Obstacle;
use super::{Claim, Proved};
use crate::certificate::{Code, MAX_BYTES, MisereQuotient, PeriodClaim, Proof};
use crate::theory::Meter;
use crate::theory::misere_heaps::Classes;
use crate::theory::quotient::{ONE, Quotient};

impl Claim<'_> {
    /// By the quotient of the only game in which there is a move.
    pub(super) fn by_quotient(&self, meter: &mut Meter<'_>) -> Proved {
        if !self.is_sum() || !self.position.end_rule().is_misere() {
            return Err(Obstacle::OtherWay);
        }
        let mut game = None;
        let mut largest = 0;
        let mut table = None;
        for (_, component) in self.live() {
            let text = component.to_string();
            let (own, _) = text.split_once(':').ok_or(Obstacle::OtherWay)?;
            let own = own.to_owned();
            if *game.get_or_insert_with(|| own.clone()) != own || Code::of(&own).is_none() {
                return Err(Obstacle::OtherWay);
            }
            for part in component.parts() {
                let text = part.to_string();
                let heap = text.split_once(':').and_then(|(_, heap)| heap.parse().ok());
                let heap: u64 = heap.ok_or(Obstacle::OtherWay)?;
                if table.is_none() || heap >= largest {
                    largest = heap;
                    let found: Option<Classes> = part.misere_classes(meter)?;
                    table = Some(found.ok_or(Obstacle::OtherWay)?.table);
                }
            }
        }
        let (Some(game), Some(table)) = (game, table) else {
            return Err(Obstacle::OtherWay);
        };
        // Without need of the period only the heaps up to the largest.
        let within = largest < table.heaps() as u64;
        let heaps = match within {
            true => largest + 1,
            false => table.heaps() as u64,
        };
        let classes: Option<Vec<u16>> = (0..heaps).map(|heap| table.class(heap)).collect();
        let classes = classes.ok_or(Obstacle::OtherWay)?;
        let quotient = table.quotient();
        let all = generated(quotient, &classes, meter)?;
        let place = |class: u16| all.binary_search(&class).map_or(ONE, |place| place as u16);
        let row = |a: usize| {
            let products = all[..=a].iter();
            products
                .map(|b| place(quotient.product(all[a], *b)))
                .collect()
        };
        let period = table.period().filter(|_| !within);
        let lost = all.iter().filter(|class| quotient.is_lost(**class));
        Ok((
            Proof::Quotient(MisereQuotient {
                game,
                classes: classes.iter().map(|class| place(*class)).collect(),
                period: period.map(|period| PeriodClaim {
                    start: period.start,
                    length: period.length,
                }),
                products: (0..all.len()).map(row).collect(),
                lost: lost.map(|class| place(*class)).collect(),
            }),
            None,
        ))
    }
}

/// The classes of all sums of such heaps, ascending.
fn generated(
    quotient: &Quotient,
    heaps: &[u16],
    meter: &mut Meter<'_>,
) -> Result<Vec<u16>, Obstacle> {
    let mut heaps = heaps.to_vec();
    heaps.sort_unstable();
    heaps.dedup();
    let mut met = BTreeSet::from([ONE]);
    let mut open = vec![ONE];
    while let Some(class) = open.pop() {
        meter.work(heaps.len() as u64)?;
        for heap in &heaps {
            let product = quotient.product(class, *heap);
            if met.insert(product) {
                open.push(product);
            }
        }
    }
    // Every product takes two bytes at least.
    match met.len() * met.len() > MAX_BYTES {
        true => Err(Obstacle::Long),
        false => Ok(met.into_iter().collect()),
    }
}
