//! A number that goes up to a target: what can be added, and how far it is.

use super::canvas::{Anchor, CELL, Canvas, Ink};
use super::part::Part;

/// Places side by side.
const ACROSS: u64 = 8;
/// Steps that are drawn.
const STEPS: u64 = 40;

/// Draws `race.10.100:80` as a bar and the steps that can be made.
pub(super) fn draw(part: &Part<'_>, canvas: &mut Canvas) {
    let mut parameters = part
        .parameters()
        .filter_map(|item| item.parse::<u64>().ok());
    let (step, target) = (
        parameters.next().unwrap_or(0),
        parameters.next().unwrap_or(0),
    );
    let now: u64 = part.state.parse().unwrap_or(0);
    let words = format!("{now} / {target}");
    canvas.text(Ink::Label, (CELL / 2, 18), Anchor::Start, &words);
    let width = CELL * 8;
    let share = u128::from(now) * 352 / u128::from(target.max(1));
    let done = i32::try_from(share).unwrap_or(width).min(width);
    canvas.rect(Ink::Free, (8, 28), (width, 12), 6);
    if done > 0 {
        canvas.rect(Ink::Piece, (8, 28), (done, 12), 6);
    }
    for add in 1..=drawn(step, now, target) {
        let place = add - 1;
        let column = i32::try_from(place % ACROSS).unwrap_or(0);
        let row = i32::try_from(place / ACROSS).unwrap_or(0);
        let at = (8 + column * CELL, CELL + 4 + row * CELL);
        canvas.part(format!("+{add}"), |canvas| {
            canvas.rect(Ink::Free, (at.0 + 2, at.1 + 2), (CELL - 4, CELL - 4), 6);
            let middle = (at.0 + CELL / 2, at.1 + CELL / 2 + 6);
            canvas.text(Ink::Label, middle, Anchor::Middle, &format!("+{add}"));
        });
    }
}

/// How many steps are drawn.
fn drawn(step: u64, now: u64, target: u64) -> u64 {
    step.min(target.saturating_sub(now)).min(STEPS)
}
