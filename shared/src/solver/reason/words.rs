//! The reasons in English: the one place that makes sentences of facts.

use super::types::{Assessment, MoveReason, MoveResult, Reasons};
use crate::fact::{Fact, Terms, Worth};
use crate::ids::Seat;
use crate::solver::OutcomeClass;

/// Characters of a position that are shown; of a longer one the end is left out.
const SHOWN: usize = 120;

/// All that the reasons say, in plain ASCII.
pub(super) fn lines(reasons: &Reasons) -> Vec<String> {
    let position = &reasons.position;
    let mut lines = vec![format!(
        "{}: {}.",
        short(&position.position),
        headline(position.outcome)
    )];
    lines.extend(sentences(position, 1));
    if reasons.best.is_none() && position.outcome.winner(position.to_move).is_some() {
        let won = position.outcome.winner(position.to_move) == Some(position.to_move);
        lines.push(match won {
            true => "No winning move was found within the budget.".to_owned(),
            false => "No move wins: every move has a winning reply.".to_owned(),
        });
    }
    for reason in &reasons.moves {
        lines.push(String::new());
        let is_best = reasons.best.as_ref() == Some(&reason.mv);
        lines.extend(of_move(reason, position, is_best));
    }
    lines
}

/// Who wins, in words.
fn headline(outcome: OutcomeClass) -> &'static str {
    match outcome {
        OutcomeClass::N => "the player to move wins",
        OutcomeClass::P => "the player to move loses",
        OutcomeClass::L => "Left wins, no matter who starts",
        OutcomeClass::R => "Right wins, no matter who starts",
        OutcomeClass::D => "a draw with best play",
        OutcomeClass::Unknown => "not decided within the budget",
    }
}

fn of_move(reason: &MoveReason, before: &Assessment, is_best: bool) -> Vec<String> {
    let mover = before.to_move;
    let result = match reason.result {
        MoveResult::Wins => "wins",
        MoveResult::Draws if before.outcome.winner(mover) == Some(mover) => {
            "only draws: it gives the win away"
        }
        MoveResult::Draws => "draws",
        MoveResult::Loses if before.outcome.winner(mover) == Some(mover) => {
            "loses: it gives the win away"
        }
        MoveResult::Loses if before.outcome == OutcomeClass::D => "loses: it gives the draw away",
        MoveResult::Loses => "loses, as every move does",
        MoveResult::Unknown => "was not decided within the budget",
    };
    let mut lines = vec![match is_best {
        true => format!("{} is the best move: it {result}.", reason.mv),
        false => format!("{} {result}.", reason.mv),
    }];
    lines.extend(changes(&reason.changes, 1));
    lines.push(format!("  It leaves {}.", left(&reason.leaves, mover)));
    lines.extend(sentences(&reason.leaves, 2));
    if let Some(reply) = &reason.reply {
        let verb = match reason.result {
            MoveResult::Loses => "The winning reply is",
            _ => "The best reply is",
        };
        lines.push(format!("  {verb} {}.", reply.mv));
        lines.extend(changes(&reply.changes, 2));
        lines.push(format!("    It leaves {}.", left(&reply.leaves, mover)));
        lines.extend(sentences(&reply.leaves, 3));
    }
    lines
}

/// A position that is left, and what it means for the player whose move is explained.
fn left(leaves: &Assessment, mover: Seat) -> String {
    let position = short(&leaves.position);
    let mine = leaves.to_move == mover;
    let whose = if mine { "you are" } else { "the opponent is" };
    let verb = match leaves.outcome.winner(leaves.to_move) {
        Some(winner) if winner == leaves.to_move => "win",
        Some(_) => "lose",
        None if leaves.outcome == OutcomeClass::D => return format!("{position}, a draw"),
        None => return format!("{position}, which was not decided within the budget"),
    };
    let ending = if mine { "" } else { "s" };
    format!("{position}, where {whose} to move and {verb}{ending}")
}

/// The facts of a position, one line each.
fn sentences(position: &Assessment, depth: usize) -> Vec<String> {
    let indent = "  ".repeat(depth);
    let facts = position.facts.iter();
    facts
        .map(|fact| format!("{indent}{}", sentence(fact, position)))
        .collect()
}

fn changes(changes: &[Fact], depth: usize) -> Vec<String> {
    let indent = "  ".repeat(depth);
    let said = changes.iter().filter_map(changed);
    said.map(|words| format!("{indent}{words}")).collect()
}

/// What a move changes.
fn changed(fact: &Fact) -> Option<String> {
    match fact {
        Fact::NimChange {
            component,
            before,
            after,
        } => {
            let of = component.map_or(String::new(), |number| format!(" of component {number}"));
            Some(format!(
                "It changes the nim-value{of} from {before} to {after}."
            ))
        }
        _ => None,
    }
}

/// What a fact says of a position.
fn sentence(fact: &Fact, of: &Assessment) -> String {
    let outcome = match of.outcome.winner(of.to_move) {
        Some(winner) if winner == of.to_move => "the player to move wins",
        Some(_) => "the player to move loses",
        None => "neither player can force a win",
    };
    match fact {
        Fact::Over {} => match of.outcome.winner(of.to_move) == Some(of.to_move) {
            true => "No move is left, and in misere play the last move loses.".to_owned(),
            false => "No move is left, and the last move wins.".to_owned(),
        },
        Fact::NimSum { terms, xor } => format!(
            "{}, so {outcome}.",
            capital(&added("nim-value", terms, *xor))
        ),
        Fact::TameSum { terms, xor, large } => {
            let sum = capital(&format!("{} {xor}", of_terms("nim-value", terms)));
            match large {
                0 => format!(
                    "{sum}. No value is above 1, and then misere play is lost with xor 1 and won with xor 0: {outcome}."
                ),
                _ => format!(
                    "{sum}. {} above 1, and then misere play is lost with xor 0, as normal play is: {outcome}.",
                    counted(*large, "value is", "values are")
                ),
            }
        }
        Fact::MisereQuotient {
            terms,
            product,
            order,
            lost_order,
            ..
        } => format!(
            "Two sums are in the same class if exchanging one for the other never changes the winner in misere play. There are {}, {lost_order} of them lost. Classes: {}; together class {product}: {outcome}.",
            counted(*order, "class", "classes"),
            list(terms)
        ),
        Fact::GreatestSuspense { terms, greatest } => format!(
            "The component that lasts longest decides. Suspense (plies if its winner delays and its loser hurries): {}; the greatest is {greatest}, {}: {outcome}.",
            list(terms),
            parity(*greatest)
        ),
        Fact::LeastRemoteness { terms, least } => format!(
            "The component that ends first decides. Remoteness (plies if its winner hurries and its loser delays): {}; the least is {least}, {}: {outcome}.",
            list(terms),
            parity(*least)
        ),
        Fact::WonComponents {
            misere,
            won,
            won_total,
            alive,
        } => {
            let rule = if *misere {
                "misere play"
            } else {
                "normal play"
            };
            match won_total {
                0 => format!(
                    "Each of {} is lost in {rule}: {outcome}.",
                    counted(*alive, "component with a move", "components with a move")
                ),
                _ => format!(
                    "The player to move wins {} in {rule}, and can make {} lost at once: {outcome}.",
                    named("component", won, *won_total),
                    if *won_total == 1 { "it" } else { "them" },
                ),
            }
        }
        Fact::OneLeft { component } => {
            format!("Only component {component} still has a move, so it decides alone.")
        }
        Fact::Foreclosed { terms, ending, xor } => match xor {
            Some(xor) => format!(
                "No component can be ended with a win. Foreclosed values count only the moves that a player can afford: {}, so {outcome}.",
                added("value", terms, *xor)
            ),
            None => format!(
                "A move ends {}, which wins at once.",
                named("component", ending, ending.len() as u64)
            ),
        },
        Fact::PartizanSum {
            terms,
            terms_total,
            total,
        } => {
            let meaning = match of.outcome {
                OutcomeClass::L => "is above 0: Left wins, no matter who starts",
                OutcomeClass::R => "is below 0: Right wins, no matter who starts",
                OutcomeClass::P => "is 0: whoever moves first loses",
                _ => "is neither above, below nor equal to 0: whoever moves first wins",
            };
            match *terms_total > 1 {
                true => format!(
                    "Values: {}; the total {total} {meaning}.",
                    worths(terms, *terms_total)
                ),
                false => format!("The value {total} {meaning}."),
            }
        }
        Fact::LoopySum {
            terms,
            xor,
            endless,
            can_exit,
        } => {
            let nim = match terms.total {
                0 => "the xor of nothing is 0".to_owned(),
                _ => added("nim-value", terms, *xor),
            };
            match endless {
                0 => format!("{}, so {outcome}.", capital(&nim)),
                1 if *can_exit => format!(
                    "One summand is endless, and for the others {nim}. A move in the endless one can leave nim-value {xor}, so that all add up to 0: {outcome}."
                ),
                1 => format!(
                    "One summand is endless, and for the others {nim}. No move in the endless one leaves nim-value {xor}, and play in it need not end: {outcome}."
                ),
                _ => format!(
                    "{} endless, and play in them need not end: {outcome}.",
                    counted(*endless, "summand is", "summands are")
                ),
            }
        }
        Fact::Searched { plies, line } => searched(*plies, line, of),
        Fact::NimChange { .. } => changed(fact).unwrap_or_default(),
    }
}

fn searched(plies: Option<u64>, line: &[String], of: &Assessment) -> String {
    let Some(plies) = plies else {
        return match of.outcome {
            OutcomeClass::D => "No rule is known; a search of all positions shows that neither player can force an end.".to_owned(),
            _ => "No rule is known; only a search of all lines of play decides.".to_owned(),
        };
    };
    let more = if (line.len() as u64) < plies {
        " ..."
    } else {
        ""
    };
    format!(
        "No rule is known; only a search of all lines of play decides. If the winner hurries and the loser delays, it ends after {}: {}{more}.",
        counted(plies, "move", "moves"),
        line.join(" ")
    )
}

/// The terms of a sum and their xor, compared with 0: `the nim-values are A 3, B 5; their xor is 6, not 0`.
fn added(what: &str, terms: &Terms, xor: u64) -> String {
    let zero = if xor == 0 { "" } else { ", not 0" };
    format!("{} {xor}{zero}", of_terms(what, terms))
}

/// The terms of a sum up to their xor.
fn of_terms(what: &str, terms: &Terms) -> String {
    match terms.total {
        0 | 1 => format!("the {what} is"),
        _ => format!("the {what}s are {}; their xor is", list(terms)),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// `A 3, B 5 and 2 more`.
fn list(terms: &Terms) -> String {
    let first = terms.first.iter();
    let first: Vec<String> = first
        .map(|term| format!("{} {}", term.name, term.value))
        .collect();
    with_rest(first, terms.total)
}

fn worths(terms: &[Worth], total: u64) -> String {
    let first = terms.iter();
    let first = first.map(|term| format!("{} is {}", term.name, term.value));
    with_rest(first.collect(), total)
}

/// `component 2` or `components 1, 3`.
fn named(what: &str, numbers: &[u64], total: u64) -> String {
    let list = with_rest(numbers.iter().map(u64::to_string).collect(), total);
    match total {
        1 => format!("{what} {list}"),
        _ => format!("{what}s {list}"),
    }
}

fn with_rest(first: Vec<String>, total: u64) -> String {
    let more = total.saturating_sub(first.len() as u64);
    match more {
        0 => first.join(", "),
        _ => format!("{} and {more} more", first.join(", ")),
    }
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn parity(number: u64) -> &'static str {
    match number.is_multiple_of(2) {
        true => "even",
        false => "odd",
    }
}

fn short(position: &str) -> String {
    match position.len() > SHOWN {
        true => format!("{}...", &position[..SHOWN]),
        false => position.to_owned(),
    }
}
