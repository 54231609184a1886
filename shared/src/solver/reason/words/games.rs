//! What the facts of the games say.

use super::boards;
use super::phrases::{Sentence, capital, counted, list_of, with_rest};
use crate::fact::{GameFact, HeapReason, Sized, Terms};

/// What a move changes; nothing if the fact is about a position.
pub(super) fn change(fact: &GameFact) -> Option<Sentence> {
    if let GameFact::Cut { chain, chain_total } = fact {
        return Some(boards::cut(chain, *chain_total));
    }
    Some(Sentence::plain(match fact {
        GameFact::HeapChange {
            name,
            before,
            after,
            after_total,
            classes,
        } => heap_change(name, *before, after, *after_total, *classes),
        GameFact::StepChange {
            gap,
            step,
            before,
            after,
        } => {
            let noun = step_noun(*gap);
            match after > before {
                true => format!(
                    "It makes {noun} {step} larger, from {before} to {after}, which the opponent can undo by moving as many on."
                ),
                false => format!("It makes {noun} {step} smaller, from {before} to {after}."),
            }
        }
        GameFact::TurnedCoins { coins, xor } => format!(
            "It turns these coins, whose values are: {}. The xor of the row changes by {xor}.",
            list_of("coin", coins)
        ),
        GameFact::SymmetryBroken { image } => {
            format!("It breaks the symmetry; its image {image} restores it.")
        }
        GameFact::Divided {
            node,
            value,
            ends,
            xor,
        } => boards::divided(*node, *value, ends, *xor),
        GameFact::GapChange { row, before, after } => boards::gap_change(*row, *before, *after),
        GameFact::PieceChange {
            vertices,
            left,
            left_total,
        } => boards::piece_change(*vertices, left, *left_total),
        _ => return None,
    }))
}

/// What a fact says of a position.
pub(super) fn sentence(fact: &GameFact, outcome: &str, misere: bool) -> Sentence {
    match fact {
        GameFact::HeapValue { name, heap, reason } => heap_value(name, *heap, reason),
        GameFact::Distance {
            target,
            left,
            modulus,
            value,
        } => Sentence::by(
            format!(
                "The answer to any move can make the two {modulus} together, so only the remainder of what is left by {modulus} counts."
            ),
            format!(
                "{left} is left to {target} = {} x {modulus} + {value}, remainder {value}: {outcome}.",
                left / modulus
            ),
        ),
        GameFact::GoldenPair {
            heaps: [a, b],
            lost: [low, high],
            ..
        } => Sentence::by(
            match misere {
                false => {
                    "Losing pair number k is floor(k x 1.618...) and that plus k. Each difference and each heap size belongs to exactly one pair, so every other position has a move to one."
                }
                true => {
                    "Losing pair number k is floor(k x 1.618...) and that plus k, except that in misere play 0,1 and 2,2 replace 0,0 and 1,2. Each difference and each heap size belongs to exactly one pair."
                }
            },
            match (a, b) == (low, high) {
                true => format!(
                    "{a},{b} is the losing pair of difference {}: {outcome}.",
                    b - a
                ),
                false => format!(
                    "{a},{b} is not a losing pair, as the one of difference {} is {low},{high}: {outcome}.",
                    b - a
                ),
            },
        ),
        GameFact::GoldenPartner { heap, partner } => {
            Sentence::plain(format!("A heap of {heap} loses beside one of {partner}."))
        }
        GameFact::OddSteps {
            gaps,
            steps,
            xor,
            large,
        } => odd_steps(step_noun(*gaps), steps, *xor, *large, outcome, misere),
        GameFact::Zeckendorf {
            counted,
            parts,
            quota,
        } => zeckendorf(*counted, parts, *quota, outcome, misere),
        GameFact::Ratio {
            small,
            large,
            above,
        } => ratio(*small, *large, *above, outcome, misere),
        GameFact::Columns { modulus, columns } => Sentence::by(
            match misere {
                false => format!(
                    "Write the heaps in binary. The player to move loses if the number of 1s in every column is a multiple of {modulus}."
                ),
                true => format!(
                    "Write the heaps in binary. While a heap is above 1, the player to move loses if the number of 1s in every column is a multiple of {modulus}; once none is, if the number of heaps is 1 more than a multiple of {modulus}."
                ),
            },
            match columns.total {
                0 => format!("Every column is a multiple of {modulus}: {outcome}."),
                _ => format!(
                    "The 1s that remain are, by column: {}: {outcome}.",
                    with_rest(
                        columns
                            .first
                            .iter()
                            .map(|term| format!("{}s {}", term.name, term.value))
                            .collect(),
                        columns.total
                    )
                ),
            },
        ),
        GameFact::OnlyOnes { modulus, heaps } => Sentence::by(
            format!(
                "In misere play with no heap above 1, the player to move loses if the number of heaps is 1 more than a multiple of {modulus}."
            ),
            format!(
                "{}: {outcome}.",
                capital(&counted(*heaps, "heap is left", "heaps are left"))
            ),
        ),
        GameFact::TakeOrMerge { ones, moves } => Sentence::by(
            "The larger heaps last as many moves as they have stones, plus one for each merge. If these are 0 or 2, the player to move loses if 3 divides the number of heaps of one stone; otherwise, if both numbers are even.",
            format!(
                "{}, and the larger heaps last {}: {outcome}.",
                capital(&counted(
                    *ones,
                    "heap has one stone",
                    "heaps have one stone"
                )),
                counted(*moves, "move", "moves")
            ),
        ),
        GameFact::HeadValues { law } => boards::head_values(law),
        GameFact::Heads { coins, xor } => Sentence::by(
            "The value of a row is the xor of the values of its heads, each taken alone.",
            format!(
                "{}; their xor is {xor}: {outcome}.",
                capital(&list_of("coin", coins))
            ),
        ),
        GameFact::PointSymmetry { made_by } => boards::symmetry(made_by.as_deref(), outcome),
        GameFact::Vertex {
            vertex,
            branches,
            xor,
        } => boards::vertex(*vertex, branches, *xor),
        GameFact::Matching {
            pairs,
            pairs_total,
            token,
            goal,
        } => boards::matching(pairs, *pairs_total, *token, *goal, outcome),
        GameFact::Placing {
            pairs,
            pairs_total,
            goal,
            by_opponent,
        } => boards::placing((pairs, *pairs_total), *goal, *by_opponent, outcome),
        GameFact::Fused {
            vertices,
            vertices_total,
            edges,
            branches,
            xor,
        } => boards::fused((vertices, *vertices_total), *edges, branches, *xor),
        GameFact::Arcs { node, value, arcs } => boards::arcs(*node, *value, arcs),
        GameFact::Element {
            element,
            above,
            value,
        } => boards::element(*element, above, *value),
        GameFact::Extreme { element, greatest } => boards::extreme(*element, *greatest, outcome),
        GameFact::OpenChain {
            coins,
            coins_total,
            both_ends,
        } => boards::open_chain((coins, *coins_total), *both_ends, outcome),
        GameFact::EveryTurnOpens { turns } => boards::every_turn_opens(*turns, outcome),
        GameFact::Gaps { rows, xor } => boards::gaps(rows, *xor, outcome),
        GameFact::Square { side } => boards::square(*side, outcome),
        GameFact::PathPiece { vertex, game, heap } => boards::path_piece(*vertex, game, *heap),
        GameFact::Node {
            node,
            value,
            options,
        } => boards::node(*node, *value, options),
        GameFact::FreeBranch { stem, levels } => boards::free_branch(stem, *levels),
        GameFact::Completes { cell } => {
            Sentence::plain(format!("An x on {cell} makes three in a row: {outcome}."))
        }
        GameFact::SafeRuns { runs, xor } => boards::safe_runs(runs, *xor, outcome),
        GameFact::Arms { right, down } => boards::arms(*right, *down, outcome),
        GameFact::TwoRows { first, second } => boards::two_rows(*first, *second, outcome),
        GameFact::Rectangle { rows, columns } => boards::rectangle(*rows, *columns, outcome),
        GameFact::Mates { pairs, single, xor } => boards::mates(pairs, *single, *xor, outcome),
        GameFact::HeapChange { .. }
        | GameFact::StepChange { .. }
        | GameFact::TurnedCoins { .. }
        | GameFact::SymmetryBroken { .. }
        | GameFact::Cut { .. }
        | GameFact::Divided { .. }
        | GameFact::GapChange { .. }
        | GameFact::PieceChange { .. } => change(fact).unwrap_or_else(|| Sentence::plain("")),
    }
}

fn step_noun(is_gap: bool) -> &'static str {
    if is_gap { "gap" } else { "step" }
}

fn heap_value(name: &str, heap: Sized, reason: &HeapReason) -> Sentence {
    let Sized { size, value } = heap;
    match reason {
        HeapReason::Remainder { modulus, quotient } => Sentence::by(
            format!(
                "The answer to any move can make the two {modulus} together, so the nim-value of a heap is its remainder by {modulus}."
            ),
            format!("{name}: {size} = {quotient} x {modulus} + {value}, nim-value {value}."),
        ),
        HeapReason::Exchanged {} => Sentence::by(
            "The nim-value of a heap is its size, except that 4k+3 and 4k+4 have each other's.",
            format!("{name}: {size} has nim-value {value}."),
        ),
        HeapReason::Odious {} => Sentence::by(
            "The nim-value of heap n is the n-th number with an odd number of binary ones: 1, 2, 4, 7, 8, 11, ...",
            format!("{name}: {size} has nim-value {value}, {value:b} in binary."),
        ),
        HeapReason::Period {
            start,
            length,
            like,
        } => Sentence::by(
            format!(
                "From heap {start} on, the nim-values repeat every {} (proved).",
                counted(*length, "heap", "heaps")
            ),
            format!("{name}: {size} has the nim-value of a heap of {like}, {value}."),
        ),
        HeapReason::Mex { reached } => {
            let moves: Vec<String> = reached
                .iter()
                .map(|reached| format!("{} leaves {}", reached.mv, reached.value))
                .collect();
            let none = format!("no move leaves {value}");
            let all: Vec<String> = moves.into_iter().chain([none]).collect();
            Sentence::by(
                "The nim-value of a heap is the least number that no move leaves.",
                format!("{name}: {size} has nim-value {value}: {}.", all.join(", ")),
            )
        }
    }
}

fn heap_change(
    name: &str,
    before: Sized,
    after: &[Sized],
    after_total: u64,
    classes: bool,
) -> String {
    let what = if classes { "class" } else { "nim-value" };
    let is_nim = before.size == before.value && after.iter().all(|left| left.size == left.value);
    let sizes = after.iter().map(|left| left.size.to_string());
    let sizes = with_rest(sizes.collect(), after_total);
    if is_nim && !classes && after_total == 1 {
        return format!(
            "It makes heap {name} smaller, from {} to {sizes}.",
            before.size
        );
    }
    let values: Vec<String> = after.iter().map(|left| left.value.to_string()).collect();
    let left = match after_total == after.len() as u64 && after_total > 1 {
        true if !classes => {
            let xor = after.iter().fold(0, |xor, left| xor ^ left.value);
            format!("{what}s {}, xor {xor}", values.join(", "))
        }
        true => format!("classes {}", values.join(", ")),
        false => format!("{what} {}", with_rest(values, after_total)),
    };
    format!(
        "It turns heap {name} of {} ({what} {}) into {sizes} ({left}).",
        before.size, before.value
    )
}

fn odd_steps(
    noun: &str,
    steps: &Terms,
    xor: u64,
    large: u64,
    outcome: &str,
    misere: bool,
) -> Sentence {
    let counted = match noun {
        "gap" => "Only every other gap counts, from the right",
        _ => "Only the odd steps count",
    };
    let loses = match misere {
        false => "The player to move loses if the xor is 0.",
        true => {
            "In misere play xor 0 loses as long as one of them is above 1; once none is, xor 1 loses."
        }
    };
    let rule = format!(
        "{counted}, each as a heap of Nim: what a move adds to one of them can be taken off again at once. {loses}"
    );
    let sum = match steps.total {
        0 => format!("Each {noun} that counts is empty, xor 0"),
        _ => format!("{}; the xor is {xor}", capital(&list_of(noun, steps))),
    };
    let above = match (misere, large) {
        (false, _) => String::new(),
        (true, 0) => ", and none is above 1".to_owned(),
        (true, 1) => ", and one is above 1".to_owned(),
        (true, _) => format!(", and {large} are above 1"),
    };
    Sentence::by(rule, format!("{sum}{above}: {outcome}."))
}

fn zeckendorf(counted: u64, parts: &[u64], quota: u64, outcome: &str, misere: bool) -> Sentence {
    let rule = match misere {
        false => {
            "Write the heap as a sum of Fibonacci numbers, no two of them consecutive. The player to move wins if the least part may be taken."
        }
        true => {
            "In misere play leave the last one out, and write the rest as a sum of Fibonacci numbers, no two of them consecutive. The player to move wins if the least part may be taken."
        }
    };
    let sum: Vec<String> = parts.iter().map(u64::to_string).collect();
    let text = match parts.last() {
        None => format!("Nothing but the last one is left: {outcome}."),
        Some(least) => {
            let may = if *least <= quota { "may" } else { "may not" };
            format!(
                "{counted} = {}. The least part {least} {may} be taken, as at most {quota} may: {outcome}.",
                sum.join(" + ")
            )
        }
    };
    Sentence::by(rule, text)
}

fn ratio(small: u64, large: u64, above: bool, outcome: &str, misere: bool) -> Sentence {
    let equal = match misere {
        false => "With equal numbers one move ends the game and wins.",
        true => "With equal numbers the only move ends the game and loses.",
    };
    let text = match small == large {
        true => format!("{equal} The numbers are equal: {outcome}."),
        false => format!(
            "{large} : {small} is {} 1.618...: {outcome}.",
            if above { "above" } else { "below" }
        ),
    };
    Sentence::by(
        "The player to move wins if larger : smaller is above 1.618...: then one of the two smallest results is lost. Below, there is only one move, and it leaves a ratio above.",
        text,
    )
}
