//! What the facts of sums, compounds and searches say.

use super::games;
use super::phrases::{Sentence, added, capital, counted, list, named, of_terms, parity, worths};
use crate::fact::{Fact, Terms};
use crate::solver::OutcomeClass;
use crate::solver::reason::types::Assessment;

/// What a move changes; nothing if the fact is about a position.
pub(super) fn change(fact: &Fact) -> Option<Sentence> {
    match fact {
        Fact::NimChange {
            component,
            before,
            after,
        } => {
            let of = component.map_or(String::new(), |number| format!(" of component {number}"));
            Some(Sentence::plain(format!(
                "It changes the nim-value{of} from {before} to {after}."
            )))
        }
        Fact::WorthChange {
            component,
            before,
            after,
        } => {
            let of = component.map_or(String::new(), |number| format!(" of component {number}"));
            Some(Sentence::plain(format!(
                "It changes the value{of} from {before} to {after}."
            )))
        }
        Fact::Game { component, of } => {
            let said = games::change(of)?;
            Some(in_component(*component, said))
        }
        _ => None,
    }
}

/// What a fact says of a position.
pub(super) fn sentence(fact: &Fact, of: &Assessment) -> Sentence {
    let wins = of
        .outcome
        .winner(of.to_move)
        .map(|winner| winner == of.to_move);
    let outcome = match wins {
        Some(true) => "the player to move wins",
        Some(false) => "the player to move loses",
        None => "neither player can force a win",
    };
    let misere = of.position.ends_with("@misere");
    match fact {
        Fact::Over {} => Sentence::plain(match wins {
            Some(true) => "No move is left, and in misere play the last move loses.",
            _ => "No move is left, and the last move wins.",
        }),
        Fact::NimSum { terms, xor } => Sentence::plain(format!(
            "{}, so {outcome}.",
            capital(&added("nim-value", terms, *xor))
        )),
        Fact::TameSum { terms, xor, large } => tame(terms, *xor, *large, outcome),
        Fact::MisereQuotient {
            terms,
            product,
            order,
            lost_order,
            ..
        } => Sentence::by(
            format!(
                "Two sums are in the same class if exchanging one for the other never changes the winner in misere play. There are {}, {lost_order} of them lost.",
                counted(*order, "class", "classes")
            ),
            match terms.total {
                0 | 1 => format!("The class is {product}: {outcome}."),
                _ => format!(
                    "The classes are {}; together they are class {product}: {outcome}.",
                    list(terms)
                ),
            },
        ),
        Fact::GreatestSuspense { terms, greatest } => Sentence::by(
            "The component that lasts longest decides. Its suspense is how many moves it lasts if its winner delays and its loser hurries.",
            format!(
                "The suspense is {}. The greatest is {greatest}, {}: {outcome}.",
                list(terms),
                parity(*greatest)
            ),
        ),
        Fact::LeastRemoteness { terms, least } => Sentence::by(
            "The component that ends first decides. Its remoteness is how many moves it lasts if its winner hurries and its loser delays.",
            format!(
                "The remoteness is {}. The least is {least}, {}: {outcome}.",
                list(terms),
                parity(*least)
            ),
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
            Sentence::plain(match won_total {
                0 => format!(
                    "Each of the {} is lost in {rule}: {outcome}.",
                    counted(*alive, "component with a move", "components with a move")
                ),
                _ => format!(
                    "The player to move wins {} in {rule}, and can make {} lost at once: {outcome}.",
                    named("component", won, *won_total),
                    if *won_total == 1 { "it" } else { "them" },
                ),
            })
        }
        Fact::OneLeft { component } => Sentence::plain(format!(
            "Only component {component} still has a move, so it decides alone."
        )),
        Fact::Foreclosed { terms, ending, xor } => match xor {
            Some(xor) => Sentence::by(
                "Nobody moves so that the opponent can end a component with a win. Foreclosed values count only the other moves.",
                format!(
                    "{}, so {outcome}.",
                    capital(&added("foreclosed value", terms, *xor))
                ),
            ),
            None => Sentence::plain(format!(
                "A move ends {}, which wins at once.",
                named("component", ending, ending.len() as u64)
            )),
        },
        Fact::PartizanSum {
            components,
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
            Sentence::plain(match *terms_total > 1 {
                true => format!(
                    "The values are {}; the total {total} {meaning}.",
                    worths(*components, terms, *terms_total)
                ),
                false => format!("The value {total} {meaning}."),
            })
        }
        Fact::LoopySum {
            terms,
            xor,
            endless,
            can_exit,
        } => loopy(terms, *xor, *endless, *can_exit, outcome),
        Fact::Searched { plies, line } => searched(*plies, line, of.outcome),
        Fact::Game { component, of } => {
            in_component(*component, games::sentence(of, outcome, misere))
        }
        Fact::NimChange { .. } | Fact::WorthChange { .. } => {
            change(fact).unwrap_or_else(|| Sentence::plain(""))
        }
    }
}

/// The rule for sums of tame parts.
fn tame(terms: &Terms, xor: u64, large: u64, outcome: &str) -> Sentence {
    Sentence::by(
        "In misere play, xor 0 loses as long as a value is above 1. Once none is, xor 1 loses instead.",
        format!(
            "{} {xor}, and {} above 1: {outcome}.",
            capital(&of_terms("nim-value", terms)),
            match large {
                0 => "none is".to_owned(),
                1 => "one value is".to_owned(),
                _ => format!("{large} values are"),
            }
        ),
    )
}

fn loopy(terms: &Terms, xor: u64, endless: u64, can_exit: bool, outcome: &str) -> Sentence {
    let nim = match terms.total {
        0 => "there are no others, which is nim-value 0".to_owned(),
        _ => format!("for the others {}", added("nim-value", terms, xor)),
    };
    let text = match (endless, can_exit) {
        (0, _) => {
            return Sentence::plain(format!(
                "{}, so {outcome}.",
                capital(&added("nim-value", terms, xor))
            ));
        }
        (1, true) => format!(
            "One summand is endless; {nim}. A move in the endless one can leave nim-value {xor}, so that all add up to 0: {outcome}."
        ),
        (1, false) => format!(
            "One summand is endless; {nim}. No move in the endless one leaves nim-value {xor}: {outcome}."
        ),
        _ => format!("{endless} summands are endless: {outcome}."),
    };
    Sentence::by(
        "A summand is endless if play in it can go round and no nim-value fits it.",
        text,
    )
}

fn searched(plies: Option<u64>, line: &[String], outcome: OutcomeClass) -> Sentence {
    let rule = "No rule is known here: only a search of all lines of play decides.";
    let Some(plies) = plies else {
        return match outcome {
            OutcomeClass::D => Sentence::by(rule, "Neither player can force an end."),
            _ => Sentence::plain(rule),
        };
    };
    let more = if (line.len() as u64) < plies {
        " ..."
    } else {
        ""
    };
    Sentence::by(
        rule,
        format!(
            "If the winner hurries and the loser delays, it ends after {}: {}{more}.",
            counted(plies, "move", "moves"),
            line.join(" ")
        ),
    )
}

/// Says of which component a sentence is.
fn in_component(component: Option<u64>, said: Sentence) -> Sentence {
    match component {
        None => said,
        Some(number) => Sentence {
            text: format!("Component {number}: {}", said.text),
            ..said
        },
    }
}
