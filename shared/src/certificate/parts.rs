//! Positions as certificates see them: sorted lists of unfinished parts, as text.
//!
//! The order of the parts of a disjunctive sum does not matter, and a part without a move counts for nothing, in both end rules. Other
//! compounds stay as they are.

use crate::erased::{Component, Position};
use crate::ids::Seat;
use crate::theory::compound::Compound;
use crate::theory::{Meter, Stopped};

/// Games whose parts are not written as positions of their own: their components stay whole.
const WHOLE: &[&str] = &["geo", "prefix"];

/// The unfinished parts of a component, each with its text. What it costs is charged.
pub(crate) fn live_parts(
    component: &Component,
    meter: &mut Meter<'_>,
) -> Result<Vec<(String, Component)>, Stopped> {
    meter.work(1 + component.bytes() / 8)?;
    let mut live = Vec::new();
    let parts = match WHOLE.contains(&component.info().name) {
        true => vec![component.clone()],
        false => component.parts(),
    };
    for part in parts {
        meter.work(1)?;
        if part.move_count(Seat::First) > 0 {
            let text = part.to_string();
            meter.work(text.len() as u64 / 32)?;
            live.push((text, part));
        }
    }
    Ok(live)
}

/// The text of a position without what does not matter; `None` when no part has a move. What it costs is charged.
pub(crate) fn normal_form(
    position: &Position,
    meter: &mut Meter<'_>,
) -> Result<Option<String>, Stopped> {
    if position.compound() != Compound::Sum {
        // Which component is which, and that one is over, may matter there.
        let text = (!position.is_over(Seat::First)).then(|| position.to_string());
        meter.work(1 + text.as_ref().map_or(0, |text| text.len() as u64 / 16))?;
        return Ok(text);
    }
    let mut texts = Vec::new();
    for component in position.sum.components() {
        texts.extend(
            live_parts(component, meter)?
                .into_iter()
                .map(|(text, _)| text),
        );
    }
    if texts.is_empty() {
        return Ok(None);
    }
    texts.sort_unstable();
    let mut text = texts.join("+");
    if position.end_rule().is_misere() {
        text.push_str("@misere");
    }
    meter.work(text.len() as u64 / 16)?;
    Ok(Some(text))
}
