//! The working shown in explanations of heap games: values heap by heap, tables and their periods, the misère rule.

use crate::fact::HeapReason;
use crate::game::EndRule;
use crate::games::heap_rule::{HeapRule, Taking};
use crate::theory::Meter;
use crate::theory::misere_heaps::Classes;
use crate::theory::period::Period;
use crate::theory::quotient::ONE;
use crate::theory::take_and_break::Rule;

/// Heaps shown one by one in an explanation.
const EXPLAINED_HEAPS: usize = 16;

/// One line a heap with its value and the reason, and the xor of all.
pub(crate) fn value_lines(
    heaps: &[u64],
    values: &[Option<u64>],
    name: impl Fn(usize) -> String,
    reason: impl Fn(u64) -> String,
) -> Vec<String> {
    let text = |value: &Option<u64>| value.map_or("?".to_owned(), |value| value.to_string());
    let mut lines = Vec::new();
    for (index, (heap, value)) in heaps.iter().zip(values).enumerate().take(EXPLAINED_HEAPS) {
        let value = text(value);
        lines.push(format!(
            "  {:<3} {heap:>6}  value {value:<4} {}",
            name(index),
            reason(*heap)
        ));
    }
    if heaps.len() > EXPLAINED_HEAPS {
        lines.push(match heaps.len() - EXPLAINED_HEAPS {
            1 => "  and 1 more heap".to_owned(),
            more => format!("  and {more} more heaps"),
        });
    }
    let known: Option<Vec<u64>> = values.iter().copied().collect();
    if let Some(known) = known.filter(|known| known.len() > 1) {
        let xor = known.iter().fold(0, |xor, value| xor ^ value);
        let shown: Vec<String> = known
            .iter()
            .take(EXPLAINED_HEAPS)
            .map(u64::to_string)
            .collect();
        let more = if known.len() > EXPLAINED_HEAPS {
            " ^ ..."
        } else {
            ""
        };
        lines.push(format!(
            "  XOR of the values: {}{more} = {xor}",
            shown.join(" ^ ")
        ));
    }
    lines
}

/// What the misère rule says where it holds.
pub(crate) fn misere_lines(values: &[Option<u64>], end: EndRule) -> Option<String> {
    let large = values.iter().flatten().any(|value| *value > 1);
    end.is_misere().then(|| match large {
        true => "Misere play changes nothing while a value is above 1: aim for xor 0, but if your move leaves no value above 1, leave xor 1.".to_owned(),
        false => "Misere play, and no value is above 1: the player to move loses if the xor is 1 and wins if it is 0.".to_owned(),
    })
}

/// How misère play is decided where values do not decide it: by the misère quotient of the rule, or by search.
pub(crate) fn wild_lines(rule: &Rule, heaps: &[u64], meter: &mut Meter<'_>) -> Vec<String> {
    let mut lines =
        vec!["Misere play: a move may split a heap, so these values do not decide.".to_owned()];
    let Ok(Some(Classes { table, classes })) = Classes::of_heaps(rule, heaps, meter) else {
        lines.push(
            "No misere quotient is known that covers these heaps; only an exhaustive search decides.".to_owned(),
        );
        return lines;
    };
    let quotient = table.quotient();
    let reach = match table.period() {
        Some(period) => format!(
            "all heaps, whose classes have period {} from heap {}, proved",
            period.length, period.start
        ),
        None => format!("heaps up to {}", table.heaps() - 1),
    };
    lines.push(
        "Two sums of heaps are in one class if exchanging one for the other never changes the winner.".to_owned(),
    );
    let (order, lost) = (quotient.order(), quotient.lost_order());
    lines.push(format!(
        "For {reach}, {} (the misere quotient), numbered from 0, the class of no heaps; {lost} of them {}.",
        if order == 1 { "there is 1 class".to_owned() } else { format!("there are {order} classes") },
        if lost == 1 { "is lost" } else { "are lost" },
    ));
    let shown = heaps.iter().zip(&classes).take(EXPLAINED_HEAPS);
    let shown: Vec<String> = shown
        .map(|(heap, class)| format!("{heap} is in class {class}"))
        .collect();
    let more = if heaps.len() > shown.len() {
        ", ..."
    } else {
        ""
    };
    if !shown.is_empty() {
        lines.push(format!("  heap {}{more}", shown.join(", ")));
    }
    let sum = classes
        .iter()
        .fold(ONE, |sum, class| quotient.product(sum, *class));
    let verdict = if quotient.is_lost(sum) { "lost" } else { "won" };
    lines.push(format!(
        "  {} {sum}: {verdict} for the player to move.",
        match heaps {
            [_] => "The position is in class",
            _ => "Together they are in class",
        }
    ));
    lines
}

/// That the value of a heap is that of a smaller one, by a proved period.
pub(crate) fn by_period(period: Option<Period>, heap: u64) -> Option<HeapReason> {
    let Period { start, length } = period?;
    let like = period?.fold(heap);
    (like != heap).then_some(HeapReason::Period {
        start,
        length,
        like,
    })
}

/// The first values of a table, its period marked, and what is proved of it.
pub(crate) fn table_lines(
    value: impl Fn(u64) -> Option<u64>,
    period: Option<Period>,
    largest: u64,
) -> Vec<String> {
    const SHOWN: u64 = 40;
    let mut text = String::from("values ");
    for heap in 0..=largest.min(SHOWN) {
        if let Some(value) = value(heap) {
            if period.is_some_and(|period| {
                heap > 0
                    && heap >= period.start
                    && (heap - period.start).is_multiple_of(period.length)
            }) {
                text.push_str(" |");
            }
            text.push_str(&format!(" {value}"));
        }
    }
    if largest > SHOWN {
        text.push_str(" ...");
    }
    let proof = match period {
        Some(period) => format!(
            "period {} from heap {}, proved",
            period.length, period.start
        ),
        None => "no period is proved".to_owned(),
    };
    vec![text, proof]
}

/// For each value below that of a heap a move that leaves it, in words: `-2/1,4 leaves 0`. Of a heap with too many moves what `large` says.
pub(crate) fn options_text(
    rule: &impl HeapRule,
    heap: u64,
    value: impl Fn(u64) -> Option<u64>,
    large: impl FnOnce() -> String,
) -> String {
    const LARGE: u128 = 2_000;
    const SHOWN: u64 = 8;
    let count = rule.count(heap);
    if count == 0 {
        return "no move".to_owned();
    }
    if count > LARGE {
        return large();
    }
    let left_by = |taking: &Taking| -> Option<u64> {
        let mut values = taking.left().iter().map(|part| value(*part));
        values.try_fold(0, |xor, value| Some(xor ^ value?))
    };
    let Some(own) = value(heap) else {
        return "beyond the table".to_owned();
    };
    // By the value that they leave, up to that of the heap.
    let mut moves: Vec<Option<Taking>> = vec![None; own.min(SHOWN) as usize];
    for taking in (0..count).map(|n| rule.nth(heap, n)) {
        let Some(left) = left_by(&taking) else {
            return "beyond the table".to_owned();
        };
        let place = usize::try_from(left).ok();
        if let Some(place) = place.and_then(|left| moves.get_mut(left)) {
            place.get_or_insert(taking);
        }
    }
    let moves = moves.into_iter().flatten().enumerate();
    let mut shown: Vec<String> = moves
        .map(|(left, taking)| format!("{taking} leaves {left}"))
        .collect();
    if own > SHOWN {
        shown.push("and so on".to_owned());
    }
    shown.push(format!("no move leaves {own}"));
    shown.join(", ")
}
