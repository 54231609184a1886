//! What explanations of partizan games share. Their values are computed by the solver, from those of their options; a game only knows its parts, and some values by a formula.

use crate::theory::{CanonicalForm, CanonicalForms, Dyadic, Meter, Stopped};

/// How values are read.
pub(crate) const READING: &str =
    "A number says by how many moves Left is ahead; {a|b}: Left can move to a, Right to b.";

/// The whole numbers that parts are known to be, as values.
pub(crate) fn whole_numbers(
    numbers: impl Iterator<Item = Option<i64>>,
    forms: &mut CanonicalForms,
    meter: &mut Meter<'_>,
) -> Result<Vec<Option<CanonicalForm>>, Stopped> {
    numbers
        .map(|number| {
            let number = number.map(Dyadic::from);
            number
                .map(|number| forms.plain(number, 0, meter))
                .transpose()
        })
        .collect()
}

/// One line for each part: what it is, and its value where a formula gives it.
pub(crate) fn part_lines(
    parts: impl ExactSizeIterator<Item = (String, Option<i64>)>,
) -> Vec<String> {
    const SHOWN: usize = 16;
    let count = parts.len();
    let mut lines: Vec<String> = parts
        .take(SHOWN)
        .map(|(part, number)| {
            let value = match number {
                Some(number) => format!("value {number}"),
                None => "value by its moves".to_owned(),
            };
            format!("  {part}: {value}")
        })
        .collect();
    if count > SHOWN {
        lines.push(format!("  and {} more parts", count - SHOWN));
    }
    lines
}
