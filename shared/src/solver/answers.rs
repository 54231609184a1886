//! Reasons by example, for positions that no theory explains: the values that moves leave, and the replies to them.

use crate::erased::Component;
use crate::ids::Seat;
use crate::position::Position;
use crate::solver::part_interner::PartInterner;
use crate::solver::verdict::answer;
use crate::solver::{OutcomeClass, Solution};
use crate::theory::Meter;

/// Moves shown with their answers, and values shown with the moves that leave them.
const SHOWN: usize = 8;

/// A component with more moves than this is not explained move by move.
const MOST_MOVES: u128 = 400;

/// The Grundy value of a component as the least number that none of its moves leaves; `None` if this takes too much work.
pub(super) fn value_line(component: &Component, meter: &mut Meter<'_>) -> Option<String> {
    if component.move_count(Seat::First) > MOST_MOVES {
        return None;
    }
    let mut interner = PartInterner::default();
    let value = interner.value_of(component, meter).ok()?;
    let mut left = vec![None; value.min(SHOWN as u64) as usize];
    for mv in component.moves(Seat::First) {
        let by = interner.value_of(&component.play(&*mv), meter).ok()?;
        let by = usize::try_from(by).ok().and_then(|by| left.get_mut(by));
        if let Some(by) = by {
            by.get_or_insert_with(|| mv.to_string());
        }
    }
    let left = left.iter().flatten().enumerate();
    let mut shown: Vec<String> = left.map(|(by, mv)| format!("{mv} leaves {by}")).collect();
    if value > SHOWN as u64 {
        shown.push("and so on".to_owned());
    }
    shown.push(format!("no move leaves {value}"));
    Some(format!("  value {value}: {}", shown.join(", ")))
}

/// The replies to the moves of a lost position: this one, or the one that its first winning move leaves. As many lines as the
/// budget allows.
pub(super) fn answer_lines(
    position: &Position,
    solution: &Solution,
    meter: &mut Meter<'_>,
) -> Vec<String> {
    let (lost, heading) = match solution.winning_moves.first() {
        // Won, but nobody knows by which move.
        None if solution.outcome != OutcomeClass::P => return Vec::new(),
        None => (
            Ok(position.clone()),
            "Every move has an answer, such as:".to_owned(),
        ),
        Some(winning) => (
            Position::parse(&winning.to),
            format!("After {} every move has an answer, such as:", winning.mv),
        ),
    };
    let Ok(lost) = lost else {
        return Vec::new();
    };
    let answered = lost.moves(Seat::First).take(SHOWN).map_while(|mv| {
        let after = lost.play(&mv);
        if after.is_over(Seat::First) {
            return Some(format!("  {mv} makes the last move, which loses"));
        }
        let found = answer(&after, 1, false, meter).ok()?;
        let reply = found.winning?.first.into_iter().next()?;
        Some(format!("  {mv} is answered by {reply}"))
    });
    let mut lines: Vec<String> = answered.collect();
    if lines.is_empty() {
        return lines;
    }
    let more = lost.move_count(Seat::First) - lines.len() as u128;
    lines.insert(0, heading);
    if more > 0 {
        lines.push(format!("  and so on for {more} more"));
    }
    lines
}
