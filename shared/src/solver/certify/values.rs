//! Proofs by the Grundy values of all parts: closed forms, tables, and the options of each part.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::obstacle::Obstacle;
use super::{Claim, Proved};
use crate::certificate::{
    Code, ComponentValues, MAX_BYTES, PartValue, PeriodClaim, Proof, SPRAGUE_GRUNDY, Source,
    TAME_SUM, TableValues, Values, Wide, live_parts, theorem_of,
};
use crate::erased::Component;
use crate::ids::Seat;
use crate::position::Position;
use crate::theory::{Meter, mex, period};

/// Heaps up to this are told by a plain table; above it a period is looked for first.
const PLAIN_TABLE: u64 = 256;

/// The largest heap of a table: more values do not fit into a certificate, nor as heaps into one position.
const LARGEST_HEAP: u64 = 99_999;

/// What is needed of the parts: the largest heap of each game that has a table, and rows.
#[derive(Default)]
struct Draft {
    heaps: BTreeMap<String, u64>,
    values: FxHashMap<String, u64>,
    rows: Vec<PartValue>,
    bytes: usize,
}

/// A part on the way down.
struct Frame {
    text: String,
    /// Each move with the parts that it leaves.
    options: Vec<(String, Vec<(String, Component)>)>,
    /// The parts of the options before this one have values.
    next: usize,
}

impl Claim<'_> {
    pub(super) fn by_values(&self, meter: &mut Meter<'_>) -> Proved {
        let misere = self.position.end_rule().is_misere();
        if !self.is_sum() || misere && !self.live().all(|(_, component)| component.is_tame()) {
            return Err(Obstacle::OtherWay);
        }
        let mut draft = Draft::default();
        let mut xor = 0;
        let mut components = Vec::new();
        for (index, component) in self.live() {
            let (values, by) = draft.component(component, meter)?;
            xor = values.iter().fold(xor, |xor, value| xor ^ value);
            components.push(claimed(index, by, &values));
        }
        let mut after = None;
        if let Some(mv) = self.winning {
            let step = &mv.steps[0];
            let left = self.position.sum.components()[step.component].play(&*step.inner);
            if left.move_count(Seat::First) > 0 {
                let (values, by) = draft.component(&left, meter)?;
                after = Some(claimed(step.component, by, &values));
            }
        }
        let tables = draft.heaps.iter();
        let tables = tables.map(|(game, heap)| table(game, *heap, meter));
        let values = Values {
            rule: if misere { TAME_SUM } else { SPRAGUE_GRUNDY }.to_owned(),
            components,
            after,
            tables: tables.collect::<Result<_, _>>()?,
            parts: draft.rows,
        };
        Ok((Proof::Values(values), (!misere).then_some(xor)))
    }
}

fn claimed(index: usize, by: Source, values: &[u64]) -> ComponentValues {
    ComponentValues {
        component: index + 1,
        by,
        values: values.iter().copied().map(Wide).collect(),
    }
}

impl Draft {
    /// The values of the parts of a component, and why they are so.
    fn component(
        &mut self,
        component: &Component,
        meter: &mut Meter<'_>,
    ) -> Result<(Vec<u64>, Source), Obstacle> {
        let theorem = theorem_of(component).filter(|theorem| theorem.gives_values());
        let text = component.to_string();
        let game = text.split_once(':').map_or("", |(game, _)| game);
        let has_table = Code::of(game).is_some();
        if theorem.is_some() || has_table {
            let values: Option<Vec<u64>> = component.values(meter)?.into_iter().collect();
            if let Some(values) = values {
                let Some(theorem) = theorem else {
                    self.reach(game, component);
                    return Ok((values, Source::Table));
                };
                return Ok((values, Source::Theorem(theorem.name.to_owned())));
            }
        }
        let mut values = Vec::new();
        for (text, part) in live_parts(component, meter)? {
            values.push(self.value(text, &part, meter)?);
        }
        Ok((values, Source::Options))
    }

    /// Lets the table of a game reach the heaps of this component.
    fn reach(&mut self, game: &str, component: &Component) {
        let largest = self.heaps.entry(game.to_owned()).or_default();
        for part in component.parts() {
            let text = part.to_string();
            let heap = text.split_once(':').and_then(|(_, heap)| heap.parse().ok());
            *largest = heap.unwrap_or(0).max(*largest);
        }
    }

    /// The value of a part by its options, with rows for it and for what they refer to. Depth first without recursion.
    fn value(
        &mut self,
        text: String,
        part: &Component,
        meter: &mut Meter<'_>,
    ) -> Result<u64, Obstacle> {
        if let Some(value) = self.values.get(&text) {
            return Ok(*value);
        }
        let mut answer = 0;
        let mut path = vec![self.frame(text, part, meter)?];
        while let Some(frame) = path.last_mut() {
            let unknown = frame.options.get(frame.next).and_then(|(_, left)| {
                let unknown = left
                    .iter()
                    .find(|(text, _)| !self.values.contains_key(text));
                unknown.cloned()
            });
            match unknown {
                Some((text, part)) => path.push(self.frame(text, &part, meter)?),
                None if frame.next < frame.options.len() => frame.next += 1,
                None => {
                    let frame = path.pop().expect("the loop has just looked at it");
                    answer = self.finish(frame);
                }
            }
        }
        Ok(answer)
    }

    /// Lists the moves of a part; what the row will take is counted.
    fn frame(
        &mut self,
        text: String,
        part: &Component,
        meter: &mut Meter<'_>,
    ) -> Result<Frame, Obstacle> {
        const ROW: usize = r#"{"part":"","value":0,"options":[]},"#.len();
        const OPTION: usize = r#"["",0],"#.len();
        self.bytes += ROW + text.len();
        let mut options = Vec::new();
        for mv in part.moves(Seat::First) {
            let written = mv.to_string();
            self.bytes += OPTION + written.len();
            if self.bytes > MAX_BYTES {
                return Err(Obstacle::Long);
            }
            let left = live_parts(&part.play(&*mv), meter)?;
            let held = left
                .iter()
                .map(|(text, part)| text.len() as u64 + part.bytes() + 128);
            meter.hold(written.len() as u64 + held.sum::<u64>())?;
            options.push((written, left));
        }
        Ok(Frame {
            text,
            options,
            next: 0,
        })
    }

    /// Writes the row of a part whose options all have values.
    fn finish(&mut self, frame: Frame) -> u64 {
        let values: Vec<u64> = frame
            .options
            .iter()
            .map(|(_, left)| {
                left.iter()
                    .fold(0, |xor, (text, _)| xor ^ self.values[text])
            })
            .collect();
        let value = mex(&values);
        let moves = frame.options.into_iter().map(|(mv, _)| mv);
        self.values.insert(frame.text.clone(), value);
        self.rows.push(PartValue {
            part: frame.text,
            value: Wide(value),
            options: moves.zip(values.into_iter().map(Wide)).collect(),
        });
        value
    }
}

/// A table of a game that reaches this heap: as it is, or by a period that it proves.
fn table(game: &str, heap: u64, meter: &mut Meter<'_>) -> Result<TableValues, Obstacle> {
    let bound = Code::of(game).and_then(|code| code.parts_and_reach());
    if let Some((parts, reach)) = bound.filter(|_| heap > PLAIN_TABLE) {
        let mut length = PLAIN_TABLE * 2;
        while length <= LARGEST_HEAP.min(heap.saturating_mul(2)) {
            let mut values = values_up_to(game, length, meter)?;
            if let Some(found) = period::find(&values, parts, reach, meter)? {
                let proof = parts * found.start.max(1) + (parts - 1) * found.length + reach;
                values.truncate((proof + found.length) as usize);
                return Ok(TableValues {
                    game: game.to_owned(),
                    values,
                    period: Some(PeriodClaim {
                        start: found.start,
                        length: found.length,
                    }),
                });
            }
            length *= 2;
        }
    }
    Ok(TableValues {
        game: game.to_owned(),
        values: values_up_to(game, heap, meter)?,
        period: None,
    })
}

/// The values of heaps 0 to this one, by the game's own table.
fn values_up_to(game: &str, heap: u64, meter: &mut Meter<'_>) -> Result<Vec<u16>, Obstacle> {
    if heap > LARGEST_HEAP {
        return Err(Obstacle::Long);
    }
    meter.work(heap)?;
    let heaps: Vec<String> = (0..=heap).map(|heap| heap.to_string()).collect();
    let position = Position::parse(&format!("{game}:{}", heaps.join(",")));
    let position = position.map_err(|_| Obstacle::OtherWay)?;
    let values = position.sum.components()[0].values(meter)?;
    let values = values.into_iter().map(|value| u16::try_from(value?).ok());
    values.collect::<Option<_>>().ok_or(Obstacle::Budget)
}
