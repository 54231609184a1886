//! What the facts of sums, compounds and searches say.

use super::compounds::{self, Won};
use super::games;
use super::partizan::{self, Sum};
use super::phrases::{Sentence, added, capital, counted, list, named, of_terms, short};
use crate::fact::{Fact, Terms};
use crate::solver::OutcomeClass;
use crate::solver::reason::types::Assessment;
use crate::theory::compound::Compound;

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
        Fact::ClassChange {
            before,
            after,
            lost,
        } => {
            let who = if *lost { "loses" } else { "wins" };
            Some(Sentence::plain(format!(
                "It takes the whole sum from class {before} to class {after}, which the player to move {who}."
            )))
        }
        Fact::StandingChange {
            component,
            before,
            after,
        } => Some(Sentence::plain(compounds::change(
            *component, *before, *after,
        ))),
        Fact::Game { component, of } => {
            let said = games::change(of)?;
            Some(in_component(*component, said))
        }
        _ => None,
    }
}

/// What a fact says of a position.
pub(super) fn sentences(fact: &Fact, of: &Assessment) -> Vec<Sentence> {
    match fact {
        Fact::PartizanSum {
            of: kind,
            terms,
            terms_total,
            total,
            stake,
            hottest,
        } => {
            let sum = Sum {
                of: *kind,
                terms,
                terms_total: *terms_total,
                total,
                stake,
                hottest: hottest.as_deref(),
            };
            partizan::sum(&sum, of.outcome)
        }
        _ => vec![sentence(fact, of)],
    }
}

/// What a fact says in one sentence.
fn sentence(fact: &Fact, of: &Assessment) -> Sentence {
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
        Fact::Over {
            component,
            one_sided,
        } => over(*component, *one_sided, wins == Some(true), is_until_zero(of)),
        Fact::NimSum { terms, xor } => Sentence {
            rule: is_until_zero(of).then(|| {
                "A move changes the nim-value of one component, and play ends once all are 0: as in Nim, the player to move loses if the xor is 0.".to_owned()
            }),
            text: format!("{}, so {outcome}.", capital(&added("nim-value", terms, *xor))),
        },
        Fact::TameSum { terms, xor, large } => {
            tame(terms, *xor, *large, (outcome, is_until_zero(of)))
        }
        Fact::MisereQuotient {
            terms,
            product,
            order,
            lost_order,
            lost_classes,
            ..
        } => Sentence::by(
            format!(
                "Two sums are in the same class if exchanging one for the other never changes the winner in misere play (grundy explain class). There are {}; the player to move loses {}, and from every other one has a move to these.",
                counted(*order, "class", "classes"),
                named("class", "classes", lost_classes, *lost_order)
            ),
            match terms.total {
                0 | 1 => format!("The class is {product}: {outcome}."),
                _ => format!(
                    "The classes are {}; together they are class {product}: {outcome}.",
                    list(terms)
                ),
            },
        ),
        Fact::GreatestSuspense {
            terms,
            greatest,
            decides,
            others,
        } => compounds::greatest_suspense(terms, (*greatest, *decides, *others), outcome),
        Fact::LeastRemoteness {
            terms,
            least,
            decides,
            others,
        } => compounds::least_remoteness(terms, (*least, *decides, *others), outcome),
        Fact::WonComponents {
            misere,
            last_in_misere,
            short,
            won,
            won_total,
            alive,
        } => {
            let won = Won {
                misere: *misere,
                last_in_misere: *last_in_misere,
                short: *short,
                numbers: won,
                total: *won_total,
                alive: *alive,
            };
            compounds::won_components(&won, outcome)
        }
        Fact::OneLeft { component } => Sentence::plain(format!(
            "Only component {component} still has a move, so it decides alone."
        )),
        Fact::Foreclosed { terms, ending, xor } => {
            compounds::foreclosed(terms, ending, *xor, (outcome, misere))
        }
        Fact::LoopySum {
            terms,
            xor,
            endless,
            can_exit,
        } => loopy(terms, *xor, *endless, *can_exit, outcome),
        Fact::Searched { plies, line } => searched(*plies, line, of.outcome),
        Fact::ShortestWin { plies, line } => Sentence::plain(match plies {
            Some(plies) => format!(
                "A search finds the moves: {}",
                shortest(*plies, line).replacen("If", "if", 1)
            ),
            None => "Only a search finds the winning move.".to_owned(),
        }),
        Fact::ByMethod { method } => Sentence::plain(format!("The method is: {method}.")),
        Fact::KnownAfterMove { mv } => Sentence::plain(match mv {
            Some(mv) => format!(
                "{} leaves a position that is known to be lost: {outcome}.",
                short(mv)
            ),
            None => format!("A move leaves a position that is known to be lost: {outcome}."),
        }),
        Fact::Game { component, of } => {
            in_component(*component, games::sentence(of, outcome, misere))
        }
        Fact::PartizanSum { .. } => Sentence::plain(""),
        Fact::NimChange { .. }
        | Fact::WorthChange { .. }
        | Fact::ClassChange { .. }
        | Fact::StandingChange { .. } => {
            change(fact).unwrap_or_else(|| Sentence::plain(""))
        }
    }
}

/// Whether the position is a compound that ends once every nim-value is 0.
fn is_until_zero(of: &Assessment) -> bool {
    let mut words = of.position.split('@').skip(1);
    words.any(|word| word == Compound::UntilZero.word())
}

/// Why no move is left, and who has won.
fn over(component: Option<u64>, one_sided: bool, wins: bool, until_zero: bool) -> Sentence {
    let why = match component {
        Some(number) if one_sided => {
            format!("The player to move has no move in component {number}, which ends the game")
        }
        Some(number) => format!("Component {number} has no move left, which ends the game"),
        None if until_zero => "Every nim-value is 0, which ends the game".to_owned(),
        None => "The player to move has no move left".to_owned(),
    };
    Sentence::plain(match wins {
        true => format!("{why}, and in misere play the last move loses."),
        false => format!("{why}, and the last move wins."),
    })
}

/// The rule for sums of tame parts.
fn tame(terms: &Terms, xor: u64, large: u64, (outcome, until_zero): (&str, bool)) -> Sentence {
    Sentence::by(
        match until_zero {
            true => {
                "Play ends once all nim-values are 0, so the rule of misere Nim holds whatever the games are (SJ theorem): xor 0 loses as long as a value is above 1; once none is, xor 1 loses instead. It holds as well for play to the last move if, whenever all values are 0 and there is a move, some component can be moved to value 1."
            }
            false => {
                "In misere play, xor 0 loses as long as a value is above 1. Once none is, xor 1 loses instead."
            }
        },
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
    Sentence::by(rule, shortest(plies, line))
}

/// The line of play in which the winner hurries and the loser delays.
fn shortest(plies: u64, line: &[String]) -> String {
    let more = if (line.len() as u64) < plies {
        " ..."
    } else {
        ""
    };
    format!(
        "If the winner hurries and the loser delays, it ends after {}: {}{more}.",
        counted(plies, "move", "moves"),
        line.join(" ")
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
