//! The working: how the value of a form follows from those of its options.

use rustc_hash::FxHashMap;

use super::form::Form;
use crate::game::EndRule;
use crate::ids::Seat;
use crate::theory::{CanonicalForm, CanonicalForms, Dyadic, Meter, Stopped};

/// Forms shown one by one.
const SHOWN: usize = 24;
/// Characters of a form in a sentence.
const WIDTH: usize = 48;

/// As people write it, shortened where it is long.
pub(super) fn shown(form: &Form) -> String {
    let text = form.braced().to_string();
    match text.len() > WIDTH {
        true => format!("{}...", &text[..WIDTH]),
        false => text,
    }
}

/// The form from the inside out, a line for each pair of braces.
pub(super) fn lines(form: &Form, end: EndRule, meter: &mut Meter<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for (seat, name) in Seat::BOTH.into_iter().zip(["Left", "Right"]) {
        let options = form.options(seat);
        let listed: Vec<String> = options.iter().take(SHOWN).map(shown).collect();
        let more = match options.len() > SHOWN {
            true => format!(" and {} more", options.len() - SHOWN),
            false => String::new(),
        };
        lines.push(match listed.is_empty() {
            true => format!("{name} has no option."),
            false => format!("{name} may move to {}{more}.", listed.join(", ")),
        });
    }
    if end.is_misere() {
        return lines;
    }
    let built = form.built();
    let mut forms = CanonicalForms::default();
    let mut known = FxHashMap::default();
    for form in built.iter().take(SHOWN) {
        let Ok(reason) = reason(form, &mut known, &mut forms, meter) else {
            lines.push("  The budget for the working was used up.".to_owned());
            return lines;
        };
        lines.push(format!("  {} = {reason}", shown(form)));
    }
    if built.len() > SHOWN {
        lines.push(format!("  and {} more", built.len() - SHOWN));
    }
    lines
}

/// The value of a form, and why it is that.
fn reason(
    form: &Form,
    known: &mut FxHashMap<Form, CanonicalForm>,
    forms: &mut CanonicalForms,
    meter: &mut Meter<'_>,
) -> Result<String, Stopped> {
    let options = form.option_values(known, forms, meter)?;
    let value = form.value(known, forms, meter)?;
    let text = forms.shown(value);
    if forms.as_number(value).is_some() {
        let numbers = |side: &[CanonicalForm]| -> Option<Vec<Dyadic>> {
            let numbers = side.iter().map(|value| forms.as_number(*value).cloned());
            numbers.collect()
        };
        let [left, right] = &options;
        let bounds = numbers(left).zip(numbers(right));
        let Some((left, right)) = bounds else {
            return Ok(format!(
                "{text}: the simplest number that is not at or below an option of Left, nor at or above an option of Right"
            ));
        };
        return Ok(match (left.iter().max(), right.iter().min()) {
            (None, None) => format!("{text}: nobody has an option"),
            (Some(low), None) => format!("{text}: the simplest number above {low}"),
            (None, Some(high)) => format!("{text}: the simplest number below {high}"),
            (Some(low), Some(high)) => {
                format!("{text}: the simplest number above {low} and below {high}")
            }
        });
    }
    let typed: Vec<Vec<CanonicalForm>> = options
        .into_iter()
        .map(|mut side| {
            side.sort_unstable();
            side.dedup();
            side
        })
        .collect();
    let kept = forms.options(value, meter)?;
    if typed == kept {
        return Ok(format!(
            "{text}: no option is dominated or reversible, so this is its canonical form"
        ));
    }
    let mut notes = Vec::new();
    for ((typed, kept), (name, best)) in typed
        .iter()
        .zip(&kept)
        .zip([("Left", true), ("Right", false)])
    {
        for option in typed.iter().filter(|option| !kept.contains(option)) {
            let mut better = None;
            for other in typed.iter().filter(|other| *other != option) {
                let worse = match best {
                    true => forms.at_most(*option, *other, meter)?,
                    false => forms.at_most(*other, *option, meter)?,
                };
                if worse {
                    better = Some(*other);
                }
            }
            let text = forms.shown(*option);
            notes.push(match better {
                Some(other) => format!("{name}'s {text} is dominated by {}", forms.shown(other)),
                None if is_reversible(*option, value, best, forms, meter)? => {
                    format!("{name}'s {text} is reversible")
                }
                None => format!(
                    "{name}'s {text} is dominated by what reversible options are replaced by"
                ),
            });
        }
    }
    Ok(match notes.is_empty() {
        true => text,
        false => format!("{text}: {}", notes.join("; ")),
    })
}

/// Whether the opponent has an answer to this option that is no worse for him than the whole.
fn is_reversible(
    option: CanonicalForm,
    whole: CanonicalForm,
    of_left: bool,
    forms: &mut CanonicalForms,
    meter: &mut Meter<'_>,
) -> Result<bool, Stopped> {
    let answers = forms.options(option, meter)?[usize::from(of_left)].clone();
    for answer in answers {
        let reverses = match of_left {
            true => forms.at_most(answer, whole, meter)?,
            false => forms.at_most(whole, answer, meter)?,
        };
        if reverses {
            return Ok(true);
        }
    }
    Ok(false)
}
