//! Positions as certificates see them: sorted lists of unfinished parts, as text.
//!
//! The order of the parts of a disjunctive sum does not matter, and a part without a move counts for nothing, in both end rules. Other
//! compounds stay as they are.

use crate::erased::Component;
use crate::ids::Seat;
use crate::position::Position;
use crate::theory::compound::Compound;
use crate::theory::{Meter, Stopped};

/// Games whose parts are not written as positions of their own: their components stay whole.
const WHOLE: &[&str] = &["geo", "prefix"];

/// The unfinished parts of a component, each with its text. Charges its cost.
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
        if Seat::BOTH.iter().any(|seat| part.move_count(*seat) > 0) {
            let text = part.to_string();
            meter.work(text.len() as u64 / 32)?;
            live.push((text, part));
        }
    }
    Ok(live)
}

/// The text of a position without irrelevant parts; `None` if it is over, this player being to move. Charges its cost.
pub(crate) fn normal_form(
    position: &Position,
    to_move: Seat,
    meter: &mut Meter<'_>,
) -> Result<Option<String>, Stopped> {
    if position.compound() != Compound::Sum {
        // In these compounds the order of the components, and finished ones, may matter.
        let text = (!position.is_over(to_move)).then(|| position.to_string());
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
    if texts.is_empty() || position.is_over(to_move) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::REGISTRY;

    fn moves(part: &Component) -> Vec<String> {
        let moves = part.moves(Seat::First);
        moves.map(|mv| mv.to_string()).take(1_000).collect()
    }

    /// The verifier reads the text of a part as a position: it must be that part, and have the same moves.
    #[test]
    fn every_part_is_a_position_of_its_own() {
        let mut count = 0;
        for example in REGISTRY.iter().flat_map(|game| game.examples) {
            let mut position = Position::parse(example).expect("an example");
            for turn in 0..8 {
                for component in position.sum.components() {
                    let mut meter = Meter::new(1 << 30, 1 << 30, &|| false);
                    for (text, part) in live_parts(component, &mut meter).expect("a budget") {
                        let read = Position::parse(&text).expect(&text);
                        assert_eq!(read.to_string(), text, "{example}");
                        assert_eq!(moves(&read.sum.components()[0]), moves(&part), "{text}");
                        count += 1;
                    }
                }
                let some = position.moves(Seat::First).take(turn + 1).last();
                let Some(mv) = some else {
                    break;
                };
                position = position.play(&mv);
            }
        }
        assert!(count > 300, "{count}");
    }
}
